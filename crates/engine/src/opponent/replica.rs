//! Supposes that the other seat is a player of a known configuration, and foresees its moves by searching as it would.
//!
//! A replica knows neither the dice of the opponent nor what its search remembers, so it foresees most of its moves and not all; how
//! many, it counts, and says no more than that. An *oracle* knows both: with it every move of one of our own players that
//! moves by nodes is foreseen, if both got the same seed, as in our matches. It is a yardstick and no player: it says what the best
//! of all models would be worth, and it counts no nodes. What it says is about the opponent's next move only: after that its dice and
//! memory have moved on.
//!
//! A replica costs what it searches, and whoever asks it pays: while the opponent thinks, as far as that goes, and else out of the searches that come next. While much is owed it is not asked.

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::debt::Debt;
use super::double::Double;
use super::{Belief, OpponentModel, Profile};
use crate::assets::Assets;
use crate::clock::ManualClock;
use crate::config::Config;
use crate::engine::{Engine, EngineError};
use crate::kit::Kit;
use crate::limits::{Limits, Stop};
use crate::margins;
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
    debt: Debt,
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
        Ok(Replica { mind, them: Seat(0), trust, beliefs, hits: (0, 0), spent: 0, debt: Debt::default() })
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

    /// Whether more may be spent on it.
    fn asks(&self) -> bool {
        matches!(self.mind, Mind::Oracle(_)) || self.debt.is_small()
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
        (self.them, self.hits, self.debt) = (seat, (0, 0), Debt::default());
        match &mut self.mind {
            // Other dice than the opponent's, which are not known.
            Mind::Double(double) => double.begin(seat, Rng::stream(seed, "replica").next_u64()),
            Mind::Oracle(engine) => engine.new_game(seat, seed, None),
        }
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        let world = G::sample(before, &mut Rng::new(0));
        if ply.seat == self.them {
            let affordable = self.price(&world) <= self.debt.left(margins::FORESIGHT_SHARE);
            let foreseen = match &mut self.mind {
                // An oracle searches as the opponent has, so that it remembers the same.
                Mind::Oracle(engine) => Some((think(engine, &world.view(self.them)).action, 0)),
                Mind::Double(_) if affordable => self.choice(&world, &Stop::default()),
                Mind::Double(_) => None,
            };
            self.hits.0 += u32::from(foreseen.is_some_and(|(action, _)| action == G::action_of(ply.event)));
            self.hits.1 += u32::from(foreseen.is_some());
            self.debt.add(foreseen.map_or(0, |(_, nodes)| nodes), 0);
        }
        if let Mind::Oracle(engine) = &mut self.mind {
            engine.observe(&world.view(self.them), ply);
        }
    }

    fn posterior(&self) -> &[Belief] {
        &self.beliefs
    }

    fn stance(&self) -> Stance {
        Stance { trust: self.asks().then_some(self.trust), ..Stance::default() }
    }

    fn predict(&mut self, game: &G, actions: &[G::Action], out: &mut [f32]) {
        out.fill(0.0);
        let sure = self.sure();
        self.spent = 0;
        if !self.asks() {
            return;
        }
        let price = self.price(game);
        let Some((choice, nodes)) = self.choice(game, &Stop::default()) else { return };
        self.spent = self.debt.charge(nodes, price);
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

    fn chose(&mut self, nodes: u64) {
        self.debt.searched(nodes);
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop) -> u64 {
        let Mind::Double(double) = &mut self.mind else { return 0 };
        let had = nodes.map_or(u64::MAX, |nodes| self.debt.pay(nodes));
        let paid = nodes.map_or(0, |nodes| nodes - had);
        let view = G::sample(view, &mut Rng::new(0)).view(self.them).into_owned();
        if had < double.cost() {
            return paid;
        }
        let spent = double.choice(&view, stop).map_or(0, |(_, nodes)| nodes);
        self.debt.add(spent, had);
        paid + spent
    }

    fn take_owed(&mut self) -> u64 {
        self.debt.installment()
    }
}
