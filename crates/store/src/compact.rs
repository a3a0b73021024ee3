//! Compaction: many small objects become few large ones, and nobody notices.
//!
//! New objects are written first, then the next generation of the index, in one create, and only then small objects go. A kill
//! at any moment leaves either the old state or the new one, and something to clear up. The names of large objects begin with the
//! generation they are for: once that is written, whatever it does not name is nobody's. What a generation replaces stays until the
//! next one, so that readers who began before it can finish.

use std::collections::BTreeSet;

use anglerfish_arena::Name;
use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;

use crate::error::StoreError;
use crate::index::{self, Index, Large, Listed, read_list, write_list};
use crate::kept::Kept;
use crate::object::{Object, properties};
use crate::place::Place;
use crate::ranges::Ranges;
use crate::rows::{ROWS_FORMAT, schema};
use crate::small::{Rows, SUMS, UNITS, checked, read_small, sum_object, sum_of, unit_object, unit_of};
use crate::store::Store;
use crate::unit::{Order, Origin};

/// The folders of large objects and of their lists.
pub(crate) const LARGE: &str = "large";
pub(crate) const LISTS: &str = "lists";

/// How often it begins anew when others compact at the same time.
const TRIES: u32 = 10;

/// What a compaction did.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Compacted {
    /// Units that were moved from small objects.
    pub units: u64,
    /// Large objects that were written.
    pub objects: u64,
    /// Units that a late worker had created again, removed.
    pub late: u64,
    /// Objects and files that nobody needs any more, removed.
    pub cleared: u64,
    /// What is wrong with objects that were left as they are.
    pub faults: Vec<String>,
}

impl Compacted {
    /// What an object gave; none if it is damaged, which is noted and keeps nobody from the others.
    fn sound<T>(&mut self, result: Result<T, StoreError>) -> Result<Option<T>, StoreError> {
        match result {
            Ok(found) => Ok(Some(found)),
            Err(error @ (StoreError::Damaged { .. } | StoreError::Unit(_))) => {
                self.faults.push(error.to_string());
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }
}

/// Where the rows of a unit are now.
enum Source {
    Small(Name),
    Large { object: usize, row: usize, listed: Listed },
}

/// Makes large objects of about `target` bytes. `tell` hears how many of how many units are done.
///
/// # Errors
/// When something cannot be read or written; nothing is lost then. What is damaged stays as it is, and is named.
pub fn compact<G: Kept>(
    store: &mut Store<G>,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Compacted, StoreError> {
    for _ in 0..TRIES {
        match attempt(store, target, tell) {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => {}
            // Others that were faster may have removed what we were reading.
            Err(error) => {
                if !store.index().is_old(store.place())? {
                    return Err(error);
                }
            }
        }
    }
    Err(StoreError::Other(format!("{}: others compact it all the time", store.place().address())))
}

/// One attempt; none if another compaction was first.
fn attempt<G: Kept>(
    store: &mut Store<G>,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Option<Compacted>, StoreError> {
    let mut done = Compacted::default();
    let listed: Vec<Name> = store.place().list(UNITS)?.iter().filter_map(|(name, _)| unit_of(name)).collect();
    store.refresh()?;
    let index = store.index().clone();
    let (again, fresh): (Vec<Name>, Vec<Name>) =
        listed.into_iter().partition(|unit| index.get(unit).is_some());

    // Step 1. What was created again must be what is there.
    let mut late = Vec::new();
    for unit in again {
        let same = compare_late(store, &index, &unit);
        late.extend(done.sound(same)?.map(|()| unit));
    }

    // Step 2. Units in their order, those of large objects that are far from full among them.
    let mut sources: Vec<(Order, Source)> = Vec::with_capacity(fresh.len());
    for unit in &fresh {
        let order = order_of::<G>(store, unit);
        match done.sound(order)? {
            Some(Some(order)) => sources.push((order, Source::Small(*unit))),
            // Gone into another's large object.
            Some(None) => return Ok(None),
            None => {}
        }
    }
    if sources.is_empty() {
        clear(store, &index, &late, &mut done)?;
        return Ok(Some(done));
    }
    let mut objects: Vec<Large> = Vec::new();
    let mut filling: Vec<Filling> = Vec::new();
    for large in &index.objects {
        if large.bytes >= target / 2 {
            objects.push(large.clone());
            continue;
        }
        let Some(bytes) = store.place().read(&large.list)? else { return Ok(None) };
        let mut row = 0;
        for listed in read_list(large, bytes)? {
            let games = listed.games as usize;
            let order = Origin::read::<G>(&listed.text)?.order();
            sources.push((order, Source::Large { object: filling.len(), row, listed }));
            row += games;
        }
        filling.push(Filling { large: large.clone(), left: large.units, open: None, damaged: false });
    }
    sources.sort_by(|(a, _), (b, _)| a.cmp(b));

    // Step 3. Write large objects.
    let generation = index.generation + 1;
    let mut pending = Pending::new(generation)?;
    let total = sources.len() as u64;
    for (n, (order, source)) in sources.into_iter().enumerate() {
        let found = match source {
            Source::Large { object, .. } if filling[object].damaged => continue,
            Source::Large { object, row, listed } => {
                match filling[object].rows(store.place(), row, &listed) {
                    Err(error) if filling[object].damaged => {
                        done.sound::<()>(Err(error))?;
                        objects.push(filling[object].large.clone());
                        continue;
                    }
                    rows => rows?.map(|batch| (listed, batch)),
                }
            }
            Source::Small(unit) => match store.place().read(&unit_object(&unit))? {
                Some(bytes) => match done.sound(sound::<G>(store, &unit, bytes))? {
                    Some(rows) => Some((rows.listed(unit), rows.batch)),
                    None => continue,
                },
                None => None,
            },
        };
        let Some((listed, batch)) = found else { return Ok(None) };
        done.units += u64::from(index.get(&listed.unit).is_none());
        pending.add(order, listed, &batch)?;
        if pending.bytes() >= target {
            objects.push(pending.finish(store.place())?);
            pending = Pending::new(generation)?;
            done.objects += 1;
        }
        tell(n as u64 + 1, total);
    }
    if !pending.units.is_empty() {
        objects.push(pending.finish(store.place())?);
        done.objects += 1;
    }

    // Step 4. From here on they are there.
    if !Index::commit(store.place(), generation, objects)? {
        return Ok(None);
    }
    store.refresh()?;

    // Step 5. Clear up.
    let (index, came_late) = (store.index().clone(), late.len() as u64);
    let moved: Vec<Name> = late.into_iter().chain(fresh).collect();
    clear(store, &index, &moved, &mut done)?;
    done.late = came_late;
    Ok(Some(done))
}

/// A large object that is far from full, and goes into others.
struct Filling {
    large: Large,
    /// Units that were not asked for yet.
    left: u64,
    open: Option<Object<Bytes>>,
    /// Whether it is damaged: then all of it stays, for that must not get a new SHA-256.
    damaged: bool,
}

impl Filling {
    /// The rows of its next unit; none if it is gone. From the first to the last of them it is whole in memory, for two reasons: unit by
    /// unit would be a request for every column of each, and its SHA-256 is of all of it.
    fn rows(
        &mut self,
        place: &Place,
        row: usize,
        listed: &Listed,
    ) -> Result<Option<RecordBatch>, StoreError> {
        let damaged = |what: String| StoreError::damaged(self.large.object.clone(), what);
        self.left -= 1;
        if self.open.is_none() {
            let Some(bytes) = place.read(&self.large.object)? else { return Ok(None) };
            if Name::of_bytes(&bytes).to_string() != self.large.sha256 {
                self.damaged = true;
                return Err(damaged("its SHA-256 is not the one in the index".to_owned()));
            }
            self.open = Some(Object::open(bytes).map_err(damaged)?.trusted());
        }
        let open = self.open.as_ref().map(|open| open.read(row, listed.games as usize, None));
        let batch = open.transpose().map_err(damaged)?;
        if self.left == 0 {
            self.open = None;
        }
        Ok(batch)
    }
}

/// Compares what a late worker created again with what is in the index.
fn compare_late<G: Kept>(store: &Store<G>, index: &Index, unit: &Name) -> Result<(), StoreError> {
    let Some(bytes) = store.place().read(&unit_object(unit))? else { return Ok(()) };
    let rows = read_small(unit, bytes)?;
    let Some(known) = index.get(unit) else { return Ok(()) };
    store.agree(unit, &Origin::read::<G>(&rows.text)?, known.digest, rows.digest)
}

/// Where a unit in a small object comes among others; none if it is gone.
fn order_of<G: Kept>(store: &Store<G>, unit: &Name) -> Result<Option<Order>, StoreError> {
    let name = unit_object(unit);
    let Some(len) = store.place().size(&name)? else { return Ok(None) };
    let damaged = |what: String| StoreError::damaged(name.clone(), what);
    let object = Object::open(Ranges::new(store.place(), &name, len)).map_err(damaged)?;
    let text =
        object.meta("anglerfish.unit").ok_or_else(|| damaged("expected the text of its unit".to_owned()))?;
    Ok(Some(Origin::read::<G>(text)?.order()))
}

/// The rows of a small object that is what it was: by its SHA-256, or where that was never written by playing its games.
fn sound<G: Kept>(store: &Store<G>, unit: &Name, bytes: Bytes) -> Result<Rows, StoreError> {
    let sum = store.place().read(&sum_object(unit))?;
    match sum {
        Some(sum) if sum != sum_of(&bytes) => {
            Err(StoreError::damaged(unit_object(unit), "its SHA-256 is not the one that was written down"))
        }
        Some(_) => read_small(unit, bytes),
        None => {
            let rows = read_small(unit, bytes)?;
            checked::<G>(unit, &rows)?;
            Ok(rows)
        }
    }
}

/// A large object that is being written.
struct Pending {
    generation: u64,
    writer: ArrowWriter<Vec<u8>>,
    units: Vec<Listed>,
    orders: Option<(Order, Order)>,
    games: u64,
}

impl Pending {
    fn new(generation: u64) -> Result<Pending, StoreError> {
        let properties = properties(&[("anglerfish.rows", ROWS_FORMAT)]);
        let writer = ArrowWriter::try_new(Vec::new(), schema(), Some(properties));
        let writer = writer.map_err(|e| StoreError::Other(e.to_string()))?;
        Ok(Pending { generation, writer, units: Vec::new(), orders: None, games: 0 })
    }

    fn add(&mut self, order: Order, listed: Listed, batch: &RecordBatch) -> Result<(), StoreError> {
        let named =
            |e: parquet::errors::ParquetError| StoreError::damaged(format!("unit {}", listed.unit), e);
        self.writer.write(batch).map_err(named)?;
        self.games += u64::from(listed.games);
        self.units.push(listed);
        let from = self.orders.take().map_or_else(|| order.clone(), |(from, _)| from);
        self.orders = Some((from, order));
        Ok(())
    }

    fn bytes(&self) -> u64 {
        (self.writer.bytes_written() + self.writer.in_progress_size()) as u64
    }

    /// Creates the object and its list.
    fn finish(self, place: &Place) -> Result<Large, StoreError> {
        let bytes: Bytes = self.writer.into_inner().map_err(|e| StoreError::Other(e.to_string()))?.into();
        let (sum, list) = (Name::of_bytes(&bytes), write_list(&self.units));
        let name = |folder: &str| format!("{folder}/{:08}-{sum}.parquet", self.generation);
        let (from, to) = self.orders.unwrap_or_else(|| unreachable!("there is at least one unit"));
        let large = Large {
            object: name(LARGE),
            sha256: sum.to_string(),
            bytes: bytes.len() as u64,
            games: self.games,
            units: self.units.len() as u64,
            list: name(LISTS),
            list_sha256: Name::of_bytes(&list).to_string(),
            from,
            to,
        };
        // Their names are what they hold, so one that is there already is the same.
        place.create(&large.object, &bytes)?;
        place.create(&large.list, &list)?;
        Ok(large)
    }
}

/// Removes the small objects of units that the index has, and whatever no generation from the last one on names.
fn clear<G: Kept>(
    store: &Store<G>,
    index: &Index,
    moved: &[Name],
    done: &mut Compacted,
) -> Result<(), StoreError> {
    let place = store.place();
    let units = moved.iter().filter(|unit| index.get(unit).is_some());
    let mut names: Vec<String> = units.flat_map(|unit| [unit_object(unit), sum_object(unit)]).collect();
    done.late = moved.len() as u64;
    place.delete(&names)?;

    // A sum may come late, too.
    let sums = place.list(SUMS)?;
    let in_index = |name: &str| unit_of(name).is_some_and(|unit| index.get(&unit).is_some());
    names = sums.into_iter().map(|(name, _)| name).filter(|name| in_index(name)).collect();

    let before = match index.generation.checked_sub(1).filter(|before| *before > 0) {
        Some(before) => index::read_generation(place, before)?.unwrap_or_default(),
        None => Vec::new(),
    };
    let named: BTreeSet<&str> = index
        .objects
        .iter()
        .chain(&before)
        .flat_map(|large| [large.object.as_str(), large.list.as_str()])
        .collect();
    for folder in [LARGE, LISTS] {
        let generation =
            |name: &str| name.strip_prefix(folder)?.strip_prefix('/')?.split('-').next()?.parse::<u64>().ok();
        let all = place.list(folder)?.into_iter().map(|(name, _)| name);
        let is_nobodys = |name: &String| {
            generation(name).is_some_and(|g| g <= index.generation) && !named.contains(name.as_str())
        };
        names.extend(all.filter(is_nobodys));
    }
    let generations = place.list(index::FOLDER)?.into_iter().map(|(name, _)| name);
    let is_old = |name: &String| index::generation_of(name).is_some_and(|g| g + 1 < index.generation);
    names.extend(generations.filter(is_old));
    place.delete(&names)?;
    done.cleared = names.len() as u64 + place.clear_staging()? as u64;
    Ok(())
}
