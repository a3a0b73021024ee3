//! `anglerfish play`: a game against the engine, line by line in any terminal.
//!
//! A face-down piece is drawn from the bag when it is flipped. Undoing a flip returns the piece to the bag,
//! so the next flip may bring another one, and undo reveals nothing.
//!
//! Every ply is on the disk before it is shown ([`keep`]), so a game survives any end of the program.

mod advice;
mod command;
mod keep;
mod lines;
mod session;
mod view;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anglerfish_arena::{Budget, Clocks, Draws, Judging, SystemClock, Table, builtin};
use anglerfish_engine::{Clock, LEVELS, Profile, ProfileError};
use anglerfish_lab::assets;
use anglerfish_report::say;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, NotationError, Record, Rng, RngExt, Seat};
use anyhow::{Context, anyhow, bail};

use self::keep::Keep;
use self::lines::Lines;
use self::session::Session;
use super::deal::system_seed;
use super::replay::{is_file, recorded};
use crate::board::Style;
use crate::input::{parse_pointing, read};
use crate::locale::Locale;
use crate::output::{writable, write_out};
use crate::signals::guard_saying;

/// Play a game against the engine
///
/// Type a square to flip it (b3), two squares to move (b3 b4), or help. Every game is kept from its first
/// move on, even if the program is killed: `anglerfish play --continue` resumes it.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish play\n  anglerfish play --level 2 --first engine --teach\n  anglerfish play --continue\n  anglerfish play --lang zh-Hant\n  anglerfish play --from mine.games --ply 40\n  anglerfish play --player alphabeta,threads=2 --time 900\n  anglerfish play --letters --orientation lying --rules olympiad"
)]
pub(crate) struct Args {
    /// The engine's strength, 1 to 10
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=LEVELS.len() as u64))]
    level: u64,
    /// The player instead of a level: greedy, or an engine's configuration such as alphabeta,threads=2
    /// [default: the level]
    #[arg(long, conflicts_with = "level")]
    player: Option<String>,
    /// The player that begins, or that moves first after --from
    #[arg(long, value_enum, default_value = "me")]
    first: First,
    /// The rules: a preset such as olympiad, perhaps with changes; see `anglerfish rules presets`
    #[arg(long, default_value = "platform")]
    rules: String,
    /// Play with clocks: seconds for the whole game, and perhaps more for each move [default: no clocks]
    #[arg(long, value_name = "SECONDS[+INCREMENT]")]
    time: Option<String>,
    /// Resume the last unfinished game
    #[arg(long = "continue", conflicts_with_all = ["level", "player", "first", "rules", "time", "from"])]
    go_on: bool,
    /// Begin at a position text, or at the end of a recorded game [default: the start of a game]
    #[arg(long, value_name = "POSITION|FILE", allow_hyphen_values = true)]
    from: Option<String>,
    /// Which game of that file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1, requires = "from")]
    game: usize,
    /// After which ply of it [default: the last one before the end]
    #[arg(long, value_name = "N", requires = "from")]
    ply: Option<usize>,
    /// Warn before a move that costs 0.2 or more, where a won game is +1 and a lost one -1
    #[arg(long)]
    teach: bool,
    /// The seed of all random choices [default: one from the system]
    #[arg(long)]
    seed: Option<u64>,
    /// Let the engine study you: its knowledge is read from this file, and saved there after the game
    /// [default: it does not]
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    locale: Locale,
    #[command(flatten)]
    style: Style,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum First {
    Me,
    Engine,
    Random,
}

/// The clock of a game without clocks: it records times, and never runs out.
const ENDLESS: Duration = Duration::from_hours(1000);

/// The tags of a record that are needed to resume a game.
const PLAYER: &str = "Player";
const PERSON: &str = "Person";
const TIME: &str = "Time";
const PROFILE: &str = "Profile";

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let style = args.locale.spoken(args.style);
    let lang = style.lang();
    let seed = args.seed.unwrap_or_else(system_seed);
    let (record, keep) = if args.go_on { Keep::last()? } else { (begun(args, style, seed)?, Keep::new()) };
    let tag = |name: &str| record.tag(name).map(str::to_owned);
    let us = Seat(u8::from(tag(PERSON).as_deref() == Some("second")));
    let clock = tag(TIME).map(|text| format!("tc={text}").parse::<Budget>());
    let clock = clock.transpose().map_err(|e: NotationError| anyhow!("--time: {e}"))?;
    let text = tag(PLAYER).expect("a game that begins or goes on names its player");
    let mut player = builtin::<Banqi>(&text, &assets()).map_err(|e| anyhow!("--player: {e}"))?;
    let profile = args.profile.clone().or(tag(PROFILE).map(PathBuf::from));
    if let Some(path) = &profile {
        // A player with its own way of studying people keeps it.
        if player.config().is_none_or(|config| config.opponent.is_none()) {
            player.set("opponent", "bayes").map_err(|e| anyhow!("--profile: {e}"))?;
        }
        player.expect(known(path)?);
        writable(path).context("--profile")?;
    }
    let start = Clocks::new([clock.unwrap_or(Budget::Game { base: ENDLESS, increment: Duration::ZERO }); 2]);
    let clock_now = SystemClock::default();
    let mut table = Table::new(record.start.clone(), Draws(Rng::stream(seed, "deal")), start);
    let plies = record.plies.len();
    *table.record_mut() = record;
    table.take_back(plies, start, clock_now.now());
    let kept = match &keep {
        Ok(keep) => keep.resumable(),
        Err(_) => std::sync::Arc::default(),
    };
    let words = lang.text("play.kept").to_owned();
    guard_saying(move || kept.load(std::sync::atomic::Ordering::Relaxed).then(|| words.clone()))?;
    let judge = args.teach.then(|| Judging::of_review().judge::<Banqi>()).transpose();
    let mut session = Session {
        opponent: opponent(style, &text),
        table,
        clock: clock_now,
        start,
        timed: clock.is_some(),
        us,
        player,
        adviser: None,
        judge: judge?,
        style,
        seed,
        lines: Lines::new(style.colored()),
        keep: None,
        looking: None,
        out: std::io::stdout(),
    };
    match keep {
        Ok(keep) => session.keep = Some(keep),
        Err(error) => session.tell(&say!(lang, "play.cannot_keep", why = format!("{error:#}")))?,
    }
    session.play()?;
    if let (Some(path), Some(profile)) = (&profile, session.player.profile()) {
        write_out(path, |out| Ok(write!(out, "{profile}")?))?;
    }
    Ok(true)
}

/// The name of the engine.
fn opponent(style: Style, text: &str) -> String {
    let lang = style.lang();
    match text.strip_prefix("level").filter(|level| level.parse::<u8>().is_ok()) {
        Some(level) => say!(lang, "play.level", level = level, levels = LEVELS.len()),
        None => say!(lang, "play.player", player = text),
    }
}

/// The game for these arguments, up to its start.
fn begun(args: &Args, style: Style, seed: u64) -> anyhow::Result<Record<Banqi>> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let mut record = match &args.from {
        None => Record::new(Banqi::start(rules)),
        Some(text) if is_file(text) => recorded(Path::new(text), args.game, args.ply, rules)?.0,
        Some(text) if !text.contains(' ') => {
            bail!("--from: {text:?} is neither a file of records nor a position text")
        }
        Some(text) => Record::new(parse_pointing(text)?),
    };
    let mut game = record.start.clone();
    for ply in &mut record.plies {
        // The plies of the recorded players cost no time.
        ply.took = Duration::ZERO;
        game.apply(ply.event);
    }
    let Some(next) = game.turn().seat() else {
        bail!(
            "--from: the game is over there: there is nothing to play\n{}",
            args.style.uncolored().draw(&game)
        );
    };
    let begins = match args.first {
        First::Me => true,
        First::Engine => false,
        First::Random => Rng::stream(seed, "seat").below(2) == 0,
    };
    let us = if begins { next } else { Seat(1 - next.0) };
    let text = args.player.clone().unwrap_or_else(|| format!("level{}", args.level));
    let (person, engine) = (style.lang().text("play.you").to_owned(), opponent(style, &text));
    let names = if us.0 == 0 { [&person, &engine] } else { [&engine, &person] };
    record.tags = Vec::new();
    record.set_tag("First", names[0]);
    record.set_tag("Second", names[1]);
    record.set_tag("Seed", &seed.to_string());
    record.set_tag(PLAYER, &text);
    record.set_tag(PERSON, if us.0 == 0 { "first" } else { "second" });
    if let Some(time) = &args.time {
        record.set_tag(TIME, time);
    }
    if let Some(profile) = &args.profile {
        let path = std::path::absolute(profile).unwrap_or_else(|_| profile.clone());
        if let Some(path) = path.to_str() {
            record.set_tag(PROFILE, path);
        }
    }
    Ok(record)
}

/// The profile of the person in a file; `None` if there is no such file yet.
fn known(path: &Path) -> anyhow::Result<Option<Profile>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = read(path)?;
    text.parse().map(Some).map_err(|e: ProfileError| anyhow!("{}, {e}", path.display()))
}
