//! The store as its callers use it: units that come twice or late, readers, and damage of every kind.
//!
//! One program for all of these tests: it is compiled and linked once.

#[cfg(feature = "s3")]
mod buckets;
mod common;
mod missing;
mod mutations;
mod reader;
mod store;
