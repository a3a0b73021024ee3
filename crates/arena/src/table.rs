//! One game: its table, dealers, players and clocks.

mod adjudication;
mod clocks;
mod dealer;
mod play;
mod player;

use std::time::Duration;

use anglerfish_rules::{Annotation, Cause, Ending, Forfeit, Game, Illegal, Outcome, Ply, Record, Seat, Turn};
use thiserror::Error;

pub use adjudication::{Adjudication, AdjudicationError, DrawRule, ResignRule};
pub(crate) use clocks::date;
pub use clocks::{Budget, Clocks, HEARING, MARGIN, SystemClock, now};
pub use dealer::{Dealer, Draws};
pub use play::{GameOptions, play};
pub use player::{Choice, EnginePlayer, MoveRequest, Player, builtin, limits, random};

/// The referee of one game: the true position, the dealer, a clock for each seat, and the record.
///
/// It does no I/O and starts no thread, so its caller (a match, the terminal, a session, a server) decides where it
/// lives. It reads no clock either: `now` is the time on the caller's clock, counted from any moment that stays the same for the
/// whole game.
pub struct Table<G: Game> {
    game: G,
    dealer: Box<dyn Dealer<G>>,
    clocks: Clocks,
    record: Record<G>,
    /// When the clock of the seat to move began to run.
    since: Duration,
    /// Plies that cost no time, by index.
    free: Vec<usize>,
    /// The seats that have left, each with the number of plies at that time.
    gone: Vec<(Seat, usize)>,
    /// After how many plies the game is left unfinished.
    stop: usize,
}

/// Why an action was not played.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum Refusal {
    /// It came after the [deadline](Table::deadline): the seat has lost by [`Forfeit::Timeout`].
    #[error("{0}")]
    Late(String),
    /// The rules do not allow it, or the game has ended. Nothing has changed, and the clock runs on.
    #[error(transparent)]
    Illegal(#[from] Illegal),
}

impl<G: Game> Table<G> {
    /// A table that plays on from `start`. The clock of the seat to move begins to run at 0.
    pub fn new(start: G, dealer: impl Dealer<G> + 'static, clocks: Clocks) -> Table<G> {
        let (game, record) = (start.clone(), Record::new(start));
        let (since, free, gone) = (Duration::ZERO, Vec::new(), Vec::new());
        let (dealer, stop) = (Box::new(dealer), usize::MAX);
        let mut table = Table { game, dealer, clocks, record, since, free, gone, stop };
        table.close();
        table
    }

    /// Leaves the game unfinished after this many plies: then there is no player to move, and no ending.
    pub fn stop_after(&mut self, plies: usize) {
        self.stop = plies;
    }

    /// The game as it stands.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How the game ended, by the rules or by a forfeit; `None` while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.record.ending
    }

    /// The seat to move; `None` when the game has ended or was left unfinished.
    pub fn to_move(&self) -> Option<Seat> {
        let over = self.record.ending.is_some() || self.record.plies.len() >= self.stop;
        if over { None } else { self.game.turn().seat() }
    }

    /// The clocks as they stood when the last ply was played.
    pub fn clocks(&self) -> &Clocks {
        &self.clocks
    }

    /// The same, to set the times that another table tells.
    pub fn clocks_mut(&mut self) -> &mut Clocks {
        &mut self.clocks
    }

    /// The record so far.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The same, for tags.
    pub fn record_mut(&mut self) -> &mut Record<G> {
        &mut self.record
    }

    /// The record; the table ends here.
    pub fn into_record(self) -> Record<G> {
        self.record
    }

    /// Every ply with the game before it.
    pub fn story(&self) -> impl Iterator<Item = (G, Ply<G::Event>)> + '_ {
        let mut game = self.record.start.clone();
        self.record.plies.iter().map(move |ply| {
            let before = game.clone();
            game.apply(ply.event);
            (before, *ply)
        })
    }

    /// The last moment at which the seat to move may act; none while no clock runs.
    pub fn deadline(&self) -> Option<Duration> {
        let seat = self.to_move()?;
        Some((self.since + self.clocks.allowed(seat)?).saturating_sub(self.clocks.owed(seat)))
    }

    /// Plays an action of the seat to move.
    ///
    /// # Errors
    /// When it is late, which ends the seat's game, or when it is not legal, which changes nothing.
    pub fn act(&mut self, action: G::Action, now: Duration) -> Result<Ply<G::Event>, Refusal> {
        self.resolve(action, now).inspect(|ply| self.commit(*ply, now)).inspect_err(|refusal| {
            if let (Refusal::Late(_), Some(seat)) = (refusal, self.to_move()) {
                self.forfeit(seat, Forfeit::Timeout, now);
            }
        })
    }

    /// The ply that an action of the seat to move leads to. The seat is charged, but the game does not change until the ply is
    /// committed, which must come next. In between players hear of the ply, with the game as they saw it.
    fn resolve(&mut self, action: G::Action, now: Duration) -> Result<Ply<G::Event>, Refusal> {
        let illegal = |why: String| Illegal { action: action.to_string(), why };
        let seat = self.to_move().ok_or_else(|| illegal("the game has ended".to_owned()))?;
        if let Some(late) = self.late(now) {
            return Err(Refusal::Late(late));
        }
        if let Some(why) = self.game.why_not(action) {
            return Err(illegal(why).into());
        }
        let timed = self.clocks.budget(seat).is_timed();
        let took = if timed { self.took(seat, now) } else { Duration::ZERO };
        self.clocks.charge(seat, took);
        Ok(Ply { seat, event: self.dealer.resolve(&self.game, action), took })
    }

    /// Plays a resolved ply. The next seat's clock begins to run `now`.
    fn commit(&mut self, ply: Ply<G::Event>, now: Duration) {
        self.game.apply(ply.event);
        self.record.plies.push(ply);
        self.since = now;
        self.close();
    }

    /// Plays an action of an opening, which no player has chosen and which costs no time; `false` if it would end the game, and
    /// then it is not played, though the dealer may have rolled dice.
    ///
    /// # Errors
    /// When it is not legal: nothing has changed.
    pub fn open(&mut self, action: G::Action) -> Result<bool, Illegal> {
        let illegal = |why: String| Illegal { action: action.to_string(), why };
        let seat = self.to_move().ok_or_else(|| illegal("the game has ended".to_owned()))?;
        if let Some(why) = self.game.why_not(action) {
            return Err(illegal(why));
        }
        let event = self.dealer.resolve(&self.game, action);
        let mut after = self.game.clone();
        after.apply(event);
        let goes_on = !after.turn().is_over();
        if goes_on {
            self.free.push(self.record.plies.len());
            self.commit(Ply { seat, event, took: Duration::ZERO }, self.since);
        }
        Ok(goes_on)
    }

    /// Plays an event that another table has decided; it costs no player time.
    ///
    /// # Errors
    /// When it is not possible here: nothing has changed.
    pub fn apply_event(&mut self, event: G::Event, now: Duration) -> Result<Ply<G::Event>, Illegal> {
        let possible = self.ending().is_none() && self.game.is_possible(event);
        let Some(seat) = self.game.seat_of(event).filter(|_| possible) else {
            return Err(Illegal { action: event.to_string(), why: "it cannot happen now".to_owned() });
        };
        let ply = Ply { seat, event, took: Duration::ZERO };
        self.free.push(self.record.plies.len());
        self.commit(ply, now);
        Ok(ply)
    }

    /// Adds to the record what the last mover thought of its choice.
    pub fn annotate(&mut self, thought: Annotation<G::Action>) {
        if let Some(last) = self.record.plies.len().checked_sub(1) {
            self.record.annotate(last, thought);
        }
    }

    /// Ends the game of the seat to move if its deadline is over; returns that seat.
    pub fn expire(&mut self, now: Duration) -> Option<Seat> {
        let seat = self.to_move().filter(|_| self.late(now).is_some())?;
        self.forfeit(seat, Forfeit::Timeout, now);
        Some(seat)
    }

    /// The time a seat would be charged if it acted now.
    fn took(&self, seat: Seat, now: Duration) -> Duration {
        now.saturating_sub(self.since) + self.clocks.owed(seat)
    }

    /// By how much the seat to move has missed its deadline, in words.
    fn late(&self, now: Duration) -> Option<String> {
        let seat = self.to_move()?;
        let took = self.took(seat, now);
        if took <= self.clocks.allowed(seat)? {
            return None;
        }
        let (owed, had) = (self.clocks.owed(seat), self.clocks.had(seat));
        let seconds = |time: Duration| format!("{:.3} s", time.as_secs_f64());
        let hearing = if owed.is_zero() {
            String::new()
        } else {
            format!(", {} of it while it was told plies", seconds(owed))
        };
        let over = seconds(took.saturating_sub(had));
        Some(format!("took {}{hearing}, and had {}: {over} over", seconds(took), seconds(had)))
    }

    /// A seat leaves. The rules decide whether its team has lost or its ally plays on. No effect once the game has ended, or
    /// if the seat has left before.
    pub fn forfeit(&mut self, seat: Seat, forfeit: Forfeit, now: Duration) -> Option<Ply<G::Event>> {
        if self.record.ending.is_some() || self.gone.iter().any(|(left, _)| *left == seat) {
            return None;
        }
        let plies = self.record.plies.len();
        self.gone.push((seat, plies));
        let Some(event) = self.game.forfeited(seat, forfeit) else {
            let outcome = Outcome::Win(seat.team().other());
            self.record.ending = Some(Ending { outcome, cause: Cause::Forfeit(forfeit) });
            return None;
        };
        let (turn, since) = (self.to_move(), self.since);
        let ply = Ply { seat, event, took: Duration::ZERO };
        self.free.push(plies);
        self.commit(ply, now);
        if self.to_move() == turn {
            // Another seat has left: the player to move goes on thinking.
            self.since = since;
        }
        Some(ply)
    }

    /// Ends a game that goes on, by adjudication. No effect once it has ended.
    pub fn adjudicate(&mut self, outcome: Outcome) {
        self.record.ending.get_or_insert(Ending { outcome, cause: Cause::Adjudicated });
    }

    /// Takes back everything after the first `plies`. The clocks stand as they stood then, and the seat to move has all of
    /// its time again.
    pub fn take_back(&mut self, plies: usize, start: Clocks, now: Duration) {
        self.record.truncate(plies);
        (self.game, self.clocks) = (self.record.start.clone(), start);
        self.free.retain(|place| *place < plies);
        self.gone.retain(|(_, then)| *then < plies);
        for (place, ply) in self.record.plies.iter().enumerate() {
            self.game.apply(ply.event);
            if !self.free.contains(&place) {
                self.clocks.charge(ply.seat, ply.took);
            }
        }
        self.since = now;
        self.close();
    }

    fn close(&mut self) {
        if let Turn::Over(outcome, reason) = self.game.turn() {
            self.record.ending.get_or_insert(Ending { outcome, cause: Cause::Rules(reason) });
        }
    }
}
