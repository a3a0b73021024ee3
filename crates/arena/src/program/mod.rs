//! Other people's programs as child processes: their limits, what is said to them, and how they are ended.

mod cage;
mod process;
mod wire;

pub use cage::{adopt_orphans, end_programs};
pub(crate) use process::{Chair, GOODBYE};
pub use process::{Limits, Program};
