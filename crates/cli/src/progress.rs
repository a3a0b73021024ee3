//! Progress lines on standard error: in place on a terminal, now and then elsewhere.

use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use anglerfish_arena::now;
use anglerfish_report::fitted;

use crate::terminal::{is_terminal, note, overwrite};

/// A duration as people write it: `1:02:03`.
pub(crate) fn duration(seconds: f64) -> String {
    let seconds = seconds.round().clamp(0.0, 1e15) as u64;
    let (hours, minutes, seconds) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    if hours > 0 { format!("{hours}:{minutes:02}:{seconds:02}") } else { format!("{minutes}:{seconds:02}") }
}

/// Does work, and shows the elapsed time on a terminal.
pub(crate) fn clocked<T>(what: &str, work: impl FnOnce() -> T) -> T {
    if !is_terminal() {
        return work();
    }
    std::thread::scope(|threads| {
        let (working, done) = std::sync::mpsc::channel::<()>();
        threads.spawn(move || {
            let began = now();
            while done.recv_timeout(Duration::from_millis(250)) == Err(RecvTimeoutError::Timeout) {
                overwrite(&format!("{what} {:.1} s", began.elapsed().as_secs_f64()));
            }
            overwrite("");
        });
        let result = work();
        drop(working);
        result
    })
}

/// The pace of this session: results that a journal already had do not count.
pub(crate) struct Pace {
    began: Instant,
    first: Option<u64>,
}

impl Pace {
    pub(crate) fn new() -> Pace {
        Pace { began: now(), first: None }
    }

    /// `, 12.3 pairs per minute, about 1:02 left`; empty before there is a result.
    pub(crate) fn described(&mut self, done: u64, all: u64, what: &str) -> String {
        let first = *self.first.get_or_insert_with(|| {
            self.began = now();
            done
        });
        let (new, seconds) = (done.saturating_sub(first) as f64, self.began.elapsed().as_secs_f64());
        if new < 1.0 || seconds < 1.0 {
            return String::new();
        }
        let left = seconds / new * all.saturating_sub(done) as f64;
        format!(", {:.1} {what} per minute, about {} left", 60.0 * new / seconds, duration(left))
    }
}

/// Shows the state of long work.
pub(crate) struct Progress {
    terminal: bool,
    shown: Option<Instant>,
    last: String,
}

impl Progress {
    pub(crate) fn new() -> Progress {
        Progress { terminal: is_terminal(), shown: None, last: String::new() }
    }

    /// Sets the current state; it is shown unless another was shown just now.
    pub(crate) fn stands(&mut self, line: String) {
        self.last = line;
        let pause = Duration::from_millis(if self.terminal { 200 } else { 10_000 });
        if self.shown.is_none_or(|then| then.elapsed() >= pause) {
            self.show();
        }
    }

    /// Prints a line that stays, above the current state.
    pub(crate) fn says(&mut self, line: &str) {
        self.clear();
        note!("{line}");
    }

    fn show(&mut self) {
        if self.terminal {
            // A line that wraps could not be overwritten, so it is cut at the width of the terminal.
            let columns = terminal_size::terminal_size_of(std::io::stderr()).map(|(columns, _)| columns.0);
            let room = columns.filter(|columns| *columns > 1).map_or(79, |columns| usize::from(columns) - 1);
            overwrite(&fitted(&self.last, room));
        } else {
            note!("{}", self.last);
        }
        self.shown = Some(now());
    }

    /// Removes the last line: the next output says more.
    pub(crate) fn clear(&mut self) {
        if self.terminal && self.shown.is_some() {
            overwrite("");
        }
    }

    /// Keeps the last line.
    pub(crate) fn end(&mut self) {
        if self.terminal && self.shown.is_some() {
            self.show();
            note!("");
        }
    }
}
