//! Long texts go through a pager, if they are longer than the terminal.

use std::io::{self, ErrorKind, IsTerminal, Write};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};

use anglerfish_report::columns;

/// Whether a pager has the terminal; Ctrl-C is for it then.
static RUNNING: AtomicBool = AtomicBool::new(false);

/// Whether a pager has the terminal.
#[cfg(unix)]
pub(crate) fn is_running() -> bool {
    RUNNING.load(Ordering::Relaxed)
}

/// Prints a text: through `$PAGER`, else `less -R`, if standard output is a terminal with fewer lines than the text.
/// An empty `$PAGER`, or one that does not start, prints it as it is.
pub(crate) fn show(text: &str) -> io::Result<()> {
    let size = terminal_size::terminal_size_of(io::stdout()).filter(|_| io::stdout().is_terminal());
    if let Some((width, height)) = size {
        let width = usize::from(width.0).max(1);
        let rows: usize = text.lines().map(|line| columns(line).div_ceil(width).max(1)).sum();
        // The prompt takes a line, too.
        if rows >= usize::from(height.0) && paged(text)? {
            return Ok(());
        }
    }
    io::stdout().lock().write_all(text.as_bytes())
}

/// Whether a pager has shown the text.
fn paged(text: &str) -> io::Result<bool> {
    let pager = std::env::var_os("PAGER").unwrap_or_else(|| "less -R".into());
    let pager = pager.to_string_lossy();
    let mut words = pager.split_whitespace();
    let Some(program) = words.next() else { return Ok(false) };
    let mut command = Command::new(program);
    command.args(words).stdin(Stdio::piped());
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "R");
    }
    if std::env::var_os("LESSCHARSET").is_none() {
        command.env("LESSCHARSET", "utf-8");
    }
    let Ok(mut child) = command.spawn() else { return Ok(false) };
    RUNNING.store(true, Ordering::Relaxed);
    let mut written = Ok(());
    if let Some(mut input) = child.stdin.take() {
        written = input.write_all(text.as_bytes());
    }
    let ended = child.wait();
    RUNNING.store(false, Ordering::Relaxed);
    // The reader may have seen enough.
    written.or_else(|e| if e.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(e) })?;
    ended.map(|_| true)
}
