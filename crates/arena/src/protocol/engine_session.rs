//! The common part of all sessions: answers, tasks of thinking, and our side of the table.
//!
//! A session does no I/O and starts no thread. Where a line asks for thinking, its answer carries a [`Task`]. The
//! caller runs it on any thread and brings back the [`Thought`]. Lines may arrive in the meantime, and the session says which
//! of them have to wait.

use std::fmt;
use std::time::Duration;

use anglerfish_engine::opponent::OpponentSummary;
use anglerfish_engine::{Info, Limits, Profile, Stop};
use anglerfish_rules::banqi::{Action, Banqi, Event};
use anglerfish_rules::{Forfeit, Game, Rng, Seat};

use super::met::{Begun, Learned, Met};
use crate::table::{Budget, Clocks, Draws, MoveRequest, Player, Table, now};

/// Why a line is not obeyed, in words for its sender.
pub(super) struct Refused(pub(super) String);

impl<E: fmt::Display> From<E> for Refused {
    fn from(why: E) -> Refused {
        Refused(why.to_string())
    }
}

/// Puts a player's model of its opponent into words.
pub type Describe = fn(&OpponentSummary) -> Option<String>;

/// Our side of a protocol.
pub trait Session {
    /// Adds the player's model of its opponent to the answers, in the words of `words`.
    fn describe_opponent(&mut self, words: Describe);

    /// Takes one line.
    fn receive(&mut self, line: &str) -> Answer;

    /// Takes the result of a task.
    fn thought(&mut self, thought: Thought) -> Answer;

    /// What was learned of the opponent, if it is the same in all games.
    fn learned(&self) -> Option<Learned> {
        None
    }

    /// Takes one line and thinks at once, for tests and fuzzers. An endless search is stopped before it begins.
    fn line(&mut self, line: &str) -> Answer {
        let mut answer = self.receive(line);
        let mut lines = std::mem::take(&mut answer.lines);
        let mut notes = std::mem::take(&mut answer.notes);
        let mut learned = answer.learned.take();
        while let Then::Think(task) = answer.then {
            let stop = Stop::default();
            if task.endless {
                stop.set();
            }
            let thought = task.run(&stop, &mut |line| lines.push(line));
            answer = self.thought(thought);
            lines.append(&mut answer.lines);
            notes.append(&mut answer.notes);
            learned = answer.learned.take().or(learned);
        }
        Answer { lines, notes, learned, ..answer }
    }
}

/// The answer of a session to a line.
#[derive(Debug, Default)]
pub struct Answer {
    /// The lines to write.
    pub lines: Vec<String>,
    /// Messages for spectators, outside the protocol: a referee must not read them as answers.
    pub notes: Vec<String>,
    /// What was learned of the opponent, if it is time to store it.
    pub learned: Option<Box<Learned>>,
    /// What to do next.
    pub then: Then,
}

/// What to do when the lines of an answer are written.
#[derive(Debug, Default)]
pub enum Then {
    /// Wait for a line.
    #[default]
    Listen,
    /// Run this task, return its result, and read further lines meanwhile.
    Think(Box<Task>),
    /// The line has to wait: repeat it when the thinking is over, and then the lines behind it.
    Hold,
    /// The same, and stop the thinking at once.
    Interrupt,
    /// Leave.
    Quit,
}

impl Answer {
    pub(super) fn line(line: impl Into<String>) -> Answer {
        Answer { lines: vec![line.into()], ..Answer::default() }
    }

    pub(super) fn silence() -> Answer {
        Answer::default()
    }

    pub(super) fn then(then: Then) -> Answer {
        Answer { then, ..Answer::default() }
    }
}

/// Why a player thinks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Work {
    /// It is the player to move.
    Choose,
    /// It ponders on the opponent's time.
    Ponder,
}

/// Writes the state of a search as lines of a protocol.
pub(super) type Tell = fn(&Banqi, &Info<Banqi>) -> Vec<String>;

/// A search to run, with its player.
pub struct Task {
    player: Box<dyn Player<Banqi>>,
    game: Banqi,
    ask: MoveRequest,
    work: Work,
    tell: Option<Tell>,
    /// Whether it runs until it is stopped.
    pub endless: bool,
}

impl fmt::Debug for Task {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Task")
            .field("work", &self.work)
            .field("game", &self.game.to_string())
            .finish_non_exhaustive()
    }
}

/// The result of a [`Task`].
pub struct Thought {
    player: Box<dyn Player<Banqi>>,
    choice: Result<Action, Forfeit>,
    work: Work,
    took: Duration,
    /// The answer that the player expects to its choice.
    pub(super) expected: Option<Action>,
    /// Whether it was stopped.
    pub(super) stopped: bool,
}

impl Task {
    /// Runs the search; `say` gets the lines to write meanwhile.
    pub fn run(mut self, stop: &Stop, say: &mut dyn FnMut(String)) -> Thought {
        let begin = now();
        let mut seen = None;
        let choice = match self.work {
            Work::Ponder => {
                self.player.ponder(&self.game, Limits::default(), stop);
                Err(Forfeit::Protocol)
            }
            Work::Choose => self.player.think(&self.game, &self.ask, stop, &mut |info| {
                seen = info.lines.first().cloned();
                self.tell.iter().flat_map(|tell| tell(&self.game, info)).for_each(&mut *say);
            }),
        };
        let choice = choice.map(|choice| choice.action);
        let expected = choice.ok().and_then(|choice| seen?.answer_to(choice));
        let (took, stopped) = (begin.elapsed(), stop.is_set());
        Thought { player: self.player, choice, work: self.work, took, expected, stopped }
    }
}

/// Our side of a session: a player, and a copy of the referee's table.
pub(super) struct EngineSession {
    /// The player; `None` while it thinks.
    player: Option<Box<dyn Player<Banqi>>>,
    work: Option<Work>,
    seed: u64,
    /// A copy of the referee's table. It is told every event, so its dealer is never asked.
    table: Table<Banqi>,
    /// How many plies the player has heard: it learns its seat only when it has to move.
    heard: usize,
    pub(super) seat: Option<Seat>,
    /// The knowledge of an opponent that is the same in every game.
    met: Option<Met>,
    /// Whether there was a game.
    played: bool,
    /// Puts the player's model of the opponent into words; and the words last written.
    pub(super) describe: Option<Describe>,
    said: String,
}

fn table(start: Banqi, clocks: &Clocks) -> Table<Banqi> {
    Table::new(start, Draws(Rng::new(0)), *clocks)
}

impl EngineSession {
    pub(super) fn new(player: Box<dyn Player<Banqi>>, start: Banqi, seed: u64) -> EngineSession {
        let table = table(start, &Clocks::new([Budget::default(); 2]));
        EngineSession {
            player: Some(player),
            work: None,
            seed,
            table,
            heard: 0,
            seat: None,
            met: None,
            played: false,
            describe: None,
            said: String::new(),
        }
    }

    /// The game as it stands.
    pub(super) fn game(&self) -> &Banqi {
        self.table.game()
    }

    pub(super) fn clocks(&self) -> &Clocks {
        self.table.clocks()
    }

    pub(super) fn clocks_mut(&mut self) -> &mut Clocks {
        self.table.clocks_mut()
    }

    /// Why the player thinks, if it does.
    pub(super) fn work(&self) -> Option<Work> {
        self.work
    }

    /// The player, unless it is thinking.
    pub(super) fn player(&mut self) -> Option<&mut dyn Player<Banqi>> {
        match &mut self.player {
            Some(player) => Some(&mut **player),
            None => None,
        }
    }

    /// Sets one opponent for all games, with what is known of it. A game with it may have been interrupted.
    pub(super) fn meet(&mut self, known: Option<Profile>, broken: Option<Begun>) {
        self.met = Some(Met::new(known.clone(), broken));
        if let Some(player) = &mut self.player {
            player.expect(known);
        }
    }

    /// What was learned of an opponent that is always the same.
    pub(super) fn learned(&self) -> Option<Learned> {
        let met = self.met.as_ref().filter(|_| self.played)?;
        let profile = self.player.as_ref()?.profile()?;
        Some(Learned { profile, game: Begun { plies: self.plies().collect(), before: met.before.clone() } })
    }

    /// The same, if the game is over or enough is new.
    pub(super) fn worth_keeping(&mut self) -> Option<Box<Learned>> {
        let (learned, over) = (self.learned()?, self.game().turn().seat().is_none());
        self.met.as_mut()?.is_worth_keeping(&learned, over).then(|| Box::new(learned))
    }

    fn plies(&self) -> impl Iterator<Item = Event> {
        self.table.record().plies.iter().map(|ply| ply.event)
    }

    /// The player's present model of the opponent in words, if they are new.
    pub(super) fn news(&mut self) -> Option<String> {
        let describe = self.describe?;
        let said = format!("opponent: {}", describe(&self.player.as_ref()?.summary())?);
        let new = said != self.said;
        self.said.clone_from(&said);
        new.then_some(said)
    }

    /// A new game.
    pub(super) fn reset(&mut self, start: Banqi) {
        if self.seat.is_some()
            && let Some(Learned { profile, .. }) = self.learned()
            && let Some(met) = &mut self.met
            && let Some(player) = &mut self.player
        {
            met.before = Some(profile.clone());
            player.expect(Some(profile));
        }
        self.table = table(start, self.clocks());
        self.stand_up();
    }

    /// Makes the player start a new game before its next move.
    pub(super) fn stand_up(&mut self) {
        self.seat = None;
        self.heard = 0;
    }

    /// Sets a game that was told as a whole. If it continues the present game, the player goes on with it.
    pub(super) fn place(&mut self, start: Banqi, events: &[Event]) -> Result<(), Refused> {
        let mut placed = table(start, self.clocks());
        for &event in events {
            placed
                .apply_event(event, Duration::ZERO)
                .map_err(|_| Refused::from(format!("{event} is not possible here")))?;
        }
        let (old, new) = (self.table.record(), placed.record());
        // A game told as a single position has no plies: it may be the present one.
        let same = old.plies.is_empty() || old.start == new.start;
        if !same || !new.plies.starts_with(&old.plies) {
            self.stand_up();
        }
        self.table = placed;
        Ok(())
    }

    /// Plays a ply that was told, if it is possible.
    pub(super) fn apply_event(&mut self, event: Event) -> Result<(), Refused> {
        self.table
            .apply_event(event, Duration::ZERO)
            .map_err(|_| Refused::from(format!("{event} is not possible here")))?;
        if self.seat.is_some() {
            // A player that cannot go on reports it when it has to move.
            let _ = self.catch_up();
        }
        Ok(())
    }

    /// Tells the player the plies that it has not heard.
    fn catch_up(&mut self) -> Result<(), Forfeit> {
        let Some(player) = &mut self.player else { return Ok(()) };
        for (before, ply) in self.table.story().skip(self.heard) {
            player.observe(&before, &ply, self.table.clocks())?;
        }
        self.heard = self.table.record().plies.len();
        Ok(())
    }

    /// The task of choosing the next move.
    pub(super) fn choose(
        &mut self,
        ask: &MoveRequest,
        endless: bool,
        tell: Option<Tell>,
    ) -> Result<Then, Refused> {
        let Some(seat) = self.game().turn().seat() else { return Err("the game is over".into()) };
        if self.seat != Some(seat)
            && let Some(player) = &mut self.player
        {
            let plies = self.table.record().plies.iter().map(|ply| ply.event);
            if let Some(met) = &mut self.met
                && met.goes_on(plies)
            {
                player.expect(met.before.clone());
            }
            player.start(seat, self.seed, self.table.clocks())?;
            (self.seat, self.played) = (Some(seat), true);
            self.heard = 0;
        }
        self.catch_up()?;
        self.hand_out(Work::Choose, ask, endless, tell).ok_or(Refused::from("still thinking"))
    }

    /// What to do while the opponent thinks: ponder, if the player does so.
    pub(super) fn meanwhile(&mut self) -> Then {
        let ponders =
            self.player.as_ref().is_some_and(|player| player.config().is_some_and(|config| config.ponder));
        let theirs = self.game().turn().seat().is_some_and(|turn| self.seat.is_some_and(|seat| seat != turn));
        let ask = MoveRequest::clocks(*self.clocks());
        let task = (ponders && theirs).then(|| self.hand_out(Work::Ponder, &ask, true, None)).flatten();
        task.unwrap_or_default()
    }

    fn hand_out(&mut self, work: Work, ask: &MoveRequest, endless: bool, tell: Option<Tell>) -> Option<Then> {
        let player = self.player.take()?;
        self.work = Some(work);
        let game = self.game().clone();
        Some(Then::Think(Box::new(Task { player, game, ask: *ask, work, tell, endless })))
    }

    /// Takes the player back, with a choice or without.
    pub(super) fn back(&mut self, thought: Thought) -> Option<Result<Action, Refused>> {
        let Thought { player, choice, work, took, .. } = thought;
        self.player = Some(player);
        self.work = None;
        if work == Work::Ponder {
            return None;
        }
        // Until we are told the time left, we count it ourselves; the first ply of a game is free.
        if let Some(seat) = self.seat.filter(|_| self.game().position().ply() > 0)
            && matches!(self.clocks().budget(seat), Budget::Game { .. })
        {
            let left = self.clocks().left(seat).saturating_sub(took);
            self.clocks_mut().set_left(seat, left);
        }
        Some(choice.map_err(Refused::from))
    }

    pub(super) fn set_left(&mut self, seat: Seat, ms: u64) {
        self.clocks_mut().set_left(seat, Duration::from_millis(ms));
    }
}
