//! Small plots as SVG text: axes with ticks, and lines, bands, bars, whiskers and levels in data units.
//!
//! A plot is drawn about as wide as a phone, so that its letters stay readable there; pages set several side by side. Colors are
//! the CSS variables of the page with fallbacks, so a plot also stands alone. Deliberately absent: anything that
//! moves, and second axes.

use serde::{Deserialize, Serialize};

use super::text::{escape, shortened, width};

/// What a mark is colored by.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum Tone {
    /// The n-th of several equal things; there are [`Tone::SERIES`] colors, then they come again.
    Series(usize),
    /// Background: reference lines, the rest of the field.
    Muted,
    /// Something that should not have happened.
    Warning,
}

impl Tone {
    /// How many series can be told apart.
    pub const SERIES: usize = 6;

    fn css(self) -> String {
        // Okabe and Ito's colors, in an order whose lightness differs from one to the next.
        const FALLBACK: [&str; Tone::SERIES] =
            ["#0b62a4", "#b4540a", "#14795a", "#a0407f", "#6a5a00", "#3a7ca5"];
        match self {
            Tone::Series(n) => {
                let n = n % Tone::SERIES;
                format!("var(--s{n},{})", FALLBACK[n])
            }
            Tone::Muted => "var(--muted,#767676)".to_owned(),
            Tone::Warning => "var(--warn,#c1121f)".to_owned(),
        }
    }

    /// Lines also differ by their dashes, for those who do not see the colors.
    fn dashes(self) -> &'static str {
        const DASHES: [&str; Tone::SERIES] = ["none", "6 2", "2 2", "8 2 2 2", "4 4", "1 3"];
        match self {
            Tone::Series(n) => DASHES[n % Tone::SERIES],
            Tone::Muted | Tone::Warning => "none",
        }
    }
}

/// Something drawn, in data units.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Mark {
    /// A line through points, left to right.
    Line {
        /// x and y.
        points: Vec<(f64, f64)>,
        /// Color and dashes.
        tone: Tone,
    },
    /// The area between two lines.
    Band {
        /// x, lower y and upper y.
        points: Vec<(f64, f64, f64)>,
        /// Color.
        tone: Tone,
    },
    /// A rectangle.
    Bar {
        /// One corner.
        from: (f64, f64),
        /// The opposite corner.
        to: (f64, f64),
        /// Color.
        tone: Tone,
        /// What it says when pointed at.
        note: String,
    },
    /// An estimate with its error bar, lying.
    Whisker {
        /// Its height on the y axis.
        y: f64,
        /// Left end, estimate, right end.
        range: (f64, f64, f64),
        /// Color.
        tone: Tone,
        /// What it says when pointed at.
        note: String,
    },
    /// A dashed line across the whole plot.
    Level {
        /// Where it crosses the y axis.
        y: f64,
        /// A word above it.
        text: String,
        /// Color.
        tone: Tone,
    },
    /// A word to the right of a point.
    Label {
        /// The point.
        at: (f64, f64),
        /// The word.
        text: String,
    },
}

/// One of the two directions.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Axis {
    /// What is measured; may be empty.
    pub name: String,
    /// The values at the left or bottom end and at the right or top end.
    pub range: (f64, f64),
    /// Values with their texts.
    pub ticks: Vec<(f64, String)>,
}

impl Axis {
    /// An axis of numbers that reaches from `low` to `high` or a little further, to round numbers.
    pub fn numbers(name: &str, low: f64, high: f64) -> Axis {
        let step = round_step((high - low) / 5.0);
        let (first, last) = ((low / step).floor(), (high / step).ceil());
        let last = if last > first { last } else { first + 1.0 };
        // There are seven at most; the limit is for ends that are not numbers.
        let ticks = (0..12).map(|i| first + f64::from(i)).take_while(|&i| i <= last).map(|i| i * step);
        let ticks = ticks.map(|v| (v, number(v, step))).collect();
        Axis { name: name.to_owned(), range: (first * step, last * step), ticks }
    }

    /// The same axis cut at `low` and `high` instead of round numbers.
    #[must_use]
    pub fn exactly(mut self, low: f64, high: f64) -> Axis {
        self.range = (low, high);
        self.ticks.retain(|(v, _)| (low..=high).contains(v));
        self
    }

    /// An axis of names, the first on top. Name `i` lies from `i` to `i + 1`.
    pub fn names<S: AsRef<str>>(names: &[S]) -> Axis {
        let ticks = names.iter().enumerate().map(|(i, n)| (i as f64 + 0.5, shortened(n.as_ref(), 18.0)));
        Axis { name: String::new(), range: (names.len() as f64, 0.0), ticks: ticks.collect() }
    }

    fn share(&self, value: f64) -> f64 {
        ((value - self.range.0) / (self.range.1 - self.range.0)).clamp(-0.02, 1.02)
    }
}

/// A picture with two axes.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Plot {
    /// What a reader who cannot see it should know.
    pub label: String,
    /// To the right.
    pub x: Axis,
    /// Upwards.
    pub y: Axis,
    /// Drawn in this order.
    pub marks: Vec<Mark>,
    /// Names of the tones, drawn on top if there are any.
    pub legend: Vec<(String, Tone)>,
    /// Height of the field of the marks; [`Plot::WIDTH`] is the width of everything.
    pub height: f64,
}

/// Where things are on the picture.
struct Frame<'a> {
    plot: &'a Plot,
    left: f64,
    top: f64,
    width: f64,
}

impl Plot {
    /// Units from edge to edge, about a CSS pixel each on a phone.
    pub const WIDTH: f64 = 360.0;

    /// The picture.
    pub fn svg(&self) -> String {
        // Step 1. How much room the words need.
        let (legend, _) = self.legend();
        let frame = self.frame();
        let height = frame.top + self.height + 18.0 + named(&self.x);

        // Step 2. Axes, then marks above them.
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {} {height:.0}\" role=\"img\" \
             aria-label=\"{}\" font-size=\"11\" font-family=\"system-ui,sans-serif\">{legend}",
            Plot::WIDTH,
            escape(&self.label)
        );
        svg += &frame.axes(height);
        for mark in &self.marks {
            svg += &frame.mark(mark);
        }
        svg + "</svg>"
    }

    /// Where the field of the marks lies on the picture: its left, its top, its width and its height.
    pub fn field(&self) -> [f64; 4] {
        let Frame { left, top, width, .. } = self.frame();
        [left, top, width, self.height]
    }

    fn frame(&self) -> Frame<'_> {
        let longest = self.y.ticks.iter().map(|(_, text)| width(text)).fold(1.0, f64::max);
        let left = longest * 6.2 + 10.0;
        let top = self.legend().1 + 8.0 + named(&self.y);
        Frame { plot: self, left, top, width: Plot::WIDTH - left - 10.0 }
    }

    fn legend(&self) -> (String, f64) {
        let (mut svg, mut x, mut y) = (String::new(), 4.0, 12.0);
        for (name, tone) in &self.legend {
            let name = shortened(name, 24.0);
            let wide = 24.0 + width(&name) * 6.2 + 12.0;
            if x > 4.0 && x + wide > Plot::WIDTH {
                (x, y) = (4.0, y + 15.0);
            }
            svg += &format!(
                "<path d=\"M{x:.1} {:.1}h18\" style=\"stroke:{};stroke-width:2.5;stroke-dasharray:{}\"/>\
                 <text x=\"{:.1}\" y=\"{y:.1}\" style=\"fill:var(--fg,#222)\">{}</text>",
                y - 4.0,
                tone.css(),
                tone.dashes(),
                x + 23.0,
                escape(&name)
            );
            x += wide;
        }
        (svg, if self.legend.is_empty() { 0.0 } else { y + 8.0 })
    }
}

/// The room for the name of an axis.
fn named(axis: &Axis) -> f64 {
    if axis.name.is_empty() { 0.0 } else { 14.0 }
}

impl Frame<'_> {
    fn x(&self, value: f64) -> f64 {
        self.left + self.plot.x.share(value) * self.width
    }

    fn y(&self, value: f64) -> f64 {
        self.top + (1.0 - self.plot.y.share(value)) * self.plot.height
    }

    fn axes(&self, height: f64) -> String {
        let Plot { x, y, height: field, .. } = self.plot;
        let (right, bottom) = (self.left + self.width, self.top + field);
        let mut svg = String::from("<g style=\"fill:var(--muted,#666)\" stroke=\"none\">");
        for (value, text) in &y.ticks {
            let at = self.y(*value);
            // Lines to compare heights by; names have none to compare.
            if y.range.0 < y.range.1 {
                let line = "style=\"stroke:var(--line,#ddd)\"";
                svg += &format!("<path d=\"M{:.1} {at:.1}H{right:.1}\" {line}/>", self.left);
            }
            svg += &format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                self.left - 5.0,
                at + 4.0,
                escape(text)
            );
        }
        // Texts that would run into the one before them are left out.
        let mut free = f64::NEG_INFINITY;
        for (value, text) in &x.ticks {
            let (at, half) = (self.x(*value), width(text) * 3.5);
            svg += &format!("<path d=\"M{at:.1} {bottom:.1}v4\" style=\"stroke:var(--muted,#666)\"/>");
            if at - half >= free {
                let at = at.min(Plot::WIDTH - half);
                svg += &format!(
                    "<text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                    bottom + 15.0,
                    escape(text)
                );
                free = at + half + 4.0;
            }
        }
        if !y.name.is_empty() {
            let at = self.top - 10.0;
            svg += &format!("<text x=\"2\" y=\"{at:.1}\">{}</text>", escape(&y.name));
        }
        if !x.name.is_empty() {
            let at = height - 3.0;
            svg += &format!(
                "<text x=\"{right:.1}\" y=\"{at:.1}\" text-anchor=\"end\">{}</text>",
                escape(&x.name)
            );
        }
        svg + &format!(
            "<path d=\"M{:.1} {:.1}V{bottom:.1}H{right:.1}\" style=\"fill:none;stroke:var(--muted,#666)\"/></g>",
            self.left, self.top
        )
    }

    fn mark(&self, mark: &Mark) -> String {
        let point = |(x, y): (f64, f64)| format!("{:.1} {:.1}", self.x(x), self.y(y));
        let path = |points: Vec<String>| points.join("L");
        match mark {
            Mark::Line { points, tone } => format!(
                "<path d=\"M{}\" style=\"fill:none;stroke:{};stroke-dasharray:{};{}\"/>",
                path(points.iter().map(|&p| point(p)).collect()),
                tone.css(),
                tone.dashes(),
                if *tone == Tone::Muted { "opacity:.4" } else { "stroke-width:1.6" }
            ),
            Mark::Band { points, tone } => {
                let above = points.iter().map(|&(x, _, high)| point((x, high)));
                let below = points.iter().rev().map(|&(x, low, _)| point((x, low)));
                let around = path(above.chain(below).collect());
                format!("<path d=\"M{around}Z\" style=\"fill:{};opacity:.16\"/>", tone.css())
            }
            Mark::Bar { from, to, tone, note } => {
                let (x, y) = (self.x(from.0).min(self.x(to.0)), self.y(from.1).min(self.y(to.1)));
                let (w, h) = ((self.x(from.0) - self.x(to.0)).abs(), (self.y(from.1) - self.y(to.1)).abs());
                format!(
                    "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{w:.1}\" height=\"{h:.1}\" style=\"fill:{}\">\
                     <title>{}</title></rect>",
                    tone.css(),
                    escape(note)
                )
            }
            Mark::Whisker { y, range: (low, mid, high), tone, note } => {
                whisker([self.x(*low), self.x(*mid), self.x(*high)], self.y(*y), *tone, note)
            }
            Mark::Level { y, text, tone } => {
                let (at, right) = (self.y(*y), self.left + self.width);
                format!(
                    "<path d=\"M{:.1} {at:.1}H{right:.1}\" style=\"stroke:{};stroke-dasharray:5 3\"/>\
                     <text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:{}\">{}</text>",
                    self.left,
                    tone.css(),
                    self.left + 5.0,
                    at - 4.0,
                    tone.css(),
                    escape(text)
                )
            }
            Mark::Label { at, text } => format!(
                "<text x=\"{:.1}\" y=\"{:.1}\" style=\"fill:var(--fg,#222)\">{}</text>",
                self.x(at.0) + 4.0,
                self.y(at.1) + 4.0,
                escape(text)
            ),
        }
    }
}

/// One error bar without axes, for a cell of a table: all cells of a column share `axis`.
pub fn strip(axis: &Axis, range: (f64, f64, f64), tone: Tone, note: &str) -> String {
    let at = |value: f64| 4.0 + axis.share(value) * 122.0;
    let zero = if axis.range.0 < 0.0 && axis.range.1 > 0.0 {
        format!(
            "<path d=\"M{:.1} 0V18\" style=\"stroke:var(--muted,#767676);stroke-dasharray:2 2\"/>",
            at(0.0)
        )
    } else {
        String::new()
    };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"strip\" width=\"130\" height=\"18\" viewBox=\"0 0 130 18\" \
         role=\"img\" aria-label=\"{}\">{zero}{}</svg>",
        escape(note),
        whisker([at(range.0), at(range.1), at(range.2)], 9.0, tone, note)
    )
}

fn whisker([low, mid, high]: [f64; 3], y: f64, tone: Tone, note: &str) -> String {
    format!(
        "<g style=\"stroke:{0};stroke-width:1.5;fill:{0}\"><title>{1}</title>\
         <path d=\"M{low:.1} {y:.1}H{high:.1}M{low:.1} {2:.1}v8M{high:.1} {2:.1}v8\"/>\
         <circle cx=\"{mid:.1}\" cy=\"{y:.1}\" r=\"3\"/></g>",
        tone.css(),
        escape(note),
        y - 4.0
    )
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn round_step(least: f64) -> f64 {
    let mut power = 1e-6;
    while power < 1e12 {
        if let Some(step) = [1.0, 2.0, 5.0].map(|m| m * power).into_iter().find(|&s| s >= least * 0.999) {
            return step;
        }
        power *= 10.0;
    }
    power
}

/// A number with as many decimals as its step needs.
fn number(value: f64, step: f64) -> String {
    let decimals = [1.0, 0.1, 0.01, 0.001].into_iter().position(|unit| step >= unit * 0.999).unwrap_or(4);
    let text = format!("{value:.decimals$}");
    if value.abs() < step / 2.0 { text.replace('-', "") } else { text.replace('-', "−") }
}
