//! The messages of `selfplay` and `store` to a user who tries them for the first time.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::fish::{FISH, fish, folder_with, right, wrong};

/// Eight games in four units.
const MANIFEST: &str = r#"
pairing = "round-robin"
games = 8
unit = 2
rules = "platform,board=4x4"
openings = "random:1"
[each]
nodes = 20
[[engine]]
player = "greedy"
[[engine]]
player = "random"
"#;

/// A folder of its own with the manifest in it.
fn folder(name: &str) -> PathBuf {
    folder_with(&format!("words-{name}"), MANIFEST)
}

/// Its standard output and standard error.
fn both(folder: &Path, words: &[&str]) -> (String, String) {
    let output = fish(folder, words);
    let text = |bytes| String::from_utf8(bytes).expect("text");
    let (out, beside) = (text(output.stdout), text(output.stderr));
    assert!(output.status.success(), "{words:?}: {beside}");
    (out, beside)
}

/// A folder whose manifest was played into the store `games`.
fn played(name: &str) -> PathBuf {
    let folder = folder(name);
    right(&folder, &["selfplay", "manifest.toml", "--store", "games"]);
    folder
}

#[cfg(unix)]
#[test]
fn out_replaces_files_and_nothing_else() {
    use std::os::unix::fs::FileTypeExt;

    let folder = played("out");
    let records = right(&folder, &["store", "export", "games"]);
    let path = |name: &str| folder.join(name);
    let content = |name: &str| std::fs::read_to_string(path(name)).expect("a file");
    // A link stays a link; its target is replaced, or created.
    std::fs::write(path("old.games"), "old").expect("a file");
    for (link, to) in [("link", "old.games"), ("dangling", "new.games")] {
        std::os::unix::fs::symlink(to, path(link)).expect("a link");
        right(&folder, &["store", "export", "games", "--out", link]);
        assert!(path(link).is_symlink(), "{link}");
        assert_eq!(content(to), records, "{link}");
    }
    right(&folder, &["store", "stats", "games", "--out", "link"]);
    assert!(path("link").is_symlink() && content("old.games").contains("<svg"));

    // A FIFO has a reader that waits for it.
    let made = Command::new("mkfifo").arg(path("fifo")).status().expect("mkfifo starts");
    assert!(made.success());
    for words in [&["store", "export", "games"][..], &["store", "stats", "games"]] {
        let expected = right(&folder, words);
        let fifo = path("fifo");
        let reader = std::thread::spawn(move || std::fs::read_to_string(fifo).expect("text"));
        right(&folder, &[words, &["--out", "fifo"]].concat());
        let heard = reader.join().expect("it reads");
        assert!(heard == expected || heard.contains("<svg"), "{heard:.300}");
        assert!(path("fifo").symlink_metadata().expect("it is there").file_type().is_fifo());
    }

    // Files that a shell has opened for us are not replaced.
    let log = std::fs::File::create(path("log")).expect("a file");
    for _ in 0..2 {
        let mut command = Command::new(FISH);
        command.current_dir(&folder).args(["store", "export", "games", "--out", "/dev/stdout"]);
        command.stdout(log.try_clone().expect("a file"));
        assert!(command.status().expect("it starts").success());
    }
    assert_eq!(content("log"), records.repeat(2));

    // No staged file is left, and an existing file stays if it cannot be written.
    assert_eq!(fish(&folder, &["store", "export", "games", "--out", "games"]).status.code(), Some(2));
    let left: Vec<_> = std::fs::read_dir(&folder).expect("a folder").flatten().collect();
    assert!(left.iter().all(|file| file.path().extension().is_none_or(|e| e != "part")), "{left:?}");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn the_manifest_of_the_help_is_accepted() {
    let folder = folder("help");
    // On a narrow terminal too, where longer lines wrap.
    let help =
        Command::new(FISH).args(["selfplay", "--help"]).env("COLUMNS", "80").output().expect("it starts");
    let help = String::from_utf8(help.stdout).expect("text");
    let (_, rest) = help.split_once("Manifests are in TOML").expect("the manifest");
    let (manifest, _) = rest.split_once("\nOther keys").expect("what comes after it");
    let (_, manifest) = manifest.split_once('\n').expect("lines");
    assert!(manifest.contains("unit = 50") && manifest.contains("[[engine]]"), "{manifest}");
    std::fs::write(folder.join("help.toml"), manifest).expect("a manifest");
    let (out, beside) = both(&folder, &["selfplay", "help.toml", "--store", "games", "--dry-run"]);
    assert!(out.contains("1,000 games in 20 units"), "{out}");
    assert_eq!(beside, "", "there is nothing to warn of");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn what_is_wrong_with_a_manifest_is_said_with_its_name() {
    let folder = folder("manifest");
    let refused = |from: &str, to: &str| {
        assert!(MANIFEST.contains(from), "{from}");
        std::fs::write(folder.join("bad.toml"), MANIFEST.replacen(from, to, 1)).expect("a manifest");
        wrong(&folder, &["selfplay", "bad.toml", "--store", "games"])
    };
    for (from, to, expected) in [
        (
            "games = 8\nunit = 2",
            "games = 1000",
            "games = 1000 is not a multiple of unit = 128 (the default): write games = 1024, or unit = 100",
        ),
        (
            "games = 8\nunit = 2",
            "games = 7\nunit = 2",
            "games = 7 is not a multiple of unit = 2: write games = 8\n",
        ),
        ("games = 8", "games = 0", "games must be 1 or more"),
        ("unit = 2", "unit = 0", "unit must be 1 or more"),
        ("unit = 2", "unit = 1", "unit = 1 is odd, and every deal is played twice: write unit = 2"),
        (
            "random:1",
            "radnom:1",
            "expected openings to be random:PLIES or a file of openings, found \"radnom:1\"",
        ),
        ("player = \"greedy\"", "player = \"greddy\"", "greddy"),
        ("player = \"greedy\"", "name = \"x\"", "engine 1: expected player=NAME or cmd=PROGRAM"),
        ("board=4x4", "bord=4x4", "bord"),
        ("unit = 2", "unit = 2\nannotate = 0", "annotate = 0: expected 1 to 112"),
        ("[[engine]]\nplayer = \"random\"", "", "round-robin: expected 2 players or more, found 1"),
        ("unit = 2", "untis = 2", "unknown field `untis`"),
    ] {
        let text = refused(from, to);
        assert!(text.starts_with("error: bad.toml") && text.contains(expected), "{to}: {text}");
    }
    assert!(!folder.join("games").exists(), "nothing was made");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn budgets_that_surprise_are_noted() {
    let folder = folder("budget");
    let notes = |budget: &str, player: &str| {
        let text = MANIFEST.replace("nodes = 20", budget).replace("\"greedy\"", player);
        std::fs::write(folder.join("budget.toml"), text).expect("a manifest");
        both(&folder, &["selfplay", "budget.toml", "--store", "games", "--dry-run"]).1
    };
    assert_eq!(notes("nodes = 20", "\"alphabeta\""), "");
    assert_eq!(notes("", "\"alphabeta\""), "no budget in the manifest: nodes = 20000 per move\n");
    assert_eq!(notes("", "\"greedy\""), "", "who does not search needs none");
    let timed = "warning: limited by time, so these games cannot be played again the same\n";
    assert_eq!(notes("st = 0.01", "\"greedy\""), timed);
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn formats_are_listed() {
    let folder = played("formats");
    let text = wrong(&folder, &["store", "export", "games", "--format", "parquet"]);
    let expected =
        "error: --format: expected records, csv, jsonl, arrow or arrow-stream, found \"parquet\"\n";
    assert_eq!(text, expected);
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn a_task_without_units_says_how_many_there_can_be() {
    let folder = folder("task");
    let words = ["selfplay", "manifest.toml", "--store", "games", "--task"];
    let (out, beside) = both(&folder, &[&words[..], &["5/1000"]].concat());
    let expected = "task 5 of 1000 has no units: the manifest has 4, so use at most 4 tasks\n";
    assert_eq!((out.as_str(), beside.as_str()), ("", expected));
    let json = right(&folder, &[&words[..], &["5/1000", "--json"]].concat());
    assert!(json.contains(r#""units":{"failed":0,"kept":0,"others":0,"played":0}"#), "{json}");

    // A task with units, the rest of the run, and a command with nothing to do.
    let out = right(&folder, &[&words[..], &["0/4"]].concat());
    assert_eq!(out, "games: 2 games in 1 unit played\n");
    let out = right(&folder, &[&words[..], &["0/4"]].concat());
    assert_eq!(out, "nothing to play: the only unit of this task is in games\n");
    let (out, beside) = both(&folder, &words[..4]);
    assert_eq!(out, "games: 6 games in 3 units played; there already: 1 unit\n");
    assert!(beside.starts_with("going on: 1 of 4 units is in the store\n"), "{beside}");
    let (out, beside) = both(&folder, &words[..4]);
    assert_eq!((out.as_str(), beside.as_str()), ("nothing to play: all 4 units are in games\n", ""));
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[cfg(unix)]
#[test]
fn an_interrupted_run_reports_its_state() {
    use std::os::unix::process::ExitStatusExt;
    use std::process::Stdio;

    let folder = folder("stopped");
    // More games than can be played before the signal comes.
    let long = MANIFEST.replace("games = 8", "games = 20000").replace("\"greedy\"", "\"alphabeta,hash=1\"");
    std::fs::write(folder.join("long.toml"), long.replace("nodes = 20", "nodes = 2000")).expect("a manifest");
    let units = || std::fs::read_dir(folder.join("games/units")).map_or(0, Iterator::count);
    for (signal, number) in [("-INT", 2), ("-TERM", 15)] {
        let before = units();
        let mut command = Command::new(FISH);
        command.current_dir(&folder).args(["selfplay", "long.toml", "--store", "games", "--threads", "1"]);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().expect("it starts");
        while units() < before + 8 {
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        let sent = Command::new("kill").args([signal, &child.id().to_string()]).status();
        assert!(sent.expect("kill starts").success());
        let output = child.wait_with_output().expect("it ends");
        assert_eq!(output.status.signal(), Some(number), "a script around it hears of the signal");
        let said = String::from_utf8(output.stderr).expect("text");
        let last = said.lines().last().unwrap_or_default();
        let kept = last.strip_prefix("stopped: ").and_then(|rest| {
            rest.strip_suffix(" of 10,000 units are in the store; the same command goes on")
        });
        let kept: usize = kept.unwrap_or_else(|| panic!("{said}")).parse().expect("a number");
        // The last few may have been stored while the message was written.
        assert!((before + 1..=units()).contains(&kept), "{kept}, and there are {}", units());
    }
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn what_import_does_not_take_it_knows() {
    let folder = played("import");
    for format in ["jsonl", "csv", "arrow"] {
        right(&folder, &["store", "export", "games", "--format", format, "--out", "all"]);
        let text = wrong(&folder, &["store", "import", "other", "all"]);
        let expected = format!(
            "this is what \"store export --format {format}\" writes; import takes records: store export --format records"
        );
        assert!(text.contains(&expected), "{text}");
    }
    let text = wrong(&folder, &["store", "import", "other", "games"]);
    assert!(text.contains("games is a store: export its records first"), "{text}");
    assert!(!folder.join("other").exists(), "nothing was made");

    // One line for one file, and each number with its unit.
    right(&folder, &["store", "export", "games", "--out", "all"]);
    let out = right(&folder, &["store", "import", "other", "all"]);
    assert_eq!(out, "all: 8 games in 1 unit imported\n");
    let out = right(&folder, &["store", "import", "other", "all"]);
    assert_eq!(out, "all: nothing imported; there already: 8 games in 1 unit\n");
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[test]
fn a_page_is_named_and_a_closed_pipe_is_no_error() {
    use std::process::Stdio;

    let folder = played("page");
    let (out, beside) = both(&folder, &["store", "stats", "games", "--out", "flips.html"]);
    assert_eq!(out, "", "tables are for those who want no page");
    assert!(beside.contains("wrote flips.html\n") && beside.contains("into flips.files\n"), "{beside}");
    assert!(folder.join("flips.files/tables/players.csv").exists(), "every table is there as CSV");
    let page = std::fs::read_to_string(folder.join("flips.html")).expect("a page");
    assert!(
        page.contains("Store &quot;games&quot;") || page.contains("Store &#34;games&#34;"),
        "{page:.400}"
    );

    for format in ["records", "csv", "jsonl", "arrow", "arrow-stream"] {
        let mut command = Command::new(FISH);
        command.current_dir(&folder).args(["store", "export", "games", "--format", format]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("it ends");
        let said = String::from_utf8(output.stderr).expect("text");
        assert!(output.status.success() && !said.contains("error"), "{format}: {said}");
    }
    std::fs::remove_dir_all(folder).expect("it goes");
}

#[cfg(not(feature = "s3"))]
#[test]
fn a_build_without_buckets_says_how_to_get_one() {
    let folder = folder("buckets");
    for words in
        [&["selfplay", "manifest.toml", "--store", "s3://b/games"][..], &["store", "units", "s3://b/games"]]
    {
        let text = wrong(&folder, words);
        assert!(text.contains("cargo install --locked --path crates/cli --features full"), "{text}");
    }
    std::fs::remove_dir_all(folder).expect("it goes");
}
