//! What is known of a player by name: found in recorded games, kept, used and forgotten. And pondering that is counted in nodes.

use crate::fish::{FISH, folder, right, told, wrong};

/// A few games of a weak player, in `m/match.games`.
fn games(name: &str) -> std::path::PathBuf {
    let home = folder(name);
    let them = ["name=theirs", "player=course2019,hash=1", "nodes=500"];
    let us = ["name=ours", "player=alphabeta,hash=1", "nodes=500"];
    let words = [&["match", "--engine"], &us[..], &["--engine"], &them, &["--rounds", "2", "--out", "m"]];
    right(&home, &words.concat());
    home
}

#[test]
fn a_player_is_known_from_its_games() {
    let home = games("profile");
    let build = ["profile", "m/match.games", "--of", "theirs", "--most", "1000"];
    let found = told(&home, &build);
    let weaker = found["all"]["classes"][0].as_f64().expect("a probability");
    assert!(weaker > 0.9, "{found}");
    let [low, high] = [0, 2].map(|i| found["all"]["elo"][i].as_f64().expect("an Elo"));
    assert!(low < -487.0 && -487.0 < high, "its Elo of the list: {found}");
    assert_eq!(found["games"].as_array().map(Vec::len), Some(4), "what each game alone says");
    let list = right(&home, &["profile", "list"]);
    assert!(list.starts_with("theirs: plays like "), "{list}");
    let shown = right(&home, &["profile", "show", "theirs"]);
    assert!(shown.contains("in 4 games") && shown.contains("none of these"), "{shown}");
    // A position of these games is analyzed knowing what they say of the opponent up to there.
    let game = ["analyse", "m/match.games", "--ply", "31", "--nodes", "500", "--set", "hash=1"];
    let studies = [&game[..], &["--set", "lineup=field", "--set", "opponent=adapt"]].concat();
    let said = right(&home, &studies);
    assert!(said.contains("\nthe opponent: ") && said.contains(" Elo weaker ± "), "{said}");
    let object = told(&home, &studies);
    assert!(object["opponent"].as_str().is_some_and(|line| said.contains(line)), "{object}");
    assert!(!right(&home, &game).contains("the opponent: "), "nobody asked");
    // Seen again, there are more games to know it by.
    right(&home, &build);
    assert!(right(&home, &["profile", "show", "theirs"]).contains("in 8 games"));
    right(&home, &["profile", "forget", "theirs"]);
    let error = wrong(&home, &["profile", "show", "theirs"]);
    assert!(error.contains("found \"theirs\": nobody is"), "{error}");
    let error = wrong(&home, &["profile", "m/match.games"]);
    assert!(error.contains("--of NAME, since ours and theirs are in all games"), "{error}");
    let error = wrong(&home, &["profile", "show", "../theirs"]);
    assert!(error.contains("without slashes"), "{error}");
}

/// The program on the platform's side knows its opponent from the games before, and writes down what it has learned.
#[test]
fn a_known_opponent_is_known_better_after_every_game() {
    let home = folder("known");
    let cmd = format!("cmd={FISH}");
    let words =
        ["dctp", "--player", "alphabeta,hash=1,nodes=200", "--opponent", "them", "--profiles", "known"];
    let args: Vec<String> = words.iter().map(|word| format!("arg={word}")).collect();
    let mut command = vec!["match", "--engine", &cmd, "proto=dctp", "tc=60", "name=us"];
    command.extend(args.iter().map(String::as_str));
    command.extend(["--engine", "player=thinker2,hash=1", "nodes=1", "name=them", "--rounds", "1"]);
    right(&home, &command);
    let profile = std::fs::read_to_string(home.join("known/them.profile")).expect("a profile");
    assert!(profile.contains("\ngames 2\n") && profile.contains("style none-of-these "), "{profile}");
    // What cannot be kept is said before the game, and not after it.
    let error = wrong(&home, &["dctp", "--opponent", "them", "--profiles", "known/them.profile"]);
    assert!(error.contains("--profiles: cannot make"), "{error}");
}

#[test]
fn pondering_in_nodes_depends_on_the_seed_alone() {
    let home = folder("ponder");
    let play = |out: &str, more: &[&str]| {
        let words = ["match", "--engine", "player=alphabeta,hash=1", "nodes=300", "name=a", "--engine"];
        let them = ["player=alphabeta,hash=1", "nodes=2000", "name=b", "--rounds", "1", "--out", out];
        right(&home, &[&words[..], &them, more].concat());
        std::fs::read_to_string(home.join(out).join("match.games")).expect("games")
    };
    let once = play("once", &["--ponder", "nodes"]);
    assert_eq!(once, play("again", &["--ponder", "nodes"]));
    assert_ne!(once, play("without", &[]), "who ponders plays otherwise");
}
