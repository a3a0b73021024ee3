//! Every experiment at its smallest size, and the foundations of its truth.
//!
//! All tests are one program, which is compiled and linked once.

mod experiments;
mod nets;
mod truth;
