//! A report as files for other programs: a CSV for every table, and an SVG for every figure.

use super::chart::charts;
use super::table::Table;
use super::{Report, page, ranking};

/// Names and contents: `tables/standings.csv`, `figures/score.svg`. What the page shows is all there, whole.
pub fn beside(report: &Report) -> Vec<(String, String)> {
    let mut files = Vec::new();
    let mut add = |folder: &str, title: &str, end: &str, text: String| {
        let stem = format!("{folder}/{}", slug(title));
        let taken = |name: &str| files.iter().any(|(known, _): &(String, String)| known == name);
        // Two of one title are told apart by a number.
        let names =
            std::iter::once(format!("{stem}.{end}")).chain((2..).map(|n| format!("{stem}-{n}.{end}")));
        if let Some(name) = names.into_iter().find(|name| !taken(name)) {
            files.push((name, text));
        }
    };
    let name = |player: usize| report.players[player].clone();
    if let Some(standings) = &report.standings {
        let head =
            ["place", "player"].map(str::to_owned).into_iter().chain(standings.columns.iter().cloned());
        let rows = standings.rows.iter().zip(1..).map(|((player, cells), place)| {
            [place.to_string(), name(*player)].into_iter().chain(cells.iter().cloned()).collect()
        });
        add("tables", "standings", "csv", csv(std::iter::once(head.collect()).chain(rows)));
    }
    if !report.ratings.is_empty() {
        let head = ["player", "elo", "low", "high", "games", "points"].map(str::to_owned).to_vec();
        let rows = ranking::by_rating(report).into_iter().map(|i| &report.ratings[i]).map(|row| {
            let numbers = [row.elo, row.low, row.high].map(|n| format!("{n:.2}"));
            [name(row.player)]
                .into_iter()
                .chain(numbers)
                .chain([row.games.to_string(), row.score.to_string()])
                .collect()
        });
        add("tables", "ratings", "csv", csv(std::iter::once(head).chain(rows)));
    }
    let census = report.counted();
    if let Some(rows) = page::cross_rows(report, &census) {
        add("tables", "cross-table", "csv", csv(rows));
    }
    for table in &report.tables {
        add("tables", &table.title, "csv", csv(lines(table)));
    }
    for figure in &report.figures {
        add("figures", &figure.title, "svg", figure.plot.svg() + "\n");
    }
    for chart in charts(report, &census) {
        add("figures", chart.id, "svg", chart.svg + "\n");
    }
    files
}

fn lines(table: &Table) -> impl Iterator<Item = Vec<String>> + '_ {
    let row = |row: &super::Row| {
        std::iter::once(row.head.clone()).chain(row.cells.iter().map(|cell| cell.text.clone())).collect()
    };
    std::iter::once(table.columns.clone()).chain(table.rows.iter().map(row))
}

/// Comma-separated values (RFC 4180), but for lines that end with a line feed.
fn csv(rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let cell = |text: &String| {
        if text.contains(['"', ',', '\n', '\r']) {
            format!("\"{}\"", text.replace('"', "\"\""))
        } else {
            text.clone()
        }
    };
    rows.into_iter().map(|row| row.iter().map(cell).collect::<Vec<_>>().join(",") + "\n").collect()
}

/// A title as the name of a file: `Score over time` is `score-over-time`.
fn slug(title: &str) -> String {
    let letters = title.to_lowercase();
    let words = letters.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let slug: String = words.collect::<Vec<_>>().join("-").chars().take(60).collect();
    if slug.is_empty() { "table".to_owned() } else { slug }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_quoted_where_they_have_to_be() {
        let rows = [vec!["a".to_owned(), "b,c".to_owned()], vec!["say \"x\"".to_owned(), "1\n2".to_owned()]];
        assert_eq!(csv(rows), "a,\"b,c\"\n\"say \"\"x\"\"\",\"1\n2\"\n");
        assert_eq!(slug("Score over time: A/B!"), "score-over-time-a-b");
        assert_eq!(slug("../.."), "table");
    }
}
