//! What players scored in games whose luck is known, with it and without it.

use std::collections::BTreeMap;

use anglerfish_engine::luck::{GAME, Millionths, STAGES};
use serde_json::{Value, json};

use super::{Row, Table, bounded, grouped, plus_minus};
use anglerfish_arena::stats::adjusted::{Adjusted, Known, points};
use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_arena::stats::elo::Estimate;

/// A finished game whose luck is known.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// First and second player. Games against oneself have no score.
    pub players: [&'a str; 2],
    /// The deal, if the record has it: games of one deal are one witness.
    pub deal: Option<&'a str>,
    /// What the first player got: 0, 1 or 2 halves of a point.
    pub halves: u8,
    /// The luck of the first player by stage.
    pub luck: [Millionths; STAGES],
}

/// What games say.
#[derive(Clone, Debug, Default)]
pub struct Scores {
    /// By name: how many games, and what they scored.
    pub players: BTreeMap<String, (u64, Adjusted)>,
    /// The luck of the first mover, in points a game.
    pub first_movers: Clustered,
}

impl Scores {
    /// The scores of all games. A deal is one witness, wherever its games are, in the order in which deals come: whatever shares one is adjusted
    /// together.
    pub fn of(games: &[Judged<'_>]) -> Scores {
        let (mut places, mut deals) = (BTreeMap::new(), Vec::<Vec<&Judged<'_>>>::new());
        for (n, game) in games.iter().enumerate() {
            let deal = game.deal.map_or_else(|| format!("game {n}"), str::to_owned);
            let place = *places.entry(deal).or_insert(deals.len());
            deals.resize(deals.len().max(place + 1), Vec::new());
            deals[place].push(game);
        }
        let mut scores = Scores::default();
        for deal in &deals {
            scores.add(deal);
        }
        scores
    }

    /// The games of one deal.
    fn add(&mut self, games: &[&Judged<'_>]) {
        let mut players: BTreeMap<&str, (u64, f64, [f64; STAGES])> = BTreeMap::new();
        let mut sum = 0;
        for game in games {
            sum += game.luck.iter().sum::<i64>();
            let (score, luck) = (f64::from(game.halves) / 2.0, points(&[game.luck]));
            let [first, second] = game.players;
            let sides = [(first, score, 1.0), (second, 1.0 - score, -1.0)];
            for (name, score, sign) in sides.into_iter().filter(|_| first != second) {
                let (n, points, all) = players.entry(name).or_default();
                (*n, *points) = (*n + 1, *points + score);
                all.iter_mut().zip(luck).for_each(|(all, luck)| *all += sign * luck);
            }
        }
        self.first_movers.add(games.len() as u64, sum as f64 / (2 * GAME) as f64);
        for (name, (n, score, luck)) in players {
            let (all, adjusted) = self.players.entry(name.to_owned()).or_default();
            *all += n;
            adjusted.add(score / n as f64, luck.map(|luck| luck / n as f64));
        }
    }

    /// What is known of each player who has two deals or more, best first.
    pub fn known(&self) -> Vec<(&str, u64, Known)> {
        let mut players: Vec<_> = self
            .players
            .iter()
            .filter_map(|(name, (n, adjusted))| Some((name.as_str(), *n, adjusted.known()?)))
            .collect();
        players.sort_by(|a, b| b.2.score.value.total_cmp(&a.2.score.value));
        players
    }

    /// The players as a table.
    pub fn table(&self) -> Table {
        let row = |(name, n, known): &(&str, u64, Known)| {
            let [score, raw] = known.scores_within_bounds();
            Row {
                head: (*name).to_owned(),
                cells: vec![
                    grouped(*n).into(),
                    percent(&raw).into(),
                    points_of_luck(&known.luck).into(),
                    format!("{:+.1}", 100.0 * (known.raw.value - known.score.value)).into(),
                    percent(&score).into(),
                    format!("{:.2}", known.ratio()).into(),
                ],
            }
        };
        Table {
            title: "Players".to_owned(),
            caption: "Points of a hundred per game, ± half of a 95 % interval, or both of its ends (Wilson's, by deal); every deal counts alike, however many games it has. Removed: the part of the luck that is subtracted from the score. Gain: how many times as many games the score with luck needs for the same precision.".to_owned(),
            columns: ["player", "games", "score", "luck", "removed", "without luck", "gain"].map(str::to_owned).to_vec(),
            rows: self.known().iter().map(row).collect(),
        }
    }

    /// The players by name.
    pub fn json(&self) -> serde_json::Map<String, Value> {
        let player = |(name, n, known): (&str, u64, Known)| {
            let [score, raw] = known.scores_within_bounds();
            let object = json!({
                "games": n,
                "score": estimate(&raw),
                "luck": estimate(&known.luck),
                "adjusted": estimate(&score),
                "weights": known.weights,
                "ratio": known.ratio(),
            });
            (name.to_owned(), object)
        };
        self.known().into_iter().map(player).collect()
    }

    /// The luck of the first mover, in points a game.
    pub fn first_movers_json(&self) -> Value {
        let (low, high) = self.first_movers.interval();
        estimate(&Estimate { value: self.first_movers.mean(), low, high })
    }
}

/// A share in points of a hundred: `52.1 ± 3.4`.
pub(super) fn percent(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = *estimate;
    bounded([value, low, high].map(|share| 100.0 * share), [0.0, 100.0], 1)
}

/// Luck in points of a hundred: `+1.4 ± 6.2`.
pub(super) fn points_of_luck(estimate: &Estimate) -> String {
    // Nothing is further off than from lost to won.
    let (value, error) = (100.0 * estimate.value, (100.0 * estimate.error()).min(100.0));
    format!("{value:+.1}{}", plus_minus(error, 1))
}

pub(super) fn estimate(e: &Estimate) -> Value {
    json!({ "value": e.value, "low": e.low, "high": e.high })
}
