#![doc = include_str!("../README.md")]

pub mod banqi;
mod error;
mod game;
mod perft;
mod record;
mod rng;
#[cfg(feature = "serde")]
mod serde_text;
#[cfg(feature = "testkit")]
pub mod testkit;
pub mod tictactoe;

pub use error::{Illegal, NotationError};
pub use game::{ChanceOutcome, Forfeit, Game, Outcome, Ply, Reason, Seat, Team, Turn};
pub use perft::{Perft, perft};
pub use rand_core;
pub use record::{
    ANNOTATION_FORMAT, Annotation, Candidate, Cause, Ending, Mismatch, Points, RECORD_FORMAT, Record,
    ReplayError, is_free_tag, read_records,
};
pub use rng::{Rng, RngExt};

/// Runs a generic function for the game of a name known only at run time.
///
/// The value is `None` for a name that is not a game of this crate. A caller with more games has a list of its own, which falls back
/// to this one.
///
/// ```
/// use anglerfish_rules::{Game, with_game};
/// fn seats<G: Game>() -> u8 {
///     G::SEATS
/// }
/// assert_eq!(with_game!("tictactoe", G => seats::<G>()), Some(2));
/// assert_eq!(with_game!("chess", G => seats::<G>()), None);
/// ```
#[macro_export]
macro_rules! with_game {
    ($name:expr, $G:ident => $body:expr) => {
        match $name {
            "banqi" => {
                type $G = $crate::banqi::Banqi;
                Some($body)
            }
            "tictactoe" => {
                type $G = $crate::tictactoe::TicTacToe;
                Some($body)
            }
            _ => None,
        }
    };
}

/// The names that [`with_game!`] knows.
pub const GAMES: [&str; 2] = ["banqi", "tictactoe"];
