//! Expectiminimax for Banqi: iterative deepening, `NegaScout`, a transposition table and Star-pruned chance nodes.
//!
//! Written against [`Position`] and a stack of history words, not against `Game`; only this file has heard of that. With
//! everything selective left out it finds exactly what [`exact`](super::exact) finds, table or not; with it, it is measured
//! by matches. One thread with a node limit gives the same answer on every machine.
//!
//! | file | what |
//! |---|---|
//! | `settings.rs` | what can be set; `feature.rs`: what can be left out |
//! | `root.rs` | iterations, windows, the choice |
//! | `worker.rs` | one thread: the line it stands on, how games end there, when to give up |
//! | `node.rs` | one position: what is known about it, its actions, what is left out |
//! | `chance.rs` | one flip: the average over what may come up |
//! | `foresight.rs` | the opponent's next answer, where a model predicts it |
//! | `quiesce.rs` | captures at the leaves |
//! | `order.rs` | which actions first, which flips at all |
//! | `table.rs` | the transposition table |

mod chance;
mod feature;
mod foresight;
mod node;
mod order;
mod quiesce;
mod root;
mod settings;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, Position, RuleSet};
use anglerfish_rules::{Game, Reason, Rng, RngExt, Seat, Team};

pub use self::feature::{Feature, Without};
use self::foresight::Foresight;
use self::order::Memory;
use self::root::{Found, Root};
pub use self::settings::{Circles, Settings, Star};
use self::table::Table;
use super::{Context, DoneOnPanic, Searcher};
use crate::clock::Clock;
use crate::config::Config;
use crate::eval::course::Course;
use crate::eval::handmade::Handmade;
use crate::eval::{EvalKind, Evaluator};
use crate::limits::{Limits, Stop};
use crate::parameters;
use crate::report::Decision;
use crate::score::Score;
use crate::stance::Draws;

/// No search looks further ahead than this.
const MAX_PLY: usize = 128;

/// The search behind the name `alphabeta`, with the evaluator that the configuration asks for.
pub fn searcher(config: &Config) -> Box<dyn Searcher<Banqi>> {
    match config.eval.kind {
        EvalKind::Course => Box::new(AlphaBeta::new(config, |config| Course::new(config.eval.ratio))),
        EvalKind::Handmade => Box::new(AlphaBeta::new(config, |config| Handmade::new(&config.eval.tunables))),
    }
}

/// The search with its table and what its threads remember between moves.
#[derive(Clone)]
pub struct AlphaBeta<E> {
    config: Config,
    table: Table,
    memories: Vec<Memory<E>>,
}

impl<E: Evaluator<Position>> AlphaBeta<E> {
    /// A search with one evaluator a thread.
    pub fn new(config: &Config, evaluator: impl Fn(&Config) -> E) -> AlphaBeta<E> {
        let memories = (0..config.threads).map(|_| Memory::new(evaluator(config))).collect();
        AlphaBeta { config: config.clone(), table: Table::new(config.hash_kib), memories }
    }
}

/// What all threads of a search share.
struct Shared<'a> {
    table: &'a Table,
    plan: Plan,
    foresight: Option<Foresight<'a>>,
    limits: Limits,
    clock: &'a dyn Clock,
    stop: &'a Stop,
    /// When the search began.
    start: Duration,
    /// Set when the first thread is done, or any has panicked. The others only help it: what they have found by then is compared.
    done: AtomicBool,
    /// Nodes that the threads have reported.
    nodes: AtomicU64,
}

impl Shared<'_> {
    /// How long the search has taken.
    fn time(&self) -> Duration {
        self.clock.now().saturating_sub(self.start)
    }

    /// Whether another iteration would probably not end in time: it takes some times as long as all before it.
    fn is_late(&self) -> bool {
        self.limits.soft.is_some_and(|soft| self.time() >= soft * parameters::LATE / 10)
    }
}

/// How this position is searched, as the nodes ask for it.
#[derive(Clone, Copy)]
struct Plan {
    settings: Settings,
    rules: RuleSet,
    /// Whether nothing selective is on: then table entries must have exactly the right depth.
    strict: bool,
    /// What draws are worth to the side to move at the root: by repetition, and otherwise.
    draws: [Score; 2],
    /// Which estimate is as good as a draw to it: nothing, unless estimates lean.
    level: Score,
    /// Mixed into the keys of the table: the rules, and what draws are worth to the side to move at even and at odd plies.
    salts: [u64; 2],
}

impl Plan {
    fn new(settings: Settings, view: &Banqi, draws: Draws) -> Plan {
        let rules = view.rules();
        let mover = view.turn().seat().map_or(Team::A, Seat::team);
        let salt = |team: Team| {
            let worth = |reason| u64::from(draws.score(team, reason) as u32);
            let what = worth(Reason::Repetition) << 32 | worth(Reason::Quiet);
            Rng::stream(what, &rules.to_string()).next_u64() ^ u64::from(draws.level(team) as u32)
        };
        let all = Without::SELECTIVITY;
        let strict = Feature::ALL.iter().all(|&f| !all.lacks(f) || settings.without.lacks(f));
        Plan {
            settings,
            rules,
            strict,
            draws: [Reason::Repetition, Reason::Quiet].map(|reason| draws.score(mover, reason)),
            level: draws.level(mover),
            salts: [mover, mover.other()].map(salt),
        }
    }

    #[inline]
    const fn has(&self, feature: Feature) -> bool {
        !self.settings.without.lacks(feature)
    }
}

impl<E: Evaluator<Position> + Clone + 'static> Searcher<Banqi> for AlphaBeta<E> {
    fn search(&mut self, view: &Banqi, ctx: &mut Context<'_, Banqi>) -> Decision<Banqi> {
        self.table.age();
        let draws = ctx.draws();
        let shared = Shared {
            table: &self.table,
            plan: Plan::new(self.config.alphabeta, view, draws),
            foresight: Foresight::new(view, ctx.stance.trust.unwrap_or(0.0), ctx.opponents),
            limits: ctx.limits,
            clock: ctx.clock,
            stop: ctx.stop,
            start: ctx.clock.now(),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let [first, others @ ..] = &mut self.memories[..] else { unreachable!("there is a thread") };
        let Settings { error_size, error_rate, .. } = self.config.alphabeta;
        let error_size = if error_size > 0 && ctx.rng.below(100) < error_rate { error_size } else { 0 };
        let root = Root::new(view, &shared, ctx.lines, error_size, ctx.rng);
        // Lazy SMP: everybody searches the same tree and meets in the table.
        let found = std::thread::scope(|scope| {
            let shared = &shared;
            let _guard = DoneOnPanic(&shared.done);
            let help = |(i, memory)| {
                let root = root.clone();
                scope.spawn(move || {
                    let _guard = DoneOnPanic(&shared.done);
                    root.run(shared, memory, i, &mut |_| {})
                })
            };
            let helpers: Vec<_> = (1..).zip(others).map(help).collect();
            let first = root.clone().run(shared, first, 0, ctx.report);
            let joined = helpers.into_iter().map(std::thread::ScopedJoinHandle::join);
            let helped = joined.map(|found| found.unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
            helped.fold(first, Found::better)
        });
        found.decide(&shared, ctx.rng, ctx.report)
    }

    fn new_game(&mut self, seed: u64) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.forget(seed);
        }
    }

    fn fork(&self) -> Option<Box<dyn Searcher<Banqi>>> {
        Some(Box::new(self.clone()))
    }
}
