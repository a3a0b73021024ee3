//! Evaluates a position of Siguo with all men known, as in a sampled world.
//!
//! It counts material, the captures of the next players, the distances to flags, and the approach of a draw.
//! Captures by others count in part only: in truth they do not know the men they would meet.

use std::sync::LazyLock;

use crate::{Arm, Clash, Role, Siguo, Station, StationKind, Stations, reach};
use anglerfish_rules::{Game, Seat, Team, Turn};

use anglerfish_engine::score::{MAX_EVAL, Score, squash};

/// The payoffs of Zhang and others (2014) as we fixed them: the letters, 5 for bombs and mines, 10 for flags.
/// In tenths.
const PLAIN: [i32; 12] = [100, 50, 50, 10, 20, 30, 40, 50, 60, 70, 80, 90];
/// A lead of this much is worth a bit more than half of a game: three quarters of an army.
const PLAIN_SCALE: i32 = 800;

/// Values of men by role. A flag counts through the men that vanish with it.
const VALUES: [i32; 12] = [0, 16, 44, 22, 8, 12, 18, 26, 38, 54, 78, 100];
/// For not being out of the game.
const ALIVE: i32 = 150;
const SCALE: i32 = 600;
/// Weights of captures in hundredths, by how many turns away they are. Both enemies move before the last
/// mover moves again.
const THREATS: [i32; 4] = [60, 35, 50, 35];
/// The same weights for flags, which are always taken.
const FLAG_THREATS: [i32; 4] = [90, 50, 75, 45];
/// For each step by which the man nearest to an enemy's flag is nearer than [`FAR`].
const NEAR: i32 = 6;
/// Additional value of that man when it is this near: 0, 1, 2, … steps.
const AT_THE_GATES: [i32; 5] = [0, 60, 40, 20, 8];
/// For each step of all other men who can fight.
const DRIFT: i32 = 1;
const FAR: i32 = 12;
/// As the draw comes nearer, a lead loses this many hundredths per quiet move.
const QUIET: i32 = 100;

/// Material for the seat to move.
pub fn men(world: &Siguo) -> Score {
    let mut sum = 0;
    for at in Station::all() {
        if let Some((man, role)) = world.table().man(at).and_then(|man| Some((man, world.role(man)?))) {
            let sign = if world.table().are_enemies(world.table().to_move(), man.arm()) { -1 } else { 1 };
            sum += sign * PLAIN[role as usize];
        }
    }
    squash(sum, PLAIN_SCALE)
}

/// The handmade evaluation for the seat to move.
pub fn handmade(world: &Siguo) -> Score {
    let Turn::Seat(_) = world.turn() else { return 0 };
    let table = world.table();
    let us = table.to_move();
    let sides = Sides::new(world);
    // Step 1. Men, and which arms are in the game.
    let mut sum = 0;
    for arm in Arm::ALL {
        let sign = if table.are_enemies(us, arm) { -1 } else { 1 };
        let army = &sides.armies[arm.index()];
        sum += sign * army.value;
        // Step 2. The best next capture.
        let turn = (0..4).find(|&n| us.after(n) == arm).unwrap_or(0);
        sum += sign * sides.best_capture(world, arm, turn);
        // Step 3. The distances to the flags of its enemies.
        for foe in Arm::ALL.into_iter().filter(|&foe| table.are_enemies(arm, foe) && !table.is_out(foe)) {
            let Some(flag) = world.layout(foe).map(|layout| Station::of(foe, layout.flag())) else {
                continue;
            };
            let steps = &STEPS[flag.index()];
            let mut nearest = FAR;
            for &(at, role) in &army.mobile {
                let far = i32::from(steps[at.index()]).min(FAR);
                nearest = nearest.min(far);
                if role >= Role::Major {
                    sum += sign * DRIFT * (FAR - far) / 2;
                }
            }
            let gates = AT_THE_GATES.get(nearest as usize).copied().unwrap_or(0);
            sum += sign * (NEAR * (FAR - nearest) + gates);
        }
    }
    // Step 4. The side in the lead has to make progress.
    sum -= sum * i32::from(table.quiet()).min(QUIET) / (QUIET + 40);
    squash(sum, SCALE).clamp(-MAX_EVAL, MAX_EVAL)
}

#[derive(Default)]
struct Army {
    value: i32,
    mobile: Vec<(Station, Role)>,
}

struct Sides {
    armies: [Army; 4],
    /// By team: the stations where its men can be attacked.
    open: [Stations; 2],
    free: Stations,
}

impl Sides {
    fn new(world: &Siguo) -> Sides {
        let table = world.table();
        let mut sides = Sides {
            armies: std::array::from_fn(|_| Army::default()),
            open: [Stations::default(); 2],
            free: Stations::default(),
        };
        for at in Station::all() {
            let Some((man, role)) = table.man(at).and_then(|man| Some((man, world.role(man)?))) else {
                sides.free.insert(at);
                continue;
            };
            let army = &mut sides.armies[man.arm().index()];
            army.value += VALUES[role as usize];
            if role.moves() && at.kind() != StationKind::Headquarters {
                army.mobile.push((at, role));
            }
            if at.kind() != StationKind::Camp {
                sides.open[team(world, man.arm())].insert(at);
            }
        }
        for arm in Arm::ALL.into_iter().filter(|&arm| !table.is_out(arm)) {
            sides.armies[arm.index()].value += ALIVE;
        }
        sides
    }

    /// The best capture of an arm this many turns from now, weighted by that distance.
    fn best_capture(&self, world: &Siguo, arm: Arm, turn: usize) -> i32 {
        let foes = self.open[1 - team(world, arm)];
        let mut best = 0;
        for &(from, role) in &self.armies[arm.index()].mobile {
            // Engineers' paths around corners are left out: their captures are not worth the search.
            let met = reach(from, false, |at| self.free.contains(at)).and(foes);
            for to in met.iter() {
                let Some((man, other)) = world.table().man(to).and_then(|man| Some((man, world.role(man)?)))
                else {
                    continue;
                };
                let [own, theirs] = [role, other].map(|role| VALUES[role as usize]);
                let gain = match role.attacks(other) {
                    _ if other == Role::Flag => self.armies[man.arm().index()].value * FLAG_THREATS[turn],
                    Clash::Wins => theirs * THREATS[turn],
                    Clash::Both => (theirs - own) * THREATS[turn],
                    Clash::Dies => 0,
                };
                best = best.max(gain / 100);
            }
        }
        best
    }
}

fn team(world: &Siguo, arm: Arm) -> usize {
    usize::from(world.table().seat_of(arm).map_or(Team::A, Seat::team) == Team::B)
}

/// By target and origin: number of moves on an empty board.
static STEPS: LazyLock<Vec<[u8; Station::COUNT]>> = LazyLock::new(|| {
    let from = |goal: Station| {
        let mut steps = [u8::MAX; Station::COUNT];
        steps[goal.index()] = 0;
        let mut now = vec![goal];
        let mut n = 0;
        while !now.is_empty() {
            n += 1;
            let mut next = Vec::new();
            for &at in &now {
                // Roads and rails lead both ways.
                for to in reach(at, false, |_| true).iter() {
                    if steps[to.index()] == u8::MAX {
                        steps[to.index()] = n;
                        // Men in headquarters never move.
                        if to.kind() != StationKind::Headquarters {
                            next.push(to);
                        }
                    }
                }
            }
            now = next;
        }
        steps
    };
    Station::all().map(from).collect()
});

#[cfg(test)]
mod tests {
    use crate::Rules;
    use anglerfish_rules::Rng;

    use super::*;

    /// Gains of one team are losses of the other: turning the board by one arm changes only the sign.
    #[test]
    fn a_start_with_equal_armies_is_worth_its_tempo_only() {
        let layout = crate::Layout::random(&mut Rng::new(1));
        let game = |first| Siguo::start(Rules::default(), [Some(layout); 4], first);
        for evaluate in [men as fn(&Siguo) -> Score, handmade] {
            let scores = Arm::ALL.map(|arm| evaluate(&game(arm)));
            assert!(scores.iter().all(|score| *score == scores[0]), "{scores:?}");
            assert!(scores[0].abs() < 500, "{scores:?}");
        }
        assert_eq!(men(&game(Arm::South)), 0);
    }

    #[test]
    fn steps_are_counted_on_the_empty_board() {
        let at = |text: &str| text.parse::<Station>().unwrap();
        assert_eq!(STEPS[at("n62").index()][at("n51").index()], 2);
        assert_eq!(STEPS[at("n62").index()][at("n52").index()], 1);
    }
}
