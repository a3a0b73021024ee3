//! A review for a terminal: nothing wider than 80 columns, or than a narrower terminal, in words that need no manual.

use anglerfish_engine::luck::{GAME, Millionths};
use anglerfish_rules::banqi::Event;

use super::shown::cost;
use super::{CLOSE, MISTAKE, Review, Step, Swing, Why, signed};
use crate::count::grouped;
use crate::text::{columns, fitted, wrapped, wrapped_and_cut};
use crate::{Lang, say};

/// The width of a terminal.
pub(super) const WIDTH: usize = 80;

/// The most mistakes that are listed, flips of each kind, and plies of a better line.
pub(super) const MISTAKES: usize = 8;
pub(super) const FLIPS: usize = 3;
const LINE: usize = 5;

/// The columns of a name in a list, and those beside a graph; rows of a graph above even and below.
const NAME: usize = 12;
const AXIS: usize = 8;
const ROWS: i64 = 3;

impl Review {
    /// The review, ready to be printed.
    pub fn text(&self) -> String {
        self.text_within(WIDTH)
    }

    /// The review for a terminal of this width: on a narrow one, long lines go on below, indented.
    pub fn text_within(&self, width: usize) -> String {
        let text = self.whole(width.clamp(2 * AXIS, WIDTH) - AXIS);
        if width >= WIDTH { text } else { text.lines().map(|line| hung(line, width) + "\n").collect() }
    }

    /// The review with a graph of this width.
    fn whole(&self, graph: usize) -> String {
        let mut text = self.head();
        text += &self.graph(graph);
        let items = self.items();
        let rows = items.into_iter().map(|item| vec![item.name, item.value, item.what]);
        let lang = self.lang;
        text += &section(lang.text("review.account"), rows.collect(), &[1]);
        text += &section(lang.text("review.players"), self.parts(), &[1, 2, 3]);
        text += &format!("  {}\n", say!(lang, "review.note", cost = cost(CLOSE)));
        text += &self.mistake_list();
        let [own, _] = self.sides().map(|name| fitted(name, 40));
        for (sign, title) in [(1, "review.luckiest"), (-1, "review.unluckiest")] {
            let flips = self.flips(sign);
            if !flips.is_empty() {
                let rows = flips.into_iter().take(FLIPS).map(|step| self.flip(step)).collect();
                text += &section(&say!(lang, title, name = own), rows, &[0, 3]);
            }
        }
        text += &self.turn_list();
        text
    }

    fn head(&self) -> String {
        let [first, second] = [0, 1].map(|n| fitted(&self.players[n].name, 40));
        let (lang, result, plies) = (self.lang, self.ending(), self.counted(self.length()));
        let mut lines = vec![
            say!(lang, "review.head", first = first, second = second, result = result, plies = plies),
            say!(lang, "review.seen", name = fitted(self.sides()[0], 40), judge = self.judge),
            lang.text("review.values").to_owned(),
        ];
        if self.opened > 0 {
            lines.push(say!(lang, "review.opened", plies = self.counted(self.opened)));
        }
        if !self.calibrated {
            lines.push(say!(lang, "review.uncalibrated", rules = self.rules));
        }
        lines.iter().map(|line| wrapped_and_cut(line, WIDTH) + "\n").collect()
    }

    /// The value after every ply, as bars up and down from even.
    fn graph(&self, width: usize) -> String {
        let values: Vec<Millionths> = self.values().map(|(_, value)| value).collect();
        if values.len() < 3 {
            return String::new();
        }
        let wide = values.len().min(width);
        // Half a row is the least that can be drawn. Where plies share a column, it shows the last of them.
        let halves: Vec<i64> = (1..=wide)
            .map(|n| values[n * values.len() / wide - 1])
            .map(|value| value.signum() * ((value.abs() * 2 * ROWS + GAME / 2) / GAME).min(2 * ROWS))
            .collect();
        let mut text = String::from("\n");
        for row in (-ROWS..ROWS).rev() {
            let name = match row {
                row if row == ROWS - 1 => "+1",
                0 => " 0",
                row if row == -ROWS => "-1",
                _ => "  ",
            };
            let cell = |&half: &i64| match row {
                0.. => [" ", "▄", "█"][(half - 2 * row).clamp(0, 2) as usize],
                _ => [" ", "▀", "█"][(-half - 2 * (-1 - row)).clamp(0, 2) as usize],
            };
            let bars: String = halves.iter().map(cell).collect();
            text += format!("  {name} │{bars}").trim_end();
            text.push('\n');
        }
        text
    }

    fn parts(&self) -> Vec<Vec<String>> {
        let lang = self.lang;
        let part = |n: usize| {
            let part = &self.players[n];
            let share = part.accuracy.map_or("-".to_owned(), |share| format!("{:.0} %", 100.0 * share));
            let lost = part
                .lost_per_choice()
                .map_or("-".to_owned(), |lost| format!("{:.3}", lost as f64 / GAME as f64));
            vec![
                fitted(&part.name, 30),
                say!(
                    lang,
                    if part.choices == 1 { "review.one_choice" } else { "review.choices" },
                    n = grouped(u64::from(part.choices))
                ),
                say!(lang, "review.accurate", share = share),
                say!(lang, "review.lost", lost = lost),
            ]
        };
        vec![part(self.side), part(1 - self.side)]
    }

    fn mistake_list(&self) -> String {
        let (lang, mistakes) = (self.lang, self.mistakes());
        if mistakes.is_empty() {
            return format!("\n{}\n", say!(lang, "review.no_mistake", cost = cost(MISTAKE)));
        }
        let row = |step: &&Step| {
            vec![
                say!(lang, "review.ply", n = step.ply),
                self.name(step),
                step.played.clone(),
                say!(lang, "review.cost", cost = cost(step.mistake)),
            ]
        };
        let rows = mistakes.iter().take(MISTAKES).map(row).collect();
        let rows = section(&say!(lang, "review.mistakes", cost = cost(MISTAKE)), rows, &[0]);
        // Below its row, what was wrong with each, and then what was better. The first line of a section is empty, the second its title.
        let (title, rows) =
            rows.split_at(rows.match_indices('\n').nth(1).map_or(rows.len(), |(at, _)| at + 1));
        let mut text = title.to_owned();
        for (row, step) in rows.lines().zip(&mistakes) {
            let line = step.line.iter().take(LINE).cloned().collect::<Vec<_>>().join(" ");
            let why = step.why(lang).unwrap_or_default();
            let said = say!(lang, "review.better", why = why, line = line);
            text += &format!("{row}\n");
            for line in wrapped(said.trim(), WIDTH - 6).lines() {
                text += &format!("      {line}\n");
            }
        }
        if mistakes.len() > MISTAKES {
            text += &format!("  {}\n", say!(lang, "review.more", n = mistakes.len() - MISTAKES));
        }
        text
    }

    fn flip(&self, step: &Step) -> Vec<String> {
        let (lang, mean) = (self.lang, signed(step.after - step.luck));
        vec![
            say!(lang, "review.ply", n = step.ply),
            self.name(step),
            brought(lang, &step.played),
            signed(step.luck),
            say!(lang, "review.worth", value = signed(step.after), mean = mean),
        ]
    }

    fn turn_list(&self) -> String {
        let lang = self.lang;
        let row = |Swing { step, why }: &Swing<'_>| {
            vec![
                say!(lang, "review.ply", n = step.ply),
                say!(lang, "review.change", before = signed(step.before), after = signed(step.after)),
                step.played.clone(),
                self.reason(step, *why),
            ]
        };
        let (turns, swings) = (self.turns(), self.swings());
        if !turns.is_empty() {
            section(lang.text("review.turns"), turns.iter().map(row).collect(), &[0, 1])
        } else if !swings.is_empty() {
            let title = if self.sums.forfeit == 0 { "review.swings_only" } else { "review.swings" };
            section(lang.text(title), swings.iter().map(row).collect(), &[0, 1])
        } else {
            String::new()
        }
    }

    /// Why a game turned, in words.
    pub(super) fn reason(&self, step: &Step, why: Why) -> String {
        let name = self.name(step);
        match why {
            Why::Luck => say!(self.lang, "review.why.luck", name = name),
            Why::Mistake => say!(self.lang, "review.why.mistake", name = name),
            Why::Correction => self.lang.text("review.why.correction").to_owned(),
        }
    }

    fn name(&self, step: &Step) -> String {
        fitted(&self.players[step.player].name, NAME)
    }
}

/// `c3: red king`; for games without flips, the event as it is.
pub(super) fn brought(lang: Lang, event: &str) -> String {
    match event.parse() {
        Ok(Event::Flip { at, piece }) => {
            let piece = lang.say(&format!("piece.{piece}"), &[]);
            say!(lang, "review.brought", at = at, piece = piece)
        }
        _ => event.to_owned(),
    }
}

/// A heading and rows in columns, those that are named to the right.
fn section(title: &str, rows: Vec<Vec<String>>, right: &[usize]) -> String {
    let mut widths: Vec<usize> = Vec::new();
    for row in &rows {
        widths.resize(widths.len().max(row.len()), 0);
        for (width, cell) in widths.iter_mut().zip(row) {
            *width = columns(cell).max(*width);
        }
    }
    let mut text = format!("\n{title}\n");
    for row in rows {
        let mut line = String::new();
        for (n, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let room = " ".repeat(width - columns(cell));
            line += &if right.contains(&n) { format!("  {room}{cell}") } else { format!("  {cell}{room}") };
        }
        text += &fitted(line.trim_end(), WIDTH);
        text.push('\n');
    }
    text
}

/// A line in lines of this width; those after the first are indented more.
fn hung(line: &str, width: usize) -> String {
    if columns(line) <= width {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start().len();
    let rest = " ".repeat(indent + 2);
    let text = wrapped(line.trim(), width.saturating_sub(indent + 2));
    format!("{}{}", " ".repeat(indent), text.replace('\n', &format!("\n{rest}")))
}
