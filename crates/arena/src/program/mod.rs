//! Other people's programs as child processes: their caps and surroundings, what is said to them, and how they are ended.

mod cage;
mod environment;
mod isolation;
mod process;
mod wire;

pub use cage::{adopt_orphans, end_programs};
pub use isolation::can_isolate;
pub use process::{Caps, Program};
pub(crate) use process::{Chair, GOODBYE};
