//! The whole game on eight squares, solved: the value of every position, face-down pieces included.
//!
//! On the 2x4 board both sides have a king, a knight, a cannon and a pawn, so the eight pieces are all different. A
//! position is numbered by the pieces in the bag, the face-up pieces, the face-down squares, and the places of the
//! face-up pieces on the other squares. Pieces belong to the side to move or to the other, so colors need no numbers:
//! 26 million positions, solved in the order of [`Solved`](crate::solve::Solved), which is the plain version and the
//! oracle of this one. Positions with the same bag, pieces and face-down squares only step to each other's twins with
//! the sides exchanged: such a group and its twin are solved together, in a table that fits a cache.

use std::sync::OnceLock;

use anglerfish_rules::banqi::{
    Action, Bag, Banqi, Board, Cell, Color, Piece, Position, Role, RuleSet, Setup,
};

use crate::solve::{after, endless, mean, outcomes, result, worth};

/// The roles of a side; its pieces have the numbers 0 to 3, those of the other side 4 to 7.
const ROLES: [Role; 4] = [Role::King, Role::Knight, Role::Cannon, Role::Pawn];

/// A set of eight pieces or squares.
type Set = u8;

/// Positions with the same bag, face-up pieces and face-down squares.
#[derive(Clone, Copy)]
struct Group {
    bag: Set,
    shown: Set,
    hidden: Set,
}

impl Group {
    /// The same with the sides exchanged.
    const fn twin(self) -> Group {
        Group { bag: self.bag.rotate_left(4), shown: self.shown.rotate_left(4), hidden: self.hidden }
    }

    /// The amount of the game that is left: flips and captures reduce it.
    const fn layer(self) -> u32 {
        2 * self.bag.count_ones() + self.shown.count_ones()
    }

    /// Number of ways to place its pieces on its squares.
    fn len(self) -> usize {
        let free = self.hidden.count_zeros() as usize;
        (0..self.shown.count_ones() as usize).map(|n| free - n).product()
    }
}

/// The values of all positions of the 2x4 game.
pub struct Whole {
    rules: RuleSet,
    /// The first number of each bag and set of face-up pieces.
    starts: Vec<u32>,
    /// The rank of a set among the sets of its size.
    ranks: [u8; 256],
    values: Vec<f64>,
    start: f64,
}

impl Whole {
    /// The game under the platform's rules; the first call solves it, in half a minute with two threads.
    pub fn platform() -> &'static Whole {
        static WHOLE: OnceLock<Whole> = OnceLock::new();
        WHOLE.get_or_init(|| Whole::solve(&RuleSet { board: Board::Quarter, ..RuleSet::PLATFORM }))
    }

    fn solve(rules: &RuleSet) -> Whole {
        let mut seen = [0_u8; 9];
        let ranks = std::array::from_fn(|set| {
            let members = &mut seen[set.count_ones() as usize];
            *members += 1;
            *members - 1
        });
        let mut whole =
            Whole { rules: endless(rules), starts: vec![0; 1 << 16], ranks, values: Vec::new(), start: 0.0 };
        let mut layers: [Vec<Group>; 16] = Default::default();
        let mut positions = 0;
        for (bag, shown) in (0..=254).flat_map(|bag: Set| (0..=255).map(move |shown| (bag, shown))) {
            whole.starts[usize::from(bag) << 8 | usize::from(shown)] = positions as u32;
            let fits = |hidden: &Set| bag & shown == 0 && hidden.count_ones() == bag.count_ones();
            for hidden in (0..=255).filter(fits) {
                let group = Group { bag, shown, hidden };
                positions += group.len();
                layers[group.layer() as usize].push(group);
            }
        }
        whole.values = vec![0.0; positions];
        for layer in layers {
            // The first of two twins stands for both.
            let firsts: Vec<Group> =
                layer.into_iter().filter(|g| (g.bag, g.shown) <= (g.twin().bag, g.twin().shown)).collect();
            let half = firsts.len().div_ceil(2).max(1);
            let solved: Vec<(usize, Vec<f64>)> = std::thread::scope(|scope| {
                let whole = &whole;
                let solve = |part: &'_ [Group]| part.iter().flat_map(|&g| whole.pair(g)).collect::<Vec<_>>();
                let parts: Vec<_> =
                    firsts.chunks(half).map(|part| scope.spawn(move || solve(part))).collect();
                let joined = parts.into_iter().map(std::thread::ScopedJoinHandle::join);
                joined.flat_map(|part| part.unwrap_or_else(|p| std::panic::resume_unwind(p))).collect()
            });
            for (from, values) in solved {
                whole.values[from..from + values.len()].copy_from_slice(&values);
            }
        }
        let actions = whole.actions(&Banqi::start(whole.rules));
        whole.start = actions.iter().map(|a| a.1).fold(f64::NEG_INFINITY, f64::max);
        whole
    }

    /// Number of positions.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether it is empty, which it never is.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a position for the side to move, from -1 to 1.
    pub fn value(&self, p: &Position) -> f64 {
        if p.side().is_none() { self.start } else { self.values[self.place(p)] }
    }

    /// The value of each action for the side to move.
    pub fn actions(&self, game: &Banqi) -> Vec<(Action, f64)> {
        worth(game, &self.rules, |p| self.value(p))
    }

    /// The values of a group and of its twin, each with its first number.
    fn pair(&self, group: Group) -> [(usize, Vec<f64>); 2] {
        let groups = [group, group.twin()];
        let (starts, n) = (groups.map(|g| self.start_of(g)), group.len());
        // The values of flips and captures, known by now, and the destinations of steps.
        let (mut certain, mut ends, mut steps) = (Vec::new(), Vec::new(), Vec::new());
        for (which, number) in (0..2).flat_map(|which| (0..n).map(move |number| (which, number))) {
            let p = self.position(groups[which], number);
            let over = result(&p, &self.rules);
            let mut best = over.unwrap_or(f64::NEG_INFINITY);
            for action in p.moves().iter().filter(|_| over.is_none()) {
                let outcomes = outcomes(&p, action);
                let next = after(&p, outcomes[0].event, &self.rules);
                if next.hidden() == p.hidden() && next.occupied().len() == p.occupied().len() {
                    steps.push((self.place(&next) - starts[1 - which] + (1 - which) * n) as u32);
                } else {
                    best = best.max(mean(&p, &outcomes, &self.rules, |p| self.value(p)));
                }
            }
            certain.push(best);
            ends.push(steps.len());
        }
        // Each round adds a ply before the forced draw.
        let mut values = vec![0.0; 2 * n];
        let mut next = values.clone();
        loop {
            let mut begin = 0;
            for ((value, &certain), &end) in next.iter_mut().zip(&certain).zip(&ends) {
                let best = steps[begin..end].iter().map(|&to| -values[to as usize]).fold(certain, f64::max);
                (*value, begin) = (best, end);
            }
            std::mem::swap(&mut values, &mut next);
            if values == next {
                let twin = values.split_off(n);
                return [(starts[0], values), (starts[1], twin)];
            }
        }
    }

    fn start_of(&self, group: Group) -> usize {
        let start = self.starts[usize::from(group.bag) << 8 | usize::from(group.shown)];
        start as usize + usize::from(self.ranks[usize::from(group.hidden)]) * group.len()
    }

    /// The number of a position in which colors are assigned.
    fn place(&self, p: &Position) -> usize {
        let us = p.side().unwrap_or(Color::Red);
        let mut group = Group { bag: 0, shown: 0, hidden: 0 };
        let mut stands = [0; 8];
        for (n, square) in Board::Quarter.mask().iter().enumerate() {
            match p.cell(square) {
                Cell::Hidden => group.hidden |= 1 << n,
                Cell::Shown(piece) => {
                    let piece = number_of(piece, us);
                    group.shown |= 1 << piece;
                    stands[piece] = n;
                }
                Cell::Empty | Cell::Outside => {}
            }
        }
        for (piece, _) in p.bag().iter() {
            group.bag |= 1 << number_of(piece, us);
        }
        let (mut free, mut number) = (!group.hidden, 0);
        for n in members(group.shown).map(|piece| stands[piece]) {
            number = number * free.count_ones() as usize + (free & ((1 << n) - 1)).count_ones() as usize;
            free &= !(1 << n);
        }
        self.start_of(group) + number
    }

    /// The position with this number in a group, with red to move.
    fn position(&self, group: Group, mut number: usize) -> Position {
        let mut cells = [Cell::Outside; 32];
        let board: Vec<_> = Board::Quarter.mask().iter().collect();
        for (n, square) in board.iter().enumerate() {
            cells[square.index()] = if group.hidden >> n & 1 == 1 { Cell::Hidden } else { Cell::Empty };
        }
        let pieces: Vec<usize> = members(group.shown).collect();
        let last = group.hidden.count_zeros() as usize - pieces.len() + 1;
        let mut digits: Vec<usize> = Vec::new();
        for radix in last..last + pieces.len() {
            digits.push(number % radix);
            number /= radix;
        }
        let mut free: Vec<usize> = members(!group.hidden).collect();
        for (piece, digit) in pieces.into_iter().zip(digits.into_iter().rev()) {
            cells[board[free.remove(digit)].index()] = Cell::Shown(piece_of(piece));
        }
        let mut bag = Bag::default();
        members(group.bag).for_each(|piece| bag.add(piece_of(piece)));
        let setup = Setup { cells, bag, side: Some(Color::Red), quiet: 0, ply: 1 };
        setup.position(&self.rules).unwrap_or_else(|e| unreachable!("a position by its number: {e}"))
    }
}

fn members(set: Set) -> impl Iterator<Item = usize> {
    (0..8).filter(move |n| set >> n & 1 == 1)
}

/// The number of a piece if `us` is to move.
fn number_of(piece: Piece, us: Color) -> usize {
    let role = ROLES.iter().position(|&role| role == piece.role());
    role.unwrap_or_else(|| unreachable!("{piece} is not on this board"))
        + if piece.color() == us { 0 } else { 4 }
}

/// The piece with this number if red is to move.
const fn piece_of(number: usize) -> Piece {
    Piece::new(if number < 4 { Color::Red } else { Color::Black }, ROLES[number % 4])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Solved;
    use anglerfish_rules::{Game, Rng};

    /// All positions have different numbers, and the table agrees with the plain solver.
    #[test]
    #[ignore = "full: half a minute with a release build, ten without; the stage lab has it"]
    fn it_is_what_the_plain_solver_says() {
        let whole = Whole::platform();
        // The sum over h face down and f face up of C(8,h)² · C(8-h,f)² · f!, without h = 8.
        assert_eq!(whole.len(), 26_253_701);
        assert!((whole.start - 1.0 / 630.0).abs() < 1e-12, "who begins has {}", whole.start);
        let (mut rng, mut compared) = (Rng::new(7), 0);
        let mut game = Banqi::start(whole.rules);
        while compared < 300 {
            match game.random_action(&mut rng) {
                Some(action) => game.apply(game.resolve(action, &mut rng)),
                None => game = Banqi::start(whole.rules),
            }
            let Some(solved) = Solved::new(&game, 20_000) else { continue };
            compared += 1;
            let plain = solved.value(game.position()).expect("it begins here");
            assert!((whole.value(game.position()) - plain).abs() < 1e-12, "{game}: not {plain}");
            for ((action, value), (_, plain)) in whole.actions(&game).into_iter().zip(solved.actions(&game)) {
                assert!((value - plain).abs() < 1e-12, "{game} {action}: {value}, not {plain}");
            }
        }
    }
}
