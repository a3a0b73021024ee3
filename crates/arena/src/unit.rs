//! How everything here resumes: a unit is a pure function of its text, and finished ones are appended to a journal.
//!
//! The journal is a file of lines, each a unit, its result and a checksum, written in one piece when the unit is done. A
//! process that is killed loses only the units it was in the middle of; a line that was cut is dropped when the journal
//! is opened again. Because a unit depends on nothing but its text, the whole run is the same however often it was
//! interrupted.

use std::collections::{BTreeMap, VecDeque};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom, Write};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The first line of every journal.
const MAGIC: &str = "anglerfish-journal 1";

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The disk.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: std::io::Error,
    },
    /// Somebody else is writing it.
    #[error("{0}: in use by another process")]
    Locked(PathBuf),
    /// Not a journal, or of a version we do not know.
    #[error("{0}: expected a journal that begins with \"{MAGIC}\"")]
    Magic(PathBuf),
    /// A line in the middle is damaged: not a torn end, so nothing is repaired.
    #[error("{path}, line {line}: damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// It was made by another run.
    #[error(
        "{path} holds another run ({found}); give a new file, or the settings it was made with ({wanted} are these)"
    )]
    Other {
        /// The file.
        path: PathBuf,
        /// What it was made for.
        found: String,
        /// What is asked for now.
        wanted: String,
    },
}

#[derive(Deserialize, Serialize)]
struct Line {
    unit: String,
    result: String,
    sum: String,
}

/// FNV-1a over the unit, a zero byte and the result: catches torn and edited lines.
fn sum(unit: &str, result: &str) -> String {
    let bytes = unit.bytes().chain([0]).chain(result.bytes());
    let hash =
        bytes.fold(0xCBF2_9CE4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3));
    format!("{hash:016x}")
}

/// The finished units of one run, on disk.
pub struct Journal {
    path: PathBuf,
    file: File,
    done: BTreeMap<String, String>,
}

impl Journal {
    /// Opens or creates a journal of the run that `run` names, and takes it for this process alone.
    ///
    /// # Errors
    /// When it is in use, is not a journal, belongs to another run, or is damaged other than at its end.
    pub fn open(path: &Path, run: &str) -> Result<Journal, JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        let mut options = OpenOptions::new();
        let mut file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(io)?;
        let head = format!("{MAGIC} {}\n", sum("run", run));
        let mut done = BTreeMap::new();
        let mut whole = 0;
        if !bytes.contains(&b'\n') {
            // New, or killed while writing the first line.
            file.set_len(0).map_err(io)?;
            file.seek(SeekFrom::Start(0)).map_err(io)?;
            file.write_all(head.as_bytes()).map_err(io)?;
            return Ok(Journal { path: path.to_owned(), file, done });
        }
        for (n, line) in bytes.split_inclusive(|b| *b == b'\n').enumerate() {
            if n == 0 {
                if !line.starts_with(MAGIC.as_bytes()) {
                    return Err(JournalError::Magic(path.to_owned()));
                }
                if line != head.as_bytes() {
                    let name = |line: &[u8]| String::from_utf8_lossy(&line[MAGIC.len()..]).trim().to_owned();
                    let (found, wanted) = (name(line), name(head.as_bytes()));
                    return Err(JournalError::Other { path: path.to_owned(), found, wanted });
                }
            } else {
                let parsed = serde_json::from_slice::<Line>(line).ok();
                match parsed.filter(|l| l.sum == sum(&l.unit, &l.result)) {
                    Some(line) => {
                        done.insert(line.unit, line.result);
                    }
                    None if whole + line.len() == bytes.len() && line.last() != Some(&b'\n') => break,
                    None => return Err(JournalError::Damaged { path: path.to_owned(), line: n + 1 }),
                }
            }
            whole += line.len();
        }
        file.set_len(whole as u64).map_err(io)?;
        file.seek(SeekFrom::Start(whole as u64)).map_err(io)?;
        Ok(Journal { path: path.to_owned(), file, done })
    }

    /// The result of a unit that is done.
    pub fn result(&self, unit: &str) -> Option<&str> {
        self.done.get(unit).map(String::as_str)
    }

    /// How many units are done.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether none is.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Writes a finished unit. One that is there already stays as it was.
    ///
    /// # Errors
    /// When the disk does not take it.
    pub fn append(&mut self, unit: &str, result: &str) -> Result<(), JournalError> {
        if self.done.contains_key(unit) {
            return Ok(());
        }
        let line = Line { unit: unit.to_owned(), result: result.to_owned(), sum: sum(unit, result) };
        let mut text = serde_json::to_string(&line).unwrap_or_else(|e| unreachable!("strings are JSON: {e}"));
        text.push('\n');
        // One write a line: what a kill can tear is the end of the file, and opening drops a torn end.
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|error| JournalError::Io { path: self.path.clone(), error })?;
        self.done.insert(line.unit, line.result);
        Ok(())
    }
}

/// Runs units on `threads` threads; `finished` hears of each, in whatever order they end, and may stop the run.
///
/// Units under way when it stops are finished and heard of too, so that nothing that was played is thrown away.
pub fn run_units<R: Send, B>(
    units: Vec<String>,
    threads: usize,
    work: impl Fn(&str) -> R + Sync,
    mut finished: impl FnMut(String, R) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let queue = Mutex::new(VecDeque::from(units));
    let stop = AtomicBool::new(false);
    let (send, done) = channel();
    let mut flow = ControlFlow::Continue(());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let send = send.clone();
            scope.spawn(|| {
                let send = send;
                while !stop.load(Ordering::Relaxed) {
                    let Some(unit) = queue.lock().ok().and_then(|mut q| q.pop_front()) else { return };
                    let result = work(&unit);
                    if send.send((unit, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        for (unit, result) in done {
            let answer = finished(unit, result);
            if flow.is_continue() && answer.is_break() {
                flow = answer;
                stop.store(true, Ordering::Relaxed);
            }
        }
    });
    flow
}
