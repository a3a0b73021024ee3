//! The evaluation we play with: the pieces left and what they can still take, which piece hunts which, and what the bag may bring.
//!
//! A sum of counts times [`Tunables`]: `piece` and `prey` say what each piece is worth by what can still take it and what it
//! can still take; the others look at the board. Distances are steps over empty squares, found by growing sets of
//! squares, so a hunter behind a wall is far away. What depends only on which pieces are left is kept in a small table.

use anglerfish_rules::banqi::{Bag, Color, Piece, Position, Role, Squares};

use super::Evaluator;
use crate::parameters::{EVAL_DECISIVE, EVAL_FADING, EVAL_HIDDEN, EVAL_PATIENCE};
use crate::score::{Score, squash};
use crate::tunables::{Tunables, place};

/// See the module's page.
#[derive(Clone)]
pub struct Handmade {
    weights: Box<[Blend; Tunables::COUNT]>,
    materials: Vec<Material>,
    bags: Vec<Bagged>,
}

/// Two sums in one word: with many pieces face down, and with none.
#[derive(Clone, Copy, Default)]
struct Blend(i64);

impl Blend {
    fn new((early, late): (i32, i32)) -> Blend {
        Blend((i64::from(early) << 32) + i64::from(late))
    }

    /// The sum where so many pieces are face down.
    #[inline]
    fn at(self, hidden: u32) -> i32 {
        let late = self.0 as i32;
        let early = ((self.0 - i64::from(late)) >> 32) as i32;
        let share = hidden.min(EVAL_HIDDEN) as i32;
        (early * share + late * (EVAL_HIDDEN as i32 - share)) / EVAL_HIDDEN as i32
    }
}

/// The counts of the pieces left, and their value to red.
#[derive(Clone, Copy, Default)]
struct Material {
    counts: u64,
    worth: Blend,
}

/// The values of a bag: of its contents to red, and of a piece of each color and role next to a face-down piece.
#[derive(Clone, Copy, Default)]
struct Bagged {
    bag: Bag,
    contents: Blend,
    near: [[Blend; 7]; 2],
}

const MATERIALS: usize = 1 << 12;
const BAGS: usize = 1 << 9;

/// The roles in the order of the tunables.
const ROLES: [Role; 7] =
    [Role::Pawn, Role::Cannon, Role::Knight, Role::Rook, Role::Minister, Role::Guard, Role::King];
const CANNON: usize = 1;
const KING: usize = 6;

/// A receiver of the counts: the evaluation multiplies them, a fit writes them down.
trait Sum {
    fn add(&mut self, place: usize, count: i32);
}

struct Weighed<'a> {
    weights: &'a [Blend; Tunables::COUNT],
    sum: Blend,
}

impl Sum for Weighed<'_> {
    #[inline]
    fn add(&mut self, place: usize, count: i32) {
        self.sum.0 += self.weights[place].0 * i64::from(count);
    }
}

impl Sum for Vec<i32> {
    fn add(&mut self, place: usize, count: i32) {
        self[place] += count;
    }
}

impl Handmade {
    /// With these numbers.
    pub fn new(tunables: &Tunables) -> Handmade {
        let weights: Vec<Blend> = tunables.numbers().into_iter().map(Blend::new).collect();
        let weights =
            weights.try_into().unwrap_or_else(|_| unreachable!("the count is the count of the numbers"));
        let (materials, bags) = (vec![Material::default(); MATERIALS], vec![Bagged::default(); BAGS]);
        Handmade { weights, materials, bags }
    }

    /// The sum for the side to move, before it is brought onto the scale of scores.
    fn raw(&mut self, position: &Position) -> i32 {
        let Some(us) = position.side() else { return 0 };
        let roles = roles(position);
        let worth = self.worth(counts(position, &roles)) + self.bag(position, &roles);
        let worth = Blend(if us == Color::Red { worth } else { -worth });
        let mut sum = Weighed { weights: &self.weights, sum: worth };
        add_board(position, &roles, us, &mut sum);
        sum.sum.at(position.hidden().len())
    }

    /// The value of the pieces left to red.
    #[inline]
    fn worth(&mut self, counts: u64) -> i64 {
        let place = (counts.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % MATERIALS;
        let known = &mut self.materials[place];
        if known.counts != counts {
            let mut sum = Weighed { weights: &self.weights, sum: Blend::default() };
            add_material(counts, Color::Red, &mut sum);
            *known = Material { counts, worth: sum.sum };
        }
        known.worth.0
    }

    /// The value of the face-down pieces to red: as [`add_bag`], but with a table of all that depends on the bag alone.
    #[inline]
    fn bag(&mut self, position: &Position, roles: &[Squares; 7]) -> i64 {
        let bag = position.bag();
        if bag.is_empty() {
            return 0;
        }
        let place = (bag.nibbles().wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 52) as usize % BAGS;
        if self.bags[place].bag != bag {
            self.bags[place] = self.bagged(bag);
        }
        let known = &self.bags[place];
        let near = position.hidden().neighbors();
        let mut sum = known.contents.0;
        for (color, sign) in [(Color::Red, 1), (Color::Black, -1)] {
            let own = near & position.color(color);
            if !own.is_empty() {
                for (&set, weight) in roles.iter().zip(&known.near[color as usize]) {
                    sum += sign * i64::from((own & set).len()) * weight.0;
                }
            }
        }
        sum
    }

    #[cold]
    fn bagged(&self, bag: Bag) -> Bagged {
        let mut known = Bagged { bag, ..Bagged::default() };
        for (color, sign) in [(Color::Red, 1), (Color::Black, -1)] {
            for (i, role) in ROLES.into_iter().enumerate() {
                let n = i64::from(bag.count(Piece::new(color, role)));
                known.contents.0 += sign * n * self.weights[place::hidden + i].0;
                let danger = i64::from(danger(bag, color, role));
                let near = self.weights[place::covered + i].0 + danger * self.weights[place::risk + i].0;
                known.near[color as usize][i] = Blend(near);
            }
        }
        known
    }

    /// The counts that the numbers multiply, in the order of [`Tunables::numbers`]: what a fit works on.
    pub fn features(position: &Position) -> Vec<i32> {
        let mut sum = vec![0; Tunables::COUNT];
        if let Some(us) = position.side() {
            let roles = roles(position);
            add_material(counts(position, &roles), us, &mut sum);
            add_bag(position, &roles, us, &mut sum);
            add_board(position, &roles, us, &mut sum);
        }
        sum
    }
}

impl Evaluator<Position> for Handmade {
    fn evaluate(&mut self, position: &Position) -> Score {
        // An advantage that leads nowhere fades, so that the side ahead looks for progress before the draw comes.
        let idle =
            i32::from(position.quiet()).clamp(EVAL_PATIENCE, EVAL_PATIENCE + EVAL_FADING / 2) - EVAL_PATIENCE;
        squash(self.raw(position) * (EVAL_FADING - idle) / EVAL_FADING, EVAL_DECISIVE)
    }
}

/// The face-up pieces of each role.
#[inline]
fn roles(position: &Position) -> [Squares; 7] {
    let mut sets = [Squares::EMPTY; 7];
    for (set, role) in sets.iter_mut().zip(ROLES) {
        *set = position.role(role);
    }
    sets
}

/// The counts of the pieces left, face up and face down: a byte per role, red in its low half, black in its high half.
#[inline]
fn counts(position: &Position, roles: &[Squares; 7]) -> u64 {
    let mut shown = 0u64;
    for (i, &set) in roles.iter().enumerate() {
        for color in Color::ALL {
            let n = (set & position.color(color)).len();
            shown |= u64::from(n) << (8 * i + 4 * color as usize);
        }
    }
    // The bag's own word has rank 1, the pawns, in its second byte.
    shown + (position.bag().nibbles() >> 8)
}

/// The terms of the pieces left, for `us`, less those of the other.
fn add_material(counts: u64, us: Color, sum: &mut impl Sum) {
    let n = |role: usize, color: Color| (counts >> (8 * role + 4 * color as usize) & 15) as i32;
    for (color, sign) in [(us, 1), (us.other(), -1)] {
        for (i, own) in ROLES.into_iter().enumerate() {
            let count = n(i, color);
            if count == 0 {
                continue;
            }
            let theirs = |j: usize| n(j, color.other());
            let takers = (0..7).filter(|&j| j != i && ROLES[j].takes(own)).map(theirs).sum::<i32>();
            let taken = |j: usize| own == Role::Cannon || own.takes(ROLES[j]);
            sum.add(place::piece + 6 * i + takers.min(5) as usize, sign * count);
            for j in (0..7).filter(|&j| taken(j)) {
                sum.add(place::prey + 7 * i + j, sign * count * theirs(j));
            }
            if (0..7).filter(|&j| taken(j)).map(theirs).sum::<i32>() == 0 {
                sum.add(place::idle + i, sign * count);
            }
        }
    }
}

/// The terms of the face-up pieces, for `us`, less those of the other; without the terms of the bag.
#[inline]
fn add_board(position: &Position, roles: &[Squares; 7], us: Color, sum: &mut impl Sum) {
    sum.add(place::tempo, 1);
    hunt::<true>(position, roles, us, sum);
    let n = hunt::<false>(position, roles, us.other(), sum);
    if n > 1 {
        sum.add(place::fork, n - 1);
    }
}

/// The terms of the hunt by the pieces of `hunter`. Returns how many pieces it could take.
#[inline]
fn hunt<const OURS: bool>(
    position: &Position,
    roles: &[Squares; 7],
    hunter: Color,
    sum: &mut impl Sum,
) -> i32 {
    let own = position.color(hunter);
    let theirs = position.color(hunter.other());
    let cannons = own & roles[CANNON];
    let jumps = cannons.iter().fold(Squares::EMPTY, |set, from| set | position.jump_targets(from)) & theirs;
    let open = position.hidden().len() <= 4;
    let mut hunt = Hunt::<OURS> {
        roles,
        own,
        theirs,
        empty: position.empty(),
        open,
        jumps,
        takers: Squares::EMPTY,
        friends: Squares::EMPTY,
        n_attacked: 0,
    };
    // From the king down: a taker of a role also takes the one below it, except for kings and pawns. Not a loop: a function for each role has
    // constants where a loop has an index, and a search needs 8 to 11 % fewer instructions.
    hunt.prey::<6>(sum);
    hunt.prey::<5>(sum);
    hunt.prey::<4>(sum);
    hunt.prey::<3>(sum);
    hunt.prey::<2>(sum);
    hunt.prey::<1>(sum);
    hunt.prey::<0>(sum);
    hunt.n_attacked
}

/// One color's hunt, from the king down.
struct Hunt<'a, const OURS: bool> {
    roles: &'a [Squares; 7],
    own: Squares,
    theirs: Squares,
    empty: Squares,
    /// Whether hardly anything is face down.
    open: bool,
    /// The pieces that the hunter's cannons could take.
    jumps: Squares,
    takers: Squares,
    /// Friends of the prey that are not weaker would take back; cannons guard nothing here.
    friends: Squares,
    n_attacked: i32,
}

impl<const OURS: bool> Hunt<'_, OURS> {
    /// Counts the threats to the prey of role `I`.
    #[inline]
    fn prey<const I: usize>(&mut self, sum: &mut impl Sum) {
        let (attacked_at, trapped_at, near_at, sign) = if OURS {
            (place::capture, place::trapped_theirs, place::hunt, -1)
        } else {
            (place::attacked, place::trapped_ours, place::flee, 1)
        };
        let &mut Hunt { roles, own, empty, .. } = self;
        let count = |set: Squares| set.len() as i32;
        let prey = self.theirs & roles[I];
        if I != CANNON {
            self.takers |= own & roles[I];
            self.friends |= prey;
        }
        if prey.is_empty() {
            return;
        }
        let hunters = match I {
            0 => self.takers - roles[KING],
            KING => own & (roles[KING] | roles[0]),
            _ => self.takers,
        };
        let one = hunters.neighbors();
        let two = (one & empty).neighbors();
        let three = (two & empty).neighbors();
        let attacked = prey & (one | self.jumps);
        let near = (prey - attacked) & (two | three);
        // Step 1. The prey that could be taken at once, the prey two and three steps away, and the squares it could flee to.
        if !(attacked | near).is_empty() {
            let ways = (empty - one).few_neighbors();
            for (n, ways) in ways.into_iter().enumerate() {
                sum.add(place::pinned + 3 * I + n, sign * count((near | attacked) & ways));
            }
            sum.add(near_at + I, count(near & two));
            sum.add(near_at + 7 + I, count(near - two));
            if !attacked.is_empty() {
                self.n_attacked += count(attacked);
                sum.add(attacked_at + I, count(attacked));
                sum.add(trapped_at + I, count(attacked & ways[0]));
                sum.add(place::guarded + I, sign * count(attacked & self.friends.neighbors()));
            }
        }
        // Step 2. On an open board also prey that is further away.
        let far = prey - attacked - near;
        if self.open && !far.is_empty() && !hunters.is_empty() {
            let four = (three & empty).neighbors();
            sum.add(near_at + 14 + I, count(far & four));
            sum.add(near_at + 21 + I, count((far - four) & (four & empty).neighbors()));
        }
    }
}

/// The sixteenths of a chance that a face-down piece takes a piece of this role and color.
fn danger(bag: Bag, color: Color, role: Role) -> i32 {
    let n = |role: Role| bag.count(Piece::new(color.other(), role)) as i32;
    let takers: i32 = ROLES.into_iter().filter(|taker| taker.takes(role)).map(n).sum();
    takers * 16 / bag.len() as i32
}

/// The terms of the face-down pieces, for `us`, less those of the other.
fn add_bag(position: &Position, roles: &[Squares; 7], us: Color, sum: &mut impl Sum) {
    let bag = position.bag();
    if bag.is_empty() {
        return;
    }
    for (color, sign) in [(us, 1), (us.other(), -1)] {
        let near = position.hidden().neighbors() & position.color(color);
        for (i, role) in ROLES.into_iter().enumerate() {
            let n = (near & roles[i]).len() as i32;
            sum.add(place::hidden + i, sign * bag.count(Piece::new(color, role)) as i32);
            sum.add(place::covered + i, sign * n);
            sum.add(place::risk + i, sign * n * danger(bag, color, role));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::banqi::{Banqi, RuleSet};
    use anglerfish_rules::{Game, Rng};

    /// The counts times the numbers are the sum, and both sides see the same board.
    #[test]
    fn the_sum_is_linear_in_the_numbers() {
        let tunables = Tunables::default();
        let mut handmade = Handmade::new(&tunables);
        let mut rng = Rng::new(3);
        for seed in 0..30 {
            let mut game = Banqi::start(RuleSet::PLATFORM);
            for _ in 0..20 + seed * 8 {
                let Some(action) = game.random_action(&mut rng) else { break };
                game.apply(game.resolve(action, &mut rng));
            }
            let position = *game.position();
            let features = Handmade::features(&position);
            let mut sum = Blend::default();
            for (count, number) in features.iter().zip(tunables.numbers()) {
                sum.0 += Blend::new(number).0 * i64::from(*count);
            }
            assert_eq!(handmade.raw(&position), sum.at(position.hidden().len()), "{game}");
        }
    }
}
