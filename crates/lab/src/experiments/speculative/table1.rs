//! Table 1: every semi-random player against every other, exactly, beside the paper's 10,000 games per cell.

use anglerfish_engine::papers::semirandom::{Fallback, SemiRandom};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Row, Table};
use anglerfish_rules::tictactoe::TicTacToe;

use super::paper::{EXACT_1, GAMES, TABLE_1};
use super::{cell_name, cells, play_unit};
use crate::exact::{Shares, shares};
use crate::experiment::read_unit;
use crate::stats::{largest, signed, triple, z_score};
use crate::{Check, Findings, LabError, Manifest, Results};

/// All 49 cells.
pub(super) fn exact(fallback: Fallback) -> [[Shares; 7]; 7] {
    let player = |look| SemiRandom::<TicTacToe>::new(look, fallback);
    // Two sets, because a player may sit on both sides; each remembers its choices from cell to cell.
    let mut white: Vec<_> = (0..7).map(player).collect();
    let mut black: Vec<_> = (0..7).map(player).collect();
    let mut table = [[Shares::default(); 7]; 7];
    for (i, j) in cells() {
        table[i][j] = shares(&TicTacToe::default(), [&mut white[i], &mut black[j]]);
    }
    table
}

/// The largest difference between three percentages, and the same in standard deviations of the paper's sample.
pub(super) fn apart(paper: [f64; 3], truth: [f64; 3]) -> (f64, f64) {
    let pairs = || paper.into_iter().zip(truth);
    (largest(pairs().map(|(p, t)| p - t)), largest(pairs().map(|(p, t)| z_score(p, t, GAMES))))
}

pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let exact: [[Shares; 7]; 7] = read_unit("table1 delay", results)?;
    let literal: [[Shares; 7]; 7] = read_unit("table1 any", results)?;
    let games = manifest.number("games") as u32;

    // Step 1. Number by number.
    let (mut rows, mut zs, mut worst_sample) = (Vec::new(), Vec::new(), 0.0_f64);
    let (mut off_record, mut equal, mut worst_z) = (0.0_f64, 0, 0.0_f64);
    for (i, j) in cells() {
        let (ours, paper) = (exact[i][j].percent(), TABLE_1[i][j]);
        let differences = [0, 1, 2].map(|k| paper[k] - ours[k]);
        let (_, z) = apart(paper, ours);
        worst_z = worst_z.max(z);
        let record = [0, 1, 2].map(|k| (ours[k] - EXACT_1[i][j][k]).abs());
        equal += record.iter().filter(|&&off| off < 0.001).count();
        off_record = off_record.max(largest(record));
        zs.extend(
            (0..3).filter(|&k| ours[k] > 0.01 && ours[k] < 99.99).map(|k| z_score(paper[k], ours[k], GAMES)),
        );
        let mut cells: Vec<Cell> = vec![
            triple(ours, 3).into(),
            triple(paper, 2).into(),
            differences.map(|d| signed(d, 2)).join("  ").into(),
            [0, 1, 2].map(|k| signed(z_score(paper[k], ours[k], GAMES), 2)).join("  ").into(),
        ];
        if games > 0 {
            let sampled: Shares = read_unit(&play_unit(manifest, i, j, false), results)?;
            let z = largest([0, 1, 2].map(|k| z_score(sampled.percent()[k], ours[k], games)));
            worst_sample = worst_sample.max(z);
            cells.extend([triple(sampled.percent(), 2).into(), format!("{z:.2}").into()]);
        }
        rows.push(Row { head: cell_name(i, j), cells });
    }

    // Step 2. The tables.
    let stacked = |i: usize| Row {
        head: format!("P{i}"),
        cells: exact[i].iter().map(|s| s.percent().map(|p| format!("{p:.2}")).join("\n").into()).collect(),
    };
    findings.report.tables.push(Table {
        title: "Table 1, exactly: White P_i (rows) against Black P_j".to_owned(),
        caption: "White's games in per cent: won, drawn, lost. Nothing is sampled.".to_owned(),
        columns: std::iter::once("W\\B".to_owned()).chain((0..7).map(|j| format!("P{j}"))).collect(),
        rows: (0..7).map(stacked).collect(),
    });
    let mut columns = vec!["cell", "exact", "paper", "paper − exact", "z of each"];
    if games > 0 {
        columns.extend(["our games", "largest |z|"]);
    }
    findings.report.tables.push(Table {
        title: "Table 1, cell by cell".to_owned(),
        caption: format!(
            "Won / drawn / lost of White in per cent; z is in standard deviations of {GAMES} games for the paper{}.",
            if games > 0 { format!(", of {games} games through the referee for ours") } else { String::new() }
        ),
        columns: columns.into_iter().map(str::to_owned).collect(),
        rows,
    });
    fallbacks(&literal, worst_z, findings);
    findings.report.figures.push(histogram(&zs));

    // Step 3. The checks.
    findings.checks.extend([
        Check::new(
            "Table 1: our 147 exact values equal those on record here, not the paper's, to 0.001 points",
            equal == 147,
            format!("at most {off_record:.5} points apart"),
        ),
        Check::new(
            "Table 1: every number of the paper lies within three standard deviations of the exact one",
            worst_z < 3.0,
            format!("at most {worst_z:.2}"),
        ),
    ]);
    if games > 0 {
        findings.checks.push(Check::new(
            "Table 1: our own games lie within five standard deviations of the exact values",
            worst_sample < 5.0,
            format!("at most {worst_sample:.2} in {games} games per cell"),
        ));
    }
    let facts = &mut findings.report.facts;
    facts.push((
        "Table 1, our values".to_owned(),
        format!("{equal} of 147 equal those on record here (not the paper's)"),
    ));
    facts.push(("Paper's largest |z|".to_owned(), format!("{worst_z:.2} of 147")));
    findings.data["table1"] = serde_json::json!({
        "exact": exact, "paper_percent": TABLE_1, "any_fallback": literal,
    });
    Ok(())
}

/// Definition 1 as written, compared with the rule that must have been used.
fn fallbacks(literal: &[[Shares; 7]; 7], worst_z: f64, findings: &mut Findings) {
    let (literal_points, literal_z, literal_worst) = literal_misses(literal);
    findings.report.tables.push(Table {
        title: "What Definition 1 says where every move loses".to_owned(),
        caption: "Cells in which the paper's numbers are further than that from the exact ones.".to_owned(),
        columns: ["rule", "over 1 point", "over 3 standard deviations", "worst cell"]
            .map(str::to_owned)
            .to_vec(),
        rows: vec![
            Row {
                head: "look one ply less far (the loss is put off; not in the text)".to_owned(),
                cells: vec!["0".into(), "0".into(), format!("{worst_z:.2} standard deviations").into()],
            },
            Row {
                head: "any move (as the text says)".to_owned(),
                cells: vec![
                    Cell::new(literal_points.to_string(), Mood::Bad),
                    Cell::new(literal_z.to_string(), Mood::Bad),
                    format!("{} by {:.1} points", literal_worst.0, literal_worst.1).into(),
                ],
            },
        ],
    });
    findings.checks.push(Check::new(
            "Table 1: with any move where every move loses, 9 cells are over a point off and 11 over three deviations",
            (literal_points, literal_z) == (9, 11),
            format!("{literal_points} and {literal_z}; worst {} by {:.1} points", literal_worst.0, literal_worst.1),
        ));
}

/// How many cells are over a point and over three standard deviations off, and which is the worst.
fn literal_misses(literal: &[[Shares; 7]; 7]) -> (usize, usize, (String, f64)) {
    let misses: Vec<_> =
        cells().map(|(i, j)| (cell_name(i, j), apart(TABLE_1[i][j], literal[i][j].percent()))).collect();
    let worst = misses.iter().max_by(|a, b| a.1.0.total_cmp(&b.1.0));
    let worst = worst.map_or((String::new(), 0.0), |(name, (points, _))| (name.clone(), *points));
    let over_point = misses.iter().filter(|(_, (points, _))| *points > 1.0).count();
    (over_point, misses.iter().filter(|(_, (_, z))| *z > 3.0).count(), worst)
}

fn histogram(zs: &[f64]) -> Figure {
    const BIN: f64 = 0.5;
    let bins: Vec<(f64, usize)> = (-6..6)
        .map(|b| f64::from(b) * BIN)
        .map(|low| (low, zs.iter().filter(|z| (low..low + BIN).contains(*z)).count()))
        .collect();
    let bar = |&(low, n): &(f64, usize)| Mark::Bar {
        from: (low + 0.03, 0.0),
        to: (low + BIN - 0.03, n as f64),
        tone: Tone::Series(0),
        note: format!("{low} to {}: {n}", low + BIN),
    };
    let most = bins.iter().map(|b| b.1).max().unwrap_or(1);
    let within = zs.iter().filter(|z| z.abs() < 1.0).count();
    let caption = format!(
        "The {} numbers of Table 1 that are neither 0 nor 100: {within} lie within one standard deviation of the exact value, and chance would have about {:.0}. The three numbers of a cell hang together, and the paper prints some cells twice.",
        zs.len(),
        0.683 * zs.len() as f64
    );
    Figure {
        title: "Table 1: is the paper's sample a fair one?".to_owned(),
        plot: Plot {
            label: caption.clone(),
            x: Axis::numbers("paper less exact, in standard deviations", -3.0, 3.0),
            y: Axis::numbers("numbers", 0.0, most as f64),
            marks: bins.iter().filter(|b| b.1 > 0).map(bar).collect(),
            legend: Vec::new(),
            height: 170.0,
        },
        caption,
    }
}
