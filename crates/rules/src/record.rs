//! A finished or running game as text: PGN's tags and movetext, with events for moves.
//!
//! Because events are recorded, a record replays with no random generator. The seed or the full deal is kept in a
//! tag, so that a node-limited game can also be played again from its header. docs/formats.md has the grammar.

use std::error::Error;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use crate::error::NotationError;
use crate::game::{Forfeit, Game, Outcome, Ply, Reason, Seat, Turn};
use crate::rng::Rng;

/// What ended a game: the rules, or a player who did not go on.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Cause {
    /// The game was played out.
    Rules(Reason),
    /// Somebody lost other than on the board.
    Forfeit(Forfeit),
}

impl Cause {
    /// The word used in records.
    pub const fn text(self) -> &'static str {
        match self {
            Cause::Rules(reason) => reason.text(),
            Cause::Forfeit(forfeit) => forfeit.text(),
        }
    }

    /// Reads what [`text`](Cause::text) writes.
    pub fn from_text(text: &str) -> Option<Cause> {
        let rules = Reason::ALL.into_iter().map(Cause::Rules);
        rules.chain(Forfeit::ALL.into_iter().map(Cause::Forfeit)).find(|c| c.text() == text)
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// How a game ended, and why.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Ending {
    /// Who won.
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
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Record<G: Game> {
    /// Whatever its writer wanted to say: `Event`, `First`, `Second`, `Seed`, `Deal` … in order. The tags that have
    /// a field of their own (`Format`, `Game`, `Rules`, `Start`, `Result`, `Reason`) are not among them.
    pub tags: Vec<(String, String)>,
    /// The game before the first ply.
    pub start: G,
    /// What was played.
    pub plies: Vec<Ply<G::Event>>,
    /// How it ended; none for a game that was broken off.
    pub ending: Option<Ending>,
}

/// The version of the record format, in the first tag of every record.
pub const RECORD_FORMAT: &str = "1";

const OWN_TAGS: [&str; 6] = ["Format", "Game", "Rules", "Start", "Result", "Reason"];

impl<G: Game> Record<G> {
    /// A record with nothing played yet.
    pub fn new(start: G) -> Record<G> {
        Record { tags: Vec::new(), start, plies: Vec::new(), ending: None }
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
        assert!(is_tag_name(name) && !OWN_TAGS.contains(&name), "{name} cannot be a tag of its own");
        assert!(!value.contains(['\n', '\r']), "the value of {name} has a line break");
        match self.tags.iter_mut().find(|(n, _)| n == name) {
            Some(tag) => value.clone_into(&mut tag.1),
            None => self.tags.push((name.to_owned(), value.to_owned())),
        }
    }

    /// The same record with all times forgotten: the canonical bytes of a node-limited game.
    #[must_use]
    pub fn without_times(mut self) -> Record<G> {
        for ply in &mut self.plies {
            ply.took = Duration::ZERO;
        }
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

    /// Compares the recorded ending with what the rules say of the last position.
    fn check_ending(&self, last: &G) -> Result<(), ReplayError> {
        let by_rules = match last.turn() {
            Turn::Over(outcome, reason) => Some(Ending { outcome, cause: Cause::Rules(reason) }),
            Turn::Seat(_) => None,
        };
        let agrees = match self.ending {
            Some(Ending { cause: Cause::Rules(_), .. }) => by_rules == self.ending,
            Some(Ending { cause: Cause::Forfeit(_), .. }) | None => by_rules.is_none(),
        };
        if agrees {
            return Ok(());
        }
        let event = self.plies.last().map_or(String::new(), |ply| ply.event.to_string());
        let what = Mismatch::Ending { recorded: self.ending, by_rules };
        Err(ReplayError { ply: self.plies.len(), event, what })
    }
}

/// Where a record and the rules part.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ReplayError {
    /// The ply, counted from 1; the number of plies when it is the ending.
    pub ply: usize,
    /// What was played there.
    pub event: String,
    /// What is wrong with it.
    pub what: Mismatch,
}

/// What is wrong with a ply or an ending.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Mismatch {
    /// The ply cannot be played there.
    Impossible,
    /// It is another seat's.
    Seat(Seat),
    /// The game was over already.
    Over(Ending),
    /// The rules see the end differently.
    Ending {
        /// What the record says.
        recorded: Option<Ending>,
        /// What the rules say; none if the game is not over.
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

fn is_tag_name(name: &str) -> bool {
    !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric())
}

fn default_start<G: Game>(rules: &G::Rules) -> G {
    G::deal(rules, &mut Rng::new(0))
}

impl<G: Game> fmt::Display for Record<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut tag = |name: &str, value: &str| {
            writeln!(f, "[{name} \"{}\"]", value.replace('\\', "\\\\").replace('"', "\\\""))
        };
        tag("Format", RECORD_FORMAT)?;
        tag("Game", G::NAME)?;
        let rules = self.start.rules();
        tag("Rules", &rules.to_string())?;
        if self.start != default_start(&rules) {
            tag("Start", &self.start.to_string())?;
        }
        for (name, value) in &self.tags {
            tag(name, value)?;
        }
        if let Some(ending) = self.ending {
            tag("Result", ending.outcome.text())?;
            tag("Reason", ending.cause.text())?;
        }
        f.write_str("\n")?;
        // Numbers count rounds of the table; a round is over when the turn comes back to the seat that began, or passes
        // it because nobody sits there any more. Lines break before column 100.
        let mut column = 0;
        let mut word = |f: &mut fmt::Formatter<'_>, word: &str| {
            let space = usize::from(column > 0);
            let parting = if column + space + word.len() > 100 { "\n" } else { &" "[..space] };
            column = if parting == "\n" { word.len() } else { column + space + word.len() };
            write!(f, "{parting}{word}")
        };
        let mut text = String::new();
        let (mut rounds, mut before) = (0, u8::MAX);
        for ply in &self.plies {
            let place = (ply.seat.0 + G::SEATS - self.plies[0].seat.0) % G::SEATS;
            if place <= before {
                rounds += 1;
                word(f, &format!("{rounds}."))?;
            }
            before = place;
            text.clear();
            write!(text, "{}", ply.event)?;
            word(f, &text)?;
            if ply.took.as_millis() > 0 {
                word(f, &format!("{{{}ms}}", ply.took.as_millis()))?;
            }
        }
        word(f, self.ending.map_or("*", |e| e.outcome.text()))?;
        f.write_str("\n")
    }
}

impl<G: Game> FromStr for Record<G> {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Record<G>, NotationError> {
        let (record, end) = read_record(text, 0)?;
        if text[end..].trim().is_empty() {
            Ok(record)
        } else {
            Err(NotationError::new("one record only", text, end))
        }
    }
}

/// Reads the records of a file one after another. After an error it stops.
pub fn read_records<G: Game>(text: &str) -> impl Iterator<Item = Result<Record<G>, NotationError>> + '_ {
    let mut at = Some(0);
    std::iter::from_fn(move || {
        let start = at?;
        let start = start + text[start..].find(|c: char| !c.is_whitespace())?;
        let result = read_record(text, start);
        at = result.as_ref().ok().map(|&(_, end)| end);
        Some(result.map(|(record, _)| record))
    })
}

/// Reads one record that begins at byte `at`; returns it with the byte after it.
fn read_record<G: Game>(text: &str, mut at: usize) -> Result<(Record<G>, usize), NotationError> {
    // Step 1. Tags, one a line.
    let mut tags: Vec<(usize, String, String)> = Vec::new();
    while text[at..].starts_with('[') {
        let line = text[at..].lines().next().unwrap_or_default();
        let (name, value) = read_tag(line)
            .ok_or_else(|| NotationError::new("a tag such as [Rules \"platform\"]", text, at))?;
        if tags.iter().any(|(_, n, _)| n == name) {
            return Err(NotationError::new("each tag once", text, at));
        }
        tags.push((at, name.to_owned(), value));
        at += line.len();
        at += text[at..].bytes().take_while(|b| *b == b'\n' || *b == b'\r').count();
    }
    let mut take = |name: &str| {
        let i = tags.iter().position(|(_, n, _)| n == name)?;
        let (place, name, value) = tags.remove(i);
        // Where the value begins, for errors inside it.
        Some((place + name.len() + 3, value))
    };
    let own = |(place, value): (usize, String), expected: &str| {
        if value == expected { Ok(()) } else { Err(NotationError::new(expected.to_owned(), text, place)) }
    };
    let missing = |name: &'static str| NotationError::new(name, text, at);
    own(take("Format").ok_or_else(|| missing("the tag [Format \"1\"]"))?, RECORD_FORMAT)?;
    own(take("Game").ok_or_else(|| missing("a [Game] tag"))?, G::NAME)?;
    let (place, rules) = take("Rules").ok_or_else(|| missing("a [Rules] tag"))?;
    let rules: G::Rules = rules.parse().map_err(|e: NotationError| e.offset(place))?;
    let start = match take("Start") {
        None => default_start(&rules),
        Some((place, value)) => {
            let start: G = value.parse().map_err(|e: NotationError| e.offset(place))?;
            if start.rules() != rules {
                return Err(NotationError::new(format!("a start under the rules {rules}"), text, place));
            }
            start
        }
    };
    let outcome = match take("Result") {
        None => None,
        Some((place, value)) => Some(
            Outcome::from_text(&value)
                .ok_or_else(|| NotationError::new("1-0, 0-1 or 1/2-1/2", text, place))?,
        ),
    };
    let cause = match take("Reason") {
        None => None,
        Some((place, value)) => Some(
            Cause::from_text(&value)
                .ok_or_else(|| NotationError::new("a reason such as no-move or timeout", text, place))?,
        ),
    };
    let ending = match (outcome, cause) {
        (Some(outcome), Some(cause)) => Some(Ending { outcome, cause }),
        (None, None) => None,
        _ => return Err(missing("both [Result] and [Reason], or neither")),
    };
    let tags = tags.into_iter().map(|(_, name, value)| (name, value)).collect();
    let mut record = Record { tags, start, plies: Vec::with_capacity(256), ending };

    // Step 2. Movetext: numbers are decoration, {1250ms} is the time of the ply before it, and other comments are
    // skipped.
    let mut seats = Seats::new(&record.start);
    let bytes = text.as_bytes();
    loop {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let start = at;
        let comment = bytes.get(at) == Some(&b'{');
        let ends = |b: &u8| if comment { *b == b'}' } else { b.is_ascii_whitespace() || *b == b'{' };
        while bytes.get(at).is_some_and(|b| !ends(b)) {
            at += 1;
        }
        at += usize::from(comment && at < bytes.len());
        let word = &text[start..at];
        let error = |expected: &'static str| Err(NotationError::new(expected, text, start));
        match word.as_bytes().first() {
            None => return error("a ply, or the result at the end: 1-0, 0-1, 1/2-1/2 or *"),
            Some(b'{') => {
                let ms = word[1..].strip_suffix("ms}").and_then(|n| n.parse().ok());
                match (ms, record.plies.last_mut()) {
                    (Some(ms), Some(ply)) => ply.took = Duration::from_millis(ms),
                    _ if word.ends_with('}') => {}
                    _ => return error("a comment that ends with \"}\""),
                }
            }
            Some(b'*' | b'0'..=b'9') if word == "*" || Outcome::from_text(word).is_some() => {
                if Outcome::from_text(word) != record.ending.map(|e| e.outcome) {
                    return error("the result of the [Result] tag");
                }
                return Ok((record, at));
            }
            Some(b'0'..=b'9') if is_number(word) => {}
            Some(_) => {
                let event = G::parse_event(word).map_err(|e| e.offset(start))?;
                let Some(seat) = seats.next(event) else { return error("a ply that is possible here") };
                record.plies.push(Ply { seat, event, took: Duration::ZERO });
            }
        }
    }
}

/// Who played the plies of a record, which does not say so.
enum Seats<G> {
    /// Two seats alternate, so nobody has to know the game; this one is next.
    Alternate(Seat),
    /// With more, some may have left, so the game is played along.
    Follow(G),
}

impl<G: Game> Seats<G> {
    fn new(start: &G) -> Seats<G> {
        match G::SEATS {
            2 => Seats::Alternate(start.turn().seat().unwrap_or(Seat(0))),
            _ => Seats::Follow(start.clone()),
        }
    }

    /// Whose the next ply is; none if it is known to be impossible.
    fn next(&mut self, event: G::Event) -> Option<Seat> {
        match self {
            Seats::Alternate(next) => Some(std::mem::replace(next, Seat(1 - next.0))),
            Seats::Follow(game) => {
                let seat = game.seat_of(event).filter(|_| game.is_possible(event))?;
                game.apply(event);
                Some(seat)
            }
        }
    }
}

/// `12.`
fn is_number(word: &str) -> bool {
    word.strip_suffix('.').is_some_and(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
}

/// `[Name "value"]`, with `\"` and `\\` in the value.
fn read_tag(line: &str) -> Option<(&str, String)> {
    let (name, quoted) = line.strip_prefix('[')?.trim_end().strip_suffix("\"]")?.split_once(" \"")?;
    let mut value = String::with_capacity(quoted.len());
    let mut chars = quoted.chars();
    while let Some(c) = chars.next() {
        match c {
            '\\' => value.push(chars.next().filter(|c| matches!(c, '"' | '\\'))?),
            '"' => return None,
            _ => value.push(c),
        }
    }
    is_tag_name(name).then_some((name, value))
}
