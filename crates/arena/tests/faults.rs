//! Real processes that crash, hang, flood, lie and come late: the game is a recorded forfeit and the match goes on.

use std::path::PathBuf;

use anglerfish_arena::protocol::Protocol;
use anglerfish_arena::{Contestant, Kind, Limits, Match, Program, now};
use anglerfish_rules::{Cause, Forfeit, Outcome, Team};

/// The mock engine, which cargo builds with the tests.
fn mock() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("target/PROFILE/deps/TEST");
    folder.join("examples/mock_engine")
}

fn contestant(mode: &str, budget: &str, memory_mb: Option<u64>) -> Contestant {
    let program = Program {
        cmd: mock().to_str().expect("UTF-8").to_owned(),
        args: vec![mode.to_owned()],
        dir: None,
        limits: Limits { memory_mb, answer_s: 2, stall_s: 2 },
    };
    Contestant {
        name: mode.to_owned(),
        kind: Kind::Program { program, proto: Protocol::Dctp },
        budget: budget.to_owned(),
    }
}

fn against(bad: Contestant) -> Match {
    let good = Contestant {
        name: "random".to_owned(),
        kind: Kind::Builtin("random".to_owned()),
        budget: "nodes=1".to_owned(),
    };
    Match {
        players: [bad, good],
        rules: "platform".to_owned(),
        seed: 1,
        pairs: 1,
        deals: Vec::new(),
        sprt: None,
    }
}

/// Plays a pair and checks that both games end in the forfeit, soon, and with a complaint.
fn check(mode: &str, budget: &str, forfeit: Forfeit, complaint: &str) {
    let begin = now();
    let mut games = 0;
    let game = against(contestant(mode, budget, None));
    let tally = game.run(None, 1, &mut |_, records| {
        for (record, team) in records.iter().zip([Team::B, Team::A]) {
            let ending = record.ending.expect("an ending");
            assert_eq!(ending.cause, Cause::Forfeit(forfeit), "{mode}: {:?}", record.tag("Complaint"));
            assert_eq!(ending.outcome, Outcome::Win(team), "{mode} loses");
            assert!(record.replay().is_ok());
            let said = record.tag("Complaint").unwrap_or_default();
            assert!(said.contains(complaint), "{mode}: {said:?}");
            games += 1;
        }
    });
    let tally = tally.expect("the match goes on");
    assert_eq!((games, tally.forfeits), (2, [2, 0]), "{mode}");
    assert!(begin.elapsed().as_secs() < 20, "{mode} held the match up for {:?}", begin.elapsed());
}

#[test]
fn crash() {
    check("crash", "nodes=1", Forfeit::Crashed, "assertion failed: left == right");
    check("exit", "nodes=1", Forfeit::Crashed, "instead of an answer =12");
    check("dead", "nodes=1", Forfeit::Crashed, "I do not want to play");
    check("orphan", "nodes=1", Forfeit::Timeout, "=12");
}

#[test]
fn hang() {
    check("hang", "tc=1", Forfeit::Timeout, "heard nothing");
    check("half", "st=0.2", Forfeit::Timeout, "for an answer =12");
    check("mute", "nodes=1", Forfeit::Protocol, "\"1 name\"");
}

#[test]
fn late() {
    check("late", "tc=1", Forfeit::Timeout, "waited 1.");
    check("late", "st=0.5", Forfeit::Timeout, "");
}

#[test]
fn lies() {
    check("illegal", "nodes=1", Forfeit::Illegal, "a1-d8 is not possible here");
    check("garbage", "nodes=1", Forfeit::Protocol, "two squares were expected");
    check("refuse", "nodes=1", Forfeit::Protocol, "?12 I do not know");
}

#[test]
fn flood() {
    check("flood", "nodes=1", Forfeit::Protocol, "bytes instead of");
    check("long", "tc=2", Forfeit::Timeout, "x");
}

/// Noise is no fault: boards, near misses and carriage returns are skipped.
#[test]
fn noise_is_skipped() {
    let tally = against(contestant("noisy", "nodes=1", Some(4096))).run(None, 1, &mut |_, _| {});
    let tally = tally.expect("a match");
    assert_eq!(tally.forfeits, [0, 0]);
    assert_eq!(tally.games.iter().sum::<u64>(), 2);
}

#[test]
fn a_program_that_is_not_there() {
    let mut game = against(contestant("", "nodes=1", None));
    if let Kind::Program { program, .. } = &mut game.players[0].kind {
        program.cmd = "/no/such/program".to_owned();
    }
    let tally = game.run(None, 2, &mut |_, _| {}).expect("a match");
    assert_eq!(tally.forfeits, [2, 0]);
}
