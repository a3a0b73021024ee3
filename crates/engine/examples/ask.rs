//! Asks the engine for a move in a position.
//!
//! `cargo run --release --example ask -- "POSITION" alphabeta,hash=16`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::sync::Arc;

use anglerfish_engine::{Assets, Config, Engine, Limits, ManualClock, Stop};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, Turn};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let position = words.next();
    let game: Banqi = position.map_or(Ok(Banqi::start(RuleSet::PLATFORM)), |text| text.parse())?;
    let config: Config = words.next().as_deref().unwrap_or("alphabeta,hash=16").parse()?;
    // Time stands still on this clock, so only the nodes are limited and the answer is always the same.
    let clock = Arc::new(ManualClock::default());
    let mut engine = Engine::<Banqi>::new(&config, &Assets::default(), clock)?;
    let Turn::Seat(seat) = game.turn() else { return Err("the game is over".into()) };
    engine.new_game(seat, 1, None);
    let decision = engine.think(&game, Limits::nodes(100_000), &Stop::default(), &mut |_| {});
    let info = &decision.info;
    println!("{game}\nplay {}, after {} nodes to depth {}", decision.action, info.nodes, info.depth);
    Ok(())
}
