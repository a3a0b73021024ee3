//! The thoughts of a player about its choice, as a comment behind the ply: `{v +0.0829 n 20000 c b3 +0.0829 1200 c a1-a2 - 30}`.
//!
//! Numbers are whole inside, so that text is exact and equal thoughts are equal bytes. Replaying does not look at them:
//! a thought cannot be wrong, not even one of an action that is not legal.

use std::fmt::{self, Display};
use std::str::FromStr;

use crate::error::NotationError;
use crate::game::Game;

/// The version of annotations, in the tag that says that a record has them.
pub const ANNOTATION_FORMAT: &str = "1";

const POINTS: &str = "points from -1.0000 to +1.0000";

/// The value of a position to the mover, in ten-thousandths of a game: -10000 is lost, 0 even, 10000 won.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Points(i16);

impl Points {
    /// From ten-thousandths; `None` beyond a whole game.
    pub const fn new(ten_thousandths: i16) -> Option<Points> {
        if ten_thousandths.unsigned_abs() <= 10_000 { Some(Points(ten_thousandths)) } else { None }
    }

    /// The nearest to a value from -1 to 1.
    pub fn nearest(value: f64) -> Points {
        Points((value.clamp(-1.0, 1.0) * 10_000.0).round() as i16)
    }

    /// As a whole number, from -10000 to 10000.
    pub const fn ten_thousandths(self) -> i16 {
        self.0
    }
}

/// `+0.0829`
impl Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Files hold millions of these, and padding takes longer than digits.
        let n = self.0.unsigned_abs();
        let digit = |unit: u16| b'0' + (n / unit % 10) as u8;
        let sign = if self.0 < 0 { b'-' } else { b'+' };
        let text = [sign, digit(10_000), b'.', digit(1000), digit(100), digit(10), digit(1)];
        f.write_str(std::str::from_utf8(&text).unwrap_or_default())
    }
}

impl FromStr for Points {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Points, NotationError> {
        let digits = match text.as_bytes() {
            [b'+' | b'-', ones, b'.', part @ ..] if part.len() == 4 => std::iter::once(ones).chain(part),
            _ => return Err(NotationError::new(POINTS, text, 0)),
        };
        let n = digits
            .into_iter()
            .try_fold(0, |n, digit| digit.is_ascii_digit().then(|| 10 * n + i32::from(digit - b'0')));
        let negative = text.starts_with('-');
        // -0.0000 is refused, because accepted text is written back byte for byte.
        let n = n.filter(|&n| n <= 10_000 && (n > 0 || !negative));
        let points = n.map(|n| Points(if negative { -n } else { n } as i16));
        points.ok_or_else(|| NotationError::new(POINTS, text, 0))
    }
}

/// The thoughts of a player before its ply. All values are from that player's view.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Annotation<A> {
    /// Its value of the position.
    pub value: Option<Points>,
    /// The number of nodes it searched.
    pub nodes: Option<u64>,
    /// The choices it considered, in its own order.
    pub candidates: Vec<Candidate<A>>,
}

/// One of the choices that a player considered.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Candidate<A> {
    /// The choice.
    pub action: A,
    /// The player's value of the choice.
    pub value: Option<Points>,
    /// The number of visits, in searches that count them.
    pub visits: Option<u64>,
}

impl<A> Default for Annotation<A> {
    fn default() -> Annotation<A> {
        Annotation { value: None, nodes: None, candidates: Vec::new() }
    }
}

impl<A> Annotation<A> {
    /// Reads the text in the braces. Strict: accepted text is written back byte for byte.
    ///
    /// # Errors
    /// When it is no annotation of this game.
    pub fn read<G: Game<Action = A>>(comment: &str) -> Result<Annotation<A>, NotationError> {
        read_annotation::<G>(comment)
    }

    /// Whether the annotation is empty.
    pub fn is_empty(&self) -> bool {
        self.value.is_none() && self.nodes.is_none() && self.candidates.is_empty()
    }
}

/// The text in the braces.
impl<A: Display> Display for Annotation<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut space = "";
        if let Some(value) = self.value {
            write!(f, "v {value}")?;
            space = " ";
        }
        if let Some(nodes) = self.nodes {
            write!(f, "{space}n {nodes}")?;
            space = " ";
        }
        for candidate in &self.candidates {
            write!(f, "{space}{candidate}")?;
            space = " ";
        }
        Ok(())
    }
}

/// `c b3 +0.0829 1200`, with `-` for an unknown number.
impl<A: Display> Display for Candidate<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let value = self.value.map_or("-".to_owned(), |value| value.to_string());
        let visits = self.visits.map_or("-".to_owned(), |visits| visits.to_string());
        write!(f, "c {} {value} {visits}", self.action)
    }
}

/// Whether a comment, without its braces, is meant as an annotation where a record has them.
pub(super) fn is_annotation(comment: &str) -> bool {
    ["v ", "n ", "c "].iter().any(|mark| comment.starts_with(mark))
}

/// Reads a comment without its braces. Strict: accepted text is written back byte for byte.
pub(super) fn read_annotation<G: Game>(comment: &str) -> Result<Annotation<G::Action>, NotationError> {
    let mut words = Words { text: comment, at: 0 };
    let mut annotation = Annotation::default();
    if words.skip("v") {
        annotation.value = Some(words.next(str::parse)?);
    }
    if words.skip("n") {
        annotation.nodes = Some(words.next(count)?);
    }
    while words.skip("c") {
        let action = words.next(G::parse_action)?;
        let value = words.next(|word| if word == "-" { Ok(None) } else { word.parse().map(Some) })?;
        let visits = words.next(|word| if word == "-" { Ok(None) } else { count(word).map(Some) })?;
        annotation.candidates.push(Candidate { action, value, visits });
    }
    match words.peek() {
        None => Ok(annotation),
        Some(_) => {
            Err(NotationError::new("v, n and c, in this order and parted by one space", comment, words.at))
        }
    }
}

fn count(text: &str) -> Result<u64, NotationError> {
    // Digits only, and no zeros before them.
    let plain = text.bytes().all(|b| b.is_ascii_digit()) && (text == "0" || !text.starts_with('0'));
    let count = text.parse().ok().filter(|_| plain);
    count.ok_or_else(|| NotationError::new("a count", text, 0))
}

/// Words parted by one space each.
struct Words<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Words<'a> {
    fn peek(&self) -> Option<&'a str> {
        self.text.get(self.at..)?.split(' ').next()
    }

    fn skip(&mut self, mark: &str) -> bool {
        let there = self.peek() == Some(mark);
        self.at += if there { mark.len() + 1 } else { 0 };
        there
    }

    /// Errors of `read` point into the whole text.
    fn next<T>(&mut self, read: impl FnOnce(&str) -> Result<T, NotationError>) -> Result<T, NotationError> {
        let word = self.peek().unwrap_or_default();
        let value = read(word).map_err(|error| error.offset(self.at.min(self.text.len())))?;
        self.at += word.len() + 1;
        Ok(value)
    }
}
