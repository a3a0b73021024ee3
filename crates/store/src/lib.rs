#![doc = include_str!("../README.md")]

mod claims;
mod compact;
mod error;
mod fill;
mod index;
mod kept;
mod object;
mod place;
mod ranges;
mod reader;
mod rows;
mod store;
mod unit;
mod verify;

pub use compact::{Compacted, compact};
pub use error::StoreError;
pub use fill::{Filled, fill};
pub use index::{Index, Known, Large, Listed, Scope};
pub use kept::Kept;
pub use place::Place;
pub use ranges::Ranges;
pub use reader::{Options, Sample, Shuffled};
pub use rows::{ROWS_FORMAT, decode, encode, result, schema};
pub use store::{Rows, Store, encoded_bytes, game_of, read_unit};
pub use unit::{Imported, Order, Origin, order};
pub use verify::{Verified, verify};
