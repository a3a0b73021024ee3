//! Shares of roles by slot, and predictions of hidden men from them: the paper's models, general and classified.

use anglerfish_siguo::{Candidates, Layout, Role, SLOTS, may_stand};

use super::paper::{Class, Influence, positions};

/// The probability of each role, for every slot.
pub(super) type Odds = [[f64; 12]; SLOTS];

/// A table of the probabilities of roles by slot: the paper's Figure 4.
#[derive(Clone, Debug)]
pub(super) struct Table(Odds);

impl Table {
    /// Shares among some layouts, with half a layout more in every cell where a man may start.
    pub(super) fn of(layouts: &[Layout]) -> Table {
        let mut counts = [[0.0; 12]; SLOTS];
        for slot in positions() {
            for role in Role::ALL.into_iter().filter(|&role| may_stand(role, slot)) {
                counts[slot][role as usize] = 0.5;
            }
        }
        for layout in layouts {
            for slot in positions() {
                if let Some(role) = layout.role(slot) {
                    counts[slot][role as usize] += 1.0;
                }
            }
        }
        Table(normalized(&counts))
    }

    /// The same in every cell.
    pub(super) fn uniform() -> Table {
        Table([[1.0; 12]; SLOTS])
    }

    /// The entries.
    pub(super) const fn odds(&self) -> &Odds {
        &self.0
    }

    /// The prediction for an army with this knowledge.
    pub(super) fn predict(&self, known: &Candidates) -> Odds {
        predicted(&self.0, known)
    }
}

/// Scales rows to a sum of 1; rows of zeros stay so.
pub(super) fn normalized(rows: &Odds) -> Odds {
    rows.map(|row| {
        let sum: f64 = row.iter().sum();
        if sum > 0.0 { row.map(|value| value / sum) } else { row }
    })
}

/// Entries × the share of unsettled men of a role, normalized over the remaining roles.
fn predicted(entries: &Odds, known: &Candidates) -> Odds {
    let mut left = Role::ALL.map(|role| role.count() as f64);
    for slot in positions() {
        if let Some(role) = known.roles(slot).settled() {
            left[role as usize] -= 1.0;
        }
    }
    let mut odds = [[0.0; 12]; SLOTS];
    for slot in positions() {
        match known.roles(slot).settled() {
            Some(role) => odds[slot][role as usize] = 1.0,
            None => {
                for role in known.roles(slot).iter() {
                    let share = left[role as usize] / role.count() as f64;
                    odds[slot][role as usize] = entries[slot][role as usize] * share;
                }
            }
        }
    }
    normalized(&odds)
}

/// The three tables, and the number of layouts of each class.
#[derive(Clone, Debug)]
pub(super) struct Classified {
    tables: [Table; 3],
    /// The shares of the classes.
    pub(super) priors: [f64; 3],
}

impl Classified {
    /// From layouts that it classifies.
    pub(super) fn of(layouts: &[Layout], influence: &Influence, roles: &[f64; 12]) -> Classified {
        let of = |class: Class| -> Vec<Layout> {
            layouts.iter().copied().filter(|layout| influence.class(layout, roles) == class).collect()
        };
        Classified::known(&Class::ALL.map(of))
    }

    /// From layouts of which the class is known.
    pub(super) fn known(classes: &[Vec<Layout>; 3]) -> Classified {
        let all: usize = classes.iter().map(Vec::len).sum();
        Classified {
            priors: classes.each_ref().map(|class| class.len() as f64 / all.max(1) as f64),
            tables: classes.each_ref().map(|class| Table::of(class)),
        }
    }

    /// Equation 6, with the priors in its denominator: the probability of each class given the settled men.
    pub(super) fn posterior(&self, known: &Candidates) -> [f64; 3] {
        let mut posterior = self.priors;
        for slot in positions() {
            if let Some(role) = known.roles(slot).settled() {
                for (class, table) in posterior.iter_mut().zip(&self.tables) {
                    *class *= table.0[slot][role as usize];
                }
                let sum: f64 = posterior.iter().sum();
                posterior = posterior.map(|class| class / sum);
            }
        }
        posterior
    }

    /// Equation 6 as printed: the denominator has no priors.
    pub(super) fn posterior_as_printed(&self, known: &Candidates) -> [f64; 3] {
        // With equal priors the correct equation leaves the likelihood, in any unit.
        let equal = Classified { priors: [1.0 / 3.0; 3], ..self.clone() }.posterior(known);
        std::array::from_fn(|class| equal[class] * self.priors[class])
    }

    /// The prediction of the likeliest class.
    pub(super) fn predict_likeliest(&self, known: &Candidates) -> Odds {
        let posterior = self.posterior(known);
        let best = (0..3).max_by(|a, b| posterior[*a].total_cmp(&posterior[*b])).unwrap_or(0);
        self.tables[best].predict(known)
    }

    /// Equation 7: the mixture.
    pub(super) fn predict(&self, known: &Candidates) -> Odds {
        predicted(&self.mixed(known), known)
    }

    /// The mixture of the tables themselves.
    pub(super) fn mixed(&self, known: &Candidates) -> Odds {
        let posterior = self.posterior(known);
        let mut mixed = [[0.0; 12]; SLOTS];
        for slot in positions() {
            mixed[slot] =
                std::array::from_fn(|role| (0..3).map(|i| posterior[i] * self.tables[i].0[slot][role]).sum());
        }
        mixed
    }
}

/// Scales roles until their sums are those of an army.
///
/// Sinkhorn (1967), "Diagonal equivalence to matrices with prescribed row and column sums".
pub(super) fn balanced(odds: &Odds) -> Odds {
    const ROUNDS: u32 = 10;
    let mut odds = *odds;
    for _ in 0..ROUNDS {
        for role in Role::ALL {
            let sum: f64 = positions().map(|slot| odds[slot][role as usize]).sum();
            if sum > 0.0 {
                let scale = role.count() as f64 / sum;
                positions().for_each(|slot| odds[slot][role as usize] *= scale);
            }
        }
        odds = normalized(&odds);
    }
    odds
}
