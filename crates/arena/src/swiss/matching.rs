//! Pairs up the vertices of a complete graph at least total cost.
//!
//! Jack Edmonds, "Maximum matching and a polyhedron with 0,1-vertices", 1965: every vertex has a price, no edge costs less
//! than the prices of its ends allow, and trees of edges that cost exactly that are grown from the unmatched vertices
//! until two of them meet. Odd circles met on the way are shrunk to one node (a blossom) with a price of its own. Prices
//! are whole numbers, so there is nothing to round. This is the plain cubic-or-so version: fields have tens of players, not
//! thousands.

use std::collections::VecDeque;

/// The place of a node in the trees of the present search.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
enum Label {
    /// In no tree.
    Free,
    /// At an even distance from a root: may be matched elsewhere.
    Outer,
    /// At an odd distance from a root.
    Inner,
}

/// A vertex (below `n`) or a blossom.
#[derive(Clone, Debug)]
struct Node {
    label: Label,
    /// Of an inner node: the edge that reached it, from an outer vertex to a vertex in it.
    entry: (usize, usize),
    /// The vertex in it that is matched outside.
    base: usize,
    /// Of a blossom: its price (twice), never negative.
    price: i128,
    /// Of a blossom: the circle, the node with the base first, and the edge from each to the next. Edges at odd places
    /// are matched.
    circle: Vec<usize>,
    links: Vec<(usize, usize)>,
}

impl Node {
    fn new(base: usize, circle: Vec<usize>, links: Vec<(usize, usize)>) -> Node {
        Node { label: Label::Free, entry: (base, base), base, price: 0, circle, links }
    }
}

struct Search {
    n: usize,
    /// Of the edge from u to v at place u n + v.
    cost: Vec<i128>,
    price: Vec<i128>,
    mate: Vec<Option<usize>>,
    nodes: Vec<Node>,
    /// Blossoms that were opened, to be used again.
    unused: Vec<usize>,
    /// The outermost node that holds a vertex.
    top: Vec<usize>,
    /// For every vertex the outer vertex of another node to which the edge has least slack.
    best: Vec<Option<usize>>,
    queue: VecDeque<usize>,
}

/// The perfect matching of least total cost among `n` vertices, as each vertex's mate. Equal input, equal output.
///
/// # Panics
/// When `n` is odd.
pub(crate) fn cheapest_matching(n: usize, cost: &dyn Fn(usize, usize) -> i128) -> Vec<usize> {
    let search = solve(n, cost);
    search.mate.into_iter().map(|mate| mate.expect("the search ends when all are matched")).collect()
}

fn solve(n: usize, cost: &dyn Fn(usize, usize) -> i128) -> Search {
    assert!(n.is_multiple_of(2), "an odd number of vertices has no perfect matching");
    let table: Vec<i128> = (0..n * n).map(|k| if k / n == k % n { 0 } else { cost(k / n, k % n) }).collect();
    let edges = (0..n * n).filter(|k| k / n != k % n);
    let least = edges.map(|k| table[k]).min().unwrap_or(0);
    let mut search = Search {
        n,
        cost: table,
        price: vec![least; n],
        mate: vec![None; n],
        nodes: (0..n).map(|v| Node::new(v, Vec::new(), Vec::new())).collect(),
        unused: Vec::new(),
        top: (0..n).collect(),
        best: vec![None; n],
        queue: VecDeque::new(),
    };
    while search.mate.contains(&None) {
        search.add_pair();
    }
    search
}

impl Search {
    /// Twice what an edge between two different outermost nodes costs above the prices of its ends.
    fn slack(&self, u: usize, v: usize) -> i128 {
        2 * self.cost[u * self.n + v] - self.price[u] - self.price[v]
    }

    fn label(&self, v: usize) -> Label {
        self.nodes[self.top[v]].label
    }

    /// Grows trees from all unmatched vertices until one more pair is made.
    fn add_pair(&mut self) {
        for node in &mut self.nodes {
            node.label = Label::Free;
        }
        self.best.fill(None);
        self.queue.clear();
        for v in 0..self.n {
            if self.mate[v].is_none() && self.nodes[self.top[v]].label == Label::Free {
                self.make_outer(self.top[v]);
            }
        }
        loop {
            while let Some(u) = self.queue.pop_front() {
                for v in 0..self.n {
                    if self.top[u] == self.top[v] {
                        continue;
                    }
                    if self.best[v].is_none_or(|b| self.slack(u, v) < self.slack(b, v)) {
                        self.best[v] = Some(u);
                    }
                    if self.slack(u, v) == 0 && self.meet(u, v) {
                        return;
                    }
                }
            }
            if self.change_prices() {
                return;
            }
        }
    }

    /// Follows an edge without slack from an outer vertex. True when it made a pair.
    fn meet(&mut self, u: usize, v: usize) -> bool {
        match self.label(v) {
            Label::Inner => false,
            Label::Free => {
                let reached = self.top[v];
                self.nodes[reached].label = Label::Inner;
                self.nodes[reached].entry = (u, v);
                let next = self.mate[self.nodes[reached].base].expect("unmatched nodes are roots");
                self.make_outer(self.top[next]);
                false
            }
            Label::Outer => {
                let (left, right) = (self.path_to_root(self.top[u]), self.path_to_root(self.top[v]));
                if left.last() == right.last() {
                    self.shrink((u, v), &left, &right);
                    return false;
                }
                self.rematch(u, v);
                self.rematch(v, u);
                true
            }
        }
    }

    /// Moves prices until an edge loses its slack or a blossom its price, and uses that. True when it made a pair.
    fn change_prices(&mut self) -> bool {
        // Step 1. Find how far: to the first edge between trees, edge out of a tree, or inner blossom worth nothing.
        let mut step: Option<(i128, Result<usize, usize>)> = None;
        let mut offer = |amount: i128, what| {
            if step.is_none_or(|(least, _)| amount < least) {
                step = Some((amount, what));
            }
        };
        for v in 0..self.n {
            match (self.best[v], self.label(v)) {
                (Some(u), Label::Free) => offer(self.slack(u, v), Ok(v)),
                (Some(u), Label::Outer) => offer(self.slack(u, v) / 2, Ok(v)),
                _ => {}
            }
        }
        for b in self.n..self.nodes.len() {
            if self.nodes[b].label == Label::Inner && self.is_top(b) {
                offer(self.nodes[b].price / 2, Err(b));
            }
        }
        let (amount, what) = step.expect("a complete graph always has an edge out of a tree");
        // Step 2. Outer vertices pay more, inner ones less; blossoms make up for it.
        for v in 0..self.n {
            match self.label(v) {
                Label::Outer => self.price[v] += amount,
                Label::Inner => self.price[v] -= amount,
                Label::Free => {}
            }
        }
        for b in self.n..self.nodes.len() {
            if self.is_top(b) {
                match self.nodes[b].label {
                    Label::Outer => self.nodes[b].price += 2 * amount,
                    Label::Inner => self.nodes[b].price -= 2 * amount,
                    Label::Free => {}
                }
            }
        }
        // Step 3. Go on from the edge or blossom that stopped the change.
        match what {
            Ok(v) => self.best[v].is_some_and(|u| self.meet(u, v)),
            Err(b) => {
                self.open(b);
                false
            }
        }
    }

    fn is_top(&self, node: usize) -> bool {
        self.top[self.nodes[node].base] == node
    }

    fn vertices(&self, node: usize) -> Vec<usize> {
        if node < self.n {
            return vec![node];
        }
        self.nodes[node].circle.iter().flat_map(|&child| self.vertices(child)).collect()
    }

    fn make_outer(&mut self, node: usize) {
        self.nodes[node].label = Label::Outer;
        self.queue.extend(self.vertices(node));
    }

    /// The nodes from an outer node to its root: outer, inner, outer and so on.
    fn path_to_root(&self, mut node: usize) -> Vec<usize> {
        let mut path = vec![node];
        while let Some(mate) = self.mate[self.nodes[node].base] {
            let inner = self.top[mate];
            node = self.top[self.nodes[inner].entry.0];
            path.extend([inner, node]);
        }
        path
    }

    /// Makes one outer blossom of the circle that edge (u, v) closes between two paths to the same root.
    fn shrink(&mut self, (u, v): (usize, usize), left: &[usize], right: &[usize]) {
        // Step 1. The circle, from the node where the paths part: down to u, over to v, and up again.
        let shared = left.iter().rev().zip(right.iter().rev()).take_while(|(a, b)| a == b).count();
        let (left, right) = (&left[..=left.len() - shared], &right[..=right.len() - shared]);
        let ups = |path: &[usize]| -> Vec<(usize, usize)> {
            let up = |(k, &node): (usize, &usize)| {
                let Node { base, entry, .. } = self.nodes[node];
                if k % 2 == 0 { (base, self.mate[base].expect("not a root")) } else { (entry.1, entry.0) }
            };
            path[..path.len() - 1].iter().enumerate().map(up).collect()
        };
        let mut links: Vec<(usize, usize)> = ups(left).into_iter().rev().map(|(a, b)| (b, a)).collect();
        links.push((u, v));
        links.extend(ups(right));
        let mut circle: Vec<usize> = left.iter().rev().copied().collect();
        circle.extend(&right[..right.len() - 1]);
        // Step 2. The new node; vertices that were inner become outer.
        let base = self.nodes[circle[0]].base;
        let inner: Vec<usize> =
            circle.iter().copied().filter(|&child| self.nodes[child].label == Label::Inner).collect();
        let blossom = Node { label: Label::Outer, ..Node::new(base, circle, links) };
        let id = self.unused.pop().unwrap_or(self.nodes.len());
        if id == self.nodes.len() {
            self.nodes.push(blossom);
        } else {
            self.nodes[id] = blossom;
        }
        let members = self.vertices(id);
        for &member in &members {
            self.top[member] = id;
        }
        for child in inner {
            self.queue.extend(self.vertices(child));
        }
        // Step 3. The best edges of its vertices may now lie within it.
        for &member in &members {
            let outside = (0..self.n).filter(|&w| self.top[w] != id && self.label(w) == Label::Outer);
            self.best[member] = outside.min_by_key(|&w| self.slack(w, member));
        }
    }

    /// Takes an inner blossom apart: one way round the circle stays in the tree, the rest leaves it.
    fn open(&mut self, blossom: usize) {
        let circle = std::mem::take(&mut self.nodes[blossom].circle);
        let links = std::mem::take(&mut self.nodes[blossom].links);
        let (outside, inside) = self.nodes[blossom].entry;
        self.unused.push(blossom);
        let mut at = 0;
        for (place, &child) in circle.iter().enumerate() {
            self.nodes[child].label = Label::Free;
            for vertex in self.vertices(child) {
                self.top[vertex] = child;
                if vertex == inside {
                    at = place;
                }
            }
        }
        // Matched links are at odd places: from an even place the way to the base leads back, from an odd one on.
        let mut entry = (outside, inside);
        loop {
            self.nodes[circle[at]].label = Label::Inner;
            self.nodes[circle[at]].entry = entry;
            if at == 0 {
                return;
            }
            let forward = at % 2 == 1;
            let outer = if forward { at + 1 } else { at - 1 };
            self.make_outer(circle[outer]);
            entry = if forward { links[outer] } else { (links[outer - 1].1, links[outer - 1].0) };
            at = if forward { (outer + 1) % circle.len() } else { outer - 1 };
        }
    }

    /// Matches outer vertex `s` with `t`, and everything up to the root of `s` anew.
    fn rematch(&mut self, mut s: usize, mut t: usize) {
        loop {
            let node = self.top[s];
            let former = self.mate[self.nodes[node].base];
            self.rebase(node, s);
            self.mate[s] = Some(t);
            let Some(former) = former else { return };
            let inner = self.top[former];
            (s, t) = self.nodes[inner].entry;
            self.rebase(inner, t);
            self.mate[t] = Some(s);
        }
    }

    /// Matches the vertices of a node among themselves so that `base` is left for outside.
    fn rebase(&mut self, node: usize, base: usize) {
        self.nodes[node].base = base;
        if node < self.n {
            return;
        }
        let mut circle = std::mem::take(&mut self.nodes[node].circle);
        let mut links = std::mem::take(&mut self.nodes[node].links);
        let holds = |&child: &usize| self.vertices(child).contains(&base);
        let turn = circle.iter().position(holds).expect("a base lies in its blossom");
        circle.rotate_left(turn);
        links.rotate_left(turn);
        self.rebase(circle[0], base);
        for k in (1..circle.len()).step_by(2) {
            let (a, b) = links[k];
            self.rebase(circle[k], a);
            self.rebase(circle[k + 1], b);
            self.mate[a] = Some(b);
            self.mate[b] = Some(a);
        }
        self.nodes[node].circle = circle;
        self.nodes[node].links = links;
    }
}

#[cfg(test)]
mod tests;
