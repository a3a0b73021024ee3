//! Which plots a report has, and what they show.

use super::census::{Census, ROUNDS, Score, Spent};
use super::plot::{Axis, Mark, Plot, Tone};
use super::{Report, ranking};

/// A plot with its heading and a line below it.
pub(super) struct Chart {
    pub(super) id: &'static str,
    pub(super) title: &'static str,
    pub(super) svg: String,
    pub(super) caption: String,
}

/// The height of a plot that does not grow with its data.
const HEIGHT: f64 = 170.0;
/// More points than this on one line cannot be seen.
const POINTS: usize = 300;

/// All that the data allow, in the order of the page.
pub(super) fn charts(report: &Report, census: &Census) -> Vec<Chart> {
    let all = [score, rounds, llr, lengths, reasons, times];
    all.iter().filter_map(|chart| chart(report, census)).collect()
}

fn score(report: &Report, census: &Census) -> Option<Chart> {
    let (games, course): (Vec<u64>, Vec<_>) = census.course().map(|(n, score)| (n, interval(score))).unzip();
    let [player, other] = report.players.as_slice() else { return None };
    let &(last, low, high) = course.last().filter(|_| course.len() > 1)?;
    let points: Vec<(f64, (f64, f64, f64))> =
        thinned(course.len()).into_iter().map(|i| (games[i] as f64, course[i])).collect();
    // The first games swing from end to end; the axis follows what comes after them.
    let settled = &course[games.iter().position(|&n| n >= 10).unwrap_or(course.len() - 1)..];
    let least = settled.iter().map(|c| c.0).chain([low, 50.0]).fold(100.0, f64::min);
    let most = settled.iter().map(|c| c.0).chain([high, 50.0]).fold(0.0, f64::max);
    let y = Axis::numbers("score, %", (least - 5.0).max(0.0), (most + 5.0).min(100.0));
    let inside = |v: f64| v.clamp(y.range.0, y.range.1);
    let marks = vec![
        Mark::Level { y: 50.0, text: String::new(), tone: Tone::Muted },
        Mark::Band {
            points: points.iter().map(|&(x, (_, low, high))| (x, inside(low), inside(high))).collect(),
            tone: Tone::Series(0),
        },
        Mark::Line {
            points: points.iter().map(|&(x, (mean, ..))| (x, inside(mean))).collect(),
            tone: Tone::Series(0),
        },
    ];
    let caption = format!(
        "{player} against {other}: {last:.1} %, between {low:.1} and {high:.1} (95 %, single games)."
    );
    let played = games[games.len() - 1] as f64;
    let x = Axis::numbers("games", 1.0, played).exactly(1.0, played);
    let plot = Plot { label: caption.clone(), x, y, marks, legend: Vec::new(), height: HEIGHT };
    Some(Chart { id: "score", title: "Score over time", svg: plot.svg(), caption })
}

/// A score in per cent, with the ends of its 95 % interval.
///
/// The interval is the normal one of single games after two more wins and two more losses, so that it does not vanish
/// while all results are the same: Agresti and Coull (1998), "Approximate is better than exact for interval estimation
/// of binomial proportions", section 3, here with draws.
fn interval(score: Score) -> (f64, f64, f64) {
    let games = score.games() as f64;
    let squares = score.wins as f64 + score.draws as f64 / 4.0;
    let n = games + 4.0;
    let center = (score.points() + 2.0) / n;
    let half = 1.96 * (((squares + 2.0) / n - center * center) / n).sqrt();
    let percent = |share: f64| 100.0 * share.clamp(0.0, 1.0);
    (percent(score.points() / games), percent(center - half), percent(center + half))
}

fn rounds(report: &Report, census: &Census) -> Option<Chart> {
    if report.players.len() < 3 {
        return None;
    }
    let lines: Vec<Vec<f64>> =
        (0..report.players.len()).map(|player| census.by_round(player)).collect::<Option<_>>()?;
    let order = ranking::order(report);
    let last = (lines[0].len() - 1) as f64;
    let line =
        |player: usize| lines[player].iter().enumerate().map(|(round, &p)| (round as f64, p)).collect();
    let shown = &order[..order.len().min(Tone::SERIES)];
    let rest =
        order[shown.len()..].iter().map(|&player| Mark::Line { points: line(player), tone: Tone::Muted });
    // The leader is drawn last, above the others.
    let best =
        shown.iter().enumerate().rev().map(|(i, &p)| Mark::Line { points: line(p), tone: Tone::Series(i) });
    let marks: Vec<Mark> = rest.chain(best).collect();
    let most = lines.iter().flatten().fold(1.0, |a: f64, &b| a.max(b));
    let mut legend: Vec<(String, Tone)> =
        shown.iter().enumerate().map(|(i, &p)| (report.players[p].clone(), Tone::Series(i))).collect();
    if order.len() > shown.len() {
        legend.push(("the others".to_owned(), Tone::Muted));
    }
    let plot = Plot {
        label: format!("Points of {} players after each of {last} rounds", order.len()),
        x: Axis::numbers("round", 0.0, last).exactly(0.0, last),
        y: Axis::numbers("points", 0.0, most),
        marks,
        legend,
        height: HEIGHT,
    };
    let mut caption = "Points from the games in this report; byes are not counted.".to_owned();
    if census.last_round() as usize > ROUNDS {
        caption += &format!(" The first {ROUNDS} of {} rounds.", census.last_round());
    }
    Some(Chart { id: "rounds", title: "Points by round", svg: plot.svg(), caption })
}

fn llr(report: &Report, _: &Census) -> Option<Chart> {
    let sprt = report.sprt.as_ref()?;
    let &(pairs, last) = sprt.points.last()?;
    let all: Vec<f64> = sprt.points.iter().map(|p| p.1).chain([sprt.lower, sprt.upper]).collect();
    let (low, high) = all.iter().fold((0.0, 0.0), |(a, b): (f64, f64), &v| (a.min(v), b.max(v)));
    let room = (high - low) * 0.06;
    let points = thinned(sprt.points.len()).into_iter().map(|i| sprt.points[i]);
    let marks = vec![
        Mark::Level {
            y: sprt.upper,
            text: format!("passes at {}", minus(sprt.upper)),
            tone: Tone::Series(2),
        },
        Mark::Level { y: sprt.lower, text: format!("fails at {}", minus(sprt.lower)), tone: Tone::Warning },
        Mark::Line { points: points.map(|(n, v)| (n as f64, v)).collect(), tone: Tone::Series(0) },
    ];
    let verdict = match last {
        v if v >= sprt.upper => "Passed",
        v if v <= sprt.lower => "Failed",
        _ => "Undecided",
    };
    let (lower, upper) = (minus(sprt.lower), minus(sprt.upper));
    let caption = format!("{verdict} at {} after {pairs} pairs; bounds {lower} and {upper}.", minus(last));
    let plot = Plot {
        label: format!("Log-likelihood ratio: {caption}"),
        x: Axis::numbers("pairs", 0.0, pairs as f64).exactly(0.0, (pairs as f64).max(1.0)),
        y: Axis::numbers("LLR", low - room, high + room),
        marks,
        legend: Vec::new(),
        height: HEIGHT,
    };
    Some(Chart { id: "llr", title: "Sequential test", svg: plot.svg(), caption })
}

fn lengths(_: &Report, census: &Census) -> Option<Chart> {
    let (shortest, _) = census.lengths().next()?;
    let (longest, _) = census.lengths().next_back()?;
    let bin = bin_of(longest.div_ceil(24));
    let mut counts = vec![0_u64; longest / bin + 1];
    let (mut games, mut plies) = (0, 0);
    for (length, n) in census.lengths() {
        counts[length / bin] += n;
        games += n;
        plies += length as u64 * n;
    }
    let mut shorter = 0;
    let median = census.lengths().find(|(_, n)| {
        shorter += n;
        shorter > games / 2
    });
    let bar = |(i, &n): (usize, &u64)| {
        let (low, high) = (i * bin, (i + 1) * bin);
        let gap = bin as f64 * 0.06;
        let note =
            if bin == 1 { format!("{low} plies: {n}") } else { format!("{low}–{} plies: {n}", high - 1) };
        Mark::Bar {
            from: (low as f64 + gap, 0.0),
            to: (high as f64 - gap, n as f64),
            tone: Tone::Series(0),
            note,
        }
    };
    let marks = counts.iter().enumerate().filter(|(_, n)| **n > 0).map(bar).collect();
    let caption = format!(
        "{games} games of {shortest} to {longest} plies, median {}, mean {:.1}; bars of {bin}.",
        median?.0,
        plies as f64 / games as f64
    );
    let end = (counts.len() * bin) as f64;
    let plot = Plot {
        label: format!("Lengths: {caption}"),
        x: Axis::numbers("plies", 0.0, end).exactly(0.0, end),
        y: Axis::numbers("games", 0.0, (counts.iter().copied().max().unwrap_or(1) as f64).max(5.0)),
        marks,
        legend: Vec::new(),
        height: HEIGHT,
    };
    Some(Chart { id: "lengths", title: "Game lengths", svg: plot.svg(), caption })
}

fn reasons(_: &Report, census: &Census) -> Option<Chart> {
    let list = census.reasons();
    let most = list.first()?.1 as f64;
    let share = |n: u64| format!("{n} ({:.1} %)", 100.0 * n as f64 / census.games() as f64);
    let mut marks = Vec::new();
    for (i, &(reason, n, forfeit)) in list.iter().enumerate() {
        let tone = if forfeit { Tone::Warning } else { Tone::Series(0) };
        let row = i as f64;
        marks.push(Mark::Bar {
            from: (0.0, row + 0.2),
            to: (n as f64, row + 0.8),
            tone,
            note: format!("{reason}: {}", share(n)),
        });
        let mark = if forfeit { "⚠ " } else { "" };
        marks.push(Mark::Label { at: (n as f64, row + 0.5), text: format!("{mark}{}", share(n)) });
    }
    let told: Vec<String> = list.iter().map(|&(reason, n, _)| format!("{reason} {}", share(n))).collect();
    let forfeits: u64 = list.iter().filter(|r| r.2).map(|r| r.1).sum();
    let names: Vec<&str> = list.iter().map(|r| r.0).collect();
    let plot = Plot {
        label: format!("How games ended: {}", told.join(", ")),
        // Room for the words behind the longest bar.
        x: Axis::numbers("games", 0.0, most * 1.5).exactly(0.0, most * 1.5),
        y: Axis::names(&names),
        marks,
        legend: Vec::new(),
        height: (list.len() as f64 * 24.0).max(48.0),
    };
    let caption = match forfeits {
        0 => "No forfeits.".to_owned(),
        n => format!("⚠ Forfeits, off the board: {}.", share(n)),
    };
    Some(Chart { id: "reasons", title: "How games ended", svg: plot.svg(), caption })
}

fn times(report: &Report, census: &Census) -> Option<Chart> {
    let mean = |bins: &[Spent]| bins.iter().copied().sum::<Spent>().mean();
    let bin = bin_of(census.longest_timed().div_ceil(50).max(2));
    let mut lines: Vec<(usize, Vec<Spent>)> =
        ranking::order(report).into_iter().map(|player| (player, census.times(player, bin))).collect();
    lines.retain(|(_, bins)| !bins.is_empty());
    if lines.is_empty() {
        return None;
    }
    let means: Vec<String> =
        lines.iter().map(|(p, bins)| format!("{} {:.2} s", report.players[*p], mean(bins))).collect();
    let plot = if lines.len() <= Tone::SERIES {
        // A few long games would make the tail jump: bins with hardly any plies are not drawn.
        let most = lines.iter().flat_map(|(_, bins)| bins).map(|b| b.plies).max().unwrap_or(0);
        let drawn = |n: u64| n > 0 && n >= most / 50;
        let mut marks = Vec::new();
        let mut end: f64 = 1.0;
        let mut top: f64 = 0.001;
        for (i, (_, bins)) in lines.iter().enumerate() {
            let middle = |k: usize| (k as f64 + 0.5) * bin as f64;
            let points: Vec<(f64, f64)> = (0..bins.len())
                .filter(|&k| drawn(bins[k].plies))
                .map(|k| (middle(k), bins[k].mean()))
                .collect();
            end = points.iter().fold(end, |a, p| a.max(p.0));
            top = points.iter().fold(top, |a, p| a.max(p.1));
            marks.push(Mark::Line { points, tone: Tone::Series(i) });
        }
        Plot {
            label: format!("Mean seconds per ply by ply number: {}", means.join(", ")),
            x: Axis::numbers("ply", 0.0, end).exactly(0.0, end),
            y: Axis::numbers("seconds per ply", 0.0, top),
            marks,
            legend: lines
                .iter()
                .enumerate()
                .map(|(i, (p, _))| (report.players[*p].clone(), Tone::Series(i)))
                .collect(),
            height: HEIGHT,
        }
    } else {
        let bar = |i: usize| Mark::Bar {
            from: (0.0, i as f64 + 0.2),
            to: (mean(&lines[i].1), i as f64 + 0.8),
            tone: Tone::Series(0),
            note: means[i].clone(),
        };
        let names: Vec<&str> = lines.iter().map(|(p, _)| report.players[*p].as_str()).collect();
        let most = lines.iter().map(|(_, bins)| mean(bins)).fold(0.001, f64::max);
        Plot {
            label: format!("Mean seconds per ply: {}", means.join(", ")),
            x: Axis::numbers("seconds per ply", 0.0, most),
            y: Axis::names(&names),
            marks: (0..lines.len()).map(bar).collect(),
            legend: Vec::new(),
            height: lines.len() as f64 * 15.0,
        }
    };
    let caption = match lines.len() {
        1..=Tone::SERIES => format!("Mean: {}; bins of {bin} plies.", means.join(", ")),
        n => format!("Mean over all plies with a time, {n} players."),
    };
    Some(Chart { id: "times", title: "Time use", svg: plot.svg(), caption })
}

/// Indices of at most [`POINTS`] points of a line, its last one among them.
fn thinned(n: usize) -> Vec<usize> {
    let step = n.div_ceil(POINTS).max(1);
    (0..n).filter(|i| (n - 1 - i).is_multiple_of(step)).collect()
}

/// The smallest of 1, 2 and 5 times a power of ten that is not below `least`.
fn bin_of(least: usize) -> usize {
    let mut power = 1;
    loop {
        if let Some(bin) = [1, 2, 5].map(|m| m * power).into_iter().find(|&bin| bin >= least) {
            return bin;
        }
        power *= 10;
    }
}

/// Two decimals and a real minus sign.
fn minus(value: f64) -> String {
    format!("{value:.2}").replace('-', "−")
}
