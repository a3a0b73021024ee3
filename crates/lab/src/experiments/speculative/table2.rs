//! Tables 2 and 3: the named readings of Definition 2 beside the paper, with residuals.

use anglerfish_engine::papers::semirandom::{Fallback, SemiRandom};
use anglerfish_engine::papers::speculative::{Speculation as Reading, Speculative};
use anglerfish_report::plot::{Axis, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Row, Table};
use anglerfish_rules::tictactoe::TicTacToe;

use super::notlost::not_lost;
use super::paper::{TABLE_1, TABLE_2, TABLE_3};
use super::table1::apart;
use super::{cell_name, cells, lead, play_unit, speculates};
use crate::exact::{Shares, shares};
use crate::experiment::read_unit;
use crate::stats::{largest, row_bar, signed, triple, z_score};
use crate::{Check, Findings, LabError, Manifest, Results};

/// Height of a row in a plot of all cells.
pub(super) const ROW: f64 = 13.0;

type Speculated = [[Option<Shares>; 7]; 7];

/// The 30 cells with a speculating player, under one reading.
pub(super) fn exact(reading: Reading) -> Speculated {
    let mut table = Speculated::default();
    let mut models: Vec<_> = (0..7).map(|look| SemiRandom::<TicTacToe>::new(look, Fallback::Delay)).collect();
    for (i, j) in cells().filter(|&(i, j)| speculates(i, j)) {
        let mut player = Speculative::new(i.max(j) as u32, i.min(j) as u32, Fallback::Delay, reading);
        let model = &mut models[i.min(j)];
        let start = TicTacToe::default();
        table[i][j] = Some(if i > j {
            shares(&start, [&mut player, model])
        } else {
            shares(&start, [model, &mut player])
        });
    }
    table
}

/// White's cells first, then Black's, each by speculating player and then by opponent: the order of Table 3.
pub(super) fn in_order() -> Vec<(usize, usize)> {
    let white = TABLE_3.iter().map(|&(i, j, ..)| (i, j));
    white.chain(TABLE_3.iter().map(|&(i, j, ..)| (j, i))).collect()
}

/// The results of the readings of Definition 2, and those of both players without speculating.
pub(super) struct Readings {
    pub(super) semirandom: [[Shares; 7]; 7],
    tables: Vec<(&'static str, Speculated)>,
}

impl Readings {
    /// A cell in per cent.
    pub(super) fn of(&self, name: &str, (i, j): (usize, usize)) -> [f64; 3] {
        let table = self.tables.iter().find(|(n, _)| *n == name);
        table.and_then(|(_, table)| table[i][j]).unwrap_or_default().percent()
    }

    /// Of the 15 cells of a side: how many lie within a point of the paper, how many within three standard
    /// deviations, and the largest error in points.
    fn fits(&self, name: &str, white: bool) -> (usize, usize, f64) {
        let side = in_order().into_iter().filter(|(i, j)| (i > j) == white);
        let misses: Vec<(f64, f64)> =
            side.map(|(i, j)| apart(TABLE_2[i][j], self.of(name, (i, j)))).collect();
        let point = misses.iter().filter(|m| m.0 <= 1.0).count();
        (point, misses.iter().filter(|m| m.1 <= 3.0).count(), largest(misses.iter().map(|m| m.0)))
    }
}

pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let mut readings = Readings { semirandom: read_unit("table1 delay", results)?, tables: Vec::new() };
    for (name, _) in Reading::PRESETS {
        readings.tables.push((name, read_unit(&format!("table2 {name}"), results)?));
    }
    leads(&readings, manifest, results, findings)?;
    summary(&readings, findings);
    increases(&readings, findings);
    not_lost(&readings, findings);
    let tables = readings.tables.iter().map(|(name, table)| ((*name).to_owned(), serde_json::json!(table)));
    findings.data["table2"] = serde_json::json!({
        "readings": tables.collect::<serde_json::Map<_, _>>(),
        "paper_percent": TABLE_2,
    });
    Ok(())
}

/// The closest reading for each color, cell by cell.
fn leads(
    readings: &Readings,
    manifest: &Manifest,
    results: &Results,
    findings: &mut Findings,
) -> Result<(), LabError> {
    let games = manifest.number("games") as u32;
    let (mut rows, mut residuals, mut worst_sample) = (Vec::new(), Vec::new(), 0.0_f64);
    for (i, j) in in_order() {
        let (ours, paper) = (readings.of(lead(i, j), (i, j)), TABLE_2[i][j]);
        let (points, z) = apart(paper, ours);
        residuals.push((cell_name(i, j), points, z));
        let mood = if z > 3.0 { Mood::Bad } else { Mood::Plain };
        let mut cells: Vec<Cell> = vec![
            lead(i, j).into(),
            triple(ours, 2).into(),
            triple(paper, 2).into(),
            [0, 1, 2].map(|k| signed(paper[k] - ours[k], 2)).join("  ").into(),
            format!("{points:.2}").into(),
            Cell::new(format!("{z:.1}"), mood),
        ];
        if games > 0 {
            let sampled: Shares = read_unit(&play_unit(manifest, i, j, true), results)?;
            let z = largest([0, 1, 2].map(|k| z_score(sampled.percent()[k], ours[k], games)));
            worst_sample = worst_sample.max(z);
            cells.extend([triple(sampled.percent(), 2).into(), format!("{z:.2}").into()]);
        }
        rows.push(Row { head: cell_name(i, j), cells });
    }
    let mut columns = vec!["cell", "reading", "exact", "paper", "paper − exact", "points", "largest |z|"];
    if games > 0 {
        columns.extend(["our games", "largest |z|"]);
    }
    findings.report.tables.push(Table {
        title: "Table 2: not reproduced. The closest readings, with residuals".to_owned(),
        caption: "Won / drawn / lost of White in per cent; the player with the larger number speculates. The readings w and b were picked from tens of thousands by how well they fit these \
                  very numbers, one for each color: a fit is no evidence for them."
            .to_owned(),
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows,
    });

    if games > 0 {
        findings.checks.push(Check::new(
            "Table 2: our own games lie within five standard deviations of the exact values",
            worst_sample < 5.0,
            format!("at most {worst_sample:.2} in {games} games per cell"),
        ));
    }
    findings.report.figures.push(residual_plot(&residuals));
    Ok(())
}

/// All readings, in a line each.
fn summary(readings: &Readings, findings: &mut Findings) {
    let row = |(name, reading): &(&str, Reading)| {
        let side = |white: bool| {
            let (point, z, worst) = readings.fits(name, white);
            format!("{point} and {z}; worst {worst:.1}")
        };
        Row {
            head: (*name).to_owned(),
            cells: vec![side(true).into(), side(false).into(), described(*reading).into()],
        }
    };
    findings.report.tables.push(Table {
        title: "Readings of Definition 2 against Table 2".to_owned(),
        caption: "Of 15 cells a side: how many lie within one point and how many within three standard deviations of the paper, and the worst, in points."
            .to_owned(),
        columns: ["reading", "White speculates", "Black speculates", "what it counts"].map(str::to_owned).to_vec(),
        rows: Reading::PRESETS.iter().map(row).collect(),
    });
    let expected = [("w", true, (14, 11)), ("w", false, (0, 0)), ("b", false, (5, 5)), ("b", true, (6, 2))];
    for (name, white, (point, z)) in expected {
        let (found_point, found_z, _) = readings.fits(name, white);
        let side = if white { "White" } else { "Black" };
        findings.checks.push(Check::new(
            format!("Table 2: reading {name}, {side} speculating: {point} of 15 cells within a point, {z} within three deviations"),
            (found_point, found_z) == (point, z),
            format!("{found_point} and {found_z}"),
        ));
    }
}

/// Table 3, checked against Tables 1 and 2, and the leads' own values.
fn increases(readings: &Readings, findings: &mut Findings) {
    let third = |&(i, j, white, black): &(usize, usize, f64, f64)| {
        [TABLE_2[i][j][0] - TABLE_1[i][j][0] - white, TABLE_2[j][i][2] - TABLE_1[j][i][2] - black]
    };
    let off = largest(TABLE_3.iter().flat_map(third));
    findings.checks.push(Check::new(
        "Table 3: the paper's 30 increases are its Table 2 less its Table 1",
        off < 0.0051,
        format!("at most {off:.4} points apart"),
    ));
    let increase = |&(i, j, white, black): &(usize, usize, f64, f64)| {
        let gain = |name: &str, (i, j): (usize, usize), k: usize| {
            readings.of(name, (i, j))[k] - readings.semirandom[i][j].percent()[k]
        };
        Row {
            head: format!("P{i} on P{j}"),
            cells: vec![
                signed(gain("w", (i, j), 0), 2).into(),
                signed(white, 2).into(),
                signed(gain("b", (j, i), 2), 2).into(),
                signed(black, 2).into(),
            ],
        }
    };
    findings.report.tables.push(Table {
        title: "Table 3: points of winning percentage that speculating adds".to_owned(),
        caption: "Ours are exact, with the reading w as White and b as Black.".to_owned(),
        columns: ["who", "White: w", "White: paper", "Black: b", "Black: paper"].map(str::to_owned).to_vec(),
        rows: TABLE_3.iter().map(increase).collect(),
    });
}

fn residual_plot(residuals: &[(String, f64, f64)]) -> Figure {
    let bar = |(row, (name, points, z)): (usize, &(String, f64, f64))| {
        let tone = if *z > 3.0 { Tone::Warning } else { Tone::Series(0) };
        row_bar(row, *points, tone, format!("{name}: {points:.2} points, {z:.1} standard deviations"))
    };
    let names: Vec<&str> = residuals.iter().map(|(name, ..)| name.as_str()).collect();
    let beyond = residuals.iter().filter(|r| r.2 > 3.0).count();
    let caption = format!(
        "The largest of the three differences a cell, with reading w where White speculates and b where Black does. {beyond} of 30 are beyond three standard deviations of the paper's sample (red)."
    );
    Figure {
        title: "Table 2: how far the closest readings are off".to_owned(),
        plot: Plot {
            label: caption.clone(),
            x: Axis::numbers("points", 0.0, 10.0),
            y: Axis::names(&names),
            marks: residuals.iter().enumerate().map(bar).collect(),
            legend: Vec::new(),
            height: ROW * residuals.len() as f64,
        },
        caption,
    }
}

/// The options of a reading in words.
fn described(reading: Reading) -> String {
    let Reading { filter, replies, own, weigh, count, aim, ties } = reading;
    format!("{filter:?} {replies:?} {own:?} {weigh:?} {count:?} {aim:?} {ties:?}").to_lowercase()
}
