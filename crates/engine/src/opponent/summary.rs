//! A model's summary of an opponent: beliefs, an estimate of strength, and a stance.

use super::Belief;
use crate::portable::exp;
use crate::stance::Stance;

/// See the module.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct OpponentSummary {
    /// Named hypotheses with probabilities that sum to 1; empty without a model.
    pub beliefs: Vec<Belief>,
    /// The stance against that belief. It replaces the configured one, except for the parts it leaves open.
    pub stance: Stance,
    /// The estimate that is shown to people, once there is one. Other crates put it into words, in any language.
    pub estimate: Option<PlayerEstimate>,
}

/// Which known player the opponent is like, and how strong it is.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerEstimate {
    /// The known player that it is most like.
    pub like: Option<Likeness>,
    /// The probability of none of the known players.
    pub none: f64,
    /// By how much it is stronger than we are.
    pub strength: Strength,
}

/// A known player that an opponent is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    /// The player's name, or its configuration where that is known.
    pub player: String,
    /// The nodes of its searches.
    pub nodes: Option<u64>,
    /// The probability of this player.
    pub probability: f64,
}

/// A strength in Elo: possible ones, each with its probability and its standard error.
#[derive(Clone, Debug, PartialEq)]
pub struct Strength {
    /// Probabilities, means and standard errors.
    pub possible: Vec<(f64, f64, f64)>,
    /// The strength in the same scale of the player it is counted from.
    pub from: f64,
}

/// No player is further from 0 Elo.
const MOST_ELO: f64 = 2_000.0;

impl Strength {
    /// The lower end of a 95 % interval, the mean, and the upper end.
    pub fn interval(&self) -> [f64; 3] {
        let mean = self.possible.iter().map(|(p, elo, _)| p * (elo - self.from)).sum();
        [self.quantile(0.025), mean, self.quantile(0.975)]
    }

    /// The probability that it is below so many Elo.
    pub fn below(&self, elo: f64) -> f64 {
        let elo = elo + self.from;
        self.possible.iter().map(|(p, mean, error)| p * normal_cdf((elo - mean) / error)).sum()
    }

    /// The Elo that so much of the distribution is below.
    fn quantile(&self, share: f64) -> f64 {
        let (mut low, mut high) = (-MOST_ELO, MOST_ELO);
        for _ in 0..40 {
            let middle = f64::midpoint(low, high);
            if self.below(middle) < share { low = middle } else { high = middle }
        }
        f64::midpoint(low, high)
    }
}

/// The share of a normal distribution below so many of its deviations, to seven digits: Abramowitz and Stegun (1964), 7.1.26.
fn normal_cdf(x: f64) -> f64 {
    let z = x.abs() * std::f64::consts::FRAC_1_SQRT_2;
    let t = 1.0 / (1.0 + 0.327_591_1 * z);
    let series = [1.061_405_429, -1.453_152_027, 1.421_413_741, -0.284_496_736, 0.254_829_592];
    let sum = series.into_iter().fold(0.0, |sum, term| (sum + term) * t);
    let beyond = sum * exp(-z * z) / 2.0;
    if x < 0.0 { beyond } else { 1.0 - beyond }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distributions_are_normal() {
        for (x, below) in [(-1.96, 0.024_998), (0.0, 0.5), (1.0, 0.841_345), (3.0, 0.998_650)] {
            assert!((normal_cdf(x) - below).abs() < 1e-6, "{x}");
        }
    }
}
