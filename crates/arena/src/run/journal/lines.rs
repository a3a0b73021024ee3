//! The lines of a journal: how one is written, and which of those that are found are whole.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Disk, JournalError, difference};
use crate::run::ledger::Done;
use crate::run::unit::Name;

/// The first line of every journal begins with this; the checksum of the run's text follows.
pub(super) const MAGIC: &str = "anglerfish-journal 2";

/// Those of version 0.3 began so. They do not say which engine has played.
const OLD_MAGIC: &str = "anglerfish-journal 1 ";

/// Digits of a checksum.
const SUM: usize = 16;

/// The unit under which the text of the run is kept.
pub(super) const RUN: &str = "run";

/// Reads a journal line by line, so that its size does not matter.
pub(super) struct Scan<'a> {
    pub(super) path: &'a Path,
    pub(super) run: &'a str,
    pub(super) done: BTreeMap<Name, (u64, u32)>,
    pub(super) failed_units: BTreeSet<Name>,
    /// How many bytes are whole lines.
    pub(super) whole: u64,
}

/// What a scan has found.
pub(super) struct Found {
    pub(super) done: BTreeMap<Name, (u64, u32)>,
    pub(super) failed_units: BTreeSet<Name>,
    pub(super) whole: u64,
    /// Whether something follows that is not whole.
    pub(super) torn: bool,
}

impl<'a> Scan<'a> {
    pub(super) fn new(path: &'a Path, run: &'a str) -> Scan<'a> {
        Scan { path, run, done: BTreeMap::new(), failed_units: BTreeSet::new(), whole: 0 }
    }
}

impl Scan<'_> {
    pub(super) fn read(mut self, file: &mut dyn Disk) -> Result<Found, JournalError> {
        let path = self.path;
        let io = |error| JournalError::Io { path: path.to_owned(), error };
        let mut lines = file.lines().map_err(io)?;
        let mut bytes = Vec::new();
        lines.read_until(b'\n', &mut bytes).map_err(io)?;
        let Some(sum) = head_sum(&bytes) else {
            lines.read_to_end(&mut bytes).map_err(io)?;
            let unborn = is_unborn(&bytes);
            return if unborn { Ok(self.found(!bytes.is_empty())) } else { Err(other_magic(path, &bytes)) };
        };
        let same = sum == run_sum(self.run);
        self.whole = bytes.len() as u64;
        for n in 2.. {
            bytes.clear();
            lines.read_until(b'\n', &mut bytes).map_err(io)?;
            if bytes.is_empty() {
                break;
            }
            match Line::read(&bytes) {
                Some(line) if same => {
                    let name = Name::of(&line.unit);
                    self.done.insert(name, (self.whole, bytes.len() as u32));
                    // A later line is that of a second try.
                    if line.failed.is_some() {
                        self.failed_units.insert(name);
                    } else {
                        self.failed_units.remove(&name);
                    }
                }
                Some(Line { unit, result: Some(there), .. }) if unit == RUN => {
                    let differences = difference::text(&there, self.run);
                    return Err(JournalError::Differs { path: path.to_owned(), differences });
                }
                None if is_torn(&bytes) && !self.goes_on(&mut *lines).map_err(io)? => {
                    return self.same_run(same).map(|scan| scan.found(true));
                }
                Some(_) | None => return Err(JournalError::Damaged { path: path.to_owned(), line: n }),
            }
            self.whole += bytes.len() as u64;
        }
        self.same_run(same).map(|scan| scan.found(false))
    }

    /// A journal whose second line is not there yet can only be told by its checksum.
    fn same_run(self, same: bool) -> Result<Self, JournalError> {
        if same {
            return Ok(self);
        }
        let differences = "settings that it had no time to write down".to_owned();
        Err(JournalError::Differs { path: self.path.to_owned(), differences })
    }

    fn found(self, torn: bool) -> Found {
        Found { done: self.done, failed_units: self.failed_units, whole: self.whole, torn }
    }

    /// Whether a line follows that was written after what begins at `whole` was synced.
    fn goes_on(&self, lines: &mut dyn BufRead) -> io::Result<bool> {
        let mut bytes = Vec::new();
        while lines.read_until(b'\n', &mut bytes)? > 0 {
            if Line::read(&bytes).is_some_and(|line| line.synced > self.whole) {
                return Ok(true);
            }
            bytes.clear();
        }
        Ok(false)
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Line {
    pub(super) unit: String,
    /// What came of it: this, or `failed`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) result: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) failed: Option<String>,
    pub(super) sum: String,
    /// How much of the file was synced when this was written.
    pub(super) synced: u64,
}

impl Line {
    /// A line that is whole and as it was written.
    pub(super) fn read(bytes: &[u8]) -> Option<Line> {
        serde_json::from_slice(bytes.strip_suffix(b"\n")?).ok().filter(Line::holds)
    }

    pub(super) fn holds(&self) -> bool {
        self.result.is_some() != self.failed.is_some() && self.sum == self.right_sum()
    }

    /// FNV-1a over all the rest: catches torn and edited lines.
    pub(super) fn right_sum(&self) -> String {
        let text = |text: &Option<String>| text.clone().unwrap_or_default();
        sum(&[&self.unit, &text(&self.result), &text(&self.failed), &self.synced.to_string()])
    }

    pub(super) fn into_parts(self) -> (String, Done) {
        let done = self.result.map(Done::Result);
        (self.unit, done.unwrap_or_else(|| Done::Failed(self.failed.unwrap_or_default())))
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

/// Something that is not a journal of ours.
pub(super) fn other_magic(path: &Path, head: &[u8]) -> JournalError {
    let path = path.to_owned();
    if head.starts_with(OLD_MAGIC.as_bytes()) { JournalError::Old(path) } else { JournalError::Magic(path) }
}

/// The checksum of the run's text in a whole header.
fn head_sum(head: &[u8]) -> Option<&str> {
    let digits =
        std::str::from_utf8(head).ok()?.strip_prefix(MAGIC)?.strip_prefix(' ')?.strip_suffix('\n')?;
    (digits.len() == SUM && digits.bytes().all(|b| b.is_ascii_hexdigit())).then_some(digits)
}

pub(super) fn run_sum(run: &str) -> String {
    sum(&[RUN, run])
}

/// FNV-1a in 64 bits over texts, each with a zero byte after it.
fn sum(texts: &[&str]) -> String {
    let bytes = texts.iter().flat_map(|text| text.bytes().chain([0]));
    let hash =
        bytes.fold(0xCBF2_9CE4_8422_2325u64, |h, b| (h ^ u64::from(b)).wrapping_mul(0x0000_0100_0000_01B3));
    format!("{hash:0SUM$x}")
}
