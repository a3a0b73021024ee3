//! The worth of adapting in tournaments: Swiss events of the field in which we replace the champion, with and
//! without a model.
//!
//! All games of the events are actually played. Ours are those against the field, one deal per event, and the
//! same deal with and without a model. The others' games are played once, and used again in later events. So
//! the two events of a number differ only in our games and their consequences.

use anglerfish_arena::Match;
use anglerfish_arena::swiss::standings::standings;
use anglerfish_arena::swiss::{Game, Round, WIN, next_round};
use anglerfish_report::{Row, Table};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Rng, RngExt};

use super::{Arm, KeptPair, game, opponents::opponents};
use crate::assets::digests;
use crate::field::contestant;
use crate::paired::read;
use crate::stats::{mean_and_error, plus_minus, signed};
use crate::{LabError, Manifest, Results};
use anglerfish_opponents::field::{CHAMPION, MEMBERS};

/// Rounds of an event.
const ROUNDS: usize = 7;

/// Half points of the first-named player in the games of each pair; it moves first in the first game.
type Pool = Vec<[u8; 2]>;

/// Our places and points in events, without a model and with one.
pub(super) struct Ranked {
    pub(super) ranks: Vec<[f64; 2]>,
    pub(super) points: Vec<[f64; 2]>,
    /// Number of events until our deals repeat.
    witnesses: usize,
    /// Number of games between any two others, which all events use.
    rivals: usize,
}

/// The match between two of the others, on deals of their own.
fn rivals(manifest: &Manifest, [first, second]: [usize; 2]) -> Match {
    let fewer = manifest.number("fewer");
    let players = [MEMBERS[first], MEMBERS[second]].map(|member| contestant(&member, fewer));
    let seed = 1_000 * manifest.seed + 500 + (first * MEMBERS.len() + second) as u64;
    Match {
        ponder: true,
        assets: digests(),
        ..Match::new::<Banqi>(players, "platform", seed, manifest.number("rivals").div_ceil(2))
    }
}

fn champion() -> usize {
    let found = MEMBERS.iter().position(|member| member.name == CHAMPION);
    found.unwrap_or_else(|| unreachable!("the champion is a member"))
}

/// All pairs of the others.
fn encounters() -> impl Iterator<Item = [usize; 2]> {
    let all = (0..MEMBERS.len()).flat_map(|a| (a + 1..MEMBERS.len()).map(move |b| [a, b]));
    all.filter(|pair| !pair.contains(&champion()))
}

pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    encounters().flat_map(|pair| rivals(manifest, pair).units().collect::<Vec<_>>()).collect()
}

/// Plays all events, if there are games for them.
pub(super) fn ranked(manifest: &Manifest, results: &Results) -> Result<Option<Ranked>, LabError> {
    if manifest.number("rivals") == 0 || manifest.number("games") == 0 {
        return Ok(None);
    }
    let pool = |game: &Match| -> Result<Pool, LabError> {
        Ok(read::<KeptPair>(game, results)?.iter().map(|kept| kept.halves).collect())
    };
    let n = MEMBERS.len();
    let mut others = vec![Pool::new(); n * n];
    for pair in encounters() {
        others[pair[0] * n + pair[1]] = pool(&rivals(manifest, pair))?;
    }
    let mut ours = [Vec::new(), Vec::new()];
    for (pools, arm) in ours.iter_mut().zip([Arm::Plain, Arm::Adapt]) {
        for them in &opponents()[..n] {
            pools.push(pool(&game(manifest, them, arm))?);
        }
    }
    let witnesses = ours.iter().flatten().map(Vec::len).min().unwrap_or_default();
    let rivals = 2 * others.iter().map(Vec::len).max().unwrap_or_default();
    let mut ranked = Ranked { ranks: Vec::new(), points: Vec::new(), witnesses, rivals };
    for number in 0..manifest.number("events") {
        let both = [0, 1].map(|arm| event(number, &ours[arm], &others));
        ranked.ranks.push(both.map(|(rank, _)| rank));
        ranked.points.push(both.map(|(_, points)| points));
    }
    Ok(Some(ranked))
}

/// Our place and points in one event.
fn event(number: u64, ours: &[Pool], others: &[Pool]) -> (f64, f64) {
    let (n, us) = (MEMBERS.len(), champion());
    let mut order: Vec<usize> = (0..n).collect();
    Rng::stream(number, "event").shuffle(&mut order);
    let points = |first: usize, second: usize| {
        let pool = match () {
            () if first == us => &ours[second],
            () if second == us => &ours[first],
            () => &others[first.min(second) * n + first.max(second)],
        };
        // In our pools we are named first; else the player that comes first in the list.
        let leads = first == us || (second != us && first < second);
        let got = u32::from(pool[number as usize % pool.len()][usize::from(!leads)]);
        if leads { [got, WIN - got] } else { [WIN - got, got] }
    };
    let mut rounds: Vec<Round> = Vec::new();
    for _ in 0..ROUNDS {
        let pairing = next_round(&rounds, &order);
        let games = pairing.boards.iter().map(|&(first, second)| Game {
            first,
            second,
            points: points(first, second),
        });
        let games = games.collect();
        rounds.push(Round { games, bye: pairing.bye });
    }
    let table = standings(&rounds, &order);
    let place = table.iter().position(|standing| standing.player == us).unwrap_or_default();
    (place as f64 + 1.0, f64::from(table[place].points) / f64::from(WIN))
}

impl Ranked {
    /// How much larger the second is than the first, with half of its 95 % interval.
    pub(super) fn difference(&self, both: &[[f64; 2]]) -> (f64, f64) {
        self.mean(both, |[plain, adapt]| adapt - plain)
    }

    /// The mean of a quantity over events, with half of its 95 % interval. Events with the same deals of ours
    /// are one sample.
    fn mean(&self, both: &[[f64; 2]], of: impl Fn(&[f64; 2]) -> f64) -> (f64, f64) {
        let alike = |first: usize| {
            let values: Vec<f64> = both[first..].iter().step_by(self.witnesses).map(&of).collect();
            values.iter().sum::<f64>() / values.len() as f64
        };
        mean_and_error(&(0..self.witnesses.min(both.len())).map(alike).collect::<Vec<_>>())
    }

    pub(super) fn table(&self) -> Table {
        let row = |(head, both): (&str, &Vec<[f64; 2]>)| {
            let mean = |arm: usize| {
                let (mean, error) = self.mean(both, |each| each[arm]);
                format!("{mean:.2}{}", plus_minus(error, 2))
            };
            let (difference, error) = self.difference(both);
            let difference = format!("{}{}", signed(difference, 2), plus_minus(error, 2));
            Row { head: head.to_owned(), cells: [mean(0), mean(1), difference].map(Into::into).to_vec() }
        };
        Table {
            title: format!("Place and points in {} Swiss events", self.ranks.len()),
            caption: format!(
                "{} players, {ROUNDS} rounds, a point per win; we have the champion's chair. Every game of an event was played: ours on the same deals with and without a model, those of the others the same in both, {} for every two of them. Events in which our games are of the same deals are one witness: there are {}.",
                MEMBERS.len(),
                self.rivals,
                self.witnesses.min(self.ranks.len()),
            ),
            columns: ["", "plain", "adapting", "difference"].map(str::to_owned).to_vec(),
            rows: [("place", &self.ranks), ("points", &self.points)].into_iter().map(row).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::Size;

    #[test]
    fn every_two_of_the_others_have_deals_of_their_own() {
        let manifest = Manifest::new(&super::super::Adapt, Size::Ci, 1);
        let others = encounters().map(|pair| rivals(&manifest, pair).seed);
        let ours = opponents().into_iter().map(|them| game(&manifest, &them, Arm::Plain).seed);
        let seeds: BTreeSet<u64> = others.chain(ours).collect();
        assert_eq!(seeds.len(), encounters().count() + opponents().len());
        assert!(seeds.into_iter().all(|seed| (1_000..2_000).contains(&seed)), "of this run alone");
    }

    #[test]
    fn events_of_the_same_deals_are_one_witness() {
        let ranks = vec![[4.0, 3.0], [5.0, 5.0], [6.0, 3.0], [2.0, 1.0], [7.0, 6.0]];
        let ranked = |witnesses| Ranked { ranks: ranks.clone(), points: Vec::new(), witnesses, rivals: 2 };
        // The first, third and fifth event are alike, and so are the second and the fourth.
        assert_eq!(ranked(2).difference(&ranks), mean_and_error(&[-5.0 / 3.0, -0.5]));
        assert_eq!(ranked(100).difference(&ranks), mean_and_error(&[-1.0, 0.0, -3.0, -1.0, -1.0]));
    }
}
