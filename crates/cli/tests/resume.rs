//! kill -9 of the runner at random points: after resuming, the games are those of an uninterrupted run, none twice.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anglerfish_rules::Rng;

fn start(out: &Path, concurrency: &str) -> Child {
    Command::new(env!("CARGO_BIN_EXE_anglerfish"))
        .args(["match", "--engine", "player=greedy", "--engine", "player=random", "--rounds", "1500"])
        .args(["--seed", "9", "--concurrency", concurrency, "--json", "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts")
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("anglerfish-resume-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

#[test]
fn fifty_kills_lose_nothing() {
    let whole = folder("whole");
    assert!(start(&whole, "1").wait().expect("it ends").success());
    let expected = std::fs::read_to_string(whole.join("match.games")).expect("the games");

    let broken = folder("broken");
    let mut rng = Rng::new(50);
    let (mut kills, mut runs) = (0, 0);
    while kills < 50 {
        runs += 1;
        assert!(runs < 500, "only {kills} of {runs} runs could be killed");
        let mut child = start(&broken, "2");
        std::thread::sleep(Duration::from_millis(u64::from(5 + rng.below(40))));
        child.kill().expect("kill -9");
        let status = child.wait().expect("it is gone");
        if status.success() {
            // It finished before the kill: begin again, so that there are fifty real ones.
            std::fs::remove_dir_all(&broken).expect("a folder");
        } else {
            kills += 1;
        }
    }
    assert!(start(&broken, "2").wait().expect("it ends").success());
    let found = std::fs::read_to_string(broken.join("match.games")).expect("the games");
    assert_eq!(found.matches("[Round \"").count(), 3000, "every game once");
    assert!(found == expected, "the games are those of the uninterrupted run");

    // The journal holds every unit once.
    let journal = std::fs::read_to_string(broken.join("journal")).expect("the journal");
    let mut lines: Vec<&str> = journal.lines().skip(1).collect();
    assert_eq!(lines.len(), 1500);
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 1500, "no unit twice");
    for folder in [whole, broken] {
        std::fs::remove_dir_all(folder).expect("cleaned up");
    }
}

#[test]
fn a_journal_is_for_one_run_at_a_time() {
    let out = folder("other");
    let run = |seed: &str| {
        Command::new(env!("CARGO_BIN_EXE_anglerfish"))
            .args(["match", "--engine", "player=greedy", "--engine", "player=random", "--rounds", "3"])
            .args(["--seed", seed, "--out"])
            .arg(&out)
            .output()
            .expect("it runs")
    };
    assert!(run("1").status.success());
    let games = std::fs::read(out.join("match.games")).expect("the games");
    assert!(run("1").status.success(), "again is no harm");
    assert_eq!(std::fs::read(out.join("match.games")).expect("the games"), games);
    let other = run("2");
    assert_eq!(other.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&other.stderr).contains("holds another run"));

    // A torn end is dropped and played again; damage in the middle is said.
    let journal = out.join("journal");
    let bytes = std::fs::read(&journal).expect("the journal");
    std::fs::write(&journal, &bytes[..bytes.len() - 40]).expect("torn");
    assert!(run("1").status.success());
    assert_eq!(std::fs::read(&journal).expect("the journal").len(), bytes.len());
    let mut bytes = bytes;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&journal, &bytes).expect("damaged");
    let damaged = run("1");
    assert_eq!(damaged.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("damaged"));
    std::fs::remove_dir_all(out).expect("cleaned up");
}
