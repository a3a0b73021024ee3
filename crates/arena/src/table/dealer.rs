//! Who decides what chance does.

use anglerfish_rules::{Game, Rng};

/// Turns a legal action into the event that comes of it.
pub trait Dealer<G: Game>: Send {
    /// What happens when `action` is played in `game`.
    fn resolve(&mut self, game: &G, action: G::Action) -> G::Event;
}

/// Draws when it is asked: a piece from the bag at every flip.
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
