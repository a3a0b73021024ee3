//! Monte-Carlo tree search with chance-nodes and with group-nodes, by playout policy, size and evaluation.
//!
//! Jouandeau and Cazenave (2014), "Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game".
//! Tables 1 and 2 depend on which plies the draw condition counts; the paper states one rule and seems to have used
//! another, so three readings are compared with its numbers. Tables 3 and 4 and Figures 4 and 5 are matches at a
//! number of playouts per move. Beyond the paper: how many playouts either tree needs to find exactly best actions.

mod conclusions;
mod paper;
mod players;
mod playouts;
pub mod truth;

use anglerfish_report::Report;

pub use self::paper::{ending, figure2};
use crate::{Experiment, Findings, LabError, Manifest, Results, Size};

/// See the module.
pub struct Mcts;

impl Experiment for Mcts {
    fn name(&self) -> &'static str {
        "mcts"
    }

    fn about(&self) -> &'static str {
        "Banqi: playout policies, chance-nodes and group-nodes; Jouandeau and Cazenave (2014), \"Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game\", Tables 1 to 4 and Figures 4 and 5"
    }

    /// `playouts` per cell of Tables 1 and 2; `table3` and `table4` games per cell at a `budget` in per cent
    /// of the paper's own, with playouts that count as the paper says or, with `flips` 1, plies without flip;
    /// `small` and `whole` solved positions of each kind, searched `runs` times by each tree at each of
    /// `steps` budgets. The number 0 leaves a part out.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let names = ["playouts", "table3", "table4", "budget", "flips", "small", "whole", "runs", "steps"];
        names
            .into_iter()
            .zip(match size {
                Size::Ci => [30, 2, 2, 1, 0, 10, 0, 2, 4],
                Size::Paper => [2_000, 500, 500, 100, 0, 20, 20, 10, 7],
                Size::Full => [20_000, 2_000, 2_000, 400, 0, 100, 100, 40, 8],
            })
            .collect()
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let mut units = playouts::units(manifest);
        units.extend(truth::units(manifest));
        units.extend(players::units(manifest));
        units
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let words: Vec<&str> = unit.split(' ').collect();
        match words[..] {
            ["playouts", ref words @ ..] => playouts::work(words),
            ["truth", ref words @ ..] => truth::work(words),
            _ => players::work(unit),
        }
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let report = Report {
            title: "Monte-Carlo tree search with chance-nodes and group-nodes".to_owned(),
            subtitle: format!(
                "{}. Matches with {} per cent of the playouts per move that the paper had, {}; seed {}.",
                self.about(),
                manifest.number("budget"),
                ["whose size counts as the paper says", "whose size counts plies without flip"]
                    [usize::from(manifest.number("flips") > 0)],
                manifest.seed
            ),
            rules: "paper40".to_owned(),
            ..Report::default()
        };
        let mut findings = Findings { report, checks: Vec::new(), data: serde_json::json!({}) };
        if manifest.number("playouts") > 0 {
            playouts::find(manifest, results, &mut findings)?;
        }
        players::find(manifest, results, &mut findings)?;
        if manifest.number("small") + manifest.number("whole") > 0 {
            truth::find(manifest, results, &mut findings)?;
        }
        Ok(findings)
    }
}
