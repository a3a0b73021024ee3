//! The unit that games in a store belong to: one that was played, or a part of a file that was brought in.

use anglerfish_arena::{Bounds, Name, Openings, Unit, heading};
use anglerfish_rules::Record;
use serde::{Deserialize, Serialize};

use crate::error::StoreError;
use crate::kept::Kept;

/// The version of the text of imported units.
const IMPORT_FORMAT: u32 = 1;

/// What the games of one object belong to.
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
    /// The SHA-256 of the file, unpacked, so that nothing is imported twice.
    pub file: String,
    /// The number of its first game, from 1.
    pub first: u64,
    /// How many games it is.
    pub games: u32,
    /// The rules that they were read under, where the file does not say so and they are not the usual ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rules: Option<String>,
}

impl Imported {
    /// So many games of a file, from `first` on.
    pub fn new<G: Kept>(file: &Name, first: u64, games: u32) -> Imported {
        let (game, file) = (G::NAME.to_owned(), file.to_string());
        Imported { import: IMPORT_FORMAT, game, file, first, games, rules: None }
    }

    /// Its canonical text.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }
}

/// Where a unit comes in its run. Large objects are sorted so, which keeps the unit ranges of a worker together.
#[derive(Clone, Debug, Deserialize, Eq, Ord, PartialEq, PartialOrd, Serialize)]
pub struct Order {
    /// The run: what its units have in common.
    pub run: String,
    /// The number of its first pair.
    pub first: u64,
}

impl Origin {
    /// Reads the text of a unit.
    ///
    /// # Errors
    /// When it is none of this game.
    pub fn read<G: Kept>(text: &str) -> Result<Origin, StoreError> {
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

    /// Whether it comes out the same when it is played again.
    pub fn is_reproducible(&self) -> bool {
        match self {
            Origin::Played(unit) => unit.reproducible,
            Origin::Imported(_) => true,
        }
    }

    /// How many games it is.
    pub fn games(&self) -> usize {
        match self {
            Origin::Played(unit) => unit.games(),
            Origin::Imported(imported) => imported.games as usize,
        }
    }

    /// How many pairs of games it is, or games of a file: the numbers from its first on that nobody else may have.
    pub(crate) fn pairs(&self) -> u64 {
        match self {
            Origin::Played(unit) => u64::from(unit.pairs),
            Origin::Imported(imported) => u64::from(imported.games),
        }
    }

    /// Where it comes among others.
    pub fn order(&self) -> Order {
        match self {
            Origin::Played(unit) => order(unit),
            Origin::Imported(imported) => {
                Order { run: imported.file.chars().take(16).collect(), first: imported.first }
            }
        }
    }

    /// What the record of game `n`, from 0, begins with if nobody says otherwise.
    pub(crate) fn heading<G: Kept>(&self, rules: &G::Rules, n: u32, opened: u32) -> Option<Record<G>> {
        match self {
            Origin::Played(unit) => heading::<G>(unit, rules, n, opened).ok(),
            Origin::Imported(_) => None,
        }
    }
}

/// Where a unit that was played, or will be, comes among others.
pub fn order(unit: &Unit) -> Order {
    let openings = match &unit.openings {
        Openings::List(_) => Openings::List(Vec::new()),
        other => other.clone(),
    };
    let run = Unit { first: 0, pairs: 0, openings, ..unit.clone() };
    Order { run: run.name().to_string().chars().take(16).collect(), first: unit.first }
}
