//! Tournaments: the pairings, the table, and what it says about strength.
//!
//! An encounter is a unit: one game, or a pair on one deal. Round robins and gauntlets are known in advance; a Swiss round
//! is paired when the one before it is complete. Its results are pure functions of their units, so a tournament resumes like
//! a match.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::ControlFlow;
use std::str::FromStr;

use anglerfish_rules::{NotationError, Outcome, Record, Rng, RngExt, Team};
use serde::{Deserialize, Serialize};

use super::contestant::Contestant;
use super::identity::Identity;
use super::matches::MatchError;
use super::result_store::{ResultStore, UnitResult};
use super::unit::{Name, Openings, UNIT_FORMAT, Unit, adjudicable};
use super::units::{Panicked, reborrow, run_units};
use super::worker::{Worker, read_games, write_games};
use crate::arena_game::ArenaGame;
use crate::error::ArenaError;
use crate::luck::Judging;
use crate::stats::elo::{Estimate, Pentanomial};
use crate::stats::expected_score::{Results, expected_score_of};
use crate::stats::rating::{Crosstable, RatingList, Zero, rate};
use crate::swiss::standings::{Standing, standings};
use crate::swiss::{self, Game, Round, WIN, next_round};
use crate::table::Adjudication;

/// How players are paired.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Format {
    /// All players meet once; first moves are balanced.
    RoundRobin,
    /// All players meet in a pair of games on one deal, with the seats exchanged.
    DoubleRoundRobin,
    /// The first contestant meets each other one in pairs.
    Gauntlet,
    /// This many rounds; players with equal scores meet, and no pair meets twice.
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

/// The settings of a tournament.
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Tournament {
    /// The name of the game.
    pub game: String,
    /// The players.
    pub players: Vec<Contestant>,
    /// How players are paired.
    pub format: Format,
    /// How often the whole tournament is played; 1 for Swiss.
    pub cycles: u32,
    /// The rule set.
    pub rules: String,
    /// The seed of deals, players and the order of ties.
    pub seed: u64,
    /// The SHA-256 of the files that players refer to, by name.
    #[serde(default)]
    pub assets: BTreeMap<String, String>,
    /// The judge of each game's luck; `None` if luck is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Judging>,
    /// When games end early; `None` if they are played to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
    /// The engine that plays it.
    #[serde(default)]
    pub engine: Identity,
}

/// A finished game of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct TournamentGame<G: ArenaGame> {
    /// The round, from 1.
    pub round: u32,
    /// First and second player.
    pub seats: [usize; 2],
    /// The game.
    pub record: Record<G>,
}

/// The games and results of a tournament.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcomes<G: ArenaGame> {
    /// Every game, round by round.
    pub games: Vec<TournamentGame<G>>,
    /// The same as points, with byes.
    pub rounds: Vec<Round>,
}

/// What a tournament tells while it is played.
pub enum TournamentNews<'a, G: ArenaGame> {
    /// The games of an encounter, as soon as it has ended or was found in the result store.
    Encounter(&'a [TournamentGame<G>]),
    /// All games up to a round that is complete.
    Round(&'a Outcomes<G>),
}

impl<G: ArenaGame> Default for Outcomes<G> {
    fn default() -> Outcomes<G> {
        Outcomes { games: Vec::new(), rounds: Vec::new() }
    }
}

impl<G: ArenaGame> Outcomes<G> {
    /// Adds the games of an encounter, in a round that need not be complete.
    pub fn add(&mut self, games: &[TournamentGame<G>]) {
        for game in games {
            let n = game.round as usize;
            self.rounds.resize_with(self.rounds.len().max(n), Round::default);
            let [first, second] = game.seats;
            self.rounds[n - 1].games.push(Game { first, second, points: points(&game.record) });
            self.games.push(game.clone());
        }
    }

    /// What a player scored, by pairs of games; a single game counts as a pair of equal ones.
    pub fn pairs_of(&self, player: usize) -> Pentanomial {
        let mut pairs = BTreeMap::<(usize, usize), Vec<u32>>::new();
        for (n, game) in
            self.rounds.iter().zip(0..).flat_map(|(round, n)| round.games.iter().map(move |game| (n, game)))
        {
            let (other, own) = match player {
                p if p == game.first => (game.second, game.points[0]),
                p if p == game.second => (game.first, game.points[1]),
                _ => continue,
            };
            pairs.entry((n, other)).or_default().push(own);
        }
        let mut counts = Pentanomial::default();
        for games in pairs.values() {
            counts.add((2 * games.iter().sum::<u32>() / games.len() as u32) as u8);
        }
        counts
    }
}

impl Tournament {
    /// The run that a journal belongs to.
    pub fn run_name(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }

    /// Checks what can be checked before anything is played.
    ///
    /// # Errors
    /// When there are too few players, two have the same name, or rules or players are invalid.
    pub fn check<G: ArenaGame>(&self, worker: &Worker) -> Result<(), MatchError> {
        let fail = |text: String| Err(MatchError::Settings(text));
        if self.players.len() < 2 {
            return fail(format!("expected at least two contestants, found {}", self.players.len()));
        }
        let rules: G::Rules = self.rules.parse().map_err(ArenaError::from)?;
        if let Format::Swiss(rounds) = self.format
            && rounds > swiss::most_rounds(self.players.len())
        {
            return fail(format!(
                "{} players cannot play {}: no pair meets twice, so swiss:{} is the most",
                self.players.len(),
                self.format,
                swiss::most_rounds(self.players.len())
            ));
        }
        if let Some(rules) = &self.adjudication {
            adjudicable(rules, &self.players).map_err(ArenaError::from)?;
        }
        if let Some(judging) = &self.luck {
            judging.judge::<G>().map_err(|e| ArenaError::from(e).of("luck"))?;
        }
        for (i, player) in self.players.iter().enumerate() {
            if self.players[..i].iter().any(|p| p.name == player.name) {
                return fail(format!("two contestants are called {:?}", player.name));
            }
            player.check::<G>(&rules, &worker.assets)?;
        }
        Ok(())
    }

    /// Plays the tournament, beginning with the games that the result store already has. `heard` is told of every encounter, and of
    /// every round that is complete.
    ///
    /// # Errors
    /// When the settings are invalid or the result store fails.
    pub fn run<G: ArenaGame>(
        &self,
        worker: &Worker,
        mut ledger: Option<&mut dyn ResultStore>,
        threads: usize,
        heard: &mut dyn FnMut(TournamentNews<'_, G>),
    ) -> Result<Outcomes<G>, MatchError> {
        self.check::<G>(worker)?;
        let mut outcomes = Outcomes::default();
        let order = self.tie_order();
        let engine = self.engine.digest();
        for round in 1.. {
            let Some(swiss::Pairing { boards, bye }) = self.boards(round, &outcomes.rounds, &order) else {
                break;
            };
            let units = boards.iter().zip(1..).map(|(&b, n)| self.unit(round, n, b, &engine).text());
            let texts: Vec<(usize, String)> = units.enumerate().collect();
            let mut results: BTreeMap<usize, Vec<TournamentGame<G>>> = BTreeMap::new();
            let mut ended = |n: usize, records: Vec<Record<G>>| {
                let (first, second) = boards[n];
                let seats = [[first, second], [second, first]];
                let games = records.into_iter().zip(seats);
                let games: Vec<_> =
                    games.map(|(record, seats)| TournamentGame { round, seats, record }).collect();
                heard(TournamentNews::Encounter(&games));
                results.insert(n, games);
            };
            for (n, text) in &texts {
                if let Some(ledger) = reborrow(&mut ledger)
                    && let Some(done) = ledger.get(&Name::of(text))?
                {
                    // One that has failed is tried again.
                    if let UnitResult::Result(result) = done {
                        ended(*n, read_games(&result)?);
                    }
                }
            }
            let keep = ledger.is_some();
            let work = |unit: &str| {
                let records = worker.play::<G>(unit)?;
                let text = if keep { write_games(&records) } else { String::new() };
                Ok((records, text))
            };
            run_units(texts.clone(), threads, reborrow(&mut ledger), work, |_, n, result| {
                ended(n, result.map_err(|why| failed(round, n, &why))?);
                Ok::<_, MatchError>(ControlFlow::Continue(()))
            })?;
            let mut games = Vec::new();
            for game in results.into_values().flatten() {
                let [first, second] = game.seats;
                games.push(Game { first, second, points: points(&game.record) });
                outcomes.games.push(game);
            }
            outcomes.rounds.push(Round { games, bye });
            heard(TournamentNews::Round(&outcomes));
        }
        Ok(outcomes)
    }

    /// The final table: by points and tie-breaks, and in a gauntlet by rating.
    ///
    /// In a gauntlet points are of unequal numbers of games, and even points per game are of unequal opponents: the first
    /// contestant's are against the whole field, those of the others against the first alone. A rating puts all of them on one scale.
    pub fn table<G: ArenaGame>(&self, outcomes: &Outcomes<G>) -> Vec<Standing> {
        let mut table = standings(&outcomes.rounds, &self.tie_order());
        if self.format == Format::Gauntlet {
            let list = self.ratings(outcomes);
            let elo = |standing: &Standing| list.ratings[standing.player].value;
            table.sort_by(|a, b| elo(b).total_cmp(&elo(a)));
        }
        table
    }

    /// How many games it has, if that does not depend on results.
    pub fn games(&self) -> u64 {
        let n = self.players.len() as u64;
        let cycles = u64::from(self.cycles);
        match self.format {
            Format::Gauntlet => 2 * n.saturating_sub(1) * cycles,
            Format::RoundRobin => n * n.saturating_sub(1) / 2 * cycles,
            Format::DoubleRoundRobin => n * n.saturating_sub(1) * cycles,
            Format::Swiss(rounds) => n / 2 * u64::from(rounds),
        }
    }

    /// The ratings of the players from these games. Zero is the mean; in a gauntlet it is the first contestant, against which the others are
    /// compared.
    pub fn ratings<G: ArenaGame>(&self, outcomes: &Outcomes<G>) -> RatingList {
        let mut table = Crosstable::new(self.players.len());
        for game in outcomes.rounds.iter().flat_map(|round| &round.games) {
            let won = |i: usize| u64::from(game.points[i] == WIN);
            let drawn = u64::from(game.points == [1, 1]);
            table.add(game.first, game.second, Results { wins: won(0), draws: drawn, losses: won(1) });
        }
        let zero = if self.format == Format::Gauntlet { Zero::Anchor(0, 0.0) } else { Zero::Mean };
        rate(&table, zero)
    }

    /// The expected score of each player in a round robin of this field: Chang and others (2021), equation (1). An opponent is stronger or
    /// weaker if the ratings say so with 95 % confidence, and equal otherwise.
    pub fn expected_scores<G: ArenaGame>(&self, outcomes: &Outcomes<G>, list: &RatingList) -> Vec<Estimate> {
        let n = self.players.len();
        let score = |player: usize| {
            let class = |other: usize| match list.los[player][other] {
                los if los >= 0.95 => 0,
                los if los <= 0.05 => 2,
                _ => 1,
            };
            let mut classes = [(0u32, Results::default()); 3];
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

    /// The order of players that breaks ties.
    fn tie_order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players.len()).collect();
        Rng::stream(self.seed, "ties").shuffle(&mut order);
        order
    }

    /// The boards and the bye of a round; `None` after the last round.
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

    fn unit(&self, round: u32, board: u64, (first, second): (usize, usize), engine: &str) -> Unit {
        let seed = match self.format {
            // Every opponent of a gauntlet gets the same deals.
            Format::Gauntlet => format!("round:{round}"),
            _ => format!("round:{round}:{board}"),
        };
        let players = [self.players[first].clone(), self.players[second].clone()];
        Unit {
            unit: UNIT_FORMAT,
            game: self.game.clone(),
            rules: self.rules.clone(),
            engine: engine.to_owned(),
            reproducible: players.iter().all(Contestant::is_reproducible),
            seed: Rng::stream(self.seed, &seed).next_u64(),
            round: format!("{round}.{board}"),
            first: 1,
            pairs: 1,
            single: matches!(self.format, Format::RoundRobin | Format::Swiss(_)),
            openings: Openings::None,
            players,
            assets: self.assets.clone(),
            annotate: None,
            luck: self.luck.clone(),
            stop: None,
            ponder: false,
            adjudication: self.adjudication,
        }
    }
}

/// The error for a missing game: the table needs all of them.
fn failed(round: u32, board: usize, Panicked(why): &Panicked) -> MatchError {
    MatchError::Settings(format!("round {round}, board {}: the game panicked: {why}", board + 1))
}

/// Points of first and second player: 2 a win, 1 a draw.
fn points<G: ArenaGame>(record: &Record<G>) -> [u32; 2] {
    match record.ending.map(|e| e.outcome) {
        Some(Outcome::Win(Team::A)) => [WIN, 0],
        Some(Outcome::Win(Team::B)) => [0, WIN],
        Some(Outcome::Draw) | None => [1, 1],
    }
}

/// Round `round` (from 0) of a round robin by the circle method: one place is fixed, the others move on by one. In an odd
/// field the fixed place is empty. Sides alternate: within a cycle, a player moves first as often as second, give or take one.
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
