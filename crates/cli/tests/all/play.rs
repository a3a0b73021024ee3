//! A person's game at the terminal, typed by a script.

use std::io::Write;
#[cfg(unix)]
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};

use anglerfish_opponents::{Modelled, certain};
use anglerfish_report::Lang;
use anglerfish_rules::banqi::{Banqi, Piece};
use anglerfish_rules::{Record, Rng, RngExt, read_records};

use crate::fish::{FISH, ROOT, folder, place};

/// Starts the program at a terminal, with the user's games in this folder.
fn start(home: &Path, args: &[&str]) -> Child {
    let mut program = Command::new(FISH);
    program.arg("play").args(args).current_dir(home).env("XDG_DATA_HOME", home).env("LC_ALL", "C");
    program.env_remove("COLUMNS");
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
}

/// The output for these bytes on standard input.
pub(crate) fn bytes(home: &Path, args: &[&str], typed: &[u8]) -> Output {
    let mut child = start(home, args);
    let mut input = child.stdin.take().expect("a pipe");
    // It may end before it has read everything.
    let _ = input.write_all(typed);
    drop(input);
    child.wait_with_output().expect("it ends")
}

/// The output for these typed lines.
pub(crate) fn play_at(home: &Path, args: &[&str], typed: &[&str]) -> String {
    let output = bytes(home, args, (typed.join("\n") + "\n").as_bytes());
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The same, without a folder of games.
pub(crate) fn play(args: &[&str], typed: &[&str]) -> String {
    let home = folder(&format!("play-{:x}", Rng::stream(args.len() as u64, &typed.concat()).below(1 << 30)));
    let said = play_at(&home, args, typed);
    std::fs::remove_dir_all(home).expect("cleaned up");
    said
}

/// The stored games, in the order in which they were begun.
pub(crate) fn kept(home: &Path) -> Vec<Record<Banqi>> {
    let Ok(entries) = std::fs::read_dir(home.join("anglerfish/games")) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|e| e == "games"));
    paths.sort();
    let read = |path: &PathBuf| {
        let text = std::fs::read_to_string(path).expect("a file");
        let record = read_records::<Banqi>(&text).next().expect("a game").expect("a record");
        record.replay().expect("a whole game");
        record
    };
    paths.iter().map(read).collect()
}

#[test]
fn a_person_tries_everything() {
    let home = folder("play-everything");
    let text = play_at(
        &home,
        &["--seed", "5", "--level", "1"],
        &[
            "help",
            "undo",
            "b3 b4",
            "x9",
            "castle",
            "flip B3",
            "b3",
            "moves",
            "hint",
            "hint 2",
            "hint x",
            "why",
            "why a1",
            "why b3",
            "back",
            "forward",
            "forward",
            "back 9",
            "a1",
            "board",
            "rules",
            "me",
            "undo",
            "b3",
            "save",
            "save /no/such/folder/x",
            "save mine.games",
            "save mine.games",
            "n",
            "resign",
            "n",
            "resign",
            "y",
            "quit",
        ],
    );
    for part in [
        "> you: no color yet",
        "take back your last move, or your last N",
        "You have not moved yet.",
        "Not allowed: the first move of a game is a flip",
        "\"castle\" is neither a move (b3 b4), a flip (b3) nor a command; try help.",
        "You flip b3: a ",
        "The engine flips ",
        "on b3 lies face up already",
        "flips: a1 ",
        "Hint: flip ",
        "2. flip ",
        "Expected a number such as 3, found \"x\".",
        "may turn up:",
        "This is the board after move 1 of 2.",
        "This is the game as it stands.",
        "You were looking at an earlier board.",
        "A cannon moves like the others, but it takes by jumping",
        "The engine does not study you",
        "Taken back.\nWhat was flipped is back in the bag",
        "Where to? Type save and the name of a file.",
        "Not saved: cannot write /no/such/folder/x",
        "Saved. Look at it with: anglerfish replay mine.games",
        "mine.games is there already. Write over it? (y/n)",
        "Resign and lose the game? (y/n)",
        "The engine has won: you resigned.",
        "engine, level 1 of 10: ",
        "Learn from this game with: anglerfish review ",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    let record = std::fs::read_to_string(home.join("mine.games")).expect("the record");
    assert!(
        record.contains("[First \"you\"]") && record.contains("[Second \"engine, level 1 of 10\"]"),
        "{record}"
    );
    let check = Command::new(FISH).args(["replay", "--check", "mine.games"]).current_dir(&home).output();
    assert!(check.expect("it starts").status.success());
    let games = kept(&home);
    assert!(games.len() == 1 && games[0].ending.is_some(), "{games:?}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// `undo N` takes back N of the player's own moves with the answers, and nothing else is a number.
#[test]
fn undo_takes_back_as_many_moves_as_it_is_told() {
    let home = folder("play-undo");
    let squares = ["a1", "b1", "c1", "d1", "a2", "b2", "c2", "d2", "a3", "b3"];
    let typed = [&squares[..], &["undo x", "undo 0", "undo 99", "quit"]].concat();
    let text = play_at(&home, &["--seed", "5", "--level", "1"], &typed);
    for part in [
        "Expected a number such as 3, found \"x\".",
        "Expected a number such as 3, found \"0\".",
        "You cannot take back 99 moves: you have made ",
    ] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    assert!(!text.contains("Taken back"), "{text}");
    let before = kept(&home).remove(0);
    let ours = before.plies.iter().filter(|ply| ply.seat.0 == 0).count();
    assert!(ours > 3, "{ours}");
    let text = play_at(&home, &["--continue"], &["undo 3", "quit"]);
    assert!(text.contains("3 of your moves are taken back."), "{text}");
    let after = kept(&home).remove(0);
    assert_eq!(after.plies.iter().filter(|ply| ply.seat.0 == 0).count(), ours - 3);
    assert_eq!(after.plies[..], before.plies[..after.plies.len()]);
    assert_eq!(before.plies[after.plies.len()].seat.0, 0, "the first that is gone was ours");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// `hint`, `hint N`, `why` and `why MOVE` show one analysis: the same choices in the same order with the same values.
#[test]
fn hint_and_why_agree() {
    let typed = ["c3", "hint", "why", "hint 3", "hint 99", "why", "quit"];
    let text = play(&["--seed", "5", "--level", "1", "--ascii"], &typed);
    let choices: Vec<&str> = text
        .lines()
        .map(|line| line.trim_start_matches("your move> "))
        .filter(|line| line.split_once(". ").is_some_and(|(n, _)| n.parse::<u32>().is_ok()))
        .collect();
    let all = &choices[6..choices.len() - 3];
    assert!(all.len() > 20, "every choice has a value: {all:?}");
    assert_eq!([&choices[..3], &choices[3..6], &choices[choices.len() - 3..]], [&all[..3]; 3], "{text}");
    let (_, hint) = text.split_once("Hint: ").expect("a hint");
    let (act, rest) = hint.split_once(". ").expect("an act and its value");
    let (_, value) = rest.split_once('(').expect("a value");
    let (value, _) = value.split_once(')').expect("a value");
    assert_eq!(choices[0], format!("1. {act} ({value})"));
}

/// The first game of all explains every glyph, in every language; later ones do when they are asked.
#[test]
fn a_first_game_explains_the_glyphs() {
    for lang in Lang::ALL {
        let home = folder(&format!("play-legend-{}", lang.tag()));
        let args = ["--level", "1", "--lang", lang.tag(), "--seed", "5"];
        let first = play_at(&home, &args, &["b3", "quit"]);
        let row = |role: usize| {
            let [red, black] = [Piece::ALL[role], Piece::ALL[role + 7]].map(|piece| lang.glyph(piece));
            format!("  {}. {red} {black}  ", role + 1)
        };
        let bag = format!("{}1 {}2", lang.glyph(Piece::ALL[0]), lang.glyph(Piece::ALL[1]));
        let is_explained = |text: &str| (0..7).all(|role| text.contains(&row(role))) && text.contains(&bag);
        assert!(is_explained(&first) && first.contains(lang.text("legend.pieces")), "{first}");
        let later = play_at(&home, &args, &["quit"]);
        assert!(!is_explained(&later), "{later}");
        for asked in [lang.text("command.legend"), "legend", "help pieces", "pieces"] {
            let text = play_at(&home, &args, &[asked, "quit"]);
            assert!(is_explained(&text), "{asked}: {text}");
        }
        std::fs::remove_dir_all(home).expect("cleaned up");
    }
}

/// In a game, `rules` names no boards that are not there, and `rules cannon` shows the lesson with its boards.
#[test]
fn boards_stand_where_they_are_promised() {
    for lang in Lang::ALL {
        let args = ["--level", "1", "--lang", lang.tag(), "--seed", "5"];
        let short = play(&args, &["rules", "quit"]);
        let (_, short) = short.split_once(lang.text("play.prompt")).expect("a prompt");
        assert!(!short.contains("4 x 4") && !short.contains('┌'), "{short}");
        for asked in ["rules cannon", "help 砲", "rules 炮"] {
            let text = play(&args, &[asked, "quit"]);
            let (_, text) = text.split_once(lang.text("play.prompt")).expect("a prompt");
            let title = lang.text("lesson.cannon.title");
            assert!(text.contains(title) && text.contains("┌") && text.contains("a3-d3"), "{asked}: {text}");
        }
    }
}

/// `quit` leaves a game that is kept, without a question that could take the next line for its answer. Other questions
/// take what is neither yes nor no as no, and as the next line.
#[test]
fn no_line_is_swallowed() {
    let home = folder("play-quit");
    let args = ["--seed", "5", "--level", "1"];
    let text = play_at(&home, &args, &["b3", "resign", "moves", "quit", "b4"]);
    assert!(text.contains("Resign and lose the game? (y/n) flips: a1 "), "{text}");
    assert!(text.ends_with("The game is kept. Go on with: anglerfish play --continue\n"), "{text}");
    assert!(!text.contains("Leave the game?") && kept(&home)[0].plies.len() == 2, "{text}");
    // Where games cannot be kept, leaving loses the game, and there is a question.
    std::fs::remove_dir_all(home.join("anglerfish")).expect("the games");
    std::fs::write(home.join("anglerfish"), "").expect("a file");
    let text = play_at(&home, &args, &["b3", "quit", "moves", "quit", "y"]);
    assert!(text.contains("Leave the game? (y/n) flips: a1 "), "{text}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// Errors of `play` are in the language chosen.
#[test]
fn errors_are_in_the_language_chosen() {
    let home = folder("play-errors");
    for lang in Lang::ALL {
        for (args, key) in [
            (&["--from", "nothing.games"][..], "play.from_what"),
            (&["--from", "----/----/R---/pG-- b - 0 41 platform,board=4x4"], "play.from_over"),
            (&["--continue"], "keep.none"),
        ] {
            let output = bytes(&home, &[args, &["--lang", lang.tag()]].concat(), b"");
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            let parts =
                lang.text(key).split('{').map(|part| part.split_once('}').map_or(part, |(_, rest)| rest));
            for part in parts {
                assert!(said.contains(part), "{part:?} in {said}");
            }
            assert_eq!(output.status.code(), Some(2));
        }
        let said = |args: &[&str]| {
            let output = bytes(&home, &[args, &["--lang", lang.tag()]].concat(), b"");
            String::from_utf8([output.stdout, output.stderr].concat()).expect("text")
        };
        let help = said(&["--help"]);
        for key in ["play.about", "option.ascii", "option.lang"] {
            let words = lang.text(key).split_whitespace();
            assert!(words.into_iter().all(|word| help.contains(word)), "{key} in {help}");
        }
        if lang != Lang::En {
            for (args, key) in [
                (&["--level", "99"][..], "clap.value"),
                (&["--level"], "clap.missing"),
                (&["--levels", "3"], "clap.unknown"),
                (&["--level", "3", "--continue"], "clap.conflict"),
                (&["--first", "you"], "clap.choices"),
                (&["--ply", "3"], "clap.requires"),
            ] {
                let said = said(args);
                let part = lang.text(key).rsplit('}').find(|part| part.len() > 3).unwrap_or_default();
                let part = part.split('{').next().unwrap_or_default();
                assert!(said.contains(part) && said.contains(lang.text("clap.help")), "{key}: {said}");
            }
        }
    }
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// On a small board, always taking the first flip or move that is left, a game ends, in every language.
#[test]
fn games_come_to_their_ends() {
    let squares = ["a", "b"].into_iter().flat_map(|f| (1..=4).map(move |r| format!("{f}{r}")));
    let squares: Vec<String> = squares.collect();
    let mut typed = squares.clone();
    for _ in 0..60 {
        for a in &squares {
            typed.extend(squares.iter().filter(|b| *b != a).map(|b| format!("{a} {b}")));
        }
    }
    let typed: Vec<&str> = typed.iter().map(String::as_str).collect();
    for lang in Lang::ALL {
        let args = [
            "--seed",
            "3",
            "--level",
            "3",
            "--rules",
            "platform,board=2x4",
            "--first",
            "engine",
            "--lang",
            lang.tag(),
        ];
        let text = play(&args, &typed);
        let ends = ["result.won", "result.lost", "result.draw"]
            .map(|key| lang.text(key).split('{').next().unwrap_or_default());
        assert!(ends.iter().any(|end| text.contains(end)), "{}", &text[text.len().saturating_sub(1500)..]);
        assert!(!text.contains(['{', '}']), "a place without its value in\n{text}");
        let told = lang.text("told.engine.move").split('{').next().unwrap_or_default();
        assert!(text.contains(told) && text.contains(" 4 │ "), "a whole game in {}", lang.tag());
    }
}

/// With `--ascii` all output is ASCII, for old terminals and logs.
#[test]
fn letters_are_letters() {
    let typed = [
        "help", "b3", "b3", "b4 b3", "moves", "hint 3", "why", "me", "back", "rules", "undo", "x", "resign",
        "y",
    ];
    for args in [
        &["--ascii"][..],
        &["--ascii", "--orientation", "lying", "--time", "60"],
        &["--ascii", "--profile", "me"],
    ] {
        let text = play(&[&["--seed", "5", "--level", "1"][..], args].concat(), &typed);
        let odd: String = text.chars().filter(|c| !c.is_ascii()).collect();
        assert!(odd.is_empty(), "{odd} in\n{text}");
    }
}

#[test]
fn a_beginner_is_a_level() {
    let text = play(&["--seed", "5", "--level", "beginner1"], &["b3", "quit", "y"]);
    assert!(text.contains("engine, beginner 1 of 3: Overlooks most of "), "{text}");
}

#[test]
fn it_ends_with_its_input_and_keeps_time() {
    assert!(play(&[], &[]).contains("your move> "));
    assert!(play(&["--player", "greedy"], &["quit", "y"]).contains("engine, greedy: no color yet"));
    let text = play(&["--time", "600+5", "--first", "engine", "--seed", "1"], &["moves"]);
    assert!(text.contains(", 10:00 left"), "{text}");
    let wrong = |args: &[&str]| {
        let output = bytes(Path::new(env!("CARGO_TARGET_TMPDIR")), args, b"");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(output.stdout.is_empty(), "{args:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(wrong(&["--level", "11"]).contains("expected beginner1 to beginner3, or 1 to 10"));
    assert!(wrong(&["--time", "fast"]).contains("expected"));
    assert!(wrong(&["--player", "unknown"]).contains("expected a player"));
    assert!(wrong(&["--lang", "fr"]).contains("expected en, zh-Hant, zh-Hans"));
    assert!(wrong(&["--from", "nothing.games"]).contains("neither a file of records nor a position text"));
    assert!(
        wrong(&["--from", "----/----/R---/pG-- b - 0 41 platform,board=4x4"])
            .contains("the game is over there")
    );
    assert!(
        wrong(&["--profile", "/no/such/folder/me"]).contains("--profile: cannot write /no/such/folder/me")
    );
}

/// No input ends a game: neither invalid text, nor overlong lines, nor the end of the input.
#[test]
fn any_bytes_are_survived() {
    let home = folder("play-bytes");
    let mut typed = b"b3\n\xff\xfe\x00\x1b[2J\n".to_vec();
    typed.extend(std::iter::repeat_n(b'x', 1 << 17));
    typed.extend(b"\n\xe5\xb8\nsave now.games\n\xe2\x82");
    let output = bytes(&home, &["--seed", "5", "--level", "1"], &typed);
    let text = String::from_utf8(output.stdout).expect("what it prints is text");
    assert!(
        output.status.success() && text.contains("Saved.") && text.contains("The game is kept."),
        "{text}"
    );
    assert!(!text.contains('\x1b') && !text.contains('\0'), "what was typed is not obeyed when it is told");
    assert_eq!(kept(&home)[0].plies.len(), 2);
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A game killed at any moment has every reported ply, and can be resumed.
#[cfg(unix)]
#[test]
fn a_game_survives_kills() {
    let home = folder("play-kills");
    let squares: Vec<String> = (0..32).map(|n| format!("{}{}", (b'a' + n % 4) as char, n / 4 + 1)).collect();
    let mut told = 0;
    for round in 0..12u64 {
        let args: &[&str] =
            if round == 0 { &["--seed", "5", "--level", "1"] } else { &["--continue", "--seed", "6"] };
        let mut child = start(&home, args);
        let mut input = child.stdin.take().expect("a pipe");
        let squares = squares.clone();
        let typing = std::thread::spawn(move || {
            // Until the program is gone.
            squares.iter().try_for_each(|square| writeln!(input, "{square}").and_then(|()| input.flush()))
        });
        let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
        let mut heard = 0;
        while heard < 1 + round % 3 {
            let line = lines.next().expect("it goes on").expect("text");
            heard += u64::from(line.contains("You flip ") || line.starts_with("The engine "));
        }
        child.kill().expect("it runs");
        child.wait().expect("it ends");
        // Reported plies that were not read yet count, too.
        let rest = lines
            .map_while(Result::ok)
            .filter(|line| line.contains("You flip ") || line.starts_with("The engine "));
        told += heard as usize + rest.count();
        let _ = typing.join();
        let games = kept(&home);
        assert_eq!(games.len(), 1, "one game");
        let plies = games[0].plies.len();
        assert!(
            plies == told || plies == told + 1,
            "round {round}: {told} plies were told of, {plies} are kept"
        );
        // One ply may be stored and not reported.
        told = plies;
        if games[0].ending.is_some() || plies >= 24 {
            break;
        }
    }
    assert!(told > 8, "{told}");
    let text = play_at(&home, &["--continue"], &["back", "forward", "quit", "y"]);
    assert!(text.contains(&format!("The game goes on after move {told}.")), "{text}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// Ctrl-C says how to resume, and another terminal does not take over a game in progress.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_kept_and_a_running_one_is_left_alone() {
    let home = folder("play-interrupt");
    let mut child = start(&home, &["--seed", "5", "--level", "1"]);
    let mut input = child.stdin.take().expect("a pipe");
    writeln!(input, "b3").expect("it listens");
    let mut lines = BufReader::new(child.stdout.take().expect("a pipe")).lines().map_while(Result::ok);
    lines.find(|line| line.starts_with("The engine ")).expect("an answer");
    let other = bytes(&home, &["--continue"], b"quit\ny\n");
    assert_eq!(other.status.code(), Some(2));
    assert!(
        String::from_utf8_lossy(&other.stderr).contains("expected a game that was not finished, found none")
    );
    let pid = rustix::process::Pid::from_child(&child);
    rustix::process::kill_process(pid, rustix::process::Signal::INT).expect("it runs");
    let output = child.wait_with_output().expect("it ends");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(said.contains("The game is kept. Go on with: anglerfish play --continue"), "{said}");
    let text = play_at(&home, &["--continue", "--lang", "zh-Hant"], &["離開", "是"]);
    assert!(text.contains("接著下，已經走了 2 步。"), "{text}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A damaged file is named, with a remedy; once it is out of the way, the game before it is resumed.
#[test]
fn a_damaged_game_is_named() {
    let home = folder("play-damaged");
    play_at(&home, &["--seed", "5", "--level", "1"], &["b3", "quit", "y"]);
    play_at(&home, &["--seed", "6", "--level", "1"], &["b3", "quit", "y"]);
    let last = home.join("anglerfish/games/00002.games");
    let text = std::fs::read(&last).expect("it is kept");
    for damaged in [&b""[..], b"\xff\xfe\x00", &text[..text.len() / 2], b"[Game \"banqi\"]\n"] {
        std::fs::write(&last, damaged).expect("it can be written");
        let output = bytes(&home, &["--continue"], b"quit\ny\n");
        assert_eq!(output.status.code(), Some(2), "{damaged:?}");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains("00002.games is damaged. Move it elsewhere"), "{said}");
    }
    std::fs::remove_file(&last).expect("it is there");
    let text = play_at(&home, &["--continue"], &["quit", "y"]);
    assert!(text.contains("The game goes on after move 2."), "{text}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A resumed game has the same players, seats, rules and clocks.
#[test]
fn a_game_goes_on_as_it_was() {
    let home = folder("play-continue");
    let args = [
        "--seed",
        "5",
        "--level",
        "2",
        "--first",
        "engine",
        "--time",
        "600",
        "--rules",
        "olympiad,board=4x4",
    ];
    play_at(&home, &args, &["b2", "quit", "y"]);
    let before = kept(&home).remove(0);
    let text = play_at(&home, &["--continue"], &["undo", "resign", "y"]);
    for part in ["engine, level 2 of 10: ", " left", "a draw after 180 moves", "Taken back."] {
        assert!(text.contains(part), "{part:?} in\n{text}");
    }
    let after = kept(&home).remove(0);
    assert_eq!((&after.start, &after.tags), (&before.start, &before.tags));
    assert_eq!(after.plies[..], before.plies[..after.plies.len()]);
    let output = bytes(&home, &["--continue"], b"");
    assert_eq!(output.status.code(), Some(2), "nothing is left to go on with");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A game can begin anywhere: at a position, or in a recorded game, with its plies.
#[test]
fn a_game_begins_where_it_is_asked_to() {
    let home = folder("play-from");
    let position = "----/-Rp-/----/---k r - 0 40 platform,board=4x4";
    let text = play_at(&home, &["--from", position, "--level", "1"], &["b3xc3", "quit", "y"]);
    assert!(text.contains("You play b3-c3, the rook takes the pawn."), "{text}");
    let games = format!("{ROOT}/examples/first.games");
    let text = play_at(
        &home,
        &["--from", &games, "--game", "2", "--ply", "10", "--level", "1"],
        &["back", "resign", "y"],
    );
    assert!(
        text.contains("The game goes on after move 10.") && text.contains("after move 9 of 10"),
        "{text}"
    );
    let text = play_at(
        &home,
        &["--from", &games, "--game", "2", "--first", "engine", "--level", "1"],
        &["resign", "y"],
    );
    assert!(text.contains("The engine "), "{text}");
    assert_eq!(kept(&home).len(), 3);
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A learner is warned before losing the king, may choose again, and may insist.
#[test]
fn blunders_are_warned_of() {
    let home = folder("play-teach");
    let position = "-R--/----/--p-/gK-r r - 0 40 platform,board=4x4";
    let args = ["--from", position, "--level", "1", "--teach"];
    let warned = "After b1-b2 the black pawn 卒 on c2 takes the red king 帥 on b2. That costs about ";
    let text = play_at(&home, &args, &["b1-b2", "n", "b1-a1", "resign", "y"]);
    assert!(text.contains(warned) && text.contains("You play b1-a1"), "{text}");
    assert!(!text.contains("You play b1-b2") && text.matches("Careful").count() == 1, "{text}");
    let text = play_at(&home, &args, &["b1-b2", "y"]);
    assert!(text.contains(warned) && text.contains("You play b1-b2"), "{text}");
    let text = play_at(&home, &args[..4], &["b1-b2"]);
    assert!(!text.contains("Careful"), "it was not requested: {text}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A warning, a hint and the reasons at one position are of one analysis, whichever was asked for first.
#[test]
fn teacher_hint_and_why_agree() {
    let home = folder("play-agree");
    let position = "-R--/----/--p-/gK-r r - 0 40 platform,board=4x4";
    let args = ["--from", position, "--level", "1", "--teach"];
    let value = |line: &str| -> f64 {
        let (_, rest) = line.split_once(['(']).expect("a value");
        rest.split_once(':').expect("shares").0.parse().expect("a number")
    };
    for lines in [["b1-b2", "n", "hint", "why b1-b2"], ["hint", "why b1-b2", "b1-b2", "n"]] {
        let text = play_at(&home, &args, &lines);
        let after = |mark: &str| text.split_once(mark).unwrap_or_else(|| panic!("{mark}: {text}")).1;
        let word = |mark: &str| after(mark).split(',').next().expect("a word").to_owned();
        assert_eq!(word("Better: "), word("Hint: "), "{text}");
        assert_eq!(word("your move> 1. "), word("Hint: "), "{text}");
        let warned: f64 =
            after("costs about ").split(' ').next().and_then(|word| word.parse().ok()).expect("a cost");
        let why: Vec<f64> = text
            .lines()
            .filter(|line| line.contains(": won ") && !line.contains("Hint"))
            .map(value)
            .collect();
        // Two values of two digits each.
        assert!((why[0] - why[1] - warned).abs() < 0.011, "{text}");
    }
    std::fs::remove_dir_all(home).expect("cleaned up");
}

#[test]
fn what_was_learned_is_kept_between_games() {
    let path = place("profile");
    let name = path.to_str().expect("UTF-8");
    for games in 1..=2 {
        let said = play(&["--seed", "5", "--level", "1", "--profile", name], &["b3", "me", "quit", "y"]);
        assert!(said.contains("has not seen enough of you"), "{said}");
        assert!(said.contains(&format!("seen: {games}; games: {games}")) && said.contains(" %  █"), "{said}");
        let text = std::fs::read_to_string(&path).expect("a profile");
        let expected = format!("anglerfish-profile 1\ngame banqi\ngames {games}\nplies {games}\n");
        assert!(text.starts_with(&expected), "{text}");
    }
    std::fs::remove_file(path).expect("our own file");
    assert!(play(&["--seed", "5"], &["me", "quit", "y"]).contains("does not study you"));
}

/// A model with a style and a strength reports them in a line, and its knowledge is kept in its own form.
#[test]
fn a_person_is_told_the_likeliest_style() {
    let path = place("like");
    let name = path.to_str().expect("UTF-8");
    let player = "alphabeta,hash=1,nodes=200,opponent=adapt,candidates=field";
    let args = ["--seed", "5", "--player", player, "--profile", name, "--ascii"];
    let said = play(&args, &["me", "b3", "me", "resign", "y"]);
    let told = said.matches("What the engine makes of you: about ").count();
    assert_eq!(told, 2, "when asked, once there is a move, and at the end:\n{said}");
    assert!(said.contains(" Elo weaker +- ") && said.is_ascii(), "{said}");
    let text = std::fs::read_to_string(&path).expect("a profile");
    assert!(text.contains("\nstyle ab-200 ") && text.contains("\nplies 1\n"), "{text}");
    std::fs::remove_file(path).expect("our own file");
}

/// Every style is described in words, with the other beliefs and their effect on the play.
#[test]
fn a_person_is_told_what_every_style_does() {
    let path = place("style");
    for style in Banqi::styles() {
        std::fs::write(&path, certain::<Banqi>(style.name()).to_string()).expect("a file");
        let name = path.to_str().expect("UTF-8");
        let said = play(
            &["--seed", "5", "--level", "1", "--first", "engine", "--profile", name],
            &["me", "quit", "y"],
        );
        let told = format!("The engine takes you for a player who {} (100 % sure).", style.phrase());
        assert!(said.contains(&told), "{told:?} in\n{said}");
        let rows = said.lines().filter(|line| line.contains(" %  ")).count();
        assert_eq!(rows, Banqi::styles().len(), "every style in\n{said}");
        let changes = said.contains("is what you usually do") && said.contains("At its last move");
        assert_eq!(changes, style.name() != "strong", "{said}");
    }
    std::fs::remove_file(path).expect("our own file");
}
