//! One thread's walk through the tree: the line it stands on, how games end there, and when to give up.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use anglerfish_rules::Reason;
use anglerfish_rules::banqi::{Position, Repetition, Terminal, history};

use super::feature::Feature;
use super::order::Memory;
use super::settings::Circles;
use super::shared::{Plan, Shared};
use super::table::Entry;
use crate::eval::Evaluator;
use crate::score::{Score, WIN, ply_unadjusted};

/// One thread's walk through the tree.
pub(super) struct Worker<'a, 's, E> {
    pub(super) shared: &'a Shared<'s>,
    pub(super) plan: &'a Plan,
    pub(super) memory: &'a mut Memory<E>,
    pub(super) nodes: u64,
    /// The number of nodes that the other threads know about, and the number at which to check the limits again.
    pub(super) reported: u64,
    next_look: u64,
    /// Whether the limits hold yet: the first iteration is always finished, or any move would be as good.
    pub(super) limited: bool,
    /// Set when time, nodes or patience ran out: every score on the way up is then meaningless.
    pub(super) aborted: bool,
    /// The history of the game and of the line being looked at, a word for each position; see [`history`].
    pub(super) line: Vec<u64>,
    /// Where the plies since the last capture or flip begin.
    origin: usize,
    /// The first position of the line that a draw by repetition rested on, since the last reset.
    pub(super) rested_on: usize,
    /// How the next node is reached.
    pub(super) coming: Coming,
    /// Means over predicted answers, by position and depth; see `foresight.rs`.
    pub(super) means: BTreeMap<(u64, i32), (Score, i64)>,
    /// Whether the current choice is one of those about which a model may be asked even if it has to search.
    pub(super) contender: bool,
}

/// How a node is reached.
#[derive(Clone, Copy, Default, PartialEq)]
pub(super) enum Coming {
    /// By an action.
    #[default]
    Played,
    /// By a null move.
    NullMove,
}

/// The window of scores in which a node is searched.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: Score,
    pub(super) beta: Score,
}

impl Window {
    pub(super) const FULL: Window = Window { alpha: -WIN - 1, beta: WIN + 1 };

    /// The same window for the other side, one ply on.
    #[inline]
    pub(super) const fn theirs(self) -> Window {
        Window { alpha: -ply_unadjusted(self.beta), beta: -ply_unadjusted(self.alpha) }
    }

    /// The narrowest window that tells whether alpha is beaten.
    #[inline]
    pub(super) const fn scout(self) -> Window {
        Window { alpha: self.alpha, beta: self.alpha + 1 }
    }
}

/// Positions between two looks at the clock.
const LOOK: u64 = 1024;

impl<'a, 's, E: Evaluator<Position>> Worker<'a, 's, E> {
    pub(super) fn new(
        shared: &'a Shared<'s>,
        memory: &'a mut Memory<E>,
        history: &[u64],
        root: &Position,
    ) -> Self {
        let mut line = history.to_vec();
        if line.is_empty() {
            line.push(history::origin(root.key()));
        }
        Worker {
            shared,
            plan: &shared.plan,
            memory,
            nodes: 0,
            reported: 0,
            next_look: 0,
            limited: false,
            aborted: false,
            line,
            origin: 0,
            rested_on: usize::MAX,
            coming: Coming::Played,
            means: BTreeMap::new(),
            contender: false,
        }
    }

    /// The score of a game that is over here, for the side to move.
    #[inline]
    pub(super) fn end(&mut self, p: &Position, ply: usize) -> Option<Score> {
        let repeated = self.repeated();
        let terminal = p.terminal(&self.plan.rules, repeated)?;
        Some(match terminal {
            Terminal::Loss(color, _) if p.side() == Some(color) => -WIN,
            Terminal::Loss(..) => WIN,
            Terminal::Draw(reason) => {
                let value = self.plan.draws[usize::from(reason != Reason::Repetition)];
                if ply.is_multiple_of(2) { value } else { -value }
            }
        })
    }

    /// Whether this position counts as drawn by repetition.
    #[inline]
    fn repeated(&mut self) -> bool {
        let line = self.history();
        if line.len() < 5 {
            return false;
        }
        match self.plan.settings.circles {
            Circles::Exact => match self.plan.rules.repetition {
                Repetition::None => false,
                Repetition::Position(n) => history::stood(line, n),
                Repetition::Cycle(n) => history::cycled(line, n),
            },
            Circles::First => {
                // Two plies change the board; four are the first that can bring it back.
                let last = line.len() - 1;
                let mut earlier = (4..=last).step_by(2).map(|back| last - back);
                let found = earlier.find(|&i| history::same_position(line[i], line[last]));
                if let Some(i) = found {
                    self.rested_on = self.rested_on.min(self.origin + i);
                }
                found.is_some()
            }
        }
    }

    /// The table entry of a position, if the table may be read.
    pub(super) fn known(&self, p: &Position, depth: i32, ply: usize) -> Option<Entry> {
        let ask = self.plan.has(Feature::Table) && !self.circle_in_reach(depth);
        if ask { self.shared.table.probe(self.table_key(p, depth, ply)) } else { None }
    }

    /// Whether a draw by repetition is possible within this depth. Then a score depends on the moves before (the graph history
    /// interaction), and the table is not read. This is for exact repetition only; the other kind uses [`Worker::rested_on`].
    pub(super) fn circle_in_reach(&self, depth: i32) -> bool {
        let plies = match (self.plan.settings.circles, self.plan.rules.repetition) {
            (Circles::First, _) | (_, Repetition::None) => return false,
            (Circles::Exact, Repetition::Position(n)) => 4 * (i32::from(n) - 1),
            (Circles::Exact, Repetition::Cycle(n)) => 4 * i32::from(n),
        };
        (self.line.len() - self.origin) as i32 - 1 + depth >= plies
    }

    /// The key of the table: the position, the rules, the values of draws, and the quiet counter where its limit is in reach.
    #[inline]
    pub(super) fn table_key(&self, p: &Position, depth: i32, ply: usize) -> u64 {
        let key = p.key() ^ self.plan.salts[ply & 1];
        let quiet = i32::from(p.quiet());
        if quiet + depth >= i32::from(self.plan.rules.quiet) {
            key ^ (quiet as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        } else {
            key
        }
    }

    /// The words since the last capture or flip.
    pub(super) fn history(&self) -> &[u64] {
        &self.line[self.origin..]
    }

    /// The line goes on. Returns where its history began, for [`leave`](Worker::leave).
    #[inline]
    pub(super) fn enter(&mut self, word: u64, restarts: bool) -> usize {
        let origin = self.origin;
        if restarts {
            self.origin = self.line.len();
        }
        self.line.push(word);
        origin
    }

    /// The line goes back to where it was.
    #[inline]
    pub(super) fn leave(&mut self, origin: usize) {
        self.line.pop();
        self.origin = origin;
    }

    /// Whether to give up. Looks at the clock and at the other threads now and then.
    #[inline]
    pub(super) fn over_limits(&mut self) -> bool {
        if self.nodes >= self.next_look {
            self.look();
        }
        self.aborted
    }

    #[cold]
    pub(super) fn look(&mut self) {
        let (shared, limits) = (self.shared, &self.shared.limits);
        let new = self.nodes - self.reported;
        self.reported = self.nodes;
        let all = shared.nodes.fetch_add(new, Ordering::Relaxed) + new;
        let left = limits.nodes.map_or(LOOK, |most| most.saturating_sub(all));
        let over_time = limits.hard.is_some_and(|hard| shared.time() >= hard);
        self.next_look = self.nodes + if left == 0 { LOOK } else { left.min(LOOK) };
        let over = over_time || left == 0 || shared.stop.is_set() || shared.done.load(Ordering::Relaxed);
        self.aborted |= self.limited && over;
    }
}
