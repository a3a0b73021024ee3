//! Fields: their units do not depend on the number of tasks, and no unit is played twice.

use std::collections::{BTreeMap, BTreeSet};

use anglerfish_arena::{ArenaGame, Contestant, Field, Identity, Openings, Pairing, Unit, Worker, heading};
use anglerfish_rules::Game;
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::tictactoe::TicTacToe;

fn field<G: Game>(pairing: Pairing, rules: &str) -> Field {
    let player = |name: &str| Contestant::builtin(name, "random", "nodes=1");
    Field {
        game: G::NAME.to_owned(),
        players: ["a", "b", "c"].map(player).to_vec(),
        pairing,
        rules: rules.to_owned(),
        seed: 7,
        openings: Openings::Random(1),
        games: 40,
        batch: 8,
        annotate: None,
        stop: None,
        assets: BTreeMap::new(),
        engine: Identity::default(),
    }
}

#[test]
fn players_meet_as_the_pairing_says() {
    let names = |pairing: Pairing| -> Vec<String> {
        let matches = field::<Banqi>(pairing, "platform").matches();
        matches.iter().map(|m| format!("{}{}", m.players[0].name, m.players[1].name)).collect()
    };
    assert_eq!(names(Pairing::Alone), ["aa", "bb", "cc"]);
    assert_eq!(names(Pairing::RoundRobin), ["ab", "ac", "bc"]);
    assert_eq!(names(Pairing::Gauntlet), ["ab", "ac"]);
    for pairing in [Pairing::Alone, Pairing::RoundRobin, Pairing::Gauntlet] {
        assert_eq!(pairing.to_string().parse(), Ok(pairing));
    }
}

#[test]
fn tasks_share_out_every_unit_once() {
    for pairing in [Pairing::Alone, Pairing::RoundRobin, Pairing::Gauntlet] {
        let field = field::<Banqi>(pairing, "platform");
        let all: Vec<Unit> = field.units(0, field.len()).collect();
        assert_eq!(all.len() as u64, field.len());
        let games: usize = all.iter().map(Unit::games).sum();
        assert_eq!(games, 40 * field.matches().len());
        let names: BTreeSet<_> = all.iter().map(Unit::name).collect();
        assert_eq!(names.len(), all.len(), "{pairing}: every unit has a name of its own");
        for tasks in [1, 2, 3, 7] {
            let part = |i: u64| field.len() * i / tasks;
            let shared: Vec<Unit> = (0..tasks).flat_map(|i| field.units(part(i), part(i + 1))).collect();
            assert_eq!(shared, all, "{pairing} in {tasks} tasks");
        }
    }
}

/// A pairing of a field is a match: units that a match has played need not be played again.
#[test]
fn units_are_those_of_matches() {
    let field = field::<Banqi>(Pairing::RoundRobin, "platform");
    let of_matches: Vec<Unit> =
        field.matches().iter().flat_map(|m| (1..=m.len()).map(|n| m.unit(n)).collect::<Vec<_>>()).collect();
    assert_eq!(field.units(0, field.len()).collect::<Vec<_>>(), of_matches);
}

/// Games that are left are whole games up to there.
#[test]
fn games_are_left_unfinished() {
    let mut players =
        ["a", "b"].map(|name| Contestant::builtin(name, "alphabeta,hash=64k", "nodes=50")).to_vec();
    players.push(Contestant::builtin("c", "greedy", "nodes=1"));
    let whole = Field { players, ..field::<Banqi>(Pairing::Gauntlet, "platform") };
    let left = Field { stop: Some(24), ..whole.clone() };
    let games = |field: &Field| -> Vec<_> {
        let units = field.units(0, field.len()).step_by(4);
        units.flat_map(|unit| Worker::default().play::<Banqi>(&unit.text()).expect("a unit")).collect()
    };
    for (whole, left) in games(&whole).into_iter().zip(games(&left)) {
        assert_eq!(left.plies, whole.plies[..24.min(whole.plies.len())]);
        assert_eq!(left.ending, whole.ending.filter(|_| whole.plies.len() <= 24));
    }
}

/// The tags of a record are known without playing: readers of stores rely on it.
fn headings_tell<G: ArenaGame>(rules: &str) {
    for pairing in [Pairing::Alone, Pairing::Gauntlet] {
        let field = field::<G>(pairing, rules);
        for unit in field.units(0, 2) {
            let records = Worker::default().play::<G>(&unit.text()).expect("a unit");
            for (n, record) in records.iter().enumerate() {
                let opened = record.tag("Opening").map_or(0, |n| n.parse().expect("a number"));
                let told = heading::<G>(&unit, &record.start.rules(), n as u32, opened).expect("a heading");
                assert_eq!((&told.tags, &told.start), (&record.tags, &record.start));
            }
            assert!(heading::<G>(&unit, &records[0].start.rules(), unit.games() as u32, 0).is_err());
        }
    }
}

#[test]
fn a_heading_is_what_is_played() {
    headings_tell::<Banqi>("platform");
    headings_tell::<TicTacToe>("standard");
}

#[test]
fn a_field_needs_players_with_names() {
    let worker = Worker::default();
    let mut alone = field::<Banqi>(Pairing::Alone, "platform");
    assert!(alone.check::<Banqi>(&worker).is_ok());
    alone.players.truncate(1);
    assert!(alone.check::<Banqi>(&worker).is_ok(), "one is enough to play alone");
    alone.pairing = Pairing::Gauntlet;
    assert!(alone.check::<Banqi>(&worker).is_err());
    let mut twins = field::<Banqi>(Pairing::Gauntlet, "platform");
    twins.players[2].name = "a".to_owned();
    let error = twins.check::<Banqi>(&worker).expect_err("two of one name");
    assert!(error.to_string().contains("\"a\" twice"), "{error}");
}
