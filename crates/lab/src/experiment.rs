//! The interface of an experiment, and how each one is run, resumed and reported.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use anglerfish_arena::{
    ArenaError, Journal, LedgerError, Name, ResultStore, UnitError, UnitResult, Worker, run_units,
};
use anglerfish_engine::{ConfigError, EngineError};
use anglerfish_report::{Cell, Mood, Report, Row, Table};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{NotationError, Record, ReplayError};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::assets::models;
use crate::manifest::{Manifest, Size};

/// Results by unit: the only source of an experiment's findings.
pub type Results = BTreeMap<String, String>;

/// A question with a way to answer it. Its work is cut into units, each a pure function of its text.
pub trait Experiment: Sync {
    /// The word on the command line.
    fn name(&self) -> &'static str;

    /// The question in one line, with the paper it comes from.
    fn about(&self) -> &'static str;

    /// The numbers of a size, by name.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)>;

    /// Whether its matches can be adjusted for luck: whether it reads [`Manifest::luck`].
    fn takes_luck(&self) -> bool {
        false
    }

    /// The file of the data folder that it analyzes, if any. Such data have no license and are not part of
    /// this repository; without them an experiment runs its other parts, and says so.
    fn data(&self) -> Option<&'static str> {
        None
    }

    /// The same experiment with the text of that file.
    ///
    /// # Errors
    /// When the text is malformed, or the experiment reads no file.
    fn with_data(&self, _text: &str) -> Result<Box<dyn Experiment>, LabError> {
        Err(format!("{} needs no data", self.name()).into())
    }

    /// The units of a run, in the order of work.
    fn units(&self, manifest: &Manifest) -> Vec<String>;

    /// Does one unit. The result depends only on the text.
    ///
    /// # Errors
    /// When the text is not one of this experiment's units.
    fn work(&self, unit: &str) -> Result<String, LabError>;

    /// The findings from the results.
    ///
    /// # Errors
    /// When a result is missing or is not one of [`work`](Experiment::work).
    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError>;
}

/// A condition on the findings, and whether it held.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check {
    /// The condition.
    pub what: String,
    /// Whether it held.
    pub held: bool,
    /// The value found.
    pub found: String,
}

impl Check {
    /// A check with the value found.
    pub fn new(what: impl Into<String>, held: bool, found: impl Into<String>) -> Check {
        Check { what: what.into(), held, found: found.into() }
    }

    /// The check of every experiment with games besides its science: no player crashed or lost on time.
    pub fn finished(games: u64, forfeits: u64) -> Check {
        let found = format!("{games} games, {forfeits} forfeits");
        Check::new("every game was finished on the board", forfeits == 0, found)
    }
}

/// The findings of an experiment.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Tables and plots; [`run`] adds the checks as the first table.
    pub report: Report,
    /// The conditions.
    pub checks: Vec<Check>,
    /// The numbers at full precision.
    pub data: Value,
}

impl Findings {
    /// All findings but the plots, for a terminal.
    pub fn text(&self) -> String {
        let mut text = format!("{}\n{}\n", self.report.title, self.report.subtitle);
        for (name, value) in &self.report.facts {
            text += &format!("{name}: {value}\n");
        }
        for table in &self.report.tables {
            text += &format!("\n{}", table.text());
        }
        text
    }

    /// One of its tables, counted from 1.
    ///
    /// # Errors
    /// When there is no such table; the message lists all of them.
    pub fn table(&self, n: usize) -> Result<String, LabError> {
        let tables = &self.report.tables;
        n.checked_sub(1).and_then(|n| tables.get(n)).map(Table::text).ok_or_else(|| {
            let list: Vec<String> =
                tables.iter().zip(1..).map(|(table, n)| format!("{n} {}", table.title)).collect();
            let list = list.join("; ");
            LabError::Table(format!("expected a table from 1 to {}, found {n}: {list}", tables.len()))
        })
    }

    /// The checks as the first table of the report.
    fn tabulate(&mut self) {
        let row = |check: &Check| {
            let verdict =
                if check.held { Cell::new("held", Mood::Good) } else { Cell::new("FAILED", Mood::Bad) };
            Row { head: check.what.clone(), cells: vec![verdict, check.found.clone().into()] }
        };
        let checks = Table {
            title: "Checks".to_owned(),
            caption: String::new(),
            columns: ["what has to hold", "", "found"].map(str::to_owned).to_vec(),
            rows: self.checks.iter().map(row).collect(),
        };
        self.report.tables.insert(0, checks);
    }

    /// All findings as one object.
    pub fn json(&self, manifest: &Manifest) -> Value {
        serde_json::json!({
            "format": "anglerfish-lab 1",
            "manifest": manifest,
            "checks": self.checks,
            "data": self.data,
            "tables": self.report.tables,
        })
    }

    /// Whether all checks held.
    pub fn held(&self) -> bool {
        self.checks.iter().all(|check| check.held)
    }
}

/// Why a run failed.
#[derive(Debug)]
pub enum LabError {
    /// The experiment has no such number, or the value is no number.
    Manifest(String),
    /// A malformed unit or result.
    Unit(String),
    /// No such table.
    Table(String),
    /// The result store failed.
    ResultStore(LedgerError),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Manifest(what) | LabError::Unit(what) | LabError::Table(what) => f.write_str(what),
            LabError::ResultStore(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabError {}

impl From<LedgerError> for LabError {
    fn from(error: LedgerError) -> LabError {
        LabError::ResultStore(error)
    }
}

/// Errors of reading a unit or a result.
macro_rules! of_units {
    ($($error:ty)+) => {
        $(impl From<$error> for LabError {
            fn from(error: $error) -> LabError {
                LabError::Unit(error.to_string())
            }
        })+
    };
}

of_units! { String &str ArenaError UnitError ConfigError EngineError NotationError ReplayError serde_json::Error }

/// A number among the words of a unit.
pub(crate) fn number<T: FromStr>(text: &str) -> Result<T, LabError> {
    text.parse().map_err(|_| format!("expected a number, found {text:?}").into())
}

/// A result as text.
pub(crate) fn written<T: Serialize>(result: &T) -> Result<String, LabError> {
    Ok(serde_json::to_string(result)?)
}

/// The stored result of a unit.
pub(crate) fn read_unit<T: DeserializeOwned>(unit: &str, results: &Results) -> Result<T, LabError> {
    let text = results.get(unit).ok_or_else(|| format!("{unit} is missing"))?;
    Ok(serde_json::from_str(text)?)
}

/// Runs an experiment, starting from the results in the journal. `heard` receives the number of units done and of all.
///
/// # Errors
/// When a unit cannot be done or the journal fails; earlier results stay in the journal.
pub fn run(
    experiment: &dyn Experiment,
    manifest: &Manifest,
    journal: Option<&mut Journal>,
    threads: usize,
    heard: &mut dyn FnMut(usize, usize),
) -> Result<Findings, LabError> {
    let mut ledger = journal.map(|journal| journal as &mut dyn ResultStore);
    let units: Vec<(usize, String)> = experiment.units(manifest).into_iter().enumerate().collect();
    let mut results = Results::new();
    for (_, unit) in &units {
        let done = match &mut ledger {
            Some(ledger) => ledger.get(&Name::of(unit))?,
            None => None,
        };
        match done {
            Some(UnitResult::Result(result)) => drop(results.insert(unit.clone(), result)),
            // The unit is tried again.
            Some(UnitResult::Failed(_)) | None => {}
        }
    }
    heard(results.len(), units.len());
    let work = |unit: &str| {
        let result = experiment.work(unit).map(|result| (result.clone(), result));
        result.map_err(|error| LabError::Unit(format!("{unit}: {error}")))
    };
    run_units(units.clone(), threads, ledger, work, |_, n, result| {
        let unit = &units[n].1;
        let result = result.map_err(|why| LabError::Unit(format!("{unit} panicked: {why}")))?;
        results.insert(unit.clone(), result);
        heard(results.len(), units.len());
        Ok::<_, LabError>(ControlFlow::Continue(()))
    })?;
    let mut findings = experiment.findings(manifest, &results)?;
    findings.tabulate();
    Ok(findings)
}

/// Plays the pair of games of a unit of a match.
///
/// # Errors
/// When the text is not such a unit.
pub(crate) fn play_pair(unit: &str) -> Result<Vec<Record<Banqi>>, LabError> {
    Ok(Worker { assets: models(), ..Worker::default() }.play(unit)?)
}
