//! The opponent-ranking network (ORNN): from the opening it says whether the opponent is stronger, equal or weaker.

mod planes;

pub use planes::{FIRST, Opening, PLANES, PLIES, Planes, SQUARES};
