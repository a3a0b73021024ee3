//! Positions: a table derived from the games of a store, in two orders, by game and by key.
//!
//! Workers never send it and nothing depends on it, for it can be derived again at any time. Its name
//! includes the digest of its units. Ordering by key spreads rows over files by the first bits of their keys,
//! and sorts each file in memory.

mod spread;
mod write;

use std::path::Path;
use std::sync::Arc;

use anglerfish_arena::Name;
use anglerfish_rules::{Game, Team};
use arrow_array::types::{Int8Type, Int16Type, UInt32Type};
use arrow_array::{Array, StringArray};
use arrow_schema::{DataType, Field, Schema};
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use self::spread::Spread;
use self::write::Tables;
use crate::error::{Damage, StoreError};
use crate::place::Place;
use crate::rows::{Columns, read_start};
use crate::scan::{Piece, digest_of, scan};
use crate::store::Store;
use crate::stored_game::StoredGame;

/// The version of the columns.
pub const POSITIONS_FORMAT: &str = "anglerfish-positions 1";

/// The folder in a store.
pub(crate) const POSITIONS: &str = "positions";

/// The columns.
pub fn positions_schema() -> Arc<Schema> {
    Arc::new(Schema::new(vec![
        Field::new("unit", DataType::Utf8, false),
        Field::new("game", DataType::UInt32, false),
        Field::new("ply", DataType::UInt32, false),
        Field::new("key", DataType::UInt64, false),
        Field::new("event", DataType::UInt32, false),
        Field::new("value", DataType::Int16, true),
        Field::new("result", DataType::Int8, true),
        Field::new("seat", DataType::UInt8, false),
    ]))
}

/// The description of derived tables, in an object beside them.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Positions {
    /// [`POSITIONS_FORMAT`].
    pub format: String,
    /// The digest over all units in it, as `verify` prints it.
    pub digest: String,
    /// Number of units.
    pub units: u64,
    /// Number of games.
    pub games: u64,
    /// Rows of each table.
    pub positions: u64,
    /// The objects in the order of the games.
    pub by_game: Vec<String>,
    /// The objects in the order of the keys.
    pub by_key: Vec<String>,
}

impl Positions {
    /// Whether all its objects are there.
    fn is_whole(&self, place: &Place) -> Result<bool, StoreError> {
        for name in self.by_game.iter().chain(&self.by_key) {
            if place.size(name)?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// A position in sortable form. A missing value is the least number.
#[derive(Clone, Copy, Debug, Eq, Ord, PartialEq, PartialOrd)]
pub(crate) struct Spot {
    key: u64,
    /// The rank of the unit among all, by name.
    unit: u32,
    game: u32,
    ply: u32,
    event: u32,
    value: i16,
    result: i8,
    seat: u8,
}

/// Derives the tables unless they exist; whether it derived them now. They go into the store, or into the
/// folder `out`. The folder `scratch` needs room for 28 bytes per position. `tell` receives the number of
/// games done and of all.
///
/// # Errors
/// When a store or a folder cannot be read or written, or a row is no legal game.
pub fn derive_positions<G: StoredGame>(
    store: &mut Store<G>,
    out: Option<&Place>,
    scratch: &Path,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<(Positions, bool), StoreError> {
    let (snapshot, all) = store.contents()?;
    let (digest, games) = (digest_of(&all), all.values().map(|(games, _)| u64::from(*games)).sum());
    let names: Vec<Name> = all.into_keys().collect();
    let place = Arc::clone(store.place());
    let place: &Place = out.unwrap_or(&place);
    let prefix = if out.is_some() { String::new() } else { format!("{POSITIONS}/") };
    let stem = format!("{prefix}{:.16}", digest.to_string());
    let mark = format!("{stem}.json");
    if let Some(there) = read_positions(place, &mark)? {
        if there.is_whole(place)? {
            return Ok((there, false));
        }
        place.delete(std::slice::from_ref(&mark))?;
    }

    // Step 1. By game, in the order they come; and spread over files by key.
    let mut by_game = Tables::new(place, format!("{stem}-game"), &names);
    let mut spread = Spread::new(scratch)?;
    let (mut done, mut positions) = (0, 0);
    scan(store, &snapshot, Some(&COLUMNS), &mut |piece: Piece<'_>| {
        let unit = names.binary_search(&piece.unit.unit);
        let unit = unit.unwrap_or_else(|_| unreachable!("a scan has the units of its snapshot"));
        replay::<G>(&piece, unit as u32, &mut |spot| {
            positions += 1;
            by_game.add(&spot)?;
            spread.add(&spot)
        })?;
        done += piece.batch.num_rows() as u64;
        tell(done, games);
        Ok::<_, StoreError>(())
    })?;
    let by_game = by_game.finish()?;

    // Step 2. By key.
    let mut by_key = Tables::new(place, format!("{stem}-key"), &names);
    spread.sorted(&mut |spot| by_key.add(spot))?;
    let by_key = by_key.finish()?;

    // Step 3. From here on the new tables count; older ones are removed.
    let (format, units) = (POSITIONS_FORMAT.to_owned(), names.len() as u64);
    let made = Positions { format, digest: digest.to_string(), units, games, positions, by_game, by_key };
    if !made.is_whole(place)? {
        let rival = "another process derives positions here at the same time: run the command again";
        return Err(StoreError::Other(format!("{}: {rival}", place.address())));
    }
    let text = serde_json::to_string(&made).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"));
    place.create(&mark, &Bytes::from(text + "\n"))?;
    let newest = derived_positions(place)?.is_none_or(|best| best.games <= made.games);
    if out.is_none() && newest {
        let old = place.list(POSITIONS)?.into_iter().map(|(name, _)| name);
        place.delete(&old.filter(|name| !name.starts_with(&stem)).collect::<Vec<_>>())?;
    }
    Ok((made, true))
}

/// The derived tables of a store with the most games; `None` if there are none.
///
/// # Errors
/// When they cannot be read.
pub fn derived_positions(place: &Place) -> Result<Option<Positions>, StoreError> {
    let mut best: Option<Positions> = None;
    for (name, _) in place.list(POSITIONS)? {
        if name.strip_suffix(".json").is_some()
            && let Some(found) = read_positions(place, &name)?
            && best.as_ref().is_none_or(|best| best.games < found.games)
        {
            best = Some(found);
        }
    }
    Ok(best)
}

fn read_positions(place: &Place, name: &str) -> Result<Option<Positions>, StoreError> {
    let Some(bytes) = place.read(name)? else { return Ok(None) };
    let found: Positions = serde_json::from_slice(&bytes).map_err(|e| StoreError::damaged(name, e))?;
    if found.format == POSITIONS_FORMAT {
        return Ok(Some(found));
    }
    Err(StoreError::damaged(name, format!("expected {POSITIONS_FORMAT:?}, found {:?}", found.format)))
}

/// The columns that positions are derived from.
const COLUMNS: [&str; 6] = ["game", "rules", "start", "events", "result", "value"];

/// Plays the games of rows, and reports every position with a player to move.
fn replay<G: StoredGame>(
    piece: &Piece<'_>,
    unit: u32,
    tell: &mut dyn FnMut(Spot) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let damaged = |what: Damage| StoreError::damaged(format!("unit {}", piece.unit.unit), what);
    let columns = Columns::new(&piece.batch);
    let games = columns.numbers::<UInt32Type>("game").map_err(damaged)?;
    let rules = columns.text("rules").map_err(damaged)?;
    let starts = columns.text("start").map_err(damaged)?;
    let events = columns.lists::<UInt32Type>("events").map_err(damaged)?;
    let results = columns.numbers::<Int8Type>("result").map_err(damaged)?;
    let values = columns.lists::<Int16Type>("value").map_err(damaged)?;
    for row in 0..piece.batch.num_rows() {
        let mut game: G = start(rules, starts, row).map_err(damaged)?;
        let result = results.is_valid(row).then(|| results.value(row));
        for (ply, &code) in events.row(row).iter().enumerate() {
            let impossible = || {
                damaged(
                    format!(
                        "game {}, ply {}: the event {code} is not possible here",
                        games.value(row) + 1,
                        ply + 1
                    )
                    .into(),
                )
            };
            let event = G::event(code).ok_or_else(impossible)?;
            let possible = !game.turn().is_over() && game.is_possible(event);
            let seat = game.seat_of(event).filter(|_| possible).ok_or_else(impossible)?;
            let sign = if seat.team() == Team::A { 1 } else { -1 };
            tell(Spot {
                key: game.key(),
                unit,
                game: games.value(row),
                ply: ply as u32,
                event: code,
                value: values.get(row, ply).unwrap_or(i16::MIN),
                result: result.map_or(i8::MIN, |result| sign * result),
                seat: seat.0,
            })?;
            game.apply(event);
        }
    }
    Ok(())
}

fn start<G: Game>(rules: &StringArray, starts: &StringArray, row: usize) -> Result<G, Damage> {
    let rules: G::Rules = rules.value(row).parse()?;
    read_start::<G>(&rules, starts, row)
}
