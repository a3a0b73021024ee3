//! A DCTP program that misbehaves on purpose: `mock_engine MODE [TOKEN]`. The fault tests play against it.
//!
//! It is the real session with a random player, until its third answer to `genmove`. All processes that it starts carry the token
//! too, so that a test can look for survivors.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it speaks on the standard streams")]
#![allow(clippy::disallowed_methods, reason = "its number is in the environment")]

use std::io::{BufRead, Write};
use std::process::{Command, Stdio};
use std::time::Duration;

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::dctp::Session;
use anglerfish_arena::protocol::{Session as _, Then};
use anglerfish_rules::banqi::RuleSet;

/// The modes of `hostile`, by the number that a match gives its programs: those that a match survives and that pass the handshake.
const HOSTILE: [&str; 23] = [
    "",
    "wrapper:",
    "wrapper:hang",
    "gone:",
    "gone:hang",
    "helper",
    "detach",
    "scrub",
    "closer",
    "flood",
    "crash",
    "hang",
    "busy",
    "orphan",
    "plug",
    "long",
    "half",
    "illegal",
    "garbage",
    "refuse",
    "escape",
    "stopped",
    "errors",
];

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let mode = match &mode[..] {
        "hostile" => HOSTILE[number() % HOSTILE.len()],
        mode => mode,
    };
    match mode.split_once(':') {
        // A script around an engine, and one that leaves the engine to itself.
        Some(("wrapper", inner)) => drop(myself(inner).spawn().and_then(|mut child| child.wait())),
        Some(("gone", inner)) => drop(myself(inner).spawn()),
        _ => play(mode),
    }
}

fn number() -> usize {
    let mark = std::env::var("ANGLERFISH_PROGRAM").unwrap_or_default();
    mark.rsplit('.').next().and_then(|number| number.parse().ok()).unwrap_or(0)
}

fn play(mode: &str) {
    match mode {
        "dead" => {
            eprintln!("mock: I do not want to play");
            std::process::exit(3);
        }
        "linger" => std::thread::sleep(Duration::from_hours(1)),
        // A process of its own session, whose parent is gone.
        "daemon" | "bare" => {
            #[cfg(unix)]
            rustix::process::setsid().expect("a session");
            let mut child = myself("linger");
            if mode == "bare" {
                child.env_clear();
            }
            drop(child.spawn());
            return;
        }
        "helper" => drop(silent("linger").spawn()),
        "detach" => drop(silent("daemon").status()),
        "scrub" => drop(silent("bare").status()),
        _ => {}
    }
    let player = builtin("random", &anglerfish_engine::Assets::default()).expect("there is a random player");
    let mut session = Session::new(player, "mock", RuleSet::PLATFORM, 1);
    let mut moves = 0;
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = session.line(&line);
        let genmove = line.starts_with("12 ");
        moves += u32::from(genmove);
        if mode == "noisy" {
            println!("a board\n=1200 no answer\n  =12 not at the beginning\r");
        }
        // Thinks while it should hear of plies.
        if mode == "dawdle" && (line.starts_with("10 ") || line.starts_with("11 ")) {
            std::thread::sleep(Duration::from_millis(600));
        }
        if (genmove && moves == 3) || mode == "mute" {
            misbehave(mode);
        }
        for text in answer.lines {
            println!("{text}");
        }
        if matches!(answer.then, Then::Quit) {
            return;
        }
        if mode == "plug" && genmove && moves == 3 {
            std::thread::sleep(Duration::from_hours(1));
        }
    }
}

/// This program again, with the same token.
fn myself(mode: &str) -> Command {
    let mut command = Command::new(std::env::current_exe().expect("we are a file"));
    command.arg(mode).args(std::env::args().nth(2));
    command
}

fn silent(mode: &str) -> Command {
    let mut command = myself(mode);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command
}

fn misbehave(mode: &str) {
    let forever = || std::thread::sleep(Duration::from_hours(1));
    match mode {
        "crash" => {
            eprintln!("mock: assertion failed: left == right");
            std::process::abort();
        }
        "exit" => std::process::exit(0),
        "hang" | "mute" => forever(),
        "busy" => loop {
            std::hint::spin_loop();
        },
        "closer" => {
            let nothing = std::fs::File::create("/dev/null").expect("nothing can be written to");
            #[cfg(unix)]
            rustix::stdio::dup2_stdout(&nothing).expect("the pipe is let go");
            drop(nothing);
            forever();
        }
        // Nothing more can be written to it: our lines wait behind its own lines in the pipe.
        #[cfg(target_os = "linux")]
        "plug" => {
            use std::os::unix::fs::OpenOptionsExt;
            const NONBLOCK: i32 = 0o4000;
            let stdin = std::fs::File::options().write(true).custom_flags(NONBLOCK).open("/proc/self/fd/0");
            let mut stdin = stdin.expect("the other end of our pipe");
            while stdin.write(b"x").is_ok() {}
        }
        "late" => std::thread::sleep(Duration::from_millis(1500)),
        "illegal" => println!("=12 a1 d8"),
        "garbage" => println!("=12 \u{1F41F} \0 !!"),
        // Sequences that a terminal obeys: its title, and colors by a control character of the upper half.
        "escape" => {
            eprintln!("\u{1b}]0;x\u{7}\u{9b}31m");
            println!("=12 \u{1b}]0;x\u{7}\u{9b}31m");
        }
        "refuse" => println!("?12 I do not know"),
        "half" => {
            print!("=12 a");
            let _ = std::io::stdout().flush();
            forever();
        }
        // A gigabyte of lines, or of one line.
        "flood" | "long" => {
            let end = if mode == "flood" { "\n" } else { "" };
            let chunk = format!("{}{end}", "x".repeat(1 << 16));
            for _ in 0..(1 << 14) {
                print!("{chunk}");
            }
            let _ = std::io::stdout().flush();
            forever();
        }
        // It does not run, and cannot end by itself.
        #[cfg(unix)]
        "stopped" => {
            use rustix::process::{Signal, getpid, kill_process};
            kill_process(getpid(), Signal::STOP).expect("a signal to ourselves");
        }
        // A gigabyte on standard error.
        "errors" => {
            let chunk = "x\n".repeat(1 << 15);
            for _ in 0..(1 << 14) {
                eprint!("{chunk}");
            }
            forever();
        }
        "orphan" => {
            // A child that keeps the pipe open must not keep the match waiting.
            let _ = myself("linger").spawn();
            std::process::abort();
        }
        _ => {}
    }
}
