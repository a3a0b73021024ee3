//! Units from an untrusted source are accepted or refused; accepted texts are canonical.
#![no_main]

use anglerfish_arena::{ArenaGame, Bounds, Unit};
use anglerfish_rules::with_game;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    fn rules<G: ArenaGame>(unit: &Unit) {
        let _ = unit.rules::<G>(&Bounds::STRANGERS);
    }
    match Unit::read(text, &Bounds::STRANGERS) {
        Ok(unit) => {
            assert_eq!(unit.text(), text);
            let _ = with_game!(unit.game.as_str(), G => rules::<G>(&unit));
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
});
