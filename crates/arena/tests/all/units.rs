//! Units: canonical or refused, never a panic; and runs of them, in parts and in any game.

use std::collections::BTreeMap;

use anglerfish_arena::stats::adjusted::Adjusted;
use anglerfish_arena::{
    Adjudication, ArenaGame, Bounds, Contestant, DrawRule, Identity, Journal, Judging, Match, Name, Openings,
    ResignRule, ResultStore, Tally, Unit, UnitError, UnitResult, Worker, read_luck, write_games,
};
use anglerfish_engine::opponent::Models;
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Record, Rng, RngExt, Seat, with_game};

fn players(a: &str, b: &str) -> [Contestant; 2] {
    [("a", a), ("b", b)].map(|(name, player)| Contestant::builtin(name, player, "nodes=50"))
}

fn game() -> Match {
    Match::new::<Banqi>(players("alphabeta,hash=1", "mcts,hash=1"), "platform,board=4x4", 3, 6)
}

fn adjudication(score: u32) -> Adjudication {
    let draw = Some(DrawRule { movenumber: 34, movecount: 8, score: 5 });
    Adjudication { draw, resign: Some(ResignRule { movecount: 3, score }) }
}

/// All units that differ in what a unit can say.
fn units() -> Vec<Unit> {
    let plain = game();
    let list = vec!["pPgG/nNrR/mMcC/kKpP".to_owned(), "a1 b2".to_owned()];
    let assets = BTreeMap::from([("net".to_owned(), Name::of("bytes").to_string())]);
    let all = [
        plain.clone(),
        Match { openings: Openings::Random(4), batch: 3, ..plain.clone() },
        Match { openings: Openings::List(list), batch: 2, ..plain.clone() },
        Match { annotate: Some(5), assets, ..plain.clone() },
        Match { adjudication: Some(adjudication(60)), ..plain.clone() },
        Match { luck: Some(Judging::default()), ..plain.clone() },
        Match { engine: Identity::of([("behavior_hash.bench".to_owned(), "1".to_owned())]), ..plain.clone() },
        Match { players: players("alphabeta,threads=2", "random"), ..plain.clone() },
        Match::new::<TicTacToe>(players("exact", "semirandom,look=2"), "standard", 1, 2),
    ];
    let single = Unit { round: "3.2".to_owned(), single: true, ..plain.unit(1) };
    all.iter().map(|game| game.unit(1)).chain([single]).collect()
}

/// Reads a unit as a machine does that got it from another one.
fn read(text: &str, bounds: &Bounds) -> Result<Unit, UnitError> {
    let unit = Unit::read(text, bounds)?;
    with_game!(unit.game.as_str(), G => unit.rules::<G>(bounds).map(drop))
        .unwrap_or_else(|| Err(UnitError::Wrong("no such game".to_owned())))?;
    Ok(unit)
}

/// Without rules of adjudication a unit has the text it always had; rules without sense are refused.
#[test]
fn adjudication_changes_no_other_unit() {
    let plain = game().unit(1);
    assert!(!plain.text().contains("adjudication"));
    let ruled = Unit { adjudication: Some(adjudication(60)), ..plain.clone() };
    let rules = r#","adjudication":{"draw":{"movenumber":34,"movecount":8,"score":5},"resign":{"movecount":3,"score":60}}"#;
    assert_eq!(ruled.text().replace(rules, ""), plain.text());
    assert_ne!(ruled.name(), plain.name());
    let wrong = Unit { adjudication: Some(adjudication(600)), ..plain };
    let refused = Unit::read(&wrong.text(), &Bounds::OURS).expect_err("600 hundredths");
    assert!(refused.to_string().contains("100 is a won game"), "{refused}");
}

#[test]
fn a_unit_is_its_text() {
    for unit in units() {
        let text = unit.text();
        assert_eq!(read(&text, &Bounds::STRANGERS), Ok(unit.clone()), "{text}");
        assert_eq!(unit.name(), Name::of(&text));
        // A text of the same meaning that is written differently would have another name.
        let spaced = text.replacen(':', ": ", 1);
        assert!(matches!(read(&spaced, &Bounds::OURS), Err(UnitError::Canonical { .. })), "{spaced}");
        let more = text.replacen('{', "{\"color\":1,", 1);
        let error = read(&more, &Bounds::OURS).expect_err("an unknown field").to_string();
        assert!(error.contains("unknown field `color`"), "{error}");
        let version = text.replacen("\"unit\":1", "\"unit\":2", 1);
        assert_eq!(read(&version, &Bounds::OURS), Err(UnitError::Format { expected: 1, found: 2 }));
        let lie = text.replacen("\"reproducible\":", "\"reproducible\":!", 1);
        let lie = lie.replace("!true", "false").replace("!false", "true");
        assert!(read(&lie, &Bounds::OURS).is_err(), "{lie}");
    }
}

/// The test vector of docs/formats.md.
#[test]
fn the_unit_in_the_formats_page_is_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(path).expect("docs/formats.md");
    let (_, rest) = page.split_once("```unit\n").expect("a unit");
    let (text, rest) = rest.split_once("\n```\n\nIts name is `").expect("its end and its name");
    assert_eq!(read(text, &Bounds::STRANGERS).map(|unit| unit.text()), Ok(text.to_owned()));
    assert_eq!(Name::of(text).to_string(), rest.split('`').next().expect("a name"));
    let games: Vec<Record<TicTacToe>> = Worker::default().play(text).expect("it can be played");
    assert_eq!(games.len(), 2);
    assert!(games.iter().all(|game| game.tag("Opening") == Some("2")));
}

#[test]
fn mutated_units_are_read_or_refused() {
    let texts: Vec<String> = units().iter().map(Unit::text).collect();
    let mut rng = Rng::new(1);
    let pieces =
        ["0", "-1", "18446744073709551616", "1e9", "null", "[]", "{}", "\"", "\\", "é", "\u{0}", ",", "true"];
    let (mut good, mut bad) = (0, 0);
    for _ in 0..100_000 {
        let mut bytes = rng.pick(&[0, 1, 2, 3, 4, 5, 6, 7].map(|i| texts[i].as_str())).as_bytes().to_vec();
        for _ in 0..=rng.below(3) {
            let at = rng.below(bytes.len() as u32) as usize;
            match rng.below(5) {
                0 => bytes[at] ^= 1 << rng.below(8),
                1 => drop(bytes.remove(at)),
                2 => drop(bytes.splice(at..at, rng.pick(&pieces).bytes())),
                3 => {
                    let end = (at + rng.below(40) as usize).min(bytes.len());
                    drop(bytes.splice(at..end, rng.pick(&pieces).bytes()));
                }
                _ => {
                    // A piece of another unit.
                    let other = texts[rng.below(texts.len() as u32) as usize].as_bytes();
                    let from = rng.below(other.len() as u32) as usize;
                    let to = (from + rng.below(80) as usize).min(other.len());
                    drop(bytes.splice(at..at, other[from..to].iter().copied()));
                }
            }
        }
        let text = String::from_utf8_lossy(&bytes);
        match read(&text, &Bounds::STRANGERS) {
            // A unit that is read is canonical and within the bounds for strangers.
            Ok(unit) => {
                assert_eq!(unit.text(), text);
                assert!(unit.pairs <= Bounds::STRANGERS.pairs);
                good += 1;
            }
            Err(error) => {
                assert!(!error.to_string().is_empty());
                bad += 1;
            }
        }
    }
    assert!(good > 500 && bad > 50_000, "{good} read, {bad} refused");
}

#[test]
fn a_hostile_unit_is_refused() {
    let refused = |change: &dyn Fn(&mut Unit), what: &str| {
        let mut unit = game().unit(1);
        change(&mut unit);
        unit.reproducible = unit.players.iter().all(Contestant::is_reproducible);
        let text = unit.text();
        let error = read(&text, &Bounds::STRANGERS).expect_err(what).to_string();
        assert!(error.contains(what), "{what}: {error}");
        Worker { bounds: Bounds::STRANGERS, ..Worker::default() }.play::<Banqi>(&text).expect_err(what);
    };
    let player = |text: &'static str| {
        move |unit: &mut Unit| unit.players[1] = Contestant::builtin("b", text, "nodes=1")
    };
    refused(&player("alphabeta,hash=65536"), "MiB of a table: at most 256 here, found 65536");
    refused(&player("mcts,threads=256"), "threads");
    refused(
        &player("alphabeta,opponent=replica,replica=alphabeta/hash=65536/nodes=1"),
        "MiB of a table: at most 256 here, found 65536",
    );
    refused(&player("exact,depth=60"), "plies looked ahead");
    refused(&|unit| unit.players[0].budget = "nodes=99999999999".to_owned(), "nodes of a move");
    refused(&|unit| unit.players[0].budget = "tc=1000000".to_owned(), "seconds of a clock");
    let judge = |text: &'static str| move |unit: &mut Unit| unit.luck = text.parse().ok();
    refused(&judge("nodes=99999999999"), "nodes of a judge");
    refused(&judge("alphabeta,hash=65536 nodes=1"), "MiB of a table");
    refused(&judge("nonesuch nodes=1"), "the judge of luck: ");
    refused(&|unit| unit.pairs = 1_000_000, "pairs");
    refused(&|unit| unit.openings = Openings::Random(1_000_000), "plies of an opening");
    refused(&|unit| unit.rules = "openspiel50,quiet=900".to_owned(), "plies of a game: at most 20000 here");
    refused(&|unit| unit.game = "x".repeat(2 << 20), "bytes of text");
    refused(&|unit| unit.first = u64::MAX, "pairs are counted from 1");
    refused(&|unit| unit.openings = Openings::List(vec!["a1".to_owned(); 9]), "9 openings for 1 pairs");
}

/// Every tally and every game of a match.
fn whole<G: ArenaGame>(
    game: &Match,
    ledger: Option<&mut dyn ResultStore>,
    threads: usize,
) -> (Tally, Vec<Record<G>>) {
    let mut games = Vec::new();
    let tally =
        game.run::<G>(&Worker::default(), ledger, threads, &mut |_, pair| games.extend_from_slice(pair));
    (tally.expect("a match"), games)
}

/// Both games of a pair have one deal, with the seats exchanged; another pair has another deal.
#[test]
fn every_deal_is_played_twice() {
    let (_, games) = whole::<Banqi>(&game(), None, 2);
    let mut deals = std::collections::BTreeSet::new();
    for pair in games.chunks(2) {
        let [one, two] = pair else { panic!("two games in a pair") };
        let deal = one.tag("Deal").expect("a deal");
        assert!(deals.insert(deal) && two.tag("Deal") == Some(deal), "{deal}");
        assert!(one.replay().is_ok() && two.replay().is_ok());
        assert_eq!([one.tag("First"), one.tag("Second")], [two.tag("Second"), two.tag("First")]);
    }
}

#[test]
fn parts_that_are_merged_are_the_whole() {
    for batch in [1, 2, 4] {
        let game = Match { batch, openings: Openings::Random(3), annotate: Some(1), ..game() };
        let expected = whole::<Banqi>(&game, None, 1);
        assert!(expected.1.iter().any(|record| record.annotation(5).is_some()));
        let mut merged: BTreeMap<Name, UnitResult> = BTreeMap::new();
        for part in [(2, game.len()), (1, 1)] {
            let mut own = BTreeMap::new();
            let (tally, games) =
                whole::<Banqi>(&Match { part: Some(part), ..game.clone() }, Some(&mut own), 2);
            assert_eq!(tally.games.iter().sum::<u64>(), games.len() as u64);
            merged.extend(own);
        }
        assert_eq!(merged.len() as u64, game.len());
        assert_eq!(whole::<Banqi>(&game, Some(&mut merged), 2), expected, "batches of {batch}");
        assert_eq!(merged.len() as u64, game.len(), "nothing was played again");
    }
    let all = whole::<Banqi>(&game(), None, 1);
    let batched = whole::<Banqi>(&Match { batch: 4, ..game() }, None, 1);
    assert_eq!(all, batched, "how a match is cut does not matter");
}

#[test]
fn any_game_can_have_a_match() {
    let (tally, games) = whole::<TicTacToe>(
        &Match::new::<TicTacToe>(players("exact,depth=9", "random"), "standard", 1, 20),
        None,
        2,
    );
    assert_eq!(games.len(), 40);
    assert!(
        tally.games[2] == 0 && tally.games[0] > 20,
        "who looks nine plies ahead does not lose: {:?}",
        tally.games
    );

    // Four seats: each contestant sits in both seats of its team, and the seats are exchanged.
    let game = Match::new::<Heap>(players("mcts,hash=1", "random"), "standard", 1, 60);
    let (tally, games) = whole::<Heap>(&game, None, 2);
    assert_eq!(games.len(), 120);
    assert!(games.iter().all(|record| record.replay().is_ok()));
    assert!(games.iter().all(|record| record.plies.iter().any(|ply| ply.seat == Seat(3))));
    assert_eq!(games[0].tag("First"), games[1].tag("Second"));
    assert!(tally.games[0] > tally.games[2], "who thinks wins: {:?}", tally.games);
}

/// Another engine is another run, and the message says what is different about it.
#[test]
fn an_edited_engine_cannot_go_on() {
    let path = std::env::temp_dir().join(format!("anglerfish-engine-{}", std::process::id()));
    let _ = std::fs::remove_file(&path);
    let identity = |tempo: &str| {
        Identity::of(
            [("tunables.tempo", tempo), ("behavior_hash.bench", "730878")]
                .map(|(a, b)| (a.to_owned(), b.to_owned())),
        )
    };
    let one = Match { engine: identity("6:0"), ..game() };
    let other = Match { engine: identity("7:0"), ..game() };
    drop(Journal::open(&path, &one.run_name()).expect("a new journal"));
    let error = Journal::open(&path, &other.run_name()).err().expect("another engine").to_string();
    assert!(error.contains("engine.tunables.tempo was \"6:0\" and is now \"7:0\""), "{error}");
    assert!(!error.contains("bench"), "{error}");
    std::fs::remove_file(&path).expect("our own file");
    // Each difference from our own engine is named: each number, each parameter, each behavior hash.
    let ours = Identity::of_this_build(&Models::default(), None);
    assert!(ours.parts().len() > 60, "{:?}", ours.parts().keys());
    drop(Journal::open(&path, &Match { engine: ours.clone(), ..game() }.run_name()).expect("a new journal"));
    for (name, text) in ours.parts() {
        let mut parts = ours.parts().clone();
        parts.insert(name.clone(), format!("1{text}"));
        let edited = Match { engine: Identity::of(parts), ..game() };
        let error = Journal::open(&path, &edited.run_name()).err().expect(name).to_string();
        assert!(error.contains(&format!(" with other settings: engine.{name} was ")), "{name}: {error}");
        assert_ne!(edited.unit(1).name(), Match { engine: ours.clone(), ..game() }.unit(1).name());
    }
    std::fs::remove_file(path).expect("our own file");
    // Nor does a machine with another engine play its units.
    let worker = Worker { identity: identity("7:0"), ..Worker::default() };
    let error = worker.play::<Banqi>(&one.unit(1).text()).expect_err("another engine").to_string();
    assert!(error.contains("the unit is for the engine"), "{error}");
    assert!(worker.play::<Banqi>(&other.unit(1).text()).is_ok());
}

/// Luck is judged where games are played or afterwards, and is the same; and it changes nothing of the games.
#[test]
fn luck_is_in_the_records() {
    let judging = Judging::default();
    let judged = Match { luck: Some(judging.clone()), openings: Openings::Random(2), ..game() };
    let unjudged = Match { luck: None, ..judged.clone() };
    let mut judge = judging.judge::<Banqi>().expect("a judge");
    for n in 1..=6 {
        let play = |game: &Match| Worker::default().play::<Banqi>(&game.unit(n).text()).expect("games");
        let (judged, mut later) = (play(&judged), play(&unjudged));
        assert!(later.iter().all(|record| read_luck(record).is_none()));
        for record in &mut later {
            judging.write(&mut judge, record);
        }
        assert_eq!(write_games(&judged), write_games(&later));
        assert!(
            judged
                .iter()
                .all(|record| read_luck(record).is_some_and(|(judge, _)| judge == judging.to_string()))
        );
    }
    let tally = whole::<Banqi>(&judged, None, 2);
    let known = tally.0.adjusted.as_ref().and_then(Adjusted::known).expect("luck");
    assert_eq!(known.pairs, 6);
    assert!((known.raw.value - tally.0.pairs.score()).abs() < 1e-12);
}
