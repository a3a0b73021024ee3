//! Files of version 0.3, written by it before names changed: they are read, and a run that it began is refused in words.

use std::path::Path;

use crate::fish::{ROOT, folder, right, told, wrong};

const FILES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/v0.3");

/// The players have the settings `noise` and `lapses`, which are `error_size` and `error_rate` now.
#[test]
fn records_and_profiles_of_0_3_are_read() {
    let checked = right(FILES, &["replay", "--check", "match.games"]);
    assert!(checked.contains("4 games, 500 plies: 0 illegal"), "{checked}");
    let shown = right(FILES, &["profile", "show", "level1", "--profiles", "profiles"]);
    assert!(shown.contains("ab-20000"), "{shown}");
    let players = ["alphabeta,nodes=20,noise=20,lapses=50", "alphabeta,nodes=20,error_size=20,error_rate=50"];
    let [old, new] = players.map(|player| {
        let engines = [format!("player={player}"), "player=random".to_owned()];
        let result = told(
            ROOT,
            &["match", "--engine", &engines[0], "name=a", "--engine", &engines[1], "name=b", "--rounds", "2"],
        );
        result["wdl"].to_string() + &result["plies"].to_string()
    });
    assert_eq!(old, new, "the same player by its old name");
}

#[cfg(feature = "store")]
#[test]
fn a_store_of_0_3_is_read() {
    let verified = right(FILES, &["store", "verify", "store"]);
    assert!(verified.contains("2 units, 4 games") && verified.contains("0 faults"), "{verified}");
    let games = right(FILES, &["store", "export", "store"]);
    assert_eq!(games.matches("[First \"alphabeta,hash=1,noise=10\"]").count(), 4, "{games}");
}

/// The identity of the engine is a part of every unit, and its parts have other names now.
#[test]
fn a_run_of_0_3_is_refused_in_words() {
    let folder = folder("older");
    std::fs::create_dir(folder.join("run")).expect("a folder");
    std::fs::copy(Path::new(FILES).join("journal"), folder.join("run/journal")).expect("a copy");
    let error = wrong(
        &folder,
        &[
            "match",
            "--engine",
            "player=alphabeta,nodes=100,noise=20,lapses=50",
            "--engine",
            "player=level1,nodes=50",
            "--rounds",
            "2",
            "--annotate",
            "--out",
            "run",
        ],
    );
    assert!(error.contains("begun by version 0.3") && error.contains("finish it with"), "{error}");
    std::fs::remove_dir_all(folder).expect("our own folder");
}
