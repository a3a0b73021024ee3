//! The history that repetitions are found in: the quiet plies since the last capture or flip, one word per ply.
//!
//! A word holds ten bits of step below 54 bits of the key of the position it led to. The first word of a history has no
//! step: the history begins there. [`stood`] and [`cycled`] are the two readings of "repetition"; they work on any
//! slice of words, so that a search can ask them about a line that was not played.

use arrayvec::ArrayVec;

use super::ruleset::{MAX_TRAIL, Repetition};
use super::square::Square;

const STEP: u64 = (1 << 10) - 1;

/// The word for a step and the key of the position it led to.
#[inline]
pub const fn word(from: Square, to: Square, key: u64) -> u64 {
    key & !STEP | (from.index() << 5 | to.index()) as u64
}

/// The word with which a history begins, in a position with this key.
#[inline]
pub const fn origin(key: u64) -> u64 {
    key & !STEP
}

/// Whether two words led to the same position.
#[inline]
pub const fn same_position(a: u64, b: u64) -> bool {
    (a ^ b) & !STEP == 0
}

/// Whether the last position occurred at least `n` times, the last time included.
#[inline]
pub fn stood(entries: &[u64], n: u8) -> bool {
    let [earlier @ .., last] = entries else { return false };
    // With the same side to move: an even number of plies ago.
    let same = |e: &&u64| same_position(**e, *last);
    1 + earlier.iter().rev().skip(1).step_by(2).filter(same).count() >= usize::from(n)
}

/// Whether the last plies are one sequence of even length, played `n` times in a row.
#[inline]
pub fn cycled(entries: &[u64], n: u8) -> bool {
    let n = usize::from(n);
    let plies = entries.len() - 1;
    let step = |back: usize| entries[plies - back] & STEP;
    // The cheap test first: a cycle of k plies begins with the last step standing k plies earlier too.
    (2..=plies / n).step_by(2).any(|k| step(0) == step(k) && (0..k * (n - 1)).all(|i| step(i) == step(i + k)))
}

/// The history of a game in progress.
///
/// It is stored inline: a clone allocates nothing and copies only the used entries. Under rules that do not look
/// back it stays empty.
#[derive(Clone, Debug, Default, Eq, PartialEq, Hash)]
pub(super) struct History {
    entries: ArrayVec<u64, { MAX_TRAIL as usize + 1 }>,
    /// One bit for each entry, by six bits of its key: most new positions are seen to be new without a search. One word
    /// for each side to move, so that they fill slowly.
    seen: [u64; 2],
    /// Whether the bit of the last entry had been set before.
    maybe_again: bool,
}

impl History {
    #[inline]
    pub(super) fn restart(&mut self, key: u64) {
        self.entries.clear();
        self.entries.push(origin(key));
        self.seen = [1 << (key >> 58), 0];
        self.maybe_again = false;
    }

    #[inline]
    pub(super) fn push(&mut self, word: u64) {
        let seen = &mut self.seen[self.entries.len() & 1];
        self.maybe_again = *seen >> (word >> 58) & 1 == 1;
        *seen |= 1 << (word >> 58);
        self.entries.push(word);
    }

    /// Goes on from these words.
    pub(super) fn resume(&mut self, words: &[u64]) {
        let [first, steps @ ..] = words else { return };
        self.restart(*first);
        for &step in steps.iter().take(MAX_TRAIL as usize) {
            self.push(step);
        }
    }

    #[inline]
    pub(super) fn entries(&self) -> &[u64] {
        &self.entries
    }

    pub(super) fn steps(&self) -> impl Iterator<Item = (Square, Square)> {
        let square = |bits: u64| Square::new((bits & 31) as u8);
        self.entries.iter().skip(1).map(move |e| (square(e >> 5), square(*e)))
    }

    /// Whether the game is drawn by repetition.
    #[inline]
    pub(super) fn repeated(&self, rule: Repetition) -> bool {
        match rule {
            Repetition::None => false,
            Repetition::Position(n) => self.maybe_again && stood(&self.entries, n),
            Repetition::Cycle(n) => cycled(&self.entries, n),
        }
    }
}
