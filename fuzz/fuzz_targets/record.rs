//! Accepted records survive a round trip, and replaying never panics.
#![no_main]

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Record, read_records};
use anglerfish_siguo::Siguo;
use libfuzzer_sys::fuzz_target;

fn check<G: Game>(text: &str) {
    for read in read_records::<G>(text) {
        match read {
            Ok(record) => {
                assert_eq!(record.to_string().parse::<Record<G>>().as_ref(), Ok(&record));
                let _ = record.replay();
            }
            Err(error) => assert!(error.pointing_at(text).contains('^')),
        }
    }
}

fuzz_target!(|text: &str| {
    check::<Banqi>(text);
    check::<TicTacToe>(text);
    check::<Heap>(text);
    check::<Siguo>(text);
});
