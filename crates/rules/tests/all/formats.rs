//! The test vectors of docs/formats.md.

use std::fmt::Display;
use std::str::FromStr;

use anglerfish_rules::banqi::{Banqi, Event, Layout, RuleSet, read_deals, write_deals};
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{NotationError, Record};

#[test]
fn vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(path).expect("docs/formats.md");
    let mut n = 0;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').expect("a block with a kind");
        match kind {
            "event" => goes_round::<Event>(text),
            "rules" => goes_round::<RuleSet>(text),
            "position" => goes_round::<Banqi>(text),
            "layout" => goes_round::<Layout>(text),
            "record" if text.contains("tictactoe") => record::<TicTacToe>(text),
            "record" if text.contains("heap") => record::<Heap>(text),
            "record" if text.contains("\"siguo\"") => {}
            "record" => record::<Banqi>(text),
            "deals" => {
                let file = format!("{text}\n");
                assert_eq!(write_deals(&read_deals(&file).expect("a deal file")), file);
            }
            // Read by the tests of the crates that write them.
            "profile" | "journal" | "unit" | "provenance" | "verdict" | "store" | "import" | "index"
            | "positions" => {}
            kind if kind.contains("siguo") => {}
            "refused event" => refused::<Event>(text),
            "refused rules" => refused::<RuleSet>(text),
            "refused position" => refused::<Banqi>(text),
            "refused record" => refused::<Record<Heap>>(text),
            _ => panic!("docs/formats.md has a block of an unknown kind: {kind:?}"),
        }
        n += 1;
    }
    assert!(n >= 25, "only {n} vectors were found");
}

fn goes_round<T: FromStr<Err = NotationError> + Display>(text: &str) {
    let value: T = text.parse().unwrap_or_else(|e: NotationError| panic!("{}", e.pointing_at(text)));
    assert_eq!(value.to_string(), text);
}

fn record<G: anglerfish_rules::Game>(text: &str) {
    let text = format!("{text}\n");
    goes_round::<Record<G>>(&text);
    let record: Record<G> = text.parse().expect("a record");
    record.replay().unwrap_or_else(|e| panic!("{e}\n{text}"));
}

fn refused<T: FromStr<Err = NotationError>>(text: &str) {
    let (text, message) = text.split_once(" -> ").expect("an arrow");
    let (column, message) = message.split_once(' ').expect("a column and a message");
    let error = text.parse::<T>().err().unwrap_or_else(|| panic!("{text} was accepted"));
    assert_eq!(error.line_column(text).1.to_string(), column, "{}", error.pointing_at(text));
    assert!(error.to_string().contains(message), "{error}");
}
