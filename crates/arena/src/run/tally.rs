//! The state of a match after some pairs.

use std::collections::BTreeMap;

use anglerfish_engine::luck::GAME;
use anglerfish_rules::{Cause, Outcome, Record, Team};
use serde::{Deserialize, Serialize};

use super::worker::halves;
use crate::arena_game::ArenaGame;
use crate::luck::read_luck;
use crate::stats::adjusted::{Adjusted, points};
use crate::stats::curve::Curve;
use crate::stats::elo::Pentanomial;
use crate::stats::sprt::{Sprt, Verdict};

/// The counts of a match; their size does not depend on the number of pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tally {
    /// Pairs by the points of the first contestant.
    pub pairs: Pentanomial,
    /// Games that the first contestant won, drew and lost.
    pub games: [u64; 3],
    /// The pairs with their luck, if it was judged.
    pub adjusted: Option<Adjusted>,
    /// Games that the first contestant won, drew and lost, by its luck in them, to the nearest tenth of a game.
    pub by_luck: BTreeMap<i64, [u64; 3]>,
    /// How games ended: the words of records.
    pub endings: BTreeMap<&'static str, u64>,
    /// Games that each contestant lost by forfeit.
    pub forfeits: [u64; 2],
    /// Plies played.
    pub plies: u64,
    /// The course of the log-likelihood ratio, if there is a test.
    pub llr: Curve,
    /// The state of the test.
    pub verdict: Option<Verdict>,
    /// The number of units that panicked.
    pub failed: u64,
    /// The first unit that panicked, with its message.
    pub first_failure: Option<(u64, String)>,
    /// The games after the test had decided; they are no part of its verdict.
    pub after: Option<Box<Tally>>,
}

impl Tally {
    /// Counts the games of one more pair, and updates the test if there is one.
    ///
    /// Luck counts if the match measures it: then every record has it.
    pub fn add<G: ArenaGame>(&mut self, records: &[Record<G>], sprt: Option<&Sprt>, with_luck: bool) {
        if self.is_decided() {
            return self.after.get_or_insert_default().add(records, None, with_luck);
        }
        for (record, first_team) in records.iter().zip([Team::A, Team::B]) {
            let Some(ending) = record.ending else { continue };
            let place = match ending.outcome {
                Outcome::Win(team) if team == first_team => 0,
                Outcome::Draw => 1,
                Outcome::Win(_) => 2,
            };
            self.games[place] += 1;
            if let Some((_, luck)) = read_luck(record).filter(|_| with_luck) {
                let luck = luck.iter().sum::<i64>() * if first_team == Team::A { 1 } else { -1 };
                let tenths = (10 * luck + GAME / 2).div_euclid(GAME);
                self.by_luck.entry(tenths).or_default()[place] += 1;
            }
            *self.endings.entry(ending.cause.text()).or_default() += 1;
            if let Cause::Forfeit(_) = ending.cause {
                self.forfeits[usize::from(place == 0)] += 1;
            }
            self.plies += record.plies.len() as u64;
        }
        let halves = halves(records);
        self.pairs.add(halves);
        let luck: Option<Vec<_>> = records.iter().map(|record| Some(read_luck(record)?.1)).collect();
        if let Some(luck) = luck.filter(|luck| with_luck && !luck.is_empty()) {
            let score = f64::from(halves) / (2 * records.len()) as f64;
            self.adjusted.get_or_insert_default().add(score, points(&luck));
        }
        if let Some(sprt) = sprt {
            let llr = match &self.adjusted {
                Some(adjusted) => {
                    adjusted.known().map_or(0.0, |known| sprt.adjusted_llr(&known, &self.pairs))
                }
                None => sprt.llr(&self.pairs),
            };
            self.llr.push(llr);
            self.verdict = Some(sprt.decide(llr));
        }
    }

    /// The verdict of the test, with its bounds and the number of pairs; `None` while it is open.
    pub fn decision(&self, sprt: Option<&Sprt>) -> Option<Decision> {
        let (verdict, test) = (self.verdict.filter(|_| self.is_decided())?, *sprt?);
        Some(Decision { verdict, test, pairs: self.pairs.pairs(), llr: self.llr.last().unwrap_or_default() })
    }

    /// Counts a unit that panicked.
    pub(super) fn fail(&mut self, unit: u64, why: String) {
        if self.is_decided() {
            return self.after.get_or_insert_default().fail(unit, why);
        }
        self.failed += 1;
        self.first_failure.get_or_insert((unit, why));
    }

    /// Whether a test has decided.
    pub fn is_decided(&self) -> bool {
        self.verdict.is_some_and(|v| v != Verdict::Continue)
    }
}

/// The verdict of a test. Later games and later questions about the same games do not change it.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Decision {
    /// The decision.
    pub verdict: Verdict,
    /// The test.
    pub test: Sprt,
    /// The number of pairs until then.
    pub pairs: u64,
    /// The log-likelihood ratio then.
    pub llr: f64,
}
