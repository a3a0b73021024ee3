//! Files of games, read in pieces: for files of any length, memory holds some hundred games.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

use anglerfish_arena::Name;
use anglerfish_arena::platform::{PlatformGame, read_compact, read_text};
use anglerfish_rules::banqi::RuleSet;
use anyhow::{Context, bail, ensure};

use crate::input::parse_pointing;

/// Games in a unit. Names of units depend on it, so it never changes.
const UNIT: u32 = 1000;

/// Longer lines are no games of any kind, and longer chunks neither.
const LONGEST_LINE: u64 = 64 << 20;
const LARGEST_CHUNK: usize = 512 << 20;

/// The format of records in a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Form {
    /// Our own.
    Records,
    /// The platform's, one JSON object per line.
    Compact,
    /// The platform's text, one game per file.
    Text,
}

/// A file of games.
pub(super) struct Source {
    path: PathBuf,
    form: Form,
    rules: RuleSet,
}

/// Some games of a file.
pub(super) struct Chunk {
    /// The number of the first, from 1.
    pub(super) first: u64,
    /// Number of its games.
    pub(super) games: u32,
    /// The line of the first, from 1.
    pub(super) line: u64,
    text: String,
    form: Form,
    rules: RuleSet,
}

impl Source {
    /// Whether a file is the journal of a run.
    pub(super) fn is_journal(path: &Path) -> anyhow::Result<bool> {
        let mut head = Vec::new();
        let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
        file.take(18).read_to_end(&mut head).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(head == b"anglerfish-journal")
    }

    /// Opens a file; its kind is seen from its beginning.
    pub(super) fn open(path: &Path, rules: &str) -> anyhow::Result<Source> {
        let rules: RuleSet = parse_pointing(rules)?;
        if let Some(format) = exported(path)? {
            bail!(
                "{}: this is what \"store export --format {format}\" writes; import takes records: store export --format records",
                path.display()
            );
        }
        let form = match first_line(path)?.trim_start().chars().next() {
            Some('[') => Form::Records,
            Some('{') => Form::Compact,
            Some('I') => Form::Text,
            _ => bail!(
                "{}: expected the folder of a match, or records: [Format …, {{\"id\":… or INITIAL",
                path.display()
            ),
        };
        Ok(Source { path: path.to_owned(), form, rules })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The name of the game of its first record.
    pub(super) fn game(&self) -> anyhow::Result<String> {
        if self.form != Form::Records {
            return Ok("banqi".to_owned());
        }
        for line in lines(&self.path)?.take(1000) {
            let line = line.with_context(|| format!("cannot read {}", self.path.display()))?;
            if let Some(name) =
                line.strip_prefix("[Game \"").and_then(|rest| rest.trim_end().strip_suffix("\"]"))
            {
                return Ok(name.to_owned());
            }
        }
        bail!("{}: expected a [Game] tag in the first record, found none", self.path.display())
    }

    /// The SHA-256 of the unpacked file.
    pub(super) fn digest(&self) -> anyhow::Result<Name> {
        Name::of_reader(open(&self.path)?).with_context(|| format!("cannot read {}", self.path.display()))
    }

    /// The rules of its games, if the file does not name them and they are not the default.
    pub(super) fn rules(&self) -> Option<String> {
        (self.form != Form::Records && self.rules != RuleSet::PLATFORM).then(|| self.rules.to_string())
    }

    /// Its games, in chunks.
    pub(super) fn chunks(self) -> anyhow::Result<impl Iterator<Item = anyhow::Result<Chunk>> + Send> {
        Ok(Chunks { lines: lines(&self.path)?, source: self, ahead: None, line: 0, first: 1 })
    }
}

impl Chunk {
    /// The games as our own records.
    pub(super) fn records(&self) -> anyhow::Result<String> {
        let record = |game: &PlatformGame| -> anyhow::Result<String> {
            let record = game.to_record(self.rules).with_context(|| game.name.clone())?;
            Ok(record.to_string() + "\n")
        };
        match self.form {
            Form::Records => Ok(self.text.clone()),
            Form::Compact => self.text.lines().map(|line| record(&read_compact(line)?)).collect(),
            Form::Text => record(&read_text(&self.text)?),
        }
    }
}

/// The format of an export other than records.
fn exported(path: &Path) -> anyhow::Result<Option<&'static str>> {
    if open(path)?.fill_buf().is_ok_and(|head| head.starts_with(b"ARROW1")) {
        return Ok(Some("arrow"));
    }
    let line = first_line(path)?;
    // The platform's objects have no such keys.
    let is_row = || {
        let row = serde_json::from_str::<serde_json::Value>(&line).unwrap_or_default();
        row.get("unit").is_some() && row.get("moves").is_some()
    };
    Ok(if line.starts_with("unit,game,first,second,") {
        Some("csv")
    } else if line.starts_with('{') && is_row() {
        Some("jsonl")
    } else {
        None
    })
}

type Lines = Box<dyn Iterator<Item = std::io::Result<String>> + Send>;

/// The lines of a file, unpacked if it is gzipped, each with its end.
fn lines(path: &Path) -> anyhow::Result<Lines> {
    let mut file = open(path)?;
    Ok(Box::new(std::iter::from_fn(move || {
        let mut line = String::new();
        match file.by_ref().take(LONGEST_LINE).read_line(&mut line) {
            Ok(0) => None,
            Ok(n) if n as u64 == LONGEST_LINE => {
                Some(Err(std::io::Error::other(format!("a line of more than {} MiB", LONGEST_LINE >> 20))))
            }
            Ok(_) => Some(Ok(line)),
            Err(error) => Some(Err(error)),
        }
    })))
}

fn open(path: &Path) -> anyhow::Result<Box<dyn BufRead + Send>> {
    let cannot = || format!("cannot read {}", path.display());
    let mut file = BufReader::with_capacity(1 << 20, File::open(path).with_context(cannot)?);
    Ok(if file.fill_buf().with_context(cannot)?.starts_with(&[0x1F, 0x8B]) {
        Box::new(BufReader::with_capacity(1 << 20, flate2::bufread::MultiGzDecoder::new(file)))
    } else {
        Box::new(file)
    })
}

/// The first line that is not empty.
fn first_line(path: &Path) -> anyhow::Result<String> {
    for line in lines(path)? {
        let line = line.with_context(|| format!("cannot read {}", path.display()))?;
        if !line.trim().is_empty() {
            return Ok(line);
        }
    }
    Ok(String::new())
}

/// The games of a file, in chunks.
struct Chunks {
    source: Source,
    lines: Lines,
    /// A line that belongs to the next chunk.
    ahead: Option<String>,
    /// Number of lines read.
    line: u64,
    /// The number of the next game.
    first: u64,
}

impl Chunks {
    /// The next line; an error names its number.
    fn next_line(&mut self) -> anyhow::Result<Option<String>> {
        if let Some(line) = self.ahead.take() {
            return Ok(Some(line));
        }
        let line = self.lines.next().transpose();
        self.line += 1;
        line.with_context(|| format!("cannot read {}, line {}", self.source.path.display(), self.line))
    }

    fn read(&mut self) -> anyhow::Result<Option<Chunk>> {
        let Source { form, rules, .. } = self.source;
        let (mut text, mut games, mut line) = (String::new(), 0, 0);
        let (mut tags, mut comment) = (false, false);
        while let Some(next) = self.next_line()? {
            let blank = next.trim().is_empty();
            let begins = match form {
                // The first tag after another line, except in comments, which may contain anything.
                Form::Records => {
                    let is_tag = !comment && next.starts_with('[');
                    if !is_tag {
                        comment =
                            next.bytes().fold(comment, |comment, b| (comment || b == b'{') && b != b'}');
                    }
                    let begins = is_tag && !tags;
                    tags = is_tag || tags && blank;
                    begins
                }
                Form::Compact => !blank,
                Form::Text => games == 0 && !blank,
            };
            if begins && games == UNIT {
                self.ahead = Some(next);
                break;
            }
            if begins && games == 0 {
                line = self.line;
            }
            games += u32::from(begins);
            if form != Form::Compact || !blank {
                text += &next;
            }
            ensure!(
                text.len() <= LARGEST_CHUNK,
                "{}, line {}: {games} games of more than {} MiB together",
                self.source.path.display(),
                self.line,
                LARGEST_CHUNK >> 20
            );
        }
        if games == 0 {
            return Ok(None);
        }
        let first = self.first;
        self.first += u64::from(games);
        Ok(Some(Chunk { first, games, line, text, form, rules }))
    }
}

impl Iterator for Chunks {
    type Item = anyhow::Result<Chunk>;

    fn next(&mut self) -> Option<anyhow::Result<Chunk>> {
        self.read().transpose()
    }
}
