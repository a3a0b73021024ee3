//! Players that choose evenly among some of their actions, as styles: paper 002's `P_i`, and the habits of Banqi.

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Rng};

use super::{Strong, Style, Uniform};
use crate::search::habit::Habit;
use crate::search::semirandom::{Chooser, Fallback, SemiRandom};

const NAMES: [&str; 7] = ["P0", "P1", "P2", "P3", "P4", "P5", "P6"];

/// `P_0` to `P_6`, for games without secrets in which chance has no part.
pub fn looking_ahead<G: Game>() -> Vec<Box<dyn Style<G>>> {
    let style = |(look, &name)| -> Box<dyn Style<G>> {
        Box::new(Chosen { name, player: SemiRandom::new(look, Fallback::Delay), nodes: 0 })
    };
    (0..).zip(&NAMES).map(style).collect()
}

/// What Banqi players are told apart by. What each costs was measured by `anglerfish bench opponent`.
pub fn habits() -> Vec<Box<dyn Style<Banqi>>> {
    let style =
        |name, habit, nodes| -> Box<dyn Style<Banqi>> { Box::new(Chosen { name, player: habit, nodes }) };
    vec![
        Box::new(Uniform),
        style("capturer", Habit::Thinker(1), 3),
        style("cautious", Habit::Cautious, 7),
        style("flipper", Habit::Flipper, 2),
        style("thinker2", Habit::Thinker(2), 4),
        style("thinker3", Habit::Thinker(3), 20),
        Box::new(Strong::default()),
    ]
}

/// Any [`Chooser`] as a style.
struct Chosen<C> {
    name: &'static str,
    player: C,
    nodes: u64,
}

impl<G: Game, C: Chooser<G>> Style<G> for Chosen<C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn likelihood(&mut self, theirs: &G::View, actions: &[G::Action], out: &mut [f32]) {
        let game = G::sample(theirs, &mut Rng::new(0));
        let choices = self.player.choices(&game);
        let share = 1.0 / choices.len() as f32;
        for (action, out) in actions.iter().zip(out) {
            *out = if choices.contains(action) { share } else { 0.0 };
        }
    }

    fn nodes(&self) -> u64 {
        self.nodes
    }
}
