//! Speculative expectiminimax: uses a model's predictions of the opponent's next answer.
//!
//! A perfect opponent gives the best answer, a modelled one the predicted answers. The value of a position after our choice weighs
//! the first by `1 − trust` and the second by `trust`; probability that the model leaves open counts as perfect play.
//! A nearly certain answer is searched as if it were forced, with the window and the depth of the best one, and no other answer
//! is searched. Otherwise the mean of the predicted answers is found first, so that a window for the whole becomes one for the
//! best answer alone.
//!
//! A model that has to search for its answer is asked only about the best choices, and for no more than a part of the nodes searched
//! so far.
//!
//! Only answers to our next choice are predicted. Everything below is plain search, so the table holds nothing that depends
//! on a model, and without trust not one node is different.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};

use anglerfish_rules::banqi::{Action, Banqi, Change, Event, Position, RuleSet, history};
use anglerfish_rules::{Game, Seat};

use super::chance::clamp;
use super::feature::Feature;
use super::worker::{Window, Worker};
use crate::eval::Evaluator;
use crate::opponent::Opponents;
use crate::parameters;
use crate::score::{Score, WIN, ply_adjusted};

/// Probabilities are counted in parts of this.
const ONE: i64 = 1 << 12;

/// Answers less probable than this part are not looked at.
const RARE: i64 = ONE / parameters::FORESIGHT_RARE;

/// Answers with their probabilities in parts of [`ONE`], trust included; they may sum to less.
type Answers = Arc<[(Action, i64)]>;

/// The answer that is nearly certain, if one is.
fn certain(answers: &Answers) -> Option<Action> {
    let likeliest = answers.iter().max_by_key(|(_, part)| part);
    likeliest
        .filter(|&&(_, part)| part >= ONE * parameters::FORESIGHT_CERTAIN / 100)
        .map(|&(action, _)| action)
}

/// The model of the opponent, shared by all threads of a search.
pub(super) struct Foresight<'a> {
    /// How far to believe it, in parts of [`ONE`].
    trust: i64,
    rules: RuleSet,
    model: Mutex<Model<'a>>,
}

struct Model<'a> {
    opponents: &'a mut Opponents<Banqi>,
    them: Seat,
    /// By the keys of the positions after our choices.
    predicted: BTreeMap<u64, Answers>,
    /// Nodes that predictions have cost.
    asked: u64,
}

impl<'a> Foresight<'a> {
    /// `None` without trust, or if it is not our turn to choose.
    pub(super) fn new(
        game: &Banqi,
        trust: f32,
        opponents: &'a mut Opponents<Banqi>,
    ) -> Option<Foresight<'a>> {
        let trust = (f64::from(trust) * ONE as f64).round() as i64;
        let us = opponents.us();
        let ours = game.turn().seat() == Some(us) && game.position().side().is_some();
        let model = Model { opponents, them: Seat(1 - us.0), predicted: BTreeMap::new(), asked: 0 };
        (trust > 0 && ours).then(|| Foresight { trust, rules: *game.ruleset(), model: Mutex::new(model) })
    }

    /// The foreseen answer in this position, if it is nearly certain.
    pub(super) fn certain(&self, p: &Position) -> Option<Action> {
        let model = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        model.predicted.get(&p.key()).and_then(certain)
    }

    /// The predicted answers in a position at the end of a line, and their cost in nodes; `None` if that is too much for now, or not
    /// `worth` it.
    fn answers(&self, p: &Position, line: &[u64], nodes: u64, worth: bool) -> Option<(Answers, u64)> {
        // A model that panicked has taken the search with it.
        let mut guard = self.model.lock().unwrap_or_else(PoisonError::into_inner);
        let Model { opponents, them, predicted, asked } = &mut *guard;
        if let Some(known) = predicted.get(&p.key()) {
            return Some((Arc::clone(known), 0));
        }
        let game = Banqi::resumed(*p, self.rules, line);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut shares = vec![0.0; actions.len()];
        let most = if worth { (nodes / parameters::FORESIGHT_SHARE).saturating_sub(*asked) } else { 0 };
        let cost = opponents.predict(*them, &game, &actions, &mut shares, most)?;
        let part = |share: f32| (f64::from(share) * ONE as f64).round() as i64;
        let parts = shares.iter().map(|&share| part(share) * self.trust / ONE);
        let answers: Answers = actions.into_iter().zip(parts).filter(|&(_, part)| part > 0).collect();
        predicted.insert(p.key(), Arc::clone(&answers));
        *asked += cost;
        Some((answers, cost))
    }
}

impl<E: Evaluator<Position>> Worker<'_, '_, E> {
    /// A [`node`](Worker::node) right after a choice of ours: what the position is worth to the opponent, if it replies as we believe.
    /// The root enters here. Below it no node knows of models.
    #[inline]
    pub(super) fn reply<const PV: bool>(&mut self, p: &Position, window: Window, depth: i32) -> Score {
        if let Some(foresight) = &self.shared.foresight
            && depth > 0
            && self.end(p, 1).is_none()
            && let Some(score) = self.foreseen::<PV>(foresight, p, window, depth, 1)
        {
            return score;
        }
        self.node::<PV>(p, window, depth, 1)
    }

    /// What a position in which the opponent has to move is worth to it, if it plays as well as we believe. None where the model is not asked.
    fn foreseen<const PV: bool>(
        &mut self,
        foresight: &Foresight<'_>,
        p: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Option<Score> {
        // The first iterations say little about which choices are worth a question.
        let worth = self.contender && depth >= parameters::FORESIGHT_DEPTH;
        let searched = self.shared.nodes.load(Ordering::Relaxed) + self.nodes - self.reported;
        let (answers, nodes) = foresight.answers(p, self.history(), searched, worth)?;
        self.nodes += 1 + nodes;
        if self.over_limits() {
            return Some(0);
        }
        Some(match certain(&answers) {
            Some(action) => self.answered::<PV>(p, action, window, depth, ply),
            None => self.mixed::<PV>(&answers, p, window, depth, ply),
        })
    }

    /// The value of one answer to the side that gives it.
    fn answered<const PV: bool>(
        &mut self,
        p: &Position,
        action: Action,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        match action {
            Action::Flip(at) => self.flip::<false>(p, at, window, self.flip_depth(depth), ply),
            Action::Move { from, to } => {
                let mut next = *p;
                let change = next.play(Event::Move { from, to }, &self.plan.rules);
                let origin = self.enter(history::word(from, to, next.key()), change != Change::Step);
                let score = -ply_adjusted(self.node::<PV>(&next, window.theirs(), depth - 1, ply + 1));
                self.leave(origin);
                score
            }
        }
    }

    /// The mean over predicted answers, with the best answer for the rest of the probability.
    fn mixed<const PV: bool>(
        &mut self,
        answers: &Answers,
        p: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        let (mean, part) = self.mean_answer(answers, p, depth, ply);
        if self.aborted {
            return 0;
        }
        let (known, rest) = (i64::from(mean) * part, ONE - part);
        let whole = |best: Score| ((known + i64::from(best) * rest) / ONE) as Score;
        let Window { alpha, beta } = window;
        // Even the best or the worst of the other answers would not bring it into the window.
        if whole(WIN) <= alpha {
            return whole(WIN);
        }
        if whole(-WIN) >= beta {
            return whole(-WIN);
        }
        let window = Window {
            alpha: clamp((i64::from(alpha) * ONE - known).div_euclid(rest)),
            beta: clamp(-(known - i64::from(beta) * ONE).div_euclid(rest)),
        };
        whole(self.node::<PV>(p, window, depth, ply))
    }

    /// The mean over predicted answers for the side that gives them, and its share of the whole, in parts of [`ONE`].
    fn mean_answer(&mut self, answers: &Answers, p: &Position, depth: i32, ply: usize) -> (Score, i64) {
        if let Some(&known) = self.means.get(&(p.key(), depth)) {
            return known;
        }
        let foreseen: i64 = answers.iter().map(|&(_, part)| part).sum();
        if foreseen < ONE / parameters::FORESIGHT_LITTLE {
            return (0, 0);
        }
        // Among many flips one is like another, and all are like a null move.
        let alike = self.plan.has(Feature::Selection) && p.hidden().len() > 2;
        let (mut sum, mut weight, mut flips) = (0, 0, 0);
        for &(action, part) in &**answers {
            if alike && matches!(action, Action::Flip(_)) {
                flips += part;
            } else if part >= RARE {
                sum += part * i64::from(self.answered::<true>(p, action, Window::FULL, depth, ply));
                weight += part;
            }
        }
        if flips >= RARE && !self.aborted {
            sum += flips * i64::from(self.null_move(p, Window::FULL, depth - 1, ply));
            weight += flips;
        }
        let mean = if weight == 0 { 0 } else { (sum / weight) as Score };
        // One part always remains for answers that the model did not expect.
        let known = (mean, weight.min(ONE - 1));
        if !self.aborted {
            self.means.insert((p.key(), depth), known);
        }
        known
    }
}
