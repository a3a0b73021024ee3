//! The reports of a search while it thinks, and its decision.

use std::time::Duration;

use anglerfish_rules::{ChanceOutcome, Game};

use crate::score::Value;

/// The state of a search after an iteration.
#[derive(Clone, Debug)]
pub struct Info<G: Game> {
    /// The depth reached, in plies.
    pub depth: u32,
    /// Positions visited so far, by all threads.
    pub nodes: u64,
    /// Time since it began.
    pub time: Duration,
    /// The choices it compared, best first: one, unless the caller asked for more.
    pub lines: Vec<Line<G>>,
}

/// One choice at the root, and the expected line after it.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    /// The choice, the expected answer, and so on; the line ends where chance decides.
    pub actions: Vec<G::Action>,
    /// Its value to the seat to move.
    pub value: Value,
    /// Its visits in a tree search, with those kept from earlier moves; `None` in other searches.
    pub visits: Option<u64>,
    /// For a choice that chance answers: its outcomes, each with its value to the seat to move. Empty unless the caller
    /// asked for it.
    pub fan: Vec<(ChanceOutcome<G::Event>, Value)>,
}

impl<G: Game> Line<G> {
    /// The answer that is expected to `action`, if the line begins with it and goes on.
    pub fn answer_to(&self, action: G::Action) -> Option<G::Action> {
        match self.actions[..] {
            [ours, theirs, ..] if ours == action => Some(theirs),
            _ => None,
        }
    }
}

/// The decision of a search.
#[derive(Clone, Debug)]
pub struct Decision<G: Game> {
    /// The chosen action.
    pub action: G::Action,
    /// The report of the last finished iteration. Its first line begins with `action`, unless the level of play is a
    /// weaker one.
    pub info: Info<G>,
}
