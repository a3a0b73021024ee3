//! A UCI session survives any input, and answers each `go` once.
#![no_main]

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::Session as _;
use anglerfish_arena::protocol::uci::Session;
use anglerfish_lab::models;
use anglerfish_rules::banqi::RuleSet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut session =
        Session::new(builtin("random", &models()).expect("a player"), "fuzz", RuleSet::PLATFORM, 1);
    for line in text.lines() {
        let answer = session.line(line);
        if line.trim() == "go" {
            assert_eq!(answer.lines.len(), 1);
        }
    }
});
