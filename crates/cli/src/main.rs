//! The `anglerfish` program. One file per subcommand; nothing here knows the rules.
//!
//! Exit codes: 0 success, 1 a check failed, 2 wrong usage or unreadable input, 75 a store that cannot be
//! reached or written now, so the same command may succeed later. After a signal, running programs are ended
//! first, and then this one.

mod adjudication;
mod args;
mod board;
mod cmd;
mod contest;
mod cpu;
mod folders;
mod games;
mod habits;
mod input;
mod judged;
mod keep;
mod legend;
mod locale;
mod output;
mod pager;
mod progress;
mod provenance;
mod pump;
mod signals;
mod terminal;
mod usage;

use std::ffi::OsString;
use std::process::ExitCode;

use args::{Args, Command};
use clap::{CommandFactory, Parser};
use cmd::serve::Protocol;
use terminal::note;

fn main() -> ExitCode {
    if let Some(missing) = cpu::missing() {
        note!(
            "error: this build needs a processor with {missing}; build from source with RUSTFLAGS=\"\" for any x86-64"
        );
        return ExitCode::from(2);
    }
    let args = match words() {
        Ok(words) => Args::try_parse_from(words).unwrap_or_else(|error| usage::end(&error)),
        Err(answer) => {
            note!("error: {answer}");
            return ExitCode::from(2);
        }
    };
    let result = match args.command {
        Command::Play(args) => cmd::play::run(&args),
        Command::Web(args) => cmd::web::run(&args),
        Command::Rules(args) => cmd::rules::run(&args),
        Command::Analyse(args) => cmd::analyse::run(&args),
        Command::Show(args) => cmd::show::run(&args),
        Command::Siguo(args) => cmd::siguo::run(&args),
        Command::Replay(args) => cmd::replay::run(&args),
        Command::Deal(args) => cmd::deal::run(&args),
        Command::Review(args) => cmd::review::run(&args),
        Command::Games(args) => cmd::games::run(&args),
        Command::Luck(args) => cmd::luck::run(&args),
        Command::Profile(args) => cmd::profile::run(&args),
        Command::Match(args) => cmd::matches::run(&args),
        Command::Tournament(args) => cmd::tournament::run(&args),
        Command::Merge(args) => cmd::merge::run(&args),
        #[cfg(feature = "store")]
        Command::Selfplay(args) => cmd::selfplay::run(&args),
        #[cfg(feature = "store")]
        Command::Store(args) => cmd::store::run(&args),
        #[cfg(not(feature = "store"))]
        Command::Selfplay(_) => cmd::unbuilt::run(),
        Command::Dctp(args) => cmd::serve::run_dctp(&args),
        Command::Uci(args) => cmd::serve::run(&args, Protocol::Uci, None),
        Command::Wakasagi(args) => cmd::serve::run(&args, Protocol::Wakasagi, None),
        Command::Compliance(args) => cmd::compliance::run(&args),
        Command::Tune(args) => cmd::tune::run(&args),
        Command::Lab(args) => cmd::lab::run(&args),
        Command::Settings(args) => cmd::settings::run(&args),
        Command::Perft(args) => cmd::perft::run(&args),
        Command::Bench(args) => cmd::bench::run(&args),
        Command::Completions(args) => cmd::completions::run(&args),
        Command::Man(args) => cmd::man::run(&args),
    };
    match result {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // A reader that has seen enough (`anglerfish … | head`) is no failure of ours.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            note!("error: {error:#}");
            ExitCode::from(if is_store_away(&error) { 75 } else { 2 })
        }
    }
}

/// The words of the command line; those of `match` and `tournament` may be those of other match runners.
fn words() -> Result<Vec<OsString>, String> {
    let words: Vec<OsString> = std::env::args_os().collect();
    let texts: Option<Vec<String>> = words.iter().map(|word| Some(word.to_str()?.to_owned())).collect();
    let Some(texts) = texts else { return Ok(words) };
    let Some(command @ ("match" | "tournament")) = texts.get(1).map(String::as_str) else { return Ok(words) };
    let mut whole = Args::command();
    whole.build();
    let own = |name: &str| {
        let command = whole.find_subcommand(command);
        command.is_some_and(|command| command.get_arguments().any(|arg| arg.get_long() == Some(name)))
    };
    Ok(habits::translated(texts.iter().cloned(), own)?.into_iter().map(OsString::from).collect())
}

#[cfg(not(feature = "store"))]
fn is_store_away(_: &anyhow::Error) -> bool {
    false
}

/// Whether a disk or a server is the cause, so the same command may be tried again.
#[cfg(feature = "store")]
fn is_store_away(error: &anyhow::Error) -> bool {
    use anglerfish_arena::LedgerError;
    use anglerfish_store::StoreError;

    let away = |error: &StoreError| matches!(error, StoreError::Object { .. } | StoreError::File { .. });
    error.chain().any(|e| {
        let behind = e.downcast_ref::<LedgerError>().and_then(|e| e.reason().downcast_ref());
        e.downcast_ref().or(behind).is_some_and(away)
    })
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|e| e.downcast_ref::<std::io::Error>())
        .any(|e| e.kind() == std::io::ErrorKind::BrokenPipe)
}
