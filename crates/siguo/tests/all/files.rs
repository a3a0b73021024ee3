//! Texts of Siguo and files of the QQ game hall: accepted input survives a round trip, and no input panics.
//!
//! The replays are made here, by random play and a writer that only tests need.

use std::fmt::Display;
use std::str::FromStr;

use anglerfish_rules::{Forfeit, Game, NotationError, Ply, Record, Rng, RngExt, Turn, read_records};
use anglerfish_siguo::{Action, Arm, Clash, Event, Layout, Rules, Siguo, Station, qq};
use proptest::prelude::*;

/// A random game that prefers attacks, with missed turns and players who leave.
fn played(seed: u64, rules: &str, plies: usize) -> Record<Siguo> {
    let mut rng = Rng::new(seed);
    let mut game = Siguo::deal(&rules.parse().expect("rules"), &mut rng);
    let mut record = Record::new(game.clone());
    let mut actions = Vec::new();
    while let (Turn::Seat(mover), true) = (game.turn(), record.plies.len() < plies) {
        game.actions(&mut actions);
        let attacks =
            |action: &Action| matches!(action, Action::Move { to, .. } if game.table().man(*to).is_some());
        let some: Vec<Action> = actions.iter().copied().filter(attacks).collect();
        let event = match rng.below(60) {
            0 => Some(Event::Skip),
            1 => game.forfeited(mover, Forfeit::Resigned),
            _ => None,
        };
        let choice = rng.pick(if some.is_empty() { &actions } else { &some });
        let event = event.unwrap_or_else(|| game.draw(choice, &mut rng));
        record.plies.push(Ply { seat: mover, event, took: std::time::Duration::ZERO });
        game.apply(event);
    }
    if let Turn::Over(outcome, reason) = game.turn() {
        record.ending =
            Some(anglerfish_rules::Ending { outcome, cause: anglerfish_rules::Cause::Rules(reason) });
    }
    record
}

/// Row from north and column from east, by the picture of the board.
fn place(at: Station) -> [u8; 2] {
    let (x, y) = match (at.arm(), at.slot().map(|slot| (slot / 5, slot % 5))) {
        (Some(Arm::South), Some((row, column))) => (6 + column, 11 + row),
        (Some(Arm::East), Some((row, column))) => (11 + row, 10 - column),
        (Some(Arm::North), Some((row, column))) => (10 - column, 5 - row),
        (Some(Arm::West), Some((row, column))) => (5 - row, 6 + column),
        _ => (6 + 2 * ((at.index() - 120) % 3), 6 + 2 * ((at.index() - 120) / 3)),
    };
    [y as u8, 16 - x as u8]
}

fn color(arm: Arm) -> u8 {
    ((4 - arm.index()) % 4) as u8
}

/// The replay file of a record.
fn jgs(record: &Record<Siguo>) -> Vec<u8> {
    let mut entries: Vec<[u8; 10]> = Vec::new();
    let mut table = record.start.table().clone();
    let lost = |arm: Arm, why: u8| [0xF5, 3, color(arm), why, 0, 0, 0, 0, 0, 0];
    for ply in &record.plies {
        let mover = table.to_move();
        match ply.event {
            Event::Move(play) => {
                let result = play.clash.map_or(0, |clash| match clash {
                    Clash::Wins => 1,
                    Clash::Dies => 2,
                    Clash::Both => 3,
                });
                let ([r1, c1], [r2, c2]) = (place(play.from), place(play.to));
                let [[a, b], [c, d]] = play.shown.map(|at| at.map_or([0, 0], place));
                entries.push([0x5F, result, r1, c1, r2, c2, a, b, c, d]);
                let defender = table.man(play.to).map(anglerfish_siguo::Man::arm);
                if let Some(defender) = defender.filter(|_| play.taken || play.walled[1]) {
                    entries.push(lost(defender, if play.taken { 1 } else { 2 }));
                }
                entries.extend(play.walled[0].then_some(lost(mover, 2)));
            }
            Event::Skip if table.missed(mover) == 4 => entries.push(lost(mover, 3)),
            Event::Skip => entries.push([0xF5, 2, color(mover), table.missed(mover) + 1, 0, 0, 0, 0, 0, 0]),
            Event::Out { arm, .. } => entries.push(lost(arm, 4)),
            Event::Agree => entries.push([0xF5, 5, 0, 2, 0xFF, 0, 0, 0, 0, 0]),
        }
        table.apply(ply.event);
    }
    let mut bytes = b"QQGame JQS".to_vec();
    bytes.resize(0x19C, 0);
    bytes[26..28].copy_from_slice(&(entries.len() as u16).to_le_bytes());
    for arm in Arm::ALL {
        let at = 0x20 + 88 * arm.index();
        bytes[at] = if record.start.layout(arm).is_some() { color(arm) } else { 0xFF };
        if let Some(layout) = record.start.layout(arm) {
            bytes[at + 28..at + 58].copy_from_slice(&qq::write_jql(layout)[20..]);
        }
    }
    bytes.extend(entries.into_iter().flatten());
    bytes
}

fn strict<T: FromStr<Err = NotationError> + Display>(text: &str) {
    match text.parse::<T>() {
        Ok(value) => assert_eq!(value.to_string(), text),
        Err(error) => assert!(error.at <= text.len() && error.pointing_at(text).contains('^')),
    }
}

#[test]
fn a_game_of_two_is_turned_to_south_and_north() {
    let record = played(1, "four-dark,players=2", 300);
    let bytes = jgs(&record);
    let replay = qq::read_jgs(&bytes).expect("a replay");
    // The same game between east and west. Colors go clockwise, so one arm on is one color back.
    let mut turned = bytes.clone();
    for at in (0..4).map(|player| 0x20 + 88 * player).filter(|&at| bytes[at] != 0xFF) {
        turned[at] = (bytes[at] + 3) % 4;
    }
    let n = replay.entries.len();
    for entry in turned[0x19C..].chunks_mut(10).take(n) {
        let pairs: &[usize] = if entry[0] == 0x5F { &[2, 4, 6, 8] } else { &[] };
        for &i in pairs {
            // A quarter turn counterclockwise, around the middle.
            if i < 6 || (entry[i], entry[i + 1]) != (0, 0) {
                (entry[i], entry[i + 1]) = (entry[i + 1], 16 - entry[i]);
            }
        }
        if entry[0] == 0xF5 && entry[1] != 5 {
            entry[2] = (entry[2] + 3) % 4;
        }
    }
    assert_eq!(replay.record().as_ref(), Ok(&record));
    let turned = qq::read_jgs(&turned).expect("a replay");
    assert_eq!(turned.layouts.map(|layout| layout.is_some()), [false, true, false, true]);
    assert_eq!(turned.record(), Ok(record));
}

/// The seeds of the fuzz target parse as their kinds.
#[test]
fn seeds_are_read() {
    let seed = |name: &str| {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../fuzz/seeds/siguo/");
        std::fs::read(format!("{folder}{name}")).expect("a seed")
    };
    assert!(qq::read_jql(&seed("layout")).is_ok());
    let record = qq::read_jgs(&seed("replay")).expect("a replay").record().expect("a game by the rules");
    let played: Vec<String> = record.plies.iter().map(|ply| ply.event.to_string()).collect();
    assert_eq!(played, ["s23-s33", "skip", "out-n:resigned", "draw"]);
    assert!(String::from_utf8(seed("position")).expect("text").parse::<Siguo>().is_ok());
}

#[test]
fn layouts_go_through_files() {
    let layout = Layout::random(&mut Rng::new(4));
    let bytes = qq::write_jql(&layout);
    assert_eq!((bytes.len(), qq::read_jql(&bytes)), (50, Ok(layout)));
    assert_eq!(qq::read_jql(&bytes[..49]).map_err(|e| e.at), Err(20));
    assert_eq!(qq::read_jql(b"QQGame JQS").map_err(|e| e.at), Err(0));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn replays_are_read_as_they_were_played(seed: u64, two: bool) {
        let record = played(seed, if two { "four-dark,players=2" } else { "four-dark" }, 800);
        let replay = qq::read_jgs(&jgs(&record)).expect("a replay");
        prop_assert_eq!(replay.record(), Ok(record.clone()));
        prop_assert_eq!(record.to_string().parse(), Ok(record));
    }

    /// Some bytes changed, or the end cut off: an error, a violation or another game, and never a panic.
    #[test]
    fn mutated_replays(seed: u64, two: bool, changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6), cut in 0..2000usize) {
        let record = played(seed, if two { "four-dark,players=2" } else { "four-dark" }, 60);
        let whole = jgs(&record);
        // Also each change alone, so that not all runs end at the first wrong byte.
        for n in [1, changes.len()] {
            let mut bytes = whole.clone();
            for (at, byte) in &changes[..n] {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            if let Ok(replay) = qq::read_jgs(&bytes) && let Ok(record) = replay.record() {
                prop_assert!(record.replay().is_ok());
                prop_assert_eq!(record.to_string().parse(), Ok(record));
            }
        }
        let _ = qq::read_jgs(&whole[..cut.min(whole.len())]).map(|replay| replay.record());
    }

    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        let _ = qq::read_jql(&bytes);
        let magic = |magic: &[u8]| magic.iter().chain(&bytes).copied().collect::<Vec<u8>>();
        let _ = qq::read_jql(&magic(b"QQGame JQL File\0\x57\x04\0\0"));
        let _ = qq::read_jgs(&magic(b"QQGame JQS")).map(|replay| replay.record());
    }

    #[test]
    fn any_text_is_read_strictly_or_refused(text in ".{0,80}") {
        strict::<Siguo>(&text);
        strict::<Event>(&text);
        strict::<Action>(&text);
        strict::<Station>(&text);
        strict::<Rules>(&text);
        strict::<Layout>(&text);
    }

    /// One character of a real position changed: an accepted one is canonical and playable.
    #[test]
    fn mutated_positions(seed: u64, plies in 0..400usize, at: prop::sample::Index, to in "[ -~]") {
        let mut text = played(seed, "four-dark", plies).replay().expect("a game").to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &to);
        strict::<Siguo>(&text);
        if let Ok(mut game) = text.parse::<Siguo>() {
            let mut rng = Rng::new(seed);
            let mut actions = Vec::new();
            for _ in 0..50 {
                game.actions(&mut actions);
                if actions.is_empty() {
                    break;
                }
                let event = game.draw(rng.pick(&actions), &mut rng);
                game.apply(event);
                for arm in Arm::ALL.into_iter().filter(|&arm| game.layout(arm).is_some()) {
                    prop_assert!(game.table().clues(arm).count() > 0, "{arm:?} in {game}");
                }
            }
            strict::<Siguo>(&game.to_string());
        }
    }

    #[test]
    fn mutated_records(seed: u64, at: prop::sample::Index, to in "[ -~\n]") {
        let mut text = played(seed, "partner-open", 40).to_string();
        let at = at.index(text.len());
        text.replace_range(at..=at, &to);
        for read in read_records::<Siguo>(&text) {
            match read {
                Ok(read) => {
                    prop_assert_eq!(read.to_string().parse::<Record<Siguo>>(), Ok(read.clone()));
                    let _ = read.replay();
                }
                Err(error) => prop_assert!(error.pointing_at(&text).contains('^')),
            }
        }
    }
}
