//! The disputed rules as data, with named presets.
//!
//! All presets agree on how pieces move and take. They differ in when a game is drawn and in what counts as lost.
//! A rule set has a text: the name of a preset, then what differs from it (`platform,board=4x4,quiet=40`).

use std::fmt;
use std::str::FromStr;

use super::bag::Bag;
use super::squares::Squares;
use crate::error::NotationError;

/// When a game going in circles is drawn.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Repetition {
    /// Never.
    None,
    /// When the same position, with the same side to move, has stood this many times.
    Position(u8),
    /// When the last plies are one sequence of plies played this many times running.
    Cycle(u8),
}

/// Which sides are looked at for having no legal action.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Stuck {
    /// The side to move.
    OnTurn,
    /// Both, black first: the 2025 course's referee ends the game even when the other side is to move.
    Either,
}

/// Which of the 32 squares are in play.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Board {
    /// The whole game: 4 files, 8 ranks, 16 pieces a side.
    Full,
    /// Files a-d, ranks 1-4; a side has `K G M R N C P P`.
    Half,
    /// Files a-b, ranks 1-4; a side has `K N C P`.
    Quarter,
}

impl Board {
    /// Every board, largest first.
    pub const ALL: [Board; 3] = [Board::Full, Board::Half, Board::Quarter];

    /// The squares of the board.
    pub const fn mask(self) -> Squares {
        match self {
            Board::Full => Squares::FULL,
            Board::Half => Squares::from_bits(0x0000_FFFF),
            Board::Quarter => Squares::from_bits(0x0000_3333),
        }
    }

    /// The numbers of files and ranks.
    pub const fn size(self) -> (u8, u8) {
        match self {
            Board::Full => (4, 8),
            Board::Half => (4, 4),
            Board::Quarter => (2, 4),
        }
    }

    /// The pieces that lie face down on it at the start.
    pub const fn bag(self) -> Bag {
        match self {
            Board::Full => Bag::FULL,
            Board::Half => Bag::of([1, 1, 1, 1, 1, 1, 2]),
            Board::Quarter => Bag::of([1, 0, 0, 0, 1, 1, 1]),
        }
    }

    /// Files times ranks: `4x8`.
    pub const fn name(self) -> &'static str {
        match self {
            Board::Full => "4x8",
            Board::Half => "4x4",
            Board::Quarter => "2x4",
        }
    }
}

impl fmt::Display for Board {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The rules a game is played by.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct RuleSet {
    /// The squares and pieces in play.
    pub board: Board,
    /// Draw after this many plies without progress: 1 to 1,000, and at most 180 with a repetition rule.
    pub quiet: u16,
    /// Whether a flip sets the quiet counter back to zero. If not, it leaves the counter alone.
    pub flip_resets: bool,
    /// When a repetition is a draw.
    pub repetition: Repetition,
    /// Whether losing the last piece, face-up and face-down, loses at once. If not, the enemy's face-down pieces
    /// may still be flipped.
    pub elimination: bool,
    /// Which side loses when it has no legal action.
    pub stuck: Stuck,
    /// Which end stands when a draw and a loss fall on the same ply.
    pub draw_first: bool,
}

/// With a repetition rule, the plies since the last capture or flip are kept inline, and this is the room for them.
pub(crate) const MAX_TRAIL: u16 = 180;
const MAX_QUIET: u16 = 1000;

impl RuleSet {
    /// The tournament platform of TCGA and TAAI; the default.
    pub const PLATFORM: RuleSet = RuleSet {
        board: Board::Full,
        quiet: 60,
        flip_resets: true,
        repetition: Repetition::Cycle(3),
        elimination: true,
        stuck: Stuck::OnTurn,
        draw_first: false,
    };

    /// The ICGA Computer Olympiad.
    pub const OLYMPIAD: RuleSet =
        RuleSet { quiet: 180, repetition: Repetition::Position(3), ..RuleSet::PLATFORM };

    /// The rules that the strongest public engines play among themselves.
    pub const THREEFOLD60: RuleSet = RuleSet { repetition: Repetition::Position(3), ..RuleSet::PLATFORM };

    /// Jouandeau and Cazenave (2014), "Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game".
    pub const PAPER40: RuleSet =
        RuleSet { quiet: 40, repetition: Repetition::Position(3), ..RuleSet::PLATFORM };

    /// OpenSpiel's `banqi` with its default parameters.
    pub const OPENSPIEL50: RuleSet =
        RuleSet { quiet: 50, repetition: Repetition::None, elimination: false, ..RuleSet::PLATFORM };

    /// The referee of the 2025 course.
    pub const COURSE2025: RuleSet = RuleSet {
        quiet: 30,
        flip_resets: false,
        repetition: Repetition::None,
        elimination: false,
        stuck: Stuck::Either,
        draw_first: true,
        ..RuleSet::PLATFORM
    };

    /// Every preset with its name.
    pub const PRESETS: [(&'static str, RuleSet); 6] = [
        ("platform", RuleSet::PLATFORM),
        ("olympiad", RuleSet::OLYMPIAD),
        ("threefold60", RuleSet::THREEFOLD60),
        ("paper40", RuleSet::PAPER40),
        ("openspiel50", RuleSet::OPENSPIEL50),
        ("course2025", RuleSet::COURSE2025),
    ];

    /// No game has more plies than this: each quiet run is bounded, and flips and captures run out.
    pub fn longest_game(&self) -> u32 {
        let pieces = self.board.mask().len();
        (2 * pieces + 1) * (u32::from(self.quiet) + 1)
    }
}

impl Default for RuleSet {
    fn default() -> RuleSet {
        RuleSet::PLATFORM
    }
}

impl fmt::Display for RuleSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The preset that shares everything but the board, or else the default and what differs from it.
        let same = |preset: &RuleSet| RuleSet { board: self.board, ..*preset } == *self;
        let (name, base) = RuleSet::PRESETS.into_iter().find(|(_, p)| same(p)).unwrap_or(RuleSet::PRESETS[0]);
        f.write_str(name)?;
        if self.board != base.board {
            write!(f, ",board={}", self.board)?;
        }
        if self.quiet != base.quiet {
            write!(f, ",quiet={}", self.quiet)?;
        }
        if self.flip_resets != base.flip_resets {
            write!(f, ",flip={}", if self.flip_resets { "resets" } else { "ignored" })?;
        }
        if self.repetition != base.repetition {
            match self.repetition {
                Repetition::None => write!(f, ",repetition=none")?,
                Repetition::Position(n) => write!(f, ",repetition=position:{n}")?,
                Repetition::Cycle(n) => write!(f, ",repetition=cycle:{n}")?,
            }
        }
        if self.elimination != base.elimination {
            write!(f, ",elimination={}", if self.elimination { "loses" } else { "ignored" })?;
        }
        if self.stuck != base.stuck {
            write!(f, ",stuck={}", if self.stuck == Stuck::OnTurn { "turn" } else { "either" })?;
        }
        if self.draw_first != base.draw_first {
            write!(f, ",first={}", if self.draw_first { "draw" } else { "loss" })?;
        }
        Ok(())
    }
}

impl FromStr for RuleSet {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<RuleSet, NotationError> {
        let mut parts = text.split(',');
        let name = parts.next().unwrap_or_default();
        let Some(&(_, mut rules)) = RuleSet::PRESETS.iter().find(|(n, _)| *n == name) else {
            let names: Vec<_> = RuleSet::PRESETS.iter().map(|(n, _)| *n).collect();
            return Err(NotationError::new(format!("a rule set ({})", names.join(", ")), text, 0));
        };
        let mut at = name.len();
        for part in parts {
            set(&mut rules, part, |expected| NotationError::new(expected, text, at + 1))?;
            at += 1 + part.len();
        }
        if rules.repetition != Repetition::None && rules.quiet > MAX_TRAIL {
            let expected = format!("quiet=1 to {MAX_TRAIL} with a repetition rule");
            return Err(NotationError::new(expected, text, 0));
        }
        Ok(rules)
    }
}

/// Applies one `key=value`; `wrong` makes the error from the text that was expected.
fn set(
    rules: &mut RuleSet,
    part: &str,
    wrong: impl Fn(String) -> NotationError,
) -> Result<(), NotationError> {
    let (key, value) = part.split_once('=').unwrap_or((part, ""));
    let choose = |choices: &[&str]| {
        let found = choices.iter().position(|c| *c == value);
        found.ok_or_else(|| wrong(format!("{key}={}", choices.join(&format!(" or {key}=")))))
    };
    match key {
        "board" => rules.board = Board::ALL[choose(&["4x8", "4x4", "2x4"])?],
        "quiet" => {
            let expected = || wrong(format!("quiet=1 to quiet={MAX_QUIET}"));
            rules.quiet = number(value, 1..=MAX_QUIET).ok_or_else(expected)?;
        }
        "flip" => rules.flip_resets = choose(&["resets", "ignored"])? == 0,
        "repetition" => {
            let times = |text: &str| number(text, 2..=9).map(|n| n as u8);
            rules.repetition = match value.split_once(':') {
                None if value == "none" => Some(Repetition::None),
                Some(("position", n)) => times(n).map(Repetition::Position),
                Some(("cycle", n)) => times(n).map(Repetition::Cycle),
                _ => None,
            }
            .ok_or_else(|| {
                let expected =
                    "repetition=none, repetition=position:N or repetition=cycle:N with N from 2 to 9";
                wrong(expected.to_owned())
            })?;
        }
        "elimination" => rules.elimination = choose(&["loses", "ignored"])? == 0,
        "stuck" => rules.stuck = [Stuck::OnTurn, Stuck::Either][choose(&["turn", "either"])?],
        "first" => rules.draw_first = choose(&["loss", "draw"])? == 1,
        _ => {
            let expected = "board=, quiet=, flip=, repetition=, elimination=, stuck= or first=";
            return Err(wrong(expected.to_owned()));
        }
    }
    Ok(())
}

/// A number without sign or leading zeros, in a range.
fn number(text: &str, range: std::ops::RangeInclusive<u16>) -> Option<u16> {
    let canonical = text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0');
    text.parse().ok().filter(|n| canonical && range.contains(n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn presets_have_names() {
        for (name, rules) in RuleSet::PRESETS {
            assert_eq!(rules.to_string(), name);
            assert_eq!(name.parse(), Ok(rules));
        }
    }

    #[test]
    fn every_difference_survives_text() {
        for board in Board::ALL {
            for bits in 0..32u8 {
                let rules = RuleSet {
                    board,
                    quiet: 10 + u16::from(bits),
                    flip_resets: bits & 1 == 0,
                    repetition: [Repetition::None, Repetition::Position(2), Repetition::Cycle(4)]
                        [usize::from(bits % 3)],
                    elimination: bits & 2 == 0,
                    stuck: if bits & 4 == 0 { Stuck::OnTurn } else { Stuck::Either },
                    draw_first: bits & 8 == 0,
                };
                assert_eq!(rules.to_string().parse(), Ok(rules), "{rules}");
            }
        }
    }

    #[test]
    fn errors_point() {
        let at = |text: &str| text.parse::<RuleSet>().unwrap_err().at;
        assert_eq!(at("chess"), 0);
        assert_eq!(at("platform,quiet=0"), 9);
        assert_eq!(at("platform,quiet=40,board=9x9"), 18);
        assert_eq!(at("platform,quiet=500"), 0);
        assert_eq!("openspiel50,quiet=500".parse::<RuleSet>().unwrap().quiet, 500);
    }
}
