//! Bytes choose rules and plies; the bitboards and the plain Banqi must agree at every one.
#![no_main]

use anglerfish_rules::Game;
use anglerfish_rules::banqi::{Banqi, Board, RuleSet};
use anglerfish_rules::testkit::plain::Plain;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [preset, board, rest @ ..] = bytes else { return };
    let (_, rules) = RuleSet::PRESETS[usize::from(*preset) % RuleSet::PRESETS.len()];
    let rules = RuleSet { board: Board::ALL[usize::from(*board) % 3], ..rules };
    let mut fast = Banqi::start(rules);
    let mut plain = Plain::new(&fast.to_string());
    let (mut actions, mut chances) = (Vec::new(), Vec::new());
    for choice in rest.chunks(2) {
        fast.actions(&mut actions);
        actions.sort_unstable();
        let mut expected = plain.actions();
        expected.sort_unstable();
        assert_eq!(actions, expected, "{fast}");
        if actions.is_empty() {
            break;
        }
        let action = actions[usize::from(choice[0]) % actions.len()];
        fast.outcomes(action, &mut chances);
        let event = chances[usize::from(*choice.last().unwrap_or(&0)) % chances.len()].event;
        fast.apply(event);
        plain.apply(event);
        assert_eq!(fast.turn(), plain.turn(), "{fast}");
        assert_eq!(fast.position().key(), fast.position().recomputed_key());
        assert_eq!(fast.to_string().parse().as_ref(), Ok(&fast));
    }
});
