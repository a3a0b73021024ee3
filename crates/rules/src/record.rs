//! A finished or running game as text: PGN's tags and movetext, with events for moves.
//!
//! Because events are recorded, a record replays with no random generator. The seed or the full deal is kept in a
//! tag, so that a node-limited game can also be played again from its header. docs/formats.md has the grammar.

mod annotation;
mod text;

use std::collections::BTreeMap;
use std::error::Error;
use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use crate::error::{NotationError, named};
use crate::game::{Forfeit, Game, Outcome, Ply, Reason, Seat, Turn};

pub use annotation::{ANNOTATION_FORMAT, Annotation, Candidate, Points};
pub use text::{RECORD_FORMAT, is_free_tag, read_records};

/// The cause of the end of a game: the rules, a forfeit, or an adjudication.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Cause {
    /// The game was played out.
    Rules(Reason),
    /// A player lost other than on the board.
    Forfeit(Forfeit),
    /// A referee ended it early, by what both players reported of it. The rules had not ended it.
    Adjudicated,
}

impl Cause {
    /// Every cause: those of the rules, forfeits, adjudication.
    pub fn all() -> impl Iterator<Item = Cause> {
        let rules = Reason::ALL.into_iter().map(Cause::Rules);
        rules.chain(Forfeit::ALL.into_iter().map(Cause::Forfeit)).chain([Cause::Adjudicated])
    }

    /// The word used in records.
    pub const fn text(self) -> &'static str {
        match self {
            Cause::Rules(reason) => reason.text(),
            Cause::Forfeit(forfeit) => forfeit.text(),
            Cause::Adjudicated => "adjudicated",
        }
    }
}

impl FromStr for Cause {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Cause, NotationError> {
        named(Cause::all(), |cause| cause.text(), text, "a reason such as no-pieces or timeout")
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// The result of a game, and its cause.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Ending {
    /// The result.
    pub outcome: Outcome,
    /// By what.
    pub cause: Cause,
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.outcome, self.cause)
    }
}

/// A game as it was played.
///
/// ```
/// use anglerfish_rules::{Record, tictactoe::TicTacToe};
/// let text = r#"[Format "1"]
/// [Game "tictactoe"]
/// [Rules "standard"]
///
/// 1. b2 a1 2. c3 *
/// "#;
/// let record: Record<TicTacToe> = text.parse()?;
/// assert_eq!(record.replay()?.to_string(), "--x/-x-/o--");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct Record<G: Game> {
    /// Free tags of the writer: `Event`, `First`, `Second`, `Seed`, `Deal` … in order. The tags that have
    /// a field of their own (`Format`, `Game`, `Rules`, `Start`, `Annotations`, `Result`, `Reason`) are not among them.
    pub tags: Vec<(String, String)>,
    /// The game before the first ply.
    pub start: G,
    /// The plies that were played.
    pub plies: Vec<Ply<G::Event>>,
    /// The end of the game; `None` for a game that was broken off.
    pub ending: Option<Ending>,
    /// By ply; none of them is empty. Most records have none at all.
    annotations: BTreeMap<usize, Annotation<G::Action>>,
}

impl<G: Game> Record<G> {
    /// A record with nothing played yet.
    pub fn new(start: G) -> Record<G> {
        Record { tags: Vec::new(), start, plies: Vec::new(), ending: None, annotations: BTreeMap::new() }
    }

    /// The value of a tag.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(n, _)| n == name).map(|(_, value)| value.as_str())
    }

    /// Adds a tag, or changes its value.
    ///
    /// # Panics
    /// When the name is not a word of letters or belongs to a field, or the value contains a line break: such a record
    /// could not be read back.
    pub fn set_tag(&mut self, name: &str, value: &str) {
        assert!(is_free_tag(name), "{name} cannot be a tag of its own");
        assert!(!value.contains(['\n', '\r']), "the value of {name} has a line break");
        match self.tags.iter_mut().find(|(n, _)| n == name) {
            Some(tag) => value.clone_into(&mut tag.1),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The record without times: the canonical bytes of a node-limited game.
    #[must_use]
    pub fn without_times(mut self) -> Record<G> {
        for ply in &mut self.plies {
            ply.took = Duration::ZERO;
        }
        self
    }

    /// Replaces the annotation of a ply; an empty one removes it. Plies are counted from 0, as in `plies`.
    ///
    /// # Panics
    /// When there is no such ply.
    pub fn annotate(&mut self, ply: usize, annotation: Annotation<G::Action>) {
        assert!(ply < self.plies.len(), "there is no ply {ply} to annotate");
        if annotation.is_empty() {
            self.annotations.remove(&ply);
        } else {
            self.annotations.insert(ply, annotation);
        }
    }

    /// The annotation of a ply, if it has one. Plies are counted from 0, as in `plies`.
    pub fn annotation(&self, ply: usize) -> Option<&Annotation<G::Action>> {
        self.annotations.get(&ply).filter(|_| ply < self.plies.len())
    }

    /// Removes the plies after the first `plies`, with their annotations, and the ending.
    pub fn truncate(&mut self, plies: usize) {
        self.plies.truncate(plies);
        drop(self.annotations.split_off(&plies));
        self.ending = None;
    }

    /// The record without annotations.
    #[must_use]
    pub fn without_annotations(mut self) -> Record<G> {
        self.annotations.clear();
        self
    }

    /// Plays the record through and returns the game as it stood at the end.
    ///
    /// # Errors
    /// When a ply is impossible, the game was over before it, or the rules do not confirm the recorded ending.
    pub fn replay(&self) -> Result<G, ReplayError> {
        let mut game = self.start.clone();
        for (i, ply) in self.plies.iter().enumerate() {
            let error = |what| Err(ReplayError { ply: i + 1, event: ply.event.to_string(), what });
            if let Turn::Over(outcome, reason) = game.turn() {
                return error(Mismatch::Over(Ending { outcome, cause: Cause::Rules(reason) }));
            }
            match game.seat_of(ply.event) {
                Some(seat) if seat != ply.seat => return error(Mismatch::Seat(seat)),
                Some(_) if game.is_possible(ply.event) => game.apply(ply.event),
                _ => return error(Mismatch::Impossible),
            }
        }
        self.check_ending(&game)?;
        Ok(game)
    }

    /// Compares the recorded ending with what the rules say of the last position, for readers who play along anyway.
    ///
    /// # Errors
    /// When they differ.
    pub fn check_ending(&self, last: &G) -> Result<(), ReplayError> {
        let by_rules = match last.turn() {
            Turn::Over(outcome, reason) => Some(Ending { outcome, cause: Cause::Rules(reason) }),
            Turn::Seat(_) => None,
        };
        let agrees = match self.ending {
            Some(Ending { cause: Cause::Rules(_), .. }) => by_rules == self.ending,
            Some(Ending { cause: Cause::Forfeit(_) | Cause::Adjudicated, .. }) | None => by_rules.is_none(),
        };
        if agrees {
            return Ok(());
        }
        let event = self.plies.last().map_or(String::new(), |ply| ply.event.to_string());
        let what = Mismatch::Ending { recorded: self.ending, by_rules };
        Err(ReplayError { ply: self.plies.len(), event, what })
    }
}

/// The first disagreement between a record and the rules.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct ReplayError {
    /// The ply, counted from 1; the number of plies when it is the ending.
    pub ply: usize,
    /// The recorded event.
    pub event: String,
    /// The disagreement.
    pub what: Mismatch,
}

/// A disagreement between a recorded ply or ending and the rules.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Mismatch {
    /// The ply cannot be played there.
    Impossible,
    /// This seat is to move, not the recorded one.
    Seat(Seat),
    /// The game was over already.
    Over(Ending),
    /// The rules see the end differently.
    Ending {
        /// The recorded ending.
        recorded: Option<Ending>,
        /// The ending by the rules; `None` if the game is not over.
        by_rules: Option<Ending>,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ending = |e: Option<Ending>| e.map_or("unfinished".to_owned(), |e| e.to_string());
        match self.what {
            Mismatch::Impossible => write!(f, "ply {}: {} is not possible here", self.ply, self.event),
            Mismatch::Seat(seat) => write!(f, "ply {}: {} is seat {}'s", self.ply, self.event, seat.0),
            Mismatch::Over(e) => write!(f, "ply {}: the game was over before it ({e})", self.ply),
            Mismatch::Ending { recorded, by_rules } => write!(
                f,
                "after ply {}: the record says {}, the rules say {}",
                self.ply,
                ending(recorded),
                ending(by_rules)
            ),
        }
    }
}

impl Error for ReplayError {}
