//! Every recorded game of the QQ game hall, replayed. The games have no licence and are not part of this repository.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;

use anglerfish_rules::{Game, Record, Rng, Seat};
use anglerfish_siguo::qq::{self, Entry, Replay};
use anglerfish_siguo::{Arm, Event, Knowledge, Layout, Siguo};

/// The files of a tar archive, unpacked by the system's gzip.
fn unpacked(path: &Path) -> Vec<(String, Vec<u8>)> {
    let output = Command::new("gzip").arg("-dc").arg(path).output().expect("gzip");
    assert!(output.status.success(), "gzip reads {}", path.display());
    let (mut files, mut rest) = (Vec::new(), output.stdout.as_slice());
    // A header of 512 bytes has the name at 0, the size in octal digits at 124 and the type at 156.
    while rest.len() >= 512 && rest[0] != 0 {
        let (header, body) = rest.split_at(512);
        let text = |range: std::ops::Range<usize>| {
            let text = String::from_utf8_lossy(&header[range]).into_owned();
            text.trim_end_matches(['\0', ' ']).to_owned()
        };
        let size = usize::from_str_radix(&text(124..136), 8).expect("a size");
        if header[156] == b'0' {
            files.push((text(0..100), body[..size].to_vec()));
        }
        rest = &body[size.next_multiple_of(512)..];
    }
    files
}

/// Counts over all games.
#[derive(Debug, Default)]
struct Count {
    moves: u32,
    fights: u32,
    layouts: u32,
    /// Other events, and endings, by name.
    others: BTreeMap<String, u32>,
}

impl Count {
    fn add(&mut self, replay: &Replay, record: &Record<Siguo>) {
        let mut other = |name: String| *self.others.entry(name).or_default() += 1;
        for entry in &replay.entries {
            match entry {
                Entry::Lost(_, why) => other(format!("out by {why:?}")),
                Entry::Missed(..) => other("missed turns".to_owned()),
                Entry::Move { .. } | Entry::Left(_) | Entry::End(_) => {}
            }
        }
        other(record.ending.map_or("broken off".to_owned(), |ending| format!("ended by {}", ending.cause)));
        self.layouts += Arm::ALL.iter().filter(|arm| record.start.layout(**arm).is_some()).count() as u32;
        for ply in &record.plies {
            if let Event::Move(play) = ply.event {
                self.moves += 1;
                self.fights += u32::from(play.clash.is_some());
            }
        }
    }
}

/// The path of a data file, or a line that says that it is missing.
fn data(name: &str, file: &str, out: &mut impl Write) -> Option<PathBuf> {
    let path = std::env::var_os("ANGLERFISH_DATA").map(|folder| PathBuf::from(folder).join(file));
    let path = path.filter(|path| path.is_file());
    if path.is_none() {
        writeln!(out, "SKIPPED {name} (no {file}: set ANGLERFISH_DATA to the data folder)").expect("stderr");
    }
    path
}

#[test]
#[expect(clippy::disallowed_methods, reason = "it says how long the games took")]
fn recorded_siguo_games() {
    let mut out = std::io::stderr().lock();
    let Some(path) = data("siguo-games", "siguo/jgs_anon.tar.gz", &mut out) else { return };
    let files = unpacked(&path);

    // Step 1. From bytes to records, every entry checked.
    let began = std::time::Instant::now();
    let (mut count, mut records, mut violations) = (Count::default(), Vec::new(), Vec::new());
    for (name, bytes) in &files {
        let replay = qq::read_jgs(bytes).unwrap_or_else(|error| panic!("{name}: {error}"));
        match replay.record() {
            Ok(record) => {
                count.add(&replay, &record);
                records.push(record);
            }
            Err(violation) => violations.push(format!("{name}: {violation}")),
        }
    }
    let replayed = began.elapsed();
    assert!(violations.is_empty(), "{} violations, such as {:?}", violations.len(), &violations[..1]);
    assert_eq!((files.len(), count.layouts, count.moves, count.fights), (3_327, 13_172, 669_015, 161_779));
    let others = [
        ("broken off", 19),
        ("ended by agreed", 150),
        ("ended by quiet", 45),
        ("missed turns", 1_967),
        ("out by Flag", 2_834),
        ("out by Left", 67),
        ("out by Missed", 52),
        ("out by NoMove", 1_010),
        ("out by Surrender", 3_180),
    ];
    for (name, expected) in others {
        assert_eq!(count.others.get(name), Some(&expected), "{name}: {:?}", count.others);
    }

    // Step 2. From records to text and back, and through the rules again.
    let began = std::time::Instant::now();
    for record in &records {
        assert_eq!(record.to_string().parse().as_ref(), Ok(record), "records survive a trip through text");
        record.replay().unwrap_or_else(|error| panic!("{error}"));
    }
    let (games, Count { moves, fights, others, .. }) = (records.len(), count);
    writeln!(
        out,
        "PASSED siguo-games: {games} games, {moves} moves, {fights} fights, 0 violations in {replayed:.1?}, \
         as text and back in {:.1?}; {others:?}",
        began.elapsed()
    )
    .expect("stderr");
}

/// Every seat's knowledge in every `step`th game, ply by ply: the truth is never excluded. In some positions
/// worlds are sampled, and all of them fit.
fn check_knowledge(name: &str, step: usize) {
    let mut out = std::io::stderr().lock();
    let Some(path) = data(name, "siguo/jgs_anon.tar.gz", &mut out) else { return };
    let files: Vec<_> = unpacked(&path).into_iter().step_by(step).collect();
    let parts: Vec<Told> = std::thread::scope(|scope| {
        let halves = files.chunks(files.len().div_ceil(2));
        let halves: Vec<_> = halves.map(|files| scope.spawn(|| told(files))).collect();
        halves.into_iter().map(|half| half.join().expect("no panic")).collect()
    });
    let sum = |of: fn(&Told) -> u64| parts.iter().map(of).sum::<u64>();
    let effective: Vec<f64> = parts.iter().flat_map(|part| part.effective.iter().copied()).collect();
    let mean = effective.iter().sum::<f64>() / effective.len() as f64;
    let least = effective.iter().copied().fold(f64::INFINITY, f64::min);
    writeln!(
        out,
        "PASSED {name}: {} games, {} plies by seats, 0 excluded; {} men settled of {}, {} fights open at the ends; \
         {} times 100 worlds by swaps, worth {mean:.0} on average and {least:.1} at least",
        files.len(),
        sum(|told| told.plies),
        sum(|told| told.settled),
        sum(|told| told.men),
        sum(|told| told.open),
        effective.len(),
    )
    .expect("stderr");
}

#[test]
fn knowledge_of_some_recorded_siguo_games() {
    check_knowledge("siguo-knowledge-sample", 50);
}

#[test]
#[ignore = "full: 2.7 million plies by seats"]
fn knowledge_of_recorded_siguo_games() {
    check_knowledge("siguo-knowledge", 1);
}

/// Counts of the knowledge in some games.
#[derive(Default)]
struct Told {
    plies: u64,
    /// Men of other players, and those of them who are known at the end.
    men: u64,
    settled: u64,
    open: u64,
    /// Effective sample sizes of a hundred worlds each.
    effective: Vec<f64>,
}

fn told(files: &[(String, Vec<u8>)]) -> Told {
    let mut told = Told::default();
    for (n, (name, bytes)) in files.iter().enumerate() {
        let record = qq::read_jgs(bytes).expect("a replay").record().expect("a game by our rules");
        let mut game = record.start.clone();
        let layouts = Arm::ALL.map(|arm| game.layout(arm).copied());
        let seats = (0..4).map(Seat).filter(|&seat| game.table().arm_of(seat).is_some());
        let mut seats: Vec<(Seat, Knowledge)> =
            seats.map(|seat| (seat, Knowledge::new(&game.view(seat)))).collect();
        for (i, ply) in record.plies.iter().enumerate() {
            for (seat, knowledge) in &mut seats {
                knowledge.follow(game.table(), ply.event);
                assert!(knowledge.admits(&layouts), "{name}, ply {i}, {seat:?}: {}", ply.event);
                told.plies += 1;
            }
            game.apply(ply.event);
            // Worlds of one seat, in every sixteenth game at every fiftieth ply.
            if n % 16 == 0 && i % 50 == 49 {
                let (seat, knowledge) = &seats[i / 50 % seats.len()];
                let worlds = knowledge.worlds(100, None, &mut Rng::new(i as u64));
                assert_eq!(worlds.layouts.len(), 100, "{name}, ply {i}, {seat:?}");
                assert!(worlds.layouts.iter().all(|world| knowledge.admits(world)));
                if !knowledge.fights().is_empty() {
                    told.effective.push(worlds.effective);
                }
            }
        }
        for (seat, knowledge) in &seats {
            told.open += knowledge.fights().len() as u64;
            for arm in Arm::ALL.into_iter().filter(|&arm| game.table().seat_of(arm) != Some(*seat)) {
                let Some(army) = knowledge.army(arm) else { continue };
                told.men += 25;
                told.settled += (0..30).filter(|&slot| army.roles(slot).settled().is_some()).count() as u64;
            }
        }
    }
    told
}

/// Twenty-eight layouts from a collection; one of them is not legal.
#[test]
fn collected_siguo_layouts() {
    let mut out = std::io::stderr().lock();
    let Some(path) = data("siguo-layouts", "siguo/layouts_28in1.txt", &mut out) else { return };
    let text = std::fs::read_to_string(path).expect("layouts");
    let legal = text.lines().filter(|line| line.parse::<Layout>().is_ok()).count();
    assert_eq!((legal, text.lines().count()), (27, 28));
    writeln!(out, "PASSED siguo-layouts: {legal} of 28 are legal").expect("stderr");
}
