//! Siguo against its laws, a plain second implementation and recorded games, and the engine playing it.
//!
//! All tests are one program, which is compiled and linked once.

mod files;
mod formats;
mod games;
mod laws;
mod plain;
mod secrets;
