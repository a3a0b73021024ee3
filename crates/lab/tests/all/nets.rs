//! The networks of the repository, as the trainer wrote them.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::path::Path;
use std::sync::Arc;

use anglerfish_arena::SystemClock;
use anglerfish_engine::{Assets, Clock, Config, Engine, Limits, ManualClock, Stop};
use anglerfish_opponents::nets::NETS;
use anglerfish_opponents::ornn::{Features, Net};
use anglerfish_rules::Seat;
use anglerfish_rules::banqi::Banqi;

/// Three lines for each of eight openings: planes of squares, planes of one value, and burn's output.
fn fixture(name: &str) -> Vec<(Features, [f32; 3])> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../opponents/nets/{name}.txt"));
    let text = std::fs::read_to_string(path).expect("a fixture beside every network");
    let lines: Vec<&str> = text.lines().collect();
    let floats =
        |line: &str| line.split(' ').map(|word| word.parse().expect("a number")).collect::<Vec<f32>>();
    let one = |lines: &[&str]| {
        let sets = lines[0].split(' ').map(|word| u32::from_str_radix(word, 16).expect("a set"));
        let features = Features {
            boards: sets.collect::<Vec<_>>().try_into().expect("72 sets"),
            unrevealed: floats(lines[1]).try_into().expect("14 values"),
        };
        (features, floats(lines[2]).try_into().expect("3 logits"))
    };
    lines.chunks_exact(3).map(one).collect()
}

/// Our forward pass equals burn's within one hundred-thousandth.
#[test]
fn our_forward_pass_is_that_of_the_trainer() {
    for trained in &NETS {
        let form = if trained.canonical { "canonical" } else { "plain" };
        let net = Net::read(trained.bytes).expect("a network");
        let examples = fixture(&format!("{}-{form}", trained.setting));
        assert_eq!(examples.len(), 8, "{} {form}", trained.setting);
        for (features, expected) in examples {
            for (ours, theirs) in net.logits(&features.planes()).into_iter().zip(expected) {
                assert!((ours - theirs).abs() < 1e-5, "{} {form}: {ours} and {theirs}", trained.setting);
            }
        }
    }
}

/// A game asks a network a few times, each for less time than a search of 20,000 nodes.
#[test]
fn a_game_does_not_wait_for_its_network() {
    let net = Net::read(NETS[0].bytes).expect("a network");
    let (features, _) = fixture("budgets-plain").swap_remove(0);
    let config: Config = "alphabeta,hash=1".parse().expect("a configuration");
    let mut engine = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(ManualClock::default()))
        .expect("an engine");
    let text = "XXXX/XXXX/XXXX/XXXX/XXXX/XXXX/XXXc/XPXG b K1G1M2R2N2C2P4k1g2m2r2n2c1p5 0 3 platform";
    let game: Banqi = text.parse().expect("a position");
    let mut took = |()| {
        let clock = SystemClock::default();
        std::hint::black_box(net.logits(&features.planes()));
        let asked = clock.now();
        engine.new_game(Seat(0), 1, None);
        engine.think(&game, Limits::nodes(20_000), &Stop::default(), &mut |_| {});
        (asked, clock.now().saturating_sub(asked))
    };
    let (mut asked, mut searched): (Vec<_>, Vec<_>) = [(); 21].map(&mut took).into_iter().unzip();
    asked.sort_unstable();
    searched.sort_unstable();
    println!("{:?} per opening, and {:?} per search", asked[10], searched[10]);
    assert!(asked[10] < searched[10], "{:?} and {:?}", asked[10], searched[10]);
}
