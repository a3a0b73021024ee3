//! The public actions of each man, as features of a network.

use anglerfish_siguo::{Arm, Candidates, Clash, Event, Man, Role, SLOTS, Station, StationKind, Table, reach};

use super::paper::positions;

/// The state of a man.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
enum Fate {
    #[default]
    Alive,
    /// Died in an attack, or together with the man it attacked.
    Attacking { both: bool },
    /// Died when it was attacked.
    Attacked { both: bool },
}

/// The actions of a man.
#[derive(Clone, Copy, Debug, Default)]
struct Deeds {
    moves: u32,
    /// The number of its army's moves before its first move.
    first: u32,
    /// The number of men of its army that had moved before.
    order: u32,
    /// Fights won as attacker against men who had moved, and who had not.
    wins: [u32; 2],
    /// Attacks survived.
    holds: u32,
    fate: Fate,
    /// About the man it died with or by: fights won before, and whether it had moved.
    foe_wins: u32,
    foe_moved: bool,
    /// Fights won by the strongest man that it has beaten.
    scalps: u32,
    camps: u32,
    /// Number of moves over three stations or more.
    runs: u32,
    /// Times an enemy came within its reach, by its owner's reply: it fled, it attacked that enemy, or it stayed.
    fled: u32,
    struck: u32,
    stayed: u32,
    /// The same for enemies who had won before.
    feared: u32,
    braved: u32,
    /// Moves to a station from which it could attack next.
    approaches: u32,
    /// The last enemy to come, if not answered yet.
    threat: Option<Man>,
}

impl Deeds {
    const fn won(&self) -> u32 {
        self.wins[0] + self.wins[1] + self.holds
    }
}

/// The public actions of all men.
#[derive(Clone, Debug)]
pub(super) struct Evidence {
    deeds: [[Deeds; SLOTS]; 4],
    /// By arm: moves made, and men who have moved.
    moves: [u32; 4],
    moved: [u32; 4],
}

impl Evidence {
    /// Before the first event.
    pub(super) fn new() -> Evidence {
        Evidence { deeds: [[Deeds::default(); SLOTS]; 4], moves: [0; 4], moved: [0; 4] }
    }

    fn deeds(&mut self, man: Man) -> &mut Deeds {
        &mut self.deeds[man.arm().index()][man.slot()]
    }

    /// Follows an event that happened on this table.
    pub(super) fn follow(&mut self, before: &Table, event: Event) {
        let Event::Move(play) = event else { return };
        let Some(man) = before.man(play.from) else { return };
        let arm = man.arm().index();
        let met = before.man(play.to);
        // Step 1. Any move is an answer to threats.
        for slot in positions() {
            let Some(threat) = self.deeds[arm][slot].threat.take() else { continue };
            let strong = self.deeds[threat.arm().index()][threat.slot()].won() > 0;
            let deeds = &mut self.deeds[arm][slot];
            if slot != man.slot() {
                deeds.stayed += 1;
                deeds.braved += u32::from(strong);
            } else if met == Some(threat) {
                deeds.struck += 1;
            } else {
                deeds.fled += 1;
                deeds.feared += u32::from(strong);
            }
        }
        // Step 2. The move itself.
        let (moves, order) = (self.moves[arm], self.moved[arm]);
        let deeds = self.deeds(man);
        if deeds.moves == 0 {
            (deeds.first, deeds.order) = (moves, order);
        }
        deeds.moves += 1;
        deeds.camps += u32::from(play.to.kind() == StationKind::Camp);
        let far = |from: Station, to: Station| !reach(from, false, |_| false).contains(to);
        deeds.runs += u32::from(far(play.from, play.to));
        self.moved[arm] += u32::from(self.deeds[arm][man.slot()].moves == 1);
        self.moves[arm] += 1;
        // Step 3. The fight.
        if let (Some(other), Some(clash)) = (met, play.clash) {
            let [own, foe] = [man, other].map(|man| *self.deeds(man));
            let both = clash == Clash::Both;
            if clash == Clash::Wins {
                let deeds = self.deeds(man);
                deeds.wins[usize::from(foe.moves == 0)] += 1;
                deeds.scalps = deeds.scalps.max(foe.won());
            } else {
                let deeds = self.deeds(man);
                deeds.fate = Fate::Attacking { both };
                (deeds.foe_wins, deeds.foe_moved) = (foe.won(), foe.moves > 0);
            }
            let deeds = self.deeds(other);
            if clash == Clash::Dies {
                deeds.holds += 1;
                deeds.scalps = deeds.scalps.max(own.won());
            } else {
                deeds.fate = Fate::Attacked { both };
                (deeds.foe_wins, deeds.foe_moved) = (own.won(), true);
            }
        }
        // Step 4. The men that it threatens now.
        if matches!(play.clash, None | Some(Clash::Wins)) {
            let free = |at: Station| at == play.from || (at != play.to && before.man(at).is_none());
            let mut approaches = false;
            for at in reach(play.to, false, free).iter().filter(|at| at.kind() != StationKind::Camp) {
                let foe = before.man(at).filter(|foe| before.are_enemies(man.arm(), foe.arm()));
                if let Some(foe) = foe.filter(|_| at != play.to) {
                    self.deeds(foe).threat = Some(man);
                    approaches = true;
                }
            }
            self.deeds(man).approaches += u32::from(approaches);
        }
    }

    /// The features of a man of an army with this knowledge, as seen from another arm.
    pub(super) fn features(&self, observer: Arm, man: Place, known: &Candidates) -> Vec<u16> {
        let Place { arm, slot, at } = man;
        let deeds = &self.deeds[arm.index()][slot];
        let position = positions().position(|at| at == slot).unwrap_or(0);
        let mut features = Features { at: 0, on: Vec::with_capacity(48) };
        let age = bucket(self.moves[arm.index()], &[3, 8, 15, 25, 40, 60]);
        let state = match deeds.fate {
            _ if deeds.moves > 0 => 7 + usize::from(deeds.won() > 0),
            Fate::Alive => age,
            _ => 9,
        };
        features.one(position * 10 + state, 250);
        for role in Role::ALL {
            features.flag(known.roles(slot).contains(role));
        }
        features.one(bucket(known.roles(slot).len() as u32, &[2, 3, 4, 6, 8, 9, 10]), 8);
        features.one(bucket(deeds.moves, &[1, 2, 3, 5, 8, 13]), 7);
        let moved = deeds.moves > 0;
        features.one(if moved { 1 + bucket(deeds.first, &[1, 2, 4, 7, 12, 20, 35]) } else { 0 }, 9);
        features.one(if moved { 1 + bucket(deeds.order, &[1, 2, 4, 6, 9]) } else { 0 }, 7);
        features.one(bucket(deeds.wins[0], &[1, 2, 3]), 4);
        features.one(bucket(deeds.wins[1], &[1, 2, 3]), 4);
        features.one(bucket(deeds.holds, &[1, 2, 3]), 4);
        features.one(bucket(deeds.scalps, &[1, 2, 3]), 4);
        let fate = match deeds.fate {
            Fate::Alive => 0,
            Fate::Attacking { both } => 1 + usize::from(both),
            Fate::Attacked { both } => 3 + usize::from(both),
        };
        let foe = bucket(deeds.foe_wins, &[1, 2, 3]) + 4 * usize::from(deeds.foe_moved);
        features.one(if fate == 0 { 0 } else { 1 + (fate - 1) * 8 + foe }, 33);
        features.one(bucket(deeds.camps, &[1, 2, 3]), 4);
        features.one(bucket(deeds.runs, &[1, 2, 4]), 4);
        features.one(bucket(deeds.fled, &[1, 2, 4]), 4);
        features.one(bucket(deeds.struck, &[1, 2]), 3);
        features.one(bucket(deeds.stayed, &[1, 2, 4, 8]), 5);
        features.one(bucket(deeds.feared, &[1, 2, 4]), 4);
        features.one(bucket(deeds.braved, &[1, 2, 4, 8]), 5);
        features.one(bucket(deeds.approaches, &[1, 2, 4, 7]), 5);
        features.one(at.map_or(0, |at| 1 + place(arm, at)), 24);
        // Mines stand around flags: which headquarters of its army can hold the flag, by where the man started.
        let flag = |slot: usize| known.roles(slot).contains(Role::Flag);
        features.one(position * 3 + usize::from(!flag(26)) + 2 * usize::from(!flag(28) && flag(26)), 75);
        let moves = self.moves[arm.index()];
        let alive = positions().filter(|&slot| self.deeds[arm.index()][slot].fate == Fate::Alive).count();
        features.one(bucket(moves, &[1, 3, 6, 10, 15, 22, 30, 45, 65]), 10);
        features.one(alive / 3, 9);
        features.one(usize::from(observer == arm.after(1)), 2);
        debug_assert_eq!(features.at, FEATURES);
        features.on
    }
}

/// A man, and its station; `None` if it is gone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The arm of its owner.
    pub(super) arm: Arm,
    /// Its starting slot.
    pub(super) slot: usize,
    /// Its station.
    pub(super) at: Option<Station>,
}

/// Number of features.
pub(super) const FEATURES: usize =
    250 + 12 + 8 + 7 + 9 + 7 + 16 + 33 + 4 + 4 + 4 + 3 + 5 + 4 + 5 + 5 + 24 + 75 + 10 + 9 + 2;

/// The kind of a man's place from its owner's view: 22 kinds.
fn place(arm: Arm, at: Station) -> usize {
    match at.arm().zip(at.slot()) {
        None => 0,
        Some((whose, slot)) => {
            let turn = (4 + whose.index() - arm.index()) % 4;
            let row = slot / 5;
            let camp = at.kind() == StationKind::Camp;
            match turn {
                0 => 1 + if camp { 6 } else { row },
                2 => 8 + if camp { 3 } else { [0, 1, 1, 1, 2, 2][row] },
                _ => 12 + 5 * usize::from(turn == 3) + if camp { 4 } else { [0, 1, 1, 1, 2, 3][row] },
            }
        }
    }
}

/// The number of bounds that a number has reached.
fn bucket(n: u32, bounds: &[u32]) -> usize {
    bounds.iter().filter(|&&bound| n >= bound).count()
}

/// Writes features one after another.
struct Features {
    at: usize,
    on: Vec<u16>,
}

impl Features {
    /// A one-hot feature.
    fn one(&mut self, which: usize, of: usize) {
        debug_assert!(which < of);
        self.on.push((self.at + which) as u16);
        self.at += of;
    }

    fn flag(&mut self, on: bool) {
        if on {
            self.on.push(self.at as u16);
        }
        self.at += 1;
    }
}
