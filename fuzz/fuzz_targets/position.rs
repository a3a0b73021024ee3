//! Accepted position texts survive a round trip byte for byte, and can be played on.
#![no_main]

use anglerfish_rules::Rng;
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::tictactoe::TicTacToe;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match text.parse::<Banqi>() {
        Ok(mut game) => {
            assert_eq!(game.to_string(), text);
            assert_eq!(game.position().key(), game.position().recomputed_key());
            game.random_playout(&mut Rng::new(1));
            assert_eq!(game.to_string().parse(), Ok(game));
        }
        Err(error) => assert!(error.pointing_at(text).contains('^')),
    }
    if let Ok(game) = text.parse::<TicTacToe>() {
        assert_eq!(game.to_string(), text);
    }
});
