//! Fingerprints: sources are asked about every move of the opponent, above all candidates that search beside it, and who foresees which moves tells who it is.
//!
//! [`Watch`] asks the questions of a line-up about a game, and [`Fingerprint`] makes a posterior of the answers. What candidates search is not counted: it is done
//! when the opponent has moved, and costs the sum of their nodes.

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::suspects::{Estimate, Inquiry, Lineup, Question};
use super::{Belief, OpponentModel, Profile, Source};
use crate::assets::Assets;
use crate::engine::EngineError;
use crate::kit::Kit;
use crate::stance::Stance;

/// Asks the questions of a line-up.
pub struct Watch<G: Game> {
    sources: Vec<Box<dyn Source<G>>>,
}

impl<G: Kit> Watch<G> {
    /// Somebody who asks these questions.
    ///
    /// # Errors
    /// When one of them cannot be asked.
    pub fn new(questions: &[Question], assets: &Assets) -> Result<Watch<G>, EngineError> {
        let source = |question: &Question| {
            let source = G::source(&question.about, assets)?;
            if source.answers() == question.answers {
                return Ok(source);
            }
            let why = format!(
                "expected {} answers to {:?}, found {}",
                source.answers(),
                question.about,
                question.answers
            );
            Err(EngineError::BadAsset { name: question.name.to_string(), why })
        };
        let sources: Result<_, EngineError> = questions.iter().map(source).collect();
        Ok(Watch { sources: sources? })
    }

    /// A game begins in which the opponent has this seat.
    pub fn begin(&mut self, them: Seat, seed: u64) {
        let seed = Rng::stream(seed, "fingerprint").next_u64();
        for source in &mut self.sources {
            source.begin(them, seed);
        }
    }

    /// What each source says of a ply of anybody, if it says something.
    pub fn hear(&mut self, before: &G, ply: &Ply<G::Event>) -> Vec<Option<usize>> {
        self.sources.iter_mut().map(|source| source.hear(before, ply)).collect()
    }
}

/// A posterior over the suspects of a line-up, by who foresees the opponent's moves.
pub struct Fingerprint<G: Game> {
    watch: Watch<G>,
    them: Seat,
    inquiry: Inquiry,
    beliefs: Vec<Belief>,
}

impl<G: Kit> Fingerprint<G> {
    /// One that knows these suspects.
    ///
    /// # Errors
    /// When one of the questions cannot be asked.
    pub fn new(lineup: Lineup, assets: &Assets) -> Result<Fingerprint<G>, EngineError> {
        let watch = Watch::new(&lineup.questions, assets)?;
        let inquiry = Inquiry::new(Arc::new(lineup));
        let mut fingerprint = Fingerprint { watch, them: Seat(0), inquiry, beliefs: Vec::new() };
        fingerprint.believe();
        Ok(fingerprint)
    }

    fn believe(&mut self) {
        let Estimate { known, none, .. } = self.inquiry.estimate();
        let known = known.into_iter().map(|(style, probability)| Belief { style: style.into(), probability });
        self.beliefs = known.collect();
        self.beliefs.push(Belief { style: Inquiry::NONE.into(), probability: none });
    }
}

impl<G: Kit> OpponentModel<G> for Fingerprint<G> {
    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        self.them = seat;
        self.watch.begin(seat, seed);
        self.inquiry.begin(|name| prior?.probability(name));
        self.believe();
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        let world = G::sample(before, &mut Rng::new(0));
        let answers = self.watch.hear(&world, ply);
        if ply.seat == self.them {
            self.inquiry.moved();
        }
        self.inquiry.hear(&answers);
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
