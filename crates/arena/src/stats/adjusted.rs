//! Scores without luck: the same answer from fewer games.
//!
//! At every flip, luck is the value of the drawn piece less the mean over the possible pieces ([`anglerfish_engine::luck`]). Its
//! expectation is zero for every player and judge. Subtracting a multiple of it from a result keeps the expected result, and
//! with the right multiple takes away what luck explains: it is a control variate (Burch, Schmid, Moravčík, Morrill and Bowling,
//! "AIVAT: A New Variance Reduction Technique for Agent Evaluation in Imperfect Information Games", 2018, do this for poker).
//!
//! The multiples, one for each stage of the game, are fitted. A fit to the same pairs would follow their noise and
//! overstate its precision. So pairs are divided into [`FOLDS`], and each is adjusted by a fit to the other folds (cross-fitting),
//! which keeps the estimate unbiased. Only sums are stored, so any number of pairs takes the same memory.

#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use anglerfish_engine::luck::{GAME, Millionths, STAGES};

use super::clustered::t95;
use super::elo::{Estimate, elo_of_scores, within_bounds};
use super::linear::solve;

/// The number of folds.
pub const FOLDS: usize = 10;

/// Added to the sum of squares of luck, so that a stage without luck has a solution. It is about the luck of one pair, in points per game.
const RIDGE: f64 = 0.01;

/// Pairs of games with their luck, as sums.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Adjusted {
    folds: [Sums; FOLDS],
    pairs: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Sums {
    n: f64,
    score: f64,
    squares: f64,
    luck: [f64; STAGES],
    score_luck: [f64; STAGES],
    luck_luck: [[f64; STAGES]; STAGES],
}

/// The result of a match without luck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// The score with its 95 % interval; usually from 0 to 1, but chance can lead beyond.
    pub score: Estimate,
    /// The same with luck.
    pub raw: Estimate,
    /// The variance of a pair's score without luck, in points a game.
    pub variance: f64,
    /// The same with luck.
    pub raw_variance: f64,
    /// The share of each stage's luck that is subtracted: the mean over folds.
    pub weights: [f64; STAGES],
    /// Luck of the first player in points per game, with its 95 % interval; near 0 if the dealer is honest.
    pub luck: Estimate,
    /// The luck that is subtracted from the score, with its 95 % interval; its expectation is 0.
    pub taken: Estimate,
    /// Pairs.
    pub pairs: u64,
}

impl Known {
    /// How many times as many pairs the unadjusted score needs for the same precision.
    pub fn ratio(&self) -> f64 {
        if self.variance > 0.0 { self.raw_variance / self.variance } else { 1.0 }
    }

    /// The Elo that the score means.
    pub fn elo(&self) -> Estimate {
        elo_of_scores(&self.score)
    }

    /// The score without luck and the one with it, as they are shown: their intervals do not pass 0 and 1 ([`within_bounds`]).
    pub fn scores_within_bounds(&self) -> [Estimate; 2] {
        let n = self.pairs as f64;
        [(self.score, self.variance), (self.raw, self.raw_variance)]
            .map(|(score, variance)| within_bounds(score.value, t95(n - 1.0) * (variance / n).sqrt(), n))
    }

    /// The adjusted mean and half of its 95 % interval: for differences of scores, which may be negative.
    pub fn mean_and_error(&self) -> (f64, f64) {
        let n = self.pairs as f64;
        (self.score.value, t95(n - 1.0) * (self.variance / n).sqrt())
    }
}

impl Adjusted {
    /// Adds a pair: the points per game that the first player got, and its luck by stage in all of its games, as [`points`] has it.
    pub fn add(&mut self, score: f64, luck: [f64; STAGES]) {
        let fold = &mut self.folds[(self.pairs % FOLDS as u64) as usize];
        self.pairs += 1;
        fold.n += 1.0;
        fold.score += score;
        fold.squares += score * score;
        for i in 0..STAGES {
            fold.luck[i] += luck[i];
            fold.score_luck[i] += score * luck[i];
            for j in 0..STAGES {
                fold.luck_luck[i][j] += luck[i] * luck[j];
            }
        }
    }

    /// The shares of luck to subtract from a pair that is not among these.
    pub fn weights_for_others(&self) -> [f64; STAGES] {
        self.all().weights()
    }

    /// The shares of luck to subtract from each pair by its index modulo ten, from a fit to the other folds.
    pub fn weights(&self) -> [[f64; STAGES]; FOLDS] {
        let all = self.all();
        self.folds.map(|fold| all.and(&fold, -1.0).weights())
    }

    fn all(&self) -> Sums {
        self.folds.iter().fold(Sums::default(), |all, fold| all.and(fold, 1.0))
    }

    /// How many pairs there are.
    pub fn pairs(&self) -> u64 {
        self.pairs
    }

    /// The result of the pairs; `None` for fewer than two.
    pub fn known(&self) -> Option<Known> {
        if self.pairs < 2 {
            return None;
        }
        let all = self.all();
        let (mut sum, mut squares, mut weights) = (0.0, 0.0, [0.0; STAGES]);
        let (mut taken, mut taken_squares) = (0.0, 0.0);
        for fold in self.folds.iter().filter(|fold| fold.n > 0.0) {
            let w = all.and(fold, -1.0).weights();
            sum += fold.score - dot(&w, &fold.luck);
            taken += dot(&w, &fold.luck);
            let quadratic: f64 = (0..STAGES).map(|i| w[i] * dot(&fold.luck_luck[i], &w)).sum();
            squares += fold.squares - 2.0 * dot(&w, &fold.score_luck) + quadratic;
            taken_squares += quadratic;
            for (mean, w) in weights.iter_mut().zip(w) {
                *mean += w * fold.n / all.n;
            }
        }
        let luck: f64 = all.luck.iter().sum();
        let luck_squares: f64 = all.luck_luck.iter().flatten().sum();
        let (score, variance) = estimate(all.n, sum, squares);
        let (raw, raw_variance) = estimate(all.n, all.score, all.squares);
        let [score, raw] = [score, raw].map(|score| at_least(score, all.n));
        Some(Known {
            score,
            raw,
            variance,
            raw_variance,
            weights,
            luck: estimate(all.n, luck, luck_squares).0,
            taken: estimate(all.n, taken, taken_squares).0,
            pairs: self.pairs,
        })
    }
}

impl Sums {
    fn and(&self, other: &Sums, sign: f64) -> Sums {
        let mut sums = *self;
        sums.n += sign * other.n;
        sums.score += sign * other.score;
        sums.squares += sign * other.squares;
        for i in 0..STAGES {
            sums.luck[i] += sign * other.luck[i];
            sums.score_luck[i] += sign * other.score_luck[i];
            for j in 0..STAGES {
                sums.luck_luck[i][j] += sign * other.luck_luck[i][j];
            }
        }
        sums
    }

    /// How much of each stage's luck shows in the score. The expectation of luck is known, so its mean is not fitted.
    ///
    /// With few pairs a fit overrates luck, and where one side nearly always wins luck decides little: subtracting it would add noise.
    /// So weights shrink by the share of their explained variance that as many random weights would explain; if that is all of it, luck
    /// does not count (van Houwelingen and le Cessie, "Predictive value of statistical models", 1990: the heuristic shrinkage
    /// factor).
    fn weights(&self) -> [f64; STAGES] {
        // The residual after a fit of the mean and all weights.
        let degrees = self.n - (1 + STAGES) as f64;
        if degrees < 0.5 {
            return [0.0; STAGES];
        }
        let mean = self.score / self.n;
        let (mut a, mut b) = (self.luck_luck, self.score_luck);
        for i in 0..STAGES {
            b[i] -= mean * self.luck[i];
            a[i][i] += RIDGE;
        }
        let w = solve(a, b);
        let explained = dot(&w, &b);
        let rest = (self.squares - self.n * mean * mean - explained).max(0.0);
        let by_chance = STAGES as f64 * rest / degrees;
        let shrinkage = if explained > by_chance { 1.0 - by_chance / explained } else { 0.0 };
        w.map(|w| w * shrinkage)
    }
}

fn dot(a: &[f64; STAGES], b: &[f64; STAGES]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// The mean of `n` values with its interval, and their variance.
fn estimate(n: f64, sum: f64, squares: f64) -> (Estimate, f64) {
    let mean = sum / n;
    let variance = (squares - n * mean * mean).max(0.0) / (n - 1.0);
    let half = t95(n - 1.0) * (variance / n).sqrt();
    (Estimate { value: mean, low: mean - half, high: mean + half }, variance)
}

/// A score whose interval is at least as wide as that of equally many pairs that all scored alike, as in [`elo`](super::elo::elo):
/// the variance of pairs that are all won gives no interval.
fn at_least(score: Estimate, pairs: f64) -> Estimate {
    let (value, unseen) = (score.value.clamp(0.0, 1.0), 1.0 - (0.025f64.ln() / pairs).exp());
    Estimate {
        value: score.value,
        low: score.low.min(score.value - unseen * value),
        high: score.high.max(score.value + unseen * (1.0 - value)),
    }
}

/// The luck of a pair's games in points a game. Each game's luck is its first team's; the first player sits there in the first game,
/// and on the other side in the second.
pub fn points(games: &[[Millionths; STAGES]]) -> [f64; STAGES] {
    let mut all = [0.0; STAGES];
    for (luck, sign) in games.iter().zip([1.0, -1.0].into_iter().cycle()) {
        for (all, luck) in all.iter_mut().zip(luck) {
            // A game is worth two halves: from lost to won is one point.
            *all += sign * *luck as f64 / (2 * GAME) as f64 / games.len() as f64;
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::{Rng, RngExt};

    use super::*;

    /// A number of mean 0 and variance 1.
    fn noise(rng: &mut Rng) -> f64 {
        (0..12).map(|_| f64::from(rng.below(1 << 20)) / f64::from(1 << 20)).sum::<f64>() - 6.0
    }

    /// A match of this many pairs in which luck moves scores by `weights`, about a mean of 0.6.
    fn played(rng: &mut Rng, pairs: u32, weights: [f64; STAGES]) -> Adjusted {
        let mut adjusted = Adjusted::default();
        for _ in 0..pairs {
            let luck = [0.1, 0.12, 0.1, 0.05].map(|sd| sd * noise(rng));
            adjusted.add(0.6 + dot(&weights, &luck) + 0.2 * noise(rng), luck);
        }
        adjusted
    }

    /// Over many matches: the score is right on average, its interval holds the truth nineteen times in twenty, and the variance is what is
    /// left without luck.
    #[test]
    fn it_is_right_and_knows_how_well() {
        let mut rng = Rng::new(11);
        for (weights, pairs, low, high) in [
            ([1.0, 1.0, 1.0, 1.0], 60, 1.7, 2.1),
            ([0.5, 0.9, 1.1, 1.0], 300, 1.6, 2.1),
            // Luck that has nothing to do with the result does no harm.
            ([0.0; STAGES], 30, 0.94, 1.01),
            ([0.0; STAGES], 60, 0.96, 1.01),
            ([0.0; STAGES], 300, 0.99, 1.01),
        ] {
            let (matches, mut sum, mut held, mut raw, mut left) = (1500, 0.0, 0, 0.0, 0.0);
            for _ in 0..matches {
                let known = played(&mut rng, pairs, weights).known().expect("pairs");
                sum += known.score.value - 0.6;
                held += u32::from(known.score.covers(0.6));
                raw += known.raw_variance;
                left += known.variance;
            }
            let (n, ratio) = (f64::from(matches), raw / left);
            let error = (left / n / f64::from(pairs) / n).sqrt();
            assert!((sum / n).abs() < 3.5 * error, "{weights:?}: off by {} ± {error}", sum / n);
            let share = f64::from(held) / n;
            assert!((0.93..0.97).contains(&share), "{weights:?}, {pairs} pairs: held {share}");
            assert!((low..high).contains(&ratio), "{weights:?}, {pairs} pairs: {ratio}");
        }
    }

    #[test]
    fn what_is_asked_of_few_pairs() {
        let mut adjusted = Adjusted::default();
        assert_eq!(adjusted.known(), None);
        adjusted.add(1.0, [0.0; STAGES]);
        assert_eq!(adjusted.known(), None);
        adjusted.add(0.5, [0.1, 0.0, 0.0, 0.0]);
        let known = adjusted.known().expect("two pairs");
        assert!(known.score.covers(0.75) && known.pairs == 2);
        // A player who has won all pairs may still lose the next.
        let mut won = Adjusted::default();
        (0..100).for_each(|_| won.add(1.0, [0.0; STAGES]));
        let known = won.known().expect("a hundred pairs");
        assert!(known.raw.low < 0.97 && known.score.low < 0.97 && known.score.high < 1.001, "{known:?}");
    }

    #[test]
    fn luck_is_the_first_player_s() {
        let luck = [[500_000, 0, 0, 0], [200_000, 0, -100_000, 0]];
        let is = |found: [f64; STAGES], expected: [f64; STAGES]| {
            found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-12)
        };
        assert!(is(points(&luck), [0.075, 0.0, 0.025, 0.0]));
        assert!(is(points(&luck[..1]), [0.25, 0.0, 0.0, 0.0]));
    }
}
