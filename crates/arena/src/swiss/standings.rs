//! The table of a Swiss tournament: points, then tie-breaks.
//!
//! All numbers are whole: points are 2, 1 and 0. A bye counts, for tie-breaks, as a win against an opponent who has the
//! player's own points at the end, as FIDE's tie-break regulations (C.07) treat unplayed rounds; rounds in which a player was
//! absent count nothing.

use std::cmp::Reverse;

use crate::swiss::{Round, WIN};

/// One line of the table.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Standing {
    /// The player.
    pub player: usize,
    /// Points taken, byes included.
    pub points: u32,
    /// Sum of the points of the opponents.
    pub buchholz: u32,
    /// The same without the highest and the lowest of them; 0 for fewer than three.
    pub median_buchholz: u32,
    /// Sum over opponents of their points times the points taken from them: twice the customary number, to stay whole.
    pub sonneborn_berger: u32,
    /// Points taken from those who are equal in all the above, if all of them met each other; else 0.
    pub direct: u32,
    /// Games won at the board.
    pub wins: u32,
}

/// The table of the players in `order`, best first: by points, Buchholz, median Buchholz, Sonneborn-Berger, direct
/// encounter, wins, and last the place in `order`.
pub fn standings(past: &[Round], order: &[usize]) -> Vec<Standing> {
    let points = |player| -> u32 { results(past, player).map(|(_, own, _)| own).sum() };
    let mut table: Vec<Standing> = order
        .iter()
        .map(|&player| {
            let own = points(player);
            let worth = |other: Option<usize>| other.map_or(own, points);
            let mut met: Vec<u32> = results(past, player).map(|(other, ..)| worth(other)).collect();
            met.sort_unstable();
            Standing {
                player,
                points: own,
                buchholz: met.iter().sum(),
                median_buchholz: met.get(1..met.len().saturating_sub(1)).unwrap_or_default().iter().sum(),
                sonneborn_berger: results(past, player).map(|(other, got, _)| got * worth(other)).sum(),
                direct: 0,
                wins: results(past, player).filter(|(other, got, gave)| other.is_some() && got > gave).count()
                    as u32,
            }
        })
        .collect();
    let before = |s: &Standing| Reverse((s.points, s.buchholz, s.median_buchholz, s.sonneborn_berger));
    table.sort_by_key(before);
    for tied in table.chunk_by_mut(|a, b| before(a) == before(b)) {
        let players: Vec<usize> = tied.iter().map(|s| s.player).collect();
        let among = |player: usize| {
            results(past, player).filter(|(other, ..)| other.is_some_and(|o| players.contains(&o)))
        };
        let all_met = players
            .iter()
            .all(|&a| players.iter().all(|&b| a == b || among(a).any(|(other, ..)| other == Some(b))));
        if all_met {
            for standing in tied.iter_mut() {
                standing.direct = among(standing.player).map(|(_, own, _)| own).sum();
            }
        }
        tied.sort_by_key(|s| Reverse((s.direct, s.wins)));
    }
    table
}

/// A player's opponents with the points of both, in order of rounds; a bye is a win against `None`.
fn results(past: &[Round], player: usize) -> impl Iterator<Item = (Option<usize>, u32, u32)> {
    past.iter().flat_map(move |round| {
        let games = round.games.iter().filter_map(move |game| {
            let [first, second] = game.points;
            match player {
                p if p == game.first => Some((Some(game.second), first, second)),
                p if p == game.second => Some((Some(game.first), second, first)),
                _ => None,
            }
        });
        games.chain((round.bye == Some(player)).then_some((None, WIN, 0)))
    })
}
