//! Speculative expectiminimax: the fast one equals the plain one, and without trust nothing is different.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::sync::Arc;

use anglerfish_engine::eval::{self, Evaluator, evaluator};
use anglerfish_engine::opponent::{self, Opponents};
use anglerfish_engine::search::alphabeta;
use anglerfish_engine::search::exact;
use anglerfish_engine::{
    Assets, Circles, Config, Draws, Engine, EvalKind, Limits, ManualClock, Profile, Stop, Value, Without,
    opponents,
};
use anglerfish_opponents::{certain, install};
use anglerfish_rules::banqi::{Banqi, Board, RuleSet};
use anglerfish_rules::{ChanceOutcome, Game, Rng, RngExt, Seat, Team, Turn};

/// As `foresight.rs` counts probabilities.
const ONE: i64 = 1 << 12;

fn profile() -> Profile {
    certain::<Banqi>("capturer")
}

fn assets() -> Assets {
    let mut assets = Assets::default();
    install(assets.models_mut());
    assets
}

fn config() -> Config {
    Config {
        eval: eval::Settings { kind: EvalKind::Course, ..Default::default() },
        alphabeta: alphabeta::Settings {
            without: Without::SELECTIVITY,
            circles: Circles::Exact,
            ..Default::default()
        },
        opponent: opponent::Settings {
            model: "bayes".into(),
            trust: 0.8,
            draw_value: Value(-0.2),
            ..Default::default()
        },
        hash_kib: 1 << 10,
        ..Config::default()
    }
}

fn position(rules: RuleSet, rng: &mut Rng) -> Option<Banqi> {
    let mut game = Banqi::start(rules);
    for _ in 0..8 + rng.below(40) {
        let action = game.random_action(rng)?;
        game.apply(game.resolve(action, rng));
    }
    game.turn().seat().map(|_| game)
}

/// The plain version: the best of our choices against an opponent that answers as it is believed to.
struct Plain<'a> {
    opponents: Opponents<Banqi>,
    us: Seat,
    trust: i64,
    draws: Draws,
    evaluation: exact::Evaluation<'a, Banqi>,
}

impl Plain<'_> {
    fn best(&mut self, game: &Banqi, depth: u32) -> i32 {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let score = |action| {
            let mut chances: Vec<ChanceOutcome<_>> = Vec::new();
            game.outcomes(action, &mut chances);
            let total: i64 = chances.iter().map(|c| i64::from(c.weight)).sum();
            let mut sum = 0;
            for chance in chances {
                let mut next = game.clone();
                next.apply(chance.event);
                // A win loses a point on its way up.
                let theirs = self.answer(&next, depth - 1);
                let ply_adjusted = if theirs.abs() > 9_000 { theirs - theirs.signum() } else { theirs };
                sum += i64::from(chance.weight) * i64::from(-ply_adjusted);
            }
            (sum / total) as i32
        };
        actions.into_iter().map(score).max().expect("a game that goes on")
    }

    /// The value of a position to the opponent, who is to move.
    fn answer(&mut self, game: &Banqi, depth: u32) -> i32 {
        let them = match game.turn() {
            Turn::Seat(seat) if depth > 0 => seat,
            _ => return -exact::value(game, self.us.team(), 0, &self.draws, self.evaluation),
        };
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let scores: Vec<i64> = actions
            .iter()
            .map(|&a| i64::from(exact::action_value(game, a, depth, &self.draws, self.evaluation)))
            .collect();
        let mut shares = vec![0.0; actions.len()];
        self.opponents.predict(them, game, &actions, &mut shares, u64::MAX);
        let parts: Vec<i64> =
            shares.iter().map(|&s| (f64::from(s) * ONE as f64).round() as i64 * self.trust / ONE).collect();
        // A nearly certain answer counts as forced.
        if let Some(forced) = parts.iter().position(|&part| part >= ONE * 90 / 100) {
            return scores[forced] as i32;
        }
        let expected = || parts.iter().zip(&scores).filter(|&(&part, _)| part >= ONE / 100);
        let weight: i64 = expected().map(|(part, _)| part).sum();
        let sum: i64 = expected().map(|(part, score)| part * score).sum();
        let mean = if weight == 0 { 0 } else { sum / weight };
        let part = weight.min(ONE - 1);
        let best = scores.iter().max().expect("an answer");
        ((mean * part + best * (ONE - part)) / ONE) as i32
    }
}

#[test]
fn fast_equals_plain() {
    let (mut compared, mut different) = (0, 0);
    for board in [Board::Quarter, Board::Half] {
        let rules = RuleSet { board, ..RuleSet::PLATFORM };
        for seed in 0..150 {
            let mut rng = Rng::stream(seed, &format!("{board:?}"));
            let Some(game) = position(rules, &mut rng) else { continue };
            let us = game.turn().seat().expect("it goes on");
            let hidden = game.position().hidden().len();
            let depth = if hidden > 4 { 2 } else { 3 };
            let config = config();
            let mut opponents: Opponents<Banqi> = opponents(&config, &assets()).expect("a model");
            opponents.begin(us, 1, Some(&profile()));
            let trust = opponents.stance(&config.opponent).trust.expect("it says how far");
            let trust = (f64::from(trust) * ONE as f64).round() as i64;
            assert!(trust > ONE / 4, "the profile is believed");
            let mut evaluator = evaluator(&config.eval);
            evaluator.new_game(1);
            let draws = Draws {
                us: us.team(),
                value: config.opponent.draw_value.to_score(),
                scope: config.opponent.draw_scope,
            };
            let mut evaluation = |g: &Banqi| evaluator.evaluate(g.position());
            let mut plain = Plain { opponents, us, trust, draws, evaluation: &mut evaluation };
            let expected = plain.best(&game, depth);
            let team: Team = us.team();
            different += u32::from(expected != exact::value(&game, team, depth, &draws, plain.evaluation));

            let mut engine = Engine::<Banqi>::new(&config, &assets(), Arc::new(ManualClock::default()))
                .expect("an engine");
            engine.new_game(us, 1, Some(&profile()));
            let found = engine.think(&game, Limits::depth(depth), &Stop::default(), &mut |_| {});
            assert_eq!(
                found.info.lines[0].value.to_score(),
                expected,
                "seed {seed} {board:?} depth {depth}: {game}"
            );
            compared += 1;
        }
    }
    println!("{compared} comparisons; in {different} the model made a difference");
    assert!(compared > 150 && different > compared / 3, "{compared} {different}");
}

/// A game of one engine with itself: its choices and nodes.
fn game(config: &str) -> Vec<(String, u64)> {
    let config: Config = config.parse().expect("a configuration");
    let mut engine =
        Engine::<Banqi>::new(&config, &assets(), Arc::new(ManualClock::default())).expect("an engine");
    engine.new_game(Seat(0), 5, Some(&profile()));
    let (mut rng, mut game, mut choices) = (Rng::new(11), Banqi::start(RuleSet::PLATFORM), Vec::new());
    while game.turn().seat().is_some() && game.position().ply() < 80 {
        let decision = engine.think(&game, Limits::nodes(1_500), &Stop::default(), &mut |_| {});
        choices.push((decision.action.to_string(), decision.info.nodes));
        game.apply(game.resolve(decision.action, &mut rng));
    }
    choices
}

#[test]
fn without_trust_nothing_is_different() {
    let plain = game("alphabeta,hash=1");
    assert_eq!(game("alphabeta,hash=1,opponent=bayes,trust=0"), plain);
    let speculative = game("alphabeta,hash=1,opponent=bayes,trust=0.7");
    assert_ne!(speculative, plain);
    assert_eq!(game("alphabeta,hash=1,opponent=bayes,trust=0.7"), speculative, "and the same again");
}
