//! Both trees converge: at a fixed number of playouts they choose an exactly best action in solved positions.

use anglerfish_lab::experiments::mcts::truth::{TREES, given_away, position};

const PLAYOUTS: u64 = 8_000;

/// In how many of twelve solved positions of a kind each tree chooses a best action.
fn right(kind: usize) -> [usize; 2] {
    let mut right = [0; 2];
    for number in 0..12 {
        let position = position(kind, number);
        for ((_, tree), right) in TREES.into_iter().zip(&mut right) {
            let away = given_away(tree, &position, PLAYOUTS, number).expect("a configuration");
            *right += usize::from(away < 1e-9);
        }
    }
    right
}

#[test]
fn both_trees_find_what_is_best_with_everything_face_up() {
    assert_eq!(right(0), [12, 12]);
}

/// In the other positions most actions lose, but slowly: it takes up to 256,000 playouts until all twelve are right.
#[test]
fn both_trees_find_what_is_best_with_pieces_face_down() {
    let right = right(1);
    assert!(right.into_iter().all(|n| n >= 10), "{right:?} of 12");
}
