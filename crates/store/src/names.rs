//! The names of the objects in a store, both ways.

use anglerfish_arena::Name;

/// The folder of small objects, one per unit.
pub(crate) const UNITS: &str = "units";
/// The folder of their SHA-256.
pub(crate) const SUMS: &str = "sums";
/// The folders of large objects and of their lists.
pub(crate) const LARGE: &str = "large";
pub(crate) const LISTS: &str = "lists";
/// The folder of the index's generations.
pub(crate) const INDEX: &str = "index";

/// The name of a unit's small object.
pub(crate) fn unit_object(unit: &Name) -> String {
    format!("{UNITS}/{unit}.parquet")
}

/// The name of the object with its SHA-256.
pub(crate) fn sum_object(unit: &Name) -> String {
    format!("{SUMS}/{unit}.sha256")
}

/// The unit in an object's name.
pub(crate) fn unit_of(name: &str) -> Option<Name> {
    let word = name.strip_prefix(UNITS).and_then(|name| name.strip_prefix('/')?.strip_suffix(".parquet"));
    word.or_else(|| name.strip_prefix(SUMS)?.strip_prefix('/')?.strip_suffix(".sha256"))?.parse().ok()
}

/// The name of a large object.
pub(crate) fn large_object(stem: &str) -> String {
    format!("{LARGE}/{stem}.parquet")
}

/// The name of a large object's list.
pub(crate) fn list_object(stem: &str) -> String {
    format!("{LISTS}/{stem}.parquet")
}

/// The common part of both names.
pub(crate) fn stem_of(name: &str) -> Option<&str> {
    name.strip_prefix(LARGE).or_else(|| name.strip_prefix(LISTS))?.strip_prefix('/')?.strip_suffix(".parquet")
}

/// The generation in that part.
pub(crate) fn stem_generation(stem: &str) -> Option<u64> {
    stem.split_once('-')?.0.parse().ok()
}

/// The SHA-256 in that part.
pub(crate) fn stem_sum(stem: &str) -> Option<&str> {
    Some(stem.split_once('-')?.1)
}

/// The name of a generation.
pub(crate) fn index_object(generation: u64) -> String {
    format!("{INDEX}/{generation:08}.json")
}

/// The number in the name of a generation.
pub(crate) fn generation_of(object: &str) -> Option<u64> {
    let number = object.strip_prefix(INDEX)?.strip_prefix('/')?.strip_suffix(".json")?.parse().ok()?;
    // Only in our own spelling: `+9.json` is no generation.
    (index_object(number) == object).then_some(number)
}
