//! The folder of a match: its journal, its games, and what a test has decided.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anglerfish_arena::{Contestant, Decision, Host, Identity, Journal, Match, Tally, Worker, now};
use anglerfish_rules::Record;
use anyhow::{Context, bail};

use super::GAMES_FILE;
use crate::input::read;
use crate::provenance;

/// Where a match is kept.
pub(super) struct Folder {
    pub(super) path: PathBuf,
    pub(super) journal: Journal,
    pub(super) files: Files,
}

/// The files of games, written anew from the journal in the order of the pairs.
pub(super) struct Files {
    games: BufWriter<File>,
    /// What was played after a test had decided.
    after: Option<BufWriter<File>>,
    path: PathBuf,
    flushed: Option<Instant>,
}

impl Folder {
    /// Opens the journal. A match that is kept names the engine that plays it, and keeps to what a test has once decided.
    pub(super) fn open(path: &Path, game: &mut Match, worker: &mut Worker) -> anyhow::Result<Folder> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        if !game.players.iter().all(Contestant::is_program) {
            worker.identity = Identity::of_this_build();
            game.engine = worker.identity.clone();
        }
        let journal = Journal::open(&path.join("journal"), &game.run_name())?;
        if let Some(decision) = frozen(path)? {
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
        }
        provenance::record(path, &game.players, game.sprt)?;
        let files = Files {
            games: BufWriter::new(File::create(path.join(GAMES_FILE))?),
            after: None,
            path: path.join("after.games"),
            flushed: None,
        };
        Ok(Folder { path: path.to_owned(), journal, files })
    }

    /// Keeps what a test has decided, once.
    pub(super) fn end(&mut self, game: &Match, tally: &Tally) -> anyhow::Result<()> {
        self.files.games.flush()?;
        if let Some(after) = &mut self.files.after {
            after.flush()?;
        }
        if let Some(decision) = tally.decision(game.sprt.as_ref())
            && frozen(&self.path)?.is_none()
        {
            let new = self.path.join("verdict.new");
            std::fs::write(&new, serde_json::to_string(&decision)? + "\n")?;
            std::fs::rename(new, self.path.join("verdict.json"))?;
        }
        Ok(())
    }
}

/// What a test has decided in this folder before.
fn frozen(path: &Path) -> anyhow::Result<Option<Decision>> {
    let path = path.join("verdict.json");
    if !path.exists() {
        return Ok(None);
    }
    let decision = serde_json::from_str(&read(&path)?);
    decision.map(Some).with_context(|| format!("{} does not hold a verdict", path.display()))
}

impl Files {
    pub(super) fn keep<G: Host>(&mut self, records: &[Record<G>], after: bool) -> std::io::Result<()> {
        let file = match (&mut self.after, after) {
            (_, false) => &mut self.games,
            (Some(file), true) => file,
            (none, true) => none.insert(BufWriter::new(File::create(&self.path)?)),
        };
        for record in records {
            writeln!(file, "{record}")?;
        }
        // Often enough for somebody who looks on.
        if self.flushed.is_none_or(|then| then.elapsed() > Duration::from_secs(1)) {
            file.flush()?;
            self.flushed = Some(now());
        }
        Ok(())
    }
}
