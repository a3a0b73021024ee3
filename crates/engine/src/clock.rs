//! Time as an argument: the engine never asks the system.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Tells how long something has been running.
pub trait Clock: Send + Sync {
    /// The time since some fixed moment; it never goes back.
    fn now(&self) -> Duration;
}

/// A clock that is set by hand: for tests, and for searches that only count nodes.
#[derive(Debug, Default)]
pub struct ManualClock(AtomicU64);

impl ManualClock {
    /// Moves the hand forward.
    pub fn advance(&self, by: Duration) {
        self.0.fetch_add(by.as_nanos() as u64, Ordering::Relaxed);
    }
}

impl Clock for ManualClock {
    fn now(&self) -> Duration {
        Duration::from_nanos(self.0.load(Ordering::Relaxed))
    }
}
