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
    /// Its latest choices, by view.
    known: VecDeque<(G::View, G::Action)>,
}

/// The number of choices that are remembered: those of a search, and of the one before it.
const KNOWN: usize = 128;

impl<G: SearchGame> SimulatedOpponent<G> {
    pub(super) fn new(config: &Config, assets: &Assets) -> Result<SimulatedOpponent<G>, EngineError> {
        let engine = Engine::new(config, assets, Arc::new(ManualClock::default()))?;
        Ok(SimulatedOpponent { engine, them: Seat(0), seed: 0, known: VecDeque::new() })
    }

    /// Begins a game at this seat.
    pub(super) fn begin(&mut self, them: Seat, seed: u64) {
        (self.them, self.seed) = (them, seed);
        self.known.clear();
    }

    /// The action it would play, and the nodes that the search took; `None` if it was stopped.
    pub(super) fn choice(&mut self, view: &G::View, stop: &Stop) -> Option<(G::Action, u64)> {
        if let Some(action) = self.remembered(view) {
            return Some((action, 0));
        }
        self.engine.new_game(self.them, self.seed, None);
        // Its configuration has a limit, so that it ends.
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

    /// The node limit of its searches.
    pub(super) fn cost(&self) -> u64 {
        self.engine.config().nodes.unwrap_or(1)
    }

    /// The node limit of a [`choice`](SimulatedOpponent::choice): 0 where it is remembered.
    pub(super) fn price(&self, view: &G::View) -> u64 {
        if self.remembered(view).is_some() { 0 } else { self.cost() }
    }

    fn remembered(&self, view: &G::View) -> Option<G::Action> {
        // The latest choices are read most often.
        self.known.iter().rev().find(|(known, _)| known == view).map(|(_, action)| *action)
    }
}
