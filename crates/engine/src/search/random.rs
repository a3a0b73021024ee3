//! The weakest player: any legal action, each equally likely. It proves the plumbing.

use std::time::Duration;

use anglerfish_rules::{Game, RngExt};

use super::{Context, Searcher};
use crate::report::{Decision, Info, Line};
use crate::score::Value;

/// Chooses at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Random;

impl<G: Game> Searcher<G> for Random {
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G> {
        let game = G::sample(view, ctx.rng);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let action = ctx.rng.pick(&actions);
        let line = Line { actions: vec![action], value: Value(0.0), visits: None, fan: Vec::new() };
        Decision { action, info: Info { depth: 0, nodes: 1, time: Duration::ZERO, lines: vec![line] } }
    }

    fn fork(&self) -> Option<Box<dyn Searcher<G>>> {
        Some(Box::new(*self))
    }
}
