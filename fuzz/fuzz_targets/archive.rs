//! Recorded games of Siguo as lines of data: invalid games are errors, and none panics.
#![no_main]

use anglerfish_lab::experiment;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    let siguo = experiment("siguo").expect("it is in the list");
    if let Err(why) = siguo.with_data(text).map(drop) {
        assert!(!why.to_string().is_empty());
    }
});
