//! The lines between us and a program: how they are written, read, and logged for people.

use std::fs::File;
use std::io::{self, BufRead, Read, Write};
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::table::now;

/// Longer lines are cut: no protocol here has lines of this size.
const LONGEST_LINE: u64 = 64 << 10;

/// Reads lines until the end, or until `heard` returns false.
pub(crate) fn read_lines(mut input: impl BufRead, mut heard: impl FnMut(String) -> bool) {
    let mut line = Vec::new();
    let mut cut = false;
    loop {
        line.clear();
        match input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let whole = line.last() == Some(&b'\n');
        // Only the beginning of a line that is too long is passed on.
        if !std::mem::replace(&mut cut, !whole) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            if !heard(text) {
                return;
            }
        }
    }
}

/// The standard input of a program, with a thread that writes it. A full pipe holds up that thread and nothing else.
///
/// When the program ends, its pipe breaks and the thread ends. If an escaped process holds the pipe open, the thread stays.
pub(crate) struct Input {
    lines: Sender<String>,
    written: Receiver<io::Result<()>>,
}

impl Input {
    pub(crate) fn new(mut pipe: impl Write + Send + 'static) -> Input {
        let (lines, to_write) = channel::<String>();
        let (done, written) = channel();
        std::thread::spawn(move || {
            for line in to_write {
                if done.send(pipe.write_all(line.as_bytes()).and_then(|()| pipe.flush())).is_err() {
                    return;
                }
            }
        });
        Input { lines, written }
    }

    /// Writes a line and waits until it is written; `None` if that takes too long, and then nothing more may be written.
    pub(crate) fn write(&self, line: &str, within: Duration) -> Option<io::Result<()>> {
        let gone = || io::Error::from(io::ErrorKind::BrokenPipe);
        if self.lines.send(format!("{line}\n")).is_err() {
            return Some(Err(gone()));
        }
        match self.written.recv_timeout(within) {
            Ok(written) => Some(written),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Err(gone())),
        }
    }
}

/// The source of a line.
#[derive(Clone, Copy)]
pub(crate) enum Voice {
    /// We, to the program.
    Us,
    /// The program, on standard output.
    Program,
    /// The program, on standard error.
    Error,
}

/// A file that gets every line of one program in one game; without a file, nothing. `MS > LINE` is ours, `MS < LINE` the program's
/// and `MS ! LINE` its standard error, in milliseconds since it was started.
///
/// A line is one write, so that it survives a kill of our process. A log that cannot be written does not end a game, and a full
/// one stays as it is.
pub(crate) struct Log(Option<Page>);

struct Page {
    begin: Instant,
    /// The file and its size. A lock, because three threads write and times must not go back.
    file: Mutex<(File, usize)>,
}

/// The most bytes of log a game may write, so that no program fills the disk.
const LARGEST_LOG: usize = 64 << 20;

impl Log {
    pub(crate) fn create(path: Option<&Path>) -> Log {
        let page = |file: File| Page { begin: now(), file: Mutex::new((file, 0)) };
        // A program may have put a pipe there, which would block us, or a link to another file.
        let anew = |path: &Path| {
            let _ = std::fs::remove_file(path);
            File::create_new(path).ok()
        };
        Log(path.and_then(anew).map(page))
    }

    pub(crate) fn line(&self, voice: Voice, line: &str) {
        let Some(Page { begin, file }) = &self.0 else { return };
        let sign = match voice {
            Voice::Us => '>',
            Voice::Program => '<',
            Voice::Error => '!',
        };
        let mut guard = file.lock().unwrap_or_else(PoisonError::into_inner);
        let (file, bytes) = &mut *guard;
        let text = format!("{:>7} {sign} {line}\n", begin.elapsed().as_millis());
        *bytes += text.len();
        if *bytes < LARGEST_LOG {
            let _ = file.write_all(text.as_bytes());
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A file at the path of a log is replaced, and neither opened nor followed.
    #[test]
    fn a_log_is_a_file_of_its_own() {
        let folder = std::env::temp_dir().join(format!("anglerfish-log-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let (log, other) = (folder.join("log"), folder.join("other"));
        let said = || {
            Log::create(Some(&log)).line(Voice::Us, "name");
            std::fs::read_to_string(&log).expect("a log")
        };
        let made = std::process::Command::new("mkfifo").arg(&log).status().expect("every Unix has it");
        assert!(made.success() && said().ends_with("> name\n"));
        std::fs::write(&other, "other").expect("a file");
        std::fs::remove_file(&log).expect("removed");
        std::os::unix::fs::symlink(&other, &log).expect("a link");
        assert!(said().ends_with("> name\n"));
        assert_eq!(std::fs::read_to_string(&other).expect("a file"), "other");
        assert_eq!(said().lines().count(), 1, "anew each time");
        std::fs::remove_dir_all(folder).expect("cleaned up");
    }
}
