//! Backs a store up into a second store, while others work on the first.
//!
//! The order keeps the copy whole: first the units in small objects, then the index, then the large objects
//! that it names, and that index last. A unit that a compaction moves meanwhile is in the index, which is
//! read afterwards. The copy only creates objects, so the same call continues an interrupted copy. Until then
//! `verify` says what the copy lacks.

use std::sync::Arc;

use anglerfish_arena::Name;
use bytes::Bytes;

use crate::compact::clear_copied;
use crate::error::StoreError;
use crate::names::{sum_object, unit_object};
use crate::place::Place;
use crate::small::sum_of;
use crate::store::{RUNS, Store};
use crate::stored_game::StoredGame;

/// How often a backup starts anew when its source objects are replaced meanwhile.
const TRIES: u32 = 10;

/// The outcome of a backup.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
pub struct Backup {
    /// Units in the copy.
    pub units: u64,
    /// Objects that were copied.
    pub objects: u64,
    /// Their bytes.
    pub bytes: u64,
    /// Faults of objects, which were not copied for that reason.
    pub faults: Vec<String>,
}

/// Copies a store to another place, or updates an earlier copy. `tell` receives the number of objects copied.
///
/// # Errors
/// When both places are the same, when the other place holds another store or was changed on its own, and when
/// an object cannot be read or written. An object that does not match its SHA-256 is reported and not copied.
pub fn backup<G: StoredGame>(
    from: &mut Store<G>,
    to: Place,
    tell: &mut dyn FnMut(u64),
) -> Result<Backup, StoreError> {
    if from.place().is_same(&to) {
        return Err(StoreError::Other(format!("{} is the store itself: name another place", to.address())));
    }
    let mut copy = Store::<G>::open(to, None)?;
    let mut done = Backup::default();
    for _ in 0..TRIES {
        done.faults.clear();
        match attempt(from, &mut copy, &mut done, tell) {
            Ok(()) => return Ok(done),
            Err(error) => {
                if !from.is_old()? {
                    return Err(error);
                }
            }
        }
    }
    Err(StoreError::Other(format!("{}: other processes keep compacting it", from.place().address())))
}

fn attempt<G: StoredGame>(
    from: &mut Store<G>,
    copy: &mut Store<G>,
    done: &mut Backup,
    tell: &mut dyn FnMut(u64),
) -> Result<(), StoreError> {
    let (place, address) = (Arc::clone(copy.place()), from.place().address().to_owned());
    let mut create = |name: &str, bytes: Bytes, done: &mut Backup| {
        if place.create(name, &bytes)? {
            done.objects += 1;
            done.bytes += bytes.len() as u64;
            tell(done.objects);
        } else if place.read(name)?.is_none_or(|there| there != bytes) {
            let copy = place.address();
            return Err(StoreError::Other(format!(
                "{copy} has another {name} than {address}: it is no copy of it, or was compacted by itself. Name a new place"
            )));
        }
        Ok(())
    };
    // Step 1. Runs, which say how units belong together. The mark of differing machines is not copied: the
    // copy could not be continued.
    for (name, _) in from.place().list(RUNS)? {
        if let Some(bytes) = from.place().read(&name)? {
            create(&name, bytes, done)?;
        }
    }

    // Step 2. Units in small objects, each before its SHA-256. One that is gone is in a newer index than this.
    let units = from.small()?;
    let mut gone = Vec::new();
    for unit in units {
        let name = unit_object(&unit);
        let Some(bytes) = from.place().read(&name)? else {
            gone.push(unit);
            continue;
        };
        let sum = from.place().read(&sum_object(&unit))?;
        if sum.as_ref().is_some_and(|sum| *sum != sum_of(&bytes)) {
            done.faults.push(format!("{name}: its SHA-256 is not the one that was written down"));
            continue;
        }
        create(&name, bytes, done)?;
        if let Some(sum) = sum {
            create(&sum_object(&unit), sum, done)?;
        }
    }

    // Step 3. Large objects of the newest index, and that index last.
    from.refresh()?;
    let index = from.index();
    for unit in gone.iter().filter(|unit| index.get(unit).is_none()) {
        done.faults.push(format!("{}: it was there, and is gone", unit_object(unit)));
    }
    for large in &index.objects {
        for (name, sum) in [(&large.object, &large.sha256), (&large.list, &large.list_sha256)] {
            // The name contains the SHA-256, and objects are created whole.
            if name == &large.object && copy.place().size(name)? == Some(large.bytes) {
                continue;
            }
            match from.place().read(name)? {
                Some(bytes) if Name::of_bytes(&bytes).to_string() == *sum => create(name, bytes, done)?,
                Some(_) => done.faults.push(format!("{name}: its SHA-256 is not the one in the index")),
                None if from.is_old()? => {
                    return Err(StoreError::damaged(name, "it was replaced meanwhile"));
                }
                None => done.faults.push(format!("{name}: it is in the index, but not in the store")),
            }
        }
    }
    if index.generation > 0 {
        let name = crate::names::index_object(index.generation);
        let bytes = from.place().read(&name)?;
        let bytes = bytes.ok_or_else(|| StoreError::damaged(&name, "it was there, and is gone"))?;
        create(&name, bytes, done)?;
    }

    // Step 4. The copy has every unit exactly once.
    let generation = index.generation;
    if !done.faults.is_empty() {
        return Ok(());
    }
    copy.reload()?;
    if copy.index().generation != generation {
        let (address, name) = (copy.place().address(), crate::names::index_object(copy.index().generation));
        return Err(StoreError::Other(format!(
            "{address} has {name}, which is newer: it was compacted by itself. Name a new place"
        )));
    }
    clear_copied(copy)?;
    done.units = copy.units()?.len() as u64;
    Ok(())
}
