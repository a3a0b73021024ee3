//! The value of a draw (Chang and others, 2021, Tables 4 to 6): the champion with several draw values against
//! a weaker, an equal and a stronger opponent.
//!
//! Every cell has the same deals as the cell of value 0, and its result is the difference. Draw values are
//! tried in several forms: for draws by repetition alone, as in the paper; for all draws, as in Lc0; as an
//! offset of every estimate, with draws worth 0; and once with tree search.

mod cells;
mod tables;

use anglerfish_arena::Tally;
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use serde::{Deserialize, Serialize};

use self::cells::{Cell, cells};
use crate::experiment::{play_pair, written};
use crate::paired::{Difference, Played, read};
use crate::{Experiment, Findings, LabError, Manifest, Results, Size};

/// See the module.
pub struct Contempt;

/// The stored result of a pair of games.
#[derive(Serialize, Deserialize)]
struct KeptPair {
    #[serde(flatten)]
    played: Played,
    /// Games won, drawn and lost by the champion.
    games: [u64; 3],
}

impl KeptPair {
    fn new(records: &[Record<Banqi>]) -> KeptPair {
        let mut tally = Tally::default();
        tally.add(records, None, false);
        KeptPair { played: Played::new(records), games: tally.games }
    }
}

/// The result of a cell.
struct Found {
    cell: Cell,
    games: [u64; 3],
    /// Compared with the value 0; for that value itself, with one half.
    difference: Difference,
}

impl Experiment for Contempt {
    fn name(&self) -> &'static str {
        "contempt"
    }

    fn about(&self) -> &'static str {
        "Banqi, Chang and others (2021): what it gains to refuse draws against the weaker and to accept them against the stronger"
    }

    fn takes_luck(&self) -> bool {
        true
    }

    /// `games` of each cell with the paper's values, `grid` of each with values in between, `mcts` of each
    /// with tree search. Nodes are divided by `fewer`, for a short run that only shows that it works.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [games, grid, mcts, fewer] = match size {
            Size::Ci => [24, 0, 0, 10],
            Size::Paper => [2_000, 0, 0, 1],
            Size::Full => [2_000, 2_000, 1_000, 1],
        };
        vec![("games", games), ("grid", grid), ("mcts", mcts), ("fewer", fewer)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        cells(manifest).iter().flat_map(|cell| cell.game(manifest).units().collect::<Vec<_>>()).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        written(&KeptPair::new(&play_pair(unit)?))
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let mut found = Vec::new();
        for cell in cells(manifest) {
            let kept: Vec<KeptPair> = read(&cell.game(manifest), results)?;
            let base: Vec<KeptPair> = read(&cell.plain().game(manifest), results)?;
            let games = kept.iter().fold([0; 3], |sum, pair| std::array::from_fn(|i| sum[i] + pair.games[i]));
            let [with, without] =
                [&kept, &base].map(|pairs| pairs.iter().map(|pair| &pair.played).collect::<Vec<_>>());
            let without = (!cell.is_plain()).then(|| &without[..with.len()]);
            found.push(Found { cell, games, difference: Difference::new(&with, without) });
        }
        Ok(tables::findings(self, manifest, &found))
    }
}
