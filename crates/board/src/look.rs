//! A game as a page shows it, and the actions at its table.

use std::collections::BTreeMap;
use std::time::Duration;

use anglerfish_arena::{Budget, Clocks, Dealer, Draws, Fixed, Refusal, Table};
use anglerfish_report::review::told_apart;
use anglerfish_report::words::{self, Words};
use anglerfish_report::{Lang, lessons, say};
use anglerfish_rules::banqi::{self, Action, Banqi, Cell, Event, Layout, Piece, Square};
use anglerfish_rules::{Cause, Ending, Forfeit, Game, Outcome, Record, Rng, Seat};
use serde::Serialize;

use crate::game::{Refused, fits, game_at, parse};

/// The tag of a record that says which seat a person has, against an engine.
const PERSON: &str = "Person";

/// The tag of a record that has the date of the deal of the day.
const DAILY: &str = "Daily";

/// The tag of a record that has the clocks: seconds, and perhaps more for each move.
const TIME: &str = "Time";

/// The most tags that a page may give a new game.
const MOST_TAGS: usize = 100;

/// A game as it is shown after some of its plies.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) struct GameView {
    record: String,
    position: String,
    rules: String,
    tags: BTreeMap<String, String>,
    names: [String; 2],
    plies: Vec<ShownPly>,
    ply: usize,
    /// Files and ranks.
    size: [u8; 2],
    /// 32 letters, a1 first: pieces, X face down, - empty, # outside.
    board: String,
    seat: Option<u8>,
    colors: [Option<Color>; 2],
    actions: Vec<String>,
    bag: BTreeMap<String, u32>,
    taken: BTreeMap<String, u32>,
    quiet: u16,
    limit: u16,
    clocks: Option<TimeLeft>,
    ending: Option<Ended>,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct ShownPly {
    text: String,
    seat: u8,
    ms: u64,
    said: String,
}

/// Milliseconds by seat, and whether the clocks run.
#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct TimeLeft {
    left: [u64; 2],
    run: bool,
}

#[derive(Serialize)]
#[cfg_attr(test, derive(ts_rs::TS))]
struct Ended {
    result: &'static str,
    reason: &'static str,
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
#[cfg_attr(test, derive(ts_rs::TS))]
enum Color {
    Red,
    Black,
}

/// The game after an action, or why it is not allowed.
#[derive(Serialize)]
#[serde(untagged)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub(crate) enum Acted {
    Look(Box<GameView>),
    Refused { refused: String },
}

/// A new game with these tags.
pub(super) fn begun(start: Banqi, tags: &[(String, String)], lang: Lang) -> Result<GameView, Refused> {
    if tags.len() > MOST_TAGS {
        return Err(format!("expected at most {MOST_TAGS} tags, found {}", tags.len()).into());
    }
    let mut record = Record::new(start);
    for (name, value) in tags {
        if !anglerfish_rules::is_free_tag(name) || value.contains(['\n', '\r']) {
            return Err(format!("expected a tag of one line, found {name:?}").into());
        }
        record.set_tag(name, value);
    }
    clocks(&record)?;
    GameView::of(&record, None, lang)
}

/// An action is played, or the mover's flag falls.
pub(super) fn acted(
    record: Record<Banqi>,
    action: Option<Action>,
    seed: u64,
    took: u64,
    lang: Lang,
) -> Result<Acted, Refused> {
    let words = Words { lang, glyphs: true };
    let before = game_at(&record, record.plies.len());
    let mut table = table(record, seed)?;
    let now = Duration::from_millis(took);
    match action {
        None => drop(table.expire(now)),
        Some(action) => match table.act(action, now) {
            Ok(_) | Err(Refusal::Late(_)) => {}
            Err(Refusal::Illegal(illegal)) => {
                let why = before.refusal(action).map_or(illegal.why, |why| words::refuse(words, why));
                return Ok(Acted::Refused { refused: say!(lang, "play.not_allowed", why = why) });
            }
        },
    }
    Ok(Acted::Look(Box::new(GameView::of(table.record(), None, lang)?)))
}

/// An event after some plies of a recorded game.
pub(super) fn told(
    mut record: Record<Banqi>,
    ply: usize,
    event: Event,
    lang: Lang,
) -> Result<GameView, Refused> {
    record.truncate(ply);
    let mut table = table(record, 0)?;
    table.apply_event(event, Duration::ZERO)?;
    GameView::of(table.record(), None, lang)
}

/// A player resigns.
pub(super) fn resigned(record: Record<Banqi>, seat: u8, lang: Lang) -> Result<GameView, Refused> {
    let mut table = table(record, 0)?;
    table.forfeit(Seat(seat & 1), Forfeit::Resigned, Duration::ZERO);
    GameView::of(table.record(), None, lang)
}

/// The layout of the deal of the day, which the date alone decides: every player finds the same piece on a square, in whatever order they
/// flip. The record never contains it.
fn daily(record: &Record<Banqi>) -> Result<Option<Layout>, Refused> {
    let Some(date) = record.tag(DAILY) else { return Ok(None) };
    let digits: String = date.chars().filter(char::is_ascii_digit).collect();
    let is_date =
        date.len() == 10 && date.bytes().enumerate().all(|(n, b)| (b == b'-') == (n == 4 || n == 7));
    let seed = digits.parse().ok().filter(|_| is_date && digits.len() == 8);
    let seed =
        seed.ok_or_else(|| format!("expected a date such as 2026-01-31 in the tag {DAILY}, found {date:?}"))?;
    let rules = *record.start.ruleset();
    let layout = Layout::shuffled(rules.board, &mut Rng::stream(seed, "daily"));
    let flips =
        |event: &Event| !matches!(*event, Event::Flip { at, piece } if layout.piece(at) != Some(piece));
    if record.start != Banqi::start(rules) || !record.plies.iter().all(|ply| flips(&ply.event)) {
        return Err(format!("expected a game of the deal of {date}, found other pieces").into());
    }
    Ok(Some(layout))
}

/// The table at which a record is played on. A face-down piece is drawn when it is flipped, except in the deal of the day.
fn table(record: Record<Banqi>, seed: u64) -> Result<Table<Banqi>, Refused> {
    let start = clocks(&record)?.unwrap_or(endless());
    let dealer: Box<dyn Dealer<Banqi>> = match daily(&record)? {
        Some(layout) => Box::new(Fixed(layout)),
        None => Box::new(Draws(Rng::stream(seed, "deal"))),
    };
    let mut table = Table::new(record.start.clone(), dealer, start);
    let (plies, ending) = (record.plies.len(), record.ending);
    *table.record_mut() = record;
    table.take_back(plies, start, Duration::ZERO);
    table.record_mut().ending = ending;
    Ok(table)
}

/// The clock of a game without clocks: its plies have times, and no player loses on time.
fn endless() -> Clocks {
    Clocks::new([Budget::Game { base: Duration::from_hours(1000), increment: Duration::ZERO }; 2])
}

/// The clocks of a game at its start, if it has any.
fn clocks(record: &Record<Banqi>) -> Result<Option<Clocks>, Refused> {
    let Some(text) = record.tag(TIME) else { return Ok(None) };
    let budget: Budget = parse(&format!("tc={text}"))?;
    Ok(Some(Clocks::new([budget; 2])))
}

/// What is left on the clocks of a game in milliseconds, and whether they run.
fn left(record: &Record<Banqi>) -> Result<Option<TimeLeft>, Refused> {
    let Some(mut clocks) = clocks(record)? else { return Ok(None) };
    for ply in &record.plies {
        clocks.charge(ply.seat, ply.took);
    }
    let left = [Seat(0), Seat(1)].map(|seat| clocks.left(seat).as_millis() as u64);
    Ok(Some(TimeLeft { left, run: !record.plies.is_empty() && record.ending.is_none() }))
}

impl GameView {
    /// What a page shows of a game after some plies, or all of them.
    pub(super) fn of(record: &Record<Banqi>, ply: Option<usize>, lang: Lang) -> Result<GameView, Refused> {
        fits(record)?;
        let last = record.plies.len();
        let ply = ply.unwrap_or(last).min(last);
        let game = game_at(record, ply);
        let words = Words { lang, glyphs: true };
        let names = told_apart(record);
        let person = person(record);
        let mut at = record.start.clone();
        let mut plies = Vec::new();
        for played in &record.plies {
            let ours = person.map(|us| us == played.seat);
            plies.push(ShownPly {
                text: played.event.to_string(),
                seat: played.seat.0,
                ms: played.took.as_millis() as u64,
                said: said(words, &at, played.event, &names[usize::from(played.seat.0 & 1)], ours),
            });
            at.apply(played.event);
        }
        let mut actions = Vec::new();
        let over = ply == last && record.ending.is_some();
        if !over {
            game.actions(&mut actions);
        }
        let color = |seat| {
            game.color_of(seat).map(|color| match color {
                banqi::Color::Red => Color::Red,
                banqi::Color::Black => Color::Black,
            })
        };
        let (files, ranks) = game.ruleset().board.size();
        let ending = record.ending.filter(|_| ply == last).map(|ending| Ended {
            result: ending.outcome.text(),
            reason: ending.cause.text(),
            text: ended(record, &game, ending, &names, lang),
        });
        Ok(GameView {
            record: record.to_string(),
            position: game.to_string(),
            rules: game.ruleset().to_string(),
            tags: record.tags.iter().cloned().collect(),
            names,
            plies,
            ply,
            size: [files, ranks],
            board: Square::all().map(|at| letter(game.position().cell(at))).collect(),
            seat: game.turn().seat().filter(|_| !over).map(|seat| seat.0),
            colors: [color(Seat(0)), color(Seat(1))],
            actions: actions.iter().map(ToString::to_string).collect(),
            bag: counted(|piece| game.position().bag().count(piece)),
            taken: counted(|piece| taken(&game, piece)),
            quiet: game.position().quiet(),
            limit: game.ruleset().quiet,
            clocks: left(record)?,
            ending,
        })
    }
}

fn letter(cell: Cell) -> char {
    match cell {
        Cell::Shown(piece) => piece.letter(),
        Cell::Hidden => 'X',
        Cell::Empty => '-',
        Cell::Outside => '#',
    }
}

fn taken(game: &Banqi, piece: Piece) -> u32 {
    let position = game.position();
    let there = position.pieces(piece).len() + position.bag().count(piece);
    game.ruleset().board.bag().count(piece).saturating_sub(there)
}

fn counted(count: impl Fn(Piece) -> u32) -> BTreeMap<String, u32> {
    Piece::ALL.into_iter().map(|piece| (piece.to_string(), count(piece))).collect()
}

/// The seat of a person who plays an engine.
fn person(record: &Record<Banqi>) -> Option<Seat> {
    record.tag(PERSON).map(|person| Seat(u8::from(person == "second")))
}

/// `Ada flips b3: red king 帥`; to a person who plays an engine, whether it was theirs.
fn said(words: Words, before: &Banqi, event: Event, name: &str, ours: Option<bool>) -> String {
    if let Some(ours) = ours {
        return words::tell(words, before, event, ours);
    }
    let lang = words.lang;
    match event {
        Event::Flip { at, piece } => {
            say!(lang, "page.flips", name = name, at = at, piece = words.title(piece))
        }
        Event::Move { to, .. } => match before.position().piece_at(to) {
            Some(piece) => say!(lang, "page.takes", name = name, act = event, piece = words.title(piece)),
            None => say!(lang, "page.plays", name = name, act = event),
        },
    }
}

/// How a game ended: as a person sees it who played an engine, or as the rules say it.
fn ended(record: &Record<Banqi>, game: &Banqi, ending: Ending, names: &[String; 2], lang: Lang) -> String {
    if let Some(us) = person(record) {
        return words::result(lang, ending, us);
    }
    match (ending.cause, ending.outcome) {
        (Cause::Rules(_), _) => lessons::ended(lang, game),
        (Cause::Forfeit(forfeit), Outcome::Win(team)) => {
            let loser = usize::from(team == anglerfish_rules::Team::A);
            let reason = lang.say(&format!("reason.{}", forfeit.text()), &[]);
            say!(lang, "web.forfeit", name = names[loser], reason = reason)
        }
        (cause, outcome) => {
            format!("{} ({})", outcome.text(), lang.say(&format!("reason.{}", cause.text()), &[]))
        }
    }
}
