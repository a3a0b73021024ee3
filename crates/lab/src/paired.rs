//! Paired experiments: the same deals with and without a feature, whose worth is the difference of the scores.

use anglerfish_arena::stats::adjusted::{Adjusted, points};
use anglerfish_arena::{Match, Tally, read_luck};
use anglerfish_engine::luck::STAGES;
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::experiment::read_unit;
use crate::stats::{mean_and_error, plus_minus, signed};
use crate::{LabError, Results};

/// The stored result of a pair of games.
#[derive(Serialize, Deserialize)]
pub(crate) struct Played {
    /// Our points.
    pub(crate) points: f64,
    pub(crate) plies: u64,
    pub(crate) forfeits: u64,
    /// Our luck by stage, if it was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) luck: Option<[f64; STAGES]>,
}

impl Played {
    pub(crate) fn new(records: &[Record<Banqi>]) -> Played {
        let mut tally = Tally::default();
        tally.add(records, None, false);
        let [won, drawn, _] = tally.games;
        let luck: Option<Vec<_>> = records.iter().map(|record| Some(read_luck(record)?.1)).collect();
        Played {
            points: won as f64 + drawn as f64 / 2.0,
            plies: tally.plies,
            forfeits: tally.forfeits.iter().sum(),
            luck: luck.map(|luck| points(&luck)),
        }
    }
}

/// The stored results of the pairs of a match.
pub(crate) fn read<T: DeserializeOwned>(game: &Match, results: &Results) -> Result<Vec<T>, LabError> {
    game.units().map(|unit| read_unit(&unit, results)).collect()
}

/// The worth of a feature, in points of a hundred.
pub(crate) struct Difference {
    pub(crate) games: usize,
    /// Score without and with it.
    pub(crate) scores: [f64; 2],
    /// Plies per game without and with it.
    pub(crate) plies: [f64; 2],
    /// The difference, and half of its 95 % interval.
    pub(crate) raw: (f64, f64),
    /// The same adjusted for luck, if it was judged.
    pub(crate) without_luck: Option<(f64, f64)>,
    pub(crate) forfeits: u64,
}

impl Difference {
    /// From pairs with and without it, on the same deals in the same order. If the latter are missing, one
    /// half is assumed.
    pub(crate) fn new(with: &[&Played], without: Option<&[&Played]>) -> Difference {
        let n = with.len() as f64;
        // A pair is two points: half of its difference is the difference per game.
        let before = |i: usize| without.map_or(1.0, |pairs| pairs[i].points);
        let each: Vec<f64> =
            with.iter().enumerate().map(|(i, pair)| 50.0 * (pair.points - before(i))).collect();
        let (difference, error) = mean_and_error(&each);
        let mut adjusted = Adjusted::default();
        for (i, (pair, difference)) in with.iter().zip(&each).enumerate() {
            let other = without.map_or(Some([0.0; STAGES]), |pairs| pairs[i].luck);
            let (Some(ours), Some(other)) = (pair.luck, other) else { continue };
            // The two have the same deal, and luck of their own.
            adjusted.add(difference / 100.0, std::array::from_fn(|stage| ours[stage] - other[stage]));
        }
        let known = adjusted.known().filter(|known| known.pairs == with.len() as u64);
        let score = |pairs: &[&Played]| 50.0 * pairs.iter().map(|p| p.points).sum::<f64>() / n;
        let plies = |pairs: &[&Played]| pairs.iter().map(|p| p.plies as f64).sum::<f64>() / (2.0 * n);
        Difference {
            games: 2 * with.len(),
            scores: [without.map_or(50.0, score), score(with)],
            plies: [without.map_or(f64::NAN, plies), plies(with)],
            // No two scores are further apart.
            raw: (difference, error.min(100.0)),
            without_luck: known.map(|known| {
                let (difference, error) = known.mean_and_error();
                (100.0 * difference, (100.0 * error).min(100.0))
            }),
            forfeits: with.iter().chain(without.unwrap_or(&[])).map(|p| p.forfeits).sum(),
        }
    }

    /// The best estimate with half of its 95 % interval: adjusted for luck, if possible.
    pub(crate) fn best(&self) -> (f64, f64) {
        self.without_luck.unwrap_or(self.raw)
    }

    /// The lower end of its interval.
    pub(crate) fn low(&self) -> f64 {
        let (difference, error) = self.best();
        difference - error
    }

    pub(crate) fn text((difference, error): (f64, f64)) -> String {
        format!("{}{}", signed(difference, 2), plus_minus(error, 2))
    }
}
