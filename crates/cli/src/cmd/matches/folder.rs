//! The folder of a match: its journal, its games, and the verdict of a test.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anglerfish_arena::{ArenaGame, Decision, Journal, Match, Worker, now};
use anglerfish_rules::Record;
use anyhow::{Context, bail};
use serde::{Deserialize, Serialize};

use super::GAMES_FILE;
use crate::contest;
use crate::input::read;
use crate::provenance;

/// The folder of a match.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) journal: Journal,
    pub(super) files: Files,
}

/// The files of games, rewritten from the journal in the order of the pairs.
pub(super) struct Files {
    games: BufWriter<File>,
    /// Games played after the verdict.
    after: Option<BufWriter<File>>,
    folder: PathBuf,
    flushed: Option<Instant>,
    /// Whether the verdict of a test is kept.
    decided: bool,
}

impl Folder {
    /// Opens the journal. A match that is kept names its engine, and keeps the verdict of its test. Nothing
    /// is written before all checks.
    pub(super) fn open<G: ArenaGame>(
        path: &Path,
        game: &mut Match,
        worker: &mut Worker,
    ) -> anyhow::Result<Folder> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        contest::recognize(path, &mut game.players, worker)?;
        let decision = frozen(path)?;
        if let Some(decision) = &decision {
            match &game.sprt {
                Some(sprt) if *sprt != decision.test => bail!(
                    "the match in {} was decided by [{}, {}] after {} pairs: another test needs new games in a new folder",
                    path.display(),
                    decision.test.elo0,
                    decision.test.elo1,
                    decision.pairs
                ),
                Some(_) => {}
                None => (game.sprt, game.play_on) = (Some(decision.test), true),
            }
            // With fewer pairs than it took, the verdict would be another.
            game.pairs = game.pairs.max(decision.pairs);
            game.check::<G>(worker)?;
        }
        game.engine = contest::name_engine(&game.players, worker);
        let journal = Journal::open(&path.join("journal"), &game.run_name())?;
        provenance::record(path, &game.players, game.sprt)?;
        let after = path.join("after.games");
        if after.exists() {
            std::fs::remove_file(&after)?;
        }
        let games = BufWriter::new(File::create(path.join(GAMES_FILE))?);
        let folder = path.to_owned();
        let files = Files { folder, games, after: None, flushed: None, decided: decision.is_some() };
        Ok(Folder { path: path.to_owned(), journal, files })
    }
}

/// The earlier verdict in a folder.
pub(crate) fn frozen(path: &Path) -> anyhow::Result<Option<Decision>> {
    let path = path.join(VERDICT_FILE);
    if !path.exists() {
        return Ok(None);
    }
    let kept: Result<RunFolder, _> = serde_json::from_str(&read(&path)?);
    let kept = kept.with_context(|| format!("{} does not hold a verdict", path.display()))?;
    if kept.format != VERDICT_FORMAT {
        bail!("{}: expected {VERDICT_FORMAT:?}, found {:?}", path.display(), kept.format);
    }
    Ok(Some(kept.decision))
}

/// The file with the verdict.
pub(crate) const VERDICT_FILE: &str = "verdict.json";

const VERDICT_FORMAT: &str = "anglerfish-verdict 1";

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct RunFolder {
    format: String,
    decision: Decision,
}

impl Files {
    /// Keeps the verdict of a test, once, when it decides.
    pub(super) fn decide(&mut self, decision: Option<Decision>) -> std::io::Result<()> {
        let Some(decision) = decision.filter(|_| !self.decided) else { return Ok(()) };
        let kept = RunFolder { format: VERDICT_FORMAT.to_owned(), decision };
        let new = self.folder.join("verdict.new");
        let mut file = File::create(&new)?;
        writeln!(file, "{}", serde_json::to_string(&kept)?)?;
        file.sync_all()?;
        std::fs::rename(new, self.folder.join(VERDICT_FILE))?;
        self.decided = true;
        Ok(())
    }

    /// Writes out what is still in memory.
    pub(super) fn flush(&mut self) -> std::io::Result<()> {
        self.games.flush()?;
        self.after.as_mut().map_or(Ok(()), BufWriter::flush)
    }

    pub(super) fn keep<G: ArenaGame>(&mut self, records: &[Record<G>], after: bool) -> std::io::Result<()> {
        let file = match (&mut self.after, after) {
            (_, false) => &mut self.games,
            (Some(file), true) => file,
            (none, true) => none.insert(BufWriter::new(File::create(self.folder.join("after.games"))?)),
        };
        for record in records {
            writeln!(file, "{record}")?;
        }
        // Often enough for a user who watches the file.
        if self.flushed.is_none_or(|then| then.elapsed() > Duration::from_secs(1)) {
            file.flush()?;
            self.flushed = Some(now());
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the vector of docs/formats.md.
    #[test]
    fn the_verdict_in_the_formats_page_is_one() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
        let page = std::fs::read_to_string(path).expect("docs/formats.md");
        let (_, rest) = page.split_once("```verdict\n").expect("a verdict");
        let (text, _) = rest.split_once("\n```").expect("its end");
        let kept: RunFolder = serde_json::from_str(text).expect("it is read");
        assert_eq!(kept.format, VERDICT_FORMAT);
        assert_eq!(serde_json::to_string(&kept).expect("JSON"), text);
    }
}
