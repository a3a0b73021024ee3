//! The unit of games in a store: one that was played, or a part of an imported file.

use anglerfish_arena::{Bounds, Name, Openings, Unit, heading};
use anglerfish_rules::Record;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::stored_game::StoredGame;

/// The version of the text of imported units.
const IMPORT_FORMAT: u32 = 1;

/// The origin of the games in one object.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Origin {
    /// Games that a worker played, of a run that is cut into units.
    Played(Box<Unit>),
    /// Games from a file.
    Imported(Imported),
}

/// A part of a file of games.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Imported {
    /// The version of this text: 1.
    pub import: u32,
    /// The name of the game.
    pub game: String,
    /// The SHA-256 of the unpacked file, so that no file is imported twice.
    pub file: String,
    /// The number of its first game, from 1.
    pub first: u64,
    /// Number of its games.
    pub games: u32,
    /// The rules for reading the file, if the file does not name them and they are not the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

impl Imported {
    /// These games of a file, from number `first` on.
    pub fn new<G: StoredGame>(file: &Name, first: u64, games: u32) -> Imported {
        let (game, file) = (G::NAME.to_owned(), file.to_string());
        Imported { import: IMPORT_FORMAT, game, file, first, games, rules: None }
    }

    /// Its canonical text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }
}

/// The order of a unit in its run. Large objects are sorted by it, so the unit ranges of a worker stay together.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Order {
    /// The run: the common part of its units.
    pub run: String,
    /// The number of its first pair.
    pub first: u64,
}

impl Origin {
    /// Reads the text of a unit.
    ///
    /// # Errors
    /// When it is no unit of this game.
    pub fn read<G: StoredGame>(text: &str) -> Result<Origin, StoreError> {
        let wrong = |e: &dyn std::fmt::Display| StoreError::Unit(e.to_string());
        if text.starts_with("{\"import\"") {
            let imported: Imported = serde_json::from_str(text).map_err(|e| wrong(&e))?;
            if imported.import != IMPORT_FORMAT || imported.game != G::NAME || imported.text() != text {
                let found: String = text.chars().take(200).collect();
                return Err(StoreError::Unit(format!(
                    "expected an import of {} games, found {found}",
                    G::NAME
                )));
            }
            return Ok(Origin::Imported(imported));
        }
        let unit = Unit::read(text, &Bounds::OURS).map_err(|e| wrong(&e))?;
        unit.rules::<G>(&Bounds::OURS).map_err(|e| wrong(&e))?;
        Ok(Origin::Played(Box::new(unit)))
    }

    /// Whether playing it again gives the same games.
    pub fn is_reproducible(&self) -> bool {
        match self {
            Origin::Played(unit) => unit.reproducible,
            Origin::Imported(_) => true,
        }
    }

    /// Number of its games.
    pub fn games(&self) -> usize {
        match self {
            Origin::Played(unit) => unit.games(),
            Origin::Imported(imported) => imported.games as usize,
        }
    }

    /// Number of its pairs of games, or games of a file: it owns this many numbers from its first on.
    pub(crate) fn pairs(&self) -> u64 {
        match self {
            Origin::Played(unit) => u64::from(unit.pairs),
            Origin::Imported(imported) => u64::from(imported.games),
        }
    }

    /// Its order among others.
    pub fn order(&self) -> Order {
        match self {
            Origin::Played(unit) => order(unit),
            Origin::Imported(imported) => {
                Order { run: imported.file.chars().take(16).collect(), first: imported.first }
            }
        }
    }

    /// The default heading for the record of game `n`, from 0.
    pub(crate) fn heading<G: StoredGame>(&self, rules: &G::Rules, n: u32, opened: u32) -> Option<Record<G>> {
        match self {
            Origin::Played(unit) => heading::<G>(unit, rules, n, opened).ok(),
            Origin::Imported(_) => None,
        }
    }
}

/// The order of a played or planned unit.
pub fn order(unit: &Unit) -> Order {
    let openings = match &unit.openings {
        Openings::List(_) => Openings::List(Vec::new()),
        other => other.clone(),
    };
    let run = Unit { first: 0, pairs: 0, openings, ..unit.clone() };
    Order { run: run.name().to_string().chars().take(16).collect(), first: unit.first }
}
