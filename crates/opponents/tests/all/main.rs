//! What holds for every style and every model: laws, plain versions beside fast ones, and signatures.
//!
//! One program for all of these tests: it is compiled and linked once.

mod bench;
mod foresight;
mod models;
mod settings;
