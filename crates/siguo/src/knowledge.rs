//! The certain knowledge of one seat about all men, from its view and the events.
//!
//! It has three kinds of facts. Facts about single men narrow the [`Candidates`] of their army: men that moved are
//! no mines, men that turned a corner are engineers, shown men are flags, and an army has a fixed number of each
//! role. A [`Fight`] constrains two unknown men together. Layouts that the rules show are known from the start.
//!
//! Two conclusions are left out: a player who is not walled in has a mobile man, and a missed turn may have been
//! one without moves.

use super::candidates::Candidates;
use super::event::{Event, Move};
use super::layout::Layout;
use super::role::{Clash, Role, Roles};
use super::station::{Arm, Station, StationKind};
use super::table::{Man, Table};
use super::{View, near, reach};

/// The certain knowledge of a seat.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Knowledge {
    /// By arm; `None` for an empty one.
    pub(super) armies: [Option<Candidates>; 4],
    pub(super) fights: Vec<Fight>,
}

/// Two men who have met, if knowing one of them would constrain the other.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Fight {
    /// The attacker and the defender.
    pub men: [Man; 2],
    /// By role of the attacker: the possible roles of the defender.
    defenders: [Roles; Role::ALL.len()],
}

impl Fight {
    /// The constraint that a fight with this result puts on two men.
    pub(super) fn new(men: [Man; 2], play: Move, clash: Clash) -> Fight {
        let ends_so = |attacker: Role, defender: Role| {
            let dies = [clash != Clash::Wins, clash != Clash::Dies];
            let shows = |i: usize, role: Role| play.shown[i].is_some() == (dies[i] && role == Role::Marshal);
            attacker.moves()
                && attacker.attacks(defender) == clash
                && play.taken == (defender == Role::Flag)
                && shows(0, attacker)
                && shows(1, defender)
        };
        let defenders = Role::ALL
            .map(|attacker| Role::ALL.into_iter().filter(|&defender| ends_so(attacker, defender)).collect());
        Fight { men, defenders }
    }

    /// Whether the fight would have ended so between these two roles.
    #[inline]
    pub const fn fits(&self, attacker: Role, defender: Role) -> bool {
        self.defenders[attacker as usize].contains(defender)
    }
}

impl Knowledge {
    /// The knowledge before the first move.
    pub fn new(view: &View) -> Knowledge {
        let known = |arm: Arm| {
            view.table.seat_of(arm)?;
            let layout: Option<&Layout> = view.layouts[arm.index()].as_ref();
            Some(layout.map_or_else(Candidates::any, Candidates::of))
        };
        Knowledge { armies: Arm::ALL.map(known), fights: Vec::new() }
    }

    /// The knowledge about the army of an arm; `None` for an empty one.
    pub const fn army(&self, arm: Arm) -> Option<&Candidates> {
        self.armies[arm.index()].as_ref()
    }

    /// The possible roles of a man.
    pub fn roles(&self, man: Man) -> Roles {
        self.army(man.arm()).map_or(Roles::default(), |army| army.roles(man.slot()))
    }

    /// The fights that constrain more than the possible roles of the two men alone.
    pub fn fights(&self) -> &[Fight] {
        &self.fights
    }

    /// Whether the armies may be these, by arm.
    pub fn admits(&self, layouts: &[Option<Layout>; 4]) -> bool {
        let role = |man: Man| layouts[man.arm().index()].and_then(|layout| layout.role(man.slot()));
        let army = |arm: Arm| match (self.army(arm), &layouts[arm.index()]) {
            (Some(army), Some(layout)) => army.admit(layout),
            (known, layout) => known.is_none() && layout.is_none(),
        };
        let fight =
            |fight: &Fight| role(fight.men[0]).zip(role(fight.men[1])).is_some_and(|(a, d)| fight.fits(a, d));
        Arm::ALL.into_iter().all(army) && self.fights.iter().all(fight)
    }

    /// Follows an event on this table.
    pub fn follow(&mut self, before: &Table, event: Event) {
        let Event::Move(play) = event else { return };
        let Some(attacker) = before.man(play.from) else { return };
        let straight = reach(play.from, false, |at| before.man(at).is_none()).contains(play.to);
        let mobile: Roles = Role::ALL.into_iter().filter(|role| role.moves()).collect();
        // Arms whose candidates have become fewer.
        let mut fewer = [false; 4];
        self.keep(attacker, if straight { mobile } else { Roles::only(Role::Engineer) }, &mut fewer);
        for flag in play.shown.into_iter().flatten() {
            if let (Some(arm), Some(slot)) = (flag.arm(), flag.slot()) {
                self.keep(Man::new(arm, slot), Roles::only(Role::Flag), &mut fewer);
            }
        }
        if let (Some(defender), Some(clash)) = (before.man(play.to), play.clash) {
            self.fights.push(Fight::new([attacker, defender], play, clash));
        }
        self.walls(before, play, &mut fewer);
        if play.clash.is_some() || fewer != [false; 4] {
            self.settle(fewer);
        }
    }

    /// A walled-in arm has no mobile man beside a station that its team does not hold: its men there are mines.
    fn walls(&mut self, before: &Table, play: Move, fewer: &mut [bool; 4]) {
        if play.walled == [false; 2] {
            return;
        }
        let arms = [play.from, play.to].map(|at| before.man(at).map(Man::arm));
        // The defender is checked first; if it is out, its men are gone before the attacker is checked.
        let mut after = before.clone();
        after.apply(Event::Move(Move { walled: [false; 2], ..play }));
        for i in [1, 0] {
            let Some(arm) = arms[i].filter(|_| play.walled[i]) else { continue };
            let held = |to: Station| after.man(to).is_some_and(|man| !after.are_enemies(arm, man.arm()));
            let beside = |from: Station| near(from).iter().any(|&to| !held(to));
            let stuck = |from: &Station| from.kind() != StationKind::Headquarters && beside(*from);
            for man in Station::all().filter(stuck).filter_map(|at| after.man(at)) {
                if man.arm() == arm {
                    self.keep(man, Roles::only(Role::Mine), fewer);
                }
            }
            after.eliminate(arm);
        }
    }

    fn keep(&mut self, man: Man, roles: Roles, fewer: &mut [bool; 4]) {
        let arm = man.arm().index();
        fewer[arm] |= self.armies[arm].as_mut().is_some_and(|army| army.keep(man.slot(), roles));
    }

    /// Propagates conclusions from man to man until none is left.
    fn settle(&mut self, mut fewer: [bool; 4]) {
        loop {
            for (army, _) in self.armies.iter_mut().zip(fewer).filter(|(_, fewer)| *fewer) {
                army.as_mut().map(Candidates::narrow);
            }
            fewer = [false; 4];
            for i in 0..self.fights.len() {
                let Fight { men, defenders } = self.fights[i];
                let [attackers, met] = men.map(|man| self.roles(man));
                let (mut could, mut could_be_met) = (Roles::default(), Roles::default());
                for role in attackers.iter() {
                    let fit = defenders[role as usize].and(met);
                    could_be_met = could_be_met.or(fit);
                    could = if fit.is_empty() { could } else { could.or(Roles::only(role)) };
                }
                self.keep(men[0], could, &mut fewer);
                self.keep(men[1], could_be_met, &mut fewer);
            }
            if fewer == [false; 4] {
                break;
            }
        }
        // A fight constrains nothing more if every attacker fits every defender.
        let armies = &self.armies;
        let roles = |man: Man| armies[man.arm().index()].map_or(Roles::default(), |a| a.roles(man.slot()));
        self.fights.retain(|fight| {
            let [attackers, met] = fight.men.map(roles);
            !attackers.iter().all(|role| met.without(fight.defenders[role as usize]).is_empty())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, Siguo};
    use anglerfish_rules::{Game, Seat};
    use anglerfish_rules::{Rng, RngExt};

    /// Among all armies that fit the facts about single men, exactly those whose fights end so are admitted.
    #[test]
    fn a_fight_tells_who_would_end_it_so() {
        let men = [Man::new(Arm::South, 0), Man::new(Arm::East, 4)];
        let [from, to] = [Station::of(Arm::South, 0), Station::of(Arm::East, 4)];
        for attacker in Role::ALL.into_iter().filter(|role| role.moves()) {
            for defender in Role::ALL {
                let clash = attacker.attacks(defender);
                let dead = [clash != Clash::Wins, clash != Clash::Dies];
                let marshal = |i: usize| dead[i] && [attacker, defender][i] == Role::Marshal;
                let shown = [0, 1].map(|i| marshal(i).then_some(Station::of(men[i].arm(), 26)));
                let taken = defender == Role::Flag;
                let play = Move { from, to, clash: Some(clash), taken, shown, walled: [false; 2] };
                let fight = Fight::new(men, play, clash);
                assert!(fight.fits(attacker, defender));
                assert!(
                    Role::ALL.into_iter().all(|d| !fight.fits(Role::Mine, d) && !fight.fits(Role::Flag, d))
                );
                for d in Role::ALL.into_iter().filter(|&d| fight.fits(attacker, d)) {
                    assert_eq!(attacker.attacks(d), clash);
                    assert_eq!((d == Role::Marshal) && dead[1], shown[1].is_some());
                    assert_eq!(d == Role::Flag, taken);
                }
            }
        }
    }

    /// For every seat, the truth is never excluded and settled roles are true; a seat that sees all knows all.
    #[test]
    fn the_truth_is_never_excluded() {
        let mut settled = [0; 4];
        for (i, sight) in
            ["four-dark", "partner-open", "all-open", "four-dark,players=2"].into_iter().enumerate()
        {
            let rules: Rules = sight.parse().unwrap();
            for seed in 0..6 {
                let mut rng = Rng::new(seed);
                let mut game = Siguo::deal(&rules, &mut rng);
                let layouts = Arm::ALL.map(|arm| game.layout(arm).copied());
                let mut seats: Vec<Knowledge> =
                    (0..4).map(|seat| Knowledge::new(&game.view(Seat(seat)))).collect();
                let mut actions = Vec::new();
                while !game.turn().is_over() {
                    game.actions(&mut actions);
                    let event = game.draw(rng.pick(&actions), &mut rng);
                    for knowledge in &mut seats {
                        knowledge.follow(game.table(), event);
                        assert!(knowledge.admits(&layouts), "{event} in {game}");
                    }
                    game.apply(event);
                }
                let known = |arm: &Arm| {
                    seats[0].army(*arm).map_or(0, |army| {
                        (0..30).filter(|&slot| army.roles(slot).settled().is_some()).count()
                    })
                };
                settled[i] += Arm::ALL.iter().map(known).sum::<usize>();
            }
        }
        assert!(settled[0] > 6 * 25 && settled[1] > 6 * 50 && settled[0] < settled[1], "{settled:?}");
        assert_eq!(settled[2], 6 * 100);
    }

    /// A beaten general has met a marshal, and the men that the general beat before had lower ranks.
    #[test]
    fn conclusions_go_from_man_to_man() {
        let rules = Rules::default();
        let game = Siguo::deal(&rules, &mut Rng::new(1));
        let mut knowledge = Knowledge::new(&game.view(Seat(0)));
        let [general, marshal, bomb] =
            [(Arm::South, 0), (Arm::East, 0), (Arm::East, 7)].map(|(a, s)| Man::new(a, s));
        knowledge.armies[0] = Some(Candidates::any().with(0, Roles::only(Role::General)));
        let play = |clash| Move {
            from: Station::of(Arm::East, 0),
            to: Station::of(Arm::South, 0),
            clash: Some(clash),
            taken: false,
            shown: [None; 2],
            walled: [false; 2],
        };
        knowledge.fights.push(Fight::new([marshal, general], play(Clash::Wins), Clash::Wins));
        knowledge.settle([true; 4]);
        assert_eq!(knowledge.roles(marshal).settled(), Some(Role::Marshal));
        assert!(knowledge.fights().is_empty());
        // West then loses an unknown man together with an unknown man of east: a bomb, or equals, but no marshal.
        let west = Man::new(Arm::South, 7);
        knowledge.fights.push(Fight::new([bomb, west], play(Clash::Both), Clash::Both));
        knowledge.settle([true; 4]);
        assert!(
            !knowledge.roles(bomb).contains(Role::Marshal) && !knowledge.roles(west).contains(Role::General)
        );
        assert_eq!(knowledge.fights().len(), 1);
    }
}
