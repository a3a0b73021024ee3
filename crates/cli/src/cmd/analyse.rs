//! `anglerfish analyse`: the best choices in a position, their values, and the possible outcomes of a flip.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use anglerfish_arena::SystemClock;
use anglerfish_board::analysis::{self, Analysis, fan, shares};
use anglerfish_engine::opponent::Models;
use anglerfish_engine::{Config, ConfigError, Engine, Info, Limits, Line, Stop, Value};
use anglerfish_lab::assets;
use anglerfish_report::{Lang, words};
use anglerfish_rules::banqi::{Action, Banqi, Cell, Event, RuleSet};
use anglerfish_rules::{ChanceOutcome, Game, Ply, Record, Seat};
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use super::profile;
use super::replay::{is_file, recorded};
use crate::board::Style;
use crate::input::parse_pointing;
use crate::terminal::{drawing, machines, visible};

/// Show the best choices in a position, their values, and the possible outcomes of flips
///
/// Values are expected results for the side to move: 1 is a won game, -1 a lost one.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish analyse --plies \"b3(c) c3(K)\"\n  anglerfish analyse \"r--m/----/-P-r/---C/PcnR/-n-N/-g--/--m- r - 2 120 openspiel50\" --time 10\n  anglerfish analyse examples/first.games --game 2 --ply 40 --lines 5\n  anglerfish analyse mine.games --ply 12 --flips --depth 5 --json\n  anglerfish analyse mine.games --ply 40 --set candidates=field --set opponent=adapt"
)]
pub(crate) struct Args {
    /// A position text, or a file of records [default: the start of a game]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// After which ply of it [default: the last one before the end]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Play these first, such as "b3(c) c3(K) b3-b4" [default: none]
    #[arg(long, value_name = "PLIES")]
    plies: Option<String>,
    /// The rules of the start position, and of platform files, which do not name them
    #[arg(long, default_value = "platform")]
    rules: String,
    /// How many choices to show
    #[arg(long, default_value_t = 3, value_parser = clap::value_parser!(u16).range(1..))]
    lines: u16,
    /// Show every flip with its outcomes
    #[arg(long)]
    flips: bool,
    /// Stop after this many seconds [default: 5, if there is no other limit]
    #[arg(long, value_name = "SECONDS")]
    time: Option<f64>,
    /// Stop after this many nodes [default: no such limit]
    #[arg(long)]
    nodes: Option<u64>,
    /// Stop at this depth [default: no such limit]
    #[arg(long)]
    depth: Option<u32>,
    /// The engine's configuration
    #[arg(long, default_value = "alphabeta")]
    player: String,
    /// A setting of the engine, such as threads=2; may be repeated [default: those of the player, see
    /// `anglerfish settings`]
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// One JSON object
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    style: Style,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let (record, game) = position(args)?;
    let Some(seat) = game.turn().seat() else {
        bail!("the game is over here: there is nothing to choose\n{}", args.style.uncolored().draw(&game));
    };
    let assets = assets();
    let config = config(args, assets.models())?;
    let calibrated = analysis::is_calibrated(&config, &game);
    let studies = matches!(&*config.opponent.model, "fingerprint" | "adapt");
    let prior = if studies && !record.plies.is_empty() {
        Some(profile::of_game(&record, Seat(1 - seat.0))?)
    } else {
        None
    };
    let mut engine = Engine::new(&config, &assets, Arc::new(SystemClock::default()))?;
    engine.new_game(seat, 1, prior.as_ref());
    let opponent = words::opponent(Lang::En, &engine.summary());
    let info = think(args, &mut engine, &game)?;
    let (shown, rest) = info.lines.split_at(usize::from(args.lines).min(info.lines.len()));
    let is_flip = |line: &&Line<Banqi>| matches!(line.actions.first(), Some(Action::Flip(_)));
    let more: Vec<&Line<Banqi>> = rest.iter().filter(is_flip).filter(|_| args.flips).collect();
    let mut out = if args.json { machines() } else { drawing() };
    if args.json {
        let mut object = json!(Analysis::new(&game, seat, &info, calibrated, shown.iter().chain(more)));
        if let Some(opponent) = opponent {
            object["opponent"] = opponent.into();
        }
        writeln!(out, "{object}")?;
        return Ok(true);
    }
    writeln!(out, "{}", args.style.draw(&game))?;
    let seconds = info.time.as_secs_f64();
    let rate = info.nodes as f64 / seconds.max(1e-6);
    writeln!(out, "depth {}, {} nodes in {seconds:.1} s, {rate:.0} a second", info.depth, info.nodes)?;
    if let Some(opponent) = opponent {
        writeln!(out, "the opponent: {}", visible(&opponent))?;
    }
    if !calibrated {
        writeln!(
            out,
            "values and shares were fitted to games of `alphabeta` under the rules `platform`; here they are uncalibrated"
        )?;
    }
    for (i, line) in shown.iter().enumerate() {
        print(&mut out, args.style, &game, &format!("{}.", i + 1), line)?;
    }
    if !more.is_empty() {
        writeln!(out, "\nthe other flips")?;
    }
    for line in more {
        print(&mut out, args.style, &game, "", line)?;
    }
    Ok(true)
}

/// The position of the arguments, and the game up to it.
fn position(args: &Args) -> anyhow::Result<(Record<Banqi>, Banqi)> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let from = |game: Banqi| (Record::new(game.clone()), game);
    let (mut record, mut game) = match &args.position {
        None => from(Banqi::start(rules)),
        Some(text) if is_file(text) => recorded(Path::new(text), args.game, args.ply, rules)?,
        Some(text) if !text.contains(' ') => {
            bail!("{text:?} is neither a file of records nor a position text")
        }
        Some(text) => from(parse_pointing(text)?),
    };
    for word in args.plies.iter().flat_map(|p| p.split_whitespace()) {
        let event = parse_pointing(word)?;
        let seat = game.turn().seat().filter(|_| game.is_possible(event));
        let Some(seat) = seat else {
            bail!("{word} is not possible here\n{}", args.style.uncolored().draw(&game))
        };
        record.plies.push(Ply { seat, event, took: Duration::ZERO });
        game.apply(event);
    }
    Ok((record, game))
}

/// The player that is asked.
fn config(args: &Args, models: &Models) -> anyhow::Result<Config> {
    let mut config: Config = args.player.parse().map_err(|e: ConfigError| anyhow!("--player: {e}"))?;
    models.check(&config).map_err(|e| anyhow!("--player: {e}"))?;
    for word in &args.set {
        let (name, value) =
            word.split_once('=').with_context(|| format!("--set: expected NAME=VALUE, found {word:?}"))?;
        config.set(name, value).and_then(|()| models.check(&config)).context("--set")?;
    }
    Ok(config)
}

fn think(args: &Args, engine: &mut Engine<Banqi>, game: &Banqi) -> anyhow::Result<Info<Banqi>> {
    let free = args.time.is_none() && args.nodes.is_none() && args.depth.is_none();
    let time = args.time.or(free.then_some(5.0));
    let hard =
        time.map(|t| Duration::try_from_secs_f64(t).context("--time: expected seconds")).transpose()?;
    let limits = Limits { nodes: args.nodes, depth: args.depth, soft: None, hard };
    let lines = if args.flips { None } else { Some(usize::from(args.lines)) };
    Ok(analysis::analyse(engine, game, lines, limits, &Stop::default()))
}

/// One choice, and its possible outcomes.
fn print(
    out: &mut dyn Write,
    style: Style,
    game: &Banqi,
    number: &str,
    line: &Line<Banqi>,
) -> anyhow::Result<()> {
    let actions: Vec<String> = line.actions.iter().map(ToString::to_string).collect();
    let shares = shares(game, line);
    let value = shares.value();
    let [win, draw, loss] = [shares.win, shares.draw, shares.loss].map(|share| share * 100.0);
    let verb = if matches!(line.actions.first(), Some(Action::Flip(_))) { "flip " } else { "" };
    writeln!(
        out,
        "\n{number:>3} {value}  {}  won {win:.0} %, drawn {draw:.0} %, lost {loss:.0} %   {verb}{}",
        bar(style, value),
        actions.join(" ")
    )?;
    let mut fan = fan(game, line);
    fan.sort_by(|a, b| b.1.value().0.total_cmp(&a.1.value().0));
    let total: u32 = fan.iter().map(|(chance, _)| chance.weight).sum();
    for (ChanceOutcome { event, weight }, shares) in fan {
        let value = shares.value();
        let piece = match event {
            Event::Flip { piece, .. } => style.cell(Cell::Shown(piece)),
            Event::Move { .. } => event.to_string(),
        };
        let share = f64::from(weight) / f64::from(total) * 100.0;
        writeln!(out, "      {value}  {}  {piece}  {weight} of {total}, {share:>4.1} %", bar(style, value))?;
    }
    Ok(())
}

/// A value as a bar of ten: empty when lost, full when won.
pub(crate) fn bar(style: Style, value: Value) -> String {
    let filled = ((value.0 + 1.0) * 5.0).round().clamp(0.0, 10.0) as usize;
    let (full, blank) = if style.plain() { ("#", ".") } else { ("█", "░") };
    full.repeat(filled) + &blank.repeat(10 - filled)
}
