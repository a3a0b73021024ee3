//! Ways of playing that we can name, one a file; which of them a game has is in [`Modelled::styles`](crate::Modelled::styles).

mod chosen;
mod strong;
mod uniform;

use anglerfish_rules::Game;

pub use chosen::{habits, looking_ahead};
pub use strong::Strong;
pub use uniform::Uniform;

/// A way of playing. It says how likely each action is; it does not have to be a player.
pub trait Style<G: Game>: Send {
    /// Its name in beliefs and profiles: one word.
    fn name(&self) -> &'static str;

    /// Its description, in words that follow "a player who": "plays at random".
    fn phrase(&self) -> &'static str;

    /// The probability of each action, from the view of the seat to move; `out` is as long as `actions` and sums to 1.
    fn likelihood(&mut self, theirs: &G::View, actions: &[G::Action], out: &mut [f32]);

    /// The approximate cost of a likelihood in nodes, which the search that asks for it has less.
    fn nodes(&self) -> u64 {
        0
    }

    /// Whether it stands for strong players. Such a style is recognized like any other, but it predicts nothing, and the
    /// search supposes the best answer.
    fn plays_best(&self) -> bool {
        false
    }
}
