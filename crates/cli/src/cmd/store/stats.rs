//! `anglerfish store stats`: statistics of the games in a store.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_report::grouped;
use anglerfish_store::{Store, StoredGame, stats};

use super::place;
use crate::output::write_page;
use crate::progress::Progress;
use crate::terminal::answer;

/// Count the games of a store: values of first moves, lengths, endings and players, with intervals
///
/// Both games of a pair share a deal, so a pair counts as one sample.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store stats games
  anglerfish store stats games --out stats.html
  anglerfish store stats games --players 'alphabeta nodes=100' --out self-play.html
  anglerfish store stats games --json")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// Only games in which both players are among these, each by name or by name and budget, such as
    /// "alphabeta nodes=100" [default: all games]
    #[arg(long, value_name = "PLAYER", num_args = 1..)]
    players: Vec<String>,
    /// Write a page with plots into this file, and its tables and figures into the folder FILE.files beside
    /// it [default: tables to the standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run<G: StoredGame>(args: &Args) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut progress = Progress::new();
    let found = stats(&mut store, &args.players, &mut |done, all| {
        progress.stands(format!("game {} of {}", grouped(done), grouped(all)));
    })?;
    progress.end();
    let report = found.report(&format!("Store \"{}\"", args.store));
    if let Some(path) = &args.out {
        write_page(path, &report)?;
    }
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{}", found.json())?;
        return Ok(true);
    }
    if args.out.is_some() {
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
