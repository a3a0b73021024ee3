//! Legal actions as sets: one generator behind listing, counting, checking and choosing at random.
//!
//! A step joins two neighbors, so it is a bit at the lower of the two: one set for steps up, one for steps down, captures
//! included. Jumping is a set of targets for each cannon. A playout then needs no list: it counts bits, draws a number and
//! takes that action.

use super::action::Action;
use super::piece::{Color, Role};
use super::position::Position;
use super::square::{Direction, Square, select};
use super::squares::Squares;
use crate::rng::RngExt;

/// The legal actions of one side.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash)]
pub struct Moves {
    /// Face-down pieces; anyone may turn one over.
    flips: Squares,
    /// Steps to the higher of two neighbors and to the lower of them, both at the bit of the lower one: the low halves
    /// are steps along a file (four squares apart), the high halves steps along a rank.
    up: u64,
    down: u64,
    /// The squares that each of the side's cannons may jump to.
    jumps: [(Square, Squares); 2],
}

impl Moves {
    /// The number of actions.
    #[inline]
    pub fn len(&self) -> u32 {
        let steps = self.up.count_ones() + self.down.count_ones();
        let jumps = self.jumps[0].1.len() + self.jumps[1].1.len();
        self.flips.len() + steps + jumps
    }

    /// Whether the set is empty.
    #[inline]
    pub fn is_empty(&self) -> bool {
        u64::from((self.flips | self.jumps[0].1 | self.jumps[1].1).bits()) | self.up | self.down == 0
    }

    /// Those that end on one of these squares: with the enemy's squares, the captures. Flips end nowhere.
    #[inline]
    #[must_use]
    pub fn onto(self, targets: Squares) -> Moves {
        let [first, second] = self.jumps;
        Moves {
            flips: Squares::EMPTY,
            up: self.up & high(targets.bits()),
            down: self.down & low(targets.bits()),
            jumps: [(first.0, first.1 & targets), (second.0, second.1 & targets)],
        }
    }

    /// The face-down pieces that may be turned over.
    #[inline]
    pub const fn flips(&self) -> Squares {
        self.flips
    }

    /// Everything but the flips.
    #[inline]
    #[must_use]
    pub const fn without_flips(self) -> Moves {
        Moves { flips: Squares::EMPTY, ..self }
    }

    /// Everything but captures of a piece by one of the same role: some programs do not allow them. These must be actions
    /// in `p`.
    #[must_use]
    pub fn without_equals(self, p: &Position) -> Moves {
        let [dc, db, da] = p.planes.map(|plane| low(plane) ^ high(plane));
        let shown = (p.occupied() - p.hidden).bits();
        let unequal = da | db | dc | !(low(shown) & high(shown));
        let cannons = p.role(Role::Cannon);
        let [first, second] = self.jumps;
        Moves {
            flips: self.flips,
            up: self.up & unequal,
            down: self.down & unequal,
            jumps: [(first.0, first.1 - cannons), (second.0, second.1 - cannons)],
        }
    }

    /// Takes the action at place `n` of [`iter`](Moves::iter) out of the set: drawing without putting back.
    ///
    /// # Panics
    /// When there are not that many (in debug builds).
    #[inline]
    pub fn take(&mut self, n: u32) -> Action {
        let action = self.nth(n);
        let flips = self.flips.len();
        let ups = flips + self.up.count_ones();
        let steps = ups + self.down.count_ones();
        if n < flips {
            self.flips ^= nth(self.flips, n).into();
        } else if n < ups {
            self.up ^= 1 << select(self.up, n - flips);
        } else if n < steps {
            self.down ^= 1 << select(self.down, n - ups);
        } else if let Action::Move { from, to } = action {
            let jump = usize::from(self.jumps[0].0 != from || !self.jumps[0].1.contains(to));
            self.jumps[jump].1 ^= to.into();
        }
        action
    }

    /// Every action: flips, then steps up and steps down, along files before along ranks, then jumps.
    #[inline]
    pub fn iter(self) -> impl Iterator<Item = Action> {
        let Moves { flips, mut up, mut down, jumps } = self;
        let (mut flips, mut jumps) = (flips.iter(), jumps.map(|(from, targets)| (from, targets.iter())));
        std::iter::from_fn(move || {
            if let Some(at) = flips.next() {
                return Some(Action::Flip(at));
            }
            for (steps, is_down) in [(&mut up, 0), (&mut down, 1)] {
                if *steps != 0 {
                    let place = steps.trailing_zeros();
                    *steps &= *steps - 1;
                    return Some(step(place, is_down));
                }
            }
            jumps
                .iter_mut()
                .find_map(|(from, targets)| Some(Action::Move { from: *from, to: targets.next()? }))
        })
    }

    /// The action at place `n` of [`iter`](Moves::iter).
    ///
    /// # Panics
    /// When there are not that many (in debug builds).
    #[inline]
    pub fn nth(&self, n: u32) -> Action {
        debug_assert!(n < self.len(), "no action at this place");
        let flips = self.flips.len();
        if n < flips {
            return Action::Flip(nth(self.flips, n));
        }
        let n = n - flips;
        let ups = self.up.count_ones();
        let steps = ups + self.down.count_ones();
        if n < steps {
            // Nothing predicts the direction, so the bits of a mask choose it and no branch.
            let down = u32::from(n >= ups);
            let mask = u64::from(down).wrapping_neg();
            return step(select(self.up & !mask | self.down & mask, n - (ups & mask as u32)), down);
        }
        let n = n - steps;
        let first = self.jumps[0].1.len();
        let (jump, n) = if n < first { (self.jumps[0], n) } else { (self.jumps[1], n - first) };
        Action::Move { from: jump.0, to: nth(jump.1, n) }
    }

    /// A random action, each equally likely. The set must not be empty.
    #[inline]
    pub fn pick(&self, rng: &mut (impl rand_core::Rng + ?Sized)) -> Action {
        self.nth(rng.below(self.len()))
    }

    /// Whether `action` is in the set.
    pub fn contains(&self, action: Action) -> bool {
        match action {
            Action::Flip(at) => self.flips.contains(at),
            Action::Move { from, to } => {
                let stepped = |set: u64, lower: Square, down: u32| {
                    let places = [lower.index() as u32, lower.index() as u32 + 32];
                    places.into_iter().any(|p| set >> p & 1 == 1 && step(p, down) == action)
                };
                stepped(self.up, from, 0)
                    || stepped(self.down, to, 1)
                    || self.jumps.iter().any(|&(at, set)| at == from && set.contains(to))
            }
        }
    }
}

/// The step that a bit of [`Moves::up`], or with `down` 1 of [`Moves::down`], stands for.
#[inline]
fn step(place: u32, down: u32) -> Action {
    let lower = place & 31;
    let apart = 4 >> (place >> 4 & 2);
    let square = |index: u32| Square::new((index & 31) as u8);
    let from = square(lower + apart * down);
    let to = square(lower + apart * (1 - down));
    Action::Move { from, to }
}

impl Position {
    /// The legal actions of the side to move. Draws are not considered.
    #[inline]
    pub fn moves(&self) -> Moves {
        match self.side {
            Some(us) => self.moves_of(us),
            None => Moves { flips: self.hidden, up: 0, down: 0, jumps: NO_JUMPS },
        }
    }

    /// The actions that `us` would have if it were to move.
    #[expect(clippy::inline_always, reason = "the hot path of playouts and searches, measured")]
    #[inline(always)]
    pub fn moves_of(&self, us: Color) -> Moves {
        let [up, down] = self.steps(us);
        let mut jumps = NO_JUMPS;
        for (jump, from) in jumps.iter_mut().zip(self.color(us) & self.role(Role::Cannon)) {
            *jump = (from, self.jump_targets(from) & self.color(us.other()));
        }
        Moves { flips: self.hidden, up, down, jumps }
    }

    /// Which pieces of `us` may step or capture up and down; see [`Moves::up`].
    ///
    /// All 52 pairs of neighbors are looked at together: one comparison of the rank planes says which piece outranks which, and so
    /// serves both directions of every pair.
    #[inline]
    fn steps(&self, us: Color) -> [u64; 2] {
        let [own, them, empty] = [self.color(us), self.color(us.other()), self.empty].map(Squares::bits);
        let [c, b, a] = self.planes;
        // Step 1. Compare ranks, three-bit numbers: the highest plane in which they differ decides.
        let (c_low, b_low, a_low) = (low(c), low(b), low(a));
        let (dc, db, da) = (c_low ^ high(c), b_low ^ high(b), a_low ^ high(a));
        let by_c = dc & c_low;
        let by_b = db & b_low | by_c & !db;
        let by_a = da & a_low | by_b & !da;
        // Step 2. Between a king (111) and a pawn (001) it is the other way round.
        let king_and_pawn = da & db & !dc & low(c & !(a ^ b));
        let outranks = by_a ^ king_and_pawn;
        let equal = !(da | db | dc);
        // Step 3. A piece may go to an empty square, or to one where it takes; cannons (010) take only by jumping.
        let taker = own & (a | !b | c);
        let up = low(own) & high(empty) | low(taker) & high(them) & (outranks | equal);
        let down = high(own) & low(empty) | high(taker) & low(them) & !outranks;
        [up & PAIRS, down & PAIRS]
    }

    /// Whether `us` could do anything if it were to move. Nearly always settled by a step onto an empty square.
    #[inline]
    pub(super) fn can_move(&self, us: Color) -> bool {
        !self.hidden.is_empty()
            || !(self.empty.neighbors() & self.color(us)).is_empty()
            || !self.moves_of(us).is_empty()
    }

    /// Whether the action is legal for the side to move.
    #[inline]
    pub fn is_legal(&self, action: Action) -> bool {
        match action {
            Action::Flip(at) => self.hidden.contains(at),
            Action::Move { from, to } => {
                let (Some(us), Some(mover)) = (self.side, self.piece_at(from)) else { return false };
                if mover.color() != us {
                    return false;
                }
                let near = Squares::from(from).neighbors().contains(to);
                match self.piece_at(to) {
                    None => near && self.empty.contains(to),
                    Some(victim) if victim.color() == us => false,
                    Some(_) if mover.role() == Role::Cannon => self.jump_targets(from).contains(to),
                    Some(victim) => near && mover.role().takes(victim.role()),
                }
            }
        }
    }

    /// In each direction the second piece that a jump from `from` meets: what lies just behind one screen.
    #[inline]
    pub fn jump_targets(&self, from: Square) -> Squares {
        let occupied = self.occupied().bits();
        let [north, south, east, west] = RAYS[from.index()];
        Squares::from_bits(
            second_lowest(occupied & north)
                | second_highest(occupied & south)
                | second_lowest(occupied & east)
                | second_highest(occupied & west),
        )
    }
}

const NO_JUMPS: [(Square, Squares); 2] = [(Square::new(0), Squares::EMPTY); 2];

/// The square of a set that has exactly `n` squares of it below.
#[inline]
fn nth(set: Squares, n: u32) -> Square {
    Square::new((select(u64::from(set.bits()), n) & 31) as u8)
}

/// The pieces on the lower square of each pair of neighbors.
#[inline]
const fn low(set: u32) -> u64 {
    set as u64 * 0x0000_0001_0000_0001
}

/// The pieces on the higher square of each pair of neighbors.
#[inline]
const fn high(set: u32) -> u64 {
    (set as u64) >> 4 | (set as u64) << 31
}

/// The set without its lowest square, and of that the lowest.
#[inline]
const fn second_lowest(set: u32) -> u32 {
    let rest = set & set.wrapping_sub(1);
    rest & rest.wrapping_neg()
}

/// The set without its highest square, and of that the highest.
#[inline]
const fn second_highest(set: u32) -> u32 {
    highest(set ^ highest(set))
}

#[inline]
const fn highest(set: u32) -> u32 {
    match 0x8000_0000u32.checked_shr(set.leading_zeros()) {
        Some(bit) => bit,
        None => 0,
    }
}

/// The pairs of neighbors, at the bit of the lower square: along files, and above them along ranks.
const PAIRS: u64 = 0x7777_7777_0FFF_FFFF;

static RAYS: [[u32; 4]; 32] = {
    let mut rays = [[0; 4]; 32];
    let mut i = 0;
    while i < 32 {
        let mut d = 0;
        while d < 4 {
            rays[i][d] = Direction::ALL[d].ray(Square::new(i as u8));
            d += 1;
        }
        i += 1;
    }
    rays
};
