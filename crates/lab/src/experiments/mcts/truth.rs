//! Whether both trees find what is best: positions of the 2x4 game that are solved exactly, and how many playouts it takes.
//!
//! The whole game on eight squares has some fifty million positions, too many for a test; these have three or four pieces
//! left, none or two of them face down, and are reached by random play. Group-nodes cannot tell apart what a flip brought: what they
//! converge to is the best plan that does not look, which need not be the best action.

use std::sync::Arc;

use anglerfish_arena::report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_arena::report::{Figure, Row, Table};
use anglerfish_engine::{Budget, Config, Engine, ManualClock, Stop};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, Rng, Seat};
use serde::{Deserialize, Serialize};

use crate::solve::Solved;
use crate::stats::interval;
use crate::{Manifest, Results};

/// The trees that are compared, with playouts that only count true wins.
const TREES: [(&str, &str); 2] =
    [("chance-nodes", "c2-cr-160,hash=16"), ("group-nodes", "c1-cr-160,hash=16")];

/// Kinds of positions: with everything face up, and with two pieces face down.
const KINDS: [&str; 2] = ["face up", "two face down"];

/// How many playouts are given, by steps.
const fn budget(step: u64) -> u64 {
    16 << (2 * step)
}

/// For each tree and each budget: how often the best was chosen, and what was given away on average.
#[derive(Serialize, Deserialize)]
struct Found {
    positions: usize,
    agreed: [Vec<u32>; 2],
    lost: [Vec<f64>; 2],
}

pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    (0..manifest.number("positions")).map(|place| unit(manifest, place)).collect()
}

fn unit(manifest: &Manifest, place: u64) -> String {
    format!("truth {place} {} {} {}", manifest.number("steps"), manifest.number("runs"), manifest.seed)
}

/// The position of this number with its solution: odd ones have face-down pieces. In each, some actions give something away.
pub fn position(number: u64) -> (Banqi, Solved) {
    let rules: RuleSet = "platform,board=2x4,quiet=180,repetition=none"
        .parse()
        .unwrap_or_else(|e| unreachable!("a rule set that is tested: {e}"));
    let mut rng = Rng::stream(number, "truth");
    let mut game = Banqi::start(rules);
    loop {
        match game.random_action(&mut rng) {
            Some(action) => game.apply(game.resolve(action, &mut rng)),
            None => game = Banqi::start(rules),
        }
        let p = game.position();
        let hidden = p.hidden().count_ones();
        let kind = hidden == if number.is_multiple_of(2) { 0 } else { 2 };
        if game.turn().is_over() || !kind || !(3..=4).contains(&p.occupied().count_ones()) {
            continue;
        }
        let Some(solved) = Solved::new(&game, 400_000) else { continue };
        let actions = solved.actions(&game);
        let best = best(&actions);
        let good = actions.iter().filter(|(_, value)| best - value < 0.1).count();
        if actions.len() >= 3 && good * 2 <= actions.len() {
            return (game, solved);
        }
    }
}

fn best<A>(actions: &[(A, f64)]) -> f64 {
    actions.iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max)
}

/// What a search gives away in a solved position.
///
/// # Errors
/// When the text is not a configuration.
pub fn given_away(
    config: &str,
    game: &Banqi,
    solved: &Solved,
    playouts: u64,
    seed: u64,
) -> Result<f64, String> {
    let config: Config = config.parse().map_err(|e| format!("{e}"))?;
    let mut engine: Engine<Banqi> =
        Engine::new(&config, Arc::new(ManualClock::default())).map_err(|e| e.to_string())?;
    engine.new_game(Seat(0), seed, None);
    let action = engine.think(game, Budget::nodes(playouts), &Stop::default(), &mut |_| {}).action;
    let actions = solved.actions(game);
    let chosen = actions.iter().find(|(a, _)| *a == action).map_or(f64::NAN, |a| a.1);
    Ok(best(&actions) - chosen)
}

/// Does a unit, given its words after `truth`.
pub(super) fn work(words: &[&str]) -> Result<String, String> {
    let numbers: Vec<u64> =
        words.iter().map(|w| w.parse().map_err(|e| format!("{w}: {e}"))).collect::<Result<_, String>>()?;
    let [place, steps, runs, seed] = numbers[..] else { return Err("four numbers are needed".to_owned()) };
    let (game, solved) = position(place);
    let mut found = Found { positions: solved.len(), agreed: Default::default(), lost: Default::default() };
    for (tree, (_, config)) in TREES.into_iter().enumerate() {
        for playouts in (0..steps).map(budget) {
            let (mut agreed, mut lost) = (0, 0.0);
            for run in 0..runs {
                let away =
                    given_away(config, &game, &solved, playouts, seed.wrapping_mul(1000).wrapping_add(run))?;
                agreed += u32::from(away < 1e-9);
                lost += away;
            }
            found.agreed[tree].push(agreed);
            found.lost[tree].push(lost / runs.max(1) as f64);
        }
    }
    serde_json::to_string(&found).map_err(|e| e.to_string())
}

/// The curves as a figure and a table, and their numbers.
pub(super) fn found(
    manifest: &Manifest,
    results: &Results,
) -> Result<(Figure, Table, serde_json::Value), String> {
    let (steps, runs) = (manifest.number("steps") as usize, manifest.number("runs"));
    // By kind of position, tree and step.
    let mut agreed = [[vec![0; steps], vec![0; steps]], [vec![0; steps], vec![0; steps]]];
    let mut lost = [[vec![0.0; steps], vec![0.0; steps]], [vec![0.0; steps], vec![0.0; steps]]];
    let mut n = [0_u32; 2];
    for place in 0..manifest.number("positions") {
        let unit = unit(manifest, place);
        let text = results.get(&unit).ok_or_else(|| format!("{unit} is missing"))?;
        let found: Found = serde_json::from_str(text).map_err(|e| e.to_string())?;
        let kind = (place % 2) as usize;
        n[kind] += 1;
        for tree in 0..TREES.len() {
            for step in 0..steps {
                agreed[kind][tree][step] += found.agreed[tree][step];
                lost[kind][tree][step] += found.lost[tree][step];
            }
        }
    }
    let (mut marks, mut legend, mut rows) = (Vec::new(), Vec::new(), Vec::new());
    for (kind, kind_name) in KINDS.into_iter().enumerate() {
        for (tree, (tree_name, _)) in TREES.into_iter().enumerate() {
            let tone = Tone::Series(2 * kind + tree);
            let all = n[kind] * runs as u32;
            let share = |step: usize| f64::from(agreed[kind][tree][step]) / f64::from(all.max(1));
            let band = |step: usize| {
                let (low, high) = interval(share(step), all);
                (step as f64, 100.0 * low, 100.0 * high)
            };
            marks.push(Mark::Band { points: (0..steps).map(band).collect(), tone });
            marks.push(Mark::Line {
                points: (0..steps).map(|s| (s as f64, 100.0 * share(s))).collect(),
                tone,
            });
            let name = format!("{kind_name}, {tree_name}");
            let cell = |step: usize| {
                let away = lost[kind][tree][step] / f64::from(n[kind].max(1));
                format!("{:.0} % / {away:.3}", 100.0 * share(step)).into()
            };
            rows.push(Row { head: name.clone(), cells: (0..steps).map(cell).collect() });
            legend.push((name, tone));
        }
    }
    let playouts: Vec<String> = (0..steps as u64).map(|step| budget(step).to_string()).collect();
    let ticks = playouts.iter().enumerate().map(|(i, text)| (i as f64, text.clone())).collect();
    let title = "How often the best action is chosen".to_owned();
    let figure = Figure {
        title: title.clone(),
        plot: Plot {
            label: "Share of runs that choose an exactly best action, by playouts".to_owned(),
            x: Axis { name: "playouts".to_owned(), range: (0.0, steps.max(2) as f64 - 1.0), ticks },
            y: Axis::numbers("per cent", 0.0, 100.0),
            marks,
            legend,
            height: 220.0,
        },
        caption: "Solved positions of the 2x4 game with three or four pieces, at most half of whose actions are good. With 95 % intervals."
            .to_owned(),
    };
    let table = Table {
        title,
        caption: "Share of runs, and what was given away on average, where a win is 1 and a loss −1. Positions are solved exactly; endless play is a draw."
            .to_owned(),
        columns: std::iter::once("positions, tree".to_owned()).chain(playouts).collect(),
        rows,
    };
    Ok((
        figure,
        table,
        serde_json::json!({ "agreed": agreed, "given_away": lost, "positions": n, "runs": runs }),
    ))
}
