//! Leaves: captures until the position is calm.

use anglerfish_rules::banqi::{Action, Event, Position, history};

use super::feature::Feature;
use super::order::{Queue, Scored, capture_order, gains, take_best};
use super::worker::{Window, Worker};
use crate::eval::Evaluator;
use crate::score::{Score, ply_adjusted, with_contempt};

impl<E: Evaluator<Position>> Worker<'_, '_, E> {
    /// The value of a position without a full search; the game is not over.
    #[inline]
    pub(super) fn leaf(&mut self, p: &Position, window: Window, ply: usize) -> Score {
        if self.plan.has(Feature::Quiesce) {
            self.quiesce(p, window, ply)
        } else {
            self.nodes += 1;
            self.estimate(p, ply)
        }
    }

    /// The evaluation of a position, with contempt if that is set.
    #[inline]
    pub(super) fn estimate(&mut self, p: &Position, ply: usize) -> Score {
        let score = self.memory.eval.evaluate(p);
        match self.plan.level {
            0 => score,
            level => with_contempt(score, if ply.is_multiple_of(2) { level } else { -level }),
        }
    }

    fn quiesce(&mut self, p: &Position, window: Window, ply: usize) -> Score {
        let Window { mut alpha, beta } = window;
        self.nodes += 1;
        if self.over_limits() {
            return 0;
        }
        // Step 1. The mover need not capture: the position is worth at least its evaluation.
        let mut best = self.estimate(p, ply);
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);
        // Step 2. Captures that do not lose by themselves.
        let Some(us) = p.side() else { return best };
        let mut queue = Queue::new();
        for action in p.moves_of(us).onto(p.color(us.other())).iter() {
            if let Action::Move { from, to } = action
                && gains(p, from, to, us)
            {
                queue.push(Scored { action, order: capture_order(p, from, to) });
            }
        }
        let mut tried = 0;
        while let Some(Scored { action, .. }) = take_best(&mut queue, tried) {
            tried += 1;
            let Action::Move { from, to } = action else { continue };
            let mut next = *p;
            next.play(Event::Move { from, to }, &self.plan.rules);
            let origin = self.enter(history::origin(next.key()), true);
            let score = match self.end(&next, ply + 1) {
                Some(score) => {
                    self.nodes += 1;
                    score
                }
                None => self.quiesce(&next, Window { alpha, beta }.theirs(), ply + 1),
            };
            self.leave(origin);
            if self.aborted {
                return 0;
            }
            let score = -ply_adjusted(score);
            if score > best {
                best = score;
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        best
    }
}
