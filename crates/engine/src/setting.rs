//! How settings are read. Each part of the engine owns its settings and reads its own words: it lists them as [`Setting`]s, and
//! its `set` gives none for a name that is not its own and for a value that it does not take.

use std::ops::RangeInclusive;
use std::str::FromStr;

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

/// All settings of some parts in one list.
pub(crate) const fn joined<const N: usize>(parts: &[&[Setting]]) -> [Setting; N] {
    let (mut all, mut at, mut part) = ([("", ""); N], 0, 0);
    while part < parts.len() {
        let mut place = 0;
        while place < parts[part].len() {
            all[at] = parts[part][place];
            (at, place) = (at + 1, place + 1);
        }
        part += 1;
    }
    assert!(at == N, "all of them are in the list");
    all
}

/// How many settings some parts have.
pub(crate) const fn count(parts: &[&[Setting]]) -> usize {
    let (mut n, mut part) = (0, 0);
    while part < parts.len() {
        (n, part) = (n + parts[part].len(), part + 1);
    }
    n
}
