//! The opponent of Jouandeau and Cazenave (2014): it "simply plays randomly when pieces are unrevealed and otherwise applies minimax".
//!
//! The paper gives neither depth nor evaluation. Here it is plain minimax with the paper's own weights of pieces, three plies
//! deep unless the setting `depth` says otherwise.

use anglerfish_rules::banqi::{Banqi, Color};

use crate::playout::banqi::material;
use crate::report::Decision;
use crate::score::MAX_EVAL;
use crate::search::exact::Exact;
use crate::search::random::Random;
use crate::search::{Context, Searcher};

/// The search behind the name `reference`.
pub struct Reference(Exact<Banqi>);

impl Reference {
    /// Looks so many plies ahead once everything is face up.
    pub fn new(depth: u32) -> Reference {
        let evaluation = |game: &Banqi| {
            let red = material(game.position()) * (MAX_EVAL / 100);
            if game.position().side() == Some(Color::Black) { -red } else { red }
        };
        Reference(Exact::new(depth, Box::new(evaluation)))
    }
}

impl Searcher<Banqi> for Reference {
    fn search(&mut self, view: &Banqi, ctx: &mut Context<'_, Banqi>) -> Decision<Banqi> {
        if view.position().hidden().is_empty() { self.0.search(view, ctx) } else { Random.search(view, ctx) }
    }
}
