//! Records of the tournament platform: its text files, and a compact form with one JSON object a line.
//!
//! Neither form names the winner, so the rules decide it. A game is read into [`PlatformGame`], checked against the rules, and
//! can then be written as a [`Record`].

use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, Event, RuleSet};
use anglerfish_rules::{
    Cause, Ending, Forfeit, Game, Mismatch, NotationError, Outcome, Ply, Reason, Record, ReplayError, Seat,
    Turn,
};
use serde::Deserialize;
use thiserror::Error;

/// The ending of a game in the platform's terms.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum PlatformEnd {
    /// `NoMove`: no legal move, or all pieces taken.
    NoMove,
    /// `NoEatFlipDraw`
    Quiet,
    /// `PositionRepetitionDraw(3-4)`: a cycle of four plies three times running.
    Repetition,
    /// `TimeOut`: the side to move ran out of time.
    TimeOut,
    /// Unknown: the text form has no ending.
    Unknown,
}

/// A game as the platform keeps it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct PlatformGame {
    /// A name for messages: the id of the compact form, the players of the text form.
    pub name: String,
    /// The plies.
    pub events: Vec<Event>,
    /// The mover's clock after each ply, in milliseconds; empty if it was not kept.
    pub clock_ms: Vec<u64>,
    /// Its ending.
    pub end: PlatformEnd,
}

/// A line or file that is not a platform record.
#[derive(Clone, Debug, Error, Eq, PartialEq)]
pub enum PlatformError {
    /// Not the expected JSON.
    #[error("expected a JSON object with id, end and plies: {0}")]
    Json(String),
    /// An unknown ending.
    #[error("expected end to be NoMove, NoEatFlipDraw, PositionRepetitionDraw(..) or TimeOut, found {0:?}")]
    End(String),
    /// Not in the platform's text form.
    #[error(transparent)]
    Text(#[from] NotationError),
}

#[derive(Deserialize)]
struct Compact {
    id: String,
    end: String,
    plies: String,
    #[serde(default)]
    clock_ms: Vec<u64>,
}

/// Reads one line of the compact form: `{"id":…,"end":…,"plies":"b8(G) d8(c) …","clock_ms":[…]}`.
///
/// # Errors
/// When it is not such an object, or a ply is not in platform notation.
pub fn read_compact(line: &str) -> Result<PlatformGame, PlatformError> {
    let compact: Compact = serde_json::from_str(line).map_err(|e| PlatformError::Json(e.to_string()))?;
    let end = match compact.end.as_str() {
        "NoMove" => PlatformEnd::NoMove,
        "NoEatFlipDraw" => PlatformEnd::Quiet,
        "TimeOut" => PlatformEnd::TimeOut,
        end if end.starts_with("PositionRepetitionDraw") => PlatformEnd::Repetition,
        _ => return Err(PlatformError::End(compact.end)),
    };
    let mut events = Vec::new();
    let mut at = 0;
    for word in compact.plies.split(' ').filter(|w| !w.is_empty()) {
        events.push(word.parse().map_err(|e: NotationError| e.offset(at))?);
        at += word.len() + 1;
    }
    Ok(PlatformGame { name: compact.id, events, clock_ms: compact.clock_ms, end })
}

/// Reads the platform's text form: a header that begins with `INITIAL`, then lines of `* n. ply ply`.
///
/// # Errors
/// When the header is missing, the game does not begin with everything face down, or a ply is not in platform notation.
pub fn read_text(text: &str) -> Result<PlatformGame, PlatformError> {
    let mut game = PlatformGame {
        name: String::new(),
        events: Vec::new(),
        clock_ms: Vec::new(),
        end: PlatformEnd::Unknown,
    };
    let mut at = 0;
    for (n, raw) in text.split_inclusive('\n').enumerate() {
        let line = raw.trim();
        let begin = at + raw.find(line).unwrap_or(0);
        at += raw.len();
        if n == 0 {
            if line != "INITIAL" {
                return Err(NotationError::new("the first line INITIAL", text, begin).into());
            }
            continue;
        }
        let Some(item) = line.strip_prefix("* ") else {
            let cells: Vec<&str> = line.split_whitespace().collect();
            if cells.iter().any(|c| *c != "X" && *c != "XXXX") {
                let expected = "a rank of face-down pieces (X): games from other positions are not read";
                return Err(NotationError::new(expected, text, begin).into());
            }
            continue;
        };
        if item.contains(" vs ") {
            item.clone_into(&mut game.name);
        }
        let mut words = item.split_whitespace();
        let first = words.next().unwrap_or_default();
        if first.strip_suffix('.').is_none_or(|n| n.parse::<u32>().is_err()) {
            continue; // a header line: date, players, counts, who is first, time
        }
        for word in words {
            // The word is a slice of the text: its place is where it begins in it.
            let place = word.as_ptr() as usize - text.as_ptr() as usize;
            game.events.push(word.parse().map_err(|e: NotationError| e.offset(place))?);
        }
    }
    if at == 0 {
        return Err(NotationError::new("the first line INITIAL", text, 0).into());
    }
    Ok(game)
}

impl PlatformGame {
    /// Plays the game through under `rules` and writes it as a record, with the ending that the rules give it.
    ///
    /// # Errors
    /// When a ply is impossible, or the rules do not end the game as the platform did, exactly at the last ply.
    pub fn to_record(&self, rules: RuleSet) -> Result<Record<Banqi>, ReplayError> {
        let start = Banqi::start(rules);
        let mut record = Record::new(start.clone());
        record.set_tag("Event", &self.name.replace(['\n', '\r'], " "));
        let mut game = start;
        for (i, &event) in self.events.iter().enumerate() {
            let error = |what| Err(ReplayError { ply: i + 1, event: event.to_string(), what });
            match game.turn() {
                Turn::Over(outcome, reason) => {
                    return error(Mismatch::Over(Ending { outcome, cause: Cause::Rules(reason) }));
                }
                Turn::Seat(_) if !game.is_possible(event) => return error(Mismatch::Impossible),
                Turn::Seat(seat) => {
                    record.plies.push(Ply { seat, event, took: self.took(i) });
                    game.apply(event);
                }
            }
        }
        let last = game.turn();
        let agrees = match (self.end, last) {
            (PlatformEnd::NoMove, Turn::Over(_, reason)) => {
                matches!(reason, Reason::NoMove | Reason::NoPieces)
            }
            (PlatformEnd::Quiet, Turn::Over(_, reason)) => reason == Reason::Quiet,
            (PlatformEnd::Repetition, Turn::Over(_, reason)) => reason == Reason::Repetition,
            (PlatformEnd::TimeOut, turn) => !turn.is_over(),
            (PlatformEnd::Unknown, _) => true,
            (_, Turn::Seat(_)) => false,
        };
        record.ending = match (last, self.end) {
            (Turn::Over(outcome, reason), _) => Some(Ending { outcome, cause: Cause::Rules(reason) }),
            (Turn::Seat(seat), PlatformEnd::TimeOut) => Some(Ending {
                outcome: Outcome::Win(seat.team().other()),
                cause: Cause::Forfeit(Forfeit::Timeout),
            }),
            (Turn::Seat(_), _) => None,
        };
        if agrees {
            return Ok(record);
        }
        let event = self.events.last().map_or(String::new(), ToString::to_string);
        let what = Mismatch::Ending { recorded: self.claimed(&game), by_rules: record.ending };
        Err(ReplayError { ply: self.events.len(), event, what })
    }

    /// The ending that the platform claims, if it claims one.
    fn claimed(&self, last: &Banqi) -> Option<Ending> {
        let mover = last.turn().seat().unwrap_or(Seat((last.position().ply() % 2) as u8));
        let lost = Outcome::Win(mover.team().other());
        let (outcome, cause) = match self.end {
            PlatformEnd::NoMove => (lost, Cause::Rules(Reason::NoMove)),
            PlatformEnd::Quiet => (Outcome::Draw, Cause::Rules(Reason::Quiet)),
            PlatformEnd::Repetition => (Outcome::Draw, Cause::Rules(Reason::Repetition)),
            PlatformEnd::TimeOut => (lost, Cause::Forfeit(Forfeit::Timeout)),
            PlatformEnd::Unknown => return None,
        };
        Some(Ending { outcome, cause })
    }

    /// How long ply `i` took: the mover's clock before, which stood at 15 minutes at the start, less the one after.
    fn took(&self, i: usize) -> Duration {
        let before = if i < 2 { Some(900_000) } else { self.clock_ms.get(i - 2).copied() };
        let spent =
            before.zip(self.clock_ms.get(i)).map_or(0, |(before, &after)| before.saturating_sub(after));
        Duration::from_millis(spent)
    }
}
