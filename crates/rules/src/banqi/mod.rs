//! Chinese Dark Chess (Banqi, 暗棋): half a xiangqi board, 4 x 8, all pieces face down at the start.
//!
//! Both players see the same board and the same bag, so the [`Position`] *is* the public state and [`Banqi`], which
//! adds the rules and the plies since the last capture or flip, is its own [`View`](Game::View).

mod action;
mod bag;
mod key;
mod layout;
mod movegen;
mod notation;
mod piece;
mod position;
mod ruleset;
mod setup;
mod square;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

use arrayvec::ArrayVec;

pub use action::{Action, Event};
pub use bag::Bag;
pub use layout::{DEALS_MAGIC, Deal, Layout, read_deals, write_deals};
pub use movegen::Moves;
pub use piece::{Color, Piece, Role};
pub use position::{Cell, Position};
pub use ruleset::{Board, Repetition, RuleSet, Stuck};
pub use setup::{Setup, SetupError};
pub use square::{Square, neighbors, squares};

use crate::error::NotationError;
use crate::game::{Chance, Game, Outcome, Reason, Seat, Turn};
use crate::rng::Rng;
use position::Change;
use ruleset::MAX_TRAIL;

/// A game in progress: what both players see, the rules, and what may not be repeated.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Banqi {
    position: Position,
    rules: RuleSet,
    turn: Turn,
    trail: Trail,
}

impl Banqi {
    /// How a game under these rules begins: everything face down.
    pub fn start(rules: RuleSet) -> Banqi {
        match Setup::start(&rules).position(&rules) {
            Ok(position) => Banqi::new(position, rules),
            Err(error) => unreachable!("a board and its bag agree: {error}"),
        }
    }

    /// A game that goes on from a position, with no memory of how it came about.
    pub fn new(position: Position, rules: RuleSet) -> Banqi {
        let mut game = Banqi { position, rules, turn: Turn::Seat(Seat(0)), trail: Trail::default() };
        if rules.repetition != Repetition::None {
            game.trail.restart(position.key());
        }
        game.judge();
        game
    }

    /// What both players see.
    #[inline]
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The rules of this game.
    #[inline]
    pub const fn ruleset(&self) -> &RuleSet {
        &self.rules
    }

    /// Whose turn it is, or how the game ended. The same as [`Game::turn`], without the trait.
    #[inline]
    pub const fn state(&self) -> Turn {
        self.turn
    }

    /// The color a seat plays; none before the first flip.
    pub fn color_of(&self, seat: Seat) -> Option<Color> {
        let side = self.position.side()?;
        let to_move = self.position.ply() % 2;
        Some(if u32::from(seat.0) == to_move { side } else { side.other() })
    }

    /// The seat that plays a color; none before the first flip.
    pub fn seat_of(&self, color: Color) -> Option<Seat> {
        [Seat(0), Seat(1)].into_iter().find(|&seat| self.color_of(seat) == Some(color))
    }

    /// One legal action, each equally likely; none when the game is over.
    #[inline]
    pub fn random_action(&self, rng: &mut Rng) -> Option<Action> {
        match self.turn {
            Turn::Seat(_) => Some(self.position.moves().pick(rng)),
            Turn::Over(..) => None,
        }
    }

    /// What chance makes of a legal action.
    #[inline]
    pub fn resolve(&self, action: Action, rng: &mut Rng) -> Event {
        match action {
            Action::Flip(at) => Event::Flip { at, piece: self.position.bag().draw(rng) },
            Action::Move { from, to } => Event::Move { from, to },
        }
    }

    /// Plays uniformly random legal actions to the end and returns the result and the number of plies played.
    pub fn random_playout(&mut self, rng: &mut Rng) -> (Outcome, Reason, u32) {
        let first = self.position.ply();
        loop {
            match self.turn {
                Turn::Over(outcome, reason) => return (outcome, reason, self.position.ply() - first),
                Turn::Seat(_) => {
                    let action = self.position.moves().pick(rng);
                    self.play(self.resolve(action, rng));
                }
            }
        }
    }

    #[inline]
    fn play(&mut self, event: Event) {
        let change = self.position.apply(event);
        match change {
            Change::Step => self.position.quiet += 1,
            Change::Capture => self.position.quiet = 0,
            Change::Flip if self.rules.flip_resets => self.position.quiet = 0,
            Change::Flip => {}
        }
        if self.rules.repetition != Repetition::None {
            match event {
                Event::Move { from, to } if change == Change::Step => {
                    self.trail.push(from, to, self.position.key);
                }
                _ => self.trail.restart(self.position.key),
            }
        }
        self.judge();
    }

    /// Sets whose turn it is, or how the game ended.
    #[inline]
    fn judge(&mut self) {
        let seat = Seat((self.position.ply & 1) as u8);
        self.turn = if self.surely_goes_on() { Turn::Seat(seat) } else { self.verdict(seat) };
    }

    /// The plies of which most games are made, settled without asking every rule.
    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    fn surely_goes_on(&self) -> bool {
        let p = &self.position;
        let safe =
            |color: Color| (if p.hidden == 0 { neighbors(p.empty) } else { u32::MAX }) & p.color(color) != 0;
        let Some(us) = p.side else { return false };
        p.quiet < self.rules.quiet
            && safe(us)
            && (self.rules.stuck == Stuck::OnTurn || safe(us.other()))
            && !self.repeated()
    }

    #[cold]
    fn verdict(&self, seat: Seat) -> Turn {
        let (first, second) = if self.rules.draw_first {
            (self.draw(), self.loss(seat))
        } else {
            (self.loss(seat), self.draw())
        };
        match first.or(second) {
            Some((outcome, reason)) => Turn::Over(outcome, reason),
            None => Turn::Seat(seat),
        }
    }

    fn loss(&self, seat: Seat) -> Option<(Outcome, Reason)> {
        let p = &self.position;
        let us = p.side?;
        let gone = |color: Color| p.color(color) == 0 && p.bag.lacks(color);
        let lost = |color: Color| {
            let team = if color == us { seat.team() } else { seat.team().other() };
            let reason = if gone(color) { Reason::NoPieces } else { Reason::NoMove };
            Some((Outcome::Win(team.other()), reason))
        };
        if self.rules.elimination && gone(us) {
            return lost(us);
        }
        match self.rules.stuck {
            Stuck::OnTurn => (!p.can_move(us)).then_some(us).and_then(lost),
            Stuck::Either => {
                [Color::Black, Color::Red].into_iter().find(|&color| !p.can_move(color)).and_then(lost)
            }
        }
    }

    fn draw(&self) -> Option<(Outcome, Reason)> {
        if self.position.quiet >= self.rules.quiet {
            return Some((Outcome::Draw, Reason::Quiet));
        }
        self.repeated().then_some((Outcome::Draw, Reason::Repetition))
    }

    #[inline]
    fn repeated(&self) -> bool {
        match self.rules.repetition {
            Repetition::None => false,
            Repetition::Position(n) => self.trail.stood(n),
            Repetition::Cycle(n) => self.trail.cycled(n),
        }
    }
}

/// The quiet plies since the last capture or flip: for each, the step and the key of the position it led to.
///
/// A word holds ten bits of step below 54 bits of key. The first entry has no step: it is where the trail begins. Under
/// rules that do not look back there is no entry at all.
/// Inline, so that a clone never touches the heap, and a clone copies only what is used.
#[derive(Clone, Debug, Default, Eq, PartialEq)]
struct Trail {
    entries: ArrayVec<u64, { MAX_TRAIL as usize + 1 }>,
    /// One bit for each entry, by six bits of its key: most new positions are seen to be new without a search. One word
    /// for each side to move, so that they fill slowly.
    seen: [u64; 2],
    /// Whether the bit of the last entry had been set before.
    maybe_again: bool,
}

const STEP: u64 = (1 << 10) - 1;

impl Trail {
    #[inline]
    fn restart(&mut self, key: u64) {
        self.entries.clear();
        self.entries.push(key & !STEP);
        self.seen = [1 << (key >> 58), 0];
        self.maybe_again = false;
    }

    #[inline]
    fn push(&mut self, from: Square, to: Square, key: u64) {
        let seen = &mut self.seen[self.entries.len() & 1];
        self.maybe_again = *seen >> (key >> 58) & 1 == 1;
        *seen |= 1 << (key >> 58);
        self.entries.push(key & !STEP | (from.index() << 5 | to.index()) as u64);
    }

    fn steps(&self) -> impl Iterator<Item = (Square, Square)> {
        let square = |bits: u64| Square::new((bits & 31) as u8);
        self.entries.iter().skip(1).map(move |e| (square(e >> 5), square(*e)))
    }

    /// Whether the last position has stood `n` times, the last time included.
    #[inline]
    fn stood(&self, n: u8) -> bool {
        self.maybe_again && {
            let [earlier @ .., last] = &self.entries[..] else { return false };
            // With the same side to move: an even number of plies ago.
            let same = |e: &&u64| (**e ^ last) & !STEP == 0;
            1 + earlier.iter().rev().skip(1).step_by(2).filter(same).count() >= usize::from(n)
        }
    }

    /// Whether the last plies are one even-length sequence of plies, played `n` times running.
    #[inline]
    fn cycled(&self, n: u8) -> bool {
        let n = usize::from(n);
        let plies = self.entries.len() - 1;
        let step = |back: usize| self.entries[plies - back] & STEP;
        // The cheap test first: a cycle of k plies begins with the last step standing k plies earlier too.
        (2..=plies / n)
            .step_by(2)
            .any(|k| step(0) == step(k) && (0..k * (n - 1)).all(|i| step(i) == step(i + k)))
    }
}

impl Game for Banqi {
    const NAME: &'static str = "banqi";
    const SEATS: u8 = 2;

    type Action = Action;
    type Event = Event;
    type View = Banqi;
    type Rules = RuleSet;

    fn deal(rules: &RuleSet, _: &mut Rng) -> Banqi {
        Banqi::start(*rules)
    }

    fn rules(&self) -> RuleSet {
        self.rules
    }

    #[inline]
    fn turn(&self) -> Turn {
        self.turn
    }

    #[inline]
    fn actions(&self, out: &mut Vec<Action>) {
        out.clear();
        if !self.turn.is_over() {
            out.extend(self.position.moves().iter());
        }
    }

    fn outcomes(&self, action: Action, out: &mut Vec<Chance<Event>>) {
        out.clear();
        match action {
            Action::Flip(at) => out.extend(
                self.position
                    .bag()
                    .iter()
                    .map(|(piece, weight)| Chance { event: Event::Flip { at, piece }, weight }),
            ),
            Action::Move { from, to } => out.push(Chance { event: Event::Move { from, to }, weight: 1 }),
        }
    }

    #[inline]
    fn apply(&mut self, event: Event) {
        debug_assert!(self.is_possible(event), "{event} is not possible in {self}");
        self.play(event);
    }

    #[inline]
    fn is_possible(&self, event: Event) -> bool {
        let in_bag = match event {
            Event::Flip { piece, .. } => self.position.bag().count(piece) > 0,
            Event::Move { .. } => true,
        };
        in_bag && self.is_legal(event.action())
    }

    #[inline]
    fn action_of(event: Event) -> Action {
        event.action()
    }

    fn view(&self, _: Seat) -> Cow<'_, Banqi> {
        Cow::Borrowed(self)
    }

    fn sample(view: &Banqi, _: &mut Rng) -> Banqi {
        view.clone()
    }

    fn parse_action(text: &str) -> Result<Action, NotationError> {
        text.parse()
    }

    fn parse_event(text: &str) -> Result<Event, NotationError> {
        text.parse()
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        !self.turn.is_over() && self.position.is_legal(action)
    }

    #[inline]
    fn draw(&self, action: Action, rng: &mut Rng) -> Event {
        self.resolve(action, rng)
    }
}
