//! Compaction that is killed at any moment: the store is the same before and after, and readers see all of it
//! meanwhile.

use std::path::Path;
use std::process::{Command, Stdio};

use anglerfish_arena::{Contestant, Match, Worker, write_games};
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_store::{Place, Store};

use crate::fish::{FISH, folder, killed, object};

/// Puts units of a few games into a store, from number `first` on.
fn put(folder: &Path, first: u64, count: u64) {
    let players = ["a", "b"].map(|name| Contestant::builtin(name, "random", "nodes=1"));
    let game = Match { batch: 2, ..Match::new::<TicTacToe>(players, "standard", 1, 1 << 20) };
    let place = Place::make(folder.to_str().expect("UTF-8"), &[]).expect("a place");
    let mut store = Store::<TicTacToe>::open(place, None).expect("a store");
    for n in first..first + count {
        let text = game.unit(n).text();
        let games = Worker::default().play::<TicTacToe>(&text).expect("a unit");
        store.put(&text, &write_games(&games)).expect("it is kept");
    }
}

fn store(words: &[&str], folder: &Path) -> Command {
    let mut command = Command::new(FISH);
    command.arg("store").args(words).arg(folder).arg("--json").stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn files(folder: &Path, name: &str) -> usize {
    std::fs::read_dir(folder.join(name)).map_or(0, Iterator::count)
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("a folder") {
        let path = entry.expect("an entry").path();
        let to = to.join(path.file_name().expect("a name"));
        if path.is_dir() {
            copy(&path, &to);
        } else {
            std::fs::copy(&path, &to).expect("a copy");
        }
    }
}

/// Kills this often: at once, and as files appear and disappear in each folder of the store.
fn kills_of_a_compaction_change_nothing(kills: u32) {
    let folder = folder(&format!("compact-{kills}"));
    let (template, broken) = (folder.join("template"), folder.join("broken"));
    // Half in large objects and half in small ones, so that objects are also rewritten.
    put(&template, 1, 40);
    object(store(&["compact"], &template));
    put(&template, 41, 40);
    let expected = object(store(&["units"], &template));
    assert_eq!(expected["units"], 80);

    let mut done = 0;
    for stage in ["at once", "large", "lists", "staging", "index", "units"].iter().cycle() {
        if done == kills {
            break;
        }
        if files(&broken, "units") == 0 {
            let _ = std::fs::remove_dir_all(&broken);
            copy(&template, &broken);
        }
        let before = files(&broken, stage);
        let child = store(&["compact"], &broken).spawn().expect("it starts");
        let [output] = killed([child], || *stage == "at once" || files(&broken, stage) != before);
        // It may be faster than its kill in the last stages; the store is looked at all the same.
        done += u32::from(!output.status.success());
        let compacted = std::fs::exists(broken.join("index/00000002.json")).expect("a folder");
        assert!(compacted || files(&broken, "units") == 40, "nothing goes before the index has it");
        assert_eq!(object(store(&["units"], &broken)), expected, "{stage}, after kill {done}");
        if done % 5 == 0 {
            assert_eq!(object(store(&["verify"], &broken))["faults"], serde_json::json!([]));
        }
    }
    // Disks differ in how often a staged file is left behind; here one always is.
    std::fs::create_dir_all(broken.join("staging")).expect("a folder");
    std::fs::write(broken.join("staging/0123456789abcdef-0-objects-x"), "half").expect("a file");
    object(store(&["compact"], &broken));
    let found = object(store(&["verify"], &broken));
    assert_eq!(
        (&found["units"], &found["digest"], &found["faults"]),
        (&80.into(), &expected["digest"], &serde_json::json!([]))
    );
    assert_eq!([files(&broken, "units"), files(&broken, "sums"), files(&broken, "staging")], [0; 3]);
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn five_kills_of_a_compaction_change_nothing() {
    kills_of_a_compaction_change_nothing(5);
}

#[test]
#[ignore = "full: fifty kills of a compaction"]
fn fifty_kills_of_a_compaction_change_nothing() {
    kills_of_a_compaction_change_nothing(50);
}
