//! `anglerfish dctp`, `uci` and `wakasagi`: a player of ours behind the protocols of the field.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use anglerfish_arena::protocol::{Learned, Session, dctp, uci, wakasagi};
use anglerfish_arena::{Player, builtin};
use anglerfish_lab::assets;
use anglerfish_opponents::candidate_table;
use anglerfish_report::{Lang, words};
use anglerfish_rules::banqi::{Banqi, Event, RuleSet};
use anyhow::{Context, anyhow};
use serde::Deserialize;

use crate::cmd::profile;
use crate::input::{parse_pointing, read};
use crate::pump::pump;
use crate::terminal::note;

/// The common options of the three commands
#[derive(clap::Args)]
pub(crate) struct Args {
    /// The player: greedy, or an engine's configuration such as alphabeta,threads=2 [default: alphabeta]
    #[arg(long)]
    player: Option<String>,
    /// A setting of the engine, such as threads=2, ponder=on or level=3; may be repeated [default: those of
    /// the player, see `anglerfish settings`]
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// A TOML file with player = "…", rules = "…", seed = N and a table [set]; flags win over it [default: none]
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// The rules; only uci can name others later [default: platform, or course2025 for wakasagi]
    #[arg(long)]
    rules: Option<String>,
    /// The seed of all random choices [default: 1]
    #[arg(long)]
    seed: Option<u64>,
}

/// The options of the platform's command, which plays many games with one opponent
#[derive(clap::Args)]
pub(crate) struct Dctp {
    #[command(flatten)]
    common: Args,
    /// The opponent's name: its profile is used, and updated after each game (see `anglerfish profile`)
    /// [default: no profile]
    #[arg(long, value_name = "NAME")]
    opponent: Option<String>,
    /// The folder of profiles
    #[arg(long, value_name = "FOLDER", default_value = "profiles")]
    profiles: PathBuf,
}

/// The file of `--config`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
struct File {
    player: Option<String>,
    rules: Option<String>,
    seed: Option<u64>,
    set: BTreeMap<String, toml::Value>,
}

/// One of the three protocols.
#[derive(Clone, Copy)]
pub(crate) enum Protocol {
    Dctp,
    Uci,
    Wakasagi,
}

/// The opponent of all games by name, and the folder of its profile.
#[derive(Clone, Copy)]
pub(crate) struct Known<'a> {
    name: &'a str,
    profiles: &'a Path,
}

impl Known<'_> {
    /// Keeps the knowledge of the opponent. `noted` are the plies that identify this game later.
    fn keep(self, learned: &Learned, noted: &mut Vec<Event>) -> anyhow::Result<()> {
        let Learned { profile, game } = learned;
        // First, before the profile has anything of this game: a kill may come between.
        if noted.is_empty() || !game.plies.starts_with(noted) {
            profile::note(self.profiles, self.name, game)?;
            noted.clone_from(&game.plies);
        }
        profile::keep(self.profiles, self.name, profile)
    }
}

pub(crate) fn run_dctp(args: &Dctp) -> anyhow::Result<bool> {
    let known = args.opponent.as_deref().map(|name| Known { name, profiles: &args.profiles });
    run(&args.common, Protocol::Dctp, known)
}

pub(crate) fn run(args: &Args, protocol: Protocol, known: Option<Known>) -> anyhow::Result<bool> {
    let file = match &args.config {
        None => File::default(),
        Some(path) => toml::from_str(&read(path)?)
            .with_context(|| format!("{} is not a configuration", path.display()))?,
    };
    let text = args.player.as_ref().or(file.player.as_ref()).map_or("alphabeta", String::as_str);
    let mut player = builtin(text, &assets()).map_err(|e| anyhow!("--player: {e}"))?;
    if let Some(Known { name, profiles }) = known {
        set(&mut *player, "candidates", candidate_table::FIELD).context("--opponent")?;
        set(&mut *player, "opponent", "adapt").context("--opponent")?;
        profile::room(profiles, name).context("--profiles")?;
    }
    for (name, value) in &file.set {
        set(&mut *player, name, &plain(value)).context("in the table [set]")?;
    }
    apply(&mut *player, &args.set)?;
    let default = if matches!(protocol, Protocol::Wakasagi) { "course2025" } else { "platform" };
    let rules = args.rules.as_ref().or(file.rules.as_ref()).map_or(default, String::as_str);
    let rules: RuleSet = parse_pointing(rules)?;
    let seed = args.seed.or(file.seed).unwrap_or(1);
    // Another search is another player, by whichever option it was chosen.
    let own = args.set.iter().rev().find_map(|word| word.strip_prefix("search="));
    let search = own.or_else(|| file.set.get("search").and_then(toml::Value::as_str)).unwrap_or(text);
    let name = format!("anglerfish-{search}");
    let mut session: Box<dyn Session> = match protocol {
        Protocol::Dctp => {
            let session = dctp::Session::new(player, &name, rules, seed);
            Box::new(match known {
                Some(Known { name, profiles }) => session
                    .same_opponent(profile::known(profiles, name)?, profile::broken_off(profiles, name)?),
                None => session,
            })
        }
        Protocol::Uci => Box::new(uci::Session::new(player, &name, rules, seed)),
        Protocol::Wakasagi => Box::new(wakasagi::Session::new(player, rules, seed)),
    };
    let mut noted = Vec::new();
    let mut keep = |learned: &Learned| {
        // The game matters more, and there may be room when it is over.
        if let Some(Err(error)) = known.map(|known| known.keep(learned, &mut noted)) {
            note!("{error:#}");
        }
    };
    session.describe_opponent(|summary| words::opponent(Lang::En, summary));
    let served = pump(&mut *session, &mut keep)?;
    if let (Some(known), Some(learned)) = (known, session.learned()) {
        known.keep(&learned, &mut noted)?;
    }
    Ok(served)
}

/// Applies the words of `--set`.
fn apply(player: &mut dyn Player<Banqi>, words: &[String]) -> anyhow::Result<()> {
    for word in words {
        let (name, value) =
            word.split_once('=').with_context(|| format!("--set: expected NAME=VALUE, found {word:?}"))?;
        set(player, name, value).context("--set")?;
    }
    Ok(())
}

fn set(player: &mut dyn Player<Banqi>, name: &str, value: &str) -> anyhow::Result<()> {
    Ok(player.set(name, value)?)
}

/// A value of the table in the engine's spelling: TOML's booleans are its on and off.
fn plain(value: &toml::Value) -> String {
    match value {
        toml::Value::String(text) => text.clone(),
        toml::Value::Boolean(on) => if *on { "on" } else { "off" }.to_owned(),
        other => other.to_string(),
    }
}
