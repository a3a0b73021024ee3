//! One position of the tree: its table entry, its actions, its pruning.

use anglerfish_rules::banqi::{Action, Change, Event, Position, history};

use super::feature::Feature;
use super::order::{Queue, Scored, queue_flips, take_best};
use super::settings::MAX_PLY;
use super::table::{Bound, Entry};
use super::worker::{Coming, Window, Worker};
use crate::eval::Evaluator;
use crate::parameters;
use crate::score::{MAX_EVAL, Score, WIN, ply_adjusted};

impl<E: Evaluator<Position>> Worker<'_, '_, E> {
    /// The value of a position to the side to move, with `depth` plies searched.
    #[expect(clippy::too_many_lines, reason = "one node is one story, cut by numbered steps")]
    pub(super) fn node<const PV: bool>(
        &mut self,
        p: &Position,
        window: Window,
        depth: i32,
        ply: usize,
    ) -> Score {
        let Window { mut alpha, beta } = window;
        // Step 1. The end of the game, the end of the depth, the end of time.
        if let Some(score) = self.end(p, ply) {
            self.nodes += 1;
            return score;
        }
        if depth <= 0 || ply >= MAX_PLY - 1 {
            return self.leaf(p, window, ply);
        }
        let after_null = std::mem::take(&mut self.coming) == Coming::NullMove;
        self.nodes += 1;
        if self.over_limits() {
            return 0;
        }
        let Some(us) = p.side() else { unreachable!("a piece was flipped above this node") };

        // Step 2. What the table knows.
        let use_table = self.plan.has(Feature::Table) && !self.circle_in_reach(depth);
        let key = self.table_key(p, depth, ply);
        let entry = if use_table { self.shared.table.probe(key) } else { None };
        if let Some(entry) = entry
            && !PV
            && if self.plan.strict { entry.depth == depth } else { entry.depth >= depth }
            && match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.score >= beta,
                Bound::Upper => entry.score <= alpha,
            }
        {
            return entry.score;
        }
        let first = entry.and_then(|e| e.action);
        let outer = std::mem::replace(&mut self.rested_on, usize::MAX);

        // Step 3. Good enough without looking.
        let eval = match entry {
            Some(entry) => entry.eval,
            None if self.plan.strict => 0,
            None => self.estimate(p, ply),
        };
        if !PV && let Some(score) = self.prune_beta(p, eval, beta, depth, ply, after_null) {
            self.rested_on = self.rested_on.min(outer);
            return score;
        }

        let futile = !PV
            && self.plan.has(Feature::Futility)
            && depth <= parameters::FUTILITY_DEPTH
            && eval + parameters::FUTILITY * (depth + 1) <= alpha
            && alpha.abs() < MAX_EVAL;

        // Step 4. The actions, best first.
        let ordered = self.plan.has(Feature::Order);
        let mut queue = self.memory.queue_moves(p, us, ply, first, ordered);
        let skipped = self.choose_flips(p, first, depth, &mut queue);
        let mut best = -WIN - 1;
        let mut best_action = None;
        let mut tried = 0;
        while let Some(Scored { action, order }) = take_best(&mut queue, tried) {
            tried += 1;
            // Futility: far below the window, quiet moves do not help.
            if futile
                && best > -MAX_EVAL
                && matches!(action, Action::Move { to, .. } if p.empty().contains(to))
            {
                continue;
            }
            let narrow = Window { alpha, beta };
            let score = match action {
                Action::Flip(at) => {
                    let below = self.flip_depth(depth);
                    if tried == 1 || !self.plan.has(Feature::Scout) {
                        self.flip::<false>(p, at, narrow, below, ply)
                    } else {
                        let score = self.flip::<false>(p, at, narrow.scout(), below, ply);
                        if score > alpha && score < beta {
                            self.flip::<false>(p, at, narrow, below, ply)
                        } else {
                            score
                        }
                    }
                }
                Action::Move { from, to } => {
                    let mut next = *p;
                    let change = next.play(Event::Move { from, to }, &self.plan.rules);
                    let quiet = change == Change::Step;
                    let late = if quiet { self.reduction(depth, tried, PV, order) } else { 0 };
                    let origin = self.enter(history::word(from, to, next.key()), !quiet);
                    let score = self.scouted::<PV>(&next, narrow, depth - 1, late, tried == 1, ply);
                    self.leave(origin);
                    score
                }
            };
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                best_action = Some(action);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        let quiet = match action {
                            Action::Flip(_) => true,
                            Action::Move { to, .. } => p.empty().contains(to),
                        };
                        if quiet && ordered {
                            self.reward(p, action, &queue[..tried - 1], depth, ply);
                        }
                        break;
                    }
                }
            }
        }

        // Step 5. Where flips were left out, one of them may still be as good as a null move.
        if skipped && best < beta && best < MAX_EVAL && !after_null {
            let score = self.null_move(
                p,
                Window { alpha: best.max(alpha), beta },
                depth - parameters::NULL_MOVE_FLIP,
                ply,
            );
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                best_action = None;
            }
        }
        debug_assert!(best >= -WIN, "a game that goes on has an action");

        // Step 6. Remember it, unless it rested on how this position was reached: the graph history interaction.
        let rested_above = self.rested_on < self.line.len() - 1;
        self.rested_on = self.rested_on.min(outer);
        if use_table && !rested_above {
            let bound = if best >= beta {
                Bound::Lower
            } else if best > window.alpha {
                Bound::Exact
            } else {
                Bound::Upper
            };
            let action = if bound == Bound::Upper { first } else { best_action };
            self.shared.table.store(key, Entry { score: best, depth, bound, action, eval });
        }
        best
    }

    /// Searches a position one ply on, for the side that just moved: with a null window, less deep if it came late in the
    /// queue, and again properly if it turns out well.
    #[inline]
    fn scouted<const PV: bool>(
        &mut self,
        next: &Position,
        window: Window,
        depth: i32,
        late: i32,
        first: bool,
        ply: usize,
    ) -> Score {
        if first || !self.plan.has(Feature::Scout) {
            return -ply_adjusted(self.node::<PV>(next, window.theirs(), depth, ply + 1));
        }
        let scout = window.scout().theirs();
        let mut score = -ply_adjusted(self.node::<false>(next, scout, depth - late, ply + 1));
        if late > 0 && score > window.alpha && !self.aborted {
            score = -ply_adjusted(self.node::<false>(next, scout, depth, ply + 1));
        }
        if score > window.alpha && score < window.beta && !self.aborted {
            score = -ply_adjusted(self.node::<PV>(next, window.theirs(), depth, ply + 1));
        }
        score
    }

    /// A score of at least `beta` that can be had cheaply.
    fn prune_beta(
        &mut self,
        p: &Position,
        eval: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        after_null: bool,
    ) -> Option<Score> {
        if eval < beta || beta.abs() > MAX_EVAL {
            return None;
        }
        // Reverse futility: far above the window, and little depth left to fall below it.
        if self.plan.has(Feature::Futility)
            && depth <= parameters::REVERSE_FUTILITY_DEPTH
            && eval - parameters::REVERSE_FUTILITY * depth >= beta
        {
            return Some(eval);
        }
        // The null move: if passing is good enough, so is the best action. With face-down pieces on the board, a flip is nearly
        // a pass.
        if self.plan.has(Feature::NullMove)
            && depth >= parameters::NULL_MOVE_DEPTH
            && !after_null
            && p.hidden().len() >= parameters::NULL_MOVE_HIDDEN
        {
            let less = parameters::NULL_MOVE_REDUCTION + depth / parameters::NULL_MOVE_DIVISOR;
            let score = self.null_move(p, Window { alpha: beta - 1, beta }, depth - less, ply);
            if !self.aborted && score >= beta {
                return Some(score.min(MAX_EVAL));
            }
        }
        None
    }

    /// The value of passing: the null move.
    pub(super) fn null_move(&mut self, p: &Position, window: Window, depth: i32, ply: usize) -> Score {
        let next = p.passed();
        let origin = self.enter(history::origin(next.key()), true);
        self.coming = Coming::NullMove;
        let score = -ply_adjusted(self.node::<false>(&next, window.theirs(), depth, ply + 1));
        self.coming = Coming::Played;
        self.leave(origin);
        score
    }

    /// Which flips are searched here; says whether some were left out.
    fn choose_flips(&self, p: &Position, first: Option<Action>, depth: i32, queue: &mut Queue) -> bool {
        if p.hidden().is_empty() {
            return false;
        }
        let all = p.hidden().len() as usize;
        let selective = self.plan.has(Feature::Selection) && self.plan.settings.flips.is_none() && all > 2;
        let most = match self.plan.settings.flips {
            Some(n) => n as usize,
            None if !selective => all,
            None if depth < parameters::FLIPS_DEPTH[0] => {
                usize::from(first.is_some_and(|a| matches!(a, Action::Flip(_))))
            }
            None => parameters::FLIPS[usize::from(depth >= parameters::FLIPS_DEPTH[1])],
        };
        // Without moves there must be something to search.
        let most = if queue.is_empty() { most.max(1) } else { most };
        if most == 0 {
            return true;
        }
        let mut flips = Queue::new();
        queue_flips(p, p.side(), first, &mut flips);
        let (mut seen, mut chosen, mut alike) = (0, 0, 0);
        while chosen < most
            && let Some(best) = take_best(&mut flips, seen)
        {
            seen += 1;
            // Flips that nothing distinguishes are one flip.
            if selective && best.order == 0 {
                alike += 1;
                if alike > 1 {
                    continue;
                }
            }
            chosen += 1;
            // After captures and killers, among the quiet moves.
            let order = if first == Some(best.action) {
                best.order
            } else {
                best.order.clamp(-parameters::FLIPS_ORDER, parameters::FLIPS_ORDER)
            };
            queue.push(Scored { action: best.action, order });
        }
        chosen < all && self.plan.settings.flips.is_none()
    }

    fn reduction(&self, depth: i32, tried: usize, pv: bool, order: i32) -> i32 {
        if !self.plan.has(Feature::Reductions)
            || depth < parameters::LATE_MOVE_DEPTH
            || tried < parameters::LATE_MOVE
        {
            return 0;
        }
        let late = (depth.ilog2() * (tried as u32).ilog2() / parameters::LATE_MOVE_DIVISOR) as i32;
        let (much, little) = (order > parameters::LATE_MOVE_HISTORY, order < -parameters::LATE_MOVE_HISTORY);
        let late = late - i32::from(pv) - i32::from(much) + i32::from(little);
        late.clamp(0, depth - 2)
    }

    fn reward(&mut self, p: &Position, action: Action, tried: &[Scored], depth: i32, ply: usize) {
        let Some(us) = p.side() else { return };
        let mut quiet: Queue = Queue::new();
        quiet.extend(tried.iter().copied().filter(|s| match s.action {
            Action::Flip(_) => true,
            Action::Move { to, .. } => p.empty().contains(to),
        }));
        self.memory.reward(us, ply, depth, action, &quiet);
    }
}
