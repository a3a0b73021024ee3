//! Files and texts of Siguo: accepted input is valid and survives a round trip, and none panics.
#![no_main]

use anglerfish_rules::Record;
use anglerfish_siguo::arrangement::Kinds;
use anglerfish_siguo::{Event, Siguo, qq};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    if let Ok(layout) = qq::read_jql(bytes) {
        assert_eq!(qq::read_jql(&qq::write_jql(&layout)), Ok(layout));
    }
    if let Ok(Ok(record)) = qq::read_jgs(bytes).map(|replay| replay.record()) {
        assert!(record.replay().is_ok());
        assert_eq!(record.to_string().parse::<Record<Siguo>>(), Ok(record));
    }
    let Ok(text) = str::from_utf8(bytes) else { return };
    match text.parse::<Siguo>() {
        Ok(game) => assert_eq!(game.to_string(), text),
        Err(error) => assert!(error.pointing_at(text).contains('^')),
    }
    if let Ok(kinds) = text.parse::<Kinds>() {
        assert!(kinds.to_string().parse::<Kinds>().is_ok());
    }
    if let Ok(event) = text.parse::<Event>() {
        assert_eq!(event.to_string(), text);
    }
});
