//! Where one game is played: the table itself, who deals, who plays, and the clocks.

mod clocks;
mod dealer;
mod player;
mod referee;

pub use clocks::{Budget, Clocks, HEARING, MARGIN, SystemClock, now};
pub use dealer::{Dealer, Draws, Fixed};
pub use player::{Ask, Player, Thinker, builtin, greedy, limits, random};
pub use referee::{Referee, play};
