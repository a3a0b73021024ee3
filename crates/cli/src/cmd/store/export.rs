//! `anglerfish store export`: games out of a store, in forms that others read.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::PathBuf;

use anglerfish_store::{Format, Kept, Store, export};
use anyhow::Context;

use super::place;
use crate::input::parse_pointing;
use crate::progress::Progress;

/// Write all games of a store: as records, CSV, JSON lines or Arrow
///
/// Games are checked against their digests as they are read, and come in the order of the names of their units, so that two stores with
/// the same units give the same file. Records are to the byte what was put.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store export games --out all.games
  anglerfish store export games --format csv | head
  anglerfish store export games --format arrow --out all.arrow")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// records, csv, jsonl, arrow (a file) or arrow-stream
    #[arg(long, default_value = "records")]
    format: String,
    /// Write into this file instead of the standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

pub(super) fn run<G: Kept>(args: &Args) -> anyhow::Result<bool> {
    let format: Format = parse_pointing(&args.format)?;
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut progress = Progress::new();
    let mut tell = |done, all| progress.stands(format!("unit {done} of {all}"));
    let games = match &args.out {
        None => export(&mut store, format, &mut BufWriter::new(std::io::stdout().lock()), &mut tell)?,
        Some(path) => {
            // Aside first: a file of that name is a whole one.
            let aside = path.with_added_extension("part");
            let named = || format!("cannot write {}", path.display());
            let mut file = BufWriter::new(File::create(&aside).with_context(named)?);
            let games = export(&mut store, format, &mut file, &mut tell)?;
            file.flush().and_then(|()| file.get_ref().sync_all()).with_context(named)?;
            std::fs::rename(&aside, path).with_context(named)?;
            games
        }
    };
    progress.end();
    eprintln!("{games} games");
    Ok(true)
}
