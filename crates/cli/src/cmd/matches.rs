//! `anglerfish match`: two contestants, pairs of games, and what they prove.

use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_arena::report::{GameRow, Report, SprtCurve, html};
use anglerfish_arena::stats::elo::{Estimate, elo, los, normalized_elo};
use anglerfish_arena::stats::sprt::Verdict;
use anglerfish_arena::{Journal, Match, Tally};
use anglerfish_rules::banqi::{Banqi, read_deals};
use anglerfish_rules::{Record, Team};
use anyhow::{Context, bail};
use serde_json::json;

use crate::contest;
use crate::input::{pointing, read};
use crate::progress::Progress;

/// Play a match of paired games between two players or programs
///
/// Each deal is played twice with the seats exchanged. Scores, Elo and tests are of the first contestant, from pairs
/// (pentanomial). With --out everything is kept as games end, and the same command goes on where it was interrupted.
#[derive(clap::Args)]
#[command(
    after_help = "Keys of --engine and --each: player=NAME (alphabeta, mcts, course2019, level1 to level10, greedy, random and others,
or a configuration such as alphabeta,threads=2; a wrong name lists them), or cmd=PROGRAM with proto=dctp|uci|misty|wakasagi,
arg=ARGUMENT (may be repeated), dir=FOLDER, mem=MIB, answer=SECONDS, stall=SECONDS; name=NAME;
and one of nodes=N, st=SECONDS a move, tc=SECONDS[+INCREMENT] a game.

Examples:
  anglerfish match --engine player=greedy --engine player=random --rounds 100
  anglerfish match --engine cmd=./mine proto=dctp --engine cmd=./theirs proto=dctp --each tc=60 --rounds 50 --concurrency 2 --out m1
  anglerfish match --engine player=greedy --engine player=random --sprt elo0=0 elo1=20 --rounds 20000 --json
  anglerfish match --config match.toml"
)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: contest::Engines,
    /// Keys for both contestants
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// How many pairs of games at most
    #[arg(long, value_name = "PAIRS")]
    rounds: Option<u64>,
    /// The rules
    #[arg(long)]
    rules: Option<String>,
    /// The seed of deals and players
    #[arg(long)]
    seed: Option<u64>,
    /// A deal file, played in order, round and round
    #[arg(long, value_name = "FILE")]
    deals: Option<PathBuf>,
    /// Stop when a sequential test has decided: elo0= elo1= [alpha=0.05] [beta=0.05] [model=logistic|normalized]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Keep the journal, the games, the result and a report to look at in this folder, and go on from what is there
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Keep what programs and we say to each other in this folder, a file a program and game, with milliseconds
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// The same settings in a TOML file; what is given here goes first
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let game = settings(args)?;
    game.check()?;
    contest::begin(args.log.as_deref())?;
    let mut journal = match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            Some(Journal::open(&folder.join("journal"), &game.run_name())?)
        }
        None => None,
    };
    if let Some(done) = journal.as_ref().map(Journal::len).filter(|n| *n > 0) {
        eprintln!("going on: {done} pairs are in the journal");
    }
    // The file of games is written anew from the journal, in the order of the pairs.
    let mut games = match &args.out {
        Some(folder) => Some(std::io::BufWriter::new(std::fs::File::create(folder.join("match.games"))?)),
        None => None,
    };
    let mut progress = Progress::new();
    let mut failed = None;
    let mut rows = Vec::new();
    let tally = game.run(journal.as_mut(), args.concurrency, &mut |tally, records| {
        tell_forfeits(records);
        progress.stands(line(&game, tally));
        if games.is_some() {
            let seats = [[0, 1], [1, 0]];
            rows.extend(
                records.iter().zip(seats).filter_map(|(record, seats)| GameRow::of(record, 0, seats)),
            );
        }
        if let Some(file) = &mut games
            && let Err(error) = keep(file, records)
        {
            failed.get_or_insert(error);
        }
    });
    let tally = contest::ended(tally, args.out.as_deref(), journal.as_ref())?;
    progress.end();
    if let Some(error) = failed {
        return Err(error).context("cannot write the games");
    }
    let value = describe(&game, &tally);
    if let Some(folder) = &args.out {
        std::fs::write(folder.join("result.json"), format!("{value}\n"))?;
        std::fs::write(folder.join("report.html"), html(&report(&game, &tally, rows)))?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{}", summary(&game, &tally))?;
    }
    Ok(true)
}

fn keep(file: &mut impl Write, records: &[Record<Banqi>]) -> std::io::Result<()> {
    for record in records {
        writeln!(file, "{record}")?;
    }
    file.flush()
}

/// The flags over the file over the defaults.
fn settings(args: &Args) -> anyhow::Result<Match> {
    let file = contest::read_config(args.config.as_deref())?;
    let contestants = contest::contestants(&args.engines, &args.each, &file)?;
    let n = contestants.len();
    let Ok(players) = <[_; 2]>::try_from(contestants) else {
        bail!("expected two contestants (--engine twice), found {n}");
    };
    if players[0].name == players[1].name {
        bail!("expected two names, found {:?} twice: add name=NAME", players[0].name);
    }
    let sprt = contest::sprt(&args.sprt)?.or(file.sprt.map(|s| s.test()).transpose()?);
    let deals = match args.deals.as_ref().or(file.deals.as_ref()) {
        Some(path) => deals(path)?,
        None => Vec::new(),
    };
    let default_rounds = if deals.is_empty() { 100 } else { deals.len() as u64 };
    Ok(Match {
        players,
        rules: args.rules.clone().or(file.rules).unwrap_or_else(|| "platform".to_owned()),
        seed: args.seed.or(file.seed).unwrap_or(1),
        pairs: args.rounds.or(file.rounds).unwrap_or(default_rounds),
        deals,
        sprt,
        log: args.log.clone(),
    })
}

fn deals(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = read(path)?;
    let deals = read_deals(&text).map_err(|e| pointing(&e, &text, Some(path)))?;
    Ok(deals.iter().map(|deal| deal.layout.to_string()).collect())
}

/// Says which games were lost other than on the board.
fn tell_forfeits(records: &[Record<Banqi>]) {
    for record in records {
        if let Some(complaint) = record.tag("Complaint") {
            let loser = match record.ending.map(|e| e.outcome) {
                Some(anglerfish_rules::Outcome::Win(Team::A)) => record.tag("Second"),
                _ => record.tag("First"),
            };
            let cause = record.ending.map_or("", |e| e.cause.text());
            let round = record.tag("Round").unwrap_or_default();
            eprintln!("game {round}: {} loses by {cause}: {complaint}", loser.unwrap_or_default());
        }
    }
}

/// `+12.3 ± 8.1`, or what there is to say when an end of the interval is nowhere.
fn around(estimate: &Estimate) -> String {
    let Estimate { value, low, high } = *estimate;
    match (low.is_finite(), high.is_finite()) {
        (true, true) => format!("{value:+.1} ± {:.1}", estimate.error()),
        (true, false) => format!("above {low:+.1}"),
        (false, true) => format!("below {high:+.1}"),
        (false, false) => "unknown".to_owned(),
    }
}

fn line(game: &Match, tally: &Tally) -> String {
    let [won, drawn, lost] = tally.games;
    let llr = tally.llr.last().map_or(String::new(), |llr| match &game.sprt {
        Some(sprt) => format!("; LLR {llr:.2} ({:.2}, {:.2})", sprt.bounds().0, sprt.bounds().1),
        None => String::new(),
    });
    format!(
        "pair {} of {}: {} +{won} ={drawn} -{lost} ({:.1} %), Elo {}{llr}",
        tally.pairs.pairs(),
        game.pairs,
        game.players[0].name,
        100.0 * tally.pairs.score(),
        around(&elo(&tally.pairs)),
    )
}

fn verdict(tally: &Tally) -> &'static str {
    match tally.verdict {
        Some(Verdict::AcceptH1) => "H1 accepted",
        Some(Verdict::AcceptH0) => "H0 accepted",
        Some(Verdict::Continue) => "not decided",
        None => "no test",
    }
}

fn summary(game: &Match, tally: &Tally) -> String {
    let [a, b] = &game.players;
    let [won, drawn, lost] = tally.games;
    let endings: Vec<String> = tally.endings.iter().map(|(name, n)| format!("{name} {n}")).collect();
    let mut text =
        format!("{} ({}) against {} ({}), rules {}\n", a.name, a.budget, b.name, b.budget, game.rules);
    text += &format!(
        "Games  {}: +{won} ={drawn} -{lost}, score {:.2} %\n",
        won + drawn + lost,
        100.0 * tally.pairs.score()
    );
    text += &format!("Pairs  {:?} (0, 1/2, 1, 3/2, 2 points)\n", tally.pairs.0);
    text +=
        &format!("Elo    {}, nElo {}\n", around(&elo(&tally.pairs)), around(&normalized_elo(&tally.pairs)));
    text += &format!("LOS    {:.1} %\n", 100.0 * los(&tally.pairs));
    if let (Some(sprt), Some(llr)) = (&game.sprt, tally.llr.last()) {
        let (lower, upper) = sprt.bounds();
        text += &format!(
            "SPRT   LLR {llr:.2} ({lower:.2}, {upper:.2}) for [{}, {}]: {}\n",
            sprt.elo0,
            sprt.elo1,
            verdict(tally)
        );
    }
    text += &format!("Ended  {}\n", endings.join(", "));
    if tally.forfeits != [0, 0] {
        text +=
            &format!("Forfeits  {} by {}, {} by {}\n", tally.forfeits[0], a.name, tally.forfeits[1], b.name);
    }
    text
}

/// The page for people.
fn report(game: &Match, tally: &Tally, games: Vec<GameRow>) -> Report {
    let [a, b] = &game.players;
    let [won, drawn, lost] = tally.games;
    let fact = |name: &str, value: String| (name.to_owned(), value);
    let mut facts = vec![
        fact("Score", format!("{:.2} % (+{won} ={drawn} -{lost})", 100.0 * tally.pairs.score())),
        fact("Elo", around(&elo(&tally.pairs))),
        fact("nElo", around(&normalized_elo(&tally.pairs))),
        fact("LOS", format!("{:.1} %", 100.0 * los(&tally.pairs))),
        fact("Pairs (0, 1/2, 1, 3/2, 2)", format!("{:?}", tally.pairs.0)),
        fact("Forfeits", format!("{} by {}, {} by {}", tally.forfeits[0], a.name, tally.forfeits[1], b.name)),
        fact("Seed", game.seed.to_string()),
    ];
    let sprt = game.sprt.as_ref().map(|sprt| {
        let (lower, upper) = sprt.bounds();
        facts.push(fact("SPRT", format!("[{}, {}]: {}", sprt.elo0, sprt.elo1, verdict(tally))));
        SprtCurve { lower, upper, points: (1..).zip(tally.llr.iter().copied()).collect() }
    });
    Report {
        title: format!("{} against {}", a.name, b.name),
        subtitle: format!(
            "{} pairs of games; {} {}, {} {}",
            tally.pairs.pairs(),
            a.name,
            a.budget,
            b.name,
            b.budget
        ),
        rules: game.rules.clone(),
        facts,
        players: vec![a.name.clone(), b.name.clone()],
        games,
        sprt,
        ratings: Vec::new(),
        standings: None,
        ..Report::default()
    }
}

fn describe(game: &Match, tally: &Tally) -> serde_json::Value {
    let number = |x: f64| if x.is_finite() { json!(x) } else { json!(null) };
    let estimate =
        |e: &Estimate| json!({ "value": number(e.value), "low": number(e.low), "high": number(e.high) });
    let [won, drawn, lost] = tally.games;
    json!({
        "schema": 1,
        "players": [game.players[0].name, game.players[1].name],
        "rules": game.rules,
        "seed": game.seed,
        "pairs": tally.pairs.0,
        "games": { "won": won, "drawn": drawn, "lost": lost },
        "score": number(tally.pairs.score()),
        "elo": estimate(&elo(&tally.pairs)),
        "nelo": estimate(&normalized_elo(&tally.pairs)),
        "los": number(los(&tally.pairs)),
        "llr": tally.llr.last(),
        "verdict": verdict(tally),
        "endings": tally.endings,
        "forfeits": tally.forfeits,
        "plies": tally.plies,
    })
}
