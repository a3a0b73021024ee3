//! One position of the tree: its end, its table entry, its actions.

use std::sync::atomic::Ordering;

use anglerfish_rules::Reason;
use anglerfish_rules::banqi::{Action, Change, Event, Position, Repetition, Verdict, trail};

use super::order::{Memory, Queue, Scored, queue_flips, take_best};
use super::table::{Bound, Entry};
use super::{MAX_PLY, Settings, Shared};
use crate::config::{Circles, Feature};
use crate::eval::Evaluator;
use crate::score::{JUDGED, Score, WIN, aged, unaged};

/// One thread's walk through the tree.
pub(super) struct Worker<'a, E> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) settings: &'a Settings,
    pub(super) memory: &'a mut Memory<E>,
    pub(super) nodes: u64,
    /// How many of them the other threads know about, and when to look at them and at the clock again.
    reported: u64,
    next_look: u64,
    /// Whether the limits hold yet: the first iteration is always finished.
    pub(super) limited: bool,
    /// Set when time, nodes or patience ran out: every score on the way up is then meaningless.
    pub(super) aborted: bool,
    /// The trail of the game and of the line being looked at, a word for each position; see [`trail`].
    line: Vec<u64>,
    /// Where the plies since the last capture or flip begin.
    origin: usize,
    /// The first position of the line that a draw by repetition rested on, since somebody last asked.
    rested_on: usize,
    /// The last action of the line was a pass.
    passed: bool,
}

/// What is still to be searched below a node.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: -WIN - 1, beta: WIN + 1 };

    /// The same window for the other side, one ply on.
    #[inline]
    pub(super) const fn theirs(self) -> Window {
        Window { alpha: -unaged(self.beta), beta: -unaged(self.alpha) }
    }

    /// The narrowest window that tells whether alpha is beaten.
    #[inline]
    pub(super) const fn scout(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }
}

/// How far above the window a position must be, for each ply of depth, to be left alone.
const AHEAD: Score = 500;

/// How far below the window a position must be, for each ply of depth and one more, for quiet moves to be left out.
const BEHIND: Score = 400;

/// Positions between two looks at the clock.
const LOOK: u64 = 1024;

impl<'a, E: Evaluator<Position>> Worker<'a, E> {
    pub(super) fn new(
        shared: &'a Shared<'a>,
        memory: &'a mut Memory<E>,
        trail: &[u64],
        root: &Position,
    ) -> Self {
        let mut line = trail.to_vec();
        if line.is_empty() {
            line.push(trail::origin(root.key()));
        }
        Worker {
            shared,
            settings: &shared.settings,
            memory,
            nodes: 0,
            reported: 0,
            next_look: 0,
            limited: false,
            aborted: false,
            line,
            origin: 0,
            rested_on: usize::MAX,
            passed: false,
        }
    }

    /// What a position is worth to the side to move, looking `depth` plies ahead.
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
        self.nodes += 1;
        if self.out_of_budget() {
            return 0;
        }
        let Some(us) = p.side() else { unreachable!("below the root somebody has flipped") };
        let passed = std::mem::take(&mut self.passed);

        // Step 2. What the table knows.
        let use_table = self.settings.has(Feature::Table) && !self.circle_in_reach(depth);
        let key = self.table_key(p, depth, ply);
        let entry = if use_table { self.shared.table.probe(key) } else { None };
        if let Some(entry) = entry
            && !PV
            && if self.settings.strict { entry.depth == depth } else { entry.depth >= depth }
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
            None if self.settings.strict => 0,
            None => self.memory.eval.evaluate(p),
        };
        if !PV && let Some(score) = self.good_enough(p, eval, beta, depth, ply, passed) {
            self.rested_on = self.rested_on.min(outer);
            return score;
        }

        let futile = !PV
            && self.settings.has(Feature::Futility)
            && depth <= 2
            && eval + BEHIND * (depth + 1) <= alpha
            && alpha.abs() < JUDGED;

        // Step 4. The actions, best first.
        let ordered = self.settings.has(Feature::Order);
        let mut queue = self.memory.queue_moves(p, us, ply, first, ordered);
        let skipped = self.queue_flips(p, first, depth, &mut queue);
        let mut best = -WIN - 1;
        let mut best_action = None;
        let mut tried = 0;
        while let Some(Scored { action, order }) = take_best(&mut queue, tried) {
            tried += 1;
            // Far below the window, quiet moves do not help.
            if futile
                && best > -JUDGED
                && matches!(action, Action::Move { to, .. } if p.empty() & to.bit() != 0)
            {
                continue;
            }
            let narrow = Window { alpha, beta };
            let score = match action {
                Action::Flip(at) => {
                    let below = self.flip_depth(depth);
                    if tried == 1 || !self.settings.has(Feature::Scout) {
                        self.flip(p, at, narrow, below, ply)
                    } else {
                        let score = self.flip(p, at, narrow.scout(), below, ply);
                        if score > alpha && score < beta {
                            self.flip(p, at, narrow, below, ply)
                        } else {
                            score
                        }
                    }
                }
                Action::Move { from, to } => {
                    let mut next = *p;
                    let change = next.play(Event::Move { from, to }, &self.settings.rules);
                    let quiet = change == Change::Step;
                    let late = if quiet { self.reduction(depth, tried, PV, order) } else { 0 };
                    let origin = self.enter(trail::word(from, to, next.key()), !quiet);
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
                            Action::Move { to, .. } => p.empty() & to.bit() != 0,
                        };
                        if quiet && ordered {
                            self.reward(p, action, &queue[..tried - 1], depth, ply);
                        }
                        break;
                    }
                }
            }
        }

        // Step 5. Where flips were left out, one of them may still be as good as a pass.
        if skipped && best < beta && best < JUDGED && !passed {
            let score = self.pass(p, Window { alpha: best.max(alpha), beta }, depth - 2, ply);
            if self.aborted {
                return 0;
            }
            if score > best {
                best = score;
                best_action = None;
            }
        }
        debug_assert!(best >= -WIN, "a game that goes on has an action");

        // Step 6. Remember it, unless it rested on how this position was reached.
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
        if first || !self.settings.has(Feature::Scout) {
            return -aged(self.node::<PV>(next, window.theirs(), depth, ply + 1));
        }
        let scout = window.scout().theirs();
        let mut score = -aged(self.node::<false>(next, scout, depth - late, ply + 1));
        if late > 0 && score > window.alpha && !self.aborted {
            score = -aged(self.node::<false>(next, scout, depth, ply + 1));
        }
        if score > window.alpha && score < window.beta && !self.aborted {
            score = -aged(self.node::<PV>(next, window.theirs(), depth, ply + 1));
        }
        score
    }

    /// The score of a game that is over here, for the side to move.
    #[inline]
    pub(super) fn end(&mut self, p: &Position, ply: usize) -> Option<Score> {
        let repeated = self.repeated();
        let verdict = p.verdict(&self.settings.rules, repeated)?;
        Some(match verdict {
            Verdict::Loss(color, _) if p.side() == Some(color) => -WIN,
            Verdict::Loss(..) => WIN,
            Verdict::Draw(reason) => {
                let value = self.settings.draws[usize::from(reason != Reason::Repetition)];
                if ply.is_multiple_of(2) { value } else { -value }
            }
        })
    }

    /// Whether this position counts as drawn by repetition.
    #[inline]
    fn repeated(&mut self) -> bool {
        let line = &self.line[self.origin..];
        if line.len() < 5 {
            return false;
        }
        match self.settings.circles {
            Circles::Exact => match self.settings.rules.repetition {
                Repetition::None => false,
                Repetition::Position(n) => trail::stood(line, n),
                Repetition::Cycle(n) => trail::cycled(line, n),
            },
            Circles::First => {
                // Two plies change the board; four are the first that can bring it back.
                let last = line.len() - 1;
                let mut earlier = (4..=last).step_by(2).map(|back| last - back);
                let found = earlier.find(|&i| trail::same_position(line[i], line[last]));
                if let Some(i) = found {
                    self.rested_on = self.rested_on.min(self.origin + i);
                }
                found.is_some()
            }
        }
    }

    /// What the table knows about a position, if it may be asked.
    pub(super) fn known(&self, p: &Position, depth: i32, ply: usize) -> Option<Entry> {
        let ask = self.settings.has(Feature::Table) && !self.circle_in_reach(depth);
        if ask { self.shared.table.probe(self.table_key(p, depth, ply)) } else { None }
    }

    /// Whether the rules could see a repetition within this depth: then a score depends on the way here, and the table is
    /// not asked. Only with exact repetition; with the other kind what matters is [`Worker::rested_on`].
    fn circle_in_reach(&self, depth: i32) -> bool {
        let plies = match (self.settings.circles, self.settings.rules.repetition) {
            (Circles::First, _) | (_, Repetition::None) => return false,
            (Circles::Exact, Repetition::Position(n)) => 4 * (i32::from(n) - 1),
            (Circles::Exact, Repetition::Cycle(n)) => 4 * i32::from(n),
        };
        (self.line.len() - self.origin) as i32 - 1 + depth >= plies
    }

    /// The key of the table: the position, what draws are worth, and the quiet counter where its limit is in reach.
    #[inline]
    fn table_key(&self, p: &Position, depth: i32, ply: usize) -> u64 {
        let key = p.key() ^ self.settings.salts[ply & 1];
        let quiet = i32::from(p.quiet());
        if quiet + depth >= i32::from(self.settings.rules.quiet) {
            key ^ (quiet as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        } else {
            key
        }
    }

    /// A score of at least `beta` that can be had cheaply.
    fn good_enough(
        &mut self,
        p: &Position,
        eval: Score,
        beta: Score,
        depth: i32,
        ply: usize,
        passed: bool,
    ) -> Option<Score> {
        if eval < beta || beta.abs() > JUDGED {
            return None;
        }
        // Far above the window, and little depth left to fall below it.
        if self.settings.has(Feature::Futility) && depth <= 4 && eval - AHEAD * depth >= beta {
            return Some(eval);
        }
        // If even doing nothing is good enough, so is the best action; and with face-down pieces about, a flip does nearly nothing.
        if self.settings.has(Feature::Pass) && depth >= 3 && !passed && p.hidden().count_ones() >= 3 {
            let score = self.pass(p, Window { alpha: beta - 1, beta }, depth - 3 - depth / 4, ply);
            if !self.aborted && score >= beta {
                return Some(score.min(JUDGED));
            }
        }
        None
    }

    /// What doing nothing is worth.
    fn pass(&mut self, p: &Position, window: Window, depth: i32, ply: usize) -> Score {
        let next = p.passed();
        let origin = self.enter(trail::origin(next.key()), true);
        self.passed = true;
        let score = -aged(self.node::<false>(&next, window.theirs(), depth, ply + 1));
        self.passed = false;
        self.leave(origin);
        score
    }

    /// Which flips are searched here; says whether some were left out.
    fn queue_flips(&mut self, p: &Position, first: Option<Action>, depth: i32, queue: &mut Queue) -> bool {
        if p.hidden() == 0 {
            return false;
        }
        let all = p.hidden().count_ones() as usize;
        let selective = self.settings.has(Feature::Selection) && self.settings.flips.is_none() && all > 2;
        let most = match self.settings.flips {
            Some(n) => n as usize,
            None if !selective => all,
            None => match depth {
                ..4 => usize::from(first.is_some_and(|a| matches!(a, Action::Flip(_)))),
                4..6 => 2,
                _ => 4,
            },
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
            let order = if first == Some(best.action) { best.order } else { best.order.clamp(-8000, 8000) };
            queue.push(Scored { action: best.action, order });
        }
        chosen < all && self.settings.flips.is_none()
    }

    fn reduction(&self, depth: i32, tried: usize, pv: bool, order: i32) -> i32 {
        if !self.settings.has(Feature::Reductions) || depth < 3 || tried < 4 {
            return 0;
        }
        let late = (depth.ilog2() * (tried as u32).ilog2() / 2) as i32;
        let late = late - i32::from(pv) - i32::from(order > 4000) + i32::from(order < -4000);
        late.clamp(0, depth - 2)
    }

    fn reward(&mut self, p: &Position, action: Action, tried: &[Scored], depth: i32, ply: usize) {
        let Some(us) = p.side() else { return };
        let mut quiet: Queue = Queue::new();
        quiet.extend(tried.iter().copied().filter(|s| match s.action {
            Action::Flip(_) => true,
            Action::Move { to, .. } => p.empty() & to.bit() != 0,
        }));
        self.memory.reward(us, ply, depth, action, &quiet);
    }

    /// The line goes on. Returns where its trail began, for [`leave`](Worker::leave).
    #[inline]
    pub(super) fn enter(&mut self, word: u64, restarts: bool) -> usize {
        let origin = self.origin;
        if restarts {
            self.origin = self.line.len();
        }
        self.line.push(word);
        origin
    }

    /// The line goes back to where it was.
    #[inline]
    pub(super) fn leave(&mut self, origin: usize) {
        self.line.pop();
        self.origin = origin;
    }

    /// Whether to give up. Looks at the clock and at the other threads now and then.
    #[inline]
    pub(super) fn out_of_budget(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look();
        }
        self.aborted
    }

    #[cold]
    pub(super) fn look(&mut self) {
        let (shared, budget) = (self.shared, &self.shared.budget);
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        let all = shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        let left = budget.nodes.map_or(LOOK, |most| most.saturating_sub(all));
        let over_time =
            budget.hard.is_some_and(|hard| shared.clock.now().saturating_sub(shared.start) >= hard);
        self.next_look = self.nodes + if left == 0 { LOOK } else { left.min(LOOK) };
        let over = self.limited && (over_time || left == 0);
        self.aborted |= over || shared.stop.is_set() || shared.done.load(Ordering::Relaxed);
    }
}
