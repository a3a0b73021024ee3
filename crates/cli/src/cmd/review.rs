//! `anglerfish review`: explains the result of a game to a player who wants to learn from it.

use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_arena::games::Checked;
use anglerfish_arena::{Judging, Worked, now, opened};
use anglerfish_engine::luck::{GameLuck, Judge};
use anglerfish_engine::{SearchGame, Stop};
use anglerfish_report::review::{Review, Summaries, Summary, annotated, html, names, told_apart};
use anglerfish_report::{Lang, say};
use anglerfish_report::{Report, grouped};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Record, Seat, Team};
use anyhow::{Context, anyhow, bail, ensure};

use super::replay::each_game;
use crate::board::terminal;
use crate::input::{parse_pointing, read};
use crate::judged::{Finished, Judgement, finished, read_unit, unit_of};
use crate::keep;
use crate::locale::Locale;
use crate::output::{write_beside, write_out};
use crate::progress::{Progress, duration};
use crate::terminal::{answer, note};

/// Explain the result of a game: luck, mistakes, and better choices
///
/// Takes games of any program: our records, the tournament platform's text files and its compact form, plain or
/// gzipped. A judge searches some nodes at each position and at every possible outcome of a flip. Values are games
/// won less games lost, from -1 to +1, and start, luck, mistakes of both sides and the judge's own corrections
/// add up to the result exactly (docs/luck.md). Accuracy counts only the choices where something was at stake.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish review
  anglerfish review mine.games
  anglerfish review mine.games --lang zh-Hant
  anglerfish review examples/first.games --game 2 --for random
  anglerfish review mine.games --html review.html --annotate mine-judged.games
  anglerfish review match/match.games --all --judge nodes=200 --out reviewed")]
pub(crate) struct Args {
    /// Files of records; - is standard input [default: the last game that you finished with `anglerfish play`; with
    /// --all, all of them]
    files: Vec<PathBuf>,
    /// The number of the game, from 1; without files, its number in `anglerfish games` [default: the only or the last one]
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Sum up the players of all finished games
    #[arg(long, conflicts_with_all = ["game", "html", "svg", "annotate"])]
    all: bool,
    /// The player to review; with --all, only the games of this player [default: you, or the first player of a
    /// game of others; with --all, all players]
    #[arg(long = "for", value_name = "NAME")]
    side: Option<String>,
    /// The judge: nodes=N at each position, with a player before it if you like
    #[arg(long, value_name = "nodes=N", default_value_t = Judging::of_review(), value_parser = judging)]
    judge: Judging,
    /// Write a self-contained page to step through the game [default: not written]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the course of the game as a picture [default: not written]
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Write the record with the judge's values as annotations, which replace its own [default: not written]
    #[arg(long, value_name = "FILE")]
    annotate: Option<PathBuf>,
    /// With --all, keep judged games and the table (CSV and JSON) in this folder, and resume from it
    /// [default: nothing is kept]
    #[arg(long, value_name = "FOLDER", requires = "all", conflicts_with_all = ["game", "html", "svg", "annotate"])]
    out: Option<PathBuf>,
    /// With --all, how many games are judged in parallel [default: as many as there are cores]
    #[arg(long, requires = "all", conflicts_with_all = ["game", "html", "svg", "annotate"], value_parser = crate::input::threads)]
    threads: Option<usize>,
    /// The rules of platform files, which do not name them
    #[arg(long, default_value = "platform")]
    rules: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    locale: Locale,
}

/// The judge of `--judge`, with the other settings of reviews.
fn judging(text: &str) -> Result<Judging, String> {
    let judging = Judging::of_review().with(text).map_err(|e| e.to_string())?;
    if judging.nodes == 0 {
        return Err(
            "expected nodes=1 or more: a judge who only evaluates has no choice of its own".to_owned()
        );
    }
    Ok(judging)
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    args.judge.judge::<Banqi>().map_err(|e| anyhow!("--judge: {e}"))?;
    if args.all {
        return all(args, rules);
    }
    if !args.files.is_empty() {
        return one(args, &chosen(args, rules)?).map(|_| true);
    }
    let lang = args.locale.lang();
    let n = args.game.map(|n| u32::try_from(n).unwrap_or(u32::MAX));
    let mut game = keep::game(n, lang)?;
    note!("{}", say!(lang, "games.reviewed", n = game.n, file = game.path.display()));
    let account = one(args, &game.record)?;
    // For `anglerfish games`.
    args.judge.write_judged(&account, &mut game.record);
    keep::rewrite(&game)?;
    Ok(true)
}

/// The game of the arguments.
fn chosen(args: &Args, rules: RuleSet) -> anyhow::Result<Record<Banqi>> {
    let mut games: Vec<Checked> = Vec::new();
    for path in &args.files {
        each_game(&read(path)?, path, rules, &mut |_, checked| {
            games.push(checked);
            Ok(())
        })?;
    }
    let n = match (args.game, games.len()) {
        (_, 0) => bail!("expected a game, found none"),
        (None, 1) => 1,
        (None, many) => bail!("there are {many} games: say which one with --game N, or --all"),
        (Some(n), many) if n == 0 || n > many => bail!("expected --game to be from 1 to {many}"),
        (Some(n), _) => n,
    };
    games.swap_remove(n - 1).map_err(|(_, error)| anyhow!("game {n} does not hold: {error}"))
}

/// The luck and the mistakes of a game, with the state of the work on standard error.
pub(crate) fn judged(judge: &mut Judge<Banqi>, record: &Record<Banqi>) -> anyhow::Result<GameLuck<Banqi>> {
    let (from, plies, began, mut progress) = (opened(record), record.plies.len(), now(), Progress::new());
    let account = GameLuck::watched(judge, record, from, &Stop::default(), &mut |ply| {
        let done = began.elapsed().as_secs_f64();
        // Most reviews end before a user wonders.
        if done > 2.0 {
            let left = done / (ply - from) as f64 * (plies - ply) as f64;
            progress.stands(format!("ply {ply} of {plies}, {} left", duration(left)));
        }
    });
    progress.clear();
    account.context("the review was stopped")
}

/// One game.
fn one(args: &Args, record: &Record<Banqi>) -> anyhow::Result<GameLuck<Banqi>> {
    let team = side(args.side.as_deref(), record)?;
    apart(args)?;
    let mut judge = args.judge.judge::<Banqi>()?;
    let account = judged(&mut judge, record)?;
    let review = Review::new(&account, record, &args.judge.to_string(), team).explained(&account, record);
    let review = review.speaking(args.locale.lang());
    let write = |path: &Option<PathBuf>, text: &dyn Fn() -> String| match path {
        Some(path) => written(args.locale, path, &text()),
        None => Ok(()),
    };
    write(&args.html, &|| html(&review, record))?;
    write(&args.svg, &|| review.plot().svg() + "\n")?;
    write(&args.annotate, &|| {
        format!("{}\n", annotated(&account, record, &args.judge.to_string(), args.judge.nodes))
    })?;
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{}", review.json())?;
    } else {
        write!(out, "{}", review.text_within(terminal().unwrap_or(80)))?;
    }
    Ok(account)
}

/// The team of a player.
fn side(name: Option<&str>, record: &Record<Banqi>) -> anyhow::Result<Team> {
    let Some(name) = name else { return Ok(keep::person(record).map_or(Team::A, Seat::team)) };
    let [first, second] = told_apart(record);
    // If both players have the same name, the first.
    match names(record).iter().chain([&first, &second]).position(|known| known == name) {
        Some(n) => Ok(if n % 2 == 0 { Team::A } else { Team::B }),
        None => bail!("expected --for to be {first:?} or {second:?}, found {name:?}"),
    }
}

/// Refuses to overwrite an input file or another output file.
fn apart(args: &Args) -> anyhow::Result<()> {
    let place = |path: &PathBuf| std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
    let mut taken: Vec<PathBuf> = args.files.iter().map(place).collect();
    for path in [&args.html, &args.svg, &args.annotate].into_iter().flatten() {
        ensure!(
            !taken.contains(&place(path)),
            "expected a file of its own to write, found {} twice",
            path.display()
        );
        taken.push(place(path));
    }
    Ok(())
}

fn written(locale: Locale, path: &Path, text: &str) -> anyhow::Result<()> {
    write_out(path, |out| Ok(out.write_all(text.as_bytes())?))?;
    note!("{}", say!(locale.lang(), "all.wrote", file = path.display()));
    Ok(())
}

/// Reviews all games together.
fn all(args: &Args, rules: RuleSet) -> anyhow::Result<bool> {
    let mine = if args.files.is_empty() { keep::games(&mut |_| {})? } else { Vec::new() };
    let mine: Vec<PathBuf> = mine.into_iter().map(|game| game.path).collect();
    let files = if args.files.is_empty() { &mine } else { &args.files };
    let Finished { mut games, wrong, unfinished } = finished(files, rules)?;
    ensure!(!games.is_empty(), "expected finished games, found none");
    if let Some(name) = &args.side {
        games.retain(|game| names(game).contains(name));
        ensure!(!games.is_empty(), "expected --for to be a player of these games, found {name:?}");
    }
    let units: Vec<String> = games.iter().map(|game| unit_of(&args.judge, game)).collect();
    let judgement =
        Judgement { what: "review 2", judge: &args.judge, out: args.out.as_deref(), threads: args.threads };
    let mut reviewed = Vec::new();
    for (game, result) in games.iter().zip(judgement.of_all(&units, work)?) {
        let summary = serde_json::from_str::<Summary>(&result).context("expected the sums of a game")?;
        reviewed.push((game, summary));
    }
    let found = Summaries::new(&reviewed)?;
    let mut object = found.json();
    object["judge"] = args.judge.to_string().into();
    object["wrong"] = wrong.into();
    object["unfinished"] = unfinished.into();
    if let Some(folder) = &args.out {
        written(args.locale, &folder.join("review.json"), &format!("{object}\n"))?;
        // Other programs read it, so it is English in every language.
        let tables = vec![found.table(Lang::En)];
        write_beside(folder, &Report { tables, ..Report::default() })?;
    }
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{object}")?;
        return Ok(wrong == 0);
    }
    let (lang, n) = (args.locale.lang(), games.len() as u64);
    let counted = say!(lang, if n == 1 { "all.one_game" } else { "all.games" }, n = grouped(n));
    writeln!(out, "{}\n", say!(lang, "all.head", games = counted, judge = args.judge))?;
    writeln!(out, "{}", found.table(lang).text())?;
    write!(out, "{}", found.totals(lang))?;
    if unfinished > 0 {
        writeln!(out, "{}", say!(lang, "all.left_out", n = grouped(unfinished)))?;
    }
    if games.iter().any(|game| !game.start.is_calibrated()) {
        writeln!(out, "{}", lang.text("all.uncalibrated"))?;
    }
    Ok(wrong == 0)
}

/// Judges one game: its sums as JSON.
fn work(unit: &str) -> Worked<String, anyhow::Error> {
    let (_, mut judge, game) = read_unit(unit)?;
    let account = GameLuck::new(&mut judge, &game, opened(&game));
    let sums = serde_json::to_string(&Summary::new(&account, &game))?;
    Ok((sums.clone(), sums + "\n"))
}
