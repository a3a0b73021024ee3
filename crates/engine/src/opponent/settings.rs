//! How the others at the table are modelled, and how we mean to play where no model says otherwise.

use crate::score::Value;
use crate::setting::{Setting, number, word};
use crate::stance::{DrawScope, Stance};

/// How the others at the table are modelled.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ModelKind {
    /// Not at all: the control.
    #[default]
    None,
    /// A posterior over the styles of the game.
    Bayes,
}

impl ModelKind {
    /// All of them, in the order of their words for the setting `opponent`.
    pub const ALL: [ModelKind; 2] = [ModelKind::None, ModelKind::Bayes];
}

/// How the others are modelled, and what we make of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How the opponent is modelled.
    pub model: ModelKind,
    /// The most that a model's prediction is believed.
    pub trust: f32,
    /// What a draw is worth to us where no model says otherwise.
    pub draw_value: Value,
    /// Which draws that is about.
    pub draw_scope: DrawScope,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { model: ModelKind::None, trust: 1.0, draw_value: Value(0.0), draw_scope: DrawScope::All }
    }
}

impl Settings {
    pub(crate) const NAMES: &[Setting] = &[
        ("opponent", "none or bayes"),
        ("trust", "0 to 1: the most that a model is believed"),
        ("draw", "-1 to 1: what a draw is worth to us"),
        ("draw_scope", "all or repetition"),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "opponent" => {
                self.model = word(value, &[("none", ModelKind::None), ("bayes", ModelKind::Bayes)])?;
            }
            "trust" => self.trust = number(value, 0.0..=1.0)?,
            "draw" => self.draw_value = Value(number(value, -1.0..=1.0)?),
            "draw_scope" => {
                let words = [("all", DrawScope::All), ("repetition", DrawScope::Repetition)];
                self.draw_scope = word(value, &words)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// How we mean to play knowing nothing.
    pub fn stance(&self) -> Stance {
        Stance { draw_value: self.draw_value, ..Stance::default() }
    }
}
