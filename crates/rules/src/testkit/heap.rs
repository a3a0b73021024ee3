//! Heap: the four-seat game to copy. Two teams, cards that only their owner sees, a die, and players who can leave.
//!
//! Seats 0 and 2 play against seats 1 and 3. Each is dealt two of the cards 1 to 8. At its turn a seat puts a card on the
//! heap, or throws the die, and the heap grows by so many stones. A seat that brings it to [`FULL`] or beyond loses the game for
//! its team. A seat that leaves is passed over and its ally plays on; if the ally leaves too, the team has lost.
//!
//! It is not in `with_game!`: it exists to test the other crates with every feature that a game can have.

use std::borrow::Cow;
use std::fmt;
use std::str::FromStr;

use crate::error::{NotationError, named};
use crate::game::{ChanceOutcome, Forfeit, Game, Outcome, Reason, Seat, Turn};
use crate::rng::RngExt;
use crate::tictactoe::Standard;

/// The number of stones that loses.
pub const FULL: u8 = 30;
/// Every ply adds a stone, but one seat of each team may leave.
pub const LONGEST: u32 = FULL as u32 + 2;

/// A set of the cards 1 to 8 as bits.
type Cards = u8;

/// A choice of a seat.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub enum Action {
    /// Put this card on the heap.
    Card(u8),
    /// Throw the die.
    Throw,
    /// Get up and go. Never among the legal actions, so that searches do not consider it.
    Leave(Seat),
}

/// The result of an action.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub enum Event {
    /// This card was put on the heap.
    Card(u8),
    /// The die showed this.
    Throw(u8),
    /// This seat has left, at its turn or not.
    Leave(Seat),
}

/// The whole game, as only a dealer sees it.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct Heap {
    table: Table,
    hands: [Cards; 4],
}

/// The part that all seats see.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
struct Table {
    stones: u8,
    /// Stays with the seat that has filled the heap.
    to_move: Seat,
    left: [bool; 4],
}

/// The knowledge of one seat: its own cards, how many the others hold, and which ones those are together.
#[derive(Clone, Debug, Eq, PartialEq, Hash)]
pub struct View {
    table: Table,
    seat: Seat,
    hand: Cards,
    sizes: [u32; 4],
    unseen: Cards,
}

fn values(cards: Cards) -> impl Iterator<Item = u8> {
    (1..=8).filter(move |value| cards >> (value - 1) & 1 == 1)
}

/// Gives each seat so many of the cards.
fn dealt(cards: Cards, sizes: [u32; 4], rng: &mut (impl rand_core::Rng + ?Sized)) -> [Cards; 4] {
    let mut cards: Vec<u8> = values(cards).collect();
    rng.shuffle(&mut cards);
    let mut cards = cards.into_iter();
    sizes.map(|size| cards.by_ref().take(size as usize).fold(0, |hand, value| hand | 1 << (value - 1)))
}

impl Heap {
    fn is_over(&self) -> bool {
        self.table.stones >= FULL
    }

    fn has_left(&self, seat: u8) -> bool {
        self.table.left[usize::from(seat % 4)]
    }
}

impl Game for Heap {
    const NAME: &'static str = "heap";
    const SEATS: u8 = 4;

    type Action = Action;
    type Event = Event;
    type View = View;
    type Rules = Standard;

    fn deal(_: &Standard, rng: &mut (impl rand_core::Rng + ?Sized)) -> Heap {
        let table = Table { stones: 0, to_move: Seat(0), left: [false; 4] };
        Heap { table, hands: dealt(Cards::MAX, [2; 4], rng) }
    }

    fn rules(&self) -> Standard {
        Standard
    }

    fn turn(&self) -> Turn {
        let seat = self.table.to_move;
        if self.is_over() {
            Turn::Over(Outcome::Win(seat.team().other()), Reason::Full)
        } else {
            Turn::Seat(seat)
        }
    }

    fn actions(&self, out: &mut Vec<Action>) {
        out.clear();
        if !self.is_over() {
            out.extend(values(self.hands[usize::from(self.table.to_move.0)]).map(Action::Card));
            out.push(Action::Throw);
        }
    }

    fn outcomes(&self, action: Action, out: &mut Vec<ChanceOutcome<Event>>) {
        out.clear();
        match action {
            Action::Card(value) => out.push(ChanceOutcome { event: Event::Card(value), weight: 1 }),
            // Of the six sides three show 1, two show 2 and one shows 3.
            Action::Throw => {
                out.extend(
                    (1..=3).map(|n| ChanceOutcome { event: Event::Throw(n), weight: 4 - u32::from(n) }),
                );
            }
            Action::Leave(seat) => out.push(ChanceOutcome { event: Event::Leave(seat), weight: 1 }),
        }
    }

    fn apply(&mut self, event: Event) {
        let mover = self.table.to_move;
        match event {
            Event::Card(value) => {
                self.hands[usize::from(mover.0)] &= !(1 << (value - 1));
                self.table.stones += value;
            }
            Event::Throw(n) => self.table.stones += n,
            Event::Leave(seat) => self.table.left[usize::from(seat.0)] = true,
        }
        if self.seat_of(event) == Some(mover) {
            let next = (1..4).map(|n| (mover.0 + n) % 4).find(|&seat| !self.has_left(seat));
            self.table.to_move = next.map_or(mover, Seat);
        }
    }

    fn is_possible(&self, event: Event) -> bool {
        !self.is_over()
            && match event {
                Event::Card(value) => self.is_legal(Action::Card(value)),
                Event::Throw(n) => (1..=3).contains(&n),
                Event::Leave(seat) => seat.0 < 4 && !self.has_left(seat.0) && !self.has_left(seat.0 + 2),
            }
    }

    fn action_of(event: Event) -> Action {
        match event {
            Event::Card(value) => Action::Card(value),
            Event::Throw(_) => Action::Throw,
            Event::Leave(seat) => Action::Leave(seat),
        }
    }

    fn view(&self, seat: Seat) -> Cow<'_, View> {
        let hand = self.hands[usize::from(seat.0)];
        let unseen = self.hands.iter().fold(0, |all, hand| all | hand) & !hand;
        Cow::Owned(View { table: self.table, seat, hand, sizes: self.hands.map(u8::count_ones), unseen })
    }

    fn sample(view: &View, rng: &mut (impl rand_core::Rng + ?Sized)) -> Heap {
        let own = usize::from(view.seat.0);
        let mut sizes = view.sizes;
        sizes[own] = 0;
        let mut hands = dealt(view.unseen, sizes, rng);
        hands[own] = view.hand;
        Heap { table: view.table, hands }
    }

    fn parse_action(text: &str) -> Result<Action, NotationError> {
        let cards = (1..=8).map(Action::Card);
        let all = cards.chain([Action::Throw]).chain((0..4).map(|seat| Action::Leave(Seat(seat))));
        named(all, Action::to_string, text, "an action such as card3 or die")
    }

    fn parse_event(text: &str) -> Result<Event, NotationError> {
        let cards = (1..=8).map(Event::Card).chain((1..=3).map(Event::Throw));
        let all = cards.chain((0..4).map(|seat| Event::Leave(Seat(seat))));
        named(all, Event::to_string, text, "a ply such as card3, die2 or leave1")
    }

    fn forfeited(&self, seat: Seat, _: Forfeit) -> Option<Event> {
        Some(Event::Leave(seat)).filter(|&event| self.is_possible(event))
    }

    fn seat_of(&self, event: Event) -> Option<Seat> {
        if let Event::Leave(seat) = event { Some(seat) } else { self.turn().seat() }
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Action::Card(value) => write!(f, "card{value}"),
            Action::Throw => f.write_str("die"),
            Action::Leave(seat) => write!(f, "leave{}", seat.0),
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let action = Heap::action_of(*self);
        if let Event::Throw(n) = self { write!(f, "{action}{n}") } else { write!(f, "{action}") }
    }
}

/// The stones, the seat to move, and four hands parted by `/`, with an `x` behind those who have left: `7 1 18/3/x/24`.
impl fmt::Display for Heap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let hand = |i: usize| {
            let cards: String = values(self.hands[i]).map(|value| value.to_string()).collect();
            cards + if self.table.left[i] { "x" } else { "" }
        };
        let [a, b, c, d] = [0, 1, 2, 3].map(hand);
        write!(f, "{} {} {a}/{b}/{c}/{d}", self.table.stones, self.table.to_move.0)
    }
}

impl FromStr for Heap {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Heap, NotationError> {
        // Read loosely, and accept what would be written like this.
        let read = || {
            let mut words = text.split([' ', '/']);
            let stones = words.next()?.parse().ok().filter(|&stones| stones < FULL + 8)?;
            let to_move = Seat(words.next()?.parse().ok().filter(|&seat| seat < 4)?);
            let words = [words.next()?, words.next()?, words.next()?, words.next()?];
            let bit = |digit: u8| if digit.is_ascii_digit() { 1 << ((digit + 7 - b'0') % 8) } else { 0 };
            let hands = words.map(|word| word.bytes().fold(0, |hand, digit| hand | bit(digit)));
            let left = words.map(|word| word.ends_with('x'));
            Some(Heap { table: Table { stones, to_move, left }, hands })
        };
        let sound = |game: &Heap| {
            let twice = (0..8).any(|i| game.hands.iter().filter(|&hand| hand >> i & 1 == 1).count() > 1);
            let [a, b, c, d] = game.table.left;
            let gone = game.has_left(game.table.to_move.0) || a && c || b && d;
            !twice && !gone && game.hands.iter().all(|hand| hand.count_ones() <= 2)
        };
        let game = read().filter(|game| sound(game) && game.to_string() == text);
        game.ok_or_else(|| NotationError::new("a game such as 7 1 18/3/x/24", text, 0))
    }
}
