//! Colors, roles and pieces, with the one set of letters used everywhere: `K G M R N C P`, capitals red.

use std::fmt::{self, Write as _};

/// The color of a piece. Which seat plays which color is decided by the first flip.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
#[repr(u8)]
pub enum Color {
    /// Capital letters.
    Red = 0,
    /// Small letters.
    Black = 1,
}

impl Color {
    /// Both colors.
    pub const ALL: [Color; 2] = [Color::Red, Color::Black];

    /// The opposing color.
    #[inline]
    #[must_use]
    pub const fn other(self) -> Color {
        match self {
            Color::Red => Color::Black,
            Color::Black => Color::Red,
        }
    }

    /// The English word, as the tournament protocol writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Color::Red => "red",
            Color::Black => "black",
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The role of a piece, weakest first. The number is its rank, which is also its code in the bit planes.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
#[repr(u8)]
pub enum Role {
    /// 兵 卒: takes pawns and the king.
    Pawn = 1,
    /// 炮 砲: takes anything, but only by jumping over exactly one piece.
    Cannon = 2,
    /// 傌 馬
    Knight = 3,
    /// 俥 車
    Rook = 4,
    /// 相 象
    Minister = 5,
    /// 仕 士
    Guard = 6,
    /// 帥 將: takes everything but pawns.
    King = 7,
}

impl Role {
    /// The English word.
    pub const fn name(self) -> &'static str {
        match self {
            Role::King => "king",
            Role::Guard => "guard",
            Role::Minister => "minister",
            Role::Rook => "rook",
            Role::Knight => "knight",
            Role::Cannon => "cannon",
            Role::Pawn => "pawn",
        }
    }

    /// Every role in the order of the notation: `K G M R N C P`.
    pub const ALL: [Role; 7] =
        [Role::King, Role::Guard, Role::Minister, Role::Rook, Role::Knight, Role::Cannon, Role::Pawn];

    /// The role with this rank.
    #[inline]
    pub(crate) const fn from_rank(rank: u8) -> Option<Role> {
        Some(match rank {
            1 => Role::Pawn,
            2 => Role::Cannon,
            3 => Role::Knight,
            4 => Role::Rook,
            5 => Role::Minister,
            6 => Role::Guard,
            7 => Role::King,
            _ => return None,
        })
    }

    /// Whether a piece of this role may take `victim` by stepping onto it. Cannons only take by jumping.
    pub const fn takes(self, victim: Role) -> bool {
        match (self, victim) {
            (Role::Cannon, _) | (Role::King, Role::Pawn) => false,
            (Role::Pawn, Role::King) => true,
            _ => self as u8 >= victim as u8,
        }
    }

    /// The capital letter.
    pub const fn letter(self) -> char {
        match self {
            Role::King => 'K',
            Role::Guard => 'G',
            Role::Minister => 'M',
            Role::Rook => 'R',
            Role::Knight => 'N',
            Role::Cannon => 'C',
            Role::Pawn => 'P',
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A color and a role in one byte: twice the rank, plus one for black.
#[derive(Clone, Copy, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Piece(u8);

impl Piece {
    /// One more than the largest [`index`](Piece::index).
    pub const COUNT: usize = 16;

    /// The fourteen kinds in the order of the notation: `K G M R N C P k g m r n c p`.
    pub const ALL: [Piece; 14] = {
        let mut all = [Piece(0); 14];
        let mut i = 0;
        while i < 14 {
            let color = if i < 7 { Color::Red } else { Color::Black };
            all[i] = Piece::new(color, Role::ALL[i % 7]);
            i += 1;
        }
        all
    };

    /// The piece of this color and role.
    #[inline]
    pub const fn new(color: Color, role: Role) -> Piece {
        Piece(role as u8 * 2 + color as u8)
    }

    /// Red or black.
    #[inline]
    pub const fn color(self) -> Color {
        if self.0 & 1 == 0 { Color::Red } else { Color::Black }
    }

    /// Its rank and way of moving.
    #[inline]
    pub const fn role(self) -> Role {
        match Role::from_rank(self.0 >> 1) {
            Some(role) => role,
            None => unreachable!(),
        }
    }

    /// A number in `2..16` for tables: twice the rank, plus one for black.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// `K` is the red king, `p` a black pawn.
    pub const fn letter(self) -> char {
        let letter = self.role().letter();
        match self.color() {
            Color::Red => letter,
            Color::Black => letter.to_ascii_lowercase(),
        }
    }

    /// Reads a letter.
    #[inline]
    pub const fn from_letter(letter: u8) -> Option<Piece> {
        let role = match letter.to_ascii_uppercase() {
            b'K' => Role::King,
            b'G' => Role::Guard,
            b'M' => Role::Minister,
            b'R' => Role::Rook,
            b'N' => Role::Knight,
            b'C' => Role::Cannon,
            b'P' => Role::Pawn,
            _ => return None,
        };
        Some(Piece::new(if letter.is_ascii_uppercase() { Color::Red } else { Color::Black }, role))
    }

    /// `red king 帥`: how it is called in sentences.
    pub fn title(self) -> String {
        format!("{} {} {}", self.color(), self.role().name(), self.hanzi())
    }

    /// The character on the wooden piece, in traditional script.
    pub const fn hanzi(self) -> char {
        match (self.color(), self.role()) {
            (Color::Red, Role::King) => '帥',
            (Color::Red, Role::Guard) => '仕',
            (Color::Red, Role::Minister) => '相',
            (Color::Red, Role::Rook) => '俥',
            (Color::Red, Role::Knight) => '傌',
            (Color::Red, Role::Cannon) => '炮',
            (Color::Red, Role::Pawn) => '兵',
            (Color::Black, Role::King) => '將',
            (Color::Black, Role::Guard) => '士',
            (Color::Black, Role::Minister) => '象',
            (Color::Black, Role::Rook) => '車',
            (Color::Black, Role::Knight) => '馬',
            (Color::Black, Role::Cannon) => '砲',
            (Color::Black, Role::Pawn) => '卒',
        }
    }
}

impl fmt::Display for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_char(self.letter())
    }
}

impl fmt::Debug for Piece {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.letter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_indices_round_trip() {
        for piece in Piece::ALL {
            assert_eq!(Piece::from_letter(piece.letter() as u8), Some(piece));
            assert_eq!(Piece::new(piece.color(), piece.role()), piece);
            assert!((2..16).contains(&piece.index()));
        }
        assert_eq!(Piece::from_letter(b'X'), None);
    }

    /// The capture table as every program of the field has it: attacker in rows, victim in columns, `KGMRNCP`.
    #[test]
    fn step_captures() {
        let table = ["111111.", ".111111", "..11111", "...1111", "....111", ".......", "1.....1"];
        for (row, attacker) in table.iter().zip(Role::ALL) {
            for (cell, victim) in row.chars().zip(Role::ALL) {
                assert_eq!(attacker.takes(victim), cell == '1', "{attacker:?} x {victim:?}");
            }
        }
    }
}
