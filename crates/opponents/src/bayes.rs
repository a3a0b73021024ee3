//! A posterior over styles: each ply multiplies the probability of a style by the likelihood of the ply in that style.
//!
//! Plain products, normalized after every ply, need no logarithm and give the same bits everywhere. No style is ever
//! ruled out: every player is supposed to play at random now and then, and no probability falls below a floor. So a change of
//! style is noticed within a game or two.

use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary};
use anglerfish_engine::search::has_secrets;
use anglerfish_engine::{Belief, Config, Profile, Stance};
use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::{Modelled, Style, parameters};

/// The number of worlds that a ply is judged in, in games with secrets.
const WORLDS: usize = 8;

/// A model that supposes that the other seat plays in one of several styles.
pub struct Bayes<G: Game> {
    styles: Vec<Box<dyn Style<G>>>,
    beliefs: Vec<Belief>,
    /// The probabilities of the styles when nothing is known.
    first: Vec<f64>,
    them: Seat,
    slip: f32,
    trust: f32,
    shares: Vec<f32>,
    dice: Rng,
}

impl<G: Modelled> Bayes<G> {
    /// The model that a configuration asks for: over all styles of the game.
    pub fn of(config: &Config) -> Bayes<G> {
        Bayes::new(G::styles(), Bayes::<G>::SLIP, config.opponent.trust)
    }
}

impl<G: Game> Bayes<G> {
    /// How often a player of any style plays just anything.
    pub const SLIP: f32 = parameters::MODEL_SLIP;

    /// All `styles` begin equally probable, but the styles of strong play are together as probable as all others: no player is
    /// taken for weak before its plies show it. `slip` is the share of random plies in every style, `trust` the most that the
    /// prediction is believed.
    ///
    /// # Panics
    /// When there are no styles.
    pub fn new(styles: Vec<Box<dyn Style<G>>>, slip: f32, trust: f32) -> Bayes<G> {
        assert!(!styles.is_empty(), "a posterior is over something");
        let best = styles.iter().filter(|s| s.plays_best()).count();
        let others = styles.len() - best;
        let one = |plays_best| match (plays_best, best, others) {
            (_, 0, _) | (_, _, 0) => 1.0 / styles.len() as f64,
            (true, ..) => 0.5 / best as f64,
            (false, ..) => 0.5 / others as f64,
        };
        let first: Vec<f64> = styles.iter().map(|style| one(style.plays_best())).collect();
        let names = styles.iter().map(|style| style.name().into());
        let beliefs = names.zip(&first).map(|(style, &probability)| Belief { style, probability }).collect();
        Bayes { styles, beliefs, first, them: Seat(0), slip, trust, shares: Vec::new(), dice: Rng::new(0) }
    }

    /// The styles whose predictions count, with their probabilities.
    fn asked(&self) -> impl Iterator<Item = (usize, f64)> {
        let all = self.beliefs.iter().map(|b| b.probability).enumerate();
        all.filter(|&(i, p)| p >= parameters::MODEL_ASKED && !self.styles[i].plays_best())
    }

    fn normalize(&mut self) {
        let sum: f64 = self.beliefs.iter().map(|b| b.probability).sum();
        for belief in &mut self.beliefs {
            belief.probability = (belief.probability / sum).max(parameters::MODEL_FLOOR);
        }
        // The floor adds a little, which is taken from all styles alike.
        let sum: f64 = self.beliefs.iter().map(|b| b.probability).sum();
        self.beliefs.iter_mut().for_each(|b| b.probability /= sum);
    }
}

impl<G: Game> OpponentModel<G> for Bayes<G> {
    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>, _: &mut Debt) {
        if ply.seat != self.them {
            return;
        }
        // Without secrets every sample is the game itself. With secrets, the likelihood of an action is its mean over the worlds
        // in which it is legal.
        let first = G::sample(before, &mut self.dice);
        let more = if has_secrets(&first) { WORLDS - 1 } else { 0 };
        let more: Vec<G> = (0..more).map(|_| G::sample(before, &mut self.dice)).collect();
        let mut likely = vec![0.0; self.styles.len()];
        let (mut actions, mut worlds) = (Vec::new(), 0);
        for world in [first].iter().chain(&more) {
            let theirs = world.view(ply.seat);
            world.actions(&mut actions);
            let Some(played) = actions.iter().position(|&a| a == G::action_of(ply.event)) else { continue };
            worlds += 1;
            self.shares.resize(actions.len(), 0.0);
            for (style, likely) in self.styles.iter_mut().zip(&mut likely) {
                style.likelihood(&theirs, &actions, &mut self.shares);
                *likely += f64::from(slipping(self.slip, self.shares[played], actions.len()));
            }
        }
        if worlds > 0 {
            for (belief, likely) in self.beliefs.iter_mut().zip(likely) {
                belief.probability *= likely / f64::from(worlds);
            }
            self.normalize();
        }
    }

    /// Trust rises from 0, where one style is rather certain, to the configured most, where it is certain. A style of strong
    /// play gets no trust, because it predicts nothing.
    fn summary(&self, _: &Debt) -> OpponentSummary {
        let styles = self.styles.iter().zip(&self.beliefs);
        let habits = styles.filter(|(style, _)| !style.plays_best()).map(|(_, belief)| belief.probability);
        let sure = ((habits.fold(0.0, f64::max) - parameters::MODEL_SURE) / (1.0 - parameters::MODEL_SURE))
            .clamp(0.0, 1.0);
        let stance = Stance { trust: Some(self.trust * sure as f32), ..Stance::default() };
        OpponentSummary { beliefs: self.beliefs.clone(), stance, estimate: None }
    }

    fn predict(
        &mut self,
        game: &G,
        actions: &[G::Action],
        out: &mut [f32],
        _: u64,
        _: &mut Debt,
    ) -> Option<u64> {
        out.fill(0.0);
        let asked: Vec<(usize, f64)> = self.asked().collect();
        let cost = asked.iter().map(|&(i, _)| self.styles[i].nodes()).sum();
        let Some(seat) = game.turn().seat() else { return Some(cost) };
        let theirs = game.view(seat);
        self.shares.resize(actions.len(), 0.0);
        for (i, probability) in asked {
            self.styles[i].likelihood(&theirs, actions, &mut self.shares);
            for (sum, &share) in out.iter_mut().zip(&self.shares) {
                *sum += probability as f32 * slipping(self.slip, share, actions.len());
            }
        }
        Some(cost)
    }

    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        self.them = seat;
        self.dice = Rng::stream(seed, &format!("bayes:{}", seat.0));
        for (belief, &first) in self.beliefs.iter_mut().zip(&self.first) {
            // A style that is not in the profile starts with its default probability.
            belief.probability = prior.and_then(|p| p.probability(&belief.style)).unwrap_or(first);
        }
        self.normalize();
    }
}

fn slipping(slip: f32, share: f32, n_actions: usize) -> f32 {
    (1.0 - slip) * share + slip / n_actions as f32
}
