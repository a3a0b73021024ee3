//! The matching against brute force, and against the proof that its prices give.

use anglerfish_rules::{Rng, RngExt};

use super::*;

/// Brute force.
fn plain(left: &[usize], cost: &dyn Fn(usize, usize) -> i128) -> i128 {
    let Some((&first, rest)) = left.split_first() else { return 0 };
    let with = |&other: &usize| {
        let others: Vec<usize> = rest.iter().copied().filter(|&o| o != other).collect();
        cost(first, other) + plain(&others, cost)
    };
    rest.iter().map(with).min().expect("even")
}

#[test]
fn equals_plain_search() {
    let mut rng = Rng::stream(1, "matching");
    for round in 0..3000 {
        let n = 2 * (1 + rng.below(4) as usize) + if round % 50 == 0 { 2 } else { 0 };
        let range = [2, 4, 20, 1000][round % 4];
        let costs: Vec<u32> = (0..n * n).map(|_| rng.below(range)).collect();
        let cost = |u: usize, v: usize| i128::from(costs[u.min(v) * n + u.max(v)]);
        let mates = cheapest_matching(n, &cost);
        assert!((0..n).all(|v| mates[v] != v && mates[mates[v]] == v), "{mates:?}");
        let total: i128 = (0..n).map(|v| cost(v, mates[v])).sum::<i128>() / 2;
        assert_eq!(total, plain(&(0..n).collect::<Vec<_>>(), &cost), "round {round}");
    }
}

/// Too large to try everything: the prices themselves prove that nothing is cheaper.
#[test]
fn prices_prove_it() {
    let mut rng = Rng::stream(2, "matching");
    let mut blossoms = 0;
    for round in 0..200 {
        let n = 2 * (5 + rng.below(28) as usize);
        let range = [2, 3, 10, 1000][round % 4];
        // Few cheap edges make odd circles.
        let costs: Vec<u32> =
            (0..n * n).map(|_| if rng.below(n as u32) < 3 { rng.below(range) } else { range }).collect();
        let search = solve(n, &|u, v| i128::from(costs[u.min(v) * n + u.max(v)]));
        let mut above = vec![0; n * n];
        let mut open: Vec<usize> = (0..search.nodes.len()).filter(|&b| search.is_top(b)).collect();
        while let Some(node) = open.pop() {
            blossoms += usize::from(node >= n);
            assert!(search.nodes[node].price >= 0);
            let members = search.vertices(node);
            for k in 0..members.len() * members.len() {
                above[members[k / members.len()] * n + members[k % members.len()]] +=
                    search.nodes[node].price;
            }
            open.extend(&search.nodes[node].circle);
        }
        for k in (0..n * n).filter(|k| k / n != k % n) {
            let slack = search.slack(k / n, k % n) + above[k];
            assert!(slack >= 0, "round {round}: an edge is cheaper than its prices");
            assert!(slack == 0 || search.mate[k / n] != Some(k % n), "round {round}: matched at a loss");
        }
    }
    assert!(blossoms > 100, "only {blossoms} blossoms: too easy a test");
}
