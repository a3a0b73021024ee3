//! The engine at a game with hidden information: sampled worlds differ in the legal actions of others, which
//! searches and models must handle.

use std::time::Duration;

use anglerfish_arena::{Budget, Clocks, Draws, EnginePlayer, GameOptions, Player, Table};
use anglerfish_engine::opponent::{Debt, OpponentModel};
use anglerfish_engine::{Assets, Config};
use anglerfish_opponents::style::Uniform;
use anglerfish_opponents::{Bayes, Style};
use anglerfish_rules::{Game, Outcome, Ply, Rng, RngExt, Seat, Team, Turn};
use anglerfish_siguo::arrangement::{Arrangement, Kinds};
use anglerfish_siguo::{Action, Arm, Event, Knowledge, Rules, Siguo, View};

/// Plays a game between two configurations, each for a whole team: its outcome and every event.
fn play(rules: Rules, teams: [&str; 2], seed: u64) -> (Outcome, Vec<Event>) {
    let game = Siguo::deal(&rules, &mut Rng::new(seed));
    let player = |seat: usize| {
        let config: Config = teams[seat % 2].parse().expect("a player");
        EnginePlayer::<Siguo>::new(&config, &Assets::default()).expect("an engine")
    };
    let mut players = [0, 1, 2, 3].map(player);
    let mut seats = players.each_mut().map(|player| player as &mut dyn Player<Siguo>);
    let clocks = Clocks::new([Budget::Nodes(u64::MAX); 4]);
    let table = Table::new(game, Draws(Rng::stream(seed, "chance")), clocks);
    let record = anglerfish_arena::play(table, &mut seats, seed, GameOptions::default());
    let Turn::Over(outcome, _) = record.replay().expect("a legal game").turn() else {
        panic!("it did not end")
    };
    (outcome, record.plies.iter().map(|ply| ply.event).collect())
}

/// `apply` asserts that every event is possible in its world, so a descent into an event of another world would fail.
#[test]
fn trees_grow_in_worlds_that_differ() {
    let rules: Rules = "four-dark,quiet=9".parse().expect("rules");
    for tree in ["chance", "group"] {
        let player = format!("mcts,nodes=30,tree={tree},hash=1");
        for seed in 0..2 {
            play(rules, [&player, "random"], seed);
        }
    }
}

#[test]
fn pimc_beats_a_random_player_and_is_the_same_again() {
    let rules = Rules::default();
    let player = "pimc,worlds=2";
    for seed in 0..2 {
        let (outcome, played) = play(rules, [player, "random"], seed);
        assert_eq!(outcome, Outcome::Win(Team::A), "game {seed}");
        assert_eq!(play(rules, [player, "random"], seed).1, played);
    }
}

/// Always takes the first action.
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

/// The first action differs from world to world: judged in one world, this player would look like any other.
#[test]
fn styles_are_recognized_through_worlds() {
    for (first, seed) in [(true, 1), (false, 2)] {
        let mut dice = Rng::new(seed);
        let mut game = Siguo::deal(&Rules::default(), &mut dice);
        let mut model =
            Bayes::new(vec![Box::new(Uniform), Box::new(First) as Box<dyn Style<Siguo>>], 0.02, 1.0);
        let mut debt = Debt::default();
        model.begin(Seat(1), seed, None);
        let mut actions = Vec::new();
        for _ in 0..120 {
            let Some(seat) = game.turn().seat() else { break };
            game.actions(&mut actions);
            let action = if seat == Seat(1) && first { actions[0] } else { dice.pick(&actions) };
            let event = game.draw(action, &mut dice);
            model.observe(&game.view(Seat(0)), &Ply { seat, event, took: Duration::ZERO }, &mut debt);
            game.apply(event);
        }
        let believed = model.summary(&debt).beliefs[1].probability;
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
        model.observe(&view, &Ply { seat, event, took: Duration::ZERO }, &mut Debt::default());
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
