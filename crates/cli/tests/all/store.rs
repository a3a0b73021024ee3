//! Games into stores and out of them: they come out unchanged, once, in any layout.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anglerfish_rules::banqi::Banqi;
use anglerfish_store::{Place, Store};
use serde_json::{Value, json};

use crate::fish::{FISH, fish, folder_with, killed, right, told, wrong};

/// Forty games in ten units, with a random first ply.
const MANIFEST: &str = r#"
pairing = "round-robin"
games = 40
unit = 4
rules = "platform,board=4x4"
openings = "random:1"
annotate = 1
seed = 9
[each]
nodes = 20
[[engine]]
player = "alphabeta,hash=1"
name = "deep, \"thought\""
[[engine]]
player = "random"
"#;

/// A folder of its own, with a store `games` of the manifest in it.
fn folder(name: &str) -> PathBuf {
    let folder = folder_with(&format!("stored-{name}"), MANIFEST);
    right(&folder, &["selfplay", "manifest.toml", "--store", "games", "--threads", "2"]);
    folder
}

/// The digest of an intact store.
fn digest(folder: &Path, store: &str) -> String {
    let found = told(folder, &["store", "verify", store]);
    assert_eq!(found["faults"], json!([]));
    assert_eq!(found["digest"], told(folder, &["store", "units", store])["digest"]);
    found["digest"].as_str().expect("a digest").to_owned()
}

/// The match that has the units of the manifest.
fn play_match(folder: &Path) {
    let place = Place::open(&folder.join("games").display().to_string(), &[]).expect("a folder");
    let mut store = Store::<Banqi>::existing(place, None).expect("a store");
    let unit = *store.units().expect("units").first().expect("a unit");
    let rows = store.rows(&unit).expect("it is read").expect("it is there");
    let unit: Value = serde_json::from_str(&rows.text).expect("a unit");
    let seed = unit["seed"].to_string();
    let engine =
        ["--engine", "player=alphabeta,hash=1", "name=deep, \"thought\"", "--engine", "player=random"];
    let rest =
        ["--each", "nodes=20", "--rules", "platform,board=4x4", "--openings", "random:1", "--annotate"];
    let run = ["--rounds", "20", "--batch", "2", "--seed", &seed, "--out", "match", "--concurrency", "2"];
    right(folder, &[&["match"], &engine[..], &rest, &run].concat());
}

#[test]
fn a_match_is_imported_as_it_was_played_and_once() {
    let folder = folder("match");
    play_match(&folder);
    let first = told(&folder, &["store", "import", "imported", "match"]);
    assert_eq!(
        (&first["units"], &first["games"], &first["units_there"]),
        (&json!(10), &json!(40), &json!(0))
    );
    assert_eq!(digest(&folder, "imported"), digest(&folder, "games"));
    for path in ["match", "match/journal"] {
        let again = told(&folder, &["store", "import", "imported", path]);
        assert_eq!(
            (&again["units"], &again["units_there"], &again["games_there"]),
            (&json!(0), &json!(10), &json!(40))
        );
    }
    // Into the store of selfplay, and after its compaction.
    right(&folder, &["store", "compact", "games"]);
    assert_eq!(told(&folder, &["store", "import", "games", "match"])["units_there"], 10);
    assert_eq!(digest(&folder, "imported"), digest(&folder, "games"));
    std::fs::remove_dir_all(folder).expect("it goes");
}

/// An import that is killed this often can be repeated, and ends like an uninterrupted one.
fn kills_of_an_import_change_nothing(kills: u32) {
    let folder = folder(&format!("{kills}-kills"));
    play_match(&folder);
    let broken = folder.join("broken");
    let units = || std::fs::read_dir(broken.join("units")).map_or(0, Iterator::count);
    let mut done = 0;
    while done < kills {
        if units() == 10 {
            assert_eq!(digest(&folder, "broken"), digest(&folder, "games"));
            std::fs::remove_dir_all(&broken).expect("it goes");
        }
        // Every fourth at once, the others when one more unit is there.
        let least = units() + usize::from(done % 4 != 0);
        let mut import = Command::new(FISH);
        import.current_dir(&folder).args(["store", "import", "broken", "match", "--threads", "1"]);
        let child = import.stdout(Stdio::null()).spawn().expect("it starts");
        let [output] = killed([child], || units() >= least);
        done += u32::from(!output.status.success());
    }
    right(&folder, &["store", "import", "broken", "match"]);
    assert_eq!(digest(&folder, "broken"), digest(&folder, "games"));
    assert_eq!(units(), 10);
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn five_kills_of_an_import_change_nothing() {
    kills_of_an_import_change_nothing(5);
}

#[test]
#[ignore = "full: forty kills of an import"]
fn forty_kills_of_an_import_change_nothing() {
    kills_of_an_import_change_nothing(40);
}

#[test]
fn records_go_out_and_in_unchanged() {
    let folder = folder("records");
    right(&folder, &["store", "export", "games", "--out", "all.games"]);
    let games = std::fs::read_to_string(folder.join("all.games")).expect("records");
    assert_eq!(games.matches("[Game \"banqi\"]").count(), 40);
    right(&folder, &["replay", "--check", "all.games"]);
    right(&folder, &["store", "compact", "games"]);
    assert_eq!(right(&folder, &["store", "export", "games"]), games, "the same after a compaction");

    // From the file into another store, once; the gzipped file counts as the same.
    for n in 0..2 {
        let found = told(&folder, &["store", "import", "other", "all.games"]);
        assert_eq!(
            (found["games"].as_u64(), found["games_there"].as_u64()),
            (Some(40 - 40 * n), Some(40 * n))
        );
    }
    assert_eq!(right(&folder, &["store", "export", "other"]), games);
    let gz = std::fs::File::create(folder.join("all.games.gz")).expect("a file");
    let mut gz = flate2::write::GzEncoder::new(gz, flate2::Compression::fast());
    gz.write_all(games.as_bytes()).and_then(|()| gz.finish().map(drop)).expect("it is written");
    for (store, new) in [("third", 40), ("other", 0)] {
        assert_eq!(told(&folder, &["store", "import", store, "all.games.gz"])["games"], new);
        assert_eq!(right(&folder, &["store", "export", store]), games);
    }
    assert_eq!(digest(&folder, "third"), digest(&folder, "other"));
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn other_forms_have_every_game_and_every_ply() {
    let folder = folder("forms");
    let games = right(&folder, &["store", "export", "games"]);
    let lines: Vec<Value> = right(&folder, &["store", "export", "games", "--format", "jsonl"])
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(lines.len(), 40);
    // The moves of every game are those of its record, in the same order.
    let records = anglerfish_arena::read_games::<Banqi>(&games).expect("records");
    for (line, record) in lines.iter().zip(&records) {
        let moves: Vec<String> = record.plies.iter().map(|ply| ply.event.to_string()).collect();
        assert_eq!(line["moves"], moves.join(" "));
        assert_eq!(line["plies"], moves.len());
        assert_eq!(line["tags"]["Seed"].as_str(), record.tag("Seed"));
        let value = record.annotation(5).and_then(|a| a.value).map(anglerfish_rules::Points::ten_thousandths);
        assert_eq!(line["value"].get(5).cloned().unwrap_or_default(), json!(value));
    }
    let csv = right(&folder, &["store", "export", "games", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 41);
    assert!(csv.contains("\"deep, \"\"thought\"\"\""), "{csv:.300}");
    right(&folder, &["store", "export", "games", "--format", "arrow", "--out", "all.arrow"]);
    let arrow = std::fs::read(folder.join("all.arrow")).expect("a file");
    assert!(arrow.starts_with(b"ARROW1") && arrow.ends_with(b"ARROW1"));
    let text = wrong(&folder, &["store", "export", "games", "--format", "xml"]);
    assert!(text.contains("expected records, csv, jsonl, arrow or arrow-stream, found \"xml\""), "{text}");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn what_is_no_game_is_refused_and_named() {
    let folder = folder("refused");
    let games = right(&folder, &["store", "export", "games"]);
    let ply = games.split("1. ").nth(1).and_then(|rest| rest.split(' ').next()).expect("a ply");
    let file = |name: &str, text: &str| std::fs::write(folder.join(name), text).expect("it is written");
    file("twice.games", &games.replacen(&format!("1. {ply} "), &format!("1. {ply} {ply} "), 1));
    let text = wrong(&folder, &["store", "import", "other", "twice.games"]);
    assert!(text.contains("twice.games, from line 1 on") && text.contains("game 1"), "{text}");
    file("words.txt", "hello\n");
    let text = wrong(&folder, &["store", "import", "other", "words.txt"]);
    assert!(text.contains("words.txt: expected the folder of a match, or records"), "{text}");
    let text = wrong(&folder, &["store", "import", "other", "nothing"]);
    assert!(text.contains("nothing is not there"), "{text}");
    let tictactoe = [
        "match",
        "--game",
        "tictactoe",
        "--engine",
        "player=random",
        "--engine",
        "player=random",
        "name=other",
    ];
    right(&folder, &[&tictactoe[..], &["--rounds", "3", "--out", "noughts"]].concat());
    let text = wrong(&folder, &["store", "import", "games", "noughts"]);
    assert!(text.contains("expected games of banqi, found tictactoe"), "{text}");
    assert_eq!(told(&folder, &["store", "import", "noughts-store", "noughts"])["games"], 6);
    digest(&folder, "noughts-store");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn positions_are_derived_once_for_the_same_units() {
    let folder = folder("positions");
    let plies = told(&folder, &["store", "verify", "games"])["plies"].as_u64().expect("plies");
    let made = told(&folder, &["store", "positions", "games"]);
    assert_eq!((&made["derived"], made["positions"].as_u64()), (&json!(true), Some(plies)));
    right(&folder, &["store", "compact", "games"]);
    let again = told(&folder, &["store", "positions", "games"]);
    assert_eq!((&again["derived"], &again["by_key"]), (&json!(false), &made["by_key"]));
    let out = told(&folder, &["store", "positions", "games", "--out", "elsewhere"]);
    assert_eq!(out["positions"].as_u64(), Some(plies));
    let file = out["by_key"][0].as_str().expect("a name");
    assert!(folder.join("elsewhere").join(file).is_file());
    digest(&folder, "games");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn statistics_count_every_game_by_pair() {
    let folder = folder("stats");
    let found = told(&folder, &["store", "stats", "games", "--out", "stats.html"]);
    assert_eq!((&found["games"], &found["draws"]["pairs"]), (&json!(40), &json!(20)));
    assert_eq!(found["first_moves"]["by_chance"], true);
    let firsts = found["first_moves"]["moves"].as_object().expect("moves");
    let games: u64 = firsts.values().map(|first| first["games"].as_u64().expect("games")).sum();
    let pairs: u64 = firsts.values().map(|first| first["pairs"].as_u64().expect("pairs")).sum();
    assert_eq!((games, pairs), (40, 20), "both games of a pair begin alike");
    let players = found["players"].as_object().expect("players");
    let scores: f64 = players.values().map(|player| player["score"]["mean"].as_f64().expect("a score")).sum();
    assert!((scores - 1.0).abs() < 1e-5, "{scores}");
    // Each flipped piece is counted once, alone and by square.
    let count = |value: &Value| value["games"].as_u64().expect("games");
    let faces = found["first_moves"]["faces"].as_object().expect("faces");
    assert_eq!(faces.values().map(count).sum::<u64>(), 40);
    let crossed = found["first_moves"]["classes_and_faces"].as_object().expect("classes");
    for (face, all) in faces {
        let parts = crossed.values().filter_map(|class| class.get(face)).map(count).sum::<u64>();
        assert_eq!(parts, count(all), "{face}");
    }
    let corners =
        found["first_moves"]["classes"].as_object().expect("classes").keys().next().expect("one").clone();
    assert_eq!(corners, "a1 d1 a4 d4", "the board has four ranks");
    // Also games of one player against itself.
    let alone = MANIFEST.replace("round-robin", "self").replace("games = 40", "games = 8");
    let (before, engines) = alone.split_once("[[engine]]").expect("engines");
    let (_, last) = engines.split_once("[[engine]]").expect("two");
    std::fs::write(folder.join("alone.toml"), format!("{before}[[engine]]{last}")).expect("a manifest");
    right(&folder, &["selfplay", "alone.toml", "--store", "games"]);
    for name in ["random", "random nodes=20"] {
        let among = told(&folder, &["store", "stats", "games", "--players", name]);
        assert_eq!((&among["games"], &among["units"]), (&json!(8), &json!(2)), "{name}");
    }
    assert_eq!(told(&folder, &["store", "stats", "games"])["games"], 48);
    let unknown = wrong(&folder, &["store", "stats", "games", "--players", "random nodes=21"]);
    assert!(unknown.contains("expected games of random nodes=21 among themselves"), "{unknown}");
    assert!(unknown.contains("random nodes=20"), "{unknown}");
    let page = std::fs::read_to_string(folder.join("stats.html")).expect("a page");
    assert!(page.contains("<svg") && page.contains("First flips on the board"));
    let foreign = page.matches("://").count() - page.matches("http://www.w3.org/2000/svg").count();
    assert_eq!(foreign, 0, "the page loads nothing from elsewhere");
    let text = right(&folder, &["store", "stats", "games"]);
    assert!(text.contains("How games ended") && text.contains("Players"), "{text}");
    std::fs::remove_dir_all(folder).expect("it goes");
}

/// The number of games in the current files, which must exist.
fn files(folder: &Path) -> usize {
    let listed = right(folder, &["store", "files", "games"]);
    assert!(listed.lines().all(|path| Path::new(path).is_file()), "{listed}");
    listed.lines().count()
}

/// A few games prove nothing, as the output says; still all of them are shown, and other games beside them.
#[test]
fn a_calibration_shows_every_game() {
    let folder = folder("calibrate");
    let own = "pairing = \"self\"\ngames = 16\nunit = 4\nrules = \"platform\"\nopenings = \"random:1\"\nannotate = 1\n\
        [each]\nnodes = 20\n[[engine]]\nplayer = \"alphabeta,hash=1\"\nname = \"fish\"\n";
    std::fs::write(folder.join("own.toml"), own).expect("a manifest");
    right(&folder, &["selfplay", "own.toml", "--store", "own", "--threads", "2"]);
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/first.games");
    let words = ["store", "calibrate", "own", "--test", "--player", "fish nodes=20", "--beside", games];
    let output = fish(&folder, &words);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "nothing is proved: {text}");
    assert!(text.contains("0 of 0 bins with positions of 500 games or more"), "{text}");
    for table in
        ["this program's: all positions", "version 0.3: all positions", "games of others: all positions"]
    {
        assert!(text.contains(table), "{table}: {text}");
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn a_unit_that_comes_late_is_in_no_list() {
    let folder = folder("late");
    assert_eq!(files(&folder), 10);
    let units = folder.join("games/units");
    let late = std::fs::read_dir(&units).expect("units").next().expect("one").expect("a file").path();
    let bytes = std::fs::read(&late).expect("it is read");
    right(&folder, &["store", "compact", "games"]);
    assert_eq!(files(&folder), 1);
    // A worker with the old index creates it again.
    std::fs::write(&late, bytes).expect("it is written");
    assert_eq!(files(&folder), 1);
    assert_eq!(told(&folder, &["store", "stats", "games"])["games"], 40);
    assert_eq!(told(&folder, &["store", "verify", "games"])["games"], 40);
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[cfg(not(feature = "query"))]
#[test]
fn a_build_without_queries_says_so() {
    let text = wrong(std::env::temp_dir(), &["store", "query", "games", "SELECT 1"]);
    assert!(text.contains("cargo install --locked --path crates/cli --features full"), "{text}");
}

#[cfg(feature = "query")]
mod queries {
    use super::*;

    fn count(folder: &Path, table: &str) -> u64 {
        let found = told(folder, &["store", "query", "games", &format!("SELECT count(*) AS n FROM {table}")]);
        found["n"].as_u64().expect("a number")
    }

    #[test]
    fn a_query_counts_what_verify_counts() {
        let folder = folder("query");
        let check = |state: &str| {
            let found = told(&folder, &["store", "verify", "games"]);
            assert_eq!(count(&folder, "games"), found["games"].as_u64().expect("games"), "{state}");
            assert_eq!(count(&folder, "units"), found["units"].as_u64().expect("units"), "{state}");
            let plies = told(&folder, &["store", "query", "games", "SELECT sum(plies) AS n FROM games"]);
            assert_eq!(plies["n"], found["plies"], "{state}");
        };
        check("before");
        let units = folder.join("games/units");
        let late = std::fs::read_dir(&units).expect("units").next().expect("one").expect("a file").path();
        let bytes = std::fs::read(&late).expect("it is read");
        right(&folder, &["store", "compact", "games"]);
        check("compacted");
        std::fs::write(&late, &bytes).expect("it is written");
        check("with a unit that came late");
        right(&folder, &["store", "compact", "games"]);
        assert!(!late.exists());
        check("compacted again");
        std::fs::remove_dir_all(folder).expect("it goes");
    }

    #[test]
    fn events_are_written_as_records_write_them() {
        let folder = folder("moves");
        let sql = "SELECT unit, game, moves(events) AS moves, move(events[1]) AS flip FROM games ORDER BY unit, game";
        let text = right(&folder, &["store", "query", "games", sql, "--json"]);
        let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        let jsonl = right(&folder, &["store", "export", "games", "--format", "jsonl"]);
        let games: Vec<Value> = jsonl.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
        assert_eq!(rows.len(), games.len());
        for (row, game) in rows.iter().zip(&games) {
            assert_eq!(
                (&row["unit"], &row["game"], &row["moves"]),
                (&game["unit"], &game["game"], &game["moves"])
            );
            let flip = row["flip"].as_str().expect("a text");
            assert!(game["moves"].as_str().expect("a text").starts_with(flip));
        }
        std::fs::remove_dir_all(folder).expect("it goes");
    }

    #[test]
    fn answers_come_in_three_forms_and_only_to_questions() {
        let folder = folder("answers");
        let sql = "SELECT second, count(*) AS n, array_agg(plies) AS all FROM games GROUP BY second ORDER BY second";
        let sql = sql.replace("all", "lengths");
        assert!(right(&folder, &["store", "query", "games", &sql]).contains("| second "));
        let csv = right(&folder, &["store", "query", "games", &sql, "--csv"]);
        assert!(csv.starts_with("second,n,lengths\n\"deep, \"\"thought\"\"\",20,\"["), "{csv}");
        let none =
            right(&folder, &["store", "query", "games", "SELECT plies FROM games WHERE plies < 0", "--csv"]);
        assert_eq!(none, "plies\n");
        for sql in ["DROP TABLE games", "CREATE TABLE x AS SELECT 1", "COPY games TO 'x.csv'", "SET a = 1"] {
            assert!(!wrong(&folder, &["store", "query", "games", sql]).is_empty());
        }
        let text = wrong(&folder, &["store", "query", "games", "SELECT * FROM positions"]);
        assert!(text.contains("`anglerfish store positions STORE` derives them"), "{text}");
        let text = wrong(&folder, &["store", "query", "games", "SELECT colour FROM games"]);
        assert!(text.contains("colour"), "{text}");
        std::fs::remove_dir_all(folder).expect("it goes");
    }

    #[test]
    fn both_orders_have_the_same_positions() {
        let folder = folder("orders");
        right(&folder, &["store", "positions", "games"]);
        let plies = told(&folder, &["store", "verify", "games"])["plies"].as_u64();
        assert_eq!(Some(count(&folder, "positions")), plies);
        assert_eq!(Some(count(&folder, "positions_by_key")), plies);
        let differ = "(SELECT * FROM positions EXCEPT SELECT * FROM positions_by_key)";
        assert_eq!(count(&folder, differ), 0);
        // Every row is the ply of its game, with the result from the mover's view.
        let joined = "positions p JOIN games g ON p.unit = g.unit AND p.game = g.game
            WHERE p.event = g.events[p.ply + 1] AND p.result = CASE WHEN p.seat = 0 THEN g.result ELSE -g.result END
            AND (p.value IS NOT DISTINCT FROM g.value[p.ply + 1])";
        assert_eq!(Some(count(&folder, joined)), plies);
        let start = "SELECT count(*) AS n, count(DISTINCT key) AS keys FROM positions_by_key WHERE ply = 0";
        assert_eq!(told(&folder, &["store", "query", "games", start]), json!({ "n": 40, "keys": 1 }));
        let csv = right(&folder, &["store", "query", "games", "SELECT key FROM positions_by_key", "--csv"]);
        let keys: Vec<u64> = csv.lines().skip(1).map(|key| key.parse().expect("a key")).collect();
        assert!(keys.is_sorted(), "one file is read from its beginning");
        std::fs::remove_dir_all(folder).expect("it goes");
    }
}

/// Openings by class are exported with their labels, and predictions of them are scored.
#[test]
fn openings_are_exported_and_predictions_scored() {
    let folder = folder("openings");
    for (name, pairing, players) in [
        ("others", "gauntlet", ["us", "beginner", "master"].as_slice()),
        ("alone", "self", ["us"].as_slice()),
    ] {
        let engines = players.iter().map(|name| {
            let player = if *name == "beginner" { "random" } else { "thinker2" };
            format!("[[engine]]\nplayer = \"{player}\"\nname = \"{name}\"\n")
        });
        let manifest = format!("pairing = \"{pairing}\"\ngames = 40\nunit = 20\nstop = 24\n");
        std::fs::write(folder.join("m.toml"), manifest + &engines.collect::<String>()).expect("a manifest");
        right(&folder, &["selfplay", "m.toml", "--store", "openings", "--threads", "2"]);
        assert!(folder.join("openings").exists(), "{name}");
    }
    let export = |extra: &[&str]| {
        let words =
            ["store", "export", "openings", "--features", "ornn", "--champion", "us", "--weaker", "beginner"];
        let output = fish(&folder, &[&words, extra].concat());
        (output.status.success(), String::from_utf8(output.stderr).expect("text"))
    };
    let (held, said) = export(&["--stronger", "master", "--out", "all.arrow"]);
    assert!(held && said.contains("40 weaker, 40 equal, 40 stronger"), "{said}");
    let (held, said) = export(&["--out", "some.arrow", "--canonical"]);
    assert!(held && said.contains("40 weaker, 40 equal, 0 stronger"), "{said}");
    let (held, said) = export(&[]);
    assert!(!held && said.contains("--out FILE"), "{said}");

    let file = std::fs::File::open(folder.join("all.arrow")).expect("a file");
    let labels = anglerfish_store::read_labels(file).expect("labels");
    let fold = labels[0].fold;
    let games: Vec<_> = labels.iter().filter(|label| label.fold == fold).collect();
    let words =
        ["lab", "score", "p.csv", "--truth", "all.arrow", "--fold", &fold.to_string()].map(str::to_owned);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let write = |line: &dyn Fn(usize) -> String| {
        let lines = games.iter().map(|game| format!("{},{}\n", game.game, line(usize::from(game.class))));
        std::fs::write(
            folder.join("p.csv"),
            "game,weaker,equal,stronger\n".to_owned() + &lines.collect::<String>(),
        )
        .expect("predictions");
    };
    write(&|label| ["1,0,0", "0,1,0", "0,0,1"][label].to_owned());
    let score = &told(&folder, &words)["scores"][0];
    assert_eq!((&score["accuracy"], &score["games"]), (&json!(1.0), &json!(games.len())));
    assert!(right(&folder, &words).contains("100.00 % right"));
    write(&|_| "0.5,0.5,0.5".to_owned());
    assert!(wrong(&folder, &words).contains("three probabilities that sum to 1"));
    write(&|_| "0.5,half,0".to_owned());
    assert!(wrong(&folder, &words).contains("line 2: expected a number, found \"half\""));
    std::fs::write(folder.join("p.csv"), format!("game,weaker,equal,stronger\n{},1,0,0\n", games[0].game))
        .expect("one");
    assert!(wrong(&folder, &words).contains("predictions for all"));
    std::fs::write(folder.join("p.csv"), "game,weaker,equal,stronger\nchess,1,0,0\n").expect("another");
    assert!(wrong(&folder, &words).contains("no game of this fold"));
    std::fs::remove_dir_all(folder).expect("it goes");
}

/// Beyond the limit the number of bytes would overflow, down to 0.
#[test]
fn a_large_object_has_a_size() {
    let folder = folder_with("sizes", MANIFEST);
    for megabytes in ["0", "1048577", "17592186044416"] {
        let words = wrong(&folder, &["store", "compact", "games", "--target", megabytes]);
        assert!(words.contains(&format!("{megabytes} is not in 1..=1048576")), "{words}");
    }
}
