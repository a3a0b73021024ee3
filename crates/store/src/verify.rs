//! Verifying: every object is what it was when it was written, and every game in it is one.

use std::collections::BTreeMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anglerfish_arena::Name;

use crate::compact::LARGE;
use crate::error::StoreError;
use crate::index::{Listed, read_list};
use crate::kept::Kept;
use crate::object::Object;
use crate::scan::digest_over;
use crate::small::{Rows, played, read_small, sum_object, sum_of, unit_object};
use crate::store::Store;
use crate::unit::{Order, Origin};

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Units that are what they should be, with the digests of their games.
    pub units: BTreeMap<Name, Name>,
    /// Their games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Bytes of the objects that hold them.
    pub bytes: u64,
    /// Objects whose SHA-256 was never written: whoever made them died in between. Their games were checked all the same.
    pub without_sum: Vec<String>,
    /// What is wrong.
    pub faults: Vec<String>,
    /// Units whose objects were gone when their turn came: a compaction may have moved them.
    moved: Vec<Name>,
    /// The pairs that units cover, by where they come in their run.
    covered: BTreeMap<Order, (u64, Name)>,
}

impl Verified {
    /// One digest over all units and their games.
    pub fn digest(&self) -> Name {
        digest_over(self.units.iter())
    }

    /// Plays the games of a unit once more, and counts them.
    fn add<G: Kept>(&mut self, unit: Name, rows: &Rows) -> Result<(), StoreError> {
        self.plies += played::<G>(&unit, rows)?;
        self.units.insert(unit, rows.digest);
        self.games += rows.batch.num_rows() as u64;
        let origin = Origin::read::<G>(&rows.text)?;
        self.cover(origin.order(), origin.pairs(), unit);
        Ok(())
    }

    /// Notes which pairs of a run a unit is, and finds others that are some of them too: their games would count twice.
    fn cover(&mut self, order: Order, pairs: u64, unit: Name) {
        let end = order.first.saturating_add(pairs);
        let before = self.covered.range(..=&order).next_back();
        let clash = before
            .filter(|(other, (end, _))| other.run == order.run && *end > order.first)
            .or_else(|| {
                let after = self.covered.range(&order..).next();
                after.filter(|(other, _)| other.run == order.run && other.first < end)
            })
            .map(|(_, (_, other))| *other);
        if let Some(other) = clash {
            self.faults.push(format!("units {unit} and {other} share games of one run"));
        }
        self.covered.insert(order, (end, unit));
    }
}

enum Task {
    Small(Name),
    /// By its number in the index.
    Large(u32),
}

/// Reads everything on so many threads. `tell` hears how many of how many objects are done.
///
/// # Errors
/// When the place cannot be read; what is wrong in it is among what is found.
pub fn verify<G: Kept>(
    store: &mut Store<G>,
    threads: usize,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<Verified, StoreError> {
    let small = store.small()?;
    let large = (0..store.index().objects.len() as u32).map(Task::Large);
    let tasks: Vec<Task> = large.chain(small.into_iter().map(Task::Small)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(Ok(Verified::default()));
    let shared = &*store;
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut part = Verified::default();
                    let result = match task {
                        Task::Small(unit) => verify_small(shared, unit, &mut part),
                        Task::Large(number) => verify_large(shared, *number, &mut part),
                    };
                    if let Ok(mut found) = found.lock() {
                        merge(&mut found, part, result);
                    }
                    tell(done.fetch_add(1, Ordering::Relaxed) + 1, tasks.len());
                }
            });
        }
    });
    let mut found = found.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner)?;
    // Units that a compaction has moved since are wherever they are now.
    store.refresh()?;
    for unit in std::mem::take(&mut found.moved) {
        let gone = || StoreError::damaged(format!("unit {unit}"), "its object was there, and is gone");
        let again = match store.rows(&unit) {
            Ok(rows) => rows.ok_or_else(gone).and_then(|rows| found.add::<G>(unit, &rows)),
            Err(error) => Err(error),
        };
        found.note(again)?;
    }
    if store.index().generation == 0 && tasks.is_empty() {
        let lost = store.place().list(LARGE)?.len();
        if lost > 0 {
            found.faults.push(format!("{LARGE}/ has {lost} objects, but there is no index that names them"));
        }
    }
    found.faults.sort();
    // An object that is gone is missed by each of its units.
    found.faults.dedup();
    found.without_sum.sort();
    Ok(found)
}

impl Verified {
    /// What is damaged is a finding; what cannot be reached may be whole.
    fn note(&mut self, result: Result<(), StoreError>) -> Result<(), StoreError> {
        match result {
            Err(error @ (StoreError::Object { .. } | StoreError::File { .. })) => return Err(error),
            Err(error) => self.faults.push(error.to_string()),
            Ok(()) => {}
        }
        Ok(())
    }
}

fn merge(found: &mut Result<Verified, StoreError>, part: Verified, result: Result<(), StoreError>) {
    let Ok(all) = found else { return };
    for (unit, digest) in part.units {
        if all.units.insert(unit, digest).is_some() {
            all.faults.push(format!("unit {unit} is there twice"));
        }
    }
    for (order, (end, unit)) in part.covered {
        let pairs = end - order.first;
        all.cover(order, pairs, unit);
    }
    all.faults.extend(part.faults);
    all.games += part.games;
    all.plies += part.plies;
    all.bytes += part.bytes;
    all.without_sum.extend(part.without_sum);
    all.moved.extend(part.moved);
    if let Err(error) = all.note(result) {
        *found = Err(error);
    }
}

fn verify_small<G: Kept>(store: &Store<G>, unit: &Name, part: &mut Verified) -> Result<(), StoreError> {
    let name = unit_object(unit);
    let Some(bytes) = store.place().read(&name)? else {
        part.moved.push(*unit);
        return Ok(());
    };
    part.bytes += bytes.len() as u64;
    match store.place().read(&sum_object(unit))? {
        Some(sum) if sum != sum_of(&bytes) => {
            return Err(StoreError::damaged(name, "its SHA-256 is not the one that was written down"));
        }
        Some(_) => {}
        None => part.without_sum.push(name),
    }
    part.add::<G>(*unit, &read_small(unit, bytes)?)
}

fn verify_large<G: Kept>(store: &Store<G>, number: u32, part: &mut Verified) -> Result<(), StoreError> {
    let large = &store.index().objects[number as usize];
    let damaged = |what: String| StoreError::damaged(large.object.clone(), what);
    let (bytes, list) = (store.place().read(&large.object)?, store.place().read(&large.list)?);
    let (Some(bytes), Some(list)) = (bytes, list) else {
        let here = store.index().units().filter(|(_, known)| known.object == number);
        part.moved.extend(here.map(|(unit, _)| *unit));
        return Ok(());
    };
    part.bytes += bytes.len() as u64;
    if Name::of_bytes(&bytes).to_string() != large.sha256 {
        return Err(damaged("its SHA-256 is not the one in the index".to_owned()));
    }
    let object = Object::open(bytes).map_err(damaged)?.trusted();
    let mut row = 0;
    for listed in read_list(large, list)? {
        let games = listed.games as usize;
        let batch = object.read(row, games, None).map_err(damaged);
        row += games;
        let Listed { unit, text, digest, .. } = listed;
        let result = batch.and_then(|batch| part.add::<G>(unit, &Rows { text, digest, batch }));
        part.note(result)?;
    }
    Ok(())
}
