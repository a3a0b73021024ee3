//! The shuffled reader: every position once per epoch, in an order independent of compaction.

use crate::common::{Folder, Played, all_of_banqi, all_of_heap, imported, played, quick};
use anglerfish_arena::{read_games, write_games};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::{Record, Team};
use anglerfish_store::{Options, Sample, Shuffled, Store, StoredGame, compact, result};

const OPTIONS: Options = Options { window: 500, openings: false, skip: 0 };

fn put<G: StoredGame>(store: &mut Store<G>, units: &[Played]) {
    for unit in units {
        store.put(&unit.text, &unit.games).expect("it is kept");
    }
}

/// Units of one to a thousand games.
fn units() -> Vec<Played> {
    let mut units = all_of_banqi();
    units.extend(played::<Banqi>(&quick(7, 60), 1, 2));
    let many: Vec<Record<Banqi>> =
        units.iter().flat_map(|unit| read_games(&unit.games).expect("games")).collect();
    let many: Vec<_> = many.iter().cycle().take(1100).cloned().collect();
    units.push(imported(&many, 1));
    units
}

fn epoch<G: StoredGame>(
    store: &mut Store<G>,
    seed: u64,
    epoch: u64,
    options: Options,
) -> Vec<Sample<String>> {
    let samples = Shuffled::new(store, seed, epoch, options, G::to_string).expect("a reader");
    samples.collect::<Result<_, _>>().expect("it reads")
}

/// The positions of all finished games, by replaying their records plainly.
fn plainly<G: StoredGame>(units: &[Played], openings: bool) -> Vec<Sample<String>> {
    let mut samples = Vec::new();
    for record in units.iter().flat_map(|unit| read_games::<G>(&unit.games).expect("games")) {
        let Some(ending) = record.ending else { continue };
        let opening = record.tag("Opening").map_or(0, |n| n.parse().expect("a count"));
        let mut game = record.start.clone();
        for (n, ply) in record.plies.iter().enumerate() {
            let seat = game.turn().seat().expect("not over");
            let sign = |of: Team| if of == seat.team() { 1 } else { -1 };
            let value = record.annotation(n).and_then(|thought| thought.value);
            if openings || n >= opening {
                samples.push(Sample {
                    position: game.to_string(),
                    seat,
                    result: sign(Team::A) * result(ending.outcome),
                    value: value.map(|value| i16::from(sign(ply.seat.team())) * value.ten_thousandths()),
                    ply: n as u32,
                });
            }
            game.apply(ply.event);
        }
    }
    samples
}

fn sorted(mut samples: Vec<Sample<String>>) -> Vec<Sample<String>> {
    samples.sort_by(|a, b| {
        (&a.position, a.ply, a.result, a.value).cmp(&(&b.position, b.ply, b.result, b.value))
    });
    samples
}

#[test]
fn an_epoch_is_every_position_once() {
    let folder = Folder::new("epoch");
    let (units, mut store) = (units(), folder.store::<Banqi>());
    put(&mut store, &units);
    for openings in [false, true] {
        let options = Options { openings, ..OPTIONS };
        let expected = sorted(plainly::<Banqi>(&units, openings));
        assert!(expected.iter().any(|sample| sample.value.is_some_and(|value| value != 0)));
        let epochs: Vec<_> =
            [(1, 0), (1, 1), (2, 0)].map(|(seed, number)| epoch(&mut store, seed, number, options)).into();
        for (i, samples) in epochs.iter().enumerate() {
            assert!(sorted(samples.clone()) == expected, "every position once");
            assert!(!epochs[..i].contains(samples), "another order");
            assert!(*samples != expected);
        }
        // Positions of a game are neighbors in a window only by chance, and hardly ever in the same order.
        let follows = epochs[0].windows(2).filter(|two| two[0].ply + 1 == two[1].ply).count();
        assert!(follows < epochs[0].len() / 10, "{follows} of {}", epochs[0].len());
    }
    let heap = Folder::new("epoch-heap");
    let (units, mut store) = (all_of_heap(), heap.store::<Heap>());
    put(&mut store, &units);
    let samples = epoch(&mut store, 1, 0, Options { window: 64, ..OPTIONS });
    assert!(sorted(samples) == sorted(plainly::<Heap>(&units, false)));
}

#[test]
fn no_compaction_changes_the_order() {
    let units = units();
    let orders =
        [&[][..], &[1 << 20], &[30 << 10, 1 << 20], &[1 << 20, 10 << 10]].map(|targets: &[u64]| {
            let folder = Folder::new(&format!(
                "order-{}",
                targets.len() * 1000 + targets.first().map_or(0, |n| *n as usize % 999)
            ));
            let mut store = folder.store::<Banqi>();
            let mut parts = units.chunks(units.len() / 3);
            for target in targets {
                put(&mut store, parts.next().expect("a part"));
                compact(&mut store, *target, &mut |_, _| {}).expect("it is compacted");
            }
            parts.for_each(|part| put(&mut store, part));
            // Some small, some large, and all large.
            let mixed = epoch(&mut store, 3, 5, OPTIONS);
            compact(&mut store, 20 << 10, &mut |_, _| {}).expect("it is compacted");
            assert!(folder.files("units").is_empty());
            assert!(epoch(&mut store, 3, 5, OPTIONS) == mixed);
            assert!(epoch(&mut folder.store::<Banqi>(), 3, 5, OPTIONS) == mixed);
            mixed
        });
    assert!(orders[0].len() > 10 * OPTIONS.window && orders.iter().all(|order| *order == orders[0]));
}

#[test]
fn compactions_on_the_way_change_nothing() {
    let folder = Folder::new("on-the-way");
    let (units, mut store) = (units(), folder.store::<Banqi>());
    put(&mut store, &units);
    let expected = epoch(&mut store, 1, 0, OPTIONS);
    let options = Options { window: 100, ..OPTIONS };
    let fine = epoch(&mut store, 1, 0, options);
    let mut more = played::<Banqi>(&quick(99, 1), 1, 6).into_iter();
    for (options, expected) in [(OPTIONS, &expected), (options, &fine)] {
        let fresh = Folder::new("on-the-way-fresh");
        let mut store = fresh.store::<Banqi>();
        put(&mut store, &units);
        let mut samples = Shuffled::new(&mut store, 1, 0, options, Banqi::to_string).expect("a reader");
        let mut read = Vec::new();
        for target in [10 << 10, 1 << 20, 20 << 10] {
            read.extend(samples.by_ref().take(options.window + 3).map(|sample| sample.expect("it reads")));
            let unit = more.next().expect("enough");
            put(&mut store, std::slice::from_ref(&unit));
            compact(&mut store, target, &mut |_, _| {}).expect("it is compacted");
        }
        read.extend(samples.map(|sample| sample.expect("it reads")));
        assert!(read == *expected, "what came later is for the next epoch");
    }
}

#[test]
fn a_reader_goes_on_where_it_was() {
    let folder = Folder::new("skip");
    let (units, mut store) = (units(), folder.store::<Banqi>());
    let half = units.len() / 2;
    put(&mut store, &units[..half]);
    compact(&mut store, 30 << 10, &mut |_, _| {}).expect("it is compacted");
    put(&mut store, &units[half..]);
    let whole = epoch(&mut store, 1, 0, OPTIONS);
    for skip in [1, 499, 500, 501, 530, 5000, 7777, whole.len() - 1, whole.len(), whole.len() + 1, usize::MAX]
    {
        let rest = epoch(&mut store, 1, 0, Options { skip: skip as u64, ..OPTIONS });
        assert!(rest == whole[skip.min(whole.len())..], "{skip} of {} left out", whole.len());
    }
}

#[test]
fn what_is_damaged_is_said_and_not_read() {
    let folder = Folder::new("damaged");
    let units = played::<Banqi>(&quick(7, 4), 1, 8);
    let mut store = folder.store::<Banqi>();
    put(&mut store, &units);
    let file = &folder.files("units")[3];
    let whole = std::fs::read(file).expect("an object");
    std::fs::write(file, &whole[..whole.len() / 2]).expect("cut");
    let samples = Shuffled::new(&mut store, 1, 0, OPTIONS, |_| ()).expect("a reader");
    let read: Vec<_> = samples.collect();
    let (last, before) = read.split_last().expect("something");
    assert!(before.iter().all(Result::is_ok), "an error is the end");
    let error = last.as_ref().expect_err("half an object").to_string();
    assert!(error.contains(&file.file_stem().expect("a name").to_string_lossy()[..]), "{error}");

    // A reader that panics reports it, and not the end of the epoch.
    std::fs::write(file, whole).expect("mended");
    let samples = Shuffled::new(&mut store, 1, 0, OPTIONS, |_| panic!("a bad closure")).expect("a reader");
    assert!(std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| samples.count())).is_err());
    assert_eq!(
        write_games(&store.games(&units[0].name()).expect("it reads").expect("it is there")),
        units[0].games
    );
}
