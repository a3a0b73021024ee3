//! Counts the sequences of events from a position: of each depth up to two, or up to the one that is asked for.
//!
//! `cargo run --release --example perft -- 3 "POSITION"`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;

use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::perft;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let depth: u32 = words.next().map_or(Ok(2), |word| word.parse())?;
    let position = words.next();
    let game: Banqi = position.map_or(Ok(Banqi::start(RuleSet::PLATFORM)), |text| text.parse())?;
    println!("{game}");
    for depth in 1..=depth {
        let total = perft(&game, depth);
        println!("depth {depth}: {} sequences, weight {}", total.count, total.weight);
    }
    Ok(())
}
