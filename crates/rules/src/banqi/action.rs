//! Actions, which players choose, and events, which then happen.

use super::piece::Piece;
use super::square::Square;

/// A choice: turn a piece over, or move one.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Action {
    /// Turn over the face-down piece on this square.
    Flip(Square),
    /// Step, capture or jump.
    Move {
        /// The square of the piece.
        from: Square,
        /// The square it goes to; an enemy there is taken.
        to: Square,
    },
}

/// The public result of an action.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Event {
    /// A piece was turned over, and this is what it is.
    Flip {
        /// The square it lay on.
        at: Square,
        /// The piece that came up.
        piece: Piece,
    },
    /// A piece stepped, captured or jumped.
    Move {
        /// The square it left.
        from: Square,
        /// The square it stands on now.
        to: Square,
    },
}

impl Event {
    /// The choice it came of.
    #[inline]
    pub const fn action(self) -> Action {
        match self {
            Event::Flip { at, .. } => Action::Flip(at),
            Event::Move { from, to } => Action::Move { from, to },
        }
    }
}
