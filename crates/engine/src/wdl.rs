//! A value as people read it: how often a position is won, drawn and lost.
//!
//! A value is the expected result, wins less losses, and says nothing of draws. How many games are drawn from a position
//! of a given value is an observation about play, so the two numbers below are fitted to games, not derived.

use crate::score::Value;

/// The share of draws where neither side is better. A guess until it is fitted to games of the engine with itself.
const LEVEL_DRAWS: f32 = 0.4;

/// How much of the room that a value leaves for draws is filled when one side is all but winning.
const LATE_DRAWS: f32 = 0.2;

/// Shares of won, drawn and lost games for the side to move; they sum to 1, and `win - loss` is the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Wdl {
    /// Won.
    pub win: f32,
    /// Drawn.
    pub draw: f32,
    /// Lost.
    pub loss: f32,
}

impl Wdl {
    /// What a value means in games.
    pub fn new(value: Value) -> Wdl {
        let v = value.0.clamp(-1.0, 1.0);
        // Of a value v at most 1 - |v| can be draws; the share of that room falls as one side gets ahead.
        let room = 1.0 - v.abs();
        let draw = room * (LATE_DRAWS + (LEVEL_DRAWS - LATE_DRAWS) * room);
        Wdl { win: (1.0 + v - draw) / 2.0, draw, loss: (1.0 - v - draw) / 2.0 }
    }

    /// The three in thousandths, which sum to exactly 1,000.
    pub fn permille(self) -> [u32; 3] {
        let [win, loss] = [self.win, self.loss].map(|share| (share * 1000.0).round() as u32);
        [win, 1000 - win.min(1000) - loss.min(1000 - win.min(1000)), loss]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_sum_to_one_and_keep_the_value() {
        for i in -1000..=1000 {
            let value = Value(i as f32 / 1000.0);
            let wdl = Wdl::new(value);
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6, "{wdl:?}");
            assert!((wdl.win - wdl.loss - value.0).abs() < 1e-6, "{wdl:?}");
            assert!(wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0, "{wdl:?}");
            assert_eq!(wdl.permille().iter().sum::<u32>(), 1000, "{wdl:?}");
        }
        assert_eq!(Wdl::new(Value(1.0)).permille(), [1000, 0, 0]);
        assert_eq!(Wdl::new(Value(0.0)).permille(), [300, 400, 300]);
    }
}
