//! Tables 1 and 2: how playouts end, by policy and by what the draw condition counts.
//!
//! Times are not here, because they are different every time: `anglerfish bench playouts` has them. Neither are Table 1's best
//! moves, which depend on how the paper shared 2,000 playouts among them.

use anglerfish_arena::report::{Row, Table};
use anglerfish_engine::playout::Policy;
use anglerfish_engine::playout::banqi::{Counts, Judged, Playouts};
use anglerfish_rules::Rng;
use anglerfish_rules::banqi::{Banqi, Change, Color, Position, Repetition, RuleSet};
use serde::{Deserialize, Serialize};

use super::paper::{self, TABLE1, TABLE2};
use crate::stats::interval;
use crate::{Manifest, Results};

/// What sets the counter of the draw condition back, and what raises it.
#[derive(Clone, Copy, PartialEq)]
enum Reading {
    /// Captures and flips set it back: as the paper says.
    Stated,
    /// Only flips do, and captures count as plies; equal ranks do not take each other. The closest to Table 2.
    Flips,
    /// The same, but captures do not count: the closest to the endings of Table 1.
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
pub(super) fn work(words: &[&str]) -> Result<String, String> {
    let [reading, place, policy, size, n, seed] = words else {
        return Err("six words are needed".to_owned());
    };
    let named = |what: &str| format!("{what:?} is unknown");
    let reading = READINGS.iter().find(|(name, _)| name == reading).ok_or_else(|| named(reading))?.1;
    let policy = Policy::ALL.iter().find(|(name, _)| name == policy).ok_or_else(|| named(policy))?.1;
    let game = match *place {
        "beginning" => Banqi::start(RuleSet::PAPER40),
        "middle" => paper::figure2(),
        "ending" => paper::ending(),
        _ => return Err(named(place)),
    };
    let number = |text: &str| text.parse::<u32>().map_err(|e| format!("{text}: {e}"));
    let (size, n) = (number(size)?, number(n)?);
    let mut rng = Rng::stream(seed.parse().map_err(|e| format!("{seed}: {e}"))?, "playouts");
    let mut sample = Sample { n, ..Sample::default() };
    for _ in 0..n {
        let (end, drawn, plies) = play(reading, policy, size, &game, &mut rng);
        sample.draws += u32::from(drawn);
        for (sums, x) in [(&mut sample.pieces, end.occupied().count_ones()), (&mut sample.plies, plies)] {
            sums[0] += f64::from(x);
            sums[1] += f64::from(x).powi(2);
        }
    }
    serde_json::to_string(&sample).map_err(|e| e.to_string())
}

/// Where a playout ends, whether it is a draw, and after how many plies.
fn play(reading: Reading, policy: Policy, size: u32, game: &Banqi, rng: &mut Rng) -> (Position, bool, u32) {
    if reading == Reading::Stated {
        let playouts =
            Playouts { policy, size: Some(size as u16), counts: Counts::Quiet, judged: Judged::Draw };
        let (end, verdict, plies) = playouts.play(game.position(), game.ruleset(), rng);
        return (end, matches!(verdict, anglerfish_rules::banqi::Verdict::Draw(_)), plies);
    }
    let rules = RuleSet { quiet: u16::MAX, repetition: Repetition::None, ..*game.ruleset() };
    let legal = |p: &Position, color: Color| p.moves_of(color).without_equals(p);
    let (mut p, mut plies, mut quiet) = (*game.position(), 0, 0);
    // Without captures among equals a side may be stuck where the rules let it move.
    while p.verdict(&rules, false).is_none() && p.side().is_none_or(|us| !legal(&p, us).is_empty()) {
        let event = p.resolve(policy.pick(&p, legal, rng), rng);
        quiet = match p.play(event, &rules) {
            Change::Flip => 0,
            Change::Capture => quiet + u32::from(reading == Reading::Flips),
            Change::Step => quiet + 1,
        };
        plies += 1;
        if quiet >= size {
            return (p, true, plies);
        }
    }
    (p, false, plies)
}

/// Tables 1 and 2, each cell as mean with its 95 % interval.
pub(super) fn tables(
    manifest: &Manifest,
    results: &Results,
) -> Result<(Vec<Table>, serde_json::Value), String> {
    let mut data = Vec::new();
    let mut cell = |(reading, place, policy, size): Place<'_>| -> Result<[String; 3], String> {
        let unit = unit(manifest, reading, place, policy, size);
        let text = results.get(&unit).ok_or_else(|| format!("{unit} is missing"))?;
        let sample: Sample = serde_json::from_str(text).map_err(|e| e.to_string())?;
        data.push(serde_json::json!({ "reading": reading, "position": place, "policy": policy, "size": size, "sample": sample }));
        let n = f64::from(sample.n);
        let share = f64::from(sample.draws) / n;
        let (low, high) = interval(share, sample.n);
        let mean = |[sum, squares]: [f64; 2], decimals: usize| {
            let mean = sum / n;
            let half = 1.96 * ((squares / n - mean * mean).max(0.0) / n).sqrt();
            format!("{mean:.decimals$} ± {half:.decimals$}")
        };
        Ok([format!("{share:.2} ({low:.2} to {high:.2})"), mean(sample.pieces, 2), mean(sample.plies, 1)])
    };
    let mut first = Vec::new();
    for (row, place) in PLACES.into_iter().enumerate() {
        for (column, (policy, _)) in Policy::ALL.into_iter().enumerate() {
            let (pieces, plies) = TABLE1[row][column];
            let mut cells = vec![format!("{pieces:.2} / {plies:.1}").into()];
            for (reading, _) in READINGS {
                let [_, pieces, plies] = cell((reading, place, policy, 40))?;
                cells.push(format!("{pieces} / {plies}").into());
            }
            first.push(Row { head: format!("{place}, {policy}"), cells });
        }
    }
    let mut second = Vec::new();
    for (policy, paper) in TABLE2 {
        for (size, (draws, pieces, plies)) in [40, 160, 640].into_iter().zip(paper) {
            let mut cells = vec![format!("{draws:.2} / {pieces:.2} / {plies:.1}").into()];
            for (reading, _) in READINGS {
                cells.push(cell((reading, PLACES[0], policy, size))?.join(" / ").into());
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
    let table2 = Table {
        title: "Table 2: playouts from the beginning by draw condition".to_owned(),
        caption: "Share of draws / remaining pieces / plies, with 95 % intervals.".to_owned(),
        columns: columns("policy, draw condition"),
        rows: second,
    };
    Ok((vec![table1, table2], data.into()))
}
