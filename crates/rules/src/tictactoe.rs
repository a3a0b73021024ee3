//! Tic-tac-toe: the game to copy when adding one, and the board of the speculative-play paper.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::error::NotationError;
use crate::game::{ChanceOutcome, Game, Outcome, Reason, Seat, Turn};

/// One of the nine squares, `a1` (bottom left) to `c3`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Cell(u8);

impl Cell {
    /// The cell with this index: file + 3 x (rank - 1).
    ///
    /// # Panics
    /// When the index is 9 or more.
    pub const fn new(index: u8) -> Cell {
        assert!(index < 9);
        Cell(index)
    }

    /// 0 for a1, 8 for c3.
    pub const fn index(self) -> u8 {
        self.0
    }
}

impl fmt::Display for Cell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.0 % 3) as char, self.0 / 3 + 1)
    }
}

impl FromStr for Cell {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Cell, NotationError> {
        match *text.as_bytes() {
            [file @ b'a'..=b'c', rank @ b'1'..=b'3'] => Ok(Cell(file - b'a' + 3 * (rank - b'1'))),
            _ => Err(NotationError::new("a cell from a1 to c3", text, 0)),
        }
    }
}

/// Tic-tac-toe has no disputed rules; their text is `standard`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash)]
pub struct Standard;

impl fmt::Display for Standard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("standard")
    }
}

impl FromStr for Standard {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Standard, NotationError> {
        if text == "standard" { Ok(Standard) } else { Err(NotationError::new("standard", text, 0)) }
    }
}

/// The marks of both seats as bits; seat 0 is `x`.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash)]
pub struct TicTacToe {
    marks: [u16; 2],
}

const FULL: u16 = 0o777;
const LINES: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl TicTacToe {
    /// The cells a seat has marked, as bits.
    pub const fn marks(self, seat: Seat) -> u16 {
        self.marks[seat.0 as usize % 2]
    }

    const fn taken(self) -> u16 {
        self.marks[0] | self.marks[1]
    }

    fn has_line(self, seat: Seat) -> bool {
        LINES.iter().any(|&line| self.marks(seat) & line == line)
    }
}

/// Rank 3 first, `x`, `o` and `-`, ranks parted by `/`.
impl fmt::Display for TicTacToe {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in (0..3).rev() {
            for file in 0..3 {
                let bit = 1 << (file + 3 * rank);
                let marks = [self.marks[0] & bit != 0, self.marks[1] & bit != 0];
                f.write_str(if marks[0] {
                    "x"
                } else if marks[1] {
                    "o"
                } else {
                    "-"
                })?;
            }
            if rank > 0 {
                f.write_str("/")?;
            }
        }
        Ok(())
    }
}

impl FromStr for TicTacToe {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<TicTacToe, NotationError> {
        let mut game = TicTacToe::default();
        for at in 0..11.max(text.len()) {
            let (row, file) = (at / 4, at % 4);
            let bit = if file < 3 && row < 3 { 1 << (file + 3 * (2 - row)) } else { 0 };
            match text.as_bytes().get(at) {
                Some(b'/') if file == 3 && row < 2 => {}
                Some(b'x') if bit != 0 => game.marks[0] |= bit,
                Some(b'o') if bit != 0 => game.marks[1] |= bit,
                Some(b'-') if bit != 0 => {}
                _ => return Err(NotationError::new("three ranks of x, o and -, parted by /", text, at)),
            }
        }
        let [x, o] = game.marks.map(u16::count_ones);
        let winners = [Seat(0), Seat(1)].map(|seat| game.has_line(seat));
        let last_moved = if x == o { [false, true] } else { [true, false] };
        let won_and_went_on = winners[0] && !last_moved[0] || winners[1] && !last_moved[1];
        if (x != o && x != o + 1) || won_and_went_on {
            return Err(NotationError::new("a board that play from an empty one can reach", text, 0));
        }
        Ok(game)
    }
}

impl Game for TicTacToe {
    const NAME: &'static str = "tictactoe";
    const SEATS: u8 = 2;

    type Action = Cell;
    type Event = Cell;
    type View = TicTacToe;
    type Rules = Standard;

    fn deal(_: &Standard, _: &mut (impl rand_core::Rng + ?Sized)) -> TicTacToe {
        TicTacToe::default()
    }

    fn rules(&self) -> Standard {
        Standard
    }

    #[inline]
    fn turn(&self) -> Turn {
        for seat in [Seat(0), Seat(1)] {
            if self.has_line(seat) {
                return Turn::Over(Outcome::Win(seat.team()), Reason::Line);
            }
        }
        if self.taken() == FULL {
            return Turn::Over(Outcome::Draw, Reason::Full);
        }
        Turn::Seat(Seat((self.taken().count_ones() % 2) as u8))
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Cell>) {
        out.clear();
        if !self.turn().is_over() {
            out.extend((0..9).filter(|i| self.taken() & 1 << i == 0).map(Cell));
        }
    }

    #[inline]
    fn outcomes(&self, action: Cell, out: &mut Vec<ChanceOutcome<Cell>>) {
        out.clear();
        out.push(ChanceOutcome { event: action, weight: 1 });
    }

    fn apply(&mut self, event: Cell) {
        let mover = self.taken().count_ones() % 2;
        self.marks[mover as usize] |= 1 << event.0;
    }

    fn is_possible(&self, event: Cell) -> bool {
        !self.turn().is_over() && self.taken() & 1 << event.0 == 0
    }

    fn action_of(event: Cell) -> Cell {
        event
    }

    fn view(&self, _: Seat) -> Cow<'_, TicTacToe> {
        Cow::Borrowed(self)
    }

    #[inline]
    fn sample(view: &TicTacToe, _: &mut (impl rand_core::Rng + ?Sized)) -> TicTacToe {
        *view
    }

    fn parse_action(text: &str) -> Result<Cell, NotationError> {
        text.parse()
    }

    fn parse_event(text: &str) -> Result<Cell, NotationError> {
        text.parse()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn boards_are_read_and_refused() {
        let check = |text: &str, ok: bool| {
            let read = text.parse::<TicTacToe>();
            assert_eq!(read.is_ok(), ok, "{text}");
            if let Ok(game) = read {
                assert_eq!(game.to_string(), text);
            }
        };
        check("---/---/---", true);
        check("xo-/-x-/--o", true);
        check("xx-/---/---", false);
        check("xxx/ooo/---", false);
        check("xxx/oo-/o--", false);
        check("xxx/oo-/---", true);
        check("---/---/----", false);
        check("---/---", false);
        check("---/---/--é", false);
    }
}
