//! The levels of play: repeatable, and the beginners err where there is much to lose.
//!
//! `cargo test -p anglerfish-engine --test all tables_of_levels -- --ignored --nocapture` writes the tables of docs/results/strength/levels.md.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use anglerfish_engine::{
    Assets, BEGINNERS, Config, Engine, Limits, ManualClock, Stop, level_names, level_player,
};
use anglerfish_rules::banqi::{Action, Banqi, Board, Event, Layout, RuleSet};
use anglerfish_rules::{Game, Outcome, Ply, Reason, Rng, Seat, Team, Turn};

fn engine(player: &str) -> Engine<Banqi> {
    let mut config: Config = player.parse().expect("a player");
    config.hash_kib = 1 << 10;
    Engine::new(&config, &Assets::default(), Arc::new(ManualClock::default())).expect("an engine")
}

/// Plays a game and calls `each` with every position, its mover and its choice. Returns the result.
fn play(
    players: [&mut Engine<Banqi>; 2],
    seed: u64,
    layout: &Layout,
    each: &mut dyn FnMut(&Banqi, Seat, Action),
) -> (Outcome, Reason) {
    let [first, second] = players;
    first.new_game(Seat(0), seed, None);
    second.new_game(Seat(1), seed, None);
    let mut game = Banqi::start(RuleSet::PLATFORM);
    loop {
        let seat = match game.turn() {
            Turn::Over(outcome, reason) => return (outcome, reason),
            Turn::Seat(seat) => seat,
        };
        let player = if seat == Seat(0) { &mut *first } else { &mut *second };
        let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
        each(&game, seat, action);
        let event = match action {
            Action::Flip(at) => Event::Flip { at, piece: layout.piece(at).expect("a dealt square") },
            Action::Move { from, to } => Event::Move { from, to },
        };
        let ply = Ply { seat, event, took: Duration::ZERO };
        first.observe(&game, &ply);
        second.observe(&game, &ply);
        game.apply(event);
    }
}

fn layout(seed: u64, pair: u64) -> Layout {
    Layout::shuffled(Board::Full, &mut Rng::stream(seed, &format!("deal:{pair}")))
}

/// The most plies of a game that are judged, evenly spread over its choices.
const JUDGED: usize = 6;

/// The value lost at some choices of a player in games with itself, in hundredths of a game, with the difficulty: what a choice at
/// random would lose there, on average.
fn losses(player: &str, games: u64, seed: u64, nodes: u64) -> Vec<(f32, f32)> {
    let (mut one, mut other) = (engine(player), engine(player));
    let mut judge = engine("alphabeta");
    let mut found = Vec::new();
    for pair in 0..games {
        let mut choices = Vec::new();
        play([&mut one, &mut other], seed + pair, &layout(seed, pair), &mut |game, _, action| {
            choices.push((game.clone(), action));
        });
        let step = choices.len().div_ceil(JUDGED);
        for (game, action) in choices.into_iter().skip(1 + pair as usize % step).step_by(step) {
            judge.new_game(Seat(0), 1, None);
            let lines =
                judge.analyse(&game, 64, Limits::nodes(nodes), &Stop::default(), &mut |_| {}).info.lines;
            let value = |action| lines.iter().find(|line| line.actions[0] == action).map(|line| line.value.0);
            let best = lines[0].value.0;
            let mean = lines.iter().map(|line| best - line.value.0).sum::<f32>() / lines.len() as f32;
            let lost = best - value(action).expect("every choice is compared");
            // From a lost game (-1) to a won one (1) is one game.
            found.push((50.0 * lost, 50.0 * mean));
        }
    }
    found
}

/// The bounds between easy, middling and hard choices: what a choice at random loses, in hundredths of a game.
const HARD: [f32; 2] = [2.0, 6.0];

/// The losses at easy, middling and hard choices.
fn by_difficulty(losses: &[(f32, f32)]) -> [Vec<f32>; 3] {
    let mut parts = [Vec::new(), Vec::new(), Vec::new()];
    for &(lost, mean) in losses {
        parts[HARD.iter().filter(|&&bound| mean >= bound).count()].push(lost);
    }
    parts.map(|mut part| {
        part.sort_by(f32::total_cmp);
        part
    })
}

fn mean(sorted: &[f32]) -> f32 {
    sorted.iter().sum::<f32>() / sorted.len().max(1) as f32
}

fn quantile(sorted: &[f32], percent: usize) -> f32 {
    sorted[(sorted.len() * percent / 100).min(sorted.len() - 1)]
}

#[test]
fn every_level_is_a_player() {
    assert_eq!(level_names().count(), 13);
    for level in level_names() {
        let player = level_player(&level).expect("a level");
        assert!(Config::preset(&player).is_some(), "{player}");
    }
    for wrong in ["0", "11", "01", "beginner0", "beginner4", "beginner", "level1", ""] {
        assert_eq!(level_player(wrong), None, "{wrong}");
    }
    for wrong in ["beginner0", "beginner4", "beginner"] {
        assert_eq!(Config::preset(wrong), None, "{wrong}");
    }
    assert!(BEGINNERS.is_sorted_by(|weak, strong| weak > strong));
}

#[test]
fn a_beginner_plays_the_same_game_again() {
    for player in ["beginner1", "beginner2", "beginner3"] {
        let game = |seed: u64| {
            let mut actions = Vec::new();
            let (mut one, mut other) = (engine(player), engine(player));
            play([&mut one, &mut other], seed, &layout(1, 0), &mut |_, _, action| actions.push(action));
            actions
        };
        assert_eq!(game(1), game(1), "{player}");
        assert_ne!(game(1), game(2), "{player}: another seed, another game");
    }
}

/// An error of a fixed size would cost as much in an easy position as in a hard one.
#[test]
fn beginners_err_where_there_is_much_to_lose() {
    let means = [(1, 30), (3, 30)].map(|(n, games)| {
        let all = losses(&format!("beginner{n}"), games, 7, 300);
        let [easy, middling, hard] = by_difficulty(&all);
        let counts = [easy.len(), middling.len(), hard.len()];
        let found = [mean(&easy), mean(&middling), mean(&hard)];
        println!("beginner{n}: {found:?} of {counts:?}; hard: median {}", quantile(&hard, 50));
        assert!(counts.iter().all(|&count| count >= 15), "beginner{n}: {counts:?}");
        assert!(found[0] < 1.0, "beginner{n}: easy choices are made well: {found:?}");
        assert!(2.0 * found[0] < found[1] && found[1] < found[2], "beginner{n}: {found:?}");
        assert!(quantile(&hard, 90) > 10.0, "beginner{n}: large errors happen");
        mean(&all.iter().map(|&(lost, _)| lost).collect::<Vec<_>>())
    });
    assert!(means[0] > means[1], "the first beginner errs more than the third: {means:?}");
}

/// A match on paired deals: wins, draws and losses of the first player, points by pairs, and how the games ended.
fn contest(players: [&str; 2], pairs: u64, seed: u64) {
    let mut engines = players.map(engine);
    let (mut counts, mut points, mut reasons) = ([0u32; 3], Vec::new(), BTreeMap::new());
    for pair in 0..pairs {
        let layout = layout(seed, pair);
        let mut sum = 0.0;
        for swapped in [false, true] {
            let [a, b] = &mut engines;
            let seats = if swapped { [b, a] } else { [a, b] };
            let (outcome, reason) = play(seats, seed + pair, &layout, &mut |_, _, _| {});
            let half = match outcome {
                Outcome::Draw => 1,
                Outcome::Win(team) if (team == Team::A) != swapped => 0,
                Outcome::Win(_) => 2,
            };
            counts[half] += 1;
            sum += 1.0 - half as f64 / 2.0;
            *reasons.entry(format!("{reason:?}")).or_insert(0) += 1;
        }
        points.push(sum / 2.0);
    }
    let n = pairs as f64;
    let score = points.iter().sum::<f64>() / n;
    let spread = points.iter().map(|p| (p - score).powi(2)).sum::<f64>() / (n - 1.0);
    let half = 1.96 * (spread / n).sqrt();
    let elo = |s: f64| -400.0 * (1.0 / s.clamp(0.001, 0.999) - 1.0).log10();
    let [wins, draws, losses] = counts;
    println!(
        "| {} | {} | {} | {seed} | +{wins} ={draws} -{losses}, {:.1} ± {:.1} % | {:+.0} ({:+.0} to {:+.0}) | {reasons:?} |",
        players[0],
        players[1],
        2 * pairs,
        100.0 * score,
        100.0 * half,
        elo(score),
        elo(score - half),
        elo(score + half),
    );
}

#[test]
#[ignore = "minutes: it writes the tables of docs/results/strength/levels.md"]
fn tables_of_levels() {
    let players = ["beginner1", "beginner2", "beginner3", "level1", "level2", "level3"];
    for pair in players.windows(2) {
        contest([pair[1], pair[0]], if pair[0].starts_with('b') { 200 } else { 100 }, 41);
    }
    for player in players {
        for (opponent, pairs) in [("capturer", 200), ("greedy", 100), ("random", 100)] {
            contest([player, opponent], pairs, 42);
        }
    }
    for player in players {
        let all = losses(player, 100, 43, 2_000);
        let mut every: Vec<f32> = all.iter().map(|&(lost, _)| lost).collect();
        every.sort_by(f32::total_cmp);
        let [easy, middling, hard] = by_difficulty(&all);
        for (name, part) in [("all", every), ("easy", easy), ("middling", middling), ("hard", hard)] {
            let [q50, q90, q99] = [50, 90, 99].map(|percent| quantile(&part, percent));
            println!(
                "| {player} | {name} | {} | {:.1} | {q50:.1} | {q90:.1} | {q99:.1} |",
                part.len(),
                mean(&part)
            );
        }
    }
}
