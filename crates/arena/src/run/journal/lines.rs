//! The lines of a journal: how they are written, and which lines of a file are whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, Read};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Disk, JournalError, difference};
use crate::run::result_store::UnitResult;
use crate::run::unit::Name;

/// The first line of every journal begins with this; the checksum of the run's text follows.
pub(super) const MAGIC: &str = "anglerfish-journal 3";

/// The earlier format, whose lines do not name the line before them. It is read, and continued in its own format.
const UNCHAINED: &str = "anglerfish-journal 2";

/// The first line of version 0.3, whose journals do not say which engine has played.
const OLD_MAGIC: &str = "anglerfish-journal 1 ";

/// Digits of a checksum.
const SUM: usize = 16;

/// The most bytes of a line: more than any unit has, and less than any machine's memory.
pub(super) const LONGEST: u64 = 64 << 20;

/// The unit whose result is the text of the run.
pub(super) const RUN: &str = "run";

/// Reads a journal line by line, so that its size does not matter.
pub(super) struct Scan<'a> {
    pub(super) path: &'a Path,
    pub(super) run: &'a str,
    pub(super) done: BTreeMap<Name, (u64, u32)>,
    pub(super) failed_units: BTreeSet<Name>,
    /// The number of bytes of whole lines.
    pub(super) whole: u64,
    /// The checksum of the last whole line; `None` if lines are not chained.
    pub(super) last: Option<String>,
}

/// The result of a scan.
pub(super) struct Found {
    pub(super) done: BTreeMap<Name, (u64, u32)>,
    pub(super) failed_units: BTreeSet<Name>,
    pub(super) whole: u64,
    pub(super) last: Option<String>,
    /// Whether a torn end follows.
    pub(super) torn: bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(path: &'a Path, run: &'a str) -> Scan<'a> {
        Scan { path, run, done: BTreeMap::new(), failed_units: BTreeSet::new(), whole: 0, last: None }
    }
}

impl Scan<'_> {
    pub(super) fn read(mut self, file: &mut dyn Disk) -> Result<Found, JournalError> {
        let path = self.path;
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        let mut lines = file.lines().map_err(io)?;
        let mut bytes = head(&mut lines).map_err(io)?;
        let Some((sum, chained)) = head_sum(&bytes) else {
            lines.take(HEAD).read_to_end(&mut bytes).map_err(io)?;
            let unborn = is_unborn(&bytes);
            return if unborn { Ok(self.found(!bytes.is_empty())) } else { Err(other_magic(path, &bytes)) };
        };
        let same = sum == run_sum(self.run);
        self.last = chained.then(|| sum.to_owned());
        self.whole = bytes.len() as u64;
        for n in 2.. {
            if !next_line(&mut lines, &mut bytes).map_err(io)? {
                return Err(JournalError::Long { path: path.to_owned(), line: n });
            }
            if bytes.is_empty() {
                break;
            }
            match Line::read(&bytes) {
                Some(line) if line.prev != self.last || line.synced > self.whole => {
                    return Err(JournalError::Unchained { path: path.to_owned(), line: n });
                }
                Some(line) if same => {
                    self.last = line.prev.is_some().then_some(line.sum);
                    let name = Name::of(&line.unit);
                    self.done.insert(name, (self.whole, bytes.len() as u32));
                    // A later line belongs to a second try.
                    if line.failed.is_some() {
                        self.failed_units.insert(name);
                    } else {
                        self.failed_units.remove(&name);
                    }
                }
                Some(Line { unit, result: Some(there), .. }) if unit == RUN => {
                    if there.contains("\"signature.") && !self.run.contains("\"signature.") {
                        return Err(JournalError::Renamed(path.to_owned()));
                    }
                    let differences = difference::text(&there, self.run);
                    return Err(JournalError::Differs { path: path.to_owned(), differences });
                }
                None if is_torn(&bytes) && !self.goes_on(n, &mut *lines)? => {
                    return self.same_run(same).map(|scan| scan.found(true));
                }
                Some(_) | None => return Err(JournalError::Damaged { path: path.to_owned(), line: n }),
            }
            self.whole += bytes.len() as u64;
        }
        self.same_run(same).map(|scan| scan.found(false))
    }

    /// A journal without its second line can only be recognized by its checksum.
    fn same_run(self, same: bool) -> Result<Self, JournalError> {
        if same {
            return Ok(self);
        }
        let differences = "settings that it had no time to write down".to_owned();
        Err(JournalError::Differs { path: self.path.to_owned(), differences })
    }

    fn found(self, torn: bool) -> Found {
        let Scan { done, failed_units, whole, last, .. } = self;
        Found { done, failed_units, whole, last, torn }
    }

    /// Whether a line after line `n` was written after the bytes from `whole` on were synced.
    fn goes_on(&self, n: usize, lines: &mut dyn BufRead) -> Result<bool, JournalError> {
        let path = || self.path.to_owned();
        let mut bytes = Vec::new();
        for line in n + 1.. {
            let fits = next_line(lines, &mut bytes);
            if !fits.map_err(|error| JournalError::Io { path: path(), error })? {
                return Err(JournalError::Long { path: path(), line });
            }
            if bytes.is_empty() {
                break;
            }
            if Line::read(&bytes).is_some_and(|line| line.synced > self.whole) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Reads the next line with its line end, which the last line may lack; nothing at the end of the file. Returns whether the length
/// is one that lines have: of a longer line, or of a hole in the file, no more than that is read.
fn next_line(lines: &mut dyn BufRead, bytes: &mut Vec<u8>) -> io::Result<bool> {
    bytes.clear();
    lines.take(LONGEST + 1).read_until(b'\n', bytes)?;
    Ok(bytes.len() as u64 <= LONGEST)
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) unit: String,
    /// Its result; or else `failed` is set.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<String>,
    /// The checksum of the line before it, which its own checksum covers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) prev: Option<String>,
    pub(super) sum: String,
    /// How much of the file was synced when this was written.
    pub(super) synced: u64,
}

impl Line {
    /// Reads a line that is whole and unchanged.
    pub(super) fn read(bytes: &[u8]) -> Option<Line> {
        serde_json::from_slice(bytes.strip_suffix(b"\n")?).ok().filter(Line::holds)
    }

    pub(super) fn holds(&self) -> bool {
        self.result.is_some() != self.failed.is_some() && self.sum == self.right_sum()
    }

    /// FNV-1a over all other fields: it detects torn and edited lines, and by `prev` removed or swapped ones.
    pub(super) fn right_sum(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        let own = [&self.unit, &text(&self.result), &text(&self.failed), &self.synced.to_string()];
        sum(self.prev.iter().chain(own))
    }

    pub(super) fn into_parts(self) -> (String, UnitResult) {
        let done = self.result.map(UnitResult::Result);
        (self.unit, done.unwrap_or_else(|| UnitResult::Failed(self.failed.unwrap_or_default())))
    }
}

/// Whether a kill or a power failure may have left a line like this.
fn is_torn(line: &[u8]) -> bool {
    line.last() != Some(&b'\n') || line.contains(&0)
}

/// Bytes of a header: a name that all versions have, a space, a checksum and the end of the line.
const HEAD: u64 = (MAGIC.len() + 1 + SUM + 1) as u64;

/// The first line, as far as a header goes.
fn head(lines: &mut dyn BufRead) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    lines.take(HEAD).read_until(b'\n', &mut bytes)?;
    Ok(bytes)
}

/// Whether there is less than a header: nothing, or a part of one after a kill or a power failure.
fn is_unborn(bytes: &[u8]) -> bool {
    let end = bytes.iter().rposition(|b| *b != 0).map_or(0, |last| last + 1);
    bytes.len() as u64 <= HEAD
        && [MAGIC, UNCHAINED].iter().any(|magic| {
            let head = format!("{magic} ");
            let (magic, digits) = bytes[..end].split_at(end.min(head.len()));
            head.as_bytes().starts_with(magic)
                && digits.len() <= SUM
                && digits.iter().all(u8::is_ascii_hexdigit)
        })
}

/// The error for a file that is not a journal.
pub(super) fn other_magic(path: &Path, head: &[u8]) -> JournalError {
    let path = path.to_owned();
    if head.starts_with(OLD_MAGIC.as_bytes()) { JournalError::Old(path) } else { JournalError::Magic(path) }
}

/// The checksum of the run's text in a whole header, and whether the lines behind it are chained.
fn head_sum(head: &[u8]) -> Option<(&str, bool)> {
    let head = std::str::from_utf8(head).ok()?;
    let chained = head.starts_with(MAGIC);
    let rest = head.strip_prefix(if chained { MAGIC } else { UNCHAINED })?;
    let digits = rest.strip_prefix(' ')?.strip_suffix('\n')?;
    let whole = digits.len() == SUM && digits.bytes().all(|b| b.is_ascii_hexdigit());
    whole.then_some((digits, chained))
}

/// The text of the run in a journal, if it has one; or the first bytes of a file that is not a journal.
pub(super) fn run_text(lines: &mut dyn BufRead) -> io::Result<Result<Option<String>, Vec<u8>>> {
    let mut bytes = head(lines)?;
    if ![MAGIC, UNCHAINED].iter().any(|magic| bytes.starts_with(magic.as_bytes())) {
        return Ok(Err(bytes));
    }
    next_line(lines, &mut bytes)?;
    let line = serde_json::from_slice(bytes.strip_suffix(b"\n").unwrap_or(&bytes)).ok().filter(Line::holds);
    Ok(Ok(line.filter(|line| line.unit == RUN).and_then(|line| line.result)))
}

pub(super) fn run_sum(run: &str) -> String {
    sum([RUN, run])
}

/// FNV-1a in 64 bits over texts, each with a zero byte after it.
fn sum(texts: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let hash = texts.into_iter().fold(0xCBF2_9CE4_8422_2325u64, |hash, text| {
        let bytes = text.as_ref().bytes().chain([0]);
        bytes.fold(hash, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3))
    });
    format!("{hash:0SUM$x}")
}
