//! A cache of open large objects, so that reading unit after unit does not read their lists each time.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use anglerfish_arena::Name;

use crate::error::{Damage, StoreError};
use crate::index::{Known, Large, read_list};
use crate::object::Object;
use crate::place::Place;
use crate::ranges::Ranges;
use crate::small::Rows;

/// How many are kept open; each takes megabytes.
const MOST: usize = 64;

/// A large object and the texts of its units.
struct Open {
    object: Object<Ranges>,
    texts: BTreeMap<Name, String>,
}

/// Large objects by name.
#[derive(Default)]
pub(crate) struct Opened(Mutex<Cache>);

/// Each with the number of its last use.
#[derive(Default)]
struct Cache {
    uses: u64,
    all: BTreeMap<String, (u64, Arc<Open>)>,
}

impl Cache {
    fn get(&mut self, name: &str) -> Option<Arc<Open>> {
        self.uses += 1;
        let (used, open) = self.all.get_mut(name)?;
        *used = self.uses;
        Some(Arc::clone(open))
    }

    /// Adds an object; a full cache drops the least recently used one.
    fn put(&mut self, name: &str, open: Arc<Open>) {
        let oldest = self.all.iter().min_by_key(|(_, (used, _))| *used).map(|(name, _)| name.clone());
        if let Some(oldest) = oldest.filter(|_| self.all.len() >= MOST) {
            self.all.remove(&oldest);
        }
        self.all.insert(name.to_owned(), (self.uses, open));
    }
}

impl Opened {
    /// The rows of a unit in a large object.
    pub(crate) fn rows(
        &self,
        place: &Arc<Place>,
        large: &Large,
        unit: &Name,
        known: &Known,
    ) -> Result<Rows, StoreError> {
        let damaged = |what: Damage| StoreError::damaged(large.object.clone(), what);
        let open = self.open(place, large)?;
        let batch = open.object.read(known.row as usize, known.games as usize, None).map_err(damaged)?;
        let text =
            open.texts.get(unit).cloned().ok_or_else(|| damaged(format!("its list has no {unit}").into()))?;
        Ok(Rows { text, digest: known.digest, batch })
    }

    fn open(&self, place: &Arc<Place>, large: &Large) -> Result<Arc<Open>, StoreError> {
        let cache = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = cache().get(&large.object) {
            return Ok(open);
        }
        let gone = |name: &str| StoreError::damaged(name, "it is in the index, but not in the store");
        let list = place.read(&large.list)?.ok_or_else(|| gone(&large.list))?;
        let texts = read_list(large, list)?.into_iter().map(|listed| (listed.unit, listed.text)).collect();
        let object = Object::open(Ranges::new(place, &large.object, large.bytes));
        let object = object.map_err(|what| StoreError::damaged(large.object.clone(), what))?;
        let open = Arc::new(Open { object, texts });
        cache().put(&large.object, Arc::clone(&open));
        Ok(open)
    }
}
