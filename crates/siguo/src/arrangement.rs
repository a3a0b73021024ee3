//! Models of Siguo layouts, and sampling of worlds that fit the events.
//!
//! A table gives the probability of each role on every slot. [`Kinds`] are several tables with their shares: the
//! general model of Zhang and others (2014) is one table, its classes are three, and learned kinds of armies are
//! more. Certain [`Knowledge`] gives the probability of each kind; the mixture of their tables then weighs worlds.
//! The model of the next seat follows the whole table for us, because knowledge of one army constrains all.

use std::fmt;
use std::str::FromStr;

use anglerfish_engine::opponent::{Debt, OpponentModel, Profile};
use anglerfish_rules::{Game, NotationError, Ply, Rng, Seat};

use crate::{Arm, Candidates, Knowledge, Role, SLOTS, Siguo, View, Weights, may_stand};

/// The probability of each role, for every slot.
pub type Odds = [[f64; Role::ALL.len()]; SLOTS];

/// Kinds of armies, each with its share.
#[derive(Clone, Debug, PartialEq)]
pub struct Kinds(Vec<(f64, Odds)>);

impl Kinds {
    /// These kinds; shares are in any unit.
    pub fn new(kinds: Vec<(f64, Odds)>) -> Kinds {
        Kinds(kinds)
    }

    /// One kind in which all men that may stand on a slot are equally likely there.
    pub fn uniform() -> Kinds {
        Kinds(vec![(1.0, [[1.0; Role::ALL.len()]; SLOTS])])
    }

    /// The mixture of the tables given the knowledge of an army: equations 6 and 7 of the paper, where an
    /// unsettled man counts as evidence by its remaining roles.
    pub fn mixed(&self, known: &Candidates) -> Odds {
        let mut posterior: Vec<f64> = self.0.iter().map(|(share, _)| *share).collect();
        for slot in 0..SLOTS {
            let roles = known.roles(slot);
            if roles.is_empty() {
                continue;
            }
            for (kind, (_, odds)) in posterior.iter_mut().zip(&self.0) {
                *kind *= roles.iter().map(|role| odds[slot][role as usize]).sum::<f64>().max(1e-9);
            }
            let sum: f64 = posterior.iter().sum();
            for kind in &mut posterior {
                *kind /= sum;
            }
        }
        let mut mixed = [[0.0; Role::ALL.len()]; SLOTS];
        for (kind, (_, odds)) in posterior.iter().zip(&self.0) {
            for (row, odds) in mixed.iter_mut().zip(odds) {
                row.iter_mut().zip(odds).for_each(|(sum, value)| *sum += kind * value);
            }
        }
        mixed
    }
}

/// The first line of the text of [`Kinds`].
const HEAD: &str = "siguo-kinds 1";

/// `siguo-kinds 1`, then for each kind a line `kind SHARE` and a line per occupied slot: twelve shares in
/// parts of ten thousand, flag first.
impl fmt::Display for Kinds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{HEAD}")?;
        for (share, odds) in &self.0 {
            writeln!(f, "kind {share:.6}")?;
            for slot in (0..SLOTS).filter(|&slot| may_stand(Role::Captain, slot)) {
                let row: Vec<String> = odds[slot].iter().map(|p| format!("{:.0}", p * 1e4)).collect();
                writeln!(f, "{}", row.join(" "))?;
            }
        }
        Ok(())
    }
}

impl FromStr for Kinds {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Kinds, NotationError> {
        let wrong = |expected: &'static str, line: &str| {
            let at = line.as_ptr() as usize - text.as_ptr() as usize;
            NotationError::new(expected, text, at.min(text.len()))
        };
        let mut lines = text.lines();
        if lines.next() != Some(HEAD) {
            return Err(NotationError::new(HEAD, text, 0));
        }
        let mut kinds = Vec::new();
        while let Some(line) = lines.next() {
            let share = line.strip_prefix("kind ").and_then(|share| share.parse::<f64>().ok());
            let share = share.filter(|share| (0.0..=1e9).contains(share));
            let share = share.ok_or_else(|| wrong("kind SHARE", line))?;
            let mut odds = [[0.0; Role::ALL.len()]; SLOTS];
            for slot in (0..SLOTS).filter(|&slot| may_stand(Role::Captain, slot)) {
                let line = lines.next().unwrap_or_default();
                let numbers: Vec<u32> = line.split(' ').filter_map(|word| word.parse().ok()).collect();
                if numbers.len() != Role::ALL.len() || numbers.iter().any(|&n| n > 10_000) {
                    return Err(NotationError::new("twelve numbers up to 10000 for each slot", text, 0));
                }
                numbers.iter().zip(&mut odds[slot]).for_each(|(n, odds)| *odds = f64::from(*n) / 1e4);
            }
            kinds.push((share, odds));
        }
        if kinds.is_empty() {
            return Err(NotationError::new("a kind", text, text.len()));
        }
        Ok(Kinds(kinds))
    }
}

/// Follows a game of Siguo and samples worlds that fit it.
pub struct Arrangement {
    kinds: Kinds,
    them: Seat,
    knowledge: Option<Knowledge>,
}

impl Arrangement {
    /// Before the first event.
    pub fn new(kinds: Kinds) -> Arrangement {
        Arrangement { kinds, them: Seat(0), knowledge: None }
    }
}

/// Whether `them` is the seat after ours. Only its model is asked for worlds.
pub fn is_next(view: &View, them: Seat) -> bool {
    (view.seat.0 + 1) % <Siguo as Game>::SEATS == them.0
}

/// Samples this many worlds that fit the knowledge, weighted by the probabilities of the roles in hidden armies.
pub fn worlds(
    view: &View,
    knowledge: &Knowledge,
    odds: impl Fn(Arm, &Candidates) -> Odds,
    n: usize,
    rng: &mut Rng,
) -> Vec<Siguo> {
    let mut weights: Weights = [[[1; Role::ALL.len()]; SLOTS]; 4];
    for arm in Arm::ALL {
        let Some(known) = knowledge.army(arm).filter(|_| view.layouts[arm.index()].is_none()) else {
            continue;
        };
        for (row, odds) in weights[arm.index()].iter_mut().zip(odds(arm, known)) {
            *row = odds.map(|p| (p * 1e5) as u32 + 1);
        }
    }
    let drawn = knowledge.worlds(n, Some(&weights), rng);
    drawn.layouts.iter().map(|layouts| view.world(layouts)).collect()
}

impl OpponentModel<Siguo> for Arrangement {
    fn observe(&mut self, before: &View, ply: &Ply<<Siguo as Game>::Event>, _: &mut Debt) {
        if is_next(before, self.them) {
            self.knowledge.get_or_insert_with(|| Knowledge::new(before)).follow(&before.table, ply.event);
        }
    }

    fn begin(&mut self, seat: Seat, _: u64, _: Option<&Profile>) {
        (self.them, self.knowledge) = (seat, None);
    }

    fn worlds(&mut self, view: &View, n: usize, rng: &mut Rng) -> Vec<Siguo> {
        let knowledge = self.knowledge.get_or_insert_with(|| Knowledge::new(view));
        worlds(view, knowledge, |_, known| self.kinds.mixed(known), n, rng)
    }
}
