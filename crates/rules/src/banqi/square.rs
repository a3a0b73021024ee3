//! Squares by number: file + 4 x (rank - 1), so that a1 is 0, d1 is 3 and d8 is 31; and the directions of steps.

use std::fmt::{self, Write as _};

/// One of the 32 squares, `a1` to `d8`.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Square(pub(super) u8);

impl Square {
    /// The square with this index.
    ///
    /// # Panics
    /// When the index is 32 or more.
    #[inline]
    pub const fn new(index: u8) -> Square {
        assert!(index < 32);
        Square(index)
    }

    /// File 0 to 3 (a to d) and rank 0 to 7 (1 to 8).
    ///
    /// # Panics
    /// When either is out of range.
    #[inline]
    pub const fn at(file: u8, rank: u8) -> Square {
        assert!(file < 4 && rank < 8);
        Square(file + 4 * rank)
    }

    /// All 32, a1 first.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..32).map(Square)
    }

    /// 0 for a1, 31 for d8.
    #[inline]
    pub const fn index(self) -> usize {
        // The mask tells the compiler what the constructor guarantees: tables of 32 need no bounds check.
        (self.0 & 31) as usize
    }

    /// 0 for the a-file, 3 for the d-file.
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 % 4
    }

    /// 0 for rank 1, 7 for rank 8.
    #[inline]
    pub const fn rank(self) -> u8 {
        self.0 / 4
    }

    /// Its bit in the bits of a set.
    #[inline]
    pub(crate) const fn bit(self) -> u32 {
        1 << (self.0 & 31)
    }

    /// Reads two bytes such as `b3`.
    #[inline]
    pub const fn from_ascii(file: u8, rank: u8) -> Option<Square> {
        let (file, rank) = (file.wrapping_sub(b'a'), rank.wrapping_sub(b'1'));
        if file < 4 && rank < 8 { Some(Square(file + 4 * rank)) } else { None }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char((b'a' + self.file()) as char)?;
        f.write_char((b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

const ONES: u64 = 0x0101_0101_0101_0101;
const TOPS: u64 = ONES << 7;

/// The place of the set bit that has exactly `n` set bits below it.
#[inline]
pub(crate) fn select(word: u64, n: u32) -> u32 {
    // In each byte, how many bits are set up to the end of that byte.
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let sums = ((fours + (fours >> 4)) & 0x0F0F_0F0F_0F0F_0F0F).wrapping_mul(ONES);
    // The first byte whose sum is above n. Sums are at most 64, so the top bits do not borrow from each other.
    let above = ((sums | TOPS) - (u64::from(n) + 1) * ONES) & TOPS;
    let shift = above.trailing_zeros() & 0o70;
    let before = (sums << 8 >> shift) as u32 & 255;
    let byte = (word >> shift) as usize & 255;
    shift + u32::from(SELECT[byte][(n - before) as usize & 7])
}

/// For each byte, the places of its set bits.
static SELECT: [[u8; 8]; 256] = {
    let mut table = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut n) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte][n] = bit;
                n += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

/// The four ways to step. A [`shift`](Direction::back) never wraps around an edge.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
#[repr(u8)]
pub(crate) enum Direction {
    North = 0,
    South = 1,
    East = 2,
    West = 3,
}

const FILE_A: u32 = 0x1111_1111;
pub(crate) const FILE_D: u32 = 0x8888_8888;

impl Direction {
    pub(crate) const ALL: [Direction; 4] =
        [Direction::North, Direction::South, Direction::East, Direction::West];

    /// The squares from which one step in this direction lands in `set`.
    #[inline]
    pub(crate) const fn back(self, set: u32) -> u32 {
        match self {
            Direction::North => set >> 4,
            Direction::South => set << 4,
            Direction::East => (set >> 1) & !FILE_D,
            Direction::West => (set << 1) & !FILE_A,
        }
    }

    /// Every square beyond `from` in this direction.
    pub(crate) const fn ray(self, from: Square) -> u32 {
        let mut set = 0;
        let (mut file, mut rank) = (from.file().cast_signed(), from.rank().cast_signed());
        loop {
            match self {
                Direction::North => rank += 1,
                Direction::South => rank -= 1,
                Direction::East => file += 1,
                Direction::West => file -= 1,
            }
            if file < 0 || file > 3 || rank < 0 || rank > 7 {
                return set;
            }
            set |= 1 << (file + 4 * rank);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::squares::Squares;
    use super::*;

    #[test]
    fn names_round_trip() {
        assert_eq!(Square::at(1, 2).to_string(), "b3");
        for square in Square::all() {
            let name = square.to_string();
            assert_eq!(Square::from_ascii(name.as_bytes()[0], name.as_bytes()[1]), Some(square));
        }
        assert_eq!(Square::from_ascii(b'e', b'1'), None);
        assert_eq!(Square::from_ascii(b'a', b'9'), None);
    }

    #[test]
    fn steps_stay_on_the_board() {
        let of = |d: Direction, s: Square| Square::all().find(|&from| d.back(s.bit()) == from.bit());
        assert_eq!(of(Direction::East, Square::at(0, 3)), None, "nothing is west of the a-file");
        assert_eq!(of(Direction::West, Square::at(3, 3)), None);
        assert_eq!(of(Direction::North, Square::at(1, 4)), Some(Square::at(1, 3)));
        for d in Direction::ALL {
            for s in Square::all() {
                // A ray begins with the one square from which a step back leads here.
                let next = Squares::from_bits(d.ray(s)).iter().filter(|n| d.back(n.bit()) == s.bit()).count();
                assert_eq!(next, usize::from(d.ray(s) != 0), "{d:?} of {s}");
            }
        }
    }

    #[test]
    fn select_counts_from_the_bottom() {
        let mut rng = crate::rng::Rng::new(5);
        for _ in 0..1000 {
            let word = rng.next_u64() & rng.next_u64();
            let places: Vec<u32> = (0..64).filter(|i| word >> i & 1 == 1).collect();
            let selected: Vec<u32> = (0..word.count_ones()).map(|n| select(word, n)).collect();
            assert_eq!(selected, places, "{word:x}");
        }
    }
}
