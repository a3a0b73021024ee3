//! A runner that is killed, or whose disk is full: all reported games are in the journal, and a resumed run
//! gives the games of an uninterrupted run, each once.

use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Stdio};

use anglerfish_rules::{Rng, RngExt};
use serde_json::Value;

use crate::fish::{FISH, killed, place};

/// A match of quick games.
fn play(mut program: Command, out: &Path, pairs: usize, concurrency: &str) -> Command {
    program
        .args([
            "match",
            "--engine",
            "player=greedy",
            "--engine",
            "player=random",
            "--rules",
            "platform,board=4x4",
        ])
        .args([
            "--rounds",
            &pairs.to_string(),
            "--seed",
            "9",
            "--concurrency",
            concurrency,
            "--json",
            "--out",
        ])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    program
}

/// The games of an uninterrupted run.
fn expected(name: &str, pairs: usize) -> String {
    let whole = place(&format!("resume-{name}"));
    let run = play(Command::new(FISH), &whole, pairs, "1").output().expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    let games = std::fs::read_to_string(whole.join("match.games")).expect("the games");
    std::fs::remove_dir_all(whole).expect("cleaned up");
    games
}

/// The pairs in a journal by number, with their games, without a torn end. Every line is whole, and none is
/// there twice.
fn journal(out: &Path) -> BTreeMap<u64, String> {
    let text = std::fs::read_to_string(out.join("journal")).unwrap_or_default();
    let whole = &text[..text.rfind('\n').map_or(0, |end| end + 1)];
    let mut pairs = BTreeMap::new();
    for line in whole.lines().skip(1) {
        let line: Value = serde_json::from_str(line).expect("a whole line");
        let text = |key: &str| line[key].as_str().expect("a text").to_owned();
        if text("unit") != "run" {
            let unit: Value = serde_json::from_str(&text("unit")).expect("a pair");
            assert!(
                pairs.insert(unit["first"].as_u64().expect("a number"), text("result")).is_none(),
                "twice"
            );
        }
    }
    pairs
}

/// All reported games are in the journal: on standard error, and in the file of games. The number of pairs there.
fn holds_what_was_said(out: &Path, stderr: &[u8]) -> usize {
    let pairs = journal(out);
    let stderr = String::from_utf8_lossy(stderr);
    for line in stderr.lines() {
        let said = line.strip_prefix("going on: ").or_else(|| line.strip_prefix("pair "));
        if let Some(n) = said.and_then(|text| text.split(' ').next()?.parse::<usize>().ok()) {
            assert!(n <= pairs.len(), "{line:?}, and {} are in the journal", pairs.len());
        }
    }
    let kept: String = (1..).map_while(|n| pairs.get(&n)).map(String::as_str).collect();
    let said = std::fs::read_to_string(out.join("match.games")).unwrap_or_default();
    assert!(kept.starts_with(&said), "games that are not in the journal");
    pairs.len()
}

/// A resumed run ends with the games of the uninterrupted run.
fn ends_well(out: &Path, expected: &str, pairs: usize) {
    let run = play(Command::new(FISH), out, pairs, "2").output().expect("it runs");
    assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
    assert_eq!(holds_what_was_said(out, &run.stderr), pairs);
    let found = std::fs::read_to_string(out.join("match.games")).expect("the games");
    assert_eq!(found.matches("[Round \"").count(), 2 * pairs, "every game once");
    assert!(found == expected, "the games are those of the uninterrupted run");
}

/// Kills a run of this many pairs this often.
fn kills_lose_nothing(kills: u32, pairs: usize) {
    // More bytes than the head of the journal and the longest pair take together.
    const PAIR: u32 = 12_000;
    let expected = expected(&format!("{kills}-whole"), pairs);
    let broken = place(&format!("resume-{kills}-broken"));
    let mut rng = Rng::new(50);
    let mut done = 0;
    while done < kills {
        let length = || std::fs::metadata(broken.join("journal")).map_or(0, |file| file.len());
        let (before, played) = (length(), journal(&broken).len());
        // Every fourth at once or as it begins to write, the others when it has written at least one pair.
        let in_play = done % 4 != 0;
        let more = u64::from(if in_play { PAIR + rng.below(10_000) } else { rng.below(2) });
        let child = play(Command::new(FISH), &broken, pairs, "2").spawn().expect("it starts");
        let [output] = killed([child], || length() >= before + more);
        let now = holds_what_was_said(&broken, &output.stderr);
        assert!(now >= played, "{played} pairs before, {now} now");
        if output.status.success() {
            // It finished before the kill: begin again, so that every kill is a real one.
            std::fs::remove_dir_all(&broken).expect("a folder");
        } else {
            assert!(!in_play || now > played, "{more} bytes and no pair");
            done += 1;
        }
    }
    ends_well(&broken, &expected, pairs);
    std::fs::remove_dir_all(broken).expect("cleaned up");
}

#[test]
fn five_kills_lose_nothing() {
    kills_lose_nothing(5, 120);
}

#[test]
#[ignore = "full: forty kills"]
fn forty_kills_lose_nothing() {
    kills_lose_nothing(40, 1000);
}

/// A limit on the size of files simulates a full disk. The started program ignores the signal that would kill it.
#[cfg(unix)]
#[test]
fn a_full_disk_is_said_and_loses_nothing() {
    const PAIRS: usize = 60;
    let expected = expected("roomy", PAIRS);
    let full = place("resume-full");
    let mut before = 0;
    for blocks in [1, 20, 21, 22, 40, 80] {
        let mut shell = Command::new("sh");
        shell.args(["-c", &format!("ulimit -f {blocks}; trap '' XFSZ; exec \"$0\" \"$@\""), FISH]);
        let run = play(shell, &full, PAIRS, "2").output().expect("it runs");
        let stderr = String::from_utf8_lossy(&run.stderr);
        assert_eq!(run.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains("journal: File too large"), "{stderr}");
        assert!(!full.join("result.json").exists(), "a result of a run that failed");
        let pairs = holds_what_was_said(&full, &run.stderr);
        assert!((before..PAIRS).contains(&pairs), "{pairs} pairs with {blocks} blocks, and {before} before");
        before = pairs;
    }
    ends_well(&full, &expected, PAIRS);
    std::fs::remove_dir_all(full).expect("cleaned up");
}

#[test]
fn a_journal_is_for_one_run_at_a_time() {
    let out = place("resume-other");
    let run = |seed: &str| {
        Command::new(FISH)
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
    let stderr = String::from_utf8_lossy(&other.stderr);
    assert!(stderr.contains("belongs to a run with other settings: seed was 1 and is now 2."), "{stderr}");

    // A torn end is dropped and played again; damage in the middle is reported.
    let journal = out.join("journal");
    let bytes = std::fs::read(&journal).expect("the journal");
    let played = self::journal(&out);
    assert_eq!(played.len(), 3);
    std::fs::write(&journal, &bytes[..bytes.len() - 40]).expect("torn");
    assert!(run("1").status.success());
    assert_eq!(self::journal(&out), played, "the same games");
    let mut bytes = bytes;
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&journal, &bytes).expect("damaged");
    let damaged = run("1");
    assert_eq!(damaged.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&damaged.stderr).contains("damaged"));
    std::fs::remove_dir_all(out).expect("cleaned up");
}
