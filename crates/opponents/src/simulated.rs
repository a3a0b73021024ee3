//! A player of ours in the opponent's chair. It begins every search with empty memory and dice of its own, so that its choice depends on the
//! position and a seed alone; asked again about the same position, it does not search again.

use std::collections::VecDeque;
use std::sync::Arc;

use anglerfish_engine::{Assets, Config, Engine, EngineError, Limits, ManualClock, SearchGame, Stop};
use anglerfish_rules::{Game, Seat};

/// See the module.
pub(super) struct SimulatedOpponent<G: Game> {
    engine: Engine<G>,
    them: Seat,
    seed: u64,
    /// What it chose lately, by what it saw.
    known: VecDeque<(G::View, G::Action)>,
}

/// So many choices are remembered: those of a search, and of the one before it.
const KNOWN: usize = 128;

impl<G: SearchGame> SimulatedOpponent<G> {
    pub(super) fn new(config: &Config, assets: &Assets) -> Result<SimulatedOpponent<G>, EngineError> {
        let engine = Engine::new(config, assets, Arc::new(ManualClock::default()))?;
        Ok(SimulatedOpponent { engine, them: Seat(0), seed: 0, known: VecDeque::new() })
    }

    /// It sits down at this seat.
    pub(super) fn begin(&mut self, them: Seat, seed: u64) {
        (self.them, self.seed) = (them, seed);
        self.known.clear();
    }

    /// What it would play, and how many nodes it took to find out; none if it was stopped on the way.
    pub(super) fn choice(&mut self, view: &G::View, stop: &Stop) -> Option<(G::Action, u64)> {
        if let Some(action) = self.remembered(view) {
            return Some((action, 0));
        }
        self.engine.new_game(self.them, self.seed, None);
        // It is configured to come to an end.
        let decision = self.engine.think(view, Limits::default(), stop, &mut |_| {});
        if stop.is_set() {
            return None;
        }
        if self.known.len() == KNOWN {
            self.known.pop_front();
        }
        self.known.push_back((view.clone(), decision.action));
        Some((decision.action, decision.info.nodes))
    }

    /// How many nodes a search is told to take.
    pub(super) fn cost(&self) -> u64 {
        self.engine.config().nodes.unwrap_or(1)
    }

    /// How many nodes [`choice`](SimulatedOpponent::choice) would be told to take: none where it is remembered.
    pub(super) fn price(&self, view: &G::View) -> u64 {
        if self.remembered(view).is_some() { 0 } else { self.cost() }
    }

    fn remembered(&self, view: &G::View) -> Option<G::Action> {
        // The latest are asked for most.
        self.known.iter().rev().find(|(known, _)| known == view).map(|(_, action)| *action)
    }
}
