//! After a person's game: a rematch, the review, another try at the mistakes, and the list of all games.

use std::path::Path;
use std::process::{Command, Output};

use anglerfish_report::Lang;
use serde_json::Value;

use crate::fish::{FISH, folder};
use crate::play::{kept, play_at};

/// A position at which one move loses the king.
const POSITION: &str = "-R--/----/--p-/gK-r r - 0 40 platform,board=4x4";

/// Runs the program of the person who has these games.
fn at_home(home: &Path, words: &[&str]) -> Output {
    let mut command = Command::new(FISH);
    command.args(words).current_dir(home).env("XDG_DATA_HOME", home).env("LC_ALL", "C");
    command.env_remove("COLUMNS");
    command.output().expect("it starts")
}

fn said(home: &Path, words: &[&str]) -> String {
    let output = at_home(home, words);
    assert!(output.status.success(), "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).expect("text")
}

/// A text up to its first value.
fn begin(lang: Lang, key: &str) -> &str {
    lang.text(key).split('{').next().unwrap_or_default()
}

/// The mistakes of a game are tried again, one by one, in every language: what is no move, what was played, what is as
/// bad and what is better are answered in words.
#[test]
fn mistakes_are_tried_again() {
    for lang in Lang::ALL {
        let home = folder(&format!("after-retry-{}", lang.tag()));
        let args = ["--from", POSITION, "--level", "1", "--lang", lang.tag(), "--seed", "5"];
        let word = |key: &str| lang.text(key).to_owned();
        let (resign, retry, quit) = (word("command.resign"), word("command.retry"), word("command.quit"));
        let typed = [
            "b1-b2", &retry, &resign, "y", &retry, "castle", "b1-d1", "b1-b2", "b1-c1", "b1-a1", "3", "hint",
            "3", "q", "b4", &quit,
        ];
        let text = play_at(&home, &args, &typed);
        for key in [
            "after.not_yet",
            "after.choices",
            "retry.begin",
            "retry.expected",
            "play.not_allowed",
            "retry.same",
            "retry.bad",
            "retry.end",
            "retry.answer",
        ] {
            assert!(text.contains(begin(lang, key)), "{key} in\n{text}");
        }
        let why = [
            (Lang::En, "the black pawn 卒 on c2 takes the red king 帥 on b2"),
            (Lang::ZhHant, "c2 的黑卒會吃掉 b2 的紅帥"),
            (Lang::ZhHans, "c2 的黑卒会吃掉 b2 的红帅"),
        ];
        let why = why.into_iter().find(|(of, _)| *of == lang).expect("a language").1;
        assert!(text.contains(why), "{why} in\n{text}");
        let played = text.matches("1/1").count();
        assert!(played == 3 && text.contains("b1-b2"), "once for each retry:\n{text}");
        let found = [begin(lang, "retry.best"), begin(lang, "retry.good")];
        assert!(found.iter().any(|good| text.contains(good)), "{text}");
        assert!(!text.contains(['{', '}']), "{text}");
        std::fs::remove_dir_all(home).expect("cleaned up");
    }
}

/// A game without mistakes has nothing to try again.
#[test]
fn a_game_without_mistakes_has_nothing_to_try_again() {
    let home = folder("after-clean");
    let position = "----/-Rp-/----/---- r - 0 40 platform,board=4x4";
    let text = play_at(&home, &["--from", position, "--level", "1"], &["b3xc3", "retry", "quit"]);
    assert!(text.contains("You have won") && text.contains("No move of yours cost 0.20 or more"), "{text}");
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// A rematch has the same rules, level and start, and the other side begins.
#[test]
fn a_rematch_exchanges_the_seats() {
    for lang in Lang::ALL {
        let home = folder(&format!("after-rematch-{}", lang.tag()));
        let args = ["--level", "2", "--rules", "olympiad,board=4x4", "--lang", lang.tag(), "--seed", "5"];
        let (resign, again) = (lang.text("command.resign"), lang.text("command.rematch"));
        let text = play_at(&home, &args, &["a1", resign, "y", again, "resign", "y", "1", "quit"]);
        let games = kept(&home);
        assert_eq!(games.len(), 2, "the third has no move yet:\n{text}");
        let tags = |name: &str| [games[0].tag(name).expect(name), games[1].tag(name).expect(name)];
        assert_eq!(tags("Person"), ["first", "second"]);
        assert_eq!(tags("Player"), ["level2", "level2"]);
        assert_eq!(tags("First"), [lang.text("play.you"), tags("Second")[0]]);
        assert_ne!(tags("Seed")[0], tags("Seed")[1]);
        assert_eq!(games[0].start, games[1].start);
        assert_eq!(games[1].plies[0].seat.0, 0, "the engine began");
        for key in ["after.engine_begins", "after.you_begin"] {
            assert!(text.contains(lang.text(key)), "{key} in\n{text}");
        }
        std::fs::remove_dir_all(home).expect("cleaned up");
    }
}

/// `review` takes the last finished game, as its player saw it; the same review follows the game at the board.
#[test]
fn a_review_takes_the_last_game() {
    let home = folder("after-review");
    let output = at_home(&home, &["review"]);
    let none = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(2) && none.contains("expected a game that you finished"), "{none}");
    let args = ["--level", "1", "--seed", "5", "--rules", "platform,board=2x4", "--first", "engine"];
    let text = play_at(&home, &args, &["a1", "b1", "a2", "resign", "y", "review", "2", "quit"]);
    play_at(&home, &["--level", "1", "--seed", "6"], &["a1", "quit"]);
    let review = said(&home, &["review"]);
    assert!(review.contains("Seen by you.") && review.contains("Where the result came from"), "{review}");
    assert_eq!(text.matches(&review).count(), 2, "{text}\n{review}");
    let json: Value = serde_json::from_str(&said(&home, &["review", "--json"])).expect("JSON");
    assert_eq!(json["for"], 1, "the person was second");
    let first = said(&home, &["review", "--game", "1"]);
    assert_eq!(first, review);
    let mut narrow = Command::new(FISH);
    narrow.arg("review").env("XDG_DATA_HOME", &home).env("LC_ALL", "C").env("COLUMNS", "40");
    let narrow = String::from_utf8(narrow.output().expect("it starts").stdout).expect("text");
    assert!(narrow.lines().all(|line| anglerfish_report::columns(line) <= 40), "{narrow}");
    let words = |text: &str| {
        text.split_whitespace().filter(|word| word.is_ascii()).map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(words(&narrow), words(&review), "nothing is cut");
    assert_eq!(at_home(&home, &["review", "--game", "9"]).status.code(), Some(2));
    assert!(said(&home, &["review", "--all", "--judge", "nodes=20"]).starts_with("1 game,"));
    std::fs::remove_dir_all(home).expect("cleaned up");
}

/// `games` lists what was played and counts it by level and color; luck is known once a game was reviewed.
#[test]
fn games_are_listed_and_counted() {
    let home = folder("after-games");
    assert!(said(&home, &["games"]).starts_with("No games yet."));
    play_at(&home, &["--level", "1", "--seed", "5"], &["b3", "resign", "y", "quit"]);
    let won = "----/-Rp-/----/---- r - 0 40 platform,board=4x4";
    play_at(&home, &["--level", "10", "--from", won], &["b3xc3", "quit"]);
    play_at(&home, &["--level", "1", "--seed", "6"], &["b3", "quit"]);
    let counts = || serde_json::from_str::<Value>(&said(&home, &["games", "--json"])).expect("JSON");
    let before = counts();
    let results: Vec<&Value> = (0..3).map(|n| &before["games"][n]["result"]).collect();
    assert_eq!(results, [&Value::from(-1), &Value::from(1), &Value::Null]);
    assert_eq!([&before["all"]["won"], &before["all"]["lost"], &before["all"]["judged"]], [1, 1, 0]);
    assert_eq!(before["by_player"]["level10"]["won"], 1);
    assert_eq!(before["by_player"]["level1"]["lost"], 1);
    assert_eq!([&before["by_color"]["red"]["won"], &before["by_color"]["black"]["lost"]], [1, 1]);
    let review: Value =
        serde_json::from_str(&said(&home, &["review", "--game", "1", "--json"])).expect("JSON");
    let after = counts();
    assert_eq!(after["games"][0]["luck"], review["sums"]["luck"]);
    assert_eq!([&after["all"]["judged"], &after["by_player"]["level1"]["judged"]], [1, 1]);
    for lang in Lang::ALL {
        let text = said(&home, &["games", "--lang", lang.tag(), "--last", "2"]);
        for key in [
            "games.opponent",
            "games.by_opponent",
            "games.by_color",
            "games.open",
            "outcome.won",
            "games.continue",
        ] {
            assert!(text.contains(lang.text(key)), "{key} in\n{text}");
        }
        assert!(!text.contains(['{', '}']), "{text}");
        assert!(text.lines().all(|line| anglerfish_report::columns(line) <= 80), "{text}");
    }
    std::fs::write(home.join("anglerfish/games/00002.games"), "damaged").expect("a file");
    let output = at_home(&home, &["games"]);
    assert!(String::from_utf8_lossy(&output.stderr).contains("00002.games is damaged"), "{output:?}");
    assert_eq!(output.status.code(), Some(1));
    std::fs::remove_dir_all(home).expect("cleaned up");
}
