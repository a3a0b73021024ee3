//! The index: which units are in large objects, and where.
//!
//! Each compaction writes the next generation of the index as an object that can be created only once. So the
//! index changes atomically, and of two simultaneous compactions one finds that it was late. A generation names
//! the large objects, each with a list of its units beside it. A small object of a unit in the index is ignored.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use anglerfish_arena::Name;
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::{Damage, StoreError};
use crate::names::{
    INDEX, generation_of, index_object, large_object, list_object, stem_generation, stem_of, stem_sum,
};
use crate::object::{self, Object};
use crate::place::Place;
use crate::rows::Columns;
use crate::unit::Order;

const INDEX_FORMAT: &str = "anglerfish-index 1";

/// A large object.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Large {
    /// Its name.
    pub object: String,
    /// The SHA-256 of all its bytes.
    pub sha256: String,
    /// Its size in bytes.
    pub bytes: u64,
    /// Games, one row each.
    pub games: u64,
    /// Its units, which follow one another.
    pub units: u64,
    /// The object with the list of its units.
    pub list: String,
    /// The SHA-256 of that list.
    pub list_sha256: String,
    /// The first unit.
    pub from: Order,
    /// The last unit.
    pub to: Order,
}

impl Large {
    /// Whether the object and its list are named as compactions do: folder, generation and SHA-256.
    fn is_named_by_sum(&self) -> bool {
        stem_of(&self.object).is_some_and(|stem| {
            stem_generation(stem).is_some()
                && stem_sum(stem) == Some(&self.sha256)
                && self.sha256.parse::<Name>().is_ok()
                && self.object == large_object(stem)
                && self.list == list_object(stem)
        })
    }
}

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_field_names, reason = "the words of the file")]
struct Generation {
    format: String,
    generation: u64,
    objects: Vec<Large>,
}

/// The location and digest of a unit.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Known {
    /// The number of its large object.
    pub object: u32,
    /// Its first row there.
    pub row: u32,
    /// How many rows it has.
    pub games: u32,
    /// The digest of its games.
    pub digest: Name,
}

/// One unit in the list of a large object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Listed {
    /// The name of the unit.
    pub unit: Name,
    /// Its text.
    pub text: String,
    /// Number of its games.
    pub games: u32,
    /// The digest of its games.
    pub digest: Name,
}

/// The index as of some moment.
#[derive(Clone, Debug, Default)]
pub struct Index {
    /// The generation; 0 before the first compaction.
    pub generation: u64,
    /// The large objects.
    pub objects: Vec<Large>,
    units: BTreeMap<Name, Known>,
}

/// Ranges of units in some runs: the part of the index that a worker needs.
pub type Scope = Vec<(Order, Order)>;

impl Index {
    /// Reads the newest generation, and the lists of the objects that may have units of the scope, or of all objects.
    ///
    /// # Errors
    /// When the index cannot be read, or is damaged.
    pub fn load(place: &Place, scope: Option<&Scope>) -> Result<Index, StoreError> {
        // Compactions remove objects that were replaced two generations ago: a reader that slow starts anew.
        let mut tries = 5;
        loop {
            let names = place.list(INDEX)?;
            let newest = names.iter().filter_map(|(name, _)| generation_of(name)).max();
            let Some(generation) = newest else { return Ok(Index::default()) };
            match Index::read(place, generation, scope) {
                Ok(Some(index)) => return Ok(index),
                Ok(None) if tries > 0 => tries -= 1,
                Ok(None) => {
                    return Err(StoreError::damaged(
                        index_object(generation),
                        "it or one of its lists is gone; `anglerfish store verify` says what is missing",
                    ));
                }
                Err(error) => return Err(error),
            }
        }
    }

    /// One generation; `None` if it or an object it names is gone.
    fn read(place: &Place, generation: u64, scope: Option<&Scope>) -> Result<Option<Index>, StoreError> {
        let Some(objects) = read_generation(place, generation)? else { return Ok(None) };
        let mut index = Index { generation, ..Index::default() };
        for large in objects {
            let holds = |(from, to): &(Order, Order)| large.from <= *to && *from <= large.to;
            if scope.is_some_and(|scope| !scope.iter().any(holds)) {
                index.objects.push(large);
                continue;
            }
            let Some(bytes) = place.read(&large.list)? else { return Ok(None) };
            let list = read_list(&large, bytes)?;
            index.add(large, list)?;
        }
        Ok(Some(index))
    }

    /// The readable part of the newest index, and the faults of the rest. Large objects with unreadable lists
    /// are left out.
    pub(crate) fn salvage(place: &Place) -> Result<(Index, Vec<String>), StoreError> {
        loop {
            let names = place.list(INDEX)?;
            let mut generations: Vec<u64> =
                names.iter().filter_map(|(name, _)| generation_of(name)).collect();
            generations.sort_unstable();
            let (mut index, mut faults) = (Index::default(), Vec::new());
            while let Some(generation) = generations.pop() {
                match read_generation(place, generation) {
                    Ok(Some(objects)) => {
                        index = Index { generation, objects, ..Index::default() };
                        break;
                    }
                    Ok(None) => faults.push(format!("{}: it is gone", index_object(generation))),
                    Err(error @ StoreError::Damaged { .. }) => faults.push(error.to_string()),
                    Err(error) => return Err(error),
                }
            }
            for large in std::mem::take(&mut index.objects) {
                let list = match place.read(&large.list)? {
                    Some(bytes) => read_list(&large, bytes),
                    None => Err(StoreError::damaged(
                        large.list.clone(),
                        format!("it is gone, and named the {} units of {}", large.units, large.object),
                    )),
                };
                match list.and_then(|list| index.add(large, list)) {
                    Ok(()) => {}
                    Err(error @ StoreError::Damaged { .. }) => faults.push(error.to_string()),
                    Err(error) => return Err(error),
                }
            }
            // A compaction removes the objects that it has replaced.
            if faults.is_empty() || place.list(INDEX)? == names {
                return Ok((index, faults));
            }
        }
    }

    /// Adds a large object with its units.
    fn add(&mut self, large: Large, list: Vec<Listed>) -> Result<(), StoreError> {
        if let Some(listed) = list.iter().find(|listed| self.units.contains_key(&listed.unit)) {
            let twice = format!("it has {} twice", listed.unit);
            return Err(StoreError::damaged(index_object(self.generation), twice));
        }
        let (object, mut row) = (self.objects.len() as u32, 0);
        for listed in list {
            let known = Known { object, row, games: listed.games, digest: listed.digest };
            row += listed.games;
            self.units.insert(listed.unit, known);
        }
        self.objects.push(large);
        Ok(())
    }

    /// Whether there is a newer generation. Later ones count too: the next one may be removed already.
    pub(crate) fn is_old(&self, place: &Place) -> Result<bool, StoreError> {
        let names = place.list(INDEX)?;
        Ok(names.iter().filter_map(|(name, _)| generation_of(name)).any(|n| n > self.generation))
    }

    /// The location of a unit, if it is in a large object.
    pub fn get(&self, unit: &Name) -> Option<&Known> {
        self.units.get(unit)
    }

    /// All units, by name.
    pub fn units(&self) -> impl Iterator<Item = (&Name, &Known)> {
        self.units.iter()
    }

    /// Removes large objects and their units.
    pub(crate) fn remove(&mut self, gone: &[Large]) {
        let number = |large: &Large| self.objects.iter().position(|other| other == large);
        let gone: BTreeSet<u32> = gone.iter().filter_map(number).map(|number| number as u32).collect();
        let before = |number: u32| gone.range(..number).count() as u32;
        self.units.retain(|_, known| !gone.contains(&known.object));
        self.units.values_mut().for_each(|known| known.object -= before(known.object));
        let mut number = 0..;
        self.objects.retain(|_| number.next().is_some_and(|number| !gone.contains(&number)));
    }

    /// The units of a large object, by its number.
    pub(crate) fn units_in(&self, number: u32) -> impl Iterator<Item = Name> {
        self.units.iter().filter(move |(_, known)| known.object == number).map(|(unit, _)| *unit)
    }

    /// Makes these objects the next generation; `false` if another compaction came first.
    pub(crate) fn commit(place: &Place, generation: u64, objects: Vec<Large>) -> Result<bool, StoreError> {
        let next = Generation { format: INDEX_FORMAT.to_owned(), generation, objects };
        let text = serde_json::to_string(&next).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"));
        let bytes = Bytes::from(format!("{text}\n{}\n", Name::of(&text)));
        let name = index_object(generation);
        // An existing one may be our own, of an attempt whose answer was lost.
        Ok(place.create(&name, &bytes)? || place.read(&name)?.is_some_and(|there| there == bytes))
    }
}

/// The large objects of a generation; `None` if there is no such generation.
pub(crate) fn read_generation(place: &Place, generation: u64) -> Result<Option<Vec<Large>>, StoreError> {
    let name = index_object(generation);
    let Some(bytes) = place.read(&name)? else { return Ok(None) };
    let damaged = |what: &str| StoreError::damaged(name.clone(), what);
    let text = std::str::from_utf8(&bytes).map_err(|_| damaged("not text"))?;
    let (line, sum) = text
        .strip_suffix('\n')
        .and_then(|text| text.rsplit_once('\n'))
        .ok_or_else(|| damaged("expected a line and its SHA-256"))?;
    if Name::of(line).to_string() != sum {
        return Err(damaged("its SHA-256 is another than it says"));
    }
    let read: Generation = serde_json::from_str(line).map_err(|e| damaged(&e.to_string()))?;
    if read.format != INDEX_FORMAT || read.generation != generation {
        return Err(damaged(&format!("expected {INDEX_FORMAT:?} number {generation}")));
    }
    // Any other name could lead out of the store, and a backup would write there.
    if let Some(large) = read.objects.iter().find(|large| !large.is_named_by_sum()) {
        let (object, list) = (&large.object, &large.list);
        return Err(damaged(&format!("expected names by their SHA-256, found {object:?} and {list:?}")));
    }
    Ok(Some(read.objects))
}

pub(crate) fn list_schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("unit", DataType::Utf8, false),
        Field::new("games", DataType::UInt32, false),
        Field::new("digest", DataType::Utf8, false),
        Field::new("text", DataType::Utf8, false),
    ]))
}

/// The bytes of a list.
pub(crate) fn write_list(units: &[Listed]) -> Bytes {
    object::write(&list_schema(), &[list_batch(units)], &[("anglerfish.list", "1")])
}

/// The rows of a list.
pub(crate) fn list_batch(units: &[Listed]) -> RecordBatch {
    let texts = |text: &dyn Fn(&Listed) -> String| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(units.iter().map(text)))
    };
    let columns = vec![
        texts(&|listed| listed.unit.to_string()),
        Arc::new(PrimitiveArray::<UInt32Type>::from_iter_values(units.iter().map(|listed| listed.games))),
        texts(&|listed| listed.digest.to_string()),
        texts(&|listed| listed.text.clone()),
    ];
    let batch = RecordBatch::try_new(list_schema(), columns);
    batch.unwrap_or_else(|e| unreachable!("columns of one length: {e}"))
}

/// Reads the list of a large object, and checks it.
pub(crate) fn read_list(large: &Large, bytes: Bytes) -> Result<Vec<Listed>, StoreError> {
    let damaged = |what: Damage| StoreError::damaged(large.list.clone(), what);
    if Name::of_bytes(&bytes).to_string() != large.list_sha256 {
        return Err(damaged("its SHA-256 is not the one in the index".into()));
    }
    let list = list_rows(&large.list, &Object::open(bytes).map_err(damaged)?.trusted())?;
    let games: u64 = list.iter().map(|listed| u64::from(listed.games)).sum();
    if list.len() as u64 != large.units || games != large.games {
        return Err(damaged(format!("expected {} units of {} games", large.units, large.games).into()));
    }
    Ok(list)
}

/// Reads a list whose SHA-256 no index has.
pub(crate) fn parse_list(name: &str, bytes: Bytes) -> Result<Vec<Listed>, StoreError> {
    list_rows(name, &Object::open(bytes).map_err(|what| StoreError::damaged(name, what))?)
}

fn list_rows(name: &str, object: &Object<Bytes>) -> Result<Vec<Listed>, StoreError> {
    let damaged = |what: Damage| StoreError::damaged(name, what);
    let rows = object.rows();
    let batch = object.read(0, rows, None).map_err(damaged)?;
    let columns = Columns::new(&batch);
    let (units, digests) = (columns.text("unit").map_err(damaged)?, columns.text("digest").map_err(damaged)?);
    let (texts, games) =
        (columns.text("text").map_err(damaged)?, columns.numbers::<UInt32Type>("games").map_err(damaged)?);
    let mut list = Vec::with_capacity(rows);
    for row in 0..rows {
        let parse = |text: &str| text.parse().map_err(|e: anglerfish_arena::UnitError| damaged(e.into()));
        list.push(Listed {
            unit: parse(units.value(row))?,
            text: texts.value(row).to_owned(),
            games: games.value(row),
            digest: parse(digests.value(row))?,
        });
    }
    Ok(list)
}
