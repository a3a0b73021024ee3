//! Which engine plays: all that decides how this build plays, by name, so that an edited engine cannot go on with an old run.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::unit::Name;

/// The tuned numbers, margins and levels of an engine, and what its searches do on fixed positions.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Identity(BTreeMap<String, String>);

impl Identity {
    /// That of this program. It is found by running the searches, not by trusting a version, so it takes up to a second.
    pub fn of_this_build() -> Identity {
        Identity(anglerfish_engine::identity())
    }

    /// One of given parts.
    pub fn of(parts: impl IntoIterator<Item = (String, String)>) -> Identity {
        Identity(parts.into_iter().collect())
    }

    /// Its parts by name; none where nobody has asked.
    pub fn parts(&self) -> &BTreeMap<String, String> {
        &self.0
    }

    /// The SHA-256 over all parts; empty if there are none.
    pub fn digest(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let parts = serde_json::to_string(&self.0).unwrap_or_else(|e| unreachable!("texts are JSON: {e}"));
        Name::of(&parts).to_string()
    }
}
