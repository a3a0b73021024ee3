//! Our own strength by nodes, read off the players of a line-up that differ from us only in their number of nodes. An opponent that is weaker
//! than `alphabeta` at 50,000 nodes may be stronger than `alphabeta` at 5,000.

use anglerfish_engine::Config;
use anglerfish_engine::opponent::Settings;
use anglerfish_engine::portable::ln;

use crate::replica::player as replica;
use crate::{Candidate, CandidateTable, parameters};

/// See the module. Elo by the logarithm of nodes, from the fewest on.
#[derive(Clone, Debug, PartialEq)]
pub struct Scale(Vec<(f64, f64)>);

impl Scale {
    /// The strengths of players like us in a line-up.
    pub fn new(lineup: &CandidateTable, us: &Config) -> Scale {
        let us = like(us);
        let rated = |(name, player): (&str, &str)| {
            let player = replica(player)?;
            let known = |candidate: &&Candidate| *candidate.name == *name && !candidate.stranger;
            let elo = lineup.candidates.iter().find(known)?.elo.0;
            (like(&player) == us).then_some((ln(player.nodes?), elo))
        };
        let players = lineup
            .questions
            .iter()
            .filter_map(|question| Some((&*question.name, question.about.strip_prefix("replica ")?)));
        let mut points: Vec<(f64, f64)> = players.filter_map(rated).collect();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        points.dedup_by_key(|(nodes, _)| *nodes);
        Scale(points)
    }

    /// Our strength at so many nodes, in steps, so that small differences in nodes do not change it. 0 if it is unknown: with fewer
    /// than two players like us, or before our first search.
    /// It is interpolated between two players, and extrapolated from the last two.
    pub fn elo(&self, nodes: u64) -> f64 {
        let (points, at) = (&self.0, ln(nodes));
        if points.len() < 2 || nodes == 0 {
            return 0.0;
        }
        let next = points.partition_point(|(nodes, _)| *nodes < at).clamp(1, points.len() - 1);
        let [(from, low), (to, high)] = [points[next - 1], points[next]];
        let elo = low + (high - low) * (at - from) / (to - from);
        (elo / parameters::OWN_ELO_STEP).round() * parameters::OWN_ELO_STEP
    }
}

/// A player without the settings that do not make it a different one: its nodes, its memory and its model of opponents.
fn like(player: &Config) -> Config {
    Config {
        threads: 1,
        hash_kib: 0,
        nodes: None,
        movetime_ms: None,
        ponder: false,
        opponent: Settings::default(),
        ..player.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const LINEUP: &str = "anglerfish lineup 1
question ab-5000 2 replica alphabeta/nodes=5000
question ab-500 2 replica alphabeta/hash=64k/nodes=500
question ab-50000 2 replica alphabeta/nodes=50000
question course 2 replica alphabeta/eval=course/nodes=1000
question habit 4 habit capturer
candidate ab-5000 known 0 1 1 1 1 1 1 1 1 1 1 1 1 1
candidate ab-500 stranger -999 150 1 1 1 1 1 1 1 1 1 1 1 1
candidate ab-500 known -200 9 1 1 1 1 1 1 1 1 1 1 1 1
candidate ab-50000 known 140 9 1 1 1 1 1 1 1 1 1 1 1 1
candidate course known -340 9 1 1 1 1 1 1 1 1 1 1 1 1
";

    /// A player's Elo at so many nodes.
    fn elo(us: &str, nodes: u64) -> i64 {
        let lineup = CandidateTable::read(LINEUP).expect("a line-up");
        Scale::new(&lineup, &us.parse().expect("a player")).elo(nodes) as i64
    }

    #[test]
    fn our_strength_goes_by_what_we_search() {
        let us = "alphabeta,hash=1,threads=2,ponder=on,nodes=7,opponent=adapt,candidates=field,draw=0.1";
        for (nodes, expected) in [
            (500, -200),
            (5_000, 0),
            (5_020, 0),
            (50_000, 140),
            // Half of the way, by doublings, and the same distance once more.
            (1_581, -100),
            (15_811, 70),
            (50, -400),
            (500_000, 280),
        ] {
            assert_eq!(elo(us, nodes), expected, "{nodes}");
        }
        assert_eq!(elo(us, 0), 0, "nothing was searched");
        assert!(elo(us, 1) < -400 && (280..3_000).contains(&elo(us, u64::MAX)));
    }

    /// A single player does not show the gain of more nodes, and players unlike us say nothing of our strength.
    #[test]
    fn without_two_players_like_us_our_strength_is_unknown() {
        for player in ["alphabeta,eval=course", "mcts", "level3"] {
            assert_eq!(elo(player, 50_000), 0, "{player}");
        }
    }
}
