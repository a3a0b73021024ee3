//! Measures the nodes that Star1 and Star2 prune from a tree with chance nodes, without changing its value.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::sync::Arc;

use anglerfish_engine::search::alphabeta;
use anglerfish_engine::{
    Assets, Circles, Config, Engine, EvalKind, Feature, Limits, ManualClock, Star, Stop, Without, eval,
};
use anglerfish_rules::Seat;
use anglerfish_rules::banqi::Banqi;

/// Middle games from our own play, with face-down pieces in number.
const POSITIONS: [&str; 6] = [
    "XpG-/gXXn/XXR-/-KX-/--X-/n-g-/-X-X/-Mr- b G1R1N1P2k1m1r1c1 1 42 platform d8-c8",
    "g--n/-XXp/k-c-/XRpX/X--P/X--N/pnX-/XM-X b R1C1P3g1m1r1c1 0 54 platform",
    "g--n/-XXp/-k-c/X-m-/X--P/nN--/PMX-/X--X b R1C1P2g1r1c1 1 66 platform c3-b3",
    "Xr-m/NMMX/X-Xn/---R/-N-C/---c/gX--/PCGX r K1G1R1k1g1n1 0 54 platform",
    "XpG-/gkXn/XNR-/--X-/n--K/-G-g/---r/--M- b R1P2c1 1 54 platform c4-d4",
    "Xr-k/N--R/XM-n/----/-N--/--R-/----/gnGX r K1G1g1 0 78 platform",
];

/// The score and the nodes at this depth.
fn search(game: &Banqi, star: Star, depth: u32) -> (i32, u64) {
    let config = Config {
        eval: eval::Settings { kind: EvalKind::Course, ..Default::default() },
        alphabeta: alphabeta::Settings {
            star,
            without: Without::SELECTIVITY.and(Feature::Table),
            circles: Circles::Exact,
            ..Default::default()
        },
        hash_kib: 1 << 10,
        ..Config::default()
    };
    let mut engine = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    engine.new_game(Seat(0), 1, None);
    let decision = engine.think(game, Limits::depth(depth), &Stop::default(), &mut |_| {});
    (decision.info.lines[0].value.to_score(), decision.info.nodes)
}

#[test]
fn star1_and_star2_prune() {
    let mut totals = [0; 3];
    println!("hidden      none     star1     star2");
    for text in POSITIONS {
        let game: Banqi = text.parse().expect("a position");
        let results = [Star::None, Star::Star1, Star::Star2].map(|star| search(&game, star, 3));
        assert!(results.iter().all(|r| r.0 == results[0].0), "{text}: {results:?}");
        let nodes = results.map(|r| r.1);
        println!("{:6} {:9} {:9} {:9}", game.position().hidden().len(), nodes[0], nodes[1], nodes[2]);
        for (total, n) in totals.iter_mut().zip(nodes) {
            *total += n;
        }
    }
    let saved = |i: usize| 100.0 - 100.0 * totals[i] as f64 / totals[0] as f64;
    println!("saved: Star1 {:.1} %, Star2 {:.1} %", saved(1), saved(2));
    assert!(saved(1) > 20.0 && saved(2) > 50.0, "Star1 {:.1} %, Star2 {:.1} %", saved(1), saved(2));
}
