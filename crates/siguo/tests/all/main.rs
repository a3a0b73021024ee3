//! Siguo against its laws, its plain second implementation, recorded games, and the engine that plays it.
//!
//! One program for all of these tests: it is compiled and linked once.

mod files;
mod formats;
mod games;
mod laws;
mod plain;
mod secrets;
