//! What a caller relies on: the same answer again, legal answers from any number of threads, and an end when it is asked for.

use std::sync::Arc;

use anglerfish_engine::{Budget, Config, Engine, ManualClock, Stop};
use anglerfish_rules::banqi::{Action, Banqi, RuleSet};
use anglerfish_rules::{Game, Rng, Seat};

fn engine(config: &str) -> Engine<Banqi> {
    let config: Config = config.parse().expect("a configuration");
    let mut engine = Engine::new(&config, Arc::new(ManualClock::default())).expect("an engine");
    engine.new_game(Seat(0), 5, None);
    engine
}

/// The choices and nodes of a game of one engine with itself.
fn game(config: &str, plies: u32) -> Vec<(Action, u64)> {
    let (mut engine, mut rng) = (engine(config), Rng::new(11));
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let mut choices = Vec::new();
    while game.turn().seat().is_some() && game.position().ply() < plies {
        let decision = engine.think(&game, Budget::nodes(1_500), &Stop::default(), &mut |_| {});
        assert!(game.is_legal(decision.action), "{} in {game}", decision.action);
        choices.push((decision.action, decision.info.nodes));
        game.apply(game.resolve(decision.action, &mut rng));
    }
    choices
}

#[test]
fn the_same_seed_and_nodes_give_the_same_game() {
    let first = game("alphabeta,hash=1", 80);
    assert!(first.len() > 30);
    assert_eq!(game("alphabeta,hash=1", 80), first);
    assert_eq!(game("level3", 30), game("level3", 30));
}

#[test]
fn threads_choose_legally_and_find_a_win() {
    game("alphabeta,hash=1,threads=3", 40);
    // The rook takes the last piece.
    let last: Banqi =
        "----/----/----/----/----/----/Rn--/---- r - 0 80 platform".parse().expect("a position");
    let mut engine = engine("alphabeta,hash=1,threads=2");
    let decision = engine.think(&last, Budget::depth(3), &Stop::default(), &mut |_| {});
    assert_eq!(decision.action.to_string(), "a2-b2");
    assert!(decision.info.lines[0].value.0 > 0.99);
}

/// Without any limit it is only the switch that ends a search, here after its second report.
#[test]
fn it_ends_when_it_is_stopped() {
    let stop = Stop::default();
    let mut reports = 0;
    let position = Banqi::start(RuleSet::PLATFORM);
    let mut rng = Rng::new(2);
    let mut game = position;
    for _ in 0..12 {
        let action = game.random_action(&mut rng).expect("it goes on");
        game.apply(game.resolve(action, &mut rng));
    }
    let decision = engine("alphabeta,hash=1,threads=2").think(&game, Budget::default(), &stop, &mut |_| {
        reports += 1;
        if reports == 2 {
            stop.set();
        }
    });
    assert!(game.is_legal(decision.action) && reports >= 2);
}
