//! How settings are read. Each part of the engine owns its settings and reads its own words: it lists them as [`Setting`]s, and
//! its `set` gives none for a name that is not its own and for a value that it does not take.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

/// A setting that does not exist, or a value that it does not take.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct ConfigError {
    /// What would have been right.
    pub expected: String,
    /// What was there instead.
    pub found: String,
}

impl ConfigError {
    /// A setting that does not take that value.
    pub(crate) fn value(name: &str, expected: impl fmt::Display, value: &str) -> ConfigError {
        ConfigError { expected: format!("{name}={expected}"), found: format!("{name}={value}") }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "expected {}, found {:?}", self.expected, self.found)
    }
}

impl std::error::Error for ConfigError {}

/// The name of a setting with what it takes, for help texts and errors.
pub(crate) type Setting = (&'static str, &'static str);

/// What a word stands for.
pub(crate) fn word<T: Copy>(value: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| *word == value).map(|&(_, meaning)| meaning)
}

/// A number within a range.
pub(crate) fn number<T: FromStr + PartialOrd>(value: &str, range: RangeInclusive<T>) -> Option<T> {
    value.parse().ok().filter(|number| range.contains(number))
}
