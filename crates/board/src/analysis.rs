//! The best choices in a position, what each is worth, and what a flip may bring: for the command line and the pages in the browser alike.

use anglerfish_engine::{Config, Engine, Info, Kit, Limits, Line, Stop, Value, Wdl};
use anglerfish_rules::banqi::{Banqi, Color, Event};
use anglerfish_rules::{Chance, Game, Seat};
use serde_json::json;

/// What an engine that sits at the seat to move sees in a position, comparing at least so many choices; everything that may be chosen if nobody says how many.
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

/// Whether games of such a player under such rules are what shares were fitted to.
pub fn is_calibrated(config: &Config, game: &Banqi) -> bool {
    let Config { search, eval, .. } = Config::default();
    game.is_calibrated() && config.search == search && config.eval == eval
}

/// What may come of a line's first action, each as games go on from there.
pub fn fan(game: &Banqi, line: &Line<Banqi>) -> Vec<(Chance<Event>, Wdl)> {
    let shown = |&(chance, value): &(Chance<Event>, Value)| {
        let mut after = game.clone();
        after.apply(chance.event);
        (chance, after.shares(value))
    };
    line.fan.iter().map(shown).collect()
}

/// How games go on with a line: a flip as with what may come of it, on average.
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

/// All of it for machines: these lines of what was seen.
pub fn json<'a>(
    game: &Banqi,
    seat: Seat,
    info: &Info<Banqi>,
    calibrated: bool,
    lines: impl IntoIterator<Item = &'a Line<Banqi>>,
) -> serde_json::Value {
    json!({
        "schema": 1,
        "position": game.to_string(),
        "seat": seat.0,
        "color": game.position().side().map(Color::name),
        "depth": info.depth,
        "nodes": info.nodes,
        "ms": info.time.as_millis() as u64,
        "calibrated": calibrated,
        "lines": lines.into_iter().map(|line| describe(game, line)).collect::<Vec<_>>(),
    })
}

fn describe(game: &Banqi, line: &Line<Banqi>) -> serde_json::Value {
    let shares = shares(game, line);
    let fan = fan(game, line);
    let total: u32 = fan.iter().map(|(chance, _)| chance.weight).sum();
    let outcome = |(chance, shares): &(Chance<Event>, Wdl)| {
        json!({
            "event": chance.event.to_string(),
            "weight": chance.weight,
            "probability": f64::from(chance.weight) / f64::from(total),
            "value": shares.value().0,
        })
    };
    json!({
        "actions": line.actions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "value": shares.value().0,
        "win": shares.win,
        "draw": shares.draw,
        "loss": shares.loss,
        "search": line.value.0,
        "fan": fan.iter().map(outcome).collect::<Vec<_>>(),
    })
}
