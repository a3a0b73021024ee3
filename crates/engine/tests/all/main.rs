//! The properties of every search: laws, plain versions beside fast ones, and signatures.
//!
//! All tests of this folder are one program, so that it is compiled and linked once.

mod bench;
mod contempt;
mod figure;
mod levels;
mod mcts;
mod panic;
mod search;
mod secrets;
mod star;
mod yardstick;
