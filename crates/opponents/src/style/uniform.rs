//! Every action equally likely: the baseline that other styles should beat, and the file to copy for a new style.

use anglerfish_rules::Game;

use super::Style;

/// Plays at random.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uniform;

impl<G: Game> Style<G> for Uniform {
    fn name(&self) -> &'static str {
        "uniform"
    }

    fn phrase(&self) -> &'static str {
        "plays at random"
    }

    fn likelihood(&mut self, _: &G::View, actions: &[G::Action], out: &mut [f32]) {
        out.fill(1.0 / actions.len() as f32);
    }
}
