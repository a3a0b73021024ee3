//! Ten levels of play for people, in one table of budget and noise.
//!
//! The numbers are first guesses: how far apart the levels are has not been measured yet.

/// How much a level may think and how far it may misjudge a choice.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Level {
    /// Nodes a move.
    pub nodes: u64,
    /// Hundredths of a game by which a choice may be misjudged.
    pub noise: u32,
}

const fn level(nodes: u64, noise: u32) -> Level {
    Level { nodes, noise }
}

/// The levels, weakest first.
pub const LEVELS: [Level; 10] = [
    level(60, 40),
    level(120, 25),
    level(250, 16),
    level(500, 10),
    level(1_000, 7),
    level(2_500, 5),
    level(6_000, 3),
    level(20_000, 2),
    level(80_000, 0),
    level(400_000, 0),
];
