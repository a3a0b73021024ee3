//! `anglerfish completions`: scripts for the shells.

use std::io::Write;

use clap::CommandFactory;
use clap_complete::Shell;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish completions bash > ~/.local/share/bash-completion/completions/anglerfish\n  anglerfish completions fish > ~/.config/fish/completions/anglerfish.fish"
)]
pub(crate) struct Args {
    /// The shell to write it for
    shell: Shell,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut crate::args::Args::command(), "anglerfish", &mut script);
    std::io::stdout().write_all(&script)?;
    Ok(true)
}
