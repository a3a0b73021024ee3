//! Players: anything that can sit at a table, among them the engine and a random player.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_engine::opponent::OpponentSummary;
use anglerfish_engine::{
    Assets, BEGINNERS, Clock, Config, ConfigError, Decision, Engine, EngineError, Info, LEVELS, Line,
    Profile, SearchGame, SearchKind, Stop, level_player,
};
use anglerfish_rules::{Annotation, Candidate, Forfeit, Game, Ply, Points, Rng, Seat};

use super::{Budget, Clocks, SystemClock};

/// The request to the player to move.
#[derive(Clone, Copy, Debug)]
pub struct MoveRequest {
    /// The clocks, if there are any.
    pub clocks: Option<Clocks>,
    /// Limits besides what the clocks allow; with neither, the player thinks until it is stopped.
    pub limits: anglerfish_engine::Limits,
    /// How many choices to compare; with 0 the player reports no thoughts, not even on its own choice.
    pub lines: usize,
}

impl MoveRequest {
    /// Nothing but the clocks.
    pub fn clocks(clocks: Clocks) -> MoveRequest {
        MoveRequest { clocks: Some(clocks), limits: anglerfish_engine::Limits::default(), lines: 1 }
    }

    /// How long a seat may take: without clocks, the usual time of a game.
    pub fn left(&self, seat: Seat) -> Duration {
        self.clocks.unwrap_or_else(|| Clocks::new([Budget::default()])).left(seat)
    }
}

/// The choice of a player, and what it reports of its thoughts.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Choice<A> {
    /// The chosen action.
    pub action: A,
    /// Value, nodes, and the choices it compared.
    pub thought: Annotation<A>,
}

impl<A> From<A> for Choice<A> {
    /// A choice without thoughts.
    fn from(action: A) -> Choice<A> {
        Choice { action, thought: Annotation::default() }
    }
}

/// A player: an engine, a child process, a browser, or a test script.
pub trait Player<G: Game>: Send {
    /// Starts a game. `seed` is the only randomness that the player may use, and `clocks` are those at the start of the game.
    ///
    /// # Errors
    /// When it cannot.
    fn start(&mut self, seat: Seat, seed: u64, clocks: &Clocks) -> Result<(), Forfeit>;

    /// Tells a ply of any seat, the player's own included. `before` is the player's view before the ply, `clocks` the times
    /// after it.
    ///
    /// # Errors
    /// When it does not go on.
    fn observe(&mut self, _before: &G::View, _ply: &Ply<G::Event>, _clocks: &Clocks) -> Result<(), Forfeit> {
        Ok(())
    }

    /// Chooses an action. An illegal one forfeits the game.
    ///
    /// # Errors
    /// When it does not go on.
    fn choose(&mut self, view: &G::View, ask: &MoveRequest) -> Result<Choice<G::Action>, Forfeit>;

    /// Chooses like `choose`, and reports what the search sees until it is stopped. Players that answer at once ignore `stop`.
    ///
    /// # Errors
    /// When it does not go on.
    fn think(
        &mut self,
        view: &G::View,
        ask: &MoveRequest,
        _stop: &Stop,
        _report: &mut dyn FnMut(&Info<G>),
    ) -> Result<Choice<G::Action>, Forfeit> {
        self.choose(view, ask)
    }

    /// Thinks on the time of the other seat, which is to move in `view`, within limits or until stopped.
    fn ponder(&mut self, _view: &G::View, _limits: anglerfish_engine::Limits, _stop: &Stop) {}

    /// Sets what is known of the opponent of the games to come. Players that do not learn ignore it.
    fn expect(&mut self, _opponent: Option<Profile>) {}

    /// What is known of the opponent: the earlier profile and what this game has shown. `None` if the player does not learn.
    fn profile(&self) -> Option<Profile> {
        None
    }

    /// A summary of its model of the opponent.
    fn summary(&self) -> OpponentSummary {
        OpponentSummary::default()
    }

    /// How much its next choice depends on its model of the opponent, from 0 to 1.
    fn trust(&self) -> f32 {
        0.0
    }

    /// Its settings, if it is an engine.
    fn config(&self) -> Option<&Config> {
        None
    }

    /// Changes a setting, before a game starts.
    ///
    /// # Errors
    /// When it has no such setting, or the setting does not take that value: nothing has changed.
    fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let found = format!("{name}={value}");
        Err(ConfigError { expected: "no settings: this player has none".to_owned(), found })
    }

    /// The name and version that a program reports of itself, if it does.
    fn announced(&self) -> Option<String> {
        None
    }

    /// After a forfeit: the fault, in one line for the author of the program.
    fn complaint(&self) -> Option<String> {
        None
    }

    /// The first lines of a program that answered nothing, for its author.
    fn strays(&self) -> Vec<String> {
        Vec::new()
    }
}

/// One of our own players by the text of an engine's [`Config`], such as `alphabeta,threads=2`.
///
/// # Errors
/// When the text is not a player; the error says what was expected.
pub fn builtin<G: SearchGame>(text: &str, assets: &Assets) -> Result<Box<dyn Player<G>>, EngineError> {
    Ok(Box::new(EnginePlayer::new(&text.parse()?, assets)?))
}

/// An [`Engine`] as a player.
pub struct EnginePlayer<G: SearchGame> {
    engine: Engine<G>,
    assets: Assets,
    clock: Arc<dyn Clock>,
    seat: Seat,
    /// What is known of the opponent when a game begins.
    prior: Option<Profile>,
    /// The expected answer to the last choice, if there is one and no chance event comes first.
    expected: Option<G::Action>,
}

impl<G: SearchGame> EnginePlayer<G> {
    /// An engine with this configuration.
    ///
    /// # Errors
    /// When the game lacks something that it asks for.
    pub fn new(config: &Config, assets: &Assets) -> Result<EnginePlayer<G>, EngineError> {
        EnginePlayer::with_clock(config, assets, Arc::new(SystemClock::default()))
    }

    /// The same, with a clock of the caller's.
    ///
    /// # Errors
    /// When the game lacks something that the configuration asks for.
    pub fn with_clock(
        config: &Config,
        assets: &Assets,
        clock: Arc<dyn Clock>,
    ) -> Result<EnginePlayer<G>, EngineError> {
        let engine = Engine::new(config, assets, Arc::clone(&clock))?;
        Ok(EnginePlayer { engine, assets: assets.clone(), clock, seat: Seat(0), prior: None, expected: None })
    }

    /// The position after the expected answer to `view`, if the game goes on there.
    fn expected_view(&self, view: &G::View) -> Option<G> {
        // The dice decide nothing: with one outcome, the game has no secrets and the move no chance.
        let mut game = G::sample(view, &mut Rng::new(0));
        let answer = self.expected.filter(|&answer| game.is_legal(answer))?;
        let mut outcomes = Vec::new();
        game.outcomes(answer, &mut outcomes);
        let [certain] = outcomes[..] else { return None };
        game.apply(certain.event);
        game.turn().seat().map(|_| game)
    }
}

/// The thoughts of an engine on its choice, and on the other choices if it was asked to compare.
fn thought<G: Game>(decision: &Decision<G>, lines: usize) -> Annotation<G::Action> {
    let points = |line: &Line<G>| Points::nearest(f64::from(line.value.0));
    let of = |line: &Line<G>| line.actions.first().copied();
    let lines_of = |line: &Line<G>| {
        of(line).map(|action| Candidate { action, value: Some(points(line)), visits: line.visits })
    };
    let Info { nodes, lines: seen, .. } = &decision.info;
    // A weaker level of play may not choose the best action.
    let chosen = seen.iter().find(|line| of(line) == Some(decision.action));
    let candidates = if lines > 1 { seen.iter().filter_map(lines_of).collect() } else { Vec::new() };
    Annotation { value: chosen.map(points), nodes: Some(*nodes), candidates }
}

/// The weakest player there is: any legal action, each equally likely.
pub fn random<G: SearchGame>() -> EnginePlayer<G> {
    let config = Config { search: SearchKind::Random, hash_kib: 1 << 10, ..Config::default() };
    EnginePlayer::new(&config, &Assets::default()).unwrap_or_else(|e| unreachable!("every game has it: {e}"))
}

/// The least lag to allow for between our clock and the referee's.
const LAG: Duration = Duration::from_millis(20);

/// The budget of the next move as limits of a search, where this many more moves are expected.
pub fn limits(clocks: &Clocks, seat: Seat, moves: u32) -> anglerfish_engine::Limits {
    use anglerfish_engine::Limits;
    match clocks.budget(seat) {
        Budget::Nodes(n) => Limits::nodes(n),
        Budget::Move(_) => {
            let time = clocks.left(seat);
            Limits::time(time.saturating_sub((time / 20).min(LAG / 4)))
        }
        // Twenty times the lag is kept in reserve, which makes a thirtieth of a long clock: the hunt at the end of a game may
        // take a hundred moves, and each of them loses something however fast it is chosen.
        Budget::Game { base, increment } => {
            Limits::share(clocks.left(seat), increment, moves, (base / 600).max(LAG))
        }
    }
}

impl<G: SearchGame> Player<G> for EnginePlayer<G> {
    fn start(&mut self, seat: Seat, seed: u64, _: &Clocks) -> Result<(), Forfeit> {
        self.seat = seat;
        self.expected = None;
        self.engine.new_game(seat, seed, self.prior.as_ref());
        Ok(())
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>, _: &Clocks) -> Result<(), Forfeit> {
        self.engine.observe(before, ply);
        Ok(())
    }

    fn choose(&mut self, view: &G::View, ask: &MoveRequest) -> Result<Choice<G::Action>, Forfeit> {
        self.think(view, ask, &Stop::default(), &mut |_| {})
    }

    fn think(
        &mut self,
        view: &G::View,
        ask: &MoveRequest,
        stop: &Stop,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Result<Choice<G::Action>, Forfeit> {
        // A node budget is for searches that use more nodes to look further; the others search to their fixed depth.
        let counts = self.engine.config().search.takes_nodes();
        let counted = |clocks: &&Clocks| counts || !matches!(clocks.budget(self.seat), Budget::Nodes(_));
        let clocks = ask.clocks.as_ref().filter(counted);
        let clocks = clocks.map(|clocks| limits(clocks, self.seat, G::moves_left(view)));
        let limits = clocks.map_or(ask.limits, |clocks| clocks.and(ask.limits));
        let decision = self.engine.analyse(view, ask.lines.max(1), limits, stop, report);
        self.expected = decision.info.lines.first().and_then(|line| line.answer_to(decision.action));
        let thought = if ask.lines > 0 { thought(&decision, ask.lines) } else { Annotation::default() };
        Ok(Choice { action: decision.action, thought })
    }

    /// Searches the position after the expected answer, if there is one, so that the transposition table helps our next search;
    /// else the position of the opponent.
    fn ponder(&mut self, view: &G::View, limits: anglerfish_engine::Limits, stop: &Stop) {
        let expected = self.expected_view(view);
        self.engine.ponder(view, expected.as_ref(), limits, stop);
    }

    fn expect(&mut self, opponent: Option<Profile>) {
        self.prior = opponent;
    }

    fn profile(&self) -> Option<Profile> {
        Some(self.engine.profile())
    }

    fn summary(&self) -> OpponentSummary {
        self.engine.summary()
    }

    fn trust(&self) -> f32 {
        self.engine.trust()
    }

    fn config(&self) -> Option<&Config> {
        Some(self.engine.config())
    }

    /// The engine's settings, and `level`: beginner1 to beginner3, 1 to 10, or 0 for full strength.
    fn set(&mut self, name: &str, value: &str) -> Result<(), ConfigError> {
        let mut config = self.engine.config().clone();
        if name == "level" {
            let player = if value == "0" { Some("alphabeta".to_owned()) } else { level_player(value) };
            let preset = player.and_then(|player| Config::preset(&player)).ok_or_else(|| ConfigError {
                expected: format!("level=0 to {}, or beginner1 to beginner{}", LEVELS.len(), BEGINNERS.len()),
                found: format!("level={value}"),
            })?;
            // The numbered levels leave the search as it is, unless a beginner was set before.
            if [config.search, preset.search].contains(&SearchKind::Glance) {
                (config.search, config.glance) = (preset.search, preset.glance);
            }
            (config.nodes, config.depth) = (preset.nodes, preset.depth);
            (config.alphabeta.error_size, config.alphabeta.error_rate) =
                (preset.alphabeta.error_size, preset.alphabeta.error_rate);
        } else {
            config.set(name, value)?;
        }
        let wrong = |error: EngineError| match error {
            EngineError::Setting(wrong) => wrong,
            error => ConfigError { expected: error.to_string(), found: format!("{name}={value}") },
        };
        self.engine = Engine::new(&config, &self.assets, Arc::clone(&self.clock)).map_err(wrong)?;
        self.engine.new_game(self.seat, 0, self.prior.as_ref());
        Ok(())
    }
}
