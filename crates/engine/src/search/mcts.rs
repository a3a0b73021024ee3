//! Monte-Carlo tree search for any game, with two kinds of trees: chance-nodes and group-nodes.
//!
//! Jouandeau and Cazenave (2014), "Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game". A node, as
//! limits count them, is one playout. Threads grow trees of their own and add up their roots at the end (root parallelism), so with
//! any number of threads a node limit gives the same answer every time, and nothing is shared but the clock.
//!
//! | file | what |
//! |---|---|
//! | `settings.rs` | what can be set, and the paper's names |
//! | `worker.rs` | one thread: descents by chance-nodes and by group-nodes |
//! | `tree.rs` | the nodes: UCT, evaluations backed up, marks of what is won, keeping a part |

mod settings;
mod tree;
mod worker;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use anglerfish_rules::{Game, Rng, Seat, Team};

pub use self::settings::{Final, Settings, Solve, TreeKind};
use self::tree::{Label, ROOT};
use self::worker::Worker;
use super::Resources;
use super::{Context, DoneOnPanic, Searcher, has_secrets};
use crate::parameters;
use crate::playout::Playout;
use crate::report::{Decision, Info, Line};
use crate::score::Value;
use crate::stance::Draws;

/// The search behind the name `mcts`.
pub struct Mcts<G: Game> {
    settings: Settings,
    workers: Vec<Worker<G>>,
    /// The position and the values of draws that the trees were grown for.
    root: Option<(G::View, Draws)>,
    /// The events since then.
    played: Vec<G::Event>,
}

/// The number of worlds for the descents of a search, in games with secrets.
const WORLDS: usize = 128;

/// A choice at the root, by all threads.
struct Choice<A> {
    action: A,
    visits: u64,
    sum: f64,
    won: Option<bool>,
}

impl<A> Choice<A> {
    fn mean(&self) -> f64 {
        match self.won {
            Some(true) => 1.0,
            Some(false) => -1.0,
            None => self.sum / self.visits.max(1) as f64,
        }
    }
}

impl<G: Game> Mcts<G> {
    /// A search with one tree and one kind of playout a thread; the setting `hash` is shared out among the trees.
    pub fn new(
        settings: Settings,
        resources: Resources,
        playout: impl Fn() -> Box<dyn Playout<G>>,
    ) -> Mcts<G> {
        let Resources { threads, hash_kib } = resources;
        let bytes = (hash_kib as usize * (1 << 10)) / threads as usize;
        let workers = (0..threads).map(|_| Worker::new(settings, playout(), bytes)).collect();
        Mcts { settings, workers, root: None, played: Vec::new() }
    }

    /// The number of nodes of all trees.
    pub fn len(&self) -> usize {
        self.workers.iter().map(|worker| worker.tree.len()).sum()
    }

    /// Whether there is no tree yet.
    pub fn is_empty(&self) -> bool {
        self.root.is_none()
    }

    /// Keeps the part of the trees that is still true, if the game went on from where they were grown.
    fn follow(&mut self, view: &G::View, draws: Draws, rng: &mut Rng) {
        let played = std::mem::take(&mut self.played);
        let path = self.root.take().and_then(|(root, then)| {
            let same = (then.value, then.scope) == (draws.value, draws.scope)
                && (then.us == draws.us || draws.value == 0);
            if !same {
                return None;
            }
            if root == *view {
                return Some(Vec::new());
            }
            let mut game = G::sample(&root, rng);
            for &event in &played {
                if !game.is_possible(event) {
                    return None;
                }
                game.apply(event);
            }
            let seat = game.turn().seat()?;
            (*game.view(seat) == *view).then_some(played)
        });
        for worker in &mut self.workers {
            match path.as_ref().and_then(|path| found(worker, path)) {
                Some(ROOT) => {}
                Some(at) => worker.tree.keep(at),
                None => worker.tree.clear(),
            }
            worker.depth = 0;
        }
        self.root = Some((view.clone(), draws));
    }

    /// The choices at the root, best first.
    fn choices(workers: &[Worker<G>], world: &G, mover: Team, choose: Final) -> Vec<Choice<G::Action>> {
        let mut by_action: BTreeMap<G::Action, Choice<G::Action>> = BTreeMap::new();
        for worker in workers {
            for child in worker.tree.children(ROOT).map(|child| worker.tree.node(child)) {
                let Label::Action(action) = child.label else { continue };
                if !world.is_legal(action) {
                    continue;
                }
                let new = Choice { action, visits: 0, sum: 0.0, won: None };
                let choice = by_action.entry(action).or_insert(new);
                choice.visits += u64::from(child.visits);
                choice.sum += f64::from(child.visits) * child.mean(mover);
                choice.won = choice.won.or(child.won.map(|winner| winner == mover));
            }
        }
        let mut choices: Vec<Choice<G::Action>> = by_action.into_values().collect();
        // Certain wins first, certain losses last.
        let class = |c: &Choice<G::Action>| c.won.map_or(0.0, |won| if won { 1.0 } else { -1.0 });
        let rank = |c: &Choice<G::Action>| match choose {
            Final::Visits => [class(c), c.visits as f64, c.mean()],
            Final::Mean => [class(c), c.mean(), c.visits as f64],
        };
        choices.sort_by(|a, b| {
            rank(b).partial_cmp(&rank(a)).unwrap_or_else(|| unreachable!("means are numbers"))
        });
        choices
    }
}

/// The node of a tree after some events.
fn found<G: Game>(worker: &Worker<G>, path: &[G::Event]) -> Option<u32> {
    let mut at = ROOT;
    for &event in path {
        at = worker.tree.child(at, Label::Action(G::action_of(event)))?;
        // A group has no children by event: the node is the same for every outcome.
        if let Some(outcome) = worker.tree.child(at, Label::Event(event)) {
            at = outcome;
        } else if worker.by_chance_nodes() && worker.tree.node(at).chance {
            return None;
        }
    }
    Some(at)
}

/// The expected line, as far as the tree reaches and chance does not decide.
fn line_of<G: Game>(worker: &Worker<G>, world: &G, action: G::Action) -> Vec<G::Action> {
    let (mut line, mut game) = (vec![action], world.clone());
    let mut at = worker.tree.child(ROOT, Label::Action(action));
    while let Some(node) = at.filter(|&at| !worker.tree.node(at).chance) {
        let mut outcomes = Vec::new();
        game.outcomes(line[line.len() - 1], &mut outcomes);
        let [certain] = outcomes[..] else { break };
        game.apply(certain.event);
        let legal =
            |&child: &u32| matches!(worker.tree.node(child).label, Label::Action(a) if game.is_legal(a));
        at = worker.tree.children(node).filter(legal).max_by_key(|&child| worker.tree.node(child).visits);
        if let Some(Label::Action(next)) = at.map(|at| worker.tree.node(at).label) {
            line.push(next);
        }
    }
    line
}

/// A choice with the expected line after it and, if the caller asked for it, its outcomes.
fn line<G: Game>(
    worker: &Worker<G>,
    world: &G,
    choice: &Choice<G::Action>,
    mover: Team,
    fan: bool,
) -> Line<G> {
    let mut outcomes = Vec::new();
    if fan {
        world.outcomes(choice.action, &mut outcomes);
    }
    let at = worker.tree.child(ROOT, Label::Action(choice.action));
    let seen = |event| worker.tree.child(at?, Label::Event(event)).map(|child| worker.tree.node(child));
    let value = |event| seen(event).map(|node| Value(node.mean(mover) as f32));
    Line {
        actions: line_of(worker, world, choice.action),
        value: Value(choice.mean() as f32),
        visits: Some(choice.visits),
        fan: outcomes.into_iter().filter_map(|chance| Some((chance, value(chance.event)?))).collect(),
    }
}

impl<G: Game> Searcher<G> for Mcts<G> {
    fn search(&mut self, view: &G::View, ctx: &mut Context<'_, G>) -> Decision<G> {
        let start = ctx.clock.now();
        let world = G::sample(view, ctx.rng);
        let mover = world.turn().seat().map_or(Team::A, Seat::team);
        let draws = ctx.draws();
        self.follow(view, draws, ctx.rng);
        for (i, worker) in self.workers.iter_mut().enumerate() {
            worker.begin(&world, Rng::stream(ctx.rng.next_u64(), &format!("thread:{i}")));
        }
        let worlds =
            if has_secrets(&world) { ctx.opponents.worlds(view, WORLDS, ctx.rng) } else { Vec::new() };
        let mut actions = Vec::new();
        world.actions(&mut actions);
        // The number of lines must not matter here: the tree is kept, so the next moves would depend on it.
        let settled = actions.len() == 1;
        let limit = if settled { Some(1) } else { ctx.limits.nodes };
        let time = ctx.limits.soft.into_iter().chain(ctx.limits.hard).min();
        let threads = self.workers.len() as u64;
        let (clock, stop, done) = (ctx.clock, ctx.stop, &AtomicBool::new(false));
        let shared = ctx.limits.nodes.is_none();
        let quota = |i: u64| limit.map(|n| n / threads + u64::from(i < n % threads));
        let grow = |worker: &mut Worker<G>, i: u64, heard: &mut dyn FnMut(&Worker<G>, u64)| -> u64 {
            let (mut playouts, mut descents, mut next) = (0, 0, 1024);
            while i == 0 && playouts == 0 || quota(i).is_none_or(|most| playouts < most) {
                playouts += worker.descend(view, &worlds, draws);
                descents += 1;
                let late = || time.is_some_and(|time| clock.now().saturating_sub(start) >= time);
                let decided = worker.tree.node(ROOT).won.is_some();
                // Even if it is stopped at once, every choice is tried once: a choice among the first few would be arbitrary.
                let tried = worker.tree.node(ROOT).unopened == 0 || descents >= actions.len() as u64;
                if decided
                    || tried && (stop.is_set() || done.load(Ordering::Relaxed))
                    || tried && descents % parameters::DESCENTS == 0 && late()
                {
                    break;
                }
                if playouts >= next {
                    heard(worker, playouts);
                    next = playouts * 2;
                }
            }
            // With a node limit no thread waits for another, or the answer would depend on which is faster.
            done.fetch_or(shared, Ordering::Relaxed);
            playouts
        };
        let (lines, choose) = (ctx.lines, self.settings.choose);
        let info = |workers: &[Worker<G>], nodes: u64| {
            let choices = Mcts::choices(workers, &world, mover, choose);
            let depth = workers.iter().map(|worker| worker.depth).max().unwrap_or(0) as u32;
            let line = |choice: &Choice<G::Action>| line(&workers[0], &world, choice, mover, lines > 1);
            let lines = choices.iter().take(lines.max(1)).map(line).collect();
            Info { depth, nodes, time: clock.now().saturating_sub(start), lines }
        };
        let report = &mut *ctx.report;
        let [first, others @ ..] = &mut self.workers[..] else { unreachable!("there is a thread") };
        let mut heard = |worker: &Worker<G>, nodes: u64| {
            report(&info(std::slice::from_ref(worker), nodes * threads));
        };
        let nodes: u64 = std::thread::scope(|scope| {
            let _guard = DoneOnPanic(done);
            let spawn = |(i, worker)| {
                scope.spawn(move || {
                    let _guard = DoneOnPanic(done);
                    grow(worker, i, &mut |_, _| {})
                })
            };
            let handles: Vec<_> = (1..).zip(others).map(spawn).collect();
            let own = grow(first, 0, &mut heard);
            let joined = handles.into_iter().map(std::thread::ScopedJoinHandle::join);
            own + joined
                .map(|nodes| nodes.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
                .sum::<u64>()
        });
        let info = info(&self.workers, nodes);
        (ctx.report)(&info);
        Decision { action: info.lines[0].actions[0], info }
    }

    fn advance(&mut self, event: G::Event) {
        self.played.push(event);
    }

    fn new_game(&mut self, _: u64) {
        self.root = None;
        self.played.clear();
    }
}
