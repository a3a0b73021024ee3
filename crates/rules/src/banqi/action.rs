//! What a player may choose, and what then happens.

use super::piece::Piece;
use super::square::Square;

/// A choice: turn a piece over, or move one.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Action {
    /// Turn over the face-down piece on this square.
    Flip(Square),
    /// Step, capture or jump.
    Move {
        /// Where the piece stands.
        from: Square,
        /// Where it goes; an enemy there is taken.
        to: Square,
    },
}

/// What came of a choice, known to everyone.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Event {
    /// A piece was turned over, and this is what it is.
    Flip {
        /// Where it lay.
        at: Square,
        /// What it is.
        piece: Piece,
    },
    /// A piece stepped, captured or jumped.
    Move {
        /// Where it stood.
        from: Square,
        /// Where it stands now.
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
