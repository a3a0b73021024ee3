//! One run in two places: two processes that are killed at random, merged, are the run of one, byte for byte.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use anglerfish_rules::Rng;

use crate::fish::{FISH, ends, place};

const PAIRS: u64 = 3000;

fn play(out: &Path, seed: u64, pairs: u64, units: Option<&str>) -> Command {
    let mut command = Command::new(FISH);
    command
        .args(["match", "--engine", "player=greedy", "--engine", "player=random", "--annotate"])
        .args(["--rules", "platform,board=4x4", "--openings", "random:2"])
        .args(["--seed", &seed.to_string(), "--rounds", &pairs.to_string(), "--out"])
        .arg(out)
        .stdout(Stdio::null())
        .stderr(Stdio::piped());
    if let Some(units) = units {
        command.args(["--units", units]);
    }
    command
}

fn length(folder: &Path) -> u64 {
    std::fs::metadata(folder.join("journal")).map_or(0, |file| file.len())
}

/// Kills both after a random time, counted from when something new is in a journal; how many were still running.
fn kill(children: [(Child, &Path); 2], rng: &mut Rng) -> u32 {
    let before = [length(children[0].1), length(children[1].1)];
    let mut children = children;
    let running = |children: &mut [(Child, &Path); 2]| {
        children.iter_mut().any(|(child, _)| child.try_wait().expect("it runs").is_none())
    };
    while running(&mut children)
        && children.iter().zip(before).all(|((_, folder), before)| length(folder) == before)
    {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(u64::from(rng.below(30))));
    let mut killed = 0;
    for (child, _) in &mut children {
        killed += u32::from(child.try_wait().expect("it runs").is_none());
        let _ = child.kill();
        child.wait().expect("it is gone");
    }
    killed
}

#[test]
fn parts_that_were_killed_and_merged_are_one_run() {
    let whole = place("parts-whole");
    ends(play(&whole, 3, PAIRS, None));

    let parts = [place("parts-first"), place("parts-second")];
    let units = ["1..1200", "1201..3000"];
    let mut rng = Rng::new(9);
    let mut kills = 0;
    for _ in 0..100 {
        let child = |i: usize| {
            (play(&parts[i], 3, PAIRS, Some(units[i])).spawn().expect("it starts"), parts[i].as_path())
        };
        kills += kill([child(0), child(1)], &mut rng);
        if kills >= 50 {
            break;
        }
    }
    assert!(kills >= 50, "only {kills} were killed before they had finished");
    for (part, units) in parts.iter().zip(units) {
        ends(play(part, 3, PAIRS, Some(units)));
    }

    let merged = place("parts-merged");
    let merge = || {
        let mut command = Command::new(FISH);
        command.args(["merge", "--out"]).arg(&merged).args(&parts);
        String::from_utf8(ends(command).stdout).expect("UTF-8")
    };
    assert!(merge().contains("3000 units"));
    assert!(merge().contains("1200 units, 1200 of them there already, 0 new"), "twice is no harm");
    let before = length(&merged);
    ends(play(&merged, 3, PAIRS, None));
    assert_eq!(length(&merged), before, "nothing was played again");
    for file in ["match.games", "result.json", "report.html"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).expect(file);
        assert!(read(&merged) == read(&whole), "{file} is that of one run");
    }
    assert_eq!(
        std::fs::read_to_string(whole.join("match.games")).expect("games").matches("[Annotations").count(),
        6000
    );

    // Another run is not merged, whatever it has.
    let other = place("parts-other");
    ends(play(&other, 4, 2, None));
    let refused =
        Command::new(FISH).args(["merge", "--out"]).arg(&merged).arg(&other).output().expect("it starts");
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success() && stderr.contains("holds another run: seed: 3 there, 4 here"),
        "{stderr}"
    );
    for folder in [whole, merged, other].iter().chain(&parts) {
        std::fs::remove_dir_all(folder).expect("cleaned up");
    }
}
