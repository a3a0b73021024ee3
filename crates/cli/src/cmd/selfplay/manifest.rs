//! Manifests of self-play: TOML in, a field out, and errors that say what to write instead.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anglerfish_arena::{Budget, Contestant, Field, Identity, Openings, Pairing, Worker};
use anglerfish_rules::NotationError;
use anyhow::{Context, anyhow, bail, ensure};
use serde::Deserialize;

use crate::cmd::matches::openings;
use crate::contest;
use crate::input::{MOST_PAIRS, at_most, read};

/// A manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Manifest {
    pairing: String,
    games: u64,
    #[serde(default)]
    unit: Option<u32>,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    openings: Option<String>,
    #[serde(default)]
    annotate: Option<u32>,
    #[serde(default)]
    stop: Option<u32>,
    #[serde(default)]
    pub(super) store: Option<String>,
    #[serde(default)]
    engine: Vec<contest::Entry>,
    #[serde(default)]
    each: contest::Entry,
    #[serde(default)]
    pub(super) asset: BTreeMap<String, PathBuf>,
}

/// Default number of games in a unit: minutes of work with thousands of nodes, seconds with hundreds.
const USUAL_UNIT: u32 = 128;

impl Manifest {
    pub(super) fn read(path: &Path) -> anyhow::Result<Manifest> {
        toml::from_str(&read(path)?).with_context(|| format!("{} is not a manifest", path.display()))
    }

    /// The field of the manifest; its files are relative to the manifest.
    pub(super) fn field(&self, path: &Path, worker: &Worker) -> anyhow::Result<Field> {
        let pairing: Pairing = self.pairing.parse().map_err(|e: NotationError| anyhow!("pairing: {e}"))?;
        let batch = self.batch(if pairing == Pairing::Alone { 1 } else { 2 })?;
        let openings = match &self.openings {
            Some(words) => openings(words, path.parent())?,
            None => Openings::None,
        };
        if let Some(lines) = self.annotate {
            ensure!((1..=112).contains(&lines), "annotate = {lines}: expected 1 to 112, or no such line");
        }
        let game = self.game.clone().unwrap_or_else(|| "banqi".to_owned());
        let players = self.players()?;
        Ok(Field {
            assets: contest::digests(&worker.assets, &players),
            players,
            pairing,
            rules: self.rules.clone().unwrap_or_else(|| contest::usual_rules(&game)),
            seed: self.seed.unwrap_or(1),
            openings,
            games: self.games,
            batch,
            annotate: self.annotate,
            stop: self.stop,
            engine: Identity::default(),
            game,
        })
    }

    /// Games in a unit, if each deal is played `times` times.
    fn batch(&self, times: u32) -> anyhow::Result<u32> {
        let (games, batch) = (self.games, self.unit.unwrap_or(USUAL_UNIT));
        ensure!(games > 0, "games must be 1 or more");
        ensure!(batch > 0, "unit must be 1 or more");
        at_most(batch / times, MOST_PAIRS).map_err(|e| anyhow!("unit = {batch}: {e}"))?;
        if !batch.is_multiple_of(times) {
            let more = batch.next_multiple_of(times);
            bail!("unit = {batch} is odd, and every deal is played twice: write unit = {more}");
        }
        // A partial unit would be another unit, so its games would be stored twice when the manifest grows.
        if games.is_multiple_of(u64::from(batch)) {
            return Ok(batch);
        }
        let usual = if self.unit.is_none() { " (the default)" } else { "" };
        let more = games.next_multiple_of(u64::from(batch));
        let fits = |unit: &u32| unit.is_multiple_of(times) && games.is_multiple_of(u64::from(*unit));
        let other = (1..=USUAL_UNIT).rev().find(fits).map(|unit| format!(", or unit = {unit}"));
        bail!(
            "games = {games} is not a multiple of unit = {batch}{usual}: write games = {more}{}",
            other.unwrap_or_default()
        )
    }

    fn players(&self) -> anyhow::Result<Vec<Contestant>> {
        let one = |(n, entry): (usize, &contest::Entry)| {
            let entry = entry.over(&self.each);
            entry.contestant().with_context(|| format!("engine {}", n + 1))
        };
        self.engine.iter().enumerate().map(one).collect()
    }

    /// Remarks for the user about the players' budgets before the games, a line each.
    pub(super) fn notes(&self, players: &[Contestant]) -> Vec<String> {
        let entries = || self.engine.iter().zip(players);
        let says = |entry: &contest::Entry| entry.over(&self.each).has_budget();
        let all = !entries().any(|(entry, _)| says(entry));
        let mut notes: Vec<String> = Vec::new();
        let mut timed = false;
        for (entry, player) in entries() {
            let Ok(budget) = player.budget.parse::<Budget>() else { continue };
            timed |= budget.is_timed();
            let whose = if all { String::new() } else { format!(" for {}", player.name) };
            let usual = match budget {
                _ if says(entry) => continue,
                // Players without a search have one node, and no use for more.
                Budget::Nodes(1) => continue,
                Budget::Nodes(nodes) => format!("nodes = {nodes} per move"),
                Budget::Move(_) | Budget::Game { .. } => player.budget.replacen('=', " = ", 1),
            };
            let note = format!("no budget in the manifest{whose}: {usual}");
            if !notes.contains(&note) {
                notes.push(note);
            }
        }
        if timed {
            notes.push("warning: limited by time, so these games cannot be played again the same".to_owned());
        }
        notes
    }
}
