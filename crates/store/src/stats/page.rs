//! The statistics as one page with plots, and as tables for a terminal.

use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Report, Row, Table, counted, grouped, plus_minus};

use super::{Player, Stats};

/// An interval to draw or write: the mean and both ends.
pub(super) type Range = (f64, f64, f64);

/// Most players in a plot; the table has all.
const DRAWN: usize = 24;

impl Stats {
    /// The page with plots.
    pub fn report(&self, title: &str) -> Report {
        let rules: Vec<&str> = self.rules.keys().map(String::as_str).collect();
        Report {
            title: title.to_owned(),
            subtitle: format!(
                "{} of {}, with 95 % intervals; both games of a pair share a deal, so a pair counts as one trial",
                counted(self.games, "game"),
                self.game
            ),
            rules: if rules.len() == 1 { rules[0].to_owned() } else { String::new() },
            facts: self.facts(),
            figures: self.figures(),
            tables: self.tables(),
            ..Report::default()
        }
    }

    fn facts(&self) -> Vec<(String, String)> {
        let mut facts =
            vec![("Games".to_owned(), grouped(self.games)), ("Units".to_owned(), grouped(self.units))];
        if self.games > 0 {
            facts.extend([
                ("First mover scores".to_owned(), percent(share(&self.first_movers))),
                ("Drawn".to_owned(), percent(share(&self.draws))),
                ("Plies per game".to_owned(), plain(mean(&self.plies))),
            ]);
        }
        if self.unfinished > 0 {
            facts.push(("Broken off, not counted".to_owned(), grouped(self.unfinished)));
        }
        facts
    }

    /// The tables for a terminal.
    pub fn tables(&self) -> Vec<Table> {
        if self.games == 0 {
            return Vec::new();
        }
        let mut tables = self.first_tables();
        tables.push(self.ending_table());
        if !self.players.is_empty() {
            tables.push(self.player_table());
        }
        tables
    }

    fn figures(&self) -> Vec<Figure> {
        let (mut figures, longest) = self.first_figures();
        figures.extend(self.lengths());
        let endings: Vec<(String, Range)> =
            self.endings().into_iter().map(|(name, all, _)| (name, share(&all))).collect();
        if !endings.is_empty() {
            let caption = "Shares of all games.".to_owned();
            figures.push(whiskers("How games ended", "games, %", &endings, caption, 100.0, None));
        }
        figures.extend(self.player_figures());
        // The longest figure comes last, or the others would flow around it.
        figures.extend(longest);
        figures
    }

    fn player_figures(&self) -> Vec<Figure> {
        let players: Vec<(&String, &Player)> = self.players.iter().take(DRAWN).collect();
        let all = |of: &dyn Fn(&Player) -> Option<Range>| -> Vec<(String, Range)> {
            players.iter().filter_map(|(name, player)| Some(((*name).clone(), of(player)?))).collect()
        };
        let scores = all(&|p| (p.score.values() > 0).then(|| share(&p.score)));
        let mut figures = Vec::new();
        if !scores.is_empty() {
            let caption = "Against all opponents together; games against itself have no score.".to_owned();
            figures.push(whiskers("Players: score", "score, %", &scores, caption, 100.0, Some(0.5)));
        }
        if players.is_empty() {
            return figures;
        }
        let draws = all(&|p| Some(share(&p.draws)));
        figures.push(whiskers(
            "Players: drawn games",
            "drawn, %",
            &draws,
            "Of all games of a player.".to_owned(),
            100.0,
            None,
        ));
        let plies = all(&|p| Some(mean(&p.plies)));
        figures.push(whiskers(
            "Players: length of games",
            "plies per game",
            &plies,
            "Mean over all games of a player.".to_owned(),
            1.0,
            None,
        ));
        figures
    }

    /// Reasons, most frequent first, with their shares of all games and of drawn ones.
    fn endings(&self) -> Vec<(String, Clustered, Clustered)> {
        let among = |part: &Clustered| part.among(&self.draws);
        let mut all: Vec<_> =
            self.reasons.iter().map(|(name, r)| (name.clone(), among(&r.games), among(&r.draws))).collect();
        all.sort_by(|a, b| b.1.mean().total_cmp(&a.1.mean()));
        all
    }

    fn ending_table(&self) -> Table {
        let drawn = self.count(&self.draws).max(1) as f64;
        let rows = self.endings().into_iter().map(|(head, all, draws)| {
            let (games, ties) = (self.count(&all), self.count(&draws));
            let of_draws =
                if ties == 0 { String::new() } else { format!("{:.2} %", 100.0 * ties as f64 / drawn) };
            let cells: [Cell; 5] = [
                grouped(games).into(),
                percent(share(&all)).into(),
                grouped(ties).into(),
                if ties == 0 { Cell::default() } else { percent(share(&draws)).into() },
                of_draws.into(),
            ];
            Row { head, cells: cells.to_vec() }
        });
        Table {
            title: "How games ended".to_owned(),
            caption: "Shares are of all games but for the last column, which is of the drawn ones."
                .to_owned(),
            columns: ["reason", "games", "share", "drawn", "share drawn", "of draws"]
                .map(str::to_owned)
                .to_vec(),
            rows: rows.collect(),
        }
    }

    fn player_table(&self) -> Table {
        let rows = self.players.iter().map(|(name, player)| Row {
            head: name.clone(),
            cells: vec![
                grouped(player.plies.values()).into(),
                if player.score.values() > 0 { percent(share(&player.score)) } else { String::new() }.into(),
                percent(share(&player.draws)).into(),
                plain(mean(&player.plies)).into(),
            ],
        });
        Table {
            title: "Players".to_owned(),
            caption: "Games against itself count once and have no score.".to_owned(),
            columns: ["player", "games", "score", "drawn", "plies per game"].map(str::to_owned).to_vec(),
            rows: rows.collect(),
        }
    }

    fn lengths(&self) -> Option<Figure> {
        let (longest, _) = self.lengths.last_key_value()?;
        let (shortest, _) = self.lengths.first_key_value()?;
        let bins = (0..9).flat_map(|power| [1, 2, 5].map(|m| m * 10_u32.pow(power)));
        let bin = bins.into_iter().find(|bin| longest / bin <= 40).unwrap_or(u32::MAX);
        let mut counts = vec![0_u64; (longest / bin + 1) as usize];
        for (length, n) in &self.lengths {
            counts[(length / bin) as usize] += n;
        }
        let most = counts.iter().copied().max().unwrap_or(1) as f64;
        let bar = |(i, n): (usize, &u64)| {
            let from = i as f64 * f64::from(bin);
            let note = format!("{from}–{} plies: {n}", from + f64::from(bin) - 1.0);
            let gap = f64::from(bin) * 0.06;
            Mark::Bar {
                from: (from + gap, 0.0),
                to: (from + f64::from(bin) - gap, *n as f64),
                tone: Tone::Series(0),
                note,
            }
        };
        let marks = counts.iter().enumerate().filter(|(_, n)| **n > 0).map(bar).collect();
        let caption = format!(
            "{shortest} to {longest} plies, median {}, mean {}; bars of {bin}.",
            self.median(),
            plain(mean(&self.plies))
        );
        let end = counts.len() as f64 * f64::from(bin);
        let plot = Plot {
            label: format!("Lengths: {caption}"),
            x: Axis::numbers("plies", 0.0, end).exactly(0.0, end),
            y: Axis::numbers("games", 0.0, most.max(5.0)),
            marks,
            legend: Vec::new(),
            height: 190.0,
        };
        Some(Figure { title: "Lengths of games".to_owned(), plot, caption })
    }

    fn median(&self) -> u32 {
        let mut shorter = 0;
        let middle = self.lengths.iter().find(|(_, n)| {
            shorter += **n;
            2 * shorter >= self.games
        });
        middle.map_or(0, |(length, _)| *length)
    }
}

/// A share with its interval.
pub(super) fn share(mean: &Clustered) -> Range {
    let (low, high) = mean.share_interval();
    (mean.mean(), low, high)
}

/// A mean with its interval.
fn mean(mean: &Clustered) -> Range {
    let (low, high) = mean.interval();
    (mean.mean(), low, high)
}

/// A plot of estimates with their intervals, one per row, in units of `1 / scale`.
pub(super) fn whiskers(
    title: &str,
    unit: &str,
    rows: &[(String, Range)],
    caption: String,
    scale: f64,
    level: Option<f64>,
) -> Figure {
    let inside = |(mid, low, high): Range| {
        let end = |value: f64| if value.is_finite() { value } else { mid };
        (scale * end(low), scale * mid, scale * end(high))
    };
    let ranges: Vec<Range> = rows.iter().map(|(_, range)| inside(*range)).collect();
    let least = ranges.iter().map(|r| r.0).chain(level.map(|v| v * scale)).fold(f64::INFINITY, f64::min);
    let most = ranges.iter().map(|r| r.2).chain(level.map(|v| v * scale)).fold(f64::NEG_INFINITY, f64::max);
    let room = ((most - least) * 0.05).max(scale / 1e4);
    // Shares lie between zero and all.
    let (low, high) = if scale > 1.0 { (0.0, scale) } else { (0.0, f64::INFINITY) };
    let (least, most) = ((least - room).max(low), (most + room).min(high));
    let mut marks = Vec::new();
    if let Some(level) = level {
        let x = scale * level;
        marks.push(Mark::Line { points: vec![(x, 0.0), (x, rows.len() as f64)], tone: Tone::Muted });
    }
    let mut told = Vec::new();
    for (i, ((name, range), (low, mid, high))) in rows.iter().zip(&ranges).enumerate() {
        let words = if scale > 1.0 { percent(*range) } else { plain(*range) };
        let note = format!("{name}: {words}");
        marks.push(Mark::Whisker {
            y: i as f64 + 0.5,
            range: (*low, *mid, *high),
            tone: Tone::Series(0),
            note: note.clone(),
        });
        told.push(note);
    }
    let names: Vec<&str> = rows.iter().map(|(name, _)| name.as_str()).collect();
    let plot = Plot {
        label: format!("{title}: {}", told.join(", ")),
        x: Axis::numbers(unit, least, most),
        y: Axis::names(&names),
        marks,
        legend: Vec::new(),
        height: (rows.len() as f64 * 16.0).max(32.0),
    };
    Figure { title: title.to_owned(), plot, caption }
}

/// Whether an interval excludes a value.
pub(super) fn mood((_, low, high): Range, value: f64) -> Mood {
    match () {
        () if low > value => Mood::Good,
        () if high < value => Mood::Bad,
        () => Mood::Plain,
    }
}

pub(super) fn percent((mid, low, high): Range) -> String {
    if mid.is_nan() {
        return String::new();
    }
    format!("{:.2} % ({:.2}–{:.2})", 100.0 * mid, 100.0 * low, 100.0 * high)
}

fn plain((mid, low, high): Range) -> String {
    if mid.is_nan() {
        return String::new();
    }
    format!("{mid:.2}{}", plus_minus((high - low) / 2.0, 2))
}
