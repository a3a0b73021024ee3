//! The rules against their laws, their counts and the pages that describe their formats.
//!
//! All tests of this folder are one program, so that it is compiled and linked once.

mod annotations;
mod forfeits;
mod formats;
mod laws;
mod notation;
mod perft;
mod serde;
