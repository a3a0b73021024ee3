//! Records with changed bytes or words.

use anglerfish_arena::{read_games, write_games};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Rng, RngExt};
use anglerfish_store::{StoredGame, decode, encode};

use super::{Base, Count, is_legal};
use crate::common::{all_of_banqi, all_of_heap, all_of_tictactoe};

pub(crate) fn change_all(rng: &mut Rng, count: u64) -> Count {
    let mut found = Count::default();
    change::<Banqi>(&Base::of(all_of_banqi()), rng, count - count / 4 * 2, &mut found);
    change::<TicTacToe>(&Base::of(all_of_tictactoe()), rng, count / 4, &mut found);
    change::<Heap>(&Base::of(all_of_heap()), rng, count / 4, &mut found);
    found
}

fn change<G: StoredGame>(bases: &[Base<G>], rng: &mut Rng, count: u64, found: &mut Count) {
    let words: Vec<&str> = bases.iter().flat_map(|base| base.unit.games.split_whitespace()).collect();
    for _ in 0..count {
        let base = &bases[rng.below(bases.len() as u32) as usize];
        let mut text = base.unit.games.clone();
        for _ in 0..=rng.below(3) {
            text = if rng.below(2) == 0 { by_bytes(&text, rng) } else { by_words(&text, &words, rng) };
        }
        // The way of a store: read, turned into rows, and read back.
        let kept = read_games::<G>(&text).ok().and_then(|records| {
            let batch = encode("unit", &base.origin, &records);
            let back = decode::<G>("unit", &base.origin, &batch).ok()?;
            (write_games(&back) == write_games(&records)).then_some(back)
        });
        match kept {
            Some(records) => {
                found.accepted += 1;
                assert!(records.iter().all(is_legal), "accepted, and not legal:\n{text}");
            }
            None => found.refused += 1,
        }
    }
}

fn by_bytes(text: &str, rng: &mut Rng) -> String {
    let mut bytes = text.as_bytes().to_vec();
    let n = bytes.len() as u32;
    if n == 0 {
        return String::new();
    }
    let at = rng.below(n) as usize;
    let some = (1 + rng.below(30)) as usize;
    match rng.below(5) {
        0 => bytes[at] ^= 1 << rng.below(7),
        1 => bytes[at] = b' ' + rng.below(95) as u8,
        2 => drop(bytes.drain(at..(at + some).min(n as usize))),
        3 => {
            let part = bytes[at..(at + some).min(n as usize)].to_vec();
            let to = rng.below(n) as usize;
            bytes.splice(to..to, part);
        }
        _ => bytes.truncate(at),
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn by_words(text: &str, pool: &[&str], rng: &mut Rng) -> String {
    let mut words: Vec<&str> = text.split(' ').collect();
    let (a, b) = (rng.below(words.len() as u32) as usize, rng.below(words.len() as u32) as usize);
    match rng.below(4) {
        0 => words.swap(a, b),
        1 => words[a] = rng.pick(pool),
        2 => drop(words.remove(a)),
        _ => words.insert(a, words[b]),
    }
    words.join(" ")
}
