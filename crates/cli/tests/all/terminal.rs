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

/// A program whose name, move and last message have escape sequences: live, in the result, and in all
/// commands that read the record.
#[test]
fn strangers_do_not_steer_the_terminal() {
    let mock = Path::new(FISH).with_file_name("examples").join("mock_engine");
    let folder = folder("terminal-escapes");
    let name = format!("name=evil{OBEYED}");
    let cmd = format!("cmd={}", mock.display());
    let program = ["--engine", &name, &cmd, "arg=escape", "proto=dctp", "nodes=1", "answer=300", "stall=300"];
    let random = ["--engine", "player=random", "nodes=1"];
    let all = [&["match", "--rounds", "3", "--out", "out"], &program[..], &random[..]].concat();
    let live = harmless(&folder, &all);
    assert!(live.contains(&format!("game 1.1: evil{SHOWN} loses by protocol: answered ")), "{live}");
    assert!(live.contains(&format!("its standard error: {SHOWN}")), "{live}");
    assert!(live.contains(&format!("evil{SHOWN} (nodes=1) against random")), "{live}");

    let games = "out/match.games";
    let kept = std::fs::read_to_string(folder.join(games)).expect("the games");
    assert!(kept.contains(&format!("[First \"evil{OBEYED}\"]")), "a record stays as it is: {kept}");
    let replayed = harmless(&folder, &["replay", games]);
    assert!(replayed.contains(&format!("First: evil{SHOWN}")), "{replayed}");
    harmless(&folder, &["review", games, "--judge", "nodes=1"]);
    harmless(&folder, &["review", games, "--all", "--judge", "nodes=1"]);
    harmless(&folder, &["luck", games, "--judge", "nodes=1"]);
    let event = [&["tournament", "--format", "round-robin"], &program[..], &random[..]].concat();
    assert!(harmless(&folder, &event).contains("evil"));
    // Programs that cannot play, invalid records, and invalid positions.
    let mute = ["match", "--engine", &name, &cmd, "arg=dead", "proto=dctp", random[0], random[1], random[2]];
    assert!(harmless(&folder, &mute).contains(&format!("evil{SHOWN} cannot play")));
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
