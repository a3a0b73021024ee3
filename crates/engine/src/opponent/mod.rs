//! What we learn about the others at the table, and what we make of it: observe, posterior, stance, search.
//!
//! A model never touches a search, and a search never asks what kind of model it has: all that passes between them is a
//! [`Stance`] and [`predict`](OpponentModel::predict). Models have no disk; what outlives a game is a [`Profile`] that the caller keeps.
//!
//! A way of playing is a [`Style`], and most new models are only that: a file in `style/` and a line in
//! [`Kit::styles`]. Here is one, and how it is recognized:
//!
//! ```
//! use anglerfish_engine::opponent::{Bayes, OpponentModel, Style, style::Uniform};
//! use anglerfish_rules::tictactoe::TicTacToe;
//! use anglerfish_rules::{Game, Ply, Seat};
//!
//! /// Always takes the first free cell.
//! struct First;
//!
//! impl Style<TicTacToe> for First {
//!     fn name(&self) -> &'static str {
//!         "first"
//!     }
//!
//!     fn phrase(&self) -> &'static str {
//!         "takes the first free cell"
//!     }
//!
//!     fn likelihood(&mut self, _: &TicTacToe, _: &[<TicTacToe as Game>::Action], out: &mut [f32]) {
//!         out.fill(0.0);
//!         out[0] = 1.0;
//!     }
//! }
//!
//! let mut model = Bayes::new(vec![Box::new(Uniform), Box::new(First)], 0.01, 1.0);
//! let before: TicTacToe = "---/---/---".parse()?;
//! let ply = Ply { seat: Seat(0), event: TicTacToe::parse_event("a1")?, took: std::time::Duration::ZERO };
//! model.begin(Seat(0), 1, None);
//! model.observe(&before, &ply);
//! let first = &model.posterior()[1];
//! assert_eq!(&*first.style, "first");
//! assert!((first.probability - 0.9).abs() < 0.01, "nine times as likely as by chance");
//! assert!(model.stance().trust.is_some_and(|trust| trust < 1e-6), "and one ply proves nothing");
//! # Ok::<(), anglerfish_rules::NotationError>(())
//! ```
//!
//! A new way of *learning* is a file beside `bayes.rs` that implements [`OpponentModel`], an arm in `of_any_game` or in a game's own
//! [`Kit::model`] and a word for the setting `opponent`; `none.rs` is the one to copy, and the control that it has to be compared with.

mod adapt;
mod bayes;
mod debt;
mod double;
mod fingerprint;
mod impression;
mod none;
pub mod ornn;
mod profile;
mod replica;
mod scale;
mod settings;
mod source;
pub mod style;
mod suspects;

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::assets::Assets;
use crate::config::Config;
use crate::engine::EngineError;
use crate::kit::Kit;
use crate::limits::Stop;
use crate::stance::Stance;

pub use adapt::{Adapt, DRAW_VALUES};
pub use bayes::Bayes;
pub use fingerprint::{Fingerprint, Watch};
pub use impression::{Impression, Likeness};
pub use none::Unmodelled;
pub use profile::{PROFILE_FORMAT, Profile, ProfileError};
pub use replica::Replica;
pub use scale::Scale;
pub use settings::{ModelKind, Settings};
pub use source::Source;
pub(crate) use source::of_any_game as source_of_any_game;
pub use style::Style;
pub use suspects::{EQUAL_ELO, Estimate, Inquiry, Lineup, Question, Suspect};

/// What we have learned about one other seat, and what to do about it.
pub trait OpponentModel<G: Game>: Send {
    /// `before` is what we knew when `ply` was played. Called once for every ply of every seat, ours included: most models care
    /// for those of the seat that they [began](OpponentModel::begin) with.
    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>);

    /// What we now believe: named hypotheses with probabilities that sum to 1; none where nothing is supposed.
    fn posterior(&self) -> &[Belief];

    /// How to play against that belief: what a model says replaces what was configured, and what it has no opinion of stays.
    fn stance(&self) -> Stance;

    /// Probability of each action of that seat in `game`; `out` is as long as `actions` and sums to at most 1. What is left is
    /// the probability that nothing is known about: there the best answer has to be expected.
    fn predict(&mut self, game: &G, actions: &[G::Action], out: &mut [f32]);

    /// How strong and whom the opponent is like, where that is asked.
    fn estimate(&self) -> Option<Estimate> {
        None
    }

    /// The same for people, with what is done about it. None as long as nothing is known.
    fn impression(&self) -> Option<Impression> {
        None
    }

    /// What the last prediction costs the search that asked for it, in nodes, about.
    fn nodes(&self) -> u64 {
        0
    }

    /// What a prediction in `game` would cost now, about, if it takes a search of its own.
    fn price(&self, _game: &G) -> u64 {
        0
    }

    /// Thinks about what that seat will do, while it thinks, for about so many nodes or until stopped; how many it were, with those that paid for what was owed.
    fn ponder(&mut self, _view: &G::View, _nodes: Option<u64>, _stop: &Stop) -> u64 {
        0
    }

    /// A search of ours that had so many nodes has chosen.
    fn chose(&mut self, _nodes: u64) {}

    /// What our next search pays of the nodes that were searched and not paid for: it has so many fewer.
    fn take_owed(&mut self) -> u64 {
        0
    }

    /// A game begins against `seat`: forget the last opponent, and start from what is known of this one. `seed` is for dice.
    fn begin(&mut self, _seat: Seat, _seed: u64, _prior: Option<&Profile>) {}

    /// Whole games that look like `view`, so many of them at most, each as often as it is likely by all that was observed. Where a
    /// model knows nothing of secrets, what the view alone allows.
    fn worlds(&mut self, view: &G::View, n: usize, rng: &mut Rng) -> Vec<G> {
        (0..n).map(|_| G::sample(view, rng)).collect()
    }
}

/// A named hypothesis about a player.
#[derive(Clone, Debug, PartialEq)]
pub struct Belief {
    /// The name of a [`Style`].
    pub style: Arc<str>,
    /// How probable it is that the seat plays so, or closest to it.
    pub probability: f64,
}

/// One model for every other seat. A partner is a seat too.
pub struct Opponents<G: Game> {
    models: Vec<Box<dyn OpponentModel<G>>>,
    us: Seat,
    /// Games and plies that what is known of the opponent rests on.
    seen: (u32, u32),
}

impl<G: Kit> Opponents<G> {
    /// The models that a configuration asks for.
    ///
    /// # Errors
    /// When the game or the assets do not have what they need.
    pub fn new(config: &Config, assets: &Assets) -> Result<Opponents<G>, EngineError> {
        let models: Result<_, _> = (0..G::SEATS).map(|_| G::model(config, assets)).collect();
        Ok(Opponents::by(models?))
    }
}

/// The models that every game has.
///
/// # Errors
/// When the game or the assets do not have what the configuration asks for.
pub fn of_any_game<G: Kit>(
    config: &Config,
    assets: &Assets,
) -> Result<Box<dyn OpponentModel<G>>, EngineError> {
    let settings = &config.opponent;
    let fingerprint = || Fingerprint::new(Lineup::asset(settings, assets)?, config, assets);
    Ok(match &settings.model {
        ModelKind::None => Box::new(Unmodelled),
        ModelKind::Bayes => Box::new(Bayes::new(G::styles(), Bayes::<G>::SLIP, settings.trust)),
        ModelKind::Replica => {
            let replica = settings.replica.as_deref().ok_or(EngineError::NoReplica)?;
            Box::new(Replica::new(replica, settings.oracle, settings.trust, assets)?)
        }
        ModelKind::Fingerprint => Box::new(fingerprint()?),
        ModelKind::Adapt => Box::new(Adapt::new(fingerprint()?)),
    })
}

impl<G: Game> Opponents<G> {
    /// We sit at `us`, and nothing is supposed about anybody.
    pub fn unmodelled(us: Seat) -> Opponents<G> {
        let models = (0..G::SEATS).map(|_| Box::new(Unmodelled) as Box<dyn OpponentModel<G>>).collect();
        Opponents { us, ..Opponents::by(models) }
    }

    /// These models, one a seat, ours included.
    pub fn by(models: Vec<Box<dyn OpponentModel<G>>>) -> Opponents<G> {
        Opponents { models, us: Seat(0), seen: (0, 0) }
    }

    /// We sit down at `us`. What `prior` says is taken for what is known of every rival.
    pub fn begin(&mut self, us: Seat, seed: u64, prior: Option<&Profile>) {
        self.us = us;
        // A profile of another game has been mixed up; it says nothing about this one.
        let prior = prior.filter(|p| p.game == G::NAME);
        self.seen = prior.map_or((1, 0), |p| (p.games.saturating_add(1), p.plies));
        for (seat, model) in (0..).map(Seat).zip(&mut self.models) {
            model.begin(seat, seed, prior.filter(|_| seat.team() != us.team()));
        }
    }

    /// Any seat's ply: every model but that of our own seat hears of it.
    pub fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        for (_, model) in (0..).map(Seat).zip(&mut self.models).filter(|(seat, _)| *seat != self.us) {
            model.observe(before, ply);
        }
        self.seen.1 = self.seen.1.saturating_add(u32::from(ply.seat.team() != self.us.team()));
    }

    /// Thinks about the seat that is to move in `view`; how many nodes it took.
    pub fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop) -> u64 {
        let mover = G::sample(view, &mut Rng::new(0)).turn().seat().filter(|seat| *seat != self.us);
        mover.map_or(0, |seat| self.model(seat).ponder(view, nodes, stop))
    }

    /// A search of ours that had so many nodes has chosen.
    pub fn chose(&mut self, nodes: u64) {
        for model in &mut self.models {
            model.chose(nodes);
        }
    }

    /// What our next search pays of the nodes that models have searched.
    pub fn take_owed(&mut self) -> u64 {
        self.models.iter_mut().map(|model| model.take_owed()).sum()
    }

    /// Where we sit.
    pub fn us(&self) -> Seat {
        self.us
    }

    /// The model of a seat.
    ///
    /// # Panics
    /// When there is no such seat.
    pub fn model(&mut self, seat: Seat) -> &mut dyn OpponentModel<G> {
        &mut *self.models[usize::from(seat.0)]
    }

    /// What is believed of the next seat to play against us.
    pub fn posterior(&self) -> &[Belief] {
        self.rivals().next().map_or(&[], |model| model.posterior())
    }

    /// What is made of the next seat to play against us, for people.
    pub fn impression(&self) -> Option<Impression> {
        self.rivals().next()?.impression()
    }

    /// How to play: what the first rival says whose model says anything, and else what is configured.
    pub fn stance(&self, configured: &Settings) -> Stance {
        let said = self.rivals().fold(Stance::default(), |said, model| said.or(model.stance()));
        said.or(configured.stance(self.us.team()))
    }

    /// Whole games that look like our view, by the model of the next seat to play against us, which has heard of every ply.
    pub fn worlds(&mut self, view: &G::View, n: usize, rng: &mut Rng) -> Vec<G> {
        let next = (usize::from(self.us.0) + 1) % self.models.len();
        self.models[next].worlds(view, n, rng)
    }

    /// What was learned, for the caller to keep.
    pub fn profile(&self) -> Profile {
        let (games, plies) = self.seen;
        let styles = self.posterior().iter().map(|b| (b.style.to_string(), b.probability)).collect();
        Profile { game: G::NAME.to_owned(), games, plies, styles }
    }

    fn rivals(&self) -> impl Iterator<Item = &Box<dyn OpponentModel<G>>> {
        let us = self.us;
        // In the order of the turns after ours.
        let seats = (1..self.models.len()).map(move |i| (usize::from(us.0) + i) % self.models.len());
        seats.filter(move |&i| Seat(i as u8).team() != us.team()).map(|i| &self.models[i])
    }
}
