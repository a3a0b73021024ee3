//! The bag: counts of the pieces still face down, fourteen nibbles in one word.
//!
//! The nibble of a piece is at its [`index`](Piece::index), so red pieces sit in the low halves of the bytes and
//! black ones in the high halves. Drawing is then a prefix sum by multiplication and one comparison of all bytes.

use super::piece::{Color, Piece, Role};
use crate::rng::RngExt;

/// A multiset of pieces.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash)]
pub struct Bag(u64);

const LOW: u64 = 0x0F0F_0F0F_0F0F_0F0F;
const ONES: u64 = 0x0101_0101_0101_0101;

impl Bag {
    /// Nothing left.
    pub const EMPTY: Bag = Bag(0);

    /// The pieces of a full game: 1 king, 5 pawns and 2 of each other role, in both colors.
    pub const FULL: Bag = Bag::of([1, 2, 2, 2, 2, 2, 5]);

    /// The same counts for both colors, in the order `K G M R N C P`.
    ///
    /// # Panics
    /// When a count is over 15.
    pub const fn of(counts: [u8; 7]) -> Bag {
        let mut bag = Bag(0);
        let mut i = 0;
        while i < 7 {
            assert!(counts[i] < 16);
            bag.0 |= (counts[i] as u64) << (Piece::new(Color::Red, Role::ALL[i]).index() * 4);
            bag.0 |= (counts[i] as u64) << (Piece::new(Color::Black, Role::ALL[i]).index() * 4);
            i += 1;
        }
        bag
    }

    /// The number of pieces of this kind.
    #[inline]
    pub const fn count(self, piece: Piece) -> u32 {
        (self.0 >> (piece.index() * 4)) as u32 & 15
    }

    /// The number of pieces of this color.
    #[inline]
    pub const fn count_color(self, color: Color) -> u32 {
        (self.lanes(color).wrapping_mul(ONES) >> 56) as u32
    }

    /// The number of pieces.
    #[inline]
    pub const fn len(self) -> u32 {
        self.count_color(Color::Red) + self.count_color(Color::Black)
    }

    /// Whether the bag is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether no piece of this color is left.
    #[inline]
    pub(crate) const fn lacks(self, color: Color) -> bool {
        self.lanes(color) == 0
    }

    /// Adds one.
    ///
    /// # Panics
    /// When there are 15 already.
    pub fn add(&mut self, piece: Piece) {
        assert!(self.count(piece) < 15, "a bag holds at most 15 of a piece");
        self.0 += 1 << (piece.index() * 4);
    }

    /// Takes one out; there must be one.
    #[inline]
    pub fn remove(&mut self, piece: Piece) {
        debug_assert!(self.count(piece) > 0, "no {piece} in the bag");
        self.0 -= 1 << (piece.index() * 4);
    }

    /// Each kind that is left with its count, in the order of the notation.
    pub fn iter(self) -> impl Iterator<Item = (Piece, u32)> {
        Piece::ALL.into_iter().map(move |p| (p, self.count(p))).filter(|&(_, n)| n > 0)
    }

    /// A random piece, each equally likely. It stays in the bag.
    #[inline]
    pub fn draw(self, rng: &mut (impl rand_core::Rng + ?Sized)) -> Piece {
        let red = self.lanes(Color::Red).wrapping_mul(ONES);
        let black = self.lanes(Color::Black).wrapping_mul(ONES);
        let n_red = red >> 56;
        let mut n = u64::from(rng.below((n_red + (black >> 56)) as u32));
        // `sums` holds, byte by byte, how many pieces of that rank or less there are.
        let (sums, color) = if n < n_red {
            (red, Color::Red)
        } else {
            n -= n_red;
            (black, Color::Black)
        };
        // The first byte with sum > n: sums and n are below 128, so the top bits do not borrow from each other.
        let above = ((sums | (ONES << 7)) - (n + 1) * ONES) & (ONES << 7);
        match Role::from_rank((above.trailing_zeros() / 8) as u8) {
            Some(role) => Piece::new(color, role),
            None => unreachable!("n is below the sum of all ranks, and no piece has rank 0"),
        }
    }

    /// All counts in one word: for each rank from 0 a byte, red in its low half, black in its high half.
    #[inline]
    pub const fn nibbles(self) -> u64 {
        self.0
    }

    /// The counts of one color, a byte a rank.
    #[inline]
    const fn lanes(self, color: Color) -> u64 {
        (self.0 >> (4 * color as u32)) & LOW
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    #[test]
    fn counts() {
        assert_eq!(Bag::FULL.len(), 32);
        assert_eq!(Bag::FULL.count_color(Color::Black), 16);
        let mut bag = Bag::EMPTY;
        let cannon = Piece::new(Color::Black, Role::Cannon);
        bag.add(cannon);
        assert_eq!(bag.iter().collect::<Vec<_>>(), [(cannon, 1)]);
        assert!(bag.lacks(Color::Red) && !bag.lacks(Color::Black));
        bag.remove(cannon);
        assert!(bag.is_empty());
    }

    /// Every piece comes up as often as its count says.
    #[test]
    fn draws_follow_the_counts() {
        let mut bag = Bag::FULL;
        for letter in *b"PPKGcc" {
            bag.remove(Piece::from_letter(letter).unwrap());
        }
        let mut rng = Rng::new(3);
        let mut seen = [0u32; Piece::COUNT];
        let n = 260_000;
        for _ in 0..n {
            seen[bag.draw(&mut rng).index()] += 1;
        }
        let mut chi = 0.0;
        for piece in Piece::ALL {
            let expected = f64::from(n * bag.count(piece)) / f64::from(bag.len());
            if expected == 0.0 {
                assert_eq!(seen[piece.index()], 0, "{piece} is not in the bag");
            } else {
                chi += (f64::from(seen[piece.index()]) - expected).powi(2) / expected;
            }
        }
        assert!(chi < 31.3, "chi-square {chi} with 11 degrees of freedom is past the 0.1 % point");
    }
}
