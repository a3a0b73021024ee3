//! Units in small objects of their own, and the checks on the rows of a unit.

use anglerfish_arena::{Name, write_games};
use anglerfish_rules::Record;
use arrow_array::RecordBatch;
use bytes::Bytes;

use crate::error::{Damage, StoreError};
use crate::index::Listed;
use crate::names::unit_object;
use crate::object::{self, Object};
use crate::rows::{ROWS_FORMAT, decode_each, schema};
use crate::stored_game::StoredGame;
use crate::unit::Origin;

/// The stored data of a unit.
#[derive(Clone, Debug)]
pub struct Rows {
    /// The text of the unit.
    pub text: String,
    /// The digest of its games.
    pub digest: Name,
    /// Its games.
    pub batch: RecordBatch,
}

impl Rows {
    /// Its entry in a list, without its games.
    pub(crate) fn listed(&self, unit: Name) -> Listed {
        let games = self.batch.num_rows() as u32;
        Listed { unit, text: self.text.clone(), games, digest: self.digest }
    }
}

/// The games of rows, if they match their digest.
pub(crate) fn checked<G: StoredGame>(unit: &Name, rows: &Rows) -> Result<Vec<Record<G>>, StoreError> {
    let mut records = Vec::with_capacity(rows.batch.num_rows());
    check::<G>(unit, rows, &mut |record| records.push(record))?;
    Ok(records)
}

/// The number of plies in the games of rows, if they match their digest.
pub(crate) fn played<G: StoredGame>(unit: &Name, rows: &Rows) -> Result<u64, StoreError> {
    let mut plies = 0;
    check::<G>(unit, rows, &mut |record| plies += record.plies.len() as u64)?;
    Ok(plies)
}

/// Reports the games of rows one by one, and checks their digest in the end.
fn check<G: StoredGame>(unit: &Name, rows: &Rows, tell: &mut dyn FnMut(Record<G>)) -> Result<(), StoreError> {
    let named = |what: Damage| StoreError::damaged(format!("unit {unit}"), what);
    if Name::of(&rows.text) != *unit {
        return Err(named("its text is another unit's".into()));
    }
    let (word, origin) = (unit.to_string(), Origin::read::<G>(&rows.text)?);
    let records = decode_each::<G>(&word, &origin, &rows.batch).map_err(named)?;
    let texts = records.map(|record| {
        let record = record?;
        let text = write_games(std::slice::from_ref(&record));
        tell(record);
        Ok(text)
    });
    let found = Name::of_parts(texts).map_err(named)?;
    if found == rows.digest {
        return Ok(());
    }
    Err(named(format!("expected games with the digest {}, found {found}", rows.digest).into()))
}

/// The contents of the object with the SHA-256 of these bytes.
pub(crate) fn sum_of(bytes: &[u8]) -> Bytes {
    Bytes::from(format!("{}\n", Name::of_bytes(bytes)))
}

/// The bytes of a unit's small object.
pub(crate) fn write_small(text: &str, digest: Name, batch: &RecordBatch) -> Bytes {
    let digest = digest.to_string();
    let meta = [("anglerfish.rows", ROWS_FORMAT), ("anglerfish.unit", text), ("anglerfish.digest", &digest)];
    object::write(&schema(), std::slice::from_ref(batch), &meta)
}

/// Opens a unit's small object without reading its games. Also returns the text of the unit.
pub(crate) fn open_small(unit: &Name, bytes: Bytes) -> Result<(Object<Bytes>, String), StoreError> {
    let name = unit_object(unit);
    let damaged = |what: Damage| StoreError::damaged(name.clone(), what);
    let object = Object::open(bytes).map_err(damaged)?;
    let meta =
        |key: &str| object.meta(key).ok_or_else(|| damaged(format!("expected {key} in its metadata").into()));
    let format = meta("anglerfish.rows")?;
    if format != ROWS_FORMAT {
        return Err(damaged(format!("expected rows of version {ROWS_FORMAT}, found {format:?}").into()));
    }
    let text = meta("anglerfish.unit")?.to_owned();
    if Name::of(&text) != *unit {
        return Err(damaged("it holds another unit".into()));
    }
    Ok((object, text))
}

/// Reads a unit's small object without checking its games.
pub(crate) fn read_small(unit: &Name, bytes: Bytes) -> Result<Rows, StoreError> {
    let (object, text) = open_small(unit, bytes)?;
    let damaged = |what: Damage| StoreError::damaged(unit_object(unit), what);
    let digest = object.meta("anglerfish.digest").unwrap_or_default();
    let digest = digest.parse().map_err(|e: anglerfish_arena::UnitError| damaged(e.into()))?;
    let batch = object.read(0, object.rows(), None).map_err(damaged)?;
    Ok(Rows { text, digest, batch })
}

/// The games in the bytes of a unit's small object, checked against their digest.
///
/// # Errors
/// When it is no such object, or its games do not match their digest.
pub fn read_unit<G: StoredGame>(unit: &Name, bytes: Bytes) -> Result<Vec<Record<G>>, StoreError> {
    checked(unit, &read_small(unit, bytes)?)
}
