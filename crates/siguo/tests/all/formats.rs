//! The test vectors of docs/formats.md that are about Siguo.

use std::fmt::Display;
use std::str::FromStr;

use anglerfish_rules::{NotationError, Record};
use anglerfish_siguo::{Event, Layout, Rules, Siguo};

#[test]
fn vectors() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(path).expect("docs/formats.md");
    let mut n = 0;
    for block in page.split("\n```").skip(1).step_by(2) {
        let (kind, text) = block.split_once('\n').expect("a block with a kind");
        match kind {
            "record" if text.contains("\"siguo\"") => {
                let text = format!("{text}\n");
                goes_round::<Record<Siguo>>(&text);
                let record: Record<Siguo> = text.parse().expect("a record");
                record.replay().unwrap_or_else(|e| panic!("{e}\n{text}"));
            }
            "siguo event" => goes_round::<Event>(text),
            "siguo rules" => goes_round::<Rules>(text),
            "siguo layout" => goes_round::<Layout>(text),
            "siguo position" => goes_round::<Siguo>(text),
            "refused siguo event" => refused::<Event>(text),
            "refused siguo rules" => refused::<Rules>(text),
            "refused siguo layout" => refused::<Layout>(text),
            "refused siguo position" => refused::<Siguo>(text),
            kind if kind.contains("siguo") => {
                panic!("docs/formats.md has a block of an unknown kind: {kind:?}")
            }
            _ => continue,
        }
        n += 1;
    }
    assert!(n >= 12, "only {n} vectors were found");
}

fn goes_round<T: FromStr<Err = NotationError> + Display>(text: &str) {
    let value: T = text.parse().unwrap_or_else(|e: NotationError| panic!("{}", e.pointing_at(text)));
    assert_eq!(value.to_string(), text);
}

fn refused<T: FromStr<Err = NotationError>>(text: &str) {
    let (text, message) = text.split_once(" -> ").expect("an arrow");
    let (column, message) = message.split_once(' ').expect("a column and a message");
    let error = text.parse::<T>().err().unwrap_or_else(|| panic!("{text} was accepted"));
    assert_eq!(error.line_column(text).1.to_string(), column, "{}", error.pointing_at(text));
    assert!(error.to_string().contains(message), "{error}");
}
