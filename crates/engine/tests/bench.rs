//! The signature of the search is the one on record. `UPDATE_GOLDEN=1` writes it anew; a functional change must.

use std::sync::Arc;

use anglerfish_engine::{ManualClock, bench};

#[test]
fn the_signature_is_the_one_on_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bench.txt");
    let [once, again] = [0, 1].map(|_| bench(Arc::new(ManualClock::default())).nodes);
    assert_eq!(once, again, "one thread and one seed give one number");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, format!("{once}\n")).expect("a file");
    }
    let recorded = std::fs::read_to_string(path).expect("a number on record");
    assert_eq!(
        once.to_string(),
        recorded.trim(),
        "the search has changed: UPDATE_GOLDEN=1 if it was meant to"
    );
}
