//! Models of the other seats, and their interface to the search.
//!
//! The engine has the interface and one model, [`Unmodelled`]. Other crates have the rest, and add them by name to the [`Models`] in
//! the caller's [`Assets`](crate::Assets).
//! A model never touches a search, and a search does not know the kind of its model: only a [`Stance`] and
//! [`predict`](OpponentModel::predict) pass between them. Models have no disk; the caller keeps a [`Profile`] from game to game.

mod debt;
mod none;
mod profile;
mod registry;
mod settings;
mod summary;

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::limits::Stop;
use crate::stance::Stance;

pub use debt::Debt;
pub use none::Unmodelled;
pub use profile::{PROFILE_FORMAT, Profile, ProfileError};
pub use registry::{Build, ModelSetting, Models};
pub use settings::Settings;
pub use summary::{Likeness, OpponentSummary, PlayerEstimate, Strength};

/// A model of one other seat.
///
/// Models that search pay for it: `debt` has the nodes that they owe, and what our own searches have on average.
pub trait OpponentModel<G: Game>: Send {
    /// A game begins against `seat`: forget the last opponent, and start from the profile of this one. `seed` is for dice.
    fn begin(&mut self, _seat: Seat, _seed: u64, _prior: Option<&Profile>) {}

    /// `before` is our view when `ply` was played. Called once for every ply of every seat, ours included. Most models use
    /// only the plies of the seat that they [began](OpponentModel::begin) with.
    fn observe(&mut self, _before: &G::View, _ply: &Ply<G::Event>, _debt: &mut Debt) {}

    /// Its beliefs about that seat, and the stance against it. Called before every search, so it has to be cheap.
    fn summary(&self, _debt: &Debt) -> OpponentSummary {
        OpponentSummary::default()
    }

    /// Probability of each action of that seat in `game`; `out` is as long as `actions` and sums to at most 1. For the rest
    /// of the probability the search supposes the best reply. Returns the approximate cost to the search that asks, in nodes;
    /// `None`, without a prediction, if it would take a search of more than `most` nodes.
    fn predict(
        &mut self,
        _game: &G,
        _actions: &[G::Action],
        out: &mut [f32],
        _most: u64,
        _debt: &mut Debt,
    ) -> Option<u64> {
        out.fill(0.0);
        Some(0)
    }

    /// Studies that seat while it thinks, for about so many nodes or until stopped. Returns the nodes it took, including
    /// those that paid debts.
    fn ponder(&mut self, _view: &G::View, _nodes: Option<u64>, _stop: &Stop, _debt: &mut Debt) -> u64 {
        0
    }

    /// At most `n` whole games that look like `view`, each as often as it is likely by all that was observed. A model
    /// without knowledge of secrets draws from all games that the view allows.
    fn worlds(&mut self, view: &G::View, n: usize, rng: &mut Rng) -> Vec<G> {
        (0..n).map(|_| G::sample(view, rng)).collect()
    }
}

/// A named hypothesis about a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// Its name: one word.
    pub style: Arc<str>,
    /// The probability that the seat plays in this style, or in none that is closer.
    pub probability: f64,
}

/// One model for every other seat. A partner is a seat too.
pub struct Opponents<G: Game> {
    models: Vec<(Box<dyn OpponentModel<G>>, Debt)>,
    us: Seat,
    /// Games and plies that the knowledge of the opponent rests on.
    seen: (u32, u32),
}

impl<G: Game> Opponents<G> {
    /// No models; we sit at `us`.
    pub fn unmodelled(us: Seat) -> Opponents<G> {
        let models = (0..G::SEATS).map(|_| Box::new(Unmodelled) as Box<dyn OpponentModel<G>>).collect();
        Opponents { us, ..Opponents::by(models) }
    }

    /// These models, one per seat, ours included.
    pub fn by(models: Vec<Box<dyn OpponentModel<G>>>) -> Opponents<G> {
        let models = models.into_iter().map(|model| (model, Debt::default())).collect();
        Opponents { models, us: Seat(0), seen: (0, 0) }
    }

    /// Begins a game at seat `us`. `prior` is used as the profile of every rival.
    pub fn begin(&mut self, us: Seat, seed: u64, prior: Option<&Profile>) {
        self.us = us;
        // A profile of another game has been mixed up; it says nothing about this one.
        let prior = prior.filter(|p| p.game == G::NAME);
        self.seen = prior.map_or((1, 0), |p| (p.games.saturating_add(1), p.plies));
        for (seat, (model, debt)) in (0..).map(Seat).zip(&mut self.models) {
            *debt = Debt::default();
            model.begin(seat, seed, prior.filter(|_| seat.team() != us.team()));
        }
    }

    /// Passes a ply of any seat to every model but that of our own seat.
    pub fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        let us = self.us;
        for (_, (model, debt)) in (0..).map(Seat).zip(&mut self.models).filter(|(seat, _)| *seat != us) {
            model.observe(before, ply, debt);
        }
        self.seen.1 = self.seen.1.saturating_add(u32::from(ply.seat.team() != self.us.team()));
    }

    /// Lets the model of the seat to move in `view` study it. Returns the nodes it took.
    pub fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop) -> u64 {
        let mover = G::sample(view, &mut Rng::new(0)).turn().seat().filter(|seat| *seat != self.us);
        let Some(seat) = mover else { return 0 };
        let (model, debt) = &mut self.models[usize::from(seat.0)];
        model.ponder(view, nodes, stop, debt)
    }

    /// A search of ours that had so many nodes has chosen.
    pub fn chose(&mut self, nodes: u64) {
        for (_, debt) in &mut self.models {
            debt.searched(nodes);
        }
    }

    /// The nodes of models that our next search pays for: it has so many fewer.
    pub fn take_owed(&mut self) -> u64 {
        self.models.iter_mut().map(|(_, debt)| debt.installment()).sum()
    }

    /// Our seat.
    pub fn us(&self) -> Seat {
        self.us
    }

    /// The [prediction](OpponentModel::predict) of the model of a seat.
    ///
    /// # Panics
    /// When there is no such seat.
    pub fn predict(
        &mut self,
        seat: Seat,
        game: &G,
        actions: &[G::Action],
        out: &mut [f32],
        most: u64,
    ) -> Option<u64> {
        let (model, debt) = &mut self.models[usize::from(seat.0)];
        model.predict(game, actions, out, most, debt)
    }

    /// The summary of the next seat to play against us.
    pub fn summary(&self) -> OpponentSummary {
        self.rivals().next().unwrap_or_default()
    }

    /// Our stance: that of the first rival whose model has one, or else the configured one.
    pub fn stance(&self, configured: &Settings) -> Stance {
        let said = self.rivals().fold(Stance::default(), |said, summary| said.or(summary.stance));
        said.or(configured.stance(self.us.team()))
    }

    /// Whole games that look like our view, by the model of the next seat to play against us, which has heard of every ply.
    pub fn worlds(&mut self, view: &G::View, n: usize, rng: &mut Rng) -> Vec<G> {
        let next = (usize::from(self.us.0) + 1) % self.models.len();
        self.models[next].0.worlds(view, n, rng)
    }

    /// The profile of the opponent, for the caller to keep.
    pub fn profile(&self) -> Profile {
        let (games, plies) = self.seen;
        let beliefs = self.summary().beliefs;
        let styles = beliefs.iter().map(|b| (b.style.to_string(), b.probability)).collect();
        Profile { game: G::NAME.to_owned(), games, plies, styles }
    }

    /// The summary of each rival, in the order of the turns after ours.
    fn rivals(&self) -> impl Iterator<Item = OpponentSummary> {
        let us = self.us;
        let seats = (1..self.models.len()).map(move |i| (usize::from(us.0) + i) % self.models.len());
        let rivals = seats.filter(move |&i| Seat(i as u8).team() != us.team()).map(|i| &self.models[i]);
        rivals.map(|(model, debt)| model.summary(debt))
    }
}
