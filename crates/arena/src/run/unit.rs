//! The unit that every run is cut into: a number of pairs of games, and all that they depend on, as canonical text.
//!
//! A deal is luck; a paired deal is a measurement. A pair is two games on one hidden board with the seats exchanged, and a unit
//! is one pair or more. Because a unit is all that its games depend on, a machine that knows nothing else can play it, and
//! its SHA-256 is its name wherever results are kept. docs/formats.md has the fields.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{self, Read};
use std::str::FromStr;

use anglerfish_engine::{Config, ConfigError};
use anglerfish_rules::{NotationError, Rng};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::contestant::{Contestant, ContestantKind};
use crate::arena_game::ArenaGame;
use crate::error::UnitError;
use crate::luck::Judging;
use crate::table::{Adjudication, Budget};

/// The version of the text.
pub const UNIT_FORMAT: u32 = 1;

/// Some pairs of games: all that they depend on.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// [`UNIT_FORMAT`].
    pub unit: u32,
    /// The name of the game.
    pub game: String,
    /// The rule set.
    pub rules: String,
    /// The engine that has to play it: [`Identity::digest`](super::Identity::digest). Empty if any engine may play it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub engine: String,
    /// Whether playing it again gives the same bytes.
    pub reproducible: bool,
    /// The seed of everything random in the run; each pair makes its own of it.
    pub seed: u64,
    /// The round and board of a tournament, in the words of records; empty in a match.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub round: String,
    /// The number of its first pair, from 1.
    pub first: u64,
    /// The number of its pairs.
    pub pairs: u32,
    /// Whether only the first game of each pair is played: tournaments with one game a board.
    #[serde(default, skip_serializing_if = "is_false")]
    pub single: bool,
    /// How its games begin.
    pub openings: Openings,
    /// The first of them moves first in the first game of a pair, and sits in every seat of its team.
    pub players: [Contestant; 2],
    /// The SHA-256 of the files that players refer to, by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub assets: BTreeMap<String, String>,
    /// How many choices players compare for the record, their own included; with `None` the record has no thoughts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub annotate: Option<u32>,
    /// The judge of each game's luck, for its record; `None` if luck is not measured.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub luck: Option<Judging>,
    /// After how many plies games are left unfinished; `None` if they are played to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<u32>,
    /// Whether players ponder, for as many nodes as the other searches.
    #[serde(default, skip_serializing_if = "is_false")]
    pub ponder: bool,
    /// When games end early; `None` if they are played to their end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjudication: Option<Adjudication>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it so")]
pub(super) const fn is_false(value: &bool) -> bool {
    !*value
}

/// How games begin. Both games of a pair begin alike.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum Openings {
    /// From the start of the rules.
    #[default]
    None,
    /// With this many random plies.
    Random(u32),
    /// With these texts for [`ArenaGame::open`], one per pair in this order, repeated as needed.
    List(Vec<String>),
}

impl Openings {
    /// The opening of one pair, counted from 0.
    #[must_use]
    pub fn one(&self, pair: u64) -> Openings {
        self.of(pair + 1, 1)
    }

    /// The openings of the first `pairs` pairs.
    #[must_use]
    pub fn first(&self, pairs: u32) -> Openings {
        self.of(1, pairs)
    }

    /// The openings of `pairs` pairs, from `first` on.
    pub(super) fn of(&self, first: u64, pairs: u32) -> Openings {
        match self {
            Openings::List(list) if !list.is_empty() => {
                let of = |n: u64| list[((first - 1 + n) % list.len() as u64) as usize].clone();
                Openings::List((0..u64::from(pairs)).map(of).collect())
            }
            other => other.clone(),
        }
    }
}

/// The most that a machine spends on another machine's unit. A unit that asks for more is refused before a game is played.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Bounds {
    /// Bytes of its text.
    pub text: usize,
    /// Pairs of games.
    pub pairs: u32,
    /// MiB of one player's transposition table.
    pub hash_mib: u32,
    /// Threads of one player.
    pub threads: u32,
    /// Nodes of a move.
    pub nodes: u64,
    /// Plies looked ahead, and plies of an opening.
    pub plies: u32,
    /// Plies looked ahead by a search that does not count nodes.
    pub exact_plies: u32,
    /// Plies of a playout.
    pub playout: u32,
    /// Nodes of all moves together, for games of a hundred plies.
    pub all_nodes: u64,
    /// Plies of a game: what its rules allow.
    pub game_plies: u32,
    /// Seconds of a move or of a clock.
    pub seconds: u64,
    /// Whether programs are started.
    pub programs: bool,
}

impl Bounds {
    /// No bounds: for the units of this machine's own user.
    pub const OURS: Bounds = Bounds {
        text: usize::MAX,
        pairs: u32::MAX,
        hash_mib: u32::MAX,
        threads: u32::MAX,
        nodes: u64::MAX,
        plies: u32::MAX,
        exact_plies: u32::MAX,
        playout: u32::MAX,
        all_nodes: u64::MAX,
        game_plies: u32::MAX,
        seconds: u64::MAX,
        programs: true,
    };

    /// The bounds for units from strangers.
    pub const STRANGERS: Bounds = Bounds {
        text: 1 << 20,
        pairs: 4096,
        hash_mib: 256,
        threads: 4,
        nodes: 10_000_000,
        plies: 200,
        exact_plies: 3,
        playout: 1000,
        all_nodes: 1_000_000_000_000,
        game_plies: 20_000,
        seconds: 3600,
        programs: false,
    };
}

impl Unit {
    /// Its canonical text: one line of JSON, with fields in order and without default values.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }

    /// Reads a canonical text, and refuses one that exceeds `bounds`.
    ///
    /// # Errors
    /// When it is not a unit, is not canonical, or exceeds the bounds.
    pub fn read(text: &str, bounds: &Bounds) -> Result<Unit, UnitError> {
        within("bytes of text", bounds.text as u64, text.len() as u64)?;
        let unit: Unit = serde_json::from_str(text).map_err(|e| UnitError::Text(e.to_string()))?;
        if unit.unit != UNIT_FORMAT {
            return Err(UnitError::Format { expected: UNIT_FORMAT, found: unit.unit });
        }
        unit.check(bounds)?;
        let canonical = unit.text();
        if canonical != text {
            let at = canonical.bytes().zip(text.bytes()).take_while(|(a, b)| a == b).count();
            let shown = |text: &str| {
                String::from_utf8_lossy(text.as_bytes().get(at..).unwrap_or_default())
                    .chars()
                    .take(20)
                    .collect()
            };
            return Err(UnitError::Canonical { at, expected: shown(&canonical), found: shown(text) });
        }
        Ok(unit)
    }

    /// Checks what can be checked without playing.
    fn check(&self, bounds: &Bounds) -> Result<(), UnitError> {
        let wrong = |what: String| Err(UnitError::Wrong(what));
        within("pairs", u64::from(bounds.pairs), u64::from(self.pairs))?;
        if self.first == 0 || self.pairs == 0 || self.first.checked_add(u64::from(self.pairs)).is_none() {
            return wrong("pairs are counted from 1, and a unit has at least one".to_owned());
        }
        match &self.openings {
            Openings::None => {}
            Openings::Random(plies) => {
                within("plies of an opening", u64::from(bounds.plies), u64::from(*plies))?;
            }
            Openings::List(list) if list.len() == self.pairs as usize => {
                for opening in list {
                    let plies = opening.split_whitespace().count();
                    within("plies of an opening", u64::from(bounds.plies), plies as u64)?;
                }
            }
            Openings::List(list) => {
                return wrong(format!("{} openings for {} pairs", list.len(), self.pairs));
            }
        }
        if let Some(rules) = &self.adjudication {
            adjudicable(rules, &self.players)?;
        }
        if self.stop == Some(0) {
            return wrong("a game that is left has at least one ply".to_owned());
        }
        if self.annotate == Some(0) {
            return wrong("a player compares at least its own choice".to_owned());
        }
        for player in &self.players {
            player_within(player, bounds)?;
            if self.ponder && !matches!(player.clock(), Ok(Budget::Nodes(_))) {
                return wrong(format!("pondering is counted in nodes, and {} is not", player.name));
            }
            if let Ok(Budget::Nodes(nodes)) = player.clock() {
                let all = nodes.saturating_mul(100 * self.games() as u64);
                within("nodes of all moves", bounds.all_nodes, all)?;
            }
        }
        if let Some(judging) = &self.luck {
            within("nodes of a judge", bounds.nodes, judging.nodes)?;
            text_within(&judging.player, bounds).map_err(|e| e.of("the judge of luck"))?;
            // A game is some thirty flips, each with fourteen outcomes at most.
            let all = judging.nodes.saturating_mul(400 * self.games() as u64);
            within("nodes of all moves", bounds.all_nodes, all)?;
        }
        let reproducible = self.players.iter().all(Contestant::is_reproducible);
        if reproducible != self.reproducible {
            return wrong(format!("reproducible is {}, and should be {reproducible}", self.reproducible));
        }
        Ok(())
    }

    /// Does the checks that need its game, and reads its rules.
    ///
    /// # Errors
    /// When it is a unit of another game, or its rules are invalid or allow games that are too long.
    pub fn rules<G: ArenaGame>(&self, bounds: &Bounds) -> Result<G::Rules, UnitError> {
        if self.game != G::NAME {
            return Err(UnitError::Wrong(format!("expected a unit of {}, found {:?}", G::NAME, self.game)));
        }
        let rules: G::Rules =
            self.rules.parse().map_err(|e: NotationError| UnitError::Wrong(e.to_string()))?;
        within("plies of a game", u64::from(bounds.game_plies), u64::from(G::most_plies(&rules)))?;
        Ok(rules)
    }

    /// The name under which its result is stored.
    pub fn name(&self) -> Name {
        Name::of(&self.text())
    }

    /// The seed of pair `n` of the run.
    pub fn pair_seed(&self, n: u64) -> u64 {
        pair_seed(self.seed, n)
    }

    /// The seed of the players in game 1 or 2 of a pair. The deal is shared and the dice are not: otherwise two equal
    /// players would play the same game twice, and every pair would be a tie without information.
    pub fn game_seed(&self, n: u64, game: u32) -> u64 {
        Rng::stream(self.pair_seed(n), &format!("game:{game}")).next_u64()
    }

    /// The number of its games.
    pub fn games(&self) -> usize {
        self.pairs as usize * if self.single { 1 } else { 2 }
    }
}

/// The seed of pair `n` of a run.
pub(super) fn pair_seed(seed: u64, n: u64) -> u64 {
    Rng::stream(seed, &format!("pair:{n}")).next_u64()
}

fn player_within(player: &Contestant, bounds: &Bounds) -> Result<(), UnitError> {
    let named = |e: &dyn fmt::Display| UnitError::Wrong(format!("{}: {e}", player.name));
    match player.clock().map_err(|e| named(&e))? {
        Budget::Nodes(nodes) => within("nodes of a move", bounds.nodes, nodes)?,
        Budget::Move(time) => within("seconds of a move", bounds.seconds, time.as_secs())?,
        Budget::Game { base, increment } => {
            within("seconds of a clock", bounds.seconds, (base + increment).as_secs())?;
        }
    }
    match &player.kind {
        ContestantKind::Builtin(text) => text_within(text, bounds).map_err(|e| e.of(&player.name)),
        ContestantKind::Program { .. } if bounds.programs => Ok(()),
        ContestantKind::Program { .. } => Err(named(&"programs are not started for others")),
    }
}

/// Checks the rules of adjudication, and that all players report the values that it needs.
pub(super) fn adjudicable(rules: &Adjudication, players: &[Contestant]) -> Result<(), UnitError> {
    rules.check().map_err(|e| UnitError::Wrong(e.to_string()))?;
    let silent = players.iter().find_map(|player| match &player.kind {
        ContestantKind::Program { proto, .. } if !proto.has_values() => Some((&player.name, proto)),
        _ => None,
    });
    silent.map_or(Ok(()), |(name, proto)| {
        Err(UnitError::Wrong(format!(
            "{name}: adjudication needs the values of both players, and programs report none in {proto}; uci has them"
        )))
    })
}

/// Checks one of our own players.
fn text_within(text: &str, bounds: &Bounds) -> Result<(), UnitError> {
    let config: Config = text.parse().map_err(|e: ConfigError| UnitError::Wrong(e.to_string()))?;
    config_within(&config, bounds)
}

/// Checks a configuration, and those of the players that its model of opponents imitates.
fn config_within(config: &Config, bounds: &Bounds) -> Result<(), UnitError> {
    for other in config.nested_players() {
        within("nodes of a replica", bounds.nodes, other.nodes.unwrap_or_default())?;
        config_within(&other, bounds)?;
    }
    within("MiB of a table", u64::from(bounds.hash_mib), u64::from(config.hash_kib.div_ceil(1 << 10)))?;
    within("threads", u64::from(bounds.threads), u64::from(config.threads))?;
    let playout = config.mcts.playouts.size.map_or(0, u64::from).max(u64::from(config.pimc.plies));
    within("plies of a playout", u64::from(bounds.playout), playout)?;
    let depth = if config.search.takes_nodes() { bounds.plies } else { bounds.exact_plies };
    within("plies looked ahead", u64::from(depth), u64::from(config.depth.unwrap_or_default()))
}

fn within(what: &'static str, most: u64, found: u64) -> Result<(), UnitError> {
    if found <= most { Ok(()) } else { Err(UnitError::Bound { what, most, found }) }
}

/// The SHA-256 of a unit's text.
#[derive(Clone, Copy, Eq, Ord, PartialEq, PartialOrd)]
pub struct Name([u8; 32]);

impl Name {
    /// The name of a text.
    pub fn of(text: &str) -> Name {
        Name::of_bytes(text.as_bytes())
    }

    /// The name of any bytes, such as a file.
    pub fn of_bytes(bytes: &[u8]) -> Name {
        Name(Sha256::digest(bytes).into())
    }

    /// The name of a text in parts.
    ///
    /// # Errors
    /// The first error of a part.
    pub fn of_parts<E>(parts: impl IntoIterator<Item = Result<String, E>>) -> Result<Name, E> {
        let mut hash = Sha256::new();
        for part in parts {
            hash.update(part?);
        }
        Ok(Name(hash.finalize().into()))
    }

    /// The name of all bytes of a reader, for files too long for memory.
    ///
    /// # Errors
    /// When it cannot be read to its end.
    pub fn of_reader(mut reader: impl Read) -> io::Result<Name> {
        let (mut hash, mut bytes) = (Sha256::new(), vec![0; 1 << 16]);
        loop {
            match reader.read(&mut bytes) {
                Ok(0) => return Ok(Name(hash.finalize().into())),
                Ok(n) => hash.update(&bytes[..n]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
    }
}

impl FromStr for Name {
    type Err = UnitError;

    /// Reads 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Name, UnitError> {
        let wrong = || UnitError::Wrong(format!("expected 64 hexadecimal digits, found {text:?}"));
        let mut name = [0; 32];
        if text.len() != 64 || !text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f')) {
            return Err(wrong());
        }
        for (i, byte) in name.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&text[2 * i..2 * i + 2], 16).map_err(|_| wrong())?;
        }
        Ok(Name(name))
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
