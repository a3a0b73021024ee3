//! Recognizes an unknown `P_i` from its moves: the posterior over `P_0` to `P_6` after each game.
//!
//! The unknown player plays a random mover, which shows it all kinds of positions; it moves first in the
//! first game, second in the next, and so on. The evidence of a game is the likelihood of its moves under
//! each `P_i`. Games with equal evidence are merged into some hundred kinds, so the first games are exact and
//! only later ones are sampled, from the same kinds.

use std::collections::BTreeMap;

use anglerfish_engine::papers::semirandom::{Fallback, SemiRandom, after};
use anglerfish_engine::search::chooser::Chooser;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Row, Table};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Rng, Seat};

use crate::experiment::read_unit;
use crate::stats::{interval, plus_minus};
use crate::{Check, Findings, LabError, Manifest, Results};

/// One number for each of `P_0` to `P_6`.
type Each = [f64; 7];

/// The evidence of games: posteriors from an even prior, each with a mass. The probability of a kind of game,
/// if `P_i` plays it, is its mass times its posterior of `P_i`.
#[derive(Clone, Default)]
struct Evidence(BTreeMap<[u64; 7], (Each, f64)>);

impl Evidence {
    /// No games.
    fn nothing() -> Evidence {
        let mut evidence = Evidence::default();
        evidence.add([1.0; 7], 1.0);
        evidence
    }

    /// Adds games in which the players have these likelihoods.
    fn add(&mut self, likelihoods: Each, mass: f64) {
        let sum: f64 = likelihoods.iter().sum();
        if sum > 0.0 {
            let posterior = likelihoods.map(|l| l / sum);
            // Equality ignores the last bits.
            let key = posterior.map(|p| (p * 1e12).round() as u64);
            self.0.entry(key).or_insert((posterior, 0.0)).1 += mass * sum;
        }
    }

    /// The evidence of both games in sequence.
    fn then(&self, next: &Evidence) -> Evidence {
        let mut both = Evidence::default();
        for (a, mass) in self.0.values() {
            for (b, other) in next.0.values() {
                both.add(std::array::from_fn(|i| a[i] * b[i]), mass * other);
            }
        }
        both
    }

    /// For every truth: the probability that the likeliest player is the right one, and the mean posterior of
    /// the right one.
    fn recognized(&self) -> [[f64; 2]; 7] {
        let mut recognized = [[0.0; 2]; 7];
        for (posterior, mass) in self.0.values() {
            for (truth, recognized) in recognized.iter_mut().enumerate() {
                recognized[0] += mass * posterior[truth] * guess(posterior, truth);
                recognized[1] += mass * posterior[truth] * posterior[truth];
            }
        }
        recognized
    }
}

/// The probability that guessing the likeliest player, at random among equals, is right.
fn guess(posterior: &Each, truth: usize) -> f64 {
    let best = posterior.iter().copied().fold(0.0, f64::max);
    let equals = posterior.iter().filter(|&&p| p >= best - 1e-12).count();
    if posterior[truth] >= best - 1e-12 { 1.0 / equals as f64 } else { 0.0 }
}

/// The evidence of one game about the player in `seat`, against a random opponent.
fn one_game(seat: Seat) -> Evidence {
    let mut players: Vec<SemiRandom<TicTacToe>> =
        (0..7).map(|look| SemiRandom::new(look, Fallback::Delay)).collect();
    let mut ended = Evidence::default();
    let start = TicTacToe::default();
    let mut layer = BTreeMap::from([(start.to_string(), (start, Evidence::nothing()))]);
    let mut actions = Vec::new();
    // Ply by ply, so that paths to the same position merge.
    while !layer.is_empty() {
        let mut next: BTreeMap<String, (TicTacToe, Evidence)> = BTreeMap::new();
        for (game, evidence) in layer.values() {
            game.actions(&mut actions);
            let theirs = game.turn().seat() == Some(seat);
            let choices: Vec<Vec<_>> =
                if theirs { players.iter_mut().map(|p| p.choices(game)).collect() } else { Vec::new() };
            for action in &actions {
                let after = after(game, *action);
                let likely: Each = std::array::from_fn(|i| match choices.get(i) {
                    Some(set) if set.contains(action) => 1.0 / set.len() as f64,
                    Some(_) => 0.0,
                    None => 1.0 / actions.len() as f64,
                });
                let place = if after.turn().is_over() {
                    &mut ended
                } else {
                    &mut next.entry(after.to_string()).or_insert_with(|| (after, Evidence::default())).1
                };
                for (posterior, mass) in evidence.0.values() {
                    place.add(std::array::from_fn(|i| posterior[i] * likely[i]), *mass);
                }
            }
        }
        layer = next;
    }
    ended
}

/// After 1, 2, … `n` games, for every truth: the chance to guess right, and the mean belief in the truth.
pub(super) fn exact(n: usize) -> Vec<[[f64; 2]; 7]> {
    let games = [one_game(Seat(0)), one_game(Seat(1))];
    let mut seen = Evidence::nothing();
    let mut list = Vec::new();
    for game in 0..n {
        seen = seen.then(&games[game % 2]);
        list.push(seen.recognized());
    }
    list
}

/// The same for one truth over `watched` games, from `trials`.
pub(super) fn sampled(truth: usize, watched: usize, trials: u32, seed: u64) -> Vec<[f64; 2]> {
    let mut rng = Rng::stream(seed, &format!("recognise:{truth}"));
    // The possible evidence in each seat, with cumulative frequencies.
    let kinds = [Seat(0), Seat(1)].map(|seat| {
        let mut sum = 0.0;
        let kinds = one_game(seat).0.into_values().map(|(posterior, mass)| {
            sum += mass * posterior[truth];
            (sum, posterior)
        });
        kinds.collect::<Vec<_>>()
    });
    let mut list = vec![[0.0; 2]; watched];
    for _ in 0..trials {
        let mut belief = [1.0; 7];
        for (game, recognized) in list.iter_mut().enumerate() {
            let kinds = &kinds[game % 2];
            let dice = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            let (_, seen) = kinds[kinds.partition_point(|(sum, _)| *sum <= dice).min(kinds.len() - 1)];
            let product: Each = std::array::from_fn(|i| belief[i] * seen[i]);
            let sum: f64 = product.iter().sum();
            belief = product.map(|p| p / sum);
            recognized[0] += guess(&belief, truth);
            recognized[1] += belief[truth];
        }
    }
    list.iter().map(|recognized| recognized.map(|sum| sum / f64::from(trials))).collect()
}

pub(super) fn exact_unit(manifest: &Manifest) -> String {
    format!("recognise exact {}", manifest.number("exact"))
}

pub(super) fn sample_unit(manifest: &Manifest, look: usize) -> String {
    let [watched, trials] = ["watched", "trials"].map(|name| manifest.number(name));
    format!("recognise sample {look} {watched} {trials} {}", manifest.seed)
}

/// The curve of one truth: exact at first, then sampled.
struct Curve {
    right: Vec<f64>,
    belief: Vec<f64>,
}

pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let exact: Vec<[[f64; 2]; 7]> = read_unit(&exact_unit(manifest), results)?;
    let trials = manifest.number("trials") as u32;
    let (mut curves, mut worst) = (Vec::new(), 0.0_f64);
    for truth in 0..7 {
        let sampled: Vec<[f64; 2]> = read_unit(&sample_unit(manifest, truth), results)?;
        for (exact, sampled) in exact.iter().map(|e| e[truth]).zip(&sampled) {
            let deviation = (exact[0] * (1.0 - exact[0]) / f64::from(trials.max(1))).sqrt().max(1e-9);
            worst = worst.max((sampled[0] - exact[0]).abs() / deviation);
        }
        let at = |n: usize, k: usize| exact.get(n).map_or(sampled[n][k], |e| e[truth][k]);
        let line = |k: usize| (0..sampled.len()).map(|n| at(n, k)).collect::<Vec<f64>>();
        curves.push(Curve { right: line(0), belief: line(1) });
    }
    let watched = curves[0].right.len();
    let known = exact.len();

    // Step 1. The table.
    let mut rows: Vec<Row> = [1, 2, 3, 5, 10, 20, 30, 40, 60, 80, 100]
        .into_iter()
        .filter(|&n| n <= watched)
        .map(|n| Row {
            head: format!("{n}{}", if n <= known { ", exact" } else { "" }),
            cells: curves
                .iter()
                .map(|c| share(c.right[n - 1], if n <= known { None } else { Some(trials) }))
                .collect(),
        })
        .collect();
    for (head, sure) in [("right 9 times in 10 from game", 0.9), ("right 19 times in 20 from game", 0.95)] {
        let first = |curve: &Curve| curve.right.iter().rposition(|&r| r < sure).map_or(1, |last| last + 2);
        let text = |n: usize| if n > watched { format!("over {watched}") } else { n.to_string() };
        rows.push(Row {
            head: head.to_owned(),
            cells: curves.iter().map(|c| text(first(c)).into()).collect(),
        });
    }
    findings.report.tables.push(Table {
        title: "Recognizing P_i: how often the likeliest is the right one".to_owned(),
        caption: format!(
            "In per cent after so many games against a random mover, the unknown player moving first in every other game; an even prior over P0 to P6, equals count their share. Exact where it says so, else from {trials} trials with 95 % intervals."
        ),
        columns: std::iter::once("games".to_owned()).chain((0..7).map(|i| format!("P{i}"))).collect(),
        rows,
    });

    // Step 2. The plots.
    for (truths, which) in [(0..4, "P0 to P3"), (4..7, "P4 to P6")] {
        findings.report.figures.push(plot(&curves, truths, which, known, trials));
    }

    // Step 3. The checks.
    let sums = one_game(Seat(0)).0.values().fold([0.0; 7], |mut sum, (posterior, mass)| {
        sum.iter_mut().zip(posterior).for_each(|(sum, p)| *sum += mass * p);
        sum
    });
    let off = sums.iter().map(|sum| (sum - 1.0).abs()).fold(0.0, f64::max);
    let last = curves.iter().map(|c| c.right[watched - 1]).fold(1.0, f64::min);
    findings.checks.extend([
        Check::new(
            "recognition: the kinds of game are all there are",
            off < 1e-9,
            format!("probabilities sum to 1 within {off:.1e}"),
        ),
        Check::new(
            "recognition: the trials agree with the exact first games",
            worst < 5.0,
            format!("at most {worst:.2} standard deviations in {trials} trials"),
        ),
        Check::new(
            "recognition: after all games every player is recognized 9 times in 10",
            watched < 40 || last > 0.9,
            format!("the hardest {:.1} % after {watched} games", 100.0 * last),
        ),
    ]);
    let mean = |n: usize| curves.iter().map(|c| c.right[n - 1]).sum::<f64>() / 7.0;
    findings
        .report
        .facts
        .push(("Recognized after 1 game".to_owned(), format!("{:.1} % (chance: 14.3 %)", 100.0 * mean(1))));
    if watched >= 20 {
        findings
            .report
            .facts
            .push(("Recognized after 20 games".to_owned(), format!("{:.1} %", 100.0 * mean(20))));
    }
    let data = |curve: &Curve| serde_json::json!({ "right": curve.right, "belief": curve.belief });
    findings.data["recognition"] = serde_json::json!({ "exact_games": known, "trials": trials, "truths": curves.iter().map(data).collect::<Vec<_>>() });
    Ok(())
}

/// A share in per cent, with its interval if it was sampled.
fn share(share: f64, trials: Option<u32>) -> Cell {
    match trials {
        None => Cell::new(format!("{:.2}", 100.0 * share), Mood::Plain),
        Some(n) => {
            let (low, high) = interval(share, n);
            format!("{:.1}{}", 100.0 * share, plus_minus(50.0 * (high - low), 1)).into()
        }
    }
}

fn plot(curves: &[Curve], truths: std::ops::Range<usize>, which: &str, known: usize, trials: u32) -> Figure {
    let watched = curves[0].right.len();
    let mut marks = Vec::new();
    let mut legend = Vec::new();
    for (place, truth) in truths.enumerate() {
        let tone = Tone::Series(place);
        let right = &curves[truth].right;
        // Before any game all players are equally likely.
        let line = std::iter::once((0.0, 100.0 / 7.0))
            .chain((1..).zip(right).map(|(n, r)| (f64::from(n), 100.0 * r)));
        let band = (known..watched).map(|n| {
            let (low, high) = interval(right[n], trials);
            ((n + 1) as f64, 100.0 * low, 100.0 * high)
        });
        marks.push(Mark::Band { points: band.collect(), tone });
        marks.push(Mark::Line { points: line.collect(), tone });
        legend.push((format!("P{truth}"), tone));
    }
    let caption = format!(
        "{which}: how often the likeliest is the right one. Exact for {known} games, then {trials} trials with 95 % bands."
    );
    Figure {
        title: format!("Recognizing {which}"),
        plot: Plot {
            label: caption.clone(),
            x: Axis::numbers("games", 0.0, watched as f64).exactly(0.0, watched as f64),
            y: Axis::numbers("right, %", 0.0, 100.0),
            marks,
            legend,
            height: 190.0,
        },
        caption,
    }
}
