//! A store of games: units by name, each exactly once.
//!
//! A unit that was played is a small object of its own, created only if absent, so whoever was first stays. Compaction moves units
//! into large objects; from then on the index says where they are. Reading asks the index first, so what a late worker creates
//! once more is never read.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;

use anglerfish_arena::{Done, Ledger, LedgerError, Name, Unit, read_games, write_games};
use anglerfish_rules::Record;
use arrow_array::RecordBatch;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::index::{Index, Listed, Scope};
use crate::kept::Kept;
use crate::object::{self, Object};
use crate::opened::Opened;
use crate::place::Place;
use crate::rows::{ROWS_FORMAT, decode, encode, schema};
use crate::unit::Origin;

const STORE_FORMAT: &str = "anglerfish-store 1";
const MARK: &str = "store.json";

/// The folder of small objects, one a unit.
pub(crate) const UNITS: &str = "units";
/// The folder of their SHA-256.
pub(crate) const SUMS: &str = "sums";

/// How often a create that was refused is tried again when there is nothing to be read.
pub(crate) const TRIES: u32 = 5;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    format: String,
    game: String,
}

/// The name of the game that a store keeps; none if there is no store.
///
/// # Errors
/// When it cannot be read, or is of another version.
pub fn game_of(place: &Place) -> Result<Option<String>, StoreError> {
    let Some(bytes) = place.read(MARK)? else { return Ok(None) };
    let mark: Mark = serde_json::from_slice(&bytes).map_err(|e| StoreError::damaged(MARK, e))?;
    if mark.format == STORE_FORMAT {
        Ok(Some(mark.game))
    } else {
        Err(StoreError::Other(format!(
            "{}: expected {STORE_FORMAT:?}, found {:?}",
            place.address(),
            mark.format
        )))
    }
}

/// Games of one kind at a place.
pub struct Store<G> {
    place: Arc<Place>,
    index: Index,
    scope: Option<Scope>,
    opened: Opened,
    game: PhantomData<G>,
}

/// What is kept of a unit.
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
    /// The same without its games.
    pub(crate) fn listed(&self, unit: Name) -> Listed {
        let games = self.batch.num_rows() as u32;
        Listed { unit, text: self.text.clone(), games, digest: self.digest }
    }
}

impl<G: Kept> Store<G> {
    /// Opens a store to add to it, and makes it if there is none. A place that lets an object be created twice is refused. With a
    /// scope, only what the index says of these units is read.
    ///
    /// # Errors
    /// When it is no such place, or holds something else.
    pub fn open(place: Place, scope: Option<Scope>) -> Result<Store<G>, StoreError> {
        let mark = Mark { format: STORE_FORMAT.to_owned(), game: G::NAME.to_owned() };
        let bytes = serde_json::to_vec(&mark).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"));
        let bytes = Bytes::from(bytes);
        let before = place.read(MARK)?;
        if before.is_none() {
            place.create(MARK, &bytes)?;
        }
        // It is there now, so nobody may create it any more.
        if place.create(MARK, before.as_ref().unwrap_or(&bytes))? {
            return Err(StoreError::NotAtomic(place.address().to_owned()));
        }
        Store::existing(place, scope)
    }

    /// Opens a store that is there; nothing is written.
    ///
    /// # Errors
    /// When there is none, or it holds something else.
    pub fn existing(place: Place, scope: Option<Scope>) -> Result<Store<G>, StoreError> {
        match game_of(&place)? {
            None => return Err(StoreError::NoStore(place.address().to_owned())),
            Some(game) if game != G::NAME => {
                let (address, expected) = (place.address(), G::NAME);
                return Err(StoreError::Other(format!(
                    "{address}: expected games of {expected}, found {game}"
                )));
            }
            Some(_) => {}
        }
        let index = Index::load(&place, scope.as_ref())?;
        Ok(Store { place: Arc::new(place), index, scope, opened: Opened::default(), game: PhantomData })
    }

    /// The same store, to be read by another thread.
    pub(crate) fn fork(&self) -> Store<G> {
        let (place, index, scope) = (Arc::clone(&self.place), self.index.clone(), self.scope.clone());
        Store { place, index, scope, opened: Opened::default(), game: PhantomData }
    }

    /// Where it is.
    pub fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// The index as it was last read.
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// Reads the index again if there is a newer one.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn refresh(&mut self) -> Result<(), StoreError> {
        if self.index.is_old(&self.place)? {
            self.index = Index::load(&self.place, self.scope.as_ref())?;
        }
        Ok(())
    }

    /// The units in small objects that are in no large one, by name, as of now. The index is read after them, so that nothing that
    /// a compaction moves meanwhile is missed.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn small(&mut self) -> Result<BTreeSet<Name>, StoreError> {
        let names = self.place.list(UNITS)?;
        self.refresh()?;
        let units = names.iter().filter_map(|(name, _)| unit_of(name));
        Ok(units.filter(|unit| self.index.get(unit).is_none()).collect())
    }

    /// All units, by name.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn units(&mut self) -> Result<BTreeSet<Name>, StoreError> {
        let mut units = self.small()?;
        units.extend(self.index.units().map(|(unit, _)| *unit));
        Ok(units)
    }

    /// What is kept of a unit; none if nothing is.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn rows(&mut self, unit: &Name) -> Result<Option<Rows>, StoreError> {
        loop {
            let found = match self.large_rows(unit) {
                Ok(None) => self.small_rows(unit),
                other => other,
            };
            if let Ok(Some(_)) = found {
                return found;
            }
            // A compaction may have moved it in between, or removed what an older index names.
            let generation = self.index.generation;
            self.refresh()?;
            if self.index.generation == generation {
                return found;
            }
        }
    }

    fn large_rows(&self, unit: &Name) -> Result<Option<Rows>, StoreError> {
        let Some(known) = self.index.get(unit) else { return Ok(None) };
        let large = &self.index.objects[known.object as usize];
        self.opened.rows(&self.place, large, unit, known).map(Some)
    }

    fn small_rows(&self, unit: &Name) -> Result<Option<Rows>, StoreError> {
        let name = unit_object(unit);
        match self.place.read(&name)? {
            Some(bytes) => read_small(unit, bytes).map(Some),
            None => Ok(None),
        }
    }

    /// The games of a unit, checked against their digest; none if it is not there.
    ///
    /// # Errors
    /// When they cannot be read, or are not what they should be.
    pub fn games(&mut self, unit: &Name) -> Result<Option<Vec<Record<G>>>, StoreError> {
        let Some(rows) = self.rows(unit)? else { return Ok(None) };
        checked(unit, &rows).map(Some)
    }

    /// Keeps the games of a unit, given by its text. If it is there already nothing changes, and its games are compared.
    ///
    /// # Errors
    /// When it cannot be kept, or is kept with other games though it should come out the same.
    pub fn put(&mut self, text: &str, games: &str) -> Result<(), StoreError> {
        let unit = Name::of(text);
        self.refresh()?;
        if let Some(known) = self.index.get(&unit) {
            return agree(&unit, &Origin::read::<G>(text)?, known.digest, Name::of(games));
        }
        let records = read_games::<G>(games).map_err(StoreError::Unit)?;
        let fresh = Fresh { digest: Name::of(games), ..Fresh::new(text, &records)? };
        // Objects vanish only into the index, so the second look finds it.
        for _ in 0..TRIES {
            if self.keep(&fresh)?.is_some() {
                return Ok(());
            }
            self.refresh()?;
        }
        Err(fresh.neither())
    }

    /// Whether there is a newer index than the one that was last read.
    pub(crate) fn is_old(&self) -> Result<bool, StoreError> {
        self.index.is_old(&self.place)
    }

    /// Keeps a unit, or compares it with what is kept: whether it was new. None if it went into a newer index meanwhile, where objects
    /// vanish into: then it has to be tried again.
    pub(crate) fn keep(&self, fresh: &Fresh<'_, G>) -> Result<Option<bool>, StoreError> {
        let Fresh { unit, text, origin, digest, records } = fresh;
        if let Some(known) = self.index.get(unit) {
            return agree(unit, origin, known.digest, *digest).map(|()| Some(false));
        }
        let name = unit_object(unit);
        let batch = encode(&unit.to_string(), origin, records);
        let rows = Rows { text: (*text).to_owned(), digest: *digest, batch };
        // What could not be read back, or is no game, is not kept in the first place.
        checked::<G>(unit, &rows).map_err(|e| StoreError::Unit(e.to_string()))?;
        let bytes = write_small(text, *digest, &rows.batch);
        if self.place.create(&name, &bytes)? {
            self.place.create(&sum_object(unit), &sum_of(&bytes))?;
            return Ok(Some(true));
        }
        // Another was first, or an earlier attempt of ours whose answer was lost: the games tell.
        match self.small_rows(unit)? {
            Some(there) => agree(unit, origin, there.digest, *digest).map(|()| Some(false)),
            None => Ok(None),
        }
    }
}

/// A unit that was played elsewhere, to be kept.
pub(crate) struct Fresh<'a, G: Kept> {
    unit: Name,
    text: &'a str,
    origin: Origin,
    digest: Name,
    records: &'a [Record<G>],
}

impl<'a, G: Kept> Fresh<'a, G> {
    /// The unit of a text with its games.
    pub(crate) fn new(text: &'a str, records: &'a [Record<G>]) -> Result<Fresh<'a, G>, StoreError> {
        let (unit, origin) = (Name::of(text), Origin::read::<G>(text)?);
        if records.len() != origin.games() {
            let (expected, found) = (origin.games(), records.len());
            return Err(StoreError::Unit(format!("expected {expected} games of {unit}, found {found}")));
        }
        Ok(Fresh { unit, text, origin, digest: Name::of(&write_games(records)), records })
    }

    /// Why it is not kept after so many tries.
    pub(crate) fn neither(&self) -> StoreError {
        StoreError::damaged(unit_object(&self.unit), "it can neither be created nor read")
    }
}

/// How many bytes the object of a unit takes.
pub fn encoded_bytes<G: Kept>(unit: &Unit, records: &[Record<G>]) -> u64 {
    let (text, games) = (unit.text(), write_games(records));
    let batch = encode(&unit.name().to_string(), &Origin::Played(Box::new(unit.clone())), records);
    write_small(&text, Name::of(&games), &batch).len() as u64
}

/// Two results of one unit.
fn agree(unit: &Name, origin: &Origin, there: Name, here: Name) -> Result<(), StoreError> {
    if there == here || !origin.is_reproducible() {
        return Ok(());
    }
    Err(StoreError::Differ { unit: *unit, there: there.to_string(), here: here.to_string() })
}

/// The games of rows, if they are what their digest says.
pub(crate) fn checked<G: Kept>(unit: &Name, rows: &Rows) -> Result<Vec<Record<G>>, StoreError> {
    let named = |what: String| StoreError::damaged(format!("unit {unit}"), what);
    if Name::of(&rows.text) != *unit {
        return Err(named("its text is another unit's".to_owned()));
    }
    let origin = Origin::read::<G>(&rows.text)?;
    let records = decode::<G>(&unit.to_string(), &origin, &rows.batch).map_err(named)?;
    let found = Name::of(&write_games(&records));
    if found == rows.digest {
        return Ok(records);
    }
    Err(named(format!("expected games with the digest {}, found {found}", rows.digest)))
}

/// The name of a unit's own object.
pub(crate) fn unit_object(unit: &Name) -> String {
    format!("{UNITS}/{unit}.parquet")
}

/// The name of the object with the SHA-256 of that.
pub(crate) fn sum_object(unit: &Name) -> String {
    format!("{SUMS}/{unit}.sha256")
}

/// What that holds.
pub(crate) fn sum_of(bytes: &[u8]) -> Bytes {
    Bytes::from(format!("{}\n", Name::of_bytes(bytes)))
}

/// The unit of an object's name.
pub(crate) fn unit_of(name: &str) -> Option<Name> {
    let word = name.strip_prefix(UNITS).and_then(|name| name.strip_prefix('/')?.strip_suffix(".parquet"));
    word.or_else(|| name.strip_prefix(SUMS)?.strip_prefix('/')?.strip_suffix(".sha256"))?.parse().ok()
}

fn write_small(text: &str, digest: Name, batch: &RecordBatch) -> Bytes {
    let digest = digest.to_string();
    let meta = [("anglerfish.rows", ROWS_FORMAT), ("anglerfish.unit", text), ("anglerfish.digest", &digest)];
    object::write(&schema(), std::slice::from_ref(batch), &meta)
}

/// A unit's own object, opened; its games are not read yet. With the text of the unit.
pub(crate) fn open_small(unit: &Name, bytes: Bytes) -> Result<(Object<Bytes>, String), StoreError> {
    let name = unit_object(unit);
    let damaged = |what: String| StoreError::damaged(name.clone(), what);
    let object = Object::open(bytes).map_err(damaged)?;
    let meta = |key: &str| object.meta(key).ok_or_else(|| damaged(format!("expected {key} in its metadata")));
    let format = meta("anglerfish.rows")?;
    if format != ROWS_FORMAT {
        return Err(damaged(format!("expected rows of version {ROWS_FORMAT}, found {format:?}")));
    }
    let text = meta("anglerfish.unit")?.to_owned();
    if Name::of(&text) != *unit {
        return Err(damaged("it holds another unit".to_owned()));
    }
    Ok((object, text))
}

/// Reads a unit's own object; its games are not checked yet.
pub(crate) fn read_small(unit: &Name, bytes: Bytes) -> Result<Rows, StoreError> {
    let (object, text) = open_small(unit, bytes)?;
    let damaged = |what: String| StoreError::damaged(unit_object(unit), what);
    let digest = object.meta("anglerfish.digest").unwrap_or_default();
    let digest = digest.parse().map_err(|e: anglerfish_arena::UnitError| damaged(e.to_string()))?;
    let batch = object.read(0, object.rows(), None).map_err(damaged)?;
    Ok(Rows { text, digest, batch })
}

/// The games in the bytes of a unit's own object, checked against their digest.
///
/// # Errors
/// When it is no such object, or its games are not what they should be.
pub fn read_unit<G: Kept>(unit: &Name, bytes: Bytes) -> Result<Vec<Record<G>>, StoreError> {
    checked(unit, &read_small(unit, bytes)?)
}

/// The store is a ledger. Units that panicked are not kept: they are tried again.
impl<G: Kept> Ledger for Store<G> {
    fn has(&mut self, unit: &Name) -> Result<bool, LedgerError> {
        Ok(self.index.get(unit).is_some() || self.place.size(&unit_object(unit))?.is_some())
    }

    fn get(&mut self, unit: &Name) -> Result<Option<Done>, LedgerError> {
        Ok(self.games(unit)?.map(|records| Done::Result(write_games(&records))))
    }

    fn put_if_absent(&mut self, group: Vec<(String, Done)>) -> Result<(), LedgerError> {
        for (unit, done) in group {
            if let Done::Result(games) = done {
                self.put(&unit, &games)?;
            }
        }
        Ok(())
    }
}
