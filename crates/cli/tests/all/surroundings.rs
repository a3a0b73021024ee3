//! The environment of programs, and with `--isolate` their view of the machine.

#![allow(clippy::print_stdout, reason = "it says what it skips")]

use std::path::Path;
use std::process::{Command, Output};

use crate::fish::{FISH, folder};

/// A pair between our random player as a program, behind a script, and one of ours.
fn play(folder: &Path, script: &str, words: &[&str], flags: &[&str]) -> Output {
    let (script, fish) = (format!("arg={script}; exec \"$0\" dctp --player random"), format!("arg={FISH}"));
    let program = ["--engine", "cmd=sh", "arg=-c", &script, &fish, "proto=dctp", "name=fish", "nodes=1"];
    let patience = ["answer=300", "stall=300"];
    Command::new(FISH)
        .current_dir(folder)
        .args(["match", "--rounds", "1", "--json", "--out", "out", "--log", "log"])
        .args(flags)
        .args(program)
        .args(patience)
        .args(words)
        .args(["--engine", "player=random", "nodes=1"])
        .env("CLOUD_SECRET", "hunter2")
        .env("LC_TIME", "C")
        .output()
        .expect("it starts")
}

/// All files that a run has written in its folders.
fn written(folder: &Path) -> String {
    let files = |name: &str| std::fs::read_dir(folder.join(name)).expect("a folder").flatten();
    let text = |file: std::fs::DirEntry| std::fs::read(file.path()).unwrap_or_default();
    let texts = files("out").chain(files("log")).map(text);
    texts.map(|text| String::from_utf8_lossy(&text).into_owned()).collect()
}

/// A program in our session could type commands into our terminal.
#[cfg(target_os = "linux")]
#[test]
fn a_program_has_a_session_of_its_own() {
    let folder = folder("surroundings-session");
    let output = play(&folder, "echo $$ >pid; cut -d ' ' -f 6 /proc/$$/stat >session", &[], &[]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect("it was written");
    assert_eq!(read("session"), read("pid"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// A secret of ours stays hidden from a program, unless it is passed on.
#[test]
fn programs_see_the_usual_environment() {
    let folder = folder("surroundings-environment");
    let seen = |words: &[&str]| {
        for old in ["out", "log"] {
            let _ = std::fs::remove_dir_all(folder.join(old));
        }
        let output = play(&folder, "env >seen", words, &[]);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let seen = std::fs::read_to_string(folder.join("seen")).expect("the environment");
        seen.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let names = |seen: &[String], name: &str| seen.iter().any(|line| line.starts_with(&format!("{name}=")));

    let usual = seen(&[]);
    assert!(
        ["PATH", "HOME", "LC_TIME", "ANGLERFISH_PROGRAM"].iter().all(|name| names(&usual, name)),
        "{usual:?}"
    );
    assert!(!names(&usual, "CLOUD_SECRET") && !names(&usual, "CARGO_MANIFEST_DIR"), "{usual:?}");
    assert!(!written(&folder).contains("\"env\""), "a program without env= is described as it always was");

    let more = seen(&["env=CLOUD_SECRET", "env=COLOR=deep red"]);
    assert!(more.contains(&"CLOUD_SECRET=hunter2".to_owned()), "{more:?}");
    assert!(more.contains(&"COLOR=deep red".to_owned()), "{more:?}");
    let kept = written(&folder);
    assert!(kept.contains("CLOUD_SECRET") && !kept.contains("hunter2"), "what is only named is not kept");
    assert!(kept.contains("COLOR=deep red"), "what games depend on is");

    for (word, why) in
        [("env=NOT_THERE", "the environment has no NOT_THERE"), ("env==1", "expected env=NAME")]
    {
        let output = play(&folder, "true", &[word], &[]);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).contains(why), "{output:?}");
    }
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// An isolated program can end and see only its own processes, and write only to its own folder.
#[cfg(target_os = "linux")]
#[test]
fn an_isolated_program_is_alone() {
    if let Err(why) = anglerfish_arena::can_isolate() {
        println!("SKIPPED an_isolated_program_is_alone ({why})");
        return;
    }
    let folder = folder("surroundings-isolated");
    std::fs::create_dir(folder.join("own")).expect("a folder");
    let own = format!("dir={}", folder.join("own").display());
    let outside = folder.join("escaped");
    // A process of the same user, as the runner is one.
    let attacked = |flags: &[&str]| {
        for old in ["out", "log"] {
            let _ = std::fs::remove_dir_all(folder.join(old));
        }
        let mut victim = Command::new("sleep").arg("3600").spawn().expect("every system has it");
        let script = format!(
            "kill -9 {}; ls /proc >seen; cat /proc/net/dev >net; find /run -type s >sockets; echo x >{}; kill -9 $PPID",
            victim.id(),
            outside.display()
        );
        let script = script.replace(if flags.is_empty() { "; kill -9 $PPID" } else { "no such text" }, "");
        let output = play(&folder, &script, &[&own], flags);
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        let result: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!(result["forfeits"], serde_json::json!([0, 0]), "it plays on: {result}");
        let alive = victim.try_wait().expect("it was started").is_none();
        let _ = victim.kill();
        victim.wait().expect("it ends");
        let read = |name: &str| std::fs::read_to_string(folder.join("own").join(name)).expect("what it saw");
        let processes = read("seen").lines().filter(|name| name.bytes().all(|b| b.is_ascii_digit())).count();
        let sockets = read("sockets");
        assert!(flags.is_empty() || sockets.is_empty(), "{sockets}");
        (alive, processes, read("net").lines().count(), std::fs::remove_file(&outside).is_ok())
    };
    let (alive, processes, _, escaped) = attacked(&[]);
    assert!(!alive && processes > 4 && escaped, "without it, all of that can be done");
    let (alive, processes, devices, escaped) = attacked(&["--isolate"]);
    assert!(alive && !escaped);
    assert!(processes <= 4, "bwrap, the shell and ls, not {processes}");
    assert_eq!(devices, 3, "two lines of heading and the loopback device");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Without bubblewrap, the error comes before the first game.
#[test]
fn isolation_needs_its_means() {
    let folder = folder("surroundings-means");
    let output = Command::new(FISH)
        .current_dir(&folder)
        .args(["match", "--rounds", "1", "--isolate", "--out", "out"])
        .args(["--engine", "player=greedy", "--engine", "player=random"])
        .env("PATH", &folder)
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("--isolate: programs "), "{said}");
    assert!(!folder.join("out").exists());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// A file that the caller left open would be inherited, and could be written to.
#[cfg(target_os = "linux")]
#[test]
fn an_isolated_program_inherits_no_file() {
    if let Err(why) = anglerfish_arena::can_isolate() {
        println!("SKIPPED an_isolated_program_inherits_no_file ({why})");
        return;
    }
    let folder = folder("surroundings-inherited");
    let output = Command::new("sh")
        .current_dir(&folder)
        .args(["-c", "exec \"$0\" \"$@\" 7>>left-open", FISH])
        .args(["match", "--rounds", "1", "--isolate", "--out", "out"])
        .args(["--engine", "player=greedy", "--engine", "player=random"])
        .output()
        .expect("it starts");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.code() == Some(2) && said.contains("left open, descriptor 7 ("), "{said}");
    assert!(!folder.join("out").exists());
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
