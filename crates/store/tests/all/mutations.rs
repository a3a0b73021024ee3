//! Changed records, rows and files: the reader does not panic, accepts no illegal game, and needs little memory.
//!
//! The long run is `.ci/run full mutations`.

mod files;
mod flips;
mod records;
mod rows;

use std::sync::Once;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::common::Played;
use anglerfish_arena::{Name, read_games};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::plain::Plain;
use anglerfish_rules::{Cause, Game, Record, Rng, Turn};
use anglerfish_store::{Origin, StoredGame};

/// Panics in Parquet's reader, which count as damage, and in our own code, which must not happen.
static THEIRS: AtomicU64 = AtomicU64::new(0);
static OURS: AtomicU64 = AtomicU64::new(0);

/// Counts of the outcomes.
#[derive(Debug, Default)]
struct Count {
    refused: u64,
    accepted: u64,
}

/// Panics in Parquet's reader are caught and counted, not printed.
fn hear_panics() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        let usual = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |info| {
            let file = info.location().map_or("", |place| place.file());
            if file.contains("crates/") {
                OURS.fetch_add(1, Ordering::Relaxed);
                usual(info);
            } else {
                THEIRS.fetch_add(1, Ordering::Relaxed);
            }
        }));
    });
}

/// A unit and its games.
struct Base<G: StoredGame> {
    unit: Played,
    name: Name,
    origin: Origin,
    records: Vec<Record<G>>,
}

impl<G: StoredGame> Base<G> {
    fn of(units: Vec<Played>) -> Vec<Base<G>> {
        let base = |unit: Played| {
            let (name, origin) = (unit.name(), Origin::read::<G>(&unit.text).expect("a unit"));
            let records = read_games(&unit.games).expect("games");
            Base { unit, name, origin, records }
        };
        // Small units: most of the time goes into reading, not into games.
        let mut all: Vec<Base<G>> = units.into_iter().map(base).collect();
        all.sort_by_key(|base| base.unit.games.len());
        all.truncate(12);
        all
    }
}

/// Whether a game is legal by the plainest means: the record's own replay, and for Banqi letters on a grid.
fn is_legal<G: StoredGame>(record: &Record<G>) -> bool {
    let Ok(last) = record.replay() else { return false };
    if record.plies.len() > G::most_plies(&record.start.rules()) as usize {
        return false;
    }
    let any: &dyn std::any::Any = record;
    any.downcast_ref::<Record<Banqi>>().is_none_or(plainly) && record.check_ending(&last).is_ok()
}

fn plainly(record: &Record<Banqi>) -> bool {
    let start = record.start.to_string();
    // A start with a history cannot be set up plainly.
    if start.split(' ').count() > 6 {
        return true;
    }
    let mut game = Plain::new(&start);
    for ply in &record.plies {
        let action = Banqi::action_of(ply.event);
        let possible = game.actions().contains(&action)
            && game.outcomes(action).iter().any(|chance| chance.event == ply.event);
        if !possible {
            return false;
        }
        game.apply(ply.event);
    }
    match (game.turn(), record.ending) {
        (Turn::Over(outcome, reason), Some(ending)) => {
            ending.outcome == outcome && ending.cause == Cause::Rules(reason)
        }
        (Turn::Over(..), None) => false,
        (Turn::Seat(_), ending) => !ending.is_some_and(|ending| matches!(ending.cause, Cause::Rules(_))),
    }
}

/// The peak memory of this process, in MiB.
fn most_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<u64>().ok()).map_or(0, |kib| kib >> 10)
}

/// Changes this many records, rows and files; the outcome in words.
fn change_all(seed: u64, count: u64) -> String {
    hear_panics();
    let before = most_memory();
    let records = records::change_all(&mut Rng::stream(seed, "records"), count / 3);
    let rows = rows::change_all(&mut Rng::stream(seed, "rows"), count / 3);
    let files = files::change_all(&mut Rng::stream(seed, "files"), count - count / 3 * 2);
    let (ours, theirs) = (OURS.load(Ordering::Relaxed), THEIRS.load(Ordering::Relaxed));
    let memory = most_memory();
    let said = format!(
        "records {records:?}, rows {rows:?}, files {files:?}; {theirs} panics of Parquet's reader caught; {before} MiB at first, {memory} at most"
    );
    assert_eq!(ours, 0, "panics of our own; {said}");
    // Both outcomes occurred: most changes are detected, and some do no harm.
    for kind in [&records, &rows, &files] {
        assert!(kind.refused > kind.accepted && kind.accepted > 0, "{said}");
    }
    assert!(memory < before + 400, "{said}");
    said
}

#[test]
fn twenty_thousand_changes() {
    change_all(1, 20_000);
}

#[test]
#[ignore = "full: a million changes; the stage mutations has it"]
#[expect(clippy::print_stdout, reason = "who runs it wants to know")]
fn a_million_changes() {
    println!("{}", change_all(2, 1_000_000));
}
