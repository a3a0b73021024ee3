//! The worth of adjusting for luck, and whether it does harm: our own question, with the numbers of docs/luck.md.
//!
//! Four parts: how many games are saved, by judge and by inequality of the players; whether scores stay
//! unbiased, with a good judge and with a silly one; whether a cheating dealer is found out; and whether a
//! test on adjusted pairs keeps its error rates.

mod dealer;
mod judged;
mod tested;

use anglerfish_report::Report;

use crate::{Experiment, Findings, LabError, Manifest, Results, Size};

/// See the module.
pub struct Luck;

impl Experiment for Luck {
    fn name(&self) -> &'static str {
        "luck"
    }

    fn about(&self) -> &'static str {
        "Banqi: how many games are saved by taking luck off, and whether scores, tests and dealers stay honest"
    }

    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [pairs, nodes, judge, bias, cheap, cheated, cheats, tests] = match size {
            Size::Ci => [30, 20, 1, 100, 10, 40, 100, 40],
            Size::Paper => [300, 5_000, 100, 4_000, 100, 2_000, 5, 2_000],
            Size::Full => [500, 5_000, 100, 20_000, 100, 2_000, 5, 10_000],
        };
        vec![
            ("pairs", pairs),
            ("nodes", nodes),
            ("judge", judge),
            ("bias", bias),
            ("cheap", cheap),
            ("cheated", cheated),
            ("cheats", cheats),
            ("tests", tests),
        ]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        [dealer::units(manifest), judged::units(manifest)].concat()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        match unit.split_once(' ') {
            Some(("judged", rest)) => judged::work(rest),
            Some(("dealer", rest)) => dealer::work(rest),
            _ => Err("expected judged JUDGES and a unit, or dealer and five numbers".into()),
        }
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let mut findings = Findings {
            report: Report {
                title: "What luck is worth".to_owned(),
                subtitle: format!("{}. Paired deals, seed {}.", self.about(), manifest.seed),
                rules: "platform".to_owned(),
                ..Report::default()
            },
            checks: Vec::new(),
            data: serde_json::json!({}),
        };
        let equals = judged::find(manifest, results, &mut findings)?;
        tested::find(manifest, &equals, &mut findings);
        dealer::find(manifest, results, &mut findings)?;
        Ok(findings)
    }
}
