//! The paper's last claim, that speculating loses fewer games: every cell, and the exceptions by name.

use anglerfish_report::plot::{Axis, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Row, Table};

use super::cell_name;
use super::paper::{GAMES, TABLE_1, TABLE_2};
use super::table2::{ROW, Readings, in_order};
use crate::Findings;
use crate::stats::{row_bar, signed};

/// Section 6: "From the standpoint of non-losing percentage (win + draw), the proposed speculative strategy is better".
pub(super) fn not_lost(readings: &Readings, findings: &mut Findings) {
    let names = ["paper", "w", "b", "winner", "keeper"];
    let mut exceptions: Vec<Vec<String>> = vec![Vec::new(); names.len()];
    let (mut rows, mut marks, mut heads) = (Vec::new(), Vec::new(), Vec::new());
    for (row, (i, j)) in in_order().into_iter().enumerate() {
        let before = unlost(readings.semirandom[i][j].percent(), i > j);
        let gain = |name: &str| match name {
            "paper" => unlost(TABLE_2[i][j], i > j) - unlost(TABLE_1[i][j], i > j),
            _ => unlost(readings.of(name, (i, j)), i > j) - before,
        };
        let mut cells: Vec<Cell> = vec![format!("{before:.2}").into()];
        for (place, name) in names.iter().enumerate() {
            let gain = gain(name);
            // Differences below this are rounding: of printed numbers in the paper, of sums in ours.
            let worse = gain < -0.001;
            if worse && *name == "paper" {
                let z = gain / deviation(unlost(TABLE_1[i][j], i > j), unlost(TABLE_2[i][j], i > j));
                exceptions[place].push(format!("{} (z {})", cell_name(i, j), signed(z, 1)));
            } else if worse {
                exceptions[place].push(cell_name(i, j));
            }
            cells.push(Cell::new(signed(gain, 2), if worse { Mood::Bad } else { Mood::Plain }));
        }
        let tone = if gain("paper") < -0.001 { Tone::Warning } else { Tone::Series(0) };
        marks.push(row_bar(
            row,
            gain("paper"),
            tone,
            format!("{}: {}", cell_name(i, j), signed(gain("paper"), 2)),
        ));
        heads.push(cell_name(i, j));
        rows.push(Row { head: cell_name(i, j), cells });
    }
    findings.report.tables.push(Table {
        title: "Games not lost: what speculating adds, in points".to_owned(),
        caption: "The paper's last claim is that speculating loses fewer games. Its own numbers (sampled, 10,000 games per cell), and the exact ones of four readings; what is marked got worse."
            .to_owned(),
        columns: ["cell", "not lost without it, %", "paper", "w", "b", "winner", "keeper"]
            .map(str::to_owned)
            .to_vec(),
        rows,
    });
    let list = |cells: &[String]| if cells.is_empty() { "none".to_owned() } else { cells.join(", ") };
    let lines = names.iter().zip(&exceptions).map(|(name, cells)| Row {
        head: (*name).to_owned(),
        cells: vec![format!("{} of 30", cells.len()).into(), list(cells).into()],
    });
    findings.report.tables.push(Table {
        title: "Exceptions: cells in which speculating loses more games".to_owned(),
        caption: "z is the difference in standard deviations of two samples of 10,000 games: beyond −3 it is more than chance.".to_owned(),
        columns: ["whose numbers", "how many", "which"].map(str::to_owned).to_vec(),
        rows: lines.collect(),
    });
    let caption = format!(
        "The paper's numbers; White speculates in the upper half, Black in the lower. Exceptions: {}.",
        list(&exceptions[0])
    );
    findings.report.figures.push(Figure {
        title: "Games not lost: what speculating adds".to_owned(),
        plot: Plot {
            label: caption.clone(),
            x: Axis::numbers("points", -5.0, 10.0),
            y: Axis::names(&heads),
            marks,
            legend: Vec::new(),
            height: ROW * heads.len() as f64,
        },
        caption,
    });
    findings.report.facts.push((
        "Loses more by speculating".to_owned(),
        format!("{} of 30 cells (paper)", exceptions[0].len()),
    ));
    findings.data["not_lost_exceptions"] =
        names.iter().zip(&exceptions).map(|(n, cells)| ((*n).to_owned(), serde_json::json!(cells))).collect();
}

/// The standard deviation of the difference between two of the paper's percentages.
fn deviation(one: f64, other: f64) -> f64 {
    let variance = |percent: f64| percent * (100.0 - percent) / f64::from(GAMES);
    (variance(one) + variance(other)).sqrt()
}

/// The share of games that the speculating side of a cell does not lose.
fn unlost(percent: [f64; 3], white_speculates: bool) -> f64 {
    100.0 - percent[if white_speculates { 2 } else { 0 }]
}
