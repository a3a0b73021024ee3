//! Kinds of armies that people set up, learned from layouts; a player's earlier armies are kinds of their own.

use anglerfish_rules::{Rng, RngExt};
use anglerfish_siguo::{Layout, SLOTS};

use super::paper::positions;
use super::tables::{Odds, Table, normalized};

/// The probability that a man stands on its earlier slot if an army is used again.
const SAME: f64 = 0.8;
/// After this many games, a player's earlier armies are as likely as all others together.
const NEW: f64 = 2.0;
/// The weight of an army relative to the next one.
const FADING: f64 = 0.97;
/// How many armies of a player are remembered.
const REMEMBERED: usize = 60;

/// A kind of armies.
#[derive(Clone, Debug)]
pub(super) struct Component {
    /// How common it is, in any unit.
    share: f64,
    odds: Odds,
}

/// Several kinds.
#[derive(Clone, Debug)]
pub(super) struct Mixture(Vec<Component>);

impl Mixture {
    /// One kind: the general table.
    pub(super) fn single(general: &Table) -> Mixture {
        Mixture(vec![Component { share: 1.0, odds: *general.odds() }])
    }

    /// Expectation and maximization (Dempster, Laird and Rubin, 1977) in this many rounds, starting from this
    /// many random layouts.
    pub(super) fn learned(layouts: &[Layout], kinds: usize, rounds: usize, rng: &mut Rng) -> Mixture {
        let general = Table::of(layouts);
        let rows: Vec<[u8; 25]> = layouts.iter().map(row).collect();
        let slots: Vec<usize> = positions().collect();
        let seeded = |_| copy(&layouts[rng.below(layouts.len() as u32) as usize], &general, 0.3);
        let mut odds: Vec<Odds> = (0..kinds).map(seeded).collect();
        let mut shares = vec![1.0 / kinds as f64; kinds];
        for _ in 0..rounds {
            let logs: Vec<[[f64; 12]; 25]> = odds.iter().map(|odds| logarithms(odds, &slots)).collect();
            let mut counts = vec![[[0.0; 12]; SLOTS]; kinds];
            let mut masses = vec![0.0; kinds];
            for row in &rows {
                let mut posterior: Vec<f64> = (0..kinds)
                    .map(|k| ln(shares[k]) + (0..25).map(|i| logs[k][i][row[i] as usize]).sum::<f64>())
                    .collect();
                softmax(&mut posterior);
                for k in 0..kinds {
                    if posterior[k] > 1e-6 {
                        masses[k] += posterior[k];
                        for i in 0..25 {
                            counts[k][slots[i]][row[i] as usize] += posterior[k];
                        }
                    }
                }
            }
            let total: f64 = masses.iter().sum();
            for k in 0..kinds {
                shares[k] = (masses[k] + 1e-3) / (total + 1e-3 * kinds as f64);
                // Smoothed by five layouts of the general table.
                for slot in positions() {
                    let common = general.odds()[slot];
                    counts[k][slot].iter_mut().zip(common).for_each(|(count, share)| *count += 5.0 * share);
                }
                odds[k] = normalized(&counts[k]);
            }
        }
        Mixture(shares.into_iter().zip(odds).map(|(share, odds)| Component { share, odds }).collect())
    }

    /// The posterior for every man: `evidence` is the likelihood of each role, in any unit per man.
    pub(super) fn predict(&self, more: &[Component], evidence: &Odds) -> Odds {
        let all: Vec<&Component> = self.0.iter().chain(more).collect();
        let mut weights: Vec<f64> = Vec::with_capacity(all.len());
        for component in &all {
            let mut weight = ln(component.share);
            // Products of a few factors do not underflow; their logarithms are slow.
            let mut product = 1.0;
            for (i, slot) in positions().enumerate() {
                let fit: f64 = (0..12).map(|role| component.odds[slot][role] * evidence[slot][role]).sum();
                product *= fit.max(1e-12);
                if i % 8 == 7 {
                    weight += ln(product);
                    product = 1.0;
                }
            }
            weights.push(weight + ln(product));
        }
        softmax(&mut weights);
        let mut odds = [[0.0; 12]; SLOTS];
        for (component, weight) in all.iter().zip(weights).filter(|(_, weight)| *weight > 1e-6) {
            for slot in positions() {
                let fit = std::array::from_fn::<f64, 12, _>(|role| {
                    component.odds[slot][role] * evidence[slot][role]
                });
                let sum: f64 = fit.iter().sum();
                if sum > 0.0 {
                    (0..12).for_each(|role| odds[slot][role] += weight * fit[role] / sum);
                }
            }
        }
        normalized(&odds)
    }
}

/// The earlier armies of a player as kinds, the last one first: added to a mixture, whose shares add up to 1.
pub(super) fn memory(past: &[&Layout], general: &Table) -> Vec<Component> {
    let ages = || (0..past.len().min(REMEMBERED)).map(|age| FADING.powi(age as i32));
    let (odds, sum) = (past.len() as f64 / NEW, ages().sum::<f64>());
    let of = |(layout, weight): (&&Layout, f64)| Component {
        share: odds * weight / sum,
        odds: copy(layout, general, SAME),
    };
    past.iter().zip(ages()).map(of).collect()
}

/// A kind around one layout: every man is as there with this probability, else as in the general table.
fn copy(layout: &Layout, general: &Table, same: f64) -> Odds {
    let mut odds = general.odds().map(|row| row.map(|value| value * (1.0 - same)));
    for slot in positions() {
        if let Some(role) = layout.role(slot) {
            odds[slot][role as usize] += same;
        }
    }
    odds
}

fn row(layout: &Layout) -> [u8; 25] {
    let mut row = [0; 25];
    for (to, slot) in row.iter_mut().zip(positions()) {
        *to = layout.role(slot).map_or(0, |role| role as u8);
    }
    row
}

fn logarithms(odds: &Odds, slots: &[usize]) -> [[f64; 12]; 25] {
    std::array::from_fn(|i| odds[slots[i]].map(|value| ln(value.max(1e-12))))
}

fn softmax(weights: &mut [f64]) {
    let most = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for weight in &mut *weights {
        *weight = exp(*weight - most);
    }
    let sum: f64 = weights.iter().sum();
    for weight in weights {
        *weight /= sum;
    }
}

#[expect(clippy::disallowed_methods, reason = "probabilities are printed to four digits")]
fn ln(value: f64) -> f64 {
    value.ln()
}

#[expect(clippy::disallowed_methods, reason = "probabilities are printed to four digits")]
fn exp(value: f64) -> f64 {
    value.exp()
}
