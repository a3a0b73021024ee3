//! `anglerfish tournament`: many contestants, a table, and a rating list.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::report::{GameRow, Judged, RatingRow, Report, Row, Scores, Standings, Table};
use anglerfish_arena::stats::elo::Estimate;
use anglerfish_arena::stats::rating::RatingList;
use anglerfish_arena::swiss::standings::Standing;
use anglerfish_arena::swiss::{Game, most_rounds};
use anglerfish_arena::{
    Format, Host, Identity, Journal, Ledger, Outcomes, Tournament, Worker, halves, read_luck,
};
use anglerfish_rules::{GAMES, NotationError, with_game};
use anyhow::{Context, bail};
use clap::ValueEnum;
use serde_json::json;

use crate::contest;
use crate::output::write_report;
use crate::provenance;

/// Play a tournament: round robin, gauntlet or Swiss
///
/// A win counts 2 points, a draw 1. Tie-breaks are Buchholz, median Buchholz, Sonneborn-Berger, direct encounter and wins.
/// With --out everything is kept as games end, and the same command goes on where it was interrupted.
#[derive(clap::Args)]
#[command(after_help = "Contestants are named as in `anglerfish match`.

Examples:
  anglerfish tournament --event tcga --config field.toml --out t1
  anglerfish tournament --format double-round-robin --engine player=greedy --engine player=random --engine cmd=./mine proto=dctp tc=60
  anglerfish tournament --format swiss:5 --config field.toml --concurrency 2 --json")]
pub(crate) struct Args {
    #[command(flatten)]
    engines: contest::Engines,
    /// Keys for all contestants [default: none]
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    each: Vec<String>,
    /// round-robin, double-round-robin, gauntlet (the first against the others) or swiss:ROUNDS [default: that of --event; one of the two is needed]
    #[arg(long, value_parser = |text: &str| text.parse::<Format>().map_err(|e: NotationError| e.to_string()))]
    format: Option<Format>,
    /// The customs of an event; other flags go first [default: none]
    #[arg(long, value_enum)]
    event: Option<Event>,
    /// How often a round robin or gauntlet is played
    #[arg(long, default_value_t = 1)]
    cycles: u32,
    /// The rules [default: those of --event, or platform]
    #[arg(long)]
    rules: Option<String>,
    /// The seed of deals, players and ties [default: 1]
    #[arg(long)]
    seed: Option<u64>,
    /// Games at the same time
    #[arg(long, default_value_t = 1)]
    concurrency: usize,
    /// Keep the journal, the games, the result and a report to look at in this folder, and go on from what is there [default: nothing is kept]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// Keep what programs and we say to each other in this folder, a file a program and game, with milliseconds [default: not kept]
    #[arg(long, value_name = "FOLDER")]
    log: Option<PathBuf>,
    /// The game: banqi or tictactoe [default: banqi]
    #[arg(long)]
    game: Option<String>,
    /// Judge the luck of every flip, and say what players scored without it, as `match --luck` does [default: off; nodes=100 if nothing follows]
    #[arg(long, value_name = "nodes=N", num_args = 0..=1, default_missing_value = "")]
    luck: Option<String>,
    /// A file that players refer to, such as player=alphabeta,weights=NAME; may be repeated [default: none]
    #[arg(long, value_name = "NAME=FILE")]
    asset: Vec<String>,
    /// Contestants and settings in a TOML file; what is given here goes first [default: none]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The result as one JSON object
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Event {
    /// TCGA: Swiss, with two rounds more than it takes to part the field; rules platform
    Tcga,
    /// ICGA Computer Olympiad: double round robin; rules olympiad
    Icga,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let file = contest::read_config(args.config.as_deref())?;
    let worker = contest::worker(&args.asset, &file, args.log.as_deref())?;
    let event = settings(args, file, &worker)?;
    let name = event.game.clone();
    with_game!(name.as_str(), G => run_game::<G>(args, event, worker))
        .with_context(|| format!("expected --game {}, found {name:?}", GAMES.join(" or ")))?
}

fn run_game<G: Host>(args: &Args, mut event: Tournament, mut worker: Worker) -> anyhow::Result<bool> {
    event.check::<G>(&worker)?;
    contest::begin(args.log.as_deref())?;
    contest::identify::<G>(&mut event.players, &event.rules, args.log.as_deref())?;
    let mut journal = match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            event.engine = contest::name_engine(&event.players, &mut worker);
            let journal = Journal::open(&folder.join("journal"), &event.run_name())?;
            provenance::record(folder, &event.players, None)?;
            Some(journal)
        }
        None => None,
    };
    if let Some(done) = journal.as_ref().map(Journal::len).filter(|n| *n > 0) {
        eprintln!("going on: {done} encounters are in the journal");
    }
    let ledger = journal.as_mut().map(|journal| journal as &mut dyn Ledger);
    let outcomes = event.run::<G>(&worker, ledger, args.concurrency, &mut |outcomes| {
        let leader = event.table(outcomes);
        let leader = leader
            .first()
            .map_or(String::new(), |s| format!("; {} leads with {}", name(&event, s.player), shown(s)[0]));
        eprintln!("round {} is complete: {} games{leader}", outcomes.rounds.len(), outcomes.games.len());
    });
    let outcomes = contest::ended(outcomes, args.out.as_deref(), journal.as_ref())?;
    let table = event.table(&outcomes);
    let list = event.ratings(&outcomes);
    let expected = event.expected_scores(&outcomes, &list);
    let scores = scores(&event, &outcomes);
    let mut value = describe(&event, &outcomes, &table, &list, &expected);
    if let (Some(scores), Some(judging)) = (&scores, &event.luck) {
        value["luck"] = json!({ "judge": judging.to_string(), "players": scores.json() });
    }
    if let Some(folder) = &args.out {
        let mut games = String::new();
        for played in &outcomes.games {
            games += &format!("{}\n", played.record);
        }
        std::fs::write(folder.join("tournament.games"), games)?;
        std::fs::write(folder.join("result.json"), format!("{value}\n"))?;
        let mut report = report(&event, &outcomes, &table, &list);
        report.tables.extend(scores.as_ref().map(Scores::table));
        write_report(folder, &report)?;
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{value}")?;
    } else {
        write!(out, "{}", summary(&event, &outcomes, &table, &list, &expected))?;
        if let (Some(scores), Some(judging)) = (&scores, &event.luck) {
            write!(out, "\nLuck, judged by {judging}\n\n{}", scores.table().text())?;
        }
    }
    Ok(true)
}

fn settings(args: &Args, file: contest::Config, worker: &Worker) -> anyhow::Result<Tournament> {
    let players = contest::contestants(&args.engines, &args.each, &file)?;
    // Enough rounds to leave one player without a loss, and two more, as far as there are opponents.
    let field = players.len().max(2);
    let rounds = (field.next_power_of_two().ilog2() + 2).min(most_rounds(field));
    let (format, rules) = match args.event {
        Some(Event::Tcga) => (Some(Format::Swiss(rounds)), "platform"),
        Some(Event::Icga) => (Some(Format::DoubleRoundRobin), "olympiad"),
        None => (None, "platform"),
    };
    let Some(format) = args.format.or(format) else { bail!("expected --format or --event") };
    let game = args.game.clone().or(file.game).unwrap_or_else(|| "banqi".to_owned());
    let rules = if game == "banqi" { rules } else { "standard" };
    Ok(Tournament {
        game,
        players,
        format,
        cycles: args.cycles,
        rules: args.rules.clone().or(file.rules).unwrap_or_else(|| rules.to_owned()),
        seed: args.seed.or(file.seed).unwrap_or(1),
        assets: contest::digests(&worker.assets),
        luck: contest::judging(args.luck.as_ref().or(file.luck.as_ref()).map_or("off", |words| words))?,
        engine: Identity::default(),
    })
}

fn name(event: &Tournament, player: usize) -> &str {
    &event.players[player].name
}

/// What the players scored with and without luck; nothing, where nobody judged it.
fn scores<G: Host>(event: &Tournament, outcomes: &Outcomes<G>) -> Option<Scores> {
    event.luck.as_ref()?;
    let judged = outcomes.games.iter().map(|played| {
        let (_, luck) = read_luck(&played.record)?;
        let players = played.seats.map(|player| name(event, player));
        let halves = halves(std::slice::from_ref(&played.record));
        Some(Judged { players, deal: played.record.tag("Deal"), halves, luck })
    });
    Some(Scores::of(&judged.collect::<Option<Vec<_>>>()?))
}

const COLUMNS: [&str; 6] = ["points", "Buchholz", "median", "S-B", "direct", "wins"];

fn columns(standing: &Standing) -> [u32; 6] {
    let s = standing;
    [s.points, s.buchholz, s.median_buchholz, s.sonneborn_berger, s.direct, s.wins]
}

/// The same as people count: a win is 1 and a draw ½. Inside, all numbers are whole: points twice as many, Sonneborn-Berger four times.
fn shown(standing: &Standing) -> [String; 6] {
    let [points, buchholz, median, sonneborn, direct, wins] = columns(standing);
    let halves = |n: u32| half(f64::from(n) / 2.0);
    [
        halves(points),
        halves(buchholz),
        halves(median),
        half(f64::from(sonneborn) / 4.0),
        halves(direct),
        wins.to_string(),
    ]
}

/// `7`, `7.5`, `7.25`
fn half(points: f64) -> String {
    points.to_string()
}

/// `3.25 ± 0.40`; without an error where nothing could vary.
fn score(estimate: &Estimate) -> String {
    // The expected score counts two for a win, as its paper does; here a win is 1.
    let (value, error) = (estimate.value / 2.0, estimate.error() / 2.0);
    if error < 0.005 { format!("{value:.2}") } else { format!("{value:.2} ± {error:.2}") }
}

/// Who met whom in each round, and how it went.
fn rounds<G: Host>(event: &Tournament, outcomes: &Outcomes<G>) -> Table {
    let rows = outcomes.rounds.iter().zip(1..).flat_map(|(round, n)| {
        let game = move |game: &Game| Row {
            head: n.to_string(),
            cells: vec![
                name(event, game.first).into(),
                game.points.map(|p| half(f64::from(p) / 2.0)).join(" : ").into(),
                name(event, game.second).into(),
            ],
        };
        let bye = round.bye.map(|player| Row {
            head: n.to_string(),
            cells: vec![name(event, player).into(), "1".into(), "has a bye".into()],
        });
        round.games.iter().map(game).chain(bye).collect::<Vec<_>>()
    });
    Table {
        title: "Pairings by round".to_owned(),
        caption: "Who moved first, points of both, and who moved second. A bye counts as a win.".to_owned(),
        columns: ["round", "first", "points", "second"].map(str::to_owned).to_vec(),
        rows: rows.collect(),
    }
}

/// Points of the row's player against the column's, and in how many games.
fn cross<G: Host>(outcomes: &Outcomes<G>, row: usize, column: usize) -> Option<(u32, u32)> {
    let games = outcomes.rounds.iter().flat_map(|round| &round.games);
    let points: Vec<u32> = games
        .filter_map(|game| match (game.first, game.second) {
            pair if pair == (row, column) => Some(game.points[0]),
            pair if pair == (column, row) => Some(game.points[1]),
            _ => None,
        })
        .collect();
    (!points.is_empty()).then(|| (points.iter().sum(), points.len() as u32))
}

fn summary<G: Host>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    list: &RatingList,
    expected: &[Estimate],
) -> String {
    let widest = event.players.iter().map(|p| p.name.chars().count()).max().unwrap_or(4).max(4);
    let mut text = format!("{} of {} players, rules {}\n\n", event.format, event.players.len(), event.rules);
    text += &format!("{:>3} {:<widest$}", "", "name");
    for column in COLUMNS {
        text += &format!(" {column:>8}");
    }
    text += &format!(" {:>16} {:>13}\n", "Elo", "ES");
    for (place, standing) in (1..).zip(table) {
        text += &format!("{place:>3} {:<widest$}", name(event, standing.player));
        for value in shown(standing) {
            text += &format!(" {value:>8}");
        }
        let rating = &list.ratings[standing.player];
        let es = &expected[standing.player];
        text += &format!(" {:>+7.0} ± {:>6.0}", rating.value, rating.error());
        text += &format!(" {:>13}\n", score(es));
    }
    text += "\nPoints: a win is 1, a draw 1/2. Buchholz, median: points of the opponents, without the best and the worst of them;\n\
             S-B: Sonneborn-Berger, points of the beaten opponents and half of those of the drawn; direct: points among equals.\n\
             ES: the score to be expected in one game against each of the others, from the results against stronger, equal and\n\
             weaker players (Chang, Yueh, Fan, Lin and Hsu, 2021, \"Opponent Model Selection Using Deep Learning\", equation 1).\n\
             ± is half of a 95 % interval.\n";
    // A cross-table that fits on a screen; the report has the large ones.
    if table.len() <= 16 {
        text += &format!("\n{:>3} {:<widest$}", "", "");
        for place in 1..=table.len() {
            text += &format!(" {place:>5}");
        }
        text += "\n";
        for (place, row) in (1..).zip(table) {
            text += &format!("{place:>3} {:<widest$}", name(event, row.player));
            for column in table {
                let cell = match cross(outcomes, row.player, column.player) {
                    Some((points, games)) => format!("{}/{games}", half(f64::from(points) / 2.0)),
                    None if row.player == column.player => "#".to_owned(),
                    None => ".".to_owned(),
                };
                text += &format!(" {cell:>5}");
            }
            text += "\n";
        }
    }
    text
}

fn describe<G: Host>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    list: &RatingList,
    expected: &[Estimate],
) -> serde_json::Value {
    let estimate = |e: &Estimate| json!({ "value": e.value, "low": e.low, "high": e.high });
    let rows: Vec<_> = table
        .iter()
        .map(|standing| {
            let mut row = json!({
                "name": name(event, standing.player),
                "elo": estimate(&list.ratings[standing.player]),
                "expected_score": estimate(&expected[standing.player]),
                "los": table.iter().map(|other| list.los[standing.player][other.player]).collect::<Vec<_>>(),
            });
            for (column, value) in COLUMNS.into_iter().zip(columns(standing)) {
                row[column] = json!(value);
            }
            row
        })
        .collect();
    let games: Vec<_> = outcomes
        .games
        .iter()
        .map(|played| {
            json!({
                "round": played.round,
                "first": name(event, played.seats[0]),
                "second": name(event, played.seats[1]),
                "result": played.record.ending.map(|e| e.outcome.text()),
                "reason": played.record.ending.map(|e| e.cause.text()),
            })
        })
        .collect();
    let byes: Vec<_> = outcomes.rounds.iter().map(|round| round.bye.map(|p| name(event, p))).collect();
    json!({
        "schema": 1,
        "format": event.format.to_string(),
        "rules": event.rules,
        "seed": event.seed,
        "table": rows,
        "byes": byes,
        "games": games,
    })
}

fn report<G: Host>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    list: &RatingList,
) -> Report {
    let forfeits = outcomes.games.iter().filter(|g| g.record.tag("Complaint").is_some()).count();
    let row = |player: usize| {
        let results = outcomes.rounds.iter().flat_map(|round| &round.games).filter_map(|game| match player {
            p if p == game.first => Some(game.points[0]),
            p if p == game.second => Some(game.points[1]),
            _ => None,
        });
        let points: Vec<u32> = results.collect();
        let rating = &list.ratings[player];
        RatingRow {
            player,
            elo: rating.value,
            low: rating.low,
            high: rating.high,
            games: points.len() as u32,
            score: f64::from(points.iter().sum::<u32>()) / 2.0,
        }
    };
    let mut report = Report {
        title: format!("Tournament of {}", event.players.len()),
        subtitle: format!("{}, {} games", event.format, outcomes.games.len()),
        rules: event.rules.clone(),
        facts: vec![
            ("Winner".to_owned(), table.first().map_or(String::new(), |s| name(event, s.player).to_owned())),
            ("Rounds".to_owned(), outcomes.rounds.len().to_string()),
            ("Games".to_owned(), outcomes.games.len().to_string()),
            ("Games with a complaint".to_owned(), forfeits.to_string()),
            ("Seed".to_owned(), event.seed.to_string()),
        ],
        players: event.players.iter().map(|p| p.name.clone()).collect(),
        games_file: "tournament.games".to_owned(),
        sprt: None,
        ratings: (0..event.players.len()).map(row).collect(),
        standings: Some(Standings {
            columns: COLUMNS.map(str::to_owned).to_vec(),
            rows: table.iter().map(|s| (s.player, shown(s).to_vec())).collect(),
        }),
        tables: vec![rounds(event, outcomes)],
        ..Report::default()
    };
    let rows = outcomes.games.iter().filter_map(|g| GameRow::of(&g.record, g.round, g.seats));
    rows.for_each(|row| report.add_game(row));
    report
}
