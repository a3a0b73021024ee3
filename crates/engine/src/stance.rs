//! How we mean to play against this opponent: the only channel from opponent models to the searches.

use crate::score::Value;

/// How we mean to play. The default plays as against a perfect opponent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stance {
    /// What a draw is worth to us: the contempt factor of the ORNN paper, with its sign. 0.2 accepts a draw when only
    /// slightly ahead, −0.6 refuses one until clearly behind. Chess engines use the opposite sign.
    pub draw_value: Value,
    /// How far to believe what a model predicts of the opponent: 0 plays as against a perfect one, 1 as against the
    /// predicted one. It bounds what a wrong model can cost; searches that do not ask a model do not read it.
    pub trust: f32,
}

/// Which draws are worth [`Stance::draw_value`] to us; the others are worth nothing to either side.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum DrawScope {
    /// Every draw.
    #[default]
    All,
    /// Only those by repetition: what the ORNN paper means.
    Repetition,
}
