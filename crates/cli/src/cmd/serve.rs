//! `anglerfish dctp`, `uci` and `wakasagi`: a player of ours behind the protocols of the field.

use std::io::{BufRead, Read, Write};

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::{Answer, dctp, uci, wakasagi};
use anglerfish_rules::banqi::RuleSet;
use anyhow::anyhow;

use crate::input::parse_pointing;

/// What the three commands have in common
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Who plays: greedy, or an engine's configuration such as alphabeta,threads=2
    #[arg(long, default_value = "alphabeta")]
    player: String,
    /// The rules; none of these protocols but uci can name them
    #[arg(long)]
    rules: Option<String>,
    /// The seed of everything random
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// Which of them.
#[derive(Clone, Copy)]
pub(crate) enum Protocol {
    Dctp,
    Uci,
    Wakasagi,
}

/// Longer lines are cut; no command is this long.
const LONGEST_LINE: u64 = 1 << 20;

pub(crate) fn run(args: &Args, protocol: Protocol) -> anyhow::Result<bool> {
    let player = builtin(&args.player).map_err(|e| anyhow!("--player: {e}"))?;
    let default = if matches!(protocol, Protocol::Wakasagi) { "course2025" } else { "platform" };
    let rules: RuleSet = parse_pointing(args.rules.as_deref().unwrap_or(default))?;
    let name = format!("anglerfish-{}", args.player);
    match protocol {
        Protocol::Dctp => {
            let mut session = dctp::Session::new(player, &name, rules, args.seed);
            pump(|line| session.line(line))
        }
        Protocol::Uci => {
            let mut session = uci::Session::new(player, &name, rules, args.seed);
            pump(|line| session.line(line))
        }
        Protocol::Wakasagi => {
            let mut session = wakasagi::Session::new(player, rules, args.seed);
            pump(|line| session.line(line))
        }
    }
}

/// Carries lines between the standard streams and a session.
fn pump(mut answer: impl FnMut(&str) -> Answer) -> anyhow::Result<bool> {
    let mut input = std::io::stdin().lock();
    let mut output = std::io::stdout().lock();
    let mut line = Vec::new();
    loop {
        line.clear();
        if input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
            return Ok(true);
        }
        while line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            // The rest of a line that is too long is skipped, not taken for another command.
            let mut rest = Vec::new();
            let n = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest)?;
            if n == 0 || rest.last() == Some(&b'\n') {
                break;
            }
        }
        let Answer { lines, quit } = answer(&String::from_utf8_lossy(&line));
        for line in lines {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
        if quit {
            return Ok(true);
        }
    }
}
