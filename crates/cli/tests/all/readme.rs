//! What README.md says one can type is typed here, and what it says comes out does. `UPDATE_GOLDEN=1` writes anew what comes out.
//!
//! That all of its commands are accepted is a test of `args.rs`, where the parser is.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::commands::{ROOT, commands, page, words};

/// A new folder with the examples in it: some commands write.
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

/// What a command prints. Whoever asks hears nothing more: games and protocols end there.
fn said(command: &str, folder: &Path) -> String {
    let mut program = Command::new(env!("CARGO_BIN_EXE_anglerfish"));
    // Games are kept where the user's are.
    program.env("XDG_DATA_HOME", folder.join("home"));
    let output = program.args(words(command)).current_dir(folder).stdin(Stdio::null()).output();
    let output = output.expect("it starts");
    assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// Those that take hours or never end, that have a stage of continuous integration to themselves, or that need a program of the reader's.
fn is_left_out(command: &str) -> bool {
    let unbuilt = !cfg!(feature = "store")
        && ["anglerfish selfplay", "anglerfish store"].iter().any(|word| command.starts_with(word));
    unbuilt || ["lab run", "./mine", "anglerfish web"].iter().any(|part| command.contains(part))
}

/// Runs them, with so many games of self-play.
fn commands_run(games: u64) {
    let page = page();
    // Those that show what they print have a test to themselves.
    let shown: Vec<String> = examples(&page).map(|(command, _)| command.to_owned()).collect();
    let run: Vec<String> =
        commands(&page).into_iter().filter(|c| !shown.contains(c) && !is_left_out(c)).collect();
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

/// Commands that show what they print, each with that.
fn examples(page: &str) -> impl Iterator<Item = (&str, &str)> {
    let blocks = page.split("```\n").skip(1).step_by(2);
    blocks.filter_map(|block| block.strip_prefix("$ ")?.split_once('\n'))
}

/// What a page shows of an output: from the line that begins as the first line after `…` does, or all of it. Times are different
/// every time and are left out.
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
    let (old, folder) = (page(), folder("readme-shown"));
    let mut new = old.clone();
    for (command, shown) in examples(&old) {
        let found = excerpt(&said(command, &folder), shown);
        if std::env::var_os("UPDATE_GOLDEN").is_none() {
            assert_eq!(found, shown, "{command}: README.md is stale, UPDATE_GOLDEN=1 writes it anew");
        }
        new = new.replace(&format!("$ {command}\n{shown}"), &format!("$ {command}\n{found}"));
    }
    if new != old {
        std::fs::write(format!("{ROOT}/README.md"), &new).expect("README.md");
    }
}
