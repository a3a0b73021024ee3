//! Fits a line-up to games: the evidence of each answer for each member, and the possible strength of strangers.
//!
//! The weights of answers come from a multinomial logistic regression: a row is the part of a game watched so
//! far, its features are the counts of each answer, and its class is the player. Multiplying the frequencies
//! of answers, as if sources were independent, would count the same evidence many times: two budgets of one
//! program foresee the same moves.
#![expect(clippy::disallowed_methods, reason = "a fit is made once and written down to six digits")]

use anglerfish_opponents::{Candidate, CandidateTable, Posterior};

use super::sources::{Asked, Kind};
use super::told::AFTER;
use super::watched::{Move, answers};
use anglerfish_opponents::field::{MEMBERS, Member};

/// A game of a member, move by move.
pub(super) struct Game {
    pub(super) member: usize,
    /// Pairs of games share a deal, and are never on both sides of a split.
    pub(super) pair: usize,
    pub(super) moves: Vec<Move>,
}

/// Initial error of a stranger's Elo relative to the player it is like.
const UNKNOWN_ELO: f64 = 150.0;
/// The weight of the squared weights in the loss. Of 1, 3, 10, 30, 100 and 300 it was best on ten games of
/// each member, five-fold.
const RIDGE: f64 = 30.0;
/// Number of steps of the fit, and the size of the first.
const STEPS: usize = 300;
const STEP: f64 = 0.05;

/// The state of a game up to a move: the counts of each answer, and the player.
struct Row {
    features: Vec<f64>,
    truth: usize,
}

/// The data of a line-up.
pub(super) struct Fit<'a> {
    asked: &'a [Asked],
    /// The sources in use, and the member left out.
    sources: Vec<Kind>,
    left_out: Option<usize>,
    /// By known member and feature.
    weights: Vec<Vec<f64>>,
    /// The standard error of a stranger's Elo.
    pub(super) strange: f64,
}

impl<'a> Fit<'a> {
    /// Fits these kinds of sources and all members, except for one that may be left out, to these games.
    pub(super) fn new(
        asked: &'a [Asked],
        sources: &[Kind],
        left_out: Option<usize>,
        games: &[&Game],
    ) -> Fit<'a> {
        let sources = sources.to_vec();
        let mut fit = Fit { asked, sources, left_out, weights: Vec::new(), strange: UNKNOWN_ELO };
        let rows: Vec<Row> = games.iter().flat_map(|game| fit.rows(game)).collect();
        fit.weights = regression(&rows, fit.members().count(), fit.features());
        fit
    }

    /// The same fit with another error of strangers' Elo.
    pub(super) fn with_strange(self, strange: f64) -> Fit<'a> {
        Fit { strange, ..self }
    }

    /// The known members.
    fn members(&self) -> impl Iterator<Item = usize> {
        let left_out = self.left_out;
        (0..MEMBERS.len()).filter(move |member| Some(*member) != left_out)
    }

    /// Whether a question is asked: its kind is in use, and it is not about the member left out.
    fn is_asked(&self, asked: &Asked) -> bool {
        self.sources.contains(&asked.kind) && (asked.member.is_none() || asked.member != self.left_out)
    }

    /// The questions that are asked, each with the index of its first answer among the features.
    fn questions(&self) -> impl Iterator<Item = (usize, &'a Asked)> {
        let mut next = 0;
        self.asked.iter().filter(|asked| self.is_asked(asked)).map(move |asked| {
            next += asked.question.answers;
            (next - asked.question.answers, asked)
        })
    }

    fn features(&self) -> usize {
        self.questions().map(|(_, asked)| asked.question.answers).sum()
    }

    /// The answers to the questions that are asked, for a move.
    fn said(&self, said: &str) -> Vec<Option<usize>> {
        let asked = answers(said).zip(self.asked).filter(|(_, asked)| self.is_asked(asked));
        asked.map(|(answer, _)| answer).collect()
    }

    /// The state of a game after each number of moves, assuming that the player never changes.
    fn rows(&self, game: &Game) -> Vec<Row> {
        let truth = self.members().position(|member| member == game.member);
        let truth = truth.unwrap_or_else(|| unreachable!("games are of members who are known"));
        let places: Vec<usize> = self.questions().map(|(place, _)| place).collect();
        let (mut features, mut rows) = (vec![0.0; self.features()], Vec::new());
        for (n, said) in game.moves.iter().enumerate() {
            for (place, answer) in places.iter().zip(self.said(said)) {
                if let Some(answer) = answer {
                    features[place + answer] += 1.0;
                }
            }
            if AFTER.contains(&(n + 1)) {
                rows.push(Row { features: features.clone(), truth });
            }
        }
        rows
    }

    /// Updates an posterior with a move of the opponent and its answers.
    pub(super) fn hear(&self, posterior: &mut Posterior, said: &str) {
        posterior.moved();
        posterior.hear(&self.said(said));
    }

    /// The members, and for each of them a stranger that is like it: that member's own candidate gives no
    /// evidence about the stranger.
    pub(super) fn lineup(&self) -> CandidateTable {
        let candidate = |(place, member): (usize, usize), stranger: bool| {
            let Member { name, elo: (elo, error), .. } = MEMBERS[member];
            let weights = self.questions().map(|(first, asked)| {
                let silent = stranger && asked.member == Some(member);
                let own = &self.weights[place][first..first + asked.question.answers];
                // A line-up is written with six digits.
                own.iter().map(|weight| if silent { 1.0 } else { weight.exp().max(1e-6) }).collect()
            });
            let error = if stranger { error.hypot(self.strange) } else { error.max(1.0) };
            Candidate::new(name, stranger, (elo, error), weights.collect())
        };
        let like = |stranger: bool| self.members().enumerate().map(move |member| candidate(member, stranger));
        CandidateTable {
            questions: self.questions().map(|(_, asked)| asked.question.clone()).collect(),
            candidates: like(false).chain(like(true)).collect(),
        }
    }
}

/// Weights by class and feature that maximize the likelihood, less the ridge. Adam (Kingma and Ba, 2015) on
/// all rows, with decreasing steps.
fn regression(rows: &[Row], classes: usize, features: usize) -> Vec<Vec<f64>> {
    const FADING: [f64; 2] = [0.9, 0.99];
    let mut weights = vec![0.0; classes * features];
    let mut moments = vec![[0.0; 2]; weights.len()];
    for step in 0..STEPS {
        let mut slope: Vec<f64> = weights.iter().map(|weight| RIDGE * weight).collect();
        for row in rows {
            let own = |class: usize| class * features..(class + 1) * features;
            let score = |class: usize| -> f64 {
                weights[own(class)].iter().zip(&row.features).map(|(weight, feature)| weight * feature).sum()
            };
            let scores: Vec<f64> = (0..classes).map(score).collect();
            let most = scores.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let shares: Vec<f64> = scores.iter().map(|score| (score - most).exp()).collect();
            let all: f64 = shares.iter().sum();
            for (class, share) in shares.iter().enumerate() {
                let wrong = share / all - f64::from(u8::from(class == row.truth));
                for (slope, feature) in slope[own(class)].iter_mut().zip(&row.features) {
                    *slope += wrong * feature;
                }
            }
        }
        let (n, left) = (step as i32 + 1, 1.0 - step as f64 / STEPS as f64);
        for ((weight, [mean, square]), slope) in weights.iter_mut().zip(&mut moments).zip(slope) {
            *mean += (1.0 - FADING[0]) * (slope - *mean);
            *square += (1.0 - FADING[1]) * (slope * slope - *square);
            let [mean, square] = [*mean / (1.0 - FADING[0].powi(n)), *square / (1.0 - FADING[1].powi(n))];
            *weight -= STEP * left * mean / (square.sqrt() + 1e-12);
        }
    }
    weights.chunks(features.max(1)).map(<[f64]>::to_vec).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two classes that one feature separates: the gradient vanishes at the optimum, so the sum of errors
    /// equals the ridge.
    #[test]
    fn a_regression_ends_where_its_slope_does() {
        let row = |feature: f64, truth| Row { features: vec![feature, 1.0], truth };
        let rows: Vec<Row> = (0..40)
            .map(|n| {
                if n % 4 == 0 {
                    row(1.0, 0)
                } else if n % 4 == 1 {
                    row(1.0, 1)
                } else {
                    row(5.0, 1)
                }
            })
            .collect();
        let weights = regression(&rows, 2, 2);
        for class in 0..2 {
            for feature in 0..2 {
                let wrong = |row: &Row| {
                    let score = |class: usize| -> f64 {
                        weights[class].iter().zip(&row.features).map(|(w, f)| w * f).sum()
                    };
                    let share = score(class).exp() / (score(0).exp() + score(1).exp());
                    (share - f64::from(u8::from(row.truth == class))) * row.features[feature]
                };
                let slope = rows.iter().map(wrong).sum::<f64>() + RIDGE * weights[class][feature];
                assert!(slope.abs() < 0.05, "{slope} at {class}, {feature}: {weights:?}");
            }
        }
        assert!(weights[1][0] > 0.1 && weights[0][0] < -0.1, "{weights:?}");
    }
}
