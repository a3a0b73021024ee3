//! Expectiminimax for Banqi: iterative deepening, `NegaScout`, a transposition table and Star-pruned chance nodes.
//!
//! It uses [`Position`] and a stack of history words; only this file knows `Game`. Without selective features it finds exactly
//! the values of [`exact`](super::exact), with or without the table. Selective features are measured by matches. One thread
//! with a node limit gives the same answer on every machine.
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
mod shared;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64};

use anglerfish_rules::RngExt;
use anglerfish_rules::banqi::{Banqi, Position};

pub use self::feature::{Feature, Without};
use self::foresight::Foresight;
use self::order::Memory;
use self::root::{Found, Root};
pub use self::settings::{Circles, Settings, Star};
use self::shared::{Plan, Shared};
use self::table::Table;
use super::{Context, DoneOnPanic, Resources, Searcher};
use crate::eval::Evaluator;
use crate::report::Decision;

/// The search with its table and what its threads remember between moves.
#[derive(Clone)]
pub struct AlphaBeta<E> {
    settings: Settings,
    table: Table,
    memories: Vec<Memory<E>>,
}

impl<E: Evaluator<Position>> AlphaBeta<E> {
    /// A search with one evaluator a thread.
    pub fn new(settings: Settings, resources: Resources, evaluator: impl Fn() -> E) -> AlphaBeta<E> {
        let memories = (0..resources.threads).map(|_| Memory::new(evaluator())).collect();
        AlphaBeta { settings, table: Table::new(resources.hash_kib), memories }
    }
}

impl<E: Evaluator<Position> + Clone + 'static> Searcher<Banqi> for AlphaBeta<E> {
    fn search(&mut self, view: &Banqi, ctx: &mut Context<'_, Banqi>) -> Decision<Banqi> {
        self.table.age();
        let draws = ctx.draws();
        let shared = Shared {
            table: &self.table,
            plan: Plan::new(self.settings, view, draws),
            foresight: Foresight::new(view, ctx.stance.trust.unwrap_or(0.0), ctx.opponents),
            limits: ctx.limits,
            clock: ctx.clock,
            stop: ctx.stop,
            start: ctx.clock.now(),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let [first, others @ ..] = &mut self.memories[..] else { unreachable!("there is a thread") };
        let Settings { error_size, error_rate, .. } = self.settings;
        let error_size = if error_size > 0 && ctx.rng.below(100) < error_rate { error_size } else { 0 };
        let root = Root::new(view, &shared, ctx.lines, error_size, ctx.rng);
        // Lazy SMP: all threads search the same tree and share the table.
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
