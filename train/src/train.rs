//! Training: epochs of batches, batches of shards.
//!
//! One thread computes a whole shard, and the results of shards are added in their order. So the weights do
//! not depend on the number of threads or their timing.

use std::f64::consts::PI;

use anglerfish_rules::{Rng, RngExt};
use anyhow::Context;
use burn::optim::{AdamWConfig, GradientsAccumulator, GradientsParams, ModuleOptimizer};
use burn::prelude::*;
use burn::tensor::activation::log_softmax;
use rayon::prelude::*;

use crate::clock::Start;
use crate::data::{Data, Example, LABELS};
use crate::evaluate::{Score, answers};
use crate::manifest::{Manifest, Shown};
use crate::net::{Ornn, View};
use crate::planes::PLIES;

/// Examples that one thread computes at once. From 16 to 256 all are equally fast; a batch should have
/// several for every thread.
pub const SHARD: usize = 32;

/// The results of an epoch.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// From 1.
    pub number: usize,
    /// The mean loss over the training examples as they were shown.
    pub training_loss: f64,
    /// The network's score on the validation examples, with all plies shown.
    pub validation: Score,
    /// Whether it is the best so far.
    pub improved: bool,
    /// Wall seconds, including the validation.
    pub seconds: f64,
    /// CPU seconds of training on all threads.
    pub cpu_seconds: f64,
}

/// Trains a network and returns its best epoch; `each` receives every epoch and its network.
///
/// # Errors
/// When `each` fails, or no epoch has a finite loss.
pub fn train(
    manifest: &Manifest,
    data: &Data,
    mut each: impl FnMut(&Epoch, &Ornn) -> anyhow::Result<()>,
) -> anyhow::Result<(Epoch, Ornn)> {
    let mut trainer = Trainer::new(manifest, data);
    let mut best: Option<(Epoch, Ornn)> = None;
    for number in 1..=manifest.epochs {
        let start = Start::now();
        let training_loss = trainer.epoch(number);
        let cpu_seconds = start.cpu();
        let validation = Score::new(&data.validation, &answers(&trainer.net, &data.validation, PLIES));
        let least = best.as_ref().map_or(f64::INFINITY, |(epoch, _)| epoch.validation.loss);
        let improved = validation.loss < least;
        let epoch = Epoch { number, training_loss, validation, improved, seconds: start.wall(), cpu_seconds };
        each(&epoch, &trainer.net)?;
        if improved {
            best = Some((epoch, trainer.net.valid()));
        }
    }
    best.context("the validation loss was never a number: expected a smaller learning_rate")
}

struct Trainer<'a> {
    manifest: &'a Manifest,
    examples: &'a [Example],
    device: Device,
    net: Ornn,
    optimizer: ModuleOptimizer,
    /// Number of steps so far.
    step: usize,
}

impl<'a> Trainer<'a> {
    fn new(manifest: &'a Manifest, data: &'a Data) -> Trainer<'a> {
        let device = Device::flex().autodiff();
        let mut rng = Rng::stream(manifest.seed, "weights");
        Trainer {
            manifest,
            examples: &data.training,
            net: Ornn::new(manifest.channels, manifest.blocks, &mut rng, &device),
            optimizer: AdamWConfig::new().with_epsilon(1e-8).with_weight_decay(manifest.weight_decay).init(),
            device,
            step: 0,
        }
    }

    /// Uses every example once; the mean loss.
    fn epoch(&mut self, number: usize) -> f64 {
        let views = views(self.manifest, self.examples, number);
        let losses = views.chunks(self.manifest.batch).map(|batch| self.batch(batch) * batch.len() as f64);
        losses.sum::<f64>() / views.len() as f64
    }

    /// One step; the mean loss before it.
    fn batch(&mut self, batch: &[View]) -> f64 {
        let net = &self.net;
        let shards = batch.par_chunks(SHARD);
        let shards: Vec<_> = shards.map(|shard| gradients(net, shard, batch.len(), &self.device)).collect();
        let mut sum = GradientsAccumulator::new();
        let mut loss = 0.0;
        for (part, gradients) in shards {
            loss += part;
            sum.accumulate(net, gradients);
        }
        let rate = self.rate();
        self.net = self.optimizer.step(rate, self.net.clone(), sum.grads());
        self.step += 1;
        loss
    }

    /// The learning rate falls along a cosine.
    fn rate(&self) -> f64 {
        let steps = self.manifest.epochs * self.examples.len().div_ceil(self.manifest.batch);
        self.manifest.learning_rate * (1.0 + (PI * self.step as f64 / steps as f64).cos()) / 2.0
    }
}

/// The examples in the order of an epoch, with the plies that it shows.
fn views<'a>(manifest: &Manifest, examples: &'a [Example], epoch: usize) -> Vec<View<'a>> {
    let mut rng = Rng::stream(manifest.seed, &format!("plies:{epoch}"));
    let mut views: Vec<View> = examples.iter().map(|example| (example, shown(manifest, &mut rng))).collect();
    Rng::stream(manifest.seed, &format!("order:{epoch}")).shuffle(&mut views);
    views
}

/// How many plies an example shows.
fn shown(manifest: &Manifest, rng: &mut Rng) -> usize {
    match manifest.plies {
        Shown::Some if rng.below(2) == 0 => rng.below(PLIES as u32) as usize,
        Shown::Some | Shown::All => PLIES,
    }
}

/// The contribution of a shard to the loss of a batch of `n` examples, and to its gradients.
fn gradients(net: &Ornn, shard: &[View], n: usize, device: &Device) -> (f64, GradientsParams) {
    // A fork has a graph of its own: threads with a common graph wait for each other.
    let net = net.clone().fork(device);
    let mut factors = vec![0.0; shard.len() * LABELS];
    for (row, (example, _)) in factors.chunks_exact_mut(LABELS).zip(shard) {
        row[usize::from(example.label)] = -1.0 / n as f32;
    }
    let factors = Tensor::<2>::from_data(TensorData::new(factors, [shard.len(), LABELS]), device);
    let loss = (log_softmax(net.forward(shard, device), 1) * factors).sum();
    let gradients = GradientsParams::from_grads(loss.backward(), &net);
    (f64::from(loss.into_scalar::<f32>()), gradients)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_the_time_all_plies() {
        let text = format!(
            "seed = 1\ndata = \"{}\"\nchannels = 1\nblocks = 1\nepochs = 1\nbatch = 1\nlearning_rate = 1.0\n\
             weight_decay = 0.0\ntest_fold = 0\nvalidation_fold = 1\nplies = \"some\"",
            "0".repeat(64)
        );
        let some = Manifest::parse(&text).unwrap();
        let all = Manifest { plies: Shown::All, ..some.clone() };
        let mut rng = Rng::new(1);
        let mut counts = [0; PLIES + 1];
        for _ in 0..14_000 {
            counts[shown(&some, &mut rng)] += 1;
            assert_eq!(shown(&all, &mut rng), PLIES);
        }
        assert!((6800..7200).contains(&counts[PLIES]), "{counts:?}");
        assert!(counts[..PLIES].iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }
}
