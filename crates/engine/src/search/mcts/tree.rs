//! The tree: nodes in one list, each with its first child and its next sibling.
//!
//! A node is an action, or what chance made of one. Sums are whole numbers for team A, so they are the same in any order.

use anglerfish_rules::Team;

use crate::portable::ln;
use crate::score::{Score, WIN};

/// The root of the tree. No node has it as a child, so as a link it means "none".
pub(super) const ROOT: u32 = 0;

/// The action or event that led to a node.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Label<A, E> {
    Root,
    Action(A),
    /// Below an action that chance answers.
    Event(E),
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Node<A, E> {
    pub(super) label: Label<A, E>,
    /// Whether chance answers this action: in a tree with chance-nodes its children are events then.
    pub(super) chance: bool,
    /// The team that has certainly won here.
    pub(super) won: Option<Team>,
    /// How many actions or events have no node yet; [`UNCOUNTED`](Node::UNCOUNTED) before they are counted.
    pub(super) unopened: u16,
    /// Which action was opened first: the others follow it in the order of the rules.
    pub(super) begin: u16,
    pub(super) visits: u32,
    first: u32,
    next: u32,
    /// Its value to team A by evaluation and look-ahead; [`NO_GUESS`](Node::NO_GUESS) before that. Two bytes
    /// hold every score and keep a node at 32 bytes where an action is two squares.
    guess: i16,
    /// The sum of the values of all visits to team A.
    sum: i64,
}

impl<A, E> Node<A, E> {
    pub(super) const UNCOUNTED: u16 = u16::MAX;
    const NO_GUESS: i16 = i16::MIN;

    /// The mean of its visits for a team, from -1 to 1; a certain win counts as 1.
    pub(super) fn mean(&self, team: Team) -> f64 {
        let for_a = match self.won {
            Some(Team::A) => 1.0,
            Some(Team::B) => -1.0,
            None => self.sum as f64 / (f64::from(self.visits.max(1)) * f64::from(WIN)),
        };
        if team == Team::A { for_a } else { -for_a }
    }

    /// Its value to team A by evaluation and look-ahead, if it was evaluated.
    fn guess(&self) -> Option<Score> {
        (self.guess != Self::NO_GUESS).then_some(Score::from(self.guess))
    }

    /// The mean of its visits with a share of the guess in it. A certain win needs no guess.
    fn mixed(&self, team: Team, implicit: f64) -> f64 {
        let mean = self.mean(team);
        match self.guess().filter(|_| self.won.is_none()) {
            None => mean,
            Some(guess) => {
                let guess = f64::from(guess) / f64::from(WIN);
                (1.0 - implicit) * mean + implicit * if team == Team::A { guess } else { -guess }
            }
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Tree<A, E> {
    nodes: Vec<Node<A, E>>,
    most: usize,
}

impl<A: Copy + PartialEq, E: Copy + PartialEq> Tree<A, E> {
    /// An empty tree that never takes more than so many bytes, but for the children of its root.
    pub(super) fn new(bytes: usize) -> Tree<A, E> {
        // Keeping a part of the tree takes four bytes a node for a while.
        let most = (bytes / (size_of::<Node<A, E>>() + size_of::<u32>())).clamp(64, ROOM);
        let mut tree = Tree { nodes: Vec::new(), most };
        tree.clear();
        tree
    }

    pub(super) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node {
            label: Label::Root,
            chance: false,
            won: None,
            unopened: Node::<A, E>::UNCOUNTED,
            begin: 0,
            visits: 0,
            first: ROOT,
            next: ROOT,
            guess: Node::<A, E>::NO_GUESS,
            sum: 0,
        });
    }

    pub(super) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(super) fn node(&self, at: u32) -> &Node<A, E> {
        &self.nodes[at as usize]
    }

    pub(super) fn node_mut(&mut self, at: u32) -> &mut Node<A, E> {
        &mut self.nodes[at as usize]
    }

    pub(super) fn children(&self, at: u32) -> impl Iterator<Item = u32> {
        let link = |at: u32| if at == ROOT { None } else { Some(at) };
        std::iter::successors(link(self.node(at).first), move |&child| link(self.node(child).next))
    }

    pub(super) fn child(&self, at: u32, label: Label<A, E>) -> Option<u32> {
        self.children(at).find(|&child| self.node(child).label == label)
    }

    /// A new child of `at`, if there is room. The root always gets its children: there must be something to choose from.
    pub(super) fn add(&mut self, at: u32, label: Label<A, E>) -> Option<u32> {
        if self.nodes.len() >= self.most && at != ROOT {
            return None;
        }
        let child = self.nodes.len() as u32;
        let next = std::mem::replace(&mut self.node_mut(at).first, child);
        let unopened = Node::<A, E>::UNCOUNTED;
        self.nodes.push(Node {
            label,
            chance: false,
            won: None,
            unopened,
            begin: 0,
            visits: 0,
            first: ROOT,
            next,
            guess: Node::<A, E>::NO_GUESS,
            sum: 0,
        });
        Some(child)
    }

    /// The child to visit next, by UCT, among those that `legal` allows and that are not lost for certain.
    ///
    /// Kocsis and Szepesvári (2006), "Bandit based Monte-Carlo Planning", section 2.
    pub(super) fn best(
        &self,
        at: u32,
        mover: Team,
        explore: f64,
        implicit: f64,
        legal: impl Fn(&Label<A, E>) -> bool,
    ) -> Option<u32> {
        let log = explore * explore * ln(u64::from(self.node(at).visits));
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for child in self.children(at) {
            let node = self.node(child);
            if node.won == Some(mover.other()) || !legal(&node.label) {
                continue;
            }
            let bound = node.mixed(mover, implicit) + (log / f64::from(node.visits.max(1))).sqrt();
            if bound > most {
                (best, most) = (Some(child), bound);
            }
        }
        best
    }

    /// Counts a visit of every node of a path.
    pub(super) fn count(&mut self, path: &[(u32, Option<Team>)], for_a: Score) {
        for &(at, _) in path {
            let node = self.node_mut(at);
            node.visits = node.visits.saturating_add(1);
            node.sum += i64::from(for_a);
        }
    }

    /// Stores the value of a position to team A, unless it is stored already.
    pub(super) fn evaluate(&mut self, at: u32, evaluate: impl FnOnce() -> Option<Score>) {
        if self.node(at).guess().is_none() {
            self.node_mut(at).guess = evaluate().map_or(Node::<A, E>::NO_GUESS, |score| score as i16);
        }
    }

    /// Backs up the evaluations of a node's children: the best for the mover, at a chance-node the average. Chance visits its
    /// children in proportion to their weights, so their visits are the weights.
    ///
    /// Lanctot, Winands, Pepels and Sturtevant (2014), "Monte Carlo Tree Search with Heuristic Evaluations using Implicit Minimax
    /// Backups", section 3. There a node gets all its children at once; here its own evaluation stands for those to come.
    pub(super) fn look_ahead(&mut self, at: u32, mover: Option<Team>) {
        let node = self.node(at);
        let children = self.children(at).map(|child| self.node(child));
        let guessed = children.filter_map(|child| Some((child.guess()?, child.visits)));
        let guess = if let Some(mover) = mover {
            let own = node.guess().filter(|_| node.unopened > 0);
            let guesses = guessed.map(|(guess, _)| guess).chain(own);
            if mover == Team::A { guesses.max() } else { guesses.min() }
        } else {
            let (sum, visits) = guessed.fold((0, 0), |(sum, all), (guess, visits)| {
                (sum + i64::from(guess) * i64::from(visits), all + i64::from(visits))
            });
            (visits > 0).then(|| (sum / visits) as Score)
        };
        if let Some(guess) = guess {
            self.node_mut(at).guess = guess as i16;
        }
    }

    /// Marks a node as won if its children say so, and says whether it is. Without a mover it is a chance-node.
    ///
    /// Winands, Björnsson and Saito (2008), "Monte-Carlo Tree Search Solver", section 3.
    pub(super) fn settle(&mut self, at: u32, mover: Option<Team>) -> bool {
        if self.node(at).won.is_none() {
            self.node_mut(at).won = self.winner(at, mover);
        }
        self.node(at).won.is_some()
    }

    fn winner(&self, at: u32, mover: Option<Team>) -> Option<Team> {
        let whole = self.node(at).unopened == 0;
        let mut winners = self.children(at).map(|child| self.node(child).won);
        match mover {
            Some(mover) if winners.any(|won| won == Some(mover)) => Some(mover),
            Some(mover) => {
                let lost = |child| self.node(child).won == Some(mover.other());
                (whole && self.children(at).all(lost)).then_some(mover.other())
            }
            None => {
                let first = winners.next().flatten();
                first.filter(|_| whole && winners.all(|won| won == first))
            }
        }
    }

    /// Makes a node the root and drops all nodes that are not below it. It works in place, because a copy of a large tree
    /// would exceed the memory limit.
    pub(super) fn keep(&mut self, at: u32) {
        const GONE: u32 = u32::MAX;
        let at = at as usize;
        // Step 1. Find the nodes below it: children come after their parents in the list.
        let mut places = vec![GONE; self.nodes.len()];
        places[at] = 0;
        let mut kept = 0;
        for from in at..self.nodes.len() {
            if places[from] == GONE {
                continue;
            }
            places[from] = kept;
            kept += 1;
            for child in self.children(from as u32) {
                places[child as usize] = 0;
            }
        }
        // Step 2. Everything moves to its new place, which is never behind the old one.
        let link = |old: u32| if old == ROOT { ROOT } else { places[old as usize] };
        for from in (at..self.nodes.len()).filter(|&from| places[from] != GONE) {
            let node = self.nodes[from];
            self.nodes[places[from] as usize] =
                Node { first: link(node.first), next: link(node.next), ..node };
        }
        self.nodes.truncate(kept as usize);
        // Step 3. Whether it is won is found again from its children; a mark from a group may not hold for what came up.
        let root = self.nodes[0];
        self.nodes[0] = Node { label: Label::Root, chance: false, won: None, next: ROOT, ..root };
    }
}

/// Links are 32 bits wide.
const ROOM: usize = 1 << 31;

#[cfg(test)]
mod tests {
    use anglerfish_rules::{Rng, RngExt};

    use super::*;

    #[test]
    fn a_kept_subtree_is_what_it_was() {
        let mut tree: Tree<u8, u8> = Tree::new(1 << 20);
        let mut ends = Vec::new();
        for a in 0..3 {
            let child = tree.add(ROOT, Label::Action(a)).expect("room");
            for b in 0..4 {
                let grandchild = tree.add(child, Label::Action(10 * a + b)).expect("room");
                tree.count(&[(ROOT, None), (child, None), (grandchild, None)], 100);
                ends.push(grandchild);
            }
        }
        assert_eq!(tree.len(), 16);
        let kept = tree.child(ROOT, Label::Action(1)).expect("a child");
        tree.keep(kept);
        assert_eq!((tree.len(), tree.node(ROOT).visits), (5, 4));
        let labels: Vec<_> = tree.children(ROOT).map(|c| tree.node(c).label).collect();
        assert_eq!(labels, [13, 12, 11, 10].map(Label::Action));
        assert!(tree.children(ROOT).all(|c| tree.children(c).next().is_none() && tree.node(c).visits == 1));
        assert!((tree.node(ROOT).mean(Team::B) + 0.01).abs() < 1e-12);
    }

    /// All nodes below the new root are kept unchanged, sibling by sibling, and no others.
    #[test]
    fn any_part_of_a_tree_can_be_kept() {
        fn told(tree: &Tree<u16, u16>, at: u32) -> String {
            let below: Vec<String> = tree
                .children(at)
                .map(|child| format!("{:?}{}", tree.node(child).label, told(tree, child)))
                .collect();
            format!("{} [{}]", tree.node(at).visits, below.join(" "))
        }
        let mut rng = Rng::new(3);
        for _ in 0..50 {
            let mut tree: Tree<u16, u16> = Tree::new(1 << 20);
            for label in 1..200 {
                let parent = rng.below(u32::from(label));
                let child = tree.add(parent, Label::Action(label)).expect("room");
                tree.node_mut(child).visits = rng.below(1000);
            }
            while tree.len() > 1 {
                let at = 1 + rng.below(tree.len() as u32 - 1);
                let (whole, part) = (tree.len(), told(&tree, at));
                tree.keep(at);
                assert_eq!(told(&tree, ROOT), part);
                assert_eq!(tree.len(), 1 + part.matches("Action").count());
                assert!(tree.len() < whole);
            }
        }
    }

    /// Backed up values are plain expectiminimax of the evaluations below, with visits for the weights of outcomes.
    #[test]
    fn evaluations_are_backed_up_by_expectiminimax() {
        fn plain(tree: &Tree<u8, u8>, at: u32, depth: u32) -> f64 {
            let below = |child| plain(tree, child, depth + 1);
            let weighed = |child| f64::from(tree.node(child).visits) * below(child);
            match depth {
                0 => tree.children(at).map(below).fold(f64::MIN, f64::max),
                1 => tree.children(at).map(weighed).sum::<f64>() / f64::from(tree.node(at).visits),
                2 => tree.children(at).map(below).fold(f64::MAX, f64::min),
                _ => f64::from(tree.node(at).guess),
            }
        }
        let mut tree: Tree<u8, u8> = Tree::new(1 << 20);
        let mut rng = Rng::new(5);
        for turn in 0..40 {
            // Each action is answered by one of three events, those by one of two actions of team B.
            let [action, event, answer] = [turn % 4, rng.below(3) as u8, rng.below(2) as u8];
            let labels = [Label::Action(action), Label::Event(event), Label::Action(answer)];
            let mut path = vec![(ROOT, Some(Team::A))];
            for (label, mover) in labels.into_iter().zip([None, Some(Team::B), Some(Team::A)]) {
                let (at, _) = path[path.len() - 1];
                let child = tree.child(at, label).or_else(|| tree.add(at, label)).expect("room");
                tree.node_mut(child).unopened = 0;
                path.push((child, mover));
            }
            tree.evaluate(path[3].0, || Some(rng.below(18_001) as Score - 9000));
            tree.count(&path, 0);
            tree.node_mut(ROOT).unopened = 0;
            for &(at, mover) in path.iter().rev().skip(1) {
                tree.look_ahead(at, mover);
            }
            assert!((plain(&tree, ROOT, 0) - f64::from(tree.node(ROOT).guess)).abs() < 1.0);
        }
    }

    /// Before all answers are known, those that are can only make it better for the mover.
    #[test]
    fn an_evaluation_stands_for_actions_to_come() {
        let mut tree: Tree<u8, u8> = Tree::new(1 << 20);
        let node = tree.add(ROOT, Label::Action(0)).expect("room");
        tree.evaluate(node, || Some(100));
        tree.evaluate(node, || unreachable!("once is enough"));
        tree.node_mut(node).unopened = 2;
        for (answer, score, guess) in [(1, 50, 100), (2, 300, 300), (3, 200, 300)] {
            let child = tree.add(node, Label::Action(answer)).expect("room");
            tree.evaluate(child, || Some(score));
            tree.look_ahead(node, Some(Team::A));
            assert_eq!(tree.node(node).guess(), Some(guess));
        }
        tree.node_mut(node).unopened = 0;
        tree.look_ahead(node, Some(Team::B));
        assert_eq!(tree.node(node).guess(), Some(50), "the mover chooses among the opened children");
    }

    #[test]
    fn memory_is_bounded() {
        let mut tree: Tree<u8, u8> = Tree::new(64 * size_of::<Node<u8, u8>>());
        let child = tree.add(ROOT, Label::Action(0)).expect("the root has room");
        for n in 0..62 {
            assert!(tree.add(child, Label::Event(n)).is_some());
        }
        assert!(tree.add(child, Label::Event(63)).is_none());
        assert!(tree.add(ROOT, Label::Action(1)).is_some(), "the root always has");
    }
}
