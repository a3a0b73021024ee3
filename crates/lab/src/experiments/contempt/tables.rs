//! The tables and the figure.

use anglerfish_engine::DrawScope;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell as Entry, Figure, Mood, Report, Row, Table};

use super::cells::{PAPER, Rank, Search};
use super::{Contempt, Found};
use crate::paired::Difference;
use crate::stats::{largest, signed};
use crate::{Check, Experiment, Findings, Manifest, Size};

/// The paper's Tables 4, 5 and 6 with 200 games per row, by the value in hundredths: won, drawn, lost, score.
/// Of Table 6, the rows of 0 against another value, from the other's view.
const PRINTED: [[(i32, [u32; 4]); 3]; 3] = [
    [(-60, [127, 49, 24, 305]), (0, [123, 57, 20, 303]), (20, [120, 64, 8, 304])],
    [(-60, [80, 23, 97, 183]), (0, [77, 45, 78, 199]), (20, [62, 55, 83, 179])],
    [(-60, [42, 21, 137, 105]), (0, [41, 37, 122, 119]), (20, [48, 62, 90, 158])],
];

fn value(hundredths: i32) -> String {
    if hundredths == 0 { "0".to_owned() } else { signed(f64::from(hundredths) / 100.0, 2) }
}

pub(super) fn findings(experiment: &Contempt, manifest: &Manifest, found: &[Found]) -> Findings {
    let mut report = Report {
        title: "What a draw is worth".to_owned(),
        subtitle: format!("{}. Paired deals, seed {}.", experiment.about(), manifest.seed),
        rules: "platform".to_owned(),
        players: vec!["alphabeta".to_owned()],
        ..Report::default()
    };
    for search in [Search::AlphaBeta, Search::Mcts] {
        let cells: Vec<&Found> = found.iter().filter(|one| one.cell.search == search).collect();
        if !cells.is_empty() {
            report.figures.push(figure(search, &cells));
            report.tables.push(table(search, &cells));
        }
    }
    report.tables.push(expected(found));
    report.tables.push(printed());
    let data = |one: &Found| {
        serde_json::json!({
            "search": format!("{:?}", one.cell.search), "opponent": one.cell.rank.name(), "draw": f64::from(one.cell.value) / 100.0,
            "scope": one.cell.which(), "games": one.games, "difference": one.difference.raw, "without_luck": one.difference.without_luck,
        })
    };
    Findings { checks: checks(manifest, found), report, data: found.iter().map(data).collect() }
}

fn name(search: Search) -> &'static str {
    match search {
        Search::AlphaBeta => "alphabeta",
        Search::Mcts => "mcts",
    }
}

fn table(search: Search, cells: &[&Found]) -> Table {
    let row = |one: &&Found| {
        let [won, drawn, lost] = one.games;
        let all = (won + drawn + lost) as f64;
        let gain = one.difference.best();
        let mood = match () {
            () if gain.0 - gain.1 > 0.0 => Mood::Good,
            () if gain.0 + gain.1 < 0.0 => Mood::Bad,
            () => Mood::Plain,
        };
        let plain = one.cell.is_plain();
        let difference = |known: (f64, f64)| if plain { "-".to_owned() } else { Difference::text(known) };
        Row {
            head: one.cell.rank.name().to_owned(),
            cells: vec![
                value(one.cell.value).into(),
                one.cell.which().into(),
                won.to_string().into(),
                drawn.to_string().into(),
                lost.to_string().into(),
                format!("{:.2}", 100.0 * (won as f64 + drawn as f64 / 2.0) / all).into(),
                difference(one.difference.raw).into(),
                Entry::new(difference(gain), if plain { Mood::Plain } else { mood }),
            ],
        }
    };
    let columns =
        ["opponent", "draw", "which", "won", "drawn", "lost", "score", "difference", "without luck"];
    Table {
        title: format!("Draw values of {}", name(search)),
        caption: "The champion's games and score in per cent; differences to the value 0 on the same deals. Which: all draws, those by repetition, or the win-draw-loss form: no draw, and every estimate instead.".to_owned(),
        columns: columns.map(str::to_owned).to_vec(),
        rows: cells.iter().map(row).collect(),
    }
}

fn figure(search: Search, cells: &[&Found]) -> Figure {
    let all = |one: &&&Found| one.cell.is_of(DrawScope::All);
    let mut marks = vec![Mark::Level { y: 0.0, text: String::new(), tone: Tone::Muted }];
    let mut legend = Vec::new();
    let gain = |one: &Found| if one.cell.is_plain() { (0.0, 0.0) } else { one.difference.best() };
    for rank in Rank::ALL {
        let tone = Tone::Series(rank as usize);
        let mut own: Vec<&&Found> = cells.iter().filter(all).filter(|one| one.cell.rank == rank).collect();
        own.sort_by_key(|one| one.cell.value);
        let x = |one: &Found| f64::from(one.cell.value) / 100.0;
        let band = own.iter().map(|one| (x(one), gain(one).0 - gain(one).1, gain(one).0 + gain(one).1));
        marks.push(Mark::Band { points: band.collect(), tone });
        marks.push(Mark::Line { points: own.iter().map(|one| (x(one), gain(one).0)).collect(), tone });
        legend.push((rank.name().to_owned(), tone));
    }
    let reach = 1.0 + largest(cells.iter().map(|one| gain(one).0.abs() + gain(one).1)).min(50.0);
    Figure {
        title: format!("What draw values gain, {}", name(search)),
        plot: Plot {
            label: "Difference of the score to that of the value 0, by draw value and opponent".to_owned(),
            x: Axis::numbers("what a draw is worth to us", -0.6, 0.4),
            y: Axis::numbers("points of a hundred", -reach, reach),
            marks,
            legend,
            height: 240.0,
        },
        caption: "All draws, against each opponent, with 95 % intervals.".to_owned(),
    }
}

/// Equation 1 with one opponent of each rank: two points for a win, one for a draw.
fn expected(found: &[Found]) -> Table {
    let score = |rank: Rank, hundredths: i32, scope: DrawScope| {
        let is = |one: &&Found| {
            let cell = &one.cell;
            cell.search == Search::AlphaBeta
                && cell.rank == rank
                && cell.value == hundredths
                && cell.is_of(scope)
        };
        found.iter().find(is).map_or(f64::NAN, |one| {
            let [won, drawn, lost] = one.games;
            (2 * won + drawn) as f64 / (won + drawn + lost).max(1) as f64
        })
    };
    let total = |values: [i32; 3], scope: DrawScope| -> f64 {
        Rank::ALL.iter().zip(values).map(|(rank, value)| score(*rank, value, scope)).sum()
    };
    let [refuse, accept] = PAPER;
    let scopes = [DrawScope::Repetition, DrawScope::All];
    let row = |(head, values): (&str, [i32; 3])| Row {
        head: head.to_owned(),
        cells: scopes.map(|scope| format!("{:.3}", total(values, scope)).into()).to_vec(),
    };
    let rows = [
        ("0 against all", [0; 3]),
        ("as the paper says", [refuse, 0, accept]),
        ("the wrong way round", [accept, 0, refuse]),
    ];
    Table {
        title: "Expected score (equation 1)".to_owned(),
        caption: "Of a tournament against one weaker, one equal and one stronger program, two points a win; the paper's way gains 0.07 there.".to_owned(),
        columns: ["draw values", "repetitions", "all draws"].map(str::to_owned).to_vec(),
        rows: rows.into_iter().map(row).collect(),
    }
}

fn printed() -> Table {
    let row = |(rank, (hundredths, [won, drawn, lost, score])): (Rank, &(i32, [u32; 4]))| Row {
        head: rank.name().to_owned(),
        cells: [value(*hundredths), won.to_string(), drawn.to_string(), lost.to_string(), score.to_string()]
            .map(Into::into)
            .to_vec(),
    };
    let rows =
        Rank::ALL.into_iter().zip(&PRINTED).flat_map(|(rank, rows)| rows.iter().map(move |one| (rank, one)));
    Table {
        title: "The paper's Tables 4 to 6".to_owned(),
        caption: "200 games a row, two points a win, as printed: 127 wins and 49 draws are 303 and not 305, and one row has 192 games. Two errors of a score are about 21 points, so only 119 and 158 differ.".to_owned(),
        columns: ["opponent", "draw", "won", "drawn", "lost", "score"].map(str::to_owned).to_vec(),
        rows: rows.map(row).collect(),
    }
}

fn checks(manifest: &Manifest, found: &[Found]) -> Vec<Check> {
    let games: u64 = found.iter().flat_map(|one| one.games).sum();
    let forfeits = found.iter().map(|one| one.difference.forfeits).sum();
    let mut checks = vec![Check::finished(games, forfeits)];
    // Refusing draws leads to fewer draws than accepting them.
    let drawn = |hundredths: i32| {
        let cells = found.iter().filter(|one| {
            one.cell.value == hundredths
                && one.cell.scope == DrawScope::All
                && one.cell.search == Search::AlphaBeta
        });
        cells.map(|one| one.games[1]).sum::<u64>()
    };
    let [few, many] = PAPER.map(drawn);
    checks.push(Check::new(
        "refusing draws leads to fewer draws than accepting them",
        few < many,
        format!("{few} and {many}"),
    ));
    if manifest.size == Size::Ci {
        return checks;
    }
    let gain = |rank: Rank, hundredths: i32| {
        let is = |one: &&Found| {
            let cell = &one.cell;
            cell.search == Search::AlphaBeta
                && cell.rank == rank
                && cell.value == hundredths
                && cell.scope == DrawScope::Repetition
        };
        found.iter().find(is).map(|one| one.difference.best())
    };
    for (rank, hundredths) in [(Rank::Weaker, PAPER[0]), (Rank::Stronger, PAPER[1])] {
        if let Some((gained, error)) = gain(rank, hundredths) {
            checks.push(Check::new(
                format!("{} pays against the {}, as the paper says", value(hundredths), rank.name()),
                gained - error > 0.0,
                Difference::text((gained, error)),
            ));
        }
    }
    checks
}
