//! Plays against whom the opponent seems to be: fingerprints say who it is like and how strong, and this says what to do about it.
//!
//! What it changes is what a draw is worth, or which replies are foreseen, or both. A draw is worth less than nothing against the weaker and more against the stronger, by how probable it is that the opponent is that, in a few steps: a search can use nothing of one before it that valued draws differently. And replies are foreseen by
//! searching as a candidate would that has foreseen them before, the cheapest of those that do it best. A *gate* is before it: what differed from the replies that we expected ourselves has to have come true. Where both expect the same, foresight changes nothing, and
//! proves nothing. Where our search took what is foreseen for certain it has expected nothing of its own; then all replies count, so that the gate closes again. And what it costs to ask has to leave room for several questions: one about the choice that is best anyway changes nothing, and has cost nodes.

use anglerfish_rules::{Game, Ply, Rng, Seat};

use super::{Adapting, Belief, Estimate, Fingerprint, Impression, OpponentModel, Profile};
use crate::kit::Kit;
use crate::limits::Stop;
use crate::margins;
use crate::score::Value;
use crate::stance::{DrawScope, Draws, Stance};

/// See the module.
pub struct Adapt<G: Game> {
    fingerprint: Fingerprint<G>,
    them: Seat,
    adapting: Adapting,
    trust: f32,
    /// By question: replies that were foreseen right.
    seen: Vec<Seen>,
    /// Whose replies our next search foresees, by the place of its question.
    place: Option<usize>,
    /// The answer that our last search expected, and whether it took what was foreseen for certain.
    reply: Option<G::Action>,
    staked: bool,
    /// Nodes of the last prediction.
    spent: u64,
}

/// What came of replies that somebody foresaw.
#[derive(Clone, Copy, Default)]
struct Seen {
    /// All of them, and how many were right.
    of: u32,
    hits: u32,
    /// Those that differed from what our own search expected or on which it staked its choice, and how many of these were right.
    mattered: u32,
    won: u32,
}

impl Seen {
    fn add(&mut self, right: bool, matters: bool) {
        self.of += 1;
        self.hits += u32::from(right);
        self.mattered += u32::from(matters);
        self.won += u32::from(right && matters);
    }

    /// How likely the next one is right if it matters. The others say nothing: what is chosen for an answer that is a mistake is chosen just where somebody
    /// better would not make it, so all hits together promise too much. Nobody is quite believed before it has shown.
    fn sure(self) -> f32 {
        let [won, mattered] = margins::ADAPT_PRIOR;
        (self.won as f32 + won) / (self.mattered as f32 + mattered)
    }

    /// Whether that is likely enough.
    fn is_open(self) -> bool {
        self.sure() >= margins::ADAPT_GATE
    }
}

impl<G: Kit> Adapt<G> {
    /// Adapts this to what fingerprints say; predictions are believed so far at most.
    pub fn new(fingerprint: Fingerprint<G>, adapting: Adapting, trust: f32) -> Adapt<G> {
        Adapt {
            fingerprint,
            them: Seat(0),
            adapting,
            trust,
            seen: Vec::new(),
            place: None,
            reply: None,
            staked: false,
            spent: 0,
        }
    }

    /// Whose replies are to be foreseen: the cheapest of those that have foreseen them best; nobody's as long as much is owed.
    fn best(&self) -> Option<usize> {
        let asks = self.fingerprint.debt().is_small();
        let open = |place: &usize| asks && self.seen[*place].is_open() && self.is_cheap(*place);
        let best = (0..self.seen.len()).filter(open).map(|place| self.seen[place].sure()).fold(0.0, f32::max);
        let good = |place: &usize| self.seen[*place].sure() >= best - margins::ADAPT_AS_GOOD;
        (0..self.seen.len()).filter(open).filter(good).min_by_key(|place| self.fingerprint.cost(*place))
    }

    /// Whether the nodes of a search of ours are enough for several of its answers.
    fn is_cheap(&self, place: usize) -> bool {
        let questions = margins::ADAPT_QUESTIONS * margins::FORESIGHT_SHARE;
        self.fingerprint.cost(place).saturating_mul(questions) <= self.fingerprint.debt().ours()
    }

    /// What draws are worth to us: about the average of what is best against the weaker, equals and the stronger.
    fn draw(&self) -> Option<Value> {
        if self.adapting == Adapting::Replies {
            return None;
        }
        let [weaker, _, stronger] = self.fingerprint.classes();
        let [low, high] = margins::ADAPT_DRAW;
        let worth = weaker as f32 * low + stronger as f32 * high;
        Some(Value((worth * margins::ADAPT_STEPS).round() / margins::ADAPT_STEPS))
    }
}

impl<G: Kit> OpponentModel<G> for Adapt<G> {
    fn begin(&mut self, seat: Seat, seed: u64, prior: Option<&Profile>) {
        (self.them, self.place, self.reply, self.staked, self.spent) = (seat, None, None, false, 0);
        self.seen.clear();
        self.fingerprint.begin(seat, seed, prior);
    }

    fn observe(&mut self, before: &G::View, ply: &Ply<G::Event>) {
        self.fingerprint.observe(before, ply);
        if ply.seat != self.them || self.adapting == Adapting::Draws {
            return;
        }
        let world = G::sample(before, &mut Rng::new(0));
        let played = G::action_of(ply.event);
        let reply = self.reply.take();
        self.seen.resize_with(self.fingerprint.questions(), Seen::default);
        for place in 0..self.seen.len() {
            // Only what was searched for anyway.
            if self.fingerprint.price_of(place, &world) == 0
                && let Some((action, _)) = self.fingerprint.foresee(place, &world)
            {
                let matters = reply.is_some_and(|reply| self.staked || reply != action);
                self.seen[place].add(action == played, matters);
            }
        }
        self.place = self.best();
    }

    fn posterior(&self) -> &[Belief] {
        self.fingerprint.posterior()
    }

    fn estimate(&self) -> Option<Estimate> {
        self.fingerprint.estimate()
    }

    fn impression(&self) -> Option<Impression> {
        let replies = self.place.map(|place| (self.seen[place].hits, self.seen[place].of));
        Some(Impression { draw: self.draw(), replies, ..self.fingerprint.impression()? })
    }

    fn stance(&self) -> Stance {
        let us = self.them.team().other();
        let draws = self.draw().map(|value| Draws { us, value: value.to_score(), scope: DrawScope::All });
        Stance { draws, trust: self.place.map(|_| self.trust) }
    }

    fn predict(&mut self, game: &G, actions: &[G::Action], out: &mut [f32]) {
        out.fill(0.0);
        self.spent = 0;
        let Some(place) = self.place.filter(|_| self.fingerprint.debt().is_small()) else { return };
        let price = self.fingerprint.price_of(place, game);
        let sure = self.seen[place].sure();
        let Some((choice, nodes)) = self.fingerprint.foresee(place, game) else { return };
        self.spent = self.fingerprint.debt_mut().charge(nodes, price);
        if let Some(place) = actions.iter().position(|&action| action == choice) {
            out[place] = sure;
        }
    }

    fn nodes(&self) -> u64 {
        self.spent
    }

    fn price(&self, game: &G) -> u64 {
        self.place.map_or(0, |place| self.fingerprint.price_of(place, game))
    }

    fn chose(&mut self, nodes: u64, reply: Option<G::Action>) {
        let sure = self.place.map_or(0.0, |place| self.trust * self.seen[place].sure());
        (self.reply, self.staked) = (reply, sure >= margins::FORESIGHT_CERTAIN as f32 / 100.0);
        self.fingerprint.chose(nodes, reply);
        self.place = self.best();
    }

    fn ponder(&mut self, view: &G::View, nodes: Option<u64>, stop: &Stop) -> u64 {
        self.fingerprint.ponder(view, nodes, stop)
    }

    fn take_owed(&mut self) -> u64 {
        self.fingerprint.take_owed()
    }
}
