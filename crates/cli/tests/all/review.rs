//! `review` from the command line: its output, its files, and a run over many games that is killed and resumed.

use std::process::{Command, Stdio};

use serde_json::Value;

use crate::fish::{FISH, ROOT, fish, folder, killed, right, wrong};

/// The sample review equals the output of this command, byte for byte. `UPDATE_GOLDEN=1` rewrites it.
#[test]
fn the_sample_review() {
    let folder = folder("review-sample");
    let games = format!("{ROOT}/examples/first.games");
    let words = ["review", &games, "--game", "1", "--html", "review.html", "--svg", "review.svg"];
    std::fs::write(folder.join("review.txt"), right(&folder, &words)).expect("a file");
    for name in ["review.txt", "review.html", "review.svg"] {
        let golden = format!("{ROOT}/examples/reports/{name}");
        let found = std::fs::read(folder.join(name)).expect("a review");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &found).expect("a writable sample");
        }
        assert!(
            std::fs::read(&golden).expect("the sample") == found,
            "{golden} is not what the command writes"
        );
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// No input file is overwritten, and no file is written twice.
#[test]
fn files_stay_apart() {
    let folder = folder("review-apart");
    let games = std::fs::read(format!("{ROOT}/examples/first.games")).expect("the sample");
    std::fs::write(folder.join("mine.games"), &games).expect("a file");
    let common = ["review", "mine.games", "--game", "2", "--judge", "nodes=1"];
    for files in [&["--annotate", "./mine.games"][..], &["--html", "new", "--svg", "new"]] {
        let output = fish(&folder, &[&common[..], files].concat());
        assert!(String::from_utf8_lossy(&output.stderr).contains("a file of its own"), "{output:?}");
        assert!(output.status.code() == Some(2) && output.stdout.is_empty());
    }
    assert_eq!(std::fs::read(folder.join("mine.games")).expect("still there"), games);
    assert!(!folder.join("new").exists());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn a_game_is_seen_by_either_side() {
    let folder = folder("review-sides");
    let games = format!("{ROOT}/examples/first.games");
    let words = ["review", &games, "--game", "3", "--judge", "nodes=20", "--json"];
    let first: Value = serde_json::from_str(&right(&folder, &words)).expect("JSON");
    let second = right(&folder, &[&words[..], &["--for", "random", "--annotate", "judged.games"]].concat());
    let second: Value = serde_json::from_str(&second).expect("JSON");
    assert_eq!([&first["schema"], &first["for"], &second["for"]], [2, 0, 1]);
    let sum = |json: &Value, name: &str| json["sums"][name].as_i64().expect("a number");
    for name in ["start", "luck", "corrections", "forfeit", "result"] {
        assert_eq!(sum(&first, name), -sum(&second, name), "{name}");
    }
    assert_eq!(sum(&first, "own"), sum(&second, "others"));
    // The written record gives the same review, and a file of one game needs no number.
    right(&folder, &["replay", "--check", "judged.games"]);
    let again = right(&folder, &["review", "judged.games", "--judge", "nodes=20", "--json"]);
    assert_eq!(serde_json::from_str::<Value>(&again).expect("JSON"), first);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Records of the tournament platform have no names.
#[test]
fn a_game_of_the_platform() {
    let folder = folder("review-platform");
    let game = r#"{"id":"g1","set":"s","end":"TimeOut","plies":"a1(K) a2(p) b1(P)","clock_ms":[900000,899000,898500]}"#;
    std::fs::write(folder.join("game.jsonl"), game).expect("a file");
    let words = ["review", "game.jsonl", "--judge", "nodes=20", "--for", "second player"];
    let text = right(&folder, &words);
    assert!(text.starts_with("first player against second player: 1-0 (timeout) after 3 plies\n"), "{text}");
    assert!(text.contains("Seen by second player.") && text.contains("\n  forfeit"), "{text}");
    let all: Value =
        serde_json::from_str(&right(&folder, &["review", "game.jsonl", "--all", "--json"])).expect("JSON");
    assert_eq!(all["players"]["second player"]["games"], 1);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn what_is_wrong_is_said() {
    let games = "examples/first.games";
    for (words, said) in [
        (&[games][..], "there are 6 games: say which one with --game N, or --all"),
        (&[games, "--game", "7"], "expected --game to be from 1 to 6"),
        (&[games, "--game", "1", "--for", "me"], r#"expected --for to be "greedy" or "random", found "me""#),
        (&[games, "--all", "--for", "me"], r#"expected --for to be a player of these games, found "me""#),
        (&[games, "--all", "--html", "x.html"], "cannot be used with"),
        (&[games, "--game", "1", "--out", "x"], "cannot be used with"),
        (&[games, "--threads", "1"], "--all"),
        (&[games, "--game", "1", "--judge", "nodes=0"], "nodes=1 or more"),
        (&[games, "--game", "1", "--judge", "unknown"], "--judge"),
        (&[games, "--game", "1", "--judge", "random"], "such as alphabeta or mcts"),
        (&["nothing.games"], "cannot read nothing.games"),
    ] {
        let heard = wrong(ROOT, &[&["review"], words].concat());
        assert!(heard.contains(said), "{words:?}: {heard}");
    }
}

/// Games judged before a kill are not judged again, and the result is that of an uninterrupted run, to the last byte.
#[test]
fn a_run_that_is_killed_goes_on() {
    let folder = folder("review-killed");
    let games = std::fs::read_to_string(format!("{ROOT}/examples/first.games")).expect("games");
    // A game with another tag is another game.
    let games: String = (0..5).map(|n| games.replace("Example games", &format!("Example {n}"))).collect();
    std::fs::write(folder.join("many.games"), games).expect("a file");
    let words = |out: &'static str| {
        ["review", "many.games", "--all", "--judge", "nodes=20", "--threads", "1", "--out", out]
    };
    let text = right(&folder, &words("whole"));
    assert!(text.contains("add up to the millionth: 30 of 30"), "{text}");
    let whole = std::fs::read_to_string(folder.join("whole/review.json")).expect("a result");

    let lines =
        || std::fs::read_to_string(folder.join("broken/journal")).map_or(0, |text| text.lines().count());
    let mut program = Command::new(FISH);
    program.current_dir(&folder).args(words("broken")).stdout(Stdio::null()).stderr(Stdio::null());
    let mut kept = 32;
    while kept == 32 {
        let _ = std::fs::remove_dir_all(folder.join("broken"));
        // The first two lines are the head of the journal. If all games were judged before the kill, it begins again.
        killed([program.spawn().expect("it starts")], || lines() >= 5);
        kept = lines();
    }

    let resumed = fish(&folder, &[&words("broken")[..], &["--json", "--for", "random"]].concat());
    let beside = String::from_utf8_lossy(&resumed.stderr);
    assert!(beside.contains("in the journal"), "{kept} lines: {beside}");
    assert_eq!(String::from_utf8_lossy(&resumed.stdout), whole);
    assert_eq!(std::fs::read_to_string(folder.join("broken/review.json")).expect("a result"), whole);
    let json: Value = serde_json::from_str(&whole).expect("JSON");
    assert_eq!([&json["games"], &json["added_up"], &json["players"]["random"]["games"]], [30, 30, 30]);
    assert!(json["players"]["greedy"]["adjusted"]["low"].is_number(), "{json}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
