//! Which actions first, and which flips at all.

use anglerfish_rules::banqi::{Action, Color, Position, Square, Squares};
use arrayvec::ArrayVec;

use super::settings::MAX_PLY;
use super::table::pack;
use crate::eval::Evaluator;
use crate::eval::course::flip_weight;
use crate::parameters::{self, EXCHANGE};

/// What one thread remembers from move to move.
#[derive(Clone)]
pub(super) struct Memory<E> {
    pub(super) eval: E,
    /// The history heuristic: how well quiet moves have done, by color, from and to.
    history: Box<[[i32; 1024]; 2]>,
    /// The killer heuristic: the last two quiet moves that were good enough at each ply.
    killers: Box<[[u16; 2]; MAX_PLY]>,
}

/// No more actions than this: 16 pieces with four steps each and cannons' jumps, or 32 flips.
pub(super) const MAX_ACTIONS: usize = 112;

/// An action with its place in the queue: the higher, the sooner.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scored {
    pub(super) action: Action,
    pub(super) order: i32,
}

/// The actions of a node that wait for their turn.
pub(super) type Queue = ArrayVec<Scored, MAX_ACTIONS>;

/// Takes the action with the highest order out of the queue; of equal ones, the one that was put in first.
#[inline]
pub(super) fn take_best(queue: &mut Queue, from: usize) -> Option<Scored> {
    let rest = queue.get_mut(from..)?;
    let mut best = (0, rest.first()?.order);
    for (place, scored) in rest.iter().enumerate() {
        if scored.order > best.1 {
            best = (place, scored.order);
        }
    }
    rest.swap(0, best.0);
    Some(rest[0])
}

const FIRST: i32 = 1 << 30;
const GOOD_CAPTURE: i32 = 1 << 24;
const KILLER: i32 = 1 << 23;
const BAD_CAPTURE: i32 = -(1 << 24);

/// Whether this capture loses nothing in the end: the victim is worth more, or the opponent cannot take back.
#[inline]
pub(super) fn gains(position: &Position, from: Square, to: Square, us: Color) -> bool {
    let (own, victim) = (position.rank_at(from), position.rank_at(to));
    EXCHANGE[usize::from(victim & 7)] >= EXCHANGE[usize::from(own & 7)] || !guarded(position, from, to, us)
}

/// Whether an enemy stands next to `to` that would take the piece from `from` there.
#[inline]
fn guarded(position: &Position, from: Square, to: Square, us: Color) -> bool {
    let Some(own) = position.piece_at(from) else { return false };
    let near = Squares::from(to).neighbors() & position.color(us.other());
    near.iter().filter_map(|s| position.piece_at(s)).any(|enemy| enemy.role().takes(own.role()))
}

/// The order of a capture among captures: the biggest victim first, then the smallest taker.
#[inline]
pub(super) fn capture_order(position: &Position, from: Square, to: Square) -> i32 {
    EXCHANGE[usize::from(position.rank_at(to) & 7)] * 16 - EXCHANGE[usize::from(position.rank_at(from) & 7)]
}

/// Flips in the order of the tables of 郭彥廷 (2019).
pub(super) fn queue_flips(position: &Position, us: Option<Color>, first: Option<Action>, queue: &mut Queue) {
    for at in position.hidden() {
        let action = Action::Flip(at);
        let weight = us.map_or(0, |us| flip_weight(position, at, us));
        queue.push(Scored { action, order: if first == Some(action) { FIRST } else { weight } });
    }
}

impl<E> Memory<E> {
    pub(super) fn new(eval: E) -> Memory<E> {
        Memory { eval, history: Box::new([[0; 1024]; 2]), killers: Box::new([[u16::MAX; 2]; MAX_PLY]) }
    }

    /// Between moves: killers are of no use any more, and history fades.
    pub(super) fn fade(&mut self) {
        self.killers.fill([u16::MAX; 2]);
        for h in self.history.iter_mut().flatten() {
            *h /= parameters::HISTORY_FADING;
        }
    }

    /// Everything that is not a flip, in order.
    pub(super) fn queue_moves(
        &self,
        position: &Position,
        us: Color,
        ply: usize,
        first: Option<Action>,
        ordered: bool,
    ) -> Queue {
        let mut queue = Queue::new();
        let moves = position.moves_of(us);
        for action in moves.onto(position.color(us.other())).iter() {
            let Action::Move { from, to } = action else { continue };
            let order = capture_order(position, from, to);
            let order = order + if gains(position, from, to, us) { GOOD_CAPTURE } else { BAD_CAPTURE };
            queue.push(Scored { action, order: if ordered { order } else { 0 } });
        }
        let killers = self.killers[ply & (MAX_PLY - 1)];
        for action in moves.onto(position.empty()).iter() {
            let bits = pack(action);
            let history = self.history[us as usize][usize::from(bits)];
            let order = if killers[0] == bits {
                KILLER + 1
            } else if killers[1] == bits {
                KILLER
            } else {
                history
            };
            queue.push(Scored { action, order: if ordered { order } else { 0 } });
        }
        if let Some(scored) = first.and_then(|first| queue.iter_mut().find(|s| s.action == first)) {
            scored.order = FIRST;
        }
        queue
    }

    /// A quiet move or a flip was good enough here; the quiet moves tried before it were not. Flips have no history: what a
    /// square is worth turning over depends on what stands beside it, and their order is that of 郭彥廷 (2019).
    pub(super) fn reward(&mut self, us: Color, ply: usize, depth: i32, action: Action, tried: &[Scored]) {
        let bonus = (depth * depth * parameters::HISTORY_BONUS).min(parameters::HISTORY_BONUS_MOST);
        let table = &mut self.history[us as usize];
        // History gravity: each update moves the entry toward its limit by a share of what is left.
        let mut update = |action: Action, bonus: i32| {
            if let Action::Move { .. } = action {
                let entry = &mut table[usize::from(pack(action)) & 1023];
                *entry += bonus - *entry * bonus.abs() / parameters::HISTORY_MOST;
            }
        };
        update(action, bonus);
        for other in tried {
            update(other.action, -bonus);
        }
        if matches!(action, Action::Move { .. }) {
            let killers = &mut self.killers[ply & (MAX_PLY - 1)];
            if killers[0] != pack(action) {
                *killers = [pack(action), killers[0]];
            }
        }
    }
}

impl<E: Evaluator<Position>> Memory<E> {
    /// A new game begins.
    pub(super) fn forget(&mut self, seed: u64) {
        self.killers.fill([u16::MAX; 2]);
        self.history.fill([0; 1024]);
        self.eval.new_game(seed);
    }
}
