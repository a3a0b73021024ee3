//! Games from fixed seeds, byte for byte: the same on every machine. Also the example that the README replays.
//!
//! `UPDATE_GOLDEN=1 cargo test -p anglerfish-arena --test all golden` writes them anew.

use std::path::Path;

use anglerfish_arena::{Budget, Clocks, Fixed, GameOptions, Table, greedy, play, random};
use anglerfish_rules::Rng;
use anglerfish_rules::banqi::{Banqi, Layout, RuleSet};

fn clocks() -> Clocks {
    Clocks::new([Budget::Nodes(1); 2])
}

#[test]
fn first_games() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/first.games");
    let mut text = String::new();
    for (seed, (_, rules)) in (1..).zip(RuleSet::PRESETS) {
        let layout = Layout::shuffled(rules.board, &mut Rng::stream(seed, "deal"));
        let mut players = (greedy(), random());
        let table = Table::new(Banqi::start(rules), Fixed(layout), clocks());
        let mut record = play(table, &mut [&mut players.0, &mut players.1], seed, GameOptions::default());
        record.set_tag("Event", "Example games");
        record.set_tag("First", "greedy");
        record.set_tag("Second", "random");
        record.set_tag("Seed", &seed.to_string());
        record.set_tag("Deal", &layout.to_string());
        text += &format!("{record}\n");
    }
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(&path, &text).expect("a writable example");
    }
    assert_eq!(std::fs::read_to_string(&path).expect("the example"), text, "see UPDATE_GOLDEN");
}
