//! The evaluation we play with: what is left and what it can still take, who is next to whom, and what the bag may bring.
//!
//! The sum is linear in its [`Tunables`]. Distances are counted in steps over empty squares, by growing sets of squares, so
//! a hunter behind a wall is far away. What depends only on which pieces are left is kept in a small table of its own.

use anglerfish_rules::banqi::{Bag, Color, Piece, Position, Role, Square, neighbors, squares};

use super::Evaluator;
use crate::score::{Score, squash};
use crate::tunables::Tunables;

/// See the module's page.
pub struct Handmade {
    tunables: Tunables,
    materials: Vec<Material>,
}

/// What is left of each piece and what that is worth to red.
#[derive(Clone, Copy, Default)]
struct Material {
    counts: u64,
    worth: i32,
}

const MATERIALS: usize = 1 << 12;

/// The roles in the order of the tunables.
const ROLES: [Role; 7] =
    [Role::Pawn, Role::Cannon, Role::Knight, Role::Rook, Role::Minister, Role::Guard, Role::King];

impl Handmade {
    /// With these numbers.
    pub fn new(tunables: &Tunables) -> Handmade {
        Handmade { tunables: tunables.clone(), materials: vec![Material::default(); MATERIALS] }
    }

    /// The sum for the side to move, before it is brought onto the scale of scores.
    pub fn raw(&mut self, position: &Position) -> i32 {
        let Some(us) = position.side() else { return 0 };
        let roles = ROLES.map(|role| position.role(role));
        let worth = self.material(position, &roles);
        let sign = |value: i32| if us == Color::Red { value } else { -value };
        let t = &self.tunables;
        let ours = Relations::new(position, &roles, us);
        let theirs = Relations::new(position, &roles, us.other());
        let mut sum = sign(worth) + t.tempo[0];
        sum += ours.hunt(&t.capture, &t.near_ours, &t.far_ours);
        sum += theirs.hunt(&t.attacked, &t.near_theirs, &t.far_theirs);
        sum += (theirs.n_attacked() - 1).max(0) * t.fork[0];
        for i in 0..7 {
            sum += theirs.n_trapped[i] * t.trapped[i];
            // `ours` knows how much room our hunters leave to their prey.
            sum += (theirs.room[i] - ours.room[i]) * t.room[i];
        }
        if position.hidden() != 0 {
            sum += risk(position, &roles, us, &t.risk) - risk(position, &roles, us.other(), &t.risk);
        }
        sum
    }

    /// What the pieces that are left are worth to red, face up and face down.
    fn material(&mut self, position: &Position, roles: &[u32; 7]) -> i32 {
        let mut shown = 0u64;
        for (i, set) in roles.iter().enumerate() {
            for color in Color::ALL {
                let n = (set & position.color(color)).count_ones();
                shown |= u64::from(n) << (8 * i + 4 * color as usize);
            }
        }
        let bag = position.bag();
        // The bag's own layout has rank 1 in its second byte.
        let counts = shown + (bag.nibbles() >> 8);
        let place = (counts.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % MATERIALS;
        let known = self.materials[place];
        let worth = if known.counts == counts && counts != 0 {
            known.worth
        } else {
            let worth = self.worth(counts);
            self.materials[place] = Material { counts, worth };
            worth
        };
        worth + self.shown(shown)
    }

    fn worth(&self, counts: u64) -> i32 {
        let t = &self.tunables;
        let n = |role: usize, color: Color| (counts >> (8 * role + 4 * color as usize) & 15) as i32;
        let side = |us: Color| {
            let mut sum = 0;
            for (i, own) in ROLES.into_iter().enumerate() {
                sum += n(i, us) * t.base[i];
                for (j, victim) in ROLES.into_iter().enumerate() {
                    if own.takes(victim) || own == Role::Cannon {
                        sum += n(i, us) * n(j, us.other()) * t.prey[7 * i + j];
                    }
                }
            }
            sum
        };
        side(Color::Red) - side(Color::Black)
    }

    fn shown(&self, shown: u64) -> i32 {
        let n = |role: usize, color: Color| (shown >> (8 * role + 4 * color as usize) & 15) as i32;
        let t = &self.tunables;
        (0..7).map(|i| (n(i, Color::Red) - n(i, Color::Black)) * t.shown[i]).sum()
    }
}

impl Evaluator<Position> for Handmade {
    fn evaluate(&mut self, position: &Position) -> Score {
        let raw = self.raw(position);
        squash(raw, self.tunables.scale[0])
    }
}

/// What the hunters of one color do to the other color's pieces, by the role of the prey.
struct Relations {
    /// Prey that could be taken at once, and that is two and three steps away.
    n_reach: [[i32; 7]; 3],
    /// Prey that could be taken at once and has no safe square.
    n_trapped: [i32; 7],
    /// Safe empty squares next to the prey.
    room: [i32; 7],
}

impl Relations {
    #[inline]
    fn new(position: &Position, roles: &[u32; 7], hunter: Color) -> Relations {
        let own = position.color(hunter);
        let theirs = position.color(hunter.other());
        let empty = position.empty();
        let mut relations = Relations { n_reach: [[0; 7]; 3], n_trapped: [0; 7], room: [0; 7] };
        let jumps = squares(own & roles[1]).fold(0, |set, from| set | position.jump_targets(from)) & theirs;
        // From the king down: whoever takes a role also takes the one below it, except for kings and pawns.
        let mut takers = 0;
        for i in (0..7).rev() {
            if i != 1 {
                takers |= own & roles[i];
            }
            let prey = theirs & roles[i];
            if prey == 0 {
                continue;
            }
            let hunters = match i {
                0 => takers & !roles[6],
                6 => own & (roles[6] | roles[0]),
                _ => takers,
            };
            let one = neighbors(hunters);
            let attacked = prey & (one | jumps);
            let safe = empty & !one;
            relations.room[i] = (neighbors(prey) & safe).count_ones() as i32;
            if hunters | attacked == 0 {
                continue;
            }
            let two = neighbors(one & empty);
            let three = neighbors(two & empty);
            relations.n_reach[0][i] = attacked.count_ones() as i32;
            relations.n_reach[1][i] = (prey & two & !attacked).count_ones() as i32;
            relations.n_reach[2][i] = (prey & three & !two & !attacked).count_ones() as i32;
            if attacked != 0 {
                let stuck = |s: &Square| neighbors(s.bit()) & safe == 0;
                relations.n_trapped[i] = squares(attacked).filter(stuck).count() as i32;
            }
        }
        relations
    }

    #[inline]
    fn hunt(&self, one: &[i32; 7], two: &[i32; 7], three: &[i32; 7]) -> i32 {
        let mut sum = 0;
        for i in 0..7 {
            sum += self.n_reach[0][i] * one[i] + self.n_reach[1][i] * two[i] + self.n_reach[2][i] * three[i];
        }
        sum
    }

    fn n_attacked(&self) -> i32 {
        self.n_reach[0].iter().sum()
    }
}

/// What `us` may lose to the face-down pieces next to its face-up ones.
#[inline]
fn risk(position: &Position, roles: &[u32; 7], us: Color, weights: &[i32; 7]) -> i32 {
    let bag: Bag = position.bag();
    let near = neighbors(position.hidden()) & position.color(us);
    if near == 0 {
        return 0;
    }
    let n = |role: Role| bag.count(Piece::new(us.other(), role)) as i32;
    let total = bag.len() as i32;
    let mut takers = 0;
    let mut sum = 0;
    for i in (0..7).rev() {
        if i != 1 {
            takers += n(ROLES[i]);
        }
        let count = (near & roles[i]).count_ones() as i32;
        if count != 0 {
            let hunters = match i {
                0 => takers - n(Role::King),
                6 => n(Role::King) + n(Role::Pawn),
                _ => takers,
            };
            sum += count * hunters * weights[i] * 16 / total;
        }
    }
    sum / 16
}
