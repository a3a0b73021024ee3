//! The feature `serde`: values survive JSON, those with a text as that text, and nothing invalid is read.

use std::fmt::{Debug, Display};
use std::time::Duration;

use anglerfish_rules::banqi::{
    Action, Bag, Banqi, Board, Color, Deal, Event, Layout, Piece, Role, RuleSet, Setup, Square,
};
use anglerfish_rules::tictactoe::{self, Standard, TicTacToe};
use anglerfish_rules::{
    Annotation, Candidate, Cause, ChanceOutcome, Ending, Forfeit, Outcome, Ply, Points, Reason, Record, Rng,
    Seat, Team, Turn, perft,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

fn survives<T: Serialize + DeserializeOwned + Debug + PartialEq>(value: &T, json: &str) {
    assert_eq!(serde_json::to_string(value).expect("JSON"), json);
    assert_eq!(&serde_json::from_str::<T>(json).expect(json), value);
}

/// A value is its text, and one letter more or less is none.
fn is_text<T: Serialize + DeserializeOwned + Debug + Display + PartialEq>(value: &T) {
    let text = value.to_string();
    survives(value, &serde_json::to_string(&text).expect("JSON"));
    for wrong in [format!("{text}?"), "?".to_owned(), String::new()] {
        let json = serde_json::to_string(&wrong).expect("JSON");
        assert!(serde_json::from_str::<T>(&json).is_err(), "{json}");
    }
}

#[test]
fn values_with_a_text_are_that_text() {
    for square in Square::all() {
        is_text(&square);
        is_text(&Action::Flip(square));
    }
    Piece::ALL.iter().for_each(is_text);
    Role::ALL.iter().for_each(is_text);
    Color::ALL.iter().for_each(is_text);
    Board::ALL.iter().for_each(is_text);
    Reason::ALL.iter().for_each(is_text);
    Forfeit::ALL.iter().for_each(is_text);
    RuleSet::PRESETS.map(|(_, rules)| rules).iter().for_each(is_text);
    [Outcome::Win(Team::A), Outcome::Win(Team::B), Outcome::Draw].iter().for_each(is_text);
    is_text(&Cause::Forfeit(Forfeit::Timeout));
    is_text(&Bag::FULL);
    is_text(&Board::Half.mask());
    is_text(&"b3-b4".parse::<Action>().expect("an action"));
    is_text(&"b3(c)".parse::<Event>().expect("an event"));
    let layout = Layout::shuffled(Board::Half, &mut Rng::new(1));
    is_text(&layout);
    is_text(&Deal { id: "one".to_owned(), layout });
    is_text(&Points::new(-829).expect("less than a game"));
    is_text(&Standard);
    is_text(&tictactoe::Cell::new(4));
    is_text(&"xo-/-x-/--o".parse::<TicTacToe>().expect("a board"));
    is_text(&Banqi::start(RuleSet::PLATFORM));
}

#[test]
fn a_record_is_its_text() {
    let mut record = Record::new(Banqi::start(RuleSet::PLATFORM));
    record.set_tag("Event", "a \"quoted\" one");
    let event = "b3(c)".parse().expect("an event");
    record.plies.push(Ply { seat: Seat(0), event, took: Duration::from_millis(1250) });
    record.ending = Some(Ending { outcome: Outcome::Win(Team::A), cause: Cause::Forfeit(Forfeit::Resigned) });
    survives(&record, &serde_json::to_string(&record.to_string()).expect("JSON"));
    assert!(serde_json::from_str::<Record<Banqi>>("\"1. b3(c) *\"").is_err(), "without its tags");
}

#[test]
fn values_without_a_text_are_structures() {
    let mut record = Record::new(TicTacToe::default());
    record.plies.push(Ply { seat: Seat(0), event: tictactoe::Cell::new(0), took: Duration::ZERO });
    survives(&record.plies[0], r#"{"seat":0,"event":"a1","took":{"secs":0,"nanos":0}}"#);
    survives(&ChanceOutcome { event: 3, weight: 2 }, r#"{"event":3,"weight":2}"#);
    survives(&Turn::Seat(Seat(1)), r#"{"Seat":1}"#);
    survives(&Turn::Over(Outcome::Draw, Reason::Full), r#"{"Over":["1/2-1/2","full"]}"#);
    survives(&Team::B, r#""B""#);
    let ending = Ending { outcome: Outcome::Draw, cause: Cause::Rules(Reason::Full) };
    survives(&ending, r#"{"outcome":"1/2-1/2","cause":"full"}"#);
    survives(&perft(&TicTacToe::default(), 2), r#"{"count":72,"weight":72}"#);
    let action: Action = "b3".parse().expect("an action");
    let annotation = Annotation {
        value: Some(Points::nearest(0.0829)),
        nodes: None,
        candidates: vec![Candidate { action, value: None, visits: Some(1200) }],
    };
    let json =
        r#"{"value":"+0.0829","nodes":null,"candidates":[{"action":"b3","value":null,"visits":1200}]}"#;
    survives(&annotation, json);
}

/// A description of a board may say anything: [`Setup::position`] is what refuses.
#[test]
fn a_setup_is_read_before_it_is_judged() {
    let setup = Setup::start(&RuleSet::PLATFORM);
    let json = serde_json::to_string(&setup).expect("JSON");
    survives(&setup, &json);
    let wrong: Setup = serde_json::from_str(&json.replace("p5", "p4")).expect("a setup");
    assert!(wrong.position(&RuleSet::PLATFORM).is_err());
}
