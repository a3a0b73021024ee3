//! The source of games: units one after another from any object, some of them fetched at the same time.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use anglerfish_arena::Name;
use arrow_array::RecordBatch;
use bytes::Bytes;

use crate::error::StoreError;
use crate::index::Known;
use crate::names::unit_object;
use crate::object::Object;
use crate::place::Request;
use crate::ranges::{Fetched, Ranges};
use crate::small::open_small;
use crate::store::Store;
use crate::stored_game::StoredGame;

/// The columns for replaying positions.
const PLAYED: &[&str] = &["rules", "start", "opening", "plies", "events", "result", "value"];

/// The columns for counting positions.
const COUNTED: &[&str] = &["opening", "plies", "result"];

/// Rows that are unpacked at once: a unit may have any number of them.
const ROWS: usize = 1024;

/// Units fetched at the same time, and roughly how many games in large objects they have together.
const UNITS: usize = 64;
const GAMES: usize = 8192;

/// Bytes of large objects' metadata that may be cached.
const REMEMBERED: usize = 256 << 20;

/// A place in the order of an epoch.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Start {
    pub(super) unit: usize,
    pub(super) row: usize,
}

/// Units in an order.
pub(super) struct Source<G> {
    store: Store<G>,
    order: Vec<Name>,
    /// The unit to fetch next.
    next: usize,
    /// Rows of that unit to skip.
    from: usize,
    columns: &'static [&'static str],
    ready: VecDeque<Piece>,
    opened: BTreeMap<String, Opened>,
    clock: u64,
}

/// Rows of one unit that are yet to be unpacked.
struct Piece {
    unit: usize,
    /// The number of the first of these rows in the unit.
    game: usize,
    /// Its number in the object.
    row: usize,
    rows: usize,
    object: Holder,
}

enum Holder {
    Small(Object<Bytes>),
    Large(Object<Fetched>),
}

struct Opened {
    object: Arc<Object<Ranges>>,
    used: u64,
    bytes: usize,
}

/// Rows of a unit.
pub(super) struct Part {
    pub(super) start: Start,
    pub(super) name: Name,
    pub(super) batch: RecordBatch,
}

impl<G: StoredGame> Source<G> {
    pub(super) fn new(store: Store<G>, order: Vec<Name>) -> Source<G> {
        let (ready, opened) = (VecDeque::new(), BTreeMap::new());
        Source { store, order, next: 0, from: 0, columns: PLAYED, ready, opened, clock: 0 }
    }

    /// Whether to read only the columns for counting.
    pub(super) fn count_only(&mut self, only: bool) {
        self.columns = if only { COUNTED } else { PLAYED };
    }

    /// Continues from there.
    pub(super) fn go_to(&mut self, start: Start) {
        self.ready.clear();
        (self.next, self.from) = (start.unit, start.row);
    }

    /// The next rows; `None` at the end.
    pub(super) fn part(&mut self) -> Result<Option<Part>, StoreError> {
        if self.ready.is_empty() {
            self.fetch()?;
        }
        let Some(piece) = self.ready.front_mut() else { return Ok(None) };
        let (rows, name) = (piece.rows.min(ROWS), self.order[piece.unit]);
        let start = Start { unit: piece.unit, row: piece.game };
        let batch = match &piece.object {
            Holder::Small(object) => object.read(piece.row, rows, Some(self.columns)),
            Holder::Large(object) => object.read(piece.row, rows, Some(self.columns)),
        };
        let batch = batch.map_err(|what| StoreError::damaged(format!("unit {name}"), what))?;
        (piece.game, piece.row, piece.rows) = (piece.game + rows, piece.row + rows, piece.rows - rows);
        if piece.rows == 0 {
            self.ready.pop_front();
        }
        Ok(Some(Part { start, name, batch }))
    }

    /// Fetches the next units. Units that a compaction moves meanwhile are looked up again.
    fn fetch(&mut self) -> Result<(), StoreError> {
        if self.next == self.order.len() {
            return Ok(());
        }
        loop {
            let generation = self.store.index().generation;
            let (next, from) = (self.next, self.from);
            let error = match self.try_fetch() {
                Ok(None) => return Ok(()),
                Ok(Some(unit)) => StoreError::damaged(unit_object(&unit), "it was there, and is gone"),
                Err(error) => error,
            };
            self.store.refresh()?;
            if self.store.index().generation == generation {
                return Err(error);
            }
            self.opened.clear();
            self.go_to(Start { unit: next, row: from });
        }
    }

    /// One attempt; returns a unit that was not in its expected place, if there is one.
    fn try_fetch(&mut self) -> Result<Option<Name>, StoreError> {
        let (mut units, mut requests, mut games) = (Vec::new(), Vec::new(), 0);
        while self.next < self.order.len() && units.len() < UNITS && games < GAMES {
            let (name, from) = (self.order[self.next], self.from);
            match self.store.index().get(&name).copied() {
                None => {
                    requests.push(Request { name: unit_object(&name), parts: None });
                    units.push((self.next, from, usize::MAX, None));
                    (self.next, self.from) = (self.next + 1, 0);
                    // The number of its games is not known yet.
                    games += GAMES / 16;
                }
                Some(known) => {
                    // A part of a unit with very many games.
                    let rows = (known.games as usize).saturating_sub(from).min(GAMES);
                    let object = self.open(&known)?;
                    let parts = object.ranges(known.row as usize + from, rows, Some(self.columns));
                    let name = self.store.index().objects[known.object as usize].object.clone();
                    requests.push(Request { name, parts: Some(parts) });
                    units.push((self.next, from, rows, Some((known, object))));
                    games += rows;
                    let ends = from + rows == known.games as usize;
                    (self.next, self.from) = if ends { (self.next + 1, 0) } else { (self.next, from + rows) };
                }
            }
        }
        let fetched = self.store.place().fetch(&requests)?;
        for (((unit, game, rows, known), request), bytes) in units.into_iter().zip(requests).zip(fetched) {
            let name = self.order[unit];
            let Some(mut bytes) = bytes else { return Ok(Some(name)) };
            let piece = match known {
                Some((known, object)) => {
                    let len = self.store.index().objects[known.object as usize].bytes;
                    let fetched = Fetched::new(&request.parts.unwrap_or_default(), bytes, len);
                    let row = known.row as usize + game;
                    Piece { unit, game, row, rows, object: Holder::Large(object.by(fetched)) }
                }
                None => {
                    let (object, _) = open_small(&name, bytes.pop().unwrap_or_default())?;
                    let rows = object.rows().saturating_sub(game);
                    Piece { unit, game, row: game, rows, object: Holder::Small(object) }
                }
            };
            if piece.rows > 0 {
                self.ready.push_back(piece);
            }
        }
        Ok(None)
    }

    /// The metadata of a large object, which is read once.
    fn open(&mut self, known: &Known) -> Result<Arc<Object<Ranges>>, StoreError> {
        self.clock += 1;
        let large = &self.store.index().objects[known.object as usize];
        if let Some(opened) = self.opened.get_mut(&large.object) {
            opened.used = self.clock;
            return Ok(Arc::clone(&opened.object));
        }
        let ranges = Ranges::new(self.store.place(), &large.object, large.bytes);
        let object = Object::open(ranges).map_err(|what| StoreError::damaged(large.object.clone(), what))?;
        let (bytes, object) = (object.metadata().memory_size(), Arc::new(object));
        let opened = Opened { object: Arc::clone(&object), used: self.clock, bytes };
        self.opened.insert(large.object.clone(), opened);
        while self.opened.len() > 1 && self.opened.values().map(|o| o.bytes).sum::<usize>() > REMEMBERED {
            let oldest = self.opened.iter().min_by_key(|(_, opened)| opened.used);
            let Some(name) = oldest.map(|(name, _)| name.clone()) else { break };
            self.opened.remove(&name);
        }
        Ok(object)
    }
}
