//! Reads records from a file or the standard input, replays them, and prints where each game ended.
//!
//! `cargo run --example random_game | cargo run --example replay`
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::error::Error;
use std::io::Read;

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::read_records;

fn main() -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    match std::env::args().nth(1) {
        Some(path) => text = std::fs::read_to_string(path)?,
        None => drop(std::io::stdin().read_to_string(&mut text)?),
    }
    for record in read_records::<Banqi>(&text) {
        let record = record.map_err(|error| error.pointing_at(&text))?;
        // Every ply has to be possible, and the rules have to agree with the recorded ending.
        let last = record.replay()?;
        let ending = record.ending.map_or("unfinished".to_owned(), |ending| ending.to_string());
        println!("{} plies, {ending}: {last}", record.plies.len());
    }
    Ok(())
}
