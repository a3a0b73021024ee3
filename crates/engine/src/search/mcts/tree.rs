//! The tree: nodes in one list, each with its first child and its next sibling.
//!
//! A node is an action, or what chance made of one. Sums are whole numbers for team A, so they are the same in any order.

use anglerfish_rules::Team;

use crate::portable::ln;
use crate::score::{Score, WIN};

/// Where the tree begins. No node has it as a child, so as a link it means "none".
pub(super) const ROOT: u32 = 0;

/// What led to a node.
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
    /// Who has won here for certain.
    pub(super) won: Option<Team>,
    /// How many actions or events have no node yet; [`UNCOUNTED`](Node::UNCOUNTED) before somebody has looked.
    pub(super) unopened: u16,
    /// Which action was opened first: the others follow it in the order of the rules.
    pub(super) begin: u16,
    pub(super) visits: u32,
    first: u32,
    next: u32,
    /// What all visits were worth to team A.
    sum: i64,
}

impl<A, E> Node<A, E> {
    pub(super) const UNCOUNTED: u16 = u16::MAX;

    /// The mean of its visits for a team, from -1 to 1; what is won for certain counts as such.
    pub(super) fn mean(&self, team: Team) -> f64 {
        let for_a = match self.won {
            Some(Team::A) => 1.0,
            Some(Team::B) => -1.0,
            None => self.sum as f64 / (f64::from(self.visits.max(1)) * f64::from(WIN)),
        };
        if team == Team::A { for_a } else { -for_a }
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
        let most = (bytes / size_of::<Node<A, E>>()).clamp(64, ROOM);
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
        legal: impl Fn(&Label<A, E>) -> bool,
    ) -> Option<u32> {
        let log = explore * explore * ln(u64::from(self.node(at).visits));
        let (mut best, mut most) = (None, f64::NEG_INFINITY);
        for child in self.children(at) {
            let node = self.node(child);
            if node.won == Some(mover.other()) || !legal(&node.label) {
                continue;
            }
            let bound = node.mean(mover) + (log / f64::from(node.visits.max(1))).sqrt();
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

    /// Makes a node the root and forgets everything that is not below it.
    pub(super) fn keep(&mut self, at: u32) {
        let old = std::mem::take(&mut self.nodes);
        // Whether it is won is found again from its children; a mark from a group may not hold for what came up.
        self.nodes.push(Node {
            label: Label::Root,
            chance: false,
            won: None,
            next: ROOT,
            ..old[at as usize]
        });
        let mut origins = vec![at];
        let mut place = 0;
        while let Some(&origin) = origins.get(place) {
            let (mut from, mut last) = (old[origin as usize].first, None);
            self.nodes[place].first = if from == ROOT { ROOT } else { self.nodes.len() as u32 };
            while from != ROOT {
                let to = self.nodes.len();
                if let Some(last) = last {
                    let last: &mut Node<A, E> = &mut self.nodes[last];
                    last.next = to as u32;
                }
                last = Some(to);
                self.nodes.push(Node { next: ROOT, ..old[from as usize] });
                origins.push(from);
                from = old[from as usize].next;
            }
            place += 1;
        }
    }
}

/// Links are 32 bits wide.
const ROOM: usize = 1 << 31;

#[cfg(test)]
mod tests {
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
