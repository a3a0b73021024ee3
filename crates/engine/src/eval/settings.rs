//! Which evaluator, and with which numbers.

use std::fmt;

use crate::assets::Assets;
use crate::error::EngineError;
use crate::setting::{ConfigError, Setting, number, word};
use crate::tunables::Tunables;

/// Which evaluator.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum EvalKind {
    /// Tables I and IV of 郭彥廷 (2019).
    Course,
    /// The one we play with.
    #[default]
    Handmade,
}

/// Which evaluator, and with which numbers.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Which one.
    pub kind: EvalKind,
    /// The ratio of basic to attack value in `course`; none leaves the attack value out.
    pub ratio: Option<i32>,
    /// The numbers of the handmade evaluation.
    pub tunables: Tunables,
    /// The asset that has them instead.
    pub weights: Option<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { kind: EvalKind::Handmade, ratio: Some(100), tunables: Tunables::default(), weights: None }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "eval",
            "handmade or course",
            Some("handmade"),
            "the evaluation: ours, or that of a course program (郭彥廷, 2019, \"Theory of Computer Games, Final Project\")",
        ),
        Setting::new(
            "ratio",
            "1 to 1000, or none",
            Some("100"),
            "for eval=course: how much more pieces count than attacks, the paper's c_Basic / c_Attack; none leaves attacks out",
        ),
        Setting::new(
            "weights",
            "an asset with all numbers of the handmade evaluation, none of them set beside it; or none",
            Some("none"),
            "numbers of your own for the handmade evaluation, from a file that --asset NAME=FILE names",
        ),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "eval" => {
                self.kind = word(value, &[("handmade", EvalKind::Handmade), ("course", EvalKind::Course)])?;
            }
            "ratio" if value == "none" => self.ratio = None,
            "ratio" => self.ratio = Some(number(value, 1..=1000)?),
            "weights" if value == "none" => self.weights = None,
            // The numbers set before would be lost in silence.
            "weights" if value.is_empty() || self.tunables != Tunables::default() => return None,
            "weights" => self.weights = Some(value.to_owned()),
            _ => return None,
        }
        Some(())
    }

    /// Sets numbers by their name in [`Tunables`]; none if there is no such name.
    pub(crate) fn set_numbers(&mut self, name: &str, value: &str) -> Option<Result<(), ConfigError>> {
        let set = self.tunables.clone().set(name, value)?;
        let wrong = |expected: &dyn fmt::Display| ConfigError::value(name, expected, value);
        Some(match self.weights {
            Some(_) => Err(wrong(&"numbers without weights=, which has them all")),
            None => set
                .and_then(|()| self.tunables.set(name, value).unwrap_or(Ok(())))
                .map_err(|takes| wrong(&takes)),
        })
    }

    /// The settings with the names of assets resolved.
    ///
    /// # Errors
    /// When an asset is not there, or is not what it should be.
    pub(crate) fn resolved(&self, assets: &Assets) -> Result<Settings, EngineError> {
        let mut settings = self.clone();
        if let Some(name) = &self.weights {
            settings.tunables = assets.parsed(name, str::parse)?;
        }
        Ok(settings)
    }
}
