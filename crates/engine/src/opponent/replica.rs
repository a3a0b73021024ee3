//! Supposes that the other seat is a player of a known configuration, and foresees its moves by searching as it would.
//!
//! A replica knows neither the dice of the opponent nor what its search remembers, so it foresees most of its moves and not all; how
//! many, it counts, and says no more than that. An *oracle* knows both: with it every move of one of our own players that
//! moves by nodes is foreseen, if both got the same seed, as in our matches. It is a yardstick and no player: it says what the best
//! of all models would be worth, and it counts no nodes. What it says is about the opponent's next move only: after that its dice and
//! memory have moved on.
//!
//! A replica costs what it searches. A search asks forty to sixty times per move, so inside a budget of its own it needs a hundred times the
//! nodes of the replica to have half of them left.

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::{Belief, OpponentModel, Profile};
use crate::assets::Assets;
use crate::clock::ManualClock;
use crate::config::Config;
use crate::engine::{Engine, EngineError};
use crate::kit::Kit;
use crate::limits::{Limits, Stop};
use crate::report::Decision;
use crate::stance::Stance;

/// Supposes that the other seat plays as one of our players would.
pub struct Replica<G: Game> {
    engine: Engine<G>,
    them: Seat,
    seed: u64,
    oracle: bool,
    trust: f32,
    beliefs: [Belief; 1],
    /// Moves of theirs that were foreseen, of so many.
    hits: (u32, u32),
    /// Nodes of the last prediction.
    spent: u64,
}

impl<G: Kit> Replica<G> {
    /// A replica of the player of this configuration. With `oracle` it knows what that player knows.
    ///
    /// # Errors
    /// When there is no such player of this game, or what it remembers cannot be copied.
    pub fn new(
        config: &Config,
        oracle: bool,
        trust: f32,
        assets: &Assets,
    ) -> Result<Replica<G>, EngineError> {
        let engine = Engine::new(config, assets, Arc::new(ManualClock::default()))?;
        if oracle && engine.fork().is_none() {
            return Err(EngineError::NoOracle { search: config.search.text() });
        }
        let beliefs = [Belief { style: "replica".into(), probability: 1.0 }];
        Ok(Replica { engine, them: Seat(0), seed: 0, oracle, trust, beliefs, hits: (0, 0), spent: 0 })
    }

    /// Moves of theirs that were foreseen, of so many.
    pub fn hits(&self) -> (u32, u32) {
        self.hits
    }

    /// What it would play in `game`.
    fn choice(&mut self, game: &G) -> Option<G::Action> {
        let view = game.view(self.them);
        if self.oracle {
            let mut asked = self.engine.fork()?;
            return Some(think(&mut asked, &view).action);
        }
        self.engine.new_game(self.them, self.seed, None);
        let Decision { action, info } = think(&mut self.engine, &view);
        self.spent = info.nodes;
        Some(action)
    }

    /// How likely what it foresees is to be played.
    fn sure(&self) -> f32 {
        let (hit, of) = self.hits;
        // Nobody is believed before it has shown: five moves foreseen of five make the next answer nearly certain.
        if self.oracle { 1.0 } else { (hit as f32 + 4.0) / (of as f32 + 5.0) }
    }
}

/// It is configured to come to an end.
fn think<G: Kit>(engine: &mut Engine<G>, view: &G::View) -> Decision<G> {
    engine.think(view, Limits::default(), &Stop::default(), &mut |_| {})
}

impl<G: Kit> OpponentModel<G> for Replica<G> {
    fn begin(&mut self, seat: Seat, seed: u64, _: Option<&Profile>) {
        (self.them, self.hits) = (seat, (0, 0));
        // Other dice than the opponent's, unless those are known.
        self.seed = if self.oracle { seed } else { Rng::stream(seed, "replica").next_u64() };
        self.engine.new_game(seat, self.seed, None);
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        let world = G::sample(before, &mut Rng::new(0));
        if ply.seat == self.them {
            // An oracle searches as the opponent has, so that it remembers the same.
            let foreseen = if self.oracle {
                Some(think(&mut self.engine, &world.view(self.them)).action)
            } else {
                self.choice(&world)
            };
            self.hits.0 += u32::from(foreseen == Some(G::action_of(ply.event)));
            self.hits.1 += 1;
        }
        self.engine.observe(&world.view(self.them), ply);
    }

    fn posterior(&self) -> &[Belief] {
        &self.beliefs
    }

    fn stance(&self) -> Stance {
        Stance { trust: Some(self.trust), ..Stance::default() }
    }

    fn predict(&mut self, game: &G, actions: &[G::Action], out: &mut [f32]) {
        out.fill(0.0);
        let sure = self.sure();
        let choice = self.choice(game);
        if let Some(place) = actions.iter().position(|&action| Some(action) == choice) {
            out[place] = sure;
        }
    }

    fn nodes(&self) -> u64 {
        self.spent
    }
}
