//! The input of the opponent-ranking network: one board after ply 3 and the opponent's next seven plies, as 86 planes of 4 × 8.
//!
//! Chang, Yueh, Fan, Lin and Hsu (2021), "Opponent Model Selection Using Deep Learning", section 3.2, Tables 2 and 3, Figures 7 and 8. A plane
//! has a row for each letter, D first, and a column for each number, as the paper prints it.
//!
//! Section 3.2 lists jumps "along the short edge" and "along the long edge to the left" and "to the right", and Figure 5 names B5-D5, B5-B3 and
//! B5-B8 for the three; then it calls B6-D6 a jump to the right. We go by the list and Figure 5. A king that goes "up, from C3 to C4"
//! goes to the next number.

use anglerfish_rules::banqi::{Banqi, Event, Piece, Position, Square};
use arrayvec::ArrayVec;

/// How many planes there are.
pub const PLANES: usize = BOARD + 14 + MOVES * PLIES;
/// Squares of a plane.
pub const SQUARES: usize = 32;
/// Plies of the opponent that are looked at.
pub const PLIES: usize = 7;
/// The board is that after so many plies.
pub const FIRST: u32 = 3;

/// Piece location planes: fourteen kinds, face down, empty.
const BOARD: usize = 16;
/// Kinds of moves: up, right, down, left, a flip, and jumps along the short edge and along the long one to either side.
const MOVES: usize = 8;
/// The canonical order of the pieces.
const ORDER: &[u8; 14] = b"KGMRNCPkgmrncp";

/// All planes, one after another.
pub type Planes = [f32; PLANES * SQUARES];

/// What is seen of an opponent in the opening.
#[derive(Clone, Debug, Default)]
pub struct Opening {
    board: Option<Position>,
    plies: ArrayVec<(usize, Square), PLIES>,
}

impl Opening {
    /// Any ply of a game that is watched from its beginning; `theirs` says whether the opponent played it.
    pub fn observe(&mut self, before: &Banqi, event: Event, theirs: bool) {
        if before.position().ply() == FIRST {
            self.board = Some(*before.position());
        }
        if theirs && self.board.is_some() {
            // Later ones are not looked at.
            let _ = self.plies.try_push(kind(event));
        }
    }

    /// How many of the opponent's plies were seen, of [`PLIES`].
    pub fn seen(&self) -> usize {
        self.plies.len()
    }

    /// The planes; those of plies that were not seen are empty. None before ply 3.
    pub fn planes(&self) -> Option<Box<Planes>> {
        let board = self.board.as_ref()?;
        let mut planes = Box::new([0.0; PLANES * SQUARES]);
        let mut set = |plane: usize, at: Square| planes[plane * SQUARES + place(at)] = 1.0;
        let pieces = ORDER.map(|letter| {
            Piece::from_letter(letter).unwrap_or_else(|| unreachable!("a letter of the canonical order"))
        });
        for at in Square::all() {
            if let Some(plane) = pieces.iter().position(|&piece| board.pieces(piece) & at.bit() != 0) {
                set(plane, at);
            } else {
                set(14 + usize::from(board.hidden() & at.bit() == 0), at);
            }
        }
        for (ply, &(kind, from)) in self.plies.iter().enumerate() {
            set(BOARD + 14 + MOVES * ply + kind, from);
        }
        for (plane, piece) in (BOARD..).zip(pieces) {
            let value = unrevealed(board.bag().count(piece), piece);
            planes[plane * SQUARES..][..SQUARES].fill(value);
        }
        Some(planes)
    }
}

/// Table 2: from −1 where none of a kind is face down to 1 where all are.
fn unrevealed(count: u32, piece: Piece) -> f32 {
    let all = match piece.letter().to_ascii_uppercase() {
        'K' => 1,
        'P' => 5,
        _ => 2,
    };
    2.0 * count as f32 / all as f32 - 1.0
}

/// Where a square is in a plane.
const fn place(at: Square) -> usize {
    (3 - at.file() as usize) * 8 + at.rank() as usize
}

/// Which of the eight kinds a ply is, and where it goes from.
fn kind(event: Event) -> (usize, Square) {
    let (from, to) = match event {
        Event::Flip { at, .. } => return (4, at),
        Event::Move { from, to } => (from, to),
    };
    let along = |from: u8, to: u8| i32::from(to) - i32::from(from);
    let kind = match (along(from.rank(), to.rank()), along(from.file(), to.file())) {
        (1, 0) => 0,
        (0, 1) => 1,
        (-1, 0) => 2,
        (0, -1) => 3,
        (0, _) => 5,
        (long, _) => 6 + usize::from(long > 0),
    };
    (kind, from)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn opening(board: &str, plies: &[&str]) -> Opening {
        let game: Banqi = board.parse().expect("a board");
        let mut opening = Opening { board: Some(*game.position()), plies: ArrayVec::new() };
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
        let planes = opening(FIGURE_5, &[]).planes().expect("a board");
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
        let [king, guard, pawn] =
            [b'K', b'g', b'P'].map(|letter| Piece::from_letter(letter).expect("a piece"));
        let check = |piece: Piece, column: &[f32]| {
            let near = |(n, value): (u32, &f32)| (unrevealed(n, piece) - value).abs() < 1e-6;
            assert!((0..).zip(column).all(near), "{piece}");
        };
        check(king, &[-1.0, 1.0]);
        check(guard, &[-1.0, 0.0, 1.0]);
        check(pawn, &[-1.0, -0.6, -0.2, 0.2, 0.6, 1.0]);
        // Seventeenth and twenty-fourth plane: red kings and black kings that are face down.
        let planes = opening(FIGURE_5, &[]).planes().expect("a board");
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
            let planes = opening(FIGURE_5, &["a1(P)", ply]).planes().expect("a board");
            assert_eq!(printed(&planes, 30 + 4), [none, none, none, "1 0 0 0 0 0 0 0"], "the flip before it");
            assert_eq!(printed(&planes, 30 + MOVES + kind), from, "{ply}");
            let plies: f32 = planes[30 * SQUARES..].iter().sum();
            assert!((plies - 2.0).abs() < 1e-6, "{ply}: and nothing else");
        }
    }
}
