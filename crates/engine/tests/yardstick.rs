//! The fast search against the plain one: with everything selective left out, they find the same scores.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::sync::Arc;

use anglerfish_engine::eval::{Evaluator, evaluator};
use anglerfish_engine::search::exact::{self, Draws};
use anglerfish_engine::{
    Budget, Circles, Config, DrawScope, Engine, EvalKind, Feature, ManualClock, Star, Stop, Value, Without,
};
use anglerfish_rules::banqi::{Banqi, Board, RuleSet};
use anglerfish_rules::{Game, Rng, Seat};

/// A position some random plies into a game; on the large board far enough that few pieces are left.
fn small_position(rules: RuleSet, rng: &mut Rng) -> Option<Banqi> {
    let mut game = Banqi::start(rules);
    let plies = match rules.board {
        Board::Full => 150 + rng.below(150),
        Board::Half => rng.below(60),
        Board::Quarter => rng.below(40),
    };
    for _ in 0..plies {
        let action = game.random_action(rng)?;
        let event = game.resolve(action, rng);
        game.apply(event);
    }
    game.turn().seat().map(|_| game)
}

fn config(star: Star, table: bool, scope: DrawScope, draw: f32) -> Config {
    let without = Without::SELECTIVITY;
    let without = if table { without } else { without.and(Feature::Table) };
    Config {
        // The handmade evaluation fades with the quiet counter, which the table leaves out where it can.
        eval: EvalKind::Course,
        star,
        without,
        draw_scope: scope,
        draw_value: Value(draw),
        circles: Circles::Exact,
        hash_mib: 1,
        ..Config::default()
    }
}

/// The score that the fast search finds, and how many nodes it took.
fn fast(game: &Banqi, depth: u32, config: &Config) -> (i32, u64) {
    let mut engine = Engine::<Banqi>::new(config, Arc::new(ManualClock::default())).expect("an engine");
    engine.new_game(Seat(0), 1, None);
    let decision = engine.think(game, Budget::depth(depth), &Stop::default(), &mut |_| {});
    (decision.info.lines[0].value.to_score(), decision.info.nodes)
}

fn plain(game: &Banqi, depth: u32, config: &Config) -> i32 {
    let us = game.turn().seat().expect("a game that goes on").team();
    let draws = Draws { us, value: config.draw_value.to_score(), scope: config.draw_scope };
    let mut evaluator = evaluator(config);
    evaluator.new_game(1);
    exact::value(game, us, depth, &draws, &mut |g: &Banqi| evaluator.evaluate(g.position()))
}

#[test]
fn fast_equals_plain() {
    let mut compared = 0;
    let mut with_flips = 0;
    let mut ended = 0;
    for (name, preset) in RuleSet::PRESETS {
        for board in Board::ALL {
            // Short counters, so that draws are within reach of the search.
            for quiet in [preset.quiet, 12] {
                let rules = RuleSet { board, quiet, ..preset };
                for seed in 0..60 {
                    let mut rng = Rng::stream(seed, &format!("{name} {board:?} {quiet}"));
                    let Some(game) = small_position(rules, &mut rng) else { continue };
                    let mut actions = Vec::new();
                    game.actions(&mut actions);
                    let hidden = game.position().hidden().count_ones();
                    let depth = if actions.len() > 20 || hidden > 8 { 2 } else { 2 + rng.below(3) };
                    let depth = if hidden > 0 { depth.min(3) } else { depth + 1 };
                    let scope = [DrawScope::All, DrawScope::Repetition][rng.below(2) as usize];
                    let draw = [0.0, 0.2, -0.6][rng.below(3) as usize];
                    let star = [Star::None, Star::Star1, Star::Star2][rng.below(3) as usize];
                    for table in [false, true] {
                        let config = config(star, table, scope, draw);
                        let (expected, found) = (plain(&game, depth, &config), fast(&game, depth, &config).0);
                        assert_eq!(
                            found, expected,
                            "seed {seed} of {name} {board:?} quiet {quiet}: {game}\n{star:?} {scope:?} {draw} table {table} depth {depth}"
                        );
                        compared += 1;
                        with_flips += u32::from(hidden > 0);
                        ended += u32::from(expected.abs() > 9_000);
                    }
                }
            }
        }
    }
    println!("{compared} comparisons, {with_flips} with flips, {ended} with a decided game");
    assert!(compared > 2_000 && with_flips > 700 && ended > 100, "{compared} {with_flips} {ended}");
}
