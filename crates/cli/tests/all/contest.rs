//! Matches, tournaments and compliance from the command line, with our own program as the stranger's.

use crate::fish::{FISH, ROOT, fish, folder};

fn json(args: &[&str]) -> serde_json::Value {
    let output = fish(ROOT, args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn a_match_is_the_same_however_it_is_scheduled() {
    let engines =
        ["--engine", "player=greedy", "--engine", "player=random", "--rounds", "40", "--seed", "3", "--json"];
    let args = |threads: &'static str| [&["match"], &engines[..], &["--concurrency", threads]].concat();
    let one = json(&args("1"));
    assert_eq!(one, json(&args("3")));
    assert_eq!(one["pairs"].as_array().map(Vec::len), Some(5));
    assert!(one["score"].as_f64().is_some_and(|s| s > 0.9));
    assert_eq!(one["verdict"], "no test");
}

/// `luck` finds the same as the match, and judges no game again.
#[test]
fn luck_is_taken_off() {
    let folder = folder("contest-luck");
    let path = |name: &str| folder.join(name).display().to_string();
    let engines = ["--engine", "player=greedy", "--engine", "player=random", "--rounds", "12", "--seed", "3"];
    let kept = path("match");
    let game =
        [&["match"], &engines[..], &["--luck", "nodes=10", "--json", "--concurrency", "2", "--out", &kept]]
            .concat();
    let result = json(&game);
    assert_eq!(result["luck"]["judge"], "alphabeta,flips=1,hash=64k nodes=10");
    assert_eq!(json(&game), result, "and the same from its journal");
    let said = fish(ROOT, &game.iter().copied().filter(|word| *word != "--json").collect::<Vec<_>>());
    let said = String::from_utf8_lossy(&said.stdout);
    assert!(
        said.contains(" points of a hundred for greedy; ") && said.contains(" of them are removed below\n"),
        "{said}"
    );
    assert!(said.contains("\n       without luck: score ") && said.contains(", as precise as "), "{said}");
    let (games, judged) = (path("match/match.games"), path("judged"));
    let words = ["luck", &games, "--judge", "nodes=10", "--json", "--out", &judged];
    let found = json(&words);
    for (one, other) in [("luck", "luck"), ("score", "adjusted")] {
        let [one, other] =
            [&result["luck"][one], &found["players"]["greedy"][other]].map(|e| e["value"].as_f64());
        assert!((one.expect("a number") - other.expect("a number")).abs() < 1e-9, "{result} {found}");
    }
    let kept = std::fs::read(folder.join("judged/judged.games")).expect("games");
    assert_eq!(kept, std::fs::read(&games).expect("games"), "they had their luck already");
    let again = fish(ROOT, &words);
    assert!(String::from_utf8_lossy(&again.stderr).contains("24 games are in the journal"));
    assert_eq!(serde_json::from_slice::<serde_json::Value>(&again.stdout).expect("JSON"), found);
    let other = fish(ROOT, &["luck", &games, "--judge", "nodes=11", "--out", &judged]);
    assert!(
        String::from_utf8_lossy(&other.stderr).contains("belongs to a run with other settings"),
        "{other:?}"
    );
    let wrong = fish(ROOT, &["luck", &games, "--judge", "unknown nodes=11"]);
    assert_eq!(wrong.status.code(), Some(2), "{wrong:?}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// A tournament judges its games on request only, and `luck` finds the same in its file.
#[test]
fn a_tournament_without_luck() {
    let folder = folder("contest-tournament-luck");
    let path = |name: &str| folder.join(name).display().to_string();
    let kept = path("event");
    let words = ["--engine", "player=greedy", "--engine", "player=random", "--engine", "player=cautious"];
    let words =
        [&["tournament", "--format", "double-round-robin", "--cycles", "3", "--json"], &words[..]].concat();
    let found = json(&[&words[..], &["--luck", "nodes=10", "--out", &kept]].concat());
    assert_eq!(found["luck"]["judge"], "alphabeta,flips=1,hash=64k nodes=10");
    assert!(
        found["luck"]["players"]["greedy"]["adjusted"]["value"].as_f64().is_some_and(|score| score > 0.5)
    );
    let later = json(&["luck", &path("event/tournament.games"), "--judge", "nodes=10", "--json"]);
    assert_eq!(later["players"], found["luck"]["players"]);
    assert!(json(&[&words[..], &["--luck", "off"]].concat())["luck"].is_null());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn a_test_stops_a_match() {
    let result = json(&[
        "match",
        "--engine",
        "player=greedy",
        "--engine",
        "player=random",
        "--rounds",
        "5000",
        "--sprt",
        "elo0=0",
        "elo1=50",
        "--json",
        "--concurrency",
        "2",
    ]);
    assert_eq!(result["verdict"], "H1 accepted");
    let pairs: u64 =
        result["pairs"].as_array().expect("five").iter().filter_map(serde_json::Value::as_u64).sum();
    assert!(pairs < 500, "{pairs}");
}

/// A level thinks by nodes, so a busy machine does not make it lose on time.
#[test]
fn every_protocol_plays_whole_games() {
    for (proto, command, rules) in
        [("dctp", "dctp", "platform"), ("uci", "uci", "olympiad"), ("wakasagi", "wakasagi", "course2025")]
    {
        let cmd = format!("cmd={FISH}");
        let (proto_word, command_word) = (format!("proto={proto}"), format!("arg={command}"));
        let result = json(&[
            "match",
            "--engine",
            &cmd,
            &command_word,
            "arg=--set",
            "arg=level=5",
            &proto_word,
            "name=fish",
            "tc=60",
            "--engine",
            "player=random",
            "nodes=1",
            "--rounds",
            "3",
            "--rules",
            rules,
            "--json",
        ]);
        assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "{proto}: {result}");
        assert!(result["score"].as_f64().is_some_and(|s| s > 0.8), "{proto}: {result}");
    }
}

#[test]
fn a_file_says_the_same_as_flags() {
    let folder = folder("contest-config");
    let file = folder.join("match.toml");
    let text = "rounds = 6\nseed = 5\nrules = \"paper40\"\n[each]\nnodes = 1\n[[engine]]\nplayer = \"greedy\"\n\
        [[engine]]\nname = \"dice\"\nplayer = \"random\"\n[sprt]\nelo0 = 0\nelo1 = 400\n";
    std::fs::write(&file, text).expect("a file");
    let by_file = json(&["match", "--config", file.to_str().expect("UTF-8"), "--json"]);
    let by_flags = json(&[
        "match",
        "--engine",
        "player=greedy",
        "--engine",
        "player=random",
        "name=dice",
        "--each",
        "nodes=1",
        "--rounds",
        "6",
        "--seed",
        "5",
        "--rules",
        "paper40",
        "--sprt",
        "elo0=0",
        "elo1=400",
        "--json",
    ]);
    assert_eq!(by_file, by_flags);
    std::fs::write(&file, "rounds = 6\nround = 7\n").expect("a file");
    let wrong = fish(ROOT, &["match", "--config", file.to_str().expect("UTF-8")]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("unknown field `round`"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn wrong_words_are_said() {
    let check = |args: &[&str], message: &str| {
        let output = fish(ROOT, args);
        let error = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{args:?}: {error}");
        assert!(error.contains(message), "{args:?}: {error}");
    };
    check(&["match", "--engine", "player=greedy"], "expected two contestants");
    check(&["match", "--engine", "player=greedy", "--engine", "player=greedy"], "add name=");
    check(
        &["match", "--engine", "player=unknown", "--engine", "player=random"],
        "expected a player: alphabeta",
    );
    check(&["match", "--engine", "cmd=x", "--engine", "player=random"], "expected proto=");
    check(&["match", "--engine", "players=x", "--engine", "player=random"], "players= is not a key");
    check(
        &["match", "--engine", "player=greedy", "--engine", "player=random", "--sprt", "elo0=5", "elo1=0"],
        "elo0 less than elo1",
    );
    check(
        &["tournament", "--engine", "player=greedy", "--engine", "player=random"],
        "--format, --event or --levels",
    );
    check(&["tournament", "--format", "swiss", "--engine", "player=greedy"], "swiss:ROUNDS");
    let four =
        ["name=a", "name=b", "name=c", "name=d"].map(|name| ["--engine", "player=random", name]).concat();
    check(&[&["tournament", "--format", "swiss:7"], &four[..]].concat(), "swiss:3 is the most");
    let program = format!("cmd={FISH}");
    for command in [&["match"][..], &["tournament", "--format", "round-robin"]] {
        let against = |cmd: &[&str], rest: &[&str]| {
            let random = ["--engine", "player=random"];
            [command, &random, &["--engine"], cmd, rest]
                .concat()
                .into_iter()
                .map(str::to_owned)
                .collect::<Vec<_>>()
        };
        let check = |args: Vec<String>, message: &str| {
            check(&args.iter().map(String::as_str).collect::<Vec<_>>(), message);
        };
        let small = ["--rules", "paper40,board=4x4"];
        check(against(&[&program, "arg=dctp", "proto=dctp"], &small), "programs play on the 4x8 board only");
        check(against(&["cmd=./nope", "proto=dctp"], &[]), "cannot start ./nope");
        let line = format!("{program} dctp");
        check(against(&[&line, "proto=dctp"], &[]), "its arguments go into arg=: cmd=");
    }
}

#[test]
fn tournaments_keep_what_they_played() {
    let folder = folder("contest-swiss");
    let out = folder.join("t");
    let out = out.to_str().expect("UTF-8");
    let names: Vec<String> = (1..=7).map(|n| format!("name=p{n}")).collect();
    let mut args = vec!["tournament", "--event", "tcga", "--json", "--out", out, "--concurrency", "2"];
    for (i, name) in names.iter().enumerate() {
        args.extend(["--engine", if i == 0 { "player=greedy" } else { "player=random" }, name]);
    }
    let result = json(&args);
    assert_eq!(result["format"], "swiss:5");
    assert_eq!(result["rules"], "platform");
    assert_eq!(result["games"].as_array().map(Vec::len), Some(15), "three boards in five rounds");
    assert_eq!(result["table"][0]["name"], "p1", "greedy wins among dice");
    assert_eq!(result["schema"], 3, "a gauntlet is ordered by Elo from there on");
    let rows = result["table"].as_array().expect("rows");
    let halves: f64 = rows.iter().map(|row| 2.0 * row["points"].as_f64().expect("points")).sum();
    assert_eq!(halves as u64, 2 * 5 * 4, "one point per board and bye in every round");
    for file in ["journal", "tournament.games", "report.html", "result.json"] {
        assert!(std::path::Path::new(out).join(file).exists(), "{file}");
    }
    assert_eq!(json(&args), result, "again: everything comes from the journal");
    let beside = |name: &str| std::fs::read_to_string(std::path::Path::new(out).join(name)).expect(name);
    let page = beside("report.html");
    assert!(page.contains("Pairings by round") && page.contains("has a bye"));
    let pairings = beside("tables/pairings-by-round.csv");
    assert_eq!(pairings.lines().count(), 1 + 5 * 4, "three boards and a bye in every round: {pairings}");
    assert!(pairings.starts_with("round,first,points,second\n1,p"), "{pairings}");
    // One kind of points on the page: a win is 1.
    let halves = |table: &str, column: usize| -> u64 {
        let cells = beside(table);
        let cells = cells.lines().skip(1).filter_map(|line| line.split(',').nth(column)?.parse::<f64>().ok());
        cells.map(|points| (2.0 * points) as u64).sum()
    };
    let sums = (halves("tables/standings.csv", 2), halves("tables/ratings.csv", 5));
    assert_eq!(sums, (40, 30), "byes count in the standings only");
    assert!(beside("tables/cross-table.csv").starts_with("player,p1,"));
    assert!(beside("figures/lengths.svg").contains("<svg"));
    let games = std::path::Path::new(out).join("tournament.games");
    let tally = json(&["replay", "--check", "--json", games.to_str().expect("UTF-8")]);
    assert_eq!((&tally["games"], &tally["illegal"]), (&15.into(), &0.into()));

    // As many rounds as each of four players has opponents.
    let mut args = vec!["tournament", "--event", "tcga", "--json"];
    for name in &names[..4] {
        args.extend(["--engine", "player=random", name]);
    }
    assert_eq!(json(&args)["format"], "swiss:3");

    let double = json(&[
        "tournament",
        "--event",
        "icga",
        "--json",
        "--engine",
        "player=greedy",
        "--engine",
        "player=random",
    ]);
    assert_eq!(double["rules"], "olympiad");
    assert_eq!(double["games"][0]["first"], double["games"][1]["second"], "seats are exchanged");
    let gauntlet = json(&[
        "tournament",
        "--format",
        "gauntlet",
        "--cycles",
        "2",
        "--json",
        "--engine",
        "player=greedy",
        "--engine",
        "player=random",
        "--engine",
        "player=random",
        "name=r2",
    ]);
    assert_eq!(gauntlet["games"].as_array().map(Vec::len), Some(8));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// A command that failed at its start can be corrected, and the same folder serves.
#[test]
fn a_mended_command_may_use_its_folder() {
    let folder = folder("contest-mended");
    let out = folder.to_str().expect("UTF-8");
    let program = format!("cmd={FISH}");
    let play = |words: &[&str]| {
        let engines =
            [&["match", "--engine", "player=random", "--engine", "proto=dctp", "tc=60"], words].concat();
        fish(ROOT, &[&engines[..], &["--rounds", "1", "--out", out]].concat())
    };
    assert_eq!(play(&["cmd=./nope"]).status.code(), Some(2));
    let mended = play(&[&program, "arg=dctp", "arg=--player", "arg=random"]);
    assert!(mended.status.success(), "{}", String::from_utf8_lossy(&mended.stderr));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn compliance_says_what_is_wrong() {
    let good = json(&["compliance", "--json", "--seconds", "60", FISH, "dctp", "--set", "level=5"]);
    assert_eq!(good["sound"], true, "{good}");
    let bad = fish(ROOT, &["compliance", "--seconds", "5", "true"]);
    assert_eq!(bad.status.code(), Some(1));
    let text = String::from_utf8_lossy(&bad.stdout).into_owned();
    assert!(text.contains("WRONG answers the handshake") && text.contains("\"1 name\""), "{text}");
}

/// The sample reports equal the output of these commands, byte for byte. `UPDATE_GOLDEN=1` rewrites them.
#[test]
fn sample_reports() {
    let folder = folder("contest-reports");
    let field = format!("{ROOT}/examples/field.toml");
    let samples: [(&str, &[&str]); 2] = [
        (
            "match",
            &[
                "match",
                "--engine",
                "player=greedy",
                "--engine",
                "player=random",
                "--sprt",
                "elo0=0",
                "elo1=20",
            ],
        ),
        ("swiss", &["tournament", "--event", "tcga", "--config", &field]),
    ];
    for (name, args) in samples {
        let out = folder.join(name);
        let output =
            fish(ROOT, &[args, &["--out", out.to_str().expect("UTF-8"), "--concurrency", "2"]].concat());
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let html = std::fs::read(out.join("report.html")).expect("a report");
        let golden = format!("{ROOT}/examples/reports/{name}.html");
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            std::fs::write(&golden, &html).expect("a writable sample");
        }
        assert!(
            std::fs::read(&golden).expect("the sample") == html,
            "{golden} is not what the command writes"
        );
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Numbers beyond all machines are refused in words, before any game.
/// A file without an end.
#[cfg(unix)]
#[test]
fn what_players_refer_to_has_a_size() {
    let words = ["match", "--engine", "player=greedy", "--engine", "player=random", "--rounds", "1"];
    let output = fish(ROOT, &[&words[..], &["--asset", "endless=/dev/zero"]].concat());
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("cannot read /dev/zero: more than 256 MiB"), "{stderr}");
}

#[test]
fn numbers_beyond_all_machines() {
    let players = ["--engine", "player=greedy", "--engine", "player=random", "--rounds", "5000000000"];
    let refused = |words: &[&str], why: &str| {
        let output = fish(ROOT, words);
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(why), "{words:?}: {said}");
    };
    let game = |words: &[&'static str]| [&["match"], &players[..], words].concat();
    refused(&game(&["--concurrency", "100000"]), "expected at most 1024 at a time");
    refused(&game(&["--batch", "4294967295"]), "expected at most 4096 pairs in a unit");
    let event = ["tournament", "--format", "round-robin", "--concurrency", "100000"];
    refused(&[&event[..], &players[..4]].concat(), "expected at most 1024 at a time");
    let folder = folder("contest-beyond");
    std::fs::write(folder.join("match.toml"), "batch = 4294967295\n").expect("a file");
    let config = folder.join("match.toml").display().to_string();
    let words = [&["match", "--config", &config], &players[..]].concat();
    refused(&words, "batch: expected at most 4096 pairs in a unit");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
