//! A whole game at a table, one player per seat.

use std::time::Duration;

use anglerfish_engine::{Clock, Limits, Stop};
use anglerfish_rules::{Forfeit, Game, Ply, Record, Seat};

use super::adjudication::{Adjudication, Watch};
use super::{Clocks, MoveRequest, Player, Refusal, SystemClock, Table};

/// How a game is played.
#[derive(Clone, Copy, Debug, Default)]
pub struct GameOptions {
    /// How many choices players compare for the record; with `None` the record has no thoughts.
    pub lines: Option<usize>,
    /// Whether the others may ponder, for as many nodes as the mover says to have searched.
    pub ponder: bool,
    /// When the game ends early; with `None` it is played to its end.
    pub adjudication: Option<Adjudication>,
}

/// The players of a table, and which of them are present.
struct Company<'a, 'p, G: Game> {
    players: &'a mut [&'p mut dyn Player<G>],
    present: Vec<bool>,
    /// The complaint of the first player that left.
    complaint: Option<String>,
}

impl<G: Game> Company<'_, '_, G> {
    fn present(&mut self) -> impl Iterator<Item = (Seat, &mut (dyn Player<G> + '_))> {
        let there = self.present.iter();
        let seats = (0..).map(Seat).zip(self.players.iter_mut()).zip(there);
        seats.filter(|(_, there)| **there).map(|((seat, player), _)| (seat, &mut **player as _))
    }

    /// All players but the `chooser` may search this many nodes of `game`.
    fn ponder(&mut self, game: &G, chooser: Seat, nodes: u64) {
        for (seat, player) in self.present().filter(|(seat, _)| *seat != chooser) {
            player.ponder(&game.view(seat), Limits::nodes(nodes), &Stop::default());
        }
    }

    /// Tells all players of a ply; `before` is the game that it was played in. Returns the seats that leave.
    fn tell(
        &mut self,
        before: &G,
        ply: &Ply<G::Event>,
        clocks: &mut Clocks,
        clock: &SystemClock,
    ) -> Vec<(Seat, Forfeit)> {
        let mut gone = Vec::new();
        for (seat, player) in self.present() {
            let begin = clocks.budget(seat).is_timed().then(|| clock.now());
            let heard = player.observe(&before.view(seat), ply, clocks);
            if let Some(begin) = begin {
                clocks.charge_observation(seat, clock.now().saturating_sub(begin));
            }
            if let Err(forfeit) = heard {
                gone.push((seat, forfeit));
            }
        }
        gone
    }

    /// A seat leaves the table, and the others hear of it if the game goes on.
    fn leave(
        &mut self,
        table: &mut Table<G>,
        seat: Seat,
        forfeit: Forfeit,
        why: Option<String>,
        clock: &SystemClock,
    ) {
        let place = usize::from(seat.0);
        if !std::mem::replace(&mut self.present[place], false) {
            return;
        }
        let said = why.or_else(|| self.players[place].complaint());
        self.complaint = self.complaint.take().or(said);
        let before = table.game().clone();
        let mut gone = Vec::new();
        if let Some(ply) = table.forfeit(seat, forfeit, clock.now()) {
            gone = self.tell(&before, &ply, table.clocks_mut(), clock);
        }
        for (seat, forfeit) in gone {
            self.leave(table, seat, forfeit, None, clock);
        }
    }
}

/// Plays on at a table, with one player per seat, until the game has ended; returns the record.
///
/// Times are measured, charged and recorded where a budget is in time; a game counted in nodes carries none, so that its
/// bytes depend on the seed alone. Time beyond [`HEARING`](crate::HEARING) that a player takes to hear of a ply counts to its
/// next move. Plies that were played before the players sat down are told first.
///
/// # Panics
/// When the number of players is not the number of seats.
pub fn play<G: Game>(
    mut table: Table<G>,
    players: &mut [&mut dyn Player<G>],
    seed: u64,
    terms: GameOptions,
) -> Record<G> {
    assert_eq!(players.len(), usize::from(G::SEATS), "one player per seat");
    let clock = SystemClock::default();
    let timed = table.clocks().is_timed();
    let time = || if timed { clock.now() } else { Duration::ZERO };
    let mut company = Company { present: vec![true; players.len()], players, complaint: None };

    // Step 1. Start the players, and tell them the earlier plies.
    let mut gone = Vec::new();
    for (seat, player) in company.present() {
        if let Err(forfeit) = player.start(seat, seed, table.clocks()) {
            gone.push((seat, forfeit));
        }
    }
    for (seat, _) in &gone {
        company.present[usize::from(seat.0)] = false;
    }
    for (before, ply) in table.story() {
        gone.extend(company.tell(&before, &ply, &mut { *table.clocks() }, &clock));
    }
    for (seat, forfeit) in gone {
        company.present[usize::from(seat.0)] = true;
        company.leave(&mut table, seat, forfeit, None, &clock);
    }
    table.since = time();

    // Step 2. Ask the player to move, until the game ends.
    // A player that reports its thoughts also reports its nodes and its value.
    let lines = terms.lines.unwrap_or(usize::from(terms.ponder || terms.adjudication.is_some()));
    let mut watch = terms.adjudication.map(|rules| Watch::new(rules, G::SEATS));
    let mut adjudicated = None;
    let mut ask = MoveRequest { lines, ..MoveRequest::clocks(*table.clocks()) };
    while let Some(seat) = table.to_move() {
        if timed {
            ask.clocks = Some(*table.clocks());
        }
        let chosen = company.players[usize::from(seat.0)].choose(&table.game().view(seat), &ask);
        let ply = match chosen {
            Err(forfeit) => Err((forfeit, None)),
            Ok(choice) => match table.resolve(choice.action, time()) {
                Ok(ply) => Ok((ply, choice.thought)),
                Err(Refusal::Late(why)) => Err((Forfeit::Timeout, Some(why))),
                Err(Refusal::Illegal(illegal)) => Err((Forfeit::Illegal, Some(illegal.to_string()))),
            },
        };
        match ply {
            Err((forfeit, why)) => company.leave(&mut table, seat, forfeit, why, &clock),
            Ok((ply, thought)) => {
                if let Some(nodes) = thought.nodes.filter(|nodes| terms.ponder && *nodes > 0) {
                    company.ponder(&table.game, seat, nodes);
                }
                // Players hear of a ply with the view they had of it, which is the game before it is committed.
                let gone = company.tell(&table.game, &ply, &mut table.clocks, &clock);
                table.commit(ply, time());
                let value = thought.value;
                if terms.lines.is_some() {
                    table.annotate(thought);
                }
                for (seat, forfeit) in gone {
                    company.leave(&mut table, seat, forfeit, None, &clock);
                }
                if table.to_move().is_some()
                    && let Some(watch) = &mut watch
                    && let Some((outcome, rule)) = watch.hear(seat.team(), value, table.record().plies.len())
                {
                    table.adjudicate(outcome);
                    adjudicated = Some(rule);
                }
            }
        }
    }
    let mut record = table.into_record();
    if let Some(rule) = adjudicated {
        record.set_tag("Adjudication", &rule);
    }
    if let Some(complaint) = company.complaint {
        record.set_tag("Complaint", &complaint.replace(['\n', '\r'], " "));
    }
    record
}
