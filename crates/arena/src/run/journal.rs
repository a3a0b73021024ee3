//! The finished units of a run on disk: a unit that was reported as done stays done.
//!
//! A journal is a file of lines: a header, then the text of the run and every finished unit, each with its result and a
//! checksum. Units that are finished at the same time are one group: one write, one sync, and only then are they done.
//! Before that, three things may happen to a group, and opening handles each:
//!
//! * **The process is killed.** The end of the write is missing: a torn end, which is dropped. The lines before it are
//!   synced when the journal is opened, and are done then.
//! * **A write or a sync fails.** The group is cut off again, its units are not done, and the journal takes nothing more.
//!   There is no second try: after a failed sync the content of the disk is unknown. If cutting fails too, a torn end stays.
//! * **The power fails.** Any blocks of the group may be missing and others there. What is missing is cut off or reads as
//!   zeros, which text has none of. Every line says how much of the file was synced before it was written, so a line that
//!   has no end or zeros in it is dropped with all that follows, unless one that follows was written after it was synced.
//!
//! Everything else is damage: a line that was edited, or a hole in what was synced. It is an error, and nothing is repaired.
//! Every line names the checksum of the line before it, and its own checksum covers that. So lines that were removed, added
//! or swapped are damage, too. Only the last lines can be removed unseen: that is what a kill before them leaves, and their
//! units are played again. Journals of format 2 have no such chain; they are continued as they were begun.
//!
//! A block with the remains of another file, which some file systems can be set to allow, counts as damage too: none of our
//! data is lost by it, but the journal cannot tell.

mod difference;
mod lines;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use self::lines::{Found, LONGEST, Line, MAGIC, RUN, Scan, other_magic, run_sum, run_text};
use super::result_store::{LedgerError, ResultStore, UnitResult};
use super::unit::Name;

/// Why a journal cannot be used.
#[derive(Debug, Error)]
pub enum JournalError {
    /// An error of the disk.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The error of the system.
        error: io::Error,
    },
    /// Another process is writing it.
    #[error("{0}: in use by another process")]
    Locked(PathBuf),
    /// Not a journal, or one of an unknown version.
    #[error("{0}: expected a journal that begins with \"{MAGIC}\"")]
    Magic(PathBuf),
    /// A line that was whole has changed. Nothing is repaired.
    #[error("{path}, line {line}: damaged")]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A whole line that was not written after the lines before it.
    #[error("{path}, line {line}: does not follow the line before it: lines were removed, added or swapped")]
    Unchained {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// A line that no journal has.
    #[error("{path}, line {line}: longer than {} MiB, which no line of a journal is", LONGEST >> 20)]
    Long {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
    },
    /// The file was removed or replaced, so no later run would find what is written.
    #[error("{0}: was removed or replaced during the run, so its results are lost")]
    Gone(PathBuf),
    /// It belongs to another run.
    #[error(
        "{path} belongs to a run with other settings: {differences}. To continue that run, repeat its settings; to begin a new one, choose \
         another folder with --out"
    )]
    Differs {
        /// The file.
        path: PathBuf,
        /// The settings that differ, with both values.
        differences: String,
    },
    /// It was begun before the numbers of an engine got their present names.
    #[error(
        "{0}: begun by version 0.3, which names the numbers of its engine otherwise (signature.*, margins.*), so this version cannot tell \
         whether it would play the same; finish it with the program that began it (provenance.json names its commit), or choose another folder with --out"
    )]
    Renamed(PathBuf),
    /// It was made by version 0.3.0 or before.
    #[error(
        "{0}: made by version 0.3, which did not say which engine played, so it cannot be resumed; choose another folder with --out"
    )]
    Old(PathBuf),
}

/// The finished units of one run, on disk.
pub struct Journal {
    path: PathBuf,
    file: Box<dyn Disk>,
    /// How much of the file is synced: a whole number of lines.
    synced: u64,
    /// The checksum of the last line, which the next one names; none in a journal whose lines are not chained.
    last: Option<String>,
    /// Whether a write or a sync has failed, after which nothing more is written.
    failed: bool,
    /// Start and length of the line of each unit: the results themselves stay on the disk.
    done: BTreeMap<Name, (u64, u32)>,
    /// The units among them that have failed.
    failed_units: BTreeSet<Name>,
}

impl Journal {
    /// Opens or creates a journal of the run that `run` names, and locks it for this process.
    ///
    /// # Errors
    /// When it is in use, is not a journal, belongs to another run, or is damaged.
    pub fn open(path: &Path, run: &str) -> Result<Journal, JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        expect_file(path).map_err(io)?;
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path).map_err(io)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Locked(path.to_owned())),
            Err(TryLockError::Error(error)) => return Err(io(error)),
        }
        if file.metadata().map_err(io)?.len() == 0 {
            sync_folders(path).map_err(io)?;
        }
        Journal::begin(path, Box::new(file), run)
    }

    /// Resumes from the content of the file.
    fn begin(path: &Path, mut file: Box<dyn Disk>, run: &str) -> Result<Journal, JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        // Step 1. Read the file. It may be in the memory of the system only, so it is synced before it counts.
        let found = Scan::new(path, run).read(&mut *file)?;
        let cut = if found.torn { file.cut(found.whole) } else { Ok(()) };
        cut.and_then(|()| file.sync()).map_err(io)?;
        let Found { whole: synced, last, done, failed_units, .. } = found;
        let path = path.to_owned();
        let mut journal = Journal { path, file, synced, last, failed: false, done, failed_units };
        // Step 2. Write the header and the run if they are missing. The header is a write of its own, so that a kill can leave
        // only a part of it.
        if journal.synced == 0 {
            let sum = run_sum(run);
            journal.write(format!("{MAGIC} {sum}\n").as_bytes(), Some(sum))?;
        }
        if journal.done.remove(&Name::of(RUN)).is_none() {
            let mut last = journal.last.clone();
            let line = journal.line(RUN, &UnitResult::Result(run.to_owned()), &mut last)?;
            journal.write(line.as_bytes(), last)?;
        }
        Ok(journal)
    }

    /// The text of the run in a journal, if it has one.
    ///
    /// # Errors
    /// When it cannot be read, or is not a journal.
    pub fn run_of(path: &Path) -> Result<Option<String>, JournalError> {
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        expect_file(path).map_err(io)?;
        let mut file = BufReader::new(File::open(path).map_err(io)?);
        run_text(&mut file).map_err(io)?.map_err(|head| other_magic(path, &head))
    }

    /// How the run `here` differs from the run `there`, in words; `None` if they are one run.
    pub fn differences(there: &str, here: &str) -> Option<String> {
        difference::found(there, here)
    }

    /// The number of units that are done.
    pub fn len(&self) -> usize {
        self.done.len()
    }

    /// Whether no unit is done.
    pub fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    /// Every unit that is done with its result, in the order in which they were written.
    pub fn entries(&mut self) -> impl Iterator<Item = Result<(String, UnitResult), JournalError>> + '_ {
        let mut places: Vec<(u64, u32)> = self.done.values().copied().collect();
        places.sort_unstable();
        places.into_iter().map(|place| self.line_at(place).map(Line::into_parts))
    }

    fn find(&mut self, unit: &Name) -> Result<Option<Line>, JournalError> {
        self.done.get(unit).copied().map(|place| self.line_at(place)).transpose()
    }

    fn line_at(&mut self, (at, len): (u64, u32)) -> Result<Line, JournalError> {
        let bytes = self.file.read_at(at, len as usize).map_err(|error| self.io(error))?;
        // It was whole when it was written or read before.
        Line::read(&bytes).ok_or_else(|| self.io(io::Error::from(ErrorKind::InvalidData)))
    }

    /// Writes and syncs finished units with their results. A unit that is there already stays as it was, unless it has failed.
    ///
    /// # Errors
    /// When this write fails, or an earlier one did: then none of the units is done.
    pub fn commit(&mut self, group: Vec<(String, UnitResult)>) -> Result<(), JournalError> {
        let (mut text, mut new, mut failed) = (String::new(), BTreeMap::new(), BTreeSet::new());
        let mut last = self.last.clone();
        for (unit, done) in group {
            let name = Name::of(&unit);
            let is_result = matches!(done, UnitResult::Result(_));
            let there = self.done.contains_key(&name) && !(is_result && self.failed_units.contains(&name));
            if there || new.contains_key(&name) {
                continue;
            }
            if !is_result {
                failed.insert(name);
            }
            let line = self.line(&unit, &done, &mut last)?;
            new.insert(name, (self.synced + text.len() as u64, line.len() as u32));
            text += &line;
        }
        if !text.is_empty() {
            self.write(text.as_bytes(), last)?;
            self.failed_units.retain(|name| !new.contains_key(name));
            self.failed_units.append(&mut failed);
            self.done.append(&mut new);
        }
        Ok(())
    }

    /// The line of a unit that follows the line with the checksum `last`. In a chained journal `last` becomes its own checksum.
    fn line(&self, unit: &str, done: &UnitResult, last: &mut Option<String>) -> Result<String, JournalError> {
        let (result, failed) = match done {
            UnitResult::Result(text) => (Some(text.clone()), None),
            UnitResult::Failed(text) => (None, Some(text.clone())),
        };
        let (unit, prev, synced) = (unit.to_owned(), last.clone(), self.synced);
        let mut line = Line { unit, result, failed, prev, sum: String::new(), synced };
        line.sum = line.right_sum();
        let text =
            serde_json::to_string(&line).unwrap_or_else(|e| unreachable!("strings are JSON: {e}")) + "\n";
        if text.len() as u64 > LONGEST {
            let why = format!("a unit with its result takes {} MiB at most", LONGEST >> 20);
            return Err(self.io(io::Error::new(ErrorKind::FileTooLarge, why)));
        }
        *last = line.prev.map(|_| line.sum);
        Ok(text)
    }

    /// The only function that writes: the lines are synced when it returns, and after an error nothing more is written. The last
    /// line has the checksum `last`, if lines are chained.
    fn write(&mut self, bytes: &[u8], last: Option<String>) -> Result<(), JournalError> {
        if self.failed {
            return Err(
                self.io(io::Error::other("takes nothing more, because it could not be written before"))
            );
        }
        if let Err(error) = self.file.append(bytes).and_then(|()| self.file.sync()) {
            self.failed = true;
            // If this fails too, the next opening drops the torn end, and syncs the whole lines again.
            let _ = self.file.cut(self.synced);
            return Err(self.io(error));
        }
        self.synced += bytes.len() as u64;
        self.last = last;
        self.stands()
    }

    /// An error if the path no longer leads to our file: no later run would see what we write.
    fn stands(&mut self) -> Result<(), JournalError> {
        if self.file.is_at(&self.path).map_err(|error| self.io(error))? {
            return Ok(());
        }
        self.failed = true;
        Err(JournalError::Gone(self.path.clone()))
    }

    fn io(&self, error: io::Error) -> JournalError {
        JournalError::Io { path: self.path.clone(), error }
    }
}

impl ResultStore for Journal {
    fn has(&mut self, unit: &Name) -> Result<bool, LedgerError> {
        Ok(self.done.contains_key(unit) && !self.failed_units.contains(unit))
    }

    fn get(&mut self, unit: &Name) -> Result<Option<UnitResult>, LedgerError> {
        let line = self.find(unit).map_err(LedgerError::new)?;
        Ok(line.map(|line| line.into_parts().1))
    }

    fn put_if_absent(&mut self, group: Vec<(String, UnitResult)>) -> Result<(), LedgerError> {
        self.commit(group).map_err(LedgerError::new)
    }

    fn check(&mut self) -> Result<(), LedgerError> {
        self.stands().map_err(LedgerError::new)
    }
}

/// The file of a journal. Tests have one that fails.
trait Disk: Send {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;
    fn sync(&mut self) -> io::Result<()>;
    /// Drops everything from `len` on.
    fn cut(&mut self, len: u64) -> io::Result<()>;
    fn read_at(&mut self, at: u64, len: usize) -> io::Result<Vec<u8>>;
    /// Reads the file from its beginning.
    fn lines(&mut self) -> io::Result<Box<dyn BufRead + '_>>;
    /// Whether this path leads to it.
    fn is_at(&self, path: &Path) -> io::Result<bool>;
}

impl Disk for File {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.seek(SeekFrom::End(0))?;
        self.write_all(bytes)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.sync_data()
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        self.set_len(len)
    }

    fn read_at(&mut self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        self.seek(SeekFrom::Start(at))?;
        let mut bytes = vec![0; len];
        self.read_exact(&mut bytes)?;
        Ok(bytes)
    }

    fn lines(&mut self) -> io::Result<Box<dyn BufRead + '_>> {
        self.seek(SeekFrom::Start(0))?;
        Ok(Box::new(BufReader::with_capacity(1 << 20, self)))
    }

    fn is_at(&self, path: &Path) -> io::Result<bool> {
        match path.metadata() {
            Ok(there) => Ok(is_same(&there, &self.metadata()?)),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(false),
            Err(error) => Err(error),
        }
    }
}

/// An error if the path leads to something other than a file: opening a pipe would wait for a writer.
fn expect_file(path: &Path) -> io::Result<()> {
    match path.metadata() {
        Ok(there) if !there.is_file() => Err(io::Error::new(ErrorKind::InvalidInput, "expected a file")),
        _ => Ok(()),
    }
}

/// Whether two paths lead to one file, as far as the system tells.
#[cfg(unix)]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    (one.dev(), one.ino()) == (other.dev(), other.ino())
}

#[cfg(not(unix))]
fn is_same(one: &Metadata, other: &Metadata) -> bool {
    one.is_file() == other.is_file()
}

/// Syncs the entry of a new file in its folder, and the folders' in theirs, because they may be new as well. Outside
/// Unix, and on some file systems, a folder cannot be synced, and a user may lack the right to read one; neither is an error. Any
/// other failure of the folder that we write in is one; the folders above it most likely existed before.
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
