//! Players that are known by what they choose from.

use std::time::Duration;

use anglerfish_rules::{Game, RngExt};

use super::{Context, Searcher};
use crate::report::{Decision, Info, Line};
use crate::score::Value;

/// A player that draws evenly from some of the legal actions, so that its games have an exact distribution.
pub trait Chooser<G: Game>: Send {
    /// The actions it draws from, in the order of the rules. `game` goes on.
    fn choices(&mut self, game: &G) -> Vec<G::Action>;
}

/// Any [`Chooser`] as a search: one of its choices, each equally likely.
pub struct Drawing<C>(pub C);

impl<G: Game, C: Chooser<G> + Clone + 'static> Searcher<G> for Drawing<C> {
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G> {
        let choices = self.0.choices(&G::sample(view, ctx.rng));
        let action = ctx.rng.pick(&choices);
        let line = Line { actions: vec![action], value: Value(0.0), visits: None, fan: Vec::new() };
        Decision { action, info: Info { depth: 0, nodes: 1, time: Duration::ZERO, lines: vec![line] } }
    }

    fn fork(&self) -> Option<Box<dyn Searcher<G>>> {
        Some(Box::new(Drawing(self.0.clone())))
    }
}
