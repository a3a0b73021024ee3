//! The participants of a run as plain data, and how a player is made from one.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::Path;

use anglerfish_engine::{Assets, Config, SearchKind};
use anglerfish_rules::{NotationError, Seat};
use serde::{Deserialize, Serialize};

use crate::arena_game::ArenaGame;
use crate::error::ArenaError;
use crate::program::Program;
use crate::protocol::Protocol;
use crate::table::{Budget, Clocks, EnginePlayer, Player};

/// A participant of a run.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Contestant {
    /// Its name in reports.
    pub name: String,
    /// Its kind.
    pub kind: ContestantKind,
    /// The text of its [`Budget`].
    pub budget: String,
}

/// One of our own players, or a program.
#[derive(Clone, Debug, Deserialize, Eq, PartialEq, Serialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ContestantKind {
    /// The text of an engine's [`Config`], such as `alphabeta,threads=2`.
    Builtin(String),
    /// A child process with a line protocol.
    Program {
        /// The command that starts it.
        start: Program,
        /// Its protocol.
        proto: Protocol,
        /// The SHA-256 of the files it consists of, as far as the command line tells, by name.
        #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
        files: BTreeMap<String, String>,
        /// The name and version that it reports, if it does.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        announced: String,
    },
}

impl Contestant {
    /// One of our own players.
    pub fn builtin(name: &str, player: &str, budget: &str) -> Contestant {
        let kind = ContestantKind::Builtin(player.to_owned());
        Contestant { name: name.to_owned(), kind, budget: budget.to_owned() }
    }

    /// The player itself; a program starts with its first game.
    ///
    /// # Errors
    /// When there is no such player for this game and these rules.
    pub fn player<G: ArenaGame>(
        &self,
        rules: &G::Rules,
        assets: &Assets,
    ) -> Result<Box<dyn Player<G>>, ArenaError> {
        match &self.kind {
            ContestantKind::Builtin(text) => Ok(Box::new(EnginePlayer::<G>::new(&text.parse()?, assets)?)),
            ContestantKind::Program { start, proto, .. } => G::client(rules, start, *proto),
        }
    }

    /// The same, if it is a program, as it is started here: from `elsewhere` if it has moved, isolated or not, and with a log if
    /// there is a folder: `WHAT-NAME.log`.
    pub(super) fn started(
        &self,
        log: Option<&Path>,
        isolate: bool,
        elsewhere: Option<&Program>,
        what: impl FnOnce() -> String,
    ) -> Cow<'_, Contestant> {
        let ContestantKind::Program { .. } = &self.kind else { return Cow::Borrowed(self) };
        let safe = |c: char| if c.is_alphanumeric() || "-_.".contains(c) { c } else { '_' };
        // File systems limit the length of a name.
        let name: String = self.name.chars().map(safe).take(50).collect();
        let mut contestant = self.clone();
        if let ContestantKind::Program { start, .. } = &mut contestant.kind {
            if let Some(Program { cmd, args, dir, .. }) = elsewhere {
                (start.cmd, start.args, start.dir) = (cmd.clone(), args.clone(), dir.clone());
            }
            start.isolate = isolate;
            start.log = log.map(|folder| folder.join(format!("{}-{name}.log", what())));
        }
        Cow::Owned(contestant)
    }

    /// Whether it is a child process.
    pub fn is_program(&self) -> bool {
        matches!(self.kind, ContestantKind::Program { .. })
    }

    /// Whether it repeats its games: not if it is a program, has a clock, or searches with several threads that share a table.
    pub fn is_reproducible(&self) -> bool {
        let timed = self.clock().is_ok_and(Budget::is_timed);
        match &self.kind {
            ContestantKind::Builtin(text) => {
                let config: Option<Config> = text.parse().ok();
                !timed
                    && config.is_some_and(|config| {
                        let shares = config.search == SearchKind::AlphaBeta && config.threads > 1;
                        !shares && config.movetime_ms.is_none()
                    })
            }
            ContestantKind::Program { .. } => false,
        }
    }

    /// Whether it can be made: a known name, a budget that is one, a board that it knows.
    ///
    /// # Errors
    /// When it cannot.
    pub fn check<G: ArenaGame>(&self, rules: &G::Rules, assets: &Assets) -> Result<(), ArenaError> {
        let named = |error: ArenaError| error.of(&*self.name);
        self.player::<G>(rules, assets).map_err(named)?;
        self.clock().map_err(|e| named(e.into())).map(drop)
    }

    /// Starts a program, shakes hands with it and stops it, so that a program that cannot play is found before the first game.
    /// Notes the name that it reports. Its lines go into the folder `log`; `isolate` isolates it as in the games.
    ///
    /// # Errors
    /// When the handshake fails or the folder cannot be written.
    pub fn greet<G: ArenaGame>(
        &mut self,
        rules: &G::Rules,
        log: Option<&Path>,
        isolate: bool,
    ) -> Result<(), ArenaError> {
        let budget = self.clock()?;
        let started = self.started(log, isolate, None, || "handshake".to_owned()).into_owned();
        let ContestantKind::Program { start, .. } = &started.kind else { return Ok(()) };
        if let Some(log) = &start.log {
            let why = |e| ArenaError::Program(format!("cannot write {}: {e}", log.display()));
            std::fs::File::create(log).map_err(why)?;
        }
        let mut player = started.player::<G>(rules, &Assets::default())?;
        player.start(Seat(0), 0, &Clocks::new([budget; 2])).map_err(|forfeit| {
            let why = player.complaint().unwrap_or_else(|| forfeit.to_string());
            // A user who wrote a whole command line learns where its arguments go.
            let mut words = start.cmd.split_whitespace();
            let cmd = words.next().unwrap_or_default();
            let args: Vec<String> = words.map(|arg| format!("arg={arg}")).collect();
            let hint = match args.len() {
                0 if !why.starts_with("cannot start") => String::new(),
                0 => "; cmd= is the program alone, and its arguments go into arg=".to_owned(),
                _ => format!("; its arguments go into arg=: cmd={cmd} {}", args.join(" ")),
            };
            ArenaError::Program(format!("{} cannot play: {why}{hint}", self.name))
        })?;
        if let ContestantKind::Program { announced, .. } = &mut self.kind {
            *announced = player.announced().unwrap_or_default();
        }
        Ok(())
    }

    pub(super) fn clock(&self) -> Result<Budget, NotationError> {
        self.budget.parse()
    }
}
