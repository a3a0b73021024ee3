//! What can be counted from the games alone: scores, lengths, reasons and times.

use std::collections::BTreeMap;

use anglerfish_rules::{Cause, Outcome, Team};

use super::{GameRow, Report};

/// Wins, draws and losses of one player, as a rule against one other.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Score {
    pub(super) wins: u32,
    pub(super) draws: u32,
    pub(super) losses: u32,
}

impl Score {
    pub(super) fn games(self) -> u32 {
        self.wins + self.draws + self.losses
    }

    pub(super) fn points(self) -> f64 {
        f64::from(self.wins) + f64::from(self.draws) / 2.0
    }

    fn add(&mut self, points: f64) {
        match points {
            p if p > 0.75 => self.wins += 1,
            p if p > 0.25 => self.draws += 1,
            _ => self.losses += 1,
        }
    }
}

/// Points of the first mover.
pub(super) fn points_of_first(outcome: Outcome) -> f64 {
    match outcome {
        Outcome::Win(Team::A) => 1.0,
        Outcome::Draw => 0.5,
        Outcome::Win(Team::B) => 0.0,
    }
}

/// Points of a player in one of its games; none if it did not play, or played itself.
pub(super) fn points_of(game: &GameRow, player: usize) -> Option<f64> {
    let first = points_of_first(game.outcome);
    match (game.first == player, game.second == player) {
        (true, false) => Some(first),
        (false, true) => Some(1.0 - first),
        _ => None,
    }
}

/// The score of every player (first index) against every other.
pub(super) fn cross(report: &Report) -> Vec<Vec<Score>> {
    let n = report.players.len();
    let mut table = vec![vec![Score::default(); n]; n];
    for game in report.games.iter().filter(|g| g.first != g.second) {
        let first = points_of_first(game.outcome);
        table[game.first][game.second].add(first);
        table[game.second][game.first].add(1.0 - first);
    }
    table
}

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

/// How often each reason ended a game, most often first, and whether it is a forfeit.
pub(super) fn reasons(report: &Report) -> Vec<(&str, u32, bool)> {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    for game in &report.games {
        *counts.entry(&game.reason).or_default() += 1;
    }
    let forfeit = |reason| matches!(Cause::from_text(reason), Some(Cause::Forfeit(_)));
    let mut list: Vec<_> = counts.into_iter().map(|(reason, n)| (reason, n, forfeit(reason))).collect();
    list.sort_by_key(|&(_, n, _)| std::cmp::Reverse(n));
    list
}

/// The score of player 0 after each game in per cent, with the ends of its 95 % interval.
///
/// The interval is the normal one of single games after two more wins and two more losses, so that it does not vanish
/// while all results are the same: Agresti and Coull (1998), "Approximate is better than exact for interval estimation
/// of binomial proportions", section 3, here with draws.
pub(super) fn course(report: &Report) -> Vec<(f64, f64, f64)> {
    let (mut n, mut sum, mut squares) = (4.0, 2.0, 2.0);
    let mut course = Vec::new();
    for points in report.games.iter().filter_map(|game| points_of(game, 0)) {
        n += 1.0;
        sum += points;
        squares += points * points;
        let score = (sum - 2.0) / (n - 4.0);
        let center: f64 = sum / n;
        let half = 1.96 * ((squares / n - center * center) / n).sqrt();
        let percent = |share: f64| 100.0 * share.clamp(0.0, 1.0);
        course.push((percent(score), percent(center - half), percent(center + half)));
    }
    course
}

/// The points of every player after each round, from round 0; none where there are no rounds.
pub(super) fn by_round(report: &Report) -> Option<Vec<Vec<f64>>> {
    let rounds = report.games.iter().map(|g| g.round).max()? as usize;
    if rounds < 2 || report.games.iter().any(|g| g.round == 0) {
        return None;
    }
    let mut points = vec![vec![0.0; rounds + 1]; report.players.len()];
    for game in report.games.iter().filter(|g| g.first != g.second) {
        let first = points_of_first(game.outcome);
        points[game.first][game.round as usize] += first;
        points[game.second][game.round as usize] += 1.0 - first;
    }
    for line in &mut points {
        for round in 1..line.len() {
            line[round] += line[round - 1];
        }
    }
    Some(points)
}

/// The seconds that a player took, summed by bins of `bin` ply numbers, each with how many plies there were.
pub(super) fn seconds(report: &Report, player: usize, bin: usize) -> Vec<(f64, u32)> {
    let mut bins: Vec<(f64, u32)> = Vec::new();
    for game in &report.games {
        if game.took_ms.iter().all(|&ms| ms == 0) {
            continue;
        }
        for (ply, &ms) in game.took_ms.iter().enumerate() {
            let mover = if ply % 2 == usize::from(starts_second(game)) { game.first } else { game.second };
            if mover == player {
                if bins.len() <= ply / bin {
                    bins.resize(ply / bin + 1, (0.0, 0));
                }
                bins[ply / bin].0 += ms as f64 / 1000.0;
                bins[ply / bin].1 += 1;
            }
        }
    }
    bins
}

/// Whether seat 1 is to move in the start position: the fifth field of its text is odd.
fn starts_second(game: &GameRow) -> bool {
    game.start.split(' ').nth(4).and_then(|ply| ply.parse::<u32>().ok()).is_some_and(|ply| ply % 2 == 1)
}

/// `12`, `12.5`
pub(super) fn points_text(points: f64) -> String {
    if points.fract() == 0.0 { format!("{points:.0}") } else { format!("{points:.1}") }
}
