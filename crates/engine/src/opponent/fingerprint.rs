//! Fingerprints: candidates search beside the opponent, one search each for every move of its, and who foresees which moves tells who it is.
//!
//! [`Watch`] asks the questions of a line-up about a game, and [`Fingerprint`] makes a posterior of the answers. Each candidate begins every search with empty
//! memory and dice of its own, so an answer depends on the position and the seed alone. What candidates search is not counted: it is done when
//! the opponent has moved, and costs the sum of their nodes.

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::settings::replica;
use super::suspects::{Estimate, Inquiry, Lineup, Question};
use super::{Belief, OpponentModel, Profile};
use crate::assets::Assets;
use crate::clock::ManualClock;
use crate::engine::{Engine, EngineError};
use crate::kit::Kit;
use crate::limits::{Limits, Stop};
use crate::stance::Stance;

/// Asks the questions of a line-up.
pub struct Watch<G: Game> {
    candidates: Vec<Engine<G>>,
    them: Seat,
    seed: u64,
}

impl<G: Kit> Watch<G> {
    /// Somebody who asks these questions.
    ///
    /// # Errors
    /// When one of them cannot be asked.
    pub fn new(questions: &[Question], assets: &Assets) -> Result<Watch<G>, EngineError> {
        let candidate = |question: &Question| {
            let config = question.about.strip_prefix("replica ").and_then(replica);
            let config = config.ok_or_else(|| EngineError::BadAsset {
                name: question.name.to_string(),
                why: format!(
                    "expected replica PLAYER with / for commas and up to 100000 nodes, found {:?}",
                    question.about
                ),
            })?;
            Engine::new(&config, assets, Arc::new(ManualClock::default()))
        };
        let candidates: Result<_, EngineError> = questions.iter().map(candidate).collect();
        Ok(Watch { candidates: candidates?, them: Seat(0), seed: 0 })
    }

    /// A game begins in which the opponent has this seat.
    pub fn begin(&mut self, them: Seat, seed: u64) {
        self.them = them;
        self.seed = Rng::stream(seed, "fingerprint").next_u64();
    }

    /// The answers to all questions: whether each candidate would have played what the opponent did in `game`.
    pub fn answers(&mut self, game: &G, action: G::Action) -> Vec<usize> {
        let (them, seed) = (self.them, self.seed);
        let answer = |engine: &mut Engine<G>| {
            engine.new_game(them, seed, None);
            let decision = engine.think(&game.view(them), Limits::default(), &Stop::default(), &mut |_| {});
            usize::from(decision.action == action)
        };
        self.candidates.iter_mut().map(answer).collect()
    }
}

/// A posterior over the suspects of a line-up, by who foresees the opponent's moves.
pub struct Fingerprint<G: Game> {
    watch: Watch<G>,
    inquiry: Inquiry,
    beliefs: Vec<Belief>,
}

impl<G: Kit> Fingerprint<G> {
    /// What everybody is called who is in no line-up.
    pub const NONE: &'static str = "none of these";

    /// One that knows these suspects.
    ///
    /// # Errors
    /// When one of the questions cannot be asked.
    pub fn new(lineup: Lineup, assets: &Assets) -> Result<Fingerprint<G>, EngineError> {
        let watch = Watch::new(&lineup.questions, assets)?;
        let mut fingerprint =
            Fingerprint { watch, inquiry: Inquiry::new(Arc::new(lineup)), beliefs: Vec::new() };
        fingerprint.believe();
        Ok(fingerprint)
    }

    fn believe(&mut self) {
        let Estimate { known, none, .. } = self.inquiry.estimate();
        let known = known.into_iter().map(|(style, probability)| Belief { style: style.into(), probability });
        self.beliefs = known.collect();
        self.beliefs.push(Belief { style: Self::NONE.into(), probability: none });
    }
}

impl<G: Kit> OpponentModel<G> for Fingerprint<G> {
    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        self.watch.begin(seat, seed);
        self.inquiry.begin(|name| prior?.probability(name));
        self.believe();
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        if ply.seat != self.watch.them {
            return;
        }
        let world = G::sample(before, &mut Rng::new(0));
        self.inquiry.moved();
        for (question, answer) in self.watch.answers(&world, G::action_of(ply.event)).into_iter().enumerate()
        {
            self.inquiry.heard(question, answer);
        }
        self.believe();
    }

    fn posterior(&self) -> &[Belief] {
        &self.beliefs
    }

    fn estimate(&self) -> Option<Estimate> {
        Some(self.inquiry.estimate())
    }

    /// Who somebody is says nothing yet of how to play against him.
    fn stance(&self) -> Stance {
        Stance::default()
    }

    fn predict(&mut self, _: &G, _: &[G::Action], out: &mut [f32]) {
        out.fill(0.0);
    }
}
