//! Two games on one hidden board, seats exchanged: the unit of every measurement.
//!
//! A deal is luck; a paired deal is a measurement. N games are N / 2 pairs, and a draw counts one half.

use std::borrow::Cow;
use std::path::Path;

use anglerfish_rules::banqi::{Banqi, Layout, RuleSet};
use anglerfish_rules::{NotationError, Outcome, Record, Rng, Seat, Team};
use serde::{Deserialize, Serialize};

use crate::program::Program;
use crate::protocol::Protocol;
use crate::table::Fixed;
use crate::table::play;
use crate::table::{Budget, Clocks};
use crate::table::{Player, builtin};

/// Somebody who takes part in a match, as plain data.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Contestant {
    /// How reports call it.
    pub name: String,
    /// What it is.
    #[serde(flatten)]
    pub kind: Kind,
    /// What it may spend; the text of a [`Budget`].
    pub budget: String,
}

/// One of our own players, or a program.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// What [`builtin`] takes.
    Builtin(String),
    /// A child process that speaks a protocol.
    Program {
        /// How it is started.
        #[serde(flatten)]
        program: Program,
        /// What it speaks.
        proto: Protocol,
    },
}

impl Contestant {
    /// The player itself; a program is started when it sits down.
    ///
    /// # Errors
    /// When no player of ours has that name.
    pub fn player(&self) -> Result<Box<dyn Player<Banqi>>, String> {
        match &self.kind {
            Kind::Builtin(name) => builtin(name),
            Kind::Program { program, proto } => Ok(proto.player(program)),
        }
    }

    /// The same, if it is a program and there is a folder, with a log there: `WHAT-NAME.log`.
    fn logging(&self, folder: Option<&Path>, what: impl FnOnce() -> String) -> Cow<'_, Contestant> {
        let (Kind::Program { program, proto }, Some(folder)) = (&self.kind, folder) else {
            return Cow::Borrowed(self);
        };
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        // No file system takes a name of any length.
        let name: String = self.name.chars().map(safe).take(50).collect();
        let file = format!("{}-{name}.log", what());
        let program = Program { log: Some(folder.join(file)), ..program.clone() };
        Cow::Owned(Contestant { kind: Kind::Program { program, proto: *proto }, ..self.clone() })
    }

    /// Whether it is a child process.
    pub fn is_program(&self) -> bool {
        matches!(self.kind, Kind::Program { .. })
    }

    /// Whether it can be made: a known name, a budget that is one, a board that it knows.
    ///
    /// # Errors
    /// When it cannot; the text says why.
    pub fn check(&self, rules: &RuleSet) -> Result<(), String> {
        let named = |error: String| format!("{}: {error}", self.name);
        if self.is_program() && rules.board != RuleSet::PLATFORM.board {
            return Err(named("programs play on the 4x8 board only".to_owned()));
        }
        self.player().map_err(named)?;
        self.clock().map_err(named).map(drop)
    }

    /// Starts a program, shakes hands with it and lets it go, so that one that cannot play is found before the first game. What
    /// is said meanwhile goes into the folder `log`.
    ///
    /// # Errors
    /// When it does not get that far, or the folder cannot be written; the text says why.
    pub fn greet(&self, log: Option<&Path>) -> Result<(), String> {
        let logging = self.logging(log, || "handshake".to_owned());
        let Kind::Program { program, .. } = &logging.kind else { return Ok(()) };
        if let Some(log) = &program.log {
            std::fs::File::create(log).map_err(|e| format!("cannot write {}: {e}", log.display()))?;
        }
        let mut player = logging.player()?;
        player.start(Seat(0), 0, &Clocks::new([self.clock()?; 2])).map_err(|forfeit| {
            let why = player.complaint().unwrap_or_else(|| forfeit.to_string());
            // Whoever wrote a whole command line is told where the rest of it goes.
            let mut words = program.cmd.split_whitespace();
            let cmd = words.next().unwrap_or_default();
            let args: Vec<String> = words.map(|arg| format!("arg={arg}")).collect();
            let hint = match args.len() {
                0 if !why.starts_with("cannot start") => String::new(),
                0 => "; cmd= is the program alone, and its arguments go into arg=".to_owned(),
                _ => format!("; its arguments go into arg=: cmd={cmd} {}", args.join(" ")),
            };
            format!("{} cannot play: {why}{hint}", self.name)
        })
    }

    fn clock(&self) -> Result<Budget, String> {
        self.budget.parse().map_err(|e: NotationError| e.to_string())
    }
}

/// All that a pair of games depends on.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Pairing {
    /// Its number, from 1.
    pub pair: u64,
    /// The round of a tournament; 0 in a match.
    #[serde(default)]
    pub round: u32,
    /// The rule set.
    pub rules: String,
    /// The seed of everything random in it.
    pub seed: u64,
    /// The deal, if it does not come from the seed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deal: Option<String>,
    /// The first of them moves first in the first game.
    pub players: [Contestant; 2],
    /// Whether only the first game is played: tournaments with one game a pairing.
    #[serde(default)]
    pub single: bool,
}

impl Pairing {
    /// The seed of the players in game 1 or 2. The deal is shared, the dice are not: two equal players would otherwise
    /// play the same game twice, and every pair would be a tie without telling anything.
    pub fn game_seed(&self, game: u32) -> u64 {
        Rng::stream(self.seed, &format!("game:{game}")).next_u64()
    }

    /// The unit: one line of JSON.
    pub fn text(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|e| unreachable!("plain data is JSON: {e}"))
    }
}

/// Plays the games of a pairing and returns their records.
///
/// # Errors
/// When the text is not a [`Pairing`], or names something that does not exist.
pub fn play_pair(text: &str) -> Result<Vec<Record<Banqi>>, String> {
    play_logged(text, None)
}

/// Plays the games of a pairing; what programs and we say to each other goes into the folder `log`.
#[inline(never)]
pub(crate) fn play_logged(text: &str, log: Option<&Path>) -> Result<Vec<Record<Banqi>>, String> {
    let pairing: Pairing = serde_json::from_str(text).map_err(|e| e.to_string())?;
    let rules: RuleSet = pairing.rules.parse().map_err(|e: NotationError| e.to_string())?;
    let layout = match &pairing.deal {
        Some(text) => text.parse().map_err(|e: NotationError| e.to_string())?,
        None => Layout::shuffled(rules.board, &mut Rng::stream(pairing.seed, "deal")),
    };
    if layout.board() != rules.board {
        return Err(format!("the deal of pair {} is for another board than the rules", pairing.pair));
    }
    let [a, b] = &pairing.players;
    let seats = if pairing.single { vec![[a, b]] } else { vec![[a, b], [b, a]] };
    let mut records = Vec::new();
    for (game, seats) in (1u32..).zip(seats) {
        let seed = pairing.game_seed(game);
        let what = |seat: &str| {
            let round =
                if pairing.round > 0 { format!("round-{:02}.", pairing.round) } else { String::new() };
            format!("{round}pair-{:04}.{game}-{seat}", pairing.pair)
        };
        let mut first = seats[0].logging(log, || what("first")).player()?;
        let mut second = seats[1].logging(log, || what("second")).player()?;
        let clocks = Clocks::new([seats[0].clock()?, seats[1].clock()?]);
        let players: &mut [&mut dyn Player<Banqi>] = &mut [&mut *first, &mut *second];
        let mut record = play(Banqi::start(rules), &mut Fixed(layout), players, seed, clocks);
        let round = if pairing.round > 0 { format!("{}.", pairing.round) } else { String::new() };
        let tags = [
            ("Round", format!("{round}{}.{game}", pairing.pair)),
            ("First", seats[0].name.clone()),
            ("Second", seats[1].name.clone()),
            ("Budget", format!("{} {}", seats[0].budget, seats[1].budget)),
            ("Seed", seed.to_string()),
            ("Deal", layout.to_string()),
        ];
        let complaint = record.tags.pop();
        for (name, value) in tags {
            record.set_tag(name, &value.replace(['\n', '\r'], " "));
        }
        record.tags.extend(complaint);
        records.push(record);
    }
    Ok(records)
}

/// What the first-named player of a pairing got from its games, in half points: 0 to 2 a game.
pub fn halves(records: &[Record<Banqi>]) -> u8 {
    let seats = [Team::A, Team::B];
    let points = records.iter().zip(seats.iter().cycle()).map(|(record, team)| {
        match record.ending.map(|e| e.outcome) {
            Some(Outcome::Win(winner)) => 2 * u8::from(winner == *team),
            Some(Outcome::Draw) | None => 1,
        }
    });
    points.sum()
}
