//! Checks that the compiler cannot make: dependencies between crates, lengths of files, and texts that must agree.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, bail};

/// The rooms in the order of docs/architecture.md: a crate may use any crate above it, never one beside or below.
const ROOMS: &[&[&str]] = &[
    &["anglerfish-rules"],
    &["anglerfish-engine"],
    &["anglerfish-arena", "anglerfish-opponents"],
    &["anglerfish-report"],
    &["anglerfish-board", "anglerfish-store"],
    &["anglerfish-siguo", "anglerfish-wasm"],
    &["anglerfish-lab"],
    &["anglerfish"],
    &["xtask"],
];

/// The external dependencies that each published room may use, with `?` only for a feature; `cli` and `xtask` are free.
const OUTSIDE: &[(&str, &[&str])] = &[
    ("anglerfish-rules", &["arrayvec", "rand_core", "rand_xoshiro", "serde?"]),
    ("anglerfish-engine", &["arrayvec"]),
    ("anglerfish-opponents", &["arrayvec"]),
    ("anglerfish-arena", &["process-wrap", "rustix", "serde", "serde_json", "sha2", "thiserror"]),
    ("anglerfish-report", &["askama", "serde", "serde_json", "ts-rs"]),
    ("anglerfish-board", &["serde", "serde_json"]),
    (
        "anglerfish-store",
        &[
            "arrow-array",
            "arrow-ipc",
            "arrow-schema",
            "arrow-select",
            "bytes",
            "datafusion",
            "futures-util",
            "object_store",
            "parquet",
            "serde",
            "serde_json",
            "sha2",
            "thiserror",
            "tokio",
        ],
    ),
    ("anglerfish-siguo", &[]),
    ("anglerfish-lab", &["serde", "serde_json"]),
    ("anglerfish-wasm", &[]),
];

/// Crates for files and programs, which the engine of a page must not need.
const NOT_IN_PAGES: &[&str] = &["askama", "process-wrap", "sha2"];

/// Source files that may be longer than [`LONGEST`], each with the reason.
const LONG: &[(&str, &str)] = &[];
const LONGEST: usize = 800;

/// Folders whose code is for any game, each with its exceptions that may name Banqi.
const ANY_GAME: &[(&str, &[&str])] = &[
    (
        "crates/engine/src/",
        &[
            "bench.rs",
            "eval",
            "search_game.rs",
            "papers",
            "playout/banqi",
            "search/alphabeta",
            "search/glance.rs",
            "search/habit.rs",
            "behavior_hash.rs",
        ],
    ),
    ("crates/opponents/src/", &["lib.rs", "modelled.rs", "ornn", "behavior_hash.rs", "style.rs", "style/"]),
    ("crates/arena/src/table", &[]),
    ("crates/arena/src/run", &["/tune.rs"]),
    ("crates/arena/src/stats", &[]),
    ("crates/arena/src/swiss", &[]),
];

pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let mut faults = Vec::new();
    dependencies(root, &mut faults)?;
    page_engine(root, &mut faults)?;
    let files = tracked(root)?;
    sources(root, &files, &mut faults)?;
    versions(root, &mut faults)?;
    fuzz_targets(root, &mut faults)?;
    games(root, &files, &mut faults)?;
    protocols(root, &mut faults)?;
    crate::circles::run(root, &files, &mut faults)?;
    crate::errors::run(root, &files, &mut faults)?;
    crate::prose::run(root, &files, &mut faults)?;
    crate::guarantees::run(root, &files, &mut faults)?;
    let old = crate::passes::age(root)?;
    if !faults.is_empty() {
        bail!("{} faults\n  {}", faults.len(), faults.join("\n  "));
    }
    if let Some(old) = old {
        println!("tidy: warning: {old}");
    }
    println!("tidy: {} files, nothing to mend", files.len());
    Ok(())
}

/// Invariant 1: dependencies point as drawn, and the core has no heavy ones.
fn dependencies(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let floor = |name: &str| ROOMS.iter().position(|rooms| rooms.contains(&name));
    for package in metadata["packages"].as_array().context("packages")? {
        let name = package["name"].as_str().context("a name")?;
        let Some(own) = floor(name) else {
            faults.push(format!("{name} is not in the list of rooms in xtask/src/tidy.rs"));
            continue;
        };
        for dependency in package["dependencies"].as_array().context("dependencies")? {
            let used = dependency["name"].as_str().context("a name")?;
            let only_tests = dependency["kind"] == "dev";
            // A crate names itself to have its own features in its tests.
            if only_tests && used == name {
                continue;
            }
            if floor(used).is_some_and(|below| below >= own) {
                faults.push(format!("{name} must not use {used}: arrows run downwards"));
            }
            let listed = format!("{used}{}", if dependency["optional"] == true { "?" } else { "" });
            let allowed = OUTSIDE.iter().find(|(room, _)| *room == name).map(|(_, list)| *list);
            let is_in = |list: &[&str]| list.contains(&used) || list.contains(&listed.as_str());
            if allowed.is_some_and(|list| floor(used).is_none() && !is_in(list)) && !only_tests {
                faults
                    .push(format!("{name} must not use {used}: it is not in its list in xtask/src/tidy.rs"));
            }
        }
    }
    Ok(())
}

/// The engine of a page is built without crates for files and programs.
fn page_engine(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let output = Command::new("cargo")
        .args(["tree", "--package", "anglerfish-wasm", "--edges", "normal", "--prefix", "none"])
        .args(["--target", "wasm32-unknown-unknown", "--format", "{p}"])
        .current_dir(root)
        .output()
        .context("cargo tree")?;
    anyhow::ensure!(output.status.success(), "cargo tree: {}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout)?;
    let used = |name: &&&str| tree.lines().any(|line| line.split(' ').next() == Some(**name));
    for name in NOT_IN_PAGES.iter().filter(used) {
        faults.push(format!(
            "anglerfish-wasm must not use {name}: see `cargo tree -p anglerfish-wasm -i {name}`"
        ));
    }
    Ok(())
}

/// All tracked files, and new ones that are not ignored.
fn tracked(root: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let output = Command::new("git")
        .args(["ls-files", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .context("git ls-files")?;
    let names = String::from_utf8(output.stdout)?;
    Ok(names.lines().map(PathBuf::from).filter(|path| root.join(path).is_file()).collect())
}

/// Invariants 12 and 16, module heads, and no unfinished marks.
fn sources(root: &Path, files: &[PathBuf], faults: &mut Vec<String>) -> anyhow::Result<()> {
    for path in files.iter().filter(|p| p.extension().is_some_and(|e| e == "rs")) {
        let name = path.display().to_string();
        let text = std::fs::read_to_string(root.join(path)).with_context(|| name.clone())?;
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let is_test = name.contains("/tests/") || name.ends_with("tests.rs");
        let lines = code.lines().count();
        if lines > LONGEST && !is_test && !LONG.iter().any(|(long, _)| *long == name) {
            faults.push(format!("{name}: {lines} lines without tests, over {LONGEST}"));
        }
        if !is_test && is_for_any_game(&name) {
            let names_one = |line: &str| line.contains("banqi::") || line.contains("Banqi");
            let is_code = |line: &str| !line.trim_start().starts_with("//");
            for (i, _) in code.lines().enumerate().filter(|(_, line)| is_code(line) && names_one(line)) {
                faults.push(format!("{name}:{}: names Banqi in code for any game", i + 1));
            }
        }
        let may_read =
            ["crates/cli/", "xtask/", "crates/arena/src/program/environment.rs", "crates/board/src/types.rs"];
        let is_free = is_test
            || name.contains("/examples/")
            || name.ends_with("build.rs")
            || may_read.iter().any(|part| name.starts_with(part));
        if !is_free
            && [concat!("env::", "var"), concat!("env::", "vars")].iter().any(|call| code.contains(call))
        {
            faults.push(format!(
                "{name}: reads the environment, which only cli and the environment of programs may"
            ));
        }
        if name.contains("src/") && name.ends_with("/mod.rs") {
            faults.push(format!("{name}: a module with files of its own is NAME.rs beside NAME/"));
        }
        if !text.starts_with("//!") && !text.starts_with("#![doc") {
            faults.push(format!("{name}: opens without a //! sentence of what it is"));
        }
        for (i, line) in text.lines().enumerate() {
            // Split, so that this line does not match.
            let marks = [concat!("TO", "DO"), concat!("FIX", "ME"), concat!("XX", "X ")];
            let marked = line.contains("// ") && marks.iter().any(|m| line.contains(m));
            if marked && !line.contains('#') {
                faults.push(format!("{name}:{}: an unfinished mark without an issue number", i + 1));
            }
        }
    }
    Ok(())
}

fn is_for_any_game(name: &str) -> bool {
    ANY_GAME.iter().any(|(folder, except)| {
        name.strip_prefix(folder).is_some_and(|path| !except.iter().any(|other| path.starts_with(other)))
    })
}

/// The changelog has a section for the workspace's version, and CITATION.cff names that version.
fn versions(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let changelog = std::fs::read_to_string(root.join("CHANGELOG.md")).context("CHANGELOG.md")?;
    let version = env!("CARGO_PKG_VERSION");
    if !changelog.contains(&format!("## {version}")) {
        faults.push(format!("CHANGELOG.md has no section \"## {version}\""));
    }
    let citation = std::fs::read_to_string(root.join("CITATION.cff")).context("CITATION.cff")?;
    if !citation.lines().any(|line| line == format!("version: {version}")) {
        faults.push(format!("CITATION.cff has no line \"version: {version}\""));
    }
    Ok(())
}

/// Every fuzz target is declared and has seeds.
fn fuzz_targets(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let manifest = std::fs::read_to_string(root.join("fuzz/Cargo.toml"))?;
    for entry in std::fs::read_dir(root.join("fuzz/fuzz_targets"))? {
        let path = entry?.path();
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        if !manifest.contains(&format!("name = \"{name}\"")) {
            faults.push(format!("fuzz/Cargo.toml does not declare the target {name}"));
        }
        if std::fs::read_dir(root.join("fuzz/seeds").join(&name)).is_ok_and(|d| d.count() > 0) {
            continue;
        }
        faults.push(format!("fuzz/seeds/{name} has no seed"));
    }
    Ok(())
}

/// Every implementation of `Game` except those of `testkit` is in a list of `with_game!`, of `rules` or of the program.
fn games(root: &Path, files: &[PathBuf], faults: &mut Vec<String>) -> anyhow::Result<()> {
    let lists = ["crates/rules/src/lib.rs", "crates/cli/src/games.rs"]
        .map(|list| std::fs::read_to_string(root.join(list)));
    let lists = lists.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
    let mut found = 0;
    for path in files.iter().filter(|path| path.extension().is_some_and(|e| e == "rs")) {
        let name = path.display().to_string();
        if !name.contains("/src/") || name.contains("/testkit/") {
            continue;
        }
        for part in std::fs::read_to_string(root.join(path))?.split("\nimpl Game for ").skip(1) {
            let game = part.split_whitespace().next().unwrap_or_default();
            found += 1;
            if !lists.contains(&format!("::{game};")) {
                faults.push(format!("{name}: {game} is not in with_game!"));
            }
        }
    }
    if found == 0 {
        faults.push("no implementation of Game was found".to_owned());
    }
    Ok(())
}

/// Invariant 9: every protocol command has its row in docs/protocol.md.
fn protocols(root: &Path, faults: &mut Vec<String>) -> anyhow::Result<()> {
    let page = std::fs::read_to_string(root.join("docs/protocol.md")).context("docs/protocol.md")?;
    for file in ["dctp", "uci"] {
        let path = root.join("crates/arena/src/protocol").join(format!("{file}.rs"));
        let text = std::fs::read_to_string(&path)?;
        let list = text.split("pub const COMMANDS").nth(1).and_then(|t| t.split(';').nth(1));
        let list = list.with_context(|| format!("a list of commands in {}", path.display()))?;
        let commands: Vec<&str> = list.split('"').skip(1).step_by(2).collect();
        if commands.is_empty() {
            faults.push(format!("{}: no commands were found", path.display()));
        }
        for command in commands {
            if !page.contains(&format!("| `{command}` |")) {
                faults.push(format!("docs/protocol.md has no row for {command} of {file}"));
            }
        }
    }
    Ok(())
}
