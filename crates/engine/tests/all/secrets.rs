//! Games with secrets: worlds differ in what others can do, and searches and models have to live with that.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_engine::{Assets, Config, Engine, Limits, ManualClock, SearchGame, Stop};
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::{Game, Outcome, Ply, Rng, Seat, Team, Turn};

/// Plays a game between two configurations, each for a whole team, and returns the outcome and all choices.
fn play<G: SearchGame>(rules: &G::Rules, teams: [&str; 2], seed: u64) -> (Outcome, Vec<G::Action>) {
    let mut dice = Rng::new(seed);
    let mut game = G::deal(rules, &mut dice);
    let config = |text: &str| text.parse::<Config>().expect("a player");
    let mut engines: Vec<Engine<G>> = (0..G::SEATS)
        .map(|seat| {
            let config = config(teams[usize::from(seat % 2)]);
            Engine::new(&config, &Assets::default(), Arc::new(ManualClock::default())).expect("an engine")
        })
        .collect();
    for (seat, engine) in (0..).zip(&mut engines) {
        engine.new_game(Seat(seat), seed, None);
    }
    let mut played = Vec::new();
    loop {
        let seat = match game.turn() {
            Turn::Over(outcome, _) => return (outcome, played),
            Turn::Seat(seat) => seat,
        };
        let view = game.view(seat).into_owned();
        let chosen =
            engines[usize::from(seat.0)].think(&view, Limits::default(), &Stop::default(), &mut |_| {});
        assert!(game.is_legal(chosen.action), "{} in {game}", chosen.action);
        played.push(chosen.action);
        let event = game.draw(chosen.action, &mut dice);
        let ply = Ply { seat, event, took: Duration::ZERO };
        for (seat, engine) in (0..).zip(&mut engines) {
            engine.observe(&game.view(Seat(seat)), &ply);
        }
        game.apply(event);
    }
}

/// `apply` asserts that every event is possible in its world, so a descent by an action of another world would fail.
#[test]
fn trees_grow_in_worlds_that_differ() {
    for tree in ["chance", "group"] {
        let player = format!("mcts,nodes=30,tree={tree},hash=1");
        for seed in 0..2 {
            play::<Heap>(&<Heap as Game>::Rules::default(), [&player, "random"], seed);
        }
    }
    let heap = |seed: &u64| {
        let teams = ["mcts,nodes=200,hash=1", "random"];
        play::<Heap>(&<Heap as Game>::Rules::default(), teams, *seed).0 == Outcome::Win(Team::A)
    };
    let won = (0..20).filter(heap).count();
    assert!(won >= 12, "{won} of 20 games of Heap");
}
