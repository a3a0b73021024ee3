//! Predicts a man's role from what it has done: a network with one hidden layer, from features to role.

use anglerfish_rules::{Rng, RngExt};
use anglerfish_siguo::{Roles, SLOTS, Station};

use super::evidence::{FEATURES, Place};
use super::measure::Case;
use super::paper::positions;
use super::tables::Odds;

/// Units of the hidden layer.
const HIDDEN: usize = 64;
/// The learning rate, chosen with the other parameters on the part of players for choices.
const RATE: f32 = 0.03;

/// A man as the network sees it.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    pub(super) slot: usize,
    features: Vec<u16>,
    roles: Roles,
}

/// All unsettled men of an army.
pub(super) fn samples(case: &Case<'_>) -> Vec<Sample> {
    let mut places = [None; SLOTS];
    for at in Station::all() {
        if let Some(man) = case.table.man(at).filter(|man| man.arm() == case.arm) {
            places[man.slot()] = Some(at);
        }
    }
    let open = positions().filter(|&slot| case.known.roles(slot).settled().is_none());
    open.map(|slot| {
        let man = Place { arm: case.arm, slot, at: places[slot] };
        let features = case.evidence.features(case.observer, man, case.known);
        Sample { slot, features, roles: case.known.roles(slot) }
    })
    .collect()
}

/// The weights.
#[derive(Clone, Debug)]
pub(super) struct Net {
    inner: Vec<[f32; HIDDEN]>,
    bias: [f32; HIDDEN],
    outer: [[f32; HIDDEN]; 12],
    outer_bias: [f32; 12],
}

impl Net {
    fn random(rng: &mut Rng) -> Net {
        let mut small = |scale: f32| {
            let sum: f32 = (0..4).map(|_| rng.below(1 << 20) as f32 / (1 << 20) as f32 - 0.5).sum();
            sum * scale
        };
        Net {
            inner: (0..FEATURES).map(|_| std::array::from_fn(|_| small(0.1))).collect(),
            bias: [0.0; HIDDEN],
            outer: std::array::from_fn(|_| std::array::from_fn(|_| small(0.2))),
            outer_bias: [0.0; 12],
        }
    }

    fn filled(value: f32) -> Net {
        Net {
            inner: vec![[value; HIDDEN]; FEATURES],
            bias: [value; HIDDEN],
            outer: [[value; HIDDEN]; 12],
            outer_bias: [value; 12],
        }
    }

    fn hidden(&self, features: &[u16]) -> [f32; HIDDEN] {
        let mut sum = self.bias;
        for &feature in features {
            sum.iter_mut().zip(&self.inner[usize::from(feature)]).for_each(|(sum, weight)| *sum += weight);
        }
        sum.map(|value| value.max(0.0))
    }

    #[expect(clippy::disallowed_methods, reason = "probabilities are printed to four digits")]
    fn softmax(&self, hidden: &[f32; HIDDEN], roles: Roles) -> [f32; 12] {
        let mut out = [f32::NEG_INFINITY; 12];
        for role in roles.iter().map(|role| role as usize) {
            let sum: f32 = hidden.iter().zip(&self.outer[role]).map(|(value, weight)| value * weight).sum();
            out[role] = sum + self.outer_bias[role];
        }
        let most = out.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let out = out.map(|value| (value - most).exp());
        let sum: f32 = out.iter().sum();
        out.map(|value| value / sum)
    }

    /// The odds of each unsettled man, independently.
    pub(super) fn predict(&self, samples: &[Sample]) -> Odds {
        let mut odds = [[0.0; 12]; SLOTS];
        for sample in samples {
            odds[sample.slot] = self.softmax(&self.hidden(&sample.features), sample.roles).map(f64::from);
        }
        odds
    }
}

/// Trains a network by Adagrad (Duchi, Hazan and Singer, 2011, "Adaptive subgradient methods"), one army per step.
pub(super) struct Learner {
    pub(super) net: Net,
    squares: Net,
}

impl Learner {
    /// An untrained one.
    pub(super) fn new(rng: &mut Rng) -> Learner {
        Learner { net: Net::random(rng), squares: Net::filled(1e-4) }
    }

    /// One step: the men of an army, and the number of the true role of each.
    pub(super) fn learn(&mut self, army: &[(Sample, usize)]) {
        let mut slope = Net { inner: Vec::new(), ..Net::filled(0.0) };
        let mut inner = Vec::with_capacity(army.len());
        // Step 1. The gradient of the log loss.
        for (sample, truth) in army {
            let hidden = self.net.hidden(&sample.features);
            let odds = self.net.softmax(&hidden, sample.roles);
            let mut back = [0.0; HIDDEN];
            for role in sample.roles.iter().map(|role| role as usize) {
                let error = odds[role] - f32::from(u8::from(role == *truth));
                slope.outer_bias[role] += error;
                for i in 0..HIDDEN {
                    slope.outer[role][i] += error * hidden[i];
                    back[i] += error * self.net.outer[role][i];
                }
            }
            for i in 0..HIDDEN {
                back[i] = if hidden[i] > 0.0 { back[i] } else { 0.0 };
                slope.bias[i] += back[i];
            }
            inner.push(back);
        }
        // Step 2. Every weight descends, the less the more it has moved already.
        let scale = 1.0 / army.len().max(1) as f32;
        let step = |weights: &mut [f32], squares: &mut [f32], slopes: &[f32]| {
            for ((weight, square), slope) in weights.iter_mut().zip(squares).zip(slopes) {
                let slope = slope * scale;
                *square += slope * slope;
                *weight -= RATE * slope / square.sqrt();
            }
        };
        let (net, squares) = (&mut self.net, &mut self.squares);
        for ((sample, _), back) in army.iter().zip(&inner) {
            for feature in sample.features.iter().map(|&feature| usize::from(feature)) {
                step(&mut net.inner[feature], &mut squares.inner[feature], back);
            }
        }
        step(&mut net.bias, &mut squares.bias, &slope.bias);
        step(&mut net.outer_bias, &mut squares.outer_bias, &slope.outer_bias);
        for role in 0..12 {
            step(&mut net.outer[role], &mut squares.outer[role], &slope.outer[role]);
        }
    }
}
