//! A person's game at the terminal, typed by a script.

use std::io::Write;
use std::process::{Command, Stdio};

use anglerfish_engine::{Kit, Profile};
use anglerfish_rules::banqi::Banqi;

use crate::fish::{FISH, folder, place};

/// What the program prints when these lines are typed.
fn play(args: &[&str], typed: &[&str]) -> String {
    let mut child = Command::new(FISH)
        .arg("play")
        .args(args)
        // A game that ends early takes a typed move for the name of a file to save it in.
        .current_dir(env!("CARGO_TARGET_TMPDIR"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("it starts");
    let mut input = child.stdin.take().expect("a pipe");
    // It may be gone before it has read everything.
    let _ = writeln!(input, "{}", typed.join("\n"));
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success(), "{args:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

#[test]
fn a_person_tries_everything() {
    let folder = folder("play");
    let path = folder.join("mine.games");
    let path = path.to_str().expect("UTF-8");
    let save = format!("save {path}");
    let text = play(
        &["--seed", "5", "--level", "1"],
        &[
            "help",
            "undo",
            "b3 b4",
            "x9",
            "castle",
            "B3",
            "b3",
            "moves",
            "hint",
            "undo",
            "b3",
            "board",
            "save",
            "save /no/such/folder/x",
            &save,
            "resign",
            "",
        ],
    );
    for part in [
        "> you: no color yet",
        "take back your last move and the answer",
        "You have not moved yet.",
        "Not allowed: the first move of a game is a flip",
        "\"castle\" is neither a move (b3 b4), a flip (b3) nor a command; try help.",
        "You flip b3: a ",
        "The engine flips ",
        "on b3 lies face up already",
        "flips: a1 ",
        "Hint: ",
        "Taken back. What was flipped is back in the bag",
        "Where to? Type save and the name of a file.",
        "Cannot write /no/such/folder/x: ",
        "Saved. Look at it with: anglerfish replay ",
        "The engine has won: you resigned.",
        "engine, level 1 of 10: ",
        "Save the game?",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    let record = std::fs::read_to_string(path).expect("the record");
    assert!(
        record.contains("[First \"you\"]") && record.contains("[Second \"engine, level 1 of 10\"]"),
        "{record}"
    );
    let check = Command::new(FISH).args(["replay", "--check", path]).output();
    assert!(check.expect("it starts").status.success());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// On a small board, always flipping or making the first move that is left, a game comes to its end.
#[test]
fn a_game_comes_to_its_end() {
    let squares = ["a", "b"].into_iter().flat_map(|f| (1..=4).map(move |r| format!("{f}{r}")));
    let squares: Vec<String> = squares.collect();
    let mut typed = squares.clone();
    for _ in 0..60 {
        for a in &squares {
            typed.extend(squares.iter().filter(|b| *b != a).map(|b| format!("{a} {b}")));
        }
    }
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    let args =
        ["--seed", "3", "--level", "3", "--rules", "platform,board=2x4", "--first", "engine", "--letters"];
    let text = play(&args, &typed);
    let ends = ["The engine has won: you have no", "You have won: the engine has no", "It is a draw: "];
    assert!(ends.iter().any(|end| text.contains(end)), "{}", &text[text.len().saturating_sub(1500)..]);
    assert!(text.contains("The engine plays ") && text.contains(" 4 | "), "a whole game in letters");
}

#[test]
fn it_ends_with_its_input_and_keeps_time() {
    assert!(play(&[], &[]).contains("your move> "));
    assert!(play(&["--player", "greedy"], &["quit"]).contains("engine, greedy: no color yet"));
    let text = play(&["--time", "600+5", "--first", "engine", "--seed", "1"], &["moves"]);
    assert!(text.contains(", 10:00 left"), "{text}");
    let wrong = |args: &[&str]| {
        let output = Command::new(FISH).arg("play").args(args).output();
        let output = output.expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(wrong(&["--level", "11"]).contains("11 is not in 1..=10"));
    assert!(wrong(&["--time", "fast"]).contains("expected"));
    assert!(wrong(&["--player", "nobody"]).contains("expected a player"));
}

#[test]
fn what_was_learned_is_kept_between_games() {
    let path = place("profile");
    let name = path.to_str().expect("UTF-8");
    for games in 1..=2 {
        let said = play(&["--seed", "5", "--level", "1", "--profile", name], &["b3", "me", "quit"]);
        assert!(said.contains("has not seen enough of you"), "{said}");
        let text = std::fs::read_to_string(&path).expect("a profile");
        let expected = format!("anglerfish-profile 1\ngame banqi\ngames {games}\nplies {games}\n");
        assert!(text.starts_with(&expected), "{text}");
    }
    std::fs::remove_file(path).expect("our own file");
    assert!(play(&["--seed", "5"], &["me", "quit"]).contains("does not study you"));
}

/// Whoever is listed as a style is told in words what he does.
#[test]
fn a_person_is_told_what_every_style_does() {
    let path = place("style");
    for style in Banqi::styles() {
        std::fs::write(&path, Profile::certain::<Banqi>(style.name()).to_string()).expect("a file");
        let name = path.to_str().expect("UTF-8");
        let said = play(&["--seed", "5", "--level", "1", "--profile", name], &["me", "quit"]);
        let told = format!("To the engine you are somebody who {} (100 % sure).", style.phrase());
        assert!(said.contains(&told), "{told:?} in\n{said}");
    }
    std::fs::remove_file(path).expect("our own file");
}
