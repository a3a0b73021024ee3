//! The law suite on every game, and the bitboards against the plain Banqi.

use std::collections::BTreeSet;

use anglerfish_rules::banqi::{Banqi, Board, RuleSet};
use anglerfish_rules::testkit::{heap, heap::Heap, laws, plain::Plain};
use anglerfish_rules::tictactoe::{Standard, TicTacToe};
use anglerfish_rules::{Game, Rng, RngExt, Turn, with_game};
use proptest::prelude::*;

#[test]
fn tictactoe_obeys_the_laws() {
    for seed in 0..500 {
        laws::<TicTacToe>(&Standard, seed, 9, |_| {});
    }
}

proptest! {
    /// Seats leave, at their turn or not, and their allies play on.
    #[test]
    fn heap_obeys_the_laws(seed: u64) {
        laws::<Heap>(&Standard, seed, heap::LONGEST, |_| {});
    }
}

#[test]
fn banqi_obeys_the_laws() {
    for (_, preset) in RuleSet::PRESETS {
        for board in Board::ALL {
            let rules = RuleSet { board, ..preset };
            for seed in 0..12 {
                laws::<Banqi>(&rules, seed, rules.longest_game(), |game| {
                    let position = game.position();
                    assert_eq!(position.key(), position.recomputed_key(), "the key is incremental; {game}");
                    assert_eq!(position.bag().len(), position.hidden().len(), "the bag fits; {game}");
                    let moves = position.moves();
                    assert_eq!(moves.len() as usize, moves.iter().count());
                    for (n, action) in moves.iter().enumerate() {
                        assert_eq!(moves.nth(n as u32), action, "nth and iter agree; {game}");
                    }
                });
            }
        }
    }
}

#[test]
fn every_listed_game_has_its_name() {
    fn name<G: Game>() -> &'static str {
        G::NAME
    }
    for listed in anglerfish_rules::GAMES {
        assert_eq!(with_game!(listed, G => name::<G>()), Some(listed));
    }
}

/// The rest of the game tree is reached by random play under every rule set; here are legal actions, outcomes,
/// legality of every thinkable action, and the end, ply by ply, against the plain implementation.
#[test]
fn bitboards_play_like_letters_on_a_grid() {
    let mut ends = BTreeSet::new();
    for (name, preset) in RuleSet::PRESETS {
        for board in Board::ALL {
            let rules = RuleSet { board, ..preset };
            let games = if board == Board::Full { 4 } else { 40 };
            for seed in 0..games {
                let reason = play_both(rules, seed, false);
                ends.insert((name, reason));
                ends.insert((name, play_both(rules, seed, true)));
            }
        }
    }
    let ended = |name, reason: &str| ends.contains(&(name, reason.to_owned()));
    assert!(ended("platform", "repetition") && ended("paper40", "repetition"), "{ends:?}");
    assert!(ended("platform", "quiet") && ended("course2025", "quiet"), "{ends:?}");
    assert!(ended("platform", "no-pieces") && ended("openspiel50", "no-move"), "{ends:?}");
}

/// Plays one game on both; a shuffler prefers to take back what it just did, so that games go in circles.
fn play_both(rules: RuleSet, seed: u64, shuffle: bool) -> String {
    let mut rng = Rng::stream(seed, "plain");
    let mut fast = Banqi::start(rules);
    let mut plain = Plain::new(&fast.to_string());
    let mut actions = Vec::new();
    let mut chances = Vec::new();
    let mut history = Vec::new();
    loop {
        assert_eq!(fast.turn(), plain.turn(), "seed {seed}, {fast}");
        fast.actions(&mut actions);
        let mut expected = plain.actions();
        actions.sort_unstable();
        expected.sort_unstable();
        assert_eq!(actions, expected, "seed {seed}, {fast}");
        if let Turn::Over(_, reason) = fast.turn() {
            return reason.to_string();
        }
        check_legality(&fast, &actions);
        let mut action = rng.pick(&actions);
        if shuffle && rng.below(8) > 0 {
            let back = history.iter().rev().nth(1).and_then(|&action| match action {
                anglerfish_rules::banqi::Action::Move { from, to } => {
                    Some(anglerfish_rules::banqi::Action::Move { from: to, to: from })
                }
                anglerfish_rules::banqi::Action::Flip(_) => None,
            });
            action = back.filter(|a| actions.contains(a)).unwrap_or(action);
        }
        fast.outcomes(action, &mut chances);
        let mut theirs = plain.outcomes(action);
        chances.sort_by_key(|c| c.event.to_string());
        theirs.sort_by_key(|c| c.event.to_string());
        assert_eq!(chances, theirs, "seed {seed}, {fast}");
        let event = fast.draw(action, &mut rng);
        fast.apply(event);
        plain.apply(event);
        history.push(action);
    }
}

/// Every one of the 1,056 thinkable actions is legal exactly if it is listed.
fn check_legality(game: &Banqi, listed: &[anglerfish_rules::banqi::Action]) {
    use anglerfish_rules::banqi::{Action, Square};
    let moves = game.position().moves();
    let flips = Square::all().map(Action::Flip);
    let pairs = Square::all().flat_map(|from| Square::all().map(move |to| Action::Move { from, to }));
    for action in flips.chain(pairs) {
        let legal = listed.binary_search(&action).is_ok();
        assert_eq!(game.position().is_legal(action), legal, "{action} in {game}");
        assert_eq!(moves.contains(action), legal, "{action} in {game}");
    }
}

/// Choosing without a list is as fair as choosing from one.
#[test]
fn random_actions_are_uniform() {
    let mut rng = Rng::new(11);
    let mut game = Banqi::start(RuleSet::PLATFORM);
    for _ in 0..45 {
        let Some(action) = game.random_action(&mut rng) else { break };
        game.apply(game.resolve(action, &mut rng));
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    assert!(actions.len() > 5, "a position with a choice: {game}");
    let mut seen = vec![0u32; actions.len()];
    let n = 20_000 * actions.len() as u32;
    for _ in 0..n {
        let action = game.random_action(&mut rng).expect("the game is not over");
        seen[actions.iter().position(|&a| a == action).expect("a legal action")] += 1;
    }
    let chi: f64 = seen.iter().map(|&s| (f64::from(s) - 20_000.0).powi(2) / 20_000.0).sum();
    let freedom = actions.len() as f64 - 1.0;
    assert!(chi < freedom + 4.0 * (2.0 * freedom).sqrt() + 6.0, "chi-square {chi} with {freedom} degrees");
}
