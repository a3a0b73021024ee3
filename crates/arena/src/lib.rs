#![doc = include_str!("../README.md")]

pub mod analysis;
pub mod games;
mod host;
pub mod lang;
pub mod lessons;
pub mod pages;
pub mod platform;
mod program;
pub mod protocol;
pub mod report;
mod run;
pub mod stats;
pub mod swiss;
mod table;
pub mod words;

pub use host::{Fixed, Host, Opened, greedy, read_actions};
pub use lang::Lang;
pub use program::{Caps, Program, adopt_orphans, can_isolate, end_programs};
pub use run::{
    Bounds, Contestant, Decision, Done, Field, Format, Identity, Journal, JournalError, Judging, Kind, LUCK,
    Ledger, LedgerError, Match, MatchError, Name, Openings, Outcomes, Pairing, Progress, REVIEW_NODES, Tally,
    Tournament, TournamentGame, Tune, UNIT_FORMAT, Unit, UnitError, Worked, Worker, halves, heading, opened,
    provenance, read_games, read_luck, run_units, write_games,
};
pub use table::{
    Ask, Budget, Choice, Clocks, Dealer, Draws, HEARING, MARGIN, Player, Refusal, SystemClock, Table, Terms,
    Thinker, builtin, limits, now, play, random,
};
