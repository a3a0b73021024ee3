//! The properties of every style and every model: laws, plain versions beside fast ones, and signatures.
//!
//! All tests of this folder are one program, so that it is compiled and linked once.

mod bench;
mod foresight;
mod models;
mod settings;
