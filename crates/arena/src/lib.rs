#![doc = include_str!("../README.md")]

pub mod platform;
mod program;
pub mod protocol;
pub mod report;
mod run;
pub mod stats;
pub mod swiss;
mod table;

pub use program::{Limits, Program, adopt_orphans, end_programs};
pub use run::{
    Contestant, Format, Journal, JournalError, Kind, Match, MatchError, Outcomes, Pairing, Played, Progress,
    Tally, Tournament, Tune, halves, play_pair, run_units,
};
pub use table::{
    Ask, Budget, Clocks, Dealer, Draws, Fixed, HEARING, MARGIN, Player, Referee, SystemClock, Thinker,
    builtin, greedy, limits, now, play, random,
};
