//! Laws of every table in every game: time, flags, forfeits, and taking back.

use std::time::Duration;

use anglerfish_arena::{ArenaGame, Budget, Clocks, Draws, HEARING, Refusal, Table};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::testkit::heap::{Action, Heap};
use anglerfish_rules::tictactoe::{Standard, TicTacToe};
use anglerfish_rules::{Cause, Forfeit, Game, Outcome, Record, Rng, RngExt, Seat};
use proptest::prelude::*;

const TICK: Duration = Duration::from_nanos(1);

fn budget(rng: &mut Rng) -> Budget {
    let ms = |n: u32| Duration::from_millis(u64::from(n));
    match rng.below(4) {
        0 => Budget::Nodes(1),
        1 => Budget::Move(ms(rng.below(2000))),
        2 => Budget::Game { base: ms(rng.below(5000)), increment: Duration::ZERO },
        _ => Budget::Game { base: ms(rng.below(5000)), increment: ms(rng.below(500)) },
    }
}

/// The visible state of a table.
fn state<G: ArenaGame>(table: &Table<G>) -> (G, Record<G>, Clocks, Option<Duration>) {
    (table.game().clone(), table.record().clone(), *table.clocks(), table.deadline())
}

/// Plays one game by chance, with players that are quick, slow, just in time or just too late, and checks every step.
fn obeys<G: ArenaGame>(rules: &G::Rules, seed: u64) {
    let mut rng = Rng::new(seed);
    let start = Clocks::new([0; 4].map(|_| budget(&mut rng)));
    let game = G::deal(rules, &mut rng);
    let mut table = Table::new(game, Draws(Rng::stream(seed, "deal")), start);
    let mut now = Duration::ZERO;
    let mut gone = Vec::new();
    let mut actions = Vec::new();
    let mut states = vec![(table.game().clone(), *table.clocks())];
    let (mut moved, mut taken_back) = (false, false);
    while let Some(seat) = table.to_move() {
        assert!(!gone.contains(&seat), "{seat:?} has left");
        table.game().actions(&mut actions);
        let action = rng.pick(&actions);
        let clock_runs = match start.budget(seat) {
            Budget::Nodes(_) => false,
            Budget::Move(_) => true,
            // The first move of a game is free.
            Budget::Game { .. } => moved,
        };
        assert_eq!(table.deadline().is_some(), clock_runs, "{seat:?}");
        if rng.below(8) == 0 && table.clocks().left(seat) > HEARING {
            let slow = HEARING + Duration::from_millis(u64::from(rng.below(100)));
            table.clocks_mut().charge_observation(seat, slow);
        }
        let Some(deadline) = table.deadline() else {
            let step = Duration::from_millis(u64::from(rng.below(3000)));
            now += step;
            assert_eq!(table.expire(now), None, "no clock runs");
            let ply = table.act(action, now).expect("legal, and no clock runs");
            assert!(
                ply.seat == seat && (!start.budget(seat).is_timed() || !ply.took.is_zero() || step.is_zero())
            );
            moved = true;
            states.push((table.game().clone(), *table.clocks()));
            continue;
        };
        // A seat may owe more time than it has left.
        let on_time = deadline >= now;
        let before = state(&table);
        match rng.below(if on_time { 10 } else { 1 }) {
            0 => {
                // Too late, by as little as can be.
                let late = now.max(deadline + TICK);
                let others = table.to_move();
                if rng.below(2) == 0 {
                    assert!(matches!(table.act(action, late), Err(Refusal::Late(_))));
                } else {
                    assert_eq!(table.expire(late), others);
                }
                now = late;
                gone.push(seat);
                left(&table, &before.1, seat, Forfeit::Timeout);
            }
            1 => {
                // No player is late before the deadline is over; an action at the deadline is in time.
                assert_eq!(table.expire(deadline), None);
                assert_eq!(state(&table), before);
                now = deadline;
                assert!(table.act(action, now).is_ok(), "at the deadline");
                moved = true;
            }
            2 if table.record().plies.len() < 6 => {
                gone.push(seat);
                table.forfeit(seat, Forfeit::Resigned, now);
                left(&table, &before.1, seat, Forfeit::Resigned);
            }
            _ => {
                let step = deadline.saturating_sub(now).mul_f64(f64::from(rng.below(100)) / 300.0);
                now += step;
                let (had, owed) = (table.clocks().left(seat), table.clocks().owed(seat));
                let ply = table.act(action, now).expect("in time");
                moved = true;
                assert_eq!(ply.took, step + owed);
                let after = table.clocks().left(seat);
                match start.budget(seat) {
                    Budget::Game { increment, .. } => assert_eq!(after + step, had + increment),
                    Budget::Move(time) => assert_eq!((after, had + owed), (time, time.max(owed))),
                    Budget::Nodes(_) => unreachable!("its clock does not run"),
                }
            }
        }
        if table.record().plies.len() > before.1.plies.len() && gone.is_empty() {
            states.push((table.game().clone(), *table.clocks()));
        }
        // The clocks of the others stand still.
        for other in (0..G::SEATS).map(Seat).filter(|other| *other != seat) {
            assert_eq!(table.clocks().left(other), before.2.left(other));
        }
        if !taken_back && gone.is_empty() && rng.below(10) == 0 && table.record().plies.len() > 1 {
            taken_back = true;
            let plies = rng.below(table.record().plies.len() as u32) as usize;
            table.take_back(plies, start, now);
            moved = plies > 0;
            states.truncate(plies + 1);
            assert_eq!((table.game(), table.clocks()), (&states[plies].0, &states[plies].1), "as it was");
            assert_eq!(table.record().plies.len(), plies);
        }
    }
    let record = table.into_record();
    assert!(record.ending.is_some() && record.replay().is_ok());
    assert_eq!(record.clone().without_times().to_string().parse(), Ok(record.without_times()));
}

/// A seat has left: the team has lost, or the ally plays on and this is in the record.
fn left<G: ArenaGame>(table: &Table<G>, before: &Record<G>, seat: Seat, forfeit: Forfeit) {
    let last = table.record().plies.last();
    match table.ending() {
        Some(ending) if table.record().plies == before.plies => {
            assert_eq!(
                (ending.outcome, ending.cause),
                (Outcome::Win(seat.team().other()), Cause::Forfeit(forfeit))
            );
        }
        _ => {
            assert!(G::SEATS > 2, "no ally is left to play on");
            assert_eq!(last.map(|ply| ply.seat), Some(seat));
            assert_eq!(table.record().plies.len(), before.plies.len() + 1);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn banqi_obeys(seed: u64) {
        obeys::<Banqi>(&RuleSet::PLATFORM, seed);
    }

    #[test]
    fn tictactoe_obeys(seed: u64) {
        obeys::<TicTacToe>(&Standard, seed);
    }

    #[test]
    fn a_game_of_four_obeys(seed: u64) {
        obeys::<Heap>(&Standard, seed);
    }
}

/// A flag fell before the first move, which is free; so that move came later, and took no time.
#[test]
fn a_first_move_may_be_late_and_take_no_time() {
    obeys::<Heap>(&Standard, 3_039_031_241_613_025_662);
}

/// An ally has a clock of its own, and when one seat's flag falls the other three play on.
#[test]
fn an_ally_s_game_goes_on() {
    let second = Duration::from_secs(1);
    let clocks =
        Clocks::new([10, 20, 30, 40].map(|n| Budget::Game { base: n * second, increment: Duration::ZERO }));
    let mut table = Table::new(Heap::deal(&Standard, &mut Rng::new(1)), Draws(Rng::new(2)), clocks);
    let throw = Action::Throw;
    table.act(throw, Duration::ZERO).expect("the first ply is free");
    assert_eq!(table.deadline(), Some(20 * second));
    assert_eq!(table.expire(20 * second), None);
    assert_eq!(table.expire(20 * second + TICK), Some(Seat(1)));
    assert_eq!((table.ending(), table.to_move()), (None, Some(Seat(2))));
    assert_eq!(table.deadline(), Some(50 * second + TICK));
    table.act(throw, 25 * second).expect("in time");
    // Seat 3 thinks; seat 0 leaves meanwhile, and the clock of seat 3 takes no notice.
    let deadline = table.deadline();
    table.forfeit(Seat(0), Forfeit::Crashed, 30 * second).expect("the others play on");
    assert_eq!((table.to_move(), table.deadline()), (Some(Seat(3)), deadline));
    // Its ally is gone, so this one ends the game.
    table.forfeit(Seat(3), Forfeit::Resigned, 31 * second);
    assert_eq!(table.ending().map(|e| e.outcome), Some(Outcome::Win(Seat(0).team())));
    let left = |seat: u8| table.clocks().left(Seat(seat)).as_secs();
    assert_eq!([0, 1, 2, 3].map(left), [10, 20, 25, 40]);
}

/// The complaint about a late player says how much of the time went into hearing of plies.
#[test]
fn what_was_heard_late_is_said() {
    let ms = Duration::from_millis;
    let clocks = Clocks::new([Budget::Move(ms(300)); 2]);
    let mut table = Table::new(Banqi::start(RuleSet::PLATFORM), Draws(Rng::new(1)), clocks);
    let action = table.game().random_action(&mut Rng::new(1)).expect("a first action");
    table.clocks_mut().charge_observation(Seat(0), HEARING + ms(200));
    assert_eq!(table.expire(ms(200)), None);
    let late = table.act(action, ms(300)).expect_err("it is late").to_string();
    assert_eq!(late, "took 0.500 s, 0.200 s of it while it was told plies, and had 0.300 s: 0.200 s over");
}

/// A table can be kept anywhere: it is owned, and may be sent to another thread.
#[test]
fn a_table_is_owned_and_can_be_sent() {
    fn sent<T: Send + 'static>(value: T) -> T {
        std::thread::spawn(|| value).join().expect("no panic")
    }
    let clocks = Clocks::new([Budget::Nodes(1); 2]);
    let table = sent(Table::new(Banqi::start(RuleSet::PLATFORM), Draws(Rng::new(1)), clocks));
    assert_eq!(table.to_move(), Some(Seat(0)));
}
