//! Accepted deal files survive a round trip.
#![no_main]

use anglerfish_rules::banqi::{read_deals, write_deals};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    match read_deals(text) {
        Ok(deals) => assert_eq!(read_deals(&write_deals(&deals)), Ok(deals)),
        Err(error) => assert!(error.pointing_at(text).contains('^')),
    }
});
