//! Tests the vectors of docs/formats.md and docs/store.md that are about stores.

use anglerfish_arena::Name;
use anglerfish_rules::banqi::Banqi;
use bytes::Bytes;

use crate::index::{Index, read_generation};
use crate::place::Place;
use crate::positions::Positions;
use crate::store::Mark;
use crate::stored_game::StoredGame;
use crate::unit::{Imported, Origin};

/// The code blocks of a kind on a page.
fn blocks(page: &str, kind: &str) -> Vec<String> {
    let path = format!("{}/../../docs/{page}", env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(&path).expect(&path);
    let found: Vec<String> = page
        .split("\n```")
        .skip(1)
        .step_by(2)
        .filter_map(|block| block.strip_prefix(kind)?.strip_prefix('\n').map(str::to_owned))
        .collect();
    assert!(!found.is_empty(), "{path} has no block {kind}");
    found
}

#[test]
fn marks_imports_and_positions_are_written_as_the_page_says() {
    for text in blocks("formats.md", "store") {
        let mark: Mark = serde_json::from_str(&text).expect("a mark");
        assert_eq!(serde_json::to_string(&mark).expect("JSON"), text);
    }
    for text in blocks("formats.md", "import") {
        let Ok(Origin::Imported(imported)) = Origin::read::<Banqi>(&text) else { panic!("{text}") };
        let file: Name = imported.file.parse().expect("a digest");
        assert_eq!(Imported::new::<Banqi>(&file, imported.first, imported.games).text(), text);
    }
    for text in blocks("formats.md", "positions") {
        let positions: Positions = serde_json::from_str(&text).expect("positions");
        assert_eq!(positions.format, crate::POSITIONS_FORMAT);
        assert_eq!(serde_json::to_string(&positions).expect("JSON"), text);
    }
}

#[test]
fn the_index_is_written_as_the_page_says() {
    let folder = std::env::temp_dir().join(format!("anglerfish-formats-{}", std::process::id()));
    let address = |name: &str| folder.join(name).display().to_string();
    for text in blocks("formats.md", "index") {
        let bytes = Bytes::from(text + "\n");
        let there = Place::make(&address("there"), &[]).expect("a folder");
        assert!(there.create(&crate::names::index_object(1), &bytes).expect("it is written"));
        let objects = read_generation(&there, 1).expect("an index").expect("it is there");
        let here = Place::make(&address("here"), &[]).expect("a folder");
        assert!(Index::commit(&here, 1, objects).expect("it is written"));
        assert_eq!(here.read(&crate::names::index_object(1)).expect("it is read"), Some(bytes));
    }
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn events_have_the_numbers_of_the_page() {
    for line in blocks("store.md", "events").iter().flat_map(|block| block.lines()) {
        let (code, text) = line.split_once(' ').expect("a number and an event");
        let event = Banqi::event(code.parse().expect("a number")).expect("an event");
        assert_eq!(event.to_string(), text);
        assert_eq!(Banqi::code(event).to_string(), code);
    }
}
