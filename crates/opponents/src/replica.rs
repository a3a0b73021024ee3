//! A replica supposes that the opponent is a player of a known configuration, and foresees its moves by the same search.
//!
//! A replica knows neither the dice of the opponent nor the memory of its search, so it foresees most of the moves, but not all. It
//! counts how many, and its predictions are no more certain than that. An *oracle* knows both. It foresees every move of one of our
//! own players with a node limit, if both got the same seed, as in our matches. It is a yardstick and not a player: it measures the
//! gain of the best possible model, and it counts no nodes. It foresees only the opponent's next move: after that the dice and the
//! memory have changed.
//!
//! The nodes of a replica come out of our own: first out of those that we ponder for, then out of our next searches. While much is
//! owed the replica is not asked.

use std::sync::Arc;

use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary};
use anglerfish_engine::{
    Assets, Belief, Config, Decision, Engine, EngineError, Limits, ManualClock, Profile, SearchGame, Stance,
    Stop,
};
use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::simulated::SimulatedOpponent;

/// The most nodes of a replica, because it cannot be stopped.
const MOST_NODES: u64 = 100_000;

/// A player by its text, with `/` for commas; `None` if it would think for ever, or has a model of its own.
pub(crate) fn player(text: &str) -> Option<Config> {
    let config = Config::nested(text)?;
    let ends = config.nodes.is_some_and(|nodes| nodes <= MOST_NODES) || !config.search.takes_nodes();
    let opponent = &config.opponent;
    let plain = config.threads == 1 && config.movetime_ms.is_none() && opponent.is_none();
    (ends && plain && opponent.words.is_empty()).then_some(config)
}

/// A model that supposes that the other seat is one of our players.
pub struct Replica<G: Game> {
    mind: Mind<G>,
    them: Seat,
    trust: f32,
    /// Moves of theirs that were foreseen, of so many.
    hits: (u32, u32),
}

/// The knowledge of a replica.
enum Mind<G: Game> {
    SimulatedOpponent(SimulatedOpponent<G>),
    Oracle(Engine<G>),
}

impl<G: SearchGame> Replica<G> {
    /// The model that a configuration asks for.
    ///
    /// # Errors
    /// As those of [`new`](Replica::new), and when the configuration names no player.
    pub fn of(config: &Config, assets: &Assets) -> Result<Replica<G>, EngineError> {
        let settings = &config.opponent;
        let known = settings.word("replica").and_then(player);
        let known =
            known.ok_or_else(|| EngineError::Model("opponent=replica needs replica=PLAYER".to_owned()))?;
        Replica::new(&known, settings.word("oracle") == Some("on"), settings.trust, assets)
    }

    /// A replica of the player of this configuration. With `oracle` it knows what that player knows.
    ///
    /// # Errors
    /// When there is no such player of this game, or its memory cannot be copied.
    pub fn new(
        config: &Config,
        oracle: bool,
        trust: f32,
        assets: &Assets,
    ) -> Result<Replica<G>, EngineError> {
        let mind = if oracle {
            let engine: Engine<G> = Engine::new(config, assets, Arc::new(ManualClock::default()))?;
            if engine.fork().is_none() {
                let search = config.search.text();
                return Err(EngineError::Model(format!("{search} cannot be copied, so no oracle knows it")));
            }
            Mind::Oracle(engine)
        } else {
            Mind::SimulatedOpponent(SimulatedOpponent::new(config, assets)?)
        };
        Ok(Replica { mind, them: Seat(0), trust, hits: (0, 0) })
    }

    /// Moves of theirs that were foreseen, of so many.
    pub fn hits(&self) -> (u32, u32) {
        self.hits
    }

    /// The action it would play in `game`, and the nodes that it has to pay for.
    fn choice(&mut self, game: &G, stop: &Stop) -> Option<(G::Action, u64)> {
        let view = game.view(self.them);
        match &mut self.mind {
            Mind::SimulatedOpponent(double) => double.choice(&view, stop),
            Mind::Oracle(engine) => Some((think(&mut engine.fork()?, &view).action, 0)),
        }
    }

    /// The nodes that the choice would take: 0 where it is known.
    fn price(&self, game: &G) -> u64 {
        match &self.mind {
            Mind::SimulatedOpponent(double) => double.price(&game.view(self.them)),
            Mind::Oracle(_) => 0,
        }
    }

    /// Whether more nodes may be spent on the replica.
    fn asks(&self, debt: &Debt) -> bool {
        matches!(self.mind, Mind::Oracle(_)) || debt.is_small()
    }

    /// The probability that the foreseen move is played.
    fn sure(&self) -> f32 {
        let (hit, of) = self.hits;
        // It has to prove itself first: five moves foreseen of five make the next answer nearly certain.
        if matches!(self.mind, Mind::Oracle(_)) { 1.0 } else { (hit as f32 + 4.0) / (of as f32 + 5.0) }
    }
}

/// It is configured to come to an end.
fn think<G: SearchGame>(engine: &mut Engine<G>, view: &G::View) -> Decision<G> {
    engine.think(view, Limits::default(), &Stop::default(), &mut |_| {})
}

impl<G: SearchGame> OpponentModel<G> for Replica<G> {
    fn begin(&mut self, seat: Seat, seed: u64, _: Option<&Profile>) {
        (self.them, self.hits) = (seat, (0, 0));
        match &mut self.mind {
            // The opponent's dice are not known, so these differ.
            Mind::SimulatedOpponent(double) => double.begin(seat, Rng::stream(seed, "replica").next_u64()),
            Mind::Oracle(engine) => engine.new_game(seat, seed, None),
        }
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>, debt: &mut Debt) {
        let world = G::sample(before, &mut Rng::new(0));
        if ply.seat == self.them {
            let affordable = self.price(&world) <= debt.left_to_foresee();
            let foreseen = match &mut self.mind {
                // An oracle repeats the opponent's search, so that it has the same memory.
                Mind::Oracle(engine) => Some((think(engine, &world.view(self.them)).action, 0)),
                Mind::SimulatedOpponent(_) if affordable => self.choice(&world, &Stop::default()),
                Mind::SimulatedOpponent(_) => None,
            };
            self.hits.0 += u32::from(foreseen.is_some_and(|(action, _)| action == G::action_of(ply.event)));
            self.hits.1 += u32::from(foreseen.is_some());
            debt.add(foreseen.map_or(0, |(_, nodes)| nodes), 0);
        }
        if let Mind::Oracle(engine) = &mut self.mind {
            engine.observe(&world.view(self.them), ply);
        }
    }

    fn summary(&self, debt: &Debt) -> OpponentSummary {
        let beliefs = vec![Belief { style: "replica".into(), probability: 1.0 }];
        let stance = Stance { trust: self.asks(debt).then_some(self.trust), ..Stance::default() };
        OpponentSummary { beliefs, stance, estimate: None }
    }

    fn predict(
        &mut self,
        game: &G,
        actions: &[G::Action],
        out: &mut [f32],
        most: u64,
        debt: &mut Debt,
    ) -> Option<u64> {
        out.fill(0.0);
        let price = self.price(game);
        if price > most {
            return None;
        }
        if !self.asks(debt) {
            return Some(0);
        }
        let sure = self.sure();
        let Some((choice, nodes)) = self.choice(game, &Stop::default()) else { return Some(0) };
        if let Some(place) = actions.iter().position(|&action| action == choice) {
            out[place] = sure;
        }
        Some(debt.charge(nodes, price))
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop, debt: &mut Debt) -> u64 {
        let Mind::SimulatedOpponent(double) = &mut self.mind else { return 0 };
        let had = nodes.map_or(u64::MAX, |nodes| debt.pay(nodes));
        let paid = nodes.map_or(0, |nodes| nodes - had);
        let view = G::sample(view, &mut Rng::new(0)).view(self.them).into_owned();
        if had < double.cost() {
            return paid;
        }
        let spent = double.choice(&view, stop).map_or(0, |(_, nodes)| nodes);
        debt.add(spent, had);
        paid + spent
    }
}
