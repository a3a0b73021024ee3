//! Learns nothing: the default, and the control group of every model.

use anglerfish_rules::Game;

use super::OpponentModel;

/// Supposes nothing about the other seat. The file to copy for a new way of learning.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unmodelled;

impl<G: Game> OpponentModel<G> for Unmodelled {}
