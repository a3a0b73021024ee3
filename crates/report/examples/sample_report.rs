//! Writes two sample reports: a match of Greedy against Random, and a made-up Swiss tournament.
//!
//! `cargo run --release --example sample_report -- FOLDER`

#[path = "../tests/all/samples.rs"]
mod samples;

use std::path::PathBuf;

use anglerfish_report::html;

fn main() -> std::io::Result<()> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| ".".to_owned()));
    for (name, report) in [("match.html", samples::match_of(100)), ("swiss.html", samples::swiss(20, 7))] {
        std::fs::write(folder.join(name), html(&report))?;
    }
    Ok(())
}
