//! Holds the game, asks the dealer, keeps the record, says who won. Does no I/O and reads no clock: the caller tells
//! it how long each action took.

use std::time::Duration;

use anglerfish_rules::{Cause, Ending, Forfeit, Game, Illegal, Outcome, Ply, Record, Seat, Turn};

use crate::dealer::Dealer;
use crate::player::Player;

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

    /// What a seat may know.
    pub fn view(&self, seat: Seat) -> G::View {
        self.game.view(seat)
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
        let illegal = || Illegal(action.to_string());
        let seat = self.to_move().ok_or_else(illegal)?;
        let mut actions = Vec::new();
        self.game.actions(&mut actions);
        if !actions.contains(&action) {
            return Err(illegal());
        }
        let ply = Ply { seat, event: self.dealer.resolve(&self.game, action), took };
        self.game.apply(ply.event);
        self.record.plies.push(ply);
        self.close();
        Ok(ply)
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

/// Plays one whole game without clocks, one player a seat, and returns its record.
///
/// # Panics
/// When there are not as many players as seats.
pub fn play<G: Game>(
    start: G,
    dealer: &mut dyn Dealer<G>,
    players: &mut [&mut dyn Player<G>],
    seed: u64,
) -> Record<G> {
    assert_eq!(players.len(), usize::from(G::SEATS), "one player a seat");
    let mut referee = Referee::new(start, dealer);
    for (seat, player) in (0..).map(Seat).zip(players.iter_mut()) {
        if let Err(forfeit) = player.start(seat, seed) {
            referee.forfeit(seat, forfeit);
        }
    }
    while let Some(seat) = referee.to_move() {
        let chosen = players[usize::from(seat.0)].choose(&referee.view(seat));
        let views: Vec<G::View> = (0..G::SEATS).map(|s| referee.view(Seat(s))).collect();
        match chosen.and_then(|action| referee.step(action, Duration::ZERO).map_err(|_| Forfeit::Illegal)) {
            Err(forfeit) => referee.forfeit(seat, forfeit),
            Ok(ply) => {
                for ((seat, player), before) in (0..).map(Seat).zip(players.iter_mut()).zip(&views) {
                    if let Err(forfeit) = player.observe(before, &ply) {
                        referee.forfeit(seat, forfeit);
                    }
                }
            }
        }
    }
    referee.into_record()
}
