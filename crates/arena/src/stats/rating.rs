//! A rating list from the results of many players among each other.
//!
//! The model is Bradley and Terry's with draws after Davidson (Roger R. Davidson, "On Extending the Bradley-Terry Model to
//! Accommodate Ties in Paired Comparison Experiments", 1970): with strengths π, a win, a draw and a loss of i against j
//! are as likely as `π_i` : ν √(`π_i` `π_j`) : `π_j`. We prefer it to Rao and Kupper's (1967) because in it a draw counts
//! exactly as half a win (ratings depend on points alone), and because its logarithm is concave with an information matrix
//! that is plainly a covariance, so Newton's method cannot go astray. Who moved first is left out: games are played in
//! pairs, which evens it out.

#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use crate::stats::elo::{Estimate, Z95, normal_cdf};
use crate::stats::expected_score::Results;

/// Elo of one unit of ln π.
const ELO: f64 = 400.0 / LN_10;

/// The prior on ln π: normal about 0 with a deviation of 1000 Elo.
///
/// Weak (some 3 % of the information of a single even game), but it keeps players who won everything finite, ties
/// players who share no opponents together, and makes the mean rating exactly 0.
const PRIOR_STRENGTH: f64 = 1000.0 / ELO;

/// The prior on ln ν: normal about 0, which is a third of draws between equals, with this deviation. It keeps ν
/// finite and positive where all games or none were drawn.
const PRIOR_DRAW: f64 = 3.0;

/// Results of players against each other.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Crosstable {
    players: usize,
    tallies: BTreeMap<(usize, usize), Results>,
}

/// The zero point of the ratings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Zero {
    /// The mean of all players is 0.
    Mean,
    /// This player has this rating, known without error.
    Anchor(usize, f64),
}

/// Ratings of all players, in the order of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingList {
    /// Elo and 95 % interval of each.
    pub ratings: Vec<Estimate>,
    /// `los[i][j]`: the probability that i is stronger than j; a half on the diagonal.
    pub los: Vec<Vec<f64>>,
    /// How often equal players draw.
    pub draw: f64,
}

impl Crosstable {
    /// No games yet among `players` players.
    pub fn new(players: usize) -> Crosstable {
        Crosstable { players, tallies: BTreeMap::new() }
    }

    /// How many players there are.
    pub fn players(&self) -> usize {
        self.players
    }

    /// Adds games between two players, as the first sees them.
    ///
    /// # Panics
    /// When one is not a player of the table, or both are the same.
    pub fn add(&mut self, one: usize, other: usize, games: Results) {
        assert!(one < self.players && other < self.players && one != other, "two players of the table");
        let entry = self.tallies.entry((one.min(other), one.max(other))).or_default();
        let (wins, losses) =
            if one < other { (games.wins, games.losses) } else { (games.losses, games.wins) };
        entry.wins += wins;
        entry.draws += games.draws;
        entry.losses += losses;
    }

    /// The games between two players, as the first sees them.
    pub fn tally(&self, one: usize, other: usize) -> Results {
        let tally = self.tallies.get(&(one.min(other), one.max(other))).copied().unwrap_or_default();
        if one < other {
            tally
        } else {
            Results { wins: tally.losses, draws: tally.draws, losses: tally.wins }
        }
    }
}

/// Probabilities of win, draw and loss for a player `elo` stronger, when equals draw with probability `draw` (below 1).
///
/// Elo is scaled by the share of decided games between equals, as Rémi Coulom's Bayeselo does, so that for players not far
/// apart it means the same expected score as [`crate::stats::elo::score_of_elo`] for any number of draws; without draws
/// the two agree everywhere.
pub fn davidson(elo: f64, draw: f64) -> [f64; 3] {
    shares(elo / ELO / (1.0 - draw), (2.0 * draw / (1.0 - draw)).ln())
}

/// The maximum of likelihood times prior, by Newton's method, with intervals and LOS from the information there.
///
/// # Panics
/// When the anchor is not a player of the table.
pub fn rate(table: &Crosstable, zero: Zero) -> RatingList {
    let n = table.players;
    // Step 1. Climb. Unknowns are the n of ln π, then ln ν.
    let mut at = vec![0.0; n + 1];
    let mut height = posterior(table, &at);
    for _ in 0..200 {
        let (gradient, information) = slopes(table, &at);
        let step = Cholesky::of(information).solve(gradient);
        let mut share = 1.0;
        let (next, next_height) = loop {
            let next: Vec<f64> = at.iter().zip(&step).map(|(a, s)| a + share * s).collect();
            let next_height = posterior(table, &next);
            if next_height >= height || share < 1e-6 {
                break (next, next_height);
            }
            share /= 2.0;
        };
        (at, height) = (next, next_height);
        if step.iter().all(|s| s.abs() < 1e-9) {
            break;
        }
    }
    // Step 2. The covariance of the unknowns is the inverse of the information.
    let covariance = Cholesky::of(slopes(table, &at).1).inverse();
    let los_of = |i: usize, j: usize| {
        let variance = covariance[i][i] + covariance[j][j] - 2.0 * covariance[i][j];
        if i == j { 0.5 } else { normal_cdf((at[i] - at[j]) / variance.sqrt()) }
    };
    let los = (0..n).map(|i| (0..n).map(|j| los_of(i, j)).collect()).collect();
    // Step 3. A rating is ELO (1 - draw) (ln π - origin); its variance follows by the delta method.
    let draw = 1.0 / (1.0 + 2.0 * (-at[n]).exp());
    let (origin, offset, weights) = match zero {
        Zero::Mean => (at[..n].iter().sum::<f64>() / n as f64, 0.0, vec![1.0 / n as f64; n]),
        Zero::Anchor(player, elo) => {
            (at[player], elo, (0..n).map(|k| if k == player { 1.0 } else { 0.0 }).collect::<Vec<f64>>())
        }
    };
    let rating = |i: usize| {
        let mut slope: Vec<f64> = weights.iter().map(|w| -w * (1.0 - draw)).collect();
        slope[i] += 1.0 - draw;
        slope.push(-draw * (1.0 - draw) * (at[i] - origin));
        let along = |row: &Vec<f64>| row.iter().zip(&slope).map(|(c, s)| c * s).sum::<f64>();
        let variance: f64 = covariance.iter().zip(&slope).map(|(row, s)| s * along(row)).sum();
        let value = offset + ELO * (1.0 - draw) * (at[i] - origin);
        let error = ELO * Z95 * variance.max(0.0).sqrt();
        Estimate { value, low: value - error, high: value + error }
    };
    RatingList { ratings: (0..n).map(rating).collect(), los, draw }
}

/// Win, draw and loss at a difference of ln π and a ln ν, without overflow.
fn shares(difference: f64, ln_draw: f64) -> [f64; 3] {
    let heights = [difference / 2.0, ln_draw, -difference / 2.0];
    let most = heights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let shares = heights.map(|h| (h - most).exp());
    let sum: f64 = shares.iter().sum();
    shares.map(|s| s / sum)
}

/// Logarithm of likelihood times prior, up to a constant.
fn posterior(table: &Crosstable, at: &[f64]) -> f64 {
    let n = table.players;
    let games: f64 = table
        .tallies
        .iter()
        .map(|(&(i, j), tally)| {
            let logs = shares(at[i] - at[j], at[n]).map(|p| p.max(f64::MIN_POSITIVE).ln());
            tally.wins as f64 * logs[0] + tally.draws as f64 * logs[1] + tally.losses as f64 * logs[2]
        })
        .sum();
    let prior: f64 = at[..n].iter().map(|x| (x / PRIOR_STRENGTH).powi(2)).sum();
    games - prior / 2.0 - (at[n] / PRIOR_DRAW).powi(2) / 2.0
}

/// Gradient of [`posterior`], and the information: its second derivatives with the sign turned.
fn slopes(table: &Crosstable, at: &[f64]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = table.players;
    let mut gradient: Vec<f64> = at.iter().map(|x| -x / PRIOR_STRENGTH.powi(2)).collect();
    gradient[n] = -at[n] / PRIOR_DRAW.powi(2);
    let mut information = vec![vec![0.0; n + 1]; n + 1];
    for (i, row) in information.iter_mut().enumerate() {
        row[i] = if i == n { PRIOR_DRAW } else { PRIOR_STRENGTH }.powi(-2);
    }
    for (&(i, j), tally) in &table.tallies {
        let games = tally.games() as f64;
        let [win, draw, loss] = shares(at[i] - at[j], at[n]);
        let pull = (tally.wins as f64 - tally.losses as f64 - games * (win - loss)) / 2.0;
        gradient[i] += pull;
        gradient[j] -= pull;
        gradient[n] += tally.draws as f64 - games * draw;
        let points = games * (win + loss - (win - loss) * (win - loss)) / 4.0;
        let mixed = -games * (win - loss) * draw / 2.0;
        information[i][i] += points;
        information[j][j] += points;
        information[n][n] += games * draw * (1.0 - draw);
        for (a, b, value) in [(i, j, -points), (i, n, mixed), (j, n, -mixed)] {
            information[a][b] += value;
            information[b][a] += value;
        }
    }
    (gradient, information)
}

/// The lower triangle whose product with its transpose is a positive definite matrix (André-Louis Cholesky, 1910).
struct Cholesky(Vec<Vec<f64>>);

impl Cholesky {
    fn of(mut matrix: Vec<Vec<f64>>) -> Cholesky {
        for i in 0..matrix.len() {
            for j in 0..=i {
                let (row, other) = (&matrix[i], &matrix[j]);
                let known: f64 = row[..j].iter().zip(&other[..j]).map(|(a, b)| a * b).sum();
                let rest = matrix[i][j] - known;
                matrix[i][j] = if i == j { rest.max(f64::MIN_POSITIVE).sqrt() } else { rest / matrix[j][j] };
            }
        }
        Cholesky(matrix)
    }

    fn solve(&self, mut right: Vec<f64>) -> Vec<f64> {
        let rows = &self.0;
        for i in 0..rows.len() {
            let known: f64 = rows[i][..i].iter().zip(&right).map(|(a, b)| a * b).sum();
            right[i] = (right[i] - known) / rows[i][i];
        }
        for i in (0..rows.len()).rev() {
            let known: f64 = (i + 1..rows.len()).map(|k| rows[k][i] * right[k]).sum();
            right[i] = (right[i] - known) / rows[i][i];
        }
        right
    }

    fn inverse(&self) -> Vec<Vec<f64>> {
        let n = self.0.len();
        let unit = |i: usize| (0..n).map(|k| if k == i { 1.0 } else { 0.0 }).collect();
        (0..n).map(|i| self.solve(unit(i))).collect()
    }
}
