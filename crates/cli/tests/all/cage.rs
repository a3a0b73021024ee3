//! Matches against programs that try to outlive them, with signals in the middle: no process is left, and no
//! game is lost.

#![allow(clippy::print_stdout, reason = "it says what it saw")]

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anglerfish_arena::now;
use rustix::process::{Pid, Signal, kill_process};

use crate::fish::{FISH, place};

/// Two games at a time of the mock engine against a random player. All processes carry the name of the folder.
fn start(mode: &str, budget: &str, out: &Path, pairs: u64) -> Child {
    game(FISH, &[], mode, budget, out, pairs).spawn().expect("it starts")
}

/// The command of such a match; `before` precedes the program's own command line, for a program that starts it.
fn game(program: &str, before: &[&str], mode: &str, budget: &str, out: &Path, pairs: u64) -> Command {
    let mock = Path::new(FISH).with_file_name("examples").join("mock_engine");
    assert!(mock.exists(), "cargo build --package anglerfish-arena --examples makes {}", mock.display());
    let cmd = format!("cmd={}", mock.display());
    let token = format!("arg={}", token(out));
    let mut command = Command::new(program);
    command
        .args(before)
        .args(["match", "--engine", &cmd, &format!("arg={mode}"), &token, "proto=dctp", budget, "answer=60"])
        .args(["--engine", "player=random", "nodes=1", "--concurrency", "2", "--json", "--rounds"])
        .arg(pairs.to_string())
        .arg("--out")
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    command
}

fn token(out: &Path) -> String {
    out.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The command lines of all processes with this folder in them, from /proc.
fn left_over(out: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
    let line = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let line = String::from_utf8_lossy(&std::fs::read(entry.path().join("cmdline")).ok()?).into_owned();
        line.contains(&token(out)).then(|| format!("{pid} {line:?}"))
    };
    processes.filter_map(line).collect()
}

/// How many pairs are in the journal.
fn kept(out: &Path) -> u64 {
    let journal = std::fs::read_to_string(out.join("journal")).unwrap_or_default();
    journal.lines().skip(2).count() as u64
}

/// Plays this many pairs, with SIGINT after a quarter of them and SIGTERM after two, and returns the result.
fn interrupted(mode: &str, budget: &str, pairs: u64) -> serde_json::Value {
    let out = place(&format!("cage-{}-{pairs}", mode.replace(':', "-")));
    for (share, signal) in [(1, Signal::INT), (2, Signal::TERM)] {
        let status = loop {
            let mut child = start(mode, budget, &out, pairs);
            while kept(&out) < pairs * share / 4 && child.try_wait().expect("it runs").is_none() {
                std::thread::sleep(Duration::from_millis(1));
            }
            if child.try_wait().expect("it runs").is_none() {
                kill_process(Pid::from_child(&child), signal).expect("a signal");
            }
            let status = child.wait().expect("it ends");
            if !status.success() {
                break status;
            }
            // It finished before its signal: begin again.
            std::fs::remove_dir_all(&out).expect("a folder");
        };
        assert_eq!(status.signal(), Some(signal.as_raw()), "{mode}: it dies of what it was sent");
        assert!(kept(&out) < pairs, "{mode}: it goes before it is done");
        assert_eq!(left_over(&out), Vec::<String>::new(), "{mode}, after {signal:?}");
    }
    let output = start(mode, budget, &out, pairs).wait_with_output().expect("it ends");
    assert!(output.status.success(), "{mode}");
    assert_eq!(left_over(&out), Vec::<String>::new(), "{mode}, at the end");
    let games = std::fs::read_to_string(out.join("match.games")).expect("the games");
    assert_eq!(games.matches("[Round \"").count() as u64, 2 * pairs, "{mode}: every game once");
    std::fs::remove_dir_all(out).expect("cleaned up");
    serde_json::from_slice(&output.stdout).expect("JSON")
}

/// Interrupted games are played again, not lost.
fn a_signal_costs_no_game(pairs: u64) {
    let result = interrupted("wrapper:", "nodes=1", pairs);
    assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "{result}");
}

#[test]
fn a_signal_costs_none_of_eighty_games() {
    a_signal_costs_no_game(40);
}

#[test]
#[ignore = "full: four hundred games"]
fn a_signal_costs_none_of_four_hundred_games() {
    a_signal_costs_no_game(200);
}

/// Prints the time: half a second per game is spent on waiting and saying goodbye.
fn hostile(pairs: u64) {
    let begin = now();
    let result = interrupted("hostile", "st=0.3", pairs);
    println!("{} games in {:.1?}: {result}", 2 * pairs, begin.elapsed());
}

#[test]
fn nothing_is_left_of_hostile_programs() {
    hostile(15);
}

#[test]
#[ignore = "full: a thousand games against hostile programs"]
fn nothing_is_left_of_a_thousand_hostile_programs() {
    hostile(500);
}

/// A hangup ends everything, unless it is ignored, as by `nohup`.
#[test]
fn a_hangup_is_heard_unless_it_was_to_be_ignored() {
    for (word, ends) in [("--default-signal=HUP", true), ("--ignore-signal=HUP", false)] {
        let out = place(&format!("cage-hangup-{ends}"));
        let mut child =
            game("env", &[word, FISH], "wrapper:", "nodes=1", &out, 20).spawn().expect("it starts");
        while kept(&out) == 0 && child.try_wait().expect("it runs").is_none() {
            std::thread::sleep(Duration::from_millis(1));
        }
        kill_process(Pid::from_child(&child), Signal::HUP).expect("a signal");
        let status = child.wait().expect("it ends");
        assert_eq!(
            (status.signal() == Some(Signal::HUP.as_raw()), status.success()),
            (ends, !ends),
            "{status}"
        );
        assert_eq!(left_over(&out), Vec::<String>::new(), "{word}");
        std::fs::remove_dir_all(out).expect("cleaned up");
    }
}

/// After a `kill -9` of the runner an isolated program leaves no process, even if it hangs.
#[test]
fn an_isolated_program_ends_with_us() {
    if let Err(why) = anglerfish_arena::can_isolate() {
        println!("SKIPPED an_isolated_program_ends_with_us ({why})");
        return;
    }
    let out = place("cage-isolated");
    let mut child =
        game(FISH, &[], "linger", "nodes=1", &out, 1).arg("--isolate").spawn().expect("it starts");
    // The program itself, and not only its sandbox: it reads nothing, so it does not notice that the runner is gone.
    let is_mock = |line: &String| line.split("\\0").next().is_some_and(|cmd| cmd.ends_with("mock_engine"));
    while !left_over(&out).iter().any(is_mock) {
        assert!(child.try_wait().expect("it runs").is_none(), "it waits for the program");
        std::thread::sleep(Duration::from_millis(10));
    }
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    // There is no time limit: a test that hangs here has found a fault.
    while !left_over(&out).is_empty() {
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = std::fs::remove_dir_all(out);
}
