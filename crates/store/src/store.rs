//! A store of games: units by name, each exactly once.
//!
//! A played unit becomes a small object, created only if absent, so the first result stays. Compaction moves
//! units into large objects, and the index says where they are. Reading asks the index first, so the
//! duplicate of a late worker is never read.

use std::collections::BTreeSet;
use std::marker::PhantomData;
use std::sync::Arc;

use anglerfish_arena::{LedgerError, Name, ResultStore, Unit, UnitResult, read_games, write_games};
use anglerfish_rules::Record;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::index::{Index, Scope};
use crate::names::{UNITS, sum_object, unit_object, unit_of};
use crate::opened::Opened;
use crate::place::Place;
use crate::rows::encode;
use crate::small::{Rows, checked, played, read_small, sum_of, write_small};
use crate::stored_game::StoredGame;
use crate::survey::Survey;
use crate::unit::{Origin, order};

const STORE_FORMAT: &str = "anglerfish-store 1";
const MARK: &str = "store.json";

/// The folder of units with differing results: while it exists, no unit is stored.
const DIFFERS: &str = "differs";

/// The folder of runs: each says how many pairs its units have.
pub(crate) const RUNS: &str = "runs";

/// How often a refused create is retried when there is no object to read.
pub(crate) const TRIES: u32 = 5;

#[derive(Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Mark {
    format: String,
    game: String,
}

/// The name of the game that a store keeps; `None` if there is no store.
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

/// A store of one game at a place.
pub struct Store<G> {
    place: Arc<Place>,
    index: Index,
    scope: Option<Scope>,
    opened: Opened,
    /// Units that were put and already stored.
    duplicates: u64,
    game: PhantomData<G>,
}

impl<G: StoredGame> Store<G> {
    /// Opens a store for writing, and makes it if there is none. A place that lets an object be created twice
    /// is refused. With a scope, only its part of the index is read.
    ///
    /// # Errors
    /// When the place is refused, or holds something else.
    pub fn open(place: Place, scope: Option<Scope>) -> Result<Store<G>, StoreError> {
        let mark = Mark { format: STORE_FORMAT.to_owned(), game: G::NAME.to_owned() };
        let bytes = serde_json::to_vec(&mark).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"));
        let bytes = Bytes::from(bytes);
        let before = place.read(MARK)?;
        if before.is_none() {
            // The marker is written first. Other files without a marker mean that this folder is not a store.
            if let Some(other) = place.stranger()?
                && place.read(MARK)?.is_none()
            {
                let address = place.address();
                return Err(StoreError::Other(format!(
                    "{address} is no store, and not empty: it has {other}. Name a new folder"
                )));
            }
            place.create(MARK, &bytes)?;
        }
        // The marker exists now, so creating it again must fail.
        if place.create(MARK, before.as_ref().unwrap_or(&bytes))? {
            return Err(StoreError::NotAtomic(place.address().to_owned()));
        }
        let store = Store::existing(place, scope)?;
        store.stopped()?;
        Ok(store)
    }

    /// Opens an existing store; nothing is written.
    ///
    /// # Errors
    /// When there is none, or it holds something else.
    pub fn existing(place: Place, scope: Option<Scope>) -> Result<Store<G>, StoreError> {
        Store::<G>::expect_at(&place)?;
        let index = Index::load(&place, scope.as_ref())?;
        Ok(Store::new(place, index, scope))
    }

    /// Opens the readable part of a store, with a survey of its objects and the faults of its index.
    pub(crate) fn salvage(place: Place) -> Result<(Store<G>, Survey, Vec<String>), StoreError> {
        Store::<G>::expect_at(&place)?;
        let survey = Survey::of(&place)?;
        let (index, faults) = Index::salvage(&place)?;
        Ok((Store::new(place, index, None), survey, faults))
    }

    fn new(place: Place, index: Index, scope: Option<Scope>) -> Store<G> {
        let (place, opened) = (Arc::new(place), Opened::default());
        Store { place, index, scope, opened, duplicates: 0, game: PhantomData }
    }

    /// Checks that there is a store of this game.
    fn expect_at(place: &Place) -> Result<(), StoreError> {
        match game_of(place)? {
            None => Err(StoreError::NoStore(place.address().to_owned())),
            Some(game) if game != G::NAME => {
                let (address, expected) = (place.address(), G::NAME);
                Err(StoreError::Other(format!("{address}: expected games of {expected}, found {game}")))
            }
            Some(_) => Ok(()),
        }
    }

    /// Announces units of this size, of the run that this one belongs to. The same games in units of another
    /// size would be stored twice.
    ///
    /// # Errors
    /// When the run already has units of another size here.
    pub fn claim(&self, unit: &Unit) -> Result<(), StoreError> {
        let (name, here) = (format!("{RUNS}/{}", order(unit).run), unit.pairs.to_string());
        self.place.create(&name, &Bytes::from(here.clone()))?;
        let there = self.place.read(&name)?.unwrap_or_default();
        if there == here.as_bytes() {
            return Ok(());
        }
        let games = |pairs: u64| if unit.single { pairs } else { 2 * pairs };
        let there = std::str::from_utf8(&there).ok().and_then(|there| there.parse().ok());
        let there = there.ok_or_else(|| StoreError::damaged(name, "expected a number"))?;
        let (address, there, here) = (self.place.address(), games(there), games(u64::from(unit.pairs)));
        Err(StoreError::Other(format!(
            "{address} has these games in units of {there}, and in units of {here} they would be there twice: keep unit = {there}, or name another store"
        )))
    }

    /// Refuses to go on if a unit has two results.
    fn stopped(&self) -> Result<(), StoreError> {
        match self.place.list(DIFFERS)?.first() {
            Some((name, _)) => {
                let unit = name.rsplit('/').next().unwrap_or_default().to_owned();
                Err(StoreError::Stopped { address: self.place.address().to_owned(), unit })
            }
            None => Ok(()),
        }
    }

    /// Compares two results of one unit. If a reproducible unit has two, the store is stopped for all writers.
    pub(crate) fn agree(
        &self,
        unit: &Name,
        origin: &Origin,
        there: Name,
        here: Name,
    ) -> Result<(), StoreError> {
        if there == here || !origin.is_reproducible() {
            return Ok(());
        }
        let (there, here) = (there.to_string(), here.to_string());
        self.place
            .create(&format!("{DIFFERS}/{unit}"), &Bytes::from(format!("kept {there}\nplayed {here}\n")))?;
        Err(StoreError::Differ { unit: *unit, there, here })
    }

    /// The same store, for another thread to read.
    pub(crate) fn fork(&self) -> Store<G> {
        let (place, index, scope) = (Arc::clone(&self.place), self.index.clone(), self.scope.clone());
        Store { place, index, scope, opened: Opened::default(), duplicates: 0, game: PhantomData }
    }

    /// How many of the units that were put had been put by others before.
    pub fn duplicates(&self) -> u64 {
        self.duplicates
    }

    /// The place of the store.
    pub fn place(&self) -> &Arc<Place> {
        &self.place
    }

    /// The index as of the last read.
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

    /// Reads the index again, even if there is no newer one.
    pub(crate) fn reload(&mut self) -> Result<(), StoreError> {
        let index = Index::load(&self.place, self.scope.as_ref())?;
        if index.generation < self.index.generation {
            let lost = "it was there, and is gone";
            return Err(StoreError::damaged(crate::names::index_object(self.index.generation), lost));
        }
        self.index = index;
        Ok(())
    }

    /// The units in small objects that are in no large one, by name, as of now. The index is read after them,
    /// so that a unit that a compaction moves meanwhile is not missed.
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

    /// The stored rows of a unit; `None` if it is not stored.
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
            // A compaction may have moved it in between, or removed an object that an older index names.
            let generation = self.index.generation;
            self.refresh()?;
            if self.index.generation == generation {
                // If a large object is lost or damaged, a small one may still have the unit.
                return match found {
                    Err(error @ StoreError::Damaged { .. }) => self.small_rows(unit)?.map(Some).ok_or(error),
                    found => found,
                };
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

    /// The games of a unit, checked against their digest; `None` if it is not stored.
    ///
    /// # Errors
    /// When they cannot be read, or do not match their digest.
    pub fn games(&mut self, unit: &Name) -> Result<Option<Vec<Record<G>>>, StoreError> {
        let Some(rows) = self.rows(unit)? else { return Ok(None) };
        checked(unit, &rows).map(Some)
    }

    /// Stores the games of a unit, given by its text. If the unit is stored already, nothing changes and the
    /// games are compared.
    ///
    /// # Errors
    /// When it cannot be stored, or is reproducible and stored with other games.
    pub fn put(&mut self, text: &str, games: &str) -> Result<(), StoreError> {
        let unit = Name::of(text);
        self.stopped()?;
        self.refresh()?;
        if let Some(known) = self.index.get(&unit) {
            self.duplicates += 1;
            return self.agree(&unit, &Origin::read::<G>(text)?, known.digest, Name::of(games));
        }
        let records = read_games::<G>(games).map_err(|e| StoreError::Unit(e.to_string()))?;
        let fresh = Fresh::new(text, &records, Name::of(games))?;
        // An object disappears only when the index has its units, so the second look finds them.
        for _ in 0..TRIES {
            if let Some(new) = self.keep(&fresh)? {
                self.duplicates += u64::from(!new);
                return Ok(());
            }
            self.refresh()?;
        }
        Err(fresh.neither())
    }

    /// Whether there is a newer index than the last one read.
    pub(crate) fn is_old(&self) -> Result<bool, StoreError> {
        self.index.is_old(&self.place)
    }

    /// Stores a unit, or compares it with the stored one; whether it was new. `None` if its object has
    /// disappeared into a newer index meanwhile: then the caller tries again.
    pub(crate) fn keep(&self, fresh: &Fresh<'_, G>) -> Result<Option<bool>, StoreError> {
        let Fresh { unit, text, origin, digest, records } = fresh;
        if let Some(known) = self.index.get(unit) {
            return self.agree(unit, origin, known.digest, *digest).map(|()| Some(false));
        }
        let name = unit_object(unit);
        let bytes = write_small(text, *digest, &encode(&unit.to_string(), origin, records));
        // Unreadable or illegal games are refused before they are stored.
        let back = read_small(unit, bytes.clone()).and_then(|rows| played::<G>(unit, &rows));
        back.map_err(|e| StoreError::Unit(e.to_string()))?;
        if self.place.create(&name, &bytes)? {
            self.place.create(&sum_object(unit), &sum_of(&bytes))?;
            return Ok(Some(true));
        }
        // Another worker was first, or an earlier attempt of ours whose answer was lost: compare the games.
        let Some(there) = self.place.read(&name)? else { return Ok(None) };
        if there == bytes {
            self.place.create(&sum_object(unit), &sum_of(&bytes))?;
            return Ok(Some(false));
        }
        let there = read_small(unit, there)?;
        self.agree(unit, origin, there.digest, *digest).map(|()| Some(false))
    }
}

/// A unit that was played elsewhere, to be stored.
pub(crate) struct Fresh<'a, G: StoredGame> {
    unit: Name,
    text: &'a str,
    origin: Origin,
    digest: Name,
    records: &'a [Record<G>],
}

impl<'a, G: StoredGame> Fresh<'a, G> {
    /// The unit of a text with its games, and the digest of their text.
    pub(crate) fn new(
        text: &'a str,
        records: &'a [Record<G>],
        digest: Name,
    ) -> Result<Fresh<'a, G>, StoreError> {
        let (unit, origin) = (Name::of(text), Origin::read::<G>(text)?);
        if records.len() != origin.games() {
            let (expected, found) = (origin.games(), records.len());
            return Err(StoreError::Unit(format!("expected {expected} games of {unit}, found {found}")));
        }
        Ok(Fresh { unit, text, origin, digest, records })
    }

    /// The error after all tries.
    pub(crate) fn neither(&self) -> StoreError {
        StoreError::damaged(unit_object(&self.unit), "it can neither be created nor read")
    }
}

/// The size in bytes of a unit's object.
pub fn encoded_bytes<G: StoredGame>(unit: &Unit, records: &[Record<G>]) -> u64 {
    let (text, games) = (unit.text(), write_games(records));
    let batch = encode(&unit.name().to_string(), &Origin::Played(Box::new(unit.clone())), records);
    write_small(&text, Name::of(&games), &batch).len() as u64
}

/// The store as the arena's result store. Units that panicked are not stored, and so are tried again.
impl<G: StoredGame> ResultStore for Store<G> {
    fn has(&mut self, unit: &Name) -> Result<bool, LedgerError> {
        Ok(self.index.get(unit).is_some() || self.place.size(&unit_object(unit))?.is_some())
    }

    fn get(&mut self, unit: &Name) -> Result<Option<UnitResult>, LedgerError> {
        Ok(self.games(unit)?.map(|records| UnitResult::Result(write_games(&records))))
    }

    fn put_if_absent(&mut self, group: Vec<(String, UnitResult)>) -> Result<(), LedgerError> {
        for (unit, done) in group {
            if let UnitResult::Result(games) = done {
                self.put(&unit, &games)?;
            }
        }
        Ok(())
    }

    fn is_shared(&self) -> bool {
        true
    }
}
