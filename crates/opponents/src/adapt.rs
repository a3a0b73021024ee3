//! Adapts the value of a draw to the strength of the opponent, which fingerprints estimate.
//!
//! A draw is worth less than 0 against a weaker opponent and more against a stronger one, in proportion to their probabilities.
//! The value moves in a few steps, because a search cannot reuse the results of one that valued draws differently.

use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary};
use anglerfish_engine::{DrawScope, Draws, Profile, Stance, Stop, Value};
use anglerfish_rules::{Game, Ply, Seat};

use crate::{Fingerprint, Modelled, parameters};

/// The value of a draw against a certainly weaker opponent, and against a certainly stronger one.
pub const DRAW_VALUES: [f32; 2] = parameters::ADAPT_DRAW;

/// See the module.
pub struct Adapt<G: Game> {
    fingerprint: Fingerprint<G>,
    them: Seat,
}

impl<G: Modelled> Adapt<G> {
    /// Adapts to what fingerprints say.
    pub fn new(fingerprint: Fingerprint<G>) -> Adapt<G> {
        Adapt { fingerprint, them: Seat(0) }
    }

    /// The value of a draw to us: about the mean of the best values against weaker, equal and stronger opponents.
    fn draw(&self, debt: &Debt) -> Value {
        let [weaker, _, stronger] = self.fingerprint.classes(debt);
        let [low, high] = DRAW_VALUES;
        let worth = weaker as f32 * low + stronger as f32 * high;
        Value((worth * parameters::ADAPT_STEPS).round() / parameters::ADAPT_STEPS)
    }
}

impl<G: Modelled> OpponentModel<G> for Adapt<G> {
    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        self.them = seat;
        self.fingerprint.begin(seat, seed, prior);
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>, debt: &mut Debt) {
        self.fingerprint.observe(before, ply, debt);
    }

    fn summary(&self, debt: &Debt) -> OpponentSummary {
        let us = self.them.team().other();
        let draws = Draws { us, value: self.draw(debt).to_score(), scope: DrawScope::All };
        let stance = Stance { draws: Some(draws), trust: None };
        OpponentSummary { stance, ..self.fingerprint.summary(debt) }
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop, debt: &mut Debt) -> u64 {
        self.fingerprint.ponder(view, nodes, stop, debt)
    }
}
