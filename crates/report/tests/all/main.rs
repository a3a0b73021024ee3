//! Reports and reviews as their callers use them.
//!
//! One program for all of these tests: it is compiled and linked once.

mod label;
mod report;
mod review;
mod samples;
