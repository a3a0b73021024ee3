//! Values of positions: [`Score`] inside the searches, [`Value`] outside them, and the only conversions.
//!
//! A score is the expected result times 10,000, for the side to move. Evaluations stay within ±9,000; beyond that lie wins
//! and losses, one point nearer to 9,000 for each ply that they are away. With chess's "mate = 30,000" a 1-in-32 chance
//! of a win would outweigh everything else in a game of chance.

use std::fmt;

/// The expected result times 10,000, for the side to move.
pub type Score = i32;

/// A game that is won here.
pub const WIN: Score = 10_000;

/// The largest score that is only an evaluation. Above it lie wins.
pub const MAX_EVAL: Score = 9_000;

/// The score of a position one ply earlier: a win that takes longer is worth a little less.
///
/// It depends on the position only, not on how far the root is, so a table can hold it; and it is odd, so it commutes
/// with changing sides.
#[inline]
pub const fn ply_adjusted(score: Score) -> Score {
    if score > MAX_EVAL {
        score - 1
    } else if score < -MAX_EVAL {
        score + 1
    } else {
        score
    }
}

/// An estimate with its log-odds shifted, so that `level` becomes 0. More stays more, and the best and the worst estimate stay what they are.
///
/// With tanh for what log-odds are worth this is `tanh(atanh(score) - atanh(level))`, which needs neither of them.
#[inline]
pub fn with_contempt(score: Score, level: Score) -> Score {
    let [score, level, most] = [score, level.clamp(1 - MAX_EVAL, MAX_EVAL - 1), MAX_EVAL].map(i64::from);
    (most * most * (score - level) / (most * most - score * level)) as Score
}

/// The bound that a score must pass for its [`ply_adjusted`] score to pass `bound`, or one beyond it: windows only ever widen.
#[inline]
pub const fn ply_unadjusted(bound: Score) -> Score {
    if bound >= MAX_EVAL {
        bound + 1
    } else if bound <= -MAX_EVAL {
        bound - 1
    } else {
        bound
    }
}

/// The distance in plies to the win or loss that a score announces, if it announces one.
///
/// A score that is an average over flips may lie in the same range without being certain: then it says at least that.
pub const fn plies_to_end(score: Score) -> Option<u32> {
    if score.abs() > MAX_EVAL { Some((WIN - score.abs()) as u32) } else { None }
}

/// Brings any material count into ±[`MAX_EVAL`], never decreasing: nearly linear when level, flat when one side is far
/// ahead, but never so flat that winning more stops counting. `scale` is worth a bit more than half of the way.
///
/// Plain arithmetic in a fixed order, so that every machine gives the same bits.
#[inline]
pub fn squash(raw: i32, scale: i32) -> Score {
    let x = raw as f32 / scale as f32;
    let square = x * x;
    // Padé's approximation of tanh, within 2.5 % of it where it is used and 1 at 3.
    let bent = if x >= 3.0 {
        1.0
    } else if x <= -3.0 {
        -1.0
    } else {
        x * (27.0 + square) / (27.0 + 9.0 * square)
    };
    let tail = x / (4.0 + x.abs());
    (bent * 7600.0 + tail * 1400.0) as Score
}

/// Expected result in [-1, 1] for the side to move: 1 is a certain win.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Value(pub f32);

impl Value {
    /// A score, seen from outside the search.
    pub fn from_score(score: Score) -> Value {
        Value(score as f32 / WIN as f32)
    }

    /// The nearest score.
    pub fn to_score(self) -> Score {
        (self.0.clamp(-1.0, 1.0) * WIN as f32).round() as Score
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.3}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ageing_is_odd_and_monotone() {
        for score in -WIN..WIN {
            assert_eq!(ply_adjusted(-score), -ply_adjusted(score));
            assert!(ply_adjusted(score) <= ply_adjusted(score + 1));
        }
    }

    #[test]
    fn leaning_keeps_order_and_bounds() {
        for level in [-WIN, -6_000, -100, 0, 2_000, WIN] {
            let lean = |score| with_contempt(score, level);
            assert_eq!([-MAX_EVAL, MAX_EVAL].map(lean), [-MAX_EVAL, MAX_EVAL], "{level}");
            assert!((-MAX_EVAL..MAX_EVAL).all(|score| lean(score) <= lean(score + 1)), "{level}");
            // As seen from the other side.
            assert!(
                (-MAX_EVAL..=MAX_EVAL).all(|score| with_contempt(-score, -level) == -lean(score)),
                "{level}"
            );
        }
        assert_eq!(
            [with_contempt(2_000, 2_000), with_contempt(0, -6_000), with_contempt(77, 0)],
            [0, 6_000, 77]
        );
    }

    /// A window widened by `ply_unadjusted` decides every comparison that the narrow one decides.
    #[test]
    fn windows_widen() {
        for bound in -WIN + 2..WIN - 2 {
            for score in [bound - 2, bound - 1, bound, bound + 1, bound + 2] {
                let score = score.clamp(-WIN, WIN);
                if score <= ply_unadjusted(bound).min(bound) {
                    assert!(ply_adjusted(score) <= bound, "{score} {bound}");
                }
                if score >= ply_unadjusted(bound).max(bound) {
                    assert!(ply_adjusted(score) >= bound, "{score} {bound}");
                }
            }
        }
    }

    #[test]
    fn squashing_keeps_order_and_bounds() {
        let mut last = -MAX_EVAL;
        for raw in (-200_000..=200_000).step_by(50) {
            let score = squash(raw, 1000);
            assert!(score >= last && score.abs() < MAX_EVAL, "{raw} gives {score} after {last}");
            assert_eq!(squash(-raw, 1000), -score);
            last = score;
        }
        assert_eq!(squash(0, 1000), 0);
    }
}
