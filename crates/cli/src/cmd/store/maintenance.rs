//! `anglerfish store files`, `units`, `verify` and `compact`: lists, checks and compacts a store.

use std::io::Write;

use anglerfish_report::{counted, grouped};
use anglerfish_store::{Store, StoredGame, backup, compact, digest_of, recover, verify};
use serde_json::json;

use super::{new_place, place, threads};
use crate::progress::Progress;
use crate::terminal::{answer, machines};

/// Default size of a large object in MB.
const TARGET: u64 = 128;

/// The greatest size, because an object is in memory as a whole.
const MOST: u64 = 1 << 20;

/// List the units: name, games, digest of the games; and one digest over all
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish store units games")]
pub(super) struct UnitsArgs {
    /// The store
    pub(super) store: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Print the paths of the files that hold the games of this moment, each game once: for DuckDB, pandas or Polars
///
/// Do not read units/*.parquet and large/*.parquet: duplicates from late workers would count twice
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish store files games")]
pub(super) struct FilesArgs {
    /// The store
    pub(super) store: String,
}

/// Check every object by its SHA-256 and every game by replaying it
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish store verify games")]
pub(super) struct VerifyArgs {
    /// The store
    pub(super) store: String,
    /// Threads [default: as many as there are cores]
    #[arg(long, value_parser = crate::input::threads)]
    threads: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Merge small objects into few large ones; workers and readers need not stop
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish store compact games")]
pub(super) struct CompactArgs {
    /// The store
    pub(super) store: String,
    /// MB of a large object
    #[arg(long, value_name = "MB", default_value_t = TARGET, value_parser = clap::value_parser!(u64).range(1..=MOST))]
    target: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Write a new index after an index, a list or large objects were lost
///
/// Games that no index names are added after they are checked. Large objects that are gone are dropped, so
/// their units can be played again. Stop compactions of the store first.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish store verify games\n  anglerfish store recover games")]
pub(super) struct RecoverArgs {
    /// The store
    pub(super) store: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Copy a store to another place, or update the copy, while others work on it
///
/// The copy is a store. Objects that it has already are not copied again. Do not compact the copy itself.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish store backup games /mnt/copies/games\n  anglerfish store backup s3://bucket/games games"
)]
pub(super) struct BackupArgs {
    /// The store
    pub(super) store: String,
    /// The copy: a new place, or an earlier copy of the same store
    copy: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn units<G: StoredGame>(args: &UnitsArgs) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let listed = store.digests()?;
    let games: u64 = listed.values().map(|(games, _)| u64::from(*games)).sum();
    let digest = digest_of(&listed);
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{}", json!({ "units": listed.len(), "games": games, "digest": digest.to_string() }))?;
        return Ok(true);
    }
    for (unit, (games, digest)) in &listed {
        writeln!(out, "{unit} {games} {digest}")?;
    }
    // Scripts read this list and its last line, so its numbers have no separators.
    let plain = |n: u64, one: &str| counted(n, one).replace(',', "");
    writeln!(out, "{}, {}, digest {digest}", plain(listed.len() as u64, "unit"), plain(games, "game"))?;
    Ok(true)
}

pub(super) fn files<G: StoredGame>(args: &FilesArgs) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut out = std::io::BufWriter::new(machines());
    for object in store.snapshot()?.objects() {
        writeln!(out, "{}", store.place().locate(&object))?;
    }
    out.flush()?;
    Ok(true)
}

pub(super) fn verify_all<G: StoredGame>(args: &VerifyArgs) -> anyhow::Result<bool> {
    let progress = std::sync::Mutex::new(Progress::new());
    let found = verify::<G>(place(&args.store)?, threads(args.threads), &|done, all| {
        if let Ok(mut progress) = progress.lock() {
            progress.stands(format!("object {} of {}", grouped(done as u64), grouped(all as u64)));
        }
    })?;
    if let Ok(mut progress) = progress.lock() {
        progress.end();
    }
    let mut out = answer(args.json);
    if args.json {
        let value = json!({ "units": found.units.len(), "games": found.games, "plies": found.plies, "bytes": found.bytes,
            "digest": found.digest().to_string(), "without_sum": found.without_sum, "missing": found.missing.len(),
            "unknown": found.unknown, "faults": found.faults });
        writeln!(out, "{value}")?;
        return Ok(found.faults.is_empty());
    }
    for fault in &found.faults {
        writeln!(out, "wrong: {fault}")?;
    }
    for object in &found.without_sum {
        writeln!(out, "no SHA-256 was written for {object}; its games are right")?;
    }
    for unknown in &found.unknown {
        writeln!(out, "cannot tell: {unknown}")?;
    }
    let per_game = found.bytes as f64 / found.games.max(1) as f64;
    writeln!(
        out,
        "{}, {}, {} replayed, {} ({per_game:.1} per game), digest {}",
        counted(found.units.len() as u64, "unit"),
        counted(found.games, "game"),
        counted(found.plies, "ply"),
        counted(found.bytes, "byte"),
        found.digest()
    )?;
    let (without, faults) = (found.without_sum.len() as u64, found.faults.len() as u64);
    let missing = counted(found.missing.len() as u64, "unit");
    writeln!(
        out,
        "{} without a SHA-256, {}, {missing} missing",
        counted(without, "object"),
        counted(faults, "fault")
    )?;
    if faults > 0 {
        writeln!(out, "what to do about a fault: docs/store.md, \"When verify finds a fault\"")?;
    }
    Ok(faults == 0)
}

pub(super) fn compact_all<G: StoredGame>(args: &CompactArgs) -> anyhow::Result<bool> {
    let mut store = Store::<G>::open(place(&args.store)?, None)?;
    let mut progress = Progress::new();
    let done = compact(&mut store, args.target << 20, &mut |n, all| {
        progress.stands(format!("unit {} of {}", grouped(n), grouped(all)));
    })?;
    progress.end();
    let (mut out, generation) = (answer(args.json), done.generation);
    if args.json {
        let value = json!({ "units": done.units, "objects": done.objects, "late": done.late, "cleared": done.cleared, "generation": generation, "faults": done.faults });
        writeln!(out, "{value}")?;
    } else {
        writeln!(
            out,
            "{} into {}, generation {generation}; removed: {} that came late, {}",
            counted(done.units, "unit"),
            counted(done.objects, "large object"),
            counted(done.late, "unit"),
            counted(done.cleared, "old object")
        )?;
        for fault in &done.faults {
            writeln!(out, "left as it is: {fault}")?;
        }
    }
    Ok(done.faults.is_empty())
}

pub(super) fn recover_all<G: StoredGame>(args: &RecoverArgs) -> anyhow::Result<bool> {
    let mut progress = Progress::new();
    let done = recover::<G>(place(&args.store)?, TARGET << 20, &mut |n, all| {
        progress.stands(format!("unit {} of {}", grouped(n), grouped(all)));
    })?;
    progress.end();
    let mut out = answer(args.json);
    let (recovered, generation) = (done.recovered, done.generation);
    if args.json {
        let value = json!({ "recovered": recovered, "units": done.units, "generation": generation, "faults": done.faults });
        writeln!(out, "{value}")?;
        return Ok(true);
    }
    for fault in &done.faults {
        writeln!(out, "wrong: {fault}")?;
    }
    let recovered = counted(recovered, "unit");
    writeln!(
        out,
        "{recovered} that no index named, now in generation {generation}; `anglerfish store verify` says what is still missing"
    )?;
    Ok(true)
}

pub(super) fn back_up<G: StoredGame>(args: &BackupArgs) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut progress = Progress::new();
    let done = backup::<G>(&mut store, new_place(&args.copy)?, &mut |n| {
        progress.stands(format!("{} copied", counted(n, "object")));
    })?;
    progress.end();
    let mut out = answer(args.json);
    if args.json {
        let value = json!({ "units": done.units, "objects": done.objects, "bytes": done.bytes, "faults": done.faults });
        writeln!(out, "{value}")?;
        return Ok(done.faults.is_empty());
    }
    for fault in &done.faults {
        writeln!(out, "not copied: {fault}")?;
    }
    let (objects, bytes) = (counted(done.objects, "object"), counted(done.bytes, "byte"));
    if done.faults.is_empty() {
        writeln!(out, "{objects} copied, {bytes}; {} there", counted(done.units, "unit"))?;
    } else {
        writeln!(out, "{objects} copied, {bytes}; the copy is not whole")?;
    }
    Ok(done.faults.is_empty())
}
