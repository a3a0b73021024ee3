//! Files of the QQ game hall: layouts (`.jql`) and replays (`.jgs`).
//!
//! This only parses bytes; [`Replay::record`] checks a replay against the rules. Names and account numbers
//! are not read.

use std::error::Error;
use std::fmt;

use super::layout::{Layout, SLOTS};
use super::role::{Clash, Role};
use super::station::{Arm, Station};

/// The error for bytes that are not such a file.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct FileError {
    /// What was expected at this offset.
    pub expected: &'static str,
    /// The offset in bytes.
    pub at: usize,
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte {}: expected {}", self.at, self.expected)
    }
}

impl Error for FileError {}

/// A replay as in the file, by arms of the board.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Replay {
    /// `None` for an empty arm.
    pub layouts: [Option<Layout>; 4],
    /// The arm of the player who saved the file.
    pub recorder: Option<Arm>,
    /// The entries in order.
    pub entries: Vec<Entry>,
}

/// One entry of a replay.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Entry {
    /// A man moved, or attacked.
    Move {
        /// Its origin.
        from: Station,
        /// Its destination.
        to: Station,
        /// How the fight ended; `None` if there was none.
        clash: Option<Clash>,
        /// Flags that are shown because a marshal died.
        shown: [Option<Station>; 2],
    },
    /// A player missed a turn; the number counts its missed turns so far.
    Missed(Arm, u8),
    /// A player is out.
    Lost(Arm, Loss),
    /// A player has left the table.
    Left(Arm),
    /// The end, with a code: 2 for a draw, 4 and 8 for a decided game, others for unfinished games.
    End(u8),
}

/// Why a player is out.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Loss {
    /// Its flag was taken.
    Flag,
    /// It has no move.
    NoMove,
    /// It missed its fifth turn.
    Missed,
    /// It gave up.
    Surrender,
    /// It went away.
    Left,
}

const LAYOUT_MAGIC: &[u8; 20] = b"QQGame JQL File\0\x57\x04\0\0";
const REPLAY_MAGIC: &[u8; 10] = b"QQGame JQS";
const FIRST_PLAYER: usize = 0x20;
const PLAYER_SIZE: usize = 88;
const FIRST_ENTRY: usize = 0x19C;
const ENTRY_SIZE: usize = 10;
const NO_COLOR: u8 = 0xFF;

/// Reads a layout file.
///
/// # Errors
/// When the bytes are no layout file, or the layout is not legal.
pub fn read_jql(bytes: &[u8]) -> Result<Layout, FileError> {
    if !bytes.starts_with(LAYOUT_MAGIC) {
        return Err(FileError { expected: "a layout of the QQ game hall", at: 0 });
    }
    read_layout(bytes, LAYOUT_MAGIC.len())
}

/// The bytes of a layout file.
pub fn write_jql(layout: &Layout) -> Vec<u8> {
    let codes = (0..SLOTS).map(|slot| layout.role(slot).map_or(0, code));
    LAYOUT_MAGIC.iter().copied().chain(codes).collect()
}

/// Reads a replay file.
///
/// # Errors
/// When the bytes are no replay file: cut off, with an illegal layout, or with an unknown entry.
pub fn read_jgs(bytes: &[u8]) -> Result<Replay, FileError> {
    let error = |expected, at| FileError { expected, at };
    if !bytes.starts_with(REPLAY_MAGIC) {
        return Err(error("a replay of the QQ game hall", 0));
    }
    let byte = |at: usize| bytes.get(at).copied().ok_or(FileError { expected: "more bytes", at });
    let mut replay = Replay { layouts: [None; 4], recorder: arm(byte(15)?), entries: Vec::new() };
    for player in 0..4 {
        let at = FIRST_PLAYER + PLAYER_SIZE * player;
        let color = byte(at)?;
        if color == NO_COLOR {
            continue;
        }
        let arm = arm(color).ok_or(error("a color from 0 to 3", at))?;
        if replay.layouts[arm.index()].is_some() {
            return Err(error("each color once", at));
        }
        replay.layouts[arm.index()] = Some(read_layout(bytes, at + 28)?);
    }
    let n = u16::from_le_bytes([byte(26)?, byte(27)?]);
    for i in 0..usize::from(n) {
        let at = FIRST_ENTRY + ENTRY_SIZE * i;
        let entry = bytes.get(at..at + ENTRY_SIZE).and_then(|entry| entry.try_into().ok());
        let entry: &[u8; ENTRY_SIZE] = entry.ok_or(error("an entry of ten bytes", at))?;
        replay.entries.push(read_entry(entry).ok_or(error("an entry such as a move", at))?);
    }
    Ok(replay)
}

fn read_entry(entry: &[u8; ENTRY_SIZE]) -> Option<Entry> {
    match *entry {
        [0x5F, flags, r1, c1, r2, c2, tail @ ..] => {
            let clash =
                [None, Some(Clash::Wins), Some(Clash::Dies), Some(Clash::Both)][usize::from(flags & 3)];
            let shown = |row, column| {
                if (row, column) == (0, 0) { Some(None) } else { station(row, column).map(Some) }
            };
            let shown = [shown(tail[0], tail[1])?, shown(tail[2], tail[3])?];
            Some(Entry::Move { from: station(r1, c1)?, to: station(r2, c2)?, clash, shown })
        }
        [0xF5, 2, color, n, ..] => Some(Entry::Missed(arm(color)?, n)),
        [0xF5, 3, color, why, ..] => {
            let why = match why {
                1 => Loss::Flag,
                2 => Loss::NoMove,
                3 => Loss::Missed,
                4 => Loss::Surrender,
                6 => Loss::Left,
                _ => return None,
            };
            Some(Entry::Lost(arm(color)?, why))
        }
        [0xF5, 4, color, ..] => Some(Entry::Left(arm(color)?)),
        [0xF5, 5, _, code, ..] => Some(Entry::End(code)),
        _ => None,
    }
}

/// Colors go clockwise, arms counterclockwise.
const fn arm(color: u8) -> Option<Arm> {
    if color < 4 { Some(Arm::ALL[(4 - color as usize) % 4]) } else { None }
}

/// Rows count from north and columns from east, both from 0; the middle has only every second one.
const fn station(row: u8, column: u8) -> Option<Station> {
    let (row, column) = (row as usize, column as usize);
    match (row, column) {
        (11..=16, 6..=10) => Some(Station::of(Arm::South, 5 * (row - 11) + 10 - column)),
        (6..=10, 0..=5) => Some(Station::of(Arm::East, 5 * (5 - column) + 10 - row)),
        (0..=5, 6..=10) => Some(Station::of(Arm::North, 5 * (5 - row) + column - 6)),
        (6..=10, 11..=16) => Some(Station::of(Arm::West, 5 * (column - 11) + row - 6)),
        (6 | 8 | 10, 6 | 8 | 10) => Some(Station::center((row - 6) / 2, (10 - column) / 2)),
        _ => None,
    }
}

fn read_layout(bytes: &[u8], at: usize) -> Result<Layout, FileError> {
    let codes = bytes.get(at..at + SLOTS).ok_or(FileError { expected: "a layout of thirty bytes", at })?;
    let mut roles = [None; SLOTS];
    for (slot, &byte) in codes.iter().enumerate() {
        roles[slot] = Role::ALL.into_iter().find(|&role| code(role) == byte);
        if roles[slot].is_none() && byte != 0 {
            return Err(FileError { expected: "a man from 2 to 13, or 0", at: at + slot });
        }
    }
    Layout::new(roles).ok_or(FileError { expected: "a legal layout", at })
}

/// Flag, mine and bomb are 2 to 4; then from 5, the marshal, down to 13, the engineers.
const fn code(role: Role) -> u8 {
    match role {
        Role::Flag => 2,
        Role::Mine => 3,
        Role::Bomb => 4,
        _ => 5 + Role::Marshal as u8 - role as u8,
    }
}
