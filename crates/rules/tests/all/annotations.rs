//! Annotations survive a trip through text, are skipped by readers that do not ask for them, and are refused if garbled.

use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::{Standard, TicTacToe};
use anglerfish_rules::{Annotation, Candidate, Forfeit, Game, Ply, Points, Record, Rng, RngExt, Seat};
use proptest::prelude::*;

fn perhaps<T>(rng: &mut Rng, value: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    (rng.below(3) > 0).then(|| value(rng))
}

fn points(rng: &mut Rng) -> Points {
    Points::new(rng.below(20_001) as i16 - 10_000).expect("a game at most")
}

/// A random game with thoughts about some plies, times of some, and perhaps a player who leaves.
fn annotated<G: Game>(rules: &G::Rules, seed: u64) -> Record<G> {
    let mut rng = Rng::stream(seed, "annotated");
    let mut game = G::deal(rules, &mut rng);
    let mut record = Record::new(game.clone());
    let mut actions = Vec::new();
    while let Some(mover) = game.turn().seat() {
        game.actions(&mut actions);
        let leaves = game.forfeited(Seat(rng.below(u32::from(G::SEATS)) as u8), Forfeit::Resigned);
        let choice = rng.pick(&actions);
        let event = leaves.filter(|_| rng.below(9) == 0).unwrap_or_else(|| game.draw(choice, &mut rng));
        let seat = game.seat_of(event).unwrap_or(mover);
        record.plies.push(Ply { seat, event, took: Duration::from_millis(u64::from(rng.below(3))) });
        let n = rng.below(4) as usize;
        let considered = actions.iter().take(n).map(|&action| Candidate {
            action,
            value: perhaps(&mut rng, points),
            visits: perhaps(&mut rng, Rng::next_u64),
        });
        let candidates = considered.collect();
        let annotation = Annotation {
            value: perhaps(&mut rng, points),
            nodes: perhaps(&mut rng, |rng| u64::from(rng.below(100_000))),
            candidates,
        };
        if rng.below(4) > 0 {
            record.annotate(record.plies.len() - 1, annotation);
        }
        game.apply(event);
    }
    record
}

fn survives<G: Game>(rules: &G::Rules, seed: u64) {
    let record = annotated::<G>(rules, seed);
    let text = record.to_string();
    let read: Record<G> =
        text.parse().unwrap_or_else(|e: anglerfish_rules::NotationError| panic!("{}", e.pointing_at(&text)));
    assert_eq!(read, record);
    assert_eq!(read.to_string(), text);
    for line in text.lines().skip_while(|line| !line.is_empty()) {
        assert!(
            line.len() <= 100 || line.starts_with('{') && line.find('}') == Some(line.len() - 1),
            "{line}"
        );
    }
    // Without the tag they are comments like any other.
    let untagged = text.replace("[Annotations \"1\"]\n", "");
    assert_eq!(untagged.parse().as_ref(), Ok(&record.clone().without_annotations()));
    assert!(!record.without_annotations().to_string().contains("{v "));
}

proptest! {
    #[test]
    fn annotations_survive_text(seed: u64) {
        survives::<Banqi>(&RuleSet::PLATFORM, seed);
        survives::<TicTacToe>(&Standard, seed);
        survives::<Heap>(&Standard, seed);
    }

    /// A record with one changed character is refused with a place, or read and written back unchanged.
    #[test]
    fn mutated_annotations(seed: u64, at: prop::sample::Index, to in "[ -~\n]") {
        let mut text = annotated::<Heap>(&Standard, seed).to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &to);
        match text.parse::<Record<Heap>>() {
            Ok(record) => prop_assert_eq!(record.to_string().parse::<Record<Heap>>(), Ok(record)),
            Err(error) => prop_assert!(error.pointing_at(&text).contains('^')),
        }
    }

    #[test]
    fn points_are_exact(n in -10_000..=10_000i16, text in "[+-]?[0-9.]{0,7}") {
        let points = Points::new(n).expect("a game at most");
        prop_assert_eq!(points.to_string().parse(), Ok(points));
        prop_assert_eq!(points.to_string().len(), "+0.0829".len());
        prop_assert_eq!(Points::nearest(f64::from(n) / 10_000.0), points);
        if let Ok(points) = text.parse::<Points>() {
            prop_assert_eq!(points.to_string(), text);
        }
    }
}

#[test]
fn points_stay_within_a_game() {
    assert_eq!((Points::new(10_001), Points::new(i16::MIN)), (None, None));
    assert_eq!(Points::nearest(7.0).to_string(), "+1.0000");
    assert_eq!(Points::nearest(-0.000_01).to_string(), "+0.0000");
    assert!("-0.0000".parse::<Points>().is_err());
    assert!("+1.0001".parse::<Points>().is_err());
}

fn read(movetext: &str) -> Result<Record<TicTacToe>, (usize, String)> {
    let tags = "[Format \"1\"]\n[Game \"tictactoe\"]\n[Rules \"standard\"]\n[Annotations \"1\"]\n\n";
    let read = format!("{tags}{movetext} *\n").parse();
    read.map_err(|e: anglerfish_rules::NotationError| (e.at - tags.len(), e.to_string()))
}

#[test]
fn garbled_annotations_are_pointed_at() {
    for (movetext, at, expected) in [
        ("a1 {v +0.1}", 6, "points"),
        ("a1 {v }", 6, "points"),
        ("a1 {n -3}", 6, "a count"),
        ("a1 {n 007}", 6, "a count"),
        ("a1 {n 3 v +0.1000}", 8, "in this order"),
        ("a1 {n 3 }", 8, "in this order"),
        ("a1 {c a9 - -}", 6, "a cell"),
        ("a1 {c a1 -}", 10, "a count"),
        ("a1 {n 3} b1 {n 4} {n 5}", 18, "one annotation a ply"),
        ("{n 3} a1", 0, "one annotation a ply"),
    ] {
        let (place, message) = read(movetext).expect_err(movetext);
        assert_eq!(place, at, "{movetext}: {message}");
        assert!(message.contains(expected), "{movetext}: {message}");
    }
}

#[test]
fn other_comments_are_skipped() {
    let record = read("a1 {very good} {v} {n 3} {} b1 {come what may}").expect("a record");
    assert_eq!(record.annotation(0).and_then(|a| a.nodes), Some(3));
    assert_eq!((record.annotation(1), record.annotation(2)), (None, None));
    assert!(read("a1 b1").is_ok_and(|record| !record.to_string().contains("Annotations")));
}
