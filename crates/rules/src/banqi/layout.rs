//! A full deal: what lies under every square. Never part of a position; only a dealer knows it.

use std::fmt;
use std::str::FromStr;

use super::notation::{read_board, write_board};
use super::piece::Piece;
use super::position::Cell;
use super::ruleset::{Board, RuleSet};
use super::square::Square;
use crate::error::NotationError;
use crate::rng::RngExt;

/// The hidden truth of one deal, so that two games can be played on the same board.
///
/// ```
/// use anglerfish_rules::{Rng, banqi::{Board, Layout}};
/// let layout = Layout::shuffled(Board::Quarter, &mut Rng::stream(1, "deal"));
/// assert_eq!(layout.to_string().parse(), Ok(layout));
/// ```
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Layout {
    board: Board,
    cells: [Cell; 32],
}

impl Layout {
    /// The pieces of the board in a random order.
    pub fn shuffled(board: Board, rng: &mut (impl rand_core::Rng + ?Sized)) -> Layout {
        let mut pieces: Vec<Piece> =
            board.bag().iter().flat_map(|(piece, n)| std::iter::repeat_n(piece, n as usize)).collect();
        rng.shuffle(&mut pieces);
        let mut cells = [Cell::Outside; 32];
        for (square, piece) in board.mask().iter().zip(pieces) {
            cells[square.index()] = Cell::Shown(piece);
        }
        Layout { board, cells }
    }

    /// The board it was dealt for.
    pub const fn board(&self) -> Board {
        self.board
    }

    /// The piece on a square, or `None` outside the board.
    pub const fn piece(&self, at: Square) -> Option<Piece> {
        match self.cells[at.index()] {
            Cell::Shown(piece) => Some(piece),
            _ => None,
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_board(f, self.board, |square| self.cells[square.index()])
    }
}

impl FromStr for Layout {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Layout, NotationError> {
        let (width, height) = (text.find('/').unwrap_or(text.len()), text.matches('/').count() + 1);
        let board = Board::ALL
            .into_iter()
            .find(|b| (usize::from(b.size().0), usize::from(b.size().1)) == (width, height))
            .ok_or_else(|| {
                NotationError::new("8 ranks of 4 pieces, 4 ranks of 4, or 4 ranks of 2", text, 0)
            })?;
        let cells = read_board(text, 0, board)?;
        let mut bag = RuleSet { board, ..RuleSet::default() }.board.bag();
        for (at, square) in super::notation::reading_order(board) {
            match cells[square.index()] {
                Cell::Shown(piece) if bag.count(piece) > 0 => bag.remove(piece),
                Cell::Shown(piece) => {
                    let expected = format!("no further {piece}: a deal has each piece of the game once");
                    return Err(NotationError::new(expected, text, at));
                }
                _ => return Err(NotationError::new("a piece on every square of a deal", text, at)),
            }
        }
        Ok(Layout { board, cells })
    }
}

/// A named deal, one line of a deal file.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct Deal {
    /// A word without spaces.
    pub id: String,
    /// The piece on every square.
    pub layout: Layout,
}

/// `id layout`
impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.id, self.layout)
    }
}

impl FromStr for Deal {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Deal, NotationError> {
        let Some((id, layout)) = text.split_once(' ').filter(|(id, _)| !id.is_empty()) else {
            return Err(NotationError::new("an id, one space and a layout", text, 0));
        };
        let layout = layout.parse().map_err(|e: NotationError| e.offset(id.len() + 1))?;
        Ok(Deal { id: id.to_owned(), layout })
    }
}

/// The first line of every deal file.
pub const DEALS_MAGIC: &str = "anglerfish-deals 1";

/// The text of a deal file.
pub fn write_deals(deals: &[Deal]) -> String {
    let lines = deals.iter().map(|deal| format!("{deal}\n"));
    format!("{DEALS_MAGIC}\n") + &lines.collect::<String>()
}

/// Reads a deal file: the magic line, then `id layout` a line. Empty lines and `#` comments are skipped.
///
/// # Errors
/// When the magic is missing, or a line is not a deal.
pub fn read_deals(text: &str) -> Result<Vec<Deal>, NotationError> {
    let mut deals = Vec::new();
    let mut at = 0;
    for (n, raw) in text.split_inclusive('\n').enumerate() {
        let line = raw.trim_end_matches(['\n', '\r']);
        if n == 0 {
            if line != DEALS_MAGIC {
                return Err(NotationError::new(format!("the first line \"{DEALS_MAGIC}\""), text, 0));
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            deals.push(line.parse().map_err(|e: NotationError| e.offset(at))?);
        }
        at += raw.len();
    }
    if at == 0 {
        return Err(NotationError::new(format!("the first line \"{DEALS_MAGIC}\""), text, 0));
    }
    Ok(deals)
}
