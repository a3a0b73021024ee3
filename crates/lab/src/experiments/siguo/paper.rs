//! Equations 1 to 5 of the paper: the values of men, the influence of slots, and whether an army is
//! aggressive or defensive.
//!
//! Zhang, Wang, Yao and Wu (2014), "Building Opponent Model in Imperfect Information Board Games".
//! docs/siguo.md fixes the details that it leaves open.

use anglerfish_rules::Game as _;
use anglerfish_siguo::{Arm, Clash, Event, Layout, Man, Role, SLOTS, Station, StationKind, near, slot_kind};
use serde::Serialize;

use super::archive::{Archive, Part};

/// The slots that hold men: the paper's positions 0 to 24.
pub(super) fn positions() -> impl Iterator<Item = usize> {
    (0..SLOTS).filter(|&slot| slot_kind(slot) != StationKind::Camp)
}

/// Table 3, by slot: rows from the front, columns from the left. Camps have none.
pub(super) const AGGRESSIVE: [f64; SLOTS] = [
    2.053, 0.512, 2.109, 0.497, 2.001, 0.962, 0.0, 0.470, 0.0, 1.216, 0.533, 0.049, 0.0, 0.113, 0.503, 0.325,
    0.0, -0.591, 0.0, 0.141, 0.331, 0.291, 0.152, 0.092, 0.410, -0.179, 0.0, 0.0, 0.0, -0.211,
];

/// Table 4.
pub(super) const DEFENSIVE: [f64; SLOTS] = [
    -0.251, 0.011, 0.203, -0.387, -0.196, 0.305, 0.0, 0.587, 0.0, 0.411, 0.125, 2.007, 0.0, 2.146, 0.069,
    0.488, 0.0, 0.230, 0.0, 0.398, 2.144, 0.431, -0.015, 0.505, 2.122, 0.106, 0.0, 0.0, 0.0, 0.109,
];

/// Table 6, in per cent, with classified models and with the general one: the rows are aggressive, balanced,
/// defensive and random opponents, the columns the three stages.
pub(super) const TABLE6: [[[f64; 3]; 4]; 2] = [
    [[12.13, 32.59, 55.31], [14.98, 29.16, 48.15], [12.15, 31.34, 47.65], [11.96, 30.05, 42.54]],
    [[13.05, 24.56, 51.28], [12.69, 23.41, 45.20], [10.65, 20.55, 41.13], [12.03, 24.65, 40.28]],
];

/// The lead of classified models in Table 6 in points, against the four kinds of opponents: the least and the most.
pub(super) fn claimed(stage: usize) -> [f64; 2] {
    let ahead = TABLE6[0].iter().zip(&TABLE6[1]).map(|(own, general)| own[stage] - general[stage]);
    ahead.fold([f64::INFINITY, f64::NEG_INFINITY], |[low, high], points| [low.min(points), high.max(points)])
}

/// The class of an army.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize)]
pub(super) enum Class {
    /// The ratio of its two strengths is above the upper bound.
    Aggressive,
    /// Between the bounds.
    Balanced,
    /// Below the lower bound.
    Defensive,
}

impl Class {
    /// All of them, as the paper lists them.
    pub(super) const ALL: [Class; 3] = [Class::Aggressive, Class::Balanced, Class::Defensive];
}

/// The value of a role in payoffs: our choice.
pub(super) fn value(role: Role) -> f64 {
    match role {
        Role::Flag => 10.0,
        Role::Mine | Role::Bomb => 5.0,
        _ => f64::from(role.letter().to_digit(10).unwrap_or(0)),
    }
}

/// The paper's *f*: the payoff of a man when it meets another.
pub(super) fn payoff(own: Role, other: Role) -> f64 {
    let dead = |clash: Clash| [clash != Clash::Wins, clash != Clash::Dies];
    let [own_dies, other_dies] = if own.moves() {
        dead(own.attacks(other))
    } else if other.moves() {
        let [attacker, defender] = dead(other.attacks(own));
        [defender, attacker]
    } else {
        [false; 2]
    };
    f64::from(u8::from(other_dies)) * value(other) - f64::from(u8::from(own_dies)) * value(own)
}

/// By two roles: how often men of them have met.
pub(super) type Meetings = [[f64; 12]; 12];

/// Equations 1 and 2: the diagonal of f times p, less its minimum; the flag, which can only be lost, has none.
pub(super) fn strengths(meetings: &Meetings) -> [f64; 12] {
    let gain = |own: Role| {
        let met: f64 = meetings[own as usize].iter().sum();
        let each =
            Role::ALL.into_iter().map(|other| payoff(own, other) * meetings[own as usize][other as usize]);
        each.sum::<f64>() / met.max(1.0)
    };
    let gains = Role::ALL.map(gain);
    let least = gains[1..].iter().copied().fold(f64::INFINITY, f64::min);
    gains.map(|gain| (gain - least).max(0.0))
}

/// By starting slot, the contribution of a man to attack and defense: equation 4.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Influence {
    /// The column A.
    pub(super) aggressive: [f64; SLOTS],
    /// The column D.
    pub(super) defensive: [f64; SLOTS],
    /// The bounds of the ratio, the lower one first.
    pub(super) bounds: [f64; 2],
}

impl Influence {
    /// Tables 3 and 4 as printed, with the bounds 0.7 and 1.5.
    pub(super) const PRINTED: Influence =
        Influence { aggressive: AGGRESSIVE, defensive: DEFENSIVE, bounds: [0.7, 1.5] };

    /// Equations 3 and 5: the strengths of an army in attack and defense.
    pub(super) fn strengths(&self, layout: &Layout, roles: &[f64; 12]) -> [f64; 2] {
        let sum = |column: &[f64; SLOTS]| {
            positions().filter_map(|slot| Some(column[slot] * roles[layout.role(slot)? as usize])).sum()
        };
        [sum(&self.aggressive), sum(&self.defensive)]
    }

    fn ratio(&self, layout: &Layout, roles: &[f64; 12]) -> f64 {
        let [attack, defense] = self.strengths(layout, roles);
        if defense > 0.0 { attack / defense } else { f64::INFINITY }
    }

    /// The class of an army.
    pub(super) fn class(&self, layout: &Layout, roles: &[f64; 12]) -> Class {
        match self.ratio(layout, roles) {
            ratio if ratio > self.bounds[1] => Class::Aggressive,
            ratio if ratio < self.bounds[0] => Class::Defensive,
            _ => Class::Balanced,
        }
    }

    /// The three rules of section 3.1 applied to fights, with bounds that give the paper's shares of
    /// `layouts`: 27 per cent defensive, 22 aggressive.
    pub(super) fn trained(fights: &Fights, layouts: &[Layout], roles: &[f64; 12]) -> Influence {
        let column = |net: &[f64; SLOTS], printed: &[f64; SLOTS]| {
            // Rule 3: half of the value comes from the slots around.
            let around = |slot: usize| {
                let here = Station::of(Arm::South, slot);
                let beside = near(here)
                    .iter()
                    .filter(|at| at.arm() == Some(Arm::South) && at.kind() != StationKind::Camp);
                let beside: Vec<f64> = beside.filter_map(|at| at.slot()).map(|slot| net[slot]).collect();
                beside.iter().sum::<f64>() / beside.len().max(1) as f64
            };
            let mut column = [0.0; SLOTS];
            positions().for_each(|slot| column[slot] = 0.5 * net[slot] + 0.5 * around(slot));
            let least = positions().map(|slot| column[slot]).fold(f64::INFINITY, f64::min);
            positions().for_each(|slot| column[slot] -= least);
            let scale = printed.iter().sum::<f64>() / column.iter().sum::<f64>();
            column.map(|value| value * scale)
        };
        let mut influence = Influence {
            aggressive: column(&fights.away, &AGGRESSIVE),
            defensive: column(&fights.home, &DEFENSIVE),
            bounds: [0.0; 2],
        };
        let mut ratios: Vec<f64> = layouts.iter().map(|layout| influence.ratio(layout, roles)).collect();
        ratios.sort_by(f64::total_cmp);
        let at = |share: f64| ratios.get((share * ratios.len() as f64) as usize).copied().unwrap_or(1.0);
        influence.bounds = [at(0.27), at(0.78)];
        influence
    }
}

/// The fights of the training games.
#[derive(Clone, Debug)]
pub(super) struct Fights {
    /// Which roles have met, from both sides.
    pub(super) meetings: Meetings,
    /// By slot: captures less losses of the men who started there, in the arm of their owner.
    pub(super) home: [f64; SLOTS],
    /// The same elsewhere.
    pub(super) away: [f64; SLOTS],
}

impl Fights {
    /// From all men of the players of a part.
    pub(super) fn of(archive: &Archive, part: Part) -> Fights {
        let mut fights = Fights { meetings: [[0.0; 12]; 12], home: [0.0; SLOTS], away: [0.0; SLOTS] };
        for game in &archive.games {
            let mut now = game.start.clone();
            for &event in &game.events {
                if let Event::Move(play) = event
                    && let (Some(clash), Some(a), Some(d)) =
                        (play.clash, now.table().man(play.from), now.table().man(play.to))
                {
                    let counts = |man: Man| Part::of(&game.players[man.arm().index()]) == part;
                    for (man, other, net) in [
                        (a, d, f64::from(i8::from(clash != Clash::Dies) - i8::from(clash != Clash::Wins))),
                        (d, a, f64::from(i8::from(clash != Clash::Wins) - i8::from(clash != Clash::Dies))),
                    ] {
                        let Some((own, met)) = now.role(man).zip(now.role(other)).filter(|_| counts(man))
                        else {
                            continue;
                        };
                        fights.meetings[own as usize][met as usize] += 1.0;
                        let home = play.to.arm() == Some(man.arm());
                        *if home { &mut fights.home[man.slot()] } else { &mut fights.away[man.slot()] } +=
                            net;
                    }
                }
                now.apply(event);
            }
        }
        fights
    }
}
