//! Units go into a store and come out unchanged, exactly once.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::mpsc::channel;

use crate::common::{Folder, Played, all_of_banqi, all_of_heap, all_of_tictactoe, played, players, quick};
use anglerfish_arena::{Name, read_games, write_games};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_store::{
    Imported, Origin, Place, Store, StoreError, StoredGame, compact, decode, encode, stats, verify,
};

/// Puts units into a store.
fn put<G: StoredGame>(store: &mut Store<G>, units: &[Played]) {
    for unit in units {
        store.put(&unit.text, &unit.games).expect("it is kept");
    }
}

/// What the store should have.
fn expected(units: &[Played]) -> BTreeMap<Name, (u32, Name)> {
    let one =
        |unit: &Played| (unit.name(), (unit.games.matches("[Format ").count() as u32, Name::of(&unit.games)));
    units.iter().map(one).collect()
}

/// Every unit is there once, reads as it was put, and verifies.
fn holds<G: StoredGame>(folder: &Folder, units: &[Played]) {
    let mut store = folder.store::<G>();
    assert_eq!(store.digests().expect("it reads"), expected(units));
    for unit in units {
        let games = store.games(&unit.name()).expect("it reads").expect("it is there");
        assert_eq!(write_games(&games), unit.games);
    }
    let found = verify::<G>(folder.place(), 2, &|_, _| {}).expect("it reads");
    assert_eq!(found.faults, Vec::<String>::new());
    assert_eq!(found.units, expected(units).into_iter().map(|(unit, (_, digest))| (unit, digest)).collect());
}

fn survives_the_trip<G: StoredGame>(name: &str, units: &[Played]) {
    // As rows alone.
    for unit in units {
        let origin = Origin::read::<G>(&unit.text).expect("a unit");
        let records: Vec<Record<G>> = read_games(&unit.games).expect("games");
        let batch = encode("unit", &origin, &records);
        assert_eq!(decode::<G>("unit", &origin, &batch).as_ref(), Ok(&records));
        assert!(decode::<G>("other", &origin, &batch).is_err());
        assert!(decode::<G>("unit", &origin, &batch.slice(1, records.len() - 1)).is_err());
    }
    // As objects: small, then large.
    let folder = Folder::new(name);
    let mut store = folder.store::<G>();
    put(&mut store, units);
    holds::<G>(&folder, units);
    compact(&mut store, 512, &mut |_, _| {}).expect("it is compacted");
    assert!(folder.files("units").is_empty() && folder.files("large").len() > 1);
    holds::<G>(&folder, units);
}

#[test]
fn games_of_all_kinds_survive_the_trip() {
    let banqi = all_of_banqi();
    let all: String = banqi.iter().map(|unit| unit.games.as_str()).collect();
    for what in ["[Start ", "[Complaint ", "ms}", "{v ", " c ", "[Opening ", "[Reason \"timeout\"]", " *\n"] {
        assert!(all.contains(what), "no game has {what}");
    }
    survives_the_trip::<Banqi>("banqi", &banqi);
    survives_the_trip::<TicTacToe>("tictactoe", &all_of_tictactoe());
    survives_the_trip::<Heap>("heap", &all_of_heap());
}

#[test]
fn put_twice_is_once_and_another_result_stops() {
    let folder = Folder::new("twice");
    let units = played::<Banqi>(&quick(1, 2), 1, 3);
    let mut store = folder.store::<Banqi>();
    put(&mut store, &units);
    put(&mut store, &units);
    put(&mut folder.store::<Banqi>(), &units);
    holds::<Banqi>(&folder, &units);

    // Another result of a reproducible unit, before and after compaction.
    let other = played::<Banqi>(&quick(2, 2), 1, 1);
    let stops = |store: &mut Store<Banqi>| {
        let error = store.put(&units[0].text, &other[0].games).expect_err("another result");
        assert!(matches!(error, StoreError::Differ { unit, .. } if unit == units[0].name()), "{error}");
        // It stops all writers, later ones and repeated tries included, until an operator has looked into it.
        let error = store.put(&units[1].text, &units[1].games).expect_err("it has stopped");
        assert!(
            matches!(&error, StoreError::Stopped { unit, .. } if *unit == units[0].name().to_string()),
            "{error}"
        );
        assert!(matches!(Store::<Banqi>::open(folder.place(), None), Err(StoreError::Stopped { .. })));
        std::fs::remove_dir_all(folder.path().join("differs")).expect("an operator has looked into it");
    };
    stops(&mut store);
    compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    stops(&mut store);
    stops(&mut folder.store());
    put(&mut store, &units);
    holds::<Banqi>(&folder, &units);

    // With a clock, games are not reproducible: the first result stays.
    let mut timed = quick(3, 2);
    for player in &mut timed.players {
        "tc=60".clone_into(&mut player.budget);
    }
    let timed = played::<Banqi>(&timed, 1, 1);
    put(&mut store, &timed);
    store.put(&timed[0].text, &other[0].games).expect("no harm");
    holds::<Banqi>(&folder, &[&units[..], &timed[..]].concat());
}

/// An object that comes back after a compaction has removed it has the same bytes.
#[test]
fn files_are_created_once_and_never_changed() {
    let folder = Folder::new("unchanged");
    let units = played::<Banqi>(&quick(1, 2), 1, 9);
    let mut first: BTreeMap<PathBuf, Vec<u8>> = BTreeMap::new();
    for part in units.chunks(3) {
        for target in [None, Some(1), Some(1 << 20)] {
            let mut store = folder.store::<Banqi>();
            match target {
                // The first units again, as from a late worker.
                None => [&units[..3], part].iter().for_each(|units| put(&mut store, units)),
                Some(target) => drop(compact(&mut store, target, &mut |_, _| {}).expect("it is compacted")),
            }
            let folders = [".", "units", "sums", "large", "lists", "index", "runs"];
            let files = folders.iter().flat_map(|name| folder.files(name)).filter(|path| path.is_file());
            for path in files {
                let bytes = std::fs::read(&path).expect("an object");
                assert!(*first.entry(path.clone()).or_insert_with(|| bytes.clone()) == bytes, "{path:?}");
            }
        }
    }
    assert!(first.len() > 2 * 9 + 3 * 3, "{} files", first.len());
    holds::<Banqi>(&folder, &units);
}

#[test]
fn what_is_no_game_of_the_unit_is_not_put() {
    let folder = Folder::new("wrong");
    let units = played::<Banqi>(&quick(1, 2), 1, 2);
    let mut store = folder.store::<Banqi>();
    let (text, games) = (&units[0].text, &units[0].games);
    let records = read_games::<Banqi>(games).expect("games");
    let mut illegal = records.clone();
    let last = illegal[1].plies.len() - 1;
    illegal[1].plies.swap(0, last);
    let mut unfinished = records.clone();
    unfinished[0].ending = None;
    let wrong = [
        write_games(&records[1..]),
        write_games(&illegal),
        write_games(&unfinished),
        format!("{games}\n"),
        games.replacen("1. ", "1. {a comment} ", 1),
        games.replacen("1. ", "1.  ", 1),
        String::new(),
    ];
    for games in wrong {
        let error = store.put(text, &games).expect_err("no games of this unit");
        assert!(matches!(error, StoreError::Unit(_)), "{error}");
    }
    assert!(store.put("{}", games).is_err() && store.put(&text.replace("banqi", "chess"), games).is_err());
    assert!(store.units().expect("it reads").is_empty() && folder.files("units").is_empty());
    put(&mut store, &units);
    holds::<Banqi>(&folder, &units);
}

#[test]
fn a_store_is_of_one_game() {
    let folder = Folder::new("game");
    assert!(matches!(Store::<Banqi>::existing(folder.place(), None), Err(StoreError::NoStore(_))));
    folder.store::<Banqi>();
    let other = Store::<TicTacToe>::open(folder.place(), None).err().expect("another game");
    assert!(other.to_string().contains("expected games of tictactoe, found banqi"), "{other}");
    assert!(Place::open("ftp://somewhere", &[]).is_err() && Place::open("", &[]).is_err());
}

#[test]
fn late_duplicates_are_nowhere_and_go() {
    let folder = Folder::new("late");
    let units = played::<Banqi>(&quick(1, 2), 1, 6);
    let mut store = folder.store::<Banqi>();
    put(&mut store, &units);
    let small: Vec<_> = folder.files("units").into_iter().chain(folder.files("sums")).collect();
    let kept: Vec<_> = small.iter().map(|path| std::fs::read(path).expect("an object")).collect();
    compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    assert!(folder.files("units").is_empty() && folder.files("sums").is_empty());

    // A slow worker creates them again.
    let again =
        || small.iter().zip(&kept).for_each(|(path, bytes)| std::fs::write(path, bytes).expect("again"));
    again();
    holds::<Banqi>(&folder, &units);
    put(&mut folder.store::<Banqi>(), &units);
    holds::<Banqi>(&folder, &units);
    let done = compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    assert_eq!((done.units, done.objects, done.late), (0, 0, 6));
    assert!(folder.files("units").is_empty() && folder.files("sums").is_empty());
    holds::<Banqi>(&folder, &units);

    // A late unit with other games stops the compaction, and nothing is lost or changed.
    let aside = Folder::new("late-aside");
    let (mut first, mut second) = (units[0].clone(), played::<Banqi>(&quick(9, 2), 1, 1)[0].clone());
    std::mem::swap(&mut first.games, &mut second.games);
    aside.store::<Banqi>().put(&first.text, &first.games).expect("it is kept");
    let late = folder.path().join("units").join(format!("{}.parquet", first.name()));
    std::fs::copy(&aside.files("units")[0], &late).expect("a copy");
    let more = played::<Banqi>(&quick(1, 2), 7, 8);
    put(&mut store, &more);
    let error = compact(&mut store, 1 << 20, &mut |_, _| {}).expect_err("other games");
    assert!(matches!(error, StoreError::Differ { unit, .. } if unit == first.name()), "{error}");
    let all = [&units[..], &more[..]].concat();
    std::fs::remove_dir_all(folder.path().join("differs")).expect("an operator has looked into it");
    holds::<Banqi>(&folder, &all);
    std::fs::remove_file(late).expect("removed");
    assert_eq!(compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted").units, 2);
    holds::<Banqi>(&folder, &all);
}

#[test]
fn an_index_however_old_finds_everything() {
    let folder = Folder::new("old");
    let units = played::<Banqi>(&quick(1, 1), 1, 40);
    let (mut store, mut slow) = (folder.store::<Banqi>(), folder.store::<Banqi>());
    let mut between: Option<Store<Banqi>> = None;
    for (n, part) in units.chunks(4).enumerate() {
        put(&mut store, part);
        // Small enough that objects are rewritten again and again.
        compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
        if n == 4 {
            between = Some(folder.store());
        }
    }
    assert_eq!((folder.files("index").len(), folder.files("large").len()), (2, 2), "the last two");
    for old in [&mut slow, &mut between.expect("opened on the way")] {
        for unit in &units {
            let games = old.games(&unit.name()).expect("it reads").expect("it is there");
            assert_eq!(write_games(&games), unit.games);
        }
        assert_eq!(old.units().expect("it reads").len(), units.len());
    }
    let mut old = folder.store::<Banqi>();
    let more = played::<Banqi>(&quick(5, 1), 1, 3);
    for unit in &more {
        put(&mut store, std::slice::from_ref(unit));
        compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    }
    assert_eq!(old.units().expect("it reads").len(), 43);
    let found = verify::<Banqi>(folder.place(), 1, &|_, _| {}).expect("it reads");
    assert_eq!((found.faults, found.units.len()), (Vec::new(), 43));
}

#[test]
fn two_compactors_and_a_reader_at_once() {
    let folder = Folder::new("compactors");
    let units = played::<Banqi>(&quick(1, 1), 1, 120);
    let done = std::sync::atomic::AtomicBool::new(false);
    let put_so_far = std::sync::atomic::AtomicUsize::new(0);
    folder.store::<Banqi>();
    std::thread::scope(|scope| {
        let (compacted, compactions) = channel();
        let worker = scope.spawn(|| {
            let (mut store, compactions) = (folder.store::<Banqi>(), compactions);
            for (n, unit) in (1..).zip(&units) {
                store.put(&unit.text, &unit.games).expect("it is kept");
                put_so_far.fetch_add(1, std::sync::atomic::Ordering::SeqCst);
                // So the store is compacted at least three times meanwhile.
                if n % 40 == 0 {
                    compactions.recv().expect("a compactor goes on");
                }
            }
        });
        let compactors = [8 << 10, 1 << 20].map(|target| {
            let (folder, done, compacted) = (&folder, &done, compacted.clone());
            scope.spawn(move || {
                let mut store = folder.store::<Banqi>();
                let mut times = 0;
                while !done.load(std::sync::atomic::Ordering::SeqCst) {
                    match compact(&mut store, target, &mut |_, _| {}) {
                        Ok(found) if found.units > 0 => {
                            times += 1;
                            // The worker may have ended by now.
                            let _ = compacted.send(());
                        }
                        Ok(_) => {}
                        Err(StoreError::Other(why)) if why.contains("keep compacting it") => {}
                        Err(error) => panic!("{error}"),
                    }
                }
                times
            })
        });
        drop(compacted);
        // The reader sees at least the units that were there when it began, each once and whole.
        let mut store = folder.store::<Banqi>();
        let all = expected(&units);
        let mut polls = 0;
        loop {
            let before = put_so_far.load(std::sync::atomic::Ordering::SeqCst);
            let seen = store.digests().expect("it reads");
            assert!(seen.len() >= before, "{} units seen, and {before} were there", seen.len());
            assert!(seen.iter().all(|(unit, games)| all.get(unit) == Some(games)));
            assert!(units[..before].iter().all(|unit| seen.contains_key(&unit.name())));
            polls += 1;
            if before == units.len() && polls > 20 {
                break;
            }
        }
        worker.join().expect("no panic");
        done.store(true, std::sync::atomic::Ordering::SeqCst);
        let times: u32 = compactors.into_iter().map(|compactor| compactor.join().expect("no panic")).sum();
        assert!(times >= 3, "only {times} compactions");
    });
    compact(&mut folder.store::<Banqi>(), 1 << 20, &mut |_, _| {}).expect("it is compacted");
    holds::<Banqi>(&folder, &units);
    assert!(folder.files("units").is_empty() && folder.files("staging").is_empty());
}

/// Two workers with one process id, as in containers, and the same unit: neither writes into the other's file.
#[test]
fn rivals_with_one_number_do_not_write_into_each_other() {
    let units = played::<TicTacToe>(
        &anglerfish_arena::Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 60),
        1,
        60,
    );
    let folder = Folder::new("rivals");
    folder.store::<TicTacToe>();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| put(&mut folder.store::<TicTacToe>(), &units));
        }
        scope.spawn(|| {
            for _ in 0..200 {
                folder.place().clear_staging().expect("it is cleared");
            }
        });
    });
    holds::<TicTacToe>(&folder, &units);
}

/// A process that comes a moment after the first finds a folder that is no longer empty, and a store.
#[test]
fn many_make_one_store_at_once() {
    let unit =
        anglerfish_arena::Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 1).unit(1);
    for round in 0..20 {
        let folder = Folder::new(&format!("at-once-{round}"));
        std::thread::scope(|scope| {
            for _ in 0..6 {
                scope.spawn(|| folder.store::<TicTacToe>().claim(&unit).expect("all say the same"));
            }
        });
    }
}

#[test]
fn damage_does_not_get_a_new_sum() {
    let folder = Folder::new("laundry");
    let units = played::<Banqi>(&quick(1, 2), 1, 34);
    let mut store = folder.store::<Banqi>();
    put(&mut store, &units[..3]);
    compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    // The large object is merged with later units, unless any bit of it has changed.
    let [large] = folder.files("large").try_into().expect("one large object");
    let sound = std::fs::read(&large).expect("it reads");
    for (n, unit) in units[3..33].iter().enumerate() {
        let (at, mut damaged) = (n * sound.len() / 30, sound.clone());
        damaged[at] ^= 1;
        std::fs::write(&large, damaged).expect("it is damaged");
        put(&mut store, std::slice::from_ref(unit));
        let done = compact(&mut folder.store::<Banqi>(), 1 << 20, &mut |_, _| {}).expect("it goes on");
        assert!(done.faults.len() == 1 && done.faults[0].contains("SHA-256"), "byte {at}: {:?}", done.faults);
        assert!(
            done.units == 1 && large.is_file(),
            "byte {at}: what is damaged stays, and the new unit is moved"
        );
    }
    std::fs::write(&large, sound).expect("it is mended");
    put(&mut store, &units[33..]);
    assert_eq!(
        compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted").faults,
        Vec::<String>::new()
    );
    holds::<Banqi>(&folder, &units);
}

#[test]
fn one_damaged_unit_keeps_no_other_from_a_large_object() {
    let folder = Folder::new("damaged");
    let units = played::<Banqi>(&quick(1, 2), 1, 5);
    let mut store = folder.store::<Banqi>();
    put(&mut store, &units);
    let path = folder.path().join("units").join(format!("{}.parquet", units[2].name()));
    let sound = std::fs::read(&path).expect("it reads");
    for at in [3, sound.len() / 2, sound.len() - 20] {
        let mut damaged = sound.clone();
        damaged[at] ^= 1;
        std::fs::write(&path, damaged).expect("it is damaged");
        let done = compact(&mut store, 1 << 20, &mut |_, _| {}).expect("the others are compacted");
        assert_eq!(done.faults.len(), 1, "byte {at}: {:?}", done.faults);
        assert!(done.faults[0].contains(&units[2].name().to_string()), "byte {at}: {:?}", done.faults);
        assert_eq!(folder.files("units"), std::slice::from_ref(&path));
        let found = verify::<Banqi>(folder.place(), 2, &|_, _| {}).expect("it reads");
        assert_eq!((found.units.len(), found.faults.len()), (4, 1), "{:?}", found.faults);
    }
    // Deleted along with its sum, the unit is played again.
    std::fs::remove_file(&path).expect("removed");
    std::fs::remove_file(folder.path().join("sums").join(format!("{}.sha256", units[2].name())))
        .expect("removed");
    put(&mut store, &units);
    compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted");
    holds::<Banqi>(&folder, &units);
}

#[test]
fn many_names_are_read_as_they_were_written() {
    let folder = Folder::new("names");
    let game = anglerfish_arena::Match::new::<TicTacToe>(players("random", "random"), "standard", 1, 500);
    let units = played::<TicTacToe>(&anglerfish_arena::Match { batch: 500, ..game }, 1, 1);
    let mut records = anglerfish_arena::read_games::<TicTacToe>(&units[0].games).expect("games");
    for (n, record) in records.iter_mut().enumerate() {
        record.set_tag("First", &format!("{n:040}"));
        record.set_tag("Second", &format!("another player {n:040}"));
    }
    let games = anglerfish_arena::write_games(&records);
    let text = Imported::new::<TicTacToe>(&Name::of(&games), 1, 1000).text();
    let units = [Played { text, games }];
    put(&mut folder.store::<TicTacToe>(), &units);
    holds::<TicTacToe>(&folder, &units);
    compact(&mut folder.store::<TicTacToe>(), 1 << 20, &mut |_, _| {}).expect("it is compacted");
    holds::<TicTacToe>(&folder, &units);
    let found = stats(&mut folder.store::<TicTacToe>(), &[], &mut |_, _| {}).expect("it reads");
    assert_eq!(found.players.len(), 2000);
}

#[test]
fn verify_is_right_while_others_compact() {
    let folder = Folder::new("verified");
    let units = played::<Banqi>(&quick(1, 1), 1, 60);
    put(&mut folder.store::<Banqi>(), &units[..20]);
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let (verified, verifications) = channel();
        let compactor = scope.spawn(|| {
            let (mut store, mut times, verifications) = (folder.store::<Banqi>(), 0, verifications);
            for (n, unit) in (1..).zip(&units[20..]) {
                store.put(&unit.text, &unit.games).expect("it is kept");
                times += compact(&mut store, 1 << 20, &mut |_, _| {}).expect("it is compacted").objects;
                // So the store is verified at least four times meanwhile.
                if n % 10 == 0 {
                    verifications.recv().expect("the reader goes on");
                }
            }
            done.store(true, std::sync::atomic::Ordering::SeqCst);
            times
        });
        while !done.load(std::sync::atomic::Ordering::SeqCst) {
            let found = verify::<Banqi>(folder.place(), 1, &|_, _| {}).expect("it reads");
            assert!(found.faults.is_empty() && found.units.len() >= 20, "{:?}", found.faults);
            // The compactor may have ended by now.
            let _ = verified.send(());
        }
        assert!(compactor.join().expect("no panic") >= 40);
    });
    holds::<Banqi>(&folder, &units);

    // Without its index a compacted store looks empty.
    std::fs::remove_dir_all(folder.path().join("index")).expect("it is lost");
    let found = verify::<Banqi>(folder.place(), 1, &|_, _| {}).expect("it reads");
    assert!(found.faults.iter().all(|fault| fault.contains("no index names it")), "{:?}", found.faults);
    assert_eq!(found.missing.len(), 60);
}

#[test]
fn only_an_empty_folder_becomes_a_store() {
    let folder = Folder::new("stranger");
    std::fs::write(folder.path().join("letter.txt"), "dear").expect("a file");
    let error = Store::<Banqi>::open(folder.place(), None).err().expect("it is no store");
    assert!(error.to_string().contains("it has letter.txt"), "{error}");
    assert_eq!(folder.files(".").len(), 1, "nothing was written");
}
