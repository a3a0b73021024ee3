#![doc = include_str!("../README.md")]

mod dealer;
pub mod platform;
mod player;
mod referee;

pub use dealer::{Dealer, Draws, Fixed};
pub use player::{Greedy, Player, Random};
pub use referee::{Referee, play};
