//! Public clues about a hidden army from how its men have moved, and sampling an army that fits.
//!
//! Only facts about single men count: which have moved, turned a corner or died, and which flags were shown.
//! The ranks implied by fights are left to players that remember events.

use super::layout::{Layout, SLOTS};
use super::role::Role;
use super::station::{StationKind, slot_kind};
use anglerfish_rules::ChanceOutcome;
use anglerfish_rules::{RngExt, rand_core};

/// A set of slots as bits.
pub(super) type Slots = u32;

/// The possible starting slots of the men of an army, by public knowledge.
///
/// Every slot that may hold a mine may hold a bomb too, and proven engineers are in no other set. So the
/// number of fitting layouts is a sum of products, and sampling is exact.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Clues {
    flag: Slots,
    marshal: Slots,
    mines: Slots,
    bombs: Slots,
    engineers: Slots,
}

const HEADQUARTERS: Slots = 1 << 26 | 1 << 28;
const FRONT: Slots = (1 << 5) - 1;
const LAST_ROWS: Slots = ((1 << 10) - 1) << 20;
const MEN: Slots = {
    let (mut men, mut slot) = (0, 0);
    while slot < SLOTS {
        if !matches!(slot_kind(slot), StationKind::Camp) {
            men |= 1 << slot;
        }
        slot += 1;
    }
    men
};

/// All but flag, mines, bombs and marshal.
const OTHERS: [Role; 8] = [
    Role::Engineer,
    Role::Lieutenant,
    Role::Captain,
    Role::Major,
    Role::Colonel,
    Role::Brigadier,
    Role::MajorGeneral,
    Role::General,
];

impl Clues {
    /// No man has moved.
    pub const NONE: Clues =
        Clues { flag: HEADQUARTERS, marshal: MEN, mines: LAST_ROWS, bombs: MEN & !FRONT, engineers: 0 };

    /// The clues after these men have moved, some of them as engineers. The flag and the marshal are on the
    /// given slots.
    pub(super) const fn new(moved: Slots, engineers: Slots, flag: Slots, marshal: Slots) -> Clues {
        Clues {
            flag: Clues::NONE.flag & flag & !moved,
            marshal: Clues::NONE.marshal & marshal & !engineers,
            mines: Clues::NONE.mines & !moved,
            bombs: Clues::NONE.bombs & !engineers,
            engineers,
        }
    }

    /// Number of fitting layouts.
    ///
    /// ```
    /// use anglerfish_siguo::Clues;
    /// assert_eq!(Clues::NONE.count(), 709_596_419_051_520_000);
    /// ```
    pub fn count(&self) -> u64 {
        let proven = u64::from(self.engineers.count_ones());
        let left = |role: Role| role.count() as u64 - if role == Role::Engineer { proven } else { 0 };
        let men: u64 = OTHERS.into_iter().map(left).sum();
        let orders = OTHERS.into_iter().fold(factorial(men), |n, role| n / factorial(left(role)));
        self.leaders().iter().map(|pair| u64::from(pair.weight)).sum::<u64>() * orders
    }

    /// A fitting layout, each with equal probability.
    ///
    /// # Panics
    /// When none fits.
    pub fn draw(&self, rng: &mut (impl rand_core::Rng + ?Sized)) -> Layout {
        let mut roles = [None; SLOTS];
        // Step 1. Flag and marshal, each pair weighted by its number of completions.
        let (flag, marshal) = rng.pick_weighted(&self.leaders());
        roles[flag] = Some(Role::Flag);
        roles[marshal] = Some(Role::Marshal);
        for slot in slots(self.engineers) {
            roles[slot] = Some(Role::Engineer);
        }
        // Step 2. Mines, then bombs. From here on every choice has the same number of completions.
        for (role, among) in [(Role::Mine, self.mines), (Role::Bomb, self.bombs)] {
            let mut free: Vec<usize> = slots(among).filter(|&slot| roles[slot].is_none()).collect();
            rng.shuffle(&mut free);
            for slot in free.into_iter().take(role.count()) {
                roles[slot] = Some(role);
            }
        }
        // Step 3. All others in any order.
        let proven = self.engineers.count_ones() as usize;
        let mut others: Vec<Role> = OTHERS
            .into_iter()
            .flat_map(|role| std::iter::repeat_n(role, role.count()))
            .skip(proven)
            .collect();
        rng.shuffle(&mut others);
        let free: Vec<usize> = slots(MEN).filter(|&slot| roles[slot].is_none()).collect();
        for (slot, role) in free.into_iter().zip(others) {
            roles[slot] = Some(role);
        }
        Layout::new(roles).expect("every man was put where it may stand")
    }

    /// Slots of flag and marshal, weighted by the ways to choose mines and bombs around them.
    fn leaders(&self) -> Vec<ChanceOutcome<(usize, usize)>> {
        let mut pairs = Vec::new();
        for flag in slots(self.flag) {
            for marshal in slots(self.marshal & !(1 << flag)) {
                let rest = |of: Slots| (of & !(1 << flag | 1 << marshal)).count_ones();
                let weight = choose(rest(self.mines), 3) * choose(rest(self.bombs).saturating_sub(3), 2);
                if weight > 0 {
                    pairs.push(ChanceOutcome { event: (flag, marshal), weight });
                }
            }
        }
        pairs
    }
}

pub(super) fn slots(of: Slots) -> impl Iterator<Item = usize> {
    (0..SLOTS).filter(move |slot| of >> slot & 1 == 1)
}

const fn choose(n: u32, k: u32) -> u32 {
    match k {
        0 => 1,
        _ if n < k => 0,
        _ => n * choose(n - 1, k - 1) / k,
    }
}

fn factorial(n: u64) -> u64 {
    (1..=n).product()
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::Rng;

    use super::*;
    use crate::layout::may_stand;

    /// Counts slot by slot, with a table of the ways for each number of remaining men per role.
    fn counted(may: impl Fn(Role, usize) -> bool) -> u64 {
        let width = Role::ALL.map(|role| role.count() + 1);
        let stride: Vec<usize> = (0..12).map(|i| width[..i].iter().product()).collect();
        let mut ways = vec![0u64; width.iter().product()];
        ways[0] = 1;
        for slot in slots(MEN) {
            let mut next = vec![0; ways.len()];
            for (used, &n) in ways.iter().enumerate().filter(|(_, n)| **n > 0) {
                for role in Role::ALL.into_iter().filter(|&role| may(role, slot)) {
                    let i = role as usize;
                    if used / stride[i] % width[i] < role.count() {
                        next[used + stride[i]] += n;
                    }
                }
            }
            ways = next;
        }
        *ways.last().unwrap()
    }

    #[test]
    fn layouts_are_counted_twice() {
        assert_eq!(Clues::NONE.count(), 709_596_419_051_520_000);
        assert_eq!(counted(may_stand), 709_596_419_051_520_000);
    }

    #[test]
    fn layouts_that_fit_clues_are_counted_twice() {
        let moved: Slots = 0b00_0101_0000_0000_0101_0111_0001_1011 & MEN;
        let (engineers, flag, marshal) =
            (1 << 3 | 1 << 9, 1 << 28, 0b11_0000_0000_0110_0001_0000_0001_0110 & MEN);
        let clues = Clues::new(moved, engineers & moved, flag, marshal);
        let engineers = engineers & moved;
        let may = |role: Role, slot: usize| {
            let on = |set: Slots| set >> slot & 1 == 1;
            may_stand(role, slot)
                && (role.moves() || !on(moved))
                && (role == Role::Engineer || !on(engineers))
                && (role != Role::Flag || on(flag))
                && (role != Role::Marshal || on(marshal))
        };
        assert_eq!(clues.count(), counted(may));
        let mut rng = Rng::new(3);
        for _ in 0..300 {
            let layout = clues.draw(&mut rng);
            assert!(slots(MEN).all(|slot| layout.role(slot).is_some_and(|role| may(role, slot))), "{layout}");
        }
    }

    /// Where the flag is, and whether a mine is beside it: sampling in the wrong order would get this wrong.
    #[test]
    fn draws_are_even() {
        let mut rng = Rng::new(9);
        let n = 40_000;
        let layouts: Vec<Layout> = (0..n).map(|_| Layout::random(&mut rng)).collect();
        let share = |role: Role, slot: usize| {
            layouts.iter().filter(|layout| layout.role(slot) == Some(role)).count() as f64 / f64::from(n)
        };
        // Mines: three of nine. Bombs: two of the sixteen slots left behind the front row. Marshal: one of nineteen.
        let near =
            |found: f64, expected: f64| assert!((found - expected).abs() < 0.01, "{found} for {expected}");
        near(share(Role::Flag, 26), 0.5);
        near(share(Role::Mine, 27), 1.0 / 3.0);
        near(share(Role::Mine, 26), 1.0 / 6.0);
        near(share(Role::Bomb, 10), 2.0 / 16.0);
        near(share(Role::Marshal, 0), 1.0 / 19.0);
        near(share(Role::Marshal, 10), 14.0 / 16.0 / 19.0);
    }
}
