//! Why an engine could not be built.

use std::fmt;

use crate::setting::ConfigError;

/// Why an engine could not be built. Thinking cannot fail.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum EngineError {
    /// This game is not searched that way.
    NoSearch {
        /// The game.
        game: &'static str,
        /// What was asked for.
        search: &'static str,
    },
    /// This game has no such model of opponents.
    NoModel {
        /// The game.
        game: &'static str,
        /// What was asked for.
        model: String,
    },
    /// A model cannot be made; in its own words.
    Model(String),
    /// There is no such setting or player, or it does not take that value.
    Setting(ConfigError),
    /// A judge of luck has to value positions, and search if it has nodes; this player does not.
    NoValues {
        /// The player.
        player: String,
    },
    /// A setting names an asset that the caller has not given.
    NoAsset {
        /// What was asked for.
        name: String,
        /// What there is.
        known: Vec<String>,
    },
    /// An asset is not what the setting that names it takes.
    BadAsset {
        /// The asset.
        name: String,
        /// What is wrong with it.
        why: String,
    },
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EngineError::NoSearch { game, search } => write!(f, "{game} has no search called {search}"),
            EngineError::NoModel { game, model } => write!(f, "{game} has no model called {model}"),
            EngineError::Model(why) => f.write_str(why),
            EngineError::Setting(wrong) => write!(f, "{wrong}"),
            EngineError::NoValues { player } => write!(
                f,
                "expected a player who searches nodes and values positions, such as alphabeta or mcts, found {player:?}"
            ),
            EngineError::NoAsset { name, known } if known.is_empty() => {
                write!(f, "there is no asset called {name}, nor any other")
            }
            EngineError::NoAsset { name, known } => {
                write!(f, "there is no asset called {name}, only {}", known.join(", "))
            }
            EngineError::BadAsset { name, why } => write!(f, "asset {name}: {why}"),
        }
    }
}

impl std::error::Error for EngineError {}

impl From<ConfigError> for EngineError {
    fn from(wrong: ConfigError) -> EngineError {
        EngineError::Setting(wrong)
    }
}
