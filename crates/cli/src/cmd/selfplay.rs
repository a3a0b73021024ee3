//! `anglerfish selfplay`: games by the million into a store, on one machine or as one task of many.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Instant;

use anglerfish_arena::{
    Field, Host, Identity, Ledger, LedgerError, Name, Openings, Pairing, Unit, Worker, now, run_units,
    write_games,
};
use anglerfish_rules::{GAMES, NotationError, with_game};
use anglerfish_store::{Kept, Place, Scope, Store, order};
use anyhow::{Context, anyhow, bail};
use serde::Deserialize;
use serde_json::json;

use crate::cmd::store::bucket_options;
use crate::contest;
use crate::input::read;
use crate::progress::{Progress, duration};

/// Play the games of a manifest into a store
///
/// The manifest is all that the games depend on. They are cut into units, each of them kept in the store exactly once, whoever
/// plays it: the same command goes on where it was interrupted, and any number of machines may run it on one store at the same time.
#[derive(clap::Args)]
#[command(after_help = "Manifests are in TOML; examples/selfplay/ has one of each kind:
  pairing = \"self\"          # or \"round-robin\" or \"gauntlet\" (the first engine against each other)
  games = 1000              # of each pairing
  openings = \"random:1\"     # so many plies by chance; or a file of openings
  annotate = 1              # keep what players think: value and nodes
  [each]
  nodes = 100
  [[engine]]
  player = \"alphabeta,hash=1\"
Other keys: game, rules, seed, unit (games in a unit), store, asset; an engine has those of `anglerfish match`.

Examples:
  anglerfish selfplay examples/selfplay/first-flips.toml --store games --dry-run
  anglerfish selfplay examples/selfplay/first-flips.toml --store games
  anglerfish selfplay field.toml --store s3://bucket/games --task $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT")]
pub(crate) struct Args {
    /// What to play
    manifest: PathBuf,
    /// Where to keep it: a folder, `file:///FOLDER` or `s3://BUCKET/PREFIX`
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Games at the same time; as many as there are cores if nothing is said
    #[arg(long)]
    threads: Option<usize>,
    /// Play only one of COUNT equal parts, counted from 0: for a cluster's array of tasks
    #[arg(long, value_name = "INDEX/COUNT")]
    task: Option<String>,
    /// Only say what it would take: units, core-hours, bytes
    #[arg(long)]
    dry_run: bool,
    /// What was done, as one JSON object
    #[arg(long)]
    json: bool,
}

/// A manifest.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    pairing: String,
    games: u64,
    #[serde(default)]
    unit: Option<u32>,
    #[serde(default)]
    game: Option<String>,
    #[serde(default)]
    rules: Option<String>,
    #[serde(default)]
    seed: Option<u64>,
    #[serde(default)]
    openings: Option<String>,
    #[serde(default)]
    annotate: Option<u32>,
    #[serde(default)]
    store: Option<String>,
    #[serde(default)]
    engine: Vec<contest::Entry>,
    #[serde(default)]
    each: contest::Entry,
    #[serde(default)]
    asset: BTreeMap<String, PathBuf>,
}

/// Units that are asked for one by one; the names of more are listed.
const FEW: u64 = 100;

/// Games in a unit, where nothing is said: minutes of work with thousands of nodes, seconds with hundreds.
const USUAL_UNIT: u32 = 128;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let text = read(&args.manifest)?;
    let manifest: Manifest =
        toml::from_str(&text).with_context(|| format!("{} is not a manifest", args.manifest.display()))?;
    let address = args.store.clone().or_else(|| manifest.store.clone());
    let address = address.context("expected --store FOLDER, or store = \"FOLDER\" in the manifest")?;
    let mut worker = Worker { assets: contest::assets(&[], &manifest.asset)?, ..Worker::default() };
    let mut field = field(&manifest, &args.manifest, &worker)?;
    let game = field.game.clone();
    with_game!(game.as_str(), G => {
        field.check::<G>(&worker)?;
        contest::begin(None)?;
        contest::identify::<G>(&mut field.players, &field.rules, None)?;
        field.engine = contest::name_engine(&field.players, &mut worker);
        if args.dry_run {
            forecast::<G>(args, &address, &field, &worker)
        } else {
            play::<G>(args, &address, &field, &worker)
        }
    })
    .with_context(|| format!("expected game = {}, found {game:?}", GAMES.join(" or ")))?
}

fn field(manifest: &Manifest, path: &Path, worker: &Worker) -> anyhow::Result<Field> {
    let entries = manifest.engine.iter().map(|entry| entry.over(&manifest.each).contestant());
    let pairing: Pairing =
        manifest.pairing.parse().map_err(|e: NotationError| anyhow!("{}: {e}", path.display()))?;
    let batch = manifest.unit.unwrap_or(USUAL_UNIT);
    let whole = if pairing == Pairing::Alone { 1 } else { 2 };
    if batch == 0 || !batch.is_multiple_of(whole) {
        bail!("{}: expected unit to be a multiple of {whole}: every deal is played twice", path.display());
    }
    // A part of a unit would be a unit of its own, and its games would be there twice when the manifest grows.
    if !manifest.games.is_multiple_of(u64::from(batch)) {
        let (games, more) = (manifest.games, manifest.games.next_multiple_of(u64::from(batch)));
        bail!(
            "{}: expected games to be whole units of {batch}, such as {more}, found {games}",
            path.display()
        );
    }
    let openings = match &manifest.openings {
        Some(words) => super::matches::openings(words, path.parent())?,
        None => Openings::None,
    };
    let game = manifest.game.clone().unwrap_or_else(|| "banqi".to_owned());
    let usual_rules = if game == "banqi" { "platform" } else { "standard" };
    Ok(Field {
        players: entries.collect::<anyhow::Result<_>>()?,
        pairing,
        rules: manifest.rules.clone().unwrap_or_else(|| usual_rules.to_owned()),
        seed: manifest.seed.unwrap_or(1),
        openings,
        games: manifest.games,
        batch,
        annotate: manifest.annotate,
        assets: contest::digests(&worker.assets),
        engine: Identity::default(),
        game,
    })
}

/// `3/10`: the units of one task of many.
fn task(words: Option<&str>, units: u64) -> anyhow::Result<(u64, u64)> {
    let Some(words) = words else { return Ok((0, units)) };
    let numbers =
        words.split_once('/').and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
    match numbers {
        Some((i, n)) if i < n => {
            let part = |i: u64| (u128::from(units) * u128::from(i) / u128::from(n)) as u64;
            Ok((part(i), part(i + 1)))
        }
        _ => bail!("expected --task INDEX/COUNT with INDEX from 0 to COUNT - 1, found {words:?}"),
    }
}

/// The units that a worker has to know of: of each run those from the first to the last.
fn scope(units: impl Iterator<Item = Unit>) -> Scope {
    let mut scope = Scope::new();
    for unit in units {
        let order = order(&unit);
        match scope.last_mut().filter(|(from, _)| from.run == order.run) {
            Some((_, to)) => *to = order,
            None => scope.push((order.clone(), order)),
        }
    }
    scope
}

fn threads(args: &Args) -> usize {
    args.threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, Into::into)).max(1)
}

fn play<G: Kept>(args: &Args, address: &str, field: &Field, worker: &Worker) -> anyhow::Result<bool> {
    let (first, last) = task(args.task.as_deref(), field.len())?;
    let scope = scope(field.units(first, last));
    let mut store = Store::<G>::open(Place::make(address, &bucket_options())?, Some(scope))?;
    // One listing, or a question for each of a few; the texts of units are made when they are played.
    let listed = if last - first > FEW { Some(store.units()?) } else { None };
    let (mut games, mut kept) = (0, 0_u64);
    for unit in field.units(first, last) {
        let name = unit.name();
        let there = match &listed {
            Some(listed) => listed.contains(&name),
            None => store.has(&name)?,
        };
        if there {
            kept += 1;
        } else {
            games += unit.games() as u64;
        }
    }
    let units = last - first - kept;
    if kept > 0 {
        eprintln!("going on: {kept} of {} units are in the store", kept + units);
    }
    let began = now();
    let (mut done, mut played, mut failed) = (0_u64, 0_u64, Vec::new());
    let mut progress = Progress::new();
    let work = |unit: &str| -> Result<(u64, String), LedgerError> {
        let records = worker.play::<G>(unit).map_err(|e| LedgerError::new(Refused(e)))?;
        Ok((records.len() as u64, write_games(&records)))
    };
    let texts = field.units(first, last).map(|unit| unit.text());
    let known = |text: &String| listed.as_ref().is_some_and(|listed| listed.contains(&Name::of(text)));
    let numbered = texts.filter(|text| !known(text)).enumerate();
    run_units(numbered, threads(args), Some(&mut store), work, |_, n, result| {
        match result {
            Ok(games) => played += games,
            Err(why) => failed.push(format!("unit {n}: {why}")),
        }
        done += 1;
        progress.stands(line(done, units, played, games, began));
        Ok::<_, LedgerError>(ControlFlow::Continue(()))
    })?;
    progress.end();
    for why in &failed {
        eprintln!("failed: {why}");
    }
    let seconds = began.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let value = json!({ "store": address, "units": { "played": units - failed.len() as u64, "kept": kept, "failed": failed.len() },
            "games": played, "seconds": seconds });
        writeln!(out, "{value}")?;
    } else {
        writeln!(
            out,
            "{address}: {played} games in {} units played, {kept} units were there",
            units - failed.len() as u64
        )?;
    }
    Ok(failed.is_empty())
}

/// Why a worker would not play a unit.
#[derive(Debug)]
struct Refused(String);

impl std::fmt::Display for Refused {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Refused {}

fn line(done: u64, units: u64, played: u64, games: u64, began: Instant) -> String {
    let seconds = began.elapsed().as_secs_f64();
    let rate = played as f64 / seconds.max(1e-9);
    let left = games.saturating_sub(played) as f64 / rate.max(1e-9);
    format!("unit {done} of {units}: {played} games, {rate:.1} per second, {} left", duration(left))
}

/// Plays a little of everything for some seconds and multiplies.
fn forecast<G: Kept + Host>(
    args: &Args,
    address: &str,
    field: &Field,
    worker: &Worker,
) -> anyhow::Result<bool> {
    const SECONDS: f64 = 3.0;
    const SAMPLES: u64 = 6;
    let (first, last) = task(args.task.as_deref(), field.len())?;
    let units = last - first;
    let all: u64 = field.units(first, last).map(|unit| unit.games() as u64).sum();
    let (mut games, mut bytes, mut seconds) = (0_u64, 0_u64, 0.0);
    // Units far from each other, so that every pairing has its share; of each some pairs from the first on, as one object.
    let samples = SAMPLES.min(units);
    for n in 0..samples {
        let at = first + units * n / samples;
        let Some(unit) = field.units(at, at + 1).next() else { break };
        let (mut records, mut pairs) = (Vec::new(), 0);
        while pairs < unit.pairs && seconds * (samples as f64) < SECONDS * (n + 1) as f64 {
            let openings = unit.openings.one(u64::from(pairs));
            let pair = Unit { first: unit.first + u64::from(pairs), pairs: 1, openings, ..unit.clone() };
            let began = now();
            records.extend(worker.play::<G>(&pair.text()).map_err(|e| anyhow!(e))?);
            seconds += began.elapsed().as_secs_f64();
            pairs += 1;
        }
        if pairs > 0 {
            let sample = Unit { pairs, openings: unit.openings.first(pairs), ..unit };
            bytes += anglerfish_store::encoded_bytes(&sample, &records);
            games += records.len() as u64;
        }
    }
    let per_game = seconds / games.max(1) as f64;
    let hours = per_game * all as f64 / 3600.0;
    let size = bytes as f64 / games.max(1) as f64 * all as f64;
    let mut out = std::io::stdout().lock();
    if args.json {
        let value = json!({ "store": address, "units": units, "games": all, "core_hours": hours, "bytes": size.round() as u64, "sampled_games": games });
        writeln!(out, "{value}")?;
    } else {
        writeln!(out, "{address}: {all} games in {units} units")?;
        writeln!(
            out,
            "about {hours:.2} core-hours ({:.1} ms a game) and, before compaction, {:.1} MB, from {games} games played now",
            per_game * 1e3,
            size / 1e6
        )?;
        writeln!(
            out,
            "on {} threads here: {}",
            threads(args),
            duration(hours * 3600.0 / threads(args) as f64)
        )?;
    }
    Ok(true)
}
