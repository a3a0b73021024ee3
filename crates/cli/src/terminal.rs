//! Words for people on standard error. Nothing here fails: a full disk behind `2>log`, or a reader that has gone, ends no run.

use std::io::{IsTerminal, Write};

/// Says a line on standard error, if it can be said.
macro_rules! note {
    ($($words:tt)*) => { $crate::terminal::line(&format!($($words)*)) };
}
pub(crate) use note;

/// Says a line; [`note!`] is the usual way.
pub(crate) fn line(line: &str) {
    let _ = writeln!(std::io::stderr(), "{line}");
}

/// Writes over the line of progress that stands on the terminal.
pub(crate) fn overwrite(line: &str) {
    let _ = write!(std::io::stderr(), "\r\x1b[K{line}");
}

/// Whether standard error is a terminal, where lines can be written over.
pub(crate) fn is_terminal() -> bool {
    std::io::stderr().is_terminal()
}
