//! Real processes that crash, hang, flood, lie and come late: the game is a recorded forfeit and the match goes on.

use std::path::PathBuf;
use std::time::Duration;

use crate::mock::{PATIENT, against, contestant};
use anglerfish_arena::protocol::dctp;
use anglerfish_arena::{Caps, Contestant, ContestantKind, Worker};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Cause, Forfeit, Outcome, Seat, Team};

/// A program whose time is up is complained of in one of these ways, on a slow machine perhaps before it has misbehaved.
const LATE: [&str; 2] = [", all that was left of its time, for an answer =12", ", and had "];

/// Plays a pair, checks that both games end in the forfeit, and returns the complaints.
fn complaints(bad: Contestant, forfeit: Forfeit) -> Vec<String> {
    let mode = bad.name.clone();
    let mut complaints = Vec::new();
    let tally = against(bad).run::<Banqi>(&Worker::default(), None, 1, &mut |_, records| {
        for (record, team) in records.iter().zip([Team::B, Team::A]) {
            let ending = record.ending.expect("an ending");
            assert_eq!(ending.cause, Cause::Forfeit(forfeit), "{mode}: {:?}", record.tag("Complaint"));
            assert_eq!(ending.outcome, Outcome::Win(team), "{mode} loses");
            assert!(record.replay().is_ok());
            complaints.push(record.tag("Complaint").unwrap_or_default().to_owned());
        }
    });
    let tally = tally.expect("the match goes on");
    assert_eq!((complaints.len(), tally.forfeits), (2, [2, 0]), "{mode}");
    complaints
}

/// Both games end in the forfeit, and with one of these complaints.
fn check_any(bad: Contestant, forfeit: Forfeit, expected: &[&str]) {
    for said in complaints(bad, forfeit) {
        assert!(expected.iter().any(|expected| said.contains(expected)), "{said:?}");
    }
}

/// The same, without a clock.
fn check(mode: &str, forfeit: Forfeit, expected: &str) {
    check_any(contestant(mode, "", "nodes=1", PATIENT), forfeit, &[expected]);
}

/// A program that lets its time run out.
fn check_late(mode: &str, budget: &str) {
    check_any(contestant(mode, "", budget, PATIENT), Forfeit::Timeout, &LATE);
}

#[test]
fn crash() {
    check("crash", Forfeit::Crashed, "assertion failed: left == right");
    check("exit", Forfeit::Crashed, "instead of an answer =12");
}

#[test]
fn hang() {
    check_late("hang", "tc=1");
    check_late("half", "st=0.2");
    let orphan = contestant("orphan", "", "nodes=1", Caps { stall_s: 2, ..PATIENT });
    check_any(orphan, Forfeit::Timeout, &["waited 2.0 s for an answer =12"]);
}

#[test]
fn late() {
    check_late("late", "tc=1");
    check_late("late", "st=0.5");
}

#[test]
fn lies() {
    check("illegal", Forfeit::Illegal, "a1-d8 is not possible here: ");
    check("garbage", Forfeit::Protocol, "two squares were expected");
    check("refuse", Forfeit::Protocol, "?12 I do not know");
}

/// The beginning of an endless line is read. The time for that depends on the machine, so a slow one gets more.
#[test]
fn flood() {
    check("flood", Forfeit::Protocol, "bytes instead of");
    let is_heard = |stall_s| {
        let long = contestant("long", "", "nodes=1", Caps { stall_s, ..PATIENT });
        complaints(long, Forfeit::Timeout).iter().all(|said| said.contains("heard \"xxx"))
    };
    assert!([2, 20, 200].into_iter().any(is_heard));
}

/// A program that fills its own standard input and then moves as it should. A slow machine gets more time for what comes before.
#[test]
#[cfg(target_os = "linux")]
fn plug() {
    let is_noticed = |answer_s| {
        let plug = contestant("plug", "", "nodes=1", Caps { answer_s, ..PATIENT });
        let said = complaints(plug, Forfeit::Protocol);
        said.iter().all(|said| said.contains("does not read what it is told: waited"))
    };
    assert!([2, 20, 200].into_iter().any(is_noticed));
}

/// Noise is no fault: boards, near misses and carriage returns are skipped.
#[test]
fn noise_is_skipped() {
    let tally = against(contestant("noisy", "", "nodes=1", Caps { memory_mb: Some(4096), ..PATIENT }))
        .run::<Banqi>(&Worker::default(), None, 1, &mut |_, _| {});
    let tally = tally.expect("a match");
    assert_eq!(tally.forfeits, [0, 0]);
    assert_eq!(tally.games.iter().sum::<u64>(), 2);
}

/// A program that cannot play at all does not lose a match: there is none.
#[test]
fn a_program_that_cannot_start() {
    let refused = |mut bad: Contestant, expected: &str| {
        let error = bad.greet::<Banqi>(&RuleSet::PLATFORM, None, false).expect_err("no match").to_string();
        assert!(error.contains(expected), "{}: {error}", bad.name);
    };
    let starting = |cmd: &str| {
        let mut bad = contestant("", "", "nodes=1", PATIENT);
        if let ContestantKind::Program { start, .. } = &mut bad.kind {
            cmd.clone_into(&mut start.cmd);
        }
        bad
    };
    refused(starting("/no/such/program"), "cmd= is the program alone, and its arguments go into arg=");
    refused(
        starting("/no/such/program -a b"),
        "its arguments go into arg=: cmd=/no/such/program arg=-a arg=b",
    );
    refused(contestant("dead", "", "nodes=1", PATIENT), "I do not want to play");
    let mute = contestant("mute", "", "nodes=1", Caps { answer_s: 2, ..PATIENT });
    refused(mute, "waited 2.0 s for an answer =1 to \"1 name\"");
}

/// A program that thinks while it hears of plies is charged for it.
#[test]
fn hearing_is_charged() {
    check_late("dawdle", "st=0.3");
    let game = against(contestant("dawdle", "", "tc=3", PATIENT));
    let heard = game.run::<Banqi>(&Worker::default(), None, 1, &mut |_, records| {
        for (record, seat) in records.iter().zip([Seat(0), Seat(1)]) {
            assert_eq!(record.ending.map(|e| e.cause), Some(Cause::Forfeit(Forfeit::Timeout)));
            // Two plies a move, half a second of each beyond what is free; the clock had room for two such moves.
            let own: Vec<Duration> = record.plies.iter().filter(|p| p.seat == seat).map(|p| p.took).collect();
            assert!(own.len() <= 4 && own.iter().skip(1).all(|took| took.as_millis() >= 900), "{own:?}");
        }
    });
    heard.expect("a match");
}

/// Every line of both, and standard error, with times; a file a game.
#[test]
fn the_wire_is_kept() {
    let folder = std::env::temp_dir().join(format!("anglerfish-wire-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let game = against(contestant("crash", "", "nodes=1", PATIENT));
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
        // Each game has a process of its own, each request a code and a name, and each ply the time that is left.
        let told: Vec<&str> =
            text.lines().filter_map(|line| line.split_once(" > ")).map(|(_, told)| told).collect();
        assert!(told[0] == "1 name" && told.iter().filter(|told| **told == "1 name").count() == 1, "{text}");
        let is_named = |told: &&str| {
            let (code, name) = told.split_once(' ').expect("a code and a name");
            dctp::COMMANDS[code.parse::<usize>().expect("a code")]
                .starts_with(name.split(' ').next().expect("a name"))
        };
        assert!(told.iter().all(is_named), "{text}");
        let count = |code: &str| told.iter().filter(|told| told.starts_with(code)).count();
        assert!(count("16 ") >= 4 && count("10 ") + count("11 ") == count("16 "), "{text}");
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// With a log and without one a program plays the same games.
#[test]
fn a_log_changes_no_game() {
    let folder = std::env::temp_dir().join(format!("anglerfish-log-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let events = |log: Option<PathBuf>| {
        let mut events = Vec::new();
        let worker = Worker { log, ..Worker::default() };
        let tally = against(contestant("crash", "", "nodes=1", PATIENT)).run::<Banqi>(
            &worker,
            None,
            1,
            &mut |_, records| {
                let plies = records.iter().flat_map(|record| &record.plies);
                events.extend(plies.map(|ply| (ply.seat, ply.event)));
            },
        );
        (tally.expect("a match").forfeits, events)
    };
    assert_eq!(events(Some(folder.clone())), events(None));
    assert!(folder.join("pair-0001.1-first-crash.log").is_file());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
