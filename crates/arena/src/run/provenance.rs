//! The origin of results: `provenance.json` beside every run.
//!
//! A result that cannot be reproduced proves little. So a file beside the games, results and reports of a run records what made
//! them: the program, the machine, the command. It is part of no digest, so the same run has the same bytes on two machines. It
//! names no folder, host or user, so that it can be published as it is.
//!
//! A run may be resumed with another program on another machine. So the record is a list of sessions, and each of them is
//! complete.

use std::io::{self, ErrorKind, Write};
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::contestant::{Contestant, ContestantKind};
use crate::stats::sprt::Sprt;
use crate::table::date;

/// Name and version of the format.
const FORMAT: &str = "anglerfish-provenance 1";

/// The separators of paths, here or on another system.
const SEPARATORS: [char; 2] = ['/', '\\'];

/// The file that stands beside a run.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Provenance {
    /// Name and version of the format.
    pub format: String,
    /// Start and end of every session of the run, in order. Version 0.3 called them `sittings`.
    #[serde(alias = "sittings")]
    pub sessions: Vec<WorkSession>,
}

/// One session: a run was begun or continued.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct WorkSession {
    /// When it began: UTC, RFC 3339.
    pub date: String,
    /// The program.
    #[serde(flatten)]
    pub build: Build,
    /// The processor that it ran on.
    pub processor: Processor,
    /// The command line, with the last part of every path only.
    pub command: Vec<String>,
    /// The players, if the run has a list of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<Participant>,
    /// The test that may stop the run, if there is one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sprt: Option<Sprt>,
}

/// The build of a program, as its build script reports it.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Build {
    /// The version of the program.
    pub version: String,
    /// The short hash of the commit, with `-dirty` if the sources differed from it; or `unknown`.
    pub commit: String,
    /// Name and version of the compiler.
    pub compiler: String,
    /// The target triple.
    pub target: String,
}

/// The processor of a run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Processor {
    /// Its model, or its family if the system does not tell the model.
    pub model: String,
    /// How many threads can run at a time.
    pub cores: usize,
}

/// A player: one of our own, or a program.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Participant {
    /// Its name in reports.
    pub name: String,
    /// The text of one of our own players.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub player: Option<String>,
    /// The file name of a program and its arguments, reduced as those of the command are.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub program: Vec<String>,
    /// Its budget.
    pub budget: String,
}

/// Adds a session that begins now to the `provenance.json` of a folder. The journal must be open: its lock keeps others out.
///
/// # Errors
/// When the file cannot be written, or this version cannot read the present one, which then stays as it was.
pub fn write_beside(
    folder: &Path,
    build: Build,
    command: impl IntoIterator<Item = String>,
    engines: &[Contestant],
    sprt: Option<Sprt>,
) -> io::Result<()> {
    let path = folder.join("provenance.json");
    let mut provenance = match std::fs::read(&path) {
        Ok(bytes) => serde_json::from_slice(&bytes)
            .ok()
            .filter(|found: &Provenance| found.format == FORMAT)
            .ok_or_else(|| {
                let text = format!("{}: expected {FORMAT:?}; move it away to go on", path.display());
                io::Error::new(ErrorKind::InvalidData, text)
            })?,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            Provenance { format: FORMAT.to_owned(), sessions: Vec::new() }
        }
        Err(error) => return Err(error),
    };
    provenance.sessions.push(WorkSession {
        date: date(),
        build,
        processor: Processor::here(),
        command: command.into_iter().map(|word| without_folders(&word)).collect(),
        engines: engines.iter().map(Participant::new).collect(),
        sprt,
    });
    // After a kill at any moment, the old or the new file is there and whole.
    let new = path.with_extension("json.new");
    let mut file = std::fs::File::create(&new)?;
    file.write_all(&serde_json::to_vec_pretty(&provenance)?)?;
    file.write_all(b"\n")?;
    file.sync_all()?;
    drop(file);
    std::fs::rename(&new, &path)
}

impl Processor {
    fn here() -> Processor {
        // Linux tells the model of most processors; other systems do not have the file.
        let listed = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let model = listed.lines().find_map(|line| line.strip_prefix("model name")?.split_once(": "));
        let model = model.map_or(std::env::consts::ARCH, |(_, model)| model.trim()).to_owned();
        Processor { model, cores: std::thread::available_parallelism().map_or(1, usize::from) }
    }
}

impl Participant {
    fn new(contestant: &Contestant) -> Participant {
        let (player, program) = match &contestant.kind {
            ContestantKind::Builtin(player) => (Some(player.clone()), Vec::new()),
            ContestantKind::Program { start: program, .. } => {
                let words = std::iter::once(&program.cmd).chain(&program.args);
                (None, words.map(|word| without_folders(word)).collect())
            }
        };
        let Contestant { name, budget, .. } = contestant;
        Participant { name: without_folders(name), player, program, budget: budget.clone() }
    }
}

/// A word of a command line with the last part of a path in it only: `cmd=/home/me/fish` is `cmd=fish`.
///
/// A word that could be a path is treated as one: a folder may name its user, and a shortened word is easily restored.
fn without_folders(word: &str) -> String {
    if word.split(',').all(|part| !part.contains(SEPARATORS) || is_numbers(part)) {
        return word.to_owned();
    }
    // The name of a setting is not part of the path; a folder may have `=` in its name.
    let (name, path) = match word.split_once('=') {
        Some((name, path)) if !name.contains(SEPARATORS) => (format!("{name}="), path),
        _ => (String::new(), word),
    };
    let last = path.trim_end_matches(SEPARATORS).rsplit(SEPARATORS).next().unwrap_or_default();
    name + last
}

/// Whether this is one of the engine's lists of numbers, `piece=100:90/80:70`, which have slashes and are not paths.
fn is_numbers(setting: &str) -> bool {
    let (name, list) = setting.rsplit_once('=').unwrap_or(("", setting));
    !name.contains(SEPARATORS)
        && list.starts_with(|c: char| c.is_ascii_digit() || c == '-')
        && list.chars().all(|c| c.is_ascii_digit() || "-:/".contains(c))
}

#[cfg(test)]
mod tests;
