//! The opponent-ranking network (ORNN): from the opening it says whether the opponent is stronger, equal or weaker.

mod net;
mod planes;
mod ranked;

pub use net::{Class, Net, softmax};
pub use planes::{FIRST, Features, KINDS, Opening, PLANES, PLIES, Planes, SETS, SQUARES};
pub use ranked::Ranked;
