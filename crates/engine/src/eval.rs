//! Static evaluation: what a position is worth without looking ahead.

pub mod course;
pub mod handmade;
mod settings;

use anglerfish_rules::banqi::Position;

use crate::score::Score;

pub use settings::{EvalKind, Settings};

/// Evaluates a position for the side to move. `P` is the position type that the search works on.
///
/// Equal positions must get equal scores at every call, because a search compares them.
pub trait Evaluator<P>: Send {
    /// Within ±[`MAX_EVAL`](crate::score::MAX_EVAL). The game is not over and a color is to move.
    fn evaluate(&mut self, position: &P) -> Score;

    /// A new game begins; for evaluators with dice of their own.
    fn new_game(&mut self, _seed: u64) {}
}

impl<P> Evaluator<P> for Box<dyn Evaluator<P>> {
    fn evaluate(&mut self, position: &P) -> Score {
        (**self).evaluate(position)
    }

    fn new_game(&mut self, seed: u64) {
        (**self).new_game(seed);
    }
}

/// The evaluator that the settings ask for.
pub fn evaluator(settings: &Settings) -> Box<dyn Evaluator<Position>> {
    match settings.kind {
        EvalKind::Course => Box::new(course::Course::new(settings.ratio)),
        EvalKind::Handmade => Box::new(handmade::Handmade::new(&settings.tunables)),
    }
}
