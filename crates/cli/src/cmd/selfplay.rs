//! `anglerfish selfplay`: plays games by the million into a store, on one machine or as one task of many.

mod manifest;

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

use anglerfish_arena::{
    ArenaGame, Field, LedgerError, Name, ResultStore, Unit, Worker, now, run_units, write_games,
};
use anglerfish_report::{counted, grouped};
use anglerfish_store::{Scope, Store, StoreError, StoredGame, nonce, order};
use anyhow::{Context, bail, ensure};
use serde_json::json;

use self::manifest::Manifest;
use crate::cmd::store::{new_place, place};
use crate::contest;
use crate::games::{GAMES, with_game};
use crate::progress::{Progress, duration};
use crate::signals;
use crate::terminal::{answer, note};

/// Play the games of a manifest into a store
///
/// The games depend only on the manifest. They are cut into units, each stored exactly once: the same command
/// resumes an interrupted run, and any number of machines may run it on one store at the same time.
#[derive(clap::Args)]
#[command(after_help = "Manifests are in TOML; examples/selfplay/ has one of each kind:
  pairing = \"self\" # or \"round-robin\" or \"gauntlet\" (the first plays all others)
  games = 1000 # of each pairing
  unit = 50 # games in a unit, 128 if nothing is said; games is a multiple of it
  openings = \"random:1\" # so many plies by chance; or a file of openings
  annotate = 1 # keep the value and nodes of each choice; nothing without it
  stop = 24 # leave games unfinished after so many plies; else to their end
  [each]
  nodes = 100
  [[engine]]
  player = \"alphabeta,hash=1\"
Other keys: game, rules, seed, store, asset; an engine has those of `anglerfish match`.
annotate = N from 2 on keeps the N best choices too. alphabeta then compares them exactly: it plays differently, and weaker at equal nodes.

Examples:
  anglerfish selfplay examples/selfplay/first-flips.toml --store games --dry-run
  anglerfish selfplay examples/selfplay/first-flips.toml --store games
  anglerfish selfplay field.toml --store s3://bucket/games --task $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT")]
pub(crate) struct Args {
    /// The manifest
    manifest: PathBuf,
    /// The store: a folder, `file:///FOLDER` or `s3://BUCKET/PREFIX` [default: that of the manifest]
    #[arg(long, value_name = "STORE")]
    store: Option<String>,
    /// Games at the same time [default: as many as there are cores]
    #[arg(long, value_parser = crate::input::threads)]
    threads: Option<usize>,
    /// Play only one of COUNT equal parts, counted from 0: for a cluster's array of tasks [default: everything]
    #[arg(long, value_name = "INDEX/COUNT")]
    task: Option<String>,
    /// Isolate programs from the rest of this machine: no network, no other processes, and write access only
    /// to dir= and a /tmp of their own. Linux, with bubblewrap
    #[arg(long)]
    isolate: bool,
    /// Only estimate the cost: units, core-hours, bytes
    #[arg(long)]
    dry_run: bool,
    /// The outcome as one JSON object
    #[arg(long)]
    json: bool,
}

/// Up to this many units are looked up one by one; for more, all names are listed.
const FEW: u64 = 100;

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let manifest = Manifest::read(&args.manifest)?;
    let named = || args.manifest.display().to_string();
    let address = args.store.clone().or_else(|| manifest.store.clone());
    let address = address.context("expected --store FOLDER, or store = \"FOLDER\" in the manifest")?;
    let assets = contest::assets(&[], &manifest.asset).with_context(named)?;
    let mut worker = Worker { assets, isolate: args.isolate, ..Worker::default() };
    let mut field = manifest.field(&args.manifest, &worker).with_context(named)?;
    let game = field.game.clone();
    with_game!(game.as_str(), G => {
        field.check::<G>(&worker).with_context(named)?;
        for note in manifest.notes(&field.players) {
            note!("{note}");
        }
        let part = task(args.task.as_deref(), field.len())?;
        ensure!(
            part.1 - part.0 <= MOST_UNITS,
            "expected at most {} units in a task, found {}: raise `unit`, or share them with --task",
            grouped(MOST_UNITS),
            grouped(part.1 - part.0)
        );
        if args.isolate {
            contest::isolates()?;
        }
        let stand = Arc::new(Stand::default());
        signals::guard_saying({
            let stand = Arc::clone(&stand);
            move || stand.last_words()
        })?;
        contest::identify::<G>(&mut field.players, &field.rules, &worker).with_context(named)?;
        field.engine = contest::name_engine(&field.players, &mut worker);
        if args.dry_run {
            forecast::<G>(args, &address, &field, part, &worker)
        } else {
            play::<G>(args, &address, &field, part, &worker, &stand)
        }
    })
    .with_context(|| format!("{}: expected game = {}, found {game:?}", named(), GAMES.join(" or ")))?
}

/// Most units in one task: their names are in memory.
const MOST_UNITS: u64 = 100_000_000;

/// Progress is checked after this many units.
const LOOKED_AT: u64 = 1024;

/// `3/10`: the units of one task of many, from the first to before the last; an error if there are none.
fn task(words: Option<&str>, units: u64) -> anyhow::Result<(u64, u64)> {
    let Some(words) = words else { return Ok((0, units)) };
    let numbers =
        words.split_once('/').and_then(|(i, n)| Some((i.parse::<u64>().ok()?, n.parse::<u64>().ok()?)));
    match numbers {
        Some((i, n)) if i < n => {
            let part = |i: u64| (u128::from(units) * u128::from(i) / u128::from(n)) as u64;
            if part(i) == part(i + 1) {
                let most = counted(units, "task");
                note!(
                    "task {i} of {n} has no units: the manifest has {}, so use at most {most}",
                    grouped(units)
                );
            }
            Ok((part(i), part(i + 1)))
        }
        _ => bail!("expected --task INDEX/COUNT with INDEX from 0 to COUNT - 1, found {words:?}"),
    }
}

/// The units of the index that a worker needs: those from the first to the last of each run.
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

/// The state of the work, for the message after an interrupt.
#[derive(Default)]
struct Stand {
    kept: AtomicU64,
    units: AtomicU64,
}

impl Stand {
    /// `None` before the store has been read.
    fn last_words(&self) -> Option<String> {
        let (kept, units) = (self.kept.load(Ordering::Relaxed), self.units.load(Ordering::Relaxed));
        (units > 0).then(|| format!("stopped: {}; the same command goes on", in_the_store(kept, units)))
    }
}

/// `4 of 40 units are in the store`
fn in_the_store(kept: u64, units: u64) -> String {
    let are = if kept == 1 { "is" } else { "are" };
    format!("{} of {} {are} in the store", grouped(kept), counted(units, "unit"))
}

/// The units that are not in the store yet.
struct Left {
    units: u64,
    games: u64,
    kept: u64,
    /// The units in the store, if they were listed at once.
    listed: Option<BTreeSet<Name>>,
}

impl Left {
    fn of<G: StoredGame>(
        field: &Field,
        part: (u64, u64),
        mut store: Option<&mut Store<G>>,
    ) -> anyhow::Result<Left> {
        let (first, last) = part;
        // One listing, or one lookup for each of a few; the texts of units are made when they are played.
        let listed = match &mut store {
            Some(store) if last - first > FEW => Some(store.units()?),
            _ => None,
        };
        let mut left = Left { units: 0, games: 0, kept: 0, listed };
        let (mut progress, all) = (Progress::new(), grouped(last - first));
        for (n, unit) in (1..).zip(field.units(first, last)) {
            if n % LOOKED_AT == 0 {
                progress.stands(format!("looking for unit {} of {all} in the store", grouped(n)));
            }
            let there = match (&left.listed, &mut store) {
                (Some(listed), _) => listed.contains(&unit.name()),
                (None, Some(store)) => store.has(&unit.name())?,
                (None, None) => false,
            };
            if there {
                left.kept += 1;
            } else {
                left.units += 1;
                left.games += unit.games() as u64;
            }
        }
        progress.clear();
        Ok(left)
    }
}

fn play<G: StoredGame>(
    args: &Args,
    address: &str,
    field: &Field,
    (first, last): (u64, u64),
    worker: &Worker,
    stand: &Stand,
) -> anyhow::Result<bool> {
    if first == last {
        return tell(args, address, &Played::default());
    }
    let scope = scope(field.units(first, last));
    let mut store = Store::<G>::open(new_place(address)?, Some(scope))?;
    let mut run = String::new();
    for unit in field.units(first, last) {
        if order(&unit).run != run {
            run = order(&unit).run;
            store.claim(&unit)?;
        }
    }
    let Left { units, games, kept, listed } = Left::of(field, (first, last), Some(&mut store))?;
    stand.kept.store(kept, Ordering::Relaxed);
    stand.units.store(kept + units, Ordering::Relaxed);
    if kept > 0 && units > 0 {
        note!("going on: {}", in_the_store(kept, kept + units));
    }
    let began = now();
    let (mut played, mut failed) = (Played { kept, ..Played::default() }, Vec::new());
    let mut progress = Progress::new();
    let work = |unit: &str| -> Result<(u64, String), LedgerError> {
        let records = worker.play::<G>(unit).map_err(LedgerError::new)?;
        Ok((records.len() as u64, write_games(&records)))
    };
    let units_of = |n| field.units(first + n, first + n + 1).map(|unit| unit.text());
    let texts = scattered(last - first, nonce()).flat_map(units_of);
    let known = |text: &String| listed.as_ref().is_some_and(|listed| listed.contains(&Name::of(text)));
    let numbered = texts.filter(|text| !known(text)).enumerate();
    run_units(numbered, threads(args), Some(&mut store), work, |_, n, result| {
        match result {
            Ok(games) => {
                played.games += games;
                played.units += 1;
                stand.kept.store(kept + played.units, Ordering::Relaxed);
            }
            Err(why) => {
                failed.push(format!("unit {n}: {why}"));
                played.failed += 1;
            }
        }
        progress.stands(line(played.units + played.failed, units, played.games, games, began));
        Ok::<_, LedgerError>(ControlFlow::Continue(()))
    })?;
    progress.end();
    played.others = (last - first) - kept - (played.units - store.duplicates()) - played.failed;
    for why in &failed {
        note!("failed: {why}");
    }
    played.seconds = began.elapsed().as_secs_f64();
    tell(args, address, &played)
}

/// The numbers below `count` in an order of its own: two workers on the same units begin with different ones.
fn scattered(count: u64, nonce: u64) -> impl Iterator<Item = u64> {
    let common = |mut a: u64, mut b: u64| {
        while b > 0 {
            (a, b) = (b, a % b);
        }
        a
    };
    let first = 1 + nonce % count;
    let step = (first..first + count).find(|step| common(*step, count) == 1).unwrap_or(1);
    (0..count).scan((nonce >> 32) % count, move |at, _| {
        *at = (*at + step) % count;
        Some(*at)
    })
}

/// The outcome.
#[derive(Default)]
struct Played {
    units: u64,
    games: u64,
    kept: u64,
    /// Units that others have put meanwhile, including some that were played here too.
    others: u64,
    failed: u64,
    seconds: f64,
}

/// Prints the outcome; whether no unit has failed.
fn tell(args: &Args, address: &str, played: &Played) -> anyhow::Result<bool> {
    let Played { units, games, kept, others, failed, seconds } = *played;
    let mut out = answer(args.json);
    if args.json {
        let value = json!({ "store": address, "units": { "played": units, "kept": kept, "others": others, "failed": failed },
            "games": games, "seconds": seconds });
        writeln!(out, "{value}")?;
    } else if units + failed > 0 {
        let before =
            if kept > 0 { format!("; there already: {}", counted(kept, "unit")) } else { String::new() };
        let (games, units) = (counted(games, "game"), counted(units, "unit"));
        let by = if others > 0 {
            format!("; {} by others meanwhile", counted(others, "unit"))
        } else {
            String::new()
        };
        writeln!(out, "{address}: {games} in {units} played{before}{by}")?;
    } else if kept > 0 {
        let whose = if args.task.is_some() { " of this task" } else { "" };
        let all =
            if kept == 1 { "the only unit".to_owned() } else { format!("all {}", counted(kept, "unit")) };
        let are = if kept == 1 { "is" } else { "are" };
        writeln!(out, "nothing to play: {all}{whose} {are} in {address}")?;
    }
    Ok(failed == 0)
}

fn line(done: u64, units: u64, played: u64, games: u64, began: Instant) -> String {
    let seconds = began.elapsed().as_secs_f64();
    let rate = played as f64 / seconds.max(1e-9);
    let left = games.saturating_sub(played) as f64 / rate.max(1e-9);
    let (done, units, games) = (grouped(done), grouped(units), counted(played, "game"));
    format!("unit {done} of {units}: {games}, {rate:.1} per second, {} left", duration(left))
}

/// Plays samples for some seconds and extrapolates.
fn forecast<G: StoredGame + ArenaGame>(
    args: &Args,
    address: &str,
    field: &Field,
    (first, last): (u64, u64),
    worker: &Worker,
) -> anyhow::Result<bool> {
    const SECONDS: f64 = 3.0;
    const SAMPLES: u64 = 6;
    let scope = scope(field.units(first, last));
    let mut store = match place(address).and_then(|place| Ok(Store::<G>::existing(place, Some(scope))?)) {
        Ok(store) => Some(store),
        Err(error) if matches!(error.downcast_ref(), Some(StoreError::NoStore(_))) => None,
        Err(error) => return Err(error),
    };
    let Left { units: left, games: all, kept, .. } = Left::of(field, (first, last), store.as_mut())?;
    let units = last - first;
    let (mut games, mut bytes, mut seconds) = (0_u64, 0_u64, 0.0);
    // Units far apart, so that every pairing is represented; from each some pairs from the first on, as one object.
    let samples = SAMPLES.min(units);
    for n in 0..samples {
        let at = first + units * n / samples;
        let Some(unit) = field.units(at, at + 1).next() else { break };
        let (mut records, mut pairs) = (Vec::new(), 0);
        while pairs < unit.pairs && seconds * (samples as f64) < SECONDS * (n + 1) as f64 {
            let openings = unit.openings.one(u64::from(pairs));
            let pair = Unit { first: unit.first + u64::from(pairs), pairs: 1, openings, ..unit.clone() };
            let began = now();
            records.extend(worker.play::<G>(&pair.text())?);
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
    let mut out = answer(args.json);
    if args.json {
        let value = json!({ "store": address, "units": left, "kept": kept, "games": all, "core_hours": hours, "bytes": size.round() as u64, "sampled_games": games });
        writeln!(out, "{value}")?;
    } else {
        let to_play = format!("{} in {}", counted(all, "game"), counted(left, "unit"));
        if kept > 0 {
            writeln!(out, "{address}: {}; to play: {to_play}", in_the_store(kept, units))?;
        } else {
            writeln!(out, "{address}: {to_play}")?;
        }
        writeln!(
            out,
            "about {hours:.2} core-hours ({:.1} ms per game) and, before compaction, {:.1} MB, from {} played now",
            per_game * 1e3,
            size / 1e6,
            counted(games, "game")
        )?;
        writeln!(
            out,
            "on {} here: {}",
            counted(threads(args) as u64, "thread"),
            duration(hours * 3600.0 / threads(args) as f64)
        )?;
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use super::scattered;

    #[test]
    fn every_number_comes_once_in_whatever_order() {
        for count in (1..40).chain([1000, 65_536]) {
            for nonce in [0, 1, 2, 17, u64::MAX, 0x1234_5678_9abc_def0] {
                let mut all: Vec<u64> = scattered(count, nonce).collect();
                all.sort_unstable();
                assert!(all.into_iter().eq(0..count), "{count} by {nonce}");
            }
        }
    }
}
