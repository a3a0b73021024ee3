//! Programs that leave something behind: when a game is over, nothing of them is left. Linux, where /proc tells.

#![cfg(target_os = "linux")]

mod common;

use std::time::Duration;

use anglerfish_arena::{Match, adopt_orphans, now};
use common::{against, contestant, left_over};

/// Two games at a time against a program in this mode; returns how long they took, once nothing is left of it.
fn play(mode: &str) -> Duration {
    adopt_orphans();
    let token = format!("cage-{mode}-{}", std::process::id());
    let begin = now();
    let game = Match { pairs: 2, ..against(contestant(mode, &token, "st=0.3", None)) };
    game.run(None, 2, &mut |_, _| {}).expect("a match");
    let took = begin.elapsed();
    assert_eq!(left_over(&token), Vec::<String>::new(), "{mode}");
    took
}

#[test]
fn who_stops_talking_is_not_waited_for() {
    let took = play("closer");
    assert!(took.as_secs() < 10, "{took:?}");
}

#[test]
fn helpers_of_a_wrapper_go_with_it() {
    for mode in ["wrapper:", "wrapper:hang", "gone:", "gone:hang", "helper", "orphan"] {
        play(mode);
    }
}

#[test]
fn who_detaches_itself_is_found() {
    for mode in ["detach", "scrub"] {
        play(mode);
    }
}
