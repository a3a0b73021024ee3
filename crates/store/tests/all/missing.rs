//! Incomplete stores: `verify` reports what is missing, `compact` loses no present game, and `recover` finds
//! every game that can be found.

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use anglerfish_arena::{Match, Name};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Rng, RngExt};
use anglerfish_store::{Place, Store, Verified, backup, compact, recover, verify};

use crate::common::check::{self, TARGET, Texts};
use crate::common::{Folder, Played, played, players};

fn units(count: u64) -> Vec<Played> {
    let game = Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 1 << 20);
    played::<TicTacToe>(&Match { batch: 1, ..game }, 1, count)
}

fn put(folder: &Folder, units: &[Played]) {
    let mut store = folder.store::<TicTacToe>();
    for unit in units {
        store.put(&unit.text, &unit.games).expect("it is kept");
    }
}

fn compacted(folder: &Folder, target: u64) {
    compact(&mut folder.store::<TicTacToe>(), target, &mut |_, _| {}).expect("it is compacted");
}

fn verified(folder: &Folder) -> Verified {
    verify::<TicTacToe>(folder.place(), 1, &|_, _| {}).expect("it reads")
}

fn check(folder: &Folder, units: &[Played], why: &str) {
    let texts: Vec<Texts> = units.iter().map(|unit| (unit.text.clone(), unit.games.clone())).collect();
    check::check(&|| folder.place(), &texts, why);
}

fn copy_folder(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy_folder(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("a copy");
        }
    }
}

/// Removes an object, as far as it is present.
type Loss = (&'static str, fn(&Folder));

fn lose_folder(folder: &Folder, name: &str) {
    let _ = std::fs::remove_dir_all(folder.path().join(name));
}

fn lose_last(folder: &Folder, name: &str) {
    folder.files(name).last().into_iter().for_each(|path| std::fs::remove_file(path).expect("removed"));
}

fn lose_first(folder: &Folder, name: &str) {
    folder.files(name).first().into_iter().for_each(|path| std::fs::remove_file(path).expect("removed"));
}

const LOSSES: [Loss; 11] = [
    ("nothing", |_| {}),
    ("index", |folder| lose_folder(folder, "index")),
    ("newest index", |folder| lose_last(folder, "index")),
    ("large objects", |folder| lose_folder(folder, "large")),
    ("first large object", |folder| lose_first(folder, "large")),
    ("lists", |folder| lose_folder(folder, "lists")),
    ("last list", |folder| lose_last(folder, "lists")),
    ("units", |folder| lose_folder(folder, "units")),
    ("one unit", |folder| lose_first(folder, "units")),
    ("sums", |folder| lose_folder(folder, "sums")),
    ("one sum", |folder| lose_first(folder, "sums")),
];

/// Stores in three states: a second compaction that kept the objects of the first, one that rewrote them, and
/// one that was killed before it removed any.
fn states(units: &[Played]) -> Vec<Folder> {
    let made = |name: &str, target: u64| {
        let folder = Folder::new(&format!("missing-{name}"));
        put(&folder, &units[..3]);
        compacted(&folder, target);
        put(&folder, &units[6..]);
        compacted(&folder, target);
        put(&folder, &units[3..6]);
        folder
    };
    let (kept, anew) = (made("kept", 1), made("anew", TARGET));
    let killed = Folder::new("missing-killed");
    put(&killed, units);
    let small = ["units", "sums"].map(|name| {
        killed
            .files(name)
            .into_iter()
            .map(|path| (path.clone(), std::fs::read(path).expect("a file")))
            .collect::<Vec<_>>()
    });
    compacted(&killed, TARGET);
    for (path, bytes) in small.iter().flatten() {
        std::fs::write(path, bytes).expect("a file");
    }
    vec![kept, anew, killed]
}

/// Every loss and all pairs of losses, each in this many of the states.
fn nothing_is_passed_over(states_each: usize) {
    let units = units(9);
    let states = states(&units);
    let mut next = (0..states.len()).cycle();
    for (n, (first, lose_first)) in LOSSES.iter().enumerate() {
        for (second, lose_second) in &LOSSES[n..] {
            for state in next.by_ref().take(states_each) {
                let template = &states[state];
                let folder = Folder::new("missing");
                copy_folder(template.path(), folder.path());
                lose_first(&folder);
                lose_second(&folder);
                check(&folder, &units, &format!("state {state} without {first} and {second}"));
            }
        }
    }
}

#[test]
fn nothing_that_is_missing_is_passed_over() {
    nothing_is_passed_over(1);
}

#[test]
#[ignore = "full: every loss in every state"]
fn nothing_that_is_missing_in_any_state_is_passed_over() {
    nothing_is_passed_over(3);
}

/// Copies made folder by folder, in any order, while a store is filled and compacted.
fn copies_tell_what_they_lack(copies: u64) {
    let units = units(24);
    let mut rng = Rng::new(5);
    for copy in 0..copies {
        let (source, target) = (Folder::new("copied-from"), Folder::new("copied-to"));
        put(&source, &units[..8]);
        compacted(&source, TARGET);
        let done = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                for part in units[8..].chunks(4) {
                    put(&source, part);
                    compacted(&source, TARGET);
                }
                done.store(true, Ordering::SeqCst);
            });
            let mut names = ["units", "sums", "index", "large", "lists", "runs"];
            rng.shuffle(&mut names);
            std::fs::copy(source.path().join("store.json"), target.path().join("store.json"))
                .expect("a copy");
            // Somewhere between the first compaction and the last.
            let begin = rng.below(5) as usize;
            while !done.load(Ordering::SeqCst) && source.files("index").len().min(2) * 2 < begin {
                std::thread::yield_now();
            }
            for name in names {
                std::fs::create_dir_all(target.path().join(name)).expect("a folder");
                for path in source.files(name) {
                    let to = target.path().join(name).join(path.file_name().expect("a name"));
                    // It may be gone by now.
                    let _ = std::fs::copy(&path, &to);
                }
            }
        });
        check(&target, &units, &format!("copy {copy}"));
    }
}

#[test]
fn thirty_copies_tell_what_they_lack() {
    copies_tell_what_they_lack(30);
}

#[test]
#[ignore = "full: two hundred copies"]
fn two_hundred_copies_tell_what_they_lack() {
    copies_tell_what_they_lack(200);
}

/// Folders copied in the order of docs/store.md, with a compaction before any of them.
#[test]
fn a_copy_in_the_order_of_the_page_has_every_unit() {
    let units = units(12);
    let names = ["sums", "units", "index", "lists", "large"];
    for moment in 0..=names.len() {
        let (source, target) = (Folder::new("ordered-from"), Folder::new("ordered-to"));
        put(&source, &units[..4]);
        compacted(&source, TARGET);
        put(&source, &units[4..8]);
        for (n, name) in names.iter().enumerate() {
            if n == moment {
                put(&source, &units[8..]);
                compacted(&source, TARGET);
            }
            copy_folder(&source.path().join(name), &target.path().join(name));
        }
        std::fs::copy(source.path().join("store.json"), target.path().join("store.json")).expect("a copy");
        let (present, _) = check::present_and_named(&target.place());
        assert!(units[..8].iter().all(|unit| present.contains(&unit.name())), "before folder {moment}");
        if moment == names.len() {
            let found = verified(&target);
            assert_eq!((found.units.len(), found.faults), (8, Vec::new()), "the store was left alone");
        }
        check(&target, &units, &format!("a copy, compacted before folder {moment}"));
    }
}

#[test]
fn units_of_two_sizes_are_noticed() {
    let folder = Folder::new("sizes");
    for batch in [1, 2] {
        let game = Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 1 << 20);
        put(&folder, &played::<TicTacToe>(&Match { batch, ..game }, 1, 2));
    }
    let found = verified(&folder);
    assert!(found.faults.iter().any(|fault| fault.contains("share games of one run")), "{:?}", found.faults);
}

/// Large objects that only a lost index named stop a compaction before it moves anything.
#[test]
fn a_compaction_refuses_what_no_index_names() {
    let (units, folder) = (units(4), Folder::new("unnamed"));
    put(&folder, &units[..2]);
    compacted(&folder, TARGET);
    put(&folder, &units[2..]);
    lose_folder(&folder, "index");
    let error = compact(&mut folder.store::<TicTacToe>(), TARGET, &mut |_, _| {}).expect_err("it refuses");
    let error = error.to_string();
    assert!(error.contains("no index names it") && error.contains("anglerfish store recover"), "{error}");
    assert_eq!((folder.files("units").len(), folder.files("large").len()), (2, 1));
    check(&folder, &units, "without its index");
}

/// A backup made while the store is filled and compacted is whole and has every earlier unit.
#[test]
fn a_backup_is_whole() {
    let units = units(40);
    let (source, target) = (Folder::new("backup-from"), Folder::new("backup-to"));
    put(&source, &units[..8]);
    let backed_up =
        || backup::<TicTacToe>(&mut source.store(), target.place(), &mut |_| {}).expect("a backup");
    std::thread::scope(|scope| {
        let (sender, receiver) = std::sync::mpsc::sync_channel::<()>(0);
        let worker = scope.spawn(|| {
            let sender = sender;
            for part in units[8..].chunks(2) {
                put(&source, part);
                compacted(&source, TARGET);
                // So that backups are made meanwhile.
                let _ = sender.try_send(());
            }
        });
        while !worker.is_finished() {
            let before = source.store::<TicTacToe>().units().expect("it reads");
            let done = backed_up();
            assert_eq!(done.faults, Vec::<String>::new());
            let found = verified(&target);
            assert_eq!(found.faults, Vec::<String>::new());
            assert!(before.iter().all(|unit| found.units.contains_key(unit)));
            assert_eq!(done.units, found.units.len() as u64);
        }
        drop(receiver);
    });
    backed_up();
    let again = backed_up();
    assert_eq!((again.units, again.objects), (40, 0), "nothing is copied twice");
    assert!(target.files("units").is_empty());
    check(&target, &units, "a backup");
}

/// A diverged copy is refused, and damage is not copied.
#[test]
fn a_backup_is_of_one_store_and_of_sound_objects() {
    let units = units(6);
    let (source, target, other) = (Folder::new("backed-up"), Folder::new("backup"), Folder::new("other"));
    put(&source, &units[..4]);
    put(&other, &units[4..]);
    compacted(&other, TARGET);
    let into = |folder: &Folder| backup::<TicTacToe>(&mut source.store(), folder.place(), &mut |_| {});
    assert!(into(&other).expect_err("another store").to_string().contains("compacted by itself"));
    assert!(
        into(&source).expect_err("no copy").to_string().ends_with("is the store itself: name another place")
    );
    let path = &source.files("units")[1];
    let sound = std::fs::read(path).expect("a file");
    let mut damaged = sound.clone();
    damaged[sound.len() / 2] ^= 1;
    std::fs::write(path, damaged).expect("it is damaged");
    let done = into(&target).expect("the others are copied");
    assert_eq!((done.faults.len(), target.files("units").len()), (1, 3), "{:?}", done.faults);
    std::fs::write(path, sound).expect("it is mended");
    assert_eq!(into(&target).expect("a backup").units, 4);
    compacted(&source, TARGET);
    compacted(&target, 1);
    assert!(into(&target).expect_err("compacted by itself").to_string().contains("Name a new place"));
    // Large objects are checked, too.
    let (path, fresh) = (&source.files("large")[0], Folder::new("backup-fresh"));
    let mut damaged = std::fs::read(path).expect("a file");
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    std::fs::write(path, damaged).expect("it is damaged");
    let done = into(&fresh).expect("the others are copied");
    assert_eq!((done.faults.len(), fresh.files("large").len()), (1, 0), "{:?}", done.faults);
}

/// A stopped store is backed up like any other, and its copy is updated.
#[test]
fn a_store_that_is_stopped_is_backed_up() {
    let units = units(4);
    let (source, target) = (Folder::new("stopped"), Folder::new("stopped-copy"));
    put(&source, &units[..2]);
    let stops = || {
        std::fs::create_dir_all(source.path().join("differs")).expect("a folder");
        std::fs::write(source.path().join("differs").join(units[0].name().to_string()), "kept")
            .expect("a file");
    };
    let backed_up = || {
        let mut store = Store::<TicTacToe>::existing(source.place(), None).expect("a store");
        backup(&mut store, target.place(), &mut |_| {}).expect("a backup").units
    };
    stops();
    assert_eq!([backed_up(), backed_up()], [2, 2]);
    std::fs::remove_dir_all(source.path().join("differs")).expect("removed");
    put(&source, &units[2..]);
    assert_eq!(backed_up(), 4);
}

/// Opening a pipe would wait for a writer forever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_object() {
    let units = units(3);
    let folder = Folder::new("pipe");
    put(&folder, &units[..2]);
    let (path, sum) = (&folder.files("units")[0], &folder.files("sums")[1]);
    let text = std::fs::read(sum).expect("a file");
    for path in [path, sum] {
        std::fs::remove_file(path).expect("removed");
        let made = std::process::Command::new("mkfifo").arg(path).status().expect("every Unix has it");
        assert!(made.success());
    }
    // A unit is not listed if it is no file, and its SHA-256 is read whether or not it is listed.
    let mut faults = verified(&folder).faults;
    faults.sort_by_key(|fault| fault.ends_with("expected a file"));
    assert!(faults[0].contains("it is gone") && faults[1].ends_with("expected a file"), "{faults:?}");
    std::fs::remove_file(sum).expect("removed");
    std::fs::write(sum, text).expect("it is back");
    compacted(&folder, TARGET);
    put(&folder, &units[2..]);
    std::fs::remove_file(path).expect("removed");
    check(&folder, &units, "a pipe");
}

/// A pipe among staged files is left alone: opening it would wait for a reader.
#[cfg(unix)]
#[test]
fn a_pipe_in_staging_holds_up_no_compaction() {
    let units = units(2);
    let folder = Folder::new("staged-pipe");
    put(&folder, &units);
    let pipe = folder.path().join("staging/pipe");
    let made = std::process::Command::new("mkfifo").arg(&pipe).status().expect("every Unix has it");
    assert!(made.success());
    compacted(&folder, TARGET);
    assert!(pipe.exists() && folder.files("units").is_empty());
}

/// A file whose name no object can have is a fault with that name, shown on one line.
#[cfg(unix)]
#[test]
fn a_name_with_a_line_break_is_a_fault() {
    let units = units(1);
    let folder = Folder::new("line-break");
    put(&folder, &units);
    std::fs::create_dir_all(folder.path().join("runs")).expect("a folder");
    std::fs::write(folder.path().join("runs/a\nb"), "x").expect("a file");
    let found = verify::<TicTacToe>(folder.place(), 1, &|_, _| {}).expect("it can be verified");
    let [fault] = &found.faults[..] else { panic!("{:?}", found.faults) };
    assert!(fault.contains(r#"runs/a\nb""#) && fault.contains("rename or remove that file"), "{fault}");
    assert_eq!(found.units.len(), 1, "the units are verified all the same");
}

/// A worker whose store is moved away stops, instead of filling a new folder in its place that is no store.
#[test]
fn a_store_that_is_moved_away_is_not_begun_anew() {
    let units = units(3);
    let folder = Folder::new("moved");
    let aside = folder.path().with_extension("aside");
    let mut store = folder.store::<TicTacToe>();
    store.put(&units[0].text, &units[0].games).expect("it is kept");
    std::fs::rename(folder.path(), &aside).expect("it is moved");
    assert!(store.put(&units[1].text, &units[1].games).is_err());
    assert!(!folder.path().exists());
    std::fs::rename(&aside, folder.path()).expect("it is back");
    for unit in &units[1..] {
        store.put(&unit.text, &unit.games).expect("it is kept");
    }
    check(&folder, &units, "a store that was away");
}

/// Files in a subfolder do not count: they replace no missing object and are never the newest generation.
#[test]
fn folders_in_folders_are_no_part_of_it() {
    let units = units(3);
    let folder = Folder::new("nested");
    put(&folder, &units);
    let small = Folder::new("nested-units");
    copy_folder(&folder.path().join("units"), &small.path().join("units"));
    compacted(&folder, TARGET);
    let (large, index) = (folder.files("large").remove(0), folder.files("index").remove(0));
    std::fs::create_dir(folder.path().join("index/old")).expect("a folder");
    std::fs::copy(index, folder.path().join("index/old/00000009.json")).expect("a copy");
    assert_eq!(verified(&folder).faults, [""; 0]);
    // With the large object in a subfolder, the small ones are the only copy.
    let aside = folder.path().join("large/old");
    std::fs::create_dir(&aside).expect("a folder");
    std::fs::rename(&large, aside.join(large.file_name().expect("a name"))).expect("it is moved");
    copy_folder(&small.path().join("units"), &folder.path().join("units"));
    compacted(&folder, TARGET);
    assert_eq!(folder.files("units").len(), 3);
    check(&folder, &units, "a folder in a folder");
}

/// An index with a name outside the store: if all its sums match, a backup would write there.
#[test]
fn names_in_an_index_stay_in_the_store() {
    let (folder, target) = (Folder::new("leads-out"), Folder::new("leads-out-copy"));
    put(&folder, &units(2));
    compacted(&folder, TARGET);
    let index = folder.files("index").remove(0);
    let text = std::fs::read_to_string(&index).expect("a file");
    let line = text.lines().next().expect("a line");
    let name = folder.files("large").remove(0);
    let name = format!("large/{}", name.file_name().expect("a name").display());
    for other in ["../aside", "/aside", "large/../../aside", "store.json", "units/aside"] {
        for what in [name.clone(), name.replace("large/", "lists/")] {
            let line = line.replace(&what, other);
            std::fs::write(&index, format!("{line}\n{}\n", Name::of(&line))).expect("a file");
            let error = Store::<TicTacToe>::open(folder.place(), None).err().expect("a wrong name");
            assert!(error.to_string().contains("expected names by their SHA-256"), "{error}");
            let faults = verified(&folder).faults;
            assert!(faults.iter().any(|fault| fault.contains(other)), "{faults:?}");
        }
    }
    std::fs::write(&index, &text).expect("a file");
    assert_eq!(
        backup::<TicTacToe>(&mut folder.store(), target.place(), &mut |_| {}).expect("a copy").units,
        2
    );
}

/// Numbers beyond the last possible generation.
#[test]
fn the_last_generation_is_an_error_and_no_overflow() {
    let units = units(4);
    let folder = Folder::new("overflow");
    put(&folder, &units[..2]);
    compacted(&folder, TARGET);
    put(&folder, &units[2..]);
    let last = folder.path().join(format!("large/{}-0.parquet", u64::MAX));
    std::fs::copy(&folder.files("large")[0], &last).expect("a copy");
    std::fs::remove_dir_all(folder.path().join("index")).expect("it is lost");
    let error = recover::<TicTacToe>(folder.place(), TARGET, &mut |_, _| {}).expect_err("no number is left");
    assert!(error.to_string().contains("no generation can come after it"), "{error}");
    std::fs::remove_file(last).expect("removed");
    let name = folder.path().join(format!("index/{:08}.json", u64::MAX));
    std::fs::create_dir_all(folder.path().join("index")).expect("a folder");
    std::fs::write(name, "{}").expect("a file");
    assert!(Store::<TicTacToe>::open(folder.place(), None).is_err());
    assert!(!verified(&folder).faults.is_empty());
}

#[test]
fn an_empty_folder_is_no_store() {
    let folder = Folder::new("address");
    let place = Place::open(folder.path().to_str().expect("UTF-8"), &[]).expect("a place");
    let error = verify::<TicTacToe>(place, 1, &|_, _| {}).expect_err("no store").to_string();
    assert!(error.contains("expected a store"), "{error}");
}
