//! A field of players and the games between them: data for models, networks and tests rather than a verdict.
//!
//! Every pairing is a match with its own seed, cut into the same units. Nothing is counted, so the order does not matter.

use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

use anglerfish_rules::{NotationError, Rng};

use super::contestant::Contestant;
use super::identity::Identity;
use super::matches::{Match, MatchError};
use super::unit::{Openings, Unit};
use super::worker::Worker;
use crate::arena_game::ArenaGame;

/// Which players meet.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Pairing {
    /// Each player against itself, every deal once.
    Alone,
    /// Every player against every other one, every deal twice.
    RoundRobin,
    /// The first player against every other one, every deal twice.
    Gauntlet,
}

impl Pairing {
    const ALL: [Pairing; 3] = [Pairing::Alone, Pairing::RoundRobin, Pairing::Gauntlet];
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Pairing::Alone => "self",
            Pairing::RoundRobin => "round-robin",
            Pairing::Gauntlet => "gauntlet",
        })
    }
}

impl FromStr for Pairing {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Pairing, NotationError> {
        let found = Pairing::ALL.into_iter().find(|pairing| pairing.to_string() == text);
        found.ok_or_else(|| NotationError::new("self, round-robin or gauntlet", text, 0))
    }
}

/// The settings of a field. Equal fields with node budgets play equal games.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the game.
    pub game: String,
    /// The players.
    pub players: Vec<Contestant>,
    /// Which of them meet.
    pub pairing: Pairing,
    /// The rule set.
    pub rules: String,
    /// The seed of everything random; each pairing makes its own of it.
    pub seed: u64,
    /// How games begin.
    pub openings: Openings,
    /// Games of each pairing.
    pub games: u64,
    /// Games in a unit.
    pub batch: u32,
    /// How many choices players compare for the record; with `None` the record has no thoughts.
    pub annotate: Option<u32>,
    /// After how many plies games are left unfinished; `None` if they are played to their end.
    pub stop: Option<u32>,
    /// The SHA-256 of the files that players refer to, by name.
    pub assets: BTreeMap<String, String>,
    /// The engine that plays.
    pub engine: Identity,
}

impl Field {
    /// The pairings, as matches without a test that could stop them.
    pub fn matches(&self) -> Vec<Match> {
        let n = self.players.len();
        let pairs: Vec<(usize, usize)> = match self.pairing {
            Pairing::Alone => (0..n).map(|i| (i, i)).collect(),
            Pairing::RoundRobin => (0..n).flat_map(|i| (i + 1..n).map(move |j| (i, j))).collect(),
            Pairing::Gauntlet => (1..n).map(|j| (0, j)).collect(),
        };
        let deals = u64::from(self.deal_games());
        let one = |(k, (i, j)): (usize, (usize, usize))| Match {
            game: self.game.clone(),
            players: [self.players[i].clone(), self.players[j].clone()],
            rules: self.rules.clone(),
            seed: Rng::stream(self.seed, &format!("pairing:{k}")).next_u64(),
            openings: self.openings.clone(),
            batch: (self.batch / self.deal_games()).max(1),
            annotate: self.annotate,
            luck: None,
            stop: self.stop,
            ponder: false,
            adjudication: None,
            assets: self.assets.clone(),
            engine: self.engine.clone(),
            pairs: self.games.div_ceil(deals),
            part: None,
            sprt: None,
            play_on: false,
        };
        pairs.into_iter().enumerate().map(one).collect()
    }

    /// Games on each deal.
    fn deal_games(&self) -> u32 {
        if self.pairing == Pairing::Alone { 1 } else { 2 }
    }

    /// How many units it is.
    pub fn len(&self) -> u64 {
        self.matches().iter().map(Match::len).sum()
    }

    /// Whether there is nothing to play.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Its units, from the first to before the last, pairing after pairing.
    pub fn units(&self, first: u64, last: u64) -> impl Iterator<Item = Unit> {
        let single = self.pairing == Pairing::Alone;
        let mut before = 0;
        let parts = self.matches().into_iter().map(move |pairing| {
            let from = before;
            before += pairing.len();
            let part = first.clamp(from, before) - from..last.clamp(from, before) - from;
            (pairing, part)
        });
        parts.flat_map(move |(pairing, part)| {
            let cut = pairing.cut();
            part.map(move |n| Unit { single, ..cut(n + 1) })
        })
    }

    /// Checks what can be checked before anything is played.
    ///
    /// # Errors
    /// When there are too few players, or rules, budgets, openings or players are invalid.
    pub fn check<G: ArenaGame>(&self, worker: &Worker) -> Result<(), MatchError> {
        let (least, words) = if self.pairing == Pairing::Alone { (1, "1 player") } else { (2, "2 players") };
        if self.players.len() < least {
            let (pairing, n) = (self.pairing, self.players.len());
            return Err(MatchError::Settings(format!("{pairing}: expected {words} or more, found {n}")));
        }
        for (i, player) in self.players.iter().enumerate() {
            if self.players[..i].iter().any(|other| other.name == player.name) {
                let name = &player.name;
                return Err(MatchError::Settings(format!("expected different names, found {name:?} twice")));
            }
        }
        self.matches().iter().try_for_each(|pairing| pairing.check::<G>(worker))
    }
}
