//! Many games: units that a run is cut into, the journal of those that are done, and what runs are made of them.

mod journal;
mod matches;
mod pairs;
mod tournament;
mod tune;
mod unit;

pub use journal::{Journal, JournalError};
pub use matches::{Match, MatchError, Tally};
pub use pairs::{Contestant, Kind, Pairing, halves, play_pair};
pub use tournament::{Format, Outcomes, Played, Tournament};
pub use tune::{Progress, Tune};
pub use unit::run_units;
