//! The text of records, both ways.
//!
//! Files hold millions of plies, so a reader of two-seat games looks at each byte once and plays nothing.

use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use super::annotation::{ANNOTATION_FORMAT, is_annotation, read_annotation};
use super::{Ending, Record};
use crate::error::NotationError;
use crate::game::{Game, Outcome, Ply, Seat};
use crate::rng::Rng;

/// The version of the record format, in the first tag of every record.
pub const RECORD_FORMAT: &str = "1";

const OWN_TAGS: [&str; 7] = ["Format", "Game", "Rules", "Start", "Annotations", "Result", "Reason"];

/// The most tags that a record may have.
const MOST_TAGS: usize = 1000;

/// Whether a tag of this name is free for any text of its writer.
pub fn is_free_tag(name: &str) -> bool {
    is_tag_name(name) && !OWN_TAGS.contains(&name)
}

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
        if self.annotations.keys().next().is_some_and(|&ply| ply < self.plies.len()) {
            tag("Annotations", ANNOTATION_FORMAT)?;
        }
        if let Some(ending) = self.ending {
            tag("Result", ending.outcome.text())?;
            tag("Reason", ending.cause.text())?;
        }
        f.write_str("\n")?;
        // Numbers count rounds of the table; a round is over when the turn comes back to the seat that began, or passes
        // it because its player has left. Lines break before column 100, but not inside a comment.
        let mut column = 0;
        let mut word = |f: &mut fmt::Formatter<'_>, word: &str| {
            let space = usize::from(column > 0);
            let parting = if column + space + word.len() > 100 { "\n" } else { &" "[..space] };
            column = if parting == "\n" { word.len() } else { column + space + word.len() };
            f.write_str(parting)?;
            f.write_str(word)
        };
        let mut text = String::new();
        let (mut rounds, mut before) = (0, u8::MAX);
        for (i, ply) in self.plies.iter().enumerate() {
            let place = (ply.seat.0 + G::SEATS - self.plies[0].seat.0) % G::SEATS;
            if place <= before {
                rounds += 1;
                text.clear();
                write!(text, "{rounds}.")?;
                word(f, &text)?;
            }
            before = place;
            text.clear();
            write!(text, "{}", ply.event)?;
            word(f, &text)?;
            if ply.took.as_millis() > 0 {
                word(f, &format!("{{{}ms}}", ply.took.as_millis()))?;
            }
            if let Some(annotation) = self.annotations.get(&i) {
                text.clear();
                write!(text, "{{{annotation}}}")?;
                word(f, &text)?;
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
fn read_record<G: Game>(text: &str, at: usize) -> Result<(Record<G>, usize), NotationError> {
    let (mut record, annotated, at) = read_tags(text, at)?;
    let end = read_movetext(&mut record, annotated, text, at)?;
    Ok((record, end))
}

/// Reads the tags, one a line. Returns a record with nothing played, whether annotations count, and the byte after the tags.
fn read_tags<G: Game>(text: &str, mut at: usize) -> Result<(Record<G>, bool, usize), NotationError> {
    let mut tags: Vec<(usize, String, String)> = Vec::new();
    let mut names = BTreeSet::new();
    while text[at..].starts_with('[') {
        let line = text[at..].lines().next().unwrap_or_default();
        let (name, value) = read_tag(line)
            .ok_or_else(|| NotationError::new("a tag such as [Rules \"platform\"]", text, at))?;
        if tags.len() == MOST_TAGS {
            return Err(NotationError::new(format!("at most {MOST_TAGS} tags"), text, at));
        }
        if !names.insert(name) {
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
    let annotated = match take("Annotations") {
        None => false,
        Some((_, value)) if value == ANNOTATION_FORMAT => true,
        Some((place, _)) => return Err(NotationError::new("annotations of version 1", text, place)),
    };
    let outcome = match take("Result") {
        None => None,
        Some((place, value)) => {
            Some(value.parse().map_err(|_| NotationError::new("1-0, 0-1 or 1/2-1/2", text, place))?)
        }
    };
    let cause = match take("Reason") {
        None => None,
        Some((place, value)) => Some(
            value
                .parse()
                .map_err(|_| NotationError::new("a reason such as no-move or timeout", text, place))?,
        ),
    };
    let ending = match (outcome, cause) {
        (Some(outcome), Some(cause)) => Some(Ending { outcome, cause }),
        (None, None) => None,
        _ => return Err(missing("both [Result] and [Reason], or neither")),
    };
    let tags = tags.into_iter().map(|(_, name, value)| (name, value)).collect();
    Ok((Record { tags, ending, ..Record::new(start) }, annotated, at))
}

/// Reads the plies and the result, and returns the byte after them. Numbers are decoration, {1250ms} is the time of the ply
/// before it, annotations are read where they count, and other comments are skipped.
fn read_movetext<G: Game>(
    record: &mut Record<G>,
    annotated: bool,
    text: &str,
    mut at: usize,
) -> Result<usize, NotationError> {
    record.plies.reserve(256);
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
                let Some(comment) = word[1..].strip_suffix('}') else {
                    return error("a comment that ends with \"}\"");
                };
                let ms = comment.strip_suffix("ms").and_then(|n| n.parse().ok());
                if let (Some(ms), Some(ply)) = (ms, record.plies.last_mut()) {
                    ply.took = Duration::from_millis(ms);
                } else if annotated && is_annotation(comment) {
                    let annotation = read_annotation::<G>(comment).map_err(|e| e.offset(start + 1))?;
                    let ply = record.plies.len().checked_sub(1);
                    let Some(ply) = ply.filter(|&ply| record.annotation(ply).is_none()) else {
                        return error("one annotation a ply, behind it");
                    };
                    record.annotate(ply, annotation);
                }
            }
            Some(b'0'..=b'9') if is_number(word) => {}
            Some(b'*' | b'0'..=b'9') if word == "*" || word.parse::<Outcome>().is_ok() => {
                if word.parse().ok() != record.ending.map(|e| e.outcome) {
                    return error("the result of the [Result] tag");
                }
                return Ok(at);
            }
            Some(_) => {
                let event = G::parse_event(word).map_err(|e| e.offset(start))?;
                let Some(seat) = seats.next(event) else { return error("a ply that is possible here") };
                record.plies.push(Ply { seat, event, took: Duration::ZERO });
            }
        }
    }
}

/// The seats of the plies of a record, which does not name them. Two seats alternate in every game. Of more seats, some
/// may have left, so the game is played along.
struct Seats<G> {
    next: Seat,
    game: Option<G>,
}

impl<G: Game> Seats<G> {
    fn new(start: &G) -> Seats<G> {
        let next = start.turn().seat().unwrap_or(Seat(0));
        Seats { next, game: (G::SEATS > 2).then(|| start.clone()) }
    }

    /// Whose the next ply is; none if it is known to be impossible.
    #[inline]
    fn next(&mut self, event: G::Event) -> Option<Seat> {
        let Some(game) = &mut self.game else {
            let other = Seat(1 - self.next.0);
            return Some(std::mem::replace(&mut self.next, other));
        };
        let seat = game.seat_of(event).filter(|_| game.is_possible(event))?;
        game.apply(event);
        Some(seat)
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
