//! Verification: every object is unchanged since it was written, and every game in it is legal.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use anglerfish_arena::Name;

use crate::error::{Damage, StoreError};
use crate::index::{Listed, read_list};
use crate::names::{sum_object, unit_object};
use crate::object::Object;
use crate::place::Place;
use crate::scan::digest_over;
use crate::small::{Rows, played, read_small, sum_of};
use crate::store::{RUNS, Store};
use crate::stored_game::StoredGame;
use crate::survey::Survey;
use crate::unit::{Order, Origin};

/// The outcome of a verification.
#[derive(Clone, Debug, Default)]
pub struct Verified {
    /// Intact units, with the digests of their games.
    pub units: BTreeMap<Name, Name>,
    /// Their games.
    pub games: u64,
    /// Their plies.
    pub plies: u64,
    /// Sizes in bytes of their objects.
    pub bytes: u64,
    /// Objects without a SHA-256: their writer died in between. Their games were checked all the same.
    pub without_sum: Vec<String>,
    /// The faults.
    pub faults: Vec<String>,
    /// Units that are named and cannot be read from their expected place. Those that no index names may still
    /// exist: see [`recover`](crate::recover).
    pub missing: BTreeSet<Name>,
    /// Gaps that cannot be explained, because no remaining object names them.
    pub unknown: Vec<String>,
    /// Units whose objects were gone when their turn came: a compaction may have moved them.
    moved: Vec<Name>,
    /// The pairs that each unit covers, by their order in the run.
    covered: BTreeMap<Order, (u64, Name)>,
}

impl Verified {
    /// One digest over all units and their games.
    pub fn digest(&self) -> Name {
        digest_over(self.units.iter())
    }

    /// Replays the games of a unit, and counts them.
    fn add<G: StoredGame>(&mut self, unit: Name, rows: &Rows) -> Result<(), StoreError> {
        self.plies += played::<G>(&unit, rows)?;
        self.units.insert(unit, rows.digest);
        self.games += rows.batch.num_rows() as u64;
        let origin = Origin::read::<G>(&rows.text)?;
        self.cover(origin.order(), origin.pairs(), unit);
        Ok(())
    }

    /// Notes the pairs of a unit, and finds units that overlap with it: their games would count twice.
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
    /// The number of a large object in the index.
    Large(u32),
}

/// Reads everything on this many threads. `tell` receives the number of objects done and of all. Missing data
/// is found if an index, a list, a SHA-256 or the rows of a large object still names it.
///
/// # Errors
/// When there is no store, or the place cannot be read; faults inside are reported in the result.
pub fn verify<G: StoredGame>(
    place: Place,
    threads: usize,
    tell: &(dyn Fn(usize, usize) + Sync),
) -> Result<Verified, StoreError> {
    let (mut store, survey, faults) = Store::<G>::salvage(place)?;
    let small = survey.small.iter().filter(|unit| store.index().get(unit).is_none());
    let large = (0..store.index().objects.len() as u32).map(Task::Large);
    let tasks: Vec<Task> = large.chain(small.copied().map(Task::Small)).collect();
    let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found = Mutex::new(Ok(Verified { faults, ..Verified::default() }));
    let shared = &store;
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let mut part = Verified::default();
                    let result = match task {
                        Task::Small(unit) => {
                            let result = verify_small(shared, unit, &mut part);
                            part.note(result, std::iter::once(*unit))
                        }
                        Task::Large(number) => {
                            let result = verify_large(shared, *number, &mut part);
                            part.note(result, shared.index().units_in(*number))
                        }
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
    found.find_missing(&store, &survey)?;
    // Units that a compaction has moved are read from their new places.
    for unit in std::mem::take(&mut found.moved) {
        let gone = || StoreError::damaged(format!("unit {unit}"), "its object was there, and is gone");
        let again = match store.rows(&unit) {
            Ok(rows) => rows.ok_or_else(gone).and_then(|rows| found.add::<G>(unit, &rows)),
            Err(error) => Err(error),
        };
        found.note(again, std::iter::once(unit))?;
    }
    found.find_unknown(store.place())?;
    found.faults.sort();
    // An object that is gone is reported once per unit.
    found.faults.dedup();
    found.without_sum.sort();
    Ok(found)
}

impl Verified {
    /// Notes damage as a fault, with its units as missing; objects that cannot be reached may be whole, so
    /// they are an error.
    fn note(
        &mut self,
        result: Result<(), StoreError>,
        units: impl Iterator<Item = Name>,
    ) -> Result<(), StoreError> {
        match result {
            Err(error @ (StoreError::Object { .. } | StoreError::File { .. })) => return Err(error),
            Err(error) => {
                self.faults.push(error.to_string());
                self.missing.extend(units);
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Finds units that only a lost index named, and units of which only the SHA-256 is left.
    fn find_missing<G: StoredGame>(&mut self, store: &Store<G>, survey: &Survey) -> Result<(), StoreError> {
        let (stranded, faults) = survey.stranded(store.place(), store.index())?;
        self.faults.extend(faults);
        for stranded in stranded {
            self.faults.push(stranded.fault());
            self.missing.extend(stranded.units);
        }
        for unit in survey.sums_alone(store.index()) {
            self.faults.push(format!("{}: it is gone, and its SHA-256 is there", unit_object(&unit)));
            self.missing.insert(unit);
        }
        Ok(())
    }

    /// Finds gaps without a trace: runs without units, and missing numbers before and between the units of a run.
    fn find_unknown(&mut self, place: &Place) -> Result<(), StoreError> {
        let (mut runs, mut last): (BTreeMap<&str, u64>, Option<(&str, u64)>) = (BTreeMap::new(), None);
        for (order, (end, _)) in &self.covered {
            let before = last.filter(|(run, _)| *run == order.run).map_or(1, |(_, end)| end);
            *runs.entry(&order.run).or_default() += order.first.saturating_sub(before);
            last = Some((&order.run, *end));
        }
        let gaps = runs.iter().filter(|(_, missing)| **missing > 0);
        self.unknown = gaps
            .map(|(run, missing)| {
                format!("run {run} lacks {missing} pairs or single games before its last one: not played yet, or lost without a trace")
            })
            .collect();
        let names = match place.list(RUNS) {
            Err(error @ StoreError::Damaged { .. }) => {
                self.faults.push(error.to_string());
                return Ok(());
            }
            listed => listed?,
        };
        for (name, _) in names {
            let run = name.rsplit('/').next().unwrap_or_default();
            if !runs.contains_key(run) {
                self.unknown.push(format!(
                    "run {run} has no unit here: none was put yet, or all are lost without a trace"
                ));
            }
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
    all.missing.extend(part.missing);
    all.moved.extend(part.moved);
    if let Err(error) = result {
        *found = Err(error);
    }
}

fn verify_small<G: StoredGame>(store: &Store<G>, unit: &Name, part: &mut Verified) -> Result<(), StoreError> {
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

fn verify_large<G: StoredGame>(store: &Store<G>, number: u32, part: &mut Verified) -> Result<(), StoreError> {
    let large = &store.index().objects[number as usize];
    let damaged = |what: Damage| StoreError::damaged(large.object.clone(), what);
    let (bytes, list) = (store.place().read(&large.object)?, store.place().read(&large.list)?);
    let (Some(bytes), Some(list)) = (bytes, list) else {
        if !store.is_old()? {
            part.faults.push(format!("{}: it or its list is gone, with {} units", large.object, large.units));
        }
        part.moved.extend(store.index().units_in(number));
        return Ok(());
    };
    part.bytes += bytes.len() as u64;
    if Name::of_bytes(&bytes).to_string() != large.sha256 {
        return Err(damaged("its SHA-256 is not the one in the index".into()));
    }
    let object = Object::open(bytes).map_err(damaged)?.trusted();
    let mut row = 0;
    for listed in read_list(large, list)? {
        let games = listed.games as usize;
        let batch = object.read(row, games, None).map_err(damaged);
        row += games;
        let Listed { unit, text, digest, .. } = listed;
        let result = batch.and_then(|batch| part.add::<G>(unit, &Rows { text, digest, batch }));
        part.note(result, std::iter::once(unit))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use anglerfish_arena::{Contestant, Match, Worker, read_games, write_games};
    use anglerfish_rules::tictactoe::TicTacToe;

    use super::*;
    use crate::rows::encode;
    use crate::small::write_small;

    /// A unit whose SHA-256 and digest match, with a game that is illegal.
    #[test]
    fn a_game_that_is_not_legal_is_found() {
        let players = ["a", "b"].map(|name| Contestant::builtin(name, "random", "nodes=1"));
        let text = Match::new::<TicTacToe>(players, "standard", 1, 1).unit(1).text();
        let games = Worker::default().play::<TicTacToe>(&text).expect("a unit");
        let folder = std::env::temp_dir().join(format!("anglerfish-illegal-{}", std::process::id()));
        for is_forged in [false, true] {
            let mut games = read_games::<TicTacToe>(&write_games(&games)).expect("games");
            if is_forged {
                games[0].plies[1].event = games[0].plies[0].event;
            }
            let (unit, origin) = (Name::of(&text), Origin::read::<TicTacToe>(&text).expect("a unit"));
            let rows = encode(&unit.to_string(), &origin, &games);
            let bytes = write_small(&text, Name::of(&write_games(&games)), &rows);
            let place = Place::make(&folder.display().to_string(), &[]).expect("a folder");
            let store = Store::<TicTacToe>::open(place, None).expect("a store");
            for (name, bytes) in [(unit_object(&unit), &bytes), (sum_object(&unit), &sum_of(&bytes))] {
                assert!(store.place().create(&name, bytes).expect("it is written"));
            }
            let place = Place::open(&folder.display().to_string(), &[]).expect("a folder");
            let found = verify::<TicTacToe>(place, 1, &|_, _| {}).expect("it reads");
            assert_eq!((found.units.len(), found.faults.len()), if is_forged { (0, 1) } else { (1, 0) });
            std::fs::remove_dir_all(&folder).expect("it goes");
        }
    }
}
