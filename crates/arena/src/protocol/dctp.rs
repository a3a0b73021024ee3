//! DCTP, the protocol of the TCGA and TAAI tournament platform.
//!
//! `<code> <name> <arguments>` down, `=<code> <text>` or `?<code> <text>` back. The code is fixed for each command, and the
//! template programs dispatch on it; so do we, and fall back on the name. Anything else on standard output is noise.

use std::time::Duration;

use anglerfish_engine::Profile;
use anglerfish_rules::banqi::{Action, Banqi, Color, Event, Piece, RuleSet, Square};
use anglerfish_rules::{Forfeit, Game, Ply, Seat};

use super::{Answer, Begun, Describe, EngineSession, Learned, Refused, Then, Thought, Work};
use crate::program::{Chair, GOODBYE, Program};
use crate::table::{Budget, Clocks};
use crate::table::{Choice, MoveRequest, Player};

/// Every command at the place of its code. docs/protocol.md describes them; `cargo xtask tidy` compares.
pub const COMMANDS: [&str; 19] = [
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "quit",
    "boardsize",
    "reset_board",
    "num_repetition",
    "num_moves_to_draw",
    "move",
    "flip",
    "genmove",
    "game_over",
    "ready",
    "time_settings",
    "time_left",
    "showboard",
    "init_board",
];

/// Reads two letters such as `b3`.
fn square(text: &str) -> Option<Square> {
    match *text.as_bytes() {
        [file, rank] => Square::from_ascii(file, rank),
        _ => None,
    }
}

/// `a6 a6` is a flip, `a6 a5` a move.
fn read_choice(text: &str) -> Option<Action> {
    let mut words = text.split_whitespace();
    let (from, to) = (square(words.next()?)?, square(words.next()?)?);
    words.next().is_none().then_some(if from == to { Action::Flip(from) } else { Action::Move { from, to } })
}

/// A program as a player; we act as the platform.
pub struct Client {
    chair: Chair,
    /// The name that the program reports.
    pub title: String,
    version: String,
}

impl Client {
    /// A player that starts the program with each game.
    pub fn new(program: Program) -> Client {
        Client { chair: Chair::new(program), title: String::new(), version: String::new() }
    }

    /// Says goodbye; returns whether the program exited by itself.
    pub(super) fn leaves_within(&mut self, time: Duration) -> bool {
        self.chair.leave("5 quit", time)
    }

    /// Sends a command and waits for its answer: the text behind `=<code>`. A move has the time `left`.
    pub(super) fn ask(
        &mut self,
        code: usize,
        arguments: &str,
        left: Option<Duration>,
    ) -> Result<String, Forfeit> {
        let running = self.chair.running()?;
        // On the wire the platform writes `time_setting`, without the s of the command's name.
        let name = if code == 15 { "time_setting" } else { COMMANDS[code] };
        let line = format!("{code} {name} {arguments}");
        let what = format!("an answer ={code} to \"{}\"", line.trim_end());
        let wanted = |line: &str| {
            let (mark, rest) = (line.chars().next()?, line.get(1..)?);
            let text = rest.strip_prefix(&code.to_string())?;
            let ends = text.is_empty() || text.starts_with(char::is_whitespace);
            (matches!(mark, '=' | '?') && ends).then(|| (mark == '=', text.trim().to_owned()))
        };
        let (good, text) = running.ask(&[line.trim_end()], left, &what, wanted)?;
        if good {
            Ok(text)
        } else {
            Err(running.fail(Forfeit::Protocol, format!("answered ?{code} {text} to \"{line}\"")))
        }
    }
}

fn ms(time: Duration) -> u64 {
    time.as_millis().min(1_000_000_000) as u64
}

impl Player<Banqi> for Client {
    fn start(&mut self, seat: Seat, _: u64, clocks: &Clocks) -> Result<(), Forfeit> {
        // One process plays one game, as on the platform.
        self.chair.sit_down()?;
        self.title = self.ask(1, "", None)?;
        self.version = self.ask(2, "", None)?;
        self.ask(7, "", None)?;
        self.ask(15, &ms(clocks.left(seat)).to_string(), None)?;
        self.ask(14, "", None)?;
        Ok(())
    }

    fn observe(&mut self, before: &Banqi, ply: &Ply<Event>, clocks: &Clocks) -> Result<(), Forfeit> {
        match ply.event {
            Event::Flip { at, piece } => self.ask(11, &format!("{at} {piece}"), None)?,
            Event::Move { from, to } => self.ask(10, &format!("{from} {to}"), None)?,
        };
        let mut after = before.clone();
        after.apply(ply.event);
        let Some(color) = after.color_of(ply.seat) else { unreachable!("a flip has settled the colors") };
        self.ask(16, &format!("{color} {}", ms(clocks.left(ply.seat))), None)?;
        Ok(())
    }

    fn choose(&mut self, view: &Banqi, ask: &MoveRequest) -> Result<Choice<Action>, Forfeit> {
        let seat = view.turn().seat().unwrap_or(Seat(0));
        let color = view.position().side().map_or("unknown", Color::name);
        let text = self.ask(12, color, Some(ask.left(seat)))?;
        if let Some(action) = read_choice(&text) {
            return Ok(action.into());
        }
        let complaint = format!(
            "answered {text:?} to genmove: two squares were expected, such as b3 b4, or one of them twice for a flip"
        );
        Err(self.chair.running()?.fail(Forfeit::Protocol, complaint))
    }

    fn announced(&self) -> Option<String> {
        Some(format!("{} {}", self.title, self.version).trim().to_owned())
    }

    fn complaint(&self) -> Option<String> {
        self.chair.complaint()
    }

    fn strays(&self) -> Vec<String> {
        self.chair.strays()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.leaves_within(GOODBYE);
    }
}

/// One of our own players behind DCTP.
pub struct Session {
    engine: EngineSession,
    name: String,
    rules: RuleSet,
}

impl Session {
    /// A session for `player` under the name `name`.
    pub fn new(player: Box<dyn Player<Banqi>>, name: &str, rules: RuleSet, seed: u64) -> Session {
        Session {
            engine: EngineSession::new(player, Banqi::start(rules), seed),
            name: name.to_owned(),
            rules,
        }
    }

    /// The same with one opponent in all games, so that each game builds on what the earlier ones taught. `known` is the knowledge
    /// so far; an interrupted game that is resumed counts once.
    #[must_use]
    pub fn same_opponent(mut self, known: Option<Profile>, broken: Option<Begun>) -> Session {
        self.engine.meet(known, broken);
        self
    }
}

impl super::Session for Session {
    fn describe_opponent(&mut self, words: Describe) {
        self.engine.describe = Some(words);
    }

    fn learned(&self) -> Option<Learned> {
        self.engine.learned()
    }

    fn receive(&mut self, line: &str) -> Answer {
        let mut words = line.split_whitespace();
        let Some(head) = words.next() else { return Answer::silence() };
        // The code decides; a line without one is looked up by its name.
        let code = match head.parse::<usize>() {
            Ok(code) => {
                let name = words.next();
                if code < COMMANDS.len() { Some(code) } else { name.and_then(by_name) }
            }
            Err(_) => by_name(head),
        };
        let Some(code) = code else {
            let head: String = head.chars().take(20).collect();
            return Answer::line(format!("?{head} unknown command"));
        };
        match (self.engine.work(), COMMANDS[code]) {
            // A request waits for the answer to the one before it; `quit` interrupts that one instead.
            (Some(Work::Choose), "quit") => return Answer::then(Then::Interrupt),
            (Some(Work::Choose), _) => return Answer::then(Then::Hold),
            // The player must be here to report what it has learned.
            (Some(Work::Ponder), "move" | "flip" | "genmove" | "reset_board" | "game_over" | "quit") => {
                return Answer::then(Then::Interrupt);
            }
            _ => {}
        }
        let arguments: Vec<&str> = words.take(64).collect();
        if COMMANDS[code] == "genmove" {
            return match self.engine.choose(&MoveRequest::clocks(*self.engine.clocks()), false, None) {
                Ok(think) => Answer::then(think),
                Err(why) => answer(code, Err(why)),
            };
        }
        let ended = matches!(COMMANDS[code], "reset_board" | "game_over").then(|| self.engine.learned());
        let told = self.obey(code, &arguments);
        let over = self.engine.game().turn().seat().is_none();
        let learned = match ended {
            Some(learned) => learned.map(Box::new),
            None if over && matches!(COMMANDS[code], "move" | "flip") => self.engine.worth_keeping(),
            None => None,
        };
        let then = match COMMANDS[code] {
            "quit" => Then::Quit,
            "move" | "flip" if told.is_ok() => self.engine.meanwhile(),
            _ => Then::Listen,
        };
        Answer { learned, then, ..answer(code, told) }
    }

    fn thought(&mut self, thought: Thought) -> Answer {
        let Some(choice) = self.engine.back(thought) else { return Answer::silence() };
        let text = choice.map(|action| match action {
            Action::Flip(at) => format!("{at} {at}"),
            Action::Move { from, to } => format!("{from} {to}"),
        });
        let notes = self.engine.news().into_iter().collect();
        Answer { notes, learned: self.engine.worth_keeping(), ..answer(12, text) }
    }
}

impl Session {
    fn obey(&mut self, code: usize, arguments: &[&str]) -> Result<String, Refused> {
        let argument = |i: usize| arguments.get(i).copied().unwrap_or_default();
        let at = |i: usize| square(argument(i)).ok_or(format!("expected a square, found {:?}", argument(i)));
        let time = |i: usize| {
            argument(i).parse::<u64>().map_err(|_| format!("expected milliseconds, found {:?}", argument(i)))
        };
        match COMMANDS[code] {
            "protocol_version" => return Ok("1.1.0".to_owned()),
            "name" => return Ok(self.name.clone()),
            "version" => return Ok(env!("CARGO_PKG_VERSION").to_owned()),
            "known_command" => return Ok(by_name(argument(0)).is_some().to_string()),
            "list_commands" => return Ok(COMMANDS.join("\n")),
            "reset_board" => self.engine.reset(Banqi::start(self.rules)),
            "move" => self.engine.apply_event(Event::Move { from: at(0)?, to: at(1)? })?,
            "flip" => {
                let letter = argument(1).bytes().next().filter(|_| argument(1).len() == 1);
                let piece = letter.and_then(Piece::from_letter);
                let piece = piece.ok_or(format!("expected a piece, found {:?}", argument(1)))?;
                self.engine.apply_event(Event::Flip { at: at(0)?, piece })?;
            }
            "time_settings" => {
                let base = Duration::from_millis(time(0)?);
                *self.engine.clocks_mut() =
                    Clocks::new([Budget::Game { base, increment: Duration::ZERO }; 2]);
            }
            "time_left" => {
                let color = Color::ALL.into_iter().find(|c| c.name() == argument(0));
                let color = color.ok_or(format!("expected red or black, found {:?}", argument(0)))?;
                let ms = time(1)?;
                if let Some(seat) = self.engine.game().seat_playing(color) {
                    self.engine.set_left(seat, ms);
                }
            }
            "showboard" => return Ok(self.engine.game().to_string()),
            "init_board" => return Err("init_board is not supported: its counts are ambiguous".into()),
            // quit, boardsize, num_repetition, num_moves_to_draw, game_over, ready: acknowledged without effect.
            _ => {}
        }
        Ok(String::new())
    }
}

fn answer(code: usize, text: Result<String, Refused>) -> Answer {
    Answer::line(match text {
        Ok(text) if text.is_empty() => format!("={code}"),
        Ok(text) => format!("={code} {text}"),
        Err(Refused(why)) => format!("?{code} {why}"),
    })
}

fn by_name(name: &str) -> Option<usize> {
    if name == "time_setting" { Some(15) } else { COMMANDS.iter().position(|c| *c == name) }
}
