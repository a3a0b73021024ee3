//! Checksums of all play that the nodes of the [bench](crate::bench()) do not cover: Monte-Carlo tree search, a whole game of
//! each search and of each preset, and every setting.
//!
//! Each covers the choices, their values and their costs, to the last bit. Like the bench it changes exactly when play does.
//! Lists in the code are covered with all their entries. Crates of models add checksums of their own.

use std::fmt::Display;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, Board, RuleSet};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Ply, Rng, RngExt, Seat};

use crate::assets::Assets;
use crate::bench::POSITIONS;
use crate::clock::{Clock, ManualClock};
use crate::config::{Config, PRESETS, SearchKind};
use crate::engine::Engine;
use crate::error::EngineError;
use crate::eval;
use crate::level::LEVELS;
use crate::limits::{Limits, Stop};
use crate::papers::semirandom::{Fallback, SemiRandom};
use crate::papers::speculative::{Speculation, Speculative};
use crate::playout::{self, Counts, DrawEval, Policy};
use crate::report::Decision;
use crate::score::Value;
use crate::search::alphabeta::Feature;
use crate::search::chooser::Chooser;
use crate::search::mcts::{Settings, TreeKind};
use crate::search_game::SearchGame;
use crate::wdl::{Calibration, Phase, Wdl};

/// Every number by its name.
pub fn behavior_hashes() -> Vec<(String, u32)> {
    let mut list = vec![("mcts".to_owned(), mcts())];
    list.extend(SearchKind::ALL.map(|search| (format!("game-{}", search.text()), game_of(search))));
    // A preset that is called like a search is that search as it is.
    let searches = SearchKind::ALL.map(SearchKind::text);
    let presets = PRESETS.into_iter().map(|(name, _)| name).filter(|name| !searches.contains(name));
    list.extend(presets.map(|name| (format!("preset-{name}"), preset(name))));
    let more = [
        ("settings", settings()),
        ("marks", marks()),
        ("draws", draws()),
        ("errors", errors()),
        ("clock", clock()),
        ("course", course()),
        ("speculation", speculation()),
        ("wdl", wdl()),
    ];
    list.extend(more.map(|(name, number)| (name.to_owned(), number)));
    list
}

/// A checksum: FNV-1a of 32 bits (Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv).
pub struct Sum(pub u32);

impl Default for Sum {
    /// Of nothing.
    fn default() -> Sum {
        Sum(0x811c_9dc5)
    }
}

impl Sum {
    /// Adds a text.
    pub fn add(&mut self, what: impl Display) {
        // The comma keeps 1 and 23 apart from 12 and 3.
        for byte in what.to_string().bytes().chain([b',']) {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }

    /// Adds a choice, what it was thought to be worth and what it cost.
    pub fn decision<G: Game>(&mut self, decision: &Decision<G>) {
        self.add(decision.action);
        self.add(decision.info.nodes);
        for line in &decision.info.lines {
            self.add(line.value.0.to_bits());
        }
    }
}

/// A player with a small table, whose clock stands still.
///
/// # Errors
/// When it does not play this game.
pub fn engine<G: SearchGame>(config: &Config, assets: &Assets) -> Result<Engine<G>, EngineError> {
    let config = Config { hash_kib: 1 << 10, ..config.clone() };
    Engine::new(&config, assets, Arc::new(ManualClock::default()))
}

fn banqi(config: &Config) -> Engine<Banqi> {
    engine(config, &Assets::default()).unwrap_or_else(|e| unreachable!("a configuration for Banqi: {e}"))
}

/// The start, a middle game and an endgame of the bench.
pub fn positions() -> impl Iterator<Item = Banqi> {
    let texts = [0, 5, 9].map(|n| POSITIONS[n].0);
    texts.into_iter().map(position)
}

fn position(text: &str) -> Banqi {
    text.parse().unwrap_or_else(|e| unreachable!("{text} is a position: {e}"))
}

/// Tree search with its defaults, and both trees with every policy.
fn mcts() -> u32 {
    let with = |tree: TreeKind, policy: Policy| Settings {
        tree,
        playouts: playout::Settings { policy, size: Some(40), counts: Counts::Quiet, draws: DrawEval::Off },
        ..Settings::default()
    };
    let all = TreeKind::ALL.into_iter().flat_map(|tree| Policy::ALL.map(|(_, policy)| with(tree, policy)));
    let mut sum = Sum::default();
    for settings in all.chain([Settings::default()]) {
        let mut engine = banqi(&Config { search: SearchKind::Mcts, mcts: settings, ..Config::default() });
        for game in positions() {
            engine.new_game(Seat(0), 1, None);
            sum.decision(&engine.think(&game, Limits::nodes(100), &Stop::default(), &mut |_| {}));
        }
    }
    sum.0
}

fn game_of(search: SearchKind) -> u32 {
    // Far enough ahead for semi-random players to differ.
    game(&Config { search, ..read("alphabeta,look=6") })
}

fn game(config: &Config) -> u32 {
    let small = RuleSet { board: Board::Half, ..RuleSet::PLATFORM };
    let both = [config, config];
    let assets = Assets::default();
    let played =
        games(both, &assets, &Banqi::start(small)).or_else(|_| games(both, &assets, &TicTacToe::default()));
    played.unwrap_or_else(|e| unreachable!("every search is for one of these games: {e}"))
}

/// A whole game, with little to think; short games are played several times.
///
/// # Errors
/// When one of the players does not play this game.
pub fn games<G: SearchGame>(
    [first, second]: [&Config; 2],
    assets: &Assets,
    start: &G,
) -> Result<u32, EngineError> {
    let mut sum = Sum::default();
    let mut players = [engine::<G>(first, assets)?, engine::<G>(second, assets)?];
    // The others look as far as they are told.
    let limits = [first, second].map(|config| Limits {
        depth: Some(2),
        nodes: config.search.takes_nodes().then_some(200),
        ..Limits::default()
    });
    let (mut seed, mut plies) = (0, 0);
    while plies < 40 {
        seed += 1;
        for (seat, player) in (0..).map(Seat).zip(&mut players) {
            player.new_game(seat, seed, None);
        }
        let (mut game, mut dice) = (start.clone(), Rng::stream(seed, "signature"));
        while let Some(seat) = game.turn().seat() {
            let at = usize::from(seat.0);
            let decision = players[at].think(&game.view(seat), limits[at], &Stop::default(), &mut |_| {});
            let ply = Ply { seat, event: game.draw(decision.action, &mut dice), took: Duration::ZERO };
            for (seat, player) in (0..).map(Seat).zip(&mut players) {
                player.observe(&game.view(seat), &ply);
            }
            sum.decision(&decision);
            sum.add(ply.event);
            game.apply(ply.event);
            plies += 1;
        }
    }
    Ok(sum.0)
}

fn read(text: &str) -> Config {
    text.parse().unwrap_or_else(|e| unreachable!("{text} is a configuration: {e}"))
}

fn preset(name: &str) -> u32 {
    game(&read(name))
}

/// Views of some positions.
fn thoughts(sum: &mut Sum, config: &str, positions: impl Iterator<Item = Banqi>, limits: Limits) {
    let mut engine = banqi(&read(config));
    for game in positions {
        engine.new_game(Seat(0), 1, None);
        sum.decision(&engine.analyse(&game, 1, limits, &Stop::default(), &mut |_| {}));
    }
}

/// The searches with every setting that they read, one at a time.
fn settings() -> u32 {
    let mut sum = Sum::default();
    for feature in Feature::ALL {
        thoughts(&mut sum, &format!("alphabeta,without={}", feature.text()), positions(), Limits::depth(3));
    }
    for text in ["repetition=exact", "star=none", "star=star1", "flips=1", "flips=3"] {
        thoughts(&mut sum, &format!("alphabeta,{text}"), positions(), Limits::depth(4));
    }
    for text in ["solve=off", "solve=paper,tree=group", "final=mean", "explore=2", "threads=2"] {
        thoughts(&mut sum, &format!("mcts,{text}"), positions(), Limits::nodes(100));
    }
    for text in ["counts=flips", "counts=quiet", "size=game", "eval=value", "eval=win"] {
        thoughts(&mut sum, &format!("mcts,implicit=0,playout_{text}"), positions(), Limits::nodes(60));
    }
    // More than one line is another search.
    let mut engine = banqi(&Config::default());
    for game in positions() {
        engine.new_game(Seat(0), 1, None);
        sum.decision(&engine.analyse(&game, 3, Limits::depth(2), &Stop::default(), &mut |_| {}));
    }
    sum.0
}

/// The nodes that tree search marks as won, above and below chance nodes.
fn marks() -> u32 {
    const NEAR: [&str; 3] = [
        "----/----/----/----/----/----/RX--/p--- r p1 0 80 platform",
        "----/----/----/----/--X-/-R--/Rp--/X--- r n1p1 0 80 platform",
        "----/----/----/----/----/k-R-/-X--/---- b P1 0 80 platform",
    ];
    let mut sum = Sum::default();
    for text in ["tree=chance", "tree=group", "tree=group,solve=paper"] {
        thoughts(&mut sum, &format!("mcts,{text}"), NEAR.into_iter().map(position), Limits::nodes(300));
    }
    sum.0
}

/// The values of draws near one: by the quiet counter, and by repetition.
fn draws() -> u32 {
    const NEAR: [&str; 3] = [
        "-p--/-k--/----/---P/----/-K--/--P-/---- r - 58 140 platform",
        "----/----/-k--/---p/----/-K--/--P-/---- r - 0 140 threefold60",
        "----/-k--/----/---p/----/-K--/--P-/---- r - 4 140 platform b3-a3,b7-a7,a3-b3,a7-b7",
    ];
    let near = || NEAR.into_iter().map(position);
    let mut sum = Sum::default();
    for player in ["alphabeta", "alphabeta,repetition=exact", "mcts", "exact,depth=2"] {
        for draw in ["draw=-0.3", "draw=0.3", "draw=0.3,draw_scope=repetition"] {
            let limits = Limits { depth: Some(6), ..Limits::nodes(300) };
            thoughts(&mut sum, &format!("{player},{draw}"), near(), limits);
        }
    }
    sum.0
}

/// The errors of the levels.
fn errors() -> u32 {
    let mut sum = Sum::default();
    for level in (1..).zip(LEVELS).filter(|(_, level)| level.error_size > 0).map(|(n, _)| n) {
        sum.add(preset(&format!("level{level}")));
    }
    sum.0
}

/// A clock that advances by a millisecond at every reading.
#[derive(Default)]
struct Ticking(AtomicU64);

impl Clock for Ticking {
    fn now(&self) -> Duration {
        Duration::from_millis(self.0.fetch_add(1, Ordering::Relaxed))
    }
}

/// The limits made of a game clock, and the searches that end by them.
fn clock() -> u32 {
    let mut sum = Sum::default();
    for game in positions() {
        let moves = Banqi::moves_left(&game);
        sum.add(moves);
        for (left, increment) in [(100, 50), (1_000, 5_000), (10_000, 0), (900_000, 1_000)] {
            let [left, increment, lag] = [left, increment, 30].map(Duration::from_millis);
            // The name is spelled out here, because renaming a type does not change how an engine plays.
            let Limits { nodes, depth, soft, hard } = Limits::share(left, increment, moves, lag);
            sum.add(format!(
                "Budget {{ nodes: {nodes:?}, depth: {depth:?}, soft: {soft:?}, hard: {hard:?} }}"
            ));
        }
        for player in ["alphabeta,hash=1", "mcts,hash=1"] {
            for times in [[Some(8), None], [None, Some(8)], [Some(20), Some(30)]] {
                let [soft, hard] = times.map(|time| time.map(Duration::from_millis));
                let mut engine =
                    Engine::<Banqi>::new(&read(player), &Assets::default(), Arc::new(Ticking::default()))
                        .unwrap_or_else(|e| unreachable!("{player} is for Banqi: {e}"));
                engine.new_game(Seat(0), 1, None);
                let limits = Limits { soft, hard, ..Limits::default() };
                sum.decision(&engine.think(&game, limits, &Stop::default(), &mut |_| {}));
            }
        }
    }
    sum.0
}

/// The evaluation of `course2019`, with and without its attack value.
fn course() -> u32 {
    let mut sum = Sum::default();
    for ratio in ["100", "10", "none"] {
        let mut evaluator = eval::evaluator(&read(&format!("course2019,ratio={ratio}")).eval);
        for (text, _) in POSITIONS {
            sum.add(evaluator.evaluate(position(text).position()));
        }
    }
    sum.0
}

/// The sets that semi-random and speculative players choose from, in all readings of the paper, in random games.
fn speculation() -> u32 {
    let mut players: Vec<Box<dyn Chooser<TicTacToe>>> = Vec::new();
    for fallback in [Fallback::Delay, Fallback::Any] {
        players.push(Box::new(SemiRandom::new(4, fallback)));
        for (_, rule) in Speculation::PRESETS {
            players.push(Box::new(Speculative::new(4, 2, fallback, rule)));
        }
    }
    let (mut sum, mut rng) = (Sum::default(), Rng::stream(1, "signature"));
    for _ in 0..8 {
        let mut game = TicTacToe::default();
        while game.turn().seat().is_some() {
            for player in &mut players {
                player.choices(&game).iter().for_each(|action| sum.add(action));
            }
            let mut actions = Vec::new();
            game.actions(&mut actions);
            game.apply(game.draw(rng.pick(&actions), &mut rng));
        }
    }
    sum.0
}

/// The shares of won, drawn and lost games by value.
fn wdl() -> u32 {
    let mut sum = Sum::default();
    for hidden in [0, 7, 31] {
        let phase = Phase { pieces: hidden + 1, hidden, quiet: hidden };
        for value in -20..=20 {
            let Wdl { win, draw, loss } = Calibration::PLATFORM.shares(phase, Value(value as f32 / 20.0));
            for share in [win, draw, loss] {
                sum.add(share.to_bits());
            }
        }
    }
    sum.0
}
