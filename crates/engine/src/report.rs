//! What a search says while it thinks, and what it has decided.

use std::time::Duration;

use anglerfish_rules::{ChanceOutcome, Game};

use crate::score::Value;

/// How the search sees things after another iteration.
#[derive(Clone, Debug)]
pub struct Info<G: Game> {
    /// How many plies deep it has looked.
    pub depth: u32,
    /// Positions visited so far, by all threads.
    pub nodes: u64,
    /// Time since it began.
    pub time: Duration,
    /// The choices it compared, best first: one, unless it was asked for more.
    pub lines: Vec<Line<G>>,
}

/// One choice at the root and what comes of it.
#[derive(Clone, Debug)]
pub struct Line<G: Game> {
    /// What the seat to move should do, what the other should answer, and so on; it ends where chance decides.
    pub actions: Vec<G::Action>,
    /// What it is worth to the seat to move.
    pub value: Value,
    /// How often a tree search has tried it, with what it kept from earlier moves; none from other searches.
    pub visits: Option<u64>,
    /// For a choice that chance answers: what may happen and what each is worth to the seat to move. Only where it was
    /// asked for.
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

/// What a search has decided.
#[derive(Clone, Debug)]
pub struct Decision<G: Game> {
    /// What to do.
    pub action: G::Action,
    /// What the last finished iteration saw; the first of its lines begins with `action` unless a weaker level of play
    /// was asked for.
    pub info: Info<G>,
}
