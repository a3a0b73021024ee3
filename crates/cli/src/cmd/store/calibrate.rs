//! `anglerfish store calibrate`: what a search's value means in games.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::report::{grouped, html};
use anglerfish_engine::Calibration;
use anglerfish_lab::calibration::{self, Model, Sample, fit, report, test};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use anglerfish_store::Store;
use anyhow::{anyhow, ensure};
use serde_json::json;

use super::place;
use crate::output::write_out;
use crate::progress::Progress;

/// Fit won, drawn and lost games to the values of searches, and test it on other games
///
/// Takes games of one player against itself whose values are in the store, under the rules `platform`. Every fourth pair of games is
/// for the test. The numbers that it prints are those of the engine (crates/engine/src/margins.rs), where somebody has put them.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store calibrate games --player 'alphabeta nodes=5000'
  anglerfish store calibrate games --player 'alphabeta nodes=5000' --out calibration.html")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// Whose games, by name and budget
    #[arg(long, default_value = "alphabeta nodes=5000")]
    player: String,
    /// Fit nothing: test the numbers that this program has
    #[arg(long)]
    test: bool,
    /// Write a page with plots into this file, too
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
    let (found, loss) = if args.test {
        (Calibration::PLATFORM, None)
    } else {
        let (found, loss) = fit(&sample.fit);
        (found, Some(loss))
    };
    let new = test(&sample.test, &Model::Fitted(found));
    let off = new.values().filter(|bin| bin.is_off()).count();
    let mut page = report(
        "What values mean in games",
        &[("fitted", new), ("version 0.3", test(&sample.test, &Model::Before))],
    );
    page.subtitle = format!(
        "{} against itself: fitted to {} games, tested on {} others",
        args.player,
        grouped(fitted),
        grouped(tested)
    );
    page.facts.push(("Bins that are off".to_owned(), off.to_string()));
    if let Some(path) = &args.out {
        write_out(path, |out| Ok(out.write_all(html(&page).as_bytes())?))?;
        eprintln!("wrote {}", path.display());
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        let object = json!({
            "schema": 1,
            "player": args.player,
            "games": { "fit": fitted, "test": tested },
            "positions": { "fit": sample.fit.len(), "test": sample.test.len() },
            "loss": loss,
            "lead": found.lead,
            "draws": found.draws,
            "off": off,
            "tables": page.tables,
        });
        writeln!(out, "{object}")?;
        return Ok(off == 0);
    }
    writeln!(out, "{}", page.subtitle)?;
    for table in &page.tables {
        writeln!(out, "\n{}", table.text().trim_end())?;
    }
    writeln!(
        out,
        "\n{off} bins with positions of {} games or more are off by more than {} points",
        calibration::ENOUGH,
        calibration::ALLOWED
    )?;
    if let Some(loss) = loss {
        writeln!(
            out,
            "loss {loss:.5} a position\n\nWDL_LEAD: {:?}\nWDL_DRAWS: {:?}",
            found.lead, found.draws
        )?;
    }
    Ok(off == 0)
}

/// The games of the player against itself.
fn read(args: &Args) -> anyhow::Result<Sample> {
    let mut store = Store::<Banqi>::existing(place(&args.store)?, None)?;
    let (mut sample, mut progress) = (Sample::default(), Progress::new());
    let units = store.units()?;
    for (n, unit) in (1..).zip(&units) {
        let games = store.games(unit)?.unwrap_or_default();
        for pair in games.chunks(2).filter(|pair| pair.iter().all(|game| is_of(game, &args.player))) {
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
    sides.into_iter().all(|(seat, budget)| {
        game.tag(seat).is_some_and(|name| name == player || format!("{name} {budget}") == player)
    })
}
