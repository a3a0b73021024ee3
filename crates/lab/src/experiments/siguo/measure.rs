//! The quality of predictions of hidden men, and games followed from every seat.

use anglerfish_rules::Game as _;
use anglerfish_siguo::{Arm, Candidates, Knowledge, Layout, Man, Role, SLOTS, Siguo, Station, Table};
use serde::{Deserialize, Serialize};

use super::archive::Game;
use super::evidence::Evidence;
use super::paper::positions;
use super::tables::Odds;

/// The paper's stages of a game, by their first plies.
pub(super) const STAGES: [(&str, u32); 3] = [("1–40", 1), ("41–120", 41), ("121+", 121)];

/// The stage of a ply, which counts from 1.
pub(super) fn stage(ply: u32) -> usize {
    STAGES.iter().rposition(|(_, first)| ply >= *first).unwrap_or(0)
}

/// The quality of some predictions, in sums over men.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(from = "(u64, u64, u64, f64)", into = "(u64, u64, u64, f64)")]
pub(super) struct Score {
    /// Number of predicted men.
    pub(super) men: u64,
    /// Men whose likeliest role was the true one.
    pub(super) likeliest: u64,
    /// Men whose role in the likeliest assignment of all roles was the true one.
    pub(super) assigned: u64,
    /// The sum of the probabilities of the true roles.
    pub(super) truth: f64,
}

impl From<(u64, u64, u64, f64)> for Score {
    fn from((men, likeliest, assigned, truth): (u64, u64, u64, f64)) -> Score {
        Score { men, likeliest, assigned, truth }
    }
}

impl From<Score> for (u64, u64, u64, f64) {
    fn from(score: Score) -> (u64, u64, u64, f64) {
        (score.men, score.likeliest, score.assigned, score.truth)
    }
}

impl Score {
    /// Adds the predictions for hidden men.
    pub(super) fn add(&mut self, odds: &Odds, truth: &Layout, hidden: &[usize]) {
        let assignment = assignment(odds);
        for &slot in hidden {
            let Some(role) = truth.role(slot) else { continue };
            self.men += 1;
            self.likeliest += u64::from(likeliest(&odds[slot]) == role as usize);
            self.assigned += u64::from(assignment[slot] == Some(role));
            self.truth += odds[slot][role as usize];
        }
    }
}

/// The quality of all models in a game.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct GameScore(Vec<Cell>);

/// The scores of a stage, by model.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Cell {
    stage: usize,
    owner: Owner,
    scores: Vec<Score>,
}

/// The models' possible knowledge of an army before the game.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub(super) struct Owner {
    /// Whether there are earlier armies of the player.
    pub(super) met: bool,
    /// Whether a player for training had exactly the same army: perhaps the same person by another name.
    pub(super) twin: bool,
    /// Its class, in the paper's order.
    pub(super) class: usize,
}

/// A selection of armies by their owners.
pub(super) type Which = fn(Owner) -> bool;

impl GameScore {
    /// The scores of a stage, for armies of such owners.
    pub(super) fn of(&mut self, stage: usize, owner: Owner, models: usize) -> &mut [Score] {
        let at = self.0.iter().position(|cell| (cell.stage, cell.owner) == (stage, owner));
        let at = at.unwrap_or_else(|| {
            self.0.push(Cell { stage, owner, scores: vec![Score::default(); models] });
            self.0.len() - 1
        });
        &mut self.0[at].scores
    }

    /// The quality of a model in a stage, on some of the armies.
    pub(super) fn score(&self, model: usize, stage: usize, which: Which) -> Score {
        let mut sum = Score::default();
        for cell in self.0.iter().filter(|cell| cell.stage == stage && which(cell.owner)) {
            let Some(score) = cell.scores.get(model) else { continue };
            sum.men += score.men;
            sum.likeliest += score.likeliest;
            sum.assigned += score.assigned;
            sum.truth += score.truth;
        }
        sum
    }
}

/// The likeliest role; among equals the weaker.
fn likeliest(odds: &[f64; 12]) -> usize {
    (0..12).fold(0, |best, role| if odds[role] > odds[best] { role } else { best })
}

/// The input of a prediction: the seat to move predicts an army of an enemy that is still in the game.
pub(super) struct Case<'a> {
    /// The next ply, from 1.
    pub(super) ply: u32,
    /// The arm of the army.
    pub(super) arm: Arm,
    /// The arm that predicts.
    pub(super) observer: Arm,
    /// That arm's knowledge of the army.
    pub(super) known: &'a Candidates,
    /// The public evidence.
    pub(super) evidence: &'a Evidence,
    /// The public state.
    pub(super) table: &'a Table,
    /// Slots of the unsettled men on the board.
    pub(super) hidden: Vec<usize>,
}

/// Follows a game, and shows every case with a wanted owner of the army.
pub(super) fn cases(game: &Game, wanted: impl Fn(Arm) -> bool, mut show: impl FnMut(&Case<'_>)) {
    let mut now: Siguo = game.start.clone();
    let seats = Arm::ALL.map(|arm| now.table().seat_of(arm));
    let mut knowledge = seats.map(|seat| seat.map(|seat| Knowledge::new(&now.view(seat))));
    let mut evidence = Evidence::new();
    for (i, &event) in game.events.iter().enumerate() {
        let table = now.table();
        let observer = table.to_move();
        if let Some(knowledge) = &knowledge[observer.index()] {
            let foe = |arm: &Arm| table.are_enemies(observer, *arm) && !table.is_out(*arm) && wanted(*arm);
            for arm in Arm::ALL.into_iter().filter(foe) {
                let Some(known) = knowledge.army(arm) else { continue };
                let men = Station::all().filter_map(|at| table.man(at)).filter(|man| man.arm() == arm);
                let hidden = |slot: &usize| known.roles(*slot).settled().is_none();
                let mut hidden: Vec<usize> = men.map(Man::slot).filter(hidden).collect();
                hidden.sort_unstable();
                let ply = i as u32 + 1;
                show(&Case { ply, arm, observer, known, evidence: &evidence, table, hidden });
            }
        }
        for knowledge in knowledge.iter_mut().flatten() {
            knowledge.follow(now.table(), event);
        }
        evidence.follow(now.table(), event);
        now.apply(event);
    }
}

/// The likeliest assignment of the roles of a whole army to its men.
///
/// Kuhn (1955), "The Hungarian method for the assignment problem", with the potentials of Jonker and Volgenant (1987).
pub(super) fn assignment(odds: &Odds) -> [Option<Role>; SLOTS] {
    let roles: Vec<Role> =
        Role::ALL.into_iter().flat_map(|role| std::iter::repeat_n(role, role.count())).collect();
    let slots: Vec<usize> = positions().collect();
    let n = slots.len();
    let costs = costs(odds, &slots);
    // Rows are slots and columns roles, both from 1; column 0 is where a new row begins.
    let (mut row_price, mut column_price) = (vec![0.0; n + 1], vec![0.0; n + 1]);
    let mut row_of = vec![0; n + 1];
    for row in 1..=n {
        row_of[0] = row;
        let mut column = 0;
        let (mut least, mut back) = (vec![f64::INFINITY; n + 1], vec![0; n + 1]);
        let mut used = vec![false; n + 1];
        while row_of[column] != 0 {
            used[column] = true;
            let (from, mut delta, mut next) = (row_of[column], f64::INFINITY, 0);
            for to in (1..=n).filter(|&to| !used[to]) {
                let cost = costs[from - 1][roles[to - 1] as usize] - row_price[from] - column_price[to];
                if cost < least[to] {
                    (least[to], back[to]) = (cost, column);
                }
                if least[to] < delta {
                    (delta, next) = (least[to], to);
                }
            }
            for to in 0..=n {
                if used[to] {
                    row_price[row_of[to]] += delta;
                    column_price[to] -= delta;
                } else {
                    least[to] -= delta;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[back[column]];
            column = back[column];
        }
    }
    let mut assigned = [None; SLOTS];
    for column in 1..=n {
        assigned[slots[row_of[column] - 1]] = Some(roles[column - 1]);
    }
    assigned
}

#[expect(clippy::disallowed_methods, reason = "only which of two assignments is likelier matters")]
fn costs(odds: &Odds, slots: &[usize]) -> Vec<[f64; 12]> {
    slots.iter().map(|&slot| odds[slot].map(|odds| -odds.max(1e-30).ln())).collect()
}
