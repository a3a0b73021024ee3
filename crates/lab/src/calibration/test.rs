//! Tests the shares of a model on games that it was not fitted to.

use std::collections::BTreeMap;

use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_engine::{Calibration, Phase, Value, Wdl};

use super::Seen;

/// A model that gives shares.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Model<'a> {
    /// The fitted model.
    Fitted(&'a Calibration),
    /// The model of version 0.3, independent of the phase.
    Before,
}

impl Model<'_> {
    fn shares(self, phase: Phase, value: Value) -> Wdl {
        match self {
            Model::Fitted(calibration) => calibration.shares(phase, value),
            Model::Before => {
                let v = (f64::from(value.0) * 1.22).clamp(-1.0, 1.0);
                let room = 1.0 - v.abs();
                let draw = room * (0.6 - 0.25 * room);
                Wdl { win: (1.0 + v - draw) / 2.0, draw, loss: (1.0 - v - draw) / 2.0 }
            }
        }
    }
}

/// Whether a position belongs to a phase.
type Belongs = fn(Phase) -> bool;

/// Phases by name, each with a test for its positions.
pub(super) const PHASES: [(&str, Belongs); 5] = [
    ("all positions", |_| true),
    ("17 to 32 face down", |phase| phase.hidden > 16),
    ("1 to 16 face down", |phase| (1..=16).contains(&phase.hidden)),
    ("none face down, over 8 pieces", |phase| phase.hidden == 0 && phase.pieces > 8),
    ("none face down, 8 pieces or fewer", |phase| phase.hidden == 0 && phase.pieces <= 8),
];

/// Number of bins.
pub(super) const BINS: usize = 10;

/// Positions of a phase whose expected score is in one tenth of the scale. Each is a mean over positions,
/// clustered by pair.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bin {
    /// Number of games that its positions come from.
    pub games: u64,
    /// Expected score by the model, from 0 to 1.
    pub expected: Clustered,
    /// Actual score.
    pub scored: Clustered,
    /// Actual less expected score.
    pub error: Clustered,
    /// Expected draws.
    pub draws_expected: Clustered,
    /// Actual draws.
    pub draws: Clustered,
    /// Actual less expected draws.
    pub draws_error: Clustered,
}

/// The sums over a pair's positions in a bin.
#[derive(Default)]
struct Sums {
    n: u64,
    /// Which of its games contribute.
    games: [bool; 2],
    /// Expected and actual score, expected and actual draws.
    of: [f64; 4],
}

/// The results by phase and tenth.
pub type Tested = BTreeMap<(usize, usize), Bin>;

/// Compares a model with the results of games. Positions of a pair come one after another.
pub fn test(seen: &[Seen], model: Model<'_>) -> Tested {
    let mut all = Tested::new();
    for pair in seen.chunk_by(|a, b| a.pair == b.pair) {
        let mut sums: BTreeMap<(usize, usize), Sums> = BTreeMap::new();
        for one in pair {
            let wdl = model.shares(one.phase, one.value);
            let expected = wdl.win + wdl.draw / 2.0;
            let bin = ((expected * BINS as f64) as usize).min(BINS - 1);
            for (phase, _) in PHASES.iter().enumerate().filter(|(_, (_, is_in))| is_in(one.phase)) {
                let Sums { n, games, of: all } = sums.entry((phase, bin)).or_default();
                *n += 1;
                games[usize::from(one.game % 2)] = true;
                let drawn = f64::from(u8::from(one.result == 0));
                let of = [expected, f64::midpoint(f64::from(one.result), 1.0), wdl.draw, drawn];
                all.iter_mut().zip(of).for_each(|(sum, value)| *sum += value);
            }
        }
        for (place, Sums { n, games, of: [expected, scored, draws_expected, draws] }) in sums {
            let bin = all.entry(place).or_default();
            bin.games += games.into_iter().map(u64::from).sum::<u64>();
            bin.expected.add(n, expected);
            bin.scored.add(n, scored);
            bin.error.add(n, scored - expected);
            bin.draws_expected.add(n, draws_expected);
            bin.draws.add(n, draws);
            bin.draws_error.add(n, draws - draws_expected);
        }
    }
    all
}
