//! `anglerfish play`: a game against the engine, line by line in any terminal.
//!
//! A face-down piece is drawn from the bag when it is flipped. Undoing a flip returns the piece to the bag,
//! so the next flip may bring another one, and undo reveals nothing.
//!
//! Every ply is on the disk before it is shown ([`Keep`]), so a game survives any end of the program.

mod advice;
mod after;
mod command;
mod lines;
mod session;
mod view;

use std::path::{Path, PathBuf};
use std::time::Duration;

use anglerfish_arena::{Budget, Clocks, Draws, Judging, LUCK, SystemClock, Table, builtin, opened};
use anglerfish_engine::{BEGINNERS, Clock, LEVELS, Profile, ProfileError, level_names, level_player};
use anglerfish_lab::assets;
use anglerfish_report::say;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, NotationError, Record, Rng, RngExt, Seat};
use anyhow::{Context, anyhow, bail};

use self::lines::Lines;
use self::session::Session;
use super::deal::system_seed;
use super::replay::{is_file, recorded};
use crate::board::Style;
use crate::input::{parse_pointing, read};
use crate::keep::{Keep, PERSON, PLAYER, person};
use crate::locale::{Locale, said};
use crate::output::{writable, write_out};
use crate::signals::guard_saying;

/// `anglerfish play`; its help is in the files of texts, in the language of the command line.
#[derive(clap::Args)]
#[command(
    about = said("play.about"),
    long_about = said("play.long_about"),
    after_help = "Examples:\n  anglerfish play\n  anglerfish play --level beginner1\n  anglerfish play --level 2 --first engine --teach\n  anglerfish play --continue\n  anglerfish play --lang zh-Hant\n  anglerfish play --from mine.games --ply 40\n  anglerfish play --player alphabeta,threads=2 --time 900\n  anglerfish play --letters --orientation lying --rules olympiad"
)]
pub(crate) struct Args {
    #[arg(long, default_value = "4", value_parser = player_of_level, help = said("option.level"))]
    level: String,
    #[arg(long, conflicts_with = "level", help = said("option.player"))]
    player: Option<String>,
    #[arg(long, value_enum, default_value = "me", help = said("option.first"))]
    first: First,
    #[arg(long, default_value = "platform", help = said("option.rules"))]
    rules: String,
    #[arg(long, value_name = "SECONDS[+INCREMENT]", help = said("option.time"))]
    time: Option<String>,
    #[arg(long = "continue", conflicts_with_all = ["level", "player", "first", "rules", "time", "from"], help = said("option.continue"))]
    go_on: bool,
    #[arg(long, value_name = "POSITION|FILE", allow_hyphen_values = true, help = said("option.from"))]
    from: Option<String>,
    #[arg(long, value_name = "N", default_value_t = 1, requires = "from", help = said("option.game"))]
    game: usize,
    #[arg(long, value_name = "N", requires = "from", help = said("option.ply"))]
    ply: Option<usize>,
    #[arg(long, help = said("option.teach"))]
    teach: bool,
    #[arg(long, help = said("option.seed"))]
    seed: Option<u64>,
    #[arg(long, value_name = "FILE", help = said("option.profile"))]
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
const TIME: &str = "Time";
const PROFILE: &str = "Profile";

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let style = args.locale.spoken(args.style);
    let lang = style.lang();
    let mut seed = args.seed.unwrap_or_else(system_seed);
    let (mut record, mut keep) =
        if args.go_on { Keep::last(lang)? } else { (begun(args, style, seed)?, Keep::new()) };
    let kept = match &keep {
        Ok(keep) => keep.resumable(),
        Err(_) => std::sync::Arc::default(),
    };
    let words = lang.text("play.kept").to_owned();
    guard_saying(move || kept.load(std::sync::atomic::Ordering::Relaxed).then(|| words.clone()))?;
    let mut greeted = false;
    loop {
        let (mut session, profile) = seated(args, style, seed, record)?;
        match keep {
            Ok(keep) => session.keep = Some(keep),
            Err(error) => session.tell(&say!(lang, "play.cannot_keep", why = format!("{error:#}")))?,
        }
        if !std::mem::replace(&mut greeted, true) {
            session.greet()?;
        }
        let again = session.play()?;
        if let (Some(path), Some(profile)) = (&profile, session.player.profile()) {
            write_out(path, |out| Ok(write!(out, "{profile}")?))?;
        }
        if !again {
            return Ok(true);
        }
        seed = seed.wrapping_add(1);
        keep = session.keep.as_ref().map_or_else(Keep::new, Keep::next);
        record = rematch(session.table.record(), seed);
        session.tell(&say!(
            lang,
            "after.rematch",
            begins = lang.text(if person(&record) == record.start.turn().seat() {
                "after.you_begin"
            } else {
                "after.engine_begins"
            })
        ))?;
    }
}

/// The same game from its start, with the seats exchanged.
fn rematch(record: &Record<Banqi>, seed: u64) -> Record<Banqi> {
    let plies = opened(record);
    let mut again = record.clone();
    again.plies.truncate(plies);
    again.ending = None;
    let [first, second] = ["First", "Second"].map(|name| record.tag(name).unwrap_or_default());
    again.set_tag("First", second);
    again.set_tag("Second", first);
    again.set_tag("Seed", &seed.to_string());
    again.set_tag(PERSON, if person(record) == Some(Seat(0)) { "second" } else { "first" });
    again.tags.retain(|(name, _)| name != LUCK);
    again
}

/// The table of a game that begins or goes on, and the file of the person's profile.
fn seated(
    args: &Args,
    style: Style,
    seed: u64,
    record: Record<Banqi>,
) -> anyhow::Result<(Session<std::io::Stdout>, Option<PathBuf>)> {
    let tag = |name: &str| record.tag(name).map(str::to_owned);
    let us = person(&record).unwrap_or(Seat(0));
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
    let session = Session {
        opponent: opponent(style, &text),
        level: level(&text),
        table,
        clock: clock_now,
        start,
        timed: clock.is_some(),
        us,
        player,
        advice: None,
        judge: Judging::of_review().judge::<Banqi>()?,
        teach: args.teach,
        judged: None,
        style,
        seed,
        lines: Lines::new(style.colored()),
        pending: None,
        keep: None,
        looking: None,
        out: std::io::stdout(),
    };
    Ok((session, profile))
}

/// The player that `--level` asks for.
fn player_of_level(text: &str) -> Result<String, String> {
    let (beginners, levels) = (BEGINNERS.len(), LEVELS.len());
    level_player(text).ok_or_else(|| format!("expected beginner1 to beginner{beginners}, or 1 to {levels}"))
}

/// The level that this player is, if it is one.
fn level(player: &str) -> Option<String> {
    level_names().find(|level| level_player(level).as_deref() == Some(player))
}

/// The name of the engine.
fn opponent(style: Style, text: &str) -> String {
    let lang = style.lang();
    match level(text) {
        Some(level) => match level.strip_prefix("beginner") {
            Some(n) => say!(lang, "play.beginner", n = n),
            None => say!(lang, "play.level", level = level, levels = LEVELS.len()),
        },
        None => say!(lang, "play.player", player = text),
    }
}

/// The game for these arguments, up to its start.
fn begun(args: &Args, style: Style, seed: u64) -> anyhow::Result<Record<Banqi>> {
    let lang = style.lang();
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let mut record = match &args.from {
        None => Record::new(Banqi::start(rules)),
        Some(text) if is_file(text) => recorded(Path::new(text), args.game, args.ply, rules)?.0,
        Some(text) if !text.contains(' ') => {
            bail!("{}", say!(lang, "play.from_what", found = format!("{text:?}")))
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
        bail!("{}\n{}", lang.text("play.from_over"), args.style.uncolored().draw(&game));
    };
    let begins = match args.first {
        First::Me => true,
        First::Engine => false,
        First::Random => Rng::stream(seed, "seat").below(2) == 0,
    };
    let us = if begins { next } else { Seat(1 - next.0) };
    let text = args.player.clone().unwrap_or_else(|| args.level.clone());
    let (person, engine) = (style.lang().text("play.you").to_owned(), opponent(style, &text));
    let names = if us.0 == 0 { [&person, &engine] } else { [&engine, &person] };
    record.tags = Vec::new();
    record.set_tag("First", names[0]);
    record.set_tag("Second", names[1]);
    record.set_tag("Seed", &seed.to_string());
    if !record.plies.is_empty() {
        // Others played these, so no review blames the person for them.
        record.set_tag("Opening", &record.plies.len().to_string());
    }
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
