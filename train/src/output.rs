//! The files of a run: the network, its answers on the test examples, and its history.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, ensure};
use serde::Serialize;

use crate::data::{Example, LABELS};
use crate::evaluate::{Logits, probabilities};
use crate::manifest::Manifest;
use crate::net::{Affine, Ornn, TAPS};
use crate::planes::SQUARES;
use crate::train::Epoch;

/// The first line of a log.
pub const LOG: &str =
    "epoch,training_loss,validation_loss,validation_accuracy,seconds,examples_per_cpu_second\n";
/// The first line of the predictions.
pub const PREDICTIONS: &str = "game,label,plies,weaker,equal,stronger\n";

/// A folder in which every file is whole or missing.
#[derive(Debug)]
pub struct Folder(PathBuf);

impl Folder {
    /// Makes the folder.
    ///
    /// # Errors
    /// When it cannot be made, or already contains a network.
    pub fn create(path: &Path) -> anyhow::Result<Folder> {
        fs::create_dir_all(path).with_context(|| format!("making the folder {}", path.display()))?;
        let net = path.join("ornn.net");
        ensure!(!net.exists(), "expected a folder for a new run, found {}", net.display());
        Ok(Folder(path.to_owned()))
    }

    /// Writes a file under another name, and then renames it.
    ///
    /// # Errors
    /// When that fails.
    pub fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> anyhow::Result<()> {
        let (path, aside) = (self.0.join(name), self.0.join(format!("{name}.part")));
        fs::write(&aside, bytes)
            .and_then(|()| fs::rename(&aside, &path))
            .with_context(|| format!("writing {}", path.display()))
    }
}

/// The network file: two lines of text, then all weights as little-endian f32.
pub fn network(net: &Ornn) -> Vec<u8> {
    let channels = net.first.bias.dims()[0];
    let head = format!("anglerfish net 1\nornn channels={channels} blocks={}\n", net.blocks.len());
    let mut weights = Vec::new();
    put(&net.first, TAPS, &mut weights);
    for block in &net.blocks {
        put(&block.first, TAPS, &mut weights);
        put(&block.second, TAPS, &mut weights);
    }
    put(&net.last, SQUARES, &mut weights);
    head.bytes().chain(weights.into_iter().flat_map(f32::to_le_bytes)).collect()
}

/// A layer by output, channel and place, then its bias. In the network, inputs are places by channels: nine
/// around a square, or all 32.
fn put(layer: &Affine, places: usize, weights: &mut Vec<f32>) {
    let [inputs, outputs] = layer.weight.dims();
    let channels = inputs / places;
    let [weight, bias] = [layer.weight.val().into_data(), layer.bias.val().into_data()];
    let [weight, bias] =
        [&weight, &bias].map(|data| data.as_slice::<f32>().expect("the network counts in f32"));
    for output in 0..outputs {
        for channel in 0..channels {
            weights.extend((0..places).map(|place| weight[(place * channels + channel) * outputs + output]));
        }
    }
    weights.extend(bias);
}

/// Lines of the predictions.
pub fn predictions(examples: &[Example], plies: usize, answers: &[Logits]) -> String {
    let line = |(example, logits): (&Example, &Logits)| {
        let [weaker, equal, stronger] = probabilities(logits);
        let (game, label) = (quoted(&example.game), example.label);
        format!("{game},{label},{plies},{weaker:.6},{equal:.6},{stronger:.6}\n")
    };
    examples.iter().zip(answers).map(line).collect()
}

/// A field of a CSV file.
fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// Inputs and outputs for checking other implementations: three lines per example.
pub fn fixture(examples: &[Example], answers: &[Logits]) -> String {
    let words = |words: Vec<String>| words.join(" ") + "\n";
    let lines = |(example, logits): (&Example, &Logits)| {
        words(example.boards.iter().map(|board| format!("{board:08x}")).collect())
            + &words(example.unrevealed.iter().map(f32::to_string).collect())
            + &words(logits.iter().map(|logit| format!("{logit:.8e}")).collect())
    };
    examples.iter().zip(answers).map(lines).collect()
}

/// A line of the log.
pub fn log(epoch: &Epoch, examples: usize) -> String {
    let Epoch { number, training_loss, validation, seconds, cpu_seconds, .. } = epoch;
    let (loss, accuracy) = (validation.loss, validation.accuracy());
    let speed = examples as f64 / cpu_seconds;
    format!("{number},{training_loss:.6},{loss:.6},{accuracy:.6},{seconds:.1},{speed:.0}\n")
}

/// The results of a run, for programs.
#[derive(Debug, Serialize)]
pub struct Report<'a> {
    /// Its manifest.
    pub manifest: &'a Manifest,
    /// SHA-256 of the data file, as found.
    pub data: &'a str,
    /// Number of training examples.
    pub training_examples: usize,
    /// Number of validation examples.
    pub validation_examples: usize,
    /// Number of test examples.
    pub test_examples: usize,
    /// The epoch with the least validation loss; the results below are of its network.
    pub best_epoch: usize,
    /// Its loss on the validation examples.
    pub validation_loss: f64,
    /// Its accuracy on the validation examples.
    pub validation_accuracy: f64,
    /// Its loss on the test examples, with all plies shown.
    pub test_loss: f64,
    /// Its accuracy on the test examples, with all plies shown.
    pub test_accuracy: f64,
    /// Rows are the truth, columns the answers: weaker, equal, stronger.
    pub confusion: [[usize; LABELS]; LABELS],
    /// Number of threads.
    pub threads: usize,
    /// Seconds from the first weights to this report.
    pub wall_seconds: f64,
    /// CPU seconds of all threads together.
    pub cpu_seconds: f64,
    /// Training examples per CPU second, without validation and test.
    pub examples_per_cpu_second: f64,
}
