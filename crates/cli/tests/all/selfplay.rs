//! Games into a store: threads, kills and rivals do not change its contents.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use anglerfish_rules::{Rng, RngExt};
use serde_json::Value;

use crate::fish::{FISH, folder_with, killed, object};

const UNITS: u64 = 100;

const MANIFEST: &str = r#"
pairing = "round-robin"
games = 200
unit = 2
rules = "platform,board=4x4"
openings = "random:1"
annotate = 1
seed = 5
[each]
nodes = 20
[[engine]]
player = "greedy"
[[engine]]
player = "random"
"#;

fn folder(name: &str) -> PathBuf {
    folder_with(&format!("selfplay-{name}"), MANIFEST)
}

fn selfplay(folder: &Path, store: &str, threads: &str) -> Command {
    let mut command = Command::new(FISH);
    command.arg("selfplay").arg(folder.join("manifest.toml")).arg("--store").arg(folder.join(store));
    command.args(["--threads", threads, "--json"]).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn store(words: &[&str], store: &Path) -> Value {
    let mut command = Command::new(FISH);
    command.arg("store").args(words).arg(store).arg("--json");
    object(command)
}

/// The digest of an intact store: every unit once, every game legal.
fn digest(path: &Path, units: u64) -> String {
    let listed = store(&["units"], path);
    assert_eq!(listed["units"], units);
    assert_eq!(listed["games"], 2 * units);
    let found = store(&["verify"], path);
    assert_eq!(found["faults"], serde_json::json!([]));
    assert_eq!(found["digest"], listed["digest"]);
    listed["digest"].as_str().expect("a digest").to_owned()
}

/// How many units are in small objects.
fn kept(store: &Path) -> u64 {
    std::fs::read_dir(store.join("units")).map_or(0, |files| files.count() as u64)
}

/// One thread, two threads, and two processes that are killed this often store the same units, this many.
fn threads_and_kills_change_nothing(kills: usize, units: u64) {
    let manifest = MANIFEST.replace("games = 200", &format!("games = {}", 2 * units));
    let folder = folder_with(&format!("selfplay-{kills}-kills"), &manifest);
    assert_eq!(object(selfplay(&folder, "one", "1"))["games"], 2 * units);
    let expected = digest(&folder.join("one"), units);
    object(selfplay(&folder, "two", "2"));
    assert_eq!(digest(&folder.join("two"), units), expected);

    let broken = folder.join("broken");
    let mut rng = Rng::new(4);
    let mut done = 0;
    while done < kills {
        let before = kept(&broken);
        if before == units {
            // Both have finished: begin again.
            assert_eq!(digest(&broken, units), expected);
            std::fs::remove_dir_all(&broken).expect("a folder");
            continue;
        }
        // Every fourth time at once, else when some more are stored.
        let more = if done % 8 < 2 { 0 } else { 1 + u64::from(rng.below(8)) };
        let children = [(); 2].map(|()| selfplay(&folder, "broken", "1").spawn().expect("it starts"));
        let outputs = killed(children, || kept(&broken) >= before + more);
        done += outputs.iter().filter(|output| !output.status.success()).count();
    }
    let before = kept(&broken);
    let rest = object(selfplay(&folder, "broken", "2"));
    assert_eq!(rest["units"]["kept"], before, "{rest}");
    assert_eq!(digest(&broken, units), expected);

    // Leftovers of killed processes are removed, and nothing else.
    store(&["compact"], &broken);
    assert_eq!(digest(&broken, units), expected);
    assert_eq!(kept(&broken), 0);
    assert_eq!(std::fs::read_dir(broken.join("staging")).map_or(0, Iterator::count), 0);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn threads_and_five_kills_change_nothing() {
    threads_and_kills_change_nothing(5, 40);
}

#[test]
#[ignore = "full: fifty kills"]
fn threads_and_fifty_kills_change_nothing() {
    threads_and_kills_change_nothing(50, UNITS);
}

#[test]
fn two_who_race_leave_each_unit_once() {
    let folder = folder("race");
    let children = ["2", "1"].map(|threads| selfplay(&folder, "store", threads).spawn().expect("it starts"));
    let mut played = 0;
    for child in children {
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        let said: Value = serde_json::from_slice(&stdout).expect("one JSON object");
        played += said["games"].as_u64().expect("a count");
    }
    assert!((2 * UNITS..=4 * UNITS).contains(&played), "{played} games");
    let raced = digest(&folder.join("store"), UNITS);
    object(selfplay(&folder, "alone", "2"));
    assert_eq!(digest(&folder.join("alone"), UNITS), raced);

    // All units are there, so none is played, before and after compaction.
    let nothing_is_left = || {
        let said = object(selfplay(&folder, "store", "2"));
        assert_eq!((&said["games"], &said["units"]["kept"]), (&0.into(), &UNITS.into()));
    };
    nothing_is_left();
    store(&["compact"], &folder.join("store"));
    nothing_is_left();
    assert_eq!(digest(&folder.join("store"), UNITS), raced);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Units are looked up one by one: those that a rival has stored meanwhile are not played.
#[cfg(unix)]
#[test]
fn what_a_rival_has_kept_is_not_played() {
    use std::process::Child;

    use rustix::process::{Pid, Signal, WaitOptions, kill_process, waitpid};

    let folder = folder("rival");
    let played = |child: Child| {
        let Output { status, stdout, stderr } = child.wait_with_output().expect("it ends");
        assert!(status.success(), "{}", String::from_utf8_lossy(&stderr));
        let said: Value = serde_json::from_slice(&stdout).expect("one JSON object");
        said["games"].as_u64().expect("a count") / 2
    };
    let (held, pid) = loop {
        let mut held = selfplay(&folder, "store", "1").spawn().expect("it starts");
        let pid = Pid::from_child(&held);
        while kept(&folder.join("store")) == 0 && held.try_wait().expect("it runs").is_none() {
            std::thread::yield_now();
        }
        kill_process(pid, Signal::STOP).expect("it runs");
        let waited = waitpid(Some(pid), WaitOptions::UNTRACED).expect("it runs");
        if waited.is_some_and(|(_, status)| status.stopped()) {
            break (held, pid);
        }
        // It finished before it was stopped: begin again.
        std::fs::remove_dir_all(folder.join("store")).expect("a folder");
    };
    let before = kept(&folder.join("store"));
    let rival = played(selfplay(&folder, "store", "2").spawn().expect("it starts"));
    assert_eq!(rival, UNITS - before);
    kill_process(pid, Signal::CONT).expect("it stands still");
    // Beside the stored units, those looked up already: one being played, one waiting, and few more.
    let held = played(held);
    assert!((before..before + 20).contains(&held), "{held} units, and {before} when it was held");
    digest(&folder.join("store"), UNITS);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn units_of_another_size_are_refused() {
    let folder = folder("sizes");
    object(selfplay(&folder, "games", "1"));
    std::fs::write(folder.join("manifest.toml"), MANIFEST.replace("unit = 2", "unit = 4"))
        .expect("a manifest");
    let output = selfplay(&folder, "games", "1").output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && said.contains("keep unit = 2, or name another store"),
        "{said}"
    );
    digest(&folder.join("games"), UNITS);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn units_beyond_all_machines_are_refused() {
    let folder = folder("beyond");
    let beyond =
        MANIFEST.replace("unit = 2", "unit = 4294967294").replace("games = 200", "games = 4294967294");
    std::fs::write(folder.join("manifest.toml"), beyond).expect("a manifest");
    let output = selfplay(&folder, "games", "1").output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("at most 65536 pairs in a unit"), "{said}");
    assert!(!folder.join("games").exists());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[cfg(unix)]
#[test]
fn a_store_that_is_away_is_no_mistake() {
    let folder = folder("away");
    object(selfplay(&folder, "games", "1"));
    // A file in place of a folder: root may write into any folder.
    std::fs::remove_dir_all(folder.join("games/units")).expect("it is away");
    std::fs::write(folder.join("games/units"), "").expect("a file");
    let output = selfplay(&folder, "games", "1").output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(75), "{said}");
    assert_eq!(said.matches("os error").count(), 1, "once: {said}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn a_dry_run_says_what_is_left_and_writes_nothing() {
    let folder = folder("dry");
    let dry = || {
        let mut command = selfplay(&folder, "games", "1");
        command.arg("--dry-run");
        object(command)
    };
    let before = dry();
    assert_eq!(
        (&before["units"], &before["kept"], &before["games"]),
        (&UNITS.into(), &0.into(), &(2 * UNITS).into())
    );
    assert!(before["core_hours"].as_f64().is_some_and(|hours| hours > 0.0));
    assert!(!folder.join("games").exists());

    let mut quarter = selfplay(&folder, "games", "1");
    quarter.args(["--task", "1/4"]);
    object(quarter);
    let after = dry();
    let (left, kept) = (3 * UNITS / 4, UNITS / 4);
    assert_eq!(
        (&after["units"], &after["kept"], &after["games"]),
        (&left.into(), &kept.into(), &(2 * left).into())
    );
    // The estimated bytes of all units, compared with those of a quarter.
    let promised = before["bytes"].as_f64().expect("a number") / 4.0;
    let took: u64 = std::fs::read_dir(folder.join("games/units"))
        .expect("a folder")
        .map(|file| file.and_then(|file| file.metadata()).expect("a file").len())
        .sum();
    assert!((promised / took as f64 - 1.0).abs() < 0.5, "promised {promised}, took {took}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
