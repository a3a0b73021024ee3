//! Playouts: games played on quickly, without thinking, to see how they end.
//!
//! A tree search asks a [`Playout`] what a position is worth. Every game has [`Uniform`]; Banqi plays its own on bare
//! positions, by a [`Policy`], in [`banqi`]. How they are played is set by [`Settings`].

pub mod banqi;
mod settings;

use anglerfish_rules::{Game, Outcome, Reason, Rng, RngExt, Turn};

use crate::score::{Score, Value};

pub use self::settings::{Counts, DrawEval, Policy, Settings};

/// The end of a playout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Ending {
    /// As the rules end games; a playout that took too long counts as a quiet draw.
    Over(Outcome, Reason),
    /// It took too long, and this is what its last position is worth to team A.
    Evaluated(Value),
}

/// Plays games to their end.
pub trait Playout<G: Game>: Send {
    /// Plays on from `game`, which goes on.
    fn run(&mut self, game: &G, rng: &mut Rng) -> Ending;

    /// The static value of `game`, which is not over, to team A; `None` in games without an evaluation.
    fn evaluate(&mut self, _game: &G) -> Option<Score> {
        None
    }
}

/// Any legal action, each equally likely, up to a limit of plies.
#[derive(Clone, Copy, Debug)]
pub struct Uniform {
    /// After so many plies it is a draw.
    pub plies: u32,
}

impl<G: Game> Playout<G> for Uniform {
    fn run(&mut self, game: &G, rng: &mut Rng) -> Ending {
        let (mut game, mut actions) = (game.clone(), Vec::new());
        for _ in 0..self.plies {
            if let Turn::Over(outcome, reason) = game.turn() {
                return Ending::Over(outcome, reason);
            }
            game.actions(&mut actions);
            let event = game.draw(rng.pick(&actions), rng);
            game.apply(event);
        }
        match game.turn() {
            Turn::Over(outcome, reason) => Ending::Over(outcome, reason),
            Turn::Seat(_) => Ending::Over(Outcome::Draw, Reason::Quiet),
        }
    }
}
