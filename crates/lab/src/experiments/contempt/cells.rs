//! The pairings, and the draw value of each.

use anglerfish_arena::{Contestant, Match};
use anglerfish_engine::DrawScope;
use anglerfish_rules::banqi::Banqi;

use crate::Manifest;

/// The opponent's strength relative to the champion.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Rank {
    Weaker,
    Equal,
    Stronger,
}

impl Rank {
    pub(super) const ALL: [Rank; 3] = [Rank::Weaker, Rank::Equal, Rank::Stronger];

    pub(super) fn name(self) -> &'static str {
        ["weaker", "equal", "stronger"][self as usize]
    }
}

/// The search whose nodes are counted.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Search {
    AlphaBeta,
    Mcts,
}

impl Search {
    /// The player, and the nodes of a weaker one, of the champion and of a stronger one. For alphabeta they
    /// are those of `ornn`.
    const fn programs(self) -> (&'static str, [u64; 3]) {
        match self {
            Search::AlphaBeta => ("alphabeta,hash=1", [50, 500, 2_500]),
            Search::Mcts => ("mcts,hash=4", [200, 1_000, 5_000]),
        }
    }
}

/// One match.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) search: Search,
    pub(super) rank: Rank,
    /// The champion's value of a draw, in hundredths, and which draws it applies to.
    pub(super) value: i32,
    pub(super) scope: DrawScope,
    games: &'static str,
}

/// The paper's values, in hundredths, and those between and beyond them.
pub(super) const PAPER: [i32; 2] = [-60, 20];
const GRID: [i32; 6] = [-40, -20, -10, 5, 10, 40];
/// The values tried in the win-draw-loss form.
const WDL: [i32; 4] = [-60, -20, 10, 20];

/// All matches of a run; for each search and opponent, the match with value 0 comes first.
pub(super) fn cells(manifest: &Manifest) -> Vec<Cell> {
    let mut cells = Vec::new();
    for rank in Rank::ALL {
        let cell = |search, value, scope, games| Cell { search, rank, value, scope, games };
        let ab = |value, scope, games| cell(Search::AlphaBeta, value, scope, games);
        cells.push(ab(0, DrawScope::All, "games"));
        for value in PAPER {
            cells.extend([DrawScope::Repetition, DrawScope::All].map(|scope| ab(value, scope, "games")));
        }
        cells.extend(GRID.map(|value| ab(value, DrawScope::All, "grid")));
        cells.extend(WDL.map(|value| ab(value, DrawScope::Wdl, "grid")));
        cells.extend(
            [0].into_iter().chain(PAPER).map(|value| cell(Search::Mcts, value, DrawScope::All, "mcts")),
        );
    }
    cells.retain(|cell| manifest.number(cell.games) > 0);
    cells
}

impl Cell {
    pub(super) fn is_plain(&self) -> bool {
        self.value == 0
    }

    /// The same opponent with draws of value 0.
    pub(super) fn plain(&self) -> Cell {
        let games = if self.search == Search::Mcts { "mcts" } else { "games" };
        Cell { value: 0, scope: DrawScope::All, games, ..*self }
    }

    /// Whether the cell applies to these draws; a cell without a value applies to all.
    pub(super) fn is_of(&self, scope: DrawScope) -> bool {
        self.is_plain() || self.scope == scope
    }

    pub(super) fn which(&self) -> &'static str {
        if self.is_plain() { "-" } else { self.scope.text() }
    }

    /// The deals depend only on the opponent. The opponent does not know the champion's draw value.
    pub(super) fn game(&self, manifest: &Manifest) -> Match {
        let (player, nodes) = self.search.programs();
        let [theirs, ours] = [nodes[self.rank as usize], nodes[Rank::Equal as usize]]
            .map(|nodes| format!("nodes={}", (nodes / manifest.number("fewer")).max(1)));
        let draws = format!(",draw={},draw_scope={}", f64::from(self.value) / 100.0, self.scope.text());
        let us = format!("{player}{}", if self.is_plain() { "" } else { &draws });
        let players = [Contestant::builtin("us", &us, &ours), Contestant::builtin("them", player, &theirs)];
        let seed = manifest.seed + self.rank as u64 + 3 * self.search as u64;
        Match {
            luck: manifest.luck.clone(),
            ..Match::new::<Banqi>(players, "platform", seed, manifest.number(self.games).div_ceil(2))
        }
    }
}
