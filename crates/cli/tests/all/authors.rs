//! What a match and a tournament tell the author of a program: places, intervals, forfeits with their reasons, and how to go on.

use std::path::Path;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::fish::{FISH, ROOT, fish, folder, right, told, wrong};

/// The mock engine of the arena, which can crash.
fn mock() -> String {
    let mock = Path::new(FISH).with_file_name("examples").join("mock_engine");
    assert!(mock.exists(), "cargo build --package anglerfish-arena --examples makes {}", mock.display());
    mock.display().to_string()
}

fn read(path: impl AsRef<Path>) -> String {
    let path = path.as_ref();
    std::fs::read_to_string(path).unwrap_or_else(|e| panic!("{}: {e}", path.display()))
}

/// The first contestant plays everyone and so has the most points, but it lost to the strongest.
#[test]
fn a_gauntlet_is_ordered_by_elo() {
    let folder = folder("authors-gauntlet");
    let mut words = vec!["tournament", "--format", "gauntlet", "--cycles", "3", "--out", "g"];
    words.extend(["--engine", "player=random", "name=mine", "--engine", "player=greedy", "name=strong"]);
    for name in ["name=r1", "name=r2", "name=r3"] {
        words.extend(["--engine", "player=random", name]);
    }
    let result = told(&folder, &words);
    let table = result["table"].as_array().expect("a table");
    let of = |name: &str| table.iter().find(|row| row["name"] == name).expect(name);
    let points = |name: &str| of(name)["points"].as_f64().expect("points");
    assert!(points("mine") > points("strong"), "it has played four times as many games: {result}");
    assert_eq!(table[0]["name"], "strong");
    let elos: Vec<f64> = table.iter().filter_map(|row| row["elo"]["value"].as_f64()).collect();
    assert!(elos.is_sorted_by(|a, b| a >= b), "{elos:?}");
    assert_eq!(of("mine")["elo"]["value"], 0.0, "the others are compared with it");
    assert_eq!([&of("mine")["games"], &of("r1")["games"]], [24, 6]);
    for row in table {
        let [low, high] = ["low", "high"].map(|end| row["score"][end].as_f64().expect("an end"));
        assert!(0.0 <= low && low < high && high <= 1.0, "{row}");
    }
    let text = right(&folder, &words);
    let means = "A gauntlet compares mine with each of the others. The others never met";
    assert!(text.contains(means) && !text.contains("Buchholz"), "{text}");
    let page = read(folder.join("g/report.html"));
    assert!(page.contains(means) && page.contains("First by Elo") && !page.contains("Winner"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Two games say next to nothing, and no interval passes the bounds of a score.
#[test]
fn two_wins_are_too_few() {
    let words = ["match", "--engine", "player=greedy", "--engine", "player=random", "--rounds", "1"];
    let text = right(ROOT, &words);
    assert!(text.contains("+2 =0 -0, score 100.00 (20.7–100.0) %"), "{text}");
    assert!(text.contains("Elo    unknown (too few pairs)"), "{text}");
    assert!(text.contains("LOS    unknown (too few pairs)"), "{text}");
    let result = told(ROOT, &words);
    assert_eq!(result["score_interval"]["high"], 1.0, "{result}");
}

/// Forfeits are told while the games go on, and the report says why, by game.
#[test]
fn a_report_says_why_a_program_died() {
    let folder = folder("authors-forfeits");
    let cmd = format!("cmd={}", mock());
    let bad = ["--engine", &cmd, "arg=crash", "proto=dctp", "tc=60", "name=bad"];
    let good = ["--engine", "player=greedy", "--engine", "player=random"];
    for (kind, rest, games) in [
        ("match", &["--rounds", "2"][..], ["1.1", "2.2"]),
        ("tournament", &["--format", "round-robin"], ["1.1.1", "2.1.1"]),
    ] {
        let others = if kind == "match" { &good[..2] } else { &good[..] };
        let output = fish(&folder, &[&[kind, "--out", kind], &bad[..], others, rest].concat());
        assert!(output.status.success(), "{output:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        let words = "mock: assertion failed: left == right";
        let line = said.lines().find(|line| line.contains("bad loses by crashed: ended"));
        assert!(line.is_some_and(|line| line.starts_with("game ") && line.contains(words)), "{said}");
        let page = read(folder.join(kind).join("report.html"));
        assert!(page.contains("Forfeits") && page.contains(words));
        let table = read(folder.join(kind).join("tables/forfeits.csv"));
        assert!(table.starts_with("game,loser,by,why\n"), "{table}");
        assert!(table.lines().skip(1).all(|line| line.contains(",bad,crashed,")), "{table}");
        assert!(games.iter().any(|game| table.contains(&format!("\n{game},bad"))), "{table}");
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// What counts is the content of a program's files, not where they lie.
#[cfg(unix)]
#[test]
fn a_program_is_known_by_its_content() {
    let folder = folder("authors-moved");
    let script = format!("exec '{}' good authors-moved\n", mock());
    for place in ["here", "there"] {
        std::fs::create_dir_all(folder.join(place)).expect("a folder");
        std::fs::write(folder.join(place).join("bot.sh"), &script).expect("a script");
    }
    for (kind, rest) in [("match", &["--rounds", "1"][..]), ("tournament", &["--format", "round-robin"])] {
        let play = |file: &str| {
            let arg = format!("arg={file}");
            let bot = ["--engine", "cmd=sh", &arg, "proto=dctp", "tc=60", "name=bot"];
            let random = ["--engine", "player=random", "--out", kind];
            fish(&folder, &[&[kind], &bot[..], &random, rest].concat())
        };
        assert!(play("here/bot.sh").status.success());
        let units = read(folder.join(kind).join("journal")).lines().count();
        let again = play("there/bot.sh");
        let said = String::from_utf8_lossy(&again.stderr).into_owned();
        assert!(again.status.success() && said.contains("going on: 1 "), "{said}");
        assert_eq!(read(folder.join(kind).join("journal")).lines().count(), units, "nothing is played again");
        std::fs::write(folder.join("there/bot.sh"), format!("{script}# edited\n")).expect("a script");
        let changed = play("there/bot.sh");
        let said = String::from_utf8_lossy(&changed.stderr).into_owned();
        assert_eq!(changed.status.code(), Some(2), "{said}");
        let expected = format!("bot.sh changed since {kind} began; use another --out");
        assert!(said.contains(&expected), "{said}");
        std::fs::write(folder.join("there/bot.sh"), &script).expect("a script");
    }
    // A run that has games left plays them with the program where it is now.
    std::fs::remove_file(folder.join("here/bot.sh")).expect("it goes");
    let bot = ["--engine", "cmd=sh", "arg=there/bot.sh", "proto=dctp", "tc=60", "name=bot"];
    let rest = ["--engine", "player=random", "--out", "match", "--rounds", "2"];
    let result = told(&folder, &[&["match"], &bot[..], &rest].concat());
    assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "{result}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Parts of a run are one run wherever its program lay, and a part that another program played is refused.
#[cfg(unix)]
#[test]
fn parts_are_merged_by_the_content_of_programs() {
    let folder = folder("authors-parts");
    let script = format!("exec '{}' good authors-parts\n", mock());
    for (place, text) in [("here", &script), ("there", &script), ("edited", &format!("{script}# edited\n"))] {
        std::fs::create_dir_all(folder.join(place)).expect("a folder");
        std::fs::write(folder.join(place).join("bot.sh"), text).expect("a script");
    }
    let play = |place: &str, rest: &[&str]| {
        let arg = format!("arg={place}/bot.sh");
        let bot = ["match", "--engine", "cmd=sh", &arg, "proto=dctp", "tc=60", "name=bot"];
        fish(&folder, &[&bot[..], &["--engine", "player=random", "--rounds", "3"], rest].concat())
    };
    for (place, units, out) in
        [("here", "1..1", "one"), ("there", "2..3", "two"), ("edited", "2..3", "other")]
    {
        let part = play(place, &["--units", units, "--out", out]);
        assert!(part.status.success(), "{}", String::from_utf8_lossy(&part.stderr));
    }
    // The order of the parts does not matter, nor whether they are merged again.
    for parts in [["one", "two"], ["two", "one"]] {
        let said = right(&folder, &["merge", "--out", "whole", parts[0], parts[1]]);
        assert!(said.ends_with("whole: 3 units\n"), "{said}");
    }
    let refused = wrong(&folder, &["merge", "--out", "whole", "other"]);
    let expected = "bot.sh of other is not that of whole: all parts of a run need the same programs";
    assert!(refused.contains(expected), "{refused}");
    let whole = play("there", &["--out", "whole"]);
    let said = String::from_utf8_lossy(&whole.stderr).into_owned();
    assert!(whole.status.success() && said.contains("going on: 3 "), "{said}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// A name goes into records, tables and lines of progress, so it has one line.
#[test]
fn a_name_has_one_line() {
    let refused =
        wrong(ROOT, &["match", "--engine", "player=random", "name=a\nb", "--engine", "player=greedy"]);
    let expected = r#"expected a name without line breaks and other control characters, found "a\nb""#;
    assert!(refused.contains(expected), "{refused}");
}

/// Two numbers of nodes are refused, and one of them is the budget that is shown.
#[test]
fn one_number_of_nodes_counts() {
    let play = |words: &[&'static str]| {
        [&["match", "--rounds", "1", "--engine", "player=random", "--engine"], words].concat()
    };
    let refused = wrong(ROOT, &play(&["player=mcts,nodes=200", "nodes=300"]));
    let expected =
        "player=mcts,nodes=200 says 200 nodes per move, and nodes=300 says 300: leave out one of the two";
    assert!(refused.contains(expected), "{refused}");
    let text = right(ROOT, &play(&["player=mcts,nodes=50"]));
    assert!(text.contains("against mcts,nodes=50 (nodes=50)"), "{text}");
}

/// A match on a pipe says now and then how far it is, how many games are left, and where its test stands.
#[test]
fn a_match_says_how_far_it_is() {
    let words = ["match", "--engine", "player=greedy", "--engine", "player=random", "--rounds", "3"];
    let output = fish(ROOT, &[&words[..], &["--sprt", "elo0=0", "elo1=5"]].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    let line = said.lines().next().unwrap_or_default();
    assert!(line.starts_with("pair 1 of 3, 4 games left: greedy +"), "{said}");
    assert!(line.contains("Elo ") && line.contains("LLR "), "{said}");
    let words = ["tournament", "--format", "round-robin", "--engine", "player=greedy"];
    let more = ["--engine", "player=random", "--engine", "player=flipper"];
    let output = fish(ROOT, &[&words[..], &more].concat());
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.starts_with("game 1 of 3, 2 games left; "), "{said}");
}

/// Ctrl-C says the score so far and how to go on, and leaves a report of the games so far.
#[cfg(unix)]
#[test]
fn an_interrupted_run_tells_its_score() {
    use std::io::{BufRead, BufReader, Read};
    use std::os::unix::process::ExitStatusExt;

    let folder = folder("authors-interrupted");
    for (kind, rest, after, shown) in [
        ("match", &["--rounds", "100000"][..], "interrupted after pair ", "Games  "),
        (
            "tournament",
            &["--format", "double-round-robin", "--cycles", "9999", "--engine", "player=flipper"],
            "interrupted after game ",
            "Buchholz",
        ),
    ] {
        let mut command = Command::new(FISH);
        command.current_dir(&folder).args([kind, "--engine", "player=greedy", "--engine", "player=random"]);
        command.args(rest).args(["--out", kind]).stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child: Child = command.spawn().expect("it starts");
        // The line of progress says that a game has been counted.
        let mut heard = BufReader::new(child.stderr.take().expect("a pipe"));
        let mut said = String::new();
        while !said.contains(" of ") {
            assert!(heard.read_line(&mut said).expect("text") > 0, "it ended: {said}");
        }
        let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
        assert!(sent.expect("kill starts").success());
        heard.read_to_string(&mut said).expect("text");
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(2), "a script around it hears of the signal");
        assert!(said.contains(after) && said.contains(shown), "{said}");
        let mut last = said.lines().rev();
        let command = last.next().unwrap_or_default();
        assert!(command.starts_with("  ") && command.contains(&rest.join(" ")), "{said}");
        assert_eq!(last.next(), Some("the same command goes on:"), "{said}");
        let page = read(folder.join(kind).join("report.html"));
        assert!(page.contains("Interrupted after "), "{kind}");
        assert!(!folder.join(kind).join("result.json").exists(), "a result of a run that has not ended");
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// In a review a player that moves at random is clearly less accurate than a level: decided positions do not count.
#[test]
fn a_random_mover_is_not_accurate() {
    let folder = folder("authors-accuracy");
    let words = ["match", "--engine", "player=level8", "--engine", "player=random", "--rounds", "3"];
    right(&folder, &[&words[..], &["--out", "m"]].concat());
    let all = told(&folder, &["review", "m/match.games", "--all", "--judge", "nodes=300"]);
    let of = |name: &str| -> &Value { &all["players"][name]["accuracy"]["value"] };
    let [level, random] = ["level8", "random"].map(|name| of(name).as_f64().expect("a share"));
    assert!(random < level - 0.25, "{all}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
