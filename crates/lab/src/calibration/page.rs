//! A test of shares as tables and plots.

use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Report, Row, Table, grouped};

use super::test::{BINS, Bin, PHASES, Tested};

/// A bin counts in the check if its positions come from this many games.
pub const ENOUGH: u64 = 500;
/// The allowed error of a bin, in points of a hundred.
pub const ALLOWED: f64 = 3.0;

/// Whether the interval of an error lies wholly beyond the allowed error.
fn is_off(error: &Clustered) -> bool {
    let (low, high) = error.interval();
    100.0 * low > ALLOWED || 100.0 * high < -ALLOWED
}

impl Bin {
    /// Whether the bin has enough games and is off.
    pub fn is_off(&self) -> bool {
        self.games >= ENOUGH && (is_off(&self.error) || is_off(&self.draws_error))
    }
}

/// The tables and plots of some tests, each with the name of the tested model; the first is decisive.
pub fn report(title: &str, tests: &[(&str, Tested)]) -> Report {
    let mut report = Report { title: title.to_owned(), ..Report::default() };
    for (phase, (name, _)) in PHASES.iter().enumerate() {
        report.figures.push(figure(phase, name, tests));
    }
    for (model, tested) in tests {
        report.tables.extend(
            PHASES
                .iter()
                .enumerate()
                .map(|(phase, (name, _))| table(&format!("{model}: {name}"), phase, tested)),
        );
    }
    report
}

fn figure(phase: usize, name: &str, tests: &[(&str, Tested)]) -> Figure {
    let mut marks = vec![Mark::Line { points: vec![(0.0, 0.0), (100.0, 100.0)], tone: Tone::Muted }];
    let mut legend = Vec::new();
    for (i, (model, tested)) in tests.iter().enumerate() {
        let tone = Tone::Series(i);
        legend.push(((*model).to_owned(), tone));
        let bins = (0..BINS).filter_map(|bin| tested.get(&(phase, bin)));
        let points: Vec<_> = bins
            .map(|bin| (100.0 * bin.expected.mean(), bin.scored.share_interval(), 100.0 * bin.scored.mean()))
            .collect();
        let band = points.iter().map(|&(x, (low, high), _)| (x, 100.0 * low, 100.0 * high)).collect();
        marks.push(Mark::Band { points: band, tone });
        marks.push(Mark::Line { points: points.iter().map(|&(x, _, y)| (x, y)).collect(), tone });
    }
    let plot = Plot {
        label: format!("Expected and actual score, {name}"),
        x: Axis::numbers("expected, points of a hundred", 0.0, 100.0),
        y: Axis::numbers("scored", 0.0, 100.0),
        marks,
        legend,
        height: 260.0,
    };
    let caption =
        "The gray line is what a perfect model would give; bands are 95 % intervals by pair.".to_owned();
    Figure { title: name.to_owned(), plot, caption }
}

fn table(title: &str, phase: usize, tested: &Tested) -> Table {
    let percent = |mean: f64| format!("{:.1}", 100.0 * mean);
    let ends = |error: &Clustered, games: u64| {
        let (low, high) = error.interval();
        let mood = match (games >= ENOUGH, is_off(error)) {
            (false, _) => Mood::Dim,
            (true, true) => Mood::Bad,
            (true, false) => Mood::Plain,
        };
        Cell::new(format!("{:+.1} ({:+.1} to {:+.1})", 100.0 * error.mean(), 100.0 * low, 100.0 * high), mood)
    };
    let row = |bin: usize| {
        let found = tested.get(&(phase, bin))?;
        let width = 100 / BINS;
        Some(Row {
            head: format!("{} to {}", bin * width, (bin + 1) * width),
            cells: vec![
                grouped(found.games).into(),
                grouped(found.error.values()).into(),
                percent(found.expected.mean()).into(),
                percent(found.scored.mean()).into(),
                ends(&found.error, found.games),
                percent(found.draws_expected.mean()).into(),
                percent(found.draws.mean()).into(),
                ends(&found.draws_error, found.games),
            ],
        })
    };
    Table {
        title: title.to_owned(),
        caption: format!(
            "Points of a hundred; intervals of 95 % by pair of games. A bin with positions of {ENOUGH} games or more whose interval lies wholly beyond {ALLOWED} points is marked."
        ),
        columns: [
            "expected",
            "games",
            "positions",
            "expected",
            "scored",
            "difference",
            "draws expected",
            "drawn",
            "difference",
        ]
        .map(str::to_owned)
        .to_vec(),
        rows: (0..BINS).filter_map(row).collect(),
    }
}
