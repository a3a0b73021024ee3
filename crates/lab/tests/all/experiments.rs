//! Tests of every experiment: it runs and resumes, its units are pure, and its checks hold.

use std::path::PathBuf;

use anglerfish_arena::{Identity, Journal, UnitResult};
use anglerfish_lab::{Check, EXPERIMENTS, Experiment, Manifest, Size, experiment, run};
use anglerfish_report::html;

/// The smallest run: the checks of `speculative` at its own size are a stage of continuous integration.
fn small(experiment: &dyn Experiment) -> Manifest {
    let mut manifest = Manifest::new(experiment, Size::Ci, 7);
    manifest.luck = manifest.luck.and_then(|_| "nodes=4".parse().ok());
    let numbers = [
        ("games", "4"),
        ("harm", "4"),
        ("trials", "20"),
        ("watched", "3"),
        ("exact", "1"),
        ("nodes", "20"),
        ("small", "2"),
        ("steps", "2"),
        ("pairs", "4"),
        ("choices", "4"),
        ("deep", "50"),
        ("bias", "8"),
        ("cheated", "24"),
        ("tests", "4"),
        ("parts", "2"),
        ("strangers", "2"),
        ("rivals", "0"),
        ("fewer", "200"),
    ];
    for (name, n) in numbers {
        // Not every experiment has every number.
        let _ = manifest.set(name, n);
    }
    manifest
}

fn scratch(name: &str) -> PathBuf {
    let path = std::env::temp_dir().join(format!("anglerfish-lab-{}-{name}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    path
}

/// A run that stops after one unit and resumes ends like an uninterrupted one.
fn ends_the_same(experiment: &dyn Experiment) {
    let manifest = small(experiment);
    let whole = run(experiment, &manifest, None, 1, &mut |_, _| {}).expect("it runs");
    let path = scratch(experiment.name());
    {
        let mut journal =
            Journal::open(&path, &manifest.run_name(&Identity::default())).expect("a new journal");
        let first = experiment.units(&manifest).swap_remove(0);
        let result = experiment.work(&first).expect("a unit");
        journal.commit(vec![(first, UnitResult::Result(result))]).expect("the disk");
    }
    let mut journal = Journal::open(&path, &manifest.run_name(&Identity::default())).expect("the journal");
    let mut begun_with = None;
    let resumed = run(experiment, &manifest, Some(&mut journal), 2, &mut |done, _| {
        begun_with.get_or_insert(done);
    });
    let resumed = resumed.expect("it goes on");
    assert_eq!(begun_with, Some(1), "{}", experiment.name());
    assert_eq!(resumed.json(&manifest), whole.json(&manifest), "{}", experiment.name());
    assert_eq!(html(&resumed.report), html(&whole.report), "{}", experiment.name());
    std::fs::remove_file(path).expect("our own file");
}

/// A check beyond finished games, which only show that the program works.
fn checks_its_science(experiment: &dyn Experiment) {
    let findings = run(experiment, &small(experiment), None, 2, &mut |_, _| {}).expect("it runs");
    let finished = Check::finished(0, 0).what;
    let science = findings.checks.iter().filter(|check| check.what != finished).count();
    assert!(science > 0, "{} checks only that games were finished", experiment.name());
}

/// Quick experiments of different kinds: knowing opponents, networks, reviews, a paper's matches, and the one to copy.
const QUICK: [&str; 5] = ["exploit", "ornn", "mistakes", "course", "firstmove"];

fn quick() -> impl Iterator<Item = &'static dyn Experiment> {
    QUICK.iter().map(|name| experiment(name).expect("it is in the list"))
}

#[test]
fn a_run_that_was_broken_off_ends_the_same() {
    quick().for_each(ends_the_same);
}

#[test]
#[ignore = "full: all experiments"]
fn every_run_that_was_broken_off_ends_the_same() {
    EXPERIMENTS.into_iter().filter(|e| e.name() != "speculative").for_each(ends_the_same);
}

#[test]
fn quick_experiments_check_their_science() {
    quick().for_each(checks_its_science);
}

#[test]
#[ignore = "full: all experiments"]
fn every_experiment_checks_its_science() {
    EXPERIMENTS.into_iter().for_each(checks_its_science);
}

#[test]
fn a_run_can_be_made_longer() {
    let course = experiment("course").expect("it is in the list");
    let short = small(course);
    let mut long = short.clone();
    long.set("games", "8").expect("it has games");
    let whole = run(course, &long, None, 2, &mut |_, _| {}).expect("it runs");
    let path = scratch("longer");
    let mut begun_with = Vec::new();
    for manifest in [&short, &long] {
        let mut journal =
            Journal::open(&path, &manifest.run_name(&Identity::default())).expect("the same journal");
        let mut first = None;
        let findings = run(course, manifest, Some(&mut journal), 2, &mut |done, all| {
            first.get_or_insert((done, all));
        });
        let findings = findings.expect("it runs");
        begun_with.extend(first);
        if manifest == &long {
            assert_eq!(findings.json(manifest), whole.json(manifest));
        }
    }
    let units = course.units(&short).len();
    assert_eq!(begun_with, [(0, units), (units, 2 * units)]);
    std::fs::remove_file(path).expect("our own file");
}

#[test]
fn units_differ_and_strange_ones_are_refused() {
    for experiment in EXPERIMENTS {
        let mut units = experiment.units(&small(experiment));
        let n = units.len();
        units.sort();
        units.dedup();
        assert_eq!(units.len(), n, "{}: a unit twice", experiment.name());
        for strange in ["", "exact 1 2 3", "table2 x", "play a b c d", "{}"] {
            assert!(experiment.work(strange).is_err(), "{}: {strange:?}", experiment.name());
        }
    }
}

#[test]
fn numbers_can_be_changed_and_names_are_checked() {
    let course = experiment("course").expect("it is in the list");
    let mut manifest = Manifest::new(course, Size::Paper, 1);
    assert_eq!(manifest.number("games"), 400);
    manifest.set("nodes", "5").expect("it has nodes");
    assert_eq!(manifest.number("nodes"), 5);
    assert!(
        manifest
            .set("speed", "5")
            .expect_err("it has none")
            .to_string()
            .contains("games=NUMBER or nodes=NUMBER")
    );
    assert!(manifest.set("nodes", "many").is_err());
    let read: Manifest = serde_json::from_str(&manifest.text()).expect("its own text");
    assert_eq!(read, manifest);
    assert!(experiment("chess").is_none());
}
