//! The choice of a model of opponents, and the stance without one.
//!
//! The settings of models are words that only the [registry](super::Models) knows.

use std::collections::BTreeMap;

use anglerfish_rules::Team;

use crate::score::Value;
use crate::setting::{Setting, number, word};
use crate::stance::{DrawScope, Draws, Stance};

/// The model of the other seats, and the value of a draw to us.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// The name of the model; [`NONE`](Settings::NONE) for none.
    pub model: Box<str>,
    /// The settings of models, by name.
    pub words: BTreeMap<Box<str>, Box<str>>,
    /// The most that a model's prediction is believed.
    pub trust: f32,
    /// The value of a draw to us, unless a model sets another.
    pub draw_value: Value,
    /// The draws that have this value.
    pub draw_scope: DrawScope,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            model: Settings::NONE.into(),
            words: BTreeMap::new(),
            trust: 1.0,
            draw_value: Value(0.0),
            draw_scope: DrawScope::All,
        }
    }
}

impl Settings {
    /// The word for no model.
    pub const NONE: &str = "none";

    /// The engine's own settings of opponents, besides `opponent`, which takes the name of a model.
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "trust",
            "0 to 1: the most that a model is believed",
            Some("1"),
            "the most that a prediction of the opponent counts against its best answer, where replies are expected",
        ),
        Setting::new(
            "draw",
            "-1 to 1: what a draw is worth to us",
            Some("0"),
            "the value of a draw for the engine, between a lost game and a won one, unless a model sets it; below 0 avoids draws",
        ),
        Setting::new(
            "draw_scope",
            "all, repetition or wdl: which draws, or none of them and every estimate instead",
            Some("all"),
            "the draws to which this value applies",
        ),
    ];

    /// Whether there is no model.
    pub fn is_none(&self) -> bool {
        *self.model == *Settings::NONE
    }

    /// A setting of a model.
    pub fn word(&self, name: &str) -> Option<&str> {
        self.words.get(name).map(|word| &**word)
    }

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "trust" => self.trust = number(value, 0.0..=1.0)?,
            "draw" => self.draw_value = Value(number(value, -1.0..=1.0)?),
            "draw_scope" => {
                let words = DrawScope::ALL.map(|scope| (scope.text(), scope));
                self.draw_scope = word(value, &words)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The stance of a team that knows nothing of the opponent.
    pub fn stance(&self, us: Team) -> Stance {
        let draws = Draws { us, value: self.draw_value.to_score(), scope: self.draw_scope };
        Stance { draws: Some(draws), trust: None }
    }
}
