//! The line protocols of Banqi programs, in both directions: driving another program, and serving one of our own players.
//!
//! A *client* is a [`Player`] that is really a child process. A *session* takes the lines that a referee would write to
//! our program and returns the lines to answer; it does no I/O and returns searches as tasks, so that tests and fuzzers can
//! use it, and a program can read lines while it thinks. docs/protocol.md has every command.

pub mod compliance;
pub mod dctp;
mod engine_session;
mod met;
pub mod uci;
pub mod wakasagi;

use std::fmt;
use std::str::FromStr;

use anglerfish_rules::NotationError;
use anglerfish_rules::banqi::{Banqi, Cell, Piece, Square};
use serde::{Deserialize, Serialize};

pub use self::engine_session::{Answer, Describe, Session, Task, Then, Thought};
use self::engine_session::{EngineSession, Refused, Tell, Work};
pub use self::met::{Begun, Learned};
use crate::program::Program;
use crate::table::Player;

/// A line protocol.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The tournament platform's.
    Dctp,
    /// Our dialect of UCI.
    Uci,
    /// `MistyBanqi`'s subset of UCI, with squares counted from zero.
    Misty,
    /// The 2025 course's.
    Wakasagi,
}

impl Protocol {
    /// Every protocol, in the order of docs/protocol.md.
    pub const ALL: [Protocol; 4] = [Protocol::Dctp, Protocol::Uci, Protocol::Misty, Protocol::Wakasagi];

    /// Its name on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Protocol::Dctp => "dctp",
            Protocol::Uci => "uci",
            Protocol::Misty => "misty",
            Protocol::Wakasagi => "wakasagi",
        }
    }

    /// Whether a program reports the value of its moves in it, in hundredths of a game.
    pub const fn has_values(self) -> bool {
        // MistyBanqi has a scale of its own.
        matches!(self, Protocol::Uci)
    }

    /// A player that is a program with this protocol.
    pub fn player(self, program: &Program) -> Box<dyn Player<Banqi>> {
        match self {
            Protocol::Dctp => Box::new(dctp::Client::new(program.clone())),
            Protocol::Uci => Box::new(uci::Client::new(program.clone(), uci::Dialect::Ours)),
            Protocol::Misty => Box::new(uci::Client::new(program.clone(), uci::Dialect::Misty)),
            Protocol::Wakasagi => Box::new(wakasagi::Client::new(program.clone())),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Protocol {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Protocol, NotationError> {
        let found = Protocol::ALL.into_iter().find(|p| p.name() == text);
        found.ok_or_else(|| NotationError::new("a protocol: dctp, uci, misty or wakasagi", text, 0))
    }
}

/// The ranks of a board that lies across ours (8 files, 4 ranks), our a-file first, with runs of empty squares as digits.
fn lying_ranks(game: &Banqi, letter: fn(Piece) -> char, hidden: char) -> Vec<String> {
    let rank = |file: u8| {
        let mut text = String::new();
        let mut empty = 0;
        for rank in 0..8 {
            let glyph = match game.position().cell(Square::at(file, rank)) {
                Cell::Shown(piece) => letter(piece),
                Cell::Hidden => hidden,
                Cell::Empty | Cell::Outside => {
                    empty += 1;
                    continue;
                }
            };
            if empty > 0 {
                text += &std::mem::take(&mut empty).to_string();
            }
            text.push(glyph);
        }
        if empty > 0 { text + &empty.to_string() } else { text }
    };
    (0..4).map(rank).collect()
}
