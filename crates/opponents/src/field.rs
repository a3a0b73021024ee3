//! The field: a list of our players that differ in play, by name. Estimates of opponents are trained and tested on it, and comparisons with
//! our figures should use it, too. A change in the play of any of them makes a new version of the field.

/// The version of the list, and of how its players play.
pub const VERSION: u32 = 1;

/// A player of the field.
#[derive(Clone, Copy, Debug)]
pub struct Member {
    /// Its name.
    pub name: &'static str,
    /// Its settings.
    pub player: &'static str,
    /// Nodes of a move; one for players that do not search.
    pub nodes: u64,
    /// Its Elo relative to the champion and the standard error, measured by `lab run field` in 1,000 games (docs/results/field).
    pub elo: (f64, f64),
}

const fn member(name: &'static str, player: &'static str, nodes: u64, elo: (f64, f64)) -> Member {
    Member { name, player, nodes, elo }
}

/// All of them: one program at several budgets, the same search with other evaluations, other searches, and habits.
pub const MEMBERS: [Member; 17] = [
    member("ab-50", "alphabeta,hash=1", 50, (-297.0, 10.0)),
    member("ab-200", "alphabeta,hash=1", 200, (-243.0, 9.0)),
    member("ab-1000", "alphabeta,hash=1", 1_000, (-150.0, 8.0)),
    member("ab-3000", "alphabeta,hash=1", 3_000, (-49.0, 7.0)),
    member("ab-5000", "alphabeta,hash=1", 5_000, (0.0, 0.0)),
    member("ab-8000", "alphabeta,hash=1", 8_000, (40.0, 7.0)),
    member("ab-20000", "alphabeta,hash=1", 20_000, (95.0, 7.0)),
    member("ab-50000", "alphabeta,hash=1", 50_000, (140.0, 8.0)),
    member("abcourse-1000", "alphabeta,eval=course,hash=1", 1_000, (-340.0, 12.0)),
    member("course2019-500", "course2019,hash=1", 500, (-487.0, 17.0)),
    member("course2019-5000", "course2019,hash=1", 5_000, (-377.0, 13.0)),
    member("mcts-500", "mcts,hash=4", 500, (-385.0, 12.0)),
    member("mcts-2000", "mcts,hash=4", 2_000, (-276.0, 9.0)),
    member("paper003-500", "c2-cr-640,hash=4", 500, (-890.0, 57.0)),
    member("thinker2", "thinker2,hash=1", 1, (-621.0, 21.0)),
    member("thinker4", "thinker4,hash=1", 1, (-591.0, 20.0)),
    member("cautious", "cautious,hash=1", 1, (-902.0, 59.0)),
];

/// The player that all others are measured against.
pub const CHAMPION: &str = "ab-5000";

impl Member {
    /// The member of this name.
    pub fn by_name(name: &str) -> Option<Member> {
        MEMBERS.into_iter().find(|member| member.name == name)
    }

    /// The same with its nodes divided by `fewer`.
    #[must_use]
    pub fn with_fewer(self, fewer: u64) -> Member {
        Member { nodes: (self.nodes / fewer).max(1), ..self }
    }

    /// Its text for a replica: with a small table, which is emptied before every search.
    pub fn replica(&self) -> String {
        format!("{},nodes={}", self.player.replace("hash=1", "hash=64k"), self.nodes).replace(',', "/")
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use anglerfish_engine::Config;

    use super::*;

    #[test]
    fn every_player_exists_once() {
        let names: BTreeSet<&str> = MEMBERS.iter().map(|member| member.name).collect();
        let players: BTreeSet<(&str, u64)> =
            MEMBERS.iter().map(|member| (member.player, member.nodes)).collect();
        assert_eq!([names.len(), players.len()], [MEMBERS.len(); 2]);
        assert!(Member::by_name(CHAMPION).is_some());
        for member in MEMBERS {
            assert!(member.player.parse::<Config>().is_ok(), "{}", member.player);
        }
    }
}
