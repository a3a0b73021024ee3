//! Semi-random players of tic-tac-toe, one that speculates on their mistakes, and how soon an observer can
//! tell them apart.
//!
//! Kajihara, Sakuta, Iida, Uiterwijk and van den Herik (1999), "A Speculative Play against Semi-Random
//! Self-Play". Table 1 is reproduced exactly. Table 2 is not: it is printed beside the results of the named
//! readings of Definition 2, with residuals, and no more is claimed. The leads `w` and `b` were found by
//! trying tens of thousands of readings on these same numbers, so their fit is no evidence for them.

mod notlost;
pub mod paper;
mod recognise;
mod table1;
mod table2;

use anglerfish_arena::{Budget, Clocks, Draws, EnginePlayer, GameOptions, Table, play};
use anglerfish_engine::papers::semirandom::Fallback;
use anglerfish_engine::papers::speculative::Speculation as Reading;
use anglerfish_engine::{Assets, Config};
use anglerfish_report::Report;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Outcome, Rng, Team};

use crate::exact::Shares;
use crate::experiment::{number, written};
use crate::{Experiment, Findings, LabError, Manifest, Results, Size};

/// See the module.
pub struct Speculation;

impl Experiment for Speculation {
    fn name(&self) -> &'static str {
        "speculative"
    }

    fn about(&self) -> &'static str {
        "Tic-tac-toe: semi-random play, speculating on it, and recognizing it; Kajihara and others (1999), \"A Speculative Play against Semi-Random Self-Play\", Tables 1 to 3"
    }

    /// `games` per sampled cell; `trials` of recognition over `watched` games each, exact for the first
    /// `exact` of them.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        match size {
            Size::Ci => vec![("games", 100), ("trials", 400), ("watched", 40), ("exact", 2)],
            Size::Paper => vec![("games", 10_000), ("trials", 4_000), ("watched", 40), ("exact", 2)],
            Size::Full => vec![("games", 100_000), ("trials", 20_000), ("watched", 100), ("exact", 3)],
        }
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let mut units = vec!["table1 delay".to_owned(), "table1 any".to_owned()];
        units.extend(Reading::PRESETS.iter().map(|(name, _)| format!("table2 {name}")));
        units.push(recognise::exact_unit(manifest));
        units.extend((0..7).map(|look| recognise::sample_unit(manifest, look)));
        if manifest.number("games") > 0 {
            units.extend(cells().map(|(white, black)| play_unit(manifest, white, black, false)));
            let speculated = cells().filter(|&(white, black)| speculates(white, black));
            units.extend(speculated.map(|(white, black)| play_unit(manifest, white, black, true)));
        }
        units
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let words: Vec<&str> = unit.split(' ').collect();
        match words[..] {
            ["table1", "delay"] => written(&table1::exact(Fallback::Delay)),
            ["table1", "any"] => written(&table1::exact(Fallback::Any)),
            ["table2", reading] => written(&table2::exact(reading.parse()?)),
            ["play", white, black, games, seed] => {
                written(&sampled(white, black, number(games)?, number(seed)?)?)
            }
            ["recognise", "exact", n] => written(&recognise::exact(number(n)?)),
            ["recognise", "sample", look, watched, trials, seed] => {
                let (look, watched, trials) = (number(look)?, number(watched)?, number(trials)?);
                written(&recognise::sampled(look, watched, trials, number(seed)?))
            }
            _ => Err("expected table1, table2, play or recognise with its words".into()),
        }
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let mut findings = Findings {
            report: Report {
                title: "Speculative play against semi-random play".to_owned(),
                subtitle: format!("{}. Size {}, seed {}.", self.about(), manifest.size, manifest.seed),
                ..Report::default()
            },
            checks: Vec::new(),
            data: serde_json::json!({}),
        };
        table1::find(manifest, results, &mut findings)?;
        table2::find(manifest, results, &mut findings)?;
        recognise::find(manifest, results, &mut findings)?;
        // The two tall plots last, side by side.
        findings.report.figures[1..].rotate_left(2);
        Ok(findings)
    }
}

/// White and Black of all cells, row by row.
fn cells() -> impl Iterator<Item = (usize, usize)> {
    (0..7).flat_map(|white| (0..7).map(move |black| (white, black)))
}

/// Whether one of them looks far enough ahead to speculate on the other.
fn speculates(white: usize, black: usize) -> bool {
    white.abs_diff(black) >= 2
}

/// `P3-P1`, White first.
fn cell_name(white: usize, black: usize) -> String {
    format!("P{white}-P{black}")
}

/// The reading of Definition 2 that is shown for a cell: the lead for its color.
fn lead(white: usize, black: usize) -> &'static str {
    if white > black { "w" } else { "b" }
}

/// Games of two engines through the referee, as many as a cell of the paper has.
fn play_unit(manifest: &Manifest, white: usize, black: usize, speculative: bool) -> String {
    let player = |own: usize, other: usize| {
        if speculative && own > other {
            format!("speculative,look={own},model={other},speculate={}", lead(white, black))
        } else {
            format!("semirandom,look={own}")
        }
    };
    let games = manifest.number("games");
    format!("play {} {} {games} {}", player(white, black), player(black, white), manifest.seed)
}

fn sampled(white: &str, black: &str, games: u64, seed: u64) -> Result<Shares, LabError> {
    let thinker = |text: &str| -> Result<EnginePlayer<TicTacToe>, LabError> {
        let config: Config = text.parse()?;
        Ok(EnginePlayer::new(&config, &Assets::default())?)
    };
    let (mut first, mut second) = (thinker(white)?, thinker(black)?);
    let mut seeds = Rng::stream(seed, &format!("{white} {black}"));
    let mut counts = [0.0; 3];
    for _ in 0..games {
        let clocks = Clocks::new([Budget::Nodes(1); 2]);
        let players: &mut [&mut dyn anglerfish_arena::Player<TicTacToe>] = &mut [&mut first, &mut second];
        let table = Table::new(TicTacToe::default(), Draws(Rng::new(0)), clocks);
        let record = play(table, players, seeds.next_u64(), GameOptions::default());
        counts[match record.ending.map(|ending| ending.outcome) {
            Some(Outcome::Win(Team::A)) => 0,
            Some(Outcome::Win(Team::B)) => 2,
            Some(Outcome::Draw) | None => 1,
        }] += 1.0;
    }
    Ok(Shares(counts.map(|count| count / games as f64)))
}
