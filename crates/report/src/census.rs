//! What a page counts from games: scores, lengths, reasons and times, in a size that does not depend on how many games
//! there are. A match of millions of games is counted as they end, and none of them has to be kept.

use std::collections::BTreeMap;

use anglerfish_rules::{Cause, Outcome, Team};
use serde::{Deserialize, Serialize};

use super::GameRow;
use anglerfish_arena::stats::curve::Curve;

/// The plies by which lengths and times are told apart: more than the rules let a game have. What comes later counts as
/// the last of them.
const PLIES: usize = 1 << 16;
/// The most rounds that are told apart.
pub(super) const ROUNDS: usize = 1000;

/// Wins, draws and losses of one player, as a rule against one other.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub struct Score {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Score {
    /// All games.
    pub fn games(self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// A point for a win, half a point for a draw.
    pub fn points(self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// One game more, as the team sees it.
    fn add(&mut self, outcome: Outcome, team: Team) {
        match outcome {
            Outcome::Win(winner) if winner == team => self.wins += 1,
            Outcome::Draw => self.draws += 1,
            Outcome::Win(_) => self.losses += 1,
        }
    }
}

impl std::iter::Sum for Score {
    fn sum<I: Iterator<Item = Score>>(scores: I) -> Score {
        scores.fold(Score::default(), |a, b| Score {
            wins: a.wins + b.wins,
            draws: a.draws + b.draws,
            losses: a.losses + b.losses,
        })
    }
}

/// The time of some plies.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq, Serialize, Deserialize)]
pub(super) struct Spent {
    milliseconds: u64,
    pub(super) plies: u64,
}

impl Spent {
    /// Seconds a ply.
    pub(super) fn mean(self) -> f64 {
        self.milliseconds as f64 / 1000.0 / self.plies.max(1) as f64
    }
}

impl std::iter::Sum for Spent {
    fn sum<I: Iterator<Item = Spent>>(parts: I) -> Spent {
        parts.fold(Spent::default(), |a, b| Spent {
            milliseconds: a.milliseconds + b.milliseconds,
            plies: a.plies + b.plies,
        })
    }
}

/// Everything that a page counts. Games of a player against itself are counted but not scored.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Census {
    /// The score of all first movers.
    first_movers: Score,
    /// By player and opponent, as far as they have met.
    cross: Vec<Vec<Score>>,
    /// The words of records, of which there are few.
    reasons: BTreeMap<String, u64>,
    /// Games by plies, without those of which only the result is known.
    lengths: BTreeMap<usize, u64>,
    /// By player and ply number.
    times: Vec<Vec<Spent>>,
    /// The score of player 0 after each of its games.
    course: Curve<Score>,
    /// By player and round, the first of them for games without rounds.
    rounds: Vec<Vec<Score>>,
    last_round: u32,
}

impl Census {
    /// Counts one game more.
    pub fn add(&mut self, game: &GameRow) {
        self.first_movers.add(game.outcome, Team::A);
        match self.reasons.get_mut(&game.reason) {
            Some(n) => *n += 1,
            None => _ = self.reasons.insert(game.reason.clone(), 1),
        }
        if !game.plies.is_empty() {
            *self.lengths.entry(game.plies.len().min(PLIES)).or_default() += 1;
        }
        self.last_round = self.last_round.max(game.round);
        if game.first != game.second {
            let sides = [(game.first, game.second, Team::A), (game.second, game.first, Team::B)];
            for (player, other, team) in sides {
                at(at(&mut self.cross, player), other).add(game.outcome, team);
                if (game.round as usize) <= ROUNDS {
                    at(at(&mut self.rounds, player), game.round as usize).add(game.outcome, team);
                }
                if player == 0 {
                    let mut score = self.course.last().unwrap_or_default();
                    score.add(game.outcome, team);
                    self.course.push(score);
                }
            }
        }
        if game.took_ms.iter().any(|&ms| ms > 0) {
            let starts_second = usize::from(starts_second(game));
            for (ply, &ms) in game.took_ms.iter().enumerate() {
                let place = game.seats.get(ply).map_or(ply + starts_second, |seat| usize::from(*seat));
                let mover = if place.is_multiple_of(2) { game.first } else { game.second };
                let spent = at(at(&mut self.times, mover), ply.min(PLIES - 1));
                spent.milliseconds += ms;
                spent.plies += 1;
            }
        }
    }

    /// How many games were counted.
    pub fn games(&self) -> u64 {
        self.first_movers.games()
    }

    /// The score of all first movers.
    pub fn first_movers(&self) -> Score {
        self.first_movers
    }

    /// The score of a player against another.
    pub fn score(&self, player: usize, other: usize) -> Score {
        self.cross.get(player).and_then(|row| row.get(other)).copied().unwrap_or_default()
    }

    /// How often each reason ended a game, most often first, and whether it is a forfeit.
    pub fn reasons(&self) -> Vec<(&str, u64, bool)> {
        let forfeit = |reason: &str| matches!(reason.parse(), Ok(Cause::Forfeit(_)));
        let counts = self.reasons.iter();
        let mut list: Vec<_> = counts.map(|(reason, &n)| (reason.as_str(), n, forfeit(reason))).collect();
        list.sort_by_key(|&(_, n, _)| std::cmp::Reverse(n));
        list
    }

    /// How many games had so many plies, shortest first; those of which only the result is known are left out.
    pub fn lengths(&self) -> impl DoubleEndedIterator<Item = (usize, u64)> + '_ {
        self.lengths.iter().map(|(&length, &n)| (length, n))
    }

    /// The score of player 0 after its games, not after each of them where they are many.
    pub(super) fn course(&self) -> impl Iterator<Item = (u64, Score)> + '_ {
        self.course.points()
    }

    /// The points of a player after each round, from round 0; none where there are no rounds.
    pub(super) fn by_round(&self, player: usize) -> Option<Vec<f64>> {
        let without = self.rounds.iter().filter_map(|scores| scores.first()).any(|score| score.games() > 0);
        if self.last_round < 2 || without {
            return None;
        }
        let scores = self.rounds.get(player).map_or(&[][..], Vec::as_slice);
        let mut points = 0.0;
        let after = |round: usize| {
            points += scores.get(round).map_or(0.0, |score| score.points());
            points
        };
        Some((0..=ROUNDS.min(self.last_round as usize)).map(after).collect())
    }

    /// The last round.
    pub(super) fn last_round(&self) -> u32 {
        self.last_round
    }

    /// The plies of the longest game with times.
    pub(super) fn longest_timed(&self) -> usize {
        self.times.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The time that a player took, by bins of `bin` ply numbers.
    pub(super) fn times(&self, player: usize, bin: usize) -> Vec<Spent> {
        let plies = self.times.get(player).map_or(&[][..], Vec::as_slice);
        plies.chunks(bin).map(|plies| plies.iter().copied().sum()).collect()
    }

    /// One more than the highest index of a player, as far as it was scored or timed.
    pub(super) fn players(&self) -> usize {
        self.cross.len().max(self.times.len())
    }
}

impl<'a> FromIterator<&'a GameRow> for Census {
    fn from_iter<I: IntoIterator<Item = &'a GameRow>>(games: I) -> Census {
        let mut census = Census::default();
        games.into_iter().for_each(|game| census.add(game));
        census
    }
}

/// The item with this index in a list that grows to have it.
fn at<T: Default + Clone>(list: &mut Vec<T>, index: usize) -> &mut T {
    if list.len() <= index {
        list.resize(index + 1, T::default());
    }
    &mut list[index]
}

/// Whether seat 1 is to move in the start position: the fifth field of its text is odd.
fn starts_second(game: &GameRow) -> bool {
    game.start.split(' ').nth(4).and_then(|ply| ply.parse::<u32>().ok()).is_some_and(|ply| ply % 2 == 1)
}
