//! Who decides what lies under a piece.

use anglerfish_rules::banqi::{Action, Banqi, Event, Layout};
use anglerfish_rules::{Game, Rng};

/// Turns a legal action into the event that comes of it.
pub trait Dealer<G: Game> {
    /// What happens when `action` is played in `game`.
    fn resolve(&mut self, game: &G, action: G::Action) -> G::Event;
}

/// Draws from the bag at every flip.
#[derive(Clone, Debug)]
pub struct Draws(pub Rng);

impl<G: Game> Dealer<G> for Draws {
    fn resolve(&mut self, game: &G, action: G::Action) -> G::Event {
        game.draw(action, &mut self.0)
    }
}

/// Turns over what was dealt, so that two games can be played on the same hidden board.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(pub Layout);

impl Dealer<Banqi> for Fixed {
    /// # Panics
    /// When the layout was dealt for a smaller board, or the game did not begin with everything face down: the caller
    /// pairs them.
    fn resolve(&mut self, game: &Banqi, action: Action) -> Event {
        match action {
            Action::Move { from, to } => Event::Move { from, to },
            Action::Flip(at) => {
                let piece = self.0.piece(at).expect("the layout covers the board of the game");
                assert!(game.position().bag().count(piece) > 0, "the layout does not fit this game: {game}");
                Event::Flip { at, piece }
            }
        }
    }
}
