//! Dealers: they decide chance events.

use anglerfish_rules::{Game, Rng};

/// Turns a legal action into its event.
pub trait Dealer<G: Game>: Send {
    /// The event of `action` in `game`.
    fn resolve(&mut self, game: &G, action: G::Action) -> G::Event;
}

/// Draws a random piece from the bag at every flip.
#[derive(Clone, Debug)]
pub struct Draws(pub Rng);

impl<G: Game> Dealer<G> for Draws {
    fn resolve(&mut self, game: &G, action: G::Action) -> G::Event {
        game.draw(action, &mut self.0)
    }
}

impl<G: Game> Dealer<G> for Box<dyn Dealer<G>> {
    fn resolve(&mut self, game: &G, action: G::Action) -> G::Event {
        (**self).resolve(game, action)
    }
}
