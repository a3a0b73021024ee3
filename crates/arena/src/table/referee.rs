//! Holds the game, asks the dealer, keeps the record, says who won. Does no I/O and reads no clock: the caller tells
//! it how long each action took.

use std::time::Duration;

use anglerfish_rules::{Cause, Ending, Forfeit, Game, Illegal, Outcome, Ply, Record, Seat, Turn};

use crate::table::Dealer;
use crate::table::Player;
use crate::table::{Clocks, now};

/// The truth at one table.
pub struct Referee<'a, G: Game> {
    game: G,
    dealer: &'a mut dyn Dealer<G>,
    record: Record<G>,
}

impl<'a, G: Game> Referee<'a, G> {
    /// A table at which `start` is to be played on.
    pub fn new(start: G, dealer: &'a mut dyn Dealer<G>) -> Referee<'a, G> {
        let mut referee = Referee { game: start.clone(), dealer, record: Record::new(start) };
        referee.close();
        referee
    }

    /// The game as it stands.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// How the game ended, by the rules or by a forfeit; none while it goes on.
    pub fn ending(&self) -> Option<Ending> {
        self.record.ending
    }

    /// The seat to move; none when the game has ended.
    pub fn to_move(&self) -> Option<Seat> {
        self.record.ending.map_or_else(|| self.game.turn().seat(), |_| None)
    }

    /// The record so far.
    pub fn record(&self) -> &Record<G> {
        &self.record
    }

    /// The record, for tags and for keeping.
    pub fn into_record(self) -> Record<G> {
        self.record
    }

    /// Plays an action of the seat to move.
    ///
    /// # Errors
    /// When the game has ended or the action is not legal: nothing has changed.
    pub fn step(&mut self, action: G::Action, took: Duration) -> Result<Ply<G::Event>, Illegal> {
        let ply = self.resolve(action, took)?;
        self.commit(ply);
        Ok(ply)
    }

    /// What comes of an action of the seat to move; the game has not changed yet, and it must be committed next.
    fn resolve(&mut self, action: G::Action, took: Duration) -> Result<Ply<G::Event>, Illegal> {
        let illegal = |why: String| Illegal { action: action.to_string(), why };
        let seat = self.to_move().ok_or_else(|| illegal("the game has ended".to_owned()))?;
        if let Some(why) = self.game.why_not(action) {
            return Err(illegal(why));
        }
        Ok(Ply { seat, event: self.dealer.resolve(&self.game, action), took })
    }

    fn commit(&mut self, ply: Ply<G::Event>) {
        self.game.apply(ply.event);
        self.record.plies.push(ply);
        self.close();
    }

    /// A seat loses other than on the board. No effect once the game has ended.
    pub fn forfeit(&mut self, seat: Seat, forfeit: Forfeit) {
        let outcome = Outcome::Win(seat.team().other());
        self.record.ending.get_or_insert(Ending { outcome, cause: Cause::Forfeit(forfeit) });
    }

    fn close(&mut self) {
        if let Turn::Over(outcome, reason) = self.game.turn() {
            self.record.ending.get_or_insert(Ending { outcome, cause: Cause::Rules(reason) });
        }
    }
}

/// Plays one whole game, one player a seat, and returns its record.
///
/// Times are measured, charged and recorded where a budget is in time; a game counted in nodes carries none, so that its
/// bytes depend on the seed alone. What a player takes to hear of plies beyond [`HEARING`](crate::HEARING) counts to its next move.
///
/// # Panics
/// When there are not as many players as seats.
pub fn play<G: Game>(
    start: G,
    dealer: &mut dyn Dealer<G>,
    players: &mut [&mut dyn Player<G>],
    seed: u64,
    mut clocks: Clocks,
) -> Record<G> {
    assert_eq!(players.len(), usize::from(G::SEATS), "one player a seat");
    let mut referee = Referee::new(start, dealer);
    let mut complaint = None;
    for (seat, player) in (0..).map(Seat).zip(players.iter_mut()) {
        if let Err(forfeit) = player.start(seat, seed, &clocks) {
            complaint = complaint.or_else(|| player.complaint());
            referee.forfeit(seat, forfeit);
        }
    }
    while let Some(seat) = referee.to_move() {
        let player = &mut players[usize::from(seat.0)];
        let timed = clocks.budget(seat).is_timed();
        let begin = timed.then(now);
        let chosen = player.choose(&referee.game().view(seat), &clocks);
        let (had, owed) = (clocks.had(seat), clocks.owed(seat));
        let took = begin.map_or(Duration::ZERO, |begin| begin.elapsed()) + owed;
        let ply = chosen.and_then(|action| {
            if !clocks.charge(seat, took) {
                complaint = Some(overstepped(took, had, owed));
                return Err(Forfeit::Timeout);
            }
            referee.resolve(action, took).map_err(|illegal| {
                complaint = Some(illegal.to_string());
                Forfeit::Illegal
            })
        });
        match ply {
            Err(forfeit) => {
                complaint = complaint.or_else(|| player.complaint());
                referee.forfeit(seat, forfeit);
            }
            Ok(ply) => {
                // Players hear of a ply with the view they had of it, which is the game before it is committed.
                let mut gone = Vec::new();
                for (seat, player) in (0..).map(Seat).zip(players.iter_mut()) {
                    let begin = clocks.budget(seat).is_timed().then(now);
                    let heard = player.observe(&referee.game().view(seat), &ply, &clocks);
                    if let Some(begin) = begin {
                        clocks.hear(seat, begin.elapsed());
                    }
                    if let Err(forfeit) = heard {
                        complaint = complaint.or_else(|| player.complaint());
                        gone.push((seat, forfeit));
                    }
                }
                referee.commit(ply);
                for (seat, forfeit) in gone {
                    referee.forfeit(seat, forfeit);
                }
            }
        }
    }
    let mut record = referee.into_record();
    if let Some(complaint) = complaint {
        record.set_tag("Complaint", &complaint.replace(['\n', '\r'], " "));
    }
    record
}

/// Why a flag fell.
fn overstepped(took: Duration, had: Duration, owed: Duration) -> String {
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    let hearing = if owed.is_zero() {
        String::new()
    } else {
        format!(", {} of it while it was told plies", seconds(owed))
    };
    format!("took {}{hearing}, and had {}", seconds(took), seconds(had))
}
