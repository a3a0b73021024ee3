//! Trains the opponent-ranking network with burn, from a manifest and a file of examples to a network file.

pub mod clock;
pub mod data;
pub mod evaluate;
pub mod manifest;
pub mod net;
pub mod output;
pub mod planes;
pub mod train;

use std::path::Path;

use crate::clock::Start;
use crate::data::Data;
use crate::evaluate::{Score, answers};
use crate::manifest::Manifest;
use crate::output::{Folder, LOG, PREDICTIONS, Report, fixture, log, network, predictions};
use crate::planes::PLIES;
use crate::train::{Epoch, train};

/// Numbers of the opponent's plies that test examples show.
const TESTED: [usize; 5] = [0, 2, 4, 6, PLIES];
/// Number of test examples for checking other implementations.
const FIXTURES: usize = 8;

/// Trains a network, and writes it into a folder with all reports.
///
/// # Errors
/// When the folder cannot be written, or training fails.
pub fn run(manifest: &Manifest, data: &Data, folder: &Path) -> anyhow::Result<()> {
    let folder = Folder::create(folder)?;
    let start = Start::now();
    let mut lines = LOG.to_owned();
    let mut training_seconds = 0.0;
    let (best, net) = train(manifest, data, |epoch, net| {
        if epoch.improved {
            folder.write("ornn.net", network(net))?;
        }
        training_seconds += epoch.cpu_seconds;
        lines += &log(epoch, data.training.len());
        progress(epoch, manifest.epochs, &start);
        folder.write("log.csv", &lines)
    })?;

    let tested = TESTED.map(|plies| answers(&net, &data.test, plies));
    let shown = TESTED.iter().zip(&tested);
    let lines: String = shown.map(|(&plies, answers)| predictions(&data.test, plies, answers)).collect();
    folder.write("predictions.csv", PREDICTIONS.to_owned() + &lines)?;
    let whole = &tested[TESTED.len() - 1];
    folder.write("fixture.txt", fixture(&data.test[..FIXTURES.min(data.test.len())], whole))?;
    let test = Score::new(&data.test, whole);
    eprintln!("best epoch {}: test accuracy {:.1} %", best.number, 100.0 * test.accuracy());
    let report = Report {
        manifest,
        data: &manifest.data,
        training_examples: data.training.len(),
        validation_examples: data.validation.len(),
        test_examples: data.test.len(),
        best_epoch: best.number,
        validation_loss: best.validation.loss,
        validation_accuracy: best.validation.accuracy(),
        test_loss: test.loss,
        test_accuracy: test.accuracy(),
        confusion: test.confusion,
        threads: rayon::current_num_threads(),
        wall_seconds: start.wall(),
        cpu_seconds: start.cpu(),
        examples_per_cpu_second: (manifest.epochs * data.training.len()) as f64 / training_seconds,
    };
    folder.write("report.json", serde_json::to_string_pretty(&report)? + "\n")
}

/// Reports the progress.
fn progress(epoch: &Epoch, epochs: usize, start: &Start) {
    let Epoch { number, training_loss, validation, improved, seconds, .. } = epoch;
    let left = start.wall() / *number as f64 * (epochs - number) as f64;
    let (minutes, rest) = (left as u64 / 60, left as u64 % 60);
    let (loss, percent) = (validation.loss, 100.0 * validation.accuracy());
    let best = if *improved { ", the best" } else { "" };
    eprintln!(
        "epoch {number} of {epochs}: training loss {training_loss:.4}; validation loss {loss:.4}{best}, \
         accuracy {percent:.1} %; {seconds:.0} s, {minutes}:{rest:02} left"
    );
}
