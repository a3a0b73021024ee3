//! Supposes that the other seat is a player of a known configuration, and foresees its moves by searching as it would.
//!
//! A replica knows neither the dice of the opponent nor what its search remembers, so it foresees most of its moves and not all; how
//! many, it counts, and says no more than that. An *oracle* knows both: with it every move of one of our own players that
//! moves by nodes is foreseen, if both got the same seed, as in our matches. It is a yardstick and no player: it says what the best
//! of all models would be worth, and it counts no nodes. What it says is about the opponent's next move only: after that its dice and
//! memory have moved on.
//!
//! A replica costs what it searches, and whoever asks it pays: while the opponent thinks, as far as that goes, and else out of the search that comes next.

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::double::Double;
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
    mind: Mind<G>,
    them: Seat,
    trust: f32,
    beliefs: [Belief; 1],
    /// Moves of theirs that were foreseen, of so many.
    hits: (u32, u32),
    /// Nodes of the last prediction.
    spent: u64,
    /// Nodes of searches that nobody has paid for yet.
    owed: u64,
}

/// What a replica knows.
enum Mind<G: Game> {
    Double(Double<G>),
    Oracle(Engine<G>),
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
        let mind = if oracle {
            let engine: Engine<G> = Engine::new(config, assets, Arc::new(ManualClock::default()))?;
            if engine.fork().is_none() {
                return Err(EngineError::NoOracle { search: config.search.text() });
            }
            Mind::Oracle(engine)
        } else {
            Mind::Double(Double::new(config, assets)?)
        };
        let beliefs = [Belief { style: "replica".into(), probability: 1.0 }];
        Ok(Replica { mind, them: Seat(0), trust, beliefs, hits: (0, 0), spent: 0, owed: 0 })
    }

    /// Moves of theirs that were foreseen, of so many.
    pub fn hits(&self) -> (u32, u32) {
        self.hits
    }

    /// What it would play in `game`, and the nodes that it has to pay for.
    fn choice(&mut self, game: &G, stop: &Stop) -> Option<(G::Action, u64)> {
        let view = game.view(self.them);
        match &mut self.mind {
            Mind::Double(double) => double.choice(&view, stop),
            Mind::Oracle(engine) => Some((think(&mut engine.fork()?, &view).action, 0)),
        }
    }

    /// How likely what it foresees is to be played.
    fn sure(&self) -> f32 {
        let (hit, of) = self.hits;
        // Nobody is believed before it has shown: five moves foreseen of five make the next answer nearly certain.
        if matches!(self.mind, Mind::Oracle(_)) { 1.0 } else { (hit as f32 + 4.0) / (of as f32 + 5.0) }
    }
}

/// It is configured to come to an end.
fn think<G: Kit>(engine: &mut Engine<G>, view: &G::View) -> Decision<G> {
    engine.think(view, Limits::default(), &Stop::default(), &mut |_| {})
}

impl<G: Kit> OpponentModel<G> for Replica<G> {
    fn begin(&mut self, seat: Seat, seed: u64, _: Option<&Profile>) {
        (self.them, self.hits, self.owed) = (seat, (0, 0), 0);
        match &mut self.mind {
            // Other dice than the opponent's, which are not known.
            Mind::Double(double) => double.begin(seat, Rng::stream(seed, "replica").next_u64()),
            Mind::Oracle(engine) => engine.new_game(seat, seed, None),
        }
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        let world = G::sample(before, &mut Rng::new(0));
        if ply.seat == self.them {
            let foreseen = match &mut self.mind {
                // An oracle searches as the opponent has, so that it remembers the same.
                Mind::Oracle(engine) => Some((think(engine, &world.view(self.them)).action, 0)),
                Mind::Double(_) => self.choice(&world, &Stop::default()),
            };
            self.hits.0 += u32::from(foreseen.is_some_and(|(action, _)| action == G::action_of(ply.event)));
            self.hits.1 += 1;
            self.owed += foreseen.map_or(0, |(_, nodes)| nodes);
        }
        if let Mind::Oracle(engine) = &mut self.mind {
            engine.observe(&world.view(self.them), ply);
        }
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
        let Some((choice, nodes)) = self.choice(game, &Stop::default()) else { return };
        self.spent = nodes;
        if let Some(place) = actions.iter().position(|&action| action == choice) {
            out[place] = sure;
        }
    }

    fn nodes(&self) -> u64 {
        self.spent
    }

    fn price(&self, game: &G) -> u64 {
        match &self.mind {
            Mind::Double(double) => double.price(&game.view(self.them)),
            Mind::Oracle(_) => 0,
        }
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop) -> u64 {
        let world = G::sample(view, &mut Rng::new(0));
        let price = self.price(&world);
        if price == 0 || nodes.is_some_and(|nodes| nodes < price) {
            return 0;
        }
        self.choice(&world, stop).map_or(0, |(_, nodes)| nodes)
    }

    fn take_owed(&mut self) -> u64 {
        std::mem::take(&mut self.owed)
    }
}
