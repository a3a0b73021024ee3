//! Examples as planes: what `crates/opponents/src/ornn/planes.rs` makes of an opening, as a tensor.
//!
//! Of 86 planes of 4 × 8, planes 0..16 (the board) and 30..86 (eight kinds of moves per ply) are sets of
//! squares, and planes 16..30 (the face-down pieces) are constant. Squares come first and planes last here,
//! so that a convolution copies whole rows.

use crate::data::Example;

/// Number of planes.
pub const PLANES: usize = BOARD + VALUES + MOVES * PLIES;
/// Squares of a plane.
pub const SQUARES: usize = ROWS * COLUMNS;
/// Rows of a plane.
pub const ROWS: usize = 4;
/// Columns of a plane.
pub const COLUMNS: usize = 8;
/// Planes that are sets of squares.
pub const BITS: usize = BOARD + MOVES * PLIES;
/// Constant planes.
pub const VALUES: usize = 14;
/// The opponent's plies in the planes.
pub const PLIES: usize = 7;

/// Planes of the board.
const BOARD: usize = 16;
/// Planes of a ply.
const MOVES: usize = 8;

/// Adds the planes of an example with this many of the opponent's plies to `input`: `SQUARES` times `PLANES` numbers.
pub fn expand(example: &Example, plies: usize, input: &mut Vec<f32>) {
    let start = input.len();
    input.resize(start + SQUARES * PLANES, 0.0);
    let squares = &mut input[start..];
    let kept = &example.boards[..BOARD + MOVES * plies];
    for (i, &board) in kept.iter().enumerate() {
        let plane = if i < BOARD { i } else { i + VALUES };
        let mut rest = board;
        while rest != 0 {
            squares[rest.trailing_zeros() as usize * PLANES + plane] = 1.0;
            rest &= rest - 1;
        }
    }
    for square in squares.chunks_exact_mut(PLANES) {
        square[BOARD..BOARD + VALUES].copy_from_slice(&example.unrevealed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// One bit in every plane, each on another square, and another value in every constant plane.
    fn example() -> Example {
        Example {
            game: String::new(),
            fold: 0,
            label: 0,
            boards: std::array::from_fn(|i| 1 << (i % SQUARES)),
            unrevealed: std::array::from_fn(|i| i as f32 / 10.0 - 0.5),
        }
    }

    /// Entry by entry, as the format defines it.
    fn plain(example: &Example, plies: usize, plane: usize, square: usize) -> f32 {
        match plane {
            16..30 => example.unrevealed[plane - 16],
            30.. if plane - 30 >= 8 * plies => 0.0,
            _ => {
                let board = example.boards[if plane < 16 { plane } else { plane - 14 }];
                f32::from(u8::from(board & (1 << square) != 0))
            }
        }
    }

    #[test]
    fn every_entry() {
        let example = example();
        for plies in 0..=PLIES {
            let mut input = vec![7.0];
            expand(&example, plies, &mut input);
            assert_eq!((input.len(), input[0].to_bits()), (1 + PLANES * SQUARES, 7f32.to_bits()));
            for (i, value) in input[1..].iter().enumerate() {
                let expected = plain(&example, plies, i % PLANES, i / PLANES);
                assert_eq!(value.to_bits(), expected.to_bits(), "{plies} plies, entry {i}");
            }
        }
    }
}
