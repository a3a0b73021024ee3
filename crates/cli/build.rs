//! Records the build in `env!("ANGLERFISH_COMMIT")`, `ANGLERFISH_COMPILER` and `ANGLERFISH_TARGET`. With the
//! feature `embed-web` it also lists the built pages, for `anglerfish web`.
//!
//! It never fails a build: an unknown commit is `unknown`, and without built pages the list is empty.

#![allow(clippy::print_stdout, reason = "this is how a build script speaks to cargo")]

use std::path::Path;
use std::process::Command;

/// The sources of the program, relative to the root. If they differ from the commit, `-dirty` is added.
const SOURCES: [&str; 4] = ["Cargo.toml", "Cargo.lock", ".cargo", "crates"];

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    write_pages(Path::new("../../web/dist"))?;
    // A published package names its own commit; it may lie in another repository.
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
    Ok(())
}

/// Writes `PAGES`, the files of `web/dist` by name; empty without the feature `embed-web`.
fn write_pages(root: &Path) -> std::io::Result<()> {
    let mut files = Vec::new();
    if std::env::var_os("CARGO_FEATURE_EMBED_WEB").is_some() {
        println!("cargo::rerun-if-changed={}", root.display());
        let mut folders = vec![root.to_owned()];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
                let path = entry.path();
                if path.is_dir() { folders.push(path) } else { files.push(std::path::absolute(path)?) }
            }
        }
        if files.is_empty() {
            println!(
                "cargo::warning=no built pages in web/dist: `anglerfish web` will have none (cargo xtask web)"
            );
        }
    }
    files.sort();
    let root = std::path::absolute(root)?;
    let name = |file: &Path| {
        let inside = file.strip_prefix(&root).unwrap_or(file);
        inside.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/")
    };
    // In debug format: a path with a backslash is no valid plain string.
    let quoted = |file: &Path| format!("{:?}", file.to_string_lossy());
    let lines =
        files.iter().map(|file| format!("    ({:?}, include_bytes!({})),\n", name(file), quoted(file)));
    let table = format!(
        "/// The built pages.\nstatic PAGES: &[(&str, &[u8])] = &[\n{}];\n",
        lines.collect::<String>()
    );
    let out = std::env::var_os("OUT_DIR").unwrap_or_default();
    std::fs::write(Path::new(&out).join("pages.rs"), table)
}

/// The commit in the file that `cargo package` adds: `{ "git": { "sha1": "…", "dirty": true }, … }`.
fn packaged(info: &str) -> Option<String> {
    let hash = info.split("\"sha1\": \"").nth(1)?.split('"').next()?.get(..12)?;
    let dirty = if info.contains("\"dirty\": true") { "-dirty" } else { "" };
    Some(format!("{hash}{dirty}"))
}

/// The commit of our own repository, if the build is inside it.
fn checked_out(root: &Path) -> Option<String> {
    if !root.join(".git").exists() {
        return None;
    }
    let git = |args: &[&str]| said(Command::new("git").arg("-C").arg(root).args(args));
    // Every commit and checkout adds a line to the log of HEAD; every edit is somewhere in the sources.
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

/// The output of a command, if it succeeds.
fn said(command: &mut Command) -> Option<String> {
    let output = command.output().ok().filter(|output| output.status.success())?;
    Some(String::from_utf8(output.stdout).ok()?.trim().to_owned())
}
