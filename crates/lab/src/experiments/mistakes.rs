//! Which mistakes a review finds: choices in game positions with costs by a deep search, compared with the
//! costs by the judge of reviews.
//!
//! Three in four choices are drawn uniformly from the legal ones, the fourth is the one that was played. The
//! review has no part in the selection: the deep search alone decides which choices are mistakes, and the
//! first of each kind are counted.

use anglerfish_arena::{
    Budget, Clocks, Contestant, Draws, GameOptions, Judging, Player, Table as Seats, play,
};
use anglerfish_engine::Assets;
use anglerfish_engine::luck::{GAME, GameLuck, Judge, Millionths};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::review::{CLOSE, MISTAKE};
use anglerfish_report::{Figure, Report, Row, Table, grouped};
use anglerfish_rules::banqi::{Action, Banqi, RuleSet};
use anglerfish_rules::{Game, Ply, Record, Rng, RngExt, Team};
use serde::{Deserialize, Serialize};

use crate::experiment::{read_unit, written};
use crate::stats::interval;
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};

/// The aims of a review: kinds of choices by their cost in the deep search, how many of each, and how many to flag.
const KINDS: [Kind; 3] = [
    Kind { name: "cost 0.15 to 0.30", from: 150_000, below: 300_000, many: 50 },
    Kind { name: "cost 0.30 or more", from: 300_000, below: 2 * GAME + 1, many: 50 },
    Kind { name: "within 0.02 of the best", from: 0, below: CLOSE + 1, many: 300 },
];

struct Kind {
    name: &'static str,
    from: Millionths,
    below: Millionths,
    many: usize,
}

/// A choice, and its cost.
#[derive(Serialize, Deserialize)]
struct Choice {
    /// By the deep search.
    cost: Millionths,
    /// By the judge of reviews.
    found: Millionths,
}

/// See the module.
pub struct Mistakes;

impl Experiment for Mistakes {
    fn name(&self) -> &'static str {
        "mistakes"
    }

    fn about(&self) -> &'static str {
        "Banqi: which mistakes a review finds, and how often it blames a choice that was as good as the best"
    }

    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [choices, nodes, deep, review] = match size {
            Size::Ci => [60, 30, 4_000, 200],
            Size::Paper => [640, 100, 200_000, 2_000],
            Size::Full => [640, 100, 1_000_000, 2_000],
        };
        vec![("choices", choices), ("nodes", nodes), ("deep", deep), ("review", review)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let [nodes, deep, review] = ["nodes", "deep", "review"].map(|name| manifest.number(name));
        let unit = |n| format!("choice {n} {} {nodes} {deep} {review}", manifest.seed);
        (0..manifest.number("choices")).map(unit).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let numbers: Vec<u64> = unit.split(' ').skip(1).filter_map(|word| word.parse().ok()).collect();
        let &[n, seed, nodes, deep, review] = &numbers[..] else {
            return Err("expected choice and five numbers".into());
        };
        let found = choice(n, seed, nodes, deep, review)?;
        written(&found)
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let choices = self.units(manifest).into_iter().map(|unit| read_unit(&unit, results));
        let choices = choices.collect::<Result<Vec<Choice>, LabError>>()?;
        Ok(find(self, manifest, &choices))
    }
}

/// A choice in a position of a game played at few nodes, and its cost.
fn choice(n: u64, seed: u64, nodes: u64, deep: u64, review: u64) -> Result<Choice, LabError> {
    // Step 1. The game, and a ply of it.
    let mut dice = Rng::stream(seed, &format!("choice:{n}"));
    let contestant = Contestant::builtin("alphabeta", "alphabeta,hash=1", &format!("nodes={nodes}"));
    let player = || contestant.player::<Banqi>(&RuleSet::PLATFORM, &Assets::default());
    let (mut one, mut other) = (player()?, player()?);
    let start = Banqi::start(RuleSet::PLATFORM);
    let table =
        Seats::new(start, Draws(Rng::new(dice.next_u64())), Clocks::new([Budget::Nodes(nodes.max(1)); 2]));
    let mut chairs: [&mut dyn Player<Banqi>; 2] = [&mut *one, &mut *other];
    let mut record = play(table, &mut chairs, dice.next_u64(), GameOptions::default());
    let (mut at, mut actions) = (0, Vec::new());
    let mut game = record.start.clone();
    // A choice needs an alternative. The start has one.
    while actions.len() < 2 {
        at = dice.below(record.plies.len() as u32) as usize;
        game = record.start.clone();
        record.plies[..at].iter().for_each(|ply| game.apply(ply.event));
        game.actions(&mut actions);
    }
    let played = Banqi::action_of(record.plies[at].event);
    record.truncate(at);
    record.ending = None;
    // Step 2. The choice: any legal one, or the one that was played.
    let action = if n.is_multiple_of(4) { played } else { dice.pick(&actions) };
    // Step 3. Its cost by a deep search, and by the judge of reviews.
    let cost = cost(&game, action, deep)?;
    let mut judge = Judging { nodes: review, ..Judging::of_review() }.judge::<Banqi>()?;
    let event = game.draw(action, &mut dice);
    let seat = game.turn().seat().ok_or("expected a game that is not over")?;
    record.plies.push(Ply { seat, event, took: std::time::Duration::ZERO });
    Ok(Choice { cost, found: found(&mut judge, &record, at) })
}

/// The cost of the last ply by the account.
fn found(judge: &mut Judge<Banqi>, record: &Record<Banqi>, at: usize) -> Millionths {
    GameLuck::new(judge, record, at).entries.first().map_or(0, |entry| entry.mistake)
}

/// The cost of a choice by searches with this many nodes for each of two choices, independent of their number
/// of outcomes.
fn cost(game: &Banqi, action: Action, nodes: u64) -> Result<Millionths, LabError> {
    let judge = |nodes: u64| Judge::<Banqi>::new("alphabeta,hash=16", nodes.max(1));
    let Some(&best) = judge(nodes)?.opinion(game).line.first() else {
        return Err("expected a search to choose".into());
    };
    if best == action {
        return Ok(0);
    }
    let worth = |action: Action| {
        let mut chances = Vec::new();
        game.outcomes(action, &mut chances);
        let mut judge = judge(nodes / chances.len() as u64)?;
        let (mut sum, mut total) = (0, 0);
        for chance in chances {
            let mut after = game.clone();
            after.apply(chance.event);
            sum += i64::from(chance.weight) * judge.opinion(&after).value;
            total += i64::from(chance.weight);
        }
        Ok::<_, LabError>(sum / total.max(1))
    };
    let first = game.turn().seat().is_some_and(|seat| seat.team() == Team::A);
    let cost = worth(best)? - worth(action)?;
    Ok(if first { cost } else { -cost }.max(0))
}

fn find(experiment: &Mistakes, manifest: &Manifest, choices: &[Choice]) -> Findings {
    let of = |kind: &Kind| -> Vec<&Choice> {
        choices
            .iter()
            .filter(|choice| (kind.from..kind.below).contains(&choice.cost))
            .take(kind.many)
            .collect()
    };
    let share = |choices: &[&Choice], flag: Millionths| {
        let flagged = choices.iter().filter(|choice| choice.found >= flag).count();
        (flagged, flagged as f64 / choices.len().max(1) as f64)
    };
    let mut rows = Vec::new();
    let mut data = Vec::new();
    for kind in &KINDS {
        let choices = of(kind);
        let (flagged, part) = share(&choices, MISTAKE);
        let (low, high) = interval(part, choices.len() as u32);
        rows.push(Row {
            head: kind.name.to_owned(),
            cells: vec![
                choices.len().to_string().into(),
                flagged.to_string().into(),
                format!("{:.1} % ({:.1}–{:.1})", 100.0 * part, 100.0 * low, 100.0 * high).into(),
            ],
        });
        data.push(serde_json::json!({ "kind": kind.name, "choices": choices.len(), "flagged": flagged }));
    }
    let (mistakes, sound) = ([of(&KINDS[0]), of(&KINDS[1])].concat(), of(&KINDS[2]));
    let at = |flag: Millionths| [&mistakes, &sound].map(|choices| 100.0 * share(choices, flag).1);
    let line = |which: usize, tone| Mark::Line {
        points: (1..=20).map(|n| (f64::from(n) / 100.0, at(i64::from(n) * GAME / 100)[which])).collect(),
        tone,
    };
    let [found, blamed] = at(MISTAKE);
    let deep = grouped(manifest.number("deep"));
    let whole = mistakes.len() == KINDS[0].many + KINDS[1].many && sound.len() == KINDS[2].many;
    let mut checks = vec![Check::new(
        "mistakes are flagged more often than sound choices, by three standard deviations",
        better(&mistakes, &sound) > 3.0,
        format!("{:.1} standard deviations", better(&mistakes, &sound)),
    )];
    if manifest.size != Size::Ci {
        let few = if whole { "" } else { ", which are too few: more `choices` are needed" };
        let text = |share: f64, of: usize| format!("{share:.1} % of {of}{few}");
        let (found_text, blamed_text) = (text(found, mistakes.len()), text(blamed, sound.len()));
        checks.push(Check::new("of 100 mistakes 90 are found", whole && found >= 90.0, found_text));
        checks.push(Check::new(
            "of 300 sound choices at most 5 % are blamed",
            whole && blamed <= 5.0,
            blamed_text,
        ));
    }
    Findings {
        report: Report {
            title: "Mistakes that a review finds".to_owned(),
            subtitle: format!(
                "{}. {} choices in games at {} nodes per move, seed {}; their cost is by searches of {deep} nodes, the review has {}.",
                experiment.about(),
                choices.len(),
                manifest.number("nodes"),
                manifest.seed,
                grouped(manifest.number("review")),
            ),
            rules: "platform".to_owned(),
            figures: vec![Figure {
                title: "What is flagged, by what counts as a mistake".to_owned(),
                plot: Plot {
                    label: "The share of mistakes and of sound choices that are flagged, by the least cost that is flagged".to_owned(),
                    x: Axis::numbers("flagged from this cost on", 0.0, 0.2),
                    y: Axis::numbers("% flagged", 0.0, 100.0),
                    marks: vec![line(0, Tone::Series(0)), line(1, Tone::Series(1))],
                    legend: vec![("mistakes".to_owned(), Tone::Series(0)), ("sound choices".to_owned(), Tone::Series(1))],
                    height: 220.0,
                },
                caption: "A review flags from 0.05 on.".to_owned(),
            }],
            tables: vec![Table {
                title: "Flagged by a review".to_owned(),
                caption: "The first so many choices of each kind, with 95 % intervals.".to_owned(),
                columns: ["by the deep search", "choices", "flagged", "share"].map(str::to_owned).to_vec(),
                rows,
            }],
            ..Report::default()
        },
        checks,
        data: data.into(),
    }
}

/// The excess of flagged choices among the first over the second, in standard deviations.
fn better(mistakes: &[&Choice], sound: &[&Choice]) -> f64 {
    let part = |choices: &[&Choice]| {
        let n = choices.len() as f64 + 2.0;
        let p = (choices.iter().filter(|choice| choice.found >= MISTAKE).count() as f64 + 1.0) / n;
        (p, p * (1.0 - p) / n)
    };
    let ((one, spread), (other, other_spread)) = (part(mistakes), part(sound));
    (one - other) / (spread + other_spread).sqrt()
}
