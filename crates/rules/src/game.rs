//! The parts that all games share: seats, teams, actions, events, and the end of a game.
//!
//! A player chooses an [`Action`](Game::Action). Chance, or the hidden truth, turns it into an
//! [`Event`](Game::Event). Only events change a game; only events are recorded. That one split removes
//! "pending flip" states and makes every record replayable without a random generator.
//!
//! Deliberately absent: `undo` (positions are small values; copy them), hashes, evaluations and move ordering
//! (rules know nothing of searches), vectors of returns (every game here is two teams, zero-sum).

use std::borrow::Cow;
use std::fmt::{self, Debug, Display};
use std::hash::Hash;
use std::str::FromStr;
use std::time::Duration;

use crate::error::{NotationError, named};
use crate::rng::RngExt;

/// A chair at the table, numbered in turn order. Even seats are team A, odd seats team B.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Seat(pub u8);

impl Seat {
    /// The side this chair plays for.
    pub const fn team(self) -> Team {
        if self.0.is_multiple_of(2) { Team::A } else { Team::B }
    }
}

/// One of the two sides of the zero-sum game. In two-seat games team A moves first.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Team {
    /// Even seats; the first mover.
    A,
    /// Odd seats.
    B,
}

impl Team {
    /// The other side.
    #[must_use]
    pub const fn other(self) -> Team {
        match self {
            Team::A => Team::B,
            Team::B => Team::A,
        }
    }
}

/// The result of a finished game.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Outcome {
    /// This team won and the other lost.
    Win(Team),
    /// Half a point each.
    Draw,
}

impl Outcome {
    /// `1-0` (team A, the first mover, won), `0-1` or `1/2-1/2`, as in PGN.
    pub const fn text(self) -> &'static str {
        match self {
            Outcome::Win(Team::A) => "1-0",
            Outcome::Win(Team::B) => "0-1",
            Outcome::Draw => "1/2-1/2",
        }
    }
}

impl FromStr for Outcome {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Outcome, NotationError> {
        let all = [Outcome::Win(Team::A), Outcome::Win(Team::B), Outcome::Draw];
        named(all, |outcome| outcome.text(), text, "1-0, 0-1 or 1/2-1/2")
    }
}

impl Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Why the rules ended a game. Losing other than on the board is a [`Forfeit`].
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Reason {
    /// A side has lost its last piece.
    NoPieces,
    /// A side has no legal action.
    NoMove,
    /// Too many plies without progress.
    Quiet,
    /// The game was going in circles.
    Repetition,
    /// Three in a row.
    Line,
    /// The board is full.
    Full,
    /// All players of a team are out.
    Eliminated,
    /// The players called it a draw.
    Agreed,
}

impl Reason {
    /// Every reason, in the order of the enum.
    pub const ALL: [Reason; 8] = [
        Reason::NoPieces,
        Reason::NoMove,
        Reason::Quiet,
        Reason::Repetition,
        Reason::Line,
        Reason::Full,
        Reason::Eliminated,
        Reason::Agreed,
    ];

    /// The word used in records and reports.
    pub const fn text(self) -> &'static str {
        match self {
            Reason::NoPieces => "no-pieces",
            Reason::NoMove => "no-move",
            Reason::Quiet => "quiet",
            Reason::Repetition => "repetition",
            Reason::Line => "line",
            Reason::Full => "full",
            Reason::Eliminated => "eliminated",
            Reason::Agreed => "agreed",
        }
    }
}

impl FromStr for Reason {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Reason, NotationError> {
        named(Reason::ALL, |reason| reason.text(), text, "a reason such as no-pieces")
    }
}

impl Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Losing other than on the board. A result, recorded and scored, not an error.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Forfeit {
    /// Chose an action that the rules do not allow.
    Illegal,
    /// Overstepped the clock.
    Timeout,
    /// Went away: the process died or the line was cut.
    Crashed,
    /// Gave up.
    Resigned,
    /// Did not speak the protocol: garbage, a flood of output, a lie, or no sensible start.
    Protocol,
}

impl Forfeit {
    /// Every kind of forfeit, in the order of the enum.
    pub const ALL: [Forfeit; 5] =
        [Forfeit::Illegal, Forfeit::Timeout, Forfeit::Crashed, Forfeit::Resigned, Forfeit::Protocol];

    /// The word used in records and reports.
    pub const fn text(self) -> &'static str {
        match self {
            Forfeit::Illegal => "illegal",
            Forfeit::Timeout => "timeout",
            Forfeit::Crashed => "crashed",
            Forfeit::Resigned => "resigned",
            Forfeit::Protocol => "protocol",
        }
    }
}

impl FromStr for Forfeit {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Forfeit, NotationError> {
        named(Forfeit::ALL, |forfeit| forfeit.text(), text, "a forfeit such as timeout")
    }
}

impl Display for Forfeit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text())
    }
}

/// Whose turn it is, or how and why the game ended. One question, so the two can never disagree.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub enum Turn {
    /// This seat has to choose an action.
    Seat(Seat),
    /// The game is over.
    Over(Outcome, Reason),
}

impl Turn {
    /// The seat to move, unless the game is over.
    pub const fn seat(self) -> Option<Seat> {
        match self {
            Turn::Seat(seat) => Some(seat),
            Turn::Over(..) => None,
        }
    }

    /// Whether the rules have ended the game.
    pub const fn is_over(self) -> bool {
        matches!(self, Turn::Over(..))
    }
}

/// One possible outcome of an action. Weights are counts, never floats.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct ChanceOutcome<E> {
    /// The event that would happen.
    pub event: E,
    /// In how many of the equally likely cases it does.
    pub weight: u32,
}

/// One turn as it was played: the unit of records, protocols and opponent models.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Ply<E> {
    /// The seat that played it.
    pub seat: Seat,
    /// The event that happened.
    pub event: E,
    /// How long the choice took; zero if it was not measured.
    pub took: Duration,
}

/// A turn-based game between two teams.
///
/// A new one is a type of the caller's own, in the shape of [`tictactoe`](crate::tictactoe); `examples/new_game.rs` is a short
/// one. `testkit::laws`, with the feature `testkit`, checks it.
///
/// The text of a game (`Display`, `FromStr`) carries everything that decides how it may go on, in one line.
pub trait Game: Clone + Eq + Debug + Display + FromStr<Err = NotationError> + Send + Sync + 'static {
    /// The name by which programs and records know it.
    const NAME: &'static str;
    /// The number of seats.
    const SEATS: u8;

    /// A choice of a player: `Flip(b3)`.
    type Action: Copy + Eq + Ord + Hash + Debug + Display + Send + Sync;
    /// The result of an action: `Flip { at: b3, piece: black cannon }`.
    type Event: Copy + Eq + Hash + Debug + Display + Send + Sync;
    /// The knowledge of one seat. `Self` in a game without secrets.
    type View: Clone + Eq + Debug + Send + Sync;
    /// The disputed rules as data: presets by name, text both ways.
    type Rules: Clone + Eq + Debug + Default + Display + FromStr<Err = NotationError> + Send + Sync;

    /// A new game. Games without a random start ignore `rng`.
    fn deal(rules: &Self::Rules, rng: &mut (impl rand_core::Rng + ?Sized)) -> Self;
    /// The rules this game is played by.
    fn rules(&self) -> Self::Rules;
    /// The seat to move, or the end of the game.
    fn turn(&self) -> Turn;
    /// Replaces the contents of `out` with the legal actions: none exactly when the game is over.
    fn actions(&self, out: &mut Vec<Self::Action>);
    /// Replaces the contents of `out` with the possible outcomes of a legal `action`.
    fn outcomes(&self, action: Self::Action, out: &mut Vec<ChanceOutcome<Self::Event>>);
    /// Plays an event that is possible here. The effect of an impossible event is not specified.
    fn apply(&mut self, event: Self::Event);
    /// Whether `event` can happen here. It is an outcome of a legal action, or an event that
    /// [`forfeited`](Game::forfeited) returns, or an event without a choice that this game knows, such as a missed turn.
    fn is_possible(&self, event: Self::Event) -> bool;
    /// The action that led to an event.
    fn action_of(event: Self::Event) -> Self::Action;

    /// The view of `seat`; the game itself, borrowed, in a game without secrets.
    fn view(&self, seat: Seat) -> Cow<'_, Self::View>;
    /// A whole game that looks like `view` to the seat that holds it.
    fn sample(view: &Self::View, rng: &mut (impl rand_core::Rng + ?Sized)) -> Self;

    /// Reads an action; it need not be legal here.
    ///
    /// # Errors
    /// When the text is not an action in this game's notation.
    fn parse_action(text: &str) -> Result<Self::Action, NotationError>;
    /// Reads an event; it need not be possible here.
    ///
    /// # Errors
    /// When the text is not an event in this game's notation.
    fn parse_event(text: &str) -> Result<Self::Event, NotationError>;

    /// Whether an action is legal here. Override where asking is cheaper than listing.
    fn is_legal(&self, action: Self::Action) -> bool {
        let mut actions = Vec::new();
        self.actions(&mut actions);
        actions.contains(&action)
    }

    /// Why an action is not legal here, in words for people; `None` if it is legal. Override to give a better reason.
    fn why_not(&self, action: Self::Action) -> Option<String> {
        (!self.is_legal(action)).then(|| "it is not among the legal actions".to_owned())
    }

    /// The event by which a seat forfeits while the others play on without it. `None` means that its team has lost and the
    /// game is over. Override where an ally can play on alone.
    fn forfeited(&self, _seat: Seat, _forfeit: Forfeit) -> Option<Self::Event> {
        None
    }

    /// The seat that a possible event belongs to: the seat to move, unless players can leave out of turn. Override
    /// together with [`forfeited`](Game::forfeited).
    fn seat_of(&self, _event: Self::Event) -> Option<Seat> {
        self.turn().seat()
    }

    /// Lets chance decide. Override where drawing is cheaper than listing.
    fn draw(&self, action: Self::Action, rng: &mut (impl rand_core::Rng + ?Sized)) -> Self::Event {
        let mut chances = Vec::new();
        self.outcomes(action, &mut chances);
        rng.pick_weighted(&chances)
    }
}
