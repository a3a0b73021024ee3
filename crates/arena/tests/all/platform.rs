//! The tournament platform's formats, on games made up for the purpose.

use std::time::Duration;

use anglerfish_arena::platform::{PlatformEnd, PlatformError, read_compact, read_text};
use anglerfish_rules::banqi::RuleSet;
use anglerfish_rules::{Cause, Forfeit, Mismatch, Outcome, Team};

const TEXT: &str = "INITIAL\r\n* 2021-06-01 10:00:00\r\n* Anglerfish vs Baseline\r\n* 1 2 2 2 2 2 5 1 2 2 2 2 2 5\r\n\
    X X X X\r\nX X X X\r\nX X X X\r\nX X X X\r\nX X X X\r\nX X X X\r\nX X X X\r\nX X X X\r\n\
    * first 0\r\n* time 900\r\n* 1. a1(K) a2(p)\r\n* 2. b1(P) a2-a1\r\n";

#[test]
fn text_records() {
    let game = read_text(TEXT).expect("a record");
    assert_eq!(game.name, "Anglerfish vs Baseline");
    let words: Vec<String> = game.events.iter().map(ToString::to_string).collect();
    assert_eq!(words.join(" "), "a1(K) a2(p) b1(P) a2-a1");
    let record = game.to_record(RuleSet::PLATFORM).expect("legal");
    assert_eq!(record.ending, None, "the text form does not say how a game ended");
    assert!(record.replay().is_ok());
}

#[test]
fn text_errors_point() {
    let broken = TEXT.replace("b1(P)", "b1(Q)");
    let Err(PlatformError::Text(error)) = read_text(&broken) else { panic!("a bad ply") };
    assert_eq!(error.line_column(&broken), (16, 6));
    assert!(read_text("").is_err() && read_text("START\n").is_err());
    assert!(read_text(&TEXT.replacen("X X X X", "X K X X", 1)).is_err(), "not from the start of a game");
}

#[test]
fn compact_records() {
    let line = r#"{"id":"g1","set":"s","end":"TimeOut","plies":"a1(K) a2(p) b1(P)","clock_ms":[900000,899000,898500]}"#;
    let game = read_compact(line).expect("a game");
    assert_eq!((game.name.as_str(), game.end), ("g1", PlatformEnd::TimeOut));
    let record = game.to_record(RuleSet::PLATFORM).expect("legal");
    let ending = record.ending.expect("the clock ended it");
    assert_eq!(ending.cause, Cause::Forfeit(Forfeit::Timeout));
    assert_eq!(ending.outcome, Outcome::Win(Team::A), "the second player was to move");
    let took: Vec<Duration> = record.plies.iter().map(|p| p.took).collect();
    assert_eq!(took, [0, 1000, 1500].map(Duration::from_millis));
    assert!(record.replay().is_ok());
}

#[test]
fn what_does_not_hold_is_said() {
    let with = |end: &str, plies: &str| {
        let line = format!(r#"{{"id":"g","end":"{end}","plies":"{plies}"}}"#);
        read_compact(&line).expect("readable").to_record(RuleSet::PLATFORM)
    };
    let illegal = with("NoMove", "a1(K) a1(p)").expect_err("a1 is face up");
    assert_eq!((illegal.ply, illegal.what), (2, Mismatch::Impossible));
    let early = with("NoMove", "a1(K) a2(p)").expect_err("both sides can move");
    assert!(matches!(early.what, Mismatch::Ending { by_rules: None, .. }), "{early}");
    assert!(matches!(read_compact(r#"{"id":"g","end":"Lunch","plies":""}"#), Err(PlatformError::End(_))));
    assert!(matches!(read_compact("{"), Err(PlatformError::Json(_))));
    assert!(matches!(read_compact(r#"{"id":"g","end":"NoMove","plies":"z9"}"#), Err(PlatformError::Text(_))));
}
