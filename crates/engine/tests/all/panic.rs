//! A panic in any thread ends a search that nothing else would end, and reaches the caller at once.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use anglerfish_engine::eval::Evaluator;
use anglerfish_engine::eval::handmade::Handmade;
use anglerfish_engine::opponent::Opponents;
use anglerfish_engine::playout::{Ending, Playout, Uniform};
use anglerfish_engine::score::Score;
use anglerfish_engine::search::alphabeta::AlphaBeta;
use anglerfish_engine::search::mcts::Mcts;
use anglerfish_engine::search::{Context, Searcher};
use anglerfish_engine::{Config, Limits, ManualClock, Stance, Stop};
use anglerfish_rules::banqi::{Banqi, Position};
use anglerfish_rules::{Rng, Seat};

/// Panics when it is called once more than it has calls left.
#[derive(Clone)]
struct Fuse(Option<u32>);

impl Fuse {
    /// Only the thread `who` has one that burns; evaluators and playouts are made in the order of the threads.
    fn of(who: u32, made: &AtomicU32) -> Fuse {
        Fuse((made.fetch_add(1, Ordering::Relaxed) == who).then_some(5_000))
    }

    fn burn(&mut self) {
        if let Some(left) = &mut self.0 {
            *left = left.checked_sub(1).expect("the fuse has burned down");
        }
    }
}

#[derive(Clone)]
struct Fragile<T>(T, Fuse);

impl Evaluator<Position> for Fragile<Handmade> {
    fn evaluate(&mut self, position: &Position) -> Score {
        self.1.burn();
        self.0.evaluate(position)
    }
}

impl Playout<Banqi> for Fragile<Uniform> {
    fn run(&mut self, game: &Banqi, rng: &mut Rng) -> Ending {
        self.1.burn();
        self.0.run(game, rng)
    }
}

/// Searches without any limit, and fails if that does not end by a panic.
fn ends_by_panic(what: &str, mut search: impl Searcher<Banqi>) {
    let text = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXc/XPXG b K1G1M2R2N2C2P4k1g2m2r2n2c1p5 0 3 platform";
    let game: Banqi = text.parse().expect("a position");
    let (stop, (heard, hear)) = (Stop::default(), mpsc::channel());
    std::thread::scope(|scope| {
        scope.spawn(|| {
            let mut ctx = Context {
                limits: Limits::default(),
                stance: Stance::default(),
                opponents: &mut Opponents::unmodelled(Seat(0)),
                lines: 1,
                rng: &mut Rng::new(1),
                clock: &ManualClock::default(),
                stop: &stop,
                report: &mut |_| {},
            };
            let ended = catch_unwind(AssertUnwindSafe(|| search.search(&game, &mut ctx).info.nodes));
            heard.send(ended.is_err()).expect("the test listens");
        });
        let ended = hear.recv_timeout(Duration::from_mins(5));
        // Or a search that goes on would keep this test from failing.
        stop.set();
        assert_eq!(ended, Ok(true), "{what}");
    });
}

#[test]
fn a_panic_ends_the_search_for_all_threads() {
    let config: Config = "alphabeta,threads=2,hash=1".parse().expect("a configuration");
    for who in 0..2 {
        let made = AtomicU32::new(0);
        let evaluator = || Fragile(Handmade::new(&config.eval.tunables), Fuse::of(who, &made));
        ends_by_panic(
            &format!("alphabeta, thread {who}"),
            AlphaBeta::new(config.alphabeta, config.resources(), evaluator),
        );
        let made = AtomicU32::new(0);
        let playout =
            || -> Box<dyn Playout<Banqi>> { Box::new(Fragile(Uniform { plies: 20 }, Fuse::of(who, &made))) };
        ends_by_panic(&format!("mcts, thread {who}"), Mcts::new(config.mcts, config.resources(), playout));
    }
}
