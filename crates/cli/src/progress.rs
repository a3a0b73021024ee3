//! Lines of progress on standard error: in place on a terminal, now and then elsewhere.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use anglerfish_arena::now;

/// Seconds as people say them: `1:02:03`.
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.round().clamp(0.0, 1e15) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Shows where long work stands.
pub(crate) struct Progress {
    terminal: bool,
    shown: Option<Instant>,
    last: String,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress { terminal: std::io::stderr().is_terminal(), shown: None, last: String::new() }
    }

    /// The work now stands here; it is shown if nothing was for a while.
    pub(crate) fn stands(&mut self, line: String) {
        self.last = line;
        let pause = Duration::from_millis(if self.terminal { 200 } else { 10_000 });
        if self.shown.is_none_or(|then| then.elapsed() >= pause) {
            self.show();
        }
    }

    fn show(&mut self) {
        if self.terminal {
            eprint!("\r\x1b[K{}", self.last);
        } else {
            eprintln!("{}", self.last);
        }
        self.shown = Some(now());
    }

    /// The last line goes: whatever comes next says more.
    pub(crate) fn clear(&mut self) {
        if self.terminal && self.shown.is_some() {
            eprint!("\r\x1b[K");
        }
    }

    /// The last line stays.
    pub(crate) fn end(&mut self) {
        if self.terminal && self.shown.is_some() {
            self.show();
            eprintln!();
        }
    }
}
