//! Levels of play for people: three beginners, then ten in one table of nodes and errors.

use std::fmt;

/// The strength of a level: its nodes, the size of its errors in the score of a choice, and their rate.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Level {
    /// Nodes a move.
    pub nodes: u64,
    /// Hundredths of a game by which the score of a choice may be off.
    pub error_size: u32,
    /// How many choices of a hundred have such errors.
    pub error_rate: u32,
}

/// Its text is a list of settings.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Level { nodes, error_size, error_rate } = self;
        write!(f, "nodes={nodes},error_size={error_size},error_rate={error_rate}")
    }
}

const fn level(nodes: u64, error_size: u32, error_rate: u32) -> Level {
    Level { nodes, error_size, error_rate }
}

/// The levels, weakest first. Neighbors are 100 to 250 Elo apart, as near as matches can tell; `docs/strength.md` has them. The first is
/// a little weaker than a player who takes what he can and sees the answer to a move, and never gives away more than 0.45 of
/// a game at once.
pub const LEVELS: [Level; 10] = [
    level(60, 45, 75),
    level(60, 40, 60),
    level(60, 32, 48),
    level(60, 26, 36),
    level(60, 14, 16),
    level(120, 0, 0),
    level(600, 0, 0),
    level(2_300, 0, 0),
    level(12_000, 0, 0),
    level(120_000, 0, 0),
];

/// How many of a hundred captures of its opponent each beginner overlooks, weakest first. Neighbors, and the last of them and level 1,
/// are 84 to 111 Elo apart; `docs/strength.md` has the matches.
pub const BEGINNERS: [u32; 3] = [71, 58, 45];

/// The levels as `--level` takes them, weakest first: `beginner1` to `beginner3`, then `1` to `10`.
pub fn level_names() -> impl Iterator<Item = String> {
    let beginners = (1..=BEGINNERS.len()).map(|n| format!("beginner{n}"));
    beginners.chain((1..=LEVELS.len()).map(|n| n.to_string()))
}

/// The player of a level: `level4` for `4`, `beginner1` for `beginner1`.
pub fn level_player(level: &str) -> Option<String> {
    let player = if level.starts_with("beginner") { level.to_owned() } else { format!("level{level}") };
    level_names().any(|known| known == level).then_some(player)
}
