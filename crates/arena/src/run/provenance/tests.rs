//! What users who publish a `provenance.json`, and those who read one, rely on.

use std::path::PathBuf;

use super::*;
use crate::program::{Caps, Program};
use crate::protocol::Protocol;
use crate::stats::sprt::Model;

fn build() -> Build {
    let text = str::to_owned;
    Build {
        version: text("0.3.0"),
        commit: text("19e0e7412345"),
        compiler: text("rustc 1.95.0"),
        target: text("x86_64-unknown-linux-gnu"),
    }
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("anglerfish-provenance-{name}-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn sit_down(folder: &Path, word: &str) -> io::Result<()> {
    write_beside(folder, build(), ["anglerfish", word].map(str::to_owned), &[], None)
}

fn read(folder: &Path) -> Provenance {
    let bytes = std::fs::read(folder.join("provenance.json")).expect("the file");
    serde_json::from_slice(&bytes).expect("a whole file")
}

#[test]
fn of_a_path_the_last_part_is_kept() {
    for (word, kept) in [
        ("/home/me/bin/anglerfish", "anglerfish"),
        ("../secret/out/", "out"),
        (r"C:\Users\me\fish.exe", "fish.exe"),
        ("--out=/home/me/run", "--out=run"),
        ("cmd=/home/me/fish", "cmd=fish"),
        ("/home/me=you/new", "new"),
        ("/home/me,you/new", "new"),
        ("/home/me=1/2", "2"),
        ("dir=/home/me,1/2", "dir=2"),
        ("arg=--book=/home/me/book.txt", "arg=book.txt"),
        // A word that is not a path stays whole.
        ("match", "match"),
        ("out", "out"),
        ("tc=60+0.5", "tc=60+0.5"),
        ("player=alphabeta,hash=8,piece=100:90/-80:70", "player=alphabeta,hash=8,piece=100:90/-80:70"),
    ] {
        assert_eq!(without_folders(word), kept, "{word}");
    }
}

/// The file has all that is needed to reproduce a run, and no user or place.
#[test]
fn a_session_names_no_folder_and_no_user() {
    let folder = folder("whole");
    let program = Program {
        cmd: "/home/alice/fish".to_owned(),
        args: vec!["dctp".to_owned(), "--config=/home/alice/fish.toml".to_owned()],
        dir: Some("/home/alice".into()),
        caps: Caps::default(),
        ..Program::default()
    };
    let engines = [
        Contestant {
            name: "ours".to_owned(),
            kind: ContestantKind::Builtin("alphabeta,piece=1:2/3:4".to_owned()),
            budget: "nodes=1000".to_owned(),
        },
        Contestant {
            name: "theirs".to_owned(),
            kind: ContestantKind::Program {
                start: program,
                proto: Protocol::Dctp,
                files: std::collections::BTreeMap::new(),
                announced: String::new(),
            },
            budget: "tc=900".to_owned(),
        },
    ];
    let out = format!("--out={}", folder.display());
    let command = ["/home/alice/anglerfish", "match", &out].map(str::to_owned);
    let sprt = Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };
    write_beside(&folder, build(), command, &engines, Some(sprt)).expect("it is written");

    let text = std::fs::read_to_string(folder.join("provenance.json")).expect("the file");
    for secret in ["alice", "home", &std::env::temp_dir().display().to_string()] {
        assert!(!text.contains(secret), "{secret:?} in {text}");
    }
    if let Ok(host) = std::fs::read_to_string("/proc/sys/kernel/hostname") {
        assert!(!text.contains(&format!("\"{}", host.trim())), "the host in {text}");
    }
    let Provenance { format, sessions } = read(&folder);
    assert_eq!((format.as_str(), sessions.len()), ("anglerfish-provenance 1", 1));
    let session = &sessions[0];
    assert_eq!(session.build, build());
    assert_eq!(session.command[..2], ["anglerfish", "match"]);
    assert!(session.processor.cores > 0 && !session.processor.model.is_empty());
    assert_eq!(session.engines[0].player.as_deref(), Some("alphabeta,piece=1:2/3:4"));
    assert_eq!(session.engines[1].program, ["fish", "dctp", "--config=fish.toml"]);
    assert_eq!(session.engines[1].budget, "tc=900");
    assert_eq!(session.sprt, Some(sprt));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn a_second_sitting_is_added() {
    let folder = folder("second");
    sit_down(&folder, "first").expect("it is written");
    let first = read(&folder);
    sit_down(&folder, "second").expect("it is written");
    let both = read(&folder);
    assert_eq!(both.sessions[..1], first.sessions[..]);
    assert_eq!(both.sessions[1].command, ["anglerfish", "second"]);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// A kill at any moment leaves the file that a reader sees at that moment.
#[test]
fn readers_always_see_a_whole_file() {
    let folder = folder("kill");
    sit_down(&folder, "0").expect("it is written");
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        scope.spawn(|| {
            for n in 1..50 {
                sit_down(&folder, &n.to_string()).expect("it is written");
            }
            done.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        let mut seen = 0;
        while !done.load(std::sync::atomic::Ordering::Relaxed) {
            let now = read(&folder).sessions.len();
            assert!(now >= seen, "{now} sessions after {seen}");
            seen = now;
        }
    });
    // A file that a kill left half written does no harm.
    std::fs::write(folder.join("provenance.json.new"), "{\"format\": \"angl").expect("the disk");
    sit_down(&folder, "50").expect("it is written");
    assert_eq!(read(&folder).sessions.len(), 51);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn what_cannot_be_read_is_not_replaced() {
    let folder = folder("foreign");
    for text in ["", "{}", "{\"format\": \"anglerfish-provenance 2\", \"sessions\": []}"] {
        std::fs::write(folder.join("provenance.json"), text).expect("the disk");
        let error = sit_down(&folder, "match").expect_err("it is another format's");
        assert!(error.to_string().contains("anglerfish-provenance 1"), "{error}");
        assert_eq!(std::fs::read_to_string(folder.join("provenance.json")).expect("the file"), text);
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// The vector of docs/formats.md.
#[test]
fn the_page_shows_one() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/formats.md");
    let page = std::fs::read_to_string(page).expect("docs/formats.md");
    let vector = page.split("```provenance\n").nth(1).and_then(|rest| rest.split("\n```").next());
    let vector = vector.expect("a block");
    let read: Provenance = serde_json::from_str(vector).expect("a provenance");
    assert_eq!(read.format, FORMAT);
    assert_eq!(serde_json::to_string_pretty(&read).expect("plain data"), vector);
}

/// Version 0.3 wrote `sittings`.
#[test]
fn the_old_name_of_sessions_is_read() {
    let old: Provenance = serde_json::from_str("{\"format\": \"anglerfish-provenance 1\", \"sittings\": []}")
        .expect("a provenance");
    assert!(old.sessions.is_empty());
}
