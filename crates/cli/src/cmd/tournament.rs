//! `anglerfish tournament`: many contestants, a table, and a rating list.

mod levels;
mod words;

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::swiss::most_rounds;
use anglerfish_arena::{
    ArenaGame, Format, Identity, Journal, Outcomes, ResultStore, Tournament, TournamentGame, TournamentNews,
    Worker, halves, read_luck,
};
use anglerfish_report::{Judged, Report, Scores, counted};
use anglerfish_rules::NotationError;
use anyhow::{Context, bail, ensure};
use clap::ValueEnum;
use serde_json::json;

use self::words::{describe, name, points, report, summary};
use crate::adjudication;
use crate::contest::{self, Forfeits};
use crate::games::{GAMES, with_game};
use crate::output::{write_report, write_report_silently};
use crate::progress::{Pace, Progress};
use crate::provenance;
use crate::signals::{UnderWay, how_to_go_on};
use crate::terminal::{answer, note};

/// Play a tournament: round robin, gauntlet or Swiss
///
/// A win counts 1 point, a draw 1/2. Tie-breaks are Buchholz, median Buchholz, Sonneborn-Berger, direct encounter
/// and wins. A gauntlet compares the first contestant with each of the others, which never meet, so its table is by
/// Elo. With --out everything is kept as games end, and the same command resumes an interrupted tournament. Ctrl-C
/// prints the table so far and writes the report of the games so far.
#[derive(clap::Args)]
#[command(after_help = "Contestants are named as in `anglerfish match`.

Examples:
  anglerfish tournament --event tcga --config field.toml --out t1
  anglerfish tournament --format double-round-robin --engine player=greedy --engine player=random --engine cmd=./mine proto=dctp tc=60
  anglerfish tournament --levels --engine cmd=./mine proto=dctp tc=60 --cycles 10 --out mine-levels
  anglerfish tournament --format swiss:5 --config field.toml --concurrency 2 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    engines: contest::Engines,
    /// Keys for all contestants [default: none]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// round-robin, double-round-robin, gauntlet (the first against the others) or swiss:ROUNDS [default:
    /// that of --event or --levels; one of the three is needed]
    #[arg(long, value_parser = |text: &str| text.parse::<Format>().map_err(|e: NotationError| e.to_string()))]
    format: Option<Format>,
    /// Play a gauntlet of the first contestant against the ten levels, and show its place on their scale and among
    /// published programs; a cycle is 20 games
    #[arg(long, conflicts_with_all = ["event", "format"])]
    levels: bool,
    /// The format and rules of an event; other flags take precedence [default: none]
    #[arg(long, value_enum)]
    event: Option<Event>,
    /// How often a round robin or gauntlet is played
    #[arg(long, default_value_t = 1)]
    cycles: u32,
    /// The rules: a preset such as olympiad, perhaps with changes; see `anglerfish rules presets` [default:
    /// those of --event, or platform]
    #[arg(long)]
    rules: Option<String>,
    /// The seed of deals, players and ties [default: 1]
    #[arg(long)]
    seed: Option<u64>,
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
    /// The game: banqi, siguo or tictactoe [default: banqi]
    #[arg(long)]
    game: Option<String>,
    /// Judge the luck of every flip, and show the scores without it, as `match --luck` does [default: off;
    /// nodes=100 if nothing follows]
    #[arg(long, value_name = "nodes=N", num_args = 0..=1, default_missing_value = "")]
    luck: Option<String>,
    #[command(flatten)]
    adjudication: adjudication::Rules,
    /// A file that players refer to, such as player=alphabeta,weights=NAME; may be repeated [default: none]
    #[arg(long, value_name = "NAME=FILE")]
    asset: Vec<String>,
    /// Contestants and settings in a TOML file; flags take precedence [default: none]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Event {
    /// TCGA: Swiss, with two rounds more than it takes to leave one player unbeaten; rules platform
    Tcga,
    /// ICGA Computer Olympiad: double round robin; rules olympiad
    Icga,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let file = contest::read_config(args.config.as_deref())?;
    let worker = contest::worker(&args.asset, &file, args.log.as_deref(), args.isolate)?;
    let event = settings(args, file, &worker)?;
    let name = event.game.clone();
    with_game!(name.as_str(), G => run_game::<G>(args, event, worker))
        .with_context(|| format!("expected --game {}, found {name:?}", GAMES.join(" or ")))?
}

fn run_game<G: ArenaGame>(args: &Args, mut event: Tournament, mut worker: Worker) -> anyhow::Result<bool> {
    event.check::<G>(&worker)?;
    let under_way = UnderWay::<TournamentSoFar<G>>::new();
    let interrupted = under_way.clone();
    contest::begin(&worker, move || interrupted.ends().map(TournamentSoFar::last_words))?;
    contest::identify::<G>(&mut event.players, &event.rules, &worker)?;
    let mut journal = match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            contest::recognize(folder, &mut event.players, &mut worker)?;
            event.engine = contest::name_engine(&event.players, &mut worker);
            let journal = Journal::open(&folder.join("journal"), &event.run_name())?;
            provenance::record(folder, &event.players, None)?;
            Some(journal)
        }
        None => None,
    };
    if let Some(done) = journal.as_ref().map(Journal::len).filter(|n| *n > 0) {
        note!("going on: {done} encounters are in the journal");
    }
    let (path, forfeits) = (args.out.clone(), Forfeits::default());
    let outcomes = Outcomes::default();
    under_way.begins(TournamentSoFar { event: event.clone(), outcomes, forfeits, path });
    let (mut progress, mut pace) = (Progress::new(), Pace::new());
    let ledger = journal.as_mut().map(|journal| journal as &mut dyn ResultStore);
    let outcomes = event.run::<G>(&worker, ledger, args.concurrency, &mut |news| match news {
        TournamentNews::Encounter(games) => {
            let heard = under_way.with(|so_far| (so_far.add(games), so_far.line(&mut pace)));
            let Some((said, line)) = heard else { return };
            for line in &said {
                progress.says(line);
            }
            progress.stands(line);
        }
        TournamentNews::Round(outcomes) => {
            let (round, games) = (outcomes.rounds.len(), outcomes.games.len());
            // After a signal the last words are elsewhere.
            if under_way.with(|_| ()).is_none() {
                return;
            }
            progress.says(&format!("round {round} is complete: {games} games{}", leader(&event, outcomes)));
        }
    });
    let outcomes = contest::ended(outcomes, args.out.as_deref(), journal.as_ref())?;
    progress.clear();
    let so_far = under_way.ends();
    let list = event.ratings(&outcomes);
    let table = event.table(&outcomes);
    let expected = event.expected_scores(&outcomes, &list);
    let scores = scores(&event, &outcomes);
    let mut value = describe(&event, &outcomes, &table, &list, &expected);
    if let (Some(scores), Some(judging)) = (&scores, &event.luck) {
        value["luck"] = json!({ "judge": judging.to_string(), "players": scores.json() });
    }
    let place = args.levels.then(|| levels::place(&event, &outcomes));
    if let Some(place) = &place {
        value["levels"] = place.json();
    }
    if let (Some(folder), Some(so_far)) = (&args.out, &so_far) {
        let mut games = String::new();
        for played in &outcomes.games {
            games += &format!("{}\n", played.record);
        }
        std::fs::write(folder.join(GAMES_FILE), games)?;
        std::fs::write(folder.join("result.json"), format!("{value}\n"))?;
        let mut report = report(&event, &outcomes, &table, &list, &so_far.forfeits);
        report.tables.splice(0..0, place.as_ref().map(levels::Place::table));
        report.tables.extend(scores.as_ref().map(Scores::table));
        write_report(folder, &report)?;
    }
    let mut out = answer(args.json);
    if args.json {
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{}", summary(&event, &outcomes, &table, &list, &expected))?;
        if let Some(place) = &place {
            write!(out, "\n{}", place.table().text())?;
        }
        if let (Some(scores), Some(judging)) = (&scores, &event.luck) {
            write!(out, "\nLuck, judged by {judging}\n\n{}", scores.table().text())?;
        }
    }
    Ok(true)
}

/// The file of games in the folder of a tournament.
pub(crate) const GAMES_FILE: &str = "tournament.games";

/// A tournament under way.
struct TournamentSoFar<G: ArenaGame> {
    event: Tournament,
    /// The games in the order in which they ended.
    outcomes: Outcomes<G>,
    forfeits: Forfeits,
    path: Option<PathBuf>,
}

impl<G: ArenaGame> TournamentSoFar<G> {
    /// Adds the games of an encounter, and returns the words about forfeits.
    fn add(&mut self, games: &[TournamentGame<G>]) -> Vec<String> {
        self.outcomes.add(games);
        games.iter().filter_map(|game| self.forfeits.add(&game.record)).collect()
    }

    /// The progress, and who leads.
    fn line(&self, pace: &mut Pace) -> String {
        let (done, all) = (self.outcomes.games.len() as u64, self.event.games());
        let left = counted(all.saturating_sub(done), "game");
        let pace = pace.described(done, all, "games");
        format!("game {done} of {all}, {left} left{pace}{}", leader(&self.event, &self.outcomes))
    }

    /// The table when the tournament was interrupted, the report of its games, and how it goes on.
    fn last_words(self) -> String {
        let TournamentSoFar { event, outcomes, forfeits, path } = self;
        let how = how_to_go_on(path.as_deref());
        let (done, all) = (outcomes.games.len(), event.games());
        if done == 0 {
            return format!("interrupted before the first game had ended; {how}");
        }
        let (table, list) = (event.table(&outcomes), event.ratings(&outcomes));
        let expected = event.expected_scores(&outcomes, &list);
        let table_text = summary(&event, &outcomes, &table, &list, &expected);
        let mut text = format!("interrupted after game {done} of {all}; so far:\n{table_text}");
        if let Some(folder) = path {
            let page = report(&event, &outcomes, &table, &list, &forfeits);
            let note = format!("Interrupted after game {done} of {all}. {}", page.note);
            let page = Report { note, games_file: "journal".to_owned(), ..page };
            match write_report_silently(&folder, &page) {
                Ok(page) => text += &format!("wrote {}\n", page.display()),
                Err(error) => text += &format!("cannot write the report: {error:#}\n"),
            }
        }
        text + &how
    }
}

/// `; mine leads with 3.5`: the best of the table, or in a gauntlet the score of the first contestant.
fn leader<G: ArenaGame>(event: &Tournament, outcomes: &Outcomes<G>) -> String {
    if event.format == Format::Gauntlet {
        let pairs = outcomes.pairs_of(0);
        return format!("; {} has scored {:.1} %", name(event, 0), 100.0 * pairs.score());
    }
    let table = event.table(outcomes);
    table
        .first()
        .map_or(String::new(), |s| format!("; {} leads with {}", name(event, s.player), points(s.points)))
}

fn settings(args: &Args, file: contest::Config, worker: &Worker) -> anyhow::Result<Tournament> {
    let mut players = contest::contestants(&args.engines, &args.each, &file)?;
    if args.levels {
        ensure!(players.len() == 1, "expected one --engine with --levels, found {}", players.len());
        players.extend(levels::contestants());
    }
    // Enough rounds to leave one player without a loss, and two more, as far as there are opponents.
    let field = players.len().max(2);
    let rounds = (field.next_power_of_two().ilog2() + 2).min(most_rounds(field));
    let (format, rules) = match args.event {
        Some(Event::Tcga) => (Some(Format::Swiss(rounds)), "platform"),
        Some(Event::Icga) => (Some(Format::DoubleRoundRobin), "olympiad"),
        None => (None, "platform"),
    };
    let format = args.format.or(format).or(args.levels.then_some(Format::Gauntlet));
    let Some(format) = format else { bail!("expected --format, --event or --levels") };
    let game = args.game.clone().or(file.game).unwrap_or_else(|| "banqi".to_owned());
    ensure!(!args.levels || game == "banqi", "--levels are of banqi, not of {game}");
    let usual = contest::usual_rules(&game);
    let rules = if game == "banqi" { rules } else { &*usual };
    let assets = contest::digests(&worker.assets, &players);
    Ok(Tournament {
        game,
        players,
        format,
        cycles: args.cycles,
        rules: args.rules.clone().or(file.rules).unwrap_or_else(|| rules.to_owned()),
        seed: args.seed.or(file.seed).unwrap_or(1),
        assets,
        adjudication: args.adjudication.over(file.draw, file.resign)?,
        luck: contest::judging(args.luck.as_ref().or(file.luck.as_ref()).map_or("off", |words| words))?,
        engine: Identity::default(),
    })
}

/// The players' scores with and without luck; `None` if luck was not judged.
fn scores<G: ArenaGame>(event: &Tournament, outcomes: &Outcomes<G>) -> Option<Scores> {
    event.luck.as_ref()?;
    let judged = outcomes.games.iter().map(|played| {
        let (_, luck) = read_luck(&played.record)?;
        let players = played.seats.map(|player| name(event, player));
        let halves = halves(std::slice::from_ref(&played.record));
        Some(Judged { players, deal: played.record.tag("Deal"), halves, luck })
    });
    Some(Scores::of(&judged.collect::<Option<Vec<_>>>()?))
}
