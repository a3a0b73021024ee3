//! The possible roles of every man of an army, narrowed by the number of men of each role.

use super::layout::{Layout, SLOTS, may_stand};
use super::role::{Role, Roles};
use super::table::men;

/// Number of sets of roles.
const SETS: usize = 1 << Role::ALL.len();

/// By set of roles: how many men of an army have one of these roles.
const CAPACITY: [u8; SETS] = {
    let (mut capacity, mut set) = ([0; SETS], 0);
    while set < SETS {
        let mut role = 0;
        while role < Role::ALL.len() {
            if set >> role & 1 == 1 {
                capacity[set] += Role::ALL[role].count() as u8;
            }
            role += 1;
        }
        set += 1;
    }
    capacity
};

/// The possible roles of each man of an army, by its starting slot. Camps have none.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Candidates([Roles; SLOTS]);

impl Candidates {
    /// No knowledge beyond the legal starting slots.
    pub fn any() -> Candidates {
        let may = |slot: usize| Role::ALL.into_iter().filter(move |&role| may_stand(role, slot)).collect();
        Candidates(std::array::from_fn(may))
    }

    /// Full knowledge.
    pub fn of(layout: &Layout) -> Candidates {
        Candidates(std::array::from_fn(|slot| layout.role(slot).into_iter().collect()))
    }

    /// The possible roles of the man of a slot.
    #[inline]
    pub const fn roles(&self, slot: usize) -> Roles {
        self.0[slot]
    }

    /// Whether the army fits.
    pub fn admit(&self, layout: &Layout) -> bool {
        men().all(|slot| layout.role(slot).is_some_and(|role| self.0[slot].contains(role)))
    }

    /// Restricts the man of a slot to these roles; whether that is new.
    #[inline]
    pub fn keep(&mut self, slot: usize, roles: Roles) -> bool {
        let before = self.0[slot];
        self.0[slot] = before.and(roles);
        self.0[slot] != before
    }

    /// A copy with these roles for the man of a slot.
    #[must_use]
    pub const fn with(mut self, slot: usize, roles: Roles) -> Candidates {
        self.0[slot] = roles;
        self
    }

    /// Drops every role that no complete army can have there, given the number of men of each role; whether there
    /// were any.
    ///
    /// If some roles are all needed for the men confined to them, no other man has these roles. That is complete:
    /// Hall's theorem, as in Régin (1996), "Generalized arc consistency for global cardinality constraint".
    pub fn narrow(&mut self) -> bool {
        let mut narrowed = false;
        loop {
            // Step 1. By set of roles: how many men are confined to it.
            let mut confined = [0_u8; SETS];
            for slot in men() {
                confined[self.0[slot].index()] += 1;
            }
            for bit in 0..Role::ALL.len() {
                for half in confined.chunks_exact_mut(2 << bit) {
                    let (without, with) = half.split_at_mut(1 << bit);
                    with.iter_mut().zip(without).for_each(|(more, less)| *more += *less);
                }
            }
            // Step 2. If that is the number of men with these roles, no other man has them.
            let mut changed = false;
            for taken in (1..SETS).filter(|&set| confined[set] == CAPACITY[set]).map(Roles::from_index) {
                for slot in men() {
                    if !self.0[slot].without(taken).is_empty() {
                        changed |= self.keep(slot, Roles::ALL.without(taken));
                    }
                }
            }
            narrowed |= changed;
            if !changed {
                return narrowed;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::{Rng, RngExt};

    /// Exactly the roles that no army has are dropped. The test counts armies, one role of one slot at a time.
    #[test]
    fn a_role_is_dropped_exactly_if_no_army_has_it() {
        let mut rng = Rng::new(2);
        let mut dropped = 0;
        for _ in 0..20 {
            // Sets that fit some army, and are small enough for the counts to matter.
            let truth = Layout::random(&mut rng);
            let mut wide = Candidates::any();
            for slot in men() {
                let more = (0..rng.below(4)).map(|_| rng.pick(&Role::ALL));
                wide.keep(slot, truth.role(slot).into_iter().chain(more).collect());
            }
            let mut narrow = wide;
            narrow.narrow();
            assert!(narrow.admit(&truth));
            for slot in men() {
                for role in wide.roles(slot).iter() {
                    let mut only = wide;
                    only.keep(slot, Roles::only(role));
                    let possible = only.ways().count() > 0;
                    assert_eq!(narrow.roles(slot).contains(role), possible, "{role:?} on {slot}");
                    dropped += u32::from(!possible);
                }
            }
        }
        assert!(dropped > 30, "{dropped}");
    }
}
