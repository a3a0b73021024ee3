//! Text both ways: squares, actions, events and the one-line position.
//!
//! The notation is the tournament platform's: files a-d, ranks 1-8, `c4(k)` for a flip, `c5-c3` for a move. Reading
//! is strict: accepted text is written back byte for byte, so a text can be compared and hashed.

use std::fmt;
use std::str::FromStr;

use super::action::{Action, Event};
use super::bag::Bag;
use super::piece::{Color, Piece, Role};
use super::position::Cell;
use super::ruleset::{Board, Repetition, RuleSet};
use super::setup::{Setup, SetupError};
use super::square::Square;
use super::squares::Squares;
use super::{Banqi, History, history};
use crate::error::{NotationError, named};

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Flip(at) => write!(f, "{at}"),
            Action::Move { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Event::Flip { at, piece } => write!(f, "{at}({piece})"),
            Event::Move { from, to } => write!(f, "{from}-{to}"),
        }
    }
}

impl FromStr for Action {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Action, NotationError> {
        match *text.as_bytes() {
            [f, r] => Square::from_ascii(f, r).map(Action::Flip),
            [f, r, b'-', g, s] => Square::from_ascii(f, r)
                .zip(Square::from_ascii(g, s))
                .map(|(from, to)| Action::Move { from, to }),
            _ => None,
        }
        .ok_or_else(|| NotationError::new("an action such as b3 (flip) or b3-b4", text, 0))
    }
}

impl FromStr for Event {
    type Err = NotationError;

    #[inline]
    fn from_str(text: &str) -> Result<Event, NotationError> {
        read_event(text.as_bytes())
            .ok_or_else(|| NotationError::new("a ply such as b3(c) (flip) or b3-b4", text, 0))
    }
}

#[inline]
fn read_event(bytes: &[u8]) -> Option<Event> {
    match *bytes {
        [f, r, b'(', letter, b')'] => {
            Some(Event::Flip { at: Square::from_ascii(f, r)?, piece: Piece::from_letter(letter)? })
        }
        [f, r, b'-', g, s] => {
            Some(Event::Move { from: Square::from_ascii(f, r)?, to: Square::from_ascii(g, s)? })
        }
        _ => None,
    }
}

impl FromStr for Square {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Square, NotationError> {
        match *text.as_bytes() {
            [file, rank] => Square::from_ascii(file, rank),
            _ => None,
        }
        .ok_or_else(|| NotationError::new("a square from a1 to d8", text, 0))
    }
}

impl FromStr for Piece {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Piece, NotationError> {
        named(Piece::ALL, Piece::to_string, text, "a letter of KGMRNCP kgmrncp")
    }
}

impl FromStr for Color {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Color, NotationError> {
        named(Color::ALL, |color| color.name(), text, "red or black")
    }
}

impl FromStr for Role {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Role, NotationError> {
        named(Role::ALL, |role| role.name(), text, "a role such as king")
    }
}

impl FromStr for Board {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Board, NotationError> {
        named(Board::ALL, |board| board.name(), text, "4x8, 4x4 or 2x4")
    }
}

impl fmt::Display for Bag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_empty() {
            return f.write_str("-");
        }
        self.iter().try_for_each(|(piece, n)| write!(f, "{piece}{n}"))
    }
}

/// Reads a bag such as `K1P3c2`: each kind at most once, in the order of the notation.
impl FromStr for Bag {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Bag, NotationError> {
        let mut bag = Bag::EMPTY;
        if text == "-" {
            return Ok(bag);
        }
        let expected = "a bag: - or letters in the order KGMRNCPkgmrncp, each with a count from 1 to 5";
        let error = |at: usize| NotationError::new(expected, text, at);
        let mut kinds = Piece::ALL.into_iter();
        for (i, pair) in text.as_bytes().chunks(2).enumerate() {
            let piece = Piece::from_letter(pair[0]).ok_or_else(|| error(2 * i))?;
            kinds.find(|&kind| kind == piece).ok_or_else(|| error(2 * i))?;
            match pair.get(1) {
                Some(n @ b'1'..=b'5') => (b'0'..*n).for_each(|_| bag.add(piece)),
                _ => return Err(error(2 * i + 1)),
            }
        }
        if bag.is_empty() { Err(error(0)) } else { Ok(bag) }
    }
}

/// The squares of a board in the order they are written, each with its byte offset in the board's text.
pub(super) fn reading_order(board: Board) -> impl Iterator<Item = (usize, Square)> {
    let (width, height) = board.size();
    (0..height).flat_map(move |row| {
        (0..width).map(move |file| {
            let at = usize::from(row) * (usize::from(width) + 1) + usize::from(file);
            (at, Square::at(file, height - 1 - row))
        })
    })
}

/// Writes the highest rank first, ranks parted by `/`: letters, `X` face down, `-` empty.
pub(super) fn write_board(
    f: &mut fmt::Formatter<'_>,
    board: Board,
    cell: impl Fn(Square) -> Cell,
) -> fmt::Result {
    for (at, square) in reading_order(board) {
        if at > 0 && square.file() == 0 {
            f.write_str("/")?;
        }
        match cell(square) {
            Cell::Shown(piece) => write!(f, "{piece}")?,
            Cell::Hidden => f.write_str("X")?,
            Cell::Empty | Cell::Outside => f.write_str("-")?,
        }
    }
    Ok(())
}

/// Reads what [`write_board`] writes; `text` is exactly the board, which begins at byte `at` of some larger text.
pub(super) fn read_board(text: &str, at: usize, board: Board) -> Result<[Cell; 32], NotationError> {
    let mut cells = [Cell::Outside; 32];
    let (width, height) = board.size();
    let bytes = text.as_bytes();
    let error = |expected: String, i: usize| NotationError::new(expected, text, i).offset(at);
    let mut end = 0;
    for (i, square) in reading_order(board) {
        if i > 0 && square.file() == 0 && bytes.get(i - 1) != Some(&b'/') {
            return Err(error(format!("\"/\" after {width} squares of a rank"), i - 1));
        }
        cells[square.index()] = match bytes.get(i) {
            Some(b'X') => Cell::Hidden,
            Some(b'-') => Cell::Empty,
            Some(&letter) if Piece::from_letter(letter).is_some() => {
                Piece::from_letter(letter).map_or(Cell::Empty, Cell::Shown)
            }
            _ => {
                let expected = format!("{square}: one of KGMRNCP kgmrncp, X (face down) or - (empty)");
                return Err(error(expected, i));
            }
        };
        end = i + 1;
    }
    if bytes.len() != end {
        return Err(error(format!("the end of the board after {height} ranks of {width}"), end));
    }
    Ok(cells)
}

/// `board side bag quiet ply rules`, and, where the rules look back, the plies since the last capture or flip.
impl fmt::Display for Banqi {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = self.position();
        write_board(f, self.rules.board, |square| p.cell(square))?;
        let side = match p.side() {
            Some(Color::Red) => "r",
            Some(Color::Black) => "b",
            None => "?",
        };
        write!(f, " {side} {} {} {} {}", p.bag(), p.quiet(), p.ply(), self.rules)?;
        for (i, (from, to)) in self.history.steps().enumerate() {
            write!(f, "{}{from}-{to}", if i == 0 { ' ' } else { ',' })?;
        }
        Ok(())
    }
}

impl FromStr for Banqi {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Banqi, NotationError> {
        // Step 1. Cut into fields, each with its place.
        let mut at = 0;
        let mut fields = text.split(' ').map(|field| {
            let start = at;
            at += field.len() + 1;
            (start, field)
        });
        let mut field =
            |name: &'static str| fields.next().ok_or_else(|| NotationError::new(name, text, text.len()));
        let (_, board) = field("a board")?;
        let (side_at, side) = field("the side to move: r, b or ?")?;
        let (bag_at, bag) = field("the bag: - or counts such as K1P3c2")?;
        let (quiet_at, quiet) = field("the number of quiet plies")?;
        let (ply_at, ply) = field("the number of plies played")?;
        let (rules_at, rules) = field("a rule set such as platform")?;
        let history = fields.next();
        if let Some((at, _)) = fields.next() {
            return Err(NotationError::new("the end of the position", text, at));
        }

        // Step 2. Read each of them.
        let rules_text = rules;
        let rules: RuleSet = rules.parse().map_err(|e: NotationError| e.offset(rules_at))?;
        if rules.to_string() != rules_text {
            let expected = format!("the rule set in its shortest form, {rules}");
            return Err(NotationError::new(expected, text, rules_at));
        }
        let number = |at: usize, field: &str| {
            let value = field.parse::<u32>().ok().filter(|n| n.to_string() == field);
            value.ok_or_else(|| NotationError::new("a number", text, at))
        };
        let setup = Setup {
            cells: read_board(board, 0, rules.board)?,
            bag: bag.parse().map_err(|e: NotationError| e.offset(bag_at))?,
            side: match side {
                "r" => Some(Color::Red),
                "b" => Some(Color::Black),
                "?" => None,
                _ => return Err(NotationError::new("the side to move: r, b or ?", text, side_at)),
            },
            quiet: number(quiet_at, quiet)?.try_into().unwrap_or(u16::MAX),
            ply: number(ply_at, ply)?,
        };

        // Step 3. Through the gate.
        let position = setup.position(&rules).map_err(|e| {
            let place = match e {
                SetupError::TooMany(_) => 0,
                SetupError::Bag { .. } => bag_at,
                SetupError::Side => side_at,
                SetupError::Quiet { .. } => quiet_at,
                SetupError::Ply { .. } => ply_at,
            };
            NotationError::new(e.to_string(), text, place)
        })?;
        let mut game = Banqi::new(position, rules);

        // Step 4. Walk the history back, so that the game knows what it may not repeat.
        if let Some((at, plies)) = history {
            game.history = read_history(plies, &game, text, at)?;
            game.update_turn();
        }
        Ok(game)
    }
}

/// Undoes the quiet plies that led to `game`, checks them, and plays them again into a history.
fn read_history(plies: &str, game: &Banqi, text: &str, at: usize) -> Result<History, NotationError> {
    let error = |expected: &'static str, at: usize| Err(NotationError::new(expected, text, at));
    if game.rules.repetition == Repetition::None {
        return error("no plies here: these rules do not look back", at);
    }
    let mut steps = Vec::new();
    let mut start = at;
    for ply in plies.split(',') {
        match ply.parse() {
            Ok(Event::Move { from, to }) if Squares::from(from).neighbors().contains(to) => {
                steps.push((start, from, to));
            }
            _ => return error("a quiet ply such as b3-b4", start),
        }
        start += ply.len() + 1;
    }
    if steps.len() > usize::from(game.position.quiet) || steps.len() > game.position.ply as usize {
        return error("no more plies than the counters of quiet plies and of plies say", at);
    }
    // The position before the plies: each piece goes back, and the side to move changes with it.
    let mut first = game.position;
    for &(place, from, to) in steps.iter().rev() {
        let Some(mover) = first.side.map(Color::other) else {
            return error("no plies before the first flip", place);
        };
        if !first.color(mover).contains(to) || !first.empty.contains(from) {
            return error("plies that lead to this board", place);
        }
        // A step back is a step: the same boards change, and the key with them.
        first.side = Some(mover);
        first.key ^= super::key::side_to_move();
        first.play(Event::Move { from: to, to: from }, &game.rules);
        first.side = Some(mover);
        first.key ^= super::key::side_to_move();
        first.ply -= 2;
    }
    let mut history = History::default();
    history.restart(first.key);
    for (_, from, to) in steps {
        first.play(Event::Move { from, to }, &game.rules);
        history.push(history::word(from, to, first.key));
    }
    Ok(history)
}
