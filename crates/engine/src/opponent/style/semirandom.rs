//! The players `P_i` of paper 002 as styles: random, but for what they see within `i` plies.

use anglerfish_rules::{Game, Rng};

use super::Style;
use crate::search::semirandom::{Chooser, Fallback, SemiRandom};

const NAMES: [&str; 7] = ["P0", "P1", "P2", "P3", "P4", "P5", "P6"];

/// `P_0` to `P_6`, for games without secrets in which chance has no part.
pub fn looking_ahead<G: Game>() -> Vec<Box<dyn Style<G>>> {
    let style = |(look, &name)| -> Box<dyn Style<G>> {
        Box::new(LookingAhead { name, player: SemiRandom::new(look, Fallback::Delay) })
    };
    (0..).zip(&NAMES).map(style).collect()
}

struct LookingAhead<G: Game> {
    name: &'static str,
    player: SemiRandom<G>,
}

impl<G: Game> Style<G> for LookingAhead<G> {
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
}
