//! A new game, in the shape of `tictactoe.rs`: two players add one, two or three, and the first to reach 21 wins.
//!
//! `cargo run --features testkit --example new_game` checks the laws that every game obeys in a hundred random games.
#![allow(clippy::print_stdout, reason = "an example shows what it does")]

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use anglerfish_rules::testkit::laws;
use anglerfish_rules::tictactoe::Standard;
use anglerfish_rules::{ChanceOutcome, Game, NotationError, Outcome, Reason, Seat, Turn, rand_core};

/// The number a player adds. It is both the action and the event, since nothing here is left to chance.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
struct Add(u8);

impl fmt::Display for Add {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{}", self.0)
    }
}

impl FromStr for Add {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Add, NotationError> {
        let found = (1..=3).map(Add).find(|add| add.to_string() == text);
        found.ok_or_else(|| NotationError::new("+1, +2 or +3", text, 0))
    }
}

/// The sum, and the seat to move. The text has both: `17 1`.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
struct Race {
    sum: u8,
    to_move: Seat,
}

const GOAL: u8 = 21;

impl fmt::Display for Race {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.sum, self.to_move.0)
    }
}

impl FromStr for Race {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Race, NotationError> {
        // Accepted is what would be written like this.
        let all = (0..=GOAL).flat_map(|sum| [0, 1].map(|seat| Race { sum, to_move: Seat(seat) }));
        let found = all.into_iter().find(|game| game.to_string() == text);
        found.ok_or_else(|| NotationError::new("a sum up to 21 and a seat, such as 17 1", text, 0))
    }
}

impl Game for Race {
    const NAME: &'static str = "race";
    const SEATS: u8 = 2;

    type Action = Add;
    type Event = Add;
    type View = Race;
    type Rules = Standard;

    fn deal(_: &Standard, _: &mut (impl rand_core::Rng + ?Sized)) -> Race {
        Race { sum: 0, to_move: Seat(0) }
    }

    fn rules(&self) -> Standard {
        Standard
    }

    fn turn(&self) -> Turn {
        if self.sum == GOAL {
            Turn::Over(Outcome::Win(self.to_move.team().other()), Reason::Full)
        } else {
            Turn::Seat(self.to_move)
        }
    }

    fn actions(&self, out: &mut Vec<Add>) {
        out.clear();
        out.extend((1..=3.min(GOAL - self.sum)).map(Add));
    }

    fn outcomes(&self, action: Add, out: &mut Vec<ChanceOutcome<Add>>) {
        out.clear();
        out.push(ChanceOutcome { event: action, weight: 1 });
    }

    fn apply(&mut self, event: Add) {
        self.sum += event.0;
        self.to_move = Seat(1 - self.to_move.0);
    }

    fn is_possible(&self, event: Add) -> bool {
        self.is_legal(event)
    }

    fn action_of(event: Add) -> Add {
        event
    }

    fn view(&self, _: Seat) -> Cow<'_, Race> {
        Cow::Borrowed(self)
    }

    fn sample(view: &Race, _: &mut (impl rand_core::Rng + ?Sized)) -> Race {
        *view
    }

    fn parse_action(text: &str) -> Result<Add, NotationError> {
        text.parse()
    }

    fn parse_event(text: &str) -> Result<Add, NotationError> {
        text.parse()
    }
}

fn main() {
    let plies: u32 = (0..100).map(|seed| laws::<Race>(&Standard, seed, u32::from(GOAL), |_| {})).sum();
    println!("100 games of {} obey every law, with {} plies on the average", Race::NAME, plies / 100);
}
