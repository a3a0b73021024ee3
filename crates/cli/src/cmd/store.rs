//! `anglerfish store`: import, export and maintenance of stores.

mod calibrate;
mod export;
mod import;
mod maintenance;
mod positions;
mod query;
mod read;
mod source;
mod stats;

use anglerfish_store::{Place, game_of};
use anyhow::{Context, bail, ensure};

use crate::games::with_game;

use self::maintenance::{BackupArgs, CompactArgs, FilesArgs, RecoverArgs, UnitsArgs, VerifyArgs};

/// Import games into a store, export, query, verify and compact it
///
/// `anglerfish selfplay` fills a store: a folder or a bucket. STORE is a folder, `file:///FOLDER` or
/// `s3://BUCKET/PREFIX`.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store import games match-folder more.games
  anglerfish store query games \"SELECT reason, count(*) FROM games GROUP BY reason\"
  anglerfish store export games --format csv --out games.csv
  anglerfish store units games
  anglerfish store verify games
  anglerfish store compact games
  anglerfish store backup games copy-of-games
  anglerfish store read games --epochs 2")]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Import(import::Args),
    Query(query::Args),
    Positions(positions::Args),
    Export(export::Args),
    Stats(stats::Args),
    Calibrate(calibrate::Args),
    Files(FilesArgs),
    Units(UnitsArgs),
    Verify(VerifyArgs),
    Compact(CompactArgs),
    Backup(BackupArgs),
    Recover(RecoverArgs),
    Read(read::Args),
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.command {
        Command::Import(args) => import::run(args),
        Command::Query(args) => query::run(args),
        Command::Positions(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => positions::run::<G>(args)))
        }
        Command::Export(args) => match &args.features {
            Some(features) => export::openings(args, features),
            None => with_store(&place(&args.store)?, |game| with_game!(game, G => export::run::<G>(args))),
        },
        Command::Stats(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => stats::run::<G>(args)))
        }
        Command::Calibrate(args) => calibrate::run(args),
        Command::Files(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => maintenance::files::<G>(args)))
        }
        Command::Units(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => maintenance::units::<G>(args)))
        }
        Command::Verify(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => maintenance::verify_all::<G>(args)))
        }
        Command::Compact(args) => with_store(
            &place(&args.store)?,
            |game| with_game!(game, G => maintenance::compact_all::<G>(args)),
        ),
        Command::Backup(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => maintenance::back_up::<G>(args)))
        }
        Command::Recover(args) => with_store(
            &place(&args.store)?,
            |game| with_game!(game, G => maintenance::recover_all::<G>(args)),
        ),
        Command::Read(args) => {
            with_store(&place(&args.store)?, |game| with_game!(game, G => read::run::<G>(args)))
        }
    }
}

/// The requested number of threads, or the number of cores.
fn threads(asked: Option<usize>) -> usize {
    asked.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into)).max(1)
}

/// Runs a function for the game of a store.
pub(crate) fn with_store(
    place: &Place,
    run: impl FnOnce(&str) -> Option<anyhow::Result<bool>>,
) -> anyhow::Result<bool> {
    let Some(game) = game_of(place)? else {
        bail!("{}: expected a store there, found none", place.address())
    };
    run(&game)
        .with_context(|| format!("{}: this program does not know the game {game:?}", place.address()))?
}

/// How to build a program with queries, buckets and compression.
const FULL_BUILD: &str = "cargo install --locked --path crates/cli --features full";

/// The place of an address, with the environment's settings of buckets.
pub(crate) fn place(address: &str) -> anyhow::Result<Place> {
    known(address)?;
    Ok(Place::open(address, &bucket_options())?)
}

/// The same, creating a missing folder.
pub(crate) fn new_place(address: &str) -> anyhow::Result<Place> {
    known(address)?;
    Ok(Place::make(address, &bucket_options())?)
}

/// Whether this build supports the address.
fn known(address: &str) -> anyhow::Result<()> {
    ensure!(
        cfg!(feature = "s3") || !address.starts_with("s3://"),
        "{address}: this build has folders only; build one that has buckets: {FULL_BUILD}"
    );
    Ok(())
}

/// The environment's settings of buckets.
fn bucket_options() -> Vec<(String, String)> {
    let named = std::env::vars_os().filter_map(|(name, value)| {
        let name = name.to_str()?.to_owned();
        let value = value.to_str()?.to_owned();
        (name.starts_with("AWS_")).then_some((name, value))
    });
    named.collect()
}
