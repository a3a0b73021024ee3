//! Fingerprints: sources are asked about every move of the opponent, above all candidates that search beside it, and who foresees which moves tells who it is.
//!
//! [`Watch`] asks the questions of a line-up about a game, and [`Fingerprint`] makes a posterior of the answers.
//!
//! What candidates search is paid for: with a part of what may be searched while the opponent thinks, and where that is next to nothing with a small part of what our own last
//! search had, which our next one has less. So they take turns, the likelier more often, and only while a game begins. There, most moves turn something over, so that we know least what to
//! ponder on; and line-ups are measured there. Later on everybody moves to and fro as anybody would, and who is cheap to ask seems right.

use std::sync::Arc;

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::debt::Debt;
use super::suspects::{Estimate, Inquiry, Lineup, Question};
use super::{Belief, Impression, OpponentModel, Profile, Scale, Source};
use crate::assets::Assets;
use crate::config::Config;
use crate::engine::EngineError;
use crate::kit::Kit;
use crate::limits::Stop;
use crate::margins;
use crate::stance::Stance;

/// Asks the questions of a line-up.
pub struct Watch<G: Game> {
    sources: Vec<Box<dyn Source<G>>>,
    /// How often each has searched in this game.
    asked: Vec<u32>,
    them: Seat,
    /// Whether the opponent has moved: its first move is anybody's, and nobody searches for it.
    moved: bool,
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
        Ok(Watch { sources: sources?, asked: vec![0; questions.len()], them: Seat(0), moved: false })
    }

    /// A game begins in which the opponent has this seat.
    pub fn begin(&mut self, them: Seat, seed: u64) {
        (self.them, self.moved) = (them, false);
        self.asked.fill(0);
        let seed = Rng::stream(seed, "fingerprint").next_u64();
        for source in &mut self.sources {
            source.begin(them, seed);
        }
    }

    /// What each source says of a ply of anybody, if it says something.
    pub fn hear(&mut self, before: &G, ply: &Ply<G::Event>) -> Vec<Option<usize>> {
        let all: Vec<usize> = (0..self.sources.len()).collect();
        self.hear_within(before, ply, &all, u64::MAX).0
    }

    /// The same from sources that have not to search for it, and from others in this order as far as so many nodes go; and how many it were.
    fn hear_within(
        &mut self,
        before: &G,
        ply: &Ply<G::Event>,
        order: &[usize],
        most: u64,
    ) -> (Vec<Option<usize>>, u64) {
        let theirs = ply.seat == self.them;
        let mut spent = 0;
        if theirs && self.moved {
            spent = self.search(before, order, most, &Stop::default());
        }
        let answers = self.sources.iter_mut().map(|source| {
            let dear = theirs && source.price(before) > 0;
            if dear { None } else { source.hear(before, ply) }
        });
        let answers = answers.collect();
        self.moved |= theirs;
        (answers, spent)
    }

    /// Lets sources search for what the opponent will do in a game, in this order and as far as so many nodes go; how many it were.
    fn search(&mut self, game: &G, order: &[usize], most: u64, stop: &Stop) -> u64 {
        let mut spent = 0;
        for &place in order {
            if stop.is_set() {
                break;
            }
            let source = &mut self.sources[place];
            let price = source.price(game);
            // Who is stopped has said nothing, and has the same turn again.
            if (1..=most - spent.min(most)).contains(&price)
                && let Some((_, nodes)) = source.foresee(game, stop)
            {
                self.asked[place] += 1;
                spent += nodes;
            }
        }
        spent
    }
}

/// A posterior over the suspects of a line-up, by who foresees the opponent's moves.
pub struct Fingerprint<G: Game> {
    watch: Watch<G>,
    inquiry: Inquiry,
    scale: Scale,
    beliefs: Vec<Belief>,
    /// Whether it knew something of the opponent when the game began.
    met: bool,
    /// Moves of the opponent.
    moves: u32,
    debt: Debt,
    /// The nodes that we could ponder for last.
    pondered: u64,
}

impl<G: Kit> Fingerprint<G> {
    /// One that knows these suspects, and for whom we ask.
    ///
    /// # Errors
    /// When one of the questions cannot be asked.
    pub fn new(lineup: Lineup, us: &Config, assets: &Assets) -> Result<Fingerprint<G>, EngineError> {
        let watch = Watch::new(&lineup.questions, assets)?;
        let scale = Scale::new(&lineup, us);
        let inquiry = Inquiry::new(Arc::new(lineup));
        let mut fingerprint = Fingerprint {
            watch,
            inquiry,
            scale,
            beliefs: Vec::new(),
            met: false,
            moves: 0,
            debt: Debt::default(),
            pondered: 0,
        };
        fingerprint.believe();
        Ok(fingerprint)
    }

    fn believe(&mut self) {
        let (known, none) = self.inquiry.known();
        let known = known.into_iter().map(|(style, probability)| Belief { style: style.into(), probability });
        self.beliefs = known.collect();
        self.beliefs.push(Belief { style: Inquiry::NONE.into(), probability: none });
    }

    /// How probably the opponent is weaker than we are, equal and stronger.
    pub(super) fn classes(&self) -> [f64; 3] {
        self.inquiry.classes_by(self.us())
    }

    /// How strong we are, in Elo, by what our searches have in this game.
    fn us(&self) -> f64 {
        self.scale.elo(self.debt.ours())
    }

    /// Whom the opponent may be, the likeliest first of those who were asked as often. Nobody searches as somebody whom it is not.
    fn order(&self) -> Vec<usize> {
        let questions = self.inquiry.lineup().questions.iter().enumerate();
        let likely = questions.map(|(place, question)| (self.inquiry.like(&question.name), place));
        let likely = likely.filter(|(likely, _)| *likely >= margins::SUSPECT_ASKED);
        let turns = |(likely, place): (f64, usize)| (likely / f64::from(1 + self.watch.asked[place]), place);
        let mut asked: Vec<(f64, usize)> = likely.map(turns).collect();
        // Of those that are as likely the cheapest are first, as they stand in a line-up.
        asked.sort_by(|a, b| b.0.total_cmp(&a.0));
        asked.into_iter().map(|(_, place)| place).collect()
    }
}

impl<G: Kit> OpponentModel<G> for Fingerprint<G> {
    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        (self.met, self.moves, self.debt, self.pondered) = (prior.is_some(), 0, Debt::default(), 0);
        self.watch.begin(seat, seed);
        self.inquiry.begin(|name| prior?.probability(name));
        self.believe();
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        self.moves += u32::from(ply.seat == self.watch.them);
        if self.moves > margins::SUSPECTS_WATCHED {
            return;
        }
        let world = G::sample(before, &mut Rng::new(0));
        let ours = self.debt.left(margins::SUSPECTS_OWED);
        let most = if self.pondered < ours { ours } else { 0 };
        let (answers, spent) = self.watch.hear_within(&world, ply, &self.order(), most);
        self.debt.add(spent, 0);
        if ply.seat == self.watch.them {
            self.inquiry.moved();
        }
        self.inquiry.hear(&answers);
        self.believe();
    }

    fn posterior(&self) -> &[Belief] {
        &self.beliefs
    }

    fn estimate(&self) -> Option<Estimate> {
        Some(self.inquiry.estimate_by(self.us()))
    }

    fn impression(&self) -> Option<Impression> {
        (self.met || self.watch.moved).then(|| self.inquiry.impression_by(self.us()))
    }

    /// Who somebody is does not say how to play against him: see [`Adapt`](super::Adapt).
    fn stance(&self) -> Stance {
        Stance::default()
    }

    fn predict(&mut self, _: &G, _: &[G::Action], out: &mut [f32]) {
        out.fill(0.0);
    }

    fn chose(&mut self, nodes: u64) {
        self.debt.searched(nodes);
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop) -> u64 {
        // By the clock it is the opponent's time: nothing is paid with it, or owed for it.
        let had = nodes.map_or(u64::MAX, |nodes| self.debt.pay(nodes));
        let paid = nodes.map_or(0, |nodes| nodes - had);
        let mut spent = 0;
        if self.watch.moved && self.moves < margins::SUSPECTS_WATCHED {
            let world = G::sample(view, &mut Rng::new(0));
            let most = had.min(self.debt.ours() / margins::SUSPECTS_PONDERED);
            spent = self.watch.search(&world, &self.order(), most, stop);
            self.debt.add(spent, had);
        }
        // Who is stopped has had no more time than for that.
        self.pondered = nodes.unwrap_or(if stop.is_set() { spent } else { u64::MAX });
        paid + spent
    }

    fn take_owed(&mut self) -> u64 {
        self.debt.installment()
    }
}
