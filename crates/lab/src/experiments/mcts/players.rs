//! Tables 3 and 4 and Figures 4 and 5: matches of the paper's players.
//!
//! The paper gives each player a second per move. Here the budget is a number of playouts, so that the same
//! manifest gives the same games: the number that the paper played in that second by the times of its Table
//! 2, or a stated share of it. Deals are paired, unlike in the paper.

use anglerfish_arena::{Contestant, Match, Tally};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, Report, Row, Table};
use anglerfish_rules::banqi::Banqi;
use serde::{Deserialize, Serialize};

use super::conclusions;
use super::paper::{Games, Meeting, PLAYERS, Player, SIZES, TABLE3, TABLE4, playouts_a_move};
use crate::experiment::{play_pair, written};
use crate::paired::read;
use crate::stats::{clustered, plus_minus};
use crate::{Check, Findings, LabError, Manifest, Results};

/// The stored result of a pair of games: won, drawn and lost by the first player.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Counted {
    pub(super) games: [u64; 3],
    pub(super) forfeits: u64,
}

/// The units of Tables 3 and 4.
pub(super) fn units(manifest: &Manifest) -> Vec<String> {
    let units = |game: Match| game.units().collect::<Vec<_>>();
    table3_matches(manifest).chain(table4_matches(manifest)).flat_map(units).collect()
}

pub(super) fn work(unit: &str) -> Result<String, LabError> {
    let mut tally = Tally::default();
    tally.add(&play_pair(unit)?, None, false);
    let counted = Counted { games: tally.games, forfeits: tally.forfeits.iter().sum() };
    written(&counted)
}

fn table3_matches(manifest: &Manifest) -> impl Iterator<Item = Match> {
    let cells = TABLE3.into_iter().flat_map(|(name, _)| SIZES.map(|size| format!("{name}-{size}")));
    cells.map(|player| game(manifest, &player, "reference", "table3"))
}

fn table4_matches(manifest: &Manifest) -> impl Iterator<Item = Match> {
    TABLE4.into_iter().map(|(a, b, _)| game(manifest, PLAYERS[a], PLAYERS[b], "table4"))
}

fn game(manifest: &Manifest, a: &str, b: &str, games: &str) -> Match {
    // The reference player has a fixed depth and needs no budget.
    let player = |name: &str| {
        let (words, playouts) = match playouts_a_move(name) {
            Some(playouts) => {
                let counts = if manifest.number("flips") > 0 { ",playout_counts=flips" } else { "" };
                (format!("{name},hash=16{counts}"), playouts * manifest.number("budget") / 100)
            }
            None => (name.to_owned(), 1),
        };
        Contestant::builtin(name, &words, &format!("nodes={}", playouts.max(1)))
    };
    let pairs = manifest.number(games).div_ceil(2);
    Match::new::<Banqi>([player(a), player(b)], "paper40", manifest.seed, pairs)
}

/// The pairs of each match.
fn pairs(matches: impl Iterator<Item = Match>, results: &Results) -> Result<Vec<Vec<Counted>>, LabError> {
    matches.map(|game| read(&game, results)).collect()
}

/// Games won, drawn and lost in a match.
fn sum(pairs: &[Counted]) -> [u64; 3] {
    [0, 1, 2].map(|place| pairs.iter().map(|pair| pair.games[place]).sum())
}

/// The tables and figures, their numbers, and the checks.
pub(super) fn find(manifest: &Manifest, results: &Results, findings: &mut Findings) -> Result<(), LabError> {
    let third = pairs(table3_matches(manifest), results)?;
    let fourth = pairs(table4_matches(manifest), results)?;
    let cells = |cells: &[Vec<Counted>]| -> Vec<[u64; 3]> { cells.iter().map(|pairs| sum(pairs)).collect() };
    findings.data["players"] = serde_json::json!({ "table3": cells(&third), "table4": cells(&fourth) });
    let Report { tables, figures, .. } = &mut findings.report;
    if manifest.number("table3") > 0 {
        tables.push(table3(&third));
        figures.push(draws("Figure 5: draws with chance-nodes", 0, &third));
        figures.push(draws("Figure 4: draws with group-nodes", 6, &third));
        findings.checks.extend(conclusions::capture_pays(&third));
    }
    if manifest.number("table4") > 0 {
        tables.push(table4(&fourth));
    }
    let all = || third.iter().chain(&fourth).flatten();
    let games = all().flat_map(|pair| pair.games).sum();
    if games > 0 {
        tables.push(conclusions::table(&third, &fourth));
    }
    findings.checks.push(Check::finished(games, all().map(|pair| pair.forfeits).sum()));
    Ok(())
}

/// The share of won (0), drawn (1) or lost games (2) in per cent with its 95 % interval. The two games of a
/// deal are one sample.
fn percent(pairs: &[Counted], place: usize) -> (f64, f64, f64) {
    let share = |games: [u64; 3]| games[place] as f64 / games.iter().sum::<u64>().max(1) as f64;
    let (low, high) = clustered(&pairs.iter().map(|pair| share(pair.games)).collect::<Vec<_>>());
    (100.0 * low, 100.0 * share(sum(pairs)), 100.0 * high)
}

fn with_error(pairs: &[Counted], place: usize) -> String {
    let (low, share, high) = percent(pairs, place);
    format!("{share:.1}{}", plus_minus((high - low) / 2.0, 1))
}

fn table3(cells: &[Vec<Counted>]) -> Table {
    let row = |(place, (name, paper)): (usize, Player)| {
        let cell = |(column, (won, lost)): (usize, Games)| {
            let pairs = &cells[place * SIZES.len() + column];
            let share = |n: u32| f64::from(n) / 5.0;
            format!(
                "{} / {}\n({:.1} / {:.1})",
                with_error(pairs, 0),
                with_error(pairs, 2),
                share(won),
                share(lost)
            )
            .into()
        };
        Row { head: name.to_owned(), cells: paper.into_iter().enumerate().map(cell).collect() }
    };
    Table {
        title: "Table 3: against the reference player".to_owned(),
        caption: "Won / lost in per cent with 95 % intervals by deal; in brackets the paper's, of 500 games."
            .to_owned(),
        columns: ["playout size", "40", "160", "640", "2560"].map(str::to_owned).to_vec(),
        rows: TABLE3.into_iter().enumerate().map(row).collect(),
    }
}

fn table4(cells: &[Vec<Counted>]) -> Table {
    let row = |((a, b, paper), pairs): (Meeting, &Vec<Counted>)| {
        let paper = paper.map_or("-".to_owned(), |(won, lost)| format!("{won} / {lost}"));
        let ours = [0, 2, 1].map(|place| with_error(pairs, place).into());
        Row {
            head: format!("{} : {}", PLAYERS[a], PLAYERS[b]),
            cells: ours.into_iter().chain([paper.into()]).collect(),
        }
    };
    Table {
        title: "Table 4: tournament of the paper's best".to_owned(),
        caption: "In per cent of the games with 95 % intervals by deal, of the player named first. The paper's are wins and losses of 500; its \"282 / 07\" looks cut off, and its last pairing is not printed.".to_owned(),
        columns: ["players", "won", "lost", "drawn", "paper"].map(str::to_owned).to_vec(),
        rows: TABLE4.into_iter().zip(cells).map(row).collect(),
    }
}

/// Draws by playout size of the six players that begin at a row of Table 3, with the paper's in gray.
fn draws(title: &str, first: usize, cells: &[Vec<Counted>]) -> Figure {
    let (mut marks, mut legend) = (Vec::new(), Vec::new());
    for (n, (name, paper)) in TABLE3.into_iter().enumerate().skip(first).take(6) {
        let tone = Tone::Series(n - first);
        let drawn = |column: usize| percent(&cells[n * SIZES.len() + column], 1);
        let points: Vec<(f64, (f64, f64, f64))> = (0..SIZES.len()).map(|i| (i as f64, drawn(i))).collect();
        let theirs =
            paper.iter().enumerate().map(|(i, &(won, lost))| (i as f64, f64::from(500 - won - lost) / 5.0));
        marks.push(Mark::Line { points: theirs.collect(), tone: Tone::Muted });
        marks.push(Mark::Band {
            points: points.iter().map(|&(x, (low, _, high))| (x, low, high)).collect(),
            tone,
        });
        marks
            .push(Mark::Line { points: points.iter().map(|&(x, (_, share, _))| (x, share)).collect(), tone });
        legend.push((name.to_owned(), tone));
    }
    let ticks = SIZES.iter().enumerate().map(|(i, size)| (i as f64, size.to_string())).collect();
    Figure {
        title: title.to_owned(),
        plot: Plot {
            label: title.to_owned(),
            x: Axis { name: "playout size".to_owned(), range: (0.0, 3.0), ticks },
            y: Axis::numbers("draws in per cent", 0.0, 100.0),
            marks,
            legend,
            height: 220.0,
        },
        caption:
            "With 95 % intervals by deal; the gray lines are the paper's 500 games less its wins and losses."
                .to_owned(),
    }
}
