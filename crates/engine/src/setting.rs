//! How settings are read. Each part of the engine owns its settings and reads its own words: it lists them as [`Setting`]s, and
//! its `set` gives none for a name that is not its own and for a value that it does not take.

use std::borrow::Cow;
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

/// A setting: all that errors, `anglerfish settings` and docs/settings.md say of it.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its values, in words.
    pub takes: Cow<'static, str>,
    /// Its value in the player `alphabeta`; `None` where it is not set.
    pub default: Option<&'static str>,
    /// What it does.
    pub about: &'static str,
}

impl Setting {
    /// A setting with all that is said of it.
    pub const fn new(
        name: &'static str,
        takes: &'static str,
        default: Option<&'static str>,
        about: &'static str,
    ) -> Setting {
        Setting { name, takes: Cow::Borrowed(takes), default, about }
    }
}

/// What a word stands for.
pub(crate) fn word<T: Copy>(value: &str, words: &[(&str, T)]) -> Option<T> {
    words.iter().find(|(word, _)| *word == value).map(|&(_, meaning)| meaning)
}

/// A number within a range.
pub(crate) fn number<T: FromStr + PartialOrd>(value: &str, range: RangeInclusive<T>) -> Option<T> {
    value.parse().ok().filter(|number| range.contains(number))
}
