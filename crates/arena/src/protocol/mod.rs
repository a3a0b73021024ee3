//! The line protocols of the field, in both directions: driving a stranger's program, and serving a player of ours.
//!
//! A *client* is a [`Player`] that is really a child process. A *session* takes the lines that a referee would write to
//! our program and returns the lines to answer; it does no I/O, so that a test or a fuzzer can speak to it. docs/protocol.md
//! has every command.

pub mod compliance;
pub mod dctp;
pub mod uci;
pub mod wakasagi;

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anglerfish_rules::banqi::{Action, Banqi, Cell, Event, Piece, Square};
use anglerfish_rules::{Forfeit, Game, NotationError, Ply, Seat};
use serde::{Deserialize, Serialize};

use crate::clocks::{Budget, Clocks};
use crate::player::Player;
use crate::process::Program;

/// A language that programs speak.
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

    /// A player that is a program speaking this.
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

/// What a session answers to a line.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Answer {
    /// The lines to write.
    pub lines: Vec<String>,
    /// Whether to leave afterwards.
    pub quit: bool,
}

impl Answer {
    fn line(line: impl Into<String>) -> Answer {
        Answer { lines: vec![line.into()], quit: false }
    }

    fn silence() -> Answer {
        Answer::default()
    }
}

/// Our side of a session: a player, the game as we were told it, and the clocks.
struct Desk {
    player: Box<dyn Player<Banqi>>,
    seed: u64,
    game: Banqi,
    clocks: Clocks,
    /// What was played before the player sat down: it learns its seat only when it has to move.
    unheard: Vec<(Banqi, Ply<Event>)>,
    seated: bool,
}

impl Desk {
    fn new(player: Box<dyn Player<Banqi>>, start: Banqi, seed: u64) -> Desk {
        let clocks = Clocks::new([Budget::default(); 2]);
        Desk { player, seed, game: start, clocks, unheard: Vec::new(), seated: false }
    }

    /// A new game.
    fn reset(&mut self, start: Banqi) {
        self.game = start;
        self.unheard.clear();
        self.seated = false;
    }

    /// Plays what was told, if it can be.
    fn hear(&mut self, event: Event) -> Result<(), String> {
        let Some(seat) = self.game.turn().seat().filter(|_| self.game.is_possible(event)) else {
            return Err(format!("{event} is not possible here"));
        };
        let before = self.game.clone();
        self.game.apply(event);
        let ply = Ply { seat, event, took: Duration::ZERO };
        if self.seated {
            let _ = self.player.observe(&before, &ply, &self.clocks);
        } else {
            self.unheard.push((before, ply));
        }
        Ok(())
    }

    /// Lets the player choose.
    fn choose(&mut self) -> Result<Action, String> {
        let Some(seat) = self.game.turn().seat() else { return Err("the game is over".to_owned()) };
        let gone = |forfeit: Forfeit| forfeit.to_string();
        if !std::mem::replace(&mut self.seated, true) {
            self.player.start(seat, self.seed, &self.clocks).map_err(gone)?;
            for (before, ply) in self.unheard.drain(..) {
                self.player.observe(&before, &ply, &self.clocks).map_err(gone)?;
            }
        }
        self.player.choose(&self.game, &self.clocks).map_err(gone)
    }

    fn set_left(&mut self, seat: Seat, ms: u64) {
        self.clocks.set_left(seat, Duration::from_millis(ms));
    }
}
