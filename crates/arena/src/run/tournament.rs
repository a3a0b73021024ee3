//! Tournaments: who meets whom, the table, and what it says about strength.
//!
//! An encounter is a unit: one game, or a pair on one deal. Round robins and gauntlets are known in advance; a Swiss round
//! is paired when the one before it is complete, from results that are themselves pure functions of their units, so that a
//! tournament resumes like a match.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::str::FromStr;

use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{NotationError, Outcome, Record, Rng, Team};
use serde::{Deserialize, Serialize};

use super::matches::{MatchError, read_result, work};
use crate::run::Journal;
use crate::run::run_units;
use crate::run::{Contestant, Pairing};
use crate::stats::elo::Estimate;
use crate::stats::expected_score::{Tally, expected_score_of};
use crate::stats::rating::{RatingList, Table, Zero, rate};
use crate::swiss::standings::{Standing, standings};
use crate::swiss::{self, Game, Round, WIN, next_round};

/// Who meets whom.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// Everyone meets everyone once; first moves are balanced.
    RoundRobin,
    /// Everyone meets everyone in a pair of games on one deal, seats exchanged.
    DoubleRoundRobin,
    /// The first contestant meets each other one in pairs.
    Gauntlet,
    /// So many rounds; equals meet equals, nobody twice.
    Swiss(u32),
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Format::RoundRobin => f.write_str("round-robin"),
            Format::DoubleRoundRobin => f.write_str("double-round-robin"),
            Format::Gauntlet => f.write_str("gauntlet"),
            Format::Swiss(rounds) => write!(f, "swiss:{rounds}"),
        }
    }
}

impl FromStr for Format {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Format, NotationError> {
        let rounds = |text: &str| text.strip_prefix("swiss:")?.parse().ok().filter(|n| (1..=99).contains(n));
        match text {
            "round-robin" => Ok(Format::RoundRobin),
            "double-round-robin" => Ok(Format::DoubleRoundRobin),
            "gauntlet" => Ok(Format::Gauntlet),
            _ => rounds(text).map(Format::Swiss).ok_or_else(|| {
                NotationError::new("round-robin, double-round-robin, gauntlet or swiss:ROUNDS", text, 0)
            }),
        }
    }
}

/// What a tournament depends on.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
pub struct Tournament {
    /// Who takes part.
    pub players: Vec<Contestant>,
    /// Who meets whom.
    pub format: Format,
    /// How often the whole of it is played; 1 for Swiss.
    pub cycles: u32,
    /// The rule set.
    pub rules: String,
    /// The seed of deals, players and the order of ties.
    pub seed: u64,
    /// The folder that gets what programs and we say to each other, a file a program and game. Games do not depend on it.
    #[serde(skip)]
    pub log: Option<PathBuf>,
}

/// A finished game of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Played {
    /// The round, from 1.
    pub round: u32,
    /// First and second player.
    pub seats: [usize; 2],
    /// The game.
    pub record: Record<Banqi>,
}

/// What a tournament has come to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Outcomes {
    /// Every game, round by round.
    pub games: Vec<Played>,
    /// The same as points, with byes.
    pub rounds: Vec<Round>,
}

impl Tournament {
    /// The run that a journal belongs to.
    pub fn run_name(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }

    /// Checks what can be checked before anything is played.
    ///
    /// # Errors
    /// When there are too few players, two have one name, or rules or players are not what they should be.
    pub fn check(&self) -> Result<(), MatchError> {
        let fail = |text: String| Err(MatchError::Settings(text));
        if self.players.len() < 2 {
            return fail(format!("expected at least two contestants, found {}", self.players.len()));
        }
        let rules: RuleSet = match self.rules.parse() {
            Ok(rules) => rules,
            Err(error) => return fail(error.to_string()),
        };
        if let Format::Swiss(rounds) = self.format
            && rounds > swiss::most_rounds(self.players.len())
        {
            return fail(format!(
                "{} players cannot play {}: nobody meets the same opponent twice, so swiss:{} is the most",
                self.players.len(),
                self.format,
                swiss::most_rounds(self.players.len())
            ));
        }
        for (i, player) in self.players.iter().enumerate() {
            if self.players[..i].iter().any(|p| p.name == player.name) {
                return fail(format!("two contestants are called {:?}", player.name));
            }
            if let Err(error) = player.check(&rules) {
                return fail(error);
            }
        }
        Ok(())
    }

    /// Plays the tournament, beginning with what the journal already has. `heard` is told of every game of a round when the
    /// round is complete.
    ///
    /// # Errors
    /// When the settings do not make sense or the journal fails.
    pub fn run(
        &self,
        mut journal: Option<&mut Journal>,
        threads: usize,
        heard: &mut dyn FnMut(&Outcomes),
    ) -> Result<Outcomes, MatchError> {
        self.check()?;
        let mut outcomes = Outcomes::default();
        let mut greeted = false;
        let order = self.tie_order();
        for round in 1.. {
            let Some(swiss::Pairing { boards, bye }) = self.boards(round, &outcomes.rounds, &order) else {
                break;
            };
            let texts: Vec<String> =
                boards.iter().zip(1..).map(|(&b, n)| self.pairing(round, n, b).text()).collect();
            let mut results: BTreeMap<String, Vec<Record<Banqi>>> = BTreeMap::new();
            for text in &texts {
                if let Some(result) = journal.as_ref().and_then(|j| j.result(text)) {
                    results.insert(text.clone(), read_result(result).map_err(MatchError::Settings)?);
                }
            }
            let left: Vec<String> = texts.iter().filter(|t| !results.contains_key(*t)).cloned().collect();
            if !left.is_empty() && !std::mem::replace(&mut greeted, true) {
                let log = self.log.as_deref();
                self.players.iter().try_for_each(|player| player.greet(log)).map_err(MatchError::Settings)?;
            }
            let work = work(journal.is_some(), self.log.as_deref());
            run_units(left, threads, journal.as_deref_mut(), work, |unit, records| {
                results.insert(unit, records);
                ControlFlow::Continue(())
            })?;
            let mut games = Vec::new();
            for (text, &(first, second)) in texts.iter().zip(&boards) {
                let records = results.remove(text).unwrap_or_default();
                for (record, seats) in records.into_iter().zip([[first, second], [second, first]]) {
                    games.push(Game { first: seats[0], second: seats[1], points: points(&record) });
                    outcomes.games.push(Played { round, seats, record });
                }
            }
            outcomes.rounds.push(Round { games, bye });
            heard(&outcomes);
        }
        Ok(outcomes)
    }

    /// The final table.
    pub fn table(&self, outcomes: &Outcomes) -> Vec<Standing> {
        standings(&outcomes.rounds, &self.tie_order())
    }

    /// How strong the players are, as far as these games tell.
    pub fn ratings(&self, outcomes: &Outcomes) -> RatingList {
        let mut table = Table::new(self.players.len());
        for game in outcomes.rounds.iter().flat_map(|round| &round.games) {
            let won = |i: usize| u64::from(game.points[i] == WIN);
            let drawn = u64::from(game.points == [1, 1]);
            table.add(game.first, game.second, Tally { wins: won(0), draws: drawn, losses: won(1) });
        }
        rate(&table, Zero::Mean)
    }

    /// What each player may expect in a round robin of this field: paper 000, equation (1). An opponent is stronger or
    /// weaker if the ratings say so with 95 % confidence, and equal otherwise.
    pub fn expected_scores(&self, outcomes: &Outcomes, list: &RatingList) -> Vec<Estimate> {
        let n = self.players.len();
        let score = |player: usize| {
            let class = |other: usize| match list.los[player][other] {
                los if los >= 0.95 => 0,
                los if los <= 0.05 => 2,
                _ => 1,
            };
            let mut classes = [(0u32, Tally::default()); 3];
            for other in (0..n).filter(|&o| o != player) {
                classes[class(other)].0 += 1;
            }
            for game in outcomes.rounds.iter().flat_map(|round| &round.games) {
                let (other, own) = match player {
                    p if p == game.first => (game.second, game.points[0]),
                    p if p == game.second => (game.first, game.points[1]),
                    _ => continue,
                };
                let tally = &mut classes[class(other)].1;
                tally.wins += u64::from(own == WIN);
                tally.draws += u64::from(own == 1);
                tally.losses += u64::from(own == 0);
            }
            expected_score_of(&classes)
        };
        (0..n).map(score).collect()
    }

    /// Players in the order that decides where everything else is equal.
    fn tie_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        Rng::stream(self.seed, "ties").shuffle(&mut order);
        order
    }

    /// The boards of a round and who has a bye; none after the last round.
    fn boards(&self, round: u32, past: &[Round], order: &[usize]) -> Option<swiss::Pairing> {
        let n = self.players.len();
        let known = |boards: Vec<(usize, usize)>| swiss::Pairing { boards, bye: None };
        match self.format {
            Format::Swiss(rounds) => (round <= rounds).then(|| next_round(past, order)),
            Format::Gauntlet => {
                (round <= self.cycles).then(|| known((1..n).map(|other| (0, other)).collect()))
            }
            Format::RoundRobin | Format::DoubleRoundRobin => {
                let a_cycle = swiss::most_rounds(n);
                (round <= a_cycle * self.cycles).then(|| known(circle(n, round - 1)))
            }
        }
    }

    fn pairing(&self, round: u32, board: u64, (first, second): (usize, usize)) -> Pairing {
        let seed = match self.format {
            // Every opponent of a gauntlet gets the same deals.
            Format::Gauntlet => format!("round:{round}"),
            _ => format!("round:{round}:{board}"),
        };
        Pairing {
            pair: board,
            round,
            rules: self.rules.clone(),
            seed: Rng::stream(self.seed, &seed).next_u64(),
            deal: None,
            players: [self.players[first].clone(), self.players[second].clone()],
            single: matches!(self.format, Format::RoundRobin | Format::Swiss(_)),
        }
    }
}

/// Points of first and second player: 2 a win, 1 a draw.
fn points(record: &Record<Banqi>) -> [u32; 2] {
    match record.ending.map(|e| e.outcome) {
        Some(Outcome::Win(Team::A)) => [WIN, 0],
        Some(Outcome::Win(Team::B)) => [0, WIN],
        Some(Outcome::Draw) | None => [1, 1],
    }
}

/// Round `round` (from 0) of a round robin by the circle method: one place is fixed, the others move on by one. In an odd
/// field the fixed place is empty. Sides alternate so that nobody's first moves differ by more than one in a cycle.
fn circle(n: usize, round: u32) -> Vec<(usize, usize)> {
    let m = n + n % 2;
    let round = round as usize;
    let turn = round % (m - 1);
    let place = |i: usize| if i == 0 { m - 1 } else { (turn + i - 1) % (m - 1) };
    let swapped = (round / (m - 1)) % 2 == 1;
    (0..m / 2)
        .map(|i| {
            let (a, b) = (place(i), place(m - 1 - i));
            let exchange = if i == 0 { turn % 2 == 1 } else { i % 2 == 1 };
            if exchange == swapped { (a, b) } else { (b, a) }
        })
        .filter(|&(a, b)| a < n && b < n)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_meets_everyone_once() {
        for n in 2..=17 {
            let rounds = (n - 1 + n % 2) as u32;
            let mut met = BTreeMap::new();
            let mut firsts = vec![0i32; n];
            for round in 0..rounds {
                let boards = circle(n, round);
                let mut seen = vec![false; n];
                for (a, b) in boards {
                    assert!(!seen[a] && !seen[b], "{n} players, round {round}");
                    (seen[a], seen[b]) = (true, true);
                    *met.entry((a.min(b), a.max(b))).or_insert(0) += 1;
                    firsts[a] += 1;
                    firsts[b] -= 1;
                }
            }
            assert_eq!(met.len(), n * (n - 1) / 2, "{n} players");
            assert!(met.values().all(|&times| times == 1));
            assert!(firsts.iter().all(|f| f.abs() <= 1), "{n} players: {firsts:?}");
        }
    }

    #[test]
    fn formats_have_names() {
        for text in ["round-robin", "double-round-robin", "gauntlet", "swiss:7"] {
            assert_eq!(text.parse::<Format>().expect(text).to_string(), text);
        }
        assert!("swiss".parse::<Format>().is_err() && "swiss:0".parse::<Format>().is_err());
    }
}
