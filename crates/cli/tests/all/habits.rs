//! What authors know from fastchess and cutechess-cli, and what they forget in their programs.

use std::io::Write;
use std::process::{Command, Stdio};

use crate::fish::{FISH, ROOT, fish, folder, right, told, wrong};

const PLAYERS: [&str; 5] = ["match", "--engine", "player=greedy", "--engine", "player=random"];

/// The words of a match of two simple players, and more.
fn with<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&PLAYERS[..], more].concat()
}

/// The habits of a chess tester give the same match as our own words.
#[test]
fn options_of_fastchess_are_understood() {
    let ours = told(ROOT, &with(&["--each", "nodes=10", "--rounds", "2", "--seed", "7"]));
    let theirs = "-engine player=greedy -engine player=random -each nodes=10 -rounds 2 -games 2 -repeat -srand 7 -recover";
    let theirs: Vec<&str> = ["match"].into_iter().chain(theirs.split(' ')).collect();
    assert_eq!(told(ROOT, &theirs), ours);
    let clock = right(ROOT, &with(&["-each", "tc=1:00+0.5", "-rounds", "1"]));
    assert!(clock.starts_with("greedy (tc=60+0.5) against random (tc=60+0.5)"), "{clock}");
    let gauntlet = "-tournament gauntlet -engine player=greedy -engine player=random -each nodes=10";
    let gauntlet: Vec<&str> = ["tournament"].into_iter().chain(gauntlet.split(' ')).collect();
    assert!(right(ROOT, &gauntlet).starts_with("gauntlet of 2 players"));
}

#[test]
fn other_options_are_answered_with_our_word() {
    let answers: [(&[&str], &str); 9] = [
        (&["--games", "100"], "--games: this is --rounds here: a round is a pair"),
        (&["-games", "100"], "100 games are --rounds 50"),
        (&["-pgnout", "file=x.pgn"], "-pgnout: this is --out FOLDER here"),
        (&["-openings", "file=x.epd", "format=epd"], "x.epd is a chess file"),
        (&["-resign", "movecount=3", "score=600"], "100 is a won game"),
        (&["-draw", "movenumber=34", "score=5"], "--draw: expected movecount="),
        (&["-each", "tc=40/60"], "a clock is for the whole game here"),
        (&["-each", "option.Hash=64"], "options of UCI are not set here"),
        (&["-each", "timemargin=50"], "a program has 0.1 s beyond its clock"),
    ];
    for (words, answer) in answers {
        let said = wrong(ROOT, &with(words));
        assert!(said.contains(answer), "{words:?}: {said}");
    }
}

/// A text where we have a list, in TOML and on the command line. The programs are ours.
#[test]
fn arguments_may_be_one_text() {
    let folder = folder("habits-arguments");
    let program = |name: &str, args: &str| {
        format!("[[engine]]\nname = {name:?}\ncmd = {FISH:?}\nproto = \"dctp\"\n{args}\n")
    };
    let text = program("one", "arg = \"dctp\"") + &program("other", "args = \"dctp --player random\"");
    std::fs::write(folder.join("match.toml"), text).expect("a file");
    let result = told(&folder, &["match", "--config", "match.toml", "--each", "tc=1", "--rounds", "1"]);
    assert_eq!(result["pairs"].as_array().map(Vec::len), Some(5), "{result}");
    let cmd = format!("cmd={FISH}");
    let words = with(&["--engine", &cmd, "args=dctp --player random", "proto=dctp", "name=x"]);
    assert!(wrong(&folder, &words).contains("expected two contestants (--engine twice), found 3"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Adjudicated games say so, resume, and are another run than games that are played out; without values there are none.
#[test]
fn games_end_early_on_request_only() {
    let folder = folder("habits-adjudication");
    let play = |more: &[&str]| {
        let players = ["match", "--engine", "player=level1", "--engine", "player=level6", "--rounds", "3"];
        fish(&folder, &[&players[..], more].concat())
    };
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let resign = ["-resign", "movecount=2", "score=50", "--out", "m"];
    let first = play(&resign);
    assert!(first.status.success(), "{}", text(&first.stderr));
    assert!(text(&first.stdout).contains("adjudicated "), "{}", text(&first.stdout));
    let games = std::fs::read_to_string(folder.join("m/match.games")).expect("games");
    let adjudicated = games.matches("[Reason \"adjudicated\"]\n").count();
    assert!(adjudicated > 0, "{games}");
    assert_eq!(games.matches("[Adjudication \"resign movecount=2 score=50\"]\n").count(), adjudicated);
    let checked = right(&folder, &["replay", "--check", "m/match.games"]);
    assert!(checked.contains("0 illegal, 0 endings mispredicted"), "{checked}");

    let again = play(&resign);
    assert_eq!(text(&again.stdout), text(&first.stdout));
    assert!(text(&again.stderr).contains("3 pairs are in the journal"), "{}", text(&again.stderr));
    let other = play(&["--resign", "movecount=2", "score=51", "--out", "m"]);
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("adjudication"), "{}", text(&other.stderr));

    let whole = play(&["--out", "whole"]);
    assert!(!text(&whole.stdout).contains("adjudicated"));
    let games = std::fs::read_to_string(folder.join("whole/match.games")).expect("games");
    assert!(!games.contains("djudicat"), "{games}");
    let journal = std::fs::read_to_string(folder.join("whole/journal")).expect("a journal");
    assert!(!journal.contains("djudicat"), "{journal}");

    let cmd = format!("cmd={FISH}");
    let program = |proto: &str| {
        let (arg, proto) = (format!("arg={proto}"), format!("proto={proto}"));
        let words =
            ["--engine", &cmd, &arg, "arg=--player", "arg=level6", &proto, "name=program", "nodes=500"];
        fish(
            &folder,
            &[&["match", "--engine", "player=level1"], &words[..], &resign[..3], &["--rounds", "2"]].concat(),
        )
    };
    let silent = program("dctp");
    assert_eq!(silent.status.code(), Some(2));
    assert!(text(&silent.stderr).contains("program: adjudication needs the values of both players"));
    let spoken = program("uci");
    assert!(
        text(&spoken.stdout).contains("adjudicated "),
        "{}{}",
        text(&spoken.stdout),
        text(&spoken.stderr)
    );
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Its answers come when its input ends, as those of a program that does not flush: found once, not by every check.
#[cfg(unix)]
#[test]
fn compliance_names_what_authors_forget() {
    let say = |script: &str| {
        let output = fish(ROOT, &["compliance", "--json", "sh", "-c", script]);
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        serde_json::from_slice::<serde_json::Value>(&output.stdout).expect("JSON")
    };
    let faults = |result: &serde_json::Value| -> Vec<String> {
        let findings = result["findings"].as_array().expect("a list");
        findings.iter().filter_map(|finding| Some(finding["fault"].as_str()?.to_owned())).collect()
    };
    let unflushed = faults(&say("cat > /dev/null; echo '=1 slow'"));
    assert_eq!(unflushed.len(), 1, "{unflushed:?}");
    assert!(unflushed[0].contains("\"=1 slow\": it answers, but does not flush"), "{unflushed:?}");
    let silent = faults(&say("cat > /dev/null"));
    assert_eq!(silent.len(), 1, "{silent:?}");
    assert!(silent[0].contains("to flush after every line; to read lines in a loop"), "{silent:?}");
    let gone = faults(&say("true"));
    assert!(gone.len() == 1 && gone[0].contains("read lines until the end of the input"), "{gone:?}");
}

/// Lines that answer nothing are named, and no fault.
#[cfg(unix)]
#[test]
fn compliance_remarks_stray_lines() {
    let script = format!("echo 'Loud 1.0, hello'; exec {FISH} dctp --player random");
    let output = fish(ROOT, &["compliance", "--seconds", "60", "sh", "-c", &script]);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{text}");
    assert!(
        text.contains(
            "note  writes nothing but answers to standard output: it also wrote \"Loud 1.0, hello\""
        ),
        "{text}"
    );
    let quiet = right(ROOT, &["compliance", "--seconds", "60", FISH, "dctp", "--player", "random"]);
    assert!(!quiet.contains("note"), "{quiet}");
    let uci = ["compliance", "--seconds", "60", "--proto", "uci", FISH, "uci", "--player", "level1"];
    let uci = right(ROOT, &uci);
    assert!(uci.contains("ok    answers the handshake: uci") && !uci.contains("note"), "{uci}");
}

#[test]
fn legal_actions_are_listed() {
    let shown = right(ROOT, &["show", "--rules", "platform,board=4x4", "--plies", "b3(c) c3(K)"]);
    assert!(shown.lines().last().is_some_and(|line| line.starts_with("actions: a1 b1 ")), "{shown}");
    let mut child = Command::new(FISH)
        .args(["uci", "--player", "random"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(b"position startpos moves b3(c)\nd\nquit\n").expect("it reads");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let lines: Vec<&str> = text.lines().collect();
    let [position, actions] = lines[..] else { panic!("{text}") };
    assert!(
        position.starts_with("info string position XXXX/") && position.ends_with(" 0 1 platform"),
        "{text}"
    );
    let actions: Vec<&str> =
        actions.strip_prefix("info string actions ").expect("actions").split(' ').collect();
    assert!(actions.contains(&"a1") && !actions.contains(&"b3"), "{text}");
}

#[test]
fn the_lab_prints_what_is_asked_for() {
    let run = ["lab", "run", "firstmove", "--set", "games=50"];
    let all = fish(ROOT, &run);
    let text = String::from_utf8_lossy(&all.stdout).into_owned();
    let titles: Vec<&str> = text.split("\n\n").filter_map(|part| part.lines().next()).collect();
    assert!(titles.get(1).is_some_and(|title| title.contains("Checks")), "checks first: {titles:?}");
    let one = fish(ROOT, &[&run[..], &["--table", "2"]].concat());
    let table = String::from_utf8_lossy(&one.stdout).into_owned();
    assert!(text.contains(&table) && !table.is_empty() && !table.contains("Checks"), "{table}");
    let quiet = fish(ROOT, &[&run[..], &["-q"]].concat());
    let checks = String::from_utf8_lossy(&quiet.stdout).into_owned();
    assert!(quiet.stderr.is_empty() && text.contains(&checks) && checks.contains("Checks"), "{quiet:?}");
    let none = wrong(ROOT, &[&run[..], &["--table", "99"]].concat());
    assert!(none.contains("found 99: 1 Checks; 2 "), "{none}");
}

#[cfg(all(feature = "store", not(feature = "query")))]
#[test]
fn a_build_without_queries_says_how_to_get_one() {
    let said = wrong(ROOT, &["store", "query", "games", "SELECT move(events[1]) FROM games"]);
    assert!(said.contains("no queries, and no move()"), "{said}");
    assert!(said.contains("cargo install --locked --path crates/cli --features full"), "{said}");
}

/// One command for a program's place; a player that loses every game has a place, too.
#[test]
fn a_gauntlet_against_the_levels_has_a_place() {
    let words = ["tournament", "--levels", "--engine", "player=greedy", "name=mine"];
    let text = right(ROOT, &[&words[..], &["--concurrency", "2"]].concat());
    assert!(text.starts_with("gauntlet of 11 players"), "{text}");
    let (_, place) = text.split_once("Place on the levels' scale").expect("a place");
    for name in ["mine ", "level1 ", "level10 ", "jacob ", "misty60 ", "george ", "docs/strength.md"] {
        assert!(place.contains(name), "{name}: {place}");
    }
    let refused = wrong(ROOT, &[&words[..], &["--engine", "player=greedy"]].concat());
    assert!(refused.contains("expected one --engine with --levels, found 2"), "{refused}");
}
