//! The gate: a [`Setup`] says anything, a [`Position`] only what can stand on a board.

use std::error::Error;
use std::fmt;

use super::bag::Bag;
use super::piece::{Color, Piece};
use super::position::{Cell, Position};
use super::ruleset::RuleSet;
use super::square::Square;
use super::squares::Squares;

/// A board described square by square. Squares outside the rule set's board are ignored.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Setup {
    /// The content of every square, by square index.
    pub cells: [Cell; 32],
    /// The pieces that lie face down.
    pub bag: Bag,
    /// The color to move; `None` before the first flip.
    pub side: Option<Color>,
    /// Plies without progress.
    pub quiet: u16,
    /// Plies played; even when seat 0 is to move.
    pub ply: u32,
}

/// Why a [`Setup`] is not a position.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum SetupError {
    /// More of this piece on the board and in the bag than a full game has.
    TooMany(Piece),
    /// The bag holds `bag` pieces, but so many squares are face down.
    Bag {
        /// Face-down squares.
        hidden: u32,
        /// Pieces in the bag.
        bag: u32,
    },
    /// The players have no colors exactly while every piece lies face down and no ply was played.
    Side,
    /// More quiet plies than the rules allow.
    Quiet {
        /// The most there may be.
        limit: u16,
    },
    /// More plies than a game can have had that flipped and took so few pieces.
    Ply {
        /// The most there may be.
        limit: u32,
    },
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::TooMany(piece) => {
                write!(
                    f,
                    "at most {} of {piece} on the board and in the bag together",
                    Bag::FULL.count(*piece)
                )
            }
            SetupError::Bag { hidden, bag } => {
                write!(f, "a bag of {hidden} pieces for {hidden} face-down squares, not of {bag}")
            }
            SetupError::Side => {
                f.write_str("side \"?\" exactly at ply 0 with every piece face down, else \"r\" or \"b\"")
            }
            SetupError::Quiet { limit } => write!(f, "at most {limit} quiet plies under these rules"),
            SetupError::Ply { limit } => {
                write!(f, "at most {limit} plies, for so few pieces were flipped and taken")
            }
        }
    }
}

impl Error for SetupError {}

impl Setup {
    /// The start of a game under these rules.
    pub fn start(rules: &RuleSet) -> Setup {
        let mut cells = [Cell::Outside; 32];
        for square in rules.board.mask() {
            cells[square.index()] = Cell::Hidden;
        }
        Setup { cells, bag: rules.board.bag(), side: None, quiet: 0, ply: 0 }
    }

    /// The position, if there is one.
    ///
    /// # Errors
    /// When the description contradicts itself or the rules; see [`SetupError`].
    pub fn position(&self, rules: &RuleSet) -> Result<Position, SetupError> {
        let mut position = Position {
            planes: [0; 3],
            colors: [Squares::EMPTY; 2],
            hidden: Squares::EMPTY,
            empty: Squares::EMPTY,
            side: self.side,
            quiet: self.quiet,
            ply: self.ply,
            bag: self.bag,
            key: 0,
        };
        for square in rules.board.mask() {
            position.put(square, self.cells[square.index()]);
        }
        for piece in Piece::ALL {
            if position.pieces(piece).len() + self.bag.count(piece) > Bag::FULL.count(piece) {
                return Err(SetupError::TooMany(piece));
            }
        }
        let (hidden, bag) = (position.hidden.len(), self.bag.len());
        if hidden != bag {
            return Err(SetupError::Bag { hidden, bag });
        }
        let untouched = position.hidden == rules.board.mask() && self.ply == 0;
        if self.side.is_none() != untouched {
            return Err(SetupError::Side);
        }
        if self.quiet > rules.quiet {
            return Err(SetupError::Quiet { limit: rules.quiet });
        }
        // Every flip and capture ends a run of quiet plies: what is accepted here stays so in every game that goes on.
        let squares = rules.board.mask().len();
        let progress = (squares - hidden) + (position.empty & rules.board.mask()).len();
        let limit = progress * (u32::from(rules.quiet) + 1) + u32::from(self.quiet);
        if self.ply > limit {
            return Err(SetupError::Ply { limit });
        }
        position.key = position.recomputed_key();
        Ok(position)
    }
}

impl Position {
    fn put(&mut self, square: Square, cell: Cell) {
        match cell {
            Cell::Hidden => self.hidden |= square.into(),
            Cell::Empty | Cell::Outside => self.empty |= square.into(),
            Cell::Shown(piece) => {
                self.colors[piece.color() as usize] |= square.into();
                for (i, plane) in self.planes.iter_mut().enumerate() {
                    *plane |= (piece.role() as u32 >> i & 1) << square.index();
                }
            }
        }
    }
}
