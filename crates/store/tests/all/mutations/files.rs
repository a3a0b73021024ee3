//! Objects with changed bytes are read as they were written, or not at all.

use anglerfish_arena::write_games;
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Rng, RngExt};
use anglerfish_store::{Options, Shuffled, Store, StoreError, StoredGame, compact, read_unit};
use bytes::Bytes;

use super::{Base, Count};
use crate::common::{Folder, all_of_banqi, all_of_heap, all_of_tictactoe};

pub(crate) fn change_all(rng: &mut Rng, count: u64) -> Count {
    let mut found = Count::default();
    change::<Banqi>("banqi", &Base::of(all_of_banqi()), rng, count - count / 4 * 2, &mut found);
    change::<TicTacToe>("tictactoe", &Base::of(all_of_tictactoe()), rng, count / 4, &mut found);
    change::<Heap>("heap", &Base::of(all_of_heap()), rng, count / 4, &mut found);
    found
}

fn change<G: StoredGame>(name: &str, bases: &[Base<G>], rng: &mut Rng, count: u64, found: &mut Count) {
    let folder = Folder::new(&format!("mutations-{name}"));
    let mut store = folder.store::<G>();
    let mut objects = Vec::new();
    for base in bases {
        store.put(&base.unit.text, &base.unit.games).expect("it is kept");
        let path = folder.path().join(format!("units/{}.parquet", base.name));
        objects.push(std::fs::read(path).expect("an object"));
    }
    // Small objects in memory, which is fast.
    for _ in 0..count - count / 50 {
        let n = rng.below(bases.len() as u32) as usize;
        let bytes = changed(&objects[n], &objects[rng.below(objects.len() as u32) as usize], rng);
        let read = read_unit::<G>(&bases[n].name, Bytes::from(bytes));
        judge(&bases[n], read.map(Some), found);
    }
    // Large ones in place, range by range, by units and shuffled.
    compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    let path = folder.files("large").pop().expect("a large object");
    let whole = std::fs::read(&path).expect("an object");
    for _ in 0..count / 50 {
        std::fs::write(&path, changed(&whole, &objects[0], rng)).expect("it is changed");
        let base = &bases[rng.below(bases.len() as u32) as usize];
        judge(base, store.games(&base.name), found);
        read_shuffled(&mut store);
    }
}

fn judge<G: StoredGame>(
    base: &Base<G>,
    read: Result<Option<Vec<anglerfish_rules::Record<G>>>, StoreError>,
    found: &mut Count,
) {
    match read {
        Ok(records) => {
            found.accepted += 1;
            let games = records.map(|records| write_games(&records));
            assert_eq!(games.as_ref(), Some(&base.unit.games), "accepted, and not what was written");
        }
        Err(_) => found.refused += 1,
    }
}

/// Reads until an error. The reader has no digests, but replays every game.
fn read_shuffled<G: StoredGame>(store: &mut Store<G>) {
    let options = Options { window: 100, ..Options::default() };
    let samples = Shuffled::new(store, 1, 0, options, |_| ()).expect("units");
    let mut wrong = false;
    for sample in samples {
        assert!(!wrong, "it ends where something is wrong");
        match sample {
            Ok(sample) => assert!((-1..=1).contains(&sample.result)),
            Err(_) => wrong = true,
        }
    }
}

/// Changes some bytes; half of the time in the footer, which has all offsets and types.
fn changed(object: &[u8], other: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut bytes = object.to_vec();
    for _ in 0..=rng.below(2) {
        let n = bytes.len();
        if n < 16 {
            return bytes;
        }
        let footer = bytes.last_chunk::<8>().map_or(0, |[a, b, c, d, ..]| {
            (n - 8).saturating_sub(u32::from_le_bytes([*a, *b, *c, *d]) as usize)
        });
        let from = if rng.below(2) == 0 { footer } else { 0 };
        let at = from + rng.below((n - from) as u32) as usize;
        let some = 1 + rng.below(64) as usize;
        let end = (at + some).min(n);
        match rng.below(10) {
            0..=2 => bytes[at] ^= 1 << rng.below(8),
            3 => bytes[at] = rng.next_u64() as u8,
            4 => bytes.truncate(at),
            5 => drop(bytes.drain(at..end)),
            6 => {
                let begin = rng.below(other.len() as u32) as usize;
                let part = &other[begin..(begin + some).min(other.len())];
                bytes.splice(at..end, part.iter().copied());
            }
            7 => {
                let part = bytes[at..end].to_vec();
                let to = rng.below(n as u32) as usize;
                bytes.splice(to..to, part);
            }
            // The largest possible numbers, as Thrift writes them: impossible counts and sizes.
            8 => {
                let huge: &[u8] = [
                    &[0xff, 0xff, 0xff, 0xff, 0x07][..],
                    &[0xfe, 0xff, 0xff, 0xff, 0x0f],
                    &[0xfc, 0xff, 0xff, 0x7f],
                ][rng.below(3) as usize];
                let replaced = (at + 1 + rng.below(3) as usize).min(n);
                bytes.splice(at..replaced, huge.iter().copied());
            }
            _ => bytes[at..end].fill(rng.next_u64() as u8),
        }
        // A footer that became longer or shorter is still found.
        if rng.below(2) == 0 && bytes.len() >= 16 && bytes.ends_with(b"PAR1") {
            let n = bytes.len();
            let size = (n - 8).saturating_sub(footer) as u32;
            bytes[n - 8..n - 4].copy_from_slice(&size.to_le_bytes());
        }
    }
    bytes
}
