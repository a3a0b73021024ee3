//! What holds for every search and every model: laws, plain versions beside fast ones, and signatures.
//!
//! One program for all of these tests: it is compiled and linked once.

mod bench;
mod contempt;
mod figure;
mod mcts;
mod panic;
mod search;
mod secrets;
mod star;
mod yardstick;
