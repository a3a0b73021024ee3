//! The program from the user's side: its output, its errors, and its exit codes.

use crate::fish::{ROOT, fish, folder, right};

fn says(args: &[&str]) -> String {
    right(ROOT, args)
}

fn refuses(args: &[&str]) -> (Option<i32>, String) {
    let output = fish(ROOT, args);
    (output.status.code(), String::from_utf8(output.stderr).expect("UTF-8"))
}

fn json(args: &[&str]) -> serde_json::Value {
    serde_json::from_str(&says(args)).expect("JSON")
}

#[test]
fn show_draws_boards() {
    let hanzi = says(&["show", "--plies", "b3(c) c3(K)"]);
    assert!(hanzi.contains(" 3 │ 〇 │ 砲 │ 帥 │ 〇 │\n"), "{hanzi}");
    assert!(hanzi.contains("to move: black, the first player; ply 2"), "{hanzi}");
    let lying = says(&["show", "--plies", "b3(c) c3(K)", "--ascii", "--orientation", "lying"]);
    assert!(lying.contains(" c | X | X | K | X | X | X | X | X |\n"), "{lying}");
    assert!(lying.contains("     1   2   3   4   5   6   7   8\n"), "{lying}");
    let small = says(&["show", "--ascii", "--rules", "paper40,board=2x4"]);
    assert!(small.contains(" 4 | X | X |\n") && !small.contains(" 5 |"), "{small}");
    let red = says(&["show", "--plies", "a1(K)", "--color", "always"]);
    assert!(red.contains("\x1b[31;1m帥\x1b[0m") && !hanzi.contains('\x1b'));
}

#[test]
fn show_as_json() {
    let value = json(&["show", "--json", "--plies", "b3(c)"]);
    assert_eq!(value["color"], "red");
    assert_eq!(value["seat"], 1);
    assert_eq!(value["pieces"]["b3"], "c");
    assert_eq!(value["bag"]["c"], 1);
    assert_eq!(value["actions"].as_array().map(Vec::len), Some(31));
    // The position text survives a round trip.
    let again = json(&["show", "--json", value["position"].as_str().expect("text")]);
    assert_eq!(again, value);
}

#[test]
fn errors_point_at_the_column() {
    let (code, error) = refuses(&["show", "XXXX/XXzX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX ? - 0 0 platform"]);
    assert_eq!(code, Some(2));
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].contains("column 8: expected c7"), "{error}");
    assert_eq!(lines[2].find('^'), lines[1].find('z'), "{error}");
    let (code, error) = refuses(&["show", "--plies", "a1(K) a1-a2"]);
    assert_eq!(code, Some(2));
    assert!(error.contains("a1-a2 is not possible here"), "{error}");
    assert_eq!(refuses(&["perft", "--rules", "chess"]).0, Some(2));
    assert_eq!(refuses(&["replay", "no-such-file"]).0, Some(2));
    assert_eq!(refuses(&["replay"]).0, Some(2));
}

#[test]
fn replay_prints_and_checks() {
    let all = says(&["replay", "examples/first.games"]);
    assert!(all.contains("First: greedy") && all.contains("6 games,"), "{all}");
    let one = says(&["replay", "examples/first.games", "--game", "2", "--ply", "10", "--ascii"]);
    assert!(one.contains("After ply 10 of ") && one.contains("rules olympiad"), "{one}");
    let tally = json(&["replay", "--check", "--json", "examples/first.games"]);
    assert_eq!(
        (&tally["games"], &tally["illegal"], &tally["mispredicted"]),
        (&6.into(), &0.into(), &0.into())
    );
    let game = json(&["replay", "examples/first.games", "--game", "1", "--json"]);
    assert_eq!(game["tags"]["Seed"], "1");
    // Converting a file of our own gives the same file.
    let file = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/first.games"));
    assert_eq!(says(&["replay", "--convert", "examples/first.games"]), file.expect("the example"));
}

#[test]
fn a_forged_record_does_not_hold() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/first.games"));
    let text = text.expect("the example");
    let first = &text[..text.find("\n\n[").expect("a second game")];
    let folder = folder("forged");
    let check = |name: &str, forged: String, code: i32, message: &str| {
        let path = folder.join(name);
        std::fs::write(&path, forged).expect("a file");
        let (found, error) = refuses(&["replay", "--check", path.to_str().expect("UTF-8")]);
        assert_eq!(found, Some(code), "{name}: {error}");
        assert!(error.contains(message), "{name}: {error}");
    };
    check("whole", first.to_owned(), 0, "");
    // The other side won; a ply is missing; a flip differs from the deal; the text is cut short.
    let (won, lost) = if first.contains("1-0") { ("1-0", "0-1") } else { ("0-1", "1-0") };
    check("result", first.replace(won, lost), 1, "the rules say");
    let cut = first.rfind(' ').expect("plies");
    let before = first[..cut].rfind(' ').expect("plies");
    check("ply", format!("{}{}", &first[..before], &first[cut..]), 1, "ply");
    let deal = first.find("[Deal \"").expect("a deal") + 7;
    let swapped: String = first[deal..deal + 39].chars().rev().collect();
    check("deal", first.replace(&first[deal..deal + 39], &swapped), 1, "not possible");
    check("short", first[..first.len() - 30].to_owned(), 2, "expected");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn deals_are_the_seeds() {
    let (code, words) = refuses(&["deal", "--count", "18446744073709551615"]);
    assert!(code == Some(2) && words.contains("is not in 0..=10000000"), "{words}");
    let three = says(&["deal", "--count", "3", "--seed", "42"]);
    let one = says(&["deal", "--seed", "42"]);
    assert!(three.starts_with(&one), "deal N of a seed does not depend on the count");
    assert_eq!(three.lines().count(), 4);
    let value = json(&["deal", "--seed", "42", "--rules", "platform,board=2x4", "--json"]);
    assert_eq!(value["deals"][0]["id"], "42-1");
    assert_ne!(says(&["deal"]), says(&["deal"]), "without a seed the system gives one");
}

#[test]
fn perft_counts() {
    let value = json(&["perft", "--depth", "2", "--json"]);
    assert_eq!(value["depths"][1]["count"], 192_448);
    assert_eq!(value["depths"][1]["weight"], "984064");
    let ttt = says(&["perft", "--game", "tictactoe", "--depth", "9", "--divide"]);
    assert!(ttt.contains("127872"), "{ttt}");
}

#[test]
fn bench_prints_every_rate() {
    let value = json(&["bench", "rules", "--seconds", "0.05", "--json"]);
    for name in
        ["random_playouts", "random_plies", "perft_nodes", "replayed_games", "read_and_replayed_games"]
    {
        assert!(
            value["a_second"][name]["median"].as_f64().is_some_and(|rate| rate > 0.0),
            "{name} in {value}"
        );
    }
}

#[test]
fn bench_gives_the_signatures_on_record() {
    let recorded = include_str!("../../../engine/tests/data/bench.txt");
    let value = json(&["bench", "search", "--json"]);
    let (nodes, others) = recorded.split_once('\n').expect("several lines");
    assert_eq!(value["nodes"].to_string(), nodes);
    for (name, number) in others.lines().filter_map(|line| line.split_once(' ')) {
        assert_eq!(value["signatures"][name].to_string(), number, "{name}");
    }
}

#[test]
fn help_man_and_completions() {
    let commands = [
        "play",
        "analyse",
        "show",
        "replay",
        "deal",
        "match",
        "tournament",
        "dctp",
        "uci",
        "wakasagi",
        "compliance",
        "perft",
        "bench",
        "completions",
        "man",
    ];
    for command in commands {
        assert!(says(&[command, "--help"]).contains("Examples:"), "{command} shows examples");
    }
    assert!(says(&["man"]).starts_with(".ie"));
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        assert!(says(&["completions", shell]).contains("replay"), "{shell}");
    }
}

#[test]
fn analyse_says_what_a_flip_may_bring() {
    // The rook may take the knight; the last face-down piece is one of two.
    let text = "----/----/----/----/X---/----/Rn--/X--k r N1p1 0 40 platform";
    let value = json(&["analyse", text, "--depth", "3", "--json", "--flips", "--set", "hash=1"]);
    assert_eq!((&value["color"], &value["depth"]), (&"red".into(), &3.into()));
    let lines = value["lines"].as_array().expect("lines");
    assert_eq!(lines[0]["actions"][0], "a2-b2");
    let share = |line: &serde_json::Value, name: &str| line[name].as_f64().expect("a number");
    for line in lines {
        let [win, draw, loss] = ["win", "draw", "loss"].map(|name| share(line, name));
        assert!((win + draw + loss - 1.0).abs() < 1e-5 && (win - loss - share(line, "value")).abs() < 1e-5);
    }
    let flips: Vec<_> =
        lines.iter().filter(|line| line["fan"].as_array().is_some_and(|f| !f.is_empty())).collect();
    assert_eq!(flips.len(), 2, "{value}");
    for flip in flips {
        let fan = flip["fan"].as_array().expect("a fan");
        let mean: f64 = fan.iter().map(|o| share(o, "probability") * share(o, "value")).sum();
        assert!(
            (mean - share(flip, "value")).abs() < 1e-3,
            "a flip is worth the mean of its outcomes: {flip}"
        );
    }
    let table = says(&["analyse", text, "--nodes", "3000", "--flips", "--letters", "--lines", "1"]);
    assert!(
        table.contains("\n 1. ") && table.contains("a2-b2") && table.contains("the other flips"),
        "{table}"
    );
    assert!(table.contains("  N  1 of 2, 50.0 %") && table.contains("##"), "{table}");
}

#[test]
fn analyse_finds_positions_in_records() {
    let file = "examples/first.games";
    let last = json(&["analyse", file, "--game", "2", "--depth", "1", "--json"]);
    let early = json(&["analyse", file, "--game", "2", "--ply", "3", "--depth", "1", "--json"]);
    assert!(last["position"].as_str() != early["position"].as_str());
    assert!(early["position"].as_str().is_some_and(|p| p.contains(" 3 olympiad")), "{early}");
    assert!(refuses(&["analyse", file, "--game", "99"]).1.contains("expected --game to be from 1 to 6"));
    assert!(refuses(&["analyse", file, "--ply", "9999"]).1.contains("expected --ply to be at most"));
    assert!(
        refuses(&["analyse", "no-such-file"]).1.contains("neither a file of records nor a position text")
    );
    let won = "----/----/----/----/----/----/R---/---- b - 0 40 platform";
    assert!(refuses(&["analyse", won]).1.contains("the game is over here"));
    assert!(refuses(&["analyse", "--set", "speed=1"]).1.contains("expected a setting"));
}

#[test]
fn the_lab_lists_and_runs() {
    let list = says(&["lab", "list"]);
    assert!(list.contains("speculative\n") && list.contains("paper  games=10000"), "{list}");
    let result = json(&["lab", "run", "firstmove", "--set", "games=50", "--json"]);
    assert_eq!(result["manifest"]["numbers"]["games"], 50);
    assert_eq!(result["checks"][0]["held"], true);
    let (code, error) = refuses(&["lab", "run", "chess"]);
    assert!(
        code == Some(2)
            && error.contains(
                "speculative, exploit, oracle, field, ornn, identify, contempt, adapt, mcts, course, luck"
            ),
        "{error}"
    );
    let (code, error) = refuses(&["lab", "run", "course", "--size", "huge"]);
    assert!(code == Some(2) && error.contains("ci, paper or full"), "{error}");
}
