//! How long things take: on the wall, and on all threads together.

use std::time::Instant;

use cpu_time::ProcessTime;

/// A moment to measure from.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    wall: Instant,
    cpu: ProcessTime,
}

impl Start {
    /// Now.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the time")]
    pub fn now() -> Start {
        Start { wall: Instant::now(), cpu: ProcessTime::now() }
    }

    /// Seconds that have passed.
    pub fn wall(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// Seconds that all threads have worked.
    pub fn cpu(&self) -> f64 {
        self.cpu.elapsed().as_secs_f64()
    }
}
