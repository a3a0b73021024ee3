//! Models of opponents by name, with their settings. Crates with models add them, and the caller hands them to the engine.

use std::any::{Any, TypeId};
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use anglerfish_rules::Game;

use super::{OpponentModel, Settings};
use crate::assets::Assets;
use crate::config::{Config, listed};
use crate::error::EngineError;
use crate::setting::{ConfigError, Setting};

/// Makes the model of one seat that a configuration asks for.
pub type Build<G> = fn(&Config, &Assets) -> Result<Box<dyn OpponentModel<G>>, EngineError>;

/// The setting that chooses a model; its values are the names that were added.
const MODEL: Setting = Setting::new(
    "opponent",
    "",
    Some("none"),
    "how the opponent is studied: not at all, as one of several styles, as a player of ours, by a line-up, or by a line-up and played against accordingly",
);

/// A setting of a model.
#[derive(Clone, Debug)]
pub struct ModelSetting {
    /// Its name, its values and what it does.
    pub setting: Setting,
    /// Whether it accepts a value.
    pub accepts: fn(&str) -> bool,
}

/// The models of a caller, with their settings and identities.
#[derive(Clone, Default)]
pub struct Models {
    /// A [`Build`] for each game and name.
    builds: BTreeMap<(TypeId, &'static str), Arc<dyn Any + Send + Sync>>,
    names: Vec<&'static str>,
    settings: Vec<ModelSetting>,
    identities: Vec<fn() -> BTreeMap<String, String>>,
}

impl fmt::Debug for Models {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Models").field(&self.names).finish()
    }
}

impl Models {
    /// Adds the model of a game under a name, the value of the setting `opponent`.
    pub fn add<G: Game>(&mut self, name: &'static str, build: Build<G>) {
        self.builds.insert((TypeId::of::<G>(), name), Arc::new(build));
        if !self.names.contains(&name) {
            self.names.push(name);
        }
    }

    /// Adds a setting. Lists show them in this order.
    pub fn add_setting(&mut self, setting: ModelSetting) {
        self.settings.push(setting);
    }

    /// Adds the parameters that decide how models play, by name: a part of the player's [identity](crate::identity()).
    pub fn add_identity(&mut self, identity: fn() -> BTreeMap<String, String>) {
        self.identities.push(identity);
    }

    /// The constructor of a model for a game; `None` if the game has no such model.
    pub fn build<G: Game>(&self, name: &str) -> Option<Build<G>> {
        let of = |known: &&'static str| self.builds.get(&(TypeId::of::<G>(), *known));
        let known = self.names.iter().filter(|known| **known == name).find_map(of)?;
        known.downcast_ref().copied()
    }

    /// The parameters that decide how these models play, by name.
    pub(crate) fn identity(&self) -> impl Iterator<Item = (String, String)> {
        self.identities.iter().flat_map(|identity| identity())
    }

    /// All settings of an engine with these models, by section of docs/settings.md.
    pub fn sections(&self) -> Vec<(&'static str, Vec<Setting>)> {
        let model = Setting { takes: self.words().into(), ..MODEL };
        let models = || std::iter::once(&model).chain(self.settings.iter().map(|known| &known.setting));
        let section = |(title, parts): (&'static str, &[&'static [Setting]])| {
            let own = parts.iter().copied().flatten();
            let models = models().filter(|_| title == Config::OPPONENTS);
            (title, models.chain(own).cloned().collect())
        };
        Config::SECTIONS.into_iter().map(section).collect()
    }

    /// The same without sections.
    pub fn settings(&self) -> impl Iterator<Item = Setting> {
        self.sections().into_iter().flat_map(|(_, settings)| settings)
    }

    /// Whether there are such a model and such settings of models, and whether these take what they are set to.
    ///
    /// # Errors
    /// The first that is not so.
    pub fn check(&self, config: &Config) -> Result<(), ConfigError> {
        let Settings { model, words, .. } = &config.opponent;
        if !config.opponent.is_none() && !self.names.contains(&&**model) {
            return Err(ConfigError::value("opponent", self.words(), model));
        }
        for (name, value) in words {
            match self.settings.iter().find(|known| *known.setting.name == **name) {
                Some(known) if (known.accepts)(value) => {}
                Some(known) => return Err(ConfigError::value(name, &known.setting.takes, value)),
                None => {
                    let names: Vec<&str> = self.settings().map(|setting| setting.name).collect();
                    let expected = format!("a setting: {}", names.join(", "));
                    return Err(ConfigError { expected, found: name.to_string() });
                }
            }
        }
        Ok(())
    }

    /// The values of the setting `opponent`.
    fn words(&self) -> String {
        listed(&[&[Settings::NONE], &self.names[..]].concat())
    }
}
