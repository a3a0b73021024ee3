//! The value of the first move between two random players of tic-tac-toe: the experiment to copy.
//!
//! It has one of everything: a number that depends on the size, units of two kinds, a table, a plot and checks.

use anglerfish_engine::papers::semirandom::{Fallback, SemiRandom, after};
use anglerfish_report::plot::{Axis, Plot, Tone};
use anglerfish_report::{Figure, Report, Row, Table};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Game, Outcome, Rng, RngExt, Team, Turn};

use crate::exact::{Shares, shares};
use crate::experiment::{number, read_unit, written};
use crate::stats::{row_bar, triple, z_score};
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};

/// See the module.
pub struct FirstMove;

impl Experiment for FirstMove {
    fn name(&self) -> &'static str {
        "firstmove"
    }

    fn about(&self) -> &'static str {
        "What the first move is worth between two random players of tic-tac-toe: the experiment to copy"
    }

    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let games = match size {
            Size::Ci => 1_000,
            Size::Paper => 10_000,
            Size::Full => 100_000,
        };
        vec![("games", games)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let sample = format!("sample {} {}", manifest.number("games"), manifest.seed);
        vec!["exact".to_owned(), sample]
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let words: Vec<&str> = unit.split(' ').collect();
        let found = match words[..] {
            ["exact"] => {
                let player = || SemiRandom::new(0, Fallback::Delay);
                shares(&TicTacToe::default(), [&mut player(), &mut player()])
            }
            ["sample", games, seed] => sample(number(games)?, &mut Rng::stream(number(seed)?, "firstmove")),
            _ => return Err("expected exact, or sample GAMES SEED".into()),
        };
        written(&found)
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let read = |unit: &String| -> Result<Shares, LabError> { read_unit(unit, results) };
        let units = self.units(manifest);
        let [exact, sampled] = [read(&units[0])?, read(&units[1])?];
        let games = manifest.number("games") as u32;
        let z = z_score(sampled.percent()[0], exact.percent()[0], games);

        let row = |head: &str, shares: Shares| Row {
            head: head.to_owned(),
            cells: vec![triple(shares.percent(), 3).into()],
        };
        let table = Table {
            title: "White's games".to_owned(),
            caption: "Won, drawn and lost, in per cent.".to_owned(),
            columns: ["how", "won / drawn / lost"].map(str::to_owned).to_vec(),
            rows: vec![row("exact", exact), row(&format!("{games} games"), sampled)],
        };
        let names = ["won", "drawn", "lost"];
        let bar = |(i, percent): (usize, f64)| {
            row_bar(i, percent, Tone::Series(0), format!("{}: {percent:.3} %", names[i]))
        };
        let plot = Plot {
            label: format!("White's games: {}", triple(exact.percent(), 1)),
            x: Axis::numbers("% of games", 0.0, 60.0),
            y: Axis::names(&names),
            marks: exact.percent().into_iter().enumerate().map(bar).collect(),
            legend: Vec::new(),
            height: 80.0,
        };
        let figure =
            Figure { title: "White's games".to_owned(), plot, caption: "Exact, by recursion.".to_owned() };
        Ok(Findings {
            report: Report {
                title: "What the first move is worth".to_owned(),
                subtitle: self.about().to_owned(),
                facts: vec![("White wins".to_owned(), format!("{:.3} %", exact.percent()[0]))],
                figures: vec![figure],
                tables: vec![table],
                ..Report::default()
            },
            checks: vec![Check::new(
                "the sample lies within five standard deviations of the exact value",
                z.abs() < 5.0,
                format!("{z:.2} standard deviations"),
            )],
            data: serde_json::json!({ "exact": exact, "sampled": sampled }),
        })
    }
}

fn sample(games: u64, rng: &mut Rng) -> Shares {
    let mut counts = [0.0; 3];
    let mut actions = Vec::new();
    for _ in 0..games {
        let mut game = TicTacToe::default();
        let outcome = loop {
            if let Turn::Over(outcome, _) = game.turn() {
                break outcome;
            }
            game.actions(&mut actions);
            game = after(&game, rng.pick(&actions));
        };
        counts[match outcome {
            Outcome::Win(Team::A) => 0,
            Outcome::Draw => 1,
            Outcome::Win(Team::B) => 2,
        }] += 1.0;
    }
    Shares(counts.map(|count| count / games as f64))
}
