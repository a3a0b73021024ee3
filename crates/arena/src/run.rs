//! Many games: units that a run is cut into, the store of those that are done, and the runs that are made of them.

mod contestant;
mod field;
mod identity;
mod journal;
mod matches;
pub mod provenance;
mod result_store;
mod tally;
mod tournament;
mod tune;
mod unit;
mod units;
mod worker;

pub use contestant::{Contestant, ContestantKind};
pub use field::{Field, Pairing};
pub use identity::Identity;
pub use journal::{Journal, JournalError};
pub use matches::{Match, MatchError};
pub use result_store::{LedgerError, ResultStore, UnitResult};
pub use tally::{Decision, Tally};
pub use tournament::{Format, Outcomes, Tournament, TournamentGame, TournamentNews};
pub use tune::{Progress, Tune};
pub use unit::{Bounds, Name, Openings, UNIT_FORMAT, Unit};
pub use units::{Panicked, Worked, run_units};
pub use worker::{Worker, halves, heading, read_games, write_games};
