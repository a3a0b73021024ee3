//! A player leaves a game of four, and the game goes on without that player.

use std::time::Duration;

use anglerfish_rules::testkit::heap::{Event, Heap};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{
    Cause, Ending, Forfeit, Game, Mismatch, Outcome, Ply, Reason, Record, Seat, Team, Turn,
};

const TAGS: &str = "[Format \"1\"]\n[Game \"heap\"]\n[Rules \"standard\"]\n[Start \"0 0 14/25/37/68\"]\n";

fn heap(text: &str) -> Heap {
    text.parse().expect("a game of heap")
}

#[test]
fn an_ally_plays_on_and_the_second_to_leave_loses() {
    let mut game = heap("0 0 14/25/37/68");
    let leave = game.forfeited(Seat(2), Forfeit::Timeout).expect("seat 0 plays on");
    assert_eq!((leave, game.seat_of(leave)), (Event::Leave(Seat(2)), Some(Seat(2))));
    game.apply(leave);
    assert_eq!(game.turn(), Turn::Seat(Seat(0)), "it was not the turn of the seat that left");
    game.apply(Event::Card(4));
    game.apply(Event::Throw(1));
    assert_eq!(game.turn(), Turn::Seat(Seat(3)), "seat 2 is passed over");
    assert_eq!(game.forfeited(Seat(0), Forfeit::Crashed), None, "no player of team A is left");
    assert_eq!(game.forfeited(Seat(3), Forfeit::Crashed), Some(Event::Leave(Seat(3))));
    game.apply(Event::Leave(Seat(3)));
    assert_eq!(game.turn(), Turn::Seat(Seat(0)), "who leaves at its turn gives it up");
}

#[test]
fn games_of_two_end_with_a_forfeit() {
    let game: TicTacToe = "x--/---/---".parse().expect("a board");
    for forfeit in Forfeit::ALL {
        assert_eq!([Seat(0), Seat(1)].map(|seat| game.forfeited(seat, forfeit)), [None, None]);
    }
}

#[test]
fn the_text_says_who_was_there() {
    let text =
        format!("{TAGS}\n1. card1 card5 2. leave0 {{90ms}} card3 die2 3. die1 card7 leave3 4. die1 *\n");
    let record: Record<Heap> = text.parse().expect("a record");
    let seats: Vec<u8> = record.plies.iter().map(|ply| ply.seat.0).collect();
    assert_eq!(seats, [0, 1, 0, 2, 3, 1, 2, 3, 1]);
    assert!(record.replay().is_ok(), "{:?}", record.replay());
    assert_eq!(record.to_string(), text);
}

#[test]
fn an_impossible_ply_is_pointed_at() {
    for (plies, at) in [("card1 card4", 6), ("leave2 leave0", 7), ("leave1 card1 leave1", 13)] {
        let text = format!("{TAGS}\n{plies} *\n");
        let error = text.parse::<Record<Heap>>().expect_err("an impossible ply");
        assert_eq!(error.at, TAGS.len() + 1 + at, "{}", error.pointing_at(&text));
        assert!(error.to_string().contains("possible"), "{error}");
    }
}

#[test]
fn a_replay_knows_whose_ply_it_is() {
    let mut record = Record::new(heap("0 0 14/25/37/68"));
    let ply = |seat, event| Ply { seat: Seat(seat), event, took: Duration::ZERO };
    record.plies = vec![ply(3, Event::Leave(Seat(3))), ply(0, Event::Card(1))];
    assert!(record.replay().is_ok());
    record.plies[0].seat = Seat(0);
    let error = record.replay().expect_err("seat 0 cannot leave for seat 3");
    assert_eq!((error.ply, error.what), (1, Mismatch::Seat(Seat(3))));
    assert_eq!(error.to_string(), "ply 1: leave3 is seat 3's");
}

#[test]
fn the_seat_that_fills_the_heap_loses_even_after_others_left() {
    let mut game = heap("29 0 14/2x/37/68");
    game.apply(Event::Throw(1));
    assert_eq!(game.turn(), Turn::Over(Outcome::Win(Team::B), Reason::Full));
    let ending = Ending { outcome: Outcome::Win(Team::B), cause: Cause::Rules(Reason::Full) };
    let mut record = Record::new(heap("29 0 14/2x/37/68"));
    record.plies.push(Ply { seat: Seat(0), event: Event::Throw(1), took: Duration::ZERO });
    record.ending = Some(ending);
    assert_eq!(record.replay(), Ok(game));
}
