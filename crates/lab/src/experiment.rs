//! What an experiment is, and how every one of them is run, resumed and reported.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;

use anglerfish_arena::{Done, Journal, Ledger, LedgerError, Name, Worker, run_units};
use anglerfish_report::{Cell, Mood, Report, Row, Table};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::manifest::{Manifest, Size};

/// Results by unit: what an experiment's findings are made from, and nothing else.
pub type Results = BTreeMap<String, String>;

/// A question with a way to answer it. Its work is cut into units, each a pure function of its text.
pub trait Experiment: Sync {
    /// The word on the command line.
    fn name(&self) -> &'static str;

    /// The question in one line, with the paper it comes from.
    fn about(&self) -> &'static str;

    /// How much is done at a size, by name.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)>;

    /// Whether luck is taken off its matches: whether it looks at [`Manifest::luck`].
    fn takes_luck(&self) -> bool {
        false
    }

    /// The file of the data folder that it is about, if there is one. Such data have no licence and are not part of this
    /// repository; without them an experiment does what it can, and says so.
    fn data(&self) -> Option<&'static str> {
        None
    }

    /// The same experiment with the text of that file.
    ///
    /// # Errors
    /// When the text is not what it should be, or the experiment is not about any.
    fn with_data(&self, _text: &str) -> Result<Box<dyn Experiment>, String> {
        Err(format!("{} needs no data", self.name()))
    }

    /// The units of a run, in the order in which they are begun.
    fn units(&self, manifest: &Manifest) -> Vec<String>;

    /// Does one unit. What comes out depends on nothing but the text.
    ///
    /// # Errors
    /// When the text is not one of this experiment's units.
    fn work(&self, unit: &str) -> Result<String, String>;

    /// What the results say.
    ///
    /// # Errors
    /// When a result is missing or is not what [`work`](Experiment::work) writes.
    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, String>;
}

/// Something that has to hold, and whether it did.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Check {
    /// What has to hold.
    pub what: String,
    /// Whether it did.
    pub held: bool,
    /// What was found.
    pub found: String,
}

impl Check {
    /// A check with what was found.
    pub fn new(what: impl Into<String>, held: bool, found: impl Into<String>) -> Check {
        Check { what: what.into(), held, found: found.into() }
    }

    /// What every experiment with games checks besides its science: that nobody crashed or lost on time.
    pub fn finished(games: u64, forfeits: u64) -> Check {
        let found = format!("{games} games, {forfeits} forfeits");
        Check::new("every game was finished on the board", forfeits == 0, found)
    }
}

/// What came of an experiment.
#[derive(Clone, Debug)]
pub struct Findings {
    /// Tables and plots; [`run`] adds the checks as the last table.
    pub report: Report,
    /// What had to hold.
    pub checks: Vec<Check>,
    /// The numbers at full precision.
    pub data: Value,
}

impl Findings {
    /// Everything but the plots, for a terminal.
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

    /// The checks as the last table of the report.
    fn tabulate(&mut self) {
        let row = |check: &Check| {
            let verdict =
                if check.held { Cell::new("held", Mood::Good) } else { Cell::new("FAILED", Mood::Bad) };
            Row { head: check.what.clone(), cells: vec![verdict, check.found.clone().into()] }
        };
        self.report.tables.push(Table {
            title: "Checks".to_owned(),
            caption: String::new(),
            columns: ["what has to hold", "", "found"].map(str::to_owned).to_vec(),
            rows: self.checks.iter().map(row).collect(),
        });
    }

    /// Everything as one object.
    pub fn json(&self, manifest: &Manifest) -> Value {
        serde_json::json!({
            "format": "anglerfish-lab 1",
            "manifest": manifest,
            "checks": self.checks,
            "data": self.data,
            "tables": self.report.tables,
        })
    }

    /// Whether everything held that had to.
    pub fn held(&self) -> bool {
        self.checks.iter().all(|check| check.held)
    }
}

/// Why a run came to nothing.
#[derive(Debug)]
pub enum LabError {
    /// A unit or a result that is not what it should be.
    Unit(String),
    /// The ledger.
    Ledger(LedgerError),
}

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LabError::Unit(what) => f.write_str(what),
            LabError::Ledger(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for LabError {}

impl From<LedgerError> for LabError {
    fn from(error: LedgerError) -> LabError {
        LabError::Ledger(error)
    }
}

/// Runs an experiment, beginning with what the journal already has. `heard` is told how many units are done, and of how many.
///
/// # Errors
/// When a unit cannot be done or the journal fails; what was done until then is in the journal.
pub fn run(
    experiment: &dyn Experiment,
    manifest: &Manifest,
    journal: Option<&mut Journal>,
    threads: usize,
    heard: &mut dyn FnMut(usize, usize),
) -> Result<Findings, LabError> {
    let mut ledger = journal.map(|journal| journal as &mut dyn Ledger);
    let units: Vec<(usize, String)> = experiment.units(manifest).into_iter().enumerate().collect();
    let mut results = Results::new();
    for (_, unit) in &units {
        let done = match &mut ledger {
            Some(ledger) => ledger.get(&Name::of(unit))?,
            None => None,
        };
        match done {
            Some(Done::Result(result)) => drop(results.insert(unit.clone(), result)),
            // It is tried again.
            Some(Done::Failed(_)) | None => {}
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
    let mut findings = experiment.findings(manifest, &results).map_err(LabError::Unit)?;
    findings.tabulate();
    Ok(findings)
}

/// Plays the pair of games of a unit of a match.
///
/// # Errors
/// When the text is not such a unit.
pub(crate) fn play_pair(unit: &str) -> Result<Vec<Record<Banqi>>, String> {
    Worker::default().play(unit)
}
