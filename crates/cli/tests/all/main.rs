//! The program from the users' side, by its command line.
//!
//! All tests are one program, which is compiled and linked once.

mod after;
mod authors;
#[cfg(target_os = "linux")]
mod cage;
mod cli;
mod commands;
#[cfg(feature = "store")]
mod compact;
mod contest;
mod docs;
mod fish;
mod habits;
mod older;
mod opponents;
mod parts;
mod play;
mod profile;
mod provenance;
mod readme;
mod resume;
mod review;
#[cfg(feature = "store")]
mod selfplay;
mod serve;
#[cfg(feature = "store")]
mod store;
#[cfg(unix)]
mod surroundings;
#[cfg(target_os = "linux")]
mod terminal;
mod verdict;
mod web;
#[cfg(feature = "store")]
mod words;
