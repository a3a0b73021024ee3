//! The public state: where each man stands and started, and which players are in the game.
//!
//! No field could store a rank. A man is identified by its starting slot, because every player can follow it
//! from there; its role is only in the [`Layout`](super::Layout) of its owner.

use super::board::reach;
use super::clues::{Clues, Slots};
use super::event::{Event, Move};
use super::role::Clash;
use super::rules::{Players, Rules};
use super::station::{Arm, Station, StationKind, slot_kind};
use anglerfish_rules::{Outcome, Reason, Seat, Team, Turn};

/// A player who misses this many turns is out.
pub const MOST_MISSED: u8 = 5;

/// A man, by the arm and the slot it started from.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Ord, PartialOrd)]
pub struct Man(u8);

impl Man {
    pub(super) const fn new(arm: Arm, slot: usize) -> Man {
        Man(Station::of(arm, slot).index() as u8)
    }

    /// The arm of its owner.
    #[inline]
    pub const fn arm(self) -> Arm {
        Arm::ALL[self.0 as usize / 30]
    }

    /// The slot it started on.
    #[inline]
    pub const fn slot(self) -> usize {
        self.0 as usize % 30
    }
}

/// The public state of a game.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Table {
    pub(super) rules: Rules,
    pub(super) board: [Option<Man>; Station::COUNT],
    /// By arm: the men that have moved.
    pub(super) moved: [Slots; 4],
    /// By arm: the men that have moved as only engineers can.
    pub(super) engineers: [Slots; 4],
    /// By arm: the flag, once its station is public.
    pub(super) flags: [Option<Station>; 4],
    /// By arm: turns missed.
    pub(super) missed: [u8; 4],
    /// By arm: whether it is empty or its player is out.
    pub(super) out: [bool; 4],
    pub(super) to_move: Arm,
    pub(super) quiet: u16,
    pub(super) agreed: bool,
}

impl Table {
    /// The start of a game. In a game of two, east and west have no men.
    pub(super) fn start(rules: Rules, first: Arm) -> Table {
        let out = Arm::ALL.map(|arm| !is_played(rules, arm));
        let men = |at: Station| at.arm().zip(at.slot()).filter(|_| at.kind() != StationKind::Camp);
        let man = |index| {
            let (arm, slot) = Station::new(index).and_then(men)?;
            (!out[arm.index()]).then_some(Man::new(arm, slot))
        };
        Table {
            rules,
            board: std::array::from_fn(man),
            moved: [0; 4],
            engineers: [0; 4],
            flags: [None; 4],
            missed: [0; 4],
            out,
            to_move: first,
            quiet: 0,
            agreed: false,
        }
    }

    /// The rules of this table.
    pub const fn rules(&self) -> Rules {
        self.rules
    }

    /// The man on a station.
    #[inline]
    pub const fn man(&self, at: Station) -> Option<Man> {
        self.board[at.index()]
    }

    /// Whether a man has ever moved.
    pub const fn has_moved(&self, man: Man) -> bool {
        self.moved[man.arm().index()] >> man.slot() & 1 == 1
    }

    /// Whether a man has moved as only engineers can.
    pub const fn is_engineer(&self, man: Man) -> bool {
        self.engineers[man.arm().index()] >> man.slot() & 1 == 1
    }

    /// The station of an arm's flag, present or past, if it is public.
    pub const fn flag(&self, arm: Arm) -> Option<Station> {
        self.flags[arm.index()]
    }

    /// How many turns an arm has missed.
    pub const fn missed(&self, arm: Arm) -> u8 {
        self.missed[arm.index()]
    }

    /// Whether an arm is empty or its player is out.
    #[inline]
    pub const fn is_out(&self, arm: Arm) -> bool {
        self.out[arm.index()]
    }

    /// The arm to move; meaningless when the game is over.
    pub const fn to_move(&self) -> Arm {
        self.to_move
    }

    /// Moves since the last fight. Missed turns do not count.
    pub const fn quiet(&self) -> u16 {
        self.quiet
    }

    /// The arm of a seat. In a game of two the second player sits in the north.
    pub fn arm_of(&self, seat: Seat) -> Option<Arm> {
        Arm::ALL.into_iter().find(|&arm| self.seat_of(arm) == Some(seat))
    }

    /// The seat that plays an arm; `None` for the empty ones in a game of two.
    #[inline]
    pub const fn seat_of(&self, arm: Arm) -> Option<Seat> {
        match (self.rules.players, arm) {
            (Players::Four, _) | (_, Arm::South) => Some(Seat(arm as u8)),
            (Players::Two, Arm::North) => Some(Seat(1)),
            _ => None,
        }
    }

    /// Whether two arms play against each other.
    #[inline]
    pub fn are_enemies(&self, a: Arm, b: Arm) -> bool {
        match self.rules.players {
            Players::Four => (a.index() + b.index()) % 2 == 1,
            Players::Two => a != b,
        }
    }

    /// Whether a man of this arm could go there: the station is free, or has an enemy and is no camp.
    #[inline]
    pub(super) fn is_open(&self, arm: Arm, to: Station) -> bool {
        match self.man(to) {
            None => true,
            Some(other) => self.are_enemies(arm, other.arm()) && to.kind() != StationKind::Camp,
        }
    }

    /// The seat to move, or how the game ended.
    pub fn turn(&self) -> Turn {
        if let Some(team) = [Team::A, Team::B].into_iter().find(|&team| self.has_lost(team)) {
            Turn::Over(Outcome::Win(team.other()), Reason::Eliminated)
        } else if self.agreed {
            Turn::Over(Outcome::Draw, Reason::Agreed)
        } else if self.quiet >= self.rules.quiet {
            Turn::Over(Outcome::Draw, Reason::Quiet)
        } else {
            let seat = self.seat_of(self.to_move);
            seat.map_or_else(|| unreachable!("only those who play are to move"), Turn::Seat)
        }
    }

    /// Whether both players of a team are out.
    fn has_lost(&self, team: Team) -> bool {
        let of_team = |arm: &Arm| self.seat_of(*arm).is_some_and(|seat| seat.team() == team);
        Arm::ALL.into_iter().filter(of_team).all(|arm| self.is_out(arm))
    }

    /// The public clues about the army of an arm.
    pub fn clues(&self, arm: Arm) -> Clues {
        let i = arm.index();
        let mut alive: Slots = 0;
        for man in self.board.iter().flatten().filter(|man| man.arm() == arm) {
            alive |= 1 << man.slot();
        }
        // Of players who are out it is unknown which men died and which vanished. Otherwise the flag is
        // there, and the marshal is until the flag is shown.
        let in_play = !self.out[i];
        let shown = self.flags[i].and_then(Station::slot);
        let flag = match shown {
            Some(slot) => 1 << slot,
            None if in_play => alive,
            None => Slots::MAX,
        };
        let marshal = match shown {
            _ if !in_play => Slots::MAX,
            None => alive,
            Some(_) => !alive,
        };
        Clues::new(self.moved[i], self.engineers[i], flag, marshal)
    }

    /// Follows an event. No rank is needed for it.
    pub fn apply(&mut self, event: Event) {
        let mover = self.to_move;
        match event {
            Event::Move(play) => self.play(play),
            Event::Skip => {
                self.missed[mover.index()] += 1;
                if self.missed[mover.index()] >= MOST_MISSED {
                    self.eliminate(mover);
                }
            }
            Event::Out { arm, .. } => {
                self.eliminate(arm);
                if arm != mover {
                    return;
                }
            }
            Event::Agree => {
                self.agreed = true;
                return;
            }
        }
        let next = (1..4).map(|n| mover.after(n)).find(|&arm| !self.is_out(arm));
        self.to_move = next.unwrap_or(mover);
    }

    fn play(&mut self, play: Move) {
        let Some(man) = self.board[play.from.index()] else { return };
        let (arm, bit) = (man.arm(), 1 << man.slot());
        self.moved[arm.index()] |= bit;
        if !reach(play.from, false, |at| self.man(at).is_none()).contains(play.to) {
            self.engineers[arm.index()] |= bit;
        }
        let defender = self.board[play.to.index()].map(Man::arm);
        self.board[play.from.index()] = None;
        match play.clash {
            None | Some(Clash::Wins) => self.board[play.to.index()] = Some(man),
            Some(Clash::Both) => self.board[play.to.index()] = None,
            Some(Clash::Dies) => {}
        }
        self.quiet = if play.clash.is_some() { 0 } else { self.quiet + 1 };
        for flag in play.shown.into_iter().flatten() {
            if let Some(owner) = flag.arm() {
                self.flags[owner.index()] = Some(flag);
            }
        }
        if let Some(defender) = defender {
            if play.taken {
                self.flags[defender.index()] = Some(play.to);
            }
            if play.taken || play.walled[1] {
                self.eliminate(defender);
            }
        }
        if play.walled[0] {
            self.eliminate(arm);
        }
    }

    /// All men of the arm vanish, and its missed turns are reset.
    pub(super) fn eliminate(&mut self, arm: Arm) {
        self.out[arm.index()] = true;
        self.missed[arm.index()] = 0;
        for place in &mut self.board {
            if place.is_some_and(|man| man.arm() == arm) {
                *place = None;
            }
        }
    }
}

/// Whether an arm has a player.
pub(super) const fn is_played(rules: Rules, arm: Arm) -> bool {
    matches!(rules.players, Players::Four) || matches!(arm, Arm::South | Arm::North)
}

/// The slots that hold a man at the start.
pub(super) fn men() -> impl Iterator<Item = usize> {
    (0..super::layout::SLOTS).filter(|&slot| slot_kind(slot) != StationKind::Camp)
}
