//! The expected score of a player in a tournament, from its results against stronger, equal and weaker opponents.
//!
//! This is the measure by which contempt is judged: a draw against a stronger opponent is a gain and against a weaker
//! one a loss, which Elo, one number for all opponents, cannot say. Hung-Jui Chang, Cheng Yueh, Gang-Yu Fan, Ting-Yu
//! Lin and Tsan-sheng Hsu, "Opponent Model Selection Using Deep Learning", 2021, section 2.3. The caller
//! decides who counts as stronger.

use crate::stats::elo::{Estimate, Z95};

/// Games played against one class of opponents (in the paper S, E or W: stronger, equal, weaker).
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Results {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// One class of opponents in the tournament to come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Class {
    /// `N_i`: how many of the participants are of this class.
    pub opponents: u32,
    /// `P_{W,i}`: the probability of winning a game against one of them.
    pub win: f64,
    /// `P_{D,i}`: the probability of drawing it.
    pub draw: f64,
}

impl Results {
    /// The games counted.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The class of `opponents` opponents for which these games are typical; all losses when there are none.
    pub fn class(&self, opponents: u32) -> Class {
        let games = self.games().max(1) as f64;
        Class { opponents, win: self.wins as f64 / games, draw: self.draws as f64 / games }
    }
}

/// The expected score at 2 points a win and 1 a draw, one game against each opponent:
///
/// > ES = Σ_{i ∈ {E, S, W}} `N_i` × (2 `P_{W,i}` + `P_{D,i}`).    (1)
pub fn expected_score(classes: &[Class]) -> f64 {
    classes.iter().map(|class| f64::from(class.opponents) * (2.0 * class.win + class.draw)).sum()
}

/// [`expected_score`] from counted games, with a 95 % interval for what the true probabilities would give.
///
/// The interval is normal: each class's mean has the variance of one game's points over its games, and classes add up
/// independently. A class with opponents but no games makes the interval as wide as the points at stake; ends are cut
/// at 0 and at two points an opponent. It says how well the mean is known, not how far one tournament may stray.
pub fn expected_score_of(classes: &[(u32, Results)]) -> Estimate {
    let value = expected_score(&classes.iter().map(|(n, tally)| tally.class(*n)).collect::<Vec<_>>());
    let most: f64 = classes.iter().map(|(n, _)| 2.0 * f64::from(*n)).sum();
    if classes.iter().any(|(n, tally)| *n > 0 && tally.games() == 0) {
        return Estimate { value, low: 0.0, high: most };
    }
    let variance: f64 = classes
        .iter()
        .filter(|(n, _)| *n > 0)
        .map(|(n, tally)| {
            let Class { win, draw, .. } = tally.class(*n);
            let mean = 2.0 * win + draw;
            let of_game = 4.0 * win + draw - mean * mean;
            f64::from(*n).powi(2) * of_game.max(0.0) / tally.games() as f64
        })
        .sum();
    let error = Z95 * variance.sqrt();
    Estimate { value, low: (value - error).max(0.0), high: (value + error).min(most) }
}
