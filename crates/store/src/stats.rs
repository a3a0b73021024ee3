//! Statistics of the games in a store: first moves, lengths, endings and players, each with an interval.
//!
//! Both games of a pair share a deal, and often the first ply, so a pair is one sample: scores are summed by
//! pair before any estimate.

mod firsts;
mod page;

use std::collections::{BTreeMap, BTreeSet};

use anglerfish_arena::stats::clustered::Clustered;
use arrow_array::types::{Int8Type, UInt32Type};
use arrow_array::{Array, RecordBatch};
use serde_json::{Value, json};

use crate::error::{Damage, StoreError};
use crate::rows::Columns;
use crate::scan::{Piece, scan};
use crate::store::Store;
use crate::stored_game::StoredGame;
use crate::unit::Origin;

pub use firsts::Firsts;

/// The counts.
#[derive(Clone, Debug, Default)]
pub struct Stats {
    /// The name of the game.
    pub game: String,
    /// Units with such games.
    pub units: u64,
    /// Games that ended.
    pub games: u64,
    /// Unfinished games, which count for nothing else.
    pub unfinished: u64,
    /// The rule sets.
    pub rules: BTreeMap<String, u64>,
    /// Scores of the first mover.
    pub first_movers: Clustered,
    /// Drawn games.
    pub draws: Clustered,
    /// Plies.
    pub plies: Clustered,
    /// Games by plies.
    pub lengths: BTreeMap<u32, u64>,
    /// Endings by reason.
    pub reasons: BTreeMap<String, Reason>,
    /// Players by name and budget.
    pub players: BTreeMap<String, Player>,
    /// First moves.
    pub firsts: Firsts,
    /// Whether first moves were random in some games; then only those games count for them.
    pub by_chance: bool,
}

/// How often a reason ended games.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reason {
    /// All games that it ended.
    pub games: Clustered,
    /// The drawn ones of them.
    pub draws: Clustered,
}

/// The counts of a player. Games against itself have no score.
#[derive(Clone, Copy, Debug, Default)]
pub struct Player {
    /// Its scores.
    pub score: Clustered,
    /// Drawn games.
    pub draws: Clustered,
    /// Plies of its games.
    pub plies: Clustered,
}

/// The columns that are read.
const COLUMNS: [&str; 12] = [
    "game", "first", "second", "budget", "rules", "start", "opening", "plies", "events", "result", "reason",
    "tags",
];

/// One game.
struct Line {
    players: [String; 2],
    /// The score of the first mover.
    score: f64,
    drawn: f64,
    plies: u32,
    reason: String,
    /// Its first event, if the start is the usual one, and whether it was random.
    first: Option<(u32, bool)>,
    rules: String,
}

/// Counts the games of a store: all, or those in which both players are among `only`, each by name or by name
/// and budget. `tell` receives the number of games done and of all.
///
/// # Errors
/// When an object cannot be read, or no game is between these players.
pub fn stats<G: StoredGame>(
    store: &mut Store<G>,
    only: &[String],
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Stats, StoreError> {
    let (snapshot, contents) = store.contents()?;
    let all: u64 = contents.values().map(|(games, _)| u64::from(*games)).sum();
    let mut stats = Stats { game: G::NAME.to_owned(), ..Stats::default() };
    let mut firsts: [Firsts; 2] = Default::default();
    let (mut pair, mut current, mut done) = (Vec::new(), String::new(), 0);
    let (mut units, mut strangers) = (BTreeSet::new(), BTreeSet::new());
    scan(store, &snapshot, Some(&COLUMNS), &mut |piece: Piece<'_>| {
        let damaged = |what: Damage| StoreError::damaged(format!("unit {}", piece.unit.unit), what);
        for row in 0..piece.batch.num_rows() {
            let (key, players) = whose(&piece, row).map_err(damaged)?;
            if let Some(stranger) = players.iter().find(|player| !player.is_one_of(only)) {
                strangers.insert(stranger.to_string());
                continue;
            }
            if key != current {
                stats.add::<G>(&std::mem::take(&mut pair), &mut firsts);
                current = key;
            }
            units.insert(piece.unit.unit);
            pair.extend(read(&piece, row, players, &mut stats).map_err(damaged)?);
        }
        done += piece.batch.num_rows() as u64;
        tell(done, all);
        Ok::<_, StoreError>(())
    })?;
    if units.is_empty() && !strangers.is_empty() {
        let (only, strangers) = (only.join(" and "), strangers.into_iter().collect::<Vec<_>>().join(", "));
        return Err(StoreError::Other(format!(
            "expected games of {only} among themselves, found only such with {strangers}"
        )));
    }
    stats.add::<G>(&pair, &mut firsts);
    stats.units = units.len() as u64;
    let [chosen, by_lot] = firsts;
    stats.by_chance = !by_lot.moves.is_empty();
    stats.firsts = if stats.by_chance { by_lot } else { chosen };
    Ok(stats)
}

/// The player on a seat, and its budget.
struct Seated<'a> {
    name: &'a str,
    budget: &'a str,
}

impl Seated<'_> {
    fn is_one_of(&self, only: &[String]) -> bool {
        only.is_empty() || only.iter().any(|words| words == self.name || *words == self.to_string())
    }
}

impl std::fmt::Display for Seated<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let space = if self.budget.is_empty() { "" } else { " " };
        write!(f, "{}{space}{}", self.name, self.budget)
    }
}

/// The pair that the game of a row belongs to, and its players.
fn whose<'a>(piece: &'a Piece<'_>, row: usize) -> Result<(String, [Seated<'a>; 2]), Damage> {
    let columns = Columns::new(&piece.batch);
    let game = columns.numbers::<UInt32Type>("game")?.value(row);
    let pair = match piece.origin {
        Origin::Played(unit) => (game / if unit.single { 1 } else { 2 }).to_string(),
        Origin::Imported(_) => pair_of(&piece.batch, row)?.unwrap_or_else(|| format!("game {game}")),
    };
    let text = |name: &str| Ok::<_, Damage>(columns.text(name)?.value(row));
    // Imported text may have any form.
    let (first, second) = text("budget")?.split_once(' ').unwrap_or_default();
    let players =
        [Seated { name: text("first")?, budget: first }, Seated { name: text("second")?, budget: second }];
    Ok((format!("{} {pair}", piece.unit.unit), players))
}

/// The game of a row, if it was finished.
fn read(
    piece: &Piece<'_>,
    row: usize,
    players: [Seated<'_>; 2],
    stats: &mut Stats,
) -> Result<Option<Line>, Damage> {
    let columns = Columns::new(&piece.batch);
    let number = |name: &str| Ok::<_, Damage>(columns.numbers::<UInt32Type>(name)?.value(row));
    let text = |name: &str| Ok::<_, Damage>(columns.text(name)?.value(row));
    let results = columns.numbers::<Int8Type>("result")?;
    if results.is_null(row) {
        stats.unfinished += 1;
        return Ok(None);
    }
    let rules = text("rules")?;
    match stats.rules.get_mut(rules) {
        Some(n) => *n += 1,
        None => _ = stats.rules.insert(rules.to_owned(), 1),
    }
    let events = columns.lists::<UInt32Type>("events")?;
    let usual = columns.text("start")?.is_null(row);
    let by_lot = number("opening")? > 0;
    Ok(Some(Line {
        players: players.map(|player| player.to_string()),
        score: f64::from(results.value(row) + 1) / 2.0,
        drawn: f64::from(u8::from(results.value(row) == 0)),
        plies: number("plies")?,
        reason: text("reason")?.to_owned(),
        first: events.row(row).first().filter(|_| usual).map(|code| (*code, by_lot)),
        rules: rules.to_owned(),
    }))
}

/// The pair in an imported record's round: `17` in the round `17.2`.
fn pair_of(batch: &RecordBatch, row: usize) -> Result<Option<String>, Damage> {
    let tags = Columns::new(batch).text("tags")?;
    if tags.is_null(row) {
        return Ok(None);
    }
    let tags: Vec<(String, String)> = serde_json::from_str(tags.value(row)).map_err(|e| e.to_string())?;
    let round = tags.into_iter().find(|(name, _)| name == "Round").map(|(_, round)| round);
    Ok(round.and_then(|round| Some(round.rsplit_once('.')?.0.to_owned())))
}

impl Stats {
    /// Counts the games of one pair.
    fn add<G: StoredGame>(&mut self, pair: &[Line], firsts: &mut [Firsts; 2]) {
        if pair.is_empty() {
            return;
        }
        let games = pair.len() as u64;
        let sum = |of: &dyn Fn(&Line) -> f64| pair.iter().map(of).sum::<f64>();
        self.games += games;
        self.first_movers.add(games, sum(&|game| game.score));
        self.draws.add(games, sum(&|game| game.drawn));
        self.plies.add(games, sum(&|game| f64::from(game.plies)));
        for game in pair {
            *self.lengths.entry(game.plies).or_default() += 1;
        }
        each(pair.iter().map(|game| (&game.reason, game)), |reason, games_so| {
            let entry = self.reasons.entry(reason.clone()).or_default();
            entry.games.add(games, games_so.len() as f64);
            let drawn: f64 = games_so.iter().map(|game| game.drawn).sum();
            if drawn > 0.0 {
                entry.draws.add(games, drawn);
            }
        });
        let seats = pair.iter().flat_map(|game| {
            let alone = game.players[0] == game.players[1];
            let second = (!alone).then_some((&game.players[1], (game, 1.0 - game.score, false)));
            [Some((&game.players[0], (game, game.score, alone))), second].into_iter().flatten()
        });
        // Records of the platform do not name the players.
        let seats = seats.filter(|(name, _)| !name.is_empty());
        each(seats, |player, games_so| {
            let entry = self.players.entry(player.clone()).or_default();
            let n = games_so.len() as u64;
            entry.draws.add(n, games_so.iter().map(|(game, ..)| game.drawn).sum());
            entry.plies.add(n, games_so.iter().map(|(game, ..)| f64::from(game.plies)).sum());
            let scored: Vec<f64> =
                games_so.iter().filter(|(_, _, alone)| !alone).map(|(_, score, _)| *score).collect();
            if !scored.is_empty() {
                entry.score.add(scored.len() as u64, scored.iter().sum());
            }
        });
        let Ok(rules) = pair[0].rules.parse() else { return };
        for (by_lot, firsts) in [false, true].into_iter().zip(firsts) {
            let counted = pair.iter().filter_map(|game| {
                let (code, lot) = game.first?;
                Some((G::event(code)?, game.score)).filter(|_| lot || !by_lot)
            });
            firsts.add::<G>(&rules, &counted.collect::<Vec<_>>());
        }
    }

    /// All counts, for programs.
    pub fn json(&self) -> Value {
        let plain = |mean: &Clustered| {
            let (low, high) = mean.interval();
            json!({ "mean": number(mean.mean()), "low": number(low), "high": number(high) })
        };
        let reasons: BTreeMap<&String, Value> = self
            .reasons
            .iter()
            .map(|(name, reason)| {
                let (all, draws) = (reason.games.among(&self.draws), reason.draws.among(&self.draws));
                let (games, drawn) = (self.count(&all), self.count(&draws));
                (name, json!({ "games": games, "draws": drawn, "share": share(&all), "share_drawn": share(&draws) }))
            })
            .collect();
        let players: BTreeMap<&String, Value> = self
            .players
            .iter()
            .map(|(name, p)| {
                (
                    name,
                    json!({ "score": share(&p.score), "draws": share(&p.draws), "plies": plain(&p.plies) }),
                )
            })
            .collect();
        json!({
            "schema": 1, "game": self.game, "units": self.units, "games": self.games, "unfinished": self.unfinished, "rules": self.rules,
            "first_mover": share(&self.first_movers), "draws": share(&self.draws), "plies": plain(&self.plies),
            "lengths": self.lengths, "reasons": reasons, "players": players,
            "first_moves": self.firsts.json(self.by_chance),
        })
    }

    /// The number of games in a share.
    fn count(&self, share: &Clustered) -> u64 {
        (share.mean() * self.games as f64).round() as u64
    }
}

/// A share with its interval, for programs.
fn share(mean: &Clustered) -> Value {
    let (low, high) = mean.share_interval();
    json!({ "games": mean.values(), "pairs": mean.clusters(), "mean": number(mean.mean()), "low": number(low), "high": number(high) })
}

/// JSON has no infinite numbers.
fn number(value: f64) -> Value {
    if value.is_finite() { json!((value * 1e6).round() / 1e6) } else { Value::Null }
}

/// Calls `tell` with each name and all its items.
fn each<'a, T>(items: impl Iterator<Item = (&'a String, T)>, mut tell: impl FnMut(&'a String, Vec<T>)) {
    let mut by_name: BTreeMap<&String, Vec<T>> = BTreeMap::new();
    for (name, item) in items {
        by_name.entry(name).or_default().push(item);
    }
    for (name, items) in by_name {
        tell(name, items);
    }
}
