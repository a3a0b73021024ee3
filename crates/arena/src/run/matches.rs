//! A match: pairs of games between two contestants until enough are played or a sequential test has decided.
//!
//! Every pair is a unit. Results are counted in the order of the pairs, not in the order in which threads finish them, so the
//! tally, the point at which a test stops and the file of games are the same however the run was scheduled or interrupted.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Cause, NotationError, Outcome, Record, Rng, Team, read_records};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::pairs::{Contestant, Pairing, halves, play_logged};
use crate::run::run_units;
use crate::run::{Journal, JournalError};
use crate::stats::elo::Pentanomial;
use crate::stats::sprt::{Sprt, Verdict};

/// What a match depends on. Two runs with equal settings and node budgets play equal games.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Match {
    /// The contestants; scores are the first one's.
    pub players: [Contestant; 2],
    /// The rule set.
    pub rules: String,
    /// The seed of everything random.
    pub seed: u64,
    /// The most pairs to play.
    pub pairs: u64,
    /// Deals to play in this order, round and round; from the seed if there are none.
    #[serde(default)]
    pub deals: Vec<String>,
    /// A test that may stop the match early. Games do not depend on it.
    #[serde(skip)]
    pub sprt: Option<Sprt>,
    /// The folder that gets what programs and we say to each other, a file a program and game. Games do not depend on it.
    #[serde(skip)]
    pub log: Option<PathBuf>,
}

/// Why a match cannot go on.
#[derive(Debug, Error)]
pub enum MatchError {
    /// The settings do not make sense.
    #[error("{0}")]
    Settings(String),
    /// The journal.
    #[error(transparent)]
    Journal(#[from] JournalError),
}

/// The state of a match after some pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pairs by what the first contestant got from them.
    pub pairs: Pentanomial,
    /// Games that the first contestant won, drew and lost.
    pub games: [u64; 3],
    /// How games ended: the words of records.
    pub endings: BTreeMap<&'static str, u64>,
    /// Games that each contestant lost other than on the board.
    pub forfeits: [u64; 2],
    /// Plies played.
    pub plies: u64,
    /// The log-likelihood ratio after each pair, if there is a test.
    pub llr: Vec<f64>,
    /// What the test says.
    pub verdict: Option<Verdict>,
}

impl Tally {
    /// Counts the games of one more pair, and asks the test if there is one.
    pub fn add(&mut self, records: &[Record<Banqi>], sprt: Option<&Sprt>) {
        for (record, first_team) in records.iter().zip([Team::A, Team::B]) {
            let Some(ending) = record.ending else { continue };
            let place = match ending.outcome {
                Outcome::Win(team) if team == first_team => 0,
                Outcome::Draw => 1,
                Outcome::Win(_) => 2,
            };
            self.games[place] += 1;
            *self.endings.entry(ending.cause.text()).or_default() += 1;
            if let Cause::Forfeit(_) = ending.cause {
                self.forfeits[usize::from(place == 0)] += 1;
            }
            self.plies += record.plies.len() as u64;
        }
        self.pairs.add(halves(records));
        if let Some(sprt) = sprt {
            self.llr.push(sprt.llr(&self.pairs));
            self.verdict = Some(sprt.verdict(&self.pairs));
        }
    }

    fn is_decided(&self) -> bool {
        self.verdict.is_some_and(|v| v != Verdict::Continue)
    }
}

impl Match {
    /// The pairing of pair `n`, counted from 1.
    pub fn pairing(&self, n: u64) -> Pairing {
        let deal = match self.deals.len() as u64 {
            0 => None,
            deals => Some(self.deals[((n - 1) % deals) as usize].clone()),
        };
        Pairing {
            pair: n,
            round: 0,
            rules: self.rules.clone(),
            seed: Rng::stream(self.seed, &format!("pair:{n}")).next_u64(),
            deal,
            players: self.players.clone(),
            single: false,
        }
    }

    /// The texts of its pairs, in their order: what [`play_pair`](crate::play_pair) takes.
    pub fn units(&self) -> impl Iterator<Item = String> {
        (1..=self.pairs).map(|n| self.pairing(n).text())
    }

    /// The run that a journal belongs to: everything that games depend on. How many pairs there are and when to stop may
    /// change when a match is resumed.
    pub fn run_name(&self) -> String {
        let run = Match { pairs: 0, ..self.clone() };
        serde_json::to_string(&run).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }

    /// Checks what can be checked before anything is played.
    ///
    /// # Errors
    /// When rules, budgets, deals or players are not what they should be.
    pub fn check(&self) -> Result<(), MatchError> {
        let settings = |e: String| MatchError::Settings(e);
        let rules: RuleSet = self.rules.parse().map_err(|e: NotationError| settings(e.to_string()))?;
        for player in &self.players {
            player.check(&rules).map_err(settings)?;
        }
        for deal in &self.deals {
            let layout: anglerfish_rules::banqi::Layout =
                deal.parse().map_err(|e: NotationError| settings(format!("deal {deal}: {e}")))?;
            if layout.board() != rules.board {
                return Err(settings(format!("deal {deal} is for another board than {rules}")));
            }
        }
        if let Some(sprt) = &self.sprt {
            sprt.check().map_err(|e| settings(e.to_string()))?;
        }
        Ok(())
    }

    /// Plays the match, beginning with what the journal already has. `heard` is told of every pair in order,
    /// once the journal has it.
    ///
    /// # Errors
    /// When the settings do not make sense or the journal fails; what was played until then is in the journal.
    pub fn run(
        &self,
        journal: Option<&mut Journal>,
        threads: usize,
        heard: &mut dyn FnMut(&Tally, &[Record<Banqi>]),
    ) -> Result<Tally, MatchError> {
        self.check()?;
        let texts: Vec<String> = self.units().collect();
        let numbers: BTreeMap<&str, usize> = texts.iter().map(String::as_str).zip(0..).collect();
        let mut tally = Tally::default();
        // Pairs that are done but whose turn to be counted has not come.
        let mut waiting: BTreeMap<usize, Vec<Record<Banqi>>> = BTreeMap::new();
        let mut next = 0;
        let mut count = |tally: &mut Tally, waiting: &mut BTreeMap<usize, Vec<Record<Banqi>>>| {
            while !tally.is_decided()
                && let Some(records) = waiting.remove(&next)
            {
                tally.add(&records, self.sprt.as_ref());
                heard(tally, &records);
                next += 1;
            }
        };

        // Step 1. What an earlier run has played.
        let mut left = Vec::new();
        for (n, text) in texts.iter().enumerate() {
            match journal.as_ref().and_then(|j| j.result(text)) {
                Some(result) => {
                    waiting.insert(n, read_result(result).map_err(MatchError::Settings)?);
                }
                None => left.push(text.clone()),
            }
        }
        count(&mut tally, &mut waiting);
        if tally.is_decided() {
            return Ok(tally);
        }

        // Step 2. The rest, if both can play.
        if !left.is_empty() {
            let log = self.log.as_deref();
            self.players.iter().try_for_each(|player| player.greet(log)).map_err(MatchError::Settings)?;
        }
        let work = work(journal.is_some(), self.log.as_deref());
        run_units(left, threads, journal, work, |unit, records| {
            if let Some(&n) = numbers.get(unit.as_str()) {
                waiting.insert(n, records);
            }
            count(&mut tally, &mut waiting);
            if tally.is_decided() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(tally)
    }
}

/// What came of a unit: its games, and their text for the journal.
pub(crate) type Played = Result<(Vec<Record<Banqi>>, String), MatchError>;

/// The work of a unit; the text is only written if somebody will `keep` it.
pub(crate) fn work(keep: bool, log: Option<&Path>) -> impl Fn(&str) -> Played {
    move |unit| {
        let records = play_logged(unit, log).map_err(MatchError::Settings)?;
        let text = if keep { records.iter().map(|r| r.to_string() + "\n").collect() } else { String::new() };
        Ok((records, text))
    }
}

/// Reads the text of a unit's games.
pub(crate) fn read_result(result: &str) -> Result<Vec<Record<Banqi>>, String> {
    read_records(result).collect::<Result<_, _>>().map_err(|e| e.pointing_at(result))
}
