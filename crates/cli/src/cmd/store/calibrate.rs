//! `anglerfish store calibrate`: the meaning of a search's values in games.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::{Judging, read_games};
use anglerfish_engine::Calibration;
use anglerfish_lab::calibration::{ALLOWED, ENOUGH, Model, Sample, Seen, fit, loss, report, test};
use anglerfish_report::grouped;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Annotation, Game, Points, Record};
use anglerfish_store::Store;
use anyhow::{anyhow, ensure};
use serde_json::json;

use super::place;
use crate::judged::{Judgement, finished, read_unit, unit_of};
use crate::output::write_page;
use crate::progress::Progress;
use crate::terminal::answer;

/// Fit won, drawn and lost games to the values of searches, and test it on other games
///
/// Takes games of one player against itself with stored values, under the rules `platform`. One deal of four, by its
/// digest, is for the test. The engine uses these numbers once they are copied into crates/engine/src/parameters.rs.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store calibrate games --player 'alphabeta nodes=5000'
  anglerfish store calibrate games --player 'alphabeta nodes=5000' --out calibration.html
  anglerfish store calibrate games --test --beside other.games")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// The player, by name and budget
    #[arg(long, default_value = "alphabeta nodes=5000")]
    player: String,
    /// Only test the numbers of this program
    #[arg(long)]
    test: bool,
    /// Also test the numbers on these games by any players: our records or the platform's [default: none]
    #[arg(long, value_name = "FILE")]
    beside: Vec<PathBuf>,
    /// Write a page with plots into this file, and its tables and figures into the folder FILE.files beside
    /// it [default: not written]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let sample = read(args)?;
    let [fitted, tested] = sample.games;
    ensure!(
        fitted > 0 && tested > 0,
        "{}: expected games of {} against itself with values, found {}",
        args.store,
        args.player,
        fitted + tested
    );
    let found = if args.test { Calibration::PLATFORM } else { fit(&sample.fit) };
    let new = test(&sample.test, Model::Fitted(&found));
    let judged = new.values().filter(|bin| bin.games >= ENOUGH).count();
    let off = new.values().filter(|bin| bin.is_off()).count();
    let (name, what) = if args.test {
        ("this program's", format!("this program's numbers, tested on {} games", grouped(tested)))
    } else {
        ("fitted", format!("fitted to {} games, tested on {} others", grouped(fitted), grouped(tested)))
    };
    let old = test(&sample.test, Model::Before);
    let mut tests = vec![(name, new), ("version 0.3", old)];
    let (others, played) = beside(&args.beside)?;
    if !args.beside.is_empty() {
        tests.push(("games of others", test(&others, Model::Fitted(&found))));
    }
    let mut page = report("What values mean in games", &tests);
    page.subtitle = format!("{} against itself: {what}", args.player);
    let verdict = format!(
        "{off} of {judged} bins with positions of {ENOUGH} games or more are certainly off by more than {ALLOWED} points"
    );
    page.facts.push(("Verdict".to_owned(), verdict.clone()));
    if !args.beside.is_empty() {
        let what = format!("{}, one position of {EVERY} searched with {NODES} nodes", grouped(played));
        page.facts.push(("Games of others".to_owned(), what));
    }
    let loss = loss(&sample.test, &found);
    page.facts.push(("Loss on the games of the test".to_owned(), format!("{loss:.5} per position")));
    if let Some(path) = &args.out {
        write_page(path, &page)?;
    }
    let holds = judged > 0 && off == 0;
    let mut out = answer(args.json);
    if args.json {
        let object = json!({
            "schema": 1,
            "player": args.player,
            "games": { "fit": fitted, "test": tested },
            "positions": { "fit": sample.fit.len(), "test": sample.test.len() },
            "loss": loss,
            "lead": found.lead,
            "draws": found.draws,
            "judged": judged,
            "off": off,
            "tables": page.tables,
        });
        writeln!(out, "{object}")?;
        return Ok(holds);
    }
    writeln!(out, "{}", page.subtitle)?;
    for table in &page.tables {
        writeln!(out, "\n{}", table.text().trim_end())?;
    }
    writeln!(out, "\n{verdict}\nloss on the games of the test: {loss:.5} per position")?;
    if !args.test {
        writeln!(out, "\nWDL_LEAD: {:?}\nWDL_DRAWS: {:?}", found.lead, found.draws)?;
    }
    Ok(holds)
}

/// Of other games, one ply of this many is used: neighboring plies are alike. An odd number, so that both
/// sides come to move.
const EVERY: usize = 5;

/// Nodes per search, as in the games that the numbers were fitted to.
const NODES: u64 = 5_000;

/// Positions of finished games by any players, with our search's values, and the number of their games.
fn beside(files: &[PathBuf]) -> anyhow::Result<(Vec<Seen>, u64)> {
    let games = finished(files, RuleSet::PLATFORM)?.games;
    let judge = Judging { player: "alphabeta,hash=256k".to_owned(), nodes: NODES };
    let units: Vec<String> = games.iter().map(|game| unit_of(&judge, game)).collect();
    let judgement = Judgement { what: "calibrate", judge: &judge, out: None, threads: None };
    let valued = judgement.of_all(&units, |unit| {
        let (_, mut judge, mut record) = read_unit(unit)?;
        let mut game = record.start.clone();
        for ply in 0..record.plies.len() {
            if ply % EVERY == 0
                && let Some(value) = judge.value(&game)
            {
                let value = Some(Points::nearest(f64::from(value.0)));
                record.annotate(ply, Annotation { value, ..Annotation::default() });
            }
            game.apply(record.plies[ply].event);
        }
        let text = record.to_string();
        Ok((text.clone(), text))
    })?;
    let mut sample = Sample::default();
    for text in &valued {
        sample.add(&read_games::<Banqi>(text).map_err(|why| anyhow!(why))?).map_err(|why| anyhow!(why))?;
    }
    let [one, other] = sample.games;
    // The split by deal does not apply to them, because no model is fitted to them.
    Ok(([sample.fit, sample.test].concat(), one + other))
}

/// The games of the player against itself.
fn read(args: &Args) -> anyhow::Result<Sample> {
    let mut store = Store::<Banqi>::existing(place(&args.store)?, None)?;
    let (mut sample, mut progress) = (Sample::default(), Progress::new());
    let units = store.units()?;
    for (n, unit) in (1..).zip(&units) {
        let games = store.games(unit)?.unwrap_or_default();
        let deals = games.chunk_by(|a, b| a.tag("Deal") == b.tag("Deal"));
        for pair in deals.filter(|pair| pair.iter().all(|game| is_of(game, &args.player))) {
            sample.add(pair).map_err(|why| anyhow!("unit {unit}: {why}"))?;
        }
        progress.stands(format!("unit {} of {}", grouped(n), grouped(units.len() as u64)));
    }
    progress.end();
    Ok(sample)
}

/// Whether both sides of a game are this player.
fn is_of(game: &Record<Banqi>, player: &str) -> bool {
    let budgets = game.tag("Budget").and_then(|budgets| budgets.split_once(' ')).unwrap_or_default();
    let sides = [("First", budgets.0), ("Second", budgets.1)];
    sides
        .into_iter()
        .all(|(seat, budget)| game.tag(seat).is_some_and(|name| format!("{name} {budget}") == player))
}
