//! Our dialect of UCI, and `MistyBanqi`'s subset of it.
//!
//! UCI's verbs are kept, so that its tools can read along. A position travels as our one-line text, or as the start with
//! the events since; moves are our notation. `MistyBanqi` has its own FEN on a board that lies across ours, with ranks
//! counted from zero.

mod session;

use std::time::Duration;

use anglerfish_rules::banqi::{Action, Banqi, Color, Event, Piece, Square};
use anglerfish_rules::{Annotation, Forfeit, Game, Ply, Points, Seat};

pub use self::session::Session;
use super::lying_ranks;
use crate::program::{Chair, GOODBYE, Program};
use crate::table::{Budget, Clocks};
use crate::table::{Choice, MoveRequest, Player};

/// Every command that a session understands. docs/protocol.md describes them; `cargo xtask tidy` compares.
pub const COMMANDS: [&str; 10] =
    ["uci", "isready", "setoption", "ucinewgame", "position", "d", "go", "ponderhit", "stop", "quit"];

/// A dialect of UCI.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Dialect {
    /// That of `anglerfish uci`.
    Ours,
    /// `MistyBanqi`: zero-based squares, its own FEN, no options.
    Misty,
}

/// A program that speaks UCI.
pub struct Client {
    chair: Chair,
    dialect: Dialect,
    /// The game at the last capture or flip, and the quiet moves since: how the program sees repetitions.
    anchor: Option<Banqi>,
    since: Vec<(Square, Square)>,
    /// The name that the program reports.
    title: String,
}

impl Client {
    /// A player that starts the program with each game.
    pub fn new(program: Program, dialect: Dialect) -> Client {
        Client { chair: Chair::new(program), dialect, anchor: None, since: Vec::new(), title: String::new() }
    }

    /// Sends some lines and waits for a word, and notes the name that the program reports meanwhile.
    fn ask(&mut self, lines: &[&str], word: &'static str) -> Result<(), Forfeit> {
        let title = &mut self.title;
        self.chair.running()?.ask(lines, None, word, |line| {
            if let Some(name) = line.trim().strip_prefix("id name ") {
                name.clone_into(title);
            }
            (line.trim() == word).then_some(())
        })
    }

    fn position(&self, view: &Banqi) -> String {
        match self.dialect {
            Dialect::Ours => format!("position text {view}"),
            Dialect::Misty => {
                let anchor = self.anchor.as_ref().unwrap_or(view);
                let moves = self
                    .since
                    .iter()
                    .map(|&(from, to)| format!(" {}{}", misty_square(from), misty_square(to)));
                let moves: String = moves.collect();
                let verb = if moves.is_empty() { "" } else { " moves" };
                format!("position fen {}{verb}{moves}", misty_fen(anchor))
            }
        }
    }

    fn go(view: &Banqi, clocks: &Clocks) -> String {
        let seat = view.turn().seat().unwrap_or(Seat(0));
        let ms = |time: Duration| time.as_millis().min(1_000_000_000);
        match clocks.budget(seat) {
            Budget::Nodes(nodes) => format!("go nodes {nodes}"),
            Budget::Move(_) => format!("go movetime {}", ms(clocks.left(seat))),
            Budget::Game { increment, .. } => format!(
                "go wtime {} btime {} winc {} binc {}",
                ms(clocks.left(Seat(0))),
                ms(clocks.left(Seat(1))),
                ms(increment),
                ms(increment)
            ),
        }
    }

    fn read_move(&self, text: &str) -> Option<Action> {
        match self.dialect {
            Dialect::Ours => text.parse().ok(),
            Dialect::Misty => {
                let (from, to) = text.is_ascii().then(|| text.split_at_checked(2))??;
                let find = |name: &str| Square::all().find(|&s| misty_square(s) == name);
                let (from, to) = (find(from)?, find(to)?);
                Some(if from == to { Action::Flip(from) } else { Action::Move { from, to } })
            }
        }
    }
}

impl Player<Banqi> for Client {
    fn start(&mut self, _: Seat, _: u64, _: &Clocks) -> Result<(), Forfeit> {
        self.anchor = None;
        self.since.clear();
        self.chair.sit_down()?;
        self.ask(&["uci"], "uciok")?;
        self.ask(&["ucinewgame", "isready"], "readyok")
    }

    fn observe(&mut self, before: &Banqi, ply: &Ply<Event>, _: &Clocks) -> Result<(), Forfeit> {
        let mut after = before.clone();
        after.apply(ply.event);
        match ply.event {
            Event::Move { from, to } if before.position().empty().contains(to) => {
                self.since.push((from, to));
            }
            _ => {
                self.anchor = Some(after);
                self.since.clear();
            }
        }
        Ok(())
    }

    fn choose(&mut self, view: &Banqi, ask: &MoveRequest) -> Result<Choice<Action>, Forfeit> {
        let clocks = &ask.clocks.unwrap_or_else(|| Clocks::new([Budget::default(); 2]));
        let position = self.position(view);
        let go =
            if self.dialect == Dialect::Misty { misty_go(view, clocks) } else { Client::go(view, clocks) };
        let left = clocks.left(view.turn().seat().unwrap_or(Seat(0)));
        let reports = ask.lines > 0 && self.dialect == Dialect::Ours;
        let running = self.chair.running()?;
        let mut value = None;
        let text = running.ask(&[&position, &go], Some(left), "bestmove", |line| {
            let mut words = line.split_whitespace();
            match words.next() {
                Some("bestmove") => return Some(words.next().unwrap_or_default().to_owned()),
                Some("info") if reports => value = read_value(words).or(value),
                _ => {}
            }
            None
        })?;
        if let Some(action) = self.read_move(&text) {
            return Ok(Choice { action, thought: Annotation { value, ..Annotation::default() } });
        }
        let complaint = format!("answered \"bestmove {text}\", which is no move");
        Err(self.chair.running()?.fail(Forfeit::Protocol, complaint))
    }

    fn announced(&self) -> Option<String> {
        Some(self.title.clone())
    }

    fn complaint(&self) -> Option<String> {
        self.chair.complaint()
    }

    fn strays(&self) -> Vec<String> {
        // All that a program may say unasked.
        let known =
            ["id", "option", "info", "copyprotection", "registration", "uciok", "readyok", "bestmove"];
        let is_stray =
            |line: &String| line.split_whitespace().next().is_some_and(|word| !known.contains(&word));
        self.chair.strays().into_iter().filter(is_stray).collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.chair.leave("quit", GOODBYE);
    }
}

/// The value in the words of a line of information: of the first line of `multipv`, and no bound.
fn read_value<'a>(words: impl Iterator<Item = &'a str>) -> Option<Points> {
    let words: Vec<&str> = words.take_while(|word| !matches!(*word, "pv" | "string")).collect();
    let after = |name: &str| Some(&words[words.iter().position(|word| *word == name)? + 1..]);
    let is_other = matches!(after("multipv"), Some([n, ..]) if *n != "1");
    if is_other || words.iter().any(|word| matches!(*word, "lowerbound" | "upperbound")) {
        return None;
    }
    let [unit, number, ..] = after("score")? else { return None };
    match (*unit, number.parse::<f64>().ok()?) {
        // A score of 100 is a won game.
        ("cp", hundredths) => Some(Points::nearest(hundredths / 100.0)),
        ("mate", plies) => Some(Points::nearest(plies.signum())),
        _ => None,
    }
}

/// `MistyBanqi` has no clock of its own: it gets a thirtieth of the time left.
fn misty_go(view: &Banqi, clocks: &Clocks) -> String {
    let seat = view.turn().seat().unwrap_or(Seat(0));
    match clocks.budget(seat) {
        Budget::Game { increment, .. } => {
            format!("go movetime {}", (clocks.left(seat) / 30 + increment / 2).as_millis().max(1))
        }
        _ => Client::go(view, clocks),
    }
}

/// Its files are our ranks, its ranks our files, counted from zero.
fn misty_square(square: Square) -> String {
    format!("{}{}", (b'a' + square.rank()) as char, square.file())
}

/// Its letters: G A E R H C S for king to pawn, capitals red.
fn misty_letter(piece: Piece) -> char {
    let place = Piece::ALL.iter().position(|&p| p == piece).unwrap_or(0);
    b"GAERHCSgaerhcs"[place] as char
}

/// `<board> <r|b|-> <bag> <clock> <n>`: the top rank first, runs of empty squares as digits.
fn misty_fen(game: &Banqi) -> String {
    let position = game.position();
    let mut ranks = lying_ranks(game, misty_letter, 'X');
    ranks.reverse();
    let board = ranks.join("/");
    let side = match position.side() {
        Some(Color::Red) => "r",
        Some(Color::Black) => "b",
        None => "-",
    };
    let bag = position.bag().iter().fold(String::new(), |bag, (p, n)| format!("{bag}{}{n}", misty_letter(p)));
    let bag = if bag.is_empty() { "-" } else { &bag };
    format!("{board} {side} {bag} {} {}", position.quiet(), position.ply() / 2 + 1)
}
