//! In which order players are listed.

use super::Report;

/// Players in the order of the standings, else by rating, else as they are named.
pub(super) fn order(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = match &report.standings {
        Some(standings) => standings.rows.iter().map(|(player, _)| *player).collect(),
        None if report.players.len() > 2 => {
            by_rating(report).into_iter().map(|i| report.ratings[i].player).collect()
        }
        None => Vec::new(),
    };
    let mut seen = vec![false; report.players.len()];
    order.retain(|&player| !std::mem::replace(&mut seen[player], true));
    order.extend((0..seen.len()).filter(|&player| !seen[player]));
    order
}

/// Indices into the ratings, strongest first.
pub(super) fn by_rating(report: &Report) -> Vec<usize> {
    let mut order: Vec<usize> = (0..report.ratings.len()).collect();
    order.sort_by(|&a, &b| report.ratings[b].elo.total_cmp(&report.ratings[a].elo));
    order
}
