//! Who plays whom, and with which draw value.

use anglerfish_arena::{Contestant, Match};
use anglerfish_rules::banqi::Banqi;

use crate::Manifest;

/// How strong the opponent is beside the champion.
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

/// Whose nodes are counted how.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Search {
    AlphaBeta,
    Mcts,
}

impl Search {
    /// The player, and the nodes of a weaker one, of the champion and of a stronger one. For alphabeta those of `ornn`.
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
    /// What a draw is worth to the champion, in hundredths, and whether that is about every draw or about repetitions.
    pub(super) value: i32,
    pub(super) all: bool,
    games: &'static str,
}

/// The paper's values, in hundredths, and those between and beyond them.
pub(super) const PAPER: [i32; 2] = [-60, 20];
const GRID: [i32; 6] = [-40, -20, -10, 5, 10, 40];

/// All matches of a run; of each search and opponent that of the value 0 first.
pub(super) fn cells(manifest: &Manifest) -> Vec<Cell> {
    let mut cells = Vec::new();
    for rank in Rank::ALL {
        let cell = |search, value, all, games| Cell { search, rank, value, all, games };
        cells.push(cell(Search::AlphaBeta, 0, true, "games"));
        let both = |values: &'static [i32], games| {
            values
                .iter()
                .flat_map(move |value| [false, true].map(|all| cell(Search::AlphaBeta, *value, all, games)))
        };
        cells.extend(both(&PAPER, "games"));
        cells.extend(both(&GRID, "grid"));
        cells.push(cell(Search::Mcts, 0, true, "mcts"));
        cells.extend(PAPER.map(|value| cell(Search::Mcts, value, true, "mcts")));
    }
    cells.retain(|cell| manifest.number(cell.games) > 0);
    cells
}

impl Cell {
    pub(super) fn is_plain(&self) -> bool {
        self.value == 0
    }

    /// The same opponent with draws that are worth nothing.
    pub(super) fn plain(&self) -> Cell {
        let games = if self.search == Search::Mcts { "mcts" } else { "games" };
        Cell { value: 0, all: true, games, ..*self }
    }

    pub(super) fn scope(&self) -> &'static str {
        match () {
            () if self.is_plain() => "-",
            () if self.all => "all",
            () => "repetition",
        }
    }

    /// The deals depend on the opponent alone. Nobody knows that the champion values draws.
    pub(super) fn game(&self, manifest: &Manifest) -> Match {
        let (player, nodes) = self.search.programs();
        let [theirs, ours] = [nodes[self.rank as usize], nodes[Rank::Equal as usize]]
            .map(|nodes| format!("nodes={}", (nodes / manifest.number("fewer")).max(1)));
        let scope = if self.all { "all" } else { "repetition" };
        let draws = format!(",draw={},draw_scope={scope}", f64::from(self.value) / 100.0);
        let us = format!("{player}{}", if self.is_plain() { "" } else { &draws });
        let players = [Contestant::builtin("us", &us, &ours), Contestant::builtin("them", player, &theirs)];
        let seed = manifest.seed + self.rank as u64 + 3 * self.search as u64;
        Match {
            luck: manifest.luck.clone(),
            ..Match::new::<Banqi>(players, "platform", seed, manifest.number(self.games).div_ceil(2))
        }
    }
}
