//! Which player this build is: all that decides how it plays, by name.
//!
//! Two builds with the same identity play the same games. Where they differ, the names say where: hand-chosen
//! numbers are listed one by one, and code is told apart by what it does, as [`behavior_hashes`].

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::behavior_hash::behavior_hashes;
use crate::bench::bench;
use crate::clock::ManualClock;
use crate::level::{BEGINNERS, LEVELS};
use crate::opponent::Models;
use crate::parameters::{self, Parameters};
use crate::tunables::Tunables;

/// Names with what they stand for: `tunables.tempo` is `6:0`, `signature.bench` is the number of `anglerfish bench`. What
/// decides how the models of opponents play is a part of it. It takes about a second.
pub fn identity(models: &Models) -> BTreeMap<String, String> {
    let bench = ("bench".to_owned(), bench(Arc::new(ManualClock::default())).nodes.to_string());
    let others = behavior_hashes().into_iter().map(|(name, number)| (name, number.to_string()));
    let hashes = [bench].into_iter().chain(others);
    let mut all = numbers(&Tunables::default(), &parameters::all());
    all.extend(hashes.map(|(name, number)| (format!("behavior_hash.{name}"), number)));
    all.extend(models.identity());
    all
}

/// The numbers that were chosen by hand.
fn numbers(tunables: &Tunables, parameters: &Parameters) -> BTreeMap<String, String> {
    let tunables = tunables.texts().map(|(name, numbers)| (format!("tunables.{name}"), numbers));
    let levels = (1..).zip(LEVELS).map(|(n, level)| (format!("level.{n}"), level.to_string()));
    let beginners =
        (1..).zip(BEGINNERS).map(|(n, overlook)| (format!("beginner.{n}"), format!("overlook={overlook}")));
    tunables.chain(parameters.identity()).chain(levels).chain(beginners).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The only name whose text differs.
    fn changed(one: &BTreeMap<String, String>, other: &BTreeMap<String, String>) -> String {
        assert!(one.keys().eq(other.keys()));
        let names: Vec<&str> =
            one.iter().filter(|(name, text)| other[*name] != **text).map(|(name, _)| &**name).collect();
        names.join(" ")
    }

    /// Every number there is, one up, is seen under its own name and nowhere else.
    #[test]
    fn every_number_is_part_of_it() {
        let (mut place, parameters) = (0, parameters::all());
        let usual = numbers(&Tunables::default(), &parameters);
        for (name, count) in Tunables::NAMES {
            for _ in 0..*count {
                let (early, late) = Tunables::default().numbers()[place];
                for number in [(early + 1, late), (early, late + 1)] {
                    let mut tunables = Tunables::default();
                    tunables.set_number(place, number);
                    assert_eq!(changed(&usual, &numbers(&tunables, &parameters)), format!("tunables.{name}"));
                }
                place += 1;
            }
        }
        assert_eq!(place, Tunables::COUNT);
        for i in 0..parameters.0.len() {
            for j in 0..parameters.0[i].1.len() {
                let mut parameters = parameters::all();
                parameters.0[i].1[j] += 1.0;
                let expected = format!("parameters.{}", parameters.0[i].0.to_lowercase());
                assert_eq!(changed(&usual, &numbers(&Tunables::default(), &parameters)), expected);
            }
        }
    }

    #[test]
    fn it_has_the_signatures_on_record() {
        let all = identity(&Models::default());
        let recorded = include_str!("../tests/data/bench.txt");
        for (n, line) in recorded.lines().enumerate() {
            let (name, number) = if n == 0 { ("bench", line) } else { line.split_once(' ').expect("a name") };
            assert_eq!(all[&format!("behavior_hash.{name}")], number, "{name}");
        }
        assert_eq!(all["tunables.tempo"], "6:0");
        assert_eq!(all["parameters.futility"], "400");
        assert_eq!(all["level.2"], "nodes=60,error_size=40,error_rate=60");
    }
}
