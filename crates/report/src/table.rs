//! Tables of numbers with words, the same on the page and in a terminal.

use serde::{Deserialize, Serialize};

use super::text::{columns, fitted};

/// The most columns of a terminal that a cell takes.
const WIDEST: usize = 200;

/// Rows under named columns, in the order in which they are read.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Table {
    /// The heading.
    pub title: String,
    /// What the columns mean, below the table.
    pub caption: String,
    /// Names of the columns, that of the row heads first.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Row>,
}

/// One row; as many cells as the table has columns besides the first.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Row {
    /// What the row is about.
    pub head: String,
    /// Its cells.
    pub cells: Vec<Cell>,
}

/// A text with a shade. Several lines are stacked.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Cell {
    /// What it says.
    pub text: String,
    /// How it is shaded on the page.
    pub mood: Mood,
}

/// What a reader's eye should be drawn to.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mood {
    /// Nothing.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// Not as it should be.
    Bad,
    /// Beside the point.
    Dim,
}

/// What shades mean.
const GOOD: &str = "as it should be, or better than the rest beyond chance";
const BAD: &str = "not as it should be, or worse than the rest beyond chance";

impl Mood {
    /// The class in the page's style.
    pub fn class(self) -> &'static str {
        match self {
            Mood::Plain => "",
            Mood::Good => "ahead",
            Mood::Bad => "behind",
            Mood::Dim => "dim",
        }
    }
}

impl Cell {
    /// A shaded cell.
    pub fn new(text: impl Into<String>, mood: Mood) -> Cell {
        Cell { text: text.into(), mood }
    }
}

impl<T: Into<String>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell::new(text, Mood::Plain)
    }
}

impl Table {
    /// The table for a terminal: heading, columns parted by two spaces, caption. What is shaded badly ends in `!`.
    pub fn text(&self) -> String {
        // Step 1. Every row as columns of lines.
        let mark =
            |cell: &Cell| if cell.mood == Mood::Bad { format!("{} !", cell.text) } else { cell.text.clone() };
        let head = self.columns.iter().map(|c| vec![c.clone()]).collect::<Vec<_>>();
        let lines = |text: String| text.lines().map(|line| fitted(line, WIDEST)).collect::<Vec<_>>();
        let rows = self.rows.iter().map(|row| {
            let cells = std::iter::once(row.head.clone()).chain(row.cells.iter().map(mark));
            cells.map(lines).collect::<Vec<_>>()
        });
        let rows: Vec<Vec<Vec<String>>> = std::iter::once(head).chain(rows).collect();

        // Step 2. The widths.
        let mut widths = vec![0; self.columns.len()];
        for (place, cell) in rows.iter().flat_map(|row| row.iter().enumerate()) {
            let widest = cell.iter().map(|line| columns(line)).max().unwrap_or(0);
            if let Some(most) = widths.get_mut(place) {
                *most = widest.max(*most);
            }
        }

        // Step 3. The text; the first column to the left, the others to the right.
        let mut text = format!("{}\n", self.title);
        for row in &rows {
            for line in 0..row.iter().map(Vec::len).max().unwrap_or(0) {
                let mut out = String::new();
                for (place, cell) in row.iter().enumerate() {
                    let words = cell.get(line).map_or("", String::as_str);
                    let room = " ".repeat(widths.get(place).map_or(0, |w| w.saturating_sub(columns(words))));
                    out += &if place == 0 { format!("  {words}{room}") } else { format!("  {room}{words}") };
                }
                text += out.trim_end();
                text.push('\n');
            }
        }
        if !self.caption.is_empty() {
            text += &format!("  {}\n", self.caption);
        }
        if self.has(Mood::Bad) {
            text += &format!("  !: {BAD}\n");
        }
        text
    }

    /// What the shades of its cells mean, each with its class; nothing where none is shaded.
    pub fn key(&self) -> Vec<(&'static str, &'static str)> {
        let all = [(Mood::Good, GOOD), (Mood::Bad, BAD)];
        all.into_iter()
            .filter(|(mood, _)| self.has(*mood))
            .map(|(mood, means)| (mood.class(), means))
            .collect()
    }

    fn has(&self, mood: Mood) -> bool {
        self.rows.iter().flat_map(|row| &row.cells).any(|cell| cell.mood == mood)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up() {
        let row = |head: &str, a: &str, mood: Mood| Row {
            head: head.to_owned(),
            cells: vec![a.into(), Cell::new("7", mood)],
        };
        let table = Table {
            title: "Things".to_owned(),
            caption: "Counted.".to_owned(),
            columns: ["thing", "n", "m"].map(str::to_owned).to_vec(),
            rows: vec![row("a", "1\n22", Mood::Plain), row("long one", "333", Mood::Bad)],
        };
        let expected = "Things\n  thing       n    m\n  a           1    7\n             22\n  long one  333  7 !\n  Counted.\n  !: not as it should be, or worse than the rest beyond chance\n";
        assert_eq!(table.text(), expected);
        assert_eq!(table.key(), [("behind", BAD)]);
    }
}
