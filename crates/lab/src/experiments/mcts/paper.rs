//! The numbers of Jouandeau and Cazenave (2014), and the positions that it measures from.

use anglerfish_rules::Game;
use anglerfish_rules::banqi::{Banqi, RuleSet};

/// The share of draws, remaining pieces and playout size.
pub(super) type Playouts = (f64, f64, f64);

/// Wins and losses of 500 games.
pub(super) type Games = (u32, u32);

/// A row of Table 3.
pub(super) type Player = (&'static str, [Games; 4]);

/// Two players of Table 4, and their printed result.
pub(super) type Meeting = (usize, usize, Option<Games>);

/// Table 1, of 2,000 playouts each: remaining pieces and playout size by policy (in its order) and position.
pub(super) const TABLE1: [[(f64, f64); 8]; 3] = [
    [
        (12.16, 106.37),
        (5.67, 100.01),
        (16.78, 207.41),
        (7.24, 107.27),
        (7.69, 123.02),
        (8.95, 579.69),
        (15.07, 610.96),
        (7.12, 435.53),
    ],
    [
        (12.18, 91.89),
        (6.91, 75.60),
        (16.60, 194.68),
        (7.53, 89.06),
        (7.55, 103.68),
        (9.68, 704.73),
        (14.49, 711.58),
        (9.92, 370.29),
    ],
    [
        (8.23, 42.72),
        (6.26, 41.93),
        (10.12, 40.66),
        (8.00, 43.00),
        (9.80, 40.34),
        (7.00, 44.00),
        (11.00, 40.00),
        (8.0, 43.00),
    ],
];

/// Table 1: the best move without and with evaluation, with its wins, losses and draws in per cent.
pub(super) const BEST: [[&str; 8]; 3] = [
    [
        "d7 0/0/100, b7 69/30/1",
        "c2 25/22/53, b3 52/48/0",
        "b2 0/0/100, c8 57/43/0",
        "b1 34/13/53, c8 55/45/0",
        "c4 18/6/76, c6 38/60/2",
        "d7 0/0/100, d6 86/14/0",
        "c3 2/0/98, c5 52/48/0",
        "d3 31/25/44, d1 64/36/0",
    ],
    [
        "d8 0/0/100, c6-c7 43/57/0",
        "c6-c7 48/2/50, c6-c7 90/10/0",
        "d4 0/0/100, d4 55/44/1",
        "c6-c7 34/2/64, c6-c7 84/16/0",
        "c6-c7 4/14/82, c6-c7 30/69/1",
        "d7 0/0/100, d8 97/3/0",
        "b8 1/0/99, d4 76/24/0",
        "c6-c7 54/0/46, c6-c7 100/0/0",
    ],
    [
        "a8-a7 0/0/100, a8-a7 0/100/0",
        "a8-a7 0/22/78, a8-a7 0/100/0",
        "d2-c2 0/2/98, d2-c2 0/100/0",
        "a8-a7 0/0/100, a8-a7 0/100/0",
        "d2-c2 0/4/96, d2-c2 0/100/0",
        "d2-c2 0/0/100, d2-c2 0/100/0",
        "d2-c2 0/0/100, d2-c2 0/100/0",
        "a8-a7 0/0/100, a8-a7 0/100/0",
    ],
];

/// Table 2: by policy, for the draw conditions 40, 160 and 640.
pub(super) const TABLE2: [(&str, [Playouts; 3]); 4] = [
    ("random", [(1.00, 12.62, 106.07), (0.99, 6.03, 232.11), (0.67, 3.24, 622.37)]),
    ("capture", [(0.70, 5.66, 103.71), (0.46, 4.59, 171.77), (0.31, 4.29, 335.92)]),
    ("capture-avoid", [(0.73, 7.15, 110.45), (0.53, 6.07, 185.41), (0.43, 5.87, 403.44)]),
    ("avoid-capture", [(0.87, 7.7, 124.29), (0.69, 6.19, 223.51), (0.59, 5.85, 550.41)]),
];

/// Table 2: the seconds that 2,000 playouts took the policies of Table 3, for the draw conditions 40, 160 and 640.
const SECONDS: [(&str, [f64; 3]); 3] =
    [("r", [0.630, 1.067, 1.801]), ("cr", [0.376, 0.522, 0.802]), ("car", [0.598, 0.953, 2.139])];

/// The number of playouts of a player of Table 3 in the paper's second per move, from the times of Table 2.
/// The time of 2560 is missing: it is extrapolated from 160 and 640.
pub(super) fn playouts_a_move(player: &str) -> Option<u64> {
    let mut words = player.split('-').skip(1);
    let policy = words.next()?;
    let [least, small, large] = SECONDS.iter().find(|(name, _)| *name == policy)?.1;
    let place = SIZES.iter().position(|size| words.clone().any(|word| word == size.to_string()))?;
    let seconds = [least, small, large, large * large / small][place];
    Some((2000.0 / seconds).round() as u64)
}

/// The playout sizes of Table 3.
pub(super) const SIZES: [u32; 4] = [40, 160, 640, 2560];

/// Table 3: games against the reference player, by playout size; chance-nodes, then group-nodes.
pub(super) const TABLE3: [Player; 12] = [
    ("c2-r", [(0, 255), (4, 298), (213, 109), (164, 72)]),
    ("c2-r-h", [(91, 137), (104, 64), (116, 43), (135, 42)]),
    ("c2-cr", [(244, 16), (242, 21), (245, 15), (149, 21)]),
    ("c2-cr-h", [(131, 15), (143, 14), (138, 23), (129, 23)]),
    ("c2-car", [(199, 33), (245, 27), (239, 46), (159, 47)]),
    ("c2-car-h", [(129, 16), (125, 25), (122, 9), (104, 30)]),
    ("c1-r", [(10, 249), (51, 185), (78, 187), (64, 233)]),
    ("c1-r-h", [(60, 269), (103, 231), (80, 219), (85, 263)]),
    ("c1-cr", [(35, 46), (101, 52), (146, 61), (137, 66)]),
    ("c1-cr-h", [(120, 87), (167, 98), (182, 88), (147, 127)]),
    ("c1-car", [(41, 35), (103, 52), (128, 93), (72, 170)]),
    ("c1-car-h", [(109, 100), (167, 86), (175, 97), (130, 143)]),
];

/// The players of Table 4.
pub(super) const PLAYERS: [&str; 5] = ["c1-cr-h-640", "c1-car-h-640", "c2-cr-40", "c2-cr-640", "c2-car-160"];

/// Table 4: games of the row against the column. "282 / 07" is as printed; the last pairing is not in the table.
pub(super) const TABLE4: [Meeting; 10] = [
    (0, 1, Some((268, 169))),
    (0, 2, Some((282, 7))),
    (0, 3, Some((176, 252))),
    (0, 4, Some((287, 131))),
    (1, 2, Some((228, 137))),
    (1, 3, Some((156, 285))),
    (1, 4, Some((236, 175))),
    (2, 3, Some((149, 220))),
    (2, 4, Some((176, 204))),
    (3, 4, None),
];

/// Figure 2: the middle game after the twenty plies that the paper lists.
///
/// Its text has `c4(k)` and, damaged, `cd(p)`. With the pawn on c4 and the king on b4 the legal moves are
/// exactly the four and the seven that the paper lists; with the king on c4 they are not.
///
/// # Panics
/// Never: the plies are tested.
/// Never: the plies are tested.
pub fn figure2() -> Banqi {
    let mut game = Banqi::start(RuleSet::PAPER40);
    for ply in FIGURE2.split_whitespace() {
        game.apply(ply.parse().expect("a ply"));
    }
    game
}

const FIGURE2: &str = "c4(p) d1(P) d2(N) d5(p) c2(G) c3(c) c5(C) c5-c3 b4(k) c6(M) b3(r) c6-c5 b3-c3 c2-c3 c7(C) c5-d5 \
                       b6(g) d5-c5 b6-c6 b7(G)";

/// An ending in place of Figure 3, whose board is not in the text: all pieces face up, eleven left, black to
/// move and lost.
///
/// # Panics
/// Never: the text is tested.
pub fn ending() -> Banqi {
    "n---/--G-/-M--/R--K/--R-/N---/---p/CPP- b - 0 100 paper40".parse().expect("a position")
}

#[cfg(test)]
mod tests {
    use super::*;
    use anglerfish_rules::banqi::{Action, Color};

    /// The legal moves and the captured pieces in Figure 2 are those that the paper lists for either side.
    #[test]
    fn figure_2_is_the_papers() {
        let game = figure2();
        let p = game.position();
        let moves = |color| {
            let mut moves: Vec<String> =
                p.moves_of(color).without_flips().iter().map(|action: Action| action.to_string()).collect();
            moves.sort();
            moves.join(" ")
        };
        assert_eq!((p.side(), p.hidden().len()), (Some(Color::Black), 19));
        assert_eq!(moves(Color::Black), "b4-b3 c6-b6 c6-c5 c6-c7");
        assert_eq!(moves(Color::Red), "b7-b6 c3-b3 c3-c2 c3-c4 c5-c4 c5-d5 d2-c2");
        assert_eq!([p.count(Color::Black), p.count(Color::Red)], [13, 15]);
    }

    #[test]
    fn budgets_are_the_papers() {
        let budgets = ["r", "cr", "car"].map(|policy| {
            SIZES.map(|size| playouts_a_move(&format!("c2-{policy}-h-{size}")).expect("a player"))
        });
        assert_eq!(budgets, [[3175, 1874, 1110, 658], [5319, 3831, 2494, 1623], [3344, 2099, 935, 417]]);
        assert_eq!(playouts_a_move("c1-car-640"), Some(935));
        assert_eq!(playouts_a_move("reference"), None);
    }

    #[test]
    fn the_ending_is_one() {
        let p = *ending().position();
        assert_eq!((p.occupied().len(), p.hidden().len(), p.side()), (11, 0, Some(Color::Black)));
        assert!(["a8-a7", "d2-c2"].into_iter().all(|m| p.is_legal(m.parse().expect("a move"))));
    }
}
