//! What reaches the terminal of a user, and a standard error that takes nothing.

use std::fs::File;
use std::process::Command;

use crate::fish::{FISH, ROOT};

/// The same words with standard error heard, and with standard error on a full disk: both end well with the same result.
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
