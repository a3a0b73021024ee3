//! The program as its users meet it, by its command line.
//!
//! One program for all of these tests: it is compiled and linked once.

#[cfg(target_os = "linux")]
mod cage;
mod cli;
mod commands;
mod compact;
mod contest;
mod docs;
mod fish;
mod parts;
mod play;
mod profile;
mod provenance;
mod readme;
mod resume;
mod review;
mod selfplay;
mod serve;
mod store;
mod verdict;
mod web;
mod words;
