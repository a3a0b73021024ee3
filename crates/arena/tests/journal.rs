//! Journals as files: what is taken for one, what is left alone, and what is said of another run.

use std::path::PathBuf;

use anglerfish_arena::{Journal, JournalError};

/// A file of this test alone that holds these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = std::env::temp_dir().join(format!("anglerfish-journal-{name}-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("a writable file");
    path
}

fn read(path: &PathBuf) -> Vec<u8> {
    std::fs::read(path).expect("it is there")
}

#[test]
fn a_stranger_s_file_is_left_alone() {
    let strangers: [&[u8]; 8] = [
        b"my diary",
        b"my diary\n",
        b"anglerfish-journal 2 0123456789abcdef",
        b"anglerfish-journal 12 0123456789abcdef\n",
        b"anglerfish-journal 1 about my fish",
        b"anglerfish-journal 1 0123456789abcdef0",
        b"\0anglerfish",
        &[0; 100],
    ];
    for bytes in strangers {
        let path = file("stranger", bytes);
        let error = Journal::open(&path, "a run").err();
        assert!(matches!(error, Some(JournalError::Magic(_))), "{bytes:?}: {error:?}");
        assert_eq!(read(&path), bytes);
        std::fs::remove_file(path).expect("our own file");
    }
}

#[test]
fn less_than_a_header_is_begun_anew() {
    let whole = {
        let path = file("whole", b"");
        drop(Journal::open(&path, "a run").expect("a new journal"));
        let bytes = read(&path);
        std::fs::remove_file(path).expect("our own file");
        bytes
    };
    let header = whole.iter().position(|b| *b == b'\n').expect("a header");
    for len in 0..=whole.len() {
        let path = file("less", &whole[..len]);
        drop(Journal::open(&path, "a run").expect("a journal"));
        assert_eq!(read(&path), whole, "{len} bytes");
        if len < header {
            // The power failed: the length is there, and the rest is not.
            std::fs::write(&path, [&whole[..len], &vec![0; header - len][..]].concat()).expect("a file");
            drop(Journal::open(&path, "a run").expect("a journal"));
            assert_eq!(read(&path), whole, "{len} bytes and zeros");
        }
        std::fs::remove_file(path).expect("our own file");
    }
}

#[test]
fn a_line_without_its_end_is_torn() {
    let path = file("torn", b"");
    let commit = |unit: &str| {
        let mut journal = Journal::open(&path, "a run").expect("a journal");
        journal.commit(vec![(unit.to_owned(), "a result".to_owned())]).expect("the disk");
    };
    commit("first");
    commit("second");
    let mut bytes = read(&path);
    assert_eq!(bytes.pop(), Some(b'\n'));
    std::fs::write(&path, bytes).expect("a writable file");
    commit("third");
    let journal = Journal::open(&path, "a run").expect("not damaged");
    assert_eq!(journal.len(), 2);
    assert!(journal.result("first").is_some() && journal.result("third").is_some());
    std::fs::remove_file(path).expect("our own file");
}

#[test]
fn another_run_is_named() {
    let said = |there: &str, here: &str| {
        let path = file("other", b"");
        drop(Journal::open(&path, there).expect("a new journal"));
        let error = Journal::open(&path, here).err().expect("another run").to_string();
        std::fs::remove_file(&path).expect("our own file");
        let (_, text) = error.split_once(" holds another run: ").expect("what it is");
        text.strip_suffix("; give a new file, or the settings it was made with").expect("advice").to_owned()
    };
    assert_eq!(
        said(
            r#"{"seed":1,"players":[{"budget":"nodes=1"},{"budget":"nodes=1000"}],"names":["a"]}"#,
            r#"{"seed":1,"players":[{"budget":"nodes=1"},{"budget":"nodes=2000"}],"names":[]}"#
        ),
        r#"names[0]: "a" there, nothing here; players[1].budget: "nodes=1000" there, "nodes=2000" here"#
    );
    assert_eq!(said("course 1", "course 2"), r#""course 1" there, "course 2" here"#);
    let numbers = |first: u32| serde_json::to_string(&(first..first + 9).collect::<Vec<_>>()).expect("JSON");
    let many = said(&numbers(0), &numbers(1));
    assert!(many.starts_with("[0]: 0 there, 1 here; [1]: 1 there, 2 here; "), "{many}");
    assert!(many.ends_with("; and 4 more"), "{many}");
    let long = said(&format!("[{:?}]", "é".repeat(1000)), "[]");
    assert!(long.chars().count() < 100 && long.contains("é… there, nothing here"), "{long}");
}

/// The test vector of docs/formats.md.
#[test]
fn the_journal_in_the_formats_page_is_what_is_written() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(path).expect("docs/formats.md");
    let (_, rest) = page.split_once("```journal\n").expect("a journal");
    let (text, _) = rest.split_once("```").expect("its end");
    let path = file("vector", b"");
    let mut journal = Journal::open(&path, "firstmove 1").expect("a new journal");
    let group = [("a unit", "its result"), ("another", "what came of it")];
    let group: Vec<_> = group.map(|(unit, result)| (unit.to_owned(), result.to_owned())).to_vec();
    journal.commit(group).expect("the disk");
    assert_eq!(String::from_utf8(read(&path)).expect("text"), text);
    std::fs::remove_file(path).expect("our own file");
}

/// A journal of version 0.3 has neither the text of its run nor how much of it was synced.
#[test]
fn journals_of_version_0_3_open() {
    let old = b"anglerfish-journal 1 03d9dcc21c0c6810\n\
        {\"unit\":\"a\",\"result\":\"1\",\"sum\":\"e5d2e8190426ecef\"}\n\
        {\"unit\":\"b\",\"result\":\"2\",\"sum\":\"ffcf761912df1a37\"}\n";
    let path = file("old", old);
    let error = Journal::open(&path, "another run").err().expect("another run").to_string();
    assert!(error.contains("holds another run (03d9dcc21c0c6810); give a new file"), "{error}");
    assert_eq!(read(&path), old);

    // A line that nobody could have torn is damaged, as it was then.
    let mut damaged = old.to_vec();
    damaged[60] = 0;
    let path = file("old", &damaged);
    assert!(matches!(Journal::open(&path, "a run"), Err(JournalError::Damaged { line: 2, .. })));

    let path = file("old", &old[..old.len() - 5]);
    let journal = Journal::open(&path, "a run").expect("a torn end is dropped");
    assert_eq!((journal.len(), journal.result("a")), (1, Some("1")));
    drop(journal);
    let error = Journal::open(&path, "another run").err().expect("another run").to_string();
    assert!(error.contains("\"a run\" there, \"another run\" here"), "it has learned its name: {error}");
    std::fs::remove_file(path).expect("our own file");
}
