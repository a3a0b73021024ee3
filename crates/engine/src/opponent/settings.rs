//! How the others at the table are modelled, and how we mean to play where no model says otherwise.

use anglerfish_rules::Team;

use crate::config::Config;
use crate::score::Value;
use crate::setting::{Setting, number, word};
use crate::stance::{DrawScope, Draws, Stance};

/// How the others at the table are modelled.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub enum ModelKind {
    /// Not at all: the control.
    #[default]
    None,
    /// A posterior over the styles of the game.
    Bayes,
    /// Supposed to be a player of a known configuration.
    Replica,
    /// A posterior over known players and strangers, by whose replicas foresee its moves.
    Fingerprint,
    /// The same, and draws are valued by how strong it is.
    Adapt,
}

impl ModelKind {
    /// All of them, in the order of their words for the setting `opponent`.
    pub const ALL: [ModelKind; 5] =
        [ModelKind::None, ModelKind::Bayes, ModelKind::Replica, ModelKind::Fingerprint, ModelKind::Adapt];

    /// The word for the setting `opponent`.
    pub const fn text(self) -> &'static str {
        match self {
            ModelKind::None => "none",
            ModelKind::Bayes => "bayes",
            ModelKind::Replica => "replica",
            ModelKind::Fingerprint => "fingerprint",
            ModelKind::Adapt => "adapt",
        }
    }
}

/// How the others are modelled, and what we make of draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// How the opponent is modelled.
    pub model: ModelKind,
    /// Whom a replica is of.
    pub replica: Option<Box<Config>>,
    /// Whether it knows the dice and the memory of the opponent, and searches for nothing: for measurements.
    pub oracle: bool,
    /// The asset with the players that fingerprints are known of.
    pub lineup: Option<Box<str>>,
    /// The asset with the kinds of armies that are expected, in games that have some.
    pub arrangement: Option<Box<str>>,
    /// The most that a model's prediction is believed.
    pub trust: f32,
    /// What a draw is worth to us where no model says otherwise.
    pub draw_value: Value,
    /// Which draws that is about.
    pub draw_scope: DrawScope,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            model: ModelKind::None,
            replica: None,
            oracle: false,
            lineup: None,
            arrangement: None,
            trust: 1.0,
            draw_value: Value(0.0),
            draw_scope: DrawScope::All,
        }
    }
}

impl Settings {
    pub(crate) const NAMES: &[Setting] = &[
        ("opponent", "none, bayes, replica, fingerprint or adapt"),
        (
            "replica",
            "the player to assume: a name with / for commas and up to 100000 nodes, such as alphabeta/nodes=500",
        ),
        ("oracle", "on or off: a replica that knows dice and memory of the opponent, for measurements"),
        ("lineup", "an asset: the players that fingerprints are known of"),
        ("arrangement", "an asset: the kinds of armies that are expected, in Siguo"),
        ("trust", "0 to 1: the most that a model is believed"),
        ("draw", "-1 to 1: what a draw is worth to us"),
        ("draw_scope", "all, repetition or wdl: which draws, or none of them and every estimate instead"),
    ];

    pub(crate) fn set(&mut self, name: &str, value: &str) -> Option<()> {
        match name {
            "opponent" => self.model = word(value, &ModelKind::ALL.map(|model| (model.text(), model)))?,
            "replica" => self.replica = Some(Box::new(replica(value)?)),
            "oracle" => self.oracle = word(value, &[("on", true), ("off", false)])?,
            "lineup" | "arrangement" if value.is_empty() => return None,
            "lineup" => self.lineup = Some(value.into()),
            "arrangement" => self.arrangement = Some(value.into()),
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

    /// How a team means to play knowing nothing.
    pub fn stance(&self, us: Team) -> Stance {
        let draws = Draws { us, value: self.draw_value.to_score(), scope: self.draw_scope };
        Stance { draws: Some(draws), trust: None }
    }
}

/// Nobody can stop a replica, so it has no more nodes than this.
const REPLICA_NODES: u64 = 100_000;

/// A player by its text, with `/` for commas. One that would think for ever is none.
pub(crate) fn replica(text: &str) -> Option<Config> {
    let mut config: Config = text.replace('/', ",").parse().ok()?;
    // It begins every search with an empty table, and a large one takes long to empty.
    if !text.contains("hash=") {
        config.hash_kib = 64;
    }
    let ends = config.nodes.is_some_and(|nodes| nodes <= REPLICA_NODES) || !config.search.takes_nodes();
    let plain =
        config.threads == 1 && config.movetime_ms.is_none() && config.opponent.model == ModelKind::None;
    (ends && plain).then_some(config)
}
