//! A dealer of Banqi with a fixed layout. Unlike the rest of a match, a board in the browser needs it too.

use anglerfish_rules::banqi::{Action, Banqi, Event, Layout};

use crate::table::Dealer;

/// A dealer with a fixed layout, so that two games can be played on the same hidden board.
#[derive(Clone, Copy, Debug)]
pub struct Fixed(pub Layout);

impl Dealer<Banqi> for Fixed {
    /// # Panics
    /// When the layout was dealt for a smaller board, or the game did not begin with all pieces face down: the caller must
    /// pass a layout of this board.
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
