//! Errors of reading text: the expected text, the text found, and its place.

use std::borrow::Cow;
use std::error::Error;
use std::fmt;

/// Text that does not say what it should. Points at the place, so that a person can mend it.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct NotationError {
    /// The text that was expected here.
    pub expected: Cow<'static, str>,
    /// The text that was found instead; empty at the end of the text.
    pub found: String,
    /// Byte offset into the text that was parsed.
    pub at: usize,
}

impl NotationError {
    /// An error at byte `at` of `text`; quotes up to the next space or line end.
    pub fn new(expected: impl Into<Cow<'static, str>>, text: &str, at: usize) -> NotationError {
        let mut start = at.min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let found =
            text[start..].split([' ', '\n', '\r']).next().unwrap_or_default().chars().take(40).collect();
        NotationError { expected: expected.into(), found, at: start }
    }

    /// The same error, seen from a text in which this one's begins at byte `by`.
    #[must_use]
    pub fn offset(mut self, by: usize) -> NotationError {
        self.at += by;
        self
    }

    /// Line and column, both from 1 and the column in characters, in the whole `text` that was parsed.
    pub fn line_column(&self, text: &str) -> (usize, usize) {
        let before = &text[..text.floor_char_boundary(self.at)];
        let start = before.rfind('\n').map_or(0, |i| i + 1);
        (before.matches('\n').count() + 1, before[start..].chars().count() + 1)
    }

    /// The message with the offending line and a caret under the place.
    pub fn pointing_at(&self, text: &str) -> String {
        let (line, column) = self.line_column(text);
        let source = text.lines().nth(line - 1).unwrap_or_default();
        // Long lines are cut to a window around the caret: a bag of forty games is one line too.
        let from = column.saturating_sub(61);
        let window: String = source.chars().skip(from).take(100).collect();
        let pad = " ".repeat(column - 1 - from);
        format!("line {line}, column {column}: {self}\n  {window}\n  {pad}^")
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.found.is_empty() {
            write!(f, "expected {}, found the end", self.expected)
        } else {
            write!(f, "expected {}, found \"{}\"", self.expected, self.found)
        }
    }
}

impl Error for NotationError {}

/// The one of a list that has this name.
pub(crate) fn named<T, N: AsRef<str>>(
    all: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> N,
    text: &str,
    expected: &'static str,
) -> Result<T, NotationError> {
    let found = all.into_iter().find(|one| name(one).as_ref() == text);
    found.ok_or_else(|| NotationError::new(expected, text, 0))
}

/// An action or event that the position does not allow. The game is unchanged.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct Illegal {
    /// Its text.
    pub action: String,
    /// Why not.
    pub why: String,
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not possible here: {}", self.action, self.why)
    }
}

impl Error for Illegal {}
