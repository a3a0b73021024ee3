//! Actions, events, layouts and rule sets: canonical, or refused with a column.
#![no_main]

use anglerfish_rules::NotationError;
use anglerfish_rules::banqi::{Action, Event, Layout, RuleSet};
use anglerfish_rules::tictactoe::Cell;
use libfuzzer_sys::fuzz_target;
use std::fmt::Display;
use std::str::FromStr;

fn strict<T: FromStr<Err = NotationError> + Display>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string(), text),
        Err(error) => assert!(error.pointing_at(text).contains('^')),
    }
}

fuzz_target!(|text: &str| {
    strict::<Action>(text);
    strict::<Event>(text);
    strict::<Layout>(text);
    strict::<Cell>(text);
    // A rule set has several spellings; its canonical one is accepted.
    match text.parse::<RuleSet>() {
        Ok(rules) => assert_eq!(rules.to_string().parse(), Ok(rules)),
        Err(error) => assert!(error.pointing_at(text).contains('^')),
    }
});
