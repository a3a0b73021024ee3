//! Fixed positions, one thread and one seed: one number that changes exactly when the search or its evaluation does.
//!
//! A change that alters the number is functional and is measured by a match; one that does not is not. The positions come
//! from a match of the engine with itself (`--seed 9`, 5,000 nodes a move), besides the start and three endgames.

use std::sync::Arc;
use std::time::Duration;

use anglerfish_rules::Seat;
use anglerfish_rules::banqi::Banqi;

use crate::assets::Assets;
use crate::clock::Clock;
use crate::config::Config;
use crate::engine::Engine;
use crate::limits::{Limits, Stop};

/// Each with the depth that it is searched to: deep where little is face down.
pub(crate) const POSITIONS: [(&str, u32); 15] = [
    ("XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXX ? K1G2M2R2N2C2P5k1g2m2r2n2c2p5 0 0 platform", 5),
    ("XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXc/XPXG b K1G1M2R2N2C2P4k1g2m2r2n2c1p5 0 3 platform", 6),
    ("XXXX/XXXX/XXXX/XpXX/X-XX/XpXX/XcpX/XPXX b K1G2M2R1N2C2P4k1g2m2r2n2c1p2 0 7 platform", 6),
    ("PkXX/XXXX/NCXX/PXXR/cmXX/XgXp/mXXX/XPXX b K1G2M2R1N1C1P2g1r2n2c1p4 0 12 platform", 6),
    ("PXCp/XN--/X-cX/XrMX/-X-X/XXXX/XXXX/XXXX b G1M1R2N1P4k1g2m2r1n1p4 0 18 platform", 6),
    ("XnX-/XXXR/-n--/XXXX/G--R/XXgX/KX-P/XX-X r G1M1N2C1P2k1g1m1r1c1p4 0 26 platform", 6),
    ("rXPX/X-X-/-n-R/g-XX/XXPR/X-G-/KXrX/XNXp b G1M2N1P2k1g1n1c1p3 1 34 platform d3-c3", 6),
    ("-mX-/XXXp/PXnX/XpX-/X---/N-XM/-P--/N-Xc r G1M1R1C1k1g1m1r2n1p1 2 44 platform d4-d3,d2-d1", 6),
    ("X--m/-kgX/-Mnr/-GX-/-cg-/N-pP/-K-G/r--- r R1P1m1 0 56 platform", 8),
    ("C-K-/--NX/--M-/-p--/mrG-/-gn-/m--M/-GPp b p1 1 70 platform b8-a8", 9),
    ("--g-/M---/X---/---X/---X/X--X/XXX-/XPXM b G1R1N1P2g1m1r1p2 0 84 platform", 7),
    ("-rnP/--kM/----/gXp-/----/NG-G/g---/--N- r p1 0 100 platform", 9),
    ("----/-k--/----/G---/--m-/--C-/R--p/-G-- r - 0 120 platform", 10),
    ("---P/-k--/---c/G---/--m-/P-C-/R--p/-g-- b - 0 110 olympiad", 10),
    ("----/----/-k--/---p/----/-K--/--P-/---- r - 0 140 threefold60", 11),
];

/// The nodes and the time of a run of the bench.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bench {
    /// Nodes of all searches: the signature.
    pub nodes: u64,
    /// Time of all searches.
    pub time: Duration,
}

/// Searches every position with the default configuration.
pub fn bench(clock: Arc<dyn Clock>) -> Bench {
    let config = Config { hash_kib: 16 << 10, ..Config::default() };
    let engine = Engine::<Banqi>::new(&config, &Assets::default(), clock);
    let mut engine = engine.unwrap_or_else(|e| unreachable!("the default configuration is for Banqi: {e}"));
    let mut sum = Bench { nodes: 0, time: Duration::ZERO };
    for (text, depth) in POSITIONS {
        let game: Banqi = text.parse().unwrap_or_else(|e| unreachable!("{text} is a position: {e}"));
        engine.new_game(Seat(0), 1, None);
        let info = engine.think(&game, Limits::depth(depth), &Stop::default(), &mut |_| {}).info;
        sum.nodes += info.nodes;
        sum.time += info.time;
    }
    sum
}
