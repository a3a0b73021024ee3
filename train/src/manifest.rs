//! The input of a run: the same manifest and the same data give the same weights again.

use std::fs;
use std::path::Path;

use anyhow::{Context, ensure};
use serde::{Deserialize, Serialize};

/// Number of folds of the examples.
pub const FOLDS: u8 = 10;

/// The parameters of a run.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The seed of the first weights, the order of the examples and the shown plies.
    pub seed: u64,
    /// SHA-256 of the data file.
    pub data: String,
    /// Channels of the hidden layers.
    pub channels: usize,
    /// Residual blocks, two convolutions each.
    pub blocks: usize,
    /// How often all training examples are used.
    pub epochs: usize,
    /// Examples per step.
    pub batch: usize,
    /// Adam's initial step size; it falls to zero over the run, along a cosine.
    pub learning_rate: f64,
    /// How fast weights shrink, in units of the learning rate.
    pub weight_decay: f32,
    /// The fold that is held out and tested once, at the end.
    pub test_fold: u8,
    /// The fold that chooses the epoch.
    pub validation_fold: u8,
    /// How many of the opponent's plies are shown in training.
    pub plies: Shown,
}

/// How many of the opponent's plies a training example shows.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Shown {
    /// Always all seven.
    All,
    /// Drawn anew in every epoch: half of the time all seven, else any smaller number.
    Some,
}

impl Manifest {
    /// Reads a manifest from a TOML file.
    ///
    /// # Errors
    /// When the file cannot be read, is no manifest, or has impossible parameters.
    pub fn read(path: &Path) -> anyhow::Result<Manifest> {
        let text = fs::read_to_string(path).with_context(|| format!("reading {}", path.display()))?;
        Manifest::parse(&text).with_context(|| format!("in the manifest {}", path.display()))
    }

    /// Reads a manifest from TOML.
    ///
    /// # Errors
    /// When the text is no manifest, or has impossible parameters.
    pub fn parse(text: &str) -> anyhow::Result<Manifest> {
        let manifest: Manifest = toml::from_str(text)?;
        manifest.check()?;
        Ok(manifest)
    }

    fn check(&self) -> anyhow::Result<()> {
        let within = |name: &str, value: usize, least: usize, most: usize| {
            ensure!((least..=most).contains(&value), "expected {name} from {least} to {most}, found {value}");
            Ok(())
        };
        within("channels", self.channels, 1, 256)?;
        within("blocks", self.blocks, 0, 64)?;
        within("epochs", self.epochs, 1, 100_000)?;
        within("batch", self.batch, 1, 1 << 20)?;
        within("test_fold", self.test_fold.into(), 0, usize::from(FOLDS) - 1)?;
        within("validation_fold", self.validation_fold.into(), 0, usize::from(FOLDS) - 1)?;
        ensure!(
            self.test_fold != self.validation_fold,
            "expected two folds, found {} for both the test and the validation",
            self.test_fold
        );
        let rate = self.learning_rate;
        ensure!(rate.is_finite() && rate > 0.0, "expected learning_rate above 0, found {rate}");
        let decay = self.weight_decay;
        ensure!(decay.is_finite() && decay >= 0.0, "expected weight_decay of at least 0, found {decay}");
        let is_digest = self.data.len() == 64 && self.data.bytes().all(|b| b.is_ascii_hexdigit());
        ensure!(is_digest, "expected data to be a SHA-256 of 64 hexadecimal digits, found {:?}", self.data);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = r#"
        seed = 1
        data = "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
        channels = 32
        blocks = 2
        epochs = 10
        batch = 256
        learning_rate = 1e-3
        weight_decay = 1e-4
        test_fold = 0
        validation_fold = 1
        plies = "some"
    "#;

    #[test]
    fn a_manifest() {
        let manifest = Manifest::parse(GOOD).unwrap();
        assert_eq!((manifest.channels, manifest.plies), (32, Shown::Some));
    }

    #[test]
    fn what_cannot_be() {
        for (good, bad, says) in [
            ("epochs = 10", "epochs = 0", "expected epochs from 1"),
            ("epochs = 10", "", "missing field `epochs`"),
            ("epochs = 10", "epochs = 10\nepoch = 3", "unknown field `epoch`"),
            ("test_fold = 0", "test_fold = 1", "expected two folds"),
            ("test_fold = 0", "test_fold = 10", "expected test_fold from 0 to 9, found 10"),
            ("1e-3", "nan", "expected learning_rate above 0"),
            ("0123", "", "expected data to be a SHA-256"),
            ("\"some\"", "\"few\"", "unknown variant `few`"),
        ] {
            let error = Manifest::parse(&GOOD.replace(good, bad)).expect_err(bad);
            assert!(format!("{error:#}").contains(says), "{bad}: {error:#}");
        }
    }
}
