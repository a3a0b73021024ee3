//! A value as people read it: how often games are won, drawn and lost from here on.
//!
//! A search says who is better, on a scale of its own. How games go on from there is an observation about play, so the numbers
//! below are fitted to games, by `anglerfish store calibrate` (docs/luck.md has the data and the test). It is an ordinal logit: with `z`
//! for who is better and `u` for how much room draws have,
//!
//! ```text
//! won = 1 / (1 + room exp(-z))    lost = 1 / (1 + room exp(z))    drawn = the rest    room = 1 + exp(u)
//! ```
//!
//! Both are linear in a few terms of the search's value and of the phase of the game. Exchanging the sides exchanges won and lost.
//! Plain arithmetic in a fixed order, so that every machine gives the same bits: accounts of luck are made of these.

use crate::parameters::{WDL_DRAWS, WDL_LEAD};
use crate::portable::{exp, ln};
use crate::score::Value;

/// Shares of won, drawn and lost games, as one side sees them; they sum to 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// Won.
    pub win: f64,
    /// Drawn.
    pub draw: f64,
    /// Lost.
    pub loss: f64,
}

impl Wdl {
    /// The shares of a value where nothing was fitted: as many draws as possible.
    pub fn plain(value: Value) -> Wdl {
        let value = f64::from(value.0).clamp(-1.0, 1.0);
        Wdl { win: value.max(0.0), draw: 1.0 - value.abs(), loss: (-value).max(0.0) }
    }

    /// The share of wins less that of losses, from -1 to 1.
    pub fn value(self) -> Value {
        Value((self.win - self.loss) as f32)
    }

    /// The three in thousandths, which sum to exactly 1,000.
    pub fn permille(self) -> [u32; 3] {
        let [win, loss] = [self.win, self.loss].map(|share| (share * 1000.0).round() as u32);
        [win, 1000 - win.min(1000) - loss.min(1000 - win.min(1000)), loss]
    }
}

/// The phase of a game: shares depend on it and on the value.
#[derive(Clone, Copy, Debug, Default, Eq, Hash, PartialEq)]
pub struct Phase {
    /// Pieces on the board, those face down included.
    pub pieces: u8,
    /// Pieces face down.
    pub hidden: u8,
    /// Plies since the last capture or flip, in sixtieths of what the rules allow.
    pub quiet: u8,
}

/// The number of terms of `z` and of `u`.
pub const TERMS: usize = 21;

/// The terms of `z` and of `u`.
pub fn terms(phase: Phase, value: Value) -> [[f64; TERMS]; 2] {
    let n = (f64::from(value.0) * 10_000.0).round().clamp(-9999.0, 9999.0) as i64;
    let v = n as f64 / 10_000.0;
    // A win that is announced is next to certain: this has no bound.
    let far = (ln((10_000 + n) as u64) - ln((10_000 - n) as u64)) / 2.0;
    let [pieces, hidden, quiet] = [(phase.pieces, 32.0), (phase.hidden, 32.0), (phase.quiet, 60.0)]
        .map(|(n, most)| f64::from(n) / most);
    // Where nothing is hidden any more, another game begins.
    let open = f64::from(u8::from(phase.hidden == 0));
    let phases = [1.0, pieces, pieces * pieces, hidden, hidden * hidden, open, quiet];
    let mut both = [[0.0; TERMS]; 2];
    for (i, phase) in phases.into_iter().enumerate() {
        both[0][3 * i] = phase * v;
        both[0][3 * i + 1] = phase * v * v * v;
        both[0][3 * i + 2] = phase * far;
        both[1][3 * i] = phase;
        both[1][3 * i + 1] = phase * v * v;
        both[1][3 * i + 2] = phase * v * v * v * v;
    }
    both
}

/// A fitted model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The weights of the terms of `z`.
    pub lead: [f64; TERMS],
    /// The weights of the terms of `u`.
    pub draws: [f64; TERMS],
}

impl Calibration {
    /// Fitted to `platform` games of the engine with itself.
    pub const PLATFORM: Calibration = Calibration { lead: WDL_LEAD, draws: WDL_DRAWS };

    /// The shares for a value in a phase.
    pub fn shares(&self, phase: Phase, value: Value) -> Wdl {
        let [lead, draws] = terms(phase, value);
        let (z, u) = (dot(&self.lead, &lead), dot(&self.draws, &draws));
        let room = 1.0 + exp(u);
        let [win, loss] = [-z, z].map(|z| 1.0 / (1.0 + room * exp(z)));
        Wdl { win, draw: (1.0 - win - loss).max(0.0), loss }
    }
}

fn dot(a: &[f64; TERMS], b: &[f64; TERMS]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Phases that games have. Players do not shuffle for long while many pieces are face down.
    fn phases() -> impl Iterator<Item = Phase> {
        let all = (0..=32).flat_map(|hidden| (hidden.max(2)..=32).map(move |pieces| (pieces, hidden)));
        all.flat_map(|(pieces, hidden)| [0, 10, 30, 59].map(|quiet| Phase { pieces, hidden, quiet })).filter(
            |&Phase { pieces, hidden, quiet }| {
                let shown = pieces - hidden;
                quiet == 0 || (shown >= 2 && (quiet <= 10 || hidden <= 16) && (quiet <= 30 || hidden <= 8))
            },
        )
    }

    #[test]
    fn shares_sum_to_one_and_grow_with_the_value() {
        for phase in phases() {
            let mut last = -1.0;
            for n in -200..=200 {
                let value = Value(n as f32 / 200.0);
                let wdl = Calibration::PLATFORM.shares(phase, value);
                assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-12, "{phase:?} {value}: {wdl:?}");
                assert!(wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0, "{phase:?} {value}: {wdl:?}");
                let worth = wdl.win - wdl.loss;
                assert!(worth >= last, "{phase:?} {value}: {wdl:?} after {last}");
                last = worth;
                assert_eq!(wdl.permille().iter().sum::<u32>(), 1000, "{wdl:?}");
                // Exchanging the sides exchanges won and lost, to the last bit.
                let other = Calibration::PLATFORM.shares(phase, Value(-value.0));
                assert_eq!((wdl.win, wdl.loss), (other.loss, other.win), "{phase:?} {value}");
            }
            assert!(last > 0.97, "an announced win is one: {phase:?} {last}");
        }
    }

    #[test]
    fn without_games_to_fit_draws_fill_the_room() {
        for n in -100..=100 {
            let value = Value(n as f32 / 100.0);
            let wdl = Wdl::plain(value);
            assert_eq!(wdl.value(), value);
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-12);
        }
    }
}
