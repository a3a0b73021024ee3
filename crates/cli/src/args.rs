//! The command line's arguments.

use clap::{Parser, Subcommand};

use crate::{cmd, provenance};

/// Chinese Dark Chess (Banqi, 暗棋) at the command line.
#[derive(Parser)]
#[command(
    name = "anglerfish",
    version,
    long_version = provenance::LONG_VERSION,
    propagate_version = true,
    max_term_width = 110
)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Subcommand)]
pub(crate) enum Command {
    Play(cmd::play::Args),
    Web(cmd::web::Args),
    Rules(cmd::rules::Args),
    #[command(visible_alias = "analyze")]
    Analyse(cmd::analyse::Args),
    Show(cmd::show::Args),
    Replay(cmd::replay::Args),
    Siguo(cmd::siguo::Args),
    Deal(cmd::deal::Args),
    Review(cmd::review::Args),
    Games(cmd::games::Args),
    Luck(cmd::luck::Args),
    Profile(cmd::profile::Args),
    Match(Box<cmd::matches::Args>),
    Tournament(Box<cmd::tournament::Args>),
    Merge(cmd::merge::Args),
    #[cfg(feature = "store")]
    Selfplay(cmd::selfplay::Args),
    #[cfg(feature = "store")]
    Store(cmd::store::Args),
    #[cfg(not(feature = "store"))]
    #[command(hide = true, alias = "store")]
    Selfplay(cmd::unbuilt::Args),
    /// Play on the tournament platform: speak DCTP on the standard streams
    #[command(
        after_help = "Examples:\n  anglerfish dctp\n  anglerfish dctp --set threads=2 --set ponder=on\n  anglerfish dctp --config fish.toml\n  anglerfish dctp --player random --seed 7\n  anglerfish dctp --opponent theirs --profiles known"
    )]
    Dctp(cmd::serve::Dctp),
    /// Play behind a UCI interface: speak our dialect of UCI on the standard streams
    #[command(
        after_help = "Examples:\n  anglerfish uci\n  anglerfish uci --player level3 --rules olympiad\n  printf 'position startpos\\ngo depth 6\\n' | anglerfish uci --set hash=16"
    )]
    Uci(cmd::serve::Args),
    /// Play in the 2025 course: speak its protocol on the standard streams
    #[command(after_help = "Examples:\n  anglerfish wakasagi\n  anglerfish wakasagi --player greedy")]
    Wakasagi(cmd::serve::Args),
    Compliance(cmd::compliance::Args),
    Tune(cmd::tune::Args),
    Lab(cmd::lab::Args),
    Settings(cmd::settings::Args),
    Perft(cmd::perft::Args),
    Bench(cmd::bench::Args),
    Completions(cmd::completions::Args),
    Man(cmd::man::Args),
}

#[cfg(test)]
#[path = "../tests/all/commands.rs"]
mod commands;

#[cfg(test)]
mod tests {
    use super::*;

    /// This includes commands that take hours, and commands that need a program of the reader.
    #[test]
    fn every_command_of_the_readme_and_the_guide_is_accepted() {
        let list = commands::commands(&commands::pages());
        assert!(list.len() > 15, "{list:?}");
        for command in list {
            let words = std::iter::once("anglerfish".to_owned()).chain(commands::words(&command));
            if let Err(error) = Args::try_parse_from(words) {
                panic!("{command}\n{error}");
            }
        }
    }

    /// Every help text has examples, and a default for every optional option.
    #[test]
    fn every_help_has_examples_and_defaults() {
        fn look(command: &clap::Command, path: &str) {
            for below in command.get_subcommands() {
                look(below, &format!("{path} {}", below.get_name()));
            }
            let examples = command.get_after_help().map(ToString::to_string).unwrap_or_default();
            let shown = examples.contains("Examples:\n") && examples.contains(path);
            assert!(shown || path == "anglerfish", "{path} --help has no example");
            for arg in command
                .get_arguments()
                .filter(|arg| !arg.is_required_set() && arg.get_action().takes_values())
            {
                let help =
                    arg.get_long_help().or(arg.get_help()).map(ToString::to_string).unwrap_or_default();
                let default = !arg.get_default_values().is_empty() || help.contains("[default: ");
                assert!(default, "{path} --help does not say the default of {}: {help}", arg.get_id());
            }
        }
        look(&<Args as clap::CommandFactory>::command(), "anglerfish");
    }
}
