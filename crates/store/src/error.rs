//! What can go wrong with a store, in words that say what was expected.

use anglerfish_arena::{LedgerError, Name};
use thiserror::Error;

/// Why a store cannot be used, or not as it is.
#[derive(Debug, Error)]
pub enum StoreError {
    /// The address of a store is none.
    #[error("{0}")]
    Address(String),
    /// The place where objects are.
    #[error("{object}: {cause}")]
    Object {
        /// Which one.
        object: String,
        /// What was wrong. It says all that is behind it itself.
        cause: object_store::Error,
    },
    /// The disk.
    #[error("{file}")]
    File {
        /// Which one.
        file: String,
        /// What was wrong.
        source: std::io::Error,
    },
    /// An object does not hold what it should.
    #[error("{object}: {what}")]
    Damaged {
        /// Which one.
        object: String,
        /// What was expected and found.
        what: String,
    },
    /// There is no store.
    #[error("{0}: expected a store there, found none")]
    NoStore(String),
    /// A store of something else.
    #[error("{0}")]
    Other(String),
    /// A second create was accepted.
    #[error(
        "{0} ignores create-if-absent: it let a second create of the same object pass, so units would be lost or counted twice there"
    )]
    NotAtomic(String),
    /// Two results of a unit that should come out the same.
    #[error(
        "two results of the unit {unit}, which should come out the same: {there:.12} is kept and {here:.12} was played here. \
         The machines differ in what their engine does; nothing more is played"
    )]
    Differ {
        /// Its name.
        unit: Name,
        /// The digest of the games that are kept.
        there: String,
        /// The digest of those that were played.
        here: String,
    },
    /// Somebody has had two results of a unit before.
    #[error(
        "{address}: nothing more is kept, because two machines had different games of the unit {unit}, which should come out the same. \
         Find out which of them is wrong, delete what it has played, and then the folder differs of the store"
    )]
    Stopped {
        /// The store.
        address: String,
        /// The name of the unit.
        unit: String,
    },
    /// Nobody played it, so it cannot be told what it should be.
    #[error("not a unit: {0}")]
    Unit(String),
    /// A query.
    #[error("{0}")]
    Query(String),
}

impl StoreError {
    /// An object that does not hold what it should.
    pub(crate) fn damaged(object: impl Into<String>, what: impl std::fmt::Display) -> StoreError {
        StoreError::Damaged { object: object.into(), what: format!("{what}") }
    }
}

impl From<StoreError> for LedgerError {
    fn from(error: StoreError) -> LedgerError {
        LedgerError::new(error)
    }
}
