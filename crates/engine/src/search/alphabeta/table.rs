//! The transposition table: search results by position, shared by all threads without a lock.
//!
//! An entry is two words, the second mixed into the first, so that words of two writers never pass for one entry (Hyatt and
//! Mann 2002, "A lock-less transposition-table implementation for parallel search").
//!
//! A key does not say how a position was reached, though by repetition its score may depend on that: the graph history
//! interaction (Campbell 1985, "The graph-history interaction: on ignoring position history"). Where a score is known to depend on
//! it, it is not stored, or the table is not read. The errors that remain with `repetition=first` are accepted.

use std::sync::atomic::{AtomicU64, Ordering};

use anglerfish_rules::banqi::{Action, Square};

use crate::parameters;
use crate::score::Score;

/// The relation of the true score to the stored one.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Bound {
    /// It is at most this.
    Upper = 1,
    /// It is at least this.
    Lower = 2,
    /// It is this.
    Exact = 3,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) struct Entry {
    pub(super) score: Score,
    pub(super) depth: i32,
    pub(super) bound: Bound,
    pub(super) action: Option<Action>,
    /// The static evaluation; meaningless outside its range.
    pub(super) eval: Score,
}

/// An action in ten bits: a flip goes from a square to itself.
pub(super) fn pack(action: Action) -> u16 {
    match action {
        Action::Flip(at) => (at.index() << 5 | at.index()) as u16,
        Action::Move { from, to } => (from.index() << 5 | to.index()) as u16,
    }
}

fn unpack(bits: u16) -> Action {
    let square = |bits: u16| Square::new((bits & 31) as u8);
    let (from, to) = (square(bits >> 5), square(bits));
    if from == to { Action::Flip(from) } else { Action::Move { from, to } }
}

const NO_ACTION: u16 = 0xFFFF;
const WAYS: usize = 4;

/// The entries that a key may be found among: one cache line, so that a look costs one miss.
#[derive(Default)]
#[repr(align(64))]
struct Bucket([[AtomicU64; 2]; WAYS]);

impl Clone for Bucket {
    fn clone(&self) -> Bucket {
        let word = |word: &AtomicU64| AtomicU64::new(word.load(Ordering::Relaxed));
        Bucket(std::array::from_fn(|way| std::array::from_fn(|half| word(&self.0[way][half]))))
    }
}

/// A table of a fixed size.
#[derive(Clone)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
    generation: u8,
}

impl Table {
    pub(super) fn new(kib: u32) -> Table {
        // A power of two, so that a mask finds the bucket.
        let buckets = 1 << (kib as usize * (1 << 10) / size_of::<Bucket>()).max(1).ilog2();
        Table { buckets: std::iter::repeat_with(Bucket::default).take(buckets).collect(), generation: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        if self.generation == 0 {
            return;
        }
        for [check, data] in self.buckets.iter_mut().flat_map(|bucket| &mut bucket.0) {
            *check.get_mut() = 0;
            *data.get_mut() = 0;
        }
        self.generation = 0;
    }

    /// A new search begins: what is older gives way first. Generation 0 is that of a table never used.
    pub(super) fn age(&mut self) {
        self.generation = self.generation % 63 + 1;
    }

    #[inline]
    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]; WAYS] {
        &self.buckets[(key >> 9) as usize & (self.buckets.len() - 1)].0
    }

    #[inline]
    pub(super) fn probe(&self, key: u64) -> Option<Entry> {
        self.bucket(key).iter().find_map(|[check, data]| {
            let data = data.load(Ordering::Relaxed);
            let bound = match data >> 24 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => return None,
            };
            (check.load(Ordering::Relaxed) ^ data == key).then(|| {
                let action = (data >> 32) as u16;
                Entry {
                    score: Score::from(data as u16 as i16),
                    depth: i32::from((data >> 16) as u8),
                    bound,
                    action: (action != NO_ACTION).then(|| unpack(action)),
                    eval: Score::from((data >> 48) as u16 as i16),
                }
            })
        })
    }

    #[inline]
    pub(super) fn store(&self, key: u64, entry: Entry) {
        let action = entry.action.map_or(NO_ACTION, pack);
        let word = u64::from(entry.score as i16 as u16)
            | u64::from(entry.depth.clamp(0, 255) as u8) << 16
            | (entry.bound as u64) << 24
            | u64::from(self.generation) << 26
            | u64::from(action) << 32
            | u64::from(entry.eval as i16 as u16) << 48;
        // The same position, or else the slot that is least missed: old before new, shallow before deep.
        let missed = |data: u64| {
            let age = (63 + self.generation - (data >> 26 & 63) as u8) % 63;
            let depth = (data >> 16 & 255) as i32;
            match data >> 24 & 3 {
                0 => i32::MIN,
                _ => depth - parameters::TABLE_AGE * i32::from(age),
            }
        };
        let mut best: Option<(&[AtomicU64; 2], i32)> = None;
        for slot in self.bucket(key) {
            let data = slot[1].load(Ordering::Relaxed);
            let worth = if slot[0].load(Ordering::Relaxed) ^ data == key { i32::MIN } else { missed(data) };
            if best.is_none_or(|(_, least)| worth < least) {
                best = Some((slot, worth));
            }
        }
        if let Some(([check, data], _)) = best {
            check.store(key ^ word, Ordering::Relaxed);
            data.store(word, Ordering::Relaxed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_come_back() {
        let table = Table::new(1 << 10);
        let entry = Entry {
            score: -9_999,
            depth: 17,
            bound: Bound::Lower,
            action: Some(Action::Flip(Square::new(31))),
            eval: 4_321,
        };
        assert_eq!(table.probe(77), None);
        table.store(77, entry);
        assert_eq!(table.probe(77), Some(entry));
        let step = Action::Move { from: Square::new(0), to: Square::new(4) };
        let other = Entry { action: Some(step), score: 10_000, bound: Bound::Exact, ..entry };
        table.store(77, other);
        assert_eq!(table.probe(77), Some(other));
        assert_eq!(table.probe(78), None);
    }

    #[test]
    fn a_bucket_is_one_cache_line() {
        let table = Table::new(1 << 10);
        assert_eq!(table.buckets.len() * 64, 1 << 20);
        for key in [0, 1 << 9, u64::MAX] {
            let place = std::ptr::from_ref(table.bucket(key));
            assert_eq!((place.addr() % 64, size_of_val(table.bucket(key))), (0, 64));
        }
    }

    #[test]
    fn a_full_bucket_keeps_the_deep() {
        let table = Table::new(1 << 10);
        let entry = |depth| Entry { score: 1, depth, bound: Bound::Exact, action: None, eval: 0 };
        for i in 0..5u64 {
            table.store(i + 1, entry(10 - i as i32));
        }
        assert!(table.probe(1).is_some(), "the deepest stays");
        assert!(table.probe(5).is_some(), "the newest is stored");
        assert!(table.probe(4).is_none(), "the shallowest has gone");
    }
}
