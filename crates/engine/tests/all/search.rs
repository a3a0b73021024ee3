//! The promises to a caller: repeatable answers, legal answers from any number of threads, and an end when it is asked for.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anglerfish_engine::{
    Assets, Clock, Config, Engine, EngineError, Info, Limits, ManualClock, SearchGame, Stop, Tunables,
};
use anglerfish_rules::banqi::{Action, Banqi, RuleSet};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Rng, Seat};

fn engine(config: &str) -> Engine<Banqi> {
    let config: Config = config.parse().expect("a configuration");
    let mut engine =
        Engine::new(&config, &Assets::default(), Arc::new(ManualClock::default())).expect("an engine");
    engine.new_game(Seat(0), 5, None);
    engine
}

/// Twelve random plies into a game.
fn middle_game() -> Banqi {
    let (mut game, mut rng) = (Banqi::start(RuleSet::PLATFORM), Rng::new(2));
    for _ in 0..12 {
        let action = game.random_action(&mut rng).expect("it goes on");
        game.apply(game.resolve(action, &mut rng));
    }
    game
}

/// The choices and nodes of a game of one engine with itself.
fn game(config: &str, plies: u32) -> Vec<(Action, u64)> {
    let (mut engine, mut rng) = (engine(config), Rng::new(11));
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let mut choices = Vec::new();
    while game.turn().seat().is_some() && game.position().ply() < plies {
        let decision = engine.think(&game, Limits::nodes(1_500), &Stop::default(), &mut |_| {});
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
fn threads_choose_legally() {
    game("alphabeta,hash=1,threads=3", 40);
}

/// Whichever thread is the first to see that the rook takes the last piece: it is played, in so many searches.
fn find_a_win(runs: u64) {
    let last: Banqi =
        "----/----/----/----/----/----/Rn--/---- r - 0 80 platform".parse().expect("a position");
    for threads in [2, 3, 8] {
        let mut engine = engine(&format!("alphabeta,hash=1,threads={threads}"));
        let mut missed = 0;
        for seed in 0..runs {
            engine.new_game(Seat(0), seed, None);
            let decision = engine.think(&last, Limits::depth(3), &Stop::default(), &mut |_| {});
            let won = decision.action.to_string() == "a2-b2" && decision.info.lines[0].value.0 > 0.99;
            missed += u32::from(!won);
        }
        println!("{threads} threads: {missed} wins missed of {runs}");
        assert_eq!(missed, 0, "{threads} threads, {runs} runs");
    }
}

#[test]
fn threads_find_a_win() {
    find_a_win(200);
}

#[test]
#[ignore = "full: 6,000 searches"]
fn threads_find_every_win() {
    find_a_win(2_000);
}

/// A depth that was asked for is reached, whichever thread is done first.
#[test]
fn the_last_iteration_is_finished() {
    let game = middle_game();
    for threads in [1, 2, 3, 8] {
        for seed in 0..5 {
            let mut engine = engine(&format!("alphabeta,hash=1,threads={threads},depth=6"));
            engine.new_game(Seat(0), seed, None);
            let mut last = 0;
            let report = &mut |info: &Info<Banqi>| last = info.depth;
            let decision = engine.think(&game, Limits::default(), &Stop::default(), report);
            assert_eq!((decision.info.depth, last), (6, 6), "{threads} threads, seed {seed}");
        }
    }
}

/// However soon it is stopped, it has looked at every choice.
#[test]
fn a_stop_at_once_plays_no_random_move() {
    let game = middle_game();
    let stop = Stop::default();
    stop.set();
    for threads in [1, 3] {
        for seed in 0..20 {
            let think = |limits: Limits, stop: &Stop| {
                let mut engine = engine(&format!("alphabeta,hash=1,threads={threads}"));
                engine.new_game(Seat(0), seed, None);
                engine.think(&game, limits, stop, &mut |_| {})
            };
            let (stopped, shallow) =
                (think(Limits::default(), &stop), think(Limits::depth(1), &Stop::default()));
            assert_eq!(stopped.info.lines[0].value, shallow.info.lines[0].value, "{threads} {seed}");
            assert_eq!(stopped.action, shallow.action, "{threads} threads, seed {seed}");
            assert_eq!(stopped.info.depth, 1, "{threads} threads, seed {seed}");
        }
    }
}

/// A clock that is a millisecond later whenever it is read.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// A stop and every limit end the plain search at any depth setting. A limit that it does not reach changes nothing.
#[test]
fn the_plain_search_can_be_ended() {
    let game = middle_game();
    let think = |config: &str, limits: Limits, stop: &Stop| {
        let config: Config = config.parse().expect("a configuration");
        let mut engine = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(Ticking::default()))
            .expect("an engine");
        engine.new_game(Seat(0), 5, None);
        let decision = engine.think(&game, limits, stop, &mut |_| {});
        assert!(game.is_legal(decision.action), "{}", decision.action);
        (decision.action, decision.info.nodes, decision.info.lines.len())
    };
    let stop = Stop::default();
    let deep = |limits: Limits| think("exact,depth=100", limits, &stop);
    let (_, evaluated, _) = deep(Limits::nodes(5_000));
    assert!(evaluated <= 5_000, "{evaluated}");
    // The clock is read once before, and then every 1,024 nodes.
    let (_, evaluated, _) = deep(Limits::time(Duration::from_millis(4)));
    assert!(evaluated <= 4 * 1024, "{evaluated}");
    let whole = think("exact,depth=2", Limits::default(), &stop);
    assert_eq!(think("exact,depth=2", Limits::nodes(1_000_000), &stop), whole);
    // With half of the nodes some choices are compared, and one of those is made.
    let (_, evaluated, lines) = think("exact,depth=2", Limits::nodes(whole.1 / 2), &stop);
    assert!(evaluated < whole.1 && lines > 0, "{evaluated} of {}", whole.1);
    stop.set();
    assert_eq!(think("exact,depth=100", Limits::default(), &stop).1, 0);
}

/// The value that an engine at this seat gives to a game that is certainly drawn.
fn worth<G: SearchGame<View = G>>(search: &str, game: &G, seat: Seat) -> f32 {
    let config: Config = format!("{search},hash=1,draw=-0.4").parse().expect("a configuration");
    let mut engine =
        Engine::<G>::new(&config, &Assets::default(), Arc::new(ManualClock::default())).expect("an engine");
    engine.new_game(seat, 1, None);
    let limits = Limits { nodes: Some(500), depth: Some(2), ..Limits::default() };
    engine.think(game, limits, &Stop::default(), &mut |_| {}).info.lines[0].value.0
}

/// The value of a draw belongs to the engine's seat, which is not the side to move while the engine ponders.
#[test]
fn pondering_values_draws_for_the_same_seat() {
    // One more quiet ply is a draw, and only quiet plies are legal.
    let drawn: Banqi = "K---/----/----/----/----/----/----/---g r - 59 80 platform".parse().expect("one");
    let full: TicTacToe = "xox/xoo/ox-".parse().expect("one cell is left");
    let mover = drawn.turn().seat().expect("it goes on");
    let other = Seat(1 - mover.0);
    for search in ["alphabeta", "exact", "mcts"] {
        let (ours, theirs) = (worth(search, &drawn, mover), worth(search, &drawn, other));
        assert!((ours + 0.4).abs() < 1e-3 && (theirs - 0.4).abs() < 1e-3, "{search}: {ours} {theirs}");
    }
    for search in ["exact", "mcts"] {
        let (ours, theirs) = (worth(search, &full, Seat(0)), worth(search, &full, Seat(1)));
        assert!((ours + 0.4).abs() < 1e-3 && (theirs - 0.4).abs() < 1e-3, "{search}: {ours} {theirs}");
    }
}

/// Without any limit it is only the switch that ends a search, here after its second report.
#[test]
fn it_ends_when_it_is_stopped() {
    let stop = Stop::default();
    let mut reports = 0;
    let game = middle_game();
    let decision = engine("alphabeta,hash=1,threads=2").think(&game, Limits::default(), &stop, &mut |_| {
        reports += 1;
        if reports == 2 {
            stop.set();
        }
    });
    assert!(game.is_legal(decision.action) && reports >= 2);
}

/// Numbers from an asset play as the same numbers given as settings.
#[test]
fn weights_are_an_asset() {
    let numbers = Tunables { tempo: [(60, 40)], capture: [(5, 5); 7], ..Tunables::default() };
    let mut assets = Assets::default();
    assets.insert("mine", "unknown", numbers.to_string().into_bytes());
    assets.insert("broken", "unknown", *b"tempo=6\nspeed=9\n");
    let nodes = |settings: &str| -> Result<u64, EngineError> {
        let config: Config = format!("alphabeta,hash=1{settings}").parse().expect("settings");
        let mut engine = Engine::<Banqi>::new(&config, &assets, Arc::new(ManualClock::default()))?;
        engine.new_game(Seat(0), 1, None);
        let game: Banqi = "PkXX/XXXX/NCXX/PXXR/cmXX/XgXp/mXXX/XPXX b K1G2M2R1N1C1P2g1r2n2c1p4 0 12 platform"
            .parse()
            .expect("a position");
        Ok(engine.think(&game, Limits::depth(5), &Stop::default(), &mut |_| {}).info.nodes)
    };
    let settings: Vec<String> = numbers.to_string().lines().map(|line| format!(",{line}")).collect();
    assert_eq!(nodes(",weights=mine"), nodes(&settings.concat()));
    assert_ne!(nodes(",weights=mine"), nodes(",weights=none"));
    // To set both is an error: neither overwrites the other.
    for both in ["alphabeta,weights=mine,tempo=7", "alphabeta,tempo=7,weights=mine"] {
        assert!(both.parse::<Config>().is_err(), "{both}");
    }
    let refused = |settings: &str| nodes(settings).expect_err(settings).to_string();
    assert_eq!(refused(",weights=yours"), "there is no asset called yours, only broken, mine");
    assert!(refused(",weights=broken").starts_with("asset broken: line 2: expected a name: piece, hidden,"));
    let missing = EngineError::NoAsset { name: "mine".to_owned(), known: Vec::new() };
    assert_eq!(missing.to_string(), "there is no asset called mine, nor any other");
}
