//! Output to a user's terminal, and a standard error that cannot be written.

use std::fs::File;
use std::path::Path;
use std::process::Command;

use crate::fish::{FISH, ROOT, fish, folder};

/// Sequences that control a terminal: a title, and a color by a control character of the upper half.
const OBEYED: &str = "\u{1b}]0;x\u{7}\u{9b}31m";

/// The form in which people see them.
const SHOWN: &str = "\\u{1b}]0;x\\u{7}\\u{9b}31m";

/// The output of both standard streams for people, free of control sequences.
fn harmless(folder: &Path, words: &[&str]) -> String {
    let output = fish(folder, words);
    let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
    assert!(!text.contains(|c: char| c.is_control() && c != '\n' && c != '\t'), "{words:?}: {text:?}");
    text
}

/// A program whose move and last message have escape sequences, and a record whose names have: live, in the result, and in all
/// commands that read the record. A name of `--engine` has none.
#[test]
fn strangers_do_not_steer_the_terminal() {
    let mock = Path::new(FISH).with_file_name("examples").join("mock_engine");
    let folder = folder("terminal-escapes");
    let named = format!("name=evil{OBEYED}");
    let refused =
        harmless(&folder, &["match", "--engine", "player=random", &named, "--engine", "player=random"]);
    assert!(refused.contains(&format!("control characters, found \"evil{SHOWN}\"")), "{refused}");
    let name = "name=evil";
    let cmd = format!("cmd={}", mock.display());
    let program = ["--engine", name, &cmd, "arg=escape", "proto=dctp", "nodes=1", "answer=300", "stall=300"];
    let random = ["--engine", "player=random", "nodes=1"];
    let all = [&["match", "--rounds", "3", "--out", "out"], &program[..], &random[..]].concat();
    let live = harmless(&folder, &all);
    assert!(live.contains("game 1.1: evil loses by protocol: answered "), "{live}");
    assert!(live.contains(&format!("its standard error: {SHOWN}")), "{live}");
    assert!(live.contains("evil (nodes=1) against random"), "{live}");

    let games = "out/match.games";
    let kept = std::fs::read_to_string(folder.join(games)).expect("the games");
    let kept = kept.replace("\"evil\"", &format!("\"evil{OBEYED}\""));
    assert!(kept.contains(&format!("[First \"evil{OBEYED}\"]")), "{kept}");
    std::fs::write(folder.join(games), &kept).expect("a file");
    let replayed = harmless(&folder, &["replay", games]);
    assert!(replayed.contains(&format!("First: evil{SHOWN}")), "{replayed}");
    harmless(&folder, &["review", games, "--judge", "nodes=1"]);
    harmless(&folder, &["review", games, "--all", "--judge", "nodes=1"]);
    harmless(&folder, &["luck", games, "--judge", "nodes=1"]);
    let event = [&["tournament", "--format", "round-robin"], &program[..], &random[..]].concat();
    assert!(harmless(&folder, &event).contains("evil"));
    // Programs that cannot play, invalid records, and invalid positions.
    let mute = ["match", "--engine", name, &cmd, "arg=dead", "proto=dctp", random[0], random[1], random[2]];
    assert!(harmless(&folder, &mute).contains("evil cannot play"));
    harmless(&folder, &["show", OBEYED]);
    let damaged = kept.replacen("[Game ", &format!("[Game{OBEYED} "), 1);
    std::fs::write(folder.join("damaged.games"), damaged).expect("a file");
    harmless(&folder, &["replay", "damaged.games"]);
    harmless(&folder, &["show", "--plies", "b3(c) b3-b4", "--color", "always"]);

    // Output for machines is unchanged.
    let convert = fish(&folder, &["replay", "--convert", games]);
    assert!(String::from_utf8_lossy(&convert.stdout).contains(&format!("[First \"evil{OBEYED}\"]")));
    let json: serde_json::Value =
        serde_json::from_slice(&fish(&folder, &["replay", "--json", "--game", "1", games]).stdout)
            .expect("JSON");
    assert_eq!(json["tags"]["First"], format!("evil{OBEYED}"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// On a terminal a text that is longer than the screen goes through `$PAGER`; a shorter one does not, nor does any where
/// there is no terminal, an empty `$PAGER`, or one that does not start.
#[test]
fn long_rules_go_through_a_pager() {
    let folder = folder("terminal-pager");
    let shown = folder.join("shown");
    let terminal = |rows: u32, pager: &str, words: &str| {
        let _ = std::fs::remove_file(&shown);
        let line = format!("stty rows {rows} cols 80; {FISH} rules {words} --lang en");
        let mut command = Command::new("script");
        command
            .args(["-qec", &line, "/dev/null"])
            .current_dir(&folder)
            .env("PAGER", pager)
            .env("SHELL", "/bin/sh");
        let output = command.stdin(std::process::Stdio::null()).output().expect("script starts");
        assert!(output.status.success(), "{output:?}");
        let direct = String::from_utf8_lossy(&output.stdout).contains("King and pawn");
        (direct, std::fs::read_to_string(&shown).unwrap_or_default())
    };
    let pager = "dd of=shown status=none";
    let (direct, paged) = terminal(24, pager, "king");
    assert!(!direct && paged.contains("King and pawn") && paged.contains("┌"), "{paged}");
    assert_eq!(terminal(200, pager, "king"), (true, String::new()), "it fits");
    for none in ["", "/no/such/pager"] {
        assert_eq!(terminal(24, none, "king"), (true, String::new()), "{none:?}");
    }
    let mut command = Command::new(FISH);
    command
        .args(["rules", "king", "--lang", "en"])
        .current_dir(&folder)
        .env("PAGER", pager)
        .env("LINES", "5");
    let output = command.output().expect("it starts");
    assert!(String::from_utf8_lossy(&output.stdout).contains("King and pawn") && !shown.exists());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// The same command with a working standard error and with one on a full disk: both succeed with the same result.
fn says_the_same_to_a_full_disk(words: &[&str]) {
    let run = |full: bool| {
        let mut command = Command::new(FISH);
        command.current_dir(ROOT).args(words);
        if full {
            command.stderr(File::options().write(true).open("/dev/full").expect("Linux has it"));
        }
        command.output().expect("it starts")
    };
    let (heard, full) = (run(false), run(true));
    assert!(!heard.stderr.is_empty(), "{words:?} say something");
    assert!(heard.status.success() && full.status.success(), "{words:?}: {full:?}");
    assert!(!heard.stdout.is_empty() && heard.stdout == full.stdout, "{words:?}");
}

#[test]
fn a_match_needs_no_standard_error() {
    let players = ["--engine", "player=greedy", "--engine", "player=random"];
    says_the_same_to_a_full_disk(&[&["match", "--rounds", "20"], &players[..]].concat());
    says_the_same_to_a_full_disk(&[&["tournament", "--format", "round-robin"], &players[..]].concat());
}

#[cfg(feature = "store")]
#[test]
fn self_play_needs_no_standard_error() {
    let manifest = "pairing = \"round-robin\"\ngames = 8\nunit = 2\nrules = \"platform,board=4x4\"\n[each]\nnodes = 20\n\
        [[engine]]\nplayer = \"greedy\"\n[[engine]]\nplayer = \"random\"\n";
    let folder = crate::fish::folder_with("terminal-selfplay", manifest);
    let run = |store: &str, full: bool| {
        let mut command = Command::new(FISH);
        command.current_dir(&folder).args(["selfplay", "manifest.toml", "--threads", "1", "--store", store]);
        if full {
            command.stderr(File::options().write(true).open("/dev/full").expect("Linux has it"));
        }
        command.output().expect("it starts")
    };
    let (heard, full) = (run("heard", false), run("full", true));
    assert!(
        !heard.stderr.is_empty() && heard.status.success() && full.status.success(),
        "{heard:?} {full:?}"
    );
    let games = |store| crate::fish::right(&folder, &["store", "export", store]);
    assert_eq!(games("heard"), games("full"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
