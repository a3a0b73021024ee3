//! Monte-Carlo tree search: it finds wins, repeats its answers, keeps its tree and its limits, and ends when told.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_engine::opponent::Opponents;
use anglerfish_engine::playout::{Ending, Playout};
use anglerfish_engine::score::{MAX_EVAL, WIN};
use anglerfish_engine::search::exact::action_value;
use anglerfish_engine::search::mcts::Mcts;
use anglerfish_engine::search::{Context, Searcher};
use anglerfish_engine::{
    Assets, Config, Decision, DrawScope, Draws, Engine, Limits, ManualClock, SearchGame, Stance, Stop,
};
use anglerfish_rules::banqi::{Action, Banqi, RuleSet};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Ply, Rng, RngExt, Seat, Team};

fn engine<G: SearchGame>(config: &str) -> Engine<G> {
    let config: Config = config.parse().expect("a configuration");
    let mut engine = Engine::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("every game has it");
    engine.new_game(Seat(0), 1, None);
    engine
}

fn decide<G: SearchGame<View = G>>(config: &str, game: &G, playouts: u64) -> Decision<G> {
    engine::<G>(config).think(game, Limits::nodes(playouts), &Stop::default(), &mut |_| {})
}

fn search_with(search: &mut Mcts<Banqi>, game: &Banqi, playouts: u64) -> Decision<Banqi> {
    let mut ctx = Context {
        limits: Limits::nodes(playouts),
        stance: Stance::default(),
        opponents: &mut Opponents::unmodelled(Seat(0)),
        lines: 5,
        rng: &mut Rng::new(4),
        clock: &ManualClock::default(),
        stop: &Stop::default(),
        report: &mut |_| {},
    };
    search.search(game, &mut ctx)
}

const TREES: [&str; 2] = ["mcts,tree=chance,hash=8", "mcts,tree=group,hash=8"];

/// In random positions of tic-tac-toe both trees choose what full look-ahead calls best.
#[test]
fn tic_tac_toe_is_played_perfectly() {
    let draws = Draws { us: Team::A, value: 0, scope: DrawScope::All };
    let mut rng = Rng::new(2);
    for round in 0..40 {
        let mut game = TicTacToe::default();
        let mut actions = Vec::new();
        for _ in 0..=round % 5 {
            game.actions(&mut actions);
            if !actions.is_empty() {
                game.apply(game.draw(rng.pick(&actions), &mut rng));
            }
        }
        game.actions(&mut actions);
        if actions.is_empty() {
            continue;
        }
        // Whether it is won, drawn or lost; how soon is not asked.
        let sign = |action| action_value(&game, action, 9, &draws, &mut |_| 0).signum();
        let best = actions.iter().map(|&a| sign(a)).max();
        for tree in TREES {
            let found = decide(tree, &game, 4000).action;
            assert_eq!(Some(sign(found)), best, "{tree} plays {found} in {game}");
        }
    }
}

/// Endings without chance: wherever five plies of full look-ahead see a win, both trees find a win and know it.
#[test]
fn won_endings_are_won() {
    let draws = Draws { us: Team::A, value: 0, scope: DrawScope::All };
    let rules: RuleSet = "platform,board=2x4".parse().expect("rules");
    let (mut rng, mut seen) = (Rng::new(6), 0);
    let mut game = Banqi::start(rules);
    while seen < 12 {
        let Some(action) = game.random_action(&mut rng) else {
            game = Banqi::start(rules);
            continue;
        };
        game.apply(game.resolve(action, &mut rng));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let value = |action: Action| action_value(&game, action, 5, &draws, &mut |_| 0);
        if !game.position().hidden().is_empty()
            || !actions.iter().any(|&a| value(a) > MAX_EVAL && value(a) < WIN - 1)
        {
            continue;
        }
        seen += 1;
        for tree in TREES {
            let decision = decide(tree, &game, 6000);
            let found = value(decision.action);
            let known = decision.info.lines[0].value.0;
            assert!(found > MAX_EVAL, "{tree} plays {} ({found}, {known}) in {game}", decision.action);
            assert!(known > 0.9, "{tree} thinks {known} of {game}");
        }
    }
}

/// Playouts of Banqi without an evaluation.
struct Silent(Box<dyn Playout<Banqi>>);

impl Playout<Banqi> for Silent {
    fn run(&mut self, game: &Banqi, rng: &mut Rng) -> Ending {
        self.0.run(game, rng)
    }
}

/// Without an evaluation, or with one that has no share, or where a node is no position, the search is plain UCT, bit for bit.
#[test]
fn without_evaluation_the_search_is_plain() {
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let mut rng = Rng::new(8);
    for _ in 0..24 {
        game.apply(game.resolve(game.random_action(&mut rng).expect("it goes on"), &mut rng));
    }
    let said = |text: &str, silent: bool| {
        let config: Config = text.parse().expect("a configuration");
        let mut search = Mcts::new(config.mcts, config.resources(), || {
            let playout = Banqi::playout(&config);
            if silent { Box::new(Silent(playout)) } else { playout }
        });
        let info = search_with(&mut search, &game, 600).info;
        info.lines.into_iter().map(|line| (line.actions, line.value)).collect::<Vec<_>>()
    };
    let [chance, group] = TREES.map(|tree| said(&format!("{tree},implicit=0"), true));
    assert_eq!(chance, said(&format!("{},implicit=0", TREES[0]), false));
    assert_eq!(chance, said(&format!("{},implicit=0.5", TREES[0]), true));
    assert_ne!(
        chance,
        said(&format!("{},implicit=0.5", TREES[0]), false),
        "it has a say where it has a share"
    );
    assert_eq!(group, said(&format!("{},implicit=0.5", TREES[1]), false));
}

/// In a game without an evaluation, playouts go to the end.
#[test]
fn a_game_without_evaluation_is_played_out() {
    for tree in TREES {
        let cut = decide(&format!("{tree},playout_size=0,playout_eval=eval"), &TicTacToe::default(), 500);
        assert!(cut.info.lines[0].value.0 > 0.1, "{tree}: the first mover wins more often");
    }
}

#[test]
fn the_same_seed_gives_the_same_answer_for_any_threads() {
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let mut rng = Rng::new(8);
    for _ in 0..24 {
        game.apply(game.resolve(game.random_action(&mut rng).expect("it goes on"), &mut rng));
    }
    for tree in TREES {
        for threads in [1, 2] {
            let config = format!("{tree},threads={threads}");
            let [first, second] = [(); 2].map(|()| decide(&config, &game, 600));
            assert_eq!(first.action, second.action, "{config}");
            assert_eq!(first.info.lines[0].value, second.info.lines[0].value, "{config}");
            assert!((600..700).contains(&first.info.nodes), "{config}: {}", first.info.nodes);
        }
    }
}

/// A draw that cannot be avoided is worth what the stance says, whichever seat is to move.
#[test]
fn draws_are_worth_what_the_stance_says() {
    let game: TicTacToe = "xox/xoo/ox-".parse().expect("one cell is left");
    for tree in TREES {
        let worth = |more: &str| decide(&format!("{tree},{more}"), &game, 10).info.lines[0].value.0;
        assert!((worth("draw=-0.5") + 0.5).abs() < 1e-3 && (worth("draw=0.25") - 0.25).abs() < 1e-3);
        assert!(worth("draw=-0.5,draw_scope=repetition").abs() < 1e-6, "a full board is no repetition");
    }
}

#[test]
fn trees_are_bounded() {
    let game = Banqi::start(RuleSet::PLATFORM);
    for tree in ["chance", "group"] {
        let config: Config = format!("mcts,tree={tree},hash=1").parse().expect("a configuration");
        let mut search = Mcts::<Banqi>::new(config.mcts, config.resources(), || Banqi::playout(&config));
        search_with(&mut search, &game, 40_000);
        // A node has 32 bytes, and four are for keeping a part of the tree.
        assert!((29_000..=29_127).contains(&search.len()), "{tree}: {} nodes", search.len());
    }
}

/// The tree below the plies that were then played is kept.
#[test]
fn the_tree_is_kept() {
    for tree in TREES {
        let mut game: Banqi =
            "----/----/----/----/-g--/rR--/--N-/---P r - 0 40 platform".parse().expect("one");
        let mut engine = engine::<Banqi>(tree);
        let think = |engine: &mut Engine<Banqi>, game: &Banqi, n| {
            engine.think(game, Limits::nodes(n), &Stop::default(), &mut |_| {})
        };
        let line = think(&mut engine, &game, 4000).info.lines[0].actions.clone();
        for action in &line[..2] {
            let seat = game.turn().seat().expect("it goes on");
            let event = game.resolve(*action, &mut Rng::new(0));
            engine.observe(&game, &Ply { seat, event, took: Duration::ZERO });
            game.apply(event);
        }
        let kept = think(&mut engine, &game, 1).info;
        assert!(kept.lines[0].actions.len() > 1, "{tree}: one playout would know no answer");
        // Another position is another tree.
        let other: Banqi = "----/----/----/----/-g--/r---/--N-/---R r - 0 40 platform".parse().expect("one");
        assert_eq!(think(&mut engine, &other, 1).info.lines[0].actions.len(), 1, "{tree}");
    }
}

/// Asking for more lines does not change the game, not even by a tree that is kept across a forced move.
#[test]
fn more_lines_change_nothing() {
    for tree in TREES {
        let play = |lines: usize| {
            let mut players = [0, 1].map(|seat| {
                let mut engine = engine::<Banqi>(tree);
                engine.new_game(Seat(seat), 1, None);
                engine
            });
            let mut game: Banqi =
                "Pg--/----/----/----/----/----/----/---- r - 30 40 platform".parse().expect("one");
            let (mut dice, mut forced, mut played) = (Rng::new(5), 0, Vec::new());
            while let Some(seat) = game.turn().seat() {
                let mut actions = Vec::new();
                game.actions(&mut actions);
                forced += u32::from(actions.len() == 1);
                let player = &mut players[usize::from(seat.0)];
                let decision =
                    player.analyse(&game, lines, Limits::nodes(120), &Stop::default(), &mut |_| {});
                assert_eq!(decision.info.lines.len(), lines.min(actions.len()), "{tree}");
                let visits: Vec<u64> = decision.info.lines.iter().filter_map(|line| line.visits).collect();
                assert_eq!(visits.len(), decision.info.lines.len(), "{tree}");
                let event = game.resolve(decision.action, &mut dice);
                for player in &mut players {
                    player.observe(&game, &Ply { seat, event, took: Duration::ZERO });
                }
                game.apply(event);
                played.push((event, decision.info.nodes, decision.info.lines[0].value, visits[0]));
            }
            (played, forced)
        };
        let (one, forced) = play(1);
        assert!(forced > 0 && one == play(40).0, "{tree}, {forced} forced moves");
    }
}

#[test]
fn it_stops_when_told() {
    let game = Banqi::start(RuleSet::PLATFORM);
    let stop = Stop::default();
    stop.set();
    for tree in TREES {
        let decision =
            engine::<Banqi>(&format!("{tree},threads=2")).think(&game, Limits::default(), &stop, &mut |_| {});
        assert!(game.is_legal(decision.action) && (32..100).contains(&decision.info.nodes), "{tree}");
        // Every choice was tried once: what wins at once is not missed.
        let last: Banqi =
            "----/----/----/----/----/----/Rn--/---- r - 0 80 platform".parse().expect("a position");
        for seed in 0..20 {
            let mut engine = engine::<Banqi>(tree);
            engine.new_game(Seat(0), seed, None);
            let decision = engine.think(&last, Limits::default(), &stop, &mut |_| {});
            assert_eq!(decision.action.to_string(), "a2-b2", "{tree}, seed {seed}");
        }
        // While it thinks, too: the first report sets the switch.
        let stop = Stop::default();
        let mut reports = 0;
        let mut engine = engine::<Banqi>(tree);
        engine.think(&game, Limits::default(), &stop, &mut |_| {
            reports += 1;
            stop.set();
        });
        assert_eq!(reports, 2, "{tree}: the one that set the switch, and the last");
    }
}

/// Every preset of the paper's tables plays a legal move, and so does its reference player.
#[test]
fn the_players_of_the_paper_play() {
    let hidden = Banqi::start(RuleSet::PAPER40);
    let ending: Banqi =
        "n---/--G-/-M--/R--K/--R-/N---/---p/CPP- b - 0 100 paper40".parse().expect("a position");
    let mut names = vec!["reference".to_owned()];
    for tree in ["c1", "c2"] {
        for policy in ["r", "cr", "car", "r-h", "cr-h", "car-h"] {
            names.push(format!("{tree}-{policy}-160"));
        }
    }
    for name in names {
        for game in [&hidden, &ending] {
            assert!(game.is_legal(decide(&name, game, 50).action), "{name}");
        }
    }
}
