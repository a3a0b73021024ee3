//! Tells the program what it was built from: `env!("ANGLERFISH_COMMIT")`, `ANGLERFISH_COMPILER` and `ANGLERFISH_TARGET`.
//!
//! It must never fail a build: where nobody knows the commit, it is `unknown`.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::path::Path;
use std::process::Command;

/// What the program is made of, as seen from the root. Where it differs from the commit, the commit says `-dirty`.
const SOURCES: [&str; 4] = ["Cargo.toml", "Cargo.lock", ".cargo", "crates"];

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    // A published package says where it comes from; it may lie in somebody else's repository.
    let commit = match std::fs::read_to_string(".cargo_vcs_info.json") {
        Ok(info) => packaged(&info),
        Err(_) => checked_out(Path::new("../..")),
    };
    let rustc = std::env::var_os("RUSTC").unwrap_or("rustc".into());
    let compiler = said(Command::new(rustc).arg("--version"));
    let target = std::env::var_os("TARGET").and_then(|target| target.into_string().ok());
    for (name, value) in [("COMMIT", commit), ("COMPILER", compiler), ("TARGET", target)] {
        println!("cargo::rustc-env=ANGLERFISH_{name}={}", value.as_deref().unwrap_or("unknown"));
    }
}

/// The commit in the file that `cargo package` adds: `{ "git": { "sha1": "…", "dirty": true }, … }`.
fn packaged(info: &str) -> Option<String> {
    let hash = info.split("\"sha1\": \"").nth(1)?.split('"').next()?.get(..12)?;
    let dirty = if info.contains("\"dirty\": true") { "-dirty" } else { "" };
    Some(format!("{hash}{dirty}"))
}

/// The commit of our own repository, if we are in it.
fn checked_out(root: &Path) -> Option<String> {
    if !root.join(".git").exists() {
        return None;
    }
    let git = |args: &[&str]| said(Command::new("git").arg("-C").arg(root).args(args));
    // Every commit and every checkout adds a line to the log of HEAD; every edit is somewhere in the sources.
    let log = git(&["rev-parse", "--git-path", "logs/HEAD"])?;
    for path in SOURCES.into_iter().chain([log.as_str()]) {
        if root.join(path).exists() {
            println!("cargo::rerun-if-changed={}", root.join(path).display());
        }
    }
    let hash = git(&["rev-parse", "--short=12", "HEAD"])?;
    let status: Vec<&str> = ["status", "--porcelain", "--"].into_iter().chain(SOURCES).collect();
    let dirty = if git(&status)?.is_empty() { "" } else { "-dirty" };
    Some(format!("{hash}{dirty}"))
}

/// What a command prints, if it runs.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
