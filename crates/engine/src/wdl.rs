//! A value as people read it: how often a position is won, drawn and lost.
//!
//! A value says who is better, and nothing of draws. How games go on from a position of a given value is an observation
//! about play, so the numbers below are fitted to games, not derived: 378,379 positions of 3,200 games of the engine with
//! itself at 4,000 nodes a move, 2026-11-15. With eight or more pieces face down fewer games are drawn than it says, with
//! none more.

use crate::margins::{WDL_LATE_DRAWS, WDL_LEVEL_DRAWS, WDL_STRETCH};
use crate::score::Value;

/// Shares of won, drawn and lost games for the side to move; they sum to 1.
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
        let v = (value.0 * WDL_STRETCH).clamp(-1.0, 1.0);
        // Of a difference v at most 1 - |v| can be draws; how much of that room they fill grows as one side gets ahead.
        let room = 1.0 - v.abs();
        let draw = room * (WDL_LATE_DRAWS + (WDL_LEVEL_DRAWS - WDL_LATE_DRAWS) * room);
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
    fn shares_sum_to_one_and_grow_with_the_value() {
        let mut last = 0.0;
        for i in -1000..=1000 {
            let value = Value(i as f32 / 1000.0);
            let wdl = Wdl::new(value);
            assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-6, "{wdl:?}");
            assert!(wdl.win >= last, "{wdl:?}");
            last = wdl.win;
            assert!(wdl.win >= 0.0 && wdl.draw >= 0.0 && wdl.loss >= 0.0, "{wdl:?}");
            assert_eq!(wdl.permille().iter().sum::<u32>(), 1000, "{wdl:?}");
        }
        assert_eq!(Wdl::new(Value(1.0)).permille(), [1000, 0, 0]);
        assert_eq!(Wdl::new(Value(0.0)).permille(), [325, 350, 325]);
    }
}
