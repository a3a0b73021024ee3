//! Expectiminimax for Banqi: iterative deepening, `NegaScout`, a transposition table and Star-pruned chance nodes.
//!
//! Written against [`Position`] and a stack of trail words, not against `Game`; only this file has heard of that. With
//! everything selective left out it finds exactly what [`exact`](super::exact) finds, table or not; with it, it is judged
//! by matches. One thread with a node limit gives the same answer on every machine.
//!
//! | file | what |
//! |---|---|
//! | `root.rs` | iterations, windows, the choice |
//! | `worker.rs` | one thread: the line it stands on, how games end there, when to give up |
//! | `node.rs` | one position: what is known about it, its actions, what is left out |
//! | `chance.rs` | one flip: the average over what may come up |
//! | `foresight.rs` | the opponent's next answer, where a model predicts it |
//! | `quiesce.rs` | captures at the leaves |
//! | `order.rs` | which actions first, which flips at all |
//! | `table.rs` | the transposition table |

mod chance;
mod foresight;
mod node;
mod order;
mod quiesce;
mod root;
mod table;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64};
use std::time::Duration;

use anglerfish_rules::banqi::{Banqi, Position, RuleSet};
use anglerfish_rules::{Game, Rng};

use self::foresight::Foresight;
use self::order::Memory;
use self::root::Root;
use self::table::Table;
use super::{Context, Searcher};
use crate::budget::{Budget, Stop};
use crate::clock::Clock;
use crate::config::{Circles, Config, EvalKind, Feature, Star, Without};
use crate::eval::Evaluator;
use crate::eval::course::Course;
use crate::eval::handmade::Handmade;
use crate::report::{Decision, Info};
use crate::score::Score;
use crate::stance::DrawScope;

/// No search looks further ahead than this.
const MAX_PLY: usize = 128;

/// The search behind the name `alphabeta`, with the evaluator that the configuration asks for.
pub fn searcher(config: &Config) -> Box<dyn Searcher<Banqi>> {
    match config.eval {
        EvalKind::Course => Box::new(AlphaBeta::new(config, |config| Course::new(config.ratio))),
        EvalKind::Handmade => Box::new(AlphaBeta::new(config, |config| Handmade::new(&config.tunables))),
    }
}

/// The search with its table and what its threads remember between moves.
pub struct AlphaBeta<E> {
    config: Config,
    table: Table,
    memories: Vec<Memory<E>>,
}

impl<E: Evaluator<Position>> AlphaBeta<E> {
    /// A search with one evaluator a thread.
    pub fn new(config: &Config, evaluator: impl Fn(&Config) -> E) -> AlphaBeta<E> {
        let memories = (0..config.threads).map(|_| Memory::new(evaluator(config))).collect();
        AlphaBeta { config: config.clone(), table: Table::new(config.hash_mib), memories }
    }
}

/// What all threads of a search share.
struct Shared<'a> {
    table: &'a Table,
    settings: Settings,
    foresight: Option<Foresight<'a>>,
    budget: Budget,
    clock: &'a dyn Clock,
    stop: &'a Stop,
    /// When the search began.
    start: Duration,
    /// Set when the first thread is done.
    done: AtomicBool,
    /// Nodes that the threads have reported.
    nodes: AtomicU64,
}

/// How to search, as the nodes ask for it.
#[derive(Clone, Copy)]
struct Settings {
    rules: RuleSet,
    circles: Circles,
    star: Star,
    flips: Option<u32>,
    without: Without,
    /// Whether nothing selective is on: then table entries must have exactly the right depth.
    strict: bool,
    /// What draws are worth to the side to move at the root: by repetition, and otherwise.
    draws: [Score; 2],
    /// Mixed into the keys of the table: what draws are worth at even and at odd plies.
    salts: [u64; 2],
}

impl Settings {
    fn new(config: &Config, rules: RuleSet, draw_value: Score) -> Settings {
        let otherwise = if config.draw_scope == DrawScope::All { draw_value } else { 0 };
        let salt = |parity: u64| {
            let what =
                (draw_value as u64) << 2 | u64::from(config.draw_scope == DrawScope::All) << 1 | parity;
            if draw_value == 0 { 0 } else { Rng::new(what).next_u64() }
        };
        let all = Without::SELECTIVITY;
        let strict = Feature::ALL.iter().all(|&f| !all.lacks(f) || config.without.lacks(f));
        Settings {
            rules,
            circles: config.circles,
            star: config.star,
            flips: config.flips,
            without: config.without,
            strict,
            draws: [draw_value, otherwise],
            salts: [salt(0), salt(1)],
        }
    }

    #[inline]
    const fn has(&self, feature: Feature) -> bool {
        !self.without.lacks(feature)
    }
}

impl<E: Evaluator<Position>> Searcher<Banqi> for AlphaBeta<E> {
    fn search(&mut self, view: &Banqi, ctx: &mut Context<'_, Banqi>) -> Decision<Banqi> {
        self.table.age();
        let draw_value = ctx.stance.draw_value.to_score();
        let shared = Shared {
            table: &self.table,
            settings: Settings::new(&self.config, view.rules(), draw_value),
            foresight: Foresight::new(view, ctx.stance.trust, ctx.opponents),
            budget: ctx.budget,
            clock: ctx.clock,
            stop: ctx.stop,
            start: ctx.clock.now(),
            done: AtomicBool::new(false),
            nodes: AtomicU64::new(0),
        };
        let [first, others @ ..] = &mut self.memories[..] else { unreachable!("there is a thread") };
        let (noise, lapses) = (self.config.noise, self.config.lapses);
        let noise = if noise > 0 && ctx.rng.below(100) < lapses { noise } else { 0 };
        let root = Root::new(view, &shared, ctx.lines, noise, ctx.rng);
        if others.is_empty() {
            return root.run(&shared, first, 0, ctx.rng, ctx.report);
        }
        // Lazy SMP: everybody searches the same tree and meets in the table.
        std::thread::scope(|scope| {
            for (i, memory) in (1..).zip(others) {
                let (root, shared) = (root.clone(), &shared);
                let mut rng = Rng::stream(ctx.rng.next_u64(), &format!("thread:{i}"));
                scope.spawn(move || {
                    root.run(shared, memory, i, &mut rng, &mut |_: &Info<Banqi>| {});
                });
            }
            root.run(&shared, first, 0, ctx.rng, ctx.report)
        })
    }

    fn new_game(&mut self, seed: u64) {
        self.table.clear();
        for memory in &mut self.memories {
            memory.forget(seed);
        }
    }
}
