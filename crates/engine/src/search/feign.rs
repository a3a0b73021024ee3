//! Plays like somebody else while a game begins: for whoever wants to know how soon a model that studies its opponent finds out.

use anglerfish_rules::Game;

use super::{Context, Searcher};
use crate::limits::Limits;
use crate::report::Decision;

/// Plies of a game, of both sides, before it plays like itself.
pub const FEIGNED: u32 = 20;

/// See the module.
pub struct Feigning<G: Game> {
    feigned: Box<dyn Searcher<G>>,
    /// Nodes that the other has.
    nodes: Option<u64>,
    own: Box<dyn Searcher<G>>,
    plies: u32,
}

impl<G: Game> Feigning<G> {
    /// Another search with so many nodes at first, and then our own.
    pub fn new(feigned: Box<dyn Searcher<G>>, nodes: Option<u64>, own: Box<dyn Searcher<G>>) -> Feigning<G> {
        Feigning { feigned, nodes, own, plies: 0 }
    }
}

impl<G: Game> Searcher<G> for Feigning<G> {
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G> {
        if self.plies < FEIGNED {
            ctx.limits = ctx.limits.and(Limits { nodes: self.nodes, ..Limits::default() });
            self.feigned.search(view, ctx)
        } else {
            self.own.search(view, ctx)
        }
    }

    fn advance(&mut self, event: G::Event) {
        self.plies += 1;
        self.feigned.advance(event);
        self.own.advance(event);
    }

    fn new_game(&mut self, seed: u64) {
        self.plies = 0;
        self.feigned.new_game(seed);
        self.own.new_game(seed);
    }

    fn fork(&self) -> Option<Box<dyn Searcher<G>>> {
        let (feigned, own) = (self.feigned.fork()?, self.own.fork()?);
        Some(Box::new(Feigning { feigned, own, ..*self }))
    }
}
