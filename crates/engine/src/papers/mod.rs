//! Players that papers describe, rebuilt to check what the papers say. No search and no evaluator depends on them;
//! the styles of tic-tac-toe are paper 002's players.
//!
//! | file | paper |
//! |---|---|
//! | `semirandom.rs` | 002: the players that are random but for what is near |
//! | `speculative.rs` | 002: the player against those |
//! | `reference.rs` | 003: the opponent of its Table 3 |
//!
//! Paper 001's evaluation is [`eval::course`](crate::eval::course), because our own search orders flips by its tables; paper 003's
//! trees and playouts are those of [`mcts`](crate::search::mcts).

pub mod reference;
pub mod semirandom;
pub mod speculative;
