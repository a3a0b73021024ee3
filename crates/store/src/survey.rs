//! Surveys a place independently of the index: units that only a lost index named, and units of which only
//! the SHA-256 is left.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anglerfish_arena::Name;

use crate::error::{Damage, StoreError};
use crate::index::{Index, Listed, parse_list};
use crate::names::{
    INDEX, LARGE, LISTS, SUMS, UNITS, generation_of, large_object, list_object, stem_generation, stem_of,
    unit_of,
};
use crate::object::Object;
use crate::place::Place;
use crate::ranges::Ranges;
use crate::rows::Columns;

/// Rows that are in memory at a time.
const ROWS: usize = 4096;

/// The names of all objects with games. Objects that a compaction writes are listed before those it removes,
/// and the index is read last. So a unit that moves meanwhile is seen in at least one place.
#[derive(Debug, Default)]
pub(crate) struct Survey {
    /// Large objects by the common part of their name and their list's, with their sizes in bytes.
    pub(crate) large: BTreeMap<String, u64>,
    /// Lists, by the same part.
    pub(crate) lists: BTreeSet<String>,
    /// Units with a SHA-256 object.
    pub(crate) sums: BTreeSet<Name>,
    /// Units in small objects.
    pub(crate) small: BTreeSet<Name>,
}

/// A large object that no index names, with units that are nowhere else: an index is lost.
#[derive(Debug)]
pub(crate) struct Stranded {
    /// The common part of its name and its list's.
    pub(crate) stem: String,
    /// Whether the object exists, and not only its list.
    pub(crate) has_object: bool,
    /// Its list, if readable.
    pub(crate) list: Option<Vec<Listed>>,
    /// The units that neither the index nor a small object has.
    pub(crate) units: BTreeSet<Name>,
}

impl Stranded {
    /// The fault in words.
    pub(crate) fn fault(&self) -> String {
        let units = self.units.len();
        if self.has_object {
            let name = large_object(&self.stem);
            format!(
                "{name} has {units} units that are nowhere else, and no index names it: the newest index is lost"
            )
        } else {
            let name = list_object(&self.stem);
            format!(
                "{name} names {units} units that are nowhere: the newest index and the large object are lost"
            )
        }
    }
}

impl Survey {
    pub(crate) fn of(place: &Place) -> Result<Survey, StoreError> {
        let stem = |(name, bytes): (String, u64)| Some((stem_of(&name)?.to_owned(), bytes));
        let units = |names: Vec<(String, u64)>| names.iter().filter_map(|(name, _)| unit_of(name)).collect();
        let large = place.list(LARGE)?.into_iter().filter_map(stem).collect();
        let lists = place.list(LISTS)?.into_iter().filter_map(stem).map(|(stem, _)| stem).collect();
        let sums = units(place.list(SUMS)?);
        let small = units(place.list(UNITS)?);
        Ok(Survey { large, lists, sums, small })
    }

    /// The highest generation in the name of any object.
    pub(crate) fn newest(&self, place: &Place) -> Result<u64, StoreError> {
        let names = place.list(INDEX)?;
        let indexes = names.iter().filter_map(|(name, _)| generation_of(name));
        let stems = self.large.keys().chain(&self.lists).filter_map(|stem| stem_generation(stem));
        Ok(indexes.chain(stems).max().unwrap_or_default())
    }

    /// Units of which only the SHA-256 is left.
    pub(crate) fn sums_alone(&self, index: &Index) -> BTreeSet<Name> {
        self.sums
            .iter()
            .filter(|unit| !self.small.contains(unit) && index.get(unit).is_none())
            .copied()
            .collect()
    }

    /// Large objects that the index does not name and whose units are nowhere else, and the faults of those
    /// whose units are unknown. The index has to be read after the survey.
    pub(crate) fn stranded(
        &self,
        place: &Arc<Place>,
        index: &Index,
    ) -> Result<(Vec<Stranded>, Vec<String>), StoreError> {
        let (mut all, mut faults) = (Vec::new(), Vec::new());
        for stem in self.unnamed(index) {
            match units_of(place, stem)? {
                Units::Known { list, mut units, has_object } => {
                    units.retain(|unit| index.get(unit).is_none() && !self.small.contains(unit));
                    if !units.is_empty() {
                        all.push(Stranded { stem: stem.clone(), has_object, list, units });
                    }
                }
                Units::Gone => {}
                Units::Unknown(what) => faults.push(what),
            }
        }
        Ok((all, faults))
    }

    /// Large objects, or only their lists, that the index does not name.
    pub(crate) fn unnamed<'a>(&'a self, index: &Index) -> impl Iterator<Item = &'a String> {
        let named: BTreeSet<String> =
            index.objects.iter().filter_map(|large| stem_of(&large.object).map(str::to_owned)).collect();
        let stems: BTreeSet<&String> = self.large.keys().chain(&self.lists).collect();
        stems.into_iter().filter(move |stem| !named.contains(*stem))
    }
}

/// The units of a large object, by its list or else by its rows.
pub(crate) fn units_of(place: &Arc<Place>, stem: &str) -> Result<Units, StoreError> {
    let (large, list) = (large_object(stem), list_object(stem));
    let has_object = place.size(&large)?.is_some();
    let listed = place.read(&list)?.map(|bytes| parse_list(&list, bytes).and_then(named_by_text));
    match (listed, has_object) {
        (Some(Ok(list)), _) => {
            let units = list.iter().map(|listed| listed.unit).collect();
            Ok(Units::Known { list: Some(list), units, has_object })
        }
        (_, true) => Ok(match units_of_rows(place, &large) {
            Ok(units) => Units::Known { list: None, units, has_object },
            Err(error @ StoreError::Damaged { .. }) => {
                Units::Unknown(format!("{error}; no index names it, and what it has cannot be told"))
            }
            Err(error) => return Err(error),
        }),
        (Some(Err(error)), false) => {
            Ok(Units::Unknown(format!("{error}; no index names it, and what it named cannot be told")))
        }
        (None, false) => Ok(Units::Gone),
    }
}

/// The units of a large object.
pub(crate) enum Units {
    Known {
        list: Option<Vec<Listed>>,
        units: BTreeSet<Name>,
        has_object: bool,
    },
    /// It has been removed meanwhile.
    Gone,
    /// Why its units are unknown.
    Unknown(String),
}

/// Checks a list whose SHA-256 no index has: the names of its units are digests of their texts.
fn named_by_text(list: Vec<Listed>) -> Result<Vec<Listed>, StoreError> {
    match list.iter().find(|listed| Name::of(&listed.text) != listed.unit) {
        Some(listed) => {
            Err(StoreError::damaged(format!("unit {}", listed.unit), "its text is another unit's"))
        }
        None => Ok(list),
    }
}

/// The units in the rows of an object.
fn units_of_rows(place: &Arc<Place>, name: &str) -> Result<BTreeSet<Name>, StoreError> {
    let damaged = |what: Damage| StoreError::damaged(name, what);
    let bytes = place.size(name)?.ok_or_else(|| damaged("it is gone".into()))?;
    let object = Object::open(Ranges::new(place, name, bytes)).map_err(damaged)?;
    let mut units = BTreeSet::new();
    for batch in object.batches(Some(&["unit"]), ROWS).map_err(damaged)? {
        let batch = batch.map_err(damaged)?;
        let column = Columns::new(&batch);
        let column = column.text("unit").map_err(damaged)?;
        let mut last = "";
        for row in 0..batch.num_rows() {
            let unit = column.value(row);
            if unit != last {
                let name = unit.parse().map_err(|e: anglerfish_arena::UnitError| damaged(e.into()))?;
                units.insert(name);
                last = unit;
            }
        }
    }
    Ok(units)
}
