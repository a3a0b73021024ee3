//! A test's verdict stands whatever is played or asked later; and matches of other games.

use std::path::Path;
use std::process::{Command, Output};

use anglerfish_rules::read_records;
use anglerfish_rules::tictactoe::TicTacToe;
use serde_json::Value;

use crate::fish::{FISH, place};

fn play(out: &Path, more: &[&str]) -> Output {
    let mut command = Command::new(FISH);
    command.args([
        "match",
        "--engine",
        "player=greedy",
        "--engine",
        "player=random",
        "--rules",
        "platform,board=4x4",
    ]);
    command.args(["--concurrency", "2", "--out"]).arg(out).args(more).output().expect("it starts")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).expect("a file")).expect("JSON")
}

#[test]
fn a_verdict_stands() {
    let out = place("verdict-stands");
    let test = ["--sprt", "elo0=0", "elo1=100", "--rounds"];
    let decided = play(&out, &[&test[..], &["3000"]].concat());
    assert!(decided.status.success(), "{}", text(&decided.stderr));
    let file = json(&out.join("verdict.json"));
    let verdict = &file["decision"];
    assert_eq!(
        (&file["format"], &verdict["verdict"]),
        (&"anglerfish-verdict 1".into(), &"accepth1".into()),
        "{file}"
    );
    let pairs = verdict["pairs"].as_u64().expect("a number");
    assert!((10..3000).contains(&pairs), "{pairs}");
    let (result, games) =
        (json(&out.join("result.json")), std::fs::read(out.join("match.games")).expect("games"));
    assert_eq!(
        result["pairs"].as_array().expect("five").iter().filter_map(Value::as_u64).sum::<u64>(),
        pairs
    );

    // The same command again changes nothing.
    assert!(play(&out, &[&test[..], &["3000"]].concat()).status.success());
    assert_eq!(json(&out.join("result.json")), result);

    // Playing on without a test keeps the verdict and its games; the other games are shown separately.
    let on = play(&out, &["--rounds", &(pairs + 20).to_string()]);
    let said = text(&on.stdout);
    assert!(
        said.contains("H1 accepted") && said.contains("40 games ended after the verdict and do not count"),
        "{said}"
    );
    assert_eq!(json(&out.join("verdict.json")), file);
    let mut now = json(&out.join("result.json"));
    let after = now.as_object_mut().expect("an object").remove("after").expect("shown apart");
    assert_eq!(after.as_object().expect("three").values().filter_map(Value::as_u64).sum::<u64>(), 40);
    assert_eq!(now, result);
    assert_eq!(std::fs::read(out.join("match.games")).expect("games"), games);
    let after = std::fs::read_to_string(out.join("after.games")).expect("games");
    assert_eq!(after.matches("[Round ").count(), 40);

    // Asking for fewer pairs or for some units does not undo it either.
    for fewer in [&["--rounds", "2"][..], &[&test[..], &["2"]].concat()] {
        let run = play(&out, fewer);
        assert!(run.status.success() && text(&run.stdout).contains("H1 accepted"), "{}", text(&run.stdout));
        assert_eq!(std::fs::read(out.join("match.games")).expect("games"), games);
    }
    let part = play(&out, &["--rounds", "3000", "--units", "1..5"]);
    assert!(
        !part.status.success() && text(&part.stderr).contains("a test needs all pairs"),
        "{}",
        text(&part.stderr)
    );
    assert_eq!(std::fs::read(out.join("match.games")).expect("games"), games, "nothing was touched");

    // Another test cannot replace the verdict.
    let other = play(&out, &["--sprt", "elo0=0", "elo1=5", "--rounds", "3000"]);
    assert!(!other.status.success());
    assert!(
        text(&other.stderr).contains("another test needs new games in a new folder"),
        "{}",
        text(&other.stderr)
    );

    let laundered = place("verdict-laundered");
    let merge =
        Command::new(FISH).args(["merge", "--out"]).arg(&laundered).arg(&out).output().expect("it starts");
    assert!(merge.status.success(), "{}", text(&merge.stderr));
    assert_eq!(json(&laundered.join("verdict.json")), file, "nor by merging");
    assert_eq!(json(&laundered.join("provenance.json")), json(&out.join("provenance.json")));
    std::fs::remove_dir_all(laundered).expect("cleaned up");

    let provenance = json(&out.join("provenance.json"));
    let sessions = provenance["sessions"].as_array().expect("a list");
    assert!(sessions.len() >= 3 && sessions[0]["sprt"]["elo1"] == 100.0, "{provenance}");
    assert_eq!(sessions[0]["engines"][0]["player"], "greedy");
    std::fs::remove_dir_all(out).expect("cleaned up");
}

#[test]
fn a_match_of_tic_tac_toe_keeps_what_was_thought() {
    let out = place("verdict-tictactoe");
    let run = Command::new(FISH)
        .args(["match", "--game", "tictactoe", "--engine", "player=mcts,hash=1", "nodes=200", "name=tree"])
        .args(["--engine", "player=random", "--rounds", "5", "--annotate", "9", "--out"])
        .arg(&out)
        .output()
        .expect("it starts");
    assert!(run.status.success(), "{}", text(&run.stderr));
    let games = std::fs::read_to_string(out.join("match.games")).expect("games");
    assert_eq!(games.matches("[Annotations \"1\"]").count(), 10);
    assert!(games.contains("{v ") && games.contains(" n 200 c "), "{games}");
    for record in read_records::<TicTacToe>(&games) {
        let record = record.expect("a record");
        assert!(record.replay().is_ok());
        let thoughts = (0..2).filter_map(|ply| record.annotation(ply));
        let thought = thoughts.max_by_key(|thought| thought.candidates.len()).expect("the tree's first move");
        assert!(thought.candidates.len() >= 8 && thought.candidates.iter().all(|c| c.visits.is_some()));
    }
    std::fs::remove_dir_all(out).expect("cleaned up");
}

#[test]
fn what_is_not_a_match_is_said() {
    let refused = |args: &[&str], expected: &str| {
        let run = Command::new(FISH).arg("match").args(args).output().expect("it starts");
        assert_eq!(run.status.code(), Some(2));
        assert!(text(&run.stderr).contains(expected), "{args:?}: {}", text(&run.stderr));
    };
    let both = ["--engine", "player=random", "--engine", "player=greedy"];
    let with = |more: &[&'static str]| [&both[..], more].concat();
    refused(&with(&["--game", "chess"]), "expected --game banqi or siguo or tictactoe, found \"chess\"");
    refused(&with(&["--game", "tictactoe"]), "tictactoe has no search called habit");
    refused(&with(&["--units", "5..200"]), "expected units 1..100 or some of them, found 5..200");
    refused(&with(&["--units", "x"]), "expected --units FIRST..LAST");
    refused(
        &with(&["--units", "1..5", "--sprt", "elo0=0", "elo1=5"]),
        "a test needs all pairs in their order",
    );
    refused(&with(&["--openings", "random:x"]), "expected random:PLIES");
    let weights = ["--engine", "player=random", "--engine", "player=alphabeta,weights=tuned"];
    refused(&weights, "tuned");
}
