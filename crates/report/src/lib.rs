#![doc = include_str!("../README.md")]
//!
//! The caller of a page fills a [`Report`] with plain data; [`html`] draws it. Everything that is counted here (cross-table,
//! curves, histograms) is in its [`Census`] of all games; everything that needs statistics (Elo, SPRT, tie-breaks) comes
//! in as numbers and texts, because the programs that run matches already have them. Of many games only the first are
//! kept to be shown, so that neither a report nor its page grows with a match. The page asks no server for anything,
//! and its viewer knows no rules: it puts recorded events on a board.

// What only pages use is left to the linker.
#![cfg_attr(target_family = "wasm", allow(dead_code))]

#[cfg(not(target_family = "wasm"))]
mod beside;
pub mod board;
mod census;
mod chart;
mod count;
pub mod lang;
pub mod lessons;
#[cfg(not(target_family = "wasm"))]
mod page;
pub mod plot;
mod ranking;
pub mod reason;
pub mod review;
mod scores;
mod table;
pub mod tasks;
mod text;
pub mod words;

use std::borrow::Cow;

use anglerfish_rules::{Game, Outcome, Record};
use serde::{Deserialize, Serialize};

#[cfg(not(target_family = "wasm"))]
pub use beside::beside;
pub use census::{Census, Score};
pub use count::{counted, grouped};
pub use lang::Lang;
pub use scores::{Judged, Scores};
pub use table::{Cell, Mood, Row, Table};
pub use text::{bounded, columns, escape, fitted, plus_minus, wrapped};

/// The most games that a report shows move by move.
pub const SHOWN: usize = 1000;

/// What a page is made of. Sections without data are left out.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Report {
    /// The headline.
    pub title: String,
    /// A line below it: when, where, under which conditions.
    pub subtitle: String,
    /// The rule set, as text.
    pub rules: String,
    /// Names and values for the top of the page, such as `Elo` and `+12.3 ± 8.1`.
    pub facts: Vec<(String, String)>,
    /// What a reader has to know before the numbers; empty for nothing.
    #[serde(default)]
    pub note: String,
    /// Names, to which all other parts refer by index. Two names make a match, more a tournament.
    pub players: Vec<String>,
    /// What was counted of all games. Empty for a report without games, and for one that shows them all: its games are
    /// counted when it is drawn.
    #[serde(default)]
    pub census: Census,
    /// The games to show, in the order in which they ended; see [`Report::add_game`]. Games of a player against itself are
    /// listed but not scored.
    pub games: Vec<GameRow>,
    /// The file that holds all games, such as `match.games`: where the page leaves some out, it says so.
    #[serde(default)]
    pub games_file: String,
    /// The course of a sequential test.
    pub sprt: Option<SprtCurve>,
    /// Estimated strengths, in any order: the page sorts them.
    pub ratings: Vec<RatingRow>,
    /// The final table of a tournament.
    pub standings: Option<Standings>,
    /// Plots of the caller's own, before those of the games.
    #[serde(default)]
    pub figures: Vec<Figure>,
    /// Tables of the caller's own, below the plots.
    #[serde(default)]
    pub tables: Vec<Table>,
}

/// A plot with its heading and a line below it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Figure {
    /// The heading.
    pub title: String,
    /// The picture.
    pub plot: plot::Plot,
    /// What to see in it.
    pub caption: String,
}

/// A game and its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GameRow {
    /// Its name in the list of games.
    pub id: String,
    /// The round it belongs to, from 1; 0 where there are no rounds.
    pub round: u32,
    /// The player of seat 0 and its allies, an index into [`Report::players`].
    pub first: usize,
    /// The player of seat 1 and its allies.
    pub second: usize,
    /// Who won; `1-0`, `0-1` or `1/2-1/2` in JSON.
    pub outcome: Outcome,
    /// The word of the record, such as `no-pieces` or `timeout`.
    pub reason: String,
    /// The position before the first ply. Empty for the start that [`Report::rules`] gives.
    pub start: String,
    /// Events as texts. Empty where only the result is known; the viewer stops at the first that is not an event.
    pub plies: Vec<String>,
    /// The seat of each ply, where there are more than two and some may be passed over; empty where two take turns.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub seats: Vec<u8>,
    /// How long each ply took; empty or all zero where times were not measured.
    pub took_ms: Vec<u64>,
}

/// The log-likelihood ratio of a sequential test, pair by pair.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SprtCurve {
    /// Below it the test fails.
    pub lower: f64,
    /// Above it the test passes.
    pub upper: f64,
    /// Pairs played, and the ratio after them.
    pub points: Vec<(u64, f64)>,
}

/// The estimated strength of a player.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct RatingRow {
    /// An index into [`Report::players`].
    pub player: usize,
    /// The estimate.
    pub elo: f64,
    /// The lower end of its error bar.
    pub low: f64,
    /// The upper end of its error bar.
    pub high: f64,
    /// Games it rests on.
    pub games: u32,
    /// Points scored in them.
    pub score: f64,
}

/// The final table, best player first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Standings {
    /// Names of the columns behind the player: points, tie-breaks.
    pub columns: Vec<String>,
    /// Players (indices into [`Report::players`]) with the texts of their columns.
    pub rows: Vec<(usize, Vec<String>)>,
}

impl Report {
    /// Counts a game, and keeps it to be shown if it is one of the first [`SHOWN`].
    pub fn add_game(&mut self, game: GameRow) {
        self.census.add(&game);
        if self.games.len() < SHOWN {
            self.games.push(game);
        }
    }

    /// The census, or else one of the games that are shown: older reports in JSON have none.
    fn counted(&self) -> Cow<'_, Census> {
        if self.census.games() > 0 {
            Cow::Borrowed(&self.census)
        } else {
            Cow::Owned(self.games.iter().collect())
        }
    }
}

/// The whole page.
///
/// # Panics
/// When an index is not one of a player, or a game is shown that the census has not counted.
#[cfg(not(target_family = "wasm"))]
pub fn html(report: &Report) -> String {
    page::render(report)
}

impl GameRow {
    /// A row for a record; none for a game that was broken off. `players` are the places of first and second player in the
    /// report's list.
    pub fn of<G: Game>(record: &Record<G>, round: u32, players: [usize; 2]) -> Option<GameRow> {
        let ending = record.ending?;
        Some(GameRow {
            id: record.tag("Round").unwrap_or_default().to_owned(),
            round,
            first: players[0],
            second: players[1],
            outcome: ending.outcome,
            reason: ending.cause.text().to_owned(),
            start: record.start.to_string(),
            plies: record.plies.iter().map(|ply| ply.event.to_string()).collect(),
            seats: match G::SEATS {
                0..=2 => Vec::new(),
                _ => record.plies.iter().map(|ply| ply.seat.0).collect(),
            },
            took_ms: if record.plies.iter().all(|ply| ply.took.is_zero()) {
                Vec::new()
            } else {
                record.plies.iter().map(|ply| ply.took.as_millis() as u64).collect()
            },
        })
    }
}
