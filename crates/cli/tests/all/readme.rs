//! The commands of README.md and docs/guide.md run, and print what the pages show. `UPDATE_GOLDEN=1` updates the pages.
//!
//! A test of `args.rs`, where the parser is, checks that the program accepts all of these commands.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::commands::{PAGES, ROOT, commands, pages, text, words};

/// A new folder with the examples in it, because some commands write.
fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    for examples in ["examples", "examples/selfplay"] {
        std::fs::create_dir_all(folder.join(examples)).expect("a folder");
        for entry in std::fs::read_dir(format!("{ROOT}/{examples}")).expect("the examples").flatten() {
            if entry.path().is_file() {
                std::fs::copy(entry.path(), folder.join(examples).join(entry.file_name())).expect("a copy");
            }
        }
    }
    folder
}

/// The output of a command. Its standard input is empty, so games and protocols end at once.
fn said(command: &str, folder: &Path) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_anglerfish"));
    // The user's games are in a folder of the test.
    program.env("XDG_DATA_HOME", folder.join("home"));
    let output = program.args(words(command)).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Commands that take hours or never end, that have their own stage of continuous integration, or that need a program of the reader.
fn is_left_out(command: &str) -> bool {
    let unbuilt = !cfg!(feature = "store")
        && ["anglerfish selfplay", "anglerfish store"].iter().any(|word| command.starts_with(word));
    unbuilt || ["lab run", "./mine", "anglerfish web"].iter().any(|part| command.contains(part))
}

/// Runs the commands, with this many games of self-play.
fn commands_run(games: u64) {
    let pages = pages();
    // Commands whose output is shown have their own test.
    let shown: Vec<String> = examples(&pages).map(|(command, _)| command.to_owned()).collect();
    let run: Vec<String> =
        commands(&pages).into_iter().filter(|c| !shown.contains(c) && !is_left_out(c)).collect();
    assert!(run.len() > 8, "{run:?}");
    let folder = folder(&format!("readme-run-{games}"));
    let manifest = folder.join("examples/selfplay/first-flips.toml");
    let text = std::fs::read_to_string(&manifest).expect("a manifest");
    assert!(text.contains("games = 1000\n"), "{text}");
    std::fs::write(manifest, text.replace("games = 1000", &format!("games = {games}"))).expect("a manifest");
    for command in run {
        said(&command, &folder);
    }
}

#[test]
fn its_commands_run() {
    commands_run(100);
}

#[test]
#[ignore = "full: a thousand games of self-play"]
fn its_commands_run_as_they_are() {
    commands_run(1000);
}

/// Every command whose output a page shows, with that output.
fn examples(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = page.split("```\n").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("$ ")?.split_once('\n'))
}

/// The part of an output that a page shows: all of it, or from the line that begins like the first line after `…`. Times differ between
/// runs and are left out.
fn excerpt(output: &str, shown: &str) -> String {
    let begin = shown.strip_prefix("…\n").and_then(|rest| rest.split(' ').next());
    let lines = output.lines().skip_while(|line| begin.is_some_and(|word| !line.starts_with(word)));
    let timeless = |line: &str| match line.split_once(" nodes in ") {
        Some((nodes, _)) => format!("{nodes} nodes in …\n"),
        None => format!("{line}\n"),
    };
    let head = if begin.is_some() { "…\n" } else { "" };
    head.to_owned() + &lines.map(timeless).collect::<String>()
}

#[test]
fn what_it_shows_comes_out() {
    let folder = folder("readme-shown");
    for page in PAGES {
        let old = text(page);
        let mut new = old.clone();
        for (command, shown) in examples(&old) {
            let found = excerpt(&said(command, &folder), shown);
            if std::env::var_os("UPDATE_GOLDEN").is_none() {
                assert_eq!(found, shown, "{command}: {page} is stale, UPDATE_GOLDEN=1 updates it");
            }
            new = new.replace(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{found}"));
        }
        if new != old {
            std::fs::write(format!("{ROOT}/{page}"), &new).expect(page);
        }
    }
}
