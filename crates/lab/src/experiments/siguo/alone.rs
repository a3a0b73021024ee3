//! Findings without recorded games: the method on synthetic armies, the paper's own numbers, and its slips.

use anglerfish_report::{Row, Table};
use anglerfish_siguo::Candidates;

use super::measure::Score;
use super::paper::{self, positions};
use super::synthetic::Found;
use crate::Check;
use crate::stats::signed;

pub(super) fn synthetic(found: &Found) -> Table {
    let share = |score: &Score| format!("{:.2}", 100.0 * score.likeliest as f64 / score.men.max(1) as f64);
    let row = |i: usize| Row {
        head: found.known[i].to_string(),
        cells: vec![
            share(&found.general[i]).into(),
            share(&found.classified[i]).into(),
            format!("{:.1}", 100.0 * found.recognized[i]).into(),
        ],
    };
    Table {
        title: "The method on armies that do come in three classes".to_owned(),
        caption: "Armies of our own making. Men whose likeliest role is the true one, and armies whose likeliest class is, in per cent.".to_owned(),
        columns: ["men known", "general", "classified", "class"].map(str::to_owned).to_vec(),
        rows: (0..found.known.len()).map(row).collect(),
    }
}

pub(super) fn checks(found: &Found) -> Vec<Check> {
    let layouts = Candidates::any().ways().count();
    let last = found.known.len() - 1;
    let ahead = |i: usize| {
        let share = |score: &Score| score.truth / score.men.max(1) as f64;
        100.0 * (share(&found.classified[i]) - share(&found.general[i]))
    };
    let largest = |column: &[f64; 30]| {
        let mut slots: Vec<usize> = positions().collect();
        slots.sort_by(|a, b| column[*b].total_cmp(&column[*a]));
        slots.truncate(4);
        slots.sort_unstable();
        slots
    };
    let peaks = largest(&paper::DEFENSIVE);
    vec![
        Check::new(
            "there are 709,596,419,051,520,000 layouts, as in Table 1",
            layouts == 709_596_419_051_520_000,
            layouts.to_string(),
        ),
        Check::new(
            "equation 6 adds up to 1 with the priors in its denominator, and not as printed",
            found.sums[0] < 1e-9 && found.sums[1] > 0.1,
            format!("off by {:.1e} and by up to {:.2}", found.sums[0], found.sums[1]),
        ),
        Check::new(
            "the best places of Table 4 are columns 1 and 5 of row 5 and 2 and 4 of row 3",
            peaks == [11, 13, 20, 24],
            format!("slots {peaks:?}"),
        ),
        Check::new(
            "where armies come in classes, equation 7 is ahead of the general table, the more the more men are known",
            ahead(last) > 0.3 && ahead(last) > ahead(1) && found.recognized[last] > 0.5,
            format!("{} points with {} men known", signed(ahead(last), 2), found.known[last]),
        ),
    ]
}

pub(super) fn slips() -> Table {
    let rows = [
        (
            "worlds of Siguo, in the text",
            "3.58e68",
            "3.57e53: the cube of 7.096e17, three players who are not seen",
        ),
        ("p of equation 1", "12 by 13", "12 by 12, as F"),
        ("equation 6", "no priors in the denominator", "the sum of P(h|m) P(m) over the classes"),
        (
            "best places for defense, in the text",
            "row 5, columns 2 and 4",
            "row 5, columns 1 and 5, and row 3, columns 2 and 4, by its Table 4",
        ),
        ("agents PRS and PBS, in the text", "not in Table 5", "PRC and PBC"),
        ("order of the turns", "clockwise", "against the clock, in all recorded games"),
    ];
    Table {
        title: "Slips of the paper".to_owned(),
        caption: String::new(),
        columns: ["where", "printed", "right"].map(str::to_owned).to_vec(),
        rows: rows
            .into_iter()
            .map(|(head, printed, right)| Row {
                head: head.to_owned(),
                cells: vec![printed.into(), right.into()],
            })
            .collect(),
    }
}
