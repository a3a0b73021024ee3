//! Compaction: many small objects become few large ones while others read and write; and recovery of a lost index.
//!
//! New objects are written first, then the next generation of the index, in one create, and only then small objects go. A kill
//! at any moment leaves either the old state or the new one, and something to clear up. What a generation replaces stays until the
//! next one, so that readers who began before it can finish.
//!
//! An object goes only when the index, read back from the place, has each of its units in a large object that is there too. A lost
//! index therefore costs no game: what only it named stays, `compact` refuses to go on, and `recover` puts it into a new index.

use std::collections::BTreeSet;

use anglerfish_arena::Name;
use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;

use crate::error::StoreError;
use crate::index::{self, Index, Large, Listed, read_list, write_list};
use crate::kept::Kept;
use crate::names::{
    INDEX, LARGE, LISTS, generation_of, index_object, large_object, list_object, stem_generation, stem_of,
    stem_sum, sum_object, unit_object,
};
use crate::object::{Object, properties};
use crate::place::Place;
use crate::ranges::Ranges;
use crate::rows::{ROWS_FORMAT, schema};
use crate::small::{Rows, checked, read_small, sum_of};
use crate::store::Store;
use crate::survey::{Stranded, Survey, Units, units_of};
use crate::unit::{Order, Origin};

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
    /// Objects and files that are not needed any more, removed.
    pub cleared: u64,
    /// Units that no index named, in the index again.
    pub recovered: u64,
    /// The generation of the index now.
    pub generation: u64,
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
    /// Of one that `is_stranded`, no index has the SHA-256 of the list, so its games are checked.
    Large {
        object: usize,
        row: usize,
        listed: Listed,
        is_stranded: bool,
    },
}

/// Makes large objects of about `target` bytes. `tell` hears how many of how many units are done.
///
/// # Errors
/// When something cannot be read or written, or an index is lost; nothing is lost by this then. What is damaged stays as it is, and is named.
pub fn compact<G: Kept>(
    store: &mut Store<G>,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Compacted, StoreError> {
    let mut last = StoreError::Other(format!("{}: others compact it all the time", store.place().address()));
    for _ in 0..TRIES {
        let survey = Survey::of(store.place())?;
        match store.refresh().and_then(|()| attempt(store, &survey, None, target, tell)) {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => {}
            // Others that were faster may have removed what we were reading.
            Err(error) => {
                if !store.is_old()? {
                    return Err(error);
                }
                last = error;
            }
        }
    }
    Err(last)
}

/// Writes an index of all that is there, after an index, a list or large objects were lost. Units that no index names come into it
/// after their games were checked; large objects that are gone leave it, so their units can be played again. Nothing is removed that the new
/// index does not have.
///
/// # Errors
/// When something cannot be read or written; nothing is lost then.
pub fn recover<G: Kept>(
    place: Place,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Compacted, StoreError> {
    let (mut store, survey, faults) = Store::<G>::salvage(place)?;
    let done = attempt(&mut store, &survey, Some(&faults), target, tell)?;
    done.ok_or_else(|| {
        StoreError::Other(format!("{}: it is being compacted; stop that first", store.place().address()))
    })
}

/// One attempt; none if another compaction was first. With what is wrong with the index, that is recovered.
fn attempt<G: Kept>(
    store: &mut Store<G>,
    survey: &Survey,
    recovers: Option<&[String]>,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Option<Compacted>, StoreError> {
    let mut work = Work::new(store);

    // Step 1. What no index names stops a compaction, and is what a recovery is for.
    let mut renewed = false;
    if let Some(faults) = recovers {
        work.done.faults.extend_from_slice(faults);
        renewed = work.drop_gone(store.place())? || !faults.is_empty();
    }
    let (stranded, unclear) = survey.stranded(store.place(), &work.index)?;
    work.done.faults.extend(unclear);
    let lost = survey.sums_alone(&work.index);
    work.done.faults.extend(
        lost.iter().map(|unit| format!("{}: it is gone, and its SHA-256 is there", unit_object(unit))),
    );
    match stranded.first() {
        Some(first) if recovers.is_none() => {
            let (fault, address) = (first.fault(), store.place().address());
            return Err(StoreError::Other(format!(
                "{fault}. Nothing was compacted. Bring the index back from a copy, or make one of what is there: anglerfish store recover {address}"
            )));
        }
        first => renewed |= first.is_some(),
    }

    // Step 2. What was created again must be what is there.
    let (again, fresh): (Vec<Name>, Vec<Name>) =
        survey.small.iter().partition(|unit| work.index.get(unit).is_some());
    let mut late = Vec::new();
    for unit in again {
        let same = compare_late(store, &work.index, &unit);
        late.extend(work.done.sound(same)?.map(|()| unit));
    }

    // Step 3. Units in their order, those of large objects that are far from full among them.
    let found = work.add_small(store, &fresh)?;
    work.add_stranded::<G>(stranded)?;
    if found && work.sources.is_empty() && !renewed {
        clear(store, &late, &[], &mut work.done)?;
        return Ok(Some(work.done));
    }
    if !found || !work.add_unfilled::<G>(store.place(), target)? {
        return Ok(None);
    }
    work.sources.sort_by(|(a, _), (b, _)| a.cmp(b));

    // Step 4. Write large objects.
    let newest = if renewed { survey.newest(store.place())? } else { work.index.generation };
    let last = || StoreError::damaged(index_object(newest), "no generation can come after it");
    let generation = newest.checked_add(1).ok_or_else(last)?;
    if !work.write(store, generation, target, tell)? {
        return Ok(None);
    }

    // Step 5. From here on they are there.
    let Work { objects, mut done, .. } = work;
    if !Index::commit(store.place(), generation, objects)? {
        return Ok(None);
    }

    // Step 6. Clear up.
    clear(store, &late, &fresh, &mut done)?;
    Ok(Some(done))
}

/// What goes into the next generation.
struct Work {
    /// The generation before it, as far as its large objects are there.
    index: Index,
    /// Units that are written anew.
    sources: Vec<(Order, Source)>,
    /// Large objects that they come from.
    filling: Vec<Filling>,
    /// Large objects of the next generation.
    objects: Vec<Large>,
    done: Compacted,
}

impl Work {
    fn new<G: Kept>(store: &Store<G>) -> Work {
        let (sources, filling, objects) = (Vec::new(), Vec::new(), Vec::new());
        Work { index: store.index().clone(), sources, filling, objects, done: Compacted::default() }
    }

    /// Takes large objects that are gone out of the index. Whether there are such.
    fn drop_gone(&mut self, place: &Place) -> Result<bool, StoreError> {
        let mut gone = Vec::new();
        for large in &self.index.objects {
            if place.size(&large.object)?.is_none() {
                let (object, units) = (&large.object, large.units);
                self.done
                    .faults
                    .push(format!("{object}: it is gone, with {units} units; they can be played again"));
                gone.push(large.clone());
            }
        }
        self.index.remove(&gone);
        Ok(!gone.is_empty())
    }

    /// Adds units in small objects; false if one is gone, into another compaction's large object.
    fn add_small<G: Kept>(&mut self, store: &Store<G>, units: &[Name]) -> Result<bool, StoreError> {
        for unit in units {
            let order = order_of::<G>(store, unit);
            match self.done.sound(order)? {
                Some(Some(order)) => self.sources.push((order, Source::Small(*unit))),
                Some(None) => return Ok(false),
                None => {}
            }
        }
        Ok(true)
    }

    /// Adds units that no index names.
    fn add_stranded<G: Kept>(&mut self, stranded: Vec<Stranded>) -> Result<(), StoreError> {
        let mut taken = BTreeSet::new();
        for Stranded { stem, has_object, list, units } in stranded {
            let (object, sum) = (large_object(&stem), stem_sum(&stem).unwrap_or_default().to_owned());
            let Some(list) = list.filter(|_| has_object) else {
                let lost = if has_object { list_object(&stem) } else { object };
                self.done.faults.push(format!("{lost}: it is lost, with {} units", units.len()));
                continue;
            };
            let (mut row, before) = (0, self.sources.len());
            for listed in list {
                let games = listed.games as usize;
                if units.contains(&listed.unit) && taken.insert(listed.unit) {
                    let order = Origin::read::<G>(&listed.text)?.order();
                    let source = Source::Large { object: self.filling.len(), row, listed, is_stranded: true };
                    self.sources.push((order, source));
                }
                row += games;
            }
            let left = (self.sources.len() - before) as u64;
            self.filling.push(Filling { object, sum, index: None, left, open: None, damaged: false });
        }
        Ok(())
    }

    /// Adds the units of large objects that are far from full, and keeps the others; false if a list is gone.
    fn add_unfilled<G: Kept>(&mut self, place: &Place, target: u64) -> Result<bool, StoreError> {
        for large in &self.index.objects {
            if large.bytes >= target / 2 {
                self.objects.push(large.clone());
                continue;
            }
            let Some(bytes) = place.read(&large.list)? else { return Ok(false) };
            let mut row = 0;
            for listed in read_list(large, bytes)? {
                let games = listed.games as usize;
                let order = Origin::read::<G>(&listed.text)?.order();
                let source = Source::Large { object: self.filling.len(), row, listed, is_stranded: false };
                self.sources.push((order, source));
                row += games;
            }
            let (object, sum, left) = (large.object.clone(), large.sha256.clone(), large.units);
            let index = Some(large.clone());
            self.filling.push(Filling { object, sum, index, left, open: None, damaged: false });
        }
        Ok(true)
    }

    /// Writes all units into large objects; false if one is gone, into another compaction's.
    fn write<G: Kept>(
        &mut self,
        store: &Store<G>,
        generation: u64,
        target: u64,
        tell: &mut dyn FnMut(u64, u64),
    ) -> Result<bool, StoreError> {
        let sources = std::mem::take(&mut self.sources);
        let mut pending = Pending::new(generation)?;
        let total = sources.len() as u64;
        for (n, (order, source)) in (1..).zip(sources) {
            let found = match source {
                Source::Small(unit) => self.small(store, unit)?,
                Source::Large { object, row, listed, is_stranded } => {
                    self.large(store, object, row, listed, is_stranded)?
                }
            };
            match found {
                Fetched::Rows(listed, batch) => pending.add(order, listed, &batch)?,
                Fetched::Left => continue,
                Fetched::Moved => return Ok(false),
            }
            if pending.bytes() >= target {
                self.objects.push(pending.finish(store.place())?);
                pending = Pending::new(generation)?;
                self.done.objects += 1;
            }
            tell(n, total);
        }
        if !pending.units.is_empty() {
            self.objects.push(pending.finish(store.place())?);
            self.done.objects += 1;
        }
        Ok(true)
    }

    /// The rows of a unit in a small object.
    fn small<G: Kept>(&mut self, store: &Store<G>, unit: Name) -> Result<Fetched, StoreError> {
        let Some(bytes) = store.place().read(&unit_object(&unit))? else { return Ok(Fetched::Moved) };
        let Some(rows) = self.done.sound(sound::<G>(store, &unit, bytes))? else { return Ok(Fetched::Left) };
        self.done.units += 1;
        Ok(Fetched::Rows(rows.listed(unit), rows.batch))
    }

    /// The rows of a unit in a large object. One that is damaged or lost stays in the index as it is.
    fn large<G: Kept>(
        &mut self,
        store: &Store<G>,
        object: usize,
        row: usize,
        listed: Listed,
        is_stranded: bool,
    ) -> Result<Fetched, StoreError> {
        let filling = &mut self.filling[object];
        if filling.damaged {
            return Ok(Fetched::Left);
        }
        let batch = match filling.rows(store.place(), row, &listed) {
            Ok(Some(batch)) => batch,
            Ok(None) if store.is_old()? => return Ok(Fetched::Moved),
            Err(error) if !filling.damaged => return Err(error),
            other => {
                filling.damaged = true;
                let fault = other.err().unwrap_or_else(|| StoreError::damaged(&filling.object, "it is gone"));
                self.objects.extend(filling.index.clone());
                self.done.sound::<()>(Err(fault))?;
                return Ok(Fetched::Left);
            }
        };
        if !is_stranded {
            return Ok(Fetched::Rows(listed, batch));
        }
        let rows = Rows { text: listed.text.clone(), digest: listed.digest, batch };
        let Some(_) = self.done.sound(checked::<G>(&listed.unit, &rows))? else { return Ok(Fetched::Left) };
        self.done.recovered += 1;
        Ok(Fetched::Rows(listed, rows.batch))
    }
}

/// What became of a unit that was to be written.
enum Fetched {
    Rows(Listed, RecordBatch),
    /// It stays where it is.
    Left,
    /// It is gone, into another compaction's large object.
    Moved,
}

/// A large object that is far from full, and goes into others.
struct Filling {
    object: String,
    /// Its SHA-256.
    sum: String,
    /// What the index says of it, if it names it.
    index: Option<Large>,
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
        let damaged = |what: String| StoreError::damaged(self.object.clone(), what);
        self.left -= 1;
        if self.open.is_none() {
            let Some(bytes) = place.read(&self.object)? else { return Ok(None) };
            if Name::of_bytes(&bytes).to_string() != self.sum {
                self.damaged = true;
                return Err(damaged("its SHA-256 is not the one that was written down".to_owned()));
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

/// Removes from a copy what the index that it got makes needless.
pub(crate) fn clear_copied<G: Kept>(copy: &mut Store<G>) -> Result<(), StoreError> {
    let small = Survey::of(copy.place())?.small;
    let late: Vec<Name> = small.into_iter().filter(|unit| copy.index().get(unit).is_some()).collect();
    clear(copy, &late, &[], &mut Compacted::default())
}

/// Removes the small objects of units that the index has, and what no generation from the last one on names. The index is read back for it,
/// and what is not in it, in large objects that are there, stays.
fn clear<G: Kept>(
    store: &mut Store<G>,
    late: &[Name],
    moved: &[Name],
    done: &mut Compacted,
) -> Result<(), StoreError> {
    store.reload()?;
    done.generation = store.index().generation;
    let (place, index) = (store.place(), store.index());
    let survey = Survey::of(place)?;
    let is_there = |large: &Large| {
        let stem = stem_of(&large.object);
        stem.is_some_and(|stem| survey.large.get(stem) == Some(&large.bytes))
    };
    let there: Vec<bool> = index.objects.iter().map(is_there).collect();
    let is_held = |unit: &Name| index.get(unit).is_some_and(|known| there[known.object as usize]);

    // Step 1. Small objects, and SHA-256 that came late.
    let small = late.iter().chain(moved).filter(|unit| is_held(unit));
    place.delete(&small.flat_map(|unit| [unit_object(unit), sum_object(unit)]).collect::<Vec<_>>())?;
    done.late = late.iter().filter(|unit| is_held(unit)).count() as u64;
    let sums = survey.sums.iter().filter(|unit| is_held(unit) && !survey.small.contains(unit));
    let mut names: Vec<String> = sums.map(sum_object).collect();

    // Step 2. Large objects that neither this generation nor the one before it names.
    let before = match index.generation.checked_sub(1).filter(|before| *before > 0) {
        // A damaged one names nothing that a reader could still want.
        Some(before) => match index::read_generation(place, before) {
            Err(StoreError::Damaged { .. }) => Vec::new(),
            read => read?.unwrap_or_default(),
        },
        None => Vec::new(),
    };
    let before: BTreeSet<&str> = before.iter().filter_map(|large| stem_of(&large.object)).collect();
    for stem in survey.unnamed(index) {
        let is_old = stem_generation(stem).is_some_and(|generation| generation <= index.generation);
        if !is_old || before.contains(stem.as_str()) {
            continue;
        }
        if let Units::Known { units, .. } = units_of(place, stem)?
            && units.iter().all(is_held)
        {
            names.extend([large_object(stem), list_object(stem)]);
        }
    }

    // Step 3. Generations before that.
    let generations = place.list(INDEX)?.into_iter().map(|(name, _)| name);
    let is_old = |name: &String| generation_of(name).is_some_and(|g| g < index.generation.saturating_sub(1));
    names.extend(generations.filter(is_old));
    place.delete(&names)?;
    done.cleared = names.len() as u64 + place.clear_staging()? as u64;
    Ok(())
}
