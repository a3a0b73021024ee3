//! The program behind a protocol: it listens while it thinks, and does not lose on time.

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::fish::{FISH, folder};

/// A running program.
struct Program {
    child: Child,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

fn start(args: &[&str]) -> Program {
    let mut command = Command::new(FISH);
    let mut child =
        command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().expect("it starts");
    let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    Program { input: child.stdin.take(), child, lines }
}

impl Program {
    fn tell(&mut self, line: &str) {
        writeln!(self.input.as_mut().expect("it is open"), "{line}").expect("it listens");
    }

    /// The next line with this beginning.
    fn hears(&mut self, beginning: &str) -> String {
        let line = self.lines.by_ref().map_while(Result::ok).find(|line| line.starts_with(beginning));
        line.unwrap_or_else(|| panic!("{beginning} was expected"))
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn uci_answers_while_it_thinks() {
    let mut fish = start(&["uci", "--set", "hash=4"]);
    fish.tell("position startpos moves b3(c) c3(K)");
    fish.tell("go infinite");
    fish.hears("info depth 3 ");
    fish.tell("isready");
    fish.hears("readyok");
    fish.tell("stop");
    fish.hears("bestmove ");
    fish.tell("go ponder wtime 600 btime 600");
    fish.hears("info depth 3 ");
    fish.tell("ponderhit");
    fish.hears("bestmove ");
    // A line that has to wait does, and so do all lines after it.
    fish.tell("go movetime 200");
    fish.tell("position text ----/----/----/----/----/----/Rn--/---k r - 0 40 platform");
    fish.tell("go depth 2");
    fish.hears("bestmove ");
    assert!(fish.hears("bestmove ").starts_with("bestmove a2-b2"));
    fish.tell("go infinite");
    fish.tell("quit");
    assert!(fish.child.wait().expect("it ends").success());
}

#[test]
fn the_last_line_is_answered_before_the_end() {
    let mut fish = start(&["uci", "--player", "level3"]);
    fish.tell("go nodes 2000");
    fish.input = None;
    fish.hears("bestmove ");
    assert!(fish.child.wait().expect("it ends").success());
}

#[test]
fn dctp_ponders_and_answers_at_once() {
    let mut fish = start(&["dctp", "--set", "ponder=on", "--set", "hash=4"]);
    fish.tell("15 time_settings 2000");
    fish.tell("12 genmove unknown");
    let at = fish.hears("=12 ")[4..6].to_owned();
    fish.tell(&format!("11 flip {at} P"));
    fish.hears("=11");
    fish.tell("16 time_left red 2000");
    fish.hears("=16");
    fish.tell(if at == "a1" { "11 flip a2 k" } else { "11 flip a1 k" });
    fish.hears("=11");
    fish.tell("12 genmove red");
    fish.hears("=12 ");
    fish.tell("5 quit");
    fish.hears("=5");
    assert!(fish.child.wait().expect("it ends").success());
}

#[test]
fn flags_win_over_the_file() {
    let folder = folder("serve");
    let path = folder.join("fish.toml");
    let path = path.to_str().expect("UTF-8");
    let text = "player = \"level2\"\nrules = \"olympiad\"\n[set]\nhash = 3\nponder = true\nthreads = 2\n";
    std::fs::write(path, text).expect("a file");
    let mut fish = start(&["uci", "--config", path, "--set", "threads=1", "--rules", "paper40"]);
    fish.tell("uci");
    assert!(fish.hears("id name").starts_with("id name anglerfish-level2 "));
    assert!(fish.hears("option name Rules").ends_with(" default paper40"));
    assert!(fish.hears("option name Hash").contains(" default 3 "));
    assert!(fish.hears("option name Threads").contains(" default 1 "));
    assert!(fish.hears("option name Ponder").ends_with(" default true"));
    let mut fish = start(&["uci", "--config", path, "--set", "search=mcts"]);
    fish.tell("uci");
    assert!(fish.hears("id name").starts_with("id name anglerfish-mcts "));
    let refuses = |args: &[&str]| {
        let output = Command::new(FISH).args(args).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    assert!(refuses(&["dctp", "--set", "hash"]).contains("expected NAME=VALUE"));
    assert!(refuses(&["dctp", "--set", "speed=9"]).contains("expected a setting: "));
    std::fs::write(path, "[set]\nhash = 0\n").expect("a file");
    assert!(refuses(&["dctp", "--config", path]).contains("expected hash=1 to 65536"));
    std::fs::write(path, "plaier = \"x\"\n").expect("a file");
    assert!(refuses(&["dctp", "--config", path]).contains("is not a configuration"));
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// The program stops reading when too many lines wait: a flood fills its own pipe, not our memory.
#[test]
fn a_flood_of_lines_waits_in_its_pipe() {
    const ALL: usize = 64 << 20;
    let mut fish = start(&["uci", "--set", "hash=4"]);
    fish.tell("position startpos moves b3(c) c3(K)");
    fish.tell("go movetime 86400000");
    let mut input = fish.input.take().expect("it is open");
    let written = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&written);
    let flood = std::thread::spawn(move || {
        let line = format!("position startpos {}\n", " ".repeat(4000));
        while count.load(Ordering::Relaxed) < ALL && input.write_all(line.as_bytes()).is_ok() {
            count.fetch_add(line.len(), Ordering::Relaxed);
        }
    });
    // The program has stopped, or we have written all. On a slow machine this may be decided early, but never
    // wrongly pass.
    let mut before = usize::MAX;
    while !flood.is_finished() && written.load(Ordering::Relaxed) != before {
        before = written.load(Ordering::Relaxed);
        std::thread::sleep(std::time::Duration::from_secs(1));
    }
    // Waiting lines have 16 MiB; the rest is for the pipe, the buffers and the current line.
    let written = written.load(Ordering::Relaxed);
    assert!(written < 17 << 20, "{written} bytes were read and kept");
    drop(fish);
    flood.join().expect("its pipe has broken");
}
