//! The networks of the repository, as the trainer left them.

#![allow(clippy::print_stdout, reason = "tests say what they counted")]

use std::path::Path;

use anglerfish_arena::SystemClock;
use anglerfish_engine::Clock;
use anglerfish_engine::opponent::ornn::{Features, Net};
use anglerfish_lab::nets::NETS;

/// Three lines for each of eight openings: planes of squares, planes of one value, and what burn makes of them.
fn fixture(name: &str) -> Vec<(Features, [f32; 3])> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("nets/{name}.txt"));
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

/// Our forward pass is burn's, to the hundred-thousandth.
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

/// A game asks a network a few times, and nobody waits for it.
#[test]
fn a_game_does_not_wait_for_its_network() {
    let net = Net::read(NETS[0].bytes).expect("a network");
    let (features, _) = fixture("budgets-plain").swap_remove(0);
    let took = |()| {
        let clock = SystemClock::default();
        std::hint::black_box(net.logits(&features.planes()));
        clock.now()
    };
    let mut times = [(); 51].map(took);
    times.sort_unstable();
    println!("{:?} per opening", times[25]);
    assert!(times[25].as_millis() < 5, "{:?}", times[25]);
}
