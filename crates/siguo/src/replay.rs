//! Plays a replay of the QQ game hall by our rules, entry by entry.

use std::error::Error;
use std::fmt;
use std::time::Duration;

use super::Siguo;
use super::event::{Action, Event};
use super::qq::{Entry, Loss, Replay};
use super::rules::{Players, Rules};
use super::station::{Arm, Station};
use super::table::{MOST_MISSED, is_played};
use anglerfish_rules::{Cause, Ending, Record};
use anglerfish_rules::{Forfeit, Game, Outcome, Ply, Turn};

/// Where a replay breaks our rules.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Violation {
    /// The entry, counted from 0.
    pub entry: usize,
    /// The reason.
    pub why: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "entry {}: {}", self.entry, self.why)
    }
}

impl Error for Violation {}

impl Replay {
    /// The same replay with the board turned by one arm, from south to east.
    #[must_use]
    fn turned(&self) -> Replay {
        let turn = |arm: Arm| arm.after(1);
        let entry = |entry: &Entry| match *entry {
            Entry::Move { from, to, clash, shown } => {
                let shown = shown.map(|at| at.map(Station::turned));
                Entry::Move { from: from.turned(), to: to.turned(), clash, shown }
            }
            Entry::Missed(arm, n) => Entry::Missed(turn(arm), n),
            Entry::Lost(arm, why) => Entry::Lost(turn(arm), why),
            Entry::Left(arm) => Entry::Left(turn(arm)),
            Entry::End(code) => Entry::End(code),
        };
        Replay {
            layouts: Arm::ALL.map(|arm| self.layouts[arm.after(3).index()]),
            recorder: self.recorder.map(turn),
            entries: self.entries.iter().map(entry).collect(),
        }
    }

    /// The game as our record, every entry checked. A game of two between east and west is turned to south and north.
    ///
    /// The file does not say which armies each player saw: the record says `four-dark`.
    ///
    /// # Errors
    /// When an entry breaks our rules.
    pub fn record(&self) -> Result<Record<Siguo>, Violation> {
        let seated = self.layouts.map(|layout| layout.is_some());
        let players = match seated {
            [true, true, true, true] => Players::Four,
            [true, false, true, false] => Players::Two,
            [false, true, false, true] => return self.turned().turned().turned().record(),
            _ => return Err(Violation { entry: 0, why: "four players, or two across the board".to_owned() }),
        };
        let rules = Rules { players, ..Rules::default() };
        if !is_played(rules, self.first()) {
            return Err(Violation { entry: 0, why: "the first arm has no player".to_owned() });
        }
        let game = Siguo::start(rules, self.layouts, self.first());
        let mut player = Player { record: Record::new(game.clone()), game, lost: Vec::new(), forfeit: None };
        for (i, &entry) in self.entries.iter().enumerate() {
            player.entry(entry).map_err(|Broken(why)| Violation { entry: i, why })?;
        }
        player.finish().map_err(|Broken(why)| Violation { entry: self.entries.len(), why })
    }

    /// The first arm to act.
    fn first(&self) -> Arm {
        let owner = |entry: &Entry| match *entry {
            Entry::Move { from, .. } => from.arm(),
            Entry::Missed(arm, _) | Entry::Lost(arm, _) => Some(arm),
            Entry::Left(_) | Entry::End(_) => None,
        };
        self.entries.iter().find_map(owner).unwrap_or(Arm::South)
    }
}

/// What is wrong with an entry; [`Violation`] adds which one.
struct Broken(String);

/// Plays a game from entries.
struct Player {
    record: Record<Siguo>,
    game: Siguo,
    /// Players who are out by the rules, with the entry yet to come.
    lost: Vec<(Arm, Loss)>,
    /// The player whose forfeit ended the game.
    forfeit: Option<(Arm, Forfeit)>,
}

impl Player {
    fn entry(&mut self, entry: Entry) -> Result<(), Broken> {
        if let Entry::Lost(arm, why @ (Loss::Flag | Loss::NoMove | Loss::Missed)) = entry {
            if why == Loss::Missed {
                self.missed(arm, MOST_MISSED)?;
            }
            let next = (!self.lost.is_empty()).then(|| self.lost.remove(0));
            return ensure(next == Some((arm, why)), || format!("{arm:?} lost by {why:?}, not {next:?}"));
        }
        ensure(self.lost.is_empty(), || format!("{:?} should be out", self.lost))?;
        if let Entry::Left(arm) = entry {
            let gone = self.forfeit.is_some_and(|(who, _)| who == arm);
            return ensure(gone || self.game.table.is_out(arm), || format!("{arm:?} left but plays"));
        }
        ensure(self.forfeit.is_none() || matches!(entry, Entry::End(_)), || "the game is over".to_owned())?;
        match entry {
            Entry::Move { from, to, clash, shown } => self.play(from, to, clash, shown),
            Entry::Missed(arm, n) => self.missed(arm, n),
            Entry::Lost(arm, why) => {
                let why = if why == Loss::Left { Forfeit::Crashed } else { Forfeit::Resigned };
                self.leaves(arm, why)
            }
            Entry::End(code) => self.end(code),
            Entry::Left(_) => Ok(()),
        }
    }

    fn push(&mut self, event: Event) -> Result<(), Broken> {
        let seat = self.game.seat_of(event).filter(|_| self.game.is_possible(event));
        let seat = seat.ok_or_else(|| Broken(format!("{event} is not possible")))?;
        self.record.plies.push(Ply { seat, event, took: Duration::ZERO });
        self.game.apply(event);
        Ok(())
    }

    fn play(
        &mut self,
        from: Station,
        to: Station,
        clash: Option<super::Clash>,
        shown: [Option<Station>; 2],
    ) -> Result<(), Broken> {
        let action = Action::Move { from, to };
        ensure(self.game.is_legal(action), || format!("{action} is not legal"))?;
        let mover = self.game.table.to_move();
        let defender = self.game.table.man(to).map(super::Man::arm);
        let event = self.game.event_of(from, to);
        let Event::Move(play) = event else { return Err(Broken("a move".to_owned())) };
        ensure(play.clash == clash, || format!("{event}, not {clash:?}"))?;
        let sorted = |mut flags: [Option<Station>; 2]| {
            flags.sort_unstable();
            flags
        };
        ensure(sorted(play.shown) == sorted(shown), || format!("{event}, not {shown:?}"))?;
        if let Some(defender) = defender {
            let why = if play.taken { Loss::Flag } else { Loss::NoMove };
            self.lost.extend((play.taken || play.walled[1]).then_some((defender, why)));
        }
        self.lost.extend(play.walled[0].then_some((mover, Loss::NoMove)));
        self.push(event)
    }

    fn missed(&mut self, arm: Arm, n: u8) -> Result<(), Broken> {
        let table = &self.game.table;
        let expected = (table.to_move(), table.missed(table.to_move()) + 1);
        ensure(expected == (arm, n), || format!("{arm:?} missed {n}, not {expected:?}"))?;
        if n == MOST_MISSED {
            self.lost.push((arm, Loss::Missed));
        }
        self.push(Event::Skip)
    }

    fn leaves(&mut self, arm: Arm, why: Forfeit) -> Result<(), Broken> {
        let seat = self.game.table.seat_of(arm).filter(|_| !self.game.table.is_out(arm));
        let seat = seat.filter(|_| !self.game.turn().is_over());
        let seat = seat.ok_or_else(|| Broken(format!("{arm:?} cannot leave")))?;
        match self.game.forfeited(seat, why) {
            Some(event) => self.push(event),
            None => {
                self.forfeit = Some((arm, why));
                let outcome = Outcome::Win(seat.team().other());
                self.record.ending = Some(Ending { outcome, cause: Cause::Forfeit(why) });
                Ok(())
            }
        }
    }

    fn end(&mut self, code: u8) -> Result<(), Broken> {
        let turn = self.game.turn();
        match (code, turn) {
            (2, Turn::Seat(_)) if self.forfeit.is_none() => self.push(Event::Agree),
            (2, Turn::Over(Outcome::Draw, _)) | (4 | 8, Turn::Over(Outcome::Win(_), _)) => Ok(()),
            (4 | 8, Turn::Seat(_)) if self.forfeit.is_some() => Ok(()),
            (2 | 4 | 8, _) => Err(Broken(format!("an end of code {code}, with {turn:?}"))),
            // The game was unfinished, or the file does not say how it ended.
            _ => Ok(()),
        }
    }

    fn finish(mut self) -> Result<Record<Siguo>, Broken> {
        ensure(self.lost.is_empty(), || format!("{:?} should be out", self.lost))?;
        if let Turn::Over(outcome, reason) = self.game.turn() {
            self.record.ending = Some(Ending { outcome, cause: Cause::Rules(reason) });
        }
        Ok(self.record)
    }
}

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Result<(), Broken> {
    if holds { Ok(()) } else { Err(Broken(why())) }
}
