//! The interface of a game that a store can keep: events as numbers, and a key of a position.
//!
//! A column of small numbers takes a third of the size of text, and every tool reads it. docs/formats.md
//! lists the numbers.

use anglerfish_arena::ArenaGame;
use anglerfish_rules::banqi::{Action, Banqi, Event, Piece, Role, RuleSet, Square};
use anglerfish_rules::tictactoe::{Cell, TicTacToe};
#[cfg(feature = "testkit")]
use anglerfish_rules::{
    Seat,
    testkit::heap::{self, Heap},
};
use sha2::{Digest, Sha256};

/// A game that a store can keep.
pub trait StoredGame: ArenaGame {
    /// The number of an event.
    fn code(event: Self::Event) -> u32;

    /// The event with this number, if there is one.
    fn event(code: u32) -> Option<Self::Event>;

    /// A hash for looking up positions: equal games have equal keys. Override where the game already has one.
    fn key(&self) -> u64 {
        let digest = Sha256::digest(self.to_string());
        digest.iter().take(8).fold(0, |key, byte| key << 8 | u64::from(*byte))
    }

    /// One name for all first moves that are symmetric to this one; `None` if the game has no such names.
    fn class(_rules: &Self::Rules, _action: Self::Action) -> Option<String> {
        None
    }

    /// The chance outcome of a first ply, up to symmetry: its rank among others, and its name.
    fn face(_event: Self::Event) -> Option<Face> {
        None
    }
}

/// A chance outcome: its rank among others, and its name.
pub type Face = (u8, &'static str);

/// Steps are 32 x from + to, flips 1024 + 16 x square + piece.
impl StoredGame for Banqi {
    #[inline]
    fn code(event: Event) -> u32 {
        match event {
            Event::Move { from, to } => 32 * from.index() as u32 + to.index() as u32,
            Event::Flip { at, piece } => 1024 + 16 * at.index() as u32 + piece.index() as u32,
        }
    }

    #[inline]
    fn event(code: u32) -> Option<Event> {
        let square = |n: u32| Square::new((n % 32) as u8);
        match code {
            0..1024 => Some(Event::Move { from: square(code / 32), to: square(code) }),
            1024..1536 => {
                let piece = Piece::ALL.into_iter().find(|piece| piece.index() as u32 == code % 16)?;
                Some(Event::Flip { at: square((code - 1024) / 16), piece })
            }
            _ => None,
        }
    }

    /// Board, bag and side to move, without the history.
    fn key(&self) -> u64 {
        self.position().key()
    }

    /// The squares that mirroring files and ranks exchanges, by the names of all four.
    fn class(rules: &RuleSet, action: Action) -> Option<String> {
        let Action::Flip(square) = action else { return None };
        let (files, ranks) = rules.board.size();
        let mirrored = |at: u8, size: u8| size.checked_sub(at + 1);
        let (other_file, other_rank) = (mirrored(square.file(), files)?, mirrored(square.rank(), ranks)?);
        let (file, rank) = (square.file().min(other_file), square.rank().min(other_rank));
        let (other_file, other_rank) = (square.file().max(other_file), square.rank().max(other_rank));
        let all = [(file, rank), (other_file, rank), (file, other_rank), (other_file, other_rank)];
        Some(all.map(|(file, rank)| Square::at(file, rank).to_string()).join(" "))
    }

    /// The role of the piece, strongest first. Its color is left out: the player of the first flip plays that color.
    fn face(event: Event) -> Option<Face> {
        let Event::Flip { piece, .. } = event else { return None };
        let place = Role::ALL.into_iter().position(|role| role == piece.role())?;
        Some((place as u8, piece.role().name()))
    }
}

impl StoredGame for TicTacToe {
    fn code(cell: Cell) -> u32 {
        u32::from(cell.index())
    }

    fn event(code: u32) -> Option<Cell> {
        (code < 9).then(|| Cell::new(code as u8))
    }
}

/// The four-seat game of `testkit`.
#[cfg(feature = "testkit")]
impl StoredGame for Heap {
    fn code(event: heap::Event) -> u32 {
        match event {
            heap::Event::Card(card) => u32::from(card),
            heap::Event::Throw(pips) => 256 + u32::from(pips),
            heap::Event::Leave(seat) => 512 + u32::from(seat.0),
        }
    }

    fn event(code: u32) -> Option<heap::Event> {
        let low = code as u8;
        match code {
            1..=8 => Some(heap::Event::Card(low)),
            257..=259 => Some(heap::Event::Throw(low)),
            512..=515 => Some(heap::Event::Leave(Seat(low))),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::{Game, Rng, RngExt};

    use super::*;

    fn games_survive_the_trip<G: StoredGame>() {
        let (mut actions, mut rng) = (Vec::new(), Rng::new(7));
        for _ in 0..200 {
            let mut game = G::deal(&G::Rules::default(), &mut rng);
            while !game.turn().is_over() {
                game.actions(&mut actions);
                let event = game.draw(rng.pick(&actions), &mut rng);
                assert_eq!(G::event(G::code(event)), Some(event));
                game.apply(event);
            }
        }
    }

    #[test]
    fn an_event_is_its_number() {
        games_survive_the_trip::<Banqi>();
        games_survive_the_trip::<TicTacToe>();
        games_survive_the_trip::<Heap>();
    }

    fn no_number_is_two_events<G: StoredGame>() {
        for code in (0..5000).chain([u32::MAX]) {
            if let Some(event) = G::event(code) {
                assert_eq!(G::code(event), code, "{event}");
            }
        }
    }

    #[test]
    fn squares_fall_into_eight_classes_of_four() {
        let mut sizes = std::collections::BTreeMap::new();
        for square in Square::all() {
            let class = Banqi::class(&RuleSet::PLATFORM, Action::Flip(square)).expect("flips have classes");
            assert!(class.split(' ').any(|name| name == square.to_string()), "{square} in {class}");
            *sizes.entry(class).or_insert(0) += 1;
        }
        assert!(sizes.len() == 8 && sizes.values().all(|n| *n == 4), "{sizes:?}");
    }

    #[test]
    fn a_number_is_its_event() {
        no_number_is_two_events::<Banqi>();
        no_number_is_two_events::<TicTacToe>();
        no_number_is_two_events::<Heap>();
    }

    fn what_is_possible_can_be_played<G: StoredGame>() {
        let game = G::deal(&G::Rules::default(), &mut Rng::new(7));
        let events = (0..5000).chain([u32::MAX]).filter_map(G::event);
        let played =
            events.filter(|event| game.is_possible(*event)).map(|event| game.clone().apply(event)).count();
        assert!(played > 0);
    }

    #[test]
    fn no_number_is_more_than_a_game_can_take() {
        what_is_possible_can_be_played::<Banqi>();
        what_is_possible_can_be_played::<TicTacToe>();
        what_is_possible_can_be_played::<Heap>();
        let game = Heap::deal(&anglerfish_rules::tictactoe::Standard, &mut Rng::new(7));
        assert!(
            (4..=255).all(|seat| !game.is_possible(heap::Event::Leave(Seat(seat)))),
            "there are four seats"
        );
    }
}
