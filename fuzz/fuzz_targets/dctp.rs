//! A DCTP session survives any input, and answers each command with one line.
#![no_main]

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::Session as _;
use anglerfish_arena::protocol::dctp::Session;
use anglerfish_lab::models;
use anglerfish_rules::banqi::RuleSet;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let mut session =
        Session::new(builtin("random", &models()).expect("a player"), "fuzz", RuleSet::PLATFORM, 1);
    for line in text.lines() {
        let answer = session.line(line);
        let marked = |l: &String| l.starts_with('=') || l.starts_with('?');
        assert_eq!(answer.lines.first().is_some_and(marked), !line.trim().is_empty(), "{line:?}");
    }
});
