//! Recorded games of Siguo with the names of the players, read from the JSON lines of the data folder.

use std::collections::BTreeMap;

use crate::LabError;

use anglerfish_rules::{Forfeit, Game as _};
use anglerfish_siguo::{Action, Arm, Clash, Event, Layout, Rules, Siguo, Station};
use serde::Deserialize;

/// The file of the data folder.
pub(super) const FILE: &str = "siguo/games.jsonl.gz";

/// A game of four, from its start to its end.
#[derive(Clone, Debug)]
pub(super) struct Game {
    /// The players by arm.
    pub(super) players: [String; 4],
    /// The start.
    pub(super) start: Siguo,
    /// The events in order.
    pub(super) events: Vec<Event>,
}

/// The use of a player's armies.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Part {
    /// For training tables and networks.
    Training,
    /// For comparing our own models before any of them is tested.
    Choice,
    /// For predictions only.
    HeldOut,
}

impl Part {
    /// The part of a player, by its name alone.
    pub(super) fn of(player: &str) -> Part {
        match fnv(player.bytes()) % 10 {
            0..=2 => Part::HeldOut,
            3 => Part::Choice,
            _ => Part::Training,
        }
    }
}

/// All games of four of the data.
#[derive(Clone, Debug)]
pub(super) struct Archive {
    /// In the order of the file.
    pub(super) games: Vec<Game>,
    /// A digest of the whole text: other data have another one.
    pub(super) digest: u64,
}

#[derive(Deserialize)]
struct Line {
    id: String,
    players: u8,
    seat_player: Vec<Option<String>>,
    layouts: Vec<Option<String>>,
    events: String,
}

impl Archive {
    /// Reads the JSON lines, and replays every game by our rules.
    ///
    /// # Errors
    /// When a line is not a game, or a game breaks our rules.
    pub(super) fn read(text: &str) -> Result<Archive, LabError> {
        let mut games = Vec::new();
        for line in text.lines() {
            let line: Line = serde_json::from_str(line)?;
            if line.players == 4 {
                games.push(game(&line).map_err(|why| format!("{}: {why}", line.id))?);
            }
        }
        Ok(Archive { games, digest: fnv(text.bytes()) })
    }

    /// The layouts of all players in a part, repeated as often as they were used.
    pub(super) fn layouts(&self, part: Part) -> Vec<Layout> {
        let of = |game: &'_ Game| -> Vec<Layout> {
            let arms = Arm::ALL.into_iter().filter(|arm| Part::of(&game.players[arm.index()]) == part);
            arms.filter_map(|arm| game.start.layout(arm).copied()).collect()
        };
        self.games.iter().flat_map(of).collect()
    }

    /// The part of each player.
    pub(super) fn players(&self) -> BTreeMap<&str, Part> {
        self.games.iter().flat_map(|game| &game.players).map(|name| (&name[..], Part::of(name))).collect()
    }
}

fn fnv(bytes: impl Iterator<Item = u8>) -> u64 {
    bytes.fold(0xCBF2_9CE4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3)
    })
}

fn game(line: &Line) -> Result<Game, LabError> {
    if line.layouts.len() != 4 {
        return Err(format!("expected four layouts, found {}", line.layouts.len()).into());
    }
    let mut layouts = [None; 4];
    for (to, text) in layouts.iter_mut().zip(&line.layouts) {
        *to = Some(text.as_deref().unwrap_or_default().parse::<Layout>()?);
    }
    let name = |i: usize| line.seat_player.get(i).cloned().flatten().unwrap_or_default();
    let words: Vec<&str> = line.events.split(' ').collect();
    let first = words.iter().find_map(|word| owner(word)).unwrap_or(Arm::South);
    let start = Siguo::start(Rules::default(), layouts, first);
    let (mut now, mut events) = (start.clone(), Vec::new());
    for word in words {
        let Some(event) = event(&now, word).map_err(|why| format!("{word}: {why}"))? else { continue };
        now.apply(event);
        events.push(event);
    }
    Ok(Game { players: std::array::from_fn(name), start, events })
}

/// The arm that acts in a word, if the word alone tells it.
fn owner(word: &str) -> Option<Arm> {
    let digits = word.trim_start_matches(['T', 'L']);
    let n: usize = digits.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()?;
    match word.as_bytes().first()? {
        b'T' | b'L' => Arm::ALL.get(n).copied(),
        b'0'..=b'9' => Station::new(n)?.arm(),
        _ => None,
    }
}

/// The event of a word; `None` for words that only repeat consequences of the rules.
fn event(now: &Siguo, word: &str) -> Result<Option<Event>, LabError> {
    let bytes = word.as_bytes();
    let over = now.turn().is_over();
    match bytes.first() {
        Some(b'T') => {
            let fits = !over && owner(word) == Some(now.table().to_move());
            if fits { Ok(Some(Event::Skip)) } else { Err("a turn missed out of turn".into()) }
        }
        // Out by surrender or by leaving. All other causes follow from the rules.
        Some(b'L') => {
            let why = match bytes.last() {
                Some(b's') => Forfeit::Resigned,
                Some(b'e') => Forfeit::Crashed,
                Some(b't') if !over && owner(word) == Some(now.table().to_move()) => {
                    return Ok((now.table().missed(now.table().to_move()) == 4).then_some(Event::Skip));
                }
                _ => return Ok(None),
            };
            let seat = owner(word).and_then(|arm| now.table().seat_of(arm)).ok_or("no player's")?;
            Ok(now.forfeited(seat, why).filter(|_| !over))
        }
        Some(b'0'..=b'9') => {
            let at = word.find(['-', 'x', '!', '=']).ok_or("a move")?;
            let station = |text: &str| text.parse().ok().and_then(Station::new).ok_or("a station");
            let action = Action::Move { from: station(&word[..at])?, to: station(&word[at + 1..])? };
            if !now.is_legal(action) {
                return Err("not legal".into());
            }
            let mut chances = Vec::new();
            now.outcomes(action, &mut chances);
            let found = chances[0].event;
            let clash = match bytes[at] {
                b'x' => Some(Clash::Wins),
                b'!' => Some(Clash::Dies),
                b'=' => Some(Clash::Both),
                _ => None,
            };
            match found {
                Event::Move(play) if play.clash == clash => Ok(Some(found)),
                _ => Err(format!("{found} by our rules").into()),
            }
        }
        // A player has left the table, or the end.
        _ => Ok(None),
    }
}
