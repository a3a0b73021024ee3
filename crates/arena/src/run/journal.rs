//! The finished units of a run on disk: what was once said to be done stays done.
//!
//! A journal is a file of lines: a header, then the text of the run and every finished unit, each with its result and a
//! checksum. Units that are finished at the same time are one group: one write, one sync, and only then are they done.
//! What may happen to a group before that, and what opening makes of it:
//!
//! * **The process is killed.** The end of the write is missing: a torn end, which is dropped. The lines before it are
//!   synced when the journal is opened, and are done then.
//! * **A write or a sync fails.** The group is cut off again, its units are not done, and the journal takes nothing more.
//!   There is no second try: after a failed sync nobody knows what the disk has. Where cutting fails too, a torn end stays.
//! * **The power fails.** Any blocks of the group may be missing and others there. What is missing is cut off or reads as
//!   zeros, which text has none of. Every line says how much of the file was synced before it was written, so a line that
//!   has no end or zeros in it is dropped with all that follows, unless one that follows was written after it was synced.
//!
//! Everything else is damage: a line that was edited, or a hole in what was synced. It is an error, and nothing is repaired.
//! So is a block with the remains of another file, which a file system can be told to allow: no data of ours is lost
//! by it, but nobody can tell.

mod difference;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use thiserror::Error;

/// The first line of every journal begins with this; the checksum of the run's text follows.
const MAGIC: &str = "anglerfish-journal 1";

/// Digits of a checksum.
const SUM: usize = 16;

/// The unit under which the text of the run is kept. To version 0.3, which does not know of it, it is a unit like any other.
const RUN: &str = "run";

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// The disk.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// What the system said.
        error: io::Error,
    },
    /// Somebody else is writing it.
    #[error("{0}: in use by another process")]
    Locked(PathBuf),
    /// Not a journal, or of a version we do not know.
    #[error("{0}: expected a journal that begins with \"{MAGIC}\"")]
    Magic(PathBuf),
    /// A line that was whole once is not what it was: nothing is repaired.
    #[error("{path}, line {line}: damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// It was made by another run, and says by which.
    #[error("{path} holds another run: {differences}; give a new file, or the settings it was made with")]
    Differs {
        /// The file.
        path: PathBuf,
        /// The settings that are not the same, with both values.
        differences: String,
    },
    /// It was made by another run of version 0.3, which only kept a checksum.
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

/// The finished units of one run, on disk.
pub struct Journal {
    path: PathBuf,
    file: Box<dyn Disk>,
    /// How much of the file is synced: a whole number of lines.
    synced: u64,
    /// Whether a write or a sync has failed, so that nothing more is taken.
    failed: bool,
    done: BTreeMap<String, String>,
}

impl Journal {
    /// Opens or creates a journal of the run that `run` names, and takes it for this process alone.
    ///
    /// # Errors
    /// When it is in use, is not a journal, belongs to another run, or is damaged.
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
        if bytes.is_empty() {
            sync_folders(path).map_err(io)?;
        }
        Journal::begin(path, Box::new(file), &bytes, run)
    }

    /// Goes on from the bytes that are in the file.
    fn begin(path: &Path, file: Box<dyn Disk>, bytes: &[u8], run: &str) -> Result<Journal, JournalError> {
        let mut journal =
            Journal { path: path.to_owned(), file, synced: 0, failed: false, done: BTreeMap::new() };
        // Step 1. What is there. It may be in the memory of the system only, so it is synced before anybody relies on it.
        let whole = if is_unborn(bytes) { 0 } else { journal.read(bytes, run)? };
        let cut = if whole < bytes.len() { journal.file.cut(whole as u64) } else { Ok(()) };
        cut.and_then(|()| journal.file.sync()).map_err(|error| journal.io(error))?;
        journal.synced = whole as u64;
        // Step 2. What has to be there. The header is a write of its own, so that less than a header is all that can be
        // left of it.
        if whole == 0 {
            journal.write(format!("{MAGIC} {}\n", sum(RUN, run)).as_bytes())?;
        }
        if journal.done.remove(RUN).is_none() {
            let line = journal.line(RUN, run);
            journal.write(line.as_bytes())?;
        }
        Ok(journal)
    }

    /// Reads the units, and says how many of the bytes are whole.
    fn read(&mut self, bytes: &[u8], run: &str) -> Result<usize, JournalError> {
        let mut lines = bytes.split_inclusive(|b| *b == b'\n');
        let head = lines.next().unwrap_or_default();
        let found = run_sum(head).ok_or_else(|| JournalError::Magic(self.path.clone()))?;
        if found != sum(RUN, run) {
            return Err(self.other(found, lines, run));
        }
        let mut whole = head.len();
        for n in 2.. {
            let Some(bytes) = lines.next() else { break };
            match Line::read(bytes) {
                Some(line) => drop(self.done.insert(line.unit, line.result)),
                None if is_torn(bytes) && !lines.filter_map(Line::read).any(|l| l.comes_after(whole)) => {
                    break;
                }
                None => return Err(JournalError::Damaged { path: self.path.clone(), line: n }),
            }
            whole += bytes.len();
        }
        Ok(whole)
    }

    /// Says how the run that is there differs from the one that is wanted.
    fn other<'a>(&self, found: &str, lines: impl Iterator<Item = &'a [u8]>, run: &str) -> JournalError {
        let path = self.path.clone();
        let mut lines = lines.filter_map(Line::read);
        match lines.find(|line| line.unit == RUN && line.sum == found) {
            Some(line) => JournalError::Differs { path, differences: difference::text(&line.result, run) },
            None => JournalError::Other { path, found: found.to_owned(), wanted: sum(RUN, run) },
        }
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

    /// Writes and syncs finished units with their results. One that is there already stays as it was.
    ///
    /// # Errors
    /// When the disk does not take them, or did not take others before: none of them is done then.
    pub fn commit(&mut self, mut group: Vec<(String, String)>) -> Result<(), JournalError> {
        group.retain(|(unit, _)| !self.done.contains_key(unit));
        if group.is_empty() {
            return Ok(());
        }
        let text: String = group.iter().map(|(unit, result)| self.line(unit, result)).collect();
        self.write(text.as_bytes())?;
        self.done.extend(group);
        Ok(())
    }

    fn line(&self, unit: &str, result: &str) -> String {
        let line = Line {
            unit: unit.to_owned(),
            result: result.to_owned(),
            sum: sum(unit, result),
            synced: Some(self.synced),
        };
        serde_json::to_string(&line).unwrap_or_else(|e| unreachable!("strings are JSON: {e}")) + "\n"
    }

    /// The only way into the file: whole lines that are synced when this returns, or the last that was ever tried.
    fn write(&mut self, bytes: &[u8]) -> Result<(), JournalError> {
        if self.failed {
            return Err(
                self.io(io::Error::other("takes nothing more, because it could not be written before"))
            );
        }
        if let Err(error) = self.file.append(bytes).and_then(|()| self.file.sync()) {
            self.failed = true;
            // If this fails too, the next to open it drops a torn end, and syncs again what is whole.
            let _ = self.file.cut(self.synced);
            return Err(self.io(error));
        }
        self.synced += bytes.len() as u64;
        Ok(())
    }

    fn io(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

/// What a journal asks of its file. Tests have one that fails.
trait Disk: Send {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
    /// Drops everything from `len` on.
    fn cut(&mut self, len: u64) -> io::Result<()>;
}

impl Disk for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)?;
        self.seek(SeekFrom::Start(len)).map(drop)
    }
}

/// Syncs the entry of a new file in its folder, and the folders' in theirs, because they may be new as well. Elsewhere than on
/// Unix a folder is not a file that could be synced; nor is it on some file systems, and not everybody may read all of them. The
/// folder that we write in must not fail otherwise; those above it were most likely there before.
fn sync_folders(path: &Path) -> io::Result<()> {
    if cfg!(unix) {
        for (above, folder) in path.canonicalize()?.ancestors().skip(1).enumerate() {
            match File::open(folder).and_then(|folder| folder.sync_all()).map_err(|e| (e.kind(), e)) {
                Err((kind, error))
                    if above == 0
                        && !matches!(kind, ErrorKind::PermissionDenied | ErrorKind::InvalidInput) =>
                {
                    return Err(error);
                }
                _ => {}
            }
        }
    }
    Ok(())
}

#[derive(Deserialize, Serialize)]
struct Line {
    unit: String,
    result: String,
    sum: String,
    /// How much of the file was synced when this was written. Version 0.3 does not say: it wrote one line after the other.
    #[serde(default)]
    synced: Option<u64>,
}

impl Line {
    /// A line that is whole and as it was written.
    fn read(bytes: &[u8]) -> Option<Line> {
        let line: Line = serde_json::from_slice(bytes.strip_suffix(b"\n")?).ok()?;
        (line.sum == sum(&line.unit, &line.result)).then_some(line)
    }

    /// Whether this was written after what begins at byte `at` was synced.
    fn comes_after(&self, at: usize) -> bool {
        self.synced.is_none_or(|synced| synced > at as u64)
    }
}

/// Whether a kill or a power failure may have left a line like this.
fn is_torn(line: &[u8]) -> bool {
    line.last() != Some(&b'\n') || line.contains(&0)
}

/// Whether there is less than a header: nothing, or what a kill or a power failure left of one.
fn is_unborn(bytes: &[u8]) -> bool {
    let end = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
    let head = format!("{MAGIC} ");
    let (magic, digits) = bytes[..end].split_at(end.min(head.len()));
    bytes.len() <= head.len() + SUM + 1
        && head.as_bytes().starts_with(magic)
        && digits.len() <= SUM
        && digits.iter().all(u8::is_ascii_hexdigit)
}

/// The checksum of the run's text in a whole header.
fn run_sum(head: &[u8]) -> Option<&str> {
    let digits =
        std::str::from_utf8(head).ok()?.strip_prefix(MAGIC)?.strip_prefix(' ')?.strip_suffix('\n')?;
    (digits.len() == SUM && digits.bytes().all(|b| b.is_ascii_hexdigit())).then_some(digits)
}

/// FNV-1a over the unit, a zero byte and the result: catches torn and edited lines.
fn sum(unit: &str, result: &str) -> String {
    let bytes = unit.bytes().chain([0]).chain(result.bytes());
    let hash =
        bytes.fold(0xCBF2_9CE4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3));
    format!("{hash:0SUM$x}")
}
