//! One run in two places: two processes that are killed while they write, and merged, give the run of one,
//! byte for byte.

use std::path::Path;
use std::process::{Command, Stdio};

use anglerfish_rules::{Rng, RngExt};

use crate::fish::{FISH, ends, killed, place};

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

/// Plays this many pairs in two parts, with this many kills in all, and merges them.
fn parts_are_one_run(kills: usize, pairs: u64) {
    let place = |name: &str| place(&format!("parts-{kills}-{name}"));
    let whole = place("whole");
    ends(play(&whole, 3, pairs, None));

    let parts = [place("first"), place("second")];
    let cut = pairs * 2 / 5;
    let units = [format!("1..{cut}"), format!("{}..{pairs}", cut + 1)];
    let mut rng = Rng::new(9);
    let mut done = 0;
    while done < kills {
        // Both are killed when either has written this much more.
        let before = parts.each_ref().map(|part| length(part));
        let more = 1 + u64::from(rng.below(20_000));
        let children = [0, 1].map(|i| play(&parts[i], 3, pairs, Some(&units[i])).spawn().expect("it starts"));
        let wrote = || parts.iter().zip(before).any(|(part, before)| length(part) >= before + more);
        let outputs = killed(children, wrote);
        done += outputs.iter().filter(|output| !output.status.success()).count();
        if outputs.iter().all(|output| output.status.success()) {
            // Both have finished: begin again.
            for part in &parts {
                std::fs::remove_dir_all(part).expect("a folder");
            }
        }
    }
    for (part, units) in parts.iter().zip(&units) {
        ends(play(part, 3, pairs, Some(units)));
    }

    let merged = place("merged");
    let merge = || {
        let mut command = Command::new(FISH);
        command.args(["merge", "--out"]).arg(&merged).args(&parts);
        String::from_utf8(ends(command).stdout).expect("UTF-8")
    };
    assert!(merge().contains(&format!("{pairs} units")));
    let again = format!("{cut} units, {cut} of them there already, 0 new");
    assert!(merge().contains(&again), "twice is no harm");
    let before = length(&merged);
    ends(play(&merged, 3, pairs, None));
    assert_eq!(length(&merged), before, "nothing was played again");
    for file in ["match.games", "result.json", "report.html"] {
        let read = |folder: &Path| std::fs::read(folder.join(file)).expect(file);
        assert!(read(&merged) == read(&whole), "{file} is that of one run");
    }
    assert_eq!(
        std::fs::read_to_string(whole.join("match.games")).expect("games").matches("[Annotations").count()
            as u64,
        2 * pairs
    );

    // Another run is never merged.
    let other = place("other");
    ends(play(&other, 4, 2, None));
    let refused =
        Command::new(FISH).args(["merge", "--out"]).arg(&merged).arg(&other).output().expect("it starts");
    let stderr = String::from_utf8_lossy(&refused.stderr);
    assert!(
        !refused.status.success()
            && stderr.contains("belongs to another run than")
            && stderr.contains("seed was 3 and is now 4"),
        "{stderr}"
    );
    for folder in [whole, merged, other].iter().chain(&parts) {
        std::fs::remove_dir_all(folder).expect("cleaned up");
    }
}

#[test]
fn parts_that_were_killed_and_merged_are_one_run() {
    parts_are_one_run(5, 300);
}

#[test]
#[ignore = "full: fifty kills of two parts"]
fn parts_that_were_killed_fifty_times_are_one_run() {
    parts_are_one_run(50, 3000);
}
