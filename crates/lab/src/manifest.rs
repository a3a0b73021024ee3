//! The input of a run as data: the same manifest gives the same findings on every machine.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use anglerfish_arena::{Identity, Judging};
use anglerfish_rules::NotationError;
use serde::{Deserialize, Serialize};

use crate::experiment::{Experiment, LabError};

/// The size of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Size {
    /// Seconds: enough for the checks.
    Ci,
    /// As much as in the paper.
    Paper,
    /// As much as a thorough answer needs.
    Full,
}

impl Size {
    /// All sizes, smallest first.
    pub const ALL: [Size; 3] = [Size::Ci, Size::Paper, Size::Full];

    /// Its word on the command line.
    pub const fn text(self) -> &'static str {
        match self {
            Size::Ci => "ci",
            Size::Paper => "paper",
            Size::Full => "full",
        }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

impl FromStr for Size {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Size, NotationError> {
        let found = Size::ALL.into_iter().find(|size| size.text() == text);
        found.ok_or_else(|| NotationError::new("ci, paper or full", text, 0))
    }
}

/// The input of a run.
#[derive(Clone, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    /// The name of the experiment.
    pub experiment: String,
    /// The source of the numbers; they can be changed one by one.
    pub size: Size,
    /// The seed of all random choices.
    pub seed: u64,
    /// The numbers of the experiment by name: games per cell, nodes per move.
    pub numbers: BTreeMap<String, u64>,
    /// The judge of luck in the matches of an experiment; `None` without adjustment.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Judging>,
}

impl Manifest {
    /// The manifest of an experiment at one of its sizes.
    pub fn new(experiment: &dyn Experiment, size: Size, seed: u64) -> Manifest {
        let numbers = experiment.numbers(size).into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
        let luck = experiment.takes_luck().then(Judging::default);
        Manifest { experiment: experiment.name().to_owned(), size, seed, numbers, luck }
    }

    /// Changes one of the numbers.
    ///
    /// # Errors
    /// When the experiment has no such number, or `value` is no number; the manifest is unchanged then.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), LabError> {
        let names: Vec<&str> = self.numbers.keys().map(String::as_str).collect();
        let expected = format!("expected {}=NUMBER, found {name}={value}", names.join("=NUMBER or "));
        let number = value.parse().map_err(|_| LabError::Manifest(expected.clone()))?;
        *self.numbers.get_mut(name).ok_or(LabError::Manifest(expected))? = number;
        Ok(())
    }

    /// One of the numbers.
    ///
    /// # Panics
    /// When the experiment does not have it.
    pub fn number(&self, name: &str) -> u64 {
        *self.numbers.get(name).unwrap_or_else(|| panic!("{} has no number {name}", self.experiment))
    }

    /// The name of the journal's run, with the engine that plays. The numbers are in the units that depend on
    /// them, so a run can be extended, or another part of it started, on an existing journal. The judge of
    /// luck is fixed: otherwise a user could shop for the judge with the preferred answer.
    pub fn run_name(&self, engine: &Identity) -> String {
        let mut run =
            serde_json::json!({ "experiment": self.experiment, "seed": self.seed, "engine": engine });
        if let Some(judging) = &self.luck {
            run["luck"] = judging.to_string().into();
        }
        run.to_string()
    }

    /// One line of JSON.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }
}
