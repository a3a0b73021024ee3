#![doc = include_str!("../README.md")]
// The linker drops the code that only runs use.
#![cfg_attr(target_family = "wasm", allow(dead_code, unused_imports))]

#[cfg(not(target_family = "wasm"))]
mod arena_game;
#[cfg(not(target_family = "wasm"))]
mod error;
mod fixed;
pub mod games;
mod luck;
pub mod platform;
#[cfg(not(target_family = "wasm"))]
mod program;
#[cfg(not(target_family = "wasm"))]
pub mod protocol;
#[cfg(not(target_family = "wasm"))]
mod run;
pub mod stats;
pub mod swiss;
mod table;

#[cfg(not(target_family = "wasm"))]
pub use arena_game::{ArenaGame, Opened, greedy, read_actions};
#[cfg(not(target_family = "wasm"))]
pub use error::{ArenaError, UnitError};
pub use fixed::Fixed;
pub use luck::{Judging, LUCK, REVIEW_NODES, opened, read_luck};
#[cfg(not(target_family = "wasm"))]
pub use program::{Caps, Program, adopt_orphans, can_isolate, end_programs};
#[cfg(not(target_family = "wasm"))]
pub use run::{
    Bounds, Contestant, ContestantKind, Decision, Field, Format, Identity, Journal, JournalError,
    LedgerError, Match, MatchError, Name, Openings, Outcomes, Pairing, Panicked, Progress, ResultStore,
    Tally, Tournament, TournamentGame, TournamentNews, Tune, UNIT_FORMAT, Unit, UnitResult, Worked, Worker,
    halves, heading, provenance, read_games, run_units, write_games,
};
pub use table::{
    Adjudication, AdjudicationError, Budget, Choice, Clocks, Dealer, DrawRule, Draws, EnginePlayer,
    GameOptions, HEARING, MARGIN, MoveRequest, Player, Refusal, ResignRule, SystemClock, Table, builtin,
    limits, now, play, random,
};
