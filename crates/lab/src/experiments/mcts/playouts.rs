//! Tables 1 and 2: how playouts end, by policy and by the plies that the draw condition counts.
//!
//! Times differ between runs and are left to `anglerfish bench playouts`. The paper does not say how it
//! shared 2,000 playouts among the compared moves; here playouts begin as their policy does, and the best
//! action is the first action with the best mean result.

use std::collections::BTreeMap;

use anglerfish_engine::playout::Policy;
use anglerfish_engine::playout::banqi::{material, pick};
use anglerfish_report::{Row, Table};
use anglerfish_rules::banqi::{Action, Banqi, Change, Color, Position, Repetition, RuleSet, Terminal};
use anglerfish_rules::{Reason, Rng};
use serde::{Deserialize, Serialize};

use super::paper::{self, BEST, TABLE1, TABLE2};
use crate::experiment::{number, read_unit, written};
use crate::stats::{error, interval, plus_minus};
use crate::{Check, Findings, LabError, Manifest, Results};

/// Which plies reset the counter of the draw condition, and which raise it.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// Captures and flips reset it: as the paper says.
    Stated,
    /// Only flips reset it, and captures count as plies; equal ranks do not capture each other. The closest
    /// to Table 2.
    Flips,
    /// As `Flips`, but captures do not count: the closest to the endings of Table 1.
    Neutral,
}

const READINGS: [(&str, Reading); 3] =
    [("stated", Reading::Stated), ("flips", Reading::Flips), ("neutral", Reading::Neutral)];

const PLACES: [&str; 3] = ["beginning", "middle", "ending"];

/// Sums over the playouts of a unit.
#[derive(Default, Serialize, Deserialize)]
struct Sample {
    n: u32,
    draws: u32,
    pieces: [f64; 2],
    plies: [f64; 2],
    /// The best first action with its wins, draws and losses, without and with evaluation.
    best: [(String, [u32; 3]); 2],
}

/// The units of Tables 1 and 2.
pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    let n = manifest.number("playouts");
    if n == 0 {
        return Vec::new();
    }
    let tables = table1_cells().chain(table2_cells());
    let mut units: Vec<String> =
        tables.map(|(reading, place, policy, size)| unit(manifest, reading, place, policy, size)).collect();
    units.sort();
    units.dedup();
    units
}

type Place<'a> = (&'a str, &'a str, &'a str, u32);

fn table1_cells() -> impl Iterator<Item = Place<'static>> {
    let cell = |(reading, _): (&'static str, Reading)| {
        PLACES.into_iter().flat_map(move |place| Policy::ALL.map(|(policy, _)| (reading, place, policy, 40)))
    };
    READINGS.into_iter().flat_map(cell)
}

fn table2_cells() -> impl Iterator<Item = Place<'static>> {
    let cell = |(reading, _): (&'static str, Reading)| {
        TABLE2
            .into_iter()
            .flat_map(move |(policy, _)| [40, 160, 640].map(|size| (reading, PLACES[0], policy, size)))
    };
    READINGS.into_iter().flat_map(cell)
}

fn unit(manifest: &Manifest, reading: &str, place: &str, policy: &str, size: u32) -> String {
    format!("playouts {reading} {place} {policy} {size} {} {}", manifest.number("playouts"), manifest.seed)
}

/// Plays the playouts of a unit, given its words after `playouts`.
pub(super) fn work(words: &[&str]) -> Result<String, LabError> {
    let [reading, place, policy, size, n, seed] = words else {
        return Err("six words are needed".into());
    };
    let named = |what: &str| format!("{what:?} is unknown");
    let reading = READINGS.iter().find(|(name, _)| name == reading).ok_or_else(|| named(reading))?.1;
    let policy = Policy::ALL.iter().find(|(name, _)| name == policy).ok_or_else(|| named(policy))?.1;
    let game = match *place {
        "beginning" => Banqi::start(RuleSet::PAPER40),
        "middle" => paper::figure2(),
        "ending" => paper::ending(),
        _ => return Err(named(place).into()),
    };
    let (size, n) = (number(size)?, number(n)?);
    let mut rng = Rng::stream(number(seed)?, "playouts");
    let mut sample = Sample { n, ..Sample::default() };
    // By first action: wins, draws and losses of the side that begins, without and with evaluation.
    let mut firsts: BTreeMap<Action, [[u32; 3]; 2]> = BTreeMap::new();
    for _ in 0..n {
        let played = play(reading, policy, size, &game, &mut rng);
        sample.draws += u32::from(played.winner.is_none());
        let pieces = played.end.occupied().len();
        for (sums, x) in [(&mut sample.pieces, pieces), (&mut sample.plies, played.plies)] {
            sums[0] += f64::from(x);
            sums[1] += f64::from(x).powi(2);
        }
        let evaluated = match material(&played.end).signum() {
            0 => None,
            ahead => Some(if ahead > 0 { Color::Red } else { Color::Black }),
        };
        let place = |winner: Option<Color>| winner.map_or(1, |color| if color == played.us { 0 } else { 2 });
        let counts = firsts.entry(played.first).or_default();
        counts[0][place(played.winner)] += 1;
        counts[1][place(played.winner.or(evaluated))] += 1;
    }
    for (evaluated, best) in sample.best.iter_mut().enumerate() {
        let mean =
            |[won, drawn, lost]: [u32; 3]| (f64::from(won) - f64::from(lost)) / f64::from(won + drawn + lost);
        let rank = |(_, counts): &(&Action, &[[u32; 3]; 2])| mean(counts[evaluated]);
        if let Some((action, counts)) = firsts.iter().max_by(|a, b| rank(a).total_cmp(&rank(b))) {
            *best = (action.to_string(), counts[evaluated]);
        }
    }
    written(&sample)
}

/// One playout.
struct Simulated {
    first: Action,
    /// The color of the side that began.
    us: Color,
    end: Position,
    winner: Option<Color>,
    plies: u32,
}

fn play(reading: Reading, policy: Policy, size: u32, game: &Banqi, rng: &mut Rng) -> Simulated {
    let stated = reading == Reading::Stated;
    let quiet_limit = if stated { size as u16 } else { u16::MAX };
    let rules = RuleSet { quiet: quiet_limit, repetition: Repetition::None, ..*game.ruleset() };
    let legal = |p: &Position, color: Color| {
        if stated { p.moves_of(color) } else { p.moves_of(color).without_equals(p) }
    };
    let (mut p, mut plies, mut quiet) = (*game.position(), 0, 0);
    let first = pick(policy, &p, legal, rng);
    let mut action = first;
    loop {
        let event = p.resolve(action, rng);
        quiet = match p.play(event, &rules) {
            Change::Flip => 0,
            Change::Capture => quiet + u32::from(reading == Reading::Flips),
            Change::Step => quiet + 1,
        };
        plies += 1;
        let side = p.side().unwrap_or_else(|| unreachable!("a piece has been flipped"));
        // Without captures among equals a side may be stuck where the rules let it move.
        let stuck = || legal(&p, side).is_empty().then_some(Terminal::Loss(side, Reason::NoMove));
        let late = || (!stated && quiet >= size).then_some(Terminal::Draw(Reason::Quiet));
        if let Some(terminal) = p.terminal(&rules, false).or_else(stuck).or_else(late) {
            let winner = match terminal {
                Terminal::Loss(color, _) => Some(color.other()),
                Terminal::Draw(_) => None,
            };
            let us = if plies % 2 == 1 { side.other() } else { side };
            return Simulated { first, us, end: p, winner, plies };
        }
        action = pick(policy, &p, legal, rng);
    }
}

/// Tables 1 and 2, each cell as mean with its 95 % interval, and the checks.
pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let mut data = Vec::new();
    let mut cell = |(reading, place, policy, size): Place<'_>| -> Result<[String; 4], LabError> {
        let unit = unit(manifest, reading, place, policy, size);
        let sample = read_unit::<Sample>(&unit, results)?;
        data.push(serde_json::json!({ "reading": reading, "position": place, "policy": policy, "size": size, "sample": sample }));
        let n = f64::from(sample.n);
        let share = f64::from(sample.draws) / n;
        let (low, high) = interval(share, sample.n);
        let mean = |[sum, squares]: [f64; 2], decimals: usize| {
            let mean = sum / n;
            let half = error(squares - n * mean * mean, n);
            format!("{mean:.decimals$}{}", plus_minus(half, decimals))
        };
        let best = sample.best.map(|(action, counts)| {
            let [won, drawn, lost] =
                counts.map(|x| 100.0 * f64::from(x) / f64::from(counts.iter().sum::<u32>()));
            format!("{action} {won:.0}/{lost:.0}/{drawn:.0}")
        });
        Ok([
            format!("{share:.2} ({low:.2} to {high:.2})"),
            mean(sample.pieces, 2),
            mean(sample.plies, 1),
            best.join(", "),
        ])
    };
    let (mut first, mut best, mut bests) = (Vec::new(), Vec::new(), Vec::new());
    for (row, place) in PLACES.into_iter().enumerate() {
        for (column, (policy, _)) in Policy::ALL.into_iter().enumerate() {
            let (pieces, plies) = TABLE1[row][column];
            let mut cells = vec![format!("{pieces:.2} / {plies:.1}").into()];
            bests.push(BEST[row][column].into());
            for (reading, _) in READINGS {
                let [_, pieces, plies, best] = cell((reading, place, policy, 40))?;
                cells.push(format!("{pieces} / {plies}").into());
                bests.push(best.into());
            }
            first.push(Row { head: format!("{place}, {policy}"), cells });
            best.push(Row { head: format!("{place}, {policy}"), cells: std::mem::take(&mut bests) });
        }
    }
    let mut second = Vec::new();
    for (policy, paper) in TABLE2 {
        for (size, (draws, pieces, plies)) in [40, 160, 640].into_iter().zip(paper) {
            let mut cells = vec![format!("{draws:.2} / {pieces:.2} / {plies:.1}").into()];
            for (reading, _) in READINGS {
                cells.push(cell((reading, PLACES[0], policy, size))?[..3].join(" / ").into());
            }
            second.push(Row { head: format!("{policy}, {size}"), cells });
        }
    }
    let columns = |head: &str| {
        [head, "paper", "as stated", "only flips reset", "captures neutral"].map(str::to_owned).to_vec()
    };
    let table1 = Table {
        title: "Table 1: playouts from three positions".to_owned(),
        caption: "Remaining pieces / plies, with 95 % intervals, where 40 plies without progress are a draw. \"Only flips reset\": captures count as plies and equal ranks do not take each other; \"captures neutral\": they do not count either. Avoid and Trap are defined by us, and the ending is ours: the paper's board is not in its text.".to_owned(),
        columns: columns("position, policy"),
        rows: first,
    };
    let moves = Table {
        title: "Table 1: its best moves".to_owned(),
        caption: "Without and with evaluation: the first action with the best mean, and how many per cent of its playouts won / lost / drew. A few dozen playouts each stand behind them: best of many is mostly luck.".to_owned(),
        columns: columns("position, policy"),
        rows: best,
    };
    let table2 = Table {
        title: "Table 2: playouts from the beginning by draw condition".to_owned(),
        caption: "Share of draws / remaining pieces / plies, with 95 % intervals.".to_owned(),
        columns: columns("policy, draw condition"),
        rows: second,
    };
    findings.report.tables.extend([table1, moves, table2]);
    findings.data["playouts"] = data.into();
    findings.checks.push(draws_less(manifest, results)?);
    Ok(())
}

/// The shape of Table 2: capturing playouts are drawn less often than random ones. By the closest reading.
fn draws_less(manifest: &Manifest, results: &Results) -> Result<Check, LabError> {
    let drawn = |policy: &str| -> Result<(f64, f64, f64), LabError> {
        let sample = read_unit::<Sample>(&unit(manifest, "flips", PLACES[0], policy, 40), results)?;
        let share = f64::from(sample.draws) / f64::from(sample.n);
        let (low, high) = interval(share, sample.n);
        Ok((low, share, high))
    };
    let (random, capture) = (drawn("random")?, drawn("capture")?);
    Ok(Check::new(
        "Table 2: playouts that capture are drawn less often than random ones: the intervals do not meet",
        capture.2 < random.0,
        format!("{:.2} (at most {:.2}) and {:.2} (at least {:.2})", capture.1, capture.2, random.1, random.0),
    ))
}
