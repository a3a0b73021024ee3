//! Properties of every text: accepted text is written back byte for byte, and nothing panics.

use anglerfish_rules::banqi::{Action, Banqi, Event, Layout, RuleSet, read_deals, write_deals};
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, NotationError, Record, Rng, read_records};
use proptest::prelude::*;
use std::fmt::Display;
use std::str::FromStr;

fn strict<T: FromStr<Err = NotationError> + Display>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string(), text),
        Err(error) => {
            assert!(error.at <= text.len());
            assert!(error.pointing_at(text).contains('^'));
        }
    }
}

/// A position after some random plies.
fn position(seed: u64, plies: u32, preset: usize) -> Banqi {
    let mut rng = Rng::new(seed);
    let mut game = Banqi::start(RuleSet::PRESETS[preset].1);
    for _ in 0..plies {
        let Some(action) = game.random_action(&mut rng) else { break };
        game.apply(game.resolve(action, &mut rng));
    }
    game
}

proptest! {
    #[test]
    fn any_text_is_read_strictly_or_refused(text in ".{0,80}") {
        strict::<Banqi>(&text);
        strict::<Action>(&text);
        strict::<Event>(&text);
        strict::<Layout>(&text);
        strict::<TicTacToe>(&text);
        strict::<Heap>(&text);
        let _ = text.parse::<RuleSet>();
        let _ = text.parse::<Record<Banqi>>();
        let _ = read_deals(&text);
    }

    /// One character of a real position changed: still strict, and if it is accepted the game can go on.
    #[test]
    fn mutated_positions(seed: u64, plies in 0..200u32, preset in 0..6usize, at: prop::sample::Index, to in "[ -~]") {
        let mut text = position(seed, plies, preset).to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &to);
        strict::<Banqi>(&text);
        if let Ok(mut game) = text.parse::<Banqi>() {
            let mut rng = Rng::new(seed);
            assert_eq!(game.position().key(), game.position().recomputed_key());
            game.random_playout(&mut rng);
            strict::<Banqi>(&game.to_string());
        }
    }

    #[test]
    fn mutated_records(seed: u64, at: prop::sample::Index, to in "[ -~\n]") {
        let mut rng = Rng::new(seed);
        let mut game = Banqi::start(RuleSet::PLATFORM);
        let mut record = Record::new(game.clone());
        record.set_tag("Event", "a \"quoted\" \\ name");
        while let Some(action) = game.random_action(&mut rng) {
            let event = game.resolve(action, &mut rng);
            let seat = game.turn().seat().expect("not over");
            record.plies.push(anglerfish_rules::Ply { seat, event, took: std::time::Duration::from_millis(rng.next_u64() % 3) });
            game.apply(event);
        }
        let mut text = record.to_string();
        prop_assert_eq!(text.parse::<Record<Banqi>>(), Ok(record));
        let at = at.index(text.len());
        text.replace_range(at..=at, &to);
        for read in read_records::<Banqi>(&text) {
            match read {
                Ok(read) => {
                    prop_assert_eq!(read.to_string().parse::<Record<Banqi>>(), Ok(read.clone()));
                    let _ = read.replay();
                }
                Err(error) => prop_assert!(error.pointing_at(&text).contains('^')),
            }
        }
    }

    #[test]
    fn deals_round_trip(seed: u64, n in 0..5u64) {
        use anglerfish_rules::banqi::{Board, Deal};
        let deals: Vec<Deal> = (0..n)
            .map(|i| Deal {
                id: format!("d{i}"),
                layout: Layout::shuffled(Board::ALL[i as usize % 3], &mut Rng::stream(seed, "deal")),
            })
            .collect();
        prop_assert_eq!(read_deals(&write_deals(&deals)), Ok(deals));
    }
}

/// A record has a thousand tags at most, and each once. A reader says where the first is that is too many.
#[test]
fn tags_are_counted() {
    let text = |tags: usize| {
        let own = "[Format \"1\"]\n[Game \"banqi\"]\n[Rules \"platform\"]\n";
        let free = (3..tags).fold(String::new(), |text, n| text + &format!("[T{n} \"x\"]\n"));
        format!("{own}{free}\n*\n")
    };
    let read = |text: &str| text.parse::<Record<Banqi>>();
    assert_eq!(read(&text(1000)).expect("not too many").tags.len(), 997);
    for many in [1001, 80_000] {
        let text = text(many);
        let error = read(&text).expect_err("too many");
        assert_eq!(error.expected, "at most 1000 tags");
        assert_eq!(error.line_column(&text), (1001, 1));
    }
    let twice = text(500).replace("[T499 ", "[T7 ");
    assert_eq!(read(&twice).expect_err("twice").expected, "each tag once");
}
