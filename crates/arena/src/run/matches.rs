//! A match: pairs of games between two contestants until enough are played or a sequential test has decided.
//!
//! A unit is one pair, or a batch of them. Results are counted in the order of the pairs, not in the order in which threads
//! finish them, so the tally, the point at which a test stops and the file of games are the same however the run was scheduled or
//! interrupted. With a result store, only its index grows with the number of pairs.

use std::collections::BTreeMap;
use std::ops::{ControlFlow, RangeInclusive};

use anglerfish_rules::Record;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::contestant::Contestant;
use super::identity::Identity;
use super::result_store::{LedgerError, ResultStore, UnitResult};
use super::tally::Tally;
use super::unit::{Openings, UNIT_FORMAT, Unit, adjudicable, is_false, pair_seed};
use super::units::{Panicked, reborrow, run_units};
use super::worker::{Worker, open, read_games, write_games};
use crate::arena_game::ArenaGame;
use crate::error::ArenaError;
use crate::luck::Judging;
use crate::stats::sprt::Sprt;
use crate::table::{Adjudication, Clocks};

/// The settings of a match. Two runs with equal settings and node budgets play equal games.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// The name of the game.
    pub game: String,
    /// The contestants; scores are the first one's.
    pub players: [Contestant; 2],
    /// The rule set.
    pub rules: String,
    /// The seed of everything random.
    pub seed: u64,
    /// How games begin.
    #[serde(default)]
    pub openings: Openings,
    /// Pairs in a unit.
    pub batch: u32,
    /// How many choices players compare for the record; with `None` the record has no thoughts.
    #[serde(default)]
    pub annotate: Option<u32>,
    /// The judge of each game's luck; `None` if luck is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Judging>,
    /// Leaves each game unfinished, without a winner, after this many plies: for collecting openings, not for a verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<u32>,
    /// Whether players ponder, for as many nodes as the other searches.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ponder: bool,
    /// When games end early; `None` if they are played to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// The SHA-256 of the files that players refer to, by name.
    #[serde(default)]
    pub assets: BTreeMap<String, String>,
    /// The engine that plays it.
    #[serde(default)]
    pub engine: Identity,
    /// The most pairs to play. Games do not depend on it.
    #[serde(skip)]
    pub pairs: u64,
    /// The units that this process plays, counted from 1; `None` for all. The others are played elsewhere and merged.
    #[serde(skip)]
    pub part: Option<(u64, u64)>,
    /// A test that may stop the match early. Games do not depend on it.
    #[serde(skip)]
    pub sprt: Option<Sprt>,
    /// Whether to play on after the test has decided. The verdict stands, and later games are counted apart.
    #[serde(skip)]
    pub play_on: bool,
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// Invalid settings.
    #[error("{0}")]
    Settings(String),
    /// An opening, a player or a unit that cannot be played.
    #[error(transparent)]
    Arena(#[from] ArenaError),
    /// The result store.
    #[error(transparent)]
    ResultStore(#[from] LedgerError),
}

/// How many pairs that finish before their turn stay in memory; further ones are read again from the result store.
const WAITING: usize = 1000;

/// How many openings are checked before the first game; they are those of the first pairs.
const CHECKED: u64 = 100_000;

impl Match {
    /// A match of two of our own players, with the default settings.
    pub fn new<G: ArenaGame>(players: [Contestant; 2], rules: &str, seed: u64, pairs: u64) -> Match {
        Match {
            game: G::NAME.to_owned(),
            players,
            rules: rules.to_owned(),
            seed,
            openings: Openings::None,
            batch: 1,
            annotate: None,
            luck: None,
            stop: None,
            ponder: false,
            adjudication: None,
            assets: BTreeMap::new(),
            engine: Identity::default(),
            pairs,
            part: None,
            sprt: None,
            play_on: false,
        }
    }

    /// Unit `n`, counted from 1.
    pub fn unit(&self, n: u64) -> Unit {
        self.cutter().unit(n)
    }

    /// Cuts units, counted from 1.
    pub(super) fn cut(self) -> impl Fn(u64) -> Unit {
        let (engine, reproducible) = (self.engine.digest(), self.is_reproducible());
        move |n| Cutter { game: &self, engine: engine.clone(), reproducible }.unit(n)
    }

    fn cutter(&self) -> Cutter<'_> {
        Cutter { game: self, engine: self.engine.digest(), reproducible: self.is_reproducible() }
    }

    /// Whether a second run gives the same games.
    pub fn is_reproducible(&self) -> bool {
        self.players.iter().all(Contestant::is_reproducible)
    }

    /// The number of its units.
    pub fn len(&self) -> u64 {
        self.pairs.div_ceil(u64::from(self.batch.max(1)))
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.pairs == 0
    }

    /// The texts of its units, in their order: what [`Worker::play`] takes.
    pub fn units(&self) -> impl Iterator<Item = String> {
        let cutter = self.cutter();
        (1..=self.len()).map(move |n| cutter.unit(n).text())
    }

    /// The units that are played here.
    fn range(&self) -> RangeInclusive<u64> {
        let (first, last) = self.part.unwrap_or((1, self.len()));
        first..=last.min(self.len())
    }

    /// The run that a result store belongs to: all settings that games depend on. The number of pairs, the part played here and
    /// the test may change when a match is resumed.
    pub fn run_name(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }

    /// Checks what can be checked before anything is played.
    ///
    /// # Errors
    /// When rules, budgets, openings or players are invalid.
    pub fn check<G: ArenaGame>(&self, worker: &Worker) -> Result<(), MatchError> {
        let settings = |e: String| MatchError::Settings(e);
        let rules: G::Rules = self.rules.parse().map_err(ArenaError::from)?;
        for player in &self.players {
            player.check::<G>(&rules, &worker.assets)?;
        }
        if let Some(judging) = &self.luck {
            judging.judge::<G>().map_err(|e| ArenaError::from(e).of("luck"))?;
        }
        if let Some(rules) = &self.adjudication {
            adjudicable(rules, &self.players).map_err(ArenaError::from)?;
        }
        if let Openings::List(list) = &self.openings {
            if list.is_empty() {
                return Err(settings("expected at least one opening, found none".to_owned()));
            }
            for n in 1..=self.pairs.min(CHECKED) {
                let opening = &list[((n - 1) % list.len() as u64) as usize];
                let opened = open::<G>(&rules, Some(opening), pair_seed(self.seed, n), &Clocks::UNTIMED);
                opened.map_err(|e| e.of(format!("pair {n}")))?;
            }
        }
        if self.luck.is_some() && self.repeats_deals::<G>(&rules) {
            return Err(settings(
                "luck needs a new deal for every pair: what a flip can bring is not open on a board that comes again".to_owned(),
            ));
        }
        if let Some((first, last)) = self.part
            && !(1 <= first && first <= last && last <= self.len())
        {
            return Err(settings(format!(
                "expected units 1..{} or some of them, found {first}..{last}",
                self.len()
            )));
        }
        match (&self.sprt, self.part) {
            (Some(_), Some(_)) => Err(settings(
                "a test needs all pairs in their order: play the units, merge them, then test".to_owned(),
            )),
            (Some(sprt), None) => sprt.check().map_err(|e| settings(e.to_string())),
            (None, _) => Ok(()),
        }
    }

    /// Whether hidden boards repeat: there are more pairs than openings, and an opening fixes its board.
    fn repeats_deals<G: ArenaGame>(&self, rules: &G::Rules) -> bool {
        let Openings::List(list) = &self.openings else { return false };
        let deal =
            |opening: &str, seed| G::open(rules, Some(opening), seed).ok().and_then(|opened| opened.deal);
        (list.len() as u64) < self.pairs
            && list.iter().any(|opening| deal(opening, 1).is_some_and(|one| deal(opening, 2) == Some(one)))
    }

    /// Plays the match, beginning with what the store already has. `heard` is told of every pair in order, once the store
    /// has it. When a test has decided, the tally stands: the pairs in progress and all later ones are counted and reported
    /// as [`Tally::after`].
    ///
    /// # Errors
    /// When the settings are invalid or the store fails; the store has all units that were finished before.
    pub fn run<G: ArenaGame>(
        &self,
        worker: &Worker,
        mut ledger: Option<&mut dyn ResultStore>,
        threads: usize,
        heard: &mut dyn FnMut(&Tally, &[Record<G>]),
    ) -> Result<Tally, MatchError> {
        self.check::<G>(worker)?;
        let cutter = self.cutter();
        let (next, last) = self.range().into_inner();
        let (tally, waiting) = (Tally::default(), BTreeMap::new());
        let mut count = Count { cutter: &cutter, tally, waiting, next, last, heard };

        // Step 1. Count the units that an earlier run has played.
        count.go_on(reborrow(&mut ledger))?;

        // Step 2. Play the rest.
        if self.play_on || !count.tally.is_decided() {
            let keep = ledger.is_some();
            let work = |unit: &str| {
                let records = worker.play::<G>(unit)?;
                let text = if keep { write_games(&records) } else { String::new() };
                Ok((records, text))
            };
            let units = (count.next..=last).map(|n| (n, cutter.unit(n).text()));
            run_units(units, threads, ledger, work, |ledger, n, done| {
                count.add(n, done, ledger.is_some());
                count.go_on(ledger)?;
                let stop = count.tally.is_decided() && !self.play_on;
                Ok::<_, MatchError>(if stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })?;
        }
        Ok(count.tally)
    }
}

/// The games of a unit, or its panic.
type Played<G> = Result<Vec<Record<G>>, Panicked>;

/// Cuts a match into units.
struct Cutter<'a> {
    game: &'a Match,
    engine: String,
    reproducible: bool,
}

impl Cutter<'_> {
    fn unit(&self, n: u64) -> Unit {
        let game = self.game;
        let batch = u64::from(game.batch);
        let first = (n - 1) * batch + 1;
        let pairs = game.pairs.saturating_sub(first - 1).min(batch) as u32;
        Unit {
            unit: UNIT_FORMAT,
            game: game.game.clone(),
            rules: game.rules.clone(),
            engine: self.engine.clone(),
            reproducible: self.reproducible,
            seed: game.seed,
            round: String::new(),
            first,
            pairs,
            single: false,
            openings: game.openings.of(first, pairs),
            players: game.players.clone(),
            assets: game.assets.clone(),
            annotate: game.annotate,
            luck: game.luck.clone(),
            stop: game.stop,
            ponder: game.ponder,
            adjudication: game.adjudication,
        }
    }
}

/// Counts units in their order, even if they finish in another one.
struct Count<'a, G: ArenaGame> {
    cutter: &'a Cutter<'a>,
    tally: Tally,
    /// Units that finished before their turn.
    waiting: BTreeMap<u64, Played<G>>,
    next: u64,
    last: u64,
    heard: &'a mut dyn FnMut(&Tally, &[Record<G>]),
}

impl<G: ArenaGame> Count<'_, G> {
    fn add(&mut self, n: u64, done: Played<G>, kept: bool) {
        let most = (WAITING / self.cutter.game.batch as usize).max(1);
        if n == self.next || !kept || done.is_err() || self.waiting.len() < most {
            self.waiting.insert(n, done);
        }
    }

    /// Counts the next units, up to the first that is missing.
    fn go_on(&mut self, mut ledger: Option<&mut dyn ResultStore>) -> Result<(), MatchError> {
        while self.next <= self.last {
            let done = match self.waiting.remove(&self.next) {
                Some(done) => done,
                None => match kept(&self.cutter.unit(self.next), reborrow(&mut ledger))? {
                    Some(done) => done,
                    None => break,
                },
            };
            match done {
                Ok(records) => {
                    let game = self.cutter.game;
                    if let Some(judging) = &game.luck
                        && !records.iter().all(|record| judging.has_judged(record))
                    {
                        return Err(MatchError::Settings(format!(
                            "unit {}: expected the luck of every game, by {judging}",
                            self.next
                        )));
                    }
                    for pair in records.chunks(2) {
                        self.tally.add(pair, game.sprt.as_ref(), game.luck.is_some());
                        (self.heard)(&self.tally, pair);
                    }
                }
                Err(Panicked(why)) => self.tally.fail(self.next, why),
            }
            self.next += 1;
        }
        Ok(())
    }
}

/// What the store has of a unit.
fn kept<G: ArenaGame>(
    unit: &Unit,
    ledger: Option<&mut dyn ResultStore>,
) -> Result<Option<Played<G>>, MatchError> {
    let Some(ledger) = ledger else { return Ok(None) };
    Ok(match ledger.get(&unit.name())? {
        Some(UnitResult::Result(text)) => Some(Ok(read_games(&text)?)),
        // A failed unit is tried again.
        Some(UnitResult::Failed(_)) | None => None,
    })
}
