//! The game of a question: read from text or put together by hand, and short enough to be shown.

use anglerfish_report::review::told_apart;
use anglerfish_rules::banqi::{Banqi, Board, Piece, RuleSet};
use anglerfish_rules::{Game, NotationError, Record};

/// The most plies of a game: more than the rules of the platform allow.
pub(crate) const MOST_PLIES: usize = 5_000;

/// The longest name of a player, in bytes: it is said with every ply.
pub(crate) const LONGEST_NAME: usize = 200;

/// A position of 32 letters, a1 first, and the bag of face-down pieces, such as `K1p2`.
/// An empty bag stands for every piece that is not on the board. The mover sits in the first seat.
pub(crate) fn set_up(cells: &str, bag: &str, side: Option<&str>, rules: RuleSet) -> Result<Banqi, String> {
    let mut rest = Board::Full.bag();
    for piece in cells.bytes().filter_map(Piece::from_letter) {
        if rest.count(piece) == 0 {
            return Err(format!("expected at most {} of {piece}", Board::Full.bag().count(piece)));
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
pub(crate) fn read(text: &str) -> Result<Record<Banqi>, String> {
    let record: Record<Banqi> = parse(text)?;
    record.replay().map_err(|e| e.to_string())?;
    Ok(record)
}

/// Whether a page can show a game: an answer is many times as long as the game.
pub(crate) fn fits(record: &Record<Banqi>) -> Result<(), String> {
    let plies = record.plies.len();
    if plies > MOST_PLIES {
        return Err(format!("expected a game of at most {MOST_PLIES} plies, found {plies}"));
    }
    match told_apart(record).iter().map(String::len).max() {
        Some(long) if long > LONGEST_NAME => {
            Err(format!("expected names of at most {LONGEST_NAME} bytes, found {long}"))
        }
        _ => Ok(()),
    }
}

/// Text as what it should be.
pub(crate) fn parse<T: std::str::FromStr<Err = NotationError>>(text: &str) -> Result<T, String> {
    text.parse().map_err(|e: NotationError| e.to_string())
}
