//! Questions as pages ask them.

use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary};
use anglerfish_engine::{Belief, ManualClock, Stance};
use anglerfish_report::review::told_apart;
use anglerfish_rules::{Game, Ply, Rng};
use proptest::prelude::*;

use super::*;
use crate::game::{LONGEST_NAME, MOST_PLIES, fits};

/// Believes one thing of every opponent.
struct Certain;

impl OpponentModel<Banqi> for Certain {
    fn summary(&self, _: &Debt) -> OpponentSummary {
        let beliefs = vec![Belief { style: "capturer".into(), probability: 1.0 }];
        let stance = Stance { draws: None, trust: Some(0.5) };
        OpponentSummary { beliefs, stance, estimate: None }
    }
}

fn asked(pages: &mut Pages, question: &Value) -> Value {
    pages.ask(&question.to_string(), &Stop::default(), &mut |_| {})
}

fn pages() -> Pages {
    let mut assets = Assets::default();
    assets.models_mut().add::<Banqi>("bayes", |_, _| Ok(Box::new(Certain)));
    Pages::new(Arc::new(ManualClock::default()), assets)
}

fn begun(pages: &mut Pages, tags: &Value) -> Value {
    asked(pages, &json!({ "ask": "begin", "rules": "platform", "tags": tags, "lang": "en" }))
}

/// Asks the engine and plays what it says, until the game is over.
fn played_out(pages: &mut Pages, look: Value, study: bool) -> (Value, Value) {
    let (mut look, mut thought) = (look, Value::Null);
    for seed in 0.. {
        if look["seat"].is_null() {
            break;
        }
        assert!(!look["actions"].as_array().expect("actions").is_empty());
        let question = json!({ "ask": "think", "record": look["record"], "player": "level2", "seed": 7, "study": study, "lang": "en" });
        thought = asked(pages, &question);
        // A player without memory of earlier games plays by the same rules.
        let action = &thought["action"];
        assert!(look["actions"].as_array().expect("actions").contains(action), "{thought}");
        let question = json!({ "ask": "act", "record": look["record"], "action": action, "seed": seed, "took": 10, "lang": "en" });
        look = asked(pages, &question);
        assert!(look["record"].is_string(), "{look}");
    }
    (look, thought)
}

#[test]
fn an_undone_flip_reveals_nothing() {
    let mut pages = pages();
    let before = begun(&mut pages, &json!([]));
    let flip = json!({ "ask": "act", "record": before["record"], "action": "b3", "seed": 7, "took": 0, "lang": "en" });
    let after = asked(&mut pages, &flip);
    assert_ne!(after["bag"], before["bag"]);
    let undo = json!({ "ask": "undo", "record": after["record"], "plies": 0, "lang": "en" });
    assert_eq!(asked(&mut pages, &undo), before);
}

#[test]
fn the_deal_of_a_day_is_the_same_for_all() {
    let mut pages = pages();
    let mut flipped = |date: &str, squares: &[&str], seed: u64| -> Vec<Value> {
        let mut look = begun(&mut pages, &json!([["Daily", date]]));
        for square in squares {
            let act = json!({ "ask": "act", "record": look["record"], "action": square, "seed": seed, "took": 0, "lang": "en" });
            look = asked(&mut pages, &act);
            assert!(look["record"].is_string(), "{look}");
        }
        let mut found: Vec<Value> =
            look["plies"].as_array().expect("plies").iter().map(|p| p["text"].clone()).collect();
        found.sort_by_key(ToString::to_string);
        found
    };
    let squares: Vec<String> =
        (1..=8).flat_map(|rank| "abcd".chars().map(move |file| format!("{file}{rank}"))).collect();
    let forward: Vec<&str> = squares.iter().map(String::as_str).collect();
    let backward: Vec<&str> = forward.iter().rev().copied().collect();
    // Neither the order of the flips nor the seed of the player changes a piece; the date does.
    let first = flipped("2026-11-19", &forward, 1);
    assert_eq!(first.len(), 32);
    assert_eq!(flipped("2026-11-19", &backward, 2), first);
    assert_ne!(flipped("2026-11-20", &forward, 1), first);
    // The record of a game that goes on does not contain the layout.
    let look = begun(&mut pages, &json!([["Daily", "2026-11-19"]]));
    let text = look.to_string();
    assert!(
        !text.contains("Deal ") && look["position"].as_str().is_some_and(|p| p.contains("XXXX/XXXX")),
        "{text}"
    );
    // What is no date, and a record with other pieces, are refused.
    let act = |record: &str| json!({ "ask": "act", "record": record, "action": "a1", "seed": 1, "took": 0, "lang": "en" });
    for date in ["today", "2026-1-1", "2026-11-1x", ""] {
        let look = begun(&mut pages, &json!([["Daily", date]]));
        let refused = asked(&mut pages, &act(look["record"].as_str().expect("a record")));
        assert!(refused["error"].as_str().is_some_and(|why| why.contains("a date such as")), "{refused}");
    }
    let other = begun(&mut pages, &json!([["Daily", "2026-11-20"]]));
    let other = asked(&mut pages, &act(other["record"].as_str().expect("a record")));
    let forged =
        other["record"].as_str().expect("a record").replace("2026-11-20", "2026-11-19").replace("a1(", "b1(");
    let refused = asked(&mut pages, &act(&forged));
    assert!(refused["error"].as_str().is_some_and(|why| why.contains("other pieces")), "{refused}");
}

#[test]
fn a_game_is_played_to_its_end_and_judged() {
    let mut pages = pages();
    let tags = json!([["First", "you"], ["Second", "engine"], ["Player", "level2"], ["Person", "first"]]);
    let look = begun(&mut pages, &tags);
    let (look, thought) = played_out(&mut pages, look, true);
    let record: Record<Banqi> = look["record"].as_str().expect("a record").parse().expect("a record");
    assert!(record.replay().is_ok() && record.ending.is_some());
    assert_eq!(look["ending"]["result"], record.ending.expect("an ending").outcome.text());
    // What is believed is a profile that can be read again.
    let profile = thought["profile"].as_str().expect("a profile");
    assert!(profile.parse::<anglerfish_engine::Profile>().is_ok(), "{profile}");
    let total: f64 =
        thought["styles"].as_array().expect("styles").iter().filter_map(|s| s["probability"].as_f64()).sum();
    assert!((total - 1.0).abs() < 1e-6);
    let mut told = 0;
    let question = json!({ "ask": "review", "record": look["record"], "nodes": 20, "side": 1, "lang": "en" });
    let review = pages.ask(&question.to_string(), &Stop::default(), &mut |_| told += 1);
    assert_eq!(told, record.plies.len());
    assert_eq!(review["players"][1]["name"], told_apart(&record)[1]);
}

/// A fallen flag and a resignation lose; a refusal comes in words and changes nothing.
#[test]
fn clocks_run_and_people_resign() {
    let mut pages = pages();
    let look = begun(&mut pages, &json!([["Time", "60+1"]]));
    let act = |pages: &mut Pages, look: &Value, action: Value, took: u64| {
        let question = json!({ "ask": "act", "record": look["record"], "action": action, "seed": 3, "took": took, "lang": "en" });
        asked(pages, &question)
    };
    let refused = act(&mut pages, &look, "b3-b4".into(), 0);
    assert_eq!(
        refused["refused"],
        "Not allowed: the first move of a game is a flip: one square, such as b3."
    );
    let look = act(&mut pages, &look, "b3".into(), 5000);
    assert_eq!(look["clocks"]["left"], json!([60_000, 60_000]), "the first ply is free");
    let look = act(&mut pages, &look, "c3".into(), 20_000);
    assert_eq!(look["clocks"]["left"], json!([60_000, 41_000]));
    assert!(act(&mut pages, &look, Value::Null, 59_000)["ending"].is_null());
    let over = act(&mut pages, &look, Value::Null, 61_000);
    assert_eq!((&over["ending"]["result"], &over["ending"]["reason"]), (&json!("0-1"), &json!("timeout")));
    assert_eq!(over["seat"], Value::Null);
    let given_up =
        asked(&mut pages, &json!({ "ask": "resign", "record": look["record"], "seat": 1, "lang": "en" }));
    assert_eq!(given_up["ending"]["result"], "1-0");
    let back =
        asked(&mut pages, &json!({ "ask": "undo", "record": given_up["record"], "plies": 1, "lang": "en" }));
    assert_eq!((back["plies"].as_array().map(Vec::len), &back["ending"]), (Some(1), &Value::Null));
    let told = asked(
        &mut pages,
        &json!({ "ask": "told", "record": back["record"], "ply": 0, "event": "a1(K)", "lang": "en" }),
    );
    assert_eq!(told["colors"], json!(["red", "black"]));
    let twice = json!({ "ask": "told", "record": told["record"], "ply": 1, "event": "a2(K)", "lang": "en" });
    assert!(asked(&mut pages, &twice)["error"].is_string(), "there is one red king only");
}

#[test]
fn positions_are_set_up() {
    let mut pages = pages();
    let mut set = |cells: &str, bag: &str, side: &str| {
        asked(
            &mut pages,
            &json!({ "ask": "setup", "cells": cells, "bag": bag, "side": side, "rules": "platform", "lang": "en" }),
        )
    };
    let full = set(&"X".repeat(32), "", "red");
    assert_eq!(full["position"], Banqi::start(RuleSet::PLATFORM).to_string());
    let some = format!("R-n{}X", "-".repeat(28));
    assert_eq!(set(&some, "p1", "black")["board"], some);
    assert_eq!(set(&some, "p1", "black")["colors"], json!(["black", "red"]));
    for (cells, bag) in
        [(some.as_str(), ""), (&some, "p2"), (&some, "Z1"), ("RR", ""), (&"K".repeat(32), ""), ("é", "")]
    {
        assert!(set(cells, bag, "red")["error"].is_string(), "{cells} {bag}");
    }
}

/// A hundred-thousand-fold answer of the same kind: a search stops when it is told to.
#[test]
fn a_stop_is_heard() {
    let mut pages = pages();
    let look = begun(&mut pages, &json!([]));
    let stop = Stop::default();
    stop.set();
    let question = json!({ "ask": "analyse", "record": look["record"], "nodes": MOST_NODES });
    let seen = pages.ask(&question.to_string(), &stop, &mut |_| {});
    assert!(seen["nodes"].as_u64().is_some_and(|nodes| nodes < 1_000_000), "{seen}");
}

/// A review ends when it is told to, and a player who looks very far by the nodes that it has.
#[test]
fn a_stop_and_a_limit_reach_every_search() {
    let mut pages = pages();
    let tags = json!([["First", "you"], ["Second", "engine"]]);
    let look = begun(&mut pages, &tags);
    let far = |player: &str| json!({ "ask": "think", "record": look["record"], "player": player, "seed": 1, "lang": "en" });
    let thought = asked(&mut pages, &far("exact,depth=100"));
    assert!(thought["nodes"].as_u64().is_some_and(|nodes| nodes <= 1_000_000), "{thought}");
    let stop = Stop::default();
    stop.set();
    assert_eq!(pages.ask(&far("exact,depth=100").to_string(), &stop, &mut |_| {})["nodes"], 0);
    // Players who would be imagined without any limit, or with a table of any size.
    for player in [
        "alphabeta,opponent=replica,replica=exact/depth=100",
        "alphabeta,opponent=replica,replica=alphabeta/nodes=10/hash=65536",
    ] {
        assert!(asked(&mut pages, &far(player))["error"].is_string(), "{player}");
    }
    let (look, _) = played_out(&mut pages, look.clone(), false);
    let review = json!({ "ask": "review", "record": look["record"], "nodes": 50, "side": 0, "lang": "en" });
    let (stop, mut told) = (Stop::default(), 0);
    let review = pages.ask(&review.to_string(), &stop, &mut |_| {
        told += 1;
        stop.set();
    });
    assert_eq!((told, &review["error"]), (1, &json!("the review was stopped")));
}

/// No answer is many times as long as its question: games, names and lists have a length that pages can show.
#[test]
fn answers_are_of_a_length() {
    let mut pages = pages();
    let long = |error: &str, answer: &Value| {
        assert!(answer["error"].as_str().is_some_and(|said| said.contains(error)), "{error}: {answer:.300}");
    };
    let name = |n: usize| json!([["First", "n".repeat(n)]]);
    assert!(begun(&mut pages, &name(LONGEST_NAME))["record"].is_string());
    long("names of at most 200 bytes, found 201", &begun(&mut pages, &name(LONGEST_NAME + 1)));
    long("a question about a game", &begun(&mut pages, &json!([["Note", "n".repeat(LONGEST_GAME)]])));
    // A game that anybody may play, and one that only a text has.
    let mut rng = Rng::new(1);
    let mut record = Record::new(Banqi::start(RuleSet::PLATFORM));
    while record.plies.len() < 130 {
        record.plies.clear();
        let mut game = record.start.clone();
        while let (Some(seat), Some(action)) = (game.turn().seat(), game.random_action(&mut rng)) {
            let event = game.resolve(action, &mut rng);
            record.plies.push(Ply { seat, event, took: std::time::Duration::ZERO });
            game.apply(event);
        }
    }
    // It is broken off before its last ply.
    record.plies.pop();
    let games = MOST_GAMES.min(LONGEST / record.to_string().len());
    let text = format!("{record}\n").repeat(games);
    let found = asked(&mut pages, &json!({ "ask": "read", "text": text, "lang": "en" }));
    let listed = found["games"].as_array().map_or(0, Vec::len);
    assert_eq!(listed, MOST_LISTED / record.plies.len());
    assert_eq!(found["more"], games - listed);
    let stop = Stop::default();
    stop.set();
    let question = json!({ "ask": "read", "text": text, "lang": "en" });
    assert_eq!(pages.ask(&question.to_string(), &stop, &mut |_| {})["error"], "reading was stopped");
    assert!(fits(&record).is_ok());
    record.plies = vec![record.plies[0]; MOST_PLIES + 1];
    assert_eq!(fits(&record).expect_err("too long").0, "expected a game of at most 5000 plies, found 5001");
}

/// A page cannot give a game more tags than a reader takes.
#[test]
fn tags_are_few() {
    let tags = |n: usize| json!((0..n).map(|n| [format!("T{n}"), "x".to_owned()]).collect::<Vec<_>>());
    assert!(begun(&mut pages(), &tags(100))["record"].is_string());
    assert_eq!(begun(&mut pages(), &tags(101))["error"], "expected at most 100 tags, found 101");
}

#[test]
fn lessons_have_all_that_is_taught() {
    for lang in Lang::ALL {
        let taught = asked(&mut pages(), &json!({ "ask": "lessons", "lang": lang.tag() }));
        assert_eq!(
            taught["lessons"].as_array().map(Vec::len),
            Some(anglerfish_report::lessons::lessons().len())
        );
        assert_eq!(taught["takes"][0][6], "-", "a king takes no pawn");
        assert_eq!(taught["tasks"].as_array().map(Vec::len), Some(anglerfish_report::tasks::tasks().len()));
    }
}

/// What a lesson asks for is what the engine would do, and what it warns of is worse: by a twentieth of a game at least.
/// The course asks for the first of everything, good or not.
#[test]
fn lessons_teach_good_choices() {
    let mut pages = pages();
    let taught = asked(&mut pages, &json!({ "ask": "lessons", "lang": "en" }));
    for task in taught["tasks"].as_array().expect("tasks").iter().filter(|task| task["course"] == false) {
        let question = json!({ "ask": "analyse", "record": task["look"]["record"], "nodes": 5_000 });
        let seen = asked(&mut pages, &question);
        let best = |accepted: bool| {
            let lines = seen["lines"].as_array().expect("lines").iter();
            let wanted = lines.filter(|line| {
                let action = &line["actions"][0];
                task["accepts"].as_array().expect("actions").contains(action) == accepted
            });
            wanted.filter_map(|line| line["value"].as_f64()).fold(-1.0, f64::max)
        };
        let (good, bad) = (best(true), best(false));
        // Two tasks have other ways to the same end, so only the shortest is asked for.
        let margin =
            if ["fork", "stuck"].contains(&task["key"].as_str().unwrap_or_default()) { -0.01 } else { 0.05 };
        assert!(good >= bad + margin, "{}: {good:.2}, and {bad:.2} otherwise", task["key"]);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, ..ProptestConfig::default() })]

    /// Every question of a link or a person has an answer.
    #[test]
    fn nothing_is_asked_in_vain(text in ".{0,80}", cells in "[KGMRNCPkgmrncpX-]{30,34}", ply in 0usize..300) {
        let mut pages = pages();
        pages.ask(&text, &Stop::default(), &mut |_| {});
        let look = begun(&mut pages, &json!([[text, "x"], ["First", text]]));
        prop_assert!(look["error"].is_string() || look["record"].is_string());
        for (ask, field) in [("look", "record"), ("read", "text")] {
            let answer = asked(&mut pages, &json!({ "ask": ask, field: text, "lang": text }));
            prop_assert!(answer["error"].is_string() || answer.is_object());
        }
        let record = Record::new(Banqi::start(RuleSet::PLATFORM)).to_string();
        for question in [
            json!({ "ask": "act", "record": record, "action": text, "seed": 1, "took": 1, "lang": "en" }),
            json!({ "ask": "told", "record": record, "ply": ply, "event": text, "lang": "en" }),
            json!({ "ask": "undo", "record": record, "plies": ply, "lang": "en" }),
            json!({ "ask": "look", "record": record, "ply": ply, "lang": "en" }),
            json!({ "ask": "think", "record": record, "player": text, "seed": 1, "study": true, "profile": text, "lang": "en" }),
            json!({ "ask": "setup", "cells": cells, "bag": text, "side": text, "rules": "platform", "lang": "en" }),
        ] {
            prop_assert!(asked(&mut pages, &question).is_object());
        }
    }
}
