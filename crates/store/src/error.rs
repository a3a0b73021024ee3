//! Errors of a store; the messages say what was expected.

use anglerfish_arena::{LedgerError, Name, UnitError};
use anglerfish_rules::NotationError;
use thiserror::Error;

/// What is wrong with the contents of an object; the caller knows which object.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0}")]
pub struct Damage(pub String);

impl From<String> for Damage {
    fn from(what: String) -> Damage {
        Damage(what)
    }
}

impl From<&str> for Damage {
    fn from(what: &str) -> Damage {
        Damage(what.to_owned())
    }
}

impl From<NotationError> for Damage {
    fn from(error: NotationError) -> Damage {
        Damage(error.to_string())
    }
}

impl From<UnitError> for Damage {
    fn from(error: UnitError) -> Damage {
        Damage(error.to_string())
    }
}

/// Why a store cannot be used, or not in this way.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address is not one of a store.
    #[error("{0}")]
    Address(String),
    /// An object could not be read or written.
    #[error("{object}: {cause}")]
    Object {
        /// Which object.
        object: String,
        /// The cause. Its message includes its own sources.
        cause: object_store::Error,
    },
    /// A file could not be read or written.
    #[error("{file}")]
    File {
        /// Which file.
        file: String,
        /// The cause.
        source: std::io::Error,
    },
    /// An object has unexpected contents.
    #[error("{object}: {what}")]
    Damaged {
        /// Which object.
        object: String,
        /// What was expected and found.
        what: String,
    },
    /// There is no store.
    #[error("{0}: expected a store there, found none")]
    NoStore(String),
    /// Any other reason, in words: a store of another game, for example.
    #[error("{0}")]
    Other(String),
    /// The place accepted a second create of an object.
    #[error(
        "{0} ignores create-if-absent: it let a second create of the same object pass, so units would be lost or counted twice there"
    )]
    NotAtomic(String),
    /// Two different results of a reproducible unit.
    #[error(
        "two results of the unit {unit}, which should come out the same: {there:.12} is kept and {here:.12} was played here. \
         The machines differ in what their engine does; nothing more is played"
    )]
    Differ {
        /// The name of the unit.
        unit: Name,
        /// The digest of the stored games.
        there: String,
        /// The digest of the games played here.
        here: String,
    },
    /// An earlier session found two results of a unit.
    #[error(
        "{address}: nothing more is kept, because two machines had different games of the unit {unit}, which should come out the same. \
         Find out which of them is wrong, delete what it has played, and then the folder differs of the store"
    )]
    Stopped {
        /// The address of the store.
        address: String,
        /// The name of the unit.
        unit: String,
    },
    /// The text is not a unit, so the expected result is unknown.
    #[error("not a unit: {0}")]
    Unit(String),
    /// A query failed.
    #[error("{0}")]
    Query(String),
}

impl StoreError {
    /// An object with unexpected contents.
    pub(crate) fn damaged(object: impl Into<String>, what: impl std::fmt::Display) -> StoreError {
        StoreError::Damaged { object: object.into(), what: format!("{what}") }
    }
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> LedgerError {
        LedgerError::new(error)
    }
}
