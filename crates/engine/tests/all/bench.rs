//! The signatures are the ones on record: that of the search in the first line, then one a line with its name. `UPDATE_GOLDEN=1`
//! writes them anew; a functional change must.

use std::sync::Arc;

use anglerfish_engine::{ManualClock, SearchKind, behavior_hashes, bench};

fn found() -> String {
    let others = behavior_hashes().into_iter().map(|(name, number)| format!("{name} {number}\n"));
    format!("{}\n{}", bench(Arc::new(ManualClock::default())).nodes, others.collect::<String>())
}

#[test]
fn the_behavior_hashes_are_the_ones_on_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bench.txt");
    let once = found();
    assert_eq!(once, found(), "one thread and one seed give the same numbers");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &once).expect("a file");
    }
    let recorded = std::fs::read_to_string(path).expect("numbers on record");
    assert_eq!(once, recorded, "play has changed: UPDATE_GOLDEN=1 if it was meant to");
}

#[test]
fn every_search_has_a_behavior_hash() {
    let recorded = include_str!("../data/bench.txt");
    for search in SearchKind::ALL {
        assert!(recorded.contains(&format!("\ngame-{} ", search.text())), "{search:?}");
    }
}
