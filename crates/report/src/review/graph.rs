//! The course of a game as a plot: the value after every ply, and what luck and mistakes did at each.

use anglerfish_engine::luck::{GAME, Millionths};

use super::{MISTAKE, Review, Step, signed};
use crate::plot::{Axis, Mark, Plot, Tone};
use crate::say;
use crate::text::shortened;

const VALUE: Tone = Tone::Series(0);
const LUCK: Tone = Tone::Series(2);

impl Review {
    /// The course of the game: a line for the value, and bars from even for luck and mistakes that are worth telling of.
    pub fn plot(&self) -> Plot {
        let (lang, [own, other]) = (self.lang, self.sides());
        let mut marks = vec![Mark::Line { points: vec![(0.0, 0.0), (self.last(), 0.0)], tone: Tone::Muted }];
        for step in &self.plies {
            marks.extend(self.bars(step));
        }
        let mut points: Vec<(f64, f64)> =
            self.values().map(|(ply, value)| (ply as f64, games(value))).collect();
        // After a forfeit: the rest of the way to the result.
        if self.sums.forfeit != 0 {
            points.push((self.length() as f64, games(self.sums.result)));
        }
        if points.len() < 2 {
            points.push((self.last(), games(self.sums.result)));
        }
        marks.push(Mark::Line { points, tone: VALUE });
        let mut y = Axis::numbers(&say!(lang, "plot.value", name = shortened(own, 30.0)), -1.0, 1.0);
        y.ticks = [-1.0, -0.5, 0.0, 0.5, 1.0].map(|value| (value, ticked(value))).to_vec();
        Plot {
            label: say!(
                lang,
                "plot.label",
                own = own,
                other = other,
                n = self.length(),
                start = signed(self.sums.start),
                end = signed(self.sums.result)
            ),
            x: Axis::numbers(lang.text("plot.ply"), 0.0, self.last()).exactly(0.0, self.last()),
            y,
            marks,
            legend: vec![
                (lang.text("plot.legend.value").to_owned(), VALUE),
                (lang.text("plot.legend.luck").to_owned(), LUCK),
                (lang.text("plot.legend.mistakes").to_owned(), Tone::Warning),
            ],
            height: 150.0,
        }
    }

    /// The right end of the plot.
    pub(super) fn last(&self) -> f64 {
        self.length().max(1) as f64
    }

    /// What luck and a mistake did, side by side below the ply.
    fn bars(&self, step: &Step) -> Vec<Mark> {
        let cost = if step.player == self.side { -step.mistake } else { step.mistake };
        let bar = |value: Millionths, left: f64, tone: Tone, what: &str| Mark::Bar {
            from: (step.ply as f64 - 0.45 + left, 0.0),
            to: (step.ply as f64 + left, games(value)),
            tone,
            note: say!(self.lang, what, n = step.ply, played = step.played, value = signed(value)),
        };
        let mut bars = Vec::new();
        if step.luck.abs() >= MISTAKE {
            bars.push(bar(step.luck, 0.0, LUCK, "plot.luck"));
        }
        if step.mistake >= MISTAKE {
            bars.push(bar(cost, 0.45, Tone::Warning, "plot.mistake"));
        }
        bars
    }
}

fn games(value: Millionths) -> f64 {
    value as f64 / GAME as f64
}

fn ticked(value: f64) -> String {
    if value == 0.0 { "0".to_owned() } else { format!("{value:+.1}").replace('-', "−") }
}
