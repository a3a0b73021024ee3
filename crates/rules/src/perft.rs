//! Counting the tree of events: the check that a rules implementation stands or falls by.

use crate::game::Game;

/// The sums over a tree of events of one depth.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Deserialize, serde::Serialize))]
pub struct Perft {
    /// The number of sequences of events.
    pub count: u64,
    /// The sum over them of the product of their weights. It catches a wrong bag where the count does not.
    pub weight: u128,
}

/// Counts all sequences of exactly `depth` events from `game`. A game that ends earlier adds nothing.
///
/// ```
/// use anglerfish_rules::{perft, banqi::{Banqi, RuleSet}};
/// let start = Banqi::start(RuleSet::PLATFORM);
/// let one = perft(&start, 1);
/// assert_eq!((one.count, one.weight), (32 * 14, 32 * 32));
/// ```
pub fn perft<G: Game>(game: &G, depth: u32) -> Perft {
    if depth == 0 {
        return Perft { count: 1, weight: 1 };
    }
    let mut total = Perft::default();
    let (mut actions, mut chances) = (Vec::new(), Vec::new());
    game.actions(&mut actions);
    for action in actions {
        game.outcomes(action, &mut chances);
        for chance in &chances {
            let below = if depth == 1 {
                Perft { count: 1, weight: 1 }
            } else {
                let mut next = game.clone();
                next.apply(chance.event);
                perft(&next, depth - 1)
            };
            total.count += below.count;
            total.weight += u128::from(chance.weight) * below.weight;
        }
    }
    total
}
