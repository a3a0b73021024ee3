//! Why an opening, a player or a unit cannot be played.

use anglerfish_engine::{ConfigError, EngineError};
use anglerfish_rules::NotationError;
use thiserror::Error;

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

/// Why a text is not a unit, or may not be played here.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum UnitError {
    /// Not a unit.
    #[error("not a unit: {0}")]
    Text(String),
    /// A unit whose text is not canonical, so that its name would differ.
    #[error("not the canonical text of a unit: expected {expected:?} at byte {at}, found {found:?}")]
    Canonical {
        /// The first byte that differs.
        at: usize,
        /// The expected text.
        expected: String,
        /// The text that is there.
        found: String,
    },
    /// An unknown version.
    #[error("expected a unit of version {expected}, found {found}")]
    Format {
        /// The version of this program.
        expected: u32,
        /// The version of the text.
        found: u32,
    },
    /// It asks for more than it may.
    #[error("{what}: at most {most} here, found {found}")]
    Bound {
        /// What is limited, such as nodes.
        what: &'static str,
        /// The most that is allowed.
        most: u64,
        /// The amount that the text asks for.
        found: u64,
    },
    /// An invalid value.
    #[error("{0}")]
    Wrong(String),
}

impl UnitError {
    /// The same error, with the name of its part in front.
    pub(crate) fn of(self, name: &str) -> UnitError {
        match self {
            UnitError::Wrong(what) => UnitError::Wrong(format!("{name}: {what}")),
            other => other,
        }
    }
}
