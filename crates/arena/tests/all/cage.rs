//! Programs that leave processes behind: after the game, none of them is left. On Linux, where /proc lists them.

use std::sync::{Mutex, PoisonError};

use crate::mock::{PATIENT, against, contestant, left_over};
use anglerfish_arena::{Match, Worker, adopt_orphans};
use anglerfish_rules::banqi::Banqi;

/// One test at a time: a process that removed its mark lives as long as any program that was running with it.
static ALONE: Mutex<()> = Mutex::new(());

/// Plays two games at a time against a program in this mode, checks that no process is left, and returns the complaints.
fn play(mode: &str, budget: &str) -> Vec<String> {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    adopt_orphans();
    let token = format!("cage-{mode}-{}", std::process::id());
    let game = Match { pairs: 2, ..against(contestant(mode, &token, budget, PATIENT)) };
    let mut complaints = Vec::new();
    game.run::<Banqi>(&Worker::default(), None, 2, &mut |_, records| {
        complaints.extend(records.iter().filter_map(|record| record.tag("Complaint").map(str::to_owned)));
    })
    .expect("a match");
    assert_eq!(left_over(&token), Vec::<String>::new(), "{mode}");
    complaints
}

#[test]
fn who_stops_talking_is_not_waited_for() {
    let complaints = play("closer", "nodes=1");
    let is_noticed = |said: &String| said.contains("closed its standard output instead of an answer =12");
    assert!(complaints.len() == 4 && complaints.iter().all(is_noticed), "{complaints:?}");
}

#[test]
fn helpers_of_a_wrapper_go_with_it() {
    for mode in ["wrapper:", "wrapper:hang", "gone:", "gone:hang", "helper", "orphan"] {
        play(mode, "st=0.3");
    }
}

#[test]
fn who_detaches_itself_is_found() {
    for mode in ["detach", "scrub"] {
        play(mode, "st=0.3");
    }
}

/// Games overlap, so a program is always running; processes left by earlier games are ended nevertheless.
#[test]
fn who_wipes_its_mark_off_does_not_pile_up() {
    let _alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    adopt_orphans();
    let token = format!("cage-pile-{}", std::process::id());
    let game = Match { pairs: 12, ..against(contestant("scrub", &token, "nodes=1", PATIENT)) };
    let mut most = 0;
    game.run::<Banqi>(&Worker::default(), None, 2, &mut |_, _| most = most.max(left_over(&token).len()))
        .expect("a match");
    // Two programs that run, and of each of them and of those before them what has detached itself.
    assert!(most <= 8, "{most} processes after 24 games");
    assert_eq!(left_over(&token), Vec::<String>::new());
}
