//! The best choices in a position, the value of each, and the possible outcomes of a flip.

use anglerfish_engine::{Config, Engine, Info, Limits, Line, SearchGame, Stop, Value, Wdl};
use anglerfish_rules::banqi::{Banqi, Color, Event};
use anglerfish_rules::{ChanceOutcome, Game, Seat};
use serde::Serialize;

/// A search of a position by an engine in the mover's seat, comparing `lines` choices, or all of them.
pub fn analyse(
    engine: &mut Engine<Banqi>,
    game: &Banqi,
    lines: Option<usize>,
    limits: Limits,
    stop: &Stop,
) -> Info<Banqi> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    // With one line there is nothing to compare, and a search that does not compare has no fans.
    let lines = lines.unwrap_or(actions.len()).max(2);
    engine.analyse(game, lines, limits, stop, &mut |_| {}).info
}

/// Whether shares were fitted to games of this player under these rules.
pub fn is_calibrated(config: &Config, game: &Banqi) -> bool {
    let Config { search, eval, .. } = Config::default();
    game.is_calibrated() && config.search == search && config.eval == eval
}

/// The possible outcomes of a line's first action, each with the shares of games from there.
pub fn fan(game: &Banqi, line: &Line<Banqi>) -> Vec<(ChanceOutcome<Event>, Wdl)> {
    let shown = |&(chance, value): &(ChanceOutcome<Event>, Value)| {
        let mut after = game.clone();
        after.apply(chance.event);
        (chance, after.shares(value))
    };
    line.fan.iter().map(shown).collect()
}

/// The shares of games after a line; of a flip, the mean over its outcomes.
pub fn shares(game: &Banqi, line: &Line<Banqi>) -> Wdl {
    let fan = fan(game, line);
    if fan.is_empty() {
        return game.shares(line.value);
    }
    let total: u32 = fan.iter().map(|(chance, _)| chance.weight).sum();
    let mean = |share: fn(&Wdl) -> f64| {
        fan.iter().map(|(chance, wdl)| f64::from(chance.weight) * share(wdl)).sum::<f64>() / f64::from(total)
    };
    Wdl { win: mean(|wdl| wdl.win), draw: mean(|wdl| wdl.draw), loss: mean(|wdl| wdl.loss) }
}

/// All of it for machines.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Analysis {
    schema: u32,
    position: String,
    seat: u8,
    /// The color of the mover, once a piece has been turned over.
    color: Option<&'static str>,
    depth: u32,
    nodes: u64,
    ms: u64,
    /// Whether shares were fitted to games of this player under these rules.
    calibrated: bool,
    lines: Vec<ShownLine>,
}

/// A choice, and how the game goes on.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS), ts(rename = "Line"))]
struct ShownLine {
    actions: Vec<String>,
    value: f32,
    win: f64,
    draw: f64,
    loss: f64,
    search: f32,
    fan: Vec<Outcome>,
}

/// An outcome of the first action of a line.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Outcome {
    event: String,
    weight: u32,
    probability: f64,
    value: f32,
}

impl Analysis {
    /// These lines of what was seen.
    pub fn new<'a>(
        game: &Banqi,
        seat: Seat,
        info: &Info<Banqi>,
        calibrated: bool,
        lines: impl IntoIterator<Item = &'a Line<Banqi>>,
    ) -> Analysis {
        Analysis {
            schema: 1,
            position: game.to_string(),
            seat: seat.0,
            color: game.position().side().map(Color::name),
            depth: info.depth,
            nodes: info.nodes,
            ms: info.time.as_millis() as u64,
            calibrated,
            lines: lines.into_iter().map(|line| ShownLine::new(game, line)).collect(),
        }
    }
}

impl ShownLine {
    fn new(game: &Banqi, line: &Line<Banqi>) -> ShownLine {
        let shares = shares(game, line);
        let fan = fan(game, line);
        let total: u32 = fan.iter().map(|(chance, _)| chance.weight).sum();
        let outcome = |(chance, shares): &(ChanceOutcome<Event>, Wdl)| Outcome {
            event: chance.event.to_string(),
            weight: chance.weight,
            probability: f64::from(chance.weight) / f64::from(total),
            value: shares.value().0,
        };
        ShownLine {
            actions: line.actions.iter().map(ToString::to_string).collect(),
            value: shares.value().0,
            win: shares.win,
            draw: shares.draw,
            loss: shares.loss,
            search: line.value.0,
            fan: fan.iter().map(outcome).collect(),
        }
    }
}
