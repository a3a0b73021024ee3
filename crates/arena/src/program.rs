//! Other people's programs as child processes: their limits and environment, the lines to and from them, and how they end.

mod environment;
mod isolation;
mod process;
mod process_group;
mod wire;

pub use isolation::can_isolate;
pub use process::{Caps, Program};
pub(crate) use process::{Chair, GOODBYE};
pub use process_group::{adopt_orphans, end_programs};
