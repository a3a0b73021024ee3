//! The game of a question: read from text or put together by hand, and short enough to be shown.

use std::fmt::Display;

use anglerfish_report::review::told_apart;
use anglerfish_rules::banqi::{Banqi, Board, Piece, RuleSet};
use anglerfish_rules::{Game, NotationError, Record};

/// Why a question is not answered, in words for the page: no caller tells one reason from another.
#[derive(Debug)]
pub(crate) struct Refused(pub(crate) String);

impl<E: Display> From<E> for Refused {
    fn from(why: E) -> Refused {
        Refused(why.to_string())
    }
}

/// The most plies of a game: more than the rules of the platform allow.
pub(crate) const MOST_PLIES: usize = 5_000;

/// The longest name of a player, in bytes: it is said with every ply.
pub(crate) const LONGEST_NAME: usize = 200;

/// A position of 32 letters, a1 first, and the bag of face-down pieces, such as `K1p2`.
/// An empty bag stands for every piece that is not on the board. The mover sits in the first seat.
pub(crate) fn set_up(cells: &str, bag: &str, side: Option<&str>, rules: RuleSet) -> Result<Banqi, Refused> {
    let mut rest = Board::Full.bag();
    for piece in cells.bytes().filter_map(Piece::from_letter) {
        if rest.count(piece) == 0 {
            return Err(format!("expected at most {} of {piece}", Board::Full.bag().count(piece)).into());
        }
        rest.remove(piece);
    }
    let hidden = cells.bytes().filter(|letter| *letter == b'X').count();
    let bag = match bag {
        _ if hidden == 0 => "-".to_owned(),
        "" => rest.to_string(),
        bag => bag.to_owned(),
    };
    let (side, ply) = match side {
        _ if hidden == cells.len() => ("?", 0),
        Some("black") => ("b", 2),
        _ => ("r", 2),
    };
    let cells: Vec<char> = cells.chars().collect();
    let ranks: Vec<String> = cells.chunks(4).rev().map(|rank| rank.iter().collect()).collect();
    parse(&format!("{} {side} {bag} 0 {ply} {rules}", ranks.join("/")))
}

/// The game after some plies of a record; after all of them if it has fewer.
pub(crate) fn game_at(record: &Record<Banqi>, ply: usize) -> Banqi {
    let mut game = record.start.clone();
    record.plies.iter().take(ply).for_each(|ply| game.apply(ply.event));
    game
}

/// A record that holds.
pub(crate) fn read(text: &str) -> Result<Record<Banqi>, Refused> {
    let record: Record<Banqi> = parse(text)?;
    record.replay()?;
    Ok(record)
}

/// Whether a page can show a game: an answer is many times as long as the game.
pub(crate) fn fits(record: &Record<Banqi>) -> Result<(), Refused> {
    let plies = record.plies.len();
    if plies > MOST_PLIES {
        return Err(format!("expected a game of at most {MOST_PLIES} plies, found {plies}").into());
    }
    match told_apart(record).iter().map(String::len).max() {
        Some(long) if long > LONGEST_NAME => {
            Err(format!("expected names of at most {LONGEST_NAME} bytes, found {long}").into())
        }
        _ => Ok(()),
    }
}

/// Text as what it should be.
pub(crate) fn parse<T: std::str::FromStr<Err = NotationError>>(text: &str) -> Result<T, Refused> {
    Ok(text.parse()?)
}
