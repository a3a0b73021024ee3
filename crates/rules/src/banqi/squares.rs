//! Sets of squares, a bit each: a1 is the lowest, d8 the highest.

use std::fmt;
use std::iter::FusedIterator;
use std::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not, Sub, SubAssign};
use std::str::FromStr;

use super::square::{Direction, Square};
use crate::error::NotationError;

/// A set of squares. As text it is its squares, a1 first, or `-` for none.
///
/// ```
/// use anglerfish_rules::banqi::{Banqi, RuleSet, Square, Squares};
/// let corner = Squares::from(Square::at(0, 0));
/// assert_eq!(corner.neighbors().to_string(), "b1 a2");
/// let start = Banqi::start(RuleSet::PLATFORM);
/// assert_eq!((start.position().hidden() - corner).len(), 31);
/// ```
#[derive(Clone, Copy, Default, Eq, PartialEq, Hash)]
pub struct Squares(u32);

impl Squares {
    /// No square.
    pub const EMPTY: Squares = Squares(0);
    /// All 32.
    pub const FULL: Squares = Squares(u32::MAX);

    /// The set with these bits; the bit of a square is at its [`index`](Square::index).
    #[inline]
    pub const fn from_bits(bits: u32) -> Squares {
        Squares(bits)
    }

    /// The bits of the set.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Whether `square` is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 & square.bit() != 0
    }

    /// The set with `square` in it.
    #[inline]
    #[must_use]
    pub const fn with(self, square: Square) -> Squares {
        Squares(self.0 | square.bit())
    }

    /// The set without `square`.
    #[inline]
    #[must_use]
    pub const fn without(self, square: Square) -> Squares {
        Squares(self.0 & !square.bit())
    }

    /// The number of squares in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether the set is empty.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The lowest square, unless the set is empty.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.0 == 0 { None } else { Some(Square(self.0.trailing_zeros() as u8)) }
    }

    /// The squares, lowest first.
    #[inline]
    pub const fn iter(self) -> SquaresIter {
        SquaresIter(self)
    }

    /// The squares next to any square of the set.
    #[inline]
    #[must_use]
    pub const fn neighbors(self) -> Squares {
        let [north, south, east, west] = self.steps();
        Squares(north | south | east | west)
    }

    /// The squares with no neighbor in the set, with one, and with two.
    #[inline]
    pub const fn few_neighbors(self) -> [Squares; 3] {
        // All squares are counted at once, with a word for each bit of the count.
        let [north, south, east, west] = self.steps();
        let (along, across) = (north ^ south, east ^ west);
        let (ones, twos) = (along ^ across, (north & south) ^ (east & west) ^ (along & across));
        let none = !(north | south | east | west);
        [Squares(none), Squares(ones & !twos), Squares(!ones & twos)]
    }

    /// The squares from which one step in each direction lands in the set.
    #[inline]
    const fn steps(self) -> [u32; 4] {
        [
            Direction::North.back(self.0),
            Direction::South.back(self.0),
            Direction::East.back(self.0),
            Direction::West.back(self.0),
        ]
    }
}

/// The squares of a set, lowest first.
#[derive(Clone, Debug)]
pub struct SquaresIter(Squares);

impl Iterator for SquaresIter {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for SquaresIter {}
impl FusedIterator for SquaresIter {}

impl IntoIterator for Squares {
    type Item = Square;
    type IntoIter = SquaresIter;

    #[inline]
    fn into_iter(self) -> SquaresIter {
        self.iter()
    }
}

impl FromIterator<Square> for Squares {
    #[inline]
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, Squares::with)
    }
}

impl From<Square> for Squares {
    #[inline]
    fn from(square: Square) -> Squares {
        Squares(square.bit())
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $assign:ident $assign_method:ident |$a:ident, $b:ident| $bits:expr;)*) => {$(
        impl $trait for Squares {
            type Output = Squares;

            #[inline]
            fn $method(self, other: Squares) -> Squares {
                let ($a, $b) = (self.0, other.0);
                Squares($bits)
            }
        }

        impl $assign for Squares {
            #[inline]
            fn $assign_method(&mut self, other: Squares) {
                *self = $trait::$method(*self, other);
            }
        }
    )*};
}

operators! {
    BitAnd bitand BitAndAssign bitand_assign |a, b| a & b;
    BitOr bitor BitOrAssign bitor_assign |a, b| a | b;
    BitXor bitxor BitXorAssign bitxor_assign |a, b| a ^ b;
    Sub sub SubAssign sub_assign |a, b| a & !b;
}

impl Not for Squares {
    type Output = Squares;

    #[inline]
    fn not(self) -> Squares {
        Squares(!self.0)
    }
}

impl fmt::Display for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().enumerate().try_for_each(|(i, at)| write!(f, "{}{at}", if i == 0 { "" } else { " " }))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Squares {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Squares, NotationError> {
        if text == "-" {
            return Ok(Squares::EMPTY);
        }
        let (mut set, mut at) = (Squares::EMPTY, 0);
        for word in text.split(' ') {
            let square: Square = word.parse().map_err(|error: NotationError| error.offset(at))?;
            if set.0 >= square.bit() {
                return Err(NotationError::new("squares in order, a1 first", text, at));
            }
            set = set.with(square);
            at += word.len() + 1;
        }
        Ok(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::Rng;

    /// Against a list of squares.
    #[test]
    fn sets_are_like_lists() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let [a, b] = [(); 2].map(|()| Squares::from_bits((rng.next_u64() & rng.next_u64()) as u32));
            let listed =
                |is_in: &dyn Fn(Square) -> bool| Square::all().filter(|&s| is_in(s)).collect::<Vec<_>>();
            let check = |set: Squares, is_in: &dyn Fn(Square) -> bool| {
                assert_eq!(set.iter().collect::<Vec<_>>(), listed(is_in), "{a} and {b}");
                assert_eq!(listed(is_in).into_iter().collect::<Squares>(), set);
                assert_eq!((set.len() as usize, set.first()), (set.iter().len(), set.iter().next()));
                assert_eq!(set.to_string().parse(), Ok(set));
            };
            check(a, &|s| a.contains(s));
            check(a & b, &|s| a.contains(s) && b.contains(s));
            check(a | b, &|s| a.contains(s) || b.contains(s));
            check(a ^ b, &|s| a.contains(s) != b.contains(s));
            check(a - b, &|s| a.contains(s) && !b.contains(s));
            check(!a, &|s| !a.contains(s));
            let one = Square::new(rng.next_u64() as u8 % 32);
            check(a.with(one), &|s| a.contains(s) || s == one);
            check(a.without(one), &|s| a.contains(s) && s != one);
        }
    }

    #[test]
    fn few_neighbors_are_counted() {
        let mut rng = Rng::new(1);
        for _ in 0..1000 {
            let set = Squares::from_bits(rng.next_u64() as u32);
            let few = set.few_neighbors();
            for square in Square::all() {
                let n = (Squares::from(square).neighbors() & set).len() as usize;
                for (i, squares) in few.into_iter().enumerate() {
                    assert_eq!(squares.contains(square), n == i, "{square} in {set}");
                }
            }
        }
    }

    #[test]
    fn text_is_strict() {
        assert_eq!("a1 d8".parse(), Ok(Squares::from(Square::at(0, 0)).with(Square::at(3, 7))));
        let at = |text: &str| text.parse::<Squares>().map_err(|error| error.at);
        assert_eq!(at("d8 a1"), Err(3));
        assert_eq!(at("a1 a1"), Err(3));
        assert_eq!(at("a1  b1"), Err(3));
        assert_eq!(at(""), Err(0));
    }
}
