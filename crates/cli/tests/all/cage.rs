//! A match against programs that do all they can to stay, and signals in the middle of it: nothing is left, and nothing is lost.
//!
//! The long one is `cargo test --workspace --test all cage -- --ignored --nocapture`, after a build with examples; `.ci/run games` has it.

#![allow(clippy::print_stdout, reason = "the long one says what it saw")]

use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anglerfish_arena::now;
use rustix::process::{Pid, Signal, kill_process};

use crate::fish::{FISH, place};

/// Two games at a time of the mock engine against a random player. All that it starts carries the name of the folder.
fn start(mode: &str, budget: &str, out: &Path, pairs: u64) -> Child {
    let mock = Path::new(FISH).with_file_name("examples").join("mock_engine");
    assert!(mock.exists(), "cargo build --package anglerfish-arena --examples makes {}", mock.display());
    let cmd = format!("cmd={}", mock.display());
    let token = format!("arg={}", token(out));
    Command::new(FISH)
        .args(["match", "--engine", &cmd, &format!("arg={mode}"), &token, "proto=dctp", budget, "answer=5"])
        .args(["--engine", "player=random", "nodes=1", "--concurrency", "2", "--json", "--rounds"])
        .arg(pairs.to_string())
        .arg("--out")
        .arg(out)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

fn token(out: &Path) -> String {
    out.file_name().expect("a name").to_string_lossy().into_owned()
}

/// The command lines of all processes that carry a token on them, as /proc tells.
fn left_over(out: &Path) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
    let line = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let line = String::from_utf8_lossy(&std::fs::read(entry.path().join("cmdline")).ok()?).into_owned();
        line.contains(&token(out)).then(|| format!("{pid} {line:?}"))
    };
    processes.filter_map(line).collect()
}

/// Waits until so many pairs are in the journal.
fn until(out: &Path, pairs: usize) {
    let begin = now();
    loop {
        let journal = std::fs::read_to_string(out.join("journal")).unwrap_or_default();
        if journal.lines().count() > pairs {
            return;
        }
        assert!(begin.elapsed() < Duration::from_mins(10), "{pairs} pairs take too long");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Plays so many pairs, with SIGINT after a third of them and SIGTERM after two, and returns the result.
fn interrupted(mode: &str, budget: &str, pairs: u64) -> serde_json::Value {
    let out = place(&format!("cage-{}", mode.replace(':', "-")));
    for (share, signal) in [(1, Signal::INT), (2, Signal::TERM)] {
        let mut child = start(mode, budget, &out, pairs);
        until(&out, (pairs * share / 3) as usize);
        // In the middle of a game, most likely.
        std::thread::sleep(Duration::from_millis(30));
        let begin = now();
        kill_process(Pid::from_raw(child.id().cast_signed()).expect("a process"), signal).expect("a signal");
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(signal.as_raw()), "{mode}: it dies of what it was sent");
        assert!(begin.elapsed().as_secs() < 10, "{mode}: it took {:?} to go", begin.elapsed());
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

/// What is interrupted is played again, not lost.
#[test]
fn a_signal_costs_nobody_a_game() {
    let result = interrupted("wrapper:", "nodes=1", 200);
    assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "{result}");
}

/// Half a second a game is what waiting and saying goodbye takes; a busy machine gets three times that.
fn hostile(pairs: u64) {
    let begin = now();
    let result = interrupted("hostile", "st=0.3", pairs);
    let took = begin.elapsed();
    println!("{} games in {took:.1?}: {result}", 2 * pairs);
    assert!(took < Duration::from_millis(1500) * (pairs as u32) + Duration::from_secs(20), "{took:?}");
}

#[test]
fn nothing_is_left_of_hostile_programs() {
    hostile(15);
}

#[test]
#[ignore = "a thousand games, a minute and a half; the stage games of .ci/run has it"]
fn nothing_is_left_of_a_thousand_hostile_programs() {
    hostile(500);
}
