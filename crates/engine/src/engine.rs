//! The one door to the engine: protocols, the terminal, matches and, later, servers use exactly this.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::assets::Assets;
use crate::clock::Clock;
use crate::config::Config;
use crate::error::EngineError;
use crate::limits::{Limits, Stop};
use crate::opponent::{OpponentSummary, Opponents, Profile};
use crate::report::{Decision, Info};
use crate::search::{Context, Searcher};
use crate::search_game::SearchGame;

/// A player without a chair: it thinks when it is asked to. It is synchronous and owns no thread that outlives
/// [`think`](Engine::think).
pub struct Engine<G: Game> {
    searcher: Box<dyn Searcher<G>>,
    opponents: Opponents<G>,
    config: Config,
    rng: Rng,
    clock: Arc<dyn Clock>,
}

/// The configuration with the names of assets resolved. Only models look up their assets themselves.
fn resolved(config: &Config, assets: &Assets) -> Result<Config, EngineError> {
    Ok(Config { eval: config.eval.resolved(assets)?, ..config.clone() })
}

/// The models that a configuration asks for, one per seat.
///
/// # Errors
/// When there is no such model of this game, or the settings or the assets are not what it needs.
pub fn opponents<G: SearchGame>(config: &Config, assets: &Assets) -> Result<Opponents<G>, EngineError> {
    let settings = &config.opponent;
    assets.models().check(config).map_err(EngineError::Setting)?;
    let model = || match assets.models().build::<G>(&settings.model) {
        Some(build) => build(config, assets),
        None if settings.is_none() => G::unmodelled(settings, assets),
        None => Err(EngineError::NoModel { game: G::NAME, model: settings.model.to_string() }),
    };
    let models: Result<_, EngineError> = (0..G::SEATS).map(|_| model()).collect();
    Ok(Opponents::by(models?))
}

impl<G: SearchGame> Engine<G> {
    /// An engine as configured, with the assets that the configuration names.
    ///
    /// # Errors
    /// When the game or the assets do not have what is asked for.
    pub fn new(config: &Config, assets: &Assets, clock: Arc<dyn Clock>) -> Result<Engine<G>, EngineError> {
        let opponents = opponents(&resolved(config, assets)?, assets)?;
        Engine::with_models(config, assets, opponents, clock)
    }

    /// An engine with models of the caller's own, for experiments that have no setting yet.
    ///
    /// # Errors
    /// When the game or the assets do not have what is asked for.
    pub fn with_models(
        config: &Config,
        assets: &Assets,
        opponents: Opponents<G>,
        clock: Arc<dyn Clock>,
    ) -> Result<Engine<G>, EngineError> {
        let searcher = G::searcher(&resolved(config, assets)?)?;
        Ok(Engine { searcher, opponents, config: config.clone(), rng: Rng::new(0), clock })
    }

    /// Begins a game at `seat`, with no knowledge but the configuration and the profile of this opponent in `prior`.
    pub fn new_game(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        self.rng = Rng::stream(seed, &format!("engine:{}", seat.0));
        self.searcher.new_game(seed);
        self.opponents.begin(seat, seed, prior);
    }

    /// Any seat's ply, ours included. `before` is our view when it was played.
    pub fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        self.opponents.observe(before, ply);
        self.searcher.advance(ply.event);
    }

    /// The model's summary of the opponent; empty without a model.
    pub fn summary(&self) -> OpponentSummary {
        self.opponents.summary()
    }

    /// The profile of the opponent, for the caller to keep: the engine has no disk.
    pub fn profile(&self) -> Profile {
        self.opponents.profile()
    }

    /// How far the next search believes the model's predictions: 0 expects the best answers, 1 the predicted ones.
    pub fn trust(&self) -> f32 {
        self.opponents.stance(&self.config.opponent).trust.unwrap_or(0.0)
    }

    /// Blocks until the engine has decided. `view` must be of a game that is not over.
    pub fn think(
        &mut self,
        view: &G::View,
        limits: Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Decision<G> {
        self.analyse(view, 1, limits, stop, report)
    }

    /// Like [`think`](Engine::think), with the values of the best `lines` choices.
    ///
    /// Tree search knows these values anyway and plays the same for any number of lines. `alphabeta` only proves that most choices
    /// are not the best. For more than one line it searches all of them with full windows. That takes many times the nodes, so
    /// within the same limits it searches less deep and may play differently.
    pub fn analyse(
        &mut self,
        view: &G::View,
        lines: usize,
        limits: Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Decision<G> {
        let decision = self.search(view, lines, limits, stop, report);
        // Where nothing else could end it, it had all of its nodes, whether it took fewer or a few more.
        let had = match self.limits(limits) {
            Limits { nodes: Some(nodes), depth: None, soft: None, hard: None } if !stop.is_set() => nodes,
            _ => decision.info.nodes,
        };
        self.opponents.chose(had);
        decision
    }

    /// The limits of the caller, within those of the configuration.
    fn limits(&self, asked: Limits) -> Limits {
        asked.and(Limits {
            nodes: self.config.nodes,
            depth: self.config.depth,
            hard: self.config.movetime_ms.map(Duration::from_millis),
            ..Limits::default()
        })
    }

    fn search(
        &mut self,
        view: &G::View,
        lines: usize,
        limits: Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&Info<G>),
    ) -> Decision<G> {
        let limits = self.limits(limits);
        // By the clock it has taken our time already.
        let owed = self.opponents.take_owed();
        let owed = if limits.nodes.is_some() { owed } else { 0 };
        let limits = Limits { nodes: limits.nodes.map(|nodes| nodes.saturating_sub(owed).max(1)), ..limits };
        let stance = self.opponents.stance(&self.config.opponent);
        let (opponents, rng, clock) = (&mut self.opponents, &mut self.rng, &*self.clock);
        let mut decision = self
            .searcher
            .search(view, &mut Context { limits, stance, opponents, lines, rng, clock, stop, report });
        decision.info.nodes += owed;
        decision
    }

    /// Thinks while another seat is to move in `view`. With an expected next game it searches that game, which gains more than knowing
    /// the opponent a little better. Without one it lets the model study the opponent, and then searches the position as it stands.
    pub fn ponder(&mut self, view: &G::View, expected: Option<&G>, limits: Limits, stop: &Stop) {
        let spent = if expected.is_none() { self.opponents.ponder(view, limits.nodes, stop) } else { 0 };
        let limits = Limits { nodes: limits.nodes.map(|nodes| nodes.saturating_sub(spent)), ..limits };
        if stop.is_set() || limits.nodes == Some(0) {
            return;
        }
        match expected.and_then(|game| Some((game, game.turn().seat()?))) {
            Some((game, seat)) => self.search(&game.view(seat), 1, limits, stop, &mut |_| {}),
            None => self.search(view, 1, limits, stop, &mut |_| {}),
        };
    }

    /// Another engine that remembers the same, to ask what this one would do: it supposes nothing about anybody. None where its search
    /// cannot be copied.
    pub fn fork(&self) -> Option<Engine<G>> {
        Some(Engine {
            searcher: self.searcher.fork()?,
            opponents: Opponents::unmodelled(self.opponents.us()),
            config: self.config.clone(),
            rng: self.rng.clone(),
            clock: Arc::clone(&self.clock),
        })
    }

    /// Its configuration.
    pub fn config(&self) -> &Config {
        &self.config
    }
}
