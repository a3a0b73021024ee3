//! What the nodes of the [bench](crate::bench()) do not see, as numbers of their own: Monte-Carlo tree search, the models of the
//! opponent, and a whole game of each search.
//!
//! Each is a checksum over what was chosen, what it was thought to be worth and what it cost, to the last bit. Like the bench it
//! changes exactly when play does, and what is listed in the code is covered by being listed.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, Board, RuleSet};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::assets::Assets;
use crate::bench::POSITIONS;
use crate::budget::{Budget, Stop};
use crate::clock::ManualClock;
use crate::config::{Config, ModelKind, SearchKind};
use crate::engine::{Engine, EngineError};
use crate::kit::Kit;
use crate::opponent::{Opponents, Profile};
use crate::playout::Policy;
use crate::playout::banqi::{Counts, Judged, Playouts};
use crate::report::Decision;
use crate::search::mcts::{Kind, Settings};

/// Every number by its name.
pub fn signatures() -> Vec<(String, u32)> {
    let mut list = vec![
        ("mcts".to_owned(), mcts()),
        ("opponents-banqi".to_owned(), opponents::<Banqi>()),
        ("opponents-tictactoe".to_owned(), opponents::<TicTacToe>()),
        ("foresight".to_owned(), foresight()),
    ];
    list.extend(SearchKind::ALL.map(|search| (format!("game-{}", search.text()), game_of(search))));
    list
}

/// A checksum: FNV-1a of 32 bits (Fowler, Noll and Vo, "The FNV Non-Cryptographic Hash Algorithm", draft-eastlake-fnv).
struct Sum(u32);

impl Sum {
    const fn new() -> Sum {
        Sum(0x811c_9dc5)
    }

    fn add(&mut self, what: impl Display) {
        // The comma keeps 1 and 23 apart from 12 and 3.
        for byte in what.to_string().bytes().chain([b',']) {
            self.0 = (self.0 ^ u32::from(byte)).wrapping_mul(0x0100_0193);
        }
    }

    fn decision<G: Game>(&mut self, decision: &Decision<G>) {
        self.add(decision.action);
        self.add(decision.info.nodes);
        for line in &decision.info.lines {
            self.add(line.value.0.to_bits());
        }
    }
}

fn engine<G: Kit>(config: &Config) -> Result<Engine<G>, EngineError> {
    let config = Config { hash_mib: 1, ..config.clone() };
    Engine::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
}

fn banqi(config: &Config) -> Engine<Banqi> {
    engine(config).unwrap_or_else(|e| unreachable!("a configuration for Banqi: {e}"))
}

/// The start, a middle game and an endgame of the bench.
fn positions() -> impl Iterator<Item = Banqi> {
    let texts = [0, 5, 9].map(|n| POSITIONS[n].0);
    texts.into_iter().map(|text| text.parse().unwrap_or_else(|e| unreachable!("{text} is a position: {e}")))
}

/// As it plays, and both trees with every policy.
fn mcts() -> u32 {
    let with = |tree: Kind, policy: Policy| Settings {
        tree,
        playouts: Playouts { policy, size: Some(40), counts: Counts::Quiet, judged: Judged::Draw },
        ..Settings::default()
    };
    let all = Kind::ALL.into_iter().flat_map(|tree| Policy::ALL.map(|(_, policy)| with(tree, policy)));
    let mut sum = Sum::new();
    for settings in all.chain([Settings::default()]) {
        let mut engine = banqi(&Config { search: SearchKind::Mcts, mcts: settings, ..Config::default() });
        for game in positions() {
            engine.new_game(Seat(0), 1, None);
            sum.decision(&engine.think(&game, Budget::nodes(100), &Stop::default(), &mut |_| {}));
        }
    }
    sum.0
}

/// What every model believes and predicts in the course of a game, ply by ply.
fn opponents<G: Kit>() -> u32 {
    let mut sum = Sum::new();
    for opponent in ModelKind::ALL {
        let mut models = Opponents::<G>::new(&Config { opponent, ..Config::default() });
        models.begin(Seat(0), None);
        let mut rng = Rng::stream(1, "signature");
        let mut game = G::deal(&G::Rules::default(), &mut rng);
        let mut actions = Vec::new();
        while let Some(seat) = game.turn().seat() {
            game.actions(&mut actions);
            let mut shares = vec![0.0_f32; actions.len()];
            models.model(seat).predict(&game, &actions, &mut shares);
            for share in &shares {
                sum.add(share.to_bits());
            }
            let event = game.draw(rng.pick(&actions), &mut rng);
            models.observe(&game.view(Seat(0)), &Ply { seat, event, took: Duration::ZERO });
            for belief in models.posterior() {
                sum.add(belief.probability.to_bits());
            }
            game.apply(event);
        }
    }
    sum.0
}

/// The search that expects the answers of every style of Banqi that there is.
fn foresight() -> u32 {
    let mut sum = Sum::new();
    let mut engine = banqi(&Config { opponent: ModelKind::Bayes, ..Config::default() });
    for style in Banqi::styles() {
        let profile = Profile::certain::<Banqi>(style.name());
        for game in positions() {
            engine.new_game(game.turn().seat().unwrap_or(Seat(0)), 1, Some(&profile));
            sum.decision(&engine.think(&game, Budget::depth(3), &Stop::default(), &mut |_| {}));
        }
    }
    sum.0
}

fn game_of(search: SearchKind) -> u32 {
    // Far enough ahead for paper 002's players to differ.
    let config = Config { search, look: 6, ..Config::default() };
    let small = RuleSet { board: Board::Half, ..RuleSet::PLATFORM };
    let played = games(&config, &Banqi::start(small)).or_else(|_| games(&config, &TicTacToe::default()));
    played.unwrap_or_else(|e| unreachable!("every search is for one of these games: {e}"))
}

/// A whole game against itself, with little to think; short games are played several times.
fn games<G: Kit>(config: &Config, start: &G) -> Result<u32, EngineError> {
    let mut sum = Sum::new();
    let mut players = [engine::<G>(config)?, engine::<G>(config)?];
    let budget = Budget { depth: Some(2), ..Budget::nodes(200) };
    let (mut seed, mut plies) = (0, 0);
    while plies < 40 {
        seed += 1;
        for (seat, player) in (0..).map(Seat).zip(&mut players) {
            player.new_game(seat, seed, None);
        }
        let (mut game, mut dice) = (start.clone(), Rng::stream(seed, "signature"));
        while let Some(seat) = game.turn().seat() {
            let player = &mut players[usize::from(seat.0)];
            let decision = player.think(&game.view(seat), budget, &Stop::default(), &mut |_| {});
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
