//! Both trees converge: at a fixed number of playouts they choose what is exactly best in solved positions.

use anglerfish_lab::experiments::mcts::truth::{given_away, position};

/// What a tree gives away on average over solved positions of a kind, and how often it gives nothing away.
fn judge(config: &str, numbers: impl Iterator<Item = u64>, playouts: u64) -> (f64, usize) {
    let away: Vec<f64> = numbers
        .map(|n| {
            let (game, solved) = position(n);
            given_away(config, &game, &solved, playouts, n).expect("a configuration")
        })
        .collect();
    (away.iter().sum::<f64>() / away.len() as f64, away.iter().filter(|a| **a < 1e-9).count())
}

#[test]
fn both_trees_find_what_is_best_with_everything_face_up() {
    for tree in ["chance", "group"] {
        let config = format!("mcts,tree={tree},hash=16,playout_eval=off");
        let (lost, right) = judge(&config, (0..12).map(|n| 2 * n), 8_000);
        println!("{tree}: {right} of 12, {lost:.4} given away");
    }
}

#[test]
fn both_trees_find_what_is_best_with_pieces_face_down() {
    for tree in ["chance", "group"] {
        let config = format!("mcts,tree={tree},hash=16,playout_eval=off");
        let (lost, right) = judge(&config, (0..12).map(|n| 2 * n + 1), 8_000);
        println!("{tree}: {right} of 12, {lost:.4} given away");
    }
}
