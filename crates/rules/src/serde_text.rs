//! The feature `serde`: a value that has a text is written and read as that text.
//!
//! Reading goes through the same parser as any text, so that nothing invalid can be read.

use serde::de::{Deserialize, Deserializer, Error};
use serde::ser::{Serialize, Serializer};

use crate::banqi::{
    Action, Bag, Banqi, Board, Color, Deal, Event, Layout, Piece, Role, RuleSet, Square, Squares,
};
use crate::game::{Forfeit, Game, Outcome, Reason};
use crate::record::{Cause, Points, Record};
use crate::tictactoe::{Cell, Standard, TicTacToe};

macro_rules! as_text {
    ($([$($of:tt)*] $type:ty),* $(,)?) => {$(
        impl<$($of)*> Serialize for $type {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.collect_str(self)
            }
        }

        impl<'de, $($of)*> Deserialize<'de> for $type {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                String::deserialize(from)?.parse().map_err(D::Error::custom)
            }
        }
    )*};
}

as_text!(
    [] Action, [] Bag, [] Banqi, [] Board, [] Color, [] Deal, [] Event, [] Layout, [] Piece, [] Role, [] RuleSet,
    [] Square, [] Squares,
    [] Forfeit, [] Outcome, [] Reason,
    [] Cause, [] Points, [G: Game] Record<G>,
    [] Cell, [] Standard, [] TicTacToe,
);
