//! Checks that hold for a store with any objects missing. The tests of the simulated disk share this.

use std::collections::{BTreeMap, BTreeSet};

use anglerfish_arena::Name;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_store::{Place, Store, compact, recover, verify};
use arrow_array::cast::AsArray;
use bytes::Bytes;
use parquet::arrow::ProjectionMask;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;

/// The size of large objects.
pub(crate) const TARGET: u64 = 1 << 20;

/// The text of a unit and its games.
pub(crate) type Texts = (String, String);

/// The units of an object with games or a list, read without our own reader. Empty if it is damaged.
fn units_of(bytes: Bytes) -> BTreeSet<Name> {
    let Ok(reader) = ParquetRecordBatchReaderBuilder::try_new(bytes) else { return BTreeSet::new() };
    let mask = ProjectionMask::columns(reader.parquet_schema(), ["unit"]);
    let batches = reader.with_projection(mask).build().expect("Parquet");
    let mut units = BTreeSet::new();
    for batch in batches {
        let batch = batch.expect("rows");
        units.extend(batch.column(0).as_string::<i32>().iter().map(|unit| {
            let unit = unit.expect("a unit");
            unit.parse::<Name>().expect("a name")
        }));
    }
    units
}

/// Objects of a folder of the store, with their units.
fn by_object(place: &Place, folder: &str) -> BTreeMap<String, BTreeSet<Name>> {
    let read = |name: &str| place.read(name).expect("it reads").map_or_else(BTreeSet::new, units_of);
    place.list(folder).expect("a folder").into_iter().map(|(name, _)| (name.clone(), read(&name))).collect()
}

/// Units whose games are present, and units that any object names.
pub(crate) fn present_and_named(place: &Place) -> (BTreeSet<Name>, BTreeSet<Name>) {
    let games = by_object(place, "units").into_iter().chain(by_object(place, "large"));
    let present: BTreeSet<Name> = games.flat_map(|(_, units)| units).collect();
    let mut named = present.clone();
    named.extend(by_object(place, "lists").into_values().flatten());
    named.extend(place.list("sums").expect("a folder").iter().map(|(name, _)| {
        let unit = name.strip_prefix("sums/").and_then(|name| name.strip_suffix(".sha256"));
        unit.expect("a name").parse::<Name>().expect("a unit")
    }));
    (present, named)
}

/// Checks all guarantees of a store of these units with any objects missing.
pub(crate) fn check(place: &dyn Fn() -> Place, all: &[Texts], why: &str) {
    let verified = || verify::<TicTacToe>(place(), 1, &|_, _| {}).expect("it reads");
    let digests: BTreeMap<Name, Name> =
        all.iter().map(|(text, games)| (Name::of(text), Name::of(games))).collect();
    let (present, named) = present_and_named(&place());

    // The report of `verify` is true and complete.
    let found = verified();
    for (unit, digest) in &found.units {
        assert_eq!(digests.get(unit), Some(digest), "{why}");
        assert!(present.contains(unit), "{why}: {unit} is called whole and is not there");
    }
    for unit in named.iter().filter(|unit| !found.units.contains_key(unit)) {
        assert!(found.missing.contains(unit), "{why}: {unit} is passed over in silence: {:?}", found.faults);
    }
    assert!(found.missing.is_empty() || !found.faults.is_empty(), "{why}");
    let last = all.last().map(|(text, _)| Name::of(text)).expect("a unit");
    if found.units.len() < all.len() && found.units.contains_key(&last) {
        let said = !found.faults.is_empty() || !found.unknown.is_empty();
        assert!(said, "{why}: {} of {} units, and nothing is said", found.units.len(), all.len());
    }

    // After any `compact`, all games that were present still are, or can be recovered.
    let result = Store::<TicTacToe>::open(place(), None)
        .and_then(|mut store| compact(&mut store, TARGET, &mut |_, _| {}));
    let (still, _) = present_and_named(&place());
    assert!(present.is_subset(&still), "{why}: compact ({result:?}) removed the only copy of a unit");
    recover::<TicTacToe>(place(), TARGET, &mut |_, _| {}).expect("it is recovered");
    let (still, _) = present_and_named(&place());
    assert!(present.is_subset(&still), "{why}: recover removed the only copy of a unit");
    let found = verified();
    // A large object without its list is unreadable: the texts of its units are lost.
    let lists = by_object(&place(), "lists");
    let large = by_object(&place(), "large").into_iter();
    let large = large.filter(|(name, units)| lists.get(&name.replace("large/", "lists/")) == Some(units));
    for unit in large.chain(by_object(&place(), "units")).flat_map(|(_, units)| units) {
        assert!(found.units.contains_key(&unit), "{why}: {unit} is not recovered: {:?}", found.faults);
    }

    // Lost units can be played again, and then the store is complete.
    let mut store = Store::<TicTacToe>::open(place(), None).expect("a store");
    for (text, games) in all {
        store.put(text, games).expect("it is kept");
    }
    for _ in 0..2 {
        compact(&mut store, TARGET, &mut |_, _| {}).expect("it is compacted");
    }
    let found = verified();
    assert_eq!((&found.units, found.faults), (&digests, Vec::new()), "{why}");
}
