//! One flip: the average over its outcomes, pruned by Star1 and Star2.
//!
//! Sums of weight times score stay in `i64`; bounds compare sums, and only the end divides, toward zero, so that negation
//! commutes. Windows of outcomes are rounded outward: they may be wider than needed, never narrower.
//!
//! Ballard 1983, "The *-minimax search procedure for trees containing chance nodes".

use anglerfish_rules::ChanceOutcome;
use anglerfish_rules::banqi::{Action, Event, Piece, Position, Square, history};
use arrayvec::ArrayVec;

use super::feature::Feature;
use super::order::take_best;
use super::settings::Star;
use super::table::Bound;
use super::worker::{Window, Worker};
use crate::eval::Evaluator;
use crate::score::{Score, WIN, ply_adjusted};

/// One kind of piece that may come up.
struct Outcome {
    weight: i64,
    next: Position,
    /// An upper bound of its value to the side that flips.
    most: Score,
}

type Outcomes = ArrayVec<Outcome, { Piece::COUNT }>;

impl<E: Evaluator<Position>> Worker<'_, '_, E> {
    /// What turning over `at` is worth to the side to move, looking `depth` plies ahead after it. `ROOT` says whether it is a choice at
    /// the root, where replies are foreseen.
    pub(super) fn flip<const ROOT: bool>(
        &mut self,
        p: &Position,
        at: Square,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        let mut outcomes = self.outcomes(p, at);
        let total: i64 = outcomes.iter().map(|o| o.weight).sum();
        let Window { alpha, beta } = window;
        let (low, high) = (i64::from(alpha) * total, i64::from(beta) * total);
        // The most and the least that the whole sum can still become.
        let mut most: i64 = outcomes.iter().map(|o| o.weight * i64::from(o.most)).sum();
        let mut least = -total * i64::from(WIN);

        // Step 1. Star2: one answer to each outcome, or what the table knows, may already show that the flip is too bad.
        // Where answers are foreseen, one answer shows nothing.
        if self.plan.settings.star == Star::Star2 && depth >= 1 && !(ROOT && self.shared.foresight.is_some())
        {
            for i in 0..outcomes.len() {
                let Outcome { weight, next, most: before } = &outcomes[i];
                let (weight, next, before) = (*weight, *next, *before);
                let floor = div_floor(low - (most - weight * i64::from(before)), weight);
                let probed = self.probe(&next, Window { alpha: clamp(floor), beta: WIN + 1 }, depth, ply);
                if self.aborted {
                    return 0;
                }
                if probed < before {
                    most -= weight * i64::from(before - probed);
                    outcomes[i].most = probed;
                    if most <= low {
                        return (most / total) as Score;
                    }
                }
            }
        }

        // Step 2. Each outcome, with the window that the others leave it (Star1).
        for Outcome { weight, next, most: bound } in &outcomes {
            if self.plan.settings.star != Star::None {
                if most <= low {
                    return (most / total) as Score;
                }
                if least >= high {
                    return (least / total) as Score;
                }
            }
            let (rest_most, rest_least) =
                (most - weight * i64::from(*bound), least + weight * i64::from(WIN));
            let child = if self.plan.settings.star == Star::None {
                Window::FULL
            } else {
                let alpha = clamp(div_floor(low - rest_most, *weight));
                Window { alpha, beta: clamp(-div_floor(-(high - rest_least), *weight)) }
            };
            let score = self.outcome_score::<ROOT>(next, child, depth, ply);
            if self.aborted {
                return 0;
            }
            most = rest_most + weight * i64::from(score);
            least = rest_least + weight * i64::from(score);
            // Outside its window a score is only a bound, and then the bound has decided.
            if score <= child.alpha {
                return (most / total) as Score;
            }
            if score >= child.beta {
                return (least / total) as Score;
            }
        }
        debug_assert_eq!(most, least, "every outcome has its score");
        (most / total) as Score
    }

    /// What each outcome of a flip at the root is worth to the side to move, with full windows.
    pub(super) fn fan(&mut self, p: &Position, at: Square, depth: i32) -> Vec<(ChanceOutcome<Event>, Score)> {
        let outcomes = self.outcomes(p, at);
        let pieces: Vec<Piece> = sorted(p).map(|(piece, _)| piece).collect();
        let score = |(piece, outcome): (Piece, &Outcome)| {
            let event = Event::Flip { at, piece };
            let score = self.outcome_score::<true>(&outcome.next, Window::FULL, depth, 0);
            (ChanceOutcome { event, weight: outcome.weight as u32 }, score)
        };
        pieces.into_iter().zip(&outcomes).map(score).collect()
    }

    fn outcomes(&self, p: &Position, at: Square) -> Outcomes {
        let outcome = |(piece, n): (Piece, u32)| {
            let mut next = *p;
            next.play(Event::Flip { at, piece }, &self.plan.rules);
            Outcome { weight: i64::from(n), next, most: WIN }
        };
        sorted(p).map(outcome).collect()
    }

    #[inline]
    fn outcome_score<const ROOT: bool>(
        &mut self,
        next: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        let origin = self.enter(history::origin(next.key()), true);
        let theirs = window.theirs();
        let wide = theirs.beta - theirs.alpha > 2;
        let score = match (ROOT, wide) {
            (true, true) => self.reply::<true>(next, theirs, depth),
            (true, false) => self.reply::<false>(next, theirs, depth),
            (false, true) => self.node::<true>(next, theirs, depth, ply + 1),
            (false, false) => self.node::<false>(next, theirs, depth, ply + 1),
        };
        self.leave(origin);
        -ply_adjusted(score)
    }

    /// An upper bound of what an outcome is worth to the side that flips: how it fares against one answer.
    fn probe(&mut self, next: &Position, window: Window, depth: i32, ply: usize) -> Score {
        let origin = self.enter(history::origin(next.key()), true);
        let bound = self.probed(next, window, depth, ply);
        self.leave(origin);
        bound
    }

    fn probed(&mut self, next: &Position, window: Window, depth: i32, ply: usize) -> Score {
        if let Some(score) = self.end(next, ply + 1) {
            return -ply_adjusted(score);
        }
        let entry = self.known(next, depth, ply + 1);
        if let Some(entry) = entry
            && (if self.plan.strict { entry.depth == depth } else { entry.depth >= depth })
            && entry.bound != Bound::Upper
        {
            return -ply_adjusted(entry.score);
        }
        // A capture is the answer that refutes a flip, if any does.
        let Some(them) = next.side() else { return WIN };
        let first = entry.and_then(|e| e.action);
        let mut queue = self.memory.queue_moves(next, them, ply + 1, first, self.plan.has(Feature::Order));
        let Some(best) = take_best(&mut queue, 0) else { return WIN };
        let Action::Move { from, to } = best.action else { return WIN };
        if !next.color(them.other()).contains(to) && first != Some(best.action) {
            return WIN;
        }
        let mut answer = *next;
        let change = answer.play(Event::Move { from, to }, &self.plan.rules);
        let quiet = change == anglerfish_rules::banqi::Change::Step;
        let origin = self.enter(history::word(from, to, answer.key()), !quiet);
        // Twice the other side: the window is ours again.
        let score = self.node::<false>(&answer, window.theirs().theirs(), depth - 1, ply + 2);
        self.leave(origin);
        -ply_adjusted(-ply_adjusted(score))
    }
}

/// The kinds in the bag, the most numerous first: they decide soonest.
#[inline]
fn sorted(p: &Position) -> impl Iterator<Item = (Piece, u32)> {
    let mut kinds: ArrayVec<(Piece, u32), { Piece::COUNT }> = p.bag().iter().collect();
    kinds.sort_by_key(|&(_, n)| std::cmp::Reverse(n));
    kinds.into_iter()
}

fn div_floor(a: i64, b: i64) -> i64 {
    a.div_euclid(b)
}

/// A bound of a window, at most one beyond what a score can be.
pub(super) fn clamp(bound: i64) -> Score {
    bound.clamp(i64::from(-WIN - 1), i64::from(WIN + 1)) as Score
}
