//! The tournament platform's two formats: never a panic, and valid games become records that replay.
#![no_main]

use anglerfish_arena::platform::{PlatformGame, read_compact, read_text};
use anglerfish_rules::banqi::RuleSet;
use libfuzzer_sys::fuzz_target;

fn check(game: &PlatformGame) {
    if let Ok(record) = game.to_record(RuleSet::PLATFORM) {
        assert!(record.replay().is_ok());
        assert_eq!(record.to_string().parse(), Ok(record));
    }
}

fuzz_target!(|text: &str| {
    if let Ok(game) = read_compact(text) {
        check(&game);
    }
    if let Ok(game) = read_text(text) {
        check(&game);
    }
});
