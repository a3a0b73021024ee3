#![doc = include_str!("../README.md")]

#[cfg(test)]
extern crate self as anglerfish_store;

mod backup;
mod compact;
mod declared;
mod error;
mod export;
mod features;
mod files;
mod fill;
#[cfg(test)]
mod formats;
mod index;
mod names;
mod object;
mod opened;
mod place;
mod positions;
#[cfg(feature = "query")]
mod query;
mod ranges;
mod reader;
mod retry;
mod rows;
mod scan;
#[cfg(test)]
mod simulated;
mod small;
mod stats;
mod store;
mod stored_game;
mod survey;
mod unit;
mod verify;

pub use backup::{Backup, backup};
pub use compact::{Compacted, compact, recover};
pub use error::{Damage, StoreError};
pub use export::{Format, export};
pub use features::{Label, Labels, Planes, export_features, read_labels};
pub use files::nonce;
pub use fill::{Filled, Played, fill};
pub use index::{Index, Known, Large, Listed, Scope};
pub use place::Place;
pub use positions::{POSITIONS_FORMAT, Positions, derive_positions, derived_positions, positions_schema};
#[cfg(feature = "query")]
pub use query::{Answer, query};
pub use ranges::Ranges;
pub use reader::{Options, Sample, Shuffled};
pub use rows::{ROWS_FORMAT, decode, encode, result, schema};
pub use scan::{Contents, Piece, Snapshot, digest_of, scan};
pub use small::{Rows, read_unit};
pub use stats::{Firsts, Stats, stats};
pub use store::{Store, encoded_bytes, game_of};
pub use stored_game::{Face, StoredGame};
pub use unit::{Imported, Order, Origin, order};
pub use verify::{Verified, verify};
