//! The settings of the search.

use super::feature::Without;
use crate::setting::{Setting, number, word};

/// No search looks further ahead than this.
pub(super) const MAX_PLY: usize = 128;

/// The treatment of repetitions in a search.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum Circles {
    /// As the rules say.
    Exact,
    /// The first position that comes back on a line counts as the draw: most rules need more plies than a search sees.
    #[default]
    First,
}

/// The pruning of chance nodes.
#[derive(Clone, Copy, Debug, Default, Eq, Ord, PartialEq, PartialOrd)]
pub enum Star {
    /// Every outcome with a full window.
    None,
    /// Windows from what the outcomes so far allow.
    Star1,
    /// And one answer to each outcome is looked at first.
    #[default]
    Star2,
}

/// The settings of the search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Settings {
    /// The treatment of repetitions.
    pub circles: Circles,
    /// The pruning of chance nodes.
    pub star: Star,
    /// The most flips that are searched at each node, the root included; `None` means all that matter.
    pub flips: Option<u32>,
    /// The features that are left out.
    pub without: Without,
    /// The most that the score of a choice is changed on purpose, in hundredths of a game. Levels err by it.
    pub error_size: u32,
    /// How many choices of a hundred are made with such scores. A player that errs a little at every move never finishes a won game.
    pub error_rate: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            circles: Circles::First,
            star: Star::Star2,
            flips: None,
            without: Without::default(),
            error_size: 0,
            error_rate: 100,
        }
    }
}

impl Settings {
    pub(crate) const ALL: &[Setting] = &[
        Setting::new(
            "repetition",
            "exact or first",
            Some("first"),
            "whether the search counts a repeated position as a draw at once, or only when the rules do",
        ),
        Setting::new(
            "star",
            "none, star1 or star2",
            Some("star2"),
            "how outcomes of flips are cut off: not at all, Star1 or Star2 (Ballard, 1983)",
        ),
        Setting::new(
            "flips",
            "1 to 32, or all",
            Some("all"),
            "how many different flips are searched at the root and below it",
        ),
        Setting::new(
            "without",
            "table, scout, aspiration, order, quiesce, reductions, nullmove, futility, selection and shallow, joined by +",
            None,
            "parts of the search to leave out, to measure their value",
        ),
        Setting::new(
            "error_size",
            "0 to 100 hundredths of a game",
            Some("0"),
            "the largest error of the score of a choice; it makes the lower levels err",
        ),
        Setting::new(
            "error_rate",
            "0 to 100 of a hundred choices that error_size is for",
            Some("100"),
            "how many choices of a hundred have this error",
        ),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "repetition" => {
                self.circles = word(value, &[("exact", Circles::Exact), ("first", Circles::First)])?;
            }
            "star" => {
                let words = [("none", Star::None), ("star1", Star::Star1), ("star2", Star::Star2)];
                self.star = word(value, &words)?;
            }
            "flips" if value == "all" => self.flips = None,
            "flips" => self.flips = Some(number(value, 1..=32)?),
            "without" => self.without = Without::named(value)?,
            "error_size" => self.error_size = number(value, 0..=100)?,
            "error_rate" => self.error_rate = number(value, 0..=100)?,
            _ => return None,
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::feature::Feature;
    use super::*;

    #[test]
    fn every_feature_is_named_where_one_looks() {
        let setting = Settings::ALL.iter().find(|setting| setting.name == "without").expect("a setting");
        for feature in Feature::ALL {
            assert!(setting.takes.contains(feature.text()), "{feature:?}");
        }
    }
}
