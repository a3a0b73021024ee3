//! `anglerfish store stats`: what the games of a store say.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::report::html;
use anglerfish_store::{Kept, Store, stats};
use anyhow::Context;

use super::place;
use crate::progress::Progress;

/// Count the games of a store: values of first moves, lengths, endings and players, with intervals
///
/// Both games of a pair share a deal, so a pair counts as one witness.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store stats games
  anglerfish store stats games --out stats.html
  anglerfish store stats games --json")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// A page with plots, in one file
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run<G: Kept>(args: &Args) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut progress = Progress::new();
    let found = stats(&mut store, &mut |done, all| progress.stands(format!("game {done} of {all}")))?;
    progress.end();
    let report = found.report(&format!("Games in {}", args.store));
    if let Some(path) = &args.out {
        std::fs::write(path, html(&report)).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", found.json())?;
        return Ok(true);
    }
    for (name, value) in &report.facts {
        writeln!(out, "{name}: {value}")?;
    }
    for table in &report.tables {
        writeln!(out, "\n{}", table.text().trim_end())?;
    }
    Ok(true)
}
