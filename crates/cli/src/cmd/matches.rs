//! `anglerfish match`: pairs of games between two contestants, and their statistics.

pub(crate) mod folder;
pub(crate) mod words;

use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_arena::{ArenaGame, Identity, Journal, Match, Openings, ResultStore, Tally, Worker};
use anglerfish_report::{GameRow, Report, counted};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::read_deals;
use anyhow::{Context, anyhow, bail};

use self::folder::Folder;
use self::words::{describe, line, report, summary};
use crate::adjudication;
use crate::contest::{self, Forfeits};
use crate::games::{GAMES, with_game};
use crate::input::{MOST_IN_JOURNAL, at_most, pointing, read};
use crate::output::{write_report, write_report_silently};
use crate::progress::{Pace, Progress};
use crate::signals::{UnderWay, how_to_go_on};
use crate::terminal::{answer, note};

/// Play a match of paired games between two players or programs
///
/// Each deal is played twice with the seats exchanged. Scores, Elo and tests are of the first contestant, from pairs
/// (pentanomial). Intervals hold 95 %: Wilson's, with the effective number of pairs of Korn and Graubard (1998), so that no score
/// passes 0 or 100 %. With --out everything is kept as games end, and the same command resumes an interrupted match. Ctrl-C
/// prints the score so far and writes the report of the games so far.
#[derive(clap::Args)]
#[command(
    after_help = "Keys of --engine and --each: player=NAME (alphabeta, mcts, course2019, beginner1 to beginner3, level1 to level10, greedy, random and others,
or a configuration such as alphabeta,threads=2; a wrong name lists them), or cmd=PROGRAM with proto=dctp|uci|misty|wakasagi,
arg=ARGUMENT (may be repeated) or args=\"SEVERAL ARGUMENTS\", dir=FOLDER, env=NAME (passes a variable of the environment) or env=NAME=VALUE (sets one; both may
be repeated), mem=MIB, answer=SECONDS, stall=SECONDS; name=NAME;
and one of nodes=N per move, st=SECONDS per move, tc=SECONDS[+INCREMENT] or tc=MINUTES:SECONDS[+INCREMENT] per game.
Options of fastchess and cutechess-cli are understood or answered with ours: docs/fastchess.md.

Examples:
  anglerfish match --engine player=greedy --engine player=random --rounds 100
  anglerfish match --engine cmd=./mine proto=dctp --engine cmd=./theirs proto=dctp --each tc=60 --rounds 50 --concurrency 2 --out m1
  anglerfish match --engine player=greedy --engine player=random --sprt elo0=0 elo1=20 --rounds 20000 --json
  anglerfish match --engine player=alphabeta --engine player=mcts --openings random:8 --annotate --out m2
  anglerfish match --engine player=alphabeta --engine player=mcts --resign movecount=3 score=90 --draw movenumber=40 movecount=8 score=5
  anglerfish match --game tictactoe --engine player=exact,depth=9 --engine player=random --rounds 20
  anglerfish match --config match.toml"
)]
pub(crate) struct Args {
    #[command(flatten)]
    engines: contest::Engines,
    /// Keys for both contestants [default: none]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// The game: banqi, siguo or tictactoe [default: banqi]
    #[arg(long)]
    game: Option<String>,
    /// Most pairs of games [default: 100, or as many as there are openings]
    #[arg(long, value_name = "PAIRS")]
    rounds: Option<u64>,
    /// The rules: a preset such as olympiad, perhaps with changes; see `anglerfish rules presets` [default: platform]
    #[arg(long)]
    rules: Option<String>,
    /// The seed of deals and players [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// A deal file: deals are played in order, and from the first again after the last [default: deals by the
    /// seed]
    #[arg(long, value_name = "FILE")]
    deals: Option<PathBuf>,
    /// Begin with this many random plies (random:N), or with the openings of a file, one per line: a deal, or
    /// moves, or both [default: none]
    #[arg(long, value_name = "random:N|FILE", conflicts_with = "deals")]
    openings: Option<String>,
    /// Pairs that are saved together, as one unit. Larger units make quick games faster, but an interrupted
    /// unit is played again from its first game [default: 1]
    #[arg(long, value_name = "PAIRS", value_parser = crate::input::batch)]
    batch: Option<u32>,
    /// Play only these units, such as 1..10; `anglerfish merge` joins the parts of a match [default: all]
    #[arg(long, value_name = "FIRST..LAST")]
    units: Option<String>,
    /// Keep the players' values and nodes in the records, and with LINES of 2 or more also the best choices.
    /// Alphabeta then compares those exactly: it plays differently, and weaker at equal nodes [default: not
    /// kept; 1 if nothing follows]
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "1", value_parser = clap::value_parser!(u32).range(1..=112))]
    annotate: Option<u32>,
    /// Judge the luck of every flip, and show the result without it too; a test then needs fewer games. The
    /// judge searches N nodes per position [default: off; nodes=100 if nothing follows]
    #[arg(long, value_name = "nodes=N", num_args = 0..=1, default_missing_value = "")]
    luck: Option<String>,
    /// Let players ponder: while one searches N nodes, the other may search as many. For built-in players
    /// with a budget in nodes [default: off]
    #[arg(long)]
    ponder: Option<contest::Ponder>,
    /// A file that players refer to, such as player=alphabeta,weights=NAME; may be repeated [default: none]
    #[arg(long, value_name = "NAME=FILE")]
    asset: Vec<String>,
    #[command(flatten)]
    adjudication: adjudication::Rules,
    /// Stop when a sequential test has decided: elo0= elo1= [alpha=0.05] [beta=0.05]
    /// [model=logistic|normalized] [default: no test]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Games at the same time
    #[arg(long, default_value_t = 1, value_parser = crate::input::threads)]
    concurrency: usize,
    /// Keep the journal, the games, the result and a report in this folder, and resume from it [default:
    /// nothing is kept]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Keep the dialogue with programs in this folder, one file per program and game, with milliseconds
    /// [default: not kept]
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// Isolate programs from the rest of this machine: no network, no other processes, and write access only
    /// to dir= and a /tmp of their own. Linux, with bubblewrap
    #[arg(long)]
    isolate: bool,
    /// A TOML file with the same settings; options on the command line override it [default: none]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let file = contest::read_config(args.config.as_deref())?;
    let worker = contest::worker(&args.asset, &file, args.log.as_deref(), args.isolate)?;
    let game = settings(args, file, &worker)?;
    let name = game.game.clone();
    with_game!(name.as_str(), G => run_game::<G>(args, game, worker))
        .with_context(|| format!("expected --game {}, found {name:?}", GAMES.join(" or ")))?
}

fn run_game<G: ArenaGame>(args: &Args, mut game: Match, mut worker: Worker) -> anyhow::Result<bool> {
    game.check::<G>(&worker)?;
    let under_way = UnderWay::new();
    let interrupted = under_way.clone();
    contest::begin(&worker, move || interrupted.ends().map(MatchSoFar::last_words))?;
    contest::identify::<G>(&mut game.players, &game.rules, &worker)?;
    let folder = match &args.out {
        Some(path) => Some(Folder::open::<G>(path, &mut game, &mut worker)?),
        None => None,
    };
    let (path, files, mut journal) = match folder {
        Some(Folder { path, files, journal }) => (Some(path), Some(files), Some(journal)),
        None => (None, None, None),
    };
    if let Some(done) = journal.as_ref().map(Journal::len).filter(|n| *n > 0) {
        let one = if game.batch == 1 { "pair" } else { "unit" };
        let are = if done == 1 { "is" } else { "are" };
        note!("going on: {} {are} in the journal", counted(done as u64, one));
    }
    let counted = Report { games_file: GAMES_FILE.to_owned(), ..Report::default() };
    let (tally, forfeits) = (Tally::default(), Forfeits::default());
    under_way.begins(MatchSoFar { game: game.clone(), tally, counted, forfeits, files, path });
    let (mut progress, mut pace) = (Progress::new(), Pace::new());
    let mut failed = None;
    let ledger = journal.as_mut().map(|journal| journal as &mut dyn ResultStore);
    let tally = game.run::<G>(&worker, ledger, args.concurrency, &mut |tally, records| {
        match under_way.with(|so_far| so_far.add(tally, records)) {
            Some((said, kept)) => {
                for line in &said {
                    progress.says(line);
                }
                failed = failed.take().or(kept.err());
            }
            None => return,
        }
        let pairs = tally.pairs.pairs();
        progress.stands(line(&game, tally, &pace.described(pairs, game.pairs, "pairs")));
    });
    let tally = contest::ended(tally, args.out.as_deref(), journal.as_ref())?;
    progress.end();
    if let Some(error) = failed {
        return Err(error).context("cannot write the games");
    }
    let value = describe(&game, &tally);
    let so_far = under_way.ends();
    if let Some(MatchSoFar { counted, forfeits, files: Some(mut files), path: Some(path), .. }) = so_far {
        files.flush()?;
        std::fs::write(path.join("result.json"), format!("{value}\n"))?;
        write_report(&path, &report(&game, &tally, counted, &forfeits))?;
    }
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{}", summary(&game, &tally))?;
    }
    Ok(tally.failed == 0)
}

/// A match under way.
struct MatchSoFar {
    game: Match,
    tally: Tally,
    counted: Report,
    forfeits: Forfeits,
    files: Option<folder::Files>,
    path: Option<PathBuf>,
}

impl MatchSoFar {
    /// Counts the games of one more pair, and keeps them. Returns the words about forfeits.
    fn add<G: ArenaGame>(
        &mut self,
        tally: &Tally,
        records: &[Record<G>],
    ) -> (Vec<String>, std::io::Result<()>) {
        self.tally = tally.clone();
        let said = records.iter().filter_map(|record| self.forfeits.add(record)).collect();
        let Some(files) = &mut self.files else { return (said, Ok(())) };
        if tally.after.is_none() {
            let rows = records.iter().zip([[0, 1], [1, 0]]);
            let rows = rows.filter_map(|(record, seats)| GameRow::of(record, 0, seats));
            rows.for_each(|row| self.counted.add_game(row));
        }
        let kept = files.keep(records, tally.after.is_some());
        (said, kept.and_then(|()| files.decide(tally.decision(self.game.sprt.as_ref()))))
    }

    /// The score when the match was interrupted, the report of its games, and how it goes on.
    fn last_words(self) -> String {
        let MatchSoFar { game, tally, counted, forfeits, files, path } = self;
        let how = how_to_go_on(path.as_deref());
        let pairs = tally.pairs.pairs();
        if pairs == 0 {
            return format!("interrupted before the first pair had ended; {how}");
        }
        let mut text =
            format!("interrupted after pair {pairs} of {}; so far:\n{}", game.pairs, summary(&game, &tally));
        if let (Some(path), Some(mut files)) = (path, files) {
            let mut page = report(&game, &tally, counted, &forfeits);
            page.note = format!("Interrupted after pair {pairs} of {}.", game.pairs);
            let written = files.flush().map_err(anyhow::Error::from);
            match written.and_then(|()| write_report_silently(&path, &page)) {
                Ok(page) => text += &format!("wrote {}\n", page.display()),
                Err(error) => text += &format!("cannot write the report: {error:#}\n"),
            }
        }
        text + &how
    }
}

/// The file of games in the folder of a match.
const GAMES_FILE: &str = "match.games";

/// The settings: flags take precedence over the file, and the file over defaults.
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
        (None, Some(words)) => openings(words, None)?,
        (None, None) => Openings::None,
    };
    if openings == Openings::List(Vec::new()) {
        bail!("expected at least one opening or deal in the file, found none");
    }
    let annotate = args.annotate.or(file.annotate);
    if annotate.is_some_and(|lines| !(1..=112).contains(&lines)) {
        bail!("expected annotate from 1 to 112 lines, found {}", annotate.unwrap_or_default());
    }
    let default_rounds = if let Openings::List(list) = &openings { list.len() as u64 } else { 100 };
    let game = args.game.clone().or(file.game).unwrap_or_else(|| "banqi".to_owned());
    let assets = contest::digests(&worker.assets, &players);
    Ok(Match {
        rules: args.rules.clone().or(file.rules).unwrap_or_else(|| contest::usual_rules(&game)),
        game,
        players,
        seed: args.seed.or(file.seed).unwrap_or(1),
        openings,
        batch: at_most(args.batch.or(file.batch).unwrap_or(1).max(1), MOST_IN_JOURNAL)
            .map_err(|e| anyhow!("batch: {e}"))?,
        annotate,
        stop: None,
        adjudication: args.adjudication.over(file.draw, file.resign)?,
        ponder: args.ponder.or(file.ponder).is_some(),
        luck: contest::judging(args.luck.as_ref().or(file.luck.as_ref()).map_or("off", |words| words))?,
        assets,
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

/// `random:8`, or the lines of a file, which may be relative to another file.
pub(crate) fn openings(words: &str, beside: Option<&Path>) -> anyhow::Result<Openings> {
    if let Some(plies) = words.strip_prefix("random:") {
        let plies = plies.parse().ok().with_context(|| format!("expected random:PLIES, found {words:?}"))?;
        return Ok(Openings::Random(plies));
    }
    let path = beside.map_or_else(|| PathBuf::from(words), |folder| folder.join(words));
    if !path.exists() {
        bail!(
            "expected openings to be random:PLIES or a file of openings, found {words:?}, which is no file"
        );
    }
    let text = read(&path)?;
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    Ok(Openings::List(lines.map(str::to_owned).collect()))
}

fn deals(path: &Path) -> anyhow::Result<Vec<String>> {
    let text = read(path)?;
    let deals = read_deals(&text).map_err(|e| pointing(&e, &text, Some(path)))?;
    Ok(deals.iter().map(|deal| deal.layout.to_string()).collect())
}
