//! How much stronger one player is than another, from games played in pairs.
//!
//! The two games of a pair share a deal, so their results are not independent and a game is the wrong unit. A *pair* is
//! the right one: it scores 0, 1/2, 1, 3/2 or 2 points, and pairs of different deals are independent. All formulas are
//! those of the pentanomial model (Michel Van den Bergh, "Normalized Elo" and "Comments on normalized Elo", notes for
//! Fishtest), in the form in which the match runner fastchess reports them, so that numbers can be compared; only the interval of the score
//! is another ([`score`]), because a normal one passes 0 and 1 where pairs are few. Nothing here reads a file or a
//! clock, and nothing here decides when to stop: that is [`crate::stats::sprt`].

#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use std::f64::consts::{LN_10, PI, SQRT_2};

use super::clustered::t95;

/// The 97.5 % point of the normal distribution: an interval of this many standard errors either way holds 95 %.
pub const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of one standard deviation of a game's result: 800 / ln 10 (Van den Bergh, "Normalized Elo").
pub(crate) const NELO_PER_SIGMA: f64 = 800.0 / LN_10;

/// The possible scores of a pair, as shares of its two points.
pub(crate) const PAIR_SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// How many pairs scored 0, 1/2, 1, 3/2 and 2 points for the first-named player.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Pentanomial(pub [u64; 5]);

/// A value with its 95 % interval; any of the three may be infinite, none is NaN.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The most likely value.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: f64,
    /// The upper end of the 95 % interval.
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the number after "+/-".
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }

    /// Whether the interval holds `truth`.
    pub fn covers(&self, truth: f64) -> bool {
        self.low <= truth && truth <= self.high
    }
}

impl Pentanomial {
    /// Counts one pair more. A win is two halves and a draw one, so a pair brings 0 to 4.
    ///
    /// # Panics
    /// When `halves` is more than four.
    pub fn add(&mut self, points_of_pair_in_halves: u8) {
        self.0[usize::from(points_of_pair_in_halves)] += 1;
    }

    /// The pairs seen.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The games seen: two a pair.
    pub fn games(&self) -> u64 {
        2 * self.pairs()
    }

    /// The same match as the second-named player tells it.
    #[must_use]
    pub fn reversed(&self) -> Pentanomial {
        let [a, b, c, d, e] = self.0;
        Pentanomial([e, d, c, b, a])
    }

    /// Points taken out of points played for, 0 to 1; a half when nothing was played.
    pub fn score(&self) -> f64 {
        self.moments().0
    }

    /// The share of pairs that brought exactly one point, 0 when nothing was played.
    pub fn draw_ratio(&self) -> f64 {
        if self.pairs() == 0 { 0.0 } else { self.0[2] as f64 / self.pairs() as f64 }
    }

    /// Pairs won for each pair lost: infinite when none was lost, 1 when none was decided.
    pub fn pairs_ratio(&self) -> f64 {
        match (self.0[3] + self.0[4], self.0[0] + self.0[1]) {
            (0, 0) => 1.0,
            (won, lost) => won as f64 / lost as f64,
        }
    }

    /// Mean and variance of a pair's score, both as shares (0 to 1) of its two points.
    fn moments(&self) -> (f64, f64) {
        if self.pairs() == 0 {
            return (0.5, 0.0);
        }
        let n = self.pairs() as f64;
        let sum = |f: &dyn Fn(f64) -> f64| {
            self.0.iter().zip(PAIR_SCORES).map(|(&count, x)| count as f64 * f(x)).sum::<f64>() / n
        };
        let mean = sum(&|x| x);
        (mean, sum(&|x| (x - mean) * (x - mean)))
    }

    /// Bounds how often a pair may score otherwise when all pairs seen scored the same and so show no variance.
    ///
    /// If that had probability q, then n equal pairs have probability (1 - q)^n, which is 2.5 % here (the exact bound
    /// of Clopper and Pearson, "The use of confidence or fiducial limits", 1934). It is 1 for no pairs at all.
    fn unseen(&self) -> f64 {
        if self.pairs() == 0 { 1.0 } else { 1.0 - 0.025f64.powf(1.0 / self.pairs() as f64) }
    }
}

/// Elo difference that an expected score means: -400 log10(1/s - 1). Infinite at 0 and 1.
///
/// Scores beyond 0 and 1, which ends of intervals can be, count as 0 and 1.
pub fn elo_of_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 * (score / (1.0 - score)).log10()
}

/// Expected score of a player who is `elo` stronger: 1 / (1 + 10^(-elo/400)).
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// The score of the first-named player, with its 95 % interval, which never passes 0 or 1.
///
/// The interval is [`within_bounds`] of the pairs, with Student's t for the error of a mean whose variance is only estimated.
/// In simulated matches of 5 to 20 pairs it holds the truth in 96 to 99 of 100, and in 90 at 400 Elo (`tests/all/statistics.rs`, 2026).
/// No pairs: a half, from 0 to 1.
pub fn score(results: &Pentanomial) -> Estimate {
    let (score, variance) = results.moments();
    let pairs = results.pairs() as f64;
    if pairs == 0.0 {
        return Estimate { value: score, low: 0.0, high: 1.0 };
    }
    // The unbiased variance of a single pair is 0, as it is when all pairs scored alike: then only their number counts.
    let error = t95(pairs - 1.0) * (variance / (pairs - 1.0).max(1.0)).sqrt();
    within_bounds(score, error, pairs)
}

/// The 95 % interval of a score from 0 to 1, given half the width of its normal interval and the number of independent pairs.
///
/// It is Wilson's interval ("Probable inference, the law of succession, and statistical inference", 1927) with the effective
/// number of pairs of Korn and Graubard ("Confidence intervals for proportions with small expected number of positive counts
/// estimated from survey data", 1998): as many won-or-lost pairs as would have this error. No pair varies more than one that is
/// won or lost, so the effective number is never below the number of pairs.
pub fn within_bounds(score: f64, error: f64, pairs: f64) -> Estimate {
    let s = score.clamp(0.0, 1.0);
    let z2 = Z95 * Z95;
    let spread = s * (1.0 - s);
    let effective = if error > 0.0 { (z2 * spread / (error * error)).max(pairs) } else { pairs };
    let middle = (s + z2 / (2.0 * effective)) / (1.0 + z2 / effective);
    let half =
        Z95 / (1.0 + z2 / effective) * (spread / effective + z2 / (4.0 * effective * effective)).sqrt();
    Estimate { value: s, low: (middle - half).clamp(0.0, s), high: (middle + half).clamp(s, 1.0) }
}

/// Logistic Elo of the first-named player over the second, with its 95 % interval.
///
/// The interval is that of the [`score`], carried through [`elo_of_score`]; it is not symmetric. Half its width is close to the
/// error that fastchess prints where pairs are many and the score is far from 0 and 1. Only an end at 0 or 1 is infinite.
pub fn elo(results: &Pentanomial) -> Estimate {
    elo_of_scores(&score(results))
}

/// A score and its interval as Elo.
pub fn elo_of_scores(score: &Estimate) -> Estimate {
    let Estimate { value, low, high } = *score;
    Estimate { value: elo_of_score(value), low: elo_of_score(low), high: elo_of_score(high) }
}

/// Normalised Elo: the lead in standard deviations of a game, times 800 / ln 10.
///
/// A pair's score has half the variance of a game's, so (s - 1/2) / √(2 var) is the lead of one game (Van den Bergh,
/// "Normalized Elo"). Unlike Elo it says how many games are needed to notice the difference. The interval takes the
/// variance as known, as fastchess does, and so is too narrow far from equality: in simulation it holds the truth in
/// 94 % of matches at 35 Elo but in 90 % at 120 (`tests/all/statistics.rs`, 2026). When every pair scored the same the value is infinite (or 0 for all
/// drawn) and the ends are those of the worst distribution that 95 % confidence allows, by the exact bound of Clopper and Pearson (1934).
pub fn normalized_elo(results: &Pentanomial) -> Estimate {
    let (score, variance) = results.moments();
    let nelo = |lead: f64, sigma: f64| {
        if lead == 0.0 { 0.0 } else { lead / (SQRT_2 * sigma) * NELO_PER_SIGMA }
    };
    let value = nelo(score - 0.5, variance.sqrt());
    if variance > 0.0 {
        let error = nelo(Z95 / (results.pairs() as f64).sqrt(), 1.0);
        return Estimate { value, low: value - error, high: value + error };
    }
    // A share q of pairs elsewhere, all lost or all won, has this mean and this deviation.
    let q = results.unseen();
    let spread = (q * (1.0 - q)).sqrt();
    let low = nelo(score * (1.0 - q) - 0.5, score * spread).min(value);
    let high = nelo(score * (1.0 - q) + q - 0.5, (1.0 - score) * spread).max(value);
    Estimate { value, low, high }
}

/// Likelihood of superiority: the probability that the first-named player is the stronger, Φ((s - 1/2) / √(var/n)).
///
/// A half when nothing speaks for either. When every pair scored the same it is 0, 1/2 or 1, which after a handful of
/// pairs says too much; so does fastchess.
pub fn los(results: &Pentanomial) -> f64 {
    let (score, variance) = results.moments();
    let lead = score - 0.5;
    if lead == 0.0 { 0.5 } else { normal_cdf(lead / (variance / results.pairs() as f64).sqrt()) }
}

/// Φ(x), the probability that a standard normal variable is below x, to about 14 digits.
///
/// By Taylor's series about 0 near the middle and by Laplace's continued fraction in the tails (Abramowitz and
/// Stegun, "Handbook of Mathematical Functions", 1964, 26.2.11 and 26.2.14).
pub fn normal_cdf(x: f64) -> f64 {
    if x.is_infinite() {
        return if x > 0.0 { 1.0 } else { 0.0 };
    }
    let density = (-x * x / 2.0).exp() / (2.0 * PI).sqrt();
    if x.abs() < 4.0 {
        let (mut term, mut sum, mut k) = (x, x, 1.0);
        while term.abs() > 1e-17 * sum.abs() {
            k += 2.0;
            term *= x * x / k;
            sum += term;
        }
        return 0.5 + density * sum;
    }
    let tail = density / (1..60).rev().fold(x.abs(), |below, k| x.abs() + f64::from(k) / below);
    if x > 0.0 { 1.0 - tail } else { tail }
}
