//! Random numbers: what any generator of `rand_core` can draw here, and our own, xoshiro256++ in labeled streams.
//!
//! A seed and a label name a stream, so that the deal does not change when an engine draws one number more.
//! The algorithm, the seeding and the way labels are mixed in are fixed for ever: recorded seeds depend on them.

use std::convert::Infallible;

use rand_core::{Rng as _, SeedableRng, TryRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::game::ChanceOutcome;

/// A stream of random numbers. Equal seed and label, equal stream, on every machine.
///
/// Functions that draw at random take any generator of [`rand_core`], and this is one of them.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Rng(Xoshiro256PlusPlus);

impl Rng {
    /// The unlabelled stream of `seed`.
    pub fn new(seed: u64) -> Rng {
        Rng(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// The stream of `seed` for one purpose: `deal`, `opening`, `engine:0`, `thread:3`.
    pub fn stream(seed: u64, label: &str) -> Rng {
        // FNV-1a over the label, then SplitMix64's finaliser so that near labels and near seeds part.
        let hash = label.bytes().fold(0xCBF2_9CE4_8422_2325u64, |h, byte| {
            (h ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
        });
        Rng::new(mix(seed ^ mix(hash)))
    }

    /// 64 random bits.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.0.next_u64()
    }
}

impl TryRng for Rng {
    type Error = Infallible;

    #[inline]
    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        self.0.try_next_u32()
    }

    #[inline]
    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        self.0.try_next_u64()
    }

    #[inline]
    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        self.0.try_fill_bytes(bytes)
    }
}

/// Draws from a generator. The same numbers give the same draws with every generator.
pub trait RngExt: rand_core::Rng {
    /// A number in `0..n`, uniform up to a bias below n / 2^64.
    ///
    /// # Panics
    /// When `n` is zero (in debug builds).
    #[inline]
    fn below(&mut self, n: u32) -> u32 {
        debug_assert!(n > 0, "nothing to choose from");
        ((u128::from(self.next_u64()) * u128::from(n)) >> 64) as u32
    }

    /// A random item of a slice, each equally likely.
    ///
    /// # Panics
    /// When the slice is empty.
    #[inline]
    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len() as u32) as usize]
    }

    /// A random event, each as likely as its weight.
    ///
    /// # Panics
    /// When there is nothing to pick from.
    fn pick_weighted<E: Copy>(&mut self, chances: &[ChanceOutcome<E>]) -> E {
        let mut n = self.below(chances.iter().map(|c| c.weight).sum());
        for chance in chances {
            if n < chance.weight {
                return chance.event;
            }
            n -= chance.weight;
        }
        unreachable!("below() is less than the sum of the weights")
    }

    /// Puts a slice into a random order (Fisher-Yates).
    fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i as u32 + 1) as usize);
        }
    }
}

impl<R: rand_core::Rng + ?Sized> RngExt for R {}

/// `SplitMix64`'s finaliser: a bijection that spreads every input bit over the output.
pub(crate) const fn mix(seed: u64) -> u64 {
    let mut z = seed.wrapping_add(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::banqi::{Banqi, Board, Layout, RuleSet};
    use crate::game::Game;

    /// Recorded seeds must mean the same thing for ever.
    #[test]
    fn streams_are_frozen() {
        let first = |mut rng: Rng| [rng.next_u64(), rng.next_u64()];
        assert_eq!(first(Rng::new(0)), [5_987_356_902_031_041_503, 7_051_070_477_665_621_255]);
        assert_eq!(first(Rng::stream(1, "deal")), [13_656_567_921_811_251_724, 2_504_468_125_869_945_572]);
        assert_ne!(Rng::stream(1, "deal"), Rng::stream(1, "engine:0"));
        assert_ne!(Rng::stream(1, "deal"), Rng::stream(2, "deal"));
    }

    /// Another generator with the same numbers gives the same draws, also as a trait object.
    #[test]
    fn any_generator_will_do() {
        let mut bare = Xoshiro256PlusPlus::seed_from_u64(7);
        let other: &mut dyn rand_core::Rng = &mut bare;
        let mut own = Rng::new(7);
        assert_eq!(Layout::shuffled(Board::Full, other), Layout::shuffled(Board::Full, &mut own));
        let [mut one, mut two] = [(); 2].map(|()| Banqi::deal(&RuleSet::PLATFORM, &mut own));
        assert_eq!(one.random_playout(other), two.random_playout(&mut own));
        assert_eq!(one, two);
    }

    #[test]
    fn below_is_uniform() {
        let mut rng = Rng::new(7);
        let mut counts = [0u32; 7];
        for _ in 0..70_000 {
            counts[rng.below(7) as usize] += 1;
        }
        let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 10_000.0).powi(2) / 10_000.0).sum();
        assert!(chi < 22.5, "chi-square {chi} with 6 degrees of freedom is past the 0.1 % point");
    }

    #[test]
    fn weights_decide() {
        let chances = [ChanceOutcome { event: 'a', weight: 1 }, ChanceOutcome { event: 'b', weight: 3 }];
        let mut rng = Rng::new(1);
        let hits = (0..40_000).filter(|_| rng.pick_weighted(&chances) == 'b').count();
        assert!((29_600..30_400).contains(&hits), "{hits} of 40,000 at weight 3 of 4");
    }
}
