//! Samples whole worlds that fit the knowledge of a seat.
//!
//! If no two unknown men have met, armies are independent, and each is sampled by counting
//! ([`Ways`](super::Ways)). Otherwise, or if armies have weights, worlds come from a Markov chain (Metropolis
//! et al., 1953, "Equation of state calculations by fast computing machines") that swaps the roles of two men
//! of an army. The chain may pass through worlds that contradict the knowledge, with lower probability for
//! more contradictions, so that it can reach every world; only consistent ones are returned. Successive
//! worlds are correlated, so the effective sample size is returned too.

use super::knowledge::{Fight, Knowledge};
use super::layout::{Layout, SLOTS};
use super::role::Role;
use super::station::Arm;
use super::table::men;
use anglerfish_rules::{Rng, RngExt};

/// The weights of roles by arm, slot and role, in any unit: the probability of a world is proportional to
/// their product.
pub type Weights = [[[u32; Role::ALL.len()]; SLOTS]; 4];

/// Sampled worlds.
#[derive(Clone, Debug)]
pub struct Worlds {
    /// By arm; `None` for an empty one.
    pub layouts: Vec<[Option<Layout>; 4]>,
    /// The effective sample size for the man with the smallest one.
    pub effective: f64,
}

/// A contradiction divides the probability of a world by two to the power of this. Of 3, 5, 7 and 9 this gave the
/// most independent worlds per swap in recorded games (November 2026); with 3 the chain gets lost in some of them.
const CONTRADICTION: u32 = 5;
/// Tried swaps between two worlds, per unknown man.
const SWAPS: usize = 8;
/// Number of discarded first worlds.
const WARM_UP: usize = 20;
/// The search gives up after this many swaps without a consistent world.
const PATIENCE: usize = 1_000_000;

impl Knowledge {
    /// Samples this many worlds, by the weights or uniformly; none if no world fits.
    pub fn worlds(&self, n: usize, weights: Option<&Weights>, rng: &mut Rng) -> Worlds {
        if self.fights().is_empty() && weights.is_none() {
            let ways = Arm::ALL.map(|arm| self.army(arm).map(super::Candidates::ways));
            if ways.iter().flatten().any(|ways| ways.count() == 0) {
                return Worlds { layouts: Vec::new(), effective: 0.0 };
            }
            let mut world = || ways.each_ref().map(|ways| ways.as_ref().map(|ways| ways.draw(rng)));
            return Worlds { layouts: (0..n).map(|_| world()).collect(), effective: n as f64 };
        }
        let mut chain = Chain::new(self, weights, rng);
        let mut layouts = Vec::with_capacity(n);
        let mut courses = vec![Vec::with_capacity(n); chain.open.len()];
        for i in 0..n + WARM_UP {
            let Some(world) = chain.next(rng) else { break };
            if i >= WARM_UP {
                layouts.push(world);
                for (course, &(arm, slot)) in courses.iter_mut().zip(&chain.open) {
                    course.push(f64::from(chain.roles[arm][slot] as u8));
                }
            }
        }
        let least = courses.iter().map(|course| effective(course)).fold(f64::INFINITY, f64::min);
        Worlds { effective: least.min(layouts.len() as f64), layouts }
    }
}

struct Chain<'a> {
    knowledge: &'a Knowledge,
    weights: Option<&'a Weights>,
    /// The current world; camps and empty arms have flags.
    roles: [[Role; SLOTS]; 4],
    /// Unknown men.
    open: Vec<(usize, usize)>,
    /// By arm, the range of its men in that list.
    of_arm: [std::ops::Range<usize>; 4],
    /// By arm and slot.
    fights: [[Vec<Fight>; SLOTS]; 4],
    /// Number of contradictions of the world.
    contradictions: u32,
}

impl<'a> Chain<'a> {
    /// Begins anywhere: unknown men have the remaining roles, in any order.
    fn new(knowledge: &'a Knowledge, weights: Option<&'a Weights>, rng: &mut Rng) -> Chain<'a> {
        let mut chain = Chain {
            knowledge,
            weights,
            roles: [[Role::Flag; SLOTS]; 4],
            open: Vec::new(),
            of_arm: [0..0, 0..0, 0..0, 0..0],
            fights: std::array::from_fn(|_| std::array::from_fn(|_| Vec::new())),
            contradictions: 0,
        };
        for arm in Arm::ALL {
            let Some(army) = knowledge.army(arm) else { continue };
            let first = chain.open.len();
            let mut left: Vec<Role> =
                Role::ALL.into_iter().flat_map(|role| std::iter::repeat_n(role, role.count())).collect();
            for slot in men() {
                match army.roles(slot).settled() {
                    Some(role) => {
                        chain.roles[arm.index()][slot] = role;
                        left.iter().position(|&r| r == role).map(|at| left.swap_remove(at));
                    }
                    None => chain.open.push((arm.index(), slot)),
                }
            }
            chain.of_arm[arm.index()] = first..chain.open.len();
            rng.shuffle(&mut left);
            for (&(arm, slot), role) in chain.open[first..].iter().zip(left) {
                chain.roles[arm][slot] = role;
                chain.contradictions += u32::from(!army.roles(slot).contains(role));
            }
        }
        for fight in knowledge.fights() {
            chain.contradictions += u32::from(!chain.holds(fight));
            for man in fight.men {
                chain.fights[man.arm().index()][man.slot()].push(*fight);
            }
        }
        chain
    }

    fn holds(&self, fight: &Fight) -> bool {
        let [attacker, defender] = fight.men.map(|man| self.roles[man.arm().index()][man.slot()]);
        fight.fits(attacker, defender)
    }

    /// The next consistent world.
    fn next(&mut self, rng: &mut Rng) -> Option<[Option<Layout>; 4]> {
        let (mut seen, mut tried) = (0, 0);
        // Only consistent states count as steps: watched in those alone, the chain is a Markov chain too.
        while seen < SWAPS * self.open.len().max(1) {
            self.swap(rng);
            tried += 1;
            if self.contradictions == 0 {
                seen += 1;
                tried = 0;
            } else if tried > PATIENCE {
                return None;
            }
        }
        let layout = |arm: Arm| {
            self.knowledge.army(arm)?;
            let mut roles = [None; SLOTS];
            men().for_each(|slot| roles[slot] = Some(self.roles[arm.index()][slot]));
            Layout::new(roles)
        };
        Some(Arm::ALL.map(layout))
    }

    /// Tries to swap two men of one army.
    fn swap(&mut self, rng: &mut Rng) {
        if self.open.is_empty() {
            return;
        }
        let first = rng.below(self.open.len() as u32) as usize;
        let (arm, a) = self.open[first];
        let others = self.of_arm[arm].clone();
        let second = others.start + rng.below(others.len() as u32) as usize;
        let (_, b) = self.open[second];
        if self.roles[arm][a] == self.roles[arm][b] {
            return;
        }
        let before = self.local(arm, [a, b]);
        let weight_before = self.weight(arm, [a, b]);
        self.roles[arm].swap(a, b);
        let after = self.local(arm, [a, b]);
        let weight_after = self.weight(arm, [a, b]);
        // Accepted with the ratio of the probabilities, at most 1. The power of two is built from its
        // exponent: the same bits as from a 128-bit integer, in a sixth less time per swap.
        let factor = |contradictions: u32| {
            f64::from_bits(u64::from(1023 + (CONTRADICTION * contradictions).min(127)) << 52)
        };
        let [old, new] = [weight_before as f64 * factor(after), weight_after as f64 * factor(before)];
        let even = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        if even * old < new || old == 0.0 {
            self.contradictions = self.contradictions + after - before;
        } else {
            self.roles[arm].swap(a, b);
        }
    }

    /// The contradictions of two men of an army. They are of one army, so no fight is counted twice.
    fn local(&self, arm: usize, slots: [usize; 2]) -> u32 {
        let Some(army) = self.knowledge.army(Arm::ALL[arm]) else { return 0 };
        let of = |slot: usize| {
            let fights = self.fights[arm][slot].iter().filter(|fight| !self.holds(fight)).count();
            u32::from(!army.roles(slot).contains(self.roles[arm][slot])) + fights as u32
        };
        of(slots[0]) + of(slots[1])
    }

    fn weight(&self, arm: usize, slots: [usize; 2]) -> u64 {
        let Some(weights) = self.weights else { return 1 };
        slots.iter().map(|&slot| u64::from(weights[arm][slot][self.roles[arm][slot] as usize])).product()
    }
}

/// The number of independent values with the same information about the mean.
///
/// Geyer (1992), "Practical Markov chain Monte Carlo", section 3.3: autocorrelations are added up in pairs
/// until a pair is not positive.
fn effective(course: &[f64]) -> f64 {
    let n = course.len();
    let mean = course.iter().sum::<f64>() / n.max(1) as f64;
    let covariance = |lag: usize| {
        let pairs = course.iter().zip(&course[lag..]);
        pairs.map(|(a, b)| (a - mean) * (b - mean)).sum::<f64>() / n as f64
    };
    let variance = if n == 0 { 0.0 } else { covariance(0) };
    if variance <= 0.0 {
        return n as f64;
    }
    let mut time = -1.0;
    for lag in (0..n.saturating_sub(1)).step_by(2) {
        let pair = (covariance(lag) + covariance(lag + 1)) / variance;
        if pair <= 0.0 {
            break;
        }
        time += 2.0 * pair;
    }
    n as f64 / time.max(1.0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::{Candidates, Clash, Fight, Man, Move, Roles, Station};

    /// Six men of south and six of east are unknown, and three fights connect them.
    fn small() -> (Knowledge, Vec<[Layout; 2]>) {
        let layout: Layout = "973215.1.64B.3B4.8.3L5761LF22L".parse().unwrap();
        let open = [0, 1, 5, 9, 10, 11];
        let missing: Roles = open.iter().filter_map(|&slot| layout.role(slot)).collect();
        let any = Candidates::any();
        let army = open
            .iter()
            .fold(Candidates::of(&layout), |army, &slot| army.with(slot, missing.and(any.roles(slot))));
        let fight = |clash: Clash, a: usize, d: usize| {
            let men = [Man::new(Arm::South, a), Man::new(Arm::East, d)];
            let [from, to] = [Station::of(Arm::South, a), Station::of(Arm::East, d)];
            let play =
                Move { from, to, clash: Some(clash), taken: false, shown: [None; 2], walled: [false; 2] };
            Fight::new(men, play, clash)
        };
        let fights = vec![fight(Clash::Wins, 0, 5), fight(Clash::Both, 5, 9), fight(Clash::Dies, 9, 1)];
        let knowledge = Knowledge { armies: [Some(army), Some(army), None, None], fights };
        // Every army: all orders of six men.
        let mut orders = vec![Vec::new()];
        for _ in open {
            let longer = |order: &Vec<usize>| {
                let order = order.clone();
                open.into_iter().filter(move |slot| !order.contains(slot)).collect::<Vec<_>>()
            };
            orders = orders
                .iter()
                .flat_map(|order| longer(order).into_iter().map(|slot| [&order[..], &[slot]].concat()))
                .collect();
        }
        let armies: BTreeMap<String, Layout> = orders
            .iter()
            .filter_map(|order| {
                let mut roles: [Option<Role>; SLOTS] = std::array::from_fn(|slot| layout.role(slot));
                open.iter().zip(order).for_each(|(&to, &from)| roles[to] = layout.role(from));
                Layout::new(roles).map(|layout| (layout.to_string(), layout))
            })
            .collect();
        let both = |a: &Layout| armies.values().map(|b| [*a, *b]).collect::<Vec<_>>();
        let fit = |[a, b]: &[Layout; 2]| knowledge.admits(&[Some(*a), Some(*b), None, None]);
        let worlds: Vec<[Layout; 2]> = armies.values().flat_map(both).filter(fit).collect();
        (knowledge, worlds)
    }

    /// Compares the frequencies of all fitting worlds with their probabilities, one by one.
    fn compared(weights: Option<&Weights>, share: impl Fn(&[Layout; 2]) -> f64) {
        let (knowledge, all) = small();
        assert!((200..40_000).contains(&all.len()), "{}", all.len());
        let total: f64 = all.iter().map(&share).sum();
        let n = 40 * all.len();
        let drawn = knowledge.worlds(n, weights, &mut Rng::new(6));
        assert_eq!(drawn.layouts.len(), n);
        assert!(drawn.effective > 0.05 * n as f64, "{} of {n}", drawn.effective);
        let mut counts: BTreeMap<[String; 2], f64> = BTreeMap::new();
        for world in &drawn.layouts {
            let key = [0, 1].map(|arm| world[arm].expect("an army").to_string());
            *counts.entry(key).or_default() += 1.0;
        }
        let mut chi = 0.0;
        for world in &all {
            let expected = n as f64 * share(world) / total;
            let found = counts.remove(&world.map(|layout| layout.to_string())).unwrap_or(0.0);
            chi += (found - expected).powi(2) / expected;
        }
        assert!(counts.is_empty(), "{} worlds that do not fit", counts.len());
        let freedom = (all.len() - 1) as f64;
        let fair = freedom * n as f64 / drawn.effective;
        assert!(chi < fair * 1.2 && chi > freedom * 0.5, "chi-square {chi} with {freedom} degrees, {fair}");
    }

    #[test]
    fn worlds_with_fights_are_drawn_evenly() {
        compared(None, |_| 1.0);
    }

    #[test]
    fn worlds_are_as_likely_as_their_weights() {
        let mut weights = [[[1; 12]; SLOTS]; 4];
        weights[0][0][Role::Marshal as usize] = 5;
        weights[1][5][Role::Engineer as usize] = 3;
        weights[1][1][Role::General as usize] = 2;
        let weight = |arm: usize, layout: &Layout| -> f64 {
            men()
                .filter_map(|slot| layout.role(slot).map(|role| f64::from(weights[arm][slot][role as usize])))
                .product()
        };
        compared(Some(&weights), |[a, b]| weight(0, a) * weight(1, b));
    }

    #[test]
    fn alike_draws_are_worth_less() {
        let mut rng = Rng::new(3);
        let fresh: Vec<f64> = (0..4_000).map(|_| f64::from(rng.below(12))).collect();
        let repeated: Vec<f64> = fresh.iter().flat_map(|&value| [value; 10]).collect();
        assert!((3_400.0..=4_000.0).contains(&effective(&fresh)), "{}", effective(&fresh));
        assert!((3_000.0..5_000.0).contains(&effective(&repeated)), "{}", effective(&repeated));
        assert!(effective(&[]) < 1e-9 && (effective(&[1.0; 7]) - 7.0).abs() < 1e-9);
    }
}
