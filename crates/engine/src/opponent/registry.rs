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
use crate::setting::ConfigError;

/// Makes the model of one seat that a configuration asks for.
pub type Build<G> = fn(&Config, &Assets) -> Result<Box<dyn OpponentModel<G>>, EngineError>;

/// A setting of a model.
#[derive(Clone, Copy, Debug)]
pub struct ModelSetting {
    /// Its name.
    pub name: &'static str,
    /// Its values, in words.
    pub takes: &'static str,
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

    /// All settings of an engine with these models, each with what it takes, for help texts and errors.
    pub fn settings(&self) -> Vec<(&'static str, String)> {
        let own = |(name, takes): &(&'static str, &str)| (*name, (*takes).to_owned());
        let models = self.settings.iter().map(|setting| (setting.name, setting.takes.to_owned()));
        let [before, after] = Config::PARTS.map(|parts| parts.iter().flat_map(|part| part.iter()).map(own));
        let models = std::iter::once(("opponent", self.words())).chain(models);
        before.chain(models).chain(after).collect()
    }

    /// Whether there are such a model and such settings of models, and whether these take what they are set to.
    ///
    /// # Errors
    /// The first that is not so.
    pub fn check(&self, config: &Config) -> Result<(), ConfigError> {
        let Settings { model, words, .. } = &config.opponent;
        let wrong = |name: &str, value: &str, takes: &str| {
            Err(ConfigError { expected: format!("{name}={takes}"), found: format!("{name}={value}") })
        };
        if !config.opponent.is_none() && !self.names.contains(&&**model) {
            return wrong("opponent", model, &self.words());
        }
        for (name, value) in words {
            match self.settings.iter().find(|setting| *setting.name == **name) {
                Some(setting) if (setting.accepts)(value) => {}
                Some(setting) => return wrong(name, value, setting.takes),
                None => {
                    let names: Vec<&str> = self.settings().into_iter().map(|(name, _)| name).collect();
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
