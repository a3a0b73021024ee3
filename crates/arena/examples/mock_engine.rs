//! A DCTP program that misbehaves on purpose: `mock_engine MODE`. The fault tests play against it.
//!
//! It is the real session with a random player, until its third answer to `genmove`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it speaks on the standard streams")]

use std::io::{BufRead, Write};
use std::time::Duration;

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::dctp::Session;
use anglerfish_arena::protocol::{Session as _, Then};
use anglerfish_rules::banqi::RuleSet;

fn main() {
    let mode = std::env::args().nth(1).unwrap_or_default();
    let player = builtin("random").expect("there is a random player");
    let mut session = Session::new(player, "mock", RuleSet::PLATFORM, 1);
    let mut moves = 0;
    if mode == "dead" {
        eprintln!("mock: I do not want to play");
        std::process::exit(3);
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { return };
        let answer = session.line(&line);
        let genmove = line.starts_with("12 ");
        moves += u32::from(genmove);
        if mode == "noisy" {
            println!("a board\n=1200 no answer\n  =12 not at the beginning\r");
        }
        if (genmove && moves == 3) || mode == "mute" {
            misbehave(&mode);
        }
        for text in answer.lines {
            println!("{text}");
        }
        if matches!(answer.then, Then::Quit) {
            return;
        }
    }
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
        "late" => std::thread::sleep(Duration::from_millis(1500)),
        "illegal" => println!("=12 a1 d8"),
        "garbage" => println!("=12 \u{1F41F} \0 !!"),
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
        "orphan" => {
            // A child that keeps the pipe open must not keep the match waiting.
            let _ = std::process::Command::new("sleep").arg("3600").spawn();
            std::process::abort();
        }
        _ => {}
    }
}
