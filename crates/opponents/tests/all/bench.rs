//! The signatures of the models are the ones on record, one a line with its name. `UPDATE_GOLDEN=1` writes them anew; a functional
//! change must.

use anglerfish_opponents::behavior_hashes;

fn found() -> String {
    let lines = behavior_hashes().into_iter().map(|(name, number)| format!("{name} {number}\n"));
    lines.collect()
}

#[test]
fn the_behavior_hashes_are_the_ones_on_record() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/bench.txt");
    let once = found();
    assert_eq!(once, found(), "one seed gives the same numbers");
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &once).expect("a file");
    }
    let recorded = std::fs::read_to_string(path).expect("numbers on record");
    assert_eq!(once, recorded, "play has changed: UPDATE_GOLDEN=1 if it was meant to");
}
