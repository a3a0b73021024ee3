//! Players that papers describe, rebuilt to check what the papers say. No search and no evaluator depends on them;
//! the styles of tic-tac-toe are those of Kajihara and others (1999).
//!
//! | file | paper |
//! |---|---|
//! | `semirandom.rs` | Kajihara, Sakuta, Iida, Uiterwijk and van den Herik (1999), "A Speculative Play against Semi-Random Self-Play": the semi-random players |
//! | `speculative.rs` | the same: the player against those |
//! | `reference.rs` | Jouandeau and Cazenave (2014), "Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game": the opponent of Table 3 |
//!
//! The evaluation of 郭彥廷 (2019) is [`eval::course`](crate::eval::course), because our own search orders flips by its tables; the
//! trees and playouts of Jouandeau and Cazenave are those of [`mcts`](crate::search::mcts).

pub mod reference;
pub mod semirandom;
pub mod speculative;
