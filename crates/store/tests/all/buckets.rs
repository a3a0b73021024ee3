//! Missing objects in a bucket. `.ci/run full s3` starts a server for this, and sets `ANGLERFISH_S3` to its address.

use anglerfish_arena::Match;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Rng, RngExt};
use anglerfish_store::{Place, Store, compact};

use crate::common::check::{TARGET, Texts, check};
use crate::common::{played, players};

/// How many stores lose some of their objects.
const SAMPLES: u64 = 40;

fn place(address: &str) -> Place {
    let options = std::env::vars().filter(|(name, _)| name.starts_with("AWS_")).collect::<Vec<_>>();
    Place::open(address, &options).expect("a bucket")
}

#[test]
#[ignore = "full: the stage s3 starts a server for it"]
fn objects_missing_in_a_bucket_are_not_passed_over() {
    let address = std::env::var("ANGLERFISH_S3").expect("the address of a bucket in ANGLERFISH_S3");
    let game = Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 1 << 20);
    let units = played::<TicTacToe>(&Match { batch: 1, ..game }, 1, 9);
    let texts: Vec<Texts> = units.into_iter().map(|unit| (unit.text, unit.games)).collect();
    let mut lot = Rng::new(1);
    for sample in 0..SAMPLES {
        let place = || place(&format!("{address}/{sample}"));
        let mut store = Store::<TicTacToe>::open(place(), None).expect("a store");
        for part in [&texts[..3], &texts[6..], &texts[3..6]] {
            for (text, games) in part {
                store.put(text, games).expect("it is kept");
            }
            // The last units stay in small objects.
            if part[0] != texts[3] {
                let target = if sample % 2 == 0 { 1 } else { TARGET };
                compact(&mut store, target, &mut |_, _| {}).expect("it is compacted");
            }
        }
        let (mut gone, at) = (Vec::new(), place());
        for folder in ["index", "large", "lists", "units", "sums"] {
            // A folder is whole, gone, or lacks some objects.
            let fate = lot.below(4);
            let names = at.list(folder).expect("a list").into_iter().map(|(name, _)| name);
            gone.extend(names.filter(|_| fate == 3 || fate == 2 && lot.below(2) == 0));
        }
        at.delete(&gone).expect("they are removed");
        check(&place, &texts, &format!("sample {sample} without {gone:?}"));
    }
}
