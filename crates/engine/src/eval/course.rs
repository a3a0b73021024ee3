//! The evaluation and flip weights of 郭彥廷 (2019), "Theory of Computer Games, 2019 Fall Final Project", exactly.
//!
//! Raw piece units exist only in here: the sum is brought onto the scale of scores by one linear factor, so that averages
//! over flips are what they were in the paper.

use anglerfish_rules::banqi::{Color, Piece, Position, Role, Square, Squares};
use anglerfish_rules::{Rng, RngExt};

use super::Evaluator;
use crate::score::{MAX_EVAL, Score};

/// Table I, by rank: pawn, cannon, knight, rook, minister, guard, king.
const BASIC: [i32; 7] = [2, 25, 5, 10, 20, 30, 50];

/// Table IV: how much an attacker (row) is drawn to a defender (column), both in the order `K G M R N C P`.
const INFLUENCE: [[i32; 7]; 7] = [
    [120, 108, 60, 36, 24, 48, 0],
    [0, 106, 60, 36, 24, 48, 12],
    [0, 0, 58, 36, 24, 48, 12],
    [0, 0, 0, 34, 24, 48, 12],
    [0, 0, 0, 0, 22, 48, 12],
    [0, 0, 0, 0, 0, 0, 0],
    [108, 0, 0, 0, 0, 0, 10],
];

/// Table II: the weight of a face-down piece with this neighbor, if the neighbor is the enemy's or the player's own.
const NEXT_TO: [[i32; 2]; 7] =
    [[-5000, -5000], [-800, 800], [-600, 600], [-200, 200], [100, 100], [5000, -5000], [-1000, -1000]];

/// Table III: the same for a piece two squares away in a straight line.
const JUMP_FROM: [[i32; 2]; 7] =
    [[-1000, -1000], [-800, -1000], [-600, -1000], [-400, -100], [-200, -100], [-5000, 500], [-100, -100]];

/// The index of a role in the tables.
const fn row(role: Role) -> usize {
    7 - role as usize
}

/// `W(X, Y, MD)` of section 1.3.2, in 1/256ths: what an attacker gains by being this far from a defender.
///
/// Two squares are the perfect distance: a hunter that stands next to its prey lets it step away for ever.
pub const fn influence(attacker: Role, defender: Role, distance: u32) -> i32 {
    let full = INFLUENCE[row(attacker)][row(defender)] * 256;
    match distance {
        0 => 0,
        1 => full / 2,
        _ => full >> (distance - 2),
    }
}

/// The weight of turning over the face-down piece on `at` (Tables II and III), for the side to move.
pub fn flip_weight(position: &Position, at: Square, us: Color) -> i32 {
    let next_to = Squares::from(at).neighbors();
    let weigh = |set: Squares, table: &[[i32; 2]; 7]| -> i32 {
        set.iter()
            .filter_map(|s| position.piece_at(s))
            .map(|piece| table[row(piece.role())][usize::from(piece.color() == us)])
            .sum()
    };
    weigh(next_to, &NEXT_TO) + weigh(jumps(at), &JUMP_FROM)
}

/// The squares two steps away in a straight line.
fn jumps(at: Square) -> Squares {
    let (file, rank) = (i32::from(at.file()), i32::from(at.rank()));
    let places = [(file - 2, rank), (file + 2, rank), (file, rank - 2), (file, rank + 2)];
    let inside = places.into_iter().filter(|(f, r)| (0..4).contains(f) && (0..8).contains(r));
    inside.map(|(f, r)| Square::at(f as u8, r as u8)).collect()
}

/// Basic value, attack value and a random number from 1 to 10.
#[derive(Clone, Copy, Debug)]
pub struct Course {
    ratio: Option<i32>,
    seed: u64,
}

impl Course {
    /// `ratio` is the paper's `c_Basic / c_Attack`; without one there is no attack value.
    pub const fn new(ratio: Option<i32>) -> Course {
        Course { ratio, seed: 0 }
    }

    /// The material of `us` less that of the other, face-up and face-down pieces alike (section 1.3.1).
    fn basic(position: &Position, us: Color) -> i32 {
        let worth = |piece: Piece| {
            let n = position.pieces(piece).len() + position.bag().count(piece);
            let sign = if piece.color() == us { 1 } else { -1 };
            sign * n as i32 * BASIC[piece.role() as usize - 1]
        };
        Piece::ALL.into_iter().map(worth).sum()
    }

    /// The sum of [`influence`] over all pairs of face-up pieces, ours less theirs.
    fn attack(position: &Position, us: Color) -> i32 {
        let (own, theirs) = (Pieces::new(position, us), Pieces::new(position, us.other()));
        let pairs = own.iter().flat_map(|a| theirs.iter().map(move |d| (a, d)));
        let gain = |((from, a), (to, d)): ((Square, Role), (Square, Role))| {
            PAIR[row(a)][row(d)][usize::from(DISTANCE[from.index()][to.index()])]
        };
        pairs.map(gain).sum()
    }
}

/// The squares and roles of the face-up pieces of a color.
struct Pieces {
    all: [(Square, Role); 32],
    count: usize,
}

impl Pieces {
    fn new(position: &Position, color: Color) -> Pieces {
        let mut pieces = Pieces { all: [(Square::new(0), Role::Pawn); 32], count: 0 };
        for role in Role::ALL {
            for square in position.pieces(Piece::new(color, role)) {
                pieces.all[pieces.count] = (square, role);
                pieces.count += 1;
            }
        }
        pieces
    }

    fn iter(&self) -> impl Iterator<Item = (Square, Role)> {
        self.all[..self.count].iter().copied()
    }
}

/// By the roles of two pieces and their distance: what the first gains by the second less what the second gains by the first.
static PAIR: [[[i32; FARTHEST + 1]; 7]; 7] = {
    let mut pair = [[[0; FARTHEST + 1]; 7]; 7];
    let mut place = 0;
    while place < 7 * 7 * (FARTHEST + 1) {
        let (i, j, distance) =
            (place / (7 * (FARTHEST + 1)), place / (FARTHEST + 1) % 7, place % (FARTHEST + 1));
        let (a, d) = (Role::ALL[i], Role::ALL[j]);
        pair[row(a)][row(d)][distance] = influence(a, d, distance as u32) - influence(d, a, distance as u32);
        place += 1;
    }
    pair
};

/// The largest distance of two squares.
const FARTHEST: usize = 3 + 7;

/// Steps from square to square on an empty board.
static DISTANCE: [[u8; 32]; 32] = {
    let mut steps = [[0; 32]; 32];
    let mut place = 0;
    while place < 32 * 32 {
        let (a, b) = (place / 32, place % 32);
        steps[a][b] = ((a % 4).abs_diff(b % 4) + (a / 4).abs_diff(b / 4)) as u8;
        place += 1;
    }
    steps
};

impl Evaluator<Position> for Course {
    fn new_game(&mut self, seed: u64) {
        self.seed = seed;
    }

    fn evaluate(&mut self, position: &Position) -> Score {
        let Some(us) = position.side() else { return 0 };
        // The paper's random number, made a function of the position so that a leaf keeps its score.
        let random = 1 + (Rng::new(position.key() ^ self.seed).below(10)) as i32;
        let basic = Course::basic(position, us);
        let (raw, most) = match self.ratio {
            Some(ratio) => (basic * ratio * 256 + Course::attack(position, us), ratio * 240 + 2000),
            None => (basic * 100 * 256, 100 * 240 + 2000),
        };
        let raw = i64::from(raw + random * 256);
        (raw * i64::from(MAX_EVAL) / i64::from(most * 256)).clamp(-i64::from(MAX_EVAL), i64::from(MAX_EVAL))
            as Score
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::Game;
    use anglerfish_rules::banqi::{Banqi, RuleSet};

    fn position(text: &str) -> Position {
        *text.parse::<Banqi>().expect("a position").position()
    }

    fn weight(text: &str, at: [u8; 2]) -> i32 {
        let position = position(text);
        flip_weight(
            &position,
            Square::from_ascii(at[0], at[1]).expect("a square"),
            position.side().expect("a side"),
        )
    }

    /// Figure 3: the influence of a guard on a minister at distances 1 to 5 of the formula.
    #[test]
    fn figure_3() {
        let numbers = [1, 2, 3, 4, 5].map(|d| influence(Role::Guard, Role::Minister, d));
        assert_eq!(numbers, [30 * 256, 60 * 256, 30 * 256, 15 * 256, 15 * 128]);
        // A piece that cannot take does not hunt, and the king does not hunt pawns.
        assert_eq!(influence(Role::Minister, Role::Guard, 2), 0);
        assert_eq!(influence(Role::King, Role::Pawn, 2), 0);
        assert_eq!(influence(Role::Pawn, Role::King, 2), 108 * 256);
    }

    /// Figure 1: its board is not in the text. This one has what the text says of it: face-down pieces on a6, b5, b2 and d2 with
    /// P, k, g and g below them, Black to move, and the weight of b5 made of -400, -1000 and -600: a red rook two squares
    /// away, a black minister two squares away, a red minister next to it.
    #[test]
    fn figure_1() {
        let board = "----/-R--/X---/MX-m/----/----/-X-X/---- b P1k1g2 0 40 platform";
        assert_eq!(weight(board, *b"b5"), -400 - 1000 - 600);
    }

    /// Every cell of Tables II and III.
    #[test]
    fn tables_2_and_3() {
        let letters = "KGMRNCP";
        let next = [
            [-5000, -5000],
            [-800, 800],
            [-600, 600],
            [-200, 200],
            [100, 100],
            [5000, -5000],
            [-1000, -1000],
        ];
        let jump = [
            [-1000, -1000],
            [-800, -1000],
            [-600, -1000],
            [-400, -100],
            [-200, -100],
            [-5000, 500],
            [-100, -100],
        ];
        for (i, letter) in letters.chars().enumerate() {
            // Red to move: a small letter is the enemy's.
            for (column, letter) in [letter.to_ascii_lowercase(), letter].into_iter().enumerate() {
                let board =
                    |row: &str| format!("{row}/----/----/----/----/----/----/---- r P1 0 40 platform");
                assert_eq!(
                    weight(&board(&format!("X{letter}--")), *b"a8"),
                    next[i][column],
                    "{letter} next to it"
                );
                assert_eq!(
                    weight(&board(&format!("X-{letter}-")), *b"a8"),
                    jump[i][column],
                    "{letter} two away"
                );
            }
        }
    }

    /// Table I, and the attack value on top of it with the ratio of the paper.
    #[test]
    fn table_1() {
        let board = position("K---/----/----/----/----/----/----/---p r - 0 40 platform");
        assert_eq!(Course::basic(&board, Color::Red), 50 - 2);
        let near = position("G-m-/----/----/----/----/----/----/---- r - 0 40 platform");
        assert_eq!(Course::attack(&near, Color::Red), 60 * 256);
        assert_eq!(Course::attack(&near, Color::Black), -60 * 256);
    }

    /// The sum as section 1.3.2 has it, over the distances of squares: what the fast one has to be.
    fn plain_attack(position: &Position, us: Color) -> i32 {
        let hunt = |hunter: Color| -> i32 {
            let prey = position.color(hunter.other());
            let pieces = |set: Squares| set.iter().filter_map(|s| Some((s, position.piece_at(s)?.role())));
            let pairs = pieces(position.color(hunter)).flat_map(|a| pieces(prey).map(move |d| (a, d)));
            let steps =
                |a: Square, b: Square| u32::from(a.file().abs_diff(b.file()) + a.rank().abs_diff(b.rank()));
            pairs.map(|((from, a), (to, d))| influence(a, d, steps(from, to))).sum()
        };
        hunt(us) - hunt(us.other())
    }

    #[test]
    fn fast_equals_plain() {
        let mut rng = Rng::new(5);
        let mut seen = 0;
        for _ in 0..40 {
            let mut game = Banqi::start(RuleSet::PLATFORM);
            while let Some(action) = game.random_action(&mut rng) {
                game.apply(game.resolve(action, &mut rng));
                for us in Color::ALL {
                    let sum = plain_attack(game.position(), us);
                    assert_eq!(Course::attack(game.position(), us), sum, "{game}");
                    seen += usize::from(sum != 0);
                }
            }
        }
        assert!(seen > 1_000, "{seen} positions in which a piece hunts");
    }

    /// Equal positions keep their score; the random number differs from position to position and from game to game.
    #[test]
    fn leaves_are_deterministic() {
        let board = position("K---/----/----/----/----/----/----/---p r - 0 40 platform");
        let mut scores = std::collections::BTreeSet::new();
        for seed in 0..40 {
            let mut course = Course::new(Some(10));
            course.new_game(seed);
            let score = course.evaluate(&board);
            assert_eq!(score, course.evaluate(&board));
            scores.insert(score);
        }
        assert!(scores.len() > 5, "{scores:?}");
    }
}
