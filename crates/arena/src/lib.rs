#![doc = include_str!("../README.md")]

mod cage;
mod clocks;
mod dealer;
pub mod elo;
pub mod expected_score;
mod journal;
mod matches;
mod matching;
mod pairs;
pub mod platform;
mod player;
mod process;
pub mod protocol;
pub mod rating;
mod referee;
pub mod report;
pub mod sprt;
pub mod standings;
pub mod swiss;
mod tournament;
mod tune;
mod unit;
mod wire;

pub use cage::{adopt_orphans, end_programs};
pub use clocks::{Budget, Clocks, HEARING, MARGIN, SystemClock, now};
pub use dealer::{Dealer, Draws, Fixed};
pub use journal::{Journal, JournalError};
pub use matches::{Match, MatchError, Tally};
pub use pairs::{Contestant, Kind, Pairing, halves, play_pair};
pub use player::{Ask, Player, Thinker, builtin, greedy, limits, random};
pub use process::{Limits, Program};
pub use referee::{Referee, play};
pub use tournament::{Format, Outcomes, Played, Tournament};
pub use tune::{Progress, Tune};
pub use unit::run_units;
