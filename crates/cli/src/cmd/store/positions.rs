//! `anglerfish store positions`: derives tables of positions from the games of a store.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_report::{counted, grouped};
use anglerfish_store::{Place, Store, StoredGame, derive_positions};
use serde_json::json;

use super::place;
use crate::progress::Progress;
use crate::terminal::machines;

/// Derive a table of all positions, in the order of games and in the order of keys
///
/// Parquet, into the store itself or into a folder. Existing tables are replaced if the store has other units
/// now, and else kept. Every game is replayed.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store positions games
  anglerfish store positions s3://bucket/games --out positions --scratch /big/disk")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// Write into this folder [default: the store]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// A folder for sorting, with room for 28 bytes per position [default: the system's for temporary files]
    #[arg(long, value_name = "FOLDER")]
    scratch: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run<G: StoredGame>(args: &Args) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let out = args.out.as_ref().map(|folder| Place::make(&folder.display().to_string(), &[])).transpose()?;
    let scratch = args.scratch.clone().unwrap_or_else(std::env::temp_dir);
    let mut progress = Progress::new();
    let (made, new) = derive_positions(&mut store, out.as_ref(), &scratch, &mut |done, all| {
        progress.stands(format!("game {} of {}", grouped(done), grouped(all)));
    })?;
    progress.end();
    let mut stdout = machines();
    if args.json {
        writeln!(
            stdout,
            "{}",
            json!({ "schema": 1, "derived": new, "units": made.units, "games": made.games,
            "positions": made.positions, "by_game": made.by_game, "by_key": made.by_key })
        )?;
        return Ok(true);
    }
    let done = if new { "" } else { "; they were there" };
    let (positions, games) = (counted(made.positions, "position"), counted(made.games, "game"));
    writeln!(stdout, "{positions} of {games} in {}{done}", counted(made.units, "unit"))?;
    let address = |object: &String| match &args.out {
        Some(folder) => folder.join(object).display().to_string(),
        None => store.place().locate(object),
    };
    for object in made.by_game.iter().chain(&made.by_key) {
        writeln!(stdout, "{}", address(object))?;
    }
    Ok(true)
}
