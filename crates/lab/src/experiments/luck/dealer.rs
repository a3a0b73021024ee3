//! A dealer who sometimes draws twice and keeps the outcome that favors one side: does the luck of the games
//! expose it?

use anglerfish_arena::stats::elo::Estimate;
use anglerfish_arena::{
    Budget, Clocks, Contestant, Dealer, GameOptions, Judging, Player, Table as Seats, play,
};
use anglerfish_engine::Assets;
use anglerfish_engine::luck::{GAME, Judge, luck};
use anglerfish_report::{Row, Table, grouped};
use anglerfish_rules::banqi::{Action, Banqi, Event, RuleSet};
use anglerfish_rules::{Game, Rng, RngExt};

use super::judged::{errors, points_of_hundred};
use crate::experiment::{read_unit, written};
use crate::stats::{mean_and_error, signed};
use crate::{Check, Findings, LabError, Manifest, Results};

/// Games of a unit.
const BATCH: u64 = 20;

/// Mean luck beyond this many errors is suspicious.
const FOUND_OUT: f64 = 3.0;

/// Draws twice in this many of a hundred flips, and keeps the outcome that is better for the first mover.
struct Cheat {
    dice: Rng,
    percent: u32,
    judge: Judge<Banqi>,
}

impl Dealer<Banqi> for Cheat {
    fn resolve(&mut self, game: &Banqi, action: Action) -> Event {
        let event = game.draw(action, &mut self.dice);
        if matches!(action, Action::Move { .. }) || self.dice.below(100) >= self.percent {
            return event;
        }
        let again = game.draw(action, &mut self.dice);
        let mut worth = |event: Event| {
            let mut after = game.clone();
            after.apply(event);
            self.judge.opinion(&after).value
        };
        if worth(again) > worth(event) { again } else { event }
    }
}

/// An honest dealer, and this one.
fn dealers(manifest: &Manifest) -> [u64; 2] {
    [0, manifest.number("cheats").min(100)]
}

fn units_of(manifest: &Manifest, percent: u64) -> impl Iterator<Item = String> {
    let (games, cheap, seed) = (manifest.number("cheated"), manifest.number("cheap"), manifest.seed);
    let unit =
        move |first: u64| format!("dealer {percent} {cheap} {seed} {first} {}", BATCH.min(games - first));
    (0..games).step_by(BATCH as usize).map(unit)
}

pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    dealers(manifest).into_iter().flat_map(|percent| units_of(manifest, percent)).collect()
}

/// The luck of the first mover in each game.
pub(super) fn work(unit: &str) -> Result<String, LabError> {
    let numbers: Result<Vec<u64>, _> = unit.split(' ').map(str::parse).collect();
    let Ok(&[percent, nodes, seed, first, games]) = numbers.as_deref() else {
        return Err("expected five numbers".into());
    };
    let mut judge = Judging::default().judge::<Banqi>()?;
    let mut found = Vec::new();
    for n in first..first + games {
        let cheat = Cheat {
            dice: Rng::stream(seed, &format!("dealer:{percent}:{n}")),
            percent: percent as u32,
            judge: Judge::new("alphabeta", 0)?,
        };
        let contestant = Contestant::builtin("alphabeta", "alphabeta,hash=1", &format!("nodes={nodes}"));
        let player = || contestant.player::<Banqi>(&RuleSet::PLATFORM, &Assets::default());
        let (mut one, mut other) = (player()?, player()?);
        let table =
            Seats::new(Banqi::start(RuleSet::PLATFORM), cheat, Clocks::new([Budget::Nodes(nodes); 2]));
        let mut chairs: [&mut dyn Player<Banqi>; 2] = [&mut *one, &mut *other];
        let record = play(
            table,
            &mut chairs,
            Rng::stream(seed, &format!("players:{n}")).next_u64(),
            GameOptions::default(),
        );
        found.push(luck(&mut judge, &record, 0).iter().sum::<i64>());
    }
    written(&found)
}

pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let (mut rows, mut data) = (Vec::new(), Vec::new());
    for percent in dealers(manifest) {
        let mut luck = Vec::new();
        for unit in units_of(manifest, percent) {
            let found: Vec<i64> = read_unit(&unit, results)?;
            luck.extend(found.into_iter().map(|luck| luck as f64 / (2 * GAME) as f64));
        }
        if luck.is_empty() {
            return Ok(());
        }
        let after = |games: usize| {
            let (mean, error) = mean_and_error(&luck[..games]);
            let estimate = Estimate { value: mean, low: mean - error, high: mean + error };
            (errors(&estimate, 0.0), estimate)
        };
        // The number of games after which the dealer stays suspicious to the end.
        let late = (20..=luck.len()).rev().take_while(|&n| after(n).0.abs() > FOUND_OUT).last();
        let (away, estimate) = after(luck.len());
        let honest = percent == 0;
        rows.push(Row {
            head: if honest { "honest".to_owned() } else { format!("draws twice at {percent} % of flips") },
            cells: vec![
                points_of_hundred(&estimate).into(),
                signed(away, 1).into(),
                late.map_or("-".to_owned(), |n| grouped(n as u64)).into(),
                grouped(luck.len() as u64).into(),
            ],
        });
        let (what, held) = if honest {
            (
                "an honest dealer is not found out: mean luck is within three and a half errors of nothing",
                away.abs() < 3.5,
            )
        } else {
            (
                "a dealer who cheats is found out: mean luck is over three errors from nothing",
                away > FOUND_OUT,
            )
        };
        findings.checks.push(Check::new(what, held, format!("{away:.1} errors after {} games", luck.len())));
        data.push(serde_json::json!({ "percent": percent, "games": luck.len(), "mean": estimate.value, "errors": away, "found_out_after": late }));
    }
    findings.report.tables.push(Table {
        title: "A dealer who cheats".to_owned(),
        caption: "Luck of the first mover in points of a hundred a game, by the usual judge. He keeps what is better for that side by an evaluation without search. Found out: from how many games on it stays over three errors.".to_owned(),
        columns: ["dealer", "luck", "in errors", "found out after", "games"].map(str::to_owned).to_vec(),
        rows,
    });
    findings.data["dealers"] = data.into();
    Ok(())
}
