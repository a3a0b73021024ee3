//! Nodes that a model has searched and not yet paid for.
//!
//! A search may take many times the nodes of its limit: `alphabeta` always finishes its first iteration, which takes thousands of nodes in
//! positions with many captures. To pay them at once would leave nothing of our next search, so they are paid bit by bit, pondering first.

use crate::parameters;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Debt {
    owed: u64,
    /// The number of our searches in this game, and the sum of their nodes.
    searches: u64,
    nodes: u64,
}

impl Debt {
    /// Records a search of ours with so many nodes.
    pub fn searched(&mut self, nodes: u64) {
        self.searches += 1;
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// The mean number of nodes of our searches.
    pub fn ours(&self) -> u64 {
        self.nodes.checked_div(self.searches).unwrap_or(0)
    }

    /// Records that a model searched `spent` nodes, of which `had` are paid already.
    pub fn add(&mut self, spent: u64, had: u64) {
        self.owed += spent.saturating_sub(had);
    }

    /// The nodes that a search pays at once for an answer of this price. The rest is owed, because one answer could end the search.
    pub fn charge(&mut self, nodes: u64, price: u64) -> u64 {
        self.add(nodes, price);
        nodes.min(price)
    }

    /// Pays as much as possible with so many nodes, and returns the rest.
    pub fn pay(&mut self, nodes: u64) -> u64 {
        let paid = self.owed.min(nodes);
        self.owed -= paid;
        nodes - paid
    }

    /// The unspent rest of one `parts`-th of our own search.
    pub fn left(&self, parts: u64) -> u64 {
        (self.ours() / parts).saturating_sub(self.owed)
    }

    /// The nodes that a search of ours may still spend on foreseeing replies.
    pub fn left_to_foresee(&self) -> u64 {
        self.left(parameters::FORESIGHT_SHARE)
    }

    /// Whether the debt is at most what one search may spend on foreseeing; otherwise nothing is foreseen.
    pub fn is_small(&self) -> bool {
        self.owed <= self.ours() / parameters::FORESIGHT_SHARE
    }

    /// The nodes that our next search pays.
    pub fn installment(&mut self) -> u64 {
        let most = self.ours() / parameters::OWED_PAID;
        most - self.pay(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_paid_and_no_search_is_ruined() {
        let mut debt = Debt::default();
        debt.add(30, 50);
        assert_eq!((debt.pay(100), debt.installment()), (100, 0), "nothing is owed");
        debt.add(30_000, 5_000);
        assert_eq!((debt.ours(), debt.installment()), (0, 0), "and without a search nothing is paid");
        debt.searched(3_000);
        debt.searched(5_000);
        assert_eq!((debt.ours(), debt.left(1), debt.is_small()), (4_000, 0, false));
        assert_eq!(debt.pay(20_000), 0);
        let paid: Vec<u64> = (0..14).map(|_| debt.installment()).collect();
        assert_eq!(paid, [[400; 12].as_slice(), &[200, 0]].concat());
        assert_eq!(debt.charge(110, 50), 50);
        assert!(debt.is_small());
        assert_eq!((debt.left(40), debt.pay(100)), (40, 40));
    }
}
