//! Fills a store with units from elsewhere, which several threads read and encode.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock};

use anglerfish_arena::{Name, write_games};
use anglerfish_rules::Record;

use crate::error::StoreError;
use crate::store::{Fresh, Store, TRIES};
use crate::stored_game::StoredGame;

/// The outcome of filling a store.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Filled {
    /// Units that are new.
    pub units: u64,
    /// Their games.
    pub games: u64,
    /// Units that were there already.
    pub there: u64,
    /// Their games.
    pub there_games: u64,
}

/// The text of a unit and its games.
pub type Played<G> = (String, Vec<Record<G>>);

/// Puts units on this many threads, each as by [`Store::put`]. `read` turns each of `parts` into the text of
/// a unit and its games, so memory holds one part per thread. `tell` receives the counts so far.
///
/// # Errors
/// The first error of `parts`, `read` or the store. Units that were put before stay.
pub fn fill<G: StoredGame, T: Send, E: From<StoreError> + Send>(
    store: &mut Store<G>,
    threads: usize,
    parts: &mut (dyn Iterator<Item = Result<T, E>> + Send),
    read: &(dyn Fn(T) -> Result<Played<G>, E> + Sync),
    tell: &mut (dyn FnMut(Filled) + Send),
) -> Result<Filled, E> {
    let (parts, store) = (Mutex::new(parts), RwLock::new(store));
    let (stop, failed) = (AtomicBool::new(false), Mutex::new(None));
    let state = Mutex::new((Filled::default(), tell));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let one = |part: Result<T, E>| -> Result<(), E> {
        let (text, records) = read(part?)?;
        let digest = Name::of(&write_games(&records));
        let new = put(&store, &Fresh::new(&text, &records, digest)?)?;
        let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
        let (filled, tell) = &mut *state;
        let (units, games) = if new {
            (&mut filled.units, &mut filled.games)
        } else {
            (&mut filled.there, &mut filled.there_games)
        };
        *units += 1;
        *games += records.len() as u64;
        tell(*filled);
        Ok(())
    };
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            scope.spawn(|| {
                while !stop.load(Ordering::Relaxed) {
                    let Some(part) = next() else { return };
                    if let Err(error) = one(part) {
                        stop.store(true, Ordering::Relaxed);
                        failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                    }
                }
            });
        }
    });
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(state.into_inner().unwrap_or_else(PoisonError::into_inner).0),
    }
}

/// Puts one unit; whether it was new.
fn put<G: StoredGame>(store: &RwLock<&mut Store<G>>, fresh: &Fresh<'_, G>) -> Result<bool, StoreError> {
    for _ in 0..TRIES {
        if store.read().unwrap_or_else(PoisonError::into_inner).is_old()? {
            store.write().unwrap_or_else(PoisonError::into_inner).refresh()?;
        }
        let store = store.read().unwrap_or_else(PoisonError::into_inner);
        if let Some(new) = store.keep(fresh)? {
            return Ok(new);
        }
    }
    Err(fresh.neither())
}
