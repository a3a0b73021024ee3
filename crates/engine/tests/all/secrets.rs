//! Games with secrets: worlds differ in what others can do, and searches and models have to live with that.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_engine::opponent::arrangement::{Arrangement, Kinds};
use anglerfish_engine::opponent::style::Uniform;
use anglerfish_engine::opponent::{Bayes, OpponentModel, Style};
use anglerfish_engine::{Assets, Config, Engine, Kit, Limits, ManualClock, Stop};
use anglerfish_rules::siguo::{Action, Arm, Knowledge, Rules, Siguo, View};
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::{Game, Outcome, Ply, Rng, Seat, Team, Turn};

/// Plays a game between two configurations, each for a whole team, and says who won and what everybody chose.
fn play<G: Kit>(rules: &G::Rules, teams: [&str; 2], seed: u64) -> (Outcome, Vec<G::Action>) {
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

/// Apply asserts that what happens is possible in its world: a descent that goes where only another world allows it would fail.
#[test]
fn trees_grow_in_worlds_that_differ() {
    let rules: Rules = "four-dark,quiet=9".parse().expect("rules");
    for tree in ["chance", "group"] {
        let player = format!("mcts,nodes=30,tree={tree},hash=1");
        for seed in 0..2 {
            play::<Siguo>(&rules, [&player, "random"], seed);
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

#[test]
fn pimc_beats_a_random_player_and_is_the_same_again() {
    let rules = Rules::default();
    let player = "pimc,worlds=2";
    for seed in 0..2 {
        let (outcome, played) = play::<Siguo>(&rules, [player, "random"], seed);
        assert_eq!(outcome, Outcome::Win(Team::A), "game {seed}");
        assert_eq!(play::<Siguo>(&rules, [player, "random"], seed).1, played);
    }
}

/// Always takes the first action that there is.
struct First;

impl Style<Siguo> for First {
    fn name(&self) -> &'static str {
        "first"
    }

    fn phrase(&self) -> &'static str {
        "takes the first action that there is"
    }

    fn likelihood(&mut self, _: &View, _: &[Action], out: &mut [f32]) {
        out.fill(0.0);
        out[0] = 1.0;
    }
}

/// What is the first action differs from world to world: looked at in one, somebody who plays so would be told from nobody.
#[test]
fn styles_are_recognized_through_worlds() {
    for (first, seed) in [(true, 1), (false, 2)] {
        let mut dice = Rng::new(seed);
        let mut game = Siguo::deal(&Rules::default(), &mut dice);
        let mut model =
            Bayes::new(vec![Box::new(Uniform), Box::new(First) as Box<dyn Style<Siguo>>], 0.02, 1.0);
        model.begin(Seat(1), seed, None);
        let mut actions = Vec::new();
        for _ in 0..120 {
            let Some(seat) = game.turn().seat() else { break };
            game.actions(&mut actions);
            let action = if seat == Seat(1) && first { actions[0] } else { dice.pick(&actions) };
            let event = game.draw(action, &mut dice);
            model.observe(&game.view(Seat(0)), &Ply { seat, event, took: Duration::ZERO });
            game.apply(event);
        }
        let believed = model.posterior()[1].probability;
        assert_eq!(believed > 0.5, first, "{believed}");
    }
}

#[test]
fn worlds_of_an_arrangement_fit_what_happened() {
    let mut dice = Rng::new(4);
    let mut game = Siguo::deal(&Rules::default(), &mut dice);
    let mut model = Arrangement::new(Kinds::uniform());
    let mut knowledge = Knowledge::new(&game.view(Seat(0)));
    model.begin(Seat(1), 1, None);
    let mut actions = Vec::new();
    for ply in 0..200 {
        let Some(seat) = game.turn().seat() else { break };
        game.actions(&mut actions);
        let event = game.draw(dice.pick(&actions), &mut dice);
        let view = game.view(Seat(0)).into_owned();
        knowledge.follow(&view.table, event);
        model.observe(&view, &Ply { seat, event, took: Duration::ZERO });
        game.apply(event);
        if ply % 40 == 39 {
            let view = game.view(Seat(0)).into_owned();
            let worlds = model.worlds(&view, 10, &mut dice);
            assert_eq!(worlds.len(), 10);
            for world in worlds {
                assert!(knowledge.admits(&Arm::ALL.map(|arm| world.layout(arm).copied())));
                assert_eq!(*world.view(Seat(0)), view);
            }
        }
    }
}

#[test]
fn kinds_survive_the_trip_through_text() {
    let text = Kinds::uniform().to_string();
    let kinds: Kinds = text.parse().expect("what was written");
    assert_eq!(kinds.to_string(), text);
    for wrong in ["", "siguo-kinds 1\n", "siguo-kinds 1\nkind x\n", "siguo-kinds 1\nkind 1\n1 2 3\n"] {
        assert!(wrong.parse::<Kinds>().is_err(), "{wrong:?}");
    }
}
