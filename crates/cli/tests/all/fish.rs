//! Shared by the tests of the program: the program itself, folders, and commands that have to succeed or fail.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::Duration;

use serde_json::Value;

/// The program, which cargo builds with the tests.
pub(crate) const FISH: &str = env!("CARGO_BIN_EXE_anglerfish");

/// The folder of the project.
pub(crate) const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The path of a test's own folder, which does not exist yet.
pub(crate) fn place(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("anglerfish-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// An empty folder of the test's own.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = place(name);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// An empty folder with a manifest.
#[cfg(feature = "store")]
pub(crate) fn folder_with(name: &str, manifest: &str) -> PathBuf {
    let folder = folder(name);
    std::fs::write(folder.join("manifest.toml"), manifest).expect("a manifest");
    folder
}

/// Runs the program in a folder.
pub(crate) fn fish(folder: impl AsRef<Path>, words: &[&str]) -> Output {
    Command::new(FISH).current_dir(folder).args(words).output().expect("it starts")
}

/// The output of a command that has to succeed.
pub(crate) fn right(folder: impl AsRef<Path>, words: &[&str]) -> String {
    let output = fish(folder, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// The same as JSON.
pub(crate) fn told(folder: impl AsRef<Path>, words: &[&str]) -> Value {
    let text = right(folder, &[words, &["--json"]].concat());
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{words:?}: {e}: {text}"))
}

/// The error of a command that has to fail.
pub(crate) fn wrong(folder: impl AsRef<Path>, words: &[&str]) -> String {
    let output = fish(folder, words);
    assert_eq!(output.status.code(), Some(2), "{words:?}");
    String::from_utf8(output.stderr).expect("text")
}

/// The output of a command that has to succeed.
pub(crate) fn ends(mut command: Command) -> Output {
    let output = command.output().expect("it starts");
    assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    output
}

/// Kills programs as soon as an event has happened, and returns their output. A success means that the
/// program ended before its kill.
pub(crate) fn killed<const N: usize>(mut children: [Child; N], happened: impl Fn() -> bool) -> [Output; N] {
    while !happened() && children.iter_mut().any(|child| child.try_wait().expect("it runs").is_none()) {
        std::thread::sleep(Duration::from_micros(100));
    }
    children.map(|mut child| {
        let failed = child.try_wait().expect("it runs").is_some_and(|status| !status.success());
        child.kill().expect("kill -9");
        let output = child.wait_with_output().expect("it is gone");
        assert!(!failed, "it failed by itself: {}", String::from_utf8_lossy(&output.stderr));
        output
    })
}

/// The same as JSON.
#[cfg(feature = "store")]
pub(crate) fn object(command: Command) -> Value {
    serde_json::from_slice(&ends(command).stdout).expect("one JSON object")
}
