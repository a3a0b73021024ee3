//! Elapsed time: wall time, and the time of all threads together.

use std::time::Instant;

use cpu_time::ProcessTime;

/// The start of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    wall: Instant,
    cpu: ProcessTime,
}

impl Start {
    /// The current time.
    #[expect(clippy::disallowed_methods, reason = "the one place that reads the time")]
    pub fn now() -> Start {
        Start { wall: Instant::now(), cpu: ProcessTime::now() }
    }

    /// Wall seconds since the start.
    pub fn wall(&self) -> f64 {
        self.wall.elapsed().as_secs_f64()
    }

    /// CPU seconds of all threads since the start.
    pub fn cpu(&self) -> f64 {
        self.cpu.elapsed().as_secs_f64()
    }
}
