//! Matches with several judges: how many games each judge saves, and whether it takes off only luck.

#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use anglerfish_arena::stats::adjusted::{Adjusted, FOLDS, Known, points};
use anglerfish_arena::stats::elo::Estimate;
use anglerfish_arena::{Contestant, Judging, Match, Openings, halves, opened};
use anglerfish_engine::luck::{Judge, Millionths, STAGES, luck};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Row, Table, grouped};
use anglerfish_rules::banqi::Banqi;
use serde::{Deserialize, Serialize};

use crate::experiment::{play_pair, read_unit, written};
use crate::stats::{mean_and_error, plus_minus, signed};
use crate::{Check, Findings, LabError, Manifest, Results};

/// Our player in every match.
const PLAYER: &str = "alphabeta,hash=1";

/// The opponents, by their share of our nodes in ten-thousandths. At 5,000 nodes we score 50, 69, 80 and 89
/// per cent against the first four; the last was not measured.
const OPPONENTS: [(&str, u64, &str); 5] = [
    (PLAYER, 10_000, "itself"),
    (PLAYER, 2_400, "itself with 0.24 of the nodes"),
    (PLAYER, 700, "itself with 0.07 of the nodes"),
    ("level5,hash=1", 120, "level5"),
    ("level4,hash=1", 120, "level4"),
];

/// The judges, by nodes per position: these percentages of the number `judge`.
const JUDGES: [u64; 4] = [0, 100, 1_000, 4_000];

/// The index of the usual judge in [`JUDGES`].
const USUAL: usize = 1;

const SILLY: &str = "silly";

/// Pairs per unit if games are short.
const BATCH: u32 = 25;

/// The stored result of a pair of games.
#[derive(Serialize, Deserialize)]
struct Judged {
    /// The first player's half points.
    halves: u8,
    /// The luck of the first team in each game, by judge and stage.
    luck: Vec<[[Millionths; STAGES]; 2]>,
}

/// A pair: the first player's points per game, and its luck.
pub(super) type Pair = (f64, [f64; STAGES]);

pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    let texts = |(game, judges): (Match, Vec<String>)| {
        let judges = judges.join(";");
        game.units().map(|unit| format!("judged {judges}\n{unit}")).collect::<Vec<_>>()
    };
    let gains = (0..OPPONENTS.len()).map(|n| (gain_match(manifest, n), judges(manifest)));
    let biases = bias_matches(manifest).map(|game| (game, minds(manifest)));
    gains.chain(biases).flat_map(texts).collect()
}

pub(super) fn work(unit: &str) -> Result<String, LabError> {
    let (judges, unit) = unit.split_once('\n').ok_or("expected judges, and a unit below them")?;
    let mut judges = judges.split(';').map(judge).collect::<Result<Vec<_>, _>>()?;
    let records = play_pair(unit)?;
    let (pairs, rest) = records.as_chunks::<2>();
    if !rest.is_empty() {
        return Err("expected pairs of games".into());
    }
    let judged = pairs.iter().map(|pair| Judged {
        halves: halves(pair),
        luck: judges
            .iter_mut()
            .map(|judge| pair.each_ref().map(|game| luck(judge, game, opened(game))))
            .collect(),
    });
    written(&judged.collect::<Vec<_>>())
}

fn judges(manifest: &Manifest) -> Vec<String> {
    JUDGES.map(|nodes| format!("nodes={}", nodes * manifest.number("judge") / 100)).to_vec()
}

/// A good judge, a weak one without look-ahead, and one with meaningless values.
fn minds(manifest: &Manifest) -> Vec<String> {
    vec![judges(manifest).swap_remove(USUAL), "nodes=0".to_owned(), SILLY.to_owned()]
}

fn judge(text: &str) -> Result<Judge<Banqi>, LabError> {
    if text == SILLY {
        // The digits of a position's key, taken as an evaluation.
        return Ok(Judge::by(SILLY, |game: &Banqi| (game.position().key() % 8_001) as i32 - 4_000));
    }
    Ok(text.parse::<Judging>()?.judge()?)
}

fn gain_match(manifest: &Manifest, n: usize) -> Match {
    let (player, part, _) = OPPONENTS[n];
    let nodes = manifest.number("nodes");
    let them = Contestant::builtin("them", player, &format!("nodes={}", (nodes * part / 10_000).max(1)));
    let players = [Contestant::builtin("us", PLAYER, &format!("nodes={nodes}")), them];
    Match::new::<Banqi>(players, "platform", manifest.seed + n as u64, manifest.number("pairs"))
}

/// Two equals, who score one half, and a player with a quarter of the other's nodes.
fn bias_matches(manifest: &Manifest) -> [Match; 2] {
    let cheap = manifest.number("cheap");
    let player =
        |name: &str, nodes: u64| Contestant::builtin(name, PLAYER, &format!("nodes={}", nodes.max(1)));
    [(cheap, 100), (cheap / 4, 101)].map(|(nodes, seed)| {
        let players = [player("us", cheap), player("them", nodes)];
        let pairs = manifest.number("bias").div_ceil(4);
        Match {
            batch: BATCH,
            openings: Openings::Random(1),
            ..Match::new::<Banqi>(players, "platform", manifest.seed + seed, pairs)
        }
    })
}

/// The pairs of a match, by judge.
fn read(game: &Match, judges: &[String], results: &Results) -> Result<Vec<Vec<Pair>>, LabError> {
    let mut pairs = vec![Vec::new(); judges.len()];
    let words = judges.join(";");
    for unit in game.units() {
        let unit = format!("judged {words}\n{unit}");
        let judged: Vec<Judged> = read_unit(&unit, results)?;
        for pair in judged {
            let score = f64::from(pair.halves) / 4.0;
            pairs.iter_mut().zip(pair.luck).for_each(|(pairs, luck)| pairs.push((score, points(&luck))));
        }
    }
    Ok(pairs)
}

/// A judge's results on some pairs.
struct Seen {
    known: Known,
    /// The factor of additional games needed without the adjustment, with its 95 % interval.
    gain: Estimate,
}

impl Seen {
    fn of(pairs: &[Pair]) -> Option<Seen> {
        let mut adjusted = Adjusted::default();
        for &(score, luck) in pairs {
            adjusted.add(score, luck);
        }
        let (known, weights) = (adjusted.known()?, adjusted.weights());
        // The influence of each pair on the logarithm of either variance (the delta method).
        let share =
            |residual: f64, variance: f64| if variance > 0.0 { residual * residual / variance } else { 1.0 };
        let moves = pairs.iter().enumerate().map(|(i, (score, luck))| {
            let taken: f64 = weights[i % FOLDS].iter().zip(luck).map(|(w, l)| w * l).sum();
            share(score - known.raw.value, known.raw_variance)
                - share(score - taken - known.score.value, known.variance)
        });
        let (_, error) = mean_and_error(&moves.collect::<Vec<_>>());
        let (ratio, factor) = (known.ratio(), error.exp());
        Some(Seen { known, gain: Estimate { value: ratio, low: ratio / factor, high: ratio * factor } })
    }
}

/// Adds the tables of gains and of bias; returns the pairs of the equals by the usual judge.
pub(super) fn find(
    manifest: &Manifest,
    results: &Results,
    findings: &mut Findings,
) -> Result<Vec<Pair>, LabError> {
    let (mut rows, mut all, mut equals, judges) = (Vec::new(), Vec::new(), Vec::new(), judges(manifest));
    for (n, (_, _, name)) in OPPONENTS.into_iter().enumerate() {
        let pairs = read(&gain_match(manifest, n), &judges, results)?;
        let seen: Vec<Seen> = pairs.iter().filter_map(|pairs| Seen::of(pairs)).collect();
        if let Some(usual) = seen.get(USUAL) {
            let scores = [usual.known.raw, usual.known.score].map(|score| percent(&score).into());
            let gains = seen.iter().map(|seen| Cell::new(range(&seen.gain), mood(&seen.gain)));
            rows.push(Row { head: name.to_owned(), cells: scores.into_iter().chain(gains).collect() });
        }
        all.extend(judges.iter().zip(seen).map(|(judge, seen)| (name, judge.as_str(), seen)));
        if n == 0 {
            equals.clone_from(&pairs[USUAL]);
        }
    }
    if all.is_empty() {
        bias(manifest, results, findings)?;
        return Ok(equals);
    }
    let nodes = grouped(manifest.number("nodes"));
    let names = judges.iter().map(|judge| format!("gain, {judge}"));
    findings.report.tables.push(Table {
        title: "Gain by judge".to_owned(),
        caption: format!("How many times as many games one would need with luck for the same interval, with its 95 % interval by pair. We play with {nodes} nodes per move, {} pairs a row; the score without luck is that of {}.", manifest.number("pairs"), judges[USUAL]),
        columns: ["opponent", "score", "without luck"].map(str::to_owned).into_iter().chain(names).collect(),
        rows,
    });
    findings.report.figures.push(figure(&all));
    // Few pairs do not show how much luck counts, and estimating it costs some of them.
    let enough = manifest.number("pairs") >= 200;
    let worst = all.iter().min_by(|a, b| a.2.gain.high.total_cmp(&b.2.gain.high));
    if let Some((name, judge, seen)) = worst.filter(|_| enough) {
        findings.checks.push(Check::new(
            "no judge certainly makes a match worse: every gain's interval reaches 0.98",
            seen.gain.high >= 0.98,
            format!("the least is {} against {name} with {judge}", range(&seen.gain)),
        ));
    }
    if let Some((_, judge, seen)) = all.get(USUAL).filter(|_| enough) {
        findings.checks.push(Check::new(
            "between equals luck saves games: the gain's interval begins above 1.3",
            seen.gain.low > 1.3,
            format!("{} with {judge}", range(&seen.gain)),
        ));
    }
    findings.data["gains"] = all
        .iter()
        .map(|(name, judge, Seen { known, gain })| {
            serde_json::json!({
                "match": name, "judge": judge, "pairs": known.pairs, "score": [known.raw.low, known.raw.value, known.raw.high],
                "adjusted": [known.score.low, known.score.value, known.score.high], "gain": [gain.low, gain.value, gain.high], "weights": known.weights,
            })
        })
        .collect();
    bias(manifest, results, findings)?;
    Ok(equals)
}

/// The mean adjustment, which should be 0 for every judge.
fn bias(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let (mut rows, mut data, mut worst) = (Vec::new(), Vec::new(), (0.0f64, String::new()));
    let minds = minds(manifest);
    for (game, name) in bias_matches(manifest).iter().zip(["equals", "four times the nodes"]) {
        for (mind, pairs) in minds.iter().zip(read(game, &minds, results)?) {
            let Some(Seen { known, gain }) = Seen::of(&pairs) else { continue };
            let mut off = vec![("taken off", known.taken, 0.0)];
            if name == "equals" {
                off.push(("score without luck", known.score, 0.5));
            }
            for (what, estimate, truth) in off {
                let errors = errors(&estimate, truth);
                if errors.abs() >= worst.0 {
                    worst = (errors.abs(), format!("{what}, {name}, {mind}"));
                }
            }
            let taken =
                Estimate { value: -known.taken.value, low: -known.taken.high, high: -known.taken.low };
            rows.push(Row {
                head: format!("{name}, {mind}"),
                cells: vec![
                    percent(&known.raw).into(),
                    percent(&known.score).into(),
                    points_of_hundred(&taken).into(),
                    signed(errors(&taken, 0.0), 1).into(),
                    range(&gain).into(),
                    grouped(2 * known.pairs).into(),
                ],
            });
            data.push(serde_json::json!({
                "match": name, "judge": mind, "pairs": known.pairs, "score": known.raw.value, "adjusted": known.score.value,
                "difference": [taken.low, taken.value, taken.high], "gain": gain.value,
            }));
        }
    }
    if rows.is_empty() {
        return Ok(());
    }
    findings.report.tables.push(Table {
        title: "Adjusted less raw".to_owned(),
        caption: format!("Games at {} nodes per move, the first piece turned over by lot. The judge silly takes the digits of a position's key for its value.", manifest.number("cheap")),
        columns: ["players and judge", "score", "without luck", "difference", "in errors", "gain", "games"].map(str::to_owned).to_vec(),
        rows,
    });
    findings.checks.push(Check::new(
        "adjusting changes no score but by chance: everything is within three and a half errors of nothing, and equals of one half",
        worst.0 < 3.5,
        format!("the furthest is {:.1} errors away: {}", worst.0, worst.1),
    ));
    findings.data["bias"] = data.into();
    Ok(())
}

/// The distance of an estimate from the truth in standard errors. With few pairs the error is uncertain: it
/// is enlarged as much as their interval is.
pub(super) fn errors(estimate: &Estimate, truth: f64) -> f64 {
    let error = (estimate.high - estimate.low) / 2.0 / 1.96;
    if error > 0.0 { (estimate.value - truth) / error } else { 0.0 }
}

fn percent(estimate: &Estimate) -> String {
    format!("{:.1}{} %", 100.0 * estimate.value, plus_minus(100.0 * estimate.error(), 1))
}

pub(super) fn points_of_hundred(estimate: &Estimate) -> String {
    format!("{}{}", signed(100.0 * estimate.value, 2), plus_minus(100.0 * estimate.error(), 2))
}

fn range(gain: &Estimate) -> String {
    format!("{:.2} ({:.2}–{:.2})", gain.value, gain.low, gain.high)
}

fn mood(gain: &Estimate) -> Mood {
    match gain {
        gain if gain.low > 1.0 => Mood::Good,
        gain if gain.high < 0.98 => Mood::Bad,
        _ => Mood::Plain,
    }
}

fn figure(all: &[(&str, &str, Seen)]) -> Figure {
    let names: Vec<String> = all.iter().map(|(name, judge, _)| format!("{name}, {judge}")).collect();
    let mark = |(place, (name, judge, seen)): (usize, &(&str, &str, Seen))| Mark::Whisker {
        y: place as f64 + 0.5,
        range: (seen.gain.low, seen.gain.value, seen.gain.high),
        tone: Tone::Series(place / JUDGES.len()),
        note: format!("{name}, {judge}: {}", range(&seen.gain)),
    };
    let reach = all.iter().fold(2.5f64, |reach, (_, _, seen)| reach.max(seen.gain.high)).min(5.0);
    Figure {
        title: "Games saved".to_owned(),
        plot: Plot {
            label: "How many times as many games one would need with luck, by opponent and by judge"
                .to_owned(),
            x: Axis::numbers("times as many games", 0.0, reach),
            y: Axis::names(&names),
            marks: all.iter().enumerate().map(mark).collect(),
            legend: Vec::new(),
            height: 400.0,
        },
        caption: "With 95 % intervals by pair. At 1 luck says nothing.".to_owned(),
    }
}
