//! What is made of an opponent, for people: whom it is like, how strong it is, and what is done about that. Words for it are found elsewhere, in any language.

use super::Inquiry;
use super::suspects::{Estimate, Lineup};
use crate::score::Value;

/// See the module.
#[derive(Clone, Debug, PartialEq)]
pub struct Impression {
    /// The known player that it is likest.
    pub like: Option<Likeness>,
    /// The probability of none of these.
    pub none: f64,
    /// By how much it is stronger than we are, in Elo: the lower end of a 95 % interval, the mean, and the upper end.
    pub elo: [f64; 3],
    /// What a draw is worth to us because of that.
    pub draw: Option<Value>,
}

/// A player that somebody is like.
#[derive(Clone, Debug, PartialEq)]
pub struct Likeness {
    /// The player's name, or its configuration where the line-up has one.
    pub player: String,
    /// How much it searches.
    pub nodes: Option<u64>,
    /// How probable it is.
    pub probability: f64,
}

impl Inquiry {
    /// What it says to people, by somebody so strong, where nothing is done about it.
    pub fn impression_by(&self, us: f64) -> Impression {
        let Estimate { known, none, elo, .. } = self.estimate_by(us);
        let like = known.first().map(|(name, probability)| likeness(self.lineup(), name, *probability));
        Impression { like, none, elo, draw: None }
    }
}

/// A known player as people know it: `ab-200` is the name of alphabeta at 200 nodes in a line-up.
fn likeness(lineup: &Lineup, name: &str, probability: f64) -> Likeness {
    let question = lineup.questions.iter().find(|question| *question.name == *name);
    let Some(player) = question.and_then(|question| question.about.strip_prefix("replica ")) else {
        return Likeness { player: name.to_owned(), nodes: None, probability };
    };
    let nodes = player.split('/').find_map(|word| word.strip_prefix("nodes=")?.parse().ok());
    let is_said = |word: &&str| !word.starts_with("hash=") && !word.starts_with("nodes=");
    let player = player.split('/').filter(is_said).collect::<Vec<_>>().join(",");
    // Players that do not count nodes have one of them, so that they end.
    Likeness { player, nodes: nodes.filter(|nodes| *nodes > 1), probability }
}
