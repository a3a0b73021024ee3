//! Chores: `cargo xtask tidy`, `dist`, `web`, `passes`, `openspiel-trace` and `faults`.

#![allow(clippy::print_stdout, reason = "a command line tool")]

mod circles;
mod dist;
mod errors;
mod faults;
mod guarantees;
mod passes;
mod prose;
mod tidy;
mod trace;
mod web;

use std::path::PathBuf;

use clap::Parser;

#[derive(Parser)]
#[command(name = "cargo xtask", about = "Chores of the Anglerfish workspace")]
enum Command {
    /// Check dependencies, circles of files, lengths, and texts that must agree
    Tidy,
    /// Build the release archive: binary, man pages, completions, licenses and checksums
    Dist {
        /// Features of the program, separated by commas: `full` for a public release
        #[arg(long, default_value = "store")]
        features: String,
        /// Not for release: skip the check that `.ci/run full` has passed
        #[arg(long)]
        trial: bool,
    },
    /// Build the pages of the board in the browser into `web/dist`; needs Node
    Web,
    /// Read or write `.ci/full.log`: which stages of `.ci/run` have passed
    #[command(subcommand)]
    Passes(passes::Args),
    /// Write random games for `oracle/openspiel.py`
    OpenspielTrace {
        /// Least number of plies
        #[arg(long, default_value_t = 1_000_000)]
        plies: u64,
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
    /// Run a proxy that injects faults between a program and an object store
    Faults(faults::Args),
}

fn main() -> anyhow::Result<()> {
    match Command::parse() {
        Command::Tidy => tidy::run(&root()),
        Command::Dist { features, trial } => dist::run(&root(), &features, trial),
        Command::Web => web::run(&root()),
        Command::Passes(args) => passes::run(&root(), &args),
        Command::OpenspielTrace { plies, seed } => trace::run(plies, seed),
        Command::Faults(args) => faults::run(&args),
    }
}

/// The folder of the workspace.
fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is inside the workspace").to_owned()
}
