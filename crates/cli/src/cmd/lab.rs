//! `anglerfish lab`: experiments, from a manifest to tables, plots and checks.

#[cfg(feature = "store")]
mod score;

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::Journal;
use anglerfish_lab::{EXPERIMENTS, Experiment, Manifest, Size, experiment, models, run as run_experiment};
use anglerfish_rules::banqi::Banqi;
use anyhow::{Context, anyhow, ensure};

use crate::contest;
use crate::input;
use crate::output::write_report;
use crate::progress::{Pace, Progress};
use crate::provenance;
use crate::terminal::answer;

/// Run the experiments of the papers and our own
///
/// The exit code is 0 if all checks of the experiment held, else 1.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish lab list
  anglerfish lab run speculative
  anglerfish lab run speculative --size paper --out lab/speculative
  anglerfish lab run course --size paper --set nodes=5000 --out lab/course
  anglerfish lab score predictions.csv --truth openings.arrow")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    /// The experiments, with the numbers of each size
    #[command(after_help = "Examples:\n  anglerfish lab list")]
    List,
    Run(RunArgs),
    #[cfg(feature = "store")]
    Score(score::Args),
}

/// Run one experiment
///
/// DIR gets manifest.json, provenance.json (the program and the machine), the journal for resuming,
/// result.json, tables.txt, report.html, and every table as CSV and every figure as SVG.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish lab run speculative\n  anglerfish lab run mcts --size paper --out lab/mcts\n  anglerfish lab run luck -q\n  anglerfish lab run speculative --table 2"
)]
struct RunArgs {
    /// Its name: see `anglerfish lab list`
    experiment: String,
    /// ci (seconds), paper (as much as in the paper) or full (as much as a thorough answer needs)
    #[arg(long, default_value = "ci")]
    size: String,
    /// Change one of its numbers, as NAME=NUMBER [default: those of its size]
    #[arg(long, value_name = "NAME=NUMBER")]
    set: Vec<String>,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The directory of the run: give the same one again to resume it, or to extend it with other numbers
    /// [default: nothing is kept]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// The judge of luck in the matches of exploit and course, as in `match --luck`; or off [default: nodes=100]
    #[arg(long, value_name = "nodes=N", num_args = 0..=1, default_missing_value = "")]
    luck: Option<String>,
    /// Units at the same time
    #[arg(long, default_value_t = 1, value_parser = crate::input::threads)]
    concurrency: usize,
    /// Print only this table, counted from 1; the checks are table 1 [default: all]
    #[arg(long, value_name = "N", conflicts_with = "json")]
    table: Option<usize>,
    /// Print only the checks, and no progress
    #[arg(long, short, conflicts_with_all = ["json", "table"])]
    quiet: bool,
    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.command {
        Command::List => list(),
        Command::Run(args) => run_one(args),
        #[cfg(feature = "store")]
        Command::Score(args) => score::run(args),
    }
}

fn list() -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    for experiment in EXPERIMENTS {
        writeln!(out, "{}\n  {}", experiment.name(), experiment.about())?;
        for size in Size::ALL {
            let numbers = experiment.numbers(size).into_iter().map(|(name, n)| format!("{name}={n}"));
            writeln!(out, "  {:<6} {}", size.text(), numbers.collect::<Vec<_>>().join(" "))?;
        }
    }
    Ok(true)
}

/// An experiment with its data file; `None` if it needs none, or if the file is missing.
fn with_data(experiment: &dyn Experiment) -> anyhow::Result<Option<Box<dyn Experiment>>> {
    let Some(file) = experiment.data() else { return Ok(None) };
    let path = std::env::var_os("ANGLERFISH_DATA").map(|folder| PathBuf::from(folder).join(file));
    let Some(path) = path.filter(|path| path.is_file()) else {
        let name = experiment.name();
        writeln!(std::io::stderr(), "SKIPPED {name} (no {file}: set ANGLERFISH_DATA to the data folder)")?;
        return Ok(None);
    };
    let text = input::read(&path)?;
    let opened = experiment.with_data(&text).map_err(|e| anyhow!("{}: {e}", path.display()))?;
    Ok(Some(opened))
}

fn run_one(args: &RunArgs) -> anyhow::Result<bool> {
    let experiment = experiment(&args.experiment).with_context(|| {
        let names: Vec<&str> = EXPERIMENTS.iter().map(|e| e.name()).collect();
        format!("expected an experiment ({}), found {:?}", names.join(", "), args.experiment)
    })?;
    let opened = with_data(experiment)?;
    let experiment = opened.as_deref().unwrap_or(experiment);
    let size: Size = args.size.parse()?;
    let mut manifest = Manifest::new(experiment, size, args.seed);
    for word in &args.set {
        let (name, value) =
            word.split_once('=').with_context(|| format!("expected NAME=NUMBER, found {word:?}"))?;
        manifest.set(name, value)?;
    }
    if let Some(words) = &args.luck {
        manifest.luck = contest::judging(words)?;
        let takes = experiment.takes_luck() || manifest.luck.is_none();
        ensure!(takes, "{} has no matches that luck is taken off", experiment.name());
    }
    if let Some(judging) = &manifest.luck {
        judging.judge::<Banqi>().map_err(|e| anyhow!("--luck: {e}"))?;
    }
    let mut journal = match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            let journal = Journal::open(
                &folder.join("journal"),
                &manifest.run_name(&crate::folders::identity(models().models())),
            )?;
            provenance::record(folder, &[], None)?;
            std::fs::write(folder.join("manifest.json"), manifest.text() + "\n")?;
            Some(journal)
        }
        None => None,
    };
    let mut progress = Progress::new();
    let mut pace = Pace::new();
    let mut heard = |done: usize, all: usize| {
        if args.quiet {
            return;
        }
        progress.stands(format!("{done} of {all} units{}", pace.described(done as u64, all as u64, "units")));
    };
    let findings = run_experiment(experiment, &manifest, journal.as_mut(), args.concurrency, &mut heard)?;
    progress.end();
    let json = findings.json(&manifest);
    if let Some(folder) = &args.out {
        std::fs::write(folder.join("result.json"), format!("{json}\n"))?;
        std::fs::write(folder.join("tables.txt"), findings.text())?;
        write_report(folder, &findings.report)?;
    }
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{json}")?;
    } else if let Some(n) = args.table.or(args.quiet.then_some(1)) {
        write!(out, "{}", findings.table(n).map_err(|e| anyhow!("--table: {e}"))?)?;
    } else {
        write!(out, "{}", findings.text())?;
    }
    Ok(findings.held())
}
