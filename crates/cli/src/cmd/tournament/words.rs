//! The words about a tournament: for a terminal, as JSON, and on a page. A win is 1 point and a draw ½, everywhere.

use anglerfish_arena::stats::elo::Estimate;
use anglerfish_arena::stats::rating::RatingList;
use anglerfish_arena::swiss::Game;
use anglerfish_arena::swiss::standings::Standing;
use anglerfish_arena::{ArenaGame, Outcomes, Tournament};
use anglerfish_report::{GameRow, RatingRow, Report, Row, Standings, Table, plus_minus};
use serde_json::json;

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

/// `3.25 ± 0.40`; without an error if the value cannot vary.
fn score(estimate: &Estimate) -> String {
    format!("{:.2}{}", estimate.value, plus_minus(estimate.error(), 2))
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
        text += &format!(" {:>13}\n", score(&halved(es)));
    }
    text += "\nPoints: a win is 1, a draw 1/2. Buchholz, median: points of the opponents, without the best and the worst of them;\n\
             S-B: Sonneborn-Berger, points of the duplicates opponents and half of those of the drawn; direct: points among equals.\n\
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
        "schema": 2,
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
