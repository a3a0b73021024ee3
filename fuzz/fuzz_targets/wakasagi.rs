//! A session of the course's protocol survives any input, and never answers unasked.
#![no_main]

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::Session as _;
use anglerfish_arena::protocol::wakasagi::Session;
use anglerfish_lab::models;
use anglerfish_rules::banqi::RuleSet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut session = Session::new(builtin("random", &models()).expect("a player"), RuleSet::COURSE2025, 1);
    for line in text.lines() {
        let answer = session.line(line);
        if line.contains("-9999") {
            assert!(!answer.lines.iter().any(|l| l.starts_with("MOVE") || l.starts_with("FLIP")));
        }
    }
});
