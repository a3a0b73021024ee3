//! The words about a tournament: for a terminal, as JSON, and on a page. A win is 1 point and a draw ½, everywhere.

use anglerfish_arena::stats::elo::{Estimate, score};
use anglerfish_arena::stats::rating::RatingList;
use anglerfish_arena::swiss::Game;
use anglerfish_arena::swiss::standings::Standing;
use anglerfish_arena::{ArenaGame, Format, Outcomes, Tournament};
use anglerfish_report::{GameRow, RatingRow, Report, Row, Standings, Table, bounded, wrapped};
use serde_json::json;

use super::GAMES_FILE;
use crate::contest::Forfeits;

/// The name of a player.
pub(super) fn name(event: &Tournament, player: usize) -> &str {
    &event.players[player].name
}

const COLUMNS: [&str; 6] = ["points", "Buchholz", "median", "S-B", "direct", "wins"];

/// The columns of a standing, in points. Inside, all numbers are integers: points twice as many,
/// Sonneborn-Berger four times.
fn columns(standing: &Standing) -> [f64; 6] {
    let s = standing;
    let halves = |n: u32| f64::from(n) / 2.0;
    [
        halves(s.points),
        halves(s.buchholz),
        halves(s.median_buchholz),
        f64::from(s.sonneborn_berger) / 4.0,
        halves(s.direct),
        f64::from(s.wins),
    ]
}

/// The same as text: `7`, `7.5`, `7.25`.
fn shown(standing: &Standing) -> [String; 6] {
    columns(standing).map(|number| number.to_string())
}

/// Half points as points: `7`, `7.5`.
pub(super) fn points(halves: u32) -> String {
    (f64::from(halves) / 2.0).to_string()
}

/// An expected score of at most `most`: `3.25 ± 0.40`, or both ends of a lopsided interval.
fn expected_score(estimate: &Estimate, most: f64) -> String {
    bounded([estimate.value, estimate.low, estimate.high], [0.0, most], 2)
}

/// Points of a hundred that a player scored per game: `52.1 ± 3.4`.
fn percent<G: ArenaGame>(outcomes: &Outcomes<G>, player: usize) -> String {
    let Estimate { value, low, high } = score(&outcomes.pairs_of(player));
    bounded([value, low, high].map(|score| 100.0 * score), [0.0, 100.0], 1)
}

/// The number of games of a player.
fn games_of<G: ArenaGame>(outcomes: &Outcomes<G>, player: usize) -> usize {
    outcomes.games.iter().filter(|game| game.seats.contains(&player)).count()
}

/// What the table of a gauntlet means; empty for other formats.
fn gauntlet_note(event: &Tournament) -> String {
    if event.format != Format::Gauntlet {
        return String::new();
    }
    let first = name(event, 0);
    format!(
        "A gauntlet compares {first} with each of the others. The others never met: they are compared only through {first}. \
         The order is by Elo against {first}, because points and scores are against unequal opponents."
    )
}

/// The expected score counts two for a win, as its paper does; here a win is 1.
fn halved(estimate: &Estimate) -> Estimate {
    let Estimate { value, low, high } = *estimate;
    Estimate { value: value / 2.0, low: low / 2.0, high: high / 2.0 }
}

/// The pairings of each round, with their results.
fn rounds<G: ArenaGame>(event: &Tournament, outcomes: &Outcomes<G>) -> Table {
    let rows = outcomes.rounds.iter().zip(1..).flat_map(|(round, n)| {
        let game = move |game: &Game| Row {
            head: n.to_string(),
            cells: vec![
                name(event, game.first).into(),
                game.points.map(points).join(" : ").into(),
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

/// Half points of the row's player against the column's, and their number of games.
fn cross<G: ArenaGame>(outcomes: &Outcomes<G>, row: usize, column: usize) -> Option<(u32, u32)> {
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

/// The result for a terminal.
pub(super) fn summary<G: ArenaGame>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    list: &RatingList,
    expected: &[Estimate],
) -> String {
    if event.format == Format::Gauntlet {
        return gauntlet_summary(event, outcomes, table, list);
    }
    let widest = event.players.iter().map(|p| p.name.chars().count()).max().unwrap_or(4).max(4);
    let mut text = format!("{} of {} players, rules {}\n\n", event.format, event.players.len(), event.rules);
    text += &format!("{:>3} {:<widest$}", "", "name");
    for column in COLUMNS {
        text += &format!(" {column:>8}");
    }
    text += &format!(" {:>16} {:>19}\n", "Elo", "ES");
    for (place, standing) in (1..).zip(table) {
        text += &format!("{place:>3} {:<widest$}", name(event, standing.player));
        for value in shown(standing) {
            text += &format!(" {value:>8}");
        }
        let rating = &list.ratings[standing.player];
        let es = &expected[standing.player];
        text += &format!(" {:>+7.0} ± {:>6.0}", rating.value, rating.error());
        text += &format!(" {:>19}\n", expected_score(&halved(es), (event.players.len() - 1) as f64));
    }
    text += "\nPoints: a win is 1, a draw 1/2. Buchholz, median: points of the opponents, without the best and the worst of them;\n\
             S-B: Sonneborn-Berger, points of the beaten opponents and half of those of the drawn; direct: points among equals.\n\
             ES: the score to be expected in one game against each of the others, from the results against stronger, equal and\n\
             weaker players (Chang, Yueh, Fan, Lin and Hsu, 2021, \"Opponent Model Selection Using Deep Learning\", equation 1).\n\
             ± is half of a 95 % interval; a lopsided one is given by its ends.\n";
    text += &cross_table(event, outcomes, table, widest);
    text
}

/// The result of a gauntlet for a terminal.
fn gauntlet_summary<G: ArenaGame>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    list: &RatingList,
) -> String {
    let widest = event.players.iter().map(|p| p.name.chars().count()).max().unwrap_or(4).max(4);
    let mut text = format!("{} of {} players, rules {}\n\n", event.format, event.players.len(), event.rules);
    text += &format!(
        "{:>3} {:<widest$} {:>8} {:>6} {:>24} {:>16}\n",
        "", "name", "points", "games", "score %", "Elo"
    );
    for (place, standing) in (1..).zip(table) {
        let player = standing.player;
        let rating = &list.ratings[player];
        let elo = if player == 0 {
            "0".to_owned()
        } else {
            format!("{:+.0} ± {:.0}", rating.value, rating.error())
        };
        text += &format!(
            "{place:>3} {:<widest$} {:>8} {:>6} {:>24} {elo:>16}\n",
            name(event, player),
            points(standing.points),
            games_of(outcomes, player),
            percent(outcomes, player),
        );
    }
    text += &format!("\n{}\n", wrapped(&gauntlet_note(event), 100));
    text += "Intervals hold 95 %; those of scores are Wilson's, by pairs of games.\n";
    text += &cross_table(event, outcomes, table, widest);
    text
}

/// Points of row against column, and games.
fn cross_table<G: ArenaGame>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    widest: usize,
) -> String {
    let mut text = String::new();
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
                    Some((halves, games)) => format!("{}/{games}", points(halves)),
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

/// The result as one object: docs/formats.md has its fields.
pub(super) fn describe<G: ArenaGame>(
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
                "games": games_of(outcomes, standing.player),
                "score": estimate(&score(&outcomes.pairs_of(standing.player))),
                "elo": estimate(&list.ratings[standing.player]),
                "expected_score": estimate(&halved(&expected[standing.player])),
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
        "schema": 3,
        "format": event.format.to_string(),
        "rules": event.rules,
        "seed": event.seed,
        "table": rows,
        "byes": byes,
        "games": games,
    })
}

/// The page.
pub(super) fn report<G: ArenaGame>(
    event: &Tournament,
    outcomes: &Outcomes<G>,
    table: &[Standing],
    list: &RatingList,
    forfeits: &Forfeits,
) -> Report {
    let complaints = outcomes.games.iter().filter(|g| g.record.tag("Complaint").is_some()).count();
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
    let is_gauntlet = event.format == Format::Gauntlet;
    let standings = if is_gauntlet {
        let row = |s: &Standing| {
            (
                s.player,
                vec![points(s.points), games_of(outcomes, s.player).to_string(), percent(outcomes, s.player)],
            )
        };
        Standings {
            columns: ["points", "games", "score %"].map(str::to_owned).to_vec(),
            rows: table.iter().map(row).collect(),
        }
    } else {
        Standings {
            columns: COLUMNS.map(str::to_owned).to_vec(),
            rows: table.iter().map(|s| (s.player, shown(s).to_vec())).collect(),
        }
    };
    let mut report = Report {
        note: gauntlet_note(event),
        title: format!("Tournament of {}", event.players.len()),
        subtitle: format!("{}, {} games", event.format, outcomes.games.len()),
        rules: event.rules.clone(),
        facts: vec![
            (
                if is_gauntlet { "First by Elo" } else { "Winner" }.to_owned(),
                table.first().map_or(String::new(), |s| name(event, s.player).to_owned()),
            ),
            ("Rounds".to_owned(), outcomes.rounds.len().to_string()),
            ("Games".to_owned(), outcomes.games.len().to_string()),
            ("Games with a complaint".to_owned(), complaints.to_string()),
            ("Seed".to_owned(), event.seed.to_string()),
        ],
        players: event.players.iter().map(|p| p.name.clone()).collect(),
        games_file: GAMES_FILE.to_owned(),
        sprt: None,
        ratings: (0..event.players.len()).map(row).collect(),
        standings: Some(standings),
        tables: forfeits.table(GAMES_FILE).into_iter().chain([rounds(event, outcomes)]).collect(),
        ..Report::default()
    };
    let rows = outcomes.games.iter().filter_map(|g| GameRow::of(&g.record, g.round, g.seats));
    rows.for_each(|row| report.add_game(row));
    report
}
