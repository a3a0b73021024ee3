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

    /// What a player of this style does, in words that go on from "a player who": "plays at random".
    fn phrase(&self) -> &'static str;

    /// How likely each action is through the eyes of the seat to move; `out` is as long as `actions` and sums to 1.
    fn likelihood(&mut self, theirs: &G::View, actions: &[G::Action], out: &mut [f32]);

    /// What a likelihood costs, in nodes of a search, about: a search that asks for one has so many less.
    fn nodes(&self) -> u64 {
        0
    }

    /// Whether it stands for players that are not counted on to err. Then it is recognized like any other, but predicts
    /// nothing: the search supposes the best answer.
    fn plays_best(&self) -> bool {
        false
    }
}
