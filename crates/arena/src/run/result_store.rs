//! Where finished units are kept: what a run, however it is spread over machines, has to know of the place.

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;

use super::unit::Name;

/// What came of a unit.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum UnitResult {
    /// Its result, as text.
    Result(String),
    /// It panicked, and this is what it said. It is tried again when the run goes on: it may have been the machine's fault.
    Failed(String),
}

/// Finished units by name. A result that was once put stays as it is; a failure may give way to a result.
pub trait ResultStore {
    /// Whether a unit has a result.
    ///
    /// # Errors
    /// When the store cannot be read.
    fn has(&mut self, unit: &Name) -> Result<bool, LedgerError>;

    /// What came of a unit; none if nothing has yet.
    ///
    /// # Errors
    /// When it cannot be read.
    fn get(&mut self, unit: &Name) -> Result<Option<UnitResult>, LedgerError>;

    /// Keeps what came of units, given by their texts. One that is there already stays as it was. When this returns they are safe.
    ///
    /// # Errors
    /// When they cannot be kept: none of them counts as done then.
    fn put_if_absent(&mut self, group: Vec<(String, UnitResult)>) -> Result<(), LedgerError>;

    /// Called when a run has ended: whether what was put is still where a later run looks for it.
    ///
    /// # Errors
    /// When it is not.
    fn check(&mut self) -> Result<(), LedgerError> {
        Ok(())
    }

    /// Whether others may add to it at the same time.
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
    /// What is behind the reason: this error says the reason itself.
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
