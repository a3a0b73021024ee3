//! The common part of tests with real processes: the mock engine as a contestant, and a search for processes that it left.

#![allow(dead_code, reason = "each test file uses its part")]

use std::collections::BTreeMap;
use std::path::PathBuf;

use anglerfish_arena::protocol::Protocol;
use anglerfish_arena::{Caps, Contestant, ContestantKind, Match, Program};
use anglerfish_rules::banqi::Banqi;

/// The mock engine, which cargo builds with the tests.
pub(crate) fn mock() -> PathBuf {
    let test = std::env::current_exe().expect("a test has a file");
    let folder = test.parent().and_then(|deps| deps.parent()).expect("target/PROFILE/deps/TEST");
    folder.join("examples/mock_engine").with_extension(std::env::consts::EXE_EXTENSION)
}

/// Longer than any machine needs.
pub(crate) const PATIENT: Caps = Caps { memory_mb: None, answer_s: 300, stall_s: 300 };

/// The mock engine in a mode; the token is on the command line of all its processes.
pub(crate) fn contestant(mode: &str, token: &str, budget: &str, caps: Caps) -> Contestant {
    let program = Program {
        cmd: mock().to_str().expect("UTF-8").to_owned(),
        args: vec![mode.to_owned(), token.to_owned()],
        caps,
        ..Program::default()
    };
    Contestant {
        name: mode.to_owned(),
        kind: ContestantKind::Program {
            start: program,
            proto: Protocol::Dctp,
            files: BTreeMap::new(),
            announced: String::new(),
        },
        budget: budget.to_owned(),
    }
}

/// One pair against a player at random.
pub(crate) fn against(bad: Contestant) -> Match {
    let good = Contestant::builtin("random", "random", "nodes=1");
    Match::new::<Banqi>([bad, good], "platform", 1, 1)
}

/// The command lines of all processes that carry a token, ours excepted.
pub(crate) fn left_over(token: &str) -> Vec<String> {
    let processes = std::fs::read_dir("/proc").expect("Linux").flatten();
    let line = |entry: std::fs::DirEntry| {
        let pid: u32 = entry.file_name().to_str()?.parse().ok()?;
        let line = String::from_utf8_lossy(&std::fs::read(entry.path().join("cmdline")).ok()?).into_owned();
        (pid != std::process::id() && line.contains(token)).then(|| format!("{pid} {line:?}"))
    };
    processes.filter_map(line).collect()
}
