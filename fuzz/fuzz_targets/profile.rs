//! Accepted profiles survive a round trip, and no text makes the reader panic.
#![no_main]

use anglerfish_engine::Profile;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|text: &str| {
    if let Ok(profile) = text.parse::<Profile>() {
        assert_eq!(profile.to_string().parse(), Ok(profile));
    }
});
