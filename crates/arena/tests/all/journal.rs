//! Journals as files: which files count as one, which are left alone, and the message for another run.

use std::path::PathBuf;

use anglerfish_arena::{Journal, JournalError, Name, ResultStore, UnitResult};

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
        b"anglerfish-journal 4 0123456789abcdef",
        b"anglerfish-journal 12 0123456789abcdef\n",
        b"anglerfish-journal 3 about my fish",
        b"anglerfish-journal 3 0123456789abcdef0",
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

/// Opening a pipe would wait for a writer for ever.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_journal() {
    let path = file("pipe", b"");
    std::fs::remove_file(&path).expect("our own file");
    let made = std::process::Command::new("mkfifo").arg(&path).status().expect("every Unix has it");
    assert!(made.success());
    let errors = [Journal::open(&path, "a run").err(), Journal::run_of(&path).err()];
    std::fs::remove_file(&path).expect("our own pipe");
    for error in errors {
        let words = error.expect("no journal").to_string();
        assert!(words.ends_with("expected a file"), "{words}");
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
        journal.commit(vec![(unit.to_owned(), UnitResult::Result("a result".to_owned()))]).expect("the disk");
    };
    commit("first");
    commit("second");
    let mut bytes = read(&path);
    assert_eq!(bytes.pop(), Some(b'\n'));
    std::fs::write(&path, bytes).expect("a writable file");
    commit("third");
    let mut journal = Journal::open(&path, "a run").expect("not damaged");
    assert_eq!(journal.len(), 2);
    let mut there = |unit: &str| journal.has(&Name::of(unit)).expect("a disk");
    assert!(there("first") && !there("second") && there("third"));
    std::fs::remove_file(path).expect("our own file");
}

#[test]
fn a_failure_gives_way_to_a_result_and_a_result_to_nothing() {
    let path = file("failed", b"");
    let unit = || "a unit".to_owned();
    let open = || Journal::open(&path, "a run").expect("a journal");
    for (done, expected) in [
        (UnitResult::Failed("a panic".to_owned()), None),
        (UnitResult::Failed("again".to_owned()), None),
        (UnitResult::Result("1".to_owned()), Some("1")),
        (UnitResult::Failed("too late".to_owned()), Some("1")),
        (UnitResult::Result("2".to_owned()), Some("1")),
    ] {
        open().commit(vec![(unit(), done)]).expect("the disk");
        let mut journal = open();
        assert_eq!(journal.has(&Name::of(&unit())).expect("a disk"), expected.is_some());
        let found = journal.get(&Name::of(&unit())).expect("a disk");
        let result =
            found.and_then(|done| if let UnitResult::Result(text) = done { Some(text) } else { None });
        assert_eq!(result.as_deref(), expected);
        assert_eq!(journal.len(), 1);
    }
    std::fs::remove_file(path).expect("our own file");
}

#[test]
fn another_run_is_named() {
    let said = |there: &str, here: &str| {
        let path = file("other", b"");
        drop(Journal::open(&path, there).expect("a new journal"));
        let error = Journal::open(&path, here).err().expect("another run").to_string();
        std::fs::remove_file(&path).expect("our own file");
        let (_, text) = error.split_once(" belongs to a run with other settings: ").expect("what it is");
        let advice = ". To continue that run, repeat its settings; to begin a new one, choose another folder with --out";
        text.strip_suffix(advice).expect("advice").to_owned()
    };
    assert_eq!(
        said(
            r#"{"seed":1,"players":[{"budget":"nodes=1"},{"budget":"nodes=1000"}],"names":["a"]}"#,
            r#"{"seed":1,"players":[{"budget":"nodes=1"},{"budget":"nodes=2000"}],"names":[]}"#
        ),
        r#"names[0] was "a" and is now nothing; players[1].budget was "nodes=1000" and is now "nodes=2000""#
    );
    assert_eq!(said("course 1", "course 2"), r#"it was "course 1" and is now "course 2""#);
    let numbers = |first: u32| serde_json::to_string(&(first..first + 9).collect::<Vec<_>>()).expect("JSON");
    let many = said(&numbers(0), &numbers(1));
    assert!(many.starts_with("[0] was 0 and is now 1; [1] was 1 and is now 2; "), "{many}");
    assert!(many.ends_with("; and 4 more"), "{many}");
    let long = said(&format!("[{:?}]", "é".repeat(1000)), "[]");
    assert!(long.chars().count() < 100 && long.contains("é… and is now nothing"), "{long}");
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
    let group =
        group.map(|(unit, result)| (unit.to_owned(), UnitResult::Result(result.to_owned()))).into_iter();
    let failed = ("a third".to_owned(), UnitResult::Failed("index out of bounds".to_owned()));
    journal.commit(group.chain([failed]).collect()).expect("the disk");
    assert_eq!(String::from_utf8(read(&path)).expect("text"), text);
    std::fs::remove_file(path).expect("our own file");
}

/// A journal of version 0.3 does not say which engine has played, so it is not resumed and not changed.
#[test]
fn journals_of_version_0_3_are_refused() {
    let old = b"anglerfish-journal 1 03d9dcc21c0c6810
\
        {\"unit\":\"a\",\"result\":\"1\",\"sum\":\"e5d2e8190426ecef\"}
";
    let path = file("old", old);
    let error = Journal::open(&path, "a run").err().expect("an old journal").to_string();
    assert!(
        error.contains("made by version 0.3") && error.contains("choose another folder with --out"),
        "{error}"
    );
    assert_eq!(read(&path), old);
    std::fs::remove_file(path).expect("our own file");
}

/// A journal of format 2, whose lines are not chained, is continued in its format.
#[test]
fn journals_of_format_2_go_on() {
    let two = "anglerfish-journal 2 fd5bfdb6c958668a
{\"unit\":\"run\",\"result\":\"firstmove 1\",\"sum\":\"de3543739ccef947\",\"synced\":38}
{\"unit\":\"a unit\",\"result\":\"its result\",\"sum\":\"8fc4a0057c1b9520\",\"synced\":113}
";
    let path = file("two", two.as_bytes());
    assert_eq!(Journal::run_of(&path).expect("a journal").as_deref(), Some("firstmove 1"));
    let put = |unit: &str| {
        let mut journal = Journal::open(&path, "firstmove 1").expect("a journal");
        journal.commit(vec![(unit.to_owned(), UnitResult::Result("a result".to_owned()))]).expect("the disk");
        journal.len()
    };
    assert_eq!((put("another"), put("a third")), (2, 3));
    let text = String::from_utf8(read(&path)).expect("text");
    assert!(text.starts_with(two) && !text.contains("prev"), "{text}");
    // Its lines cannot be taken for those of the chained format, nor the other way around.
    for (from, to) in [("journal 2", "journal 3"), ("\"synced\":113", "\"prev\":\"\",\"synced\":113")] {
        std::fs::write(&path, text.replacen(from, to, 1)).expect("a writable file");
        assert!(Journal::open(&path, "firstmove 1").is_err(), "{to}");
    }
    std::fs::remove_file(path).expect("our own file");
}

/// Of a file without line ends, at most the length of the longest line is read.
#[test]
fn a_hole_is_not_read_whole() {
    let path = file("hole", b"");
    drop(Journal::open(&path, "a run").expect("a new journal"));
    let whole = read(&path);
    for (bytes, line) in [(&whole[..], 3), (&whole[..whole.len() - 9], 2), (b"", 1)] {
        std::fs::write(&path, bytes).expect("a writable file");
        let hole = std::fs::OpenOptions::new().write(true).open(&path).expect("a writable file");
        hole.set_len(100 << 20).expect("a hole");
        let error = Journal::open(&path, "a run").err();
        match line {
            1 => assert!(matches!(error, Some(JournalError::Magic(_))), "{error:?}"),
            n => {
                let said = error.map(|error| error.to_string()).unwrap_or_default();
                assert!(said.contains(&format!("line {n}: longer than 64 MiB")), "{said}");
            }
        }
        assert_eq!(std::fs::metadata(&path).expect("a file").len(), 100 << 20, "nothing is repaired");
    }
    std::fs::remove_file(path).expect("our own file");
}

/// A run whose journal is removed or replaced does not end well.
#[test]
fn a_journal_that_is_gone_is_missed() {
    let unit = |n: u32| vec![(format!("unit {n}"), UnitResult::Result("a result".to_owned()))];
    for replaced in [false, true] {
        let path = file("gone", b"");
        let mut journal = Journal::open(&path, "a run").expect("a new journal");
        journal.commit(unit(1)).expect("the disk");
        std::fs::remove_file(&path).expect("our own file");
        if replaced {
            drop(Journal::open(&path, "a run").expect("another journal"));
        }
        if replaced && cfg!(not(unix)) {
            continue;
        }
        // Nothing is written any more, or something is: both are noticed, and nothing is taken after that.
        let error = journal.check().expect_err("it is gone").to_string();
        assert!(error.contains("was removed or replaced during the run"), "{error}");
        assert!(journal.commit(unit(2)).is_err() && journal.commit(unit(2)).is_err());
        assert_eq!(journal.len(), 1);
        let _ = std::fs::remove_file(&path);
    }
}
