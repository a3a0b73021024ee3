//! Why an opening, a player or a unit cannot be played.

use anglerfish_engine::{ConfigError, EngineError};
use anglerfish_rules::NotationError;
use thiserror::Error;

use crate::run::UnitError;

/// Why an opening, a player or a unit cannot be played.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum ArenaError {
    /// A rule set, a budget, a ply or a layout that is none.
    #[error(transparent)]
    Notation(#[from] NotationError),
    /// A player that is none.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A player that the engine cannot make for this game.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// A unit that is none, or exceeds the bounds of this worker.
    #[error(transparent)]
    Unit(#[from] UnitError),
    /// A program does not start, does not answer, or cannot be isolated.
    #[error("{0}")]
    Program(String),
    /// The text is valid, and does not fit the game, the rule set, or this worker.
    #[error("{0}")]
    Unfit(String),
    /// The text of a result has a record that is none; the message points at the place.
    #[error("{0}")]
    Games(String),
    /// The error of one part, such as a player or an opening.
    #[error("{part}: {why}")]
    Part {
        /// The part.
        part: String,
        /// Its error.
        why: Box<ArenaError>,
    },
}

impl ArenaError {
    /// The same error, as one of this part.
    #[must_use]
    pub fn of(self, part: impl Into<String>) -> ArenaError {
        ArenaError::Part { part: part.into(), why: Box::new(self) }
    }
}
