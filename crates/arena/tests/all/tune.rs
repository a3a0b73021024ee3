//! Tuning: the numbers that come out do not depend on interruptions or on how many games run at a time.

use anglerfish_arena::{Identity, Journal, Tune, Worker};
use anglerfish_engine::Tunables;

fn tune(pairs: u64) -> Tune {
    Tune {
        player: "alphabeta,hash=1".to_owned(),
        names: vec!["piece".to_owned(), "tempo".to_owned()],
        rules: "platform,board=4x4".to_owned(),
        budget: "nodes=200".to_owned(),
        seed: 7,
        pairs,
        batch: 3,
        step: 0.3,
        rate: 0.5,
        half_life: 100.0,
        luck: None,
        engine: Identity::default(),
    }
}

fn run(tune: &Tune, path: &std::path::Path, threads: usize) -> Tunables {
    let mut journal = Journal::open(path, "tune").expect("a journal");
    tune.run(&Worker::default(), &mut journal, threads, &mut |_| {}).expect("a run").tunables()
}

#[test]
fn a_run_that_was_stopped_comes_out_the_same() {
    let folder = std::env::temp_dir().join(format!("anglerfish-tune-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let whole = run(&tune(12), &folder.join("whole"), 1);
    let path = folder.join("stopped");
    let half = run(&tune(6), &path, 2);
    let both = run(&tune(12), &path, 2);
    assert_eq!(both, whole);
    assert_ne!(half, whole, "the second half moved something");
    let before = Tunables::default();
    assert_ne!(whole.piece, before.piece);
    assert_eq!(
        Tunables { piece: before.piece, tempo: before.tempo, ..whole },
        before,
        "only what was asked for moves"
    );
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

/// Luck that is judged is in the journal, and is taken off by what earlier batches say: the numbers move elsewhere.
#[test]
fn luck_is_taken_off() {
    let folder = std::env::temp_dir().join(format!("anglerfish-tune-luck-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let judged = |pairs| Tune {
        luck: "nodes=5".parse().ok(),
        rules: "platform".to_owned(),
        budget: "nodes=20".to_owned(),
        ..tune(pairs)
    };
    let plain = Tune { luck: None, ..judged(24) };
    let whole = run(&judged(24), &folder.join("whole"), 2);
    let path = folder.join("stopped");
    run(&judged(9), &path, 1);
    assert_eq!(run(&judged(24), &path, 1), whole);
    assert_ne!(run(&plain, &folder.join("plain"), 2), whole, "luck counts");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}

#[test]
fn unknown_numbers_are_refused() {
    let folder = std::env::temp_dir().join(format!("anglerfish-tune-names-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let mut journal = Journal::open(&folder.join("journal"), "tune").expect("a journal");
    let wrong = Tune { names: vec!["speed".to_owned()], ..tune(3) };
    let error =
        wrong.run(&Worker::default(), &mut journal, 1, &mut |_| {}).expect_err("no such number").to_string();
    assert!(error.contains("tempo") && error.contains("speed"), "{error}");
    std::fs::remove_dir_all(folder).expect("cleaned up");
}
