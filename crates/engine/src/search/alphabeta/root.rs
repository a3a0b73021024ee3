//! The root: iterations, windows, and the choice.

use std::sync::atomic::Ordering;

use anglerfish_rules::banqi::{Action, Banqi, Change, Event, Position, RuleSet, history};
use anglerfish_rules::{ChanceOutcome, Game, Rng, RngExt};

use super::feature::Feature;
use super::order::Memory;
use super::settings::MAX_PLY;
use super::shared::Shared;
use super::worker::{Window, Worker};
use crate::eval::Evaluator;
use crate::eval::course::flip_weight;
use crate::parameters;
use crate::report::{Decision, Info, Line};
use crate::score::{MAX_EVAL, Score, Value, WIN, plies_to_end, ply_adjusted};

/// A choice at the root.
#[derive(Clone)]
struct Choice {
    action: Action,
    /// The score of the last iteration that searched it exactly.
    score: Score,
    fan: Vec<(ChanceOutcome<Event>, Score)>,
}

/// The root position and its choices, best first.
#[derive(Clone)]
pub(super) struct Root {
    position: Position,
    history: Vec<u64>,
    choices: Vec<Choice>,
    /// How many choices must be compared exactly.
    exact: usize,
    lines: usize,
    error_size: Score,
}

impl Root {
    pub(super) fn new(
        view: &Banqi,
        shared: &Shared<'_>,
        lines: usize,
        error_size: u32,
        rng: &mut Rng,
    ) -> Root {
        let position = *view.position();
        let mut actions = Vec::new();
        view.actions(&mut actions);
        // The dice decide between equal choices.
        rng.shuffle(&mut actions);
        if lines == 1 {
            select_flips(&position, shared, &mut actions);
        }
        let choices: Vec<Choice> =
            actions.into_iter().map(|action| Choice { action, score: 0, fan: Vec::new() }).collect();
        let error_size = error_size as Score * (WIN / 100);
        let exact = if error_size > 0 { choices.len() } else { lines };
        Root { position, history: view.history().to_vec(), choices, exact, lines, error_size }
    }

    /// Searches deeper and deeper until a limit is reached. The first thread ends the search for all of them.
    pub(super) fn run<E: Evaluator<Position>>(
        mut self,
        shared: &Shared<'_>,
        memory: &mut Memory<E>,
        thread: usize,
        report: &mut dyn FnMut(&Info<Banqi>),
    ) -> Found {
        memory.fade();
        let (history, position) = (std::mem::take(&mut self.history), self.position);
        let mut worker = Worker::new(shared, memory, &history, &position);
        let deepest = shared.limits.depth.map_or(MAX_PLY as u32 - 20, |d| d.min(MAX_PLY as u32 - 20));
        let mut finished = 0;
        // Every other thread leaves one iteration out and so runs ahead: they should not all do the same.
        let left_out = |depth: u32| thread % 2 == 1 && depth == 3 && depth < deepest;
        for depth in (1..=deepest).filter(|&depth| !left_out(depth)) {
            self.iterate(&mut worker, depth as i32);
            let whole = !worker.aborted;
            worker.limited = true;
            worker.look();
            if whole {
                finished = depth;
                if thread == 0 {
                    report(&self.info(shared, &worker, finished));
                }
            }
            if worker.aborted || self.settled(shared, depth) || thread == 0 && shared.is_late() {
                break;
            }
        }
        if thread == 0 {
            shared.done.store(true, Ordering::Relaxed);
        }
        let info = self.info(shared, &worker, finished);
        Found { root: self, thread, info }
    }

    /// One iteration. If it is broken off, the choices that it has finished keep their new scores.
    fn iterate<E: Evaluator<Position>>(&mut self, worker: &mut Worker<'_, '_, E>, depth: i32) {
        if self.exact > 1 {
            self.compare(worker, depth);
            return;
        }
        let last = self.choices[0].score;
        let narrow = worker.plan.has(Feature::Aspiration)
            && depth >= parameters::ASPIRATION_DEPTH
            && last.abs() < MAX_EVAL;
        let mut margin = parameters::ASPIRATION;
        let mut window =
            if narrow { Window { alpha: last - margin, beta: last + margin } } else { Window::FULL };
        loop {
            let best = self.look_over(worker, depth, window);
            if worker.aborted {
                return;
            }
            margin *= parameters::ASPIRATION_FACTOR;
            if best <= window.alpha {
                window.alpha = (best - margin).max(Window::FULL.alpha);
            } else if best >= window.beta {
                window.beta = (best + margin).min(Window::FULL.beta);
            } else {
                return;
            }
        }
    }

    /// Searches every choice once, the best of the last iteration first; the others only have to be proved worse.
    fn look_over<E: Evaluator<Position>>(
        &mut self,
        worker: &mut Worker<'_, '_, E>,
        depth: i32,
        window: Window,
    ) -> Score {
        let mut best = -WIN - 1;
        for i in 0..self.choices.len() {
            let alpha = window.alpha.max(best);
            let narrow = Window { alpha, beta: window.beta };
            let action = self.choices[i].action;
            let scout = i > 0 && worker.plan.has(Feature::Scout);
            worker.contender = i < parameters::FORESIGHT_ASKED && matches!(action, Action::Move { .. });
            let mut score = if scout {
                worker.choice(&self.position, action, narrow.scout(), depth)
            } else {
                worker.choice(&self.position, action, narrow, depth)
            };
            if scout && score > alpha && score < window.beta && !worker.aborted {
                score = worker.choice(&self.position, action, narrow, depth);
            }
            if worker.aborted {
                return best;
            }
            if score > best {
                best = score;
                self.choices[i].score = score;
                // A choice that only falls out of the window keeps its place: nothing is known about the others yet.
                if score > window.alpha || i == 0 {
                    self.choices[..=i].rotate_right(1);
                }
                if score >= window.beta {
                    break;
                }
            }
        }
        best
    }

    /// Looks at every choice with a full window, and at every outcome of a flip.
    fn compare<E: Evaluator<Position>>(&mut self, worker: &mut Worker<'_, '_, E>, depth: i32) {
        let mut found = self.choices.clone();
        for choice in &mut found {
            match choice.action {
                Action::Flip(at) => {
                    let fan = worker.fan(&self.position, at, worker.flip_depth(depth));
                    let total: i64 = fan.iter().map(|(c, _)| i64::from(c.weight)).sum();
                    let sum: i64 = fan.iter().map(|(c, s)| i64::from(c.weight) * i64::from(*s)).sum();
                    choice.score = (sum / total) as Score;
                    choice.fan = fan;
                }
                Action::Move { .. } => {
                    choice.score = worker.choice(&self.position, choice.action, Window::FULL, depth);
                }
            }
            if worker.aborted {
                return;
            }
        }
        found.sort_by_key(|c| -c.score);
        self.choices = found;
    }

    /// Whether another iteration would be a waste of time.
    fn settled(&self, shared: &Shared<'_>, depth: u32) -> bool {
        let certain = plies_to_end(self.choices[0].score).is_some_and(|plies| plies <= depth);
        // With everything face down one square is as good as another.
        let alone = self.choices.len() == 1 || self.position.side().is_none();
        let only = alone && shared.limits.depth.is_none();
        // A win that rests on a prediction is not certain.
        (certain && shared.foresight.is_none() || only) && self.exact == 1
    }

    /// The best choice, or one that looks best to a player who errs.
    fn choose(&self, rng: &mut Rng) -> Action {
        if self.error_size == 0 {
            return self.choices[0].action;
        }
        // The sum of two dice, so that large errors are rare. Actions that are worse by more than error_size are no candidates.
        let mut error = || {
            let range = 2 * self.error_size as u32 + 1;
            (rng.below(range) + rng.below(range)) as Score / 2 - self.error_size
        };
        let best = self.choices[0].score;
        let candidates = self.choices.iter().filter(|c| best - c.score <= self.error_size);
        let seen = candidates.map(|c| (c.score + error(), c.action));
        seen.max_by_key(|&(score, _)| score).map_or(self.choices[0].action, |(_, action)| action)
    }

    fn info<E: Evaluator<Position>>(
        &self,
        shared: &Shared<'_>,
        worker: &Worker<'_, '_, E>,
        depth: u32,
    ) -> Info<Banqi> {
        let line = |choice: &Choice| Line {
            actions: worker.best_line(&self.position, choice.action, depth),
            value: Value::from_score(choice.score),
            visits: None,
            fan: choice.fan.iter().map(|&(chance, score)| (chance, Value::from_score(score))).collect(),
        };
        Info {
            depth,
            nodes: shared.nodes.load(Ordering::Relaxed),
            time: shared.time(),
            lines: self.choices.iter().take(self.lines.max(1)).map(line).collect(),
        }
    }
}

/// The result of one thread.
pub(super) struct Found {
    root: Root,
    thread: usize,
    /// As of its last finished iteration.
    info: Info<Banqi>,
}

impl Found {
    /// The better of two threads: the one that announces a win, else the one with the deeper iteration, else the earlier one.
    pub(super) fn better(self, other: Found) -> Found {
        let rank = |found: &Found| {
            let score = found.root.choices[0].score;
            (if score > MAX_EVAL { score } else { 0 }, found.info.depth)
        };
        if rank(&other) > rank(&self) { other } else { self }
    }

    /// The choice, when all threads have ended.
    pub(super) fn decide(
        mut self,
        shared: &Shared<'_>,
        rng: &mut Rng,
        report: &mut dyn FnMut(&Info<Banqi>),
    ) -> Decision<Banqi> {
        self.info.nodes = shared.nodes.load(Ordering::Relaxed);
        // The last report was the first thread's.
        if self.thread > 0 {
            report(&self.info);
        }
        Decision { action: self.root.choose(rng), info: self.info }
    }
}

/// Leaves out flips that are like others: where no face-up piece is near, one square is as good as the next.
fn select_flips(position: &Position, shared: &Shared<'_>, actions: &mut Vec<Action>) {
    let plan = &shared.plan;
    let weight = |action: &Action| match (action, position.side()) {
        (Action::Flip(at), Some(us)) => flip_weight(position, *at, us),
        _ => 0,
    };
    if let Some(most) = plan.settings.flips {
        let is_flip = |a: &Action| matches!(a, Action::Flip(_));
        let mut flips: Vec<Action> = actions.iter().copied().filter(is_flip).collect();
        flips.sort_by_key(|a| -weight(a));
        flips.truncate(most as usize);
        actions.retain(|a| !is_flip(a) || flips.contains(a));
    } else if plan.has(Feature::Selection) {
        let mut alike = 0;
        actions.retain(|action| match action {
            Action::Flip(_) if weight(action) == 0 => {
                alike += 1;
                alike <= parameters::FLIPS_ALIKE
            }
            _ => true,
        });
    }
}

impl<E: Evaluator<Position>> Worker<'_, '_, E> {
    /// The depth below the outcomes of a flip, in an iteration of this depth.
    pub(super) fn flip_depth(&self, depth: i32) -> i32 {
        depth - 1 - i32::from(self.plan.has(Feature::Shallow) && depth > parameters::SHALLOW_DEPTH)
    }

    /// The value of a choice at the root to the side to move.
    fn choice(&mut self, p: &Position, action: Action, window: Window, depth: i32) -> Score {
        match action {
            Action::Flip(at) => self.flip::<true>(p, at, window, self.flip_depth(depth), 0),
            Action::Move { from, to } => {
                let mut next = *p;
                let change = next.play(Event::Move { from, to }, &self.plan.rules);
                let origin = self.enter(history::word(from, to, next.key()), change != Change::Step);
                let score = self.reply::<true>(&next, window.theirs(), depth - 1);
                self.leave(origin);
                -ply_adjusted(score)
            }
        }
    }

    /// The best line by the table, up to the first flip.
    fn best_line(&self, p: &Position, action: Action, depth: u32) -> Vec<Action> {
        let rules: &RuleSet = &self.plan.rules;
        let (mut line, mut at) = (vec![action], *p);
        while line.len() < depth as usize
            && let Some(&Action::Move { from, to }) = line.last()
        {
            at.play(Event::Move { from, to }, rules);
            let ply = line.len();
            // Foreseen answers are not in the table.
            let foreseen = self.shared.foresight.as_ref().filter(|_| ply == 1).and_then(|f| f.certain(&at));
            let known =
                foreseen.or_else(|| self.known(&at, depth as i32 - ply as i32, ply).and_then(|e| e.action));
            match known {
                Some(next) if at.terminal(rules, false).is_none() && at.is_legal(next) => line.push(next),
                _ => break,
            }
        }
        line
    }
}
