//! Counts the armies that fit [`Candidates`], and samples one of them uniformly.
//!
//! Men with the same candidates form a group, and roles are dealt to groups one after another. For the
//! remaining roles only the number of unassigned men in each group matters.

use std::collections::BTreeMap;

use super::candidates::Candidates;
use super::layout::{Layout, SLOTS};
use super::role::{Role, Roles};
use super::table::men;
use anglerfish_rules::{Rng, RngExt};

/// All armies that fit some candidates, counted once for sampling.
#[derive(Clone, Debug)]
pub struct Ways {
    groups: Vec<Group>,
    /// The number of completions, by role and by unassigned men of each group.
    ahead: BTreeMap<(usize, Free), u64>,
    all: Free,
}

#[derive(Clone, Debug)]
struct Group {
    roles: Roles,
    slots: Vec<usize>,
}

/// Five bits for each group: how many of its men have no role yet.
type Free = u128;

/// One way of giving the men of a role to groups: how many each gets, and the number of ways to choose them.
struct Share {
    given: Vec<(usize, usize)>,
    ways: u64,
    left: Free,
}

impl Candidates {
    /// Counts the fitting armies.
    pub fn ways(&self) -> Ways {
        let mut groups: Vec<Group> = Vec::new();
        for slot in men() {
            match groups.iter_mut().find(|group| group.roles == self.roles(slot)) {
                Some(group) => group.slots.push(slot),
                None => groups.push(Group { roles: self.roles(slot), slots: vec![slot] }),
            }
        }
        let all = groups.iter().enumerate().map(|(i, group)| (group.slots.len() as Free) << (5 * i)).sum();
        let mut ways = Ways { groups, ahead: BTreeMap::new(), all };
        ways.count_from(0, all);
        ways
    }
}

impl Ways {
    /// Number of fitting armies.
    pub fn count(&self) -> u64 {
        self.ahead.get(&(0, self.all)).copied().unwrap_or(0)
    }

    /// A fitting army, each with equal probability.
    ///
    /// # Panics
    /// When none fits.
    pub fn draw(&self, rng: &mut Rng) -> Layout {
        assert!(self.count() > 0, "an army that fits");
        let mut roles = [None; SLOTS];
        let mut groups: Vec<Vec<usize>> = self.groups.iter().map(|group| group.slots.clone()).collect();
        for group in &mut groups {
            rng.shuffle(group);
        }
        let mut free = self.all;
        for (i, role) in Role::ALL.into_iter().enumerate() {
            let total = self.ahead[&(i, free)];
            let mut n = ((u128::from(rng.next_u64()) * u128::from(total)) >> 64) as u64;
            let mut shares = self.shares(role, free).into_iter();
            let share = shares.find(|share| {
                let ways = share.ways * self.ahead.get(&(i + 1, share.left)).copied().unwrap_or(1);
                let found = n < ways;
                n = n.saturating_sub(ways);
                found
            });
            let share = share.expect("the ways of all shares add up to the total");
            for (group, n) in share.given {
                let rest = groups[group].len() - n;
                for slot in groups[group].split_off(rest) {
                    roles[slot] = Some(role);
                }
            }
            free = share.left;
        }
        Layout::new(roles).expect("every man was put where it may stand")
    }

    /// The number of ways to give the roles from the `i`th on to unassigned men.
    fn count_from(&mut self, i: usize, free: Free) -> u64 {
        let Some(&role) = Role::ALL.get(i) else { return 1 };
        if let Some(&known) = self.ahead.get(&(i, free)) {
            return known;
        }
        let shares = self.shares(role, free);
        let ways = shares.iter().map(|share| share.ways * self.count_from(i + 1, share.left)).sum();
        self.ahead.insert((i, free), ways);
        ways
    }

    /// All ways of giving the men of a role to groups.
    fn shares(&self, role: Role, free: Free) -> Vec<Share> {
        let mut shares = vec![(role.count(), Share { given: Vec::new(), ways: 1, left: free })];
        for (i, _) in self.groups.iter().enumerate().filter(|(_, group)| group.roles.contains(role)) {
            let room = (free >> (5 * i) & 31) as usize;
            for at in 0..shares.len() {
                for n in 1..=room.min(shares[at].0) {
                    let (rest, share) = &shares[at];
                    let given = share.given.iter().copied().chain([(i, n)]).collect();
                    let ways = share.ways * choose(room as u64, n as u64);
                    let more = Share { given, ways, left: share.left - ((n as Free) << (5 * i)) };
                    shares.push((rest - n, more));
                }
            }
        }
        shares.into_iter().filter(|(rest, _)| *rest == 0).map(|(_, share)| share).collect()
    }
}

fn choose(n: u64, k: u64) -> u64 {
    (0..k).fold(1, |ways, i| ways * (n - i) / (i + 1))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Clues;

    #[test]
    fn layouts_are_counted_a_third_time() {
        assert_eq!(Candidates::any().ways().count(), Clues::NONE.count());
    }

    /// Every army, man by man.
    fn listed(candidates: &Candidates) -> Vec<Layout> {
        let mut armies = vec![[None; SLOTS]];
        for slot in men() {
            let longer = |army: &[Option<Role>; SLOTS]| {
                let army = *army;
                candidates.roles(slot).iter().filter_map(move |role| {
                    let mut army = army;
                    army[slot] = Some(role);
                    (army.iter().filter(|r| **r == Some(role)).count() <= role.count()).then_some(army)
                })
            };
            armies = armies.iter().flat_map(longer).collect();
        }
        armies.into_iter().filter_map(Layout::new).collect()
    }

    /// Nine men of a real army may have any missing role, some of them fewer.
    #[test]
    fn draws_are_even_among_all_armies_that_fit() {
        let layout: Layout = "973215.1.64B.3B4.8.3L5761LF22L".parse().unwrap();
        let mut candidates = Candidates::of(&layout);
        let open = [0, 3, 5, 10, 17, 20, 21, 25, 29];
        let missing: Roles = open.iter().filter_map(|&slot| layout.role(slot)).collect();
        let strong: Roles = missing.iter().filter(|&role| role > Role::Captain).collect();
        let any = Candidates::any();
        for (i, slot) in open.into_iter().enumerate() {
            let roles = if [1, 3].contains(&i) { strong } else { missing };
            candidates = candidates.with(slot, roles.and(any.roles(slot)));
        }
        let armies = listed(&candidates);
        let ways = candidates.ways();
        assert_eq!(ways.count(), armies.len() as u64);
        assert!((500..2000).contains(&armies.len()), "{}", armies.len());
        let (mut rng, n) = (Rng::new(4), 100 * armies.len());
        let mut counts: BTreeMap<String, u32> = armies.iter().map(|army| (army.to_string(), 0)).collect();
        for _ in 0..n {
            *counts.get_mut(&ways.draw(&mut rng).to_string()).expect("an army that fits") += 1;
        }
        let chi: f64 = counts.values().map(|&n| (f64::from(n) - 100.0).powi(2) / 100.0).sum();
        let freedom = (armies.len() - 1) as f64;
        assert!(chi < freedom + 4.0 * (2.0 * freedom).sqrt(), "chi-square {chi} with {freedom} degrees");
    }
}
