//! Chinese Dark Chess (Banqi, 暗棋): half a xiangqi board, 4 x 8, all pieces face down at the start.
//!
//! Both players see the same board and the same bag, so the [`Position`] *is* the public state and [`Banqi`], which
//! adds the rules and the plies since the last capture or flip, is its own [`View`](Game::View).

mod action;
mod bag;
pub mod history;
mod key;
mod layout;
mod movegen;
mod notation;
mod piece;
mod position;
mod refusal;
mod ruleset;
mod setup;
mod square;
mod squares;
#[cfg(test)]
mod tests;

use std::borrow::Cow;

pub use action::{Action, Event};
pub use bag::Bag;
pub use layout::{DEALS_MAGIC, Deal, Layout, read_deals, write_deals};
pub use movegen::Moves;
pub use piece::{Color, Piece, Role};
pub use position::{Cell, Change, Position, Terminal};
pub use refusal::WhyNot;
pub use ruleset::{Board, Repetition, RuleSet, Stuck};
pub use setup::{Setup, SetupError};
pub use square::Square;
pub use squares::{Squares, SquaresIter};

use crate::error::NotationError;
use crate::game::{ChanceOutcome, Game, Outcome, Reason, Seat, Turn};
use history::History;

/// A game in progress: what both players see, the rules, and what may not be repeated.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct Banqi {
    position: Position,
    rules: RuleSet,
    turn: Turn,
    history: History,
}

impl Banqi {
    /// The start of a game under these rules: all pieces face down.
    pub fn start(rules: RuleSet) -> Banqi {
        match Setup::start(&rules).position(&rules) {
            Ok(position) => Banqi::new(position, rules),
            Err(error) => unreachable!("a board and its bag agree: {error}"),
        }
    }

    /// Why an action is not legal here; none if it is.
    pub fn refusal(&self, action: Action) -> Option<WhyNot> {
        (!self.is_legal(action)).then(|| refusal::why_not(self, action))
    }

    /// A game that goes on from a position, with no memory of how it came about.
    pub fn new(position: Position, rules: RuleSet) -> Banqi {
        let mut game = Banqi { position, rules, turn: Turn::Seat(Seat(0)), history: History::default() };
        if rules.repetition != Repetition::None {
            game.history.restart(position.key());
        }
        game.update_turn();
        game
    }

    /// A game that stands at a position to which `history` leads, as [`history`](Banqi::history) says it.
    pub fn resumed(position: Position, rules: RuleSet, history: &[u64]) -> Banqi {
        let mut game = Banqi::new(position, rules);
        if rules.repetition != Repetition::None {
            game.history.resume(history);
            game.update_turn();
        }
        game
    }

    /// The position that both players see.
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
    pub fn seat_playing(&self, color: Color) -> Option<Seat> {
        [Seat(0), Seat(1)].into_iter().find(|&seat| self.color_of(seat) == Some(color))
    }

    /// A random legal action, each equally likely; `None` when the game is over.
    #[inline]
    pub fn random_action(&self, rng: &mut (impl rand_core::Rng + ?Sized)) -> Option<Action> {
        match self.turn {
            Turn::Seat(_) => Some(self.position.moves().pick(rng)),
            Turn::Over(..) => None,
        }
    }

    /// Draws the event of a legal action.
    #[inline]
    pub fn resolve(&self, action: Action, rng: &mut (impl rand_core::Rng + ?Sized)) -> Event {
        self.position.resolve(action, rng)
    }

    /// Plays uniformly random legal actions to the end and returns the result and the number of plies played.
    pub fn random_playout(&mut self, rng: &mut (impl rand_core::Rng + ?Sized)) -> (Outcome, Reason, u32) {
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

    /// The plies since the last capture or flip, as [`history`] writes them; empty under rules that do not look back.
    #[inline]
    pub fn history(&self) -> &[u64] {
        self.history.entries()
    }

    #[inline]
    fn play(&mut self, event: Event) {
        let change = self.position.play(event, &self.rules);
        if self.rules.repetition != Repetition::None {
            match event {
                Event::Move { from, to } if change == Change::Step => {
                    self.history.push(history::word(from, to, self.position.key));
                }
                _ => self.history.restart(self.position.key),
            }
        }
        self.update_turn();
    }

    /// Sets whose turn it is, or how the game ended.
    #[inline]
    fn update_turn(&mut self) {
        let seat = Seat((self.position.ply & 1) as u8);
        let repeated = self.history.repeated(self.rules.repetition);
        self.turn = match self.position.terminal(&self.rules, repeated) {
            None => Turn::Seat(seat),
            Some(Terminal::Draw(reason)) => Turn::Over(Outcome::Draw, reason),
            Some(Terminal::Loss(color, reason)) => {
                let on_turn = self.position.side == Some(color);
                let loser = if on_turn { seat.team() } else { seat.team().other() };
                Turn::Over(Outcome::Win(loser.other()), reason)
            }
        };
    }
}

impl Game for Banqi {
    const NAME: &'static str = "banqi";
    const SEATS: u8 = 2;

    type Action = Action;
    type Event = Event;
    type View = Banqi;
    type Rules = RuleSet;

    fn deal(rules: &RuleSet, _: &mut (impl rand_core::Rng + ?Sized)) -> Banqi {
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

    #[inline]
    fn outcomes(&self, action: Action, out: &mut Vec<ChanceOutcome<Event>>) {
        out.clear();
        match action {
            Action::Flip(at) => out.extend(
                self.position
                    .bag()
                    .iter()
                    .map(|(piece, weight)| ChanceOutcome { event: Event::Flip { at, piece }, weight }),
            ),
            Action::Move { from, to } => {
                out.push(ChanceOutcome { event: Event::Move { from, to }, weight: 1 });
            }
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

    #[inline]
    fn sample(view: &Banqi, _: &mut (impl rand_core::Rng + ?Sized)) -> Banqi {
        view.clone()
    }

    fn parse_action(text: &str) -> Result<Action, NotationError> {
        text.parse()
    }

    fn parse_event(text: &str) -> Result<Event, NotationError> {
        text.parse()
    }

    fn why_not(&self, action: Action) -> Option<String> {
        self.refusal(action).map(|why| why.to_string())
    }

    #[inline]
    fn is_legal(&self, action: Action) -> bool {
        !self.turn.is_over() && self.position.is_legal(action)
    }

    #[inline]
    fn draw(&self, action: Action, rng: &mut (impl rand_core::Rng + ?Sized)) -> Event {
        self.resolve(action, rng)
    }
}
