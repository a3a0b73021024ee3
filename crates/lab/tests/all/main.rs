//! Every experiment at its smallest size, and what its truth rests on.
//!
//! One program for all of these tests: it is compiled and linked once.

mod experiments;
mod nets;
mod truth;
