//! The program records its identity, and keeps it beside every run.

use std::process::Command;

use crate::fish::{FISH, ROOT, place, right};

#[test]
fn the_version_says_what_it_was_built_from() {
    assert_eq!(right(ROOT, &["-V"]), concat!("anglerfish ", env!("CARGO_PKG_VERSION"), "\n"));
    let long = right(ROOT, &["--version"]);
    let lines: Vec<&str> = long.lines().collect();
    assert_eq!(lines[0], concat!("anglerfish ", env!("CARGO_PKG_VERSION")));
    let [commit, compiler, target] = lines[1].split(", ").collect::<Vec<_>>()[..] else { panic!("{long}") };
    let hash = commit.trim_start_matches("commit ").trim_end_matches("-dirty");
    assert!(hash == "unknown" || hash.len() == 12 && hash.chars().all(|c| c.is_ascii_hexdigit()), "{long}");
    assert!(compiler.starts_with("rustc 1.") && target.contains('-'), "{long}");
}

#[test]
fn every_sitting_is_kept_beside_the_run() {
    let out = place("sessions");
    let folder = out.to_str().expect("UTF-8");
    let lab = ["lab", "run", "firstmove", "--set", "games=4", "--json", "--out", folder];
    let first = Command::new(FISH).args(lab).output().expect("it starts").stdout;
    let again = Command::new(FISH).args(lab).output().expect("it starts").stdout;
    assert_eq!(first, again, "the findings know nothing of the sessions");
    let text = std::fs::read_to_string(out.join("provenance.json")).expect("a file beside the run");
    let provenance: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let sessions = provenance["sessions"].as_array().expect("a list");
    assert_eq!(sessions.len(), 2, "{text}");
    let name = out.file_name().and_then(|name| name.to_str()).expect("UTF-8");
    for session in sessions {
        assert_eq!(session["version"], env!("CARGO_PKG_VERSION"));
        let command: Vec<&str> =
            session["command"].as_array().expect("words").iter().filter_map(|w| w.as_str()).collect();
        assert_eq!(command.last(), Some(&name));
        assert_eq!(command[1..3], ["lab", "run"]);
    }
    assert!(!text.contains(folder), "{text}");
    std::fs::remove_dir_all(out).expect("cleaned up");
}
