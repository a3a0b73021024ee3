//! Estimates of an opponent after some of its moves, compared with the truth.

use std::sync::Arc;

use anglerfish_opponents::{EQUAL_ELO, Estimate, Posterior};

use super::fit::{Fit, Game};
use crate::stats::interval;
use anglerfish_opponents::field::MEMBERS;

/// Numbers of the opponent's moves.
pub(super) const AFTER: [usize; 3] = [5, 10, 20];

/// The quality of estimates, summed over games.
#[derive(Clone, Default, serde::Serialize)]
pub(super) struct Told {
    games: u32,
    /// Counts: the likeliest known player was right, the class was right, the interval contained the truth.
    right: u32,
    class: u32,
    covered: u32,
    /// Sums of widths, of absolute errors, and of the probability of an unknown player.
    width: f64,
    error: f64,
    none: f64,
    /// The same for always saying "equal": right classes, and the absolute error.
    equal: u32,
    equal_error: f64,
    /// Sums of signed errors, and of their squares.
    bias: f64,
    squares: f64,
}

/// Weaker, equal or stronger than the champion.
pub(super) fn class(elo: f64) -> usize {
    usize::from(elo > -EQUAL_ELO) + usize::from(elo > EQUAL_ELO)
}

impl Told {
    fn add(&mut self, estimate: &Estimate, member: usize) {
        let truth = MEMBERS[member].elo.0;
        let likeliest = (0..3).max_by(|a, b| estimate.classes[*a].total_cmp(&estimate.classes[*b]));
        let [low, elo, high] = estimate.elo;
        self.games += 1;
        self.right +=
            u32::from(estimate.known.first().is_some_and(|(name, _)| **name == *MEMBERS[member].name));
        self.class += u32::from(likeliest == Some(class(truth)));
        self.covered += u32::from((low..=high).contains(&truth));
        self.width += high - low;
        self.error += (elo - truth).abs();
        self.bias += elo - truth;
        self.squares += (elo - truth).powi(2);
        self.none += estimate.none;
        self.equal += u32::from(class(truth) == 1);
        self.equal_error += truth.abs();
    }

    pub(super) fn merge(&mut self, other: &Told) {
        self.games += other.games;
        self.right += other.right;
        self.class += other.class;
        self.covered += other.covered;
        self.width += other.width;
        self.error += other.error;
        self.bias += other.bias;
        self.squares += other.squares;
        self.none += other.none;
        self.equal += other.equal;
        self.equal_error += other.equal_error;
    }

    pub(super) fn games(&self) -> u32 {
        self.games
    }

    fn share(&self, of: f64) -> f64 {
        of / f64::from(self.games.max(1))
    }

    /// The share of games whose likeliest player was right, with its interval.
    pub(super) fn right(&self) -> (f64, (f64, f64)) {
        let share = self.share(f64::from(self.right));
        (share, interval(share, self.games))
    }

    pub(super) fn class(&self) -> f64 {
        self.share(f64::from(self.class))
    }

    pub(super) fn covered(&self) -> f64 {
        self.share(f64::from(self.covered))
    }

    pub(super) fn width(&self) -> f64 {
        self.share(self.width)
    }

    pub(super) fn error(&self) -> f64 {
        self.share(self.error)
    }

    pub(super) fn bias(&self) -> f64 {
        self.share(self.bias)
    }

    /// The mean square of the errors.
    pub(super) fn square(&self) -> f64 {
        self.share(self.squares)
    }

    pub(super) fn none(&self) -> f64 {
        self.share(self.none)
    }

    /// Always saying "equal": its share of right classes and its mean error.
    pub(super) fn equal(&self) -> (f64, f64) {
        (self.share(f64::from(self.equal)), self.share(self.equal_error))
    }
}

/// The estimates of a fit for some games, after each number of moves.
pub(super) fn told<'a>(fit: &Fit, games: impl Iterator<Item = &'a Game>) -> [Told; AFTER.len()] {
    let lineup = Arc::new(fit.lineup());
    let mut all = <[Told; AFTER.len()]>::default();
    for game in games {
        let mut posterior = Posterior::new(Arc::clone(&lineup));
        for (n, said) in game.moves.iter().enumerate() {
            fit.hear(&mut posterior, said);
            if let Some(place) = AFTER.iter().position(|after| *after == n + 1) {
                all[place].add(&posterior.estimate(), game.member);
            }
        }
    }
    all
}

/// After how many moves of the replacement it was noticed that the first player had gone, and the second identified.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) gone: Option<usize>,
    pub(super) found: Option<usize>,
}

/// A game whose opponent was replaced after this many of its moves. The first player counts as gone when it
/// is not the likeliest and its probability is below a half; the second as found when it is the likeliest.
pub(super) fn change(fit: &Fit, moves: &[String], before: usize, players: [usize; 2]) -> Option<Change> {
    let mut posterior = Posterior::new(Arc::new(fit.lineup()));
    let [first, second] = players.map(|member| MEMBERS[member].name);
    let mut change = Change { gone: None, found: None };
    for (n, said) in moves.iter().enumerate() {
        fit.hear(&mut posterior, said);
        let known = posterior.estimate().known;
        let is = |name: &str| known.first().is_some_and(|(likeliest, p)| **likeliest == *name && *p > 0.0);
        if n + 1 == before && !is(first) {
            return None;
        }
        if n >= before {
            let after = n + 1 - before;
            change.gone = change.gone.or((!is(first)).then_some(after));
            change.found = change.found.or(is(second).then_some(after));
        }
    }
    Some(change)
}
