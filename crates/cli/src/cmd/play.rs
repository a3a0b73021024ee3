//! `anglerfish play`: a game against the engine, line by line in any terminal.
//!
//! Nothing lies under a face-down piece until it is flipped: the piece is drawn from the bag at that moment. So a flip
//! that is taken back goes back into the bag and may come up as something else, and nothing is learned by undoing.

mod view;
mod words;

use std::io::{BufRead, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anglerfish_arena::{Ask, Budget, Clocks, Draws, Player, Refusal, SystemClock, Table, builtin};
use anglerfish_engine::{Assets, Clock, Kit, LEVELS, Limits, Profile, ProfileError, Stop, Value};
use anglerfish_rules::banqi::{Action, Banqi, Event, RuleSet};
use anglerfish_rules::{Forfeit, Game, NotationError, Ply, Rng, Seat};
use anyhow::{Context, anyhow};

use self::view::View;
use super::deal::system_seed;
use crate::board::Style;
use crate::input::{parse_pointing, read};

/// Play a game against the engine
///
/// Type a square to flip it (b3), two squares to move (b3 b4), or help.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish play\n  anglerfish play --level 2 --first engine\n  anglerfish play --player alphabeta,threads=2 --time 900\n  anglerfish play --letters --orientation lying --rules olympiad"
)]
pub(crate) struct Args {
    /// How strong the engine plays, 1 to 10
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u64).range(1..=LEVELS.len() as u64))]
    level: u64,
    /// Who plays instead of a level: greedy, or an engine's configuration such as alphabeta,threads=2
    #[arg(long, conflicts_with = "level")]
    player: Option<String>,
    /// Who begins
    #[arg(long, value_enum, default_value = "me")]
    first: First,
    /// The rules
    #[arg(long, default_value = "platform")]
    rules: String,
    /// Play with clocks: seconds for the whole game, and perhaps more for each move
    #[arg(long, value_name = "SECONDS[+INCREMENT]")]
    time: Option<String>,
    /// The seed of everything random; the system gives one if left out
    #[arg(long)]
    seed: Option<u64>,
    /// Let the engine study you: what it knows of you is read from this file, and kept there after the game
    #[arg(long, value_name = "FILE")]
    profile: Option<PathBuf>,
    #[command(flatten)]
    style: Style,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum First {
    Me,
    Engine,
    Random,
}

/// The engine never lets a person wait longer.
const COMFORT: Duration = Duration::from_secs(3);

/// The clock of a game without clocks: its plies have times, and nobody loses by them.
const ENDLESS: Duration = Duration::from_hours(1000);

/// Below this probability nothing is said about a person.
const KNOWN: f64 = 0.6;

const HELP: &str = "\
  b3            flip the face-down piece on b3
  b3 b4, b3-b4  move from b3 to b4, or take what stands there
  moves         everything you may do now
  hint          what the engine would do in your place, at full strength
  undo          take back your last move and the answer to it
  board         show the board again
  me            what the engine makes of you so far, if it studies you (--profile)
  save FILE     write the game so far to a file
  resign        give up
  quit          leave";

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let seed = args.seed.unwrap_or_else(system_seed);
    let clock = args.time.as_ref().map(|text| format!("tc={text}").parse::<Budget>());
    let clock = clock.transpose().map_err(|e: NotationError| anyhow!("--time: {e}"))?;
    let (text, title) = match &args.player {
        Some(text) => (text.clone(), text.clone()),
        None => (format!("level{}", args.level), format!("level {} of {}", args.level, LEVELS.len())),
    };
    let mut player = builtin::<Banqi>(&text, &Assets::default()).map_err(|e| anyhow!("--player: {e}"))?;
    if let Some(path) = &args.profile {
        player.set("opponent", "bayes").map_err(|e| anyhow!("--profile: {e}"))?;
        player.expect(known(path)?);
    }
    let us = match args.first {
        First::Me => Seat(0),
        First::Engine => Seat(1),
        First::Random => Seat(Rng::stream(seed, "seat").below(2) as u8),
    };
    let clocks = Clocks::new([clock.unwrap_or(Budget::Game { base: ENDLESS, increment: Duration::ZERO }); 2]);
    let mut table = Table::new(Banqi::start(rules), Draws(Rng::stream(seed, "deal")), clocks);
    let opponent = format!("engine, {title}");
    let names = if us.0 == 0 { ["you", &opponent] } else { [&opponent, "you"] };
    table.record_mut().set_tag("First", names[0]);
    table.record_mut().set_tag("Second", names[1]);
    let mut evening = Evening {
        table,
        clock: SystemClock::default(),
        start: clocks,
        timed: clock.is_some(),
        us,
        opponent,
        player,
        adviser: None,
        style: args.style,
        seed,
        out: std::io::stdout().lock(),
    };
    evening.play()?;
    if let (Some(path), Some(profile)) = (&args.profile, evening.player.profile()) {
        let written = std::fs::write(path, profile.to_string());
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(true)
}

/// What a file says of the person at the board; nothing if there is no such file yet.
fn known(path: &Path) -> anyhow::Result<Option<Profile>> {
    if !path.exists() {
        return Ok(None);
    }
    let text = read(path)?;
    text.parse().map(Some).map_err(|e: ProfileError| anyhow!("{}, {e}", path.display()))
}

/// A game with everybody who takes part in it.
struct Evening<W> {
    table: Table<Banqi>,
    clock: SystemClock,
    /// The clocks at the start of the game, for taking back.
    start: Clocks,
    timed: bool,
    us: Seat,
    opponent: String,
    player: Box<dyn Player<Banqi>>,
    /// Gives hints; made when it is first asked.
    adviser: Option<Box<dyn Player<Banqi>>>,
    style: Style,
    seed: u64,
    out: W,
}

/// What a person typed.
enum Typed {
    Play(Action),
    /// The command was carried out.
    Done,
    /// The board has changed.
    Undone,
    Leave,
}

impl<W: Write> Evening<W> {
    fn play(&mut self) -> anyhow::Result<()> {
        writeln!(
            self.out,
            "Chinese Dark Chess. Type a square to flip it (b3), two to move (b3 b4), or help.\n"
        )?;
        let them = Seat(1 - self.us.0);
        let started = self.player.start(them, self.seed, self.table.clocks());
        started.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
        let mut shown = false;
        while let Some(seat) = self.table.to_move() {
            if seat == them {
                self.answer()?;
                shown = false;
                continue;
            }
            if !std::mem::replace(&mut shown, true) {
                self.show()?;
            }
            match self.prompt()? {
                Typed::Play(action) => shown = !self.act(action, true)?,
                Typed::Undone => shown = false,
                Typed::Done => {}
                Typed::Leave => return Ok(()),
            }
        }
        self.finish()
    }

    /// Plays an action of the seat to move and tells everybody; `false` if the board is as it was.
    fn act(&mut self, action: Action, ours: bool) -> anyhow::Result<bool> {
        let before = self.table.game().clone();
        match self.table.act(action, self.clock.now()) {
            Ok(ply) => {
                self.spread(&before, &ply)?;
                writeln!(self.out, "{}", words::tell(&before, ply.event, ours))?;
                Ok(true)
            }
            // The flag has fallen, and the game is over.
            Err(Refusal::Late(_)) => Ok(true),
            Err(Refusal::Illegal(illegal)) => {
                writeln!(self.out, "Not allowed: {}.", illegal.why)?;
                Ok(false)
            }
        }
    }

    fn show(&mut self) -> anyhow::Result<()> {
        let Evening { table, us, opponent, timed, .. } = self;
        let text = View { table, us: *us, opponent, timed: *timed }.draw(self.style);
        Ok(writeln!(self.out, "\n{text}")?)
    }

    /// Tells the engine what was played.
    fn spread(&mut self, before: &Banqi, ply: &Ply<Event>) -> anyhow::Result<()> {
        let heard = self.player.observe(before, ply, self.table.clocks());
        heard.map_err(|forfeit| anyhow!("the engine {forfeit}"))
    }

    /// Lets the engine move.
    fn answer(&mut self) -> anyhow::Result<()> {
        let clocks = self.timed.then_some(*self.table.clocks());
        let ask = Ask { clocks, limits: Limits::time(COMFORT), lines: 1 };
        let choice = self.player.think(self.table.game(), &ask, &Stop::default(), &mut |_| {});
        let choice = choice.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
        self.act(choice.action, false).map(drop)
    }

    /// Reads a line; none at the end of the input.
    fn read(&mut self, prompt: &str) -> anyhow::Result<Option<String>> {
        write!(self.out, "{prompt}")?;
        self.out.flush()?;
        let mut line = String::new();
        if std::io::stdin().lock().read_line(&mut line)? == 0 {
            writeln!(self.out)?;
            return Ok(None);
        }
        Ok(Some(line.trim().to_owned()))
    }

    /// Asks for one line and carries it out.
    fn prompt(&mut self) -> anyhow::Result<Typed> {
        let Some(line) = self.read("your move> ")? else { return Ok(Typed::Leave) };
        if self.table.expire(self.clock.now()).is_some() {
            return Ok(Typed::Undone);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((&line, ""));
        match word.to_lowercase().as_str() {
            "" => {}
            "help" | "?" => writeln!(self.out, "{HELP}")?,
            "board" => self.show()?,
            "moves" => self.moves()?,
            "hint" => self.hint()?,
            "me" => writeln!(
                self.out,
                "{}",
                self.studied()
                    .unwrap_or("The engine does not study you; start it with --profile FILE.".to_owned())
            )?,
            "save" => self.save(rest.trim())?,
            "quit" | "exit" | "q" => return Ok(Typed::Leave),
            "resign" => {
                self.table.forfeit(self.us, Forfeit::Resigned, self.clock.now());
                return Ok(Typed::Undone);
            }
            "undo" => match self.undo() {
                None => writeln!(self.out, "You have not moved yet.")?,
                Some(flipped) => {
                    let bag = if flipped {
                        " What was flipped is back in the bag and may come up as something else."
                    } else {
                        ""
                    };
                    writeln!(self.out, "Taken back.{bag}")?;
                    return Ok(Typed::Undone);
                }
            },
            _ => match action(&line) {
                None => writeln!(
                    self.out,
                    "{line:?} is neither a move (b3 b4), a flip (b3) nor a command; try help."
                )?,
                Some(action) => return Ok(Typed::Play(action)),
            },
        }
        Ok(Typed::Done)
    }

    /// Takes back our last move and whatever came after it; whether that was a flip, none if there is nothing to take
    /// back.
    fn undo(&mut self) -> Option<bool> {
        let plies = &self.table.record().plies;
        let ours = plies.iter().rposition(|ply| ply.seat == self.us)?;
        let flipped = plies[ours..].iter().any(|ply| matches!(ply.event, Event::Flip { .. }));
        self.table.take_back(ours, self.start, self.clock.now());
        Some(flipped)
    }

    fn moves(&mut self) -> anyhow::Result<()> {
        let mut actions = Vec::new();
        self.table.game().actions(&mut actions);
        let list = |wanted: &dyn Fn(&Action) -> bool| {
            let list: Vec<String> = actions.iter().filter(|a| wanted(a)).map(ToString::to_string).collect();
            if list.is_empty() { "none".to_owned() } else { list.join(" ") }
        };
        writeln!(self.out, "moves: {}", list(&|a| matches!(a, Action::Move { .. })))?;
        writeln!(self.out, "flips: {}", list(&|a| matches!(a, Action::Flip(_))))?;
        Ok(())
    }

    fn hint(&mut self) -> anyhow::Result<()> {
        let adviser = match &mut self.adviser {
            Some(adviser) => adviser,
            none => {
                none.insert(builtin("alphabeta,hash=16", &Assets::default()).map_err(|e| anyhow!("{e}"))?)
            }
        };
        let game = self.table.game().clone();
        let ask = Ask { clocks: None, limits: Limits::time(COMFORT / 2), lines: 1 };
        let mut value = Value(0.0);
        let choice = adviser.think(&game, &ask, &Stop::default(), &mut |info| {
            value = info.lines.first().map_or(value, |line| line.value);
        });
        let choice = choice.map_err(|forfeit| anyhow!("the engine {forfeit}"))?;
        Ok(writeln!(
            self.out,
            "Hint: {}. {}.",
            words::describe(&game, choice.action),
            words::appraise(game.shares(value))
        )?)
    }

    /// What the engine makes of the person at the board; nothing if it does not study anybody.
    fn studied(&self) -> Option<String> {
        let styles = self.player.profile()?.styles;
        let (style, probability) = styles.iter().max_by(|a, b| a.1.total_cmp(&b.1))?;
        Some(if *probability < KNOWN {
            "The engine has not seen enough of you to say who you are.".to_owned()
        } else {
            let percent = 100.0 * probability;
            format!("To the engine you are somebody who {} ({percent:.0} % sure).", words::style(style))
        })
    }

    fn save(&mut self, path: &str) -> anyhow::Result<()> {
        if path.is_empty() {
            return Ok(writeln!(self.out, "Where to? Type save and the name of a file.")?);
        }
        match std::fs::write(path, self.table.record().to_string()) {
            Ok(()) => writeln!(self.out, "Saved. Look at it with: anglerfish replay {path}")?,
            Err(error) => writeln!(self.out, "Cannot write {path}: {error}")?,
        }
        Ok(())
    }

    /// The last board, who won and why, and the offer to save the game.
    fn finish(&mut self) -> anyhow::Result<()> {
        self.show()?;
        let ending = self.table.ending().context("a game without a turn has ended")?;
        writeln!(self.out, "{}", words::result(ending, self.us))?;
        if let Some(studied) = self.studied() {
            writeln!(self.out, "{studied}")?;
        }
        if let Some(path) = self.read("Save the game? Type a file name, or nothing to leave: ")?
            && !path.is_empty()
        {
            self.save(&path)?;
        }
        Ok(())
    }
}

/// Reads `b3`, `b3-b4`, `b3 b4` or `b3b4`, in small or capital letters.
fn action(text: &str) -> Option<Action> {
    let squares: String =
        text.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_lowercase()).collect();
    let odd = text.chars().any(|c| !c.is_ascii_alphanumeric() && !matches!(c, ' ' | '-'));
    match squares.len() {
        2 if !odd => squares.parse().ok(),
        4 if !odd => format!("{}-{}", &squares[..2], &squares[2..]).parse().ok(),
        _ => None,
    }
}
