//! The 129 stations: four arms of thirty around nine in the middle, and sets of them.

use std::fmt;
use std::str::FromStr;

use anglerfish_rules::NotationError;

/// One of the four arms of the board, in the order of turns, which is counterclockwise.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Arm {
    /// At the bottom.
    South,
    /// On the right.
    East,
    /// At the top.
    North,
    /// On the left.
    West,
}

impl Arm {
    /// Every arm, in the order of the turns.
    pub const ALL: [Arm; 4] = [Arm::South, Arm::East, Arm::North, Arm::West];

    /// 0 for south to 3 for west.
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The arm whose turn would be `n` turns later if all were in the game.
    #[must_use]
    pub const fn after(self, n: usize) -> Arm {
        Arm::ALL[(self as usize + n) % 4]
    }

    /// `s`, `e`, `n` or `w`.
    pub const fn letter(self) -> char {
        b"senw"[self as usize] as char
    }

    /// The arm of a letter.
    pub fn from_letter(letter: char) -> Option<Arm> {
        Arm::ALL.into_iter().find(|arm| arm.letter() == letter)
    }
}

/// The kind of a station.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum StationKind {
    /// An ordinary station.
    Post,
    /// A safe station: empty at the start, and a man in it cannot be attacked.
    Camp,
    /// A man here never moves again. One of the two of an arm holds the flag.
    Headquarters,
}

/// A place for a man.
///
/// Written as the letter of the arm (`c` for the nine in the middle), the row and the column: `s11` is the
/// left end of the front row of south, as south sees it, and `s65` the right end of its last row. In the
/// middle rows count from north and columns from west.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Station(u8);

impl Station {
    /// Number of stations.
    pub const COUNT: usize = 129;

    /// The station with this index; `None` from 129 on.
    pub const fn new(index: usize) -> Option<Station> {
        if index < Station::COUNT { Some(Station(index as u8)) } else { None }
    }

    /// The station of an arm, by its slot: five times the row, plus the column, both from 0.
    ///
    /// # Panics
    /// When there is no such slot.
    pub const fn of(arm: Arm, slot: usize) -> Station {
        assert!(slot < 30);
        Station((arm as usize * 30 + slot) as u8)
    }

    /// One of the nine in the middle: row from north and column from west, both from 0.
    ///
    /// # Panics
    /// When there is no such row or column.
    pub const fn center(row: usize, column: usize) -> Station {
        assert!(row < 3 && column < 3);
        Station((120 + 3 * row + column) as u8)
    }

    /// Every station, in the order of their indices.
    pub fn all() -> impl Iterator<Item = Station> {
        (0..Station::COUNT as u8).map(Station)
    }

    /// Thirty to each arm, then the middle.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// The arm it is in; `None` in the middle.
    #[inline]
    pub const fn arm(self) -> Option<Arm> {
        if self.0 < 120 { Some(Arm::ALL[self.0 as usize / 30]) } else { None }
    }

    /// The slot within the arm; `None` in the middle.
    #[inline]
    pub const fn slot(self) -> Option<usize> {
        if self.0 < 120 { Some(self.0 as usize % 30) } else { None }
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> StationKind {
        match self.slot() {
            Some(slot) => slot_kind(slot),
            None => StationKind::Post,
        }
    }

    /// The station that it becomes when the board is turned by one arm, from south to east.
    #[must_use]
    pub const fn turned(self) -> Station {
        if self.0 < 120 {
            return Station((self.0 + 30) % 120);
        }
        let (row, column) = ((self.0 as usize - 120) / 3, (self.0 as usize - 120) % 3);
        Station::center(2 - column, row)
    }
}

/// The kind of a slot; the same in every arm.
#[inline]
pub const fn slot_kind(slot: usize) -> StationKind {
    match slot {
        6 | 8 | 12 | 16 | 18 => StationKind::Camp,
        26 | 28 => StationKind::Headquarters,
        _ => StationKind::Post,
    }
}

impl fmt::Display for Station {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (letter, place, width) = match (self.arm(), self.slot()) {
            (Some(arm), Some(slot)) => (arm.letter(), slot, 5),
            _ => ('c', self.index() - 120, 3),
        };
        write!(f, "{letter}{}{}", place / width + 1, place % width + 1)
    }
}

impl FromStr for Station {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Station, NotationError> {
        let read = || {
            let &[letter, row @ b'1'..=b'6', column @ b'1'..=b'5'] = text.as_bytes() else { return None };
            let (row, column) = (usize::from(row - b'1'), usize::from(column - b'1'));
            match Arm::from_letter(letter as char) {
                Some(arm) => Some(Station::of(arm, 5 * row + column)),
                None if letter == b'c' && row < 3 && column < 3 => Some(Station::center(row, column)),
                None => None,
            }
        };
        read().ok_or_else(|| NotationError::new("a station such as s11 or c22", text, 0))
    }
}

/// A set of stations.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Stations([u64; 3]);

impl Stations {
    /// Inserts a station; whether it is new.
    #[inline]
    pub fn insert(&mut self, at: Station) -> bool {
        let new = !self.contains(at);
        self.0[at.index() / 64] |= 1 << (at.index() % 64);
        new
    }

    /// Whether a station is in it.
    #[inline]
    pub const fn contains(&self, at: Station) -> bool {
        self.0[at.index() / 64] >> (at.index() % 64) & 1 == 1
    }

    /// The stations that are in both.
    #[must_use]
    #[inline]
    pub const fn and(self, other: Stations) -> Stations {
        Stations([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }

    /// Number of stations in the set.
    pub fn len(&self) -> usize {
        self.0.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether the set is empty.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; 3]
    }

    /// The stations, in the order of their indices.
    pub fn iter(self) -> impl Iterator<Item = Station> {
        self.0.into_iter().enumerate().flat_map(|(i, word)| {
            let rest = std::iter::successors(Some(word), |word| Some(word & word.wrapping_sub(1)));
            rest.take_while(|&word| word != 0)
                .map(move |word| Station((64 * i) as u8 + word.trailing_zeros() as u8))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stations_have_names() {
        for at in Station::all() {
            assert_eq!(at.to_string().parse(), Ok(at));
            assert_eq!(at.turned().turned().turned().turned(), at);
            assert_eq!(at.turned().kind(), at.kind());
        }
        assert_eq!(
            ["s11", "w65", "c11", "c33"].map(|text| text.parse::<Station>().unwrap().index()),
            [0, 119, 120, 128]
        );
        for wrong in ["", "s", "s01", "s71", "s16", "c14", "c41", "x11", "s111", "é1"] {
            assert!(wrong.parse::<Station>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn kinds_are_counted() {
        let count = |kind| Station::all().filter(|at| at.kind() == kind).count();
        assert_eq!(
            [StationKind::Camp, StationKind::Headquarters, StationKind::Post].map(count),
            [20, 8, 101]
        );
    }

    #[test]
    fn sets_hold_what_was_put_in() {
        let mut set = Stations::default();
        assert!(set.is_empty());
        let some: Vec<Station> = Station::all().filter(|at| at.index() % 7 == 2).collect();
        assert!(some.iter().all(|&at| set.insert(at)) && !set.insert(some[0]));
        assert_eq!((set.iter().collect::<Vec<_>>(), set.len()), (some.clone(), some.len()));
    }
}
