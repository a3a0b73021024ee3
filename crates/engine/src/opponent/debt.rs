//! Nodes that a model has searched and that are not paid for yet.
//!
//! A search may take many times the nodes that it is told to: `alphabeta` finishes its first iteration however long that is, and where much can be
//! taken it is thousands of nodes. Paid at once they would leave nothing of our next search; so they are paid bit by bit, first with nodes that we ponder for.

use crate::parameters;

/// See the module.
#[derive(Clone, Debug, Default)]
pub struct Debt {
    owed: u64,
    /// How many searches of ours there were in this game, and what nodes they had together.
    searches: u64,
    nodes: u64,
}

impl Debt {
    /// A search of ours had so many nodes.
    pub fn searched(&mut self, nodes: u64) {
        self.searches += 1;
        self.nodes = self.nodes.saturating_add(nodes);
    }

    /// What our searches have, on average.
    pub fn ours(&self) -> u64 {
        self.nodes.checked_div(self.searches).unwrap_or(0)
    }

    /// So many nodes were searched, and so many were to be had for it.
    pub fn add(&mut self, spent: u64, had: u64) {
        self.owed += spent.saturating_sub(had);
    }

    /// What a search pays at once for an answer of this price that took so many nodes: the rest is owed, or one answer could end the search.
    pub fn charge(&mut self, nodes: u64, price: u64) -> u64 {
        self.add(nodes, price);
        nodes.min(price)
    }

    /// What is left of so many nodes when as much as possible was paid with them.
    pub fn pay(&mut self, nodes: u64) -> u64 {
        let paid = self.owed.min(nodes);
        self.owed -= paid;
        nodes - paid
    }

    /// What one part of so many of our own search may still be used for.
    pub fn left(&self, parts: u64) -> u64 {
        (self.ours() / parts).saturating_sub(self.owed)
    }

    /// What a search of ours may still be used for to foresee replies.
    pub fn left_to_foresee(&self) -> u64 {
        self.left(parameters::FORESIGHT_SHARE)
    }

    /// Whether no more is owed than may be spent on foreseeing in one search: else nothing is foreseen.
    pub fn is_small(&self) -> bool {
        self.owed <= self.ours() / parameters::FORESIGHT_SHARE
    }

    /// What our next search pays.
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
