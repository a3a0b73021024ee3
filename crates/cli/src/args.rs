//! What may stand on the command line.

use clap::{Parser, Subcommand};

use crate::cmd;

/// Chinese Dark Chess (Banqi, 暗棋) at the command line.
#[derive(Parser)]
#[command(name = "anglerfish", version, propagate_version = true, max_term_width = 110)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Show(cmd::show::Args),
    Replay(cmd::replay::Args),
    Deal(cmd::deal::Args),
    Perft(cmd::perft::Args),
    Bench(cmd::bench::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}
