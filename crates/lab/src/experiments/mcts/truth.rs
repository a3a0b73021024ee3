//! Whether both trees find the best action: exactly solved positions of the 2x4 game, and the number of
//! playouts needed.
//!
//! Positions are reached by random play. Small ones, with three or four pieces left, are solved one by one;
//! those of the size `paper` and larger come from the [whole game](crate::whole), with up to six pieces face
//! down. Group-nodes merge the outcomes of a flip, so they converge to the best plan that ignores the
//! outcome, which need not be the best action.

use std::sync::Arc;

use anglerfish_engine::{Assets, Config, Engine, Limits, ManualClock, Stop};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, Row, Table};
use anglerfish_rules::banqi::{Action, Banqi, RuleSet};
use anglerfish_rules::{Game, Rng, Seat};
use serde::{Deserialize, Serialize};

use crate::experiment::{number, read_unit, written};
use crate::solve::Solved;
use crate::stats::{clustered, mean_and_error, plus_minus, signed};
use crate::whole::Whole;
use crate::{Check, Findings, LabError, Manifest, Results};

/// The compared trees, with playouts that count only true wins. They explore more than in play: the default
/// constant of UCT suits a thousand playouts, and needs many more to correct an early error.
pub const TREES: [(&str, &str); 2] =
    [("chance-nodes", "c2-cr-160,hash=64,explore=1.5"), ("group-nodes", "c1-cr-160,hash=64,explore=1.5")];

/// A kind of positions: its name, the number of face-down pieces, and whether it is of the whole game or small.
type Kind = (&'static str, u32, bool);

const KINDS: [Kind; 5] = [
    ("small, all face up", 0, false),
    ("small, two face down", 2, false),
    ("two face down", 2, true),
    ("four face down", 4, true),
    ("six face down", 6, true),
];

/// The number of playouts of a step.
const fn budget(step: u64) -> u64 {
    16 << (2 * step)
}

/// For each tree and budget: how often the best action was chosen, and the mean loss.
#[derive(Serialize, Deserialize)]
struct Found {
    agreed: [Vec<u32>; 2],
    lost: [Vec<f64>; 2],
}

/// The kinds of a manifest, each with its units.
fn kinds(manifest: &Manifest) -> impl Iterator<Item = (usize, Vec<String>)> {
    let of = |(kind, (_, _, whole)): (usize, Kind)| {
        let places = manifest.number(if whole { "whole" } else { "small" });
        (kind, (0..places).map(|place| unit(manifest, kind, place)).collect())
    };
    KINDS.into_iter().enumerate().map(of)
}

pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    kinds(manifest).flat_map(|(_, units)| units).collect()
}

fn unit(manifest: &Manifest, kind: usize, place: u64) -> String {
    format!("truth {kind} {place} {} {} {}", manifest.number("steps"), manifest.number("runs"), manifest.seed)
}

/// A position with the value of each of its actions.
pub type Worth = (Banqi, Vec<(Action, f64)>);

/// The position of a kind with this number. In each, at least half of the actions lose value.
pub fn position(kind: usize, number: u64) -> Worth {
    let rules: RuleSet = "platform,board=2x4,quiet=180,repetition=none"
        .parse()
        .unwrap_or_else(|e| unreachable!("a rule set that is tested: {e}"));
    let (_, face_down, whole) = KINDS[kind];
    let mut rng = Rng::stream(number, &format!("truth:{kind}"));
    let mut game = Banqi::start(rules);
    loop {
        match game.random_action(&mut rng) {
            Some(action) => game.apply(game.resolve(action, &mut rng)),
            None => game = Banqi::start(rules),
        }
        let p = game.position();
        let small = (3..=4).contains(&p.occupied().len());
        if game.turn().is_over() || p.hidden().len() != face_down || !(whole || small) {
            continue;
        }
        let actions = if whole {
            Whole::platform().actions(&game)
        } else {
            let Some(solved) = Solved::new(&game, 400_000) else { continue };
            solved.actions(&game)
        };
        let best = best(&actions);
        let good = actions.iter().filter(|(_, value)| best - value < 0.1).count();
        if actions.len() >= 3 && good * 2 <= actions.len() {
            return (game, actions);
        }
    }
}

fn best<A>(actions: &[(A, f64)]) -> f64 {
    actions.iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max)
}

/// The loss of a search's choice in a solved position.
///
/// # Errors
/// When the text is not a configuration.
pub fn given_away(config: &str, (game, actions): &Worth, playouts: u64, seed: u64) -> Result<f64, LabError> {
    let config: Config = config.parse()?;
    let mut engine: Engine<Banqi> =
        Engine::new(&config, &Assets::default(), Arc::new(ManualClock::default()))?;
    engine.new_game(Seat(0), seed, None);
    let action = engine.think(game, Limits::nodes(playouts), &Stop::default(), &mut |_| {}).action;
    let chosen = actions.iter().find(|(a, _)| *a == action).map_or(f64::NAN, |a| a.1);
    Ok(best(actions) - chosen)
}

/// Does a unit, given its words after `truth`.
pub(super) fn work(words: &[&str]) -> Result<String, LabError> {
    let numbers: Vec<u64> = words.iter().map(|word| number(word)).collect::<Result<_, LabError>>()?;
    let [kind, place, steps, runs, seed] = numbers[..] else {
        return Err("five numbers are needed".into());
    };
    let position = position(kind as usize, place);
    let mut found = Found { agreed: Default::default(), lost: Default::default() };
    for (tree, (_, config)) in TREES.into_iter().enumerate() {
        for playouts in (0..steps).map(budget) {
            let (mut agreed, mut lost) = (0, 0.0);
            for run in 0..runs {
                let away =
                    given_away(config, &position, playouts, seed.wrapping_mul(1000).wrapping_add(run))?;
                agreed += u32::from(away < 1e-9);
                lost += away;
            }
            found.agreed[tree].push(agreed);
            found.lost[tree].push(lost / runs.max(1) as f64);
        }
    }
    written(&found)
}

impl Found {
    /// How often a tree chose the best action at a budget, as a share of the runs.
    fn share(&self, runs: u64, tree: usize, step: usize) -> f64 {
        self.agreed[tree].get(step).map_or(0.0, |&n| f64::from(n)) / runs.max(1) as f64
    }
}

/// A figure per tree, a table of both, the difference between the trees, and their numbers.
pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let (steps, runs) = (manifest.number("steps") as usize, manifest.number("runs"));
    let playouts: Vec<String> = (0..steps as u64).map(|step| budget(step).to_string()).collect();
    let ticks: Vec<_> = playouts.iter().enumerate().map(|(i, text)| (i as f64, text.clone())).collect();
    let mut figures = TREES.map(|(tree_name, _)| Figure {
        title: format!("How often the best action is chosen: {tree_name}"),
        plot: Plot {
            label: format!("Share of runs with {tree_name} that choose an exactly best action, by playouts"),
            x: Axis { name: "playouts".to_owned(), range: (0.0, steps.max(2) as f64 - 1.0), ticks: ticks.clone() },
            y: Axis::numbers("per cent", 0.0, 100.0),
            marks: Vec::new(),
            legend: Vec::new(),
            height: 220.0,
        },
        caption: "Solved positions of the 2x4 game (small: with three or four pieces left) at most half of whose actions are good. With 95 % intervals by position."
            .to_owned(),
    });
    let (mut rows, mut between, mut data) = (Vec::new(), Vec::new(), Vec::new());
    let mut everywhere: Vec<Found> = Vec::new();
    for (kind, units) in kinds(manifest).filter(|(_, units)| !units.is_empty()) {
        let mut founds: Vec<Found> = Vec::new();
        for unit in &units {
            founds.push(read_unit(unit, results)?);
        }
        // The runs of a position are alike: they are one sample, regardless of their number.
        let each = |value: &dyn Fn(&Found) -> f64| founds.iter().map(value).collect::<Vec<f64>>();
        for (tree, (tree_name, _)) in TREES.into_iter().enumerate() {
            let shares = |step: usize| each(&|found| 100.0 * found.share(runs, tree, step));
            let share = |step: usize| mean_and_error(&shares(step)).0;
            let band = |step: usize| {
                let (low, high) = clustered(&each(&|found| found.share(runs, tree, step)));
                (step as f64, 100.0 * low, 100.0 * high)
            };
            let away = |step: usize| mean_and_error(&each(&|found| found.lost[tree][step]));
            let Plot { marks, legend, .. } = &mut figures[tree].plot;
            let tone = Tone::Series(legend.len());
            let name = format!("{}, {tree_name}", KINDS[kind].0);
            let cell = |step: usize| {
                let (_, low, high) = band(step);
                let (away, error) = away(step);
                format!("{:.0} ({low:.0} to {high:.0})\n{away:.3}{}", share(step), plus_minus(error, 3))
                    .into()
            };
            marks.push(Mark::Band { points: (0..steps).map(band).collect(), tone });
            marks.push(Mark::Line { points: (0..steps).map(|s| (s as f64, share(s))).collect(), tone });
            rows.push(Row { head: name.clone(), cells: (0..steps).map(cell).collect() });
            data.push(serde_json::json!({
                "positions": name,
                "runs": units.len() as u64 * runs,
                "shares": (0..steps).map(shares).collect::<Vec<_>>(),
                "given_away": (0..steps).map(|step| away(step).0).collect::<Vec<_>>(),
            }));
            legend.push((KINDS[kind].0.to_owned(), tone));
        }
        let difference = |step: usize| {
            let lead = |found: &Found| 100.0 * (found.share(runs, 0, step) - found.share(runs, 1, step));
            let (mean, error) = mean_and_error(&each(&lead));
            format!("{}{}", signed(mean, 0), plus_minus(error, 0)).into()
        };
        between.push(Row { head: KINDS[kind].0.to_owned(), cells: (0..steps).map(difference).collect() });
        everywhere.extend(founds);
    }
    let columns = |head: &str| std::iter::once(head.to_owned()).chain(playouts.clone()).collect::<Vec<_>>();
    findings.report.figures.extend(figures);
    findings.report.tables.push(Table {
        title: "How often the best action is chosen".to_owned(),
        caption: "Per cent of the runs, and what was given away on average, where a win is 1 and a loss −1; with 95 % intervals by position. Positions are solved exactly; endless play is a draw."
            .to_owned(),
        columns: columns("positions, tree"),
        rows,
    });
    findings.report.tables.push(Table {
        title: "Chance-nodes less group-nodes".to_owned(),
        caption: "How much more often they choose the best action, in per cent of the runs, with 95 % intervals by position."
            .to_owned(),
        columns: columns("positions"),
        rows: between,
    });
    findings.checks.extend((0..TREES.len()).map(|tree| rises(&everywhere, runs, tree)));
    findings.data["truth"] = data.into();
    Ok(())
}

/// A converging search chooses the best action more often the longer it runs.
fn rises(founds: &[Found], runs: u64, tree: usize) -> Check {
    let rise = |found: &Found| {
        let last = found.agreed[tree].len().saturating_sub(1);
        100.0 * (found.share(runs, tree, last) - found.share(runs, tree, 0))
    };
    let (mean, error) = mean_and_error(&founds.iter().map(rise).collect::<Vec<_>>());
    Check::new(
        format!(
            "with {} more playouts find the best action more often: the interval begins above 0",
            TREES[tree].0
        ),
        mean - error > 0.0,
        format!(
            "{}{} per cent of the runs in {} positions",
            signed(mean, 1),
            plus_minus(error, 1),
            founds.len()
        ),
    )
}
