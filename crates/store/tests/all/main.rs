//! Tests of the store through its interface: duplicate and late units, readers, and damage of every kind.
//!
//! They are one program, which is compiled and linked once.
//!
//! One program for all of these tests: it is compiled and linked once.

#[cfg(feature = "s3")]
mod buckets;
mod common;
mod missing;
mod mutations;
mod reader;
mod store;
