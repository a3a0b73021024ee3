//! The opponents: the field, and those that show that adapting does no harm.

use anglerfish_opponents::field::{MEMBERS, Member};

/// Why an opponent is played against.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Part {
    /// From the field: it is in a line-up.
    Field,
    /// In no line-up.
    Stranger,
    /// From the field, and we have a clock.
    Timed,
}

/// An opponent.
#[derive(Clone, Copy, Debug)]
pub(super) struct Opponent {
    pub(super) part: Part,
    pub(super) member: Member,
    /// A unique number, for seeds.
    pub(super) place: u64,
}

const fn stranger(name: &'static str, player: &'static str, nodes: u64) -> Member {
    Member { name, player, nodes, elo: (f64::NAN, f64::NAN) }
}

/// Players with other budgets and parameters than the field, and with habits that it lacks.
const STRANGERS: [Member; 8] = [
    stranger("ab-500", "alphabeta,hash=1", 500),
    stranger("ab-12000", "alphabeta,hash=1", 12_000),
    stranger("ab-2000 without reductions", "alphabeta,without=reductions+nullmove,hash=1", 2_000),
    stranger("abcourse-8000", "alphabeta,eval=course,hash=1", 8_000),
    stranger("course2019-1500", "course2019,hash=1", 1_500),
    stranger("mcts-5000", "mcts,hash=4", 5_000),
    stranger("level6", "level6,hash=1", 200),
    stranger("thinker3", "thinker3,hash=1", 1),
];

/// Opponents of the games by the clock.
const TIMED: [&str; 4] = ["ab-50", "ab-200", "ab-1000", "mcts-2000"];

/// All opponents, each part with the number of its first member.
pub(super) fn opponents() -> Vec<Opponent> {
    let timed: Vec<Member> = TIMED.into_iter().filter_map(Member::by_name).collect();
    let parts =
        [(Part::Field, 0, &MEMBERS[..]), (Part::Stranger, 100, &STRANGERS), (Part::Timed, 300, &timed)];
    let of = |(part, first, members): (Part, u64, &[Member])| {
        let each = |(place, member): (u64, &Member)| Opponent { part, member: *member, place };
        (first..).zip(members).map(each).collect::<Vec<_>>()
    };
    parts.into_iter().flat_map(of).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use anglerfish_engine::Config;

    use super::*;

    #[test]
    fn strangers_are_strangers() {
        let known: BTreeSet<(&str, u64)> =
            MEMBERS.iter().map(|member| (member.player, member.nodes)).collect();
        for stranger in &STRANGERS {
            assert!(!known.contains(&(stranger.player, stranger.nodes)), "{}", stranger.name);
            assert!(stranger.player.parse::<Config>().is_ok(), "{}", stranger.player);
        }
        assert_eq!(opponents().len(), MEMBERS.len() + STRANGERS.len() + TIMED.len());
    }
}
