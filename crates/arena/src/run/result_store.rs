//! The store of finished units, as a run sees it, on one machine or on many.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use super::unit::Name;

/// The result of a unit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum UnitResult {
    /// Its result, as text.
    Result(String),
    /// The message of its panic. A resumed run tries the unit again, because the machine may have been at fault.
    Failed(String),
}

/// Finished units by name. A stored result never changes; a result may replace a failure.
pub trait ResultStore {
    /// Whether a unit has a result.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn has(&mut self, unit: &Name) -> Result<bool, LedgerError>;

    /// The result of a unit; `None` if it has none yet.
    ///
    /// # Errors
    /// When it cannot be read.
    fn get(&mut self, unit: &Name) -> Result<Option<UnitResult>, LedgerError>;

    /// Stores the results of units, given by their texts. A unit that is there already stays as it was. When this returns they are safe.
    ///
    /// # Errors
    /// When they cannot be stored: then none of them counts as done.
    fn put_if_absent(&mut self, group: Vec<(String, UnitResult)>) -> Result<(), LedgerError>;

    /// Checks, at the end of a run, that a later run will find the results.
    ///
    /// # Errors
    /// When a later run would not find them.
    fn check(&mut self) -> Result<(), LedgerError> {
        Ok(())
    }

    /// Whether other processes may add to it at the same time.
    fn is_shared(&self) -> bool {
        false
    }
}

/// Why a result store cannot be used. Every kind of store has its own reasons.
#[derive(Debug)]
pub struct LedgerError(Box<dyn Error + Send + Sync>);

impl LedgerError {
    /// For a reason.
    pub fn new(error: impl Error + Send + Sync + 'static) -> LedgerError {
        LedgerError(Box::new(error))
    }

    /// The reason.
    pub fn reason(&self) -> &(dyn Error + Send + Sync + 'static) {
        &*self.0
    }
}

impl fmt::Display for LedgerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Error for LedgerError {
    /// The source of the reason, because this error already displays the reason.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.source()
    }
}

/// The store in memory: it is lost when the process ends.
impl ResultStore for BTreeMap<Name, UnitResult> {
    fn has(&mut self, unit: &Name) -> Result<bool, LedgerError> {
        Ok(matches!(BTreeMap::get(self, unit), Some(UnitResult::Result(_))))
    }

    fn get(&mut self, unit: &Name) -> Result<Option<UnitResult>, LedgerError> {
        Ok(BTreeMap::get(self, unit).cloned())
    }

    fn put_if_absent(&mut self, group: Vec<(String, UnitResult)>) -> Result<(), LedgerError> {
        for (unit, done) in group {
            let there = self.entry(Name::of(&unit)).or_insert_with(|| done.clone());
            if let UnitResult::Failed(_) = there {
                *there = done;
            }
        }
        Ok(())
    }
}
