//! The network as a source: it answers once in a game, when all of its input is there.

use anglerfish_rules::banqi::{Banqi, Event};
use anglerfish_rules::{Ply, Seat};

use super::{Class, Net, Opening, PLIES};
use crate::Source;

/// The least probabilities at which the network counts as rather sure, and as sure.
const SURE: [f32; 2] = [0.6, 0.85];

/// Asks: how does the network rank the opponent? Weaker, equal or stronger, at three degrees of certainty: nine answers.
pub struct Ranked {
    net: Net,
    canonical: bool,
    them: Seat,
    opening: Opening,
}

impl Ranked {
    /// Asks this network; `canonical` says whether it was trained on canonical openings.
    pub fn new(net: Net, canonical: bool) -> Ranked {
        Ranked { net, canonical, them: Seat(0), opening: Opening::default() }
    }

    /// The probability of each of [`Class::ALL`] by the plies so far; `None` before ply 3.
    pub fn probabilities(&self) -> Option<[f32; 3]> {
        let seen = if self.canonical { self.opening.canonical() } else { self.opening.clone() };
        Some(self.net.probabilities(&seen.features()?.planes()))
    }
}

impl Source<Banqi> for Ranked {
    fn answers(&self) -> usize {
        Class::ALL.len() * (SURE.len() + 1)
    }

    fn begin(&mut self, them: Seat, _: u64) {
        (self.them, self.opening) = (them, Opening::default());
    }

    fn hear(&mut self, before: &Banqi, ply: &Ply<Event>) -> Option<usize> {
        if self.opening.seen() == PLIES {
            return None;
        }
        self.opening.observe(before, ply.event, ply.seat == self.them);
        if self.opening.seen() < PLIES {
            return None;
        }
        let said = self.probabilities()?;
        let likeliest = (0..said.len()).max_by(|a, b| said[*a].total_cmp(&said[*b]))?;
        Some(likeliest * (SURE.len() + 1) + SURE.iter().filter(|sure| said[likeliest] > **sure).count())
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use anglerfish_rules::banqi::RuleSet;
    use anglerfish_rules::{Game, Rng, RngExt};

    use super::super::{PLANES, SQUARES};
    use super::*;

    /// A network that always says the same.
    fn constant(logits: [f32; 3]) -> Net {
        let weights = vec![0.0; PLANES * 9 + 1 + 3 * SQUARES].into_iter().chain(logits);
        let head = b"anglerfish net 1\nornn channels=1 blocks=0\n".iter().copied();
        let bytes: Vec<u8> = head.chain(weights.flat_map(f32::to_le_bytes)).collect();
        Net::read(&bytes).expect("a network")
    }

    /// It answers once, when the opponent has played seven plies after ply 3, with a class and a degree of certainty.
    #[test]
    fn it_speaks_once() {
        for (logits, answer) in [([0.0, 0.0, 0.5], 6), ([5.0, 0.0, 0.0], 2), ([0.0, 1.5, 0.0], 4)] {
            for them in [Seat(0), Seat(1)] {
                let mut ranked = Ranked::new(constant(logits), true);
                ranked.begin(them, 1);
                assert_eq!(ranked.probabilities(), None, "nothing was seen");
                let (mut game, mut rng) = (Banqi::start(RuleSet::PLATFORM), Rng::new(3));
                let mut said = Vec::new();
                for n in 1..=30 {
                    let seat = game.turn().seat().expect("the game goes on");
                    let mut actions = Vec::new();
                    game.actions(&mut actions);
                    let action = actions[rng.below(actions.len() as u32) as usize];
                    let ply = Ply { seat, event: game.draw(action, &mut rng), took: Duration::ZERO };
                    said.extend(ranked.hear(&game, &ply).map(|answer| (n, answer)));
                    game.apply(ply.event);
                }
                // The second player's fourth ply is ply 4, the first player's ply 5.
                let last = if them == Seat(1) { 16 } else { 17 };
                assert_eq!(said, [(last, answer)], "{logits:?} of {them:?}");
            }
        }
    }
}
