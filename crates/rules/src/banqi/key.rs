//! Zobrist keys over the board, the bag and the side to move.
//!
//! Two positions with the same key have the same future, apart from the counters: how long nothing was taken or
//! flipped and what was repeated. The numbers are fixed for ever, because tables and journals may store keys.

use super::piece::{Color, Piece};
use super::square::Square;
use crate::rng::mix;

struct Keys {
    /// By piece index; rows 0 and 1 are no piece and stay zero, so that "nothing taken" needs no branch.
    piece: [[u64; 32]; Piece::COUNT],
    hidden: [u64; 32],
    /// By piece index and how many are in the bag; no entry for none.
    bag: [[u64; 16]; Piece::COUNT],
    side: [u64; 2],
}

static KEYS: Keys = {
    let mut keys =
        Keys { piece: [[0; 32]; Piece::COUNT], hidden: [0; 32], bag: [[0; 16]; Piece::COUNT], side: [0; 2] };
    let mut state = 0x616E_676C_6572_6669; // "anglerfi"
    let mut i = 2;
    while i < Piece::COUNT {
        let mut j = 0;
        while j < 32 {
            state = mix(state);
            keys.piece[i][j] = state;
            j += 1;
        }
        j = 1;
        while j < 16 {
            state = mix(state);
            keys.bag[i][j] = state;
            j += 1;
        }
        i += 1;
    }
    i = 0;
    while i < 32 {
        state = mix(state);
        keys.hidden[i] = state;
        i += 1;
    }
    keys.side = [mix(state), mix(mix(state))];
    keys
};

/// A piece face up on a square; `index` as in [`Piece::index`], zero for no piece.
#[inline]
pub(crate) fn piece(index: usize, at: Square) -> u64 {
    KEYS.piece[index & 15][at.index()]
}

/// A piece face down on a square.
#[inline]
pub(crate) fn hidden(at: Square) -> u64 {
    KEYS.hidden[at.index()]
}

/// So many of a piece in the bag.
#[inline]
pub(crate) fn bag(piece: Piece, count: u32) -> u64 {
    KEYS.bag[piece.index() & 15][count as usize & 15]
}

/// This color to move.
#[inline]
pub(crate) fn side(color: Color) -> u64 {
    KEYS.side[color as usize]
}

/// The difference between one color to move and the other.
#[inline]
pub(crate) fn side_to_move() -> u64 {
    KEYS.side[0] ^ KEYS.side[1]
}
