//! Reports and reviews as their callers use them.
//!
//! One program for all of these tests: it is compiled and linked once.

mod report;
mod review;
mod samples;
