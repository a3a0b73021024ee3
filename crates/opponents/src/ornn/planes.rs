//! The input of the opponent-ranking network: one board after ply 3 and the opponent's next seven plies, as 86 planes of 4 × 8.
//!
//! Chang, Yueh, Fan, Lin and Hsu (2021), "Opponent Model Selection Using Deep Learning", section 3.2, Tables 2 and 3, Figures 7 and 8. A plane
//! has a row for each letter, D first, and a column for each number, as the paper prints it.
//!
//! Section 3.2 lists jumps "along the short edge" and "along the long edge to the left" and "to the right", and Figure 5 names B5-D5, B5-B3 and
//! B5-B8 for the three; then it calls B6-D6 a jump to the right. We go by the list and Figure 5. A king that goes "up, from C3 to C4"
//! goes to the next number.

use anglerfish_rules::banqi::{Banqi, Cell, Color, Event, Piece, Position, Square};
use anglerfish_rules::{Game, Record, Seat};
use arrayvec::ArrayVec;

/// How many planes there are.
pub const PLANES: usize = BOARD + KINDS + MOVES * PLIES;
/// Squares of a plane.
pub const SQUARES: usize = 32;
/// Plies of the opponent that are looked at.
pub const PLIES: usize = 7;
/// The board is that after so many plies.
pub const FIRST: u32 = 3;

/// Kinds of pieces, each with a plane of one value.
pub const KINDS: usize = 14;
/// Planes that are sets of squares.
pub const SETS: usize = PLANES - KINDS;
/// Piece location planes: fourteen kinds, face down, empty.
const BOARD: usize = KINDS + 2;
const HIDDEN: usize = KINDS;
const EMPTY: usize = KINDS + 1;
/// Kinds of moves: up, right, down, left, a flip, and jumps along the short edge and along the long one to either side.
const MOVES: usize = 8;
/// The canonical order of the pieces.
const ORDER: &[u8; KINDS] = b"KGMRNCPkgmrncp";

/// All planes, one after another.
pub type Planes = [f32; PLANES * SQUARES];

/// The observations of an opponent in the opening.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Opening {
    board: Option<Board>,
    /// From where to where; a flip goes nowhere.
    plies: ArrayVec<(Square, Square), PLIES>,
}

/// The board after ply 3.
#[derive(Clone, Debug, Eq, PartialEq)]
struct Board {
    /// Which of the sixteen planes each square is in, by its index.
    cells: [u8; SQUARES],
    /// How many of each kind are face down, in the canonical order.
    bag: [u8; KINDS],
    opponent: Color,
}

/// The same as numbers: planes of squares as sets, and planes of one value as that.
#[derive(Clone, Debug, PartialEq)]
pub struct Features {
    /// The planes of the board and of the plies, as bits by their places.
    pub boards: [u32; SETS],
    /// How much of each kind is face down, from −1 to 1.
    pub unrevealed: [f32; KINDS],
}

impl Opening {
    /// Any ply of a game that is watched from its beginning; `theirs` says whether the opponent played it.
    pub fn observe(&mut self, before: &Banqi, event: Event, theirs: bool) {
        let position = before.position();
        if let (FIRST, Some(mover)) = (position.ply(), position.side()) {
            self.board = Some(Board::new(position, if theirs { mover } else { mover.other() }));
        }
        if theirs && self.board.is_some() {
            // Later ones are not looked at.
            let _ = self.plies.try_push(match event {
                Event::Flip { at, .. } => (at, at),
                Event::Move { from, to } => (from, to),
            });
        }
    }

    /// That of a whole game against an opponent in this seat; none where it played too few plies.
    pub fn of(record: &Record<Banqi>, them: Seat) -> Option<Opening> {
        let (mut opening, mut game) = (Opening::default(), record.start.clone());
        for ply in &record.plies {
            opening.observe(&game, ply.event, ply.seat == them);
            game.apply(ply.event);
        }
        (opening.seen() == PLIES).then_some(opening)
    }

    /// How many of the opponent's plies were seen, of [`PLIES`].
    pub fn seen(&self) -> usize {
        self.plies.len()
    }

    /// The same opening in its canonical form: the opponent has red, and of the four boards that are one board turned and mirrored it is
    /// that whose kinds, square by square, come last in the alphabet; then the plies decide. Not in the paper, which says nothing of it.
    #[must_use]
    pub fn canonical(&self) -> Opening {
        let Some(board) = &self.board else { return self.clone() };
        let colored = match board.opponent {
            Color::Red => board.clone(),
            Color::Black => board.other_color(),
        };
        let seen = |turn: u8| {
            let at = |square: Square| {
                Square::at(square.file() ^ (3 * (turn & 1)), square.rank() ^ (7 * (turn >> 1)))
            };
            let mut cells = [0; SQUARES];
            for square in Square::all() {
                cells[at(square).index()] = colored.cells[square.index()];
            }
            let plies: ArrayVec<_, PLIES> = self.plies.iter().map(|&(from, to)| (at(from), at(to))).collect();
            (cells, plies)
        };
        let order = |(cells, plies): &([u8; SQUARES], ArrayVec<(Square, Square), PLIES>)| {
            (
                *cells,
                plies.iter().map(|(from, to)| (from.index(), to.index())).collect::<ArrayVec<_, PLIES>>(),
            )
        };
        let best = (0..4).map(seen).max_by_key(order);
        let (cells, plies) = best.unwrap_or_else(|| unreachable!("four boards"));
        Opening { board: Some(Board { cells, ..colored }), plies }
    }

    /// As numbers; planes of plies that were not seen are empty. None before ply 3.
    pub fn features(&self) -> Option<Features> {
        let board = self.board.as_ref()?;
        let mut boards = [0; SETS];
        for square in Square::all() {
            boards[usize::from(board.cells[square.index()])] |= 1 << place(square);
        }
        for (ply, &(from, to)) in self.plies.iter().enumerate() {
            boards[BOARD + MOVES * ply + kind(from, to)] |= 1 << place(from);
        }
        let unrevealed = std::array::from_fn(|kind| unrevealed(board.bag[kind], kind));
        Some(Features { boards, unrevealed })
    }
}

impl Board {
    fn new(position: &Position, opponent: Color) -> Board {
        let plane = |at: Square| match position.cell(at) {
            Cell::Shown(piece) => {
                ORDER.iter().position(|letter| char::from(*letter) == piece.letter()).unwrap_or(EMPTY)
            }
            Cell::Hidden => HIDDEN,
            Cell::Empty | Cell::Outside => EMPTY,
        };
        let mut cells = [0; SQUARES];
        for at in Square::all() {
            cells[at.index()] = plane(at) as u8;
        }
        let count = |letter| Piece::from_letter(letter).map_or(0, |piece| position.bag().count(piece));
        Board { cells, bag: ORDER.map(|letter| count(letter) as u8), opponent }
    }

    /// With the colors exchanged.
    fn other_color(&self) -> Board {
        const ROLES: usize = KINDS / 2;
        let cells = self.cells.map(|cell| match usize::from(cell) {
            kind if kind < KINDS => ((kind + ROLES) % KINDS) as u8,
            _ => cell,
        });
        let bag = std::array::from_fn(|kind| self.bag[(kind + ROLES) % KINDS]);
        Board { cells, bag, opponent: self.opponent.other() }
    }
}

impl Features {
    /// The same with the first plies of the opponent only.
    #[must_use]
    pub fn first(&self, plies: usize) -> Features {
        let mut few = self.clone();
        few.boards[(BOARD + MOVES * plies.min(PLIES))..].fill(0);
        few
    }

    /// All planes.
    pub fn planes(&self) -> Box<Planes> {
        let mut planes = Box::new([0.0; PLANES * SQUARES]);
        for (n, plane) in planes.chunks_exact_mut(SQUARES).enumerate() {
            let set = match n {
                0..BOARD => self.boards[n],
                n if n < BOARD + KINDS => {
                    plane.fill(self.unrevealed[n - BOARD]);
                    continue;
                }
                n => self.boards[n - KINDS],
            };
            for (at, value) in plane.iter_mut().enumerate() {
                *value = (set >> at & 1) as f32;
            }
        }
        planes
    }
}

/// Table 2: from −1 where none of a kind is face down to 1 where all are.
fn unrevealed(count: u8, kind: usize) -> f32 {
    let all = match ORDER[kind].to_ascii_uppercase() {
        b'K' => 1.0,
        b'P' => 5.0,
        _ => 2.0,
    };
    2.0 * f32::from(count) / all - 1.0
}

/// Where a square is in a plane.
const fn place(at: Square) -> usize {
    (3 - at.file() as usize) * 8 + at.rank() as usize
}

/// Which of the eight kinds a ply is.
fn kind(from: Square, to: Square) -> usize {
    let along = |from: u8, to: u8| i32::from(to) - i32::from(from);
    match (along(from.rank(), to.rank()), along(from.file(), to.file())) {
        (0, 0) => 4,
        (1, 0) => 0,
        (0, 1) => 1,
        (-1, 0) => 2,
        (0, -1) => 3,
        (0, _) => 5,
        (long, _) => 6 + usize::from(long > 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(board: &str, plies: &[&str]) -> Opening {
        let game: Banqi = board.parse().expect("a board");
        let board = Board::new(game.position(), Color::Red);
        let mut opening = Opening { board: Some(board), plies: ArrayVec::new() };
        for text in plies {
            opening.observe(&game, text.parse().expect("a ply"), true);
        }
        opening
    }

    /// A plane as the paper prints it.
    fn printed(planes: &Planes, plane: usize) -> Vec<String> {
        let rows = planes[plane * SQUARES..][..SQUARES].chunks(8);
        rows.map(|row| row.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")).collect()
    }

    /// The board of Figure 5 as Figure 7 shows it: black king D3, red minister C3, red knight C4, black rook B3, and C2 empty.
    const FIGURE_5: &str =
        "XXXX/XXXX/XXXX/XXXX/XXNX/XrMk/XX-X/XXXX r K1G2M1R2N1C2P5g2m2r1n2c2p4 0 5 platform";

    #[test]
    fn figure_7() {
        let planes = opening(FIGURE_5, &[]).features().expect("a board").planes();
        let none = "0 0 0 0 0 0 0 0";
        assert_eq!(printed(&planes, 7), ["0 0 1 0 0 0 0 0", none, none, none], "the black king");
        let down = ["1 1 0 1 1 1 1 1", "1 0 0 0 1 1 1 1", "1 1 0 1 1 1 1 1", "1 1 1 1 1 1 1 1"];
        assert_eq!(printed(&planes, 14), down, "face down");
        assert_eq!(printed(&planes, 15), [none, "0 1 0 0 0 0 0 0", none, none], "empty");
        let squares: f32 = planes[..BOARD * SQUARES].iter().sum();
        assert!((squares - 32.0).abs() < 1e-6, "every square is in one of them");
        let plies: f32 = planes[30 * SQUARES..].iter().sum();
        assert!(plies < 1e-6, "no plies");
    }

    #[test]
    fn table_2() {
        let check = |letter: u8, column: &[f32]| {
            let kind = ORDER.iter().position(|other| *other == letter).expect("a letter");
            let near = |(n, value): (u8, &f32)| (unrevealed(n, kind) - value).abs() < 1e-6;
            assert!((0..).zip(column).all(near), "{kind}");
        };
        check(b'K', &[-1.0, 1.0]);
        check(b'g', &[-1.0, 0.0, 1.0]);
        check(b'P', &[-1.0, -0.6, -0.2, 0.2, 0.6, 1.0]);
        // Seventeenth and twenty-fourth plane: red kings and black kings that are face down.
        let planes = opening(FIGURE_5, &[]).features().expect("a board").planes();
        assert_eq!([16, 23].map(|plane| planes[plane * SQUARES].to_string()), ["1", "-1"]);
    }

    #[test]
    fn figure_8_and_the_jumps_of_figure_5() {
        let none = "0 0 0 0 0 0 0 0";
        let c3 = [none, "0 0 1 0 0 0 0 0", none, none];
        for (ply, kind, from) in [
            ("c3-c4", 0, c3),
            ("c3-d3", 1, c3),
            ("c3-c2", 2, c3),
            ("c3-b3", 3, c3),
            ("b6-d6", 5, [none, none, "0 0 0 0 0 1 0 0", none]),
            ("b5-d5", 5, [none, none, "0 0 0 0 1 0 0 0", none]),
            ("b5-b3", 6, [none, none, "0 0 0 0 1 0 0 0", none]),
            ("b5-b8", 7, [none, none, "0 0 0 0 1 0 0 0", none]),
        ] {
            let planes = opening(FIGURE_5, &["a1(P)", ply]).features().expect("a board").planes();
            assert_eq!(printed(&planes, 30 + 4), [none, none, none, "1 0 0 0 0 0 0 0"], "the flip before it");
            assert_eq!(printed(&planes, 30 + MOVES + kind), from, "{ply}");
            let plies: f32 = planes[30 * SQUARES..].iter().sum();
            assert!((plies - 2.0).abs() < 1e-6, "{ply}: and nothing else");
        }
    }

    /// Turned, mirrored and with the colors exchanged, an opening is the same canonical one.
    #[test]
    fn one_opening_has_one_form() {
        let plies = ["a1(P)", "c3-c4", "b3-b5", "d8(k)"];
        let game: Banqi = FIGURE_5.parse().expect("a board");
        let one = opening(FIGURE_5, &plies);
        let form = one.canonical();
        assert_eq!(form.canonical(), form, "once is enough");
        for turn in 0..4_u8 {
            let at = |square: Square| {
                Square::at(square.file() ^ (3 * (turn & 1)), square.rank() ^ (7 * (turn >> 1)))
            };
            let board = Board::new(game.position(), Color::Red);
            let mut cells = [0; SQUARES];
            for square in Square::all() {
                cells[at(square).index()] = board.cells[square.index()];
            }
            let turned = Opening {
                board: Some(Board { cells, ..board.clone() }),
                plies: one.plies.iter().map(|&(from, to)| (at(from), at(to))).collect(),
            };
            let swapped = Opening { board: turned.board.as_ref().map(Board::other_color), ..turned.clone() };
            for opening in [turned, swapped] {
                assert_eq!(opening.canonical(), form, "turn {turn}");
            }
        }
        // What is told apart stays so: the opponent's pieces are not ours.
        let theirs = Opening {
            board: form.board.clone().map(|board| Board { opponent: Color::Black, ..board }),
            ..form.clone()
        };
        assert_ne!(theirs.canonical(), form);
    }

    #[test]
    fn fewer_plies_are_emptied() {
        let features = opening(FIGURE_5, &["a1(P)", "c3-c4", "b3-b5"]).features().expect("a board");
        let few = opening(FIGURE_5, &["a1(P)"]).features().expect("a board");
        assert_eq!(features.first(1), few);
        assert_eq!(features.first(PLIES), features);
    }
}
