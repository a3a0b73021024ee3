//! Reads a whole store as of one moment: every unit once, in large pieces, of some columns.

use std::collections::BTreeMap;

use anglerfish_arena::Name;
use arrow_array::RecordBatch;

use crate::error::{Damage, StoreError};
use crate::index::{Large, Listed, read_list};
use crate::names::{UNITS, unit_object, unit_of};
use crate::object::Object;
use crate::ranges::Ranges;
use crate::store::Store;
use crate::stored_game::StoredGame;
use crate::unit::Origin;

/// Rows that are in memory at a time.
const ROWS: usize = 4096;

/// The objects that hold all units of one moment, each unit in one of them.
#[derive(Clone, Debug, Default)]
pub struct Snapshot {
    /// The generation of the index.
    pub generation: u64,
    /// The large objects.
    pub large: Vec<Large>,
    /// The units in small objects, and the sizes of these in bytes.
    pub small: Vec<(Name, u64)>,
}

impl Snapshot {
    /// The names of all objects with games.
    pub fn objects(&self) -> impl Iterator<Item = String> {
        let large = self.large.iter().map(|large| large.object.clone());
        large.chain(self.small.iter().map(|(unit, _)| unit_object(unit)))
    }
}

impl<G: StoredGame> Store<G> {
    /// The objects of this moment. Small objects of units in the index are left out as duplicates.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub fn snapshot(&mut self) -> Result<Snapshot, StoreError> {
        // In this order, so that a unit that a compaction moves meanwhile is not missed.
        let names = self.place().list(UNITS)?;
        self.refresh()?;
        let index = self.index();
        let units = names.iter().filter_map(|(name, bytes)| Some((unit_of(name)?, *bytes)));
        let small = units.filter(|(unit, _)| index.get(unit).is_none()).collect();
        Ok(Snapshot { generation: index.generation, large: index.objects.clone(), small })
    }
}

/// Units by name, with the number and the digest of their games.
pub type Contents = BTreeMap<Name, (u32, Name)>;

/// One digest over all units and their games, as `verify` computes it.
pub fn digest_of(contents: &Contents) -> Name {
    digest_over(contents.iter().map(|(unit, (_, digest))| (unit, digest)))
}

/// The same digest, from an iterator.
pub(crate) fn digest_over<'a>(units: impl Iterator<Item = (&'a Name, &'a Name)>) -> Name {
    Name::of(&units.fold(String::new(), |lines, (unit, digest)| lines + &format!("{unit} {digest}\n")))
}

impl<G: StoredGame> Store<G> {
    /// All units of this moment, by name, with the number and the digest of their games.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn digests(&mut self) -> Result<Contents, StoreError> {
        Ok(self.contents()?.1)
    }

    /// The objects of this moment and what is in them.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn contents(&mut self) -> Result<(Snapshot, Contents), StoreError> {
        let snapshot = self.snapshot()?;
        let known = self.index().units().map(|(unit, known)| (*unit, (known.games, known.digest)));
        let mut all: Contents = known.collect();
        for (unit, bytes) in &snapshot.small {
            let listed = self.listed(unit, *bytes)?;
            all.insert(*unit, (listed.games, listed.digest));
        }
        Ok((snapshot, all))
    }

    /// The entry of a unit in a small object of this many bytes.
    pub(crate) fn listed(&mut self, unit: &Name, bytes: u64) -> Result<Listed, StoreError> {
        let ranges = Ranges::new(self.place(), &unit_object(unit), bytes);
        match small_listed(unit, ranges) {
            Ok(listed) => Ok(listed),
            // A compaction may have moved it in between.
            Err(error) => self.rows(unit)?.map(|rows| rows.listed(*unit)).ok_or(error),
        }
    }
}

/// The entry in the metadata of a unit's small object.
fn small_listed(unit: &Name, ranges: Ranges) -> Result<Listed, StoreError> {
    let damaged = |what: Damage| StoreError::damaged(unit_object(unit), what);
    let object = Object::open(ranges).map_err(damaged)?;
    let meta =
        |key: &str| object.meta(key).ok_or_else(|| damaged(format!("expected {key} in its metadata").into()));
    let digest = meta("anglerfish.digest")?.parse();
    let digest = digest.map_err(|e: anglerfish_arena::UnitError| damaged(e.into()))?;
    let text = meta("anglerfish.unit")?.to_owned();
    Ok(Listed { unit: *unit, text, games: object.rows() as u32, digest })
}

/// Some rows of one unit.
pub struct Piece<'a> {
    /// Which unit.
    pub unit: &'a Listed,
    /// The unit, parsed.
    pub origin: &'a Origin,
    /// The rows in this piece.
    pub batch: RecordBatch,
}

/// Reads all units of a snapshot, of some columns or all. Games are not checked against their digests.
///
/// # Errors
/// When an object cannot be read, is damaged, or is gone because the store was compacted twice meanwhile; and
/// errors of `visit`.
pub fn scan<G: StoredGame, E: From<StoreError>>(
    store: &mut Store<G>,
    snapshot: &Snapshot,
    columns: Option<&[&str]>,
    visit: &mut dyn FnMut(Piece<'_>) -> Result<(), E>,
) -> Result<(), E> {
    for large in &snapshot.large {
        let gone = |name: &str| {
            StoreError::damaged(name, "it is gone: the store was compacted meanwhile; try again")
        };
        let list = store.place().read(&large.list)?.ok_or_else(|| gone(&large.list))?;
        let mut rest = read_list(large, list)?.into_iter();
        let damaged = |what: Damage| StoreError::damaged(large.object.clone(), what);
        let ranges = Ranges::new(store.place(), &large.object, large.bytes);
        let object = Object::open(ranges).map_err(damaged)?;
        let mut current: Option<(Listed, Origin, usize)> = None;
        for batch in object.batches(columns, ROWS).map_err(damaged)? {
            let batch = batch.map_err(damaged)?;
            let mut at = 0;
            while at < batch.num_rows() {
                let (unit, origin, left) = match current.take() {
                    Some(unit) => unit,
                    None => {
                        let unit =
                            rest.next().ok_or_else(|| damaged("it has more rows than its list".into()))?;
                        let origin = Origin::read::<G>(&unit.text)?;
                        let games = unit.games as usize;
                        (unit, origin, games)
                    }
                };
                let rows = left.min(batch.num_rows() - at);
                visit(Piece { unit: &unit, origin: &origin, batch: batch.slice(at, rows) })?;
                at += rows;
                if rows < left {
                    current = Some((unit, origin, left - rows));
                }
            }
        }
        if current.is_some() || rest.next().is_some() {
            return Err(damaged("it has fewer rows than its list".into()).into());
        }
    }
    for (unit, _) in &snapshot.small {
        // Or from its new place, if a compaction has moved it.
        let Some(rows) = store.rows(unit)? else {
            return Err(StoreError::damaged(unit_object(unit), "it is gone").into());
        };
        let origin = Origin::read::<G>(&rows.text)?;
        visit(Piece { unit: &rows.listed(*unit), origin: &origin, batch: rows.batch })?;
    }
    Ok(())
}
