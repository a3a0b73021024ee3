//! The arena as its callers use it: real processes, real files, and the laws of tables, units and statistics.
//!
//! One program for all of these tests: it is compiled and linked once.

#[cfg(target_os = "linux")]
mod cage;
mod clock;
mod faults;
mod field;
mod golden;
mod journal;
mod mock;
mod platform;
mod sessions;
mod statistics;
mod swiss;
mod table;
mod table_laws;
mod tune;
mod units;
