//! `anglerfish store import`: games from elsewhere into a store.

use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_arena::{Journal, Name, UnitResult, read_games, write_games};
use anglerfish_report::counted;
use anglerfish_rules::Record;
use anglerfish_store::{Filled, Imported, Played, Store, StoredGame, fill, game_of};
use anyhow::{Context, bail, ensure};
use serde_json::{Value, json};

use super::source::{Chunk, Source};
use super::{new_place, threads};
use crate::games::{GAMES, with_game};
use crate::progress::Progress;
use crate::terminal::answer;

/// Bring games into a store: folders of matches and tournaments, and files of records
///
/// The units of a match or a tournament keep their names and their games, as if they had been played into the
/// store. Games of files become units named by the SHA-256 of the file. So importing again changes nothing,
/// and an interrupted import can be repeated. Every game is replayed first.
#[derive(clap::Args)]
#[command(
    after_help = "Files are our own records, the platform's texts or its compact form, one JSON object per line; plain or gzipped.

Examples:
  anglerfish store import games match-folder tournament-folder
  anglerfish store import games match.games platform.jsonl.gz"
)]
pub(super) struct Args {
    /// The store; a missing one is created
    store: String,
    /// Folders of matches and tournaments, their journals, or files of records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The rules of platform files, which do not name them
    #[arg(long, default_value = "platform")]
    rules: String,
    /// Threads, most of which wait for the disk [default: twice as many as there are cores]
    #[arg(long, value_parser = crate::input::threads)]
    threads: Option<usize>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The contents of a file.
enum Kind {
    Journal { path: PathBuf, run: String },
    Records(Source),
}

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let kinds: Vec<(Kind, String)> =
        args.files.iter().map(|path| kind(path, args)).collect::<Result<_, _>>()?;
    let place = new_place(&args.store)?;
    let game = match game_of(&place)? {
        Some(game) => game,
        None => kinds[0].1.clone(),
    };
    for ((_, found), path) in kinds.iter().zip(&args.files) {
        ensure!(*found == game, "{}: expected games of {game}, found {found}", path.display());
    }
    let kinds: Vec<Kind> = kinds.into_iter().map(|(kind, _)| kind).collect();
    with_game!(game.as_str(), G => import::<G>(args, Store::open(place, None)?, kinds))
        .with_context(|| format!("expected games of {}, found {game:?}", GAMES.join(" or ")))?
}

/// The kind of a file, and the name of its game.
fn kind(path: &Path, args: &Args) -> anyhow::Result<(Kind, String)> {
    if path.join("store.json").exists() {
        let path = path.display();
        bail!(
            "{path} is a store: export its records first (anglerfish store export {path} --out FILE) and import those"
        );
    }
    let journal = if path.is_dir() { path.join("journal") } else { path.to_owned() };
    ensure!(
        journal.exists(),
        "{} is not there: expected the folder of a match or tournament, or a file",
        journal.display()
    );
    if !path.is_dir() && !Source::is_journal(path)? {
        let source = Source::open(path, &args.rules)?;
        let game = source.game()?;
        return Ok((Kind::Records(source), game));
    }
    let Some(run) = Journal::run_of(&journal)? else { bail!("{} holds no run yet", journal.display()) };
    let game =
        serde_json::from_str::<Value>(&run).ok().and_then(|run| Some(run["game"].as_str()?.to_owned()));
    let game = game.with_context(|| {
        format!("{}: expected the run of a match or tournament, found {run:.80}", journal.display())
    })?;
    Ok((Kind::Journal { path: journal, run }, game))
}

fn import<G: StoredGame>(args: &Args, mut store: Store<G>, kinds: Vec<Kind>) -> anyhow::Result<bool> {
    let mut all = Filled::default();
    let (mut rows, mut failed) = (Vec::new(), 0);
    let mut out = answer(args.json);
    for (kind, path) in kinds.into_iter().zip(&args.files) {
        let (filled, left) = match kind {
            Kind::Journal { path, run } => journal(&mut store, args, &path, &run)?,
            Kind::Records(source) => (records(&mut store, args, source)?, 0),
        };
        if args.json {
            rows.push(json!({ "file": path, "units": filled.units, "games": filled.games,
                "units_there": filled.there, "games_there": filled.there_games, "failed": left }));
        } else {
            writeln!(out, "{}: {}{}", path.display(), said(&filled), failures(left))?;
        }
        failed += left;
        all.units += filled.units;
        all.games += filled.games;
        all.there += filled.there;
        all.there_games += filled.there_games;
    }
    if args.json {
        let value = json!({ "schema": 1, "store": args.store, "units": all.units, "games": all.games, "units_there": all.there,
            "games_there": all.there_games, "failed": failed, "files": rows });
        writeln!(out, "{value}")?;
    } else if args.files.len() > 1 {
        writeln!(out, "{}: {}{}", args.store, said(&all), failures(failed))?;
    }
    Ok(true)
}

fn said(filled: &Filled) -> String {
    let Filled { units, games, there, there_games } = filled;
    let all = |games: u64, units: u64| format!("{} in {}", counted(games, "game"), counted(units, "unit"));
    match (*units, *there) {
        (_, 0) => format!("{} imported", all(*games, *units)),
        (0, _) => format!("nothing imported; there already: {}", all(*there_games, *there)),
        _ => format!("{} imported; there already: {}", all(*games, *units), all(*there_games, *there)),
    }
}

fn failures(n: u64) -> String {
    if n == 0 { String::new() } else { format!("; failed, so without games: {}", counted(n, "unit")) }
}

/// Fills a store and shows the progress.
fn fill_shown<G: StoredGame, T: Send>(
    store: &mut Store<G>,
    args: &Args,
    path: &Path,
    parts: &mut (dyn Iterator<Item = anyhow::Result<T>> + Send),
    read: &(dyn Fn(T) -> anyhow::Result<Played<G>> + Sync),
) -> anyhow::Result<Filled> {
    let mut progress = Progress::new();
    let threads = args.threads.unwrap_or_else(|| 2 * threads(None));
    let filled = fill(store, threads, parts, read, &mut |filled| {
        let games = counted(filled.games + filled.there_games, "game");
        progress.stands(format!("{}: {games} read", path.display()));
    })?;
    progress.clear();
    Ok(filled)
}

/// The units of a run, and how many of them had failed.
fn journal<G: StoredGame>(
    store: &mut Store<G>,
    args: &Args,
    path: &Path,
    run: &str,
) -> anyhow::Result<(Filled, u64)> {
    let mut journal = Journal::open(path, run)?;
    let mut failed = 0;
    let mut parts = journal.entries().filter_map(|entry| match entry {
        Ok((text, UnitResult::Result(games))) => Some(Ok((text, games))),
        Ok((_, UnitResult::Failed(_))) => {
            failed += 1;
            None
        }
        Err(error) => Some(Err(error.into())),
    });
    let filled = fill_shown(store, args, path, &mut parts, &|(text, games): (String, String)| {
        let unit = || format!("{}, unit {:.12}", path.display(), Name::of(&text).to_string());
        let records = replayed::<G>(&games).with_context(unit)?;
        // Otherwise it would come out of the store changed.
        ensure!(write_games(&records) == games, "{}: its games are not written as we write them", unit());
        Ok((text, records))
    })?;
    drop(parts);
    Ok((filled, failed))
}

/// The games of a file.
fn records<G: StoredGame>(store: &mut Store<G>, args: &Args, source: Source) -> anyhow::Result<Filled> {
    let path = source.path().to_owned();
    let (file, rules) = (source.digest()?, source.rules());
    let mut chunks = source.chunks()?;
    fill_shown(store, args, &path, &mut chunks, &|chunk: Chunk| {
        let place = || format!("{}, from line {} on", path.display(), chunk.line);
        let games = chunk.records().with_context(place)?;
        let records = replayed::<G>(&games).with_context(place)?;
        let (expected, found) = (chunk.games, records.len());
        ensure!(
            expected as usize == found,
            "{}: expected every record to begin on a line of its own, found {found} records at {expected} beginnings",
            place()
        );
        let part = Imported { rules: rules.clone(), ..Imported::new::<G>(&file, chunk.first, chunk.games) };
        Ok((part.text(), records))
    })
}

/// The games, each legal and with the right ending.
fn replayed<G: StoredGame>(games: &str) -> anyhow::Result<Vec<Record<G>>> {
    let records = read_games::<G>(games)?;
    for (n, record) in records.iter().enumerate() {
        record.replay().with_context(|| format!("game {}", n + 1))?;
    }
    Ok(records)
}
