//! Compaction merges many small objects into few large ones while others read and write. Recovery replaces a
//! lost index.
//!
//! New objects are written first, then the next generation of the index in one create, and only then are
//! small objects removed. A kill at any moment leaves the old state or the new one, plus files to clear up.
//! Objects that a generation replaces stay until the next one, so earlier readers can finish.
//!
//! An object is removed only when the index, read back from the place, has each of its units in a large
//! object that is present. A lost index therefore costs no game: the objects that only it named stay,
//! `compact` refuses, and `recover` writes a new index.

use std::collections::BTreeSet;

use anglerfish_arena::Name;
use arrow_array::RecordBatch;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;

use crate::error::{Damage, StoreError};
use crate::index::{self, Index, Large, Listed, read_list, write_list};
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
use crate::stored_game::StoredGame;
use crate::survey::{Stranded, Survey, Units, units_of};
use crate::unit::{Order, Origin};

/// How often a compaction starts anew when another one runs at the same time.
const TRIES: u32 = 10;

/// The outcome of a compaction.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Compacted {
    /// Units moved from small objects.
    pub units: u64,
    /// Large objects written.
    pub objects: u64,
    /// Duplicate units of late workers, removed.
    pub late: u64,
    /// Obsolete objects and files, removed.
    pub cleared: u64,
    /// Units that no index named, now indexed again.
    pub recovered: u64,
    /// The current generation of the index.
    pub generation: u64,
    /// Faults of the objects that were left as they are.
    pub faults: Vec<String>,
}

impl Compacted {
    /// The result, or `None` for a damaged object, which is noted so that the others go on.
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
    /// An `is_stranded` object is in no index, so no SHA-256 of its list is known and its games are checked.
    Large {
        object: usize,
        row: usize,
        listed: Listed,
        is_stranded: bool,
    },
}

/// Makes large objects of about `target` bytes. `tell` receives the number of units done and of all.
///
/// # Errors
/// When an object cannot be read or written, or an index is lost; no game is lost then. Damaged objects stay
/// as they are, and are reported.
pub fn compact<G: StoredGame>(
    store: &mut Store<G>,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Compacted, StoreError> {
    let mut last =
        StoreError::Other(format!("{}: other processes keep compacting it", store.place().address()));
    for _ in 0..TRIES {
        let survey = Survey::of(store.place())?;
        match store.refresh().and_then(|()| attempt(store, &survey, None, target, tell)) {
            Ok(Some(done)) => return Ok(done),
            Ok(None) => {}
            // A faster compaction may have removed an object that was being read.
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

/// Writes an index of everything present, after an index, a list or large objects were lost. Units that no
/// index names are added once their games are checked. Large objects that are gone are dropped, so their
/// units can be played again. Only objects whose units the new index has are removed.
///
/// # Errors
/// When an object cannot be read or written; no game is lost then.
pub fn recover<G: StoredGame>(
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

/// One attempt; `None` if another compaction came first. Given the faults of the index, it recovers the store.
fn attempt<G: StoredGame>(
    store: &mut Store<G>,
    survey: &Survey,
    recovers: Option<&[String]>,
    target: u64,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<Option<Compacted>, StoreError> {
    let mut work = Work::new(store);

    // Step 1. Units that no index names stop a compaction; a recovery adds them.
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

    // Step 2. Duplicates must equal the units in the index.
    let (again, fresh): (Vec<Name>, Vec<Name>) =
        survey.small.iter().partition(|unit| work.index.get(unit).is_some());
    let mut late = Vec::new();
    for unit in again {
        let same = compare_late(store, &work.index, &unit);
        late.extend(work.done.sound(same)?.map(|()| unit));
    }

    // Step 3. All units in order, including those of large objects that are far from full.
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

    // Step 5. From here on the new objects count.
    let Work { objects, mut done, .. } = work;
    if !Index::commit(store.place(), generation, objects)? {
        return Ok(None);
    }

    // Step 6. Clear up.
    clear(store, &late, &fresh, &mut done)?;
    Ok(Some(done))
}

/// The contents of the next generation.
struct Work {
    /// The generation before it, without the large objects that are gone.
    index: Index,
    /// Units to write anew.
    sources: Vec<(Order, Source)>,
    /// The large objects they come from.
    filling: Vec<Filling>,
    /// Large objects of the next generation.
    objects: Vec<Large>,
    done: Compacted,
}

impl Work {
    fn new<G: StoredGame>(store: &Store<G>) -> Work {
        let (sources, filling, objects) = (Vec::new(), Vec::new(), Vec::new());
        Work { index: store.index().clone(), sources, filling, objects, done: Compacted::default() }
    }

    /// Drops large objects that are gone from the index; whether there were any.
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

    /// Adds units in small objects; `false` if another compaction has moved one.
    fn add_small<G: StoredGame>(&mut self, store: &Store<G>, units: &[Name]) -> Result<bool, StoreError> {
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
    fn add_stranded<G: StoredGame>(&mut self, stranded: Vec<Stranded>) -> Result<(), StoreError> {
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

    /// Adds the units of large objects that are far from full, and keeps the others; `false` if a list is gone.
    fn add_unfilled<G: StoredGame>(&mut self, place: &Place, target: u64) -> Result<bool, StoreError> {
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

    /// Writes all units into large objects; `false` if another compaction has moved one.
    fn write<G: StoredGame>(
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
    fn small<G: StoredGame>(&mut self, store: &Store<G>, unit: Name) -> Result<Fetched, StoreError> {
        let Some(bytes) = store.place().read(&unit_object(&unit))? else { return Ok(Fetched::Moved) };
        let Some(rows) = self.done.sound(sound::<G>(store, &unit, bytes))? else { return Ok(Fetched::Left) };
        self.done.units += 1;
        Ok(Fetched::Rows(rows.listed(unit), rows.batch))
    }

    /// The rows of a unit in a large object. A damaged or lost object stays in the index as it is.
    fn large<G: StoredGame>(
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

/// The outcome of reading a unit that is to be written.
enum Fetched {
    Rows(Listed, RecordBatch),
    /// The unit stays where it is.
    Left,
    /// Another compaction has moved it into a large object.
    Moved,
}

/// A large object that is far from full and is merged into others.
struct Filling {
    object: String,
    /// Its SHA-256.
    sum: String,
    /// Its entry in the index, if it has one.
    index: Option<Large>,
    /// Units not read yet.
    left: u64,
    open: Option<Object<Bytes>>,
    /// Whether it is damaged. Then all of it stays: damage must not get a new SHA-256.
    damaged: bool,
}

impl Filling {
    /// The rows of its next unit; `None` if the object is gone. The object stays in memory from the first unit
    /// to the last: its SHA-256 covers all of it, and reading unit by unit would need a request per column.
    fn rows(
        &mut self,
        place: &Place,
        row: usize,
        listed: &Listed,
    ) -> Result<Option<RecordBatch>, StoreError> {
        let damaged = |what: Damage| StoreError::damaged(self.object.clone(), what);
        self.left -= 1;
        if self.open.is_none() {
            let Some(bytes) = place.read(&self.object)? else { return Ok(None) };
            if Name::of_bytes(&bytes).to_string() != self.sum {
                self.damaged = true;
                return Err(damaged("its SHA-256 is not the one that was written down".into()));
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

/// Compares a duplicate from a late worker with the unit in the index.
fn compare_late<G: StoredGame>(store: &Store<G>, index: &Index, unit: &Name) -> Result<(), StoreError> {
    let Some(bytes) = store.place().read(&unit_object(unit))? else { return Ok(()) };
    let rows = read_small(unit, bytes)?;
    let Some(known) = index.get(unit) else { return Ok(()) };
    store.agree(unit, &Origin::read::<G>(&rows.text)?, known.digest, rows.digest)
}

/// The order of a unit in a small object; `None` if it is gone.
fn order_of<G: StoredGame>(store: &Store<G>, unit: &Name) -> Result<Option<Order>, StoreError> {
    let name = unit_object(unit);
    let Some(len) = store.place().size(&name)? else { return Ok(None) };
    let damaged = |what: Damage| StoreError::damaged(name.clone(), what);
    let object = Object::open(Ranges::new(store.place(), &name, len)).map_err(damaged)?;
    let text =
        object.meta("anglerfish.unit").ok_or_else(|| damaged("expected the text of its unit".into()))?;
    Ok(Some(Origin::read::<G>(text)?.order()))
}

/// The rows of an intact small object: checked by SHA-256 or, where none was written, by playing its games.
fn sound<G: StoredGame>(store: &Store<G>, unit: &Name, bytes: Bytes) -> Result<Rows, StoreError> {
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
        // Their names contain their SHA-256, so an existing one is equal.
        place.create(&large.object, &bytes)?;
        place.create(&large.list, &list)?;
        Ok(large)
    }
}

/// Removes the objects of a copy that its new index makes obsolete.
pub(crate) fn clear_copied<G: StoredGame>(copy: &mut Store<G>) -> Result<(), StoreError> {
    let small = Survey::of(copy.place())?.small;
    let late: Vec<Name> = small.into_iter().filter(|unit| copy.index().get(unit).is_some()).collect();
    clear(copy, &late, &[], &mut Compacted::default())
}

/// Removes the small objects of units in the index, and everything that the last two generations do not name.
/// The index is read back first; units that it does not have in a present large object stay.
fn clear<G: StoredGame>(
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
        // A damaged generation names no object that a reader could still need.
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
