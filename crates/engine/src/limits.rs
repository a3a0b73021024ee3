//! When to stop thinking: limits of one search, and how a game clock becomes such limits.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::parameters;

/// When to stop. All fields are limits; the first one reached wins, and with none the search runs until it is stopped.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Limits {
    /// Positions visited, by all threads.
    pub nodes: Option<u64>,
    /// Plies looked ahead.
    pub depth: Option<u32>,
    /// No new iteration is begun that would probably not end within this time.
    pub soft: Option<Duration>,
    /// The search is broken off at this time.
    pub hard: Option<Duration>,
}

impl Limits {
    /// A limit of nodes.
    pub const fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), depth: None, soft: None, hard: None }
    }

    /// A limit of plies.
    pub const fn depth(depth: u32) -> Limits {
        Limits { nodes: None, depth: Some(depth), soft: None, hard: None }
    }

    /// A fixed time for one move: all of it is used.
    pub const fn time(time: Duration) -> Limits {
        Limits { nodes: None, depth: None, soft: None, hard: Some(time) }
    }

    /// Both limits at once: the tighter one of each kind.
    #[must_use]
    pub fn and(self, other: Limits) -> Limits {
        fn tighter<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
            a.into_iter().chain(b).min()
        }
        Limits {
            nodes: tighter(self.nodes, other.nodes),
            depth: tighter(self.depth, other.depth),
            soft: tighter(self.soft, other.soft),
            hard: tighter(self.hard, other.hard),
        }
    }

    /// A share of the time left on a game clock, when `moves` more moves are expected.
    ///
    /// `lag` is the time that an answer loses on its way; it is kept back for this move and for many more.
    pub fn share(left: Duration, increment: Duration, moves: u32, lag: Duration) -> Limits {
        let usable = left.saturating_sub(lag * parameters::SHARE_LAGS).max(left / 8);
        let fair = usable / moves.max(1) + increment * 3 / 4;
        // Never more than a part of the time left, however large the increment is.
        let most = (usable / parameters::SHARE_MOST).saturating_sub(lag);
        Limits {
            nodes: None,
            depth: None,
            soft: Some(fair.min(most)),
            hard: Some((fair * parameters::SHARE_HARD).min(most)),
        }
    }
}

/// A switch that ends a search from outside; shared by reference.
#[derive(Debug, Default)]
pub struct Stop(AtomicBool);

impl Stop {
    /// Ends the search soon.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Allows the next search.
    pub fn clear(&self) {
        self.0.store(false, Ordering::Relaxed);
    }

    /// Whether it was set.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A player that spends the hard limit of every move and loses `lag` on top never runs out of time, even in the longest game.
    #[test]
    fn the_hard_limit_never_flags() {
        let lag = Duration::from_millis(30);
        for start in [900.0, 60.0, 5.0, 2.0] {
            let mut left = Duration::from_secs_f64(start);
            for ply in 0..300u32 {
                let limits = Limits::share(left, Duration::ZERO, 42u32.saturating_sub(ply / 4).max(18), lag);
                let hard = limits.hard.expect("a hard limit");
                assert!(hard <= left, "{hard:?} of {left:?}");
                // A late answer is charged to us: the lag, but no lag once the clock is that short.
                left = left.saturating_sub(hard + lag.min(left / 50));
                assert!(left > Duration::ZERO, "flagged at move {ply} from {start} s");
            }
        }
    }

    /// Spending every soft share uses most of fifteen minutes within a game of usual length.
    #[test]
    fn the_clock_is_used() {
        let mut left = Duration::from_mins(15);
        for ply in 0..60u32 {
            left -= Limits::share(left, Duration::ZERO, 42 - ply / 4, Duration::from_millis(30))
                .soft
                .expect("soft");
        }
        assert!(left < Duration::from_mins(3), "{left:?} are left after 60 moves");
    }
}
