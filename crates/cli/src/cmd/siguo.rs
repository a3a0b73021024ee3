//! `anglerfish siguo`: watch agents play Siguo, replay a record, or see what a seat can know.

use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};

use anglerfish_arena::{ArenaGame, Budget, Clocks, Draws, GameOptions, Opened, Player, Table, builtin, play};
use anglerfish_rules::{Game, Record, Rng, Seat, Turn, read_records};
use anglerfish_siguo::arrangement::{Kinds, worlds};
use anglerfish_siguo::picture::Picture;
use anglerfish_siguo::{Arm, Knowledge, Rules, Siguo, qq};
use anyhow::{Context, bail};

use crate::contest;
use crate::input::{parse_pointing, pointing, read};

/// Watch games of Siguo, the four-player game of hidden armies: agents, records, and what a seat can know
///
/// A man on the board is its likeliest role with the probability in tenths, or = if certain. Camps are in
/// round brackets, headquarters in square ones.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish siguo watch\n  anglerfish siguo watch --teams pimc random --seed 7 --every 20 --out game.record\n  anglerfish siguo replay game.record --ply 60\n  anglerfish siguo replay game.record --ply 60 --seat south --svg known.svg"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Watch(Watch),
    Replay(Replay),
}

/// Let two teams play a game
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish siguo watch --teams pimc pimc,count=men --every 10\n  anglerfish siguo watch --teams pimc,arrangement=people random --asset people=general.kinds"
)]
struct Watch {
    /// The players of south and north, and of east and west, as in `match --engine player=`
    #[arg(long, num_args = 2, value_names = ["PLAYER", "PLAYER"], default_values = ["pimc", "random"])]
    teams: Vec<String>,
    /// The visible armies and the number of players
    #[arg(long, default_value = "four-dark")]
    rules: String,
    /// The seed of armies and players
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Show the board after every N plies [default: only at the end]
    #[arg(long, value_name = "PLIES")]
    every: Option<usize>,
    /// Files that players refer to, as NAME=FILE [default: none]
    #[arg(long, value_name = "NAME=FILE")]
    asset: Vec<String>,
    /// Write the record of the game into this file [default: not written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    show: Show,
}

/// Show a recorded game at a ply: with all roles, or as far as a seat can know them
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish siguo replay game.record\n  anglerfish siguo replay game.jgs --ply 100 --seat east --worlds 1000\n  anglerfish siguo replay game.record --ply 40 --seat west --arrangement general.kinds --svg known.svg"
)]
struct Replay {
    /// A file of our records, or a replay of the QQ game hall (.jgs)
    file: PathBuf,
    /// Which game of the file, counted from 1
    #[arg(long, value_name = "N", default_value_t = 1)]
    game: usize,
    /// The number of plies before the shown position [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// Show the knowledge of this seat: south, east, north or west [default: all roles are shown]
    #[arg(long)]
    seat: Option<String>,
    /// How many sampled worlds give the probabilities
    #[arg(long, default_value_t = 400)]
    worlds: usize,
    /// A file with the kinds of armies to expect [default: all armies are equally likely]
    #[arg(long, value_name = "FILE")]
    arrangement: Option<PathBuf>,
    /// The seed of the worlds
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    show: Show,
}

#[derive(clap::Args)]
struct Show {
    /// Letters of records instead of hanzi: F flag, L mine, B bomb, 1 engineer to 9 marshal
    #[arg(long)]
    ascii: bool,
    /// Write the last picture into this file as SVG [default: not written]
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
}

impl Show {
    fn text(&self, picture: &Picture) -> String {
        let colored = std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
        picture.text(self.ascii, colored)
    }

    fn draw(&self, picture: &Picture) -> anyhow::Result<()> {
        match &self.svg {
            Some(path) => std::fs::write(path, picture.svg())
                .with_context(|| format!("cannot write {}", path.display())),
            None => Ok(()),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.command {
        Command::Watch(args) => watch(args),
        Command::Replay(args) => replay(args),
    }
}

fn watch(args: &Watch) -> anyhow::Result<bool> {
    let rules: Rules = parse_pointing(&args.rules)?;
    let assets = contest::assets(&args.asset, &std::collections::BTreeMap::new())?;
    let Opened { start, .. } = Siguo::open(&rules, None, args.seed)?;
    let mut players = Vec::new();
    for seat in 0..Siguo::SEATS {
        let text = &args.teams[usize::from(seat % 2)];
        players.push(builtin::<Siguo>(text, &assets).with_context(|| text.clone())?);
    }
    let mut chairs: Vec<&mut dyn Player<Siguo>> =
        players.iter_mut().map(|player| &mut **player as _).collect();
    let clocks = Clocks::new([Budget::Nodes(u64::MAX); 4]);
    let table = Table::new(start, Draws(Rng::stream(args.seed, "chance")), clocks);
    let mut record = play(table, &mut chairs, args.seed, GameOptions::default());
    record.set_tag("First", &args.teams[0]);
    record.set_tag("Second", &args.teams[1]);
    record.set_tag("Seed", &args.seed.to_string());
    let mut out = std::io::stdout().lock();
    let mut game = record.start.clone();
    for (n, ply) in record.plies.iter().enumerate() {
        game.apply(ply.event);
        if args.every.is_some_and(|every| every > 0 && (n + 1).is_multiple_of(every)) {
            let picture = Picture::open(&game).saying(caption(n + 1, &record, &game));
            writeln!(out, "{}", args.show.text(&picture))?;
        }
    }
    let last = Picture::open(&game).saying(caption(record.plies.len(), &record, &game));
    write!(out, "{}", args.show.text(&last))?;
    args.show.draw(&last)?;
    if let Some(path) = &args.out {
        std::fs::write(path, format!("{record}\n"))
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(true)
}

fn replay(args: &Replay) -> anyhow::Result<bool> {
    let record = recorded(&args.file, args.game)?;
    record.replay().with_context(|| format!("{}: game {}", args.file.display(), args.game))?;
    let plies = args.ply.unwrap_or(record.plies.len());
    if plies > record.plies.len() {
        bail!("expected --ply to be from 0 to {}, found {plies}", record.plies.len());
    }
    let seat = args.seat.as_deref().map(|word| seat(word, &record.start)).transpose()?;
    let mut game = record.start.clone();
    let mut knowledge = seat.map(|seat| Knowledge::new(&game.view(seat)));
    for ply in &record.plies[..plies] {
        if let Some(knowledge) = &mut knowledge {
            knowledge.follow(game.table(), ply.event);
        }
        game.apply(ply.event);
    }
    let caption = caption(plies, &record, &game);
    let picture = match (seat, knowledge) {
        (Some(seat), Some(knowledge)) => {
            let kinds: Kinds = match &args.arrangement {
                Some(path) => {
                    let text = read(path)?;
                    text.parse().map_err(|e| pointing(&e, &text, Some(path)))?
                }
                None => Kinds::uniform(),
            };
            let view = game.view(seat).into_owned();
            let mut rng = Rng::new(args.seed);
            let drawn =
                worlds(&view, &knowledge, |_, known| kinds.mixed(known), args.worlds.max(1), &mut rng);
            let who = args.seat.as_deref().unwrap_or_default();
            Picture::known(&view, &drawn).saying(format!("{caption}; as {who} knows it"))
        }
        _ => Picture::open(&game).saying(caption),
    };
    write!(std::io::stdout().lock(), "{}", args.show.text(&picture))?;
    args.show.draw(&picture)?;
    Ok(true)
}

/// A game of a file of either kind.
fn recorded(path: &Path, n: usize) -> anyhow::Result<Record<Siguo>> {
    if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("jgs")) {
        let bytes = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let replay = qq::read_jgs(&bytes).with_context(|| path.display().to_string())?;
        return replay.record().with_context(|| path.display().to_string());
    }
    let text = read(path)?;
    let record = n.checked_sub(1).and_then(|n| read_records::<Siguo>(&text).nth(n));
    let Some(record) = record else { bail!("{} has no game {n}", path.display()) };
    record.map_err(|e| pointing(&e, &text, Some(path)))
}

/// A seat by the arm that it plays.
fn seat(word: &str, game: &Siguo) -> anyhow::Result<Seat> {
    let named = |arm: &Arm| format!("{arm:?}").eq_ignore_ascii_case(word);
    let arm = Arm::ALL.into_iter().find(named);
    arm.and_then(|arm| game.table().seat_of(arm))
        .with_context(|| format!("expected --seat south, east, north or west with a player; found {word:?}"))
}

fn caption(plies: usize, record: &Record<Siguo>, game: &Siguo) -> String {
    let last = plies.checked_sub(1).map_or(String::new(), |n| format!(" ({})", record.plies[n].event));
    let state = match (game.turn(), record.ending.filter(|_| plies == record.plies.len())) {
        (Turn::Over(outcome, reason), _) => format!("{outcome} {reason}"),
        (Turn::Seat(_), Some(ending)) => ending.to_string(),
        (Turn::Seat(_), None) => format!("{:?} to move", game.table().to_move()),
    };
    format!("after ply {plies}{last}: {state}")
}
