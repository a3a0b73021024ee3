//! Real processes that crash, hang, flood, lie and come late: the game is a recorded forfeit and the match goes on.

use std::time::Duration;

use crate::mock::{against, contestant};
use anglerfish_arena::{Kind, Worker, now};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Cause, Forfeit, Outcome, Seat, Team};

/// Plays a pair and checks that both games end in the forfeit, soon, and with a complaint.
fn check(mode: &str, budget: &str, forfeit: Forfeit, complaint: &str) {
    check_any(mode, budget, forfeit, &[complaint]);
}

fn check_any(mode: &str, budget: &str, forfeit: Forfeit, complaints: &[&str]) {
    let begin = now();
    let mut games = 0;
    let game = against(contestant(mode, "", budget, None));
    let tally = game.run::<Banqi>(&Worker::default(), None, 1, &mut |_, records| {
        for (record, team) in records.iter().zip([Team::B, Team::A]) {
            let ending = record.ending.expect("an ending");
            assert_eq!(ending.cause, Cause::Forfeit(forfeit), "{mode}: {:?}", record.tag("Complaint"));
            assert_eq!(ending.outcome, Outcome::Win(team), "{mode} loses");
            assert!(record.replay().is_ok());
            let said = record.tag("Complaint").unwrap_or_default();
            assert!(complaints.iter().any(|complaint| said.contains(complaint)), "{mode}: {said:?}");
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
    check("orphan", "nodes=1", Forfeit::Timeout, "=12");
}

#[test]
fn hang() {
    check("hang", "tc=1", Forfeit::Timeout, "heard nothing");
    check("half", "st=0.2", Forfeit::Timeout, "for an answer =12");
}

#[test]
fn late() {
    check("late", "tc=1", Forfeit::Timeout, "waited 1.");
    check("late", "st=0.5", Forfeit::Timeout, "");
}

#[test]
fn lies() {
    check("illegal", "nodes=1", Forfeit::Illegal, "a1-d8 is not possible here: ");
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
    let tally = against(contestant("noisy", "", "nodes=1", Some(4096))).run::<Banqi>(
        &Worker::default(),
        None,
        1,
        &mut |_, _| {},
    );
    let tally = tally.expect("a match");
    assert_eq!(tally.forfeits, [0, 0]);
    assert_eq!(tally.games.iter().sum::<u64>(), 2);
}

/// A program that cannot play at all does not lose a match: there is none.
#[test]
fn a_program_that_cannot_start() {
    let refused = |cmd: Option<&str>, mode: &str, expected: &str| {
        let mut game = against(contestant(mode, "", "nodes=1", None));
        if let (Kind::Program { start, .. }, Some(cmd)) = (&mut game.players[0].kind, cmd) {
            start.cmd = cmd.to_owned();
        }
        let error = game.players[0].greet::<Banqi>(&RuleSet::PLATFORM, None).expect_err("no match");
        assert!(error.contains(expected), "{cmd:?} {mode}: {error}");
    };
    refused(Some("/no/such/program"), "", "cmd= is the program alone, and its arguments go into arg=");
    refused(
        Some("/no/such/program -a b"),
        "",
        "its arguments go into arg=: cmd=/no/such/program arg=-a arg=b",
    );
    refused(None, "dead", "I do not want to play");
    refused(None, "mute", "waited 2.0 s for an answer =1 to \"1 name\"");
}

/// Thinking while it is told plies is not free.
#[test]
fn hearing_is_charged() {
    // A second of it, and by then a busy machine may not even hear the answer in time.
    check_any(
        "dawdle",
        "st=0.3",
        Forfeit::Timeout,
        &["while it was told plies, and had 0.3 s", "waited 0.1 s"],
    );
    let game = against(contestant("dawdle", "", "tc=3", None));
    let heard = game.run::<Banqi>(&Worker::default(), None, 1, &mut |_, records| {
        for (record, seat) in records.iter().zip([Seat(0), Seat(1)]) {
            assert_eq!(record.ending.map(|e| e.cause), Some(Cause::Forfeit(Forfeit::Timeout)));
            // Two plies a move, half a second of each beyond what is free; the clock had room for two such moves.
            let own: Vec<Duration> = record.plies.iter().filter(|p| p.seat == seat).map(|p| p.took).collect();
            assert!(own.len() <= 4 && own[1] >= Duration::from_millis(900), "{own:?}");
        }
    });
    heard.expect("a match");
}

/// Every line of both, and standard error, with times; a file a game.
#[test]
fn the_wire_is_kept() {
    let folder = std::env::temp_dir().join(format!("anglerfish-wire-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let game = against(contestant("crash", "", "nodes=1", None));
    let worker = Worker { log: Some(folder.clone()), ..Worker::default() };
    game.run::<Banqi>(&worker, None, 1, &mut |_, _| {}).expect("a match");
    for name in ["pair-0001.1-first-crash.log", "pair-0001.2-second-crash.log"] {
        let text = std::fs::read_to_string(folder.join(name)).expect(name);
        let line = |end: &str| text.lines().any(|line| line.ends_with(end));
        assert!(
            line(" > 1 name") && line(" < =1 mock") && line(" ! mock: assertion failed: left == right"),
            "{text}"
        );
        let times = text.lines().map(|l| l.split_whitespace().next().and_then(|ms| ms.parse::<u64>().ok()));
        assert!(times.clone().all(|t| t.is_some()) && times.is_sorted(), "{text}");
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
