//! The laws of every style and every model.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary, Opponents, Settings, Unmodelled};
use anglerfish_engine::papers::speculative::Speculation;
use anglerfish_engine::{
    Assets, Config, DrawScope, Draws, Engine, Limits, ManualClock, Profile, Stance, Stop, Value,
};
use anglerfish_opponents::{
    Adapt, Bayes, CandidateTable, EQUAL_ELO, Fingerprint, Modelled, Posterior, Replica, certain, install,
};
use anglerfish_rules::banqi::{Action, Banqi, Event, RuleSet, Square};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Ply, Rng, RngExt, Seat, Team};

/// Positions of random games, each with the action played there.
fn positions<G: Game>(seed: u64, most: usize) -> Vec<(G, Ply<G::Event>)> {
    let mut rng = Rng::stream(seed, "positions");
    let mut game = G::deal(&G::Rules::default(), &mut rng);
    let (mut list, mut actions) = (Vec::new(), Vec::new());
    while let Some(seat) = game.turn().seat().filter(|_| list.len() < most) {
        game.actions(&mut actions);
        let event = game.draw(rng.pick(&actions), &mut rng);
        list.push((game.clone(), Ply { seat, event, took: Duration::ZERO }));
        game.apply(event);
    }
    list
}

fn sums_to_one(shares: &[f32], what: &str) {
    let sum: f32 = shares.iter().sum();
    assert!((sum - 1.0).abs() < 1e-5 && shares.iter().all(|s| (0.0..=1.0).contains(s)), "{what}: {shares:?}");
}

fn laws_of_styles<G: Modelled>(games: u64) {
    for (game, ply) in (1..=games).flat_map(|seed| positions::<G>(seed, 60)) {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut shares = vec![0.0; actions.len()];
        for style in &mut G::styles() {
            style.likelihood(&game.view(ply.seat), &actions, &mut shares);
            sums_to_one(&shares, style.name());
            assert!(!style.name().contains(char::is_whitespace), "names are words");
            let phrase = style.phrase();
            assert!(
                phrase.chars().next().is_some_and(char::is_lowercase) && !phrase.ends_with('.'),
                "{}: {phrase:?} goes on from \"a player who\"",
                style.name()
            );
        }
    }
    let mut names: Vec<&str> = G::styles().iter().map(|style| style.name()).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), G::styles().len(), "names differ");
}

/// A model with its debt.
struct Indebted<M> {
    model: M,
    debt: Debt,
}

impl<M> Indebted<M> {
    fn begin<G: Game>(mut model: M, seat: Seat, seed: u64) -> Indebted<M>
    where
        M: OpponentModel<G>,
    {
        model.begin(seat, seed, None);
        Indebted { model, debt: Debt::default() }
    }

    fn observe<G: Game<View = G>>(&mut self, before: &G, ply: &Ply<G::Event>)
    where
        M: OpponentModel<G>,
    {
        self.model.observe(before, ply, &mut self.debt);
    }

    fn ponder(&mut self, game: &Banqi, nodes: Option<u64>, stop: &Stop) -> u64
    where
        M: OpponentModel<Banqi>,
    {
        self.model.ponder(game, nodes, stop, &mut self.debt)
    }

    /// Its prediction of the actions of a game, and the cost.
    fn predict(&mut self, game: &Banqi) -> (Vec<Action>, Vec<f32>, u64)
    where
        M: OpponentModel<Banqi>,
    {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut shares = vec![0.0; actions.len()];
        let cost = self.model.predict(game, &actions, &mut shares, u64::MAX, &mut self.debt);
        (actions, shares, cost.expect("it may cost anything"))
    }

    fn summary(&self) -> OpponentSummary
    where
        M: OpponentModel<Banqi>,
    {
        self.model.summary(&self.debt)
    }
}

fn laws_of_models<G: Modelled>(mut model: impl OpponentModel<G>) {
    let mut debt = Debt::default();
    model.begin(Seat(0), 1, None);
    for (game, ply) in (1..=5).flat_map(|seed| positions::<G>(seed, 60)) {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut shares = vec![0.0; actions.len()];
        model.predict(&game, &actions, &mut shares, u64::MAX, &mut debt);
        let sum: f32 = shares.iter().sum();
        assert!(sum < 1.0 + 1e-5 && shares.iter().all(|s| (0.0..=1.0).contains(s)), "{shares:?}");
        model.observe(&game.view(ply.seat), &ply, &mut debt);
        let OpponentSummary { beliefs, stance, .. } = model.summary(&debt);
        let sum: f64 = beliefs.iter().map(|b| b.probability).sum();
        assert!(beliefs.is_empty() || (sum - 1.0).abs() < 1e-9, "a posterior sums to 1, not {sum}");
        assert!((0.0..=1.0).contains(&stance.trust.unwrap_or(0.0)));
    }
}

#[test]
fn likelihoods_sum_to_one() {
    laws_of_styles::<TicTacToe>(20);
    laws_of_styles::<Banqi>(2);
}

#[test]
fn models_keep_their_laws() {
    laws_of_models::<TicTacToe>(Unmodelled);
    laws_of_models::<TicTacToe>(Bayes::new(TicTacToe::styles(), 0.02, 1.0));
    laws_of_models::<Banqi>(Bayes::new(Banqi::styles(), 0.02, 1.0));
    laws_of_models::<Banqi>(replica("alphabeta,hash=64k,nodes=20", false));
    laws_of_models::<Banqi>(fingerprint());
}

fn trust<G: Modelled>(model: &Bayes<G>) -> f32 {
    model.summary(&Debt::default()).stance.trust.expect("it always says")
}

#[test]
fn a_profile_is_where_the_next_game_begins() {
    let text = "anglerfish-profile 1\ngame tictactoe\ngames 3\nplies 9\nstyle P3 0.75\nstyle P9 0.25\n";
    let profile: Profile = text.parse().expect("a profile");
    let mut model = Bayes::<TicTacToe>::new(TicTacToe::styles(), 0.02, 0.5);
    assert!(trust(&model) < 1e-6, "nothing is known yet");
    model.begin(Seat(1), 1, Some(&profile));
    let beliefs = model.summary(&Debt::default()).beliefs;
    let known = beliefs.iter().find(|b| &*b.style == "P3").expect("a style of this game");
    // P9 is not a style of ours; the six others start with a seventh each.
    assert!((known.probability - 0.75 / (0.75 + 6.0 / 7.0)).abs() < 1e-6, "{known:?}");
    assert!(trust(&model) < 1e-6, "not certain enough to stake anything on");
    let certain: Profile = text.replace("0.75", "0.998").parse().expect("a profile");
    let styles = || TicTacToe::styles().into_iter().filter(|s| ["P0", "P3"].contains(&s.name())).collect();
    let mut model = Bayes::<TicTacToe>::new(styles(), 0.02, 0.5);
    let styles = vec![("P0".to_owned(), 0.002), ("P3".to_owned(), 0.998)];
    model.begin(Seat(1), 1, Some(&Profile { styles, ..certain }));
    assert!(trust(&model) > 0.3 && trust(&model) < 0.5);
}

/// Against a player that plays well the search is the plain one, node for node.
#[test]
fn nothing_is_staked_on_those_who_play_well() {
    for style in Banqi::styles() {
        let mut model = Bayes::<Banqi>::new(Banqi::styles(), 0.02, 1.0);
        model.begin(Seat(1), 1, Some(&certain::<Banqi>(style.name())));
        let trust = trust(&model);
        if style.plays_best() {
            assert_eq!(trust.to_bits(), 0, "{}", style.name());
        } else {
            assert!(trust > 0.9, "{}: {trust}", style.name());
        }
    }
}

#[test]
fn speculations_survive_a_trip_through_text() {
    for (name, preset) in Speculation::PRESETS {
        assert_eq!(preset.to_string(), name);
        assert_eq!(name.parse(), Ok(preset));
    }
    let text = "open+all+all+nodes+ends+nonloss+first";
    assert_eq!(text.parse::<Speculation>().expect("seven words").to_string(), text);
    assert!("open+all".parse::<Speculation>().is_err() && "".parse::<Speculation>().is_err());
}

/// The test vector of docs/formats.md.
#[test]
fn the_profile_in_the_formats_page_goes_round() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(path).expect("docs/formats.md");
    let (_, rest) = page.split_once("```profile\n").expect("a profile");
    let (text, _) = rest.split_once("```").expect("its end");
    let profile: Profile = text.parse().expect("a profile");
    assert_eq!(profile.to_string(), text);
}

/// A model's value of draws replaces the configured one, and is not added to it.
#[test]
fn a_model_that_knows_better_replaces_the_draw_value() {
    struct Knows(Option<i32>);
    impl OpponentModel<TicTacToe> for Knows {
        fn summary(&self, _: &Debt) -> OpponentSummary {
            let draws = |value| Draws { us: Team::B, value, scope: DrawScope::Repetition };
            OpponentSummary {
                stance: Stance { draws: self.0.map(draws), trust: None },
                ..OpponentSummary::default()
            }
        }
    }
    let configured = Settings { draw_value: Value(-0.4), ..Settings::default() };
    for (says, expected) in [(None, -4_000), (Some(2_000), 2_000), (Some(0), 0)] {
        let mut opponents = Opponents::by(vec![Box::new(Knows(says)), Box::new(Knows(says))]);
        opponents.begin(Seat(1), 1, None);
        let draws = opponents.stance(&configured).draws.expect("one of the two says something");
        assert_eq!((draws.us, draws.value), (Team::B, expected), "{says:?}");
        assert_eq!(draws.scope == DrawScope::Repetition, says.is_some(), "scope and value are of one source");
    }
}

fn replica(player: &str, oracle: bool) -> Replica<Banqi> {
    let config: Config = player.parse().expect("a player");
    Replica::new(&config, oracle, 1.0, &Assets::default()).expect("a replica")
}

/// How many moves of the second player a replica and an oracle foresee, in a game of two of these players.
fn foreseen(player: &str, seed: u64) -> [(u32, u32); 2] {
    let config: Config = player.parse().expect("a player");
    let engine = || {
        Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
            .expect("an engine")
    };
    let mut players = [engine(), engine()];
    let mut models = [false, true].map(|oracle| Indebted::begin(replica(player, oracle), Seat(1), seed));
    for (seat, player) in (0..).map(Seat).zip(&mut players) {
        player.new_game(seat, seed, None);
    }
    let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(seed, "dice"));
    while let Some(seat) = game.turn().seat() {
        let player = &mut players[usize::from(seat.0)];
        let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
        // Asked beforehand it foresees the move that is then played, and the question changes nothing.
        if seat == Seat(1) {
            let (actions, shares, _) = models[1].predict(&game);
            let played = actions.iter().position(|&a| a == action).expect("it is legal");
            assert!(
                (shares[played] - 1.0).abs() < 1e-6,
                "{player:?} at ply {}",
                game.position().ply(),
                player = config.search
            );
        }
        let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
        for player in &mut players {
            player.observe(&game, &ply);
        }
        for model in &mut models {
            // Every answer can be paid for.
            model.debt.searched(1_000_000);
            model.observe(&game, &ply);
            model.debt.installment();
        }
        game.apply(ply.event);
    }
    models.map(|model| model.model.hits())
}

/// An oracle foresees every move, of players with noise and habits too; a replica without their dice and memory most of them.
#[test]
fn an_oracle_foresees_everything() {
    let players =
        ["alphabeta,hash=64k,nodes=80", "course2019,nodes=60", "level4,hash=64k", "thinker2", "random"];
    for player in players {
        let mut replica = (0, 0);
        for seed in 1..=3 {
            let [known, oracle] = foreseen(player, seed);
            assert_eq!(oracle.0, oracle.1, "{player}, seed {seed}");
            assert!(oracle.1 > 10 && known.1 == oracle.1);
            replica = (replica.0 + known.0, replica.1 + known.1);
        }
        let (hits, of) = (f64::from(replica.0), f64::from(replica.1));
        match player {
            "alphabeta,hash=64k,nodes=80" => {
                assert!(hits > 0.6 * of && hits < of, "{player}: {hits} of {of}");
            }
            "random" => assert!(hits < 0.3 * of, "{player}: {hits} of {of}"),
            _ => {}
        }
    }
    let config: Config = "mcts,nodes=50".parse().expect("a player");
    assert!(Replica::<Banqi>::new(&config, true, 1.0, &Assets::default()).is_err(), "a tree is not copied");
}

#[test]
fn a_replica_is_of_a_player_that_comes_to_an_end() {
    for (text, good) in [
        ("alphabeta,opponent=replica,replica=alphabeta/nodes=500", true),
        ("alphabeta,opponent=replica,replica=alphabeta/without=reductions+nullmove/nodes=9", true),
        ("alphabeta,opponent=replica,replica=thinker3", true),
        ("alphabeta,opponent=replica,replica=alphabeta", false),
        ("alphabeta,opponent=replica,replica=alphabeta/depth=9", false),
        ("alphabeta,opponent=replica,replica=alphabeta/nodes=1000000", false),
        ("alphabeta,opponent=replica,replica=alphabeta/threads=2/nodes=5", false),
        ("alphabeta,opponent=replica,replica=unknown/nodes=5", false),
        ("alphabeta,opponent=replica,replica=alphabeta/nodes=5/opponent=bayes", false),
    ] {
        let config: Config = text.parse().expect("settings");
        assert_eq!(assets().models().check(&config).is_ok(), good, "{text}");
    }
    let none: Config = "alphabeta,opponent=replica".parse().expect("settings");
    let engine = Engine::<Banqi>::new(&none, &assets(), Arc::new(ManualClock::default()));
    assert!(engine.is_err_and(|e| e.to_string().contains("replica=PLAYER")));
}

/// Two players, each foreseen by its own replica, and a stranger like each.
const LINEUP: &str = "anglerfish lineup 1
question search 2 replica alphabeta/nodes=50
question course 2 replica course2019/nodes=50
question habit 4 habit capturer
candidate search known 50.0 10.0 0.100000 0.900000 0.700000 0.300000 0.200000 0.300000 0.300000 0.200000
candidate search stranger 50.0 150.0 0.700000 0.300000 0.700000 0.300000 0.200000 0.300000 0.300000 0.200000
candidate course known -250.0 10.0 0.700000 0.300000 0.100000 0.900000 0.200000 0.300000 0.300000 0.200000
candidate course stranger -250.0 150.0 0.700000 0.300000 0.700000 0.300000 0.200000 0.300000 0.300000 0.200000
";

fn assets() -> Assets {
    let mut assets = Assets::default();
    install(assets.models_mut());
    assets
}

fn fingerprint() -> Fingerprint<Banqi> {
    let lineup = CandidateTable::read(LINEUP).expect("a line-up");
    Fingerprint::new(lineup, &Config::default(), &Assets::default()).expect("candidates")
}

/// The opponent is believed to be the player whose replica foresees its moves; one that plays at random is none of them.
#[test]
fn fingerprints_tell_players_apart() {
    for (player, who, elo) in [
        ("alphabeta,hash=64k,nodes=50", "search", 30.0..70.0),
        ("course2019,hash=64k,nodes=50", "course", -270.0..-230.0),
        ("random", Posterior::NONE, -400.0..200.0),
    ] {
        let config: Config = player.parse().expect("a player");
        let engine = || {
            Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
                .expect("an engine")
        };
        let (mut players, mut model) = ([engine(), engine()], Indebted::begin(fingerprint(), Seat(1), 5));
        // A fortieth of what our own search has is enough for both candidates.
        model.debt.searched(40 * 10_000);
        let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
        while let Some(seat) = game.turn().seat().filter(|_| game.position().ply() < 40) {
            let player = &mut players[usize::from(seat.0)];
            let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
            let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
            for player in &mut players {
                player.observe(&game, &ply);
            }
            model.observe(&game, &ply);
            game.apply(ply.event);
        }
        let beliefs = model.summary().beliefs;
        let likeliest = beliefs.iter().max_by(|a, b| a.probability.total_cmp(&b.probability));
        assert_eq!(likeliest.map(|belief| &*belief.style), Some(who), "{player}: {beliefs:?}");
        let styles = beliefs.iter().map(|b| (b.style.to_string(), b.probability)).collect();
        let profile = Profile { game: Banqi::NAME.to_owned(), games: 1, plies: 20, styles };
        assert_eq!(profile.to_string().parse(), Ok(profile), "what is believed can be kept");
        let estimate = model.model.estimate(&model.debt);
        assert!(elo.contains(&estimate.elo[1]), "{player}: {estimate:?}");
    }
    let config: Config = "alphabeta,opponent=fingerprint,candidates=field".parse().expect("settings");
    let mut assets = assets();
    let says = |assets: &Assets| {
        let engine = Engine::<Banqi>::new(&config, assets, Arc::new(ManualClock::default()));
        engine.err().map(|e| e.to_string())
    };
    assert!(says(&assets).is_some_and(|error| error.contains("no asset called field")));
    assets.insert("field", "", LINEUP.replace("nodes=50", "nodes=5000000").as_bytes());
    assert!(says(&assets).is_some_and(|error| error.contains("up to 100000 nodes")));
    assets.insert("field", "", LINEUP.replace("habit capturer", "habit unknown").as_bytes());
    assert!(says(&assets).is_some_and(|error| error.contains("habit STYLE")));
    let three = LINEUP.replace("habit 4", "habit 3").replace(" 0.200000\n", "\n");
    assets.insert("field", "", three.as_bytes());
    assert!(says(&assets).is_some_and(|error| error.contains("expected 4 answers")));
    assets.insert("field", "", LINEUP.as_bytes());
    assert_eq!(says(&assets), None);
    let none: Config = "alphabeta,opponent=fingerprint".parse().expect("settings");
    let engine = Engine::<Banqi>::new(&none, &assets, Arc::new(ManualClock::default()));
    assert!(engine.is_err_and(|e| e.to_string().contains("candidates=ASSET")));
}

/// Watches twenty plies, with so many nodes for our searches. Returns the nodes pondered, the nodes paid, and the probability of the true opponent.
fn watched(
    ours: u64,
    mut ponder: impl FnMut(&mut Indebted<Fingerprint<Banqi>>, &Banqi) -> u64,
) -> ([u64; 2], f64) {
    let config: Config = "alphabeta,hash=64k,nodes=50".parse().expect("a player");
    let mut player = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    let mut model = Indebted::begin(fingerprint(), Seat(1), 5);
    model.debt.searched(ours);
    player.new_game(Seat(1), 5, None);
    let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
    let mut nodes = [0, 0];
    while let Some(seat) = game.turn().seat().filter(|_| game.position().ply() < 20) {
        let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
        if seat == Seat(1) {
            nodes[0] += ponder(&mut model, &game);
        }
        let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
        model.observe(&game, &ply);
        let owed = model.debt.installment();
        assert!(owed <= ours / 10, "no search is ruined by what is owed: {owed}");
        nodes[1] += owed;
        game.apply(ply.event);
    }
    let beliefs = model.summary().beliefs;
    let known = beliefs.iter().find(|belief| &*belief.style == "search");
    (nodes, known.map_or(0.0, |belief| belief.probability))
}

/// The nodes of candidates are paid, first on the opponent's time and then out of our next search; without payment there is no evidence.
#[test]
fn fingerprints_are_paid_for() {
    let (nodes, known) = watched(0, |_, _| 0);
    assert!(nodes == [0, 0] && known < 0.5, "nothing paid, and little known: {nodes:?}, {known}");
    let (nodes, known) = watched(40 * 10_000, |_, _| 0);
    // Nine moves of the opponent after its first, and at least fifty nodes of a candidate for each.
    assert!(nodes[0] == 0 && nodes[1] > 9 * 50, "{nodes:?}");
    let (little, _) = watched(40 * 100, |_, _| 0);
    assert!(little[1] > 2 * 400, "and it is paid move by move: {little:?}");
    let (pondered, also) =
        watched(40 * 10_000, |model, game| model.ponder(game, Some(4 * 10_000), &Stop::default()));
    assert!(pondered[1] == 0 && pondered[0] == nodes[1], "the same is paid otherwise: {pondered:?}");
    assert!((known - also).abs() < 1e-12 && known > 0.5, "and as much is known: {known} and {also}");
}

/// Candidates leave most pondering to our own search, however long the opponent thinks. If it thinks for longer than we would pay for, we pay nothing.
#[test]
fn candidates_leave_us_our_nodes() {
    const SEARCHES: u64 = 40_000;
    let (goes_on, stopped) = (Stop::default(), Stop::default());
    stopped.set();
    // The nodes of our searches, of the opponent's thinking, and its end; the number of its moves we ponder at; whether candidates search then, and at our cost.
    for (ours, theirs, stop, moves, asked, owed) in [
        (SEARCHES, Some(1_000_000), &goes_on, 10, true, false),
        (SEARCHES, None, &goes_on, 10, true, false),
        (199, Some(1_000_000), &goes_on, 10, false, false),
        (SEARCHES, Some(SEARCHES / 40), &goes_on, 1, false, false),
        (SEARCHES, Some(SEARCHES / 40 - 1), &goes_on, 1, false, true),
        // By the clock: it thinks, and it answers at once.
        (SEARCHES, None, &goes_on, 1, false, false),
        (SEARCHES, None, &stopped, 10, false, true),
    ] {
        let (nodes, _) = watched(ours, |model, game| {
            let ponders = game.position().ply() / 2 < moves;
            if ponders { model.ponder(game, theirs, stop) } else { 0 }
        });
        assert_eq!(nodes.map(|n| n > 0), [asked, owed], "{ours} {theirs:?} {moves}: {nodes:?}");
    }
}

/// A candidate that is stopped while it ponders has its turn again.
#[test]
fn a_candidate_that_is_stopped_is_asked_again() {
    let config: Config = "alphabeta,hash=64k,nodes=50".parse().expect("a player");
    let mut player = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    player.new_game(Seat(1), 5, None);
    let mut models = [0, 1].map(|_| Indebted::begin(fingerprint(), Seat(1), 5));
    for model in &mut models {
        model.debt.searched(1_000);
    }
    let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
    let stopped = Stop::default();
    stopped.set();
    let mut asked = 0;
    while let Some(seat) = game.turn().seat().filter(|_| game.position().ply() < 40) {
        if seat == Seat(1) {
            assert_eq!(models[1].ponder(&game, None, &stopped), 0);
            // Enough for one of two, and only where nothing is owed.
            let spent = models.each_mut().map(|model| model.ponder(&game, Some(50), &Stop::default()));
            assert_eq!(spent[0], spent[1], "ply {}", game.position().ply());
            asked += u32::from(spent[0] > 0);
        }
        let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
        let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
        for model in &mut models {
            model.observe(&game, &ply);
        }
        game.apply(ply.event);
    }
    assert!(asked > 5, "{asked}");
    assert_eq!(models[0].summary(), models[1].summary());
}

/// Models ponder when no next game is expected; otherwise we think ahead. And they are told the nodes of our searches.
#[test]
fn models_are_told_what_we_do() {
    struct Counts(Arc<AtomicU64>, Arc<AtomicU64>);
    impl OpponentModel<Banqi> for Counts {
        fn observe(&mut self, _: &Banqi, _: &Ply<Event>, debt: &mut Debt) {
            self.1.store(debt.ours(), Ordering::Relaxed);
        }
        fn ponder(&mut self, _: &Banqi, nodes: Option<u64>, _: &Stop, _: &mut Debt) -> u64 {
            self.0.fetch_add(1, Ordering::Relaxed);
            nodes.unwrap_or(0)
        }
    }
    let (asked, had) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
    let models = (0..2)
        .map(|_| Box::new(Counts(Arc::clone(&asked), Arc::clone(&had))) as Box<dyn OpponentModel<Banqi>>);
    let mut engine = Engine::with_models(
        &Config::default(),
        &Assets::default(),
        Opponents::by(models.collect()),
        Arc::new(ManualClock::default()),
    )
    .expect("an engine");
    engine.new_game(Seat(1), 5, None);
    let (game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
    let mut expected = game.clone();
    expected.apply(game.draw(Action::Flip(Square::new(0)), &mut dice));
    engine.ponder(&game, Some(&expected), Limits::nodes(100), &Stop::default());
    assert_eq!(asked.load(Ordering::Relaxed), 0);
    engine.ponder(&game, None, Limits::nodes(100), &Stop::default());
    assert_eq!(asked.load(Ordering::Relaxed), 1);
    let many = Limits { depth: Some(1), ..Limits::nodes(1_000_000) };
    for (limits, range) in
        [(Limits::nodes(70), 70..=70), (many, 1..=100_000), (Limits::depth(1), 1..=100_000)]
    {
        engine.new_game(Seat(1), 5, None);
        let action = engine.think(&expected, limits, &Stop::default(), &mut |_| {}).action;
        let ply = Ply { seat: Seat(1), event: expected.draw(action, &mut dice), took: Duration::ZERO };
        engine.observe(&expected, &ply);
        assert!(range.contains(&had.load(Ordering::Relaxed)), "{limits:?}: {had:?}");
    }
}

/// A replica is asked as far as we can pay, and paid for bit by bit.
#[test]
fn replicas_are_paid_for() {
    let config: Config = "alphabeta,hash=64k,nodes=400".parse().expect("a player");
    let mut player = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    // What our searches have, what we ponder for, and whether it predicts beforehand.
    for (ours, pondered, predicts, asked) in [
        (200, None, false, false),
        (4_000, None, false, true),
        (200, Some(5_000), false, true),
        (4_000, None, true, true),
    ] {
        let model = Replica::<Banqi>::new(&config, false, 1.0, &Assets::default()).expect("a replica");
        let mut model = Indebted::begin(model, Seat(1), 5);
        player.new_game(Seat(1), 5, None);
        let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
        let mut paid = 0;
        while let Some(seat) = game.turn().seat().filter(|_| game.position().ply() < 40) {
            if seat == Seat(1) {
                model.debt.searched(ours);
                paid += pondered.map_or(0, |_| model.ponder(&game, pondered, &Stop::default()));
                if predicts {
                    let (_, _, cost) = model.predict(&game);
                    assert!(cost <= 400, "what is beyond the price is owed: {cost}");
                    paid += cost;
                }
            }
            let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
            let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
            model.observe(&game, &ply);
            let owed = model.debt.installment();
            assert!(owed <= ours / 10, "no search is ruined by what is owed: {owed}");
            paid += owed;
            game.apply(ply.event);
        }
        let (_, of) = model.model.hits();
        assert_eq!(of > 5, asked, "{ours} {pondered:?}: {of}");
        while let owed @ 1.. = model.debt.installment() {
            paid += owed;
        }
        // Only where there is no choice does it take fewer nodes than it is told to.
        assert!(paid >= u64::from(of.saturating_sub(1)) * 400, "{paid} for {of}");
    }
}

/// A game is watched while it begins: later on no candidate is asked, nothing is paid, and nothing changes.
#[test]
fn fingerprints_are_taken_while_a_game_begins() {
    /// Moves of the opponent.
    const WATCHED: u32 = 25;
    let config: Config = "alphabeta,hash=64k,nodes=50".parse().expect("a player");
    let mut player = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    player.new_game(Seat(1), 5, None);
    let mut model = Indebted::begin(fingerprint(), Seat(1), 5);
    model.debt.searched(40 * 10_000);
    let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
    let mut known = None;
    while let Some(seat) = game.turn().seat().filter(|_| game.position().ply() < 80) {
        if seat == Seat(1) {
            let spent = model.ponder(&game, Some(100_000), &Stop::default());
            let watched = (1..WATCHED).contains(&(game.position().ply() / 2));
            assert_eq!(model.debt.installment(), 0, "what was pondered is paid");
            assert_eq!(spent > 0, watched, "ply {}: {spent}", game.position().ply());
        }
        let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
        let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
        model.observe(&game, &ply);
        game.apply(ply.event);
        if game.position().ply() / 2 > WATCHED {
            let now = model.summary().beliefs;
            assert_eq!(known.get_or_insert_with(|| now.clone()), &now);
        }
    }
    assert!(known.is_some(), "the game was long enough");
}

/// The value of a draw follows the opponent's strength, in steps, and the summary keeps the rest of the estimate.
#[test]
fn adapting_values_draws() {
    let config: Config = "alphabeta,hash=64k,nodes=50".parse().expect("a player");
    let mut player = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    let mut model = Indebted::begin(Adapt::new(fingerprint()), Seat(1), 5);
    player.new_game(Seat(1), 5, None);
    assert_eq!(model.summary().estimate, None, "nothing is known");
    let (mut game, mut dice) = (Banqi::start(RuleSet::PLATFORM), Rng::stream(5, "dice"));
    let mut draws = Vec::new();
    while let Some(seat) = game.turn().seat().filter(|_| game.position().ply() < 40) {
        let action = player.think(&game, Limits::default(), &Stop::default(), &mut |_| {}).action;
        model.debt.searched(40 * 10_000);
        model.debt.installment();
        let ply = Ply { seat, event: game.draw(action, &mut dice), took: Duration::ZERO };
        model.observe(&game, &ply);
        game.apply(ply.event);
        let stance = model.summary().stance;
        assert_eq!(stance.trust, None, "no reply is foreseen");
        draws.push(stance.draws.expect("it always says").value);
    }
    draws.dedup();
    assert!(draws.len() < 6, "a search that values draws differently begins anew: {draws:?}");
    let estimate = model.summary().estimate.expect("it has moved");
    let like = estimate.like.expect("a player");
    assert_eq!((&*like.player, like.nodes), ("alphabeta", Some(50)));
    assert!(like.probability > 0.9 && like.probability > estimate.none, "{like:?}");
    let [weaker, above] = [-EQUAL_ELO, EQUAL_ELO].map(|elo| estimate.strength.below(elo));
    let stronger = 1.0 - above;
    let worth = Value((0.2 * stronger - 0.1 * weaker) as f32).to_score();
    let apart = (draws[draws.len() - 1] - worth).abs();
    assert!(apart <= Value(0.0251).to_score(), "{draws:?} {worth}");
}

/// Our own number of nodes decides which opponents are stronger, and so the value of a draw.
#[test]
fn adapting_knows_how_strong_we_are() {
    let lineup = "anglerfish lineup 1
question few 2 replica alphabeta/nodes=50
question many 2 replica alphabeta/nodes=5000
candidate few known -300.0 10.0 0.1 0.9 0.7 0.3
candidate many known 0.0 10.0 0.7 0.3 0.1 0.9
";
    let fingerprint = Fingerprint::<Banqi>::new(
        CandidateTable::read(lineup).expect("a line-up"),
        &Config::default(),
        &Assets::default(),
    );
    let mut model = Adapt::new(fingerprint.expect("candidates"));
    let known: Profile = "anglerfish-profile 1\ngame banqi\ngames 1\nplies 9\n".parse().expect("a profile");
    let mut after = |nodes: &[u64]| {
        model.begin(Seat(1), 5, Some(&known));
        let mut debt = Debt::default();
        for &nodes in nodes {
            debt.searched(nodes);
        }
        let OpponentSummary { stance, estimate, .. } = model.summary(&debt);
        let [_, elo, _] = estimate.expect("something was known").strength.interval();
        (elo.round() as i64, Value::from_score(stance.draws.expect("it always says").value).0)
    };
    // One of the two is weaker than ourselves at 5,000 nodes, and one stronger at 50.
    for (nodes, elo, draw) in [
        (&[][..], -150, -0.05),
        (&[5_000], -150, -0.05),
        (&[4_000, 6_000], -150, -0.05),
        (&[50], 150, 0.1),
        (&[500_000], -450, -0.1),
    ] {
        let (found, worth) = after(nodes);
        assert!(found == elo && (worth - draw).abs() < 0.001, "{nodes:?}: {found} {worth}");
    }
}
