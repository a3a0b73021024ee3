//! Fingerprints: they ask sources about every move of the opponent, above all replicas of the candidates. The moves that each foresees
//! identify the opponent.
//!
//! [`Watch`] asks the questions of a line-up about a game, and [`Fingerprint`] makes a posterior of the answers.
//!
//! The nodes of the candidates come out of our own: a part of the nodes that we may ponder for, or, where that is next to nothing, a small
//! part of the nodes of our next search. So the candidates take turns, the likelier more often, and only in the opening. There most moves are
//! flips, so that we gain least from pondering ourselves, and line-ups are measured there. Later in a game all players move to and fro in the
//! same way, and a candidate that is cheap to ask seems right.

use std::sync::Arc;

use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary};
use anglerfish_engine::{Assets, Belief, Config, EngineError, Profile, Stance, Stop};
use anglerfish_rules::{Game, Ply, Rng, Seat};

use crate::candidates::{CandidateTable, Estimate, Posterior, Question};
use crate::{Modelled, Scale, Source, parameters};

/// Asks the questions of a line-up.
pub struct Watch<G: Game> {
    sources: Vec<Box<dyn Source<G>>>,
    /// How often each source has searched in this game.
    asked: Vec<u32>,
    them: Seat,
    /// Whether the opponent has moved: its first move tells nothing, and no candidate searches for it.
    moved: bool,
}

impl<G: Modelled> Watch<G> {
    /// Asks these questions.
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

    /// The answer of each source to a ply of any seat, if it has one.
    pub fn hear(&mut self, before: &G, ply: &Ply<G::Event>) -> Vec<Option<usize>> {
        let all: Vec<usize> = (0..self.sources.len()).collect();
        self.hear_within(before, ply, &all, u64::MAX).0
    }

    /// The same, but sources that need a search are asked in this order, for at most so many nodes. Returns the nodes spent, too.
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

    /// Lets sources search for the opponent's next move, in this order and for at most so many nodes. Returns the nodes spent.
    fn search(&mut self, game: &G, order: &[usize], most: u64, stop: &Stop) -> u64 {
        let mut spent = 0;
        for &place in order {
            if stop.is_set() {
                break;
            }
            let source = &mut self.sources[place];
            let price = source.price(game);
            // A source that is stopped gives no answer and keeps its turn.
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

/// A posterior over the candidates of a line-up, by the moves of the opponent that each foresees.
pub struct Fingerprint<G: Game> {
    watch: Watch<G>,
    posterior: Posterior,
    scale: Scale,
    beliefs: Vec<Belief>,
    /// Whether it knew something of the opponent when the game began.
    met: bool,
    /// Moves of the opponent.
    moves: u32,
    /// The nodes that we could last ponder for.
    pondered: u64,
}

impl<G: Modelled> Fingerprint<G> {
    /// The model that a configuration asks for.
    ///
    /// # Errors
    /// When there is no such line-up, or one of its questions cannot be asked.
    pub fn of(config: &Config, assets: &Assets) -> Result<Fingerprint<G>, EngineError> {
        let needs =
            || EngineError::Model("opponent=fingerprint and opponent=adapt need candidates=ASSET".to_owned());
        let name = config.opponent.word("candidates").ok_or_else(needs)?;
        Fingerprint::new(assets.parsed(name, CandidateTable::read)?, config, assets)
    }

    /// A model with these candidates; our own strength is read off the same line-up.
    ///
    /// # Errors
    /// When one of the questions cannot be asked.
    pub fn new(lineup: CandidateTable, us: &Config, assets: &Assets) -> Result<Fingerprint<G>, EngineError> {
        let watch = Watch::new(&lineup.questions, assets)?;
        let scale = Scale::new(&lineup, us);
        let posterior = Posterior::new(Arc::new(lineup));
        let mut fingerprint =
            Fingerprint { watch, posterior, scale, beliefs: Vec::new(), met: false, moves: 0, pondered: 0 };
        fingerprint.believe();
        Ok(fingerprint)
    }

    fn believe(&mut self) {
        let (known, none) = self.posterior.known();
        let known = known.into_iter().map(|(style, probability)| Belief { style: style.into(), probability });
        self.beliefs = known.collect();
        self.beliefs.push(Belief { style: Posterior::NONE.into(), probability: none });
    }

    /// The probabilities that the opponent is weaker than we are, equal, and stronger.
    pub(crate) fn classes(&self, debt: &Debt) -> [f64; 3] {
        self.posterior.classes_by(self.us(debt))
    }

    /// The opponent's strength, and the players it resembles.
    pub fn estimate(&self, debt: &Debt) -> Estimate {
        self.posterior.estimate_by(self.us(debt))
    }

    /// Our own strength in Elo, by the nodes of our searches in this game.
    fn us(&self, debt: &Debt) -> f64 {
        self.scale.elo(debt.ours())
    }

    /// The order in which candidates search: by their probability over the number of times they were asked. Improbable candidates do not search.
    fn order(&self) -> Vec<usize> {
        let questions = self.posterior.lineup().questions.iter().enumerate();
        let likely = questions.map(|(place, question)| (self.posterior.like(&question.name), place));
        let likely = likely.filter(|(likely, _)| *likely >= parameters::SUSPECT_ASKED);
        let turns = |(likely, place): (f64, usize)| (likely / f64::from(1 + self.watch.asked[place]), place);
        let mut asked: Vec<(f64, usize)> = likely.map(turns).collect();
        // Among equals the cheapest comes first, as in the line-up.
        asked.sort_by(|a, b| b.0.total_cmp(&a.0));
        asked.into_iter().map(|(_, place)| place).collect()
    }
}

impl<G: Modelled> OpponentModel<G> for Fingerprint<G> {
    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        (self.met, self.moves, self.pondered) = (prior.is_some(), 0, 0);
        self.watch.begin(seat, seed);
        self.posterior.begin(|name| prior?.probability(name));
        self.believe();
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>, debt: &mut Debt) {
        self.moves += u32::from(ply.seat == self.watch.them);
        if self.moves > parameters::SUSPECTS_WATCHED {
            return;
        }
        let world = G::sample(before, &mut Rng::new(0));
        let ours = debt.left(parameters::SUSPECTS_OWED);
        let most = if self.pondered < ours { ours } else { 0 };
        let (answers, spent) = self.watch.hear_within(&world, ply, &self.order(), most);
        debt.add(spent, 0);
        if ply.seat == self.watch.them {
            self.posterior.moved();
        }
        self.posterior.hear(&answers);
        self.believe();
    }

    /// Fingerprints leave the stance open: see [`Adapt`](crate::Adapt).
    fn summary(&self, debt: &Debt) -> OpponentSummary {
        let known = self.met || self.watch.moved;
        OpponentSummary {
            beliefs: self.beliefs.clone(),
            stance: Stance::default(),
            estimate: known.then(|| self.posterior.player_estimate_by(self.us(debt))),
        }
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop, debt: &mut Debt) -> u64 {
        // Under a clock this is the opponent's time: it pays no debt and makes none.
        let had = nodes.map_or(u64::MAX, |nodes| debt.pay(nodes));
        let paid = nodes.map_or(0, |nodes| nodes - had);
        let mut spent = 0;
        if self.watch.moved && self.moves < parameters::SUSPECTS_WATCHED {
            let world = G::sample(view, &mut Rng::new(0));
            let most = had.min(debt.ours() / parameters::SUSPECTS_PONDERED);
            spent = self.watch.search(&world, &self.order(), most, stop);
            debt.add(spent, had);
        }
        // If it was stopped, there was no time for more nodes.
        self.pondered = nodes.unwrap_or(if stop.is_set() { spent } else { u64::MAX });
        paid + spent
    }
}
