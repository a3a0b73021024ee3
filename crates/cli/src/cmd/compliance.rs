//! `anglerfish compliance`: the protocol errors of a program, in words for its author.

use std::io::Write;
use std::path::PathBuf;
use std::time::Duration;

use anglerfish_arena::protocol::{Protocol, compliance};
use anglerfish_arena::{Caps, Program};
use anglerfish_rules::NotationError;
use anglerfish_rules::banqi::RuleSet;
use serde_json::json;

use crate::contest::environment;
use crate::input::parse_pointing;
use crate::signals;
use crate::terminal::answer;

/// Check a program against the protocol it speaks
///
/// The program is greeted, asked for moves, told plies, given a new game, and plays whole games in both seats
/// against a random player. A failed handshake ends the checks and names its likely cause. Lines that answer
/// nothing are noted. Exit code 1 if anything is wrong.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish compliance ./mine\n  anglerfish compliance --proto uci target/release/anglerfish uci\n  anglerfish compliance --dir engines/mine --seconds 60 ./mine --some-flag"
)]
pub(crate) struct Args {
    /// The program and its arguments
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    command: Vec<String>,
    /// Its protocol: dctp, uci, misty or wakasagi
    #[arg(long, default_value = "dctp", value_parser = |text: &str| text.parse::<Protocol>().map_err(|e: NotationError| e.to_string()))]
    proto: Protocol,
    /// The folder to start it in [default: this one]
    #[arg(long)]
    dir: Option<PathBuf>,
    /// A variable of the environment to pass on or to set; may be repeated [default: the usual ones, see
    /// docs/protocol.md]
    #[arg(long, value_name = "NAME[=VALUE]")]
    env: Vec<String>,
    /// The rules of the games
    #[arg(long, default_value = "platform")]
    rules: String,
    /// Seconds on its clock for each game
    #[arg(long, default_value_t = 60)]
    seconds: u64,
    /// Pairs of games to play
    #[arg(long, default_value_t = 1)]
    pairs: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    signals::guard()?;
    let [cmd, arguments @ ..] = &args.command[..] else { unreachable!("clap asks for a command") };
    let env = environment(&args.env)?;
    let caps = Caps { answer_s: 5, ..Caps::default() };
    let program = Program {
        cmd: cmd.clone(),
        args: arguments.to_vec(),
        dir: args.dir.clone(),
        env,
        caps,
        ..Program::default()
    };
    let mut out = answer(args.json);
    let mut findings = Vec::new();
    let mut failed = None;
    let base = Duration::from_secs(args.seconds);
    let sound = compliance::check(&program, args.proto, rules, base, args.pairs, &mut |finding| {
        if !args.json {
            let line = match (&finding.fault, &finding.note) {
                (None, None) => format!("ok    {}", finding.check),
                (Some(fault), _) => {
                    format!("WRONG {}\n      {}", finding.check, fault.replace('\n', "\n      "))
                }
                (None, Some(note)) => format!("note  {}: {note}", finding.check),
            };
            if let Err(error) = writeln!(out, "{line}") {
                failed.get_or_insert(error);
            }
        }
        findings.push(json!({ "check": finding.check, "fault": finding.fault, "note": finding.note }));
    });
    if let Some(error) = failed {
        return Err(error.into());
    }
    if args.json {
        writeln!(out, "{}", json!({ "schema": 1, "sound": sound, "findings": findings }))?;
    } else {
        writeln!(
            out,
            "{}",
            if sound {
                "It speaks the protocol."
            } else {
                "It does not speak the protocol; see WRONG above."
            }
        )?;
    }
    Ok(sound)
}
