//! Learns nothing: the default, and the control group of every other model.

use anglerfish_rules::{Game, Ply};

use super::{Belief, OpponentModel};
use crate::stance::Stance;

/// Supposes nothing about the other seat. The file to copy for a new way of learning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unmodelled;

impl<G: Game> OpponentModel<G> for Unmodelled {
    fn observe(&mut self, _: &G::View, _: &Ply<G::Event>) {}

    fn posterior(&self) -> &[Belief] {
        &[]
    }

    fn stance(&self) -> Stance {
        Stance::default()
    }

    fn predict(&mut self, _: &G, _: &[G::Action], out: &mut [f32]) {
        out.fill(0.0);
    }
}
