//! The engine on a game clock that runs fast, jumps and charges for the way: it must never flag, and it must not hoard.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use anglerfish_arena::{Budget, Clocks, EnginePlayer, MoveRequest, Player};
use anglerfish_engine::{Assets, Clock, Config};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, Rng, RngExt};

/// A slow machine: between two looks at the clock a whole `tick` goes by, so every search ends late.
struct SlowClock {
    ns: AtomicU64,
    tick: Duration,
}

impl SlowClock {
    fn read(&self) -> Duration {
        Duration::from_nanos(self.ns.load(Ordering::Relaxed))
    }
}

impl Clock for SlowClock {
    fn now(&self) -> Duration {
        self.ns.fetch_add(self.tick.as_nanos() as u64, Ordering::Relaxed);
        self.read()
    }
}

/// Both seats play a whole game of `base` seconds; every answer loses up to `lag` on its way. Returns what was spent of
/// the clocks, and in how many plies.
fn play(base: f64, tick: Duration, lag: Duration, seed: u64) -> ([f64; 2], u32) {
    let clock = Arc::new(SlowClock { ns: AtomicU64::new(0), tick });
    let config: Config = "alphabeta,hash=4".parse().expect("a configuration");
    let base = Duration::from_secs_f64(base);
    let mut clocks = Clocks::new([Budget::Game { base, increment: Duration::ZERO }; 2]);
    let mut players = [0, 1].map(|_| {
        let clock: Arc<dyn Clock> = Arc::clone(&clock) as Arc<dyn Clock>;
        EnginePlayer::<Banqi>::with_clock(&config, &Assets::default(), clock).expect("an engine")
    });
    let mut rng = Rng::stream(seed, "deal");
    let mut game = Banqi::start(RuleSet::PLATFORM);
    for (seat, player) in [0, 1].map(anglerfish_rules::Seat).into_iter().zip(&mut players) {
        player.start(seat, seed, &clocks).expect("it sits down");
    }
    while let Some(seat) = game.turn().seat() {
        let begin = clock.read();
        let action = players[usize::from(seat.0)]
            .choose(&game, &MoveRequest::clocks(clocks))
            .expect("a choice")
            .action;
        let took = clock.read().saturating_sub(begin) + lag * rng.below(101) / 100;
        let left = clocks.left(seat);
        let ply = game.position().ply();
        assert!(clocks.charge(seat, took), "flagged at ply {ply}: {took:?} of {left:?} from {base:?}");
        game.apply(game.draw(action, &mut rng));
    }
    let spent =
        [0, 1].map(|s| 1.0 - clocks.left(anglerfish_rules::Seat(s)).as_secs_f64() / base.as_secs_f64());
    (spent, game.position().ply())
}

#[test]
fn no_game_is_lost_on_time() {
    let ms = Duration::from_millis;
    let us = Duration::from_micros;
    for (base, tick, lag) in [(900.0, ms(200), ms(300)), (10.0, ms(4), ms(5)), (1.0, us(400), ms(1))] {
        let (spent, plies) = play(base, tick, lag, 1);
        // The shorter the game, the more of its clock is kept back for the way.
        let usual = if base > 1.0 { 0.6 } else { 0.3 };
        assert!(plies < 70 || spent.iter().all(|&s| s > usual), "{base} s: {spent:.2?} in {plies} plies");
    }
}
