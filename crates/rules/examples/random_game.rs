//! Plays a random game of Banqi and prints its record.
//!
//! `cargo run --example random_game -- SEED`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Cause, Ending, Game, Ply, Record, Rng, RngExt, Turn};

fn main() {
    let seed = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    let mut rng = Rng::new(seed);
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let mut record = Record::new(game.clone());
    let mut actions = Vec::new();
    record.ending = loop {
        match game.turn() {
            Turn::Over(outcome, reason) => break Some(Ending { outcome, cause: Cause::Rules(reason) }),
            Turn::Seat(seat) => {
                game.actions(&mut actions);
                let event = game.draw(rng.pick(&actions), &mut rng);
                record.plies.push(Ply { seat, event, took: Duration::ZERO });
                game.apply(event);
            }
        }
    };
    println!("{record}");
}
