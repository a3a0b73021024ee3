//! `anglerfish match`: two contestants, pairs of games, and what they prove.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anglerfish_arena::report::{GameRow, Report, SprtCurve, html};
use anglerfish_arena::stats::elo::{Estimate, elo, los, normalized_elo};
use anglerfish_arena::stats::sprt::Verdict;
use anglerfish_arena::{
    Contestant, Decision, Host, Identity, Journal, Ledger, Match, Openings, Tally, Worker, now,
};
use anglerfish_rules::banqi::read_deals;
use anglerfish_rules::{GAMES, Record, Team, with_game};
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use crate::contest;
use crate::input::{pointing, read};
use crate::progress::Progress;
use crate::provenance;

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
    /// The game: banqi or tictactoe
    #[arg(long)]
    game: Option<String>,
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
    /// Begin with so many plies by chance (random:N), or with the openings of a file, a line each: a deal, or moves, or both
    #[arg(long, value_name = "random:N|FILE", conflicts_with = "deals")]
    openings: Option<String>,
    /// Pairs in a unit: more of them make a long run of quick games quicker
    #[arg(long, value_name = "PAIRS")]
    batch: Option<u32>,
    /// Play only these units of all, to be merged with the others: `anglerfish merge`
    #[arg(long, value_name = "FIRST..LAST")]
    units: Option<String>,
    /// Keep in the records what players think: value and nodes, and with LINES more the choices that they compare
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "1", value_parser = clap::value_parser!(u32).range(1..=112))]
    annotate: Option<u32>,
    /// A file that players refer to, such as player=alphabeta,weights=NAME; may be repeated
    #[arg(long, value_name = "NAME=FILE")]
    asset: Vec<String>,
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
    let file = contest::read_config(args.config.as_deref())?;
    let worker = Worker {
        assets: contest::assets(&args.asset, &file.asset)?,
        log: args.log.clone(),
        ..Worker::default()
    };
    let game = settings(args, file, &worker)?;
    let name = game.game.clone();
    with_game!(name.as_str(), G => run_game::<G>(args, game, worker))
        .with_context(|| format!("expected --game {}, found {name:?}", GAMES.join(" or ")))?
}

fn run_game<G: Host>(args: &Args, mut game: Match, mut worker: Worker) -> anyhow::Result<bool> {
    game.check::<G>(&worker)?;
    contest::begin(args.log.as_deref())?;
    contest::identify::<G>(&mut game.players, &game.rules, args.log.as_deref())?;
    let mut folder = match &args.out {
        Some(path) => Some(Folder::open(path, &mut game, &mut worker)?),
        None => None,
    };
    if let Some(done) = folder.as_ref().map(|folder| folder.journal.len()).filter(|n| *n > 0) {
        eprintln!(
            "going on: {done} {} in the journal",
            if game.batch == 1 { "pairs are" } else { "units are" }
        );
    }
    let mut progress = Progress::new();
    let mut failed = None;
    let mut counted = Report { games_file: GAMES_FILE.to_owned(), ..Report::default() };
    let (mut files, ledger) = match &mut folder {
        Some(Folder { files, journal, .. }) => (Some(files), Some(journal as &mut dyn Ledger)),
        None => (None, None),
    };
    let tally = game.run::<G>(&worker, ledger, args.concurrency, &mut |tally, records| {
        tell_forfeits(records);
        progress.stands(line(&game, tally));
        let Some(files) = &mut files else { return };
        let seats = [[0, 1], [1, 0]];
        if tally.after.is_none() {
            let rows = records.iter().zip(seats).filter_map(|(record, seats)| GameRow::of(record, 0, seats));
            rows.for_each(|row| counted.add_game(row));
        }
        if let Err(error) = files.keep(records, tally.after.is_some()) {
            failed.get_or_insert(error);
        }
    });
    let tally = contest::ended(tally, args.out.as_deref(), folder.as_ref().map(|folder| &folder.journal))?;
    progress.end();
    if let Some(error) = failed {
        return Err(error).context("cannot write the games");
    }
    let value = describe(&game, &tally);
    if let Some(folder) = &mut folder {
        folder.end(&game, &tally)?;
        std::fs::write(folder.path.join("result.json"), format!("{value}\n"))?;
        std::fs::write(folder.path.join("report.html"), html(&report(&game, &tally, counted)))?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{}", summary(&game, &tally))?;
    }
    Ok(tally.failed == 0)
}

/// The file of games in the folder of a match.
const GAMES_FILE: &str = "match.games";

/// Where a match is kept.
struct Folder {
    path: PathBuf,
    journal: Journal,
    files: Files,
}

/// The files of games, written anew from the journal in the order of the pairs.
struct Files {
    games: BufWriter<File>,
    /// What was played after a test had decided.
    after: Option<BufWriter<File>>,
    path: PathBuf,
    flushed: Option<Instant>,
}

impl Folder {
    /// Opens the journal. A match that is kept names the engine that plays it, and keeps to what a test has once decided.
    fn open(path: &Path, game: &mut Match, worker: &mut Worker) -> anyhow::Result<Folder> {
        std::fs::create_dir_all(path).with_context(|| format!("cannot make {}", path.display()))?;
        if !game.players.iter().all(Contestant::is_program) {
            worker.identity = Identity::of_this_build();
            game.engine = worker.identity.clone();
        }
        let journal = Journal::open(&path.join("journal"), &game.run_name())?;
        if let Some(decision) = frozen(path)? {
            match &game.sprt {
                Some(sprt) if *sprt != decision.test => bail!(
                    "the match in {} was decided by [{}, {}] after {} pairs: another test needs new games in a new folder",
                    path.display(),
                    decision.test.elo0,
                    decision.test.elo1,
                    decision.pairs
                ),
                Some(_) => {}
                None => (game.sprt, game.play_on) = (Some(decision.test), true),
            }
        }
        provenance::record(path, &game.players, game.sprt)?;
        let files = Files {
            games: BufWriter::new(File::create(path.join(GAMES_FILE))?),
            after: None,
            path: path.join("after.games"),
            flushed: None,
        };
        Ok(Folder { path: path.to_owned(), journal, files })
    }

    /// Keeps what a test has decided, once.
    fn end(&mut self, game: &Match, tally: &Tally) -> anyhow::Result<()> {
        self.files.games.flush()?;
        if let Some(after) = &mut self.files.after {
            after.flush()?;
        }
        if let Some(decision) = tally.decision(game.sprt.as_ref())
            && frozen(&self.path)?.is_none()
        {
            let new = self.path.join("verdict.new");
            std::fs::write(&new, serde_json::to_string(&decision)? + "\n")?;
            std::fs::rename(new, self.path.join("verdict.json"))?;
        }
        Ok(())
    }
}

/// What a test has decided in this folder before.
fn frozen(path: &Path) -> anyhow::Result<Option<Decision>> {
    let path = path.join("verdict.json");
    if !path.exists() {
        return Ok(None);
    }
    let decision = serde_json::from_str(&read(&path)?);
    decision.map(Some).with_context(|| format!("{} does not hold a verdict", path.display()))
}

impl Files {
    fn keep<G: Host>(&mut self, records: &[Record<G>], after: bool) -> std::io::Result<()> {
        let file = match (&mut self.after, after) {
            (_, false) => &mut self.games,
            (Some(file), true) => file,
            (none, true) => none.insert(BufWriter::new(File::create(&self.path)?)),
        };
        for record in records {
            writeln!(file, "{record}")?;
        }
        // Often enough for somebody who looks on.
        if self.flushed.is_none_or(|then| then.elapsed() > Duration::from_secs(1)) {
            file.flush()?;
            self.flushed = Some(now());
        }
        Ok(())
    }
}

/// The flags over the file over the defaults.
fn settings(args: &Args, file: contest::Config, worker: &Worker) -> anyhow::Result<Match> {
    let contestants = contest::contestants(&args.engines, &args.each, &file)?;
    let n = contestants.len();
    let Ok(players) = <[_; 2]>::try_from(contestants) else {
        bail!("expected two contestants (--engine twice), found {n}");
    };
    if players[0].name == players[1].name {
        bail!("expected two names, found {:?} twice: add name=NAME", players[0].name);
    }
    let sprt = contest::sprt(&args.sprt)?.or(file.sprt.map(|s| s.test()).transpose()?);
    let openings = match (
        args.deals.as_ref().or(file.deals.as_ref()),
        args.openings.as_ref().or(file.openings.as_ref()),
    ) {
        (Some(_), Some(_)) => bail!("expected only one of deals and openings"),
        (Some(path), None) => Openings::List(deals(path)?),
        (None, Some(words)) => openings(words)?,
        (None, None) => Openings::None,
    };
    let default_rounds = if let Openings::List(list) = &openings { list.len() as u64 } else { 100 };
    let game = args.game.clone().or(file.game).unwrap_or_else(|| "banqi".to_owned());
    let default_rules = if game == "banqi" { "platform" } else { "standard" };
    Ok(Match {
        game,
        players,
        rules: args.rules.clone().or(file.rules).unwrap_or_else(|| default_rules.to_owned()),
        seed: args.seed.or(file.seed).unwrap_or(1),
        openings,
        batch: args.batch.or(file.batch).unwrap_or(1).max(1),
        annotate: args.annotate.or(file.annotate),
        assets: contest::digests(&worker.assets),
        engine: Identity::default(),
        pairs: args.rounds.or(file.rounds).unwrap_or(default_rounds),
        part: args.units.as_deref().map(part).transpose()?,
        sprt,
        play_on: false,
    })
}

/// `3..17`, both included.
fn part(text: &str) -> anyhow::Result<(u64, u64)> {
    let numbers =
        text.split_once("..").and_then(|(first, last)| Some((first.parse().ok()?, last.parse().ok()?)));
    numbers.ok_or_else(|| anyhow!("expected --units FIRST..LAST, such as 1..500, found {text:?}"))
}

/// `random:8`, or the lines of a file.
fn openings(words: &str) -> anyhow::Result<Openings> {
    if let Some(plies) = words.strip_prefix("random:") {
        let plies = plies.parse().ok().with_context(|| format!("expected random:PLIES, found {words:?}"))?;
        return Ok(Openings::Random(plies));
    }
    let text = read(Path::new(words))?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(Openings::List(lines.map(str::to_owned).collect()))
}

fn deals(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = read(path)?;
    let deals = read_deals(&text).map_err(|e| pointing(&e, &text, Some(path)))?;
    Ok(deals.iter().map(|deal| deal.layout.to_string()).collect())
}

/// Says which games were lost other than on the board.
fn tell_forfeits<G: Host>(records: &[Record<G>]) {
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
    if let Some(after) = &tally.after {
        let [won, drawn, lost] = after.games;
        text += &format!(
            "After  {} games after the verdict, no part of it: +{won} ={drawn} -{lost}, score {:.2} %\n",
            won + drawn + lost,
            100.0 * after.pairs.score()
        );
    }
    if let Some((unit, why)) = &tally.first_failure {
        text += &format!("Failed {} units; unit {unit}: {why}\n", tally.failed);
    }
    text += &format!("Ended  {}\n", endings.join(", "));
    if tally.forfeits != [0, 0] {
        text +=
            &format!("Forfeits  {} by {}, {} by {}\n", tally.forfeits[0], a.name, tally.forfeits[1], b.name);
    }
    text
}

/// The page for people, from a report that has counted the games.
fn report(game: &Match, tally: &Tally, counted: Report) -> Report {
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
        SprtCurve { lower, upper, points: tally.llr.points().collect() }
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
        sprt,
        ..counted
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
        "failed_units": tally.failed,
        "verdict": verdict(tally),
        "endings": tally.endings,
        "forfeits": tally.forfeits,
        "plies": tally.plies,
    })
}
