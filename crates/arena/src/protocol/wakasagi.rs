//! The protocol of the 2025 course: one line a ply with the whole board, and one line back from the side to move.
//!
//! Its board lies across ours (8 files A-H, 4 ranks), capitals are black, and the line does not tell captures:
//! a session compares two boards to find the ply.

use std::time::Duration;

use anglerfish_rules::banqi::{Action, Banqi, Cell, Color, Event, Piece, Role, RuleSet, Square};
use anglerfish_rules::{Forfeit, Ply, Seat};

use super::{Answer, Describe, EngineSession, Refused, Then, Thought, Work, lying_ranks};
use crate::program::{Chair, Program};
use crate::table::{Budget, Clocks};
use crate::table::{Choice, MoveRequest, Player};

/// Its letter of a piece: `K A E R N C P`, small letters red.
fn letter(piece: Piece) -> char {
    let letter = match piece.role() {
        Role::Guard => 'A',
        Role::Minister => 'E',
        role => role.letter(),
    };
    if piece.color() == Color::Red { letter.to_ascii_lowercase() } else { letter }
}

fn piece(letter: char) -> Option<Piece> {
    Piece::ALL.into_iter().find(|&p| self::letter(p) == letter)
}

/// Its files are our ranks: `B3` is our c2.
fn name(square: Square) -> String {
    format!("{}{}", (b'A' + square.rank()) as char, square.file() + 1)
}

fn square(text: &str) -> Option<Square> {
    Square::all().find(|&s| name(s) == text)
}

/// Reads four ranks, rank 1 first, with runs of empty squares as digits.
fn read_board(text: &str) -> Option<[Cell; 32]> {
    let mut cells = [Cell::Empty; 32];
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 4 {
        return None;
    }
    for (file, text) in (0..4).zip(ranks) {
        let mut rank = 0u8;
        for glyph in text.chars() {
            if let Some(run) = glyph.to_digit(10) {
                rank = rank.saturating_add(run as u8);
                continue;
            }
            let cell = if glyph == '?' { Cell::Hidden } else { Cell::Shown(piece(glyph)?) };
            if rank >= 8 {
                return None;
            }
            cells[Square::at(file, rank).index()] = cell;
            rank += 1;
        }
        if rank != 8 {
            return None;
        }
    }
    Some(cells)
}

/// A program with this protocol.
pub struct Client {
    chair: Chair,
    seat: Seat,
}

impl Client {
    /// A player that starts the program with each game.
    pub fn new(program: Program) -> Client {
        Client { chair: Chair::new(program), seat: Seat(0) }
    }
}

/// The line that shows the board; the first mover counts as red until it has a color.
fn shown(game: &Banqi, times: [i64; 2]) -> String {
    let side = game.position().side().unwrap_or(Color::Red);
    let to_move = if side == Color::Red { 'r' } else { 'b' };
    format!("{} {to_move} {} {}", lying_ranks(game, letter, '?').join("/"), times[0], times[1])
}

impl Player<Banqi> for Client {
    fn start(&mut self, seat: Seat, _: u64, _: &Clocks) -> Result<(), Forfeit> {
        self.seat = seat;
        self.chair.sit_down()?;
        Ok(())
    }

    fn observe(&mut self, before: &Banqi, ply: &Ply<Event>, _: &Clocks) -> Result<(), Forfeit> {
        // The side that is not to move gets the board too, and must not answer.
        if ply.seat == self.seat {
            return Ok(());
        }
        self.chair.running()?.tell(&shown(before, [-9999, -9999]))
    }

    fn choose(&mut self, view: &Banqi, ask: &MoveRequest) -> Result<Choice<Action>, Forfeit> {
        let ms = |color: Color| {
            let seat = view.seat_playing(color).unwrap_or(Seat(color as u8));
            ask.left(seat).as_millis().min(1_000_000_000) as i64
        };
        let board = shown(view, [ms(Color::Red), ms(Color::Black)]);
        let running = self.chair.running()?;
        let action = running.ask(&[&board], Some(ask.left(self.seat)), "a line MOVE or FLIP", |line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            match words[..] {
                ["FLIP", at] => square(at).map(Action::Flip),
                ["MOVE", from, to] => {
                    square(from).zip(square(to)).map(|(from, to)| Action::Move { from, to })
                }
                _ => None,
            }
        })?;
        Ok(action.into())
    }

    fn complaint(&self) -> Option<String> {
        self.chair.complaint()
    }

    fn strays(&self) -> Vec<String> {
        self.chair.strays()
    }
}

/// One of our own players behind the course's protocol.
pub struct Session {
    engine: EngineSession,
    rules: RuleSet,
}

impl Session {
    /// A session for `player`.
    pub fn new(player: Box<dyn Player<Banqi>>, rules: RuleSet, seed: u64) -> Session {
        Session { engine: EngineSession::new(player, Banqi::start(rules), seed), rules }
    }
}

impl super::Session for Session {
    fn describe_opponent(&mut self, words: Describe) {
        self.engine.describe = Some(words);
    }

    /// Answers with a move if it is our turn, and with silence if it is not. For an impossible board it answers with an `ERROR`
    /// line, which the referee ignores.
    fn receive(&mut self, line: &str) -> Answer {
        if line.trim().is_empty() {
            return Answer::silence();
        }
        match self.engine.work() {
            Some(Work::Choose) => return Answer::then(Then::Hold),
            Some(Work::Ponder) => return Answer::then(Then::Interrupt),
            None => {}
        }
        match self.follow(line) {
            Ok(then) => Answer::then(then),
            Err(Refused(why)) => Answer::line(format!("ERROR {why}")),
        }
    }

    fn thought(&mut self, thought: Thought) -> Answer {
        let line = match self.engine.back(thought) {
            Some(Ok(Action::Flip(at))) => format!("FLIP {}", name(at)),
            Some(Ok(Action::Move { from, to })) => format!("MOVE {} {}", name(from), name(to)),
            Some(Err(Refused(why))) => format!("ERROR {why}"),
            None => return Answer::silence(),
        };
        Answer { notes: self.engine.news().into_iter().collect(), ..Answer::line(line) }
    }
}

impl Session {
    fn follow(&mut self, line: &str) -> Result<Then, Refused> {
        let words: Vec<&str> = line.split_whitespace().take(5).collect();
        let &[board, side, red, black] = &words[..] else {
            return Err("expected a board, r or b, and two times".into());
        };
        let cells = read_board(board).ok_or("expected four ranks of eight squares, rank 1 first")?;
        if !matches!(side, "r" | "b") {
            return Err("expected r or b to move".into());
        }
        let times =
            [red, black].map(|t| t.parse::<i64>().map_err(|_| format!("expected milliseconds, found {t:?}")));
        let [red, black] = times;
        let (red, black) = (red?, black?);
        self.catch_up(&cells)?;
        if red < 0 || black < 0 {
            return Ok(self.engine.meanwhile());
        }
        let game = self.engine.game();
        let ms = [Seat(0), Seat(1)].map(|seat| {
            let first_is_red = game.color_of(Seat(0)).is_none_or(|color| color == Color::Red);
            if first_is_red == (seat == Seat(0)) { red.unsigned_abs() } else { black.unsigned_abs() }
        });
        if self.engine.seat.is_none() && game.position().ply() < 2 {
            let budget = |ms| Budget::Game { base: Duration::from_millis(ms), increment: Duration::ZERO };
            *self.engine.clocks_mut() = Clocks::new(ms.map(budget));
        }
        for (seat, ms) in [Seat(0), Seat(1)].into_iter().zip(ms) {
            self.engine.set_left(seat, ms);
        }
        self.engine.choose(&MoveRequest::clocks(*self.engine.clocks()), false, None)
    }

    /// Plays the ply that leads from the known board to the new one.
    fn catch_up(&mut self, cells: &[Cell; 32]) -> Result<(), Refused> {
        let changed = |game: &Banqi| -> Vec<Square> {
            Square::all().filter(|&s| game.position().cell(s) != cells[s.index()]).collect()
        };
        let all_hidden = cells.iter().all(|c| *c == Cell::Hidden);
        if all_hidden && self.engine.game().position().ply() > 0 {
            self.engine.reset(Banqi::start(self.rules));
        }
        match changed(self.engine.game())[..] {
            [] => Ok(()),
            [at] => match cells[at.index()] {
                Cell::Shown(piece) => self.engine.apply_event(Event::Flip { at, piece }),
                _ => Err("a piece vanished from the board".into()),
            },
            [a, b] => {
                let empty = |s: Square| cells[s.index()] == Cell::Empty;
                let (from, to) = if empty(a) { (a, b) } else { (b, a) };
                self.engine.apply_event(Event::Move { from, to })?;
                if changed(self.engine.game()).is_empty() {
                    Ok(())
                } else {
                    Err("the board is not what the last move leads to".into())
                }
            }
            // One flip in a new game may be the first thing that the second player sees.
            _ if cells.iter().filter(|c| **c == Cell::Hidden).count() == 31 => {
                self.engine.reset(Banqi::start(self.rules));
                self.catch_up(cells)
            }
            _ => Err("more than one ply was played since the last line".into()),
        }
    }
}
