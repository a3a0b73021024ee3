//! Our own players behind the protocols: whole games, commands out of order, and the platform's transcripts.

use std::io::Write;

use anglerfish_arena::builtin;
use anglerfish_arena::protocol::{dctp, uci, wakasagi};
use anglerfish_rules::Rng;
use anglerfish_rules::banqi::{Banqi, RuleSet};

fn dctp_session() -> dctp::Session {
    dctp::Session::new(builtin("greedy").expect("a player"), "fish", RuleSet::PLATFORM, 1)
}

fn one(session: &mut dctp::Session, line: &str) -> String {
    session.line(line).lines.join("\n")
}

#[test]
fn dctp_in_the_platforms_order() {
    let mut s = dctp_session();
    assert_eq!(one(&mut s, "1 name"), "=1 fish");
    assert_eq!(one(&mut s, "2 version"), format!("=2 {}", env!("CARGO_PKG_VERSION")));
    assert_eq!(one(&mut s, "7 reset_board"), "=7");
    assert_eq!(one(&mut s, "15 time_setting 900000\r"), "=15");
    assert_eq!(one(&mut s, "14 ready"), "=14");
    let flip = one(&mut s, "12 genmove unknown");
    let square = flip.strip_prefix("=12 ").and_then(|m| m.split_once(' ')).expect("two squares");
    assert_eq!(square.0, square.1, "the first ply is a flip");
    assert_eq!(one(&mut s, "12 genmove unknown").len(), 9, "asking changes nothing");
    assert_eq!(one(&mut s, &format!("11 flip {} P", square.0)), "=11");
    assert_eq!(one(&mut s, "16 time_left red 900000"), "=16");
    assert_eq!(
        one(&mut s, &format!("11 flip {} p", square.0)).chars().next(),
        Some('?'),
        "it lies open already"
    );
}

#[test]
fn dctp_dispatches_on_the_code_and_falls_back_on_the_name() {
    let mut s = dctp_session();
    assert_eq!(one(&mut s, "1 whatever"), "=1 fish");
    assert_eq!(one(&mut s, "name"), "=1 fish");
    assert_eq!(one(&mut s, "99 name"), "=1 fish");
    assert_eq!(one(&mut s, "3 known_command genmove"), "=3 true");
    assert_eq!(one(&mut s, "3 known_command castle"), "=3 false");
    assert!(one(&mut s, "18 init_board X").starts_with("?18"));
    assert!(one(&mut s, "99 castle").starts_with('?'));
    assert!(one(&mut s, "4 list_commands").lines().count() == dctp::COMMANDS.len());
    assert!(s.line("5 quit").quit);
}

#[test]
fn garbage_never_crashes_a_session() {
    let mut rng = Rng::new(4);
    let words = [
        "0",
        "1",
        "5x",
        "10",
        "11",
        "12",
        "16",
        "99999999999999999999",
        "a1",
        "b9",
        "P",
        "k",
        "red",
        "unknown",
        "position",
        "text",
        "startpos",
        "moves",
        "go",
        "nodes",
        "movetime",
        "-5",
        "b3(c)",
        "a1-a2",
        "setoption",
        "name",
        "Rules",
        "value",
        "paper40",
        "????????/????????/????????/????????",
        "r",
        "b",
        "-9999",
        "8/8/8/8",
        "\u{1F41F}",
        "\0",
        "=",
        "?",
    ];
    let mut d = dctp_session();
    let mut u = uci::Session::new(builtin("random").expect("a player"), "fish", RuleSet::PLATFORM, 1);
    let mut w = wakasagi::Session::new(builtin("random").expect("a player"), RuleSet::COURSE2025, 1);
    for _ in 0..20_000 {
        let n = rng.below(6);
        let line: Vec<&str> = (0..n).map(|_| rng.pick(&words)).collect();
        let line = line.join(" ");
        for answer in [d.line(&line), u.line(&line), w.line(&line)] {
            assert!(answer.lines.len() < 30);
        }
    }
    let huge = format!("10 move {}", "a1 ".repeat(400_000));
    assert!(one(&mut d, &huge).starts_with('?'));
}

#[test]
fn uci_plays_from_any_position() {
    let mut s = uci::Session::new(builtin("greedy").expect("a player"), "fish", RuleSet::PLATFORM, 1);
    assert_eq!(s.line("uci").lines.last().map(String::as_str), Some("uciok"));
    assert_eq!(s.line("isready").lines, ["readyok"]);
    assert!(s.line("position startpos moves b3(c) c3(K)").lines.is_empty());
    let best = s.line("go nodes 100").lines.join("");
    assert!(best.starts_with("bestmove "), "{best}");
    // The rook takes the king's guard's place: one capture, and greedy takes it.
    let text = "----/----/----/----/----/----/Rn--/---k r - 0 40 platform";
    assert!(s.line(&format!("position text {text}")).lines.is_empty());
    assert_eq!(s.line("go movetime 10").lines, ["bestmove a2-b2"]);
    for bad in [
        "position",
        "position text nonsense",
        "position startpos moves b3-b4",
        "castle",
        "setoption name X value 1",
    ] {
        let answer = s.line(bad).lines.join("");
        assert!(answer.starts_with("info string error: "), "{bad}: {answer}");
    }
    assert_eq!(s.line("go movetime 10").lines, ["bestmove a2-b2"], "an error changes nothing");
}

#[test]
fn wakasagi_works_out_what_was_played() {
    let mut s = wakasagi::Session::new(builtin("random").expect("a player"), RuleSet::COURSE2025, 1);
    let hidden = "????????/????????/????????/????????";
    let first = s.line(&format!("{hidden} r 600000 600000")).lines.join("");
    assert!(first.starts_with("FLIP "), "{first}");
    assert!(s.line(&format!("{hidden} r -9999 -9999")).lines.is_empty());
    assert!(s.line("K???????/????????/????????/???????? r -9999 -9999").lines.is_empty());
    let next = s.line("Kp??????/????????/????????/???????? b 600000 600000").lines.join("");
    assert!(next.starts_with("FLIP ") || next.starts_with("MOVE "), "{next}");
    assert!(s.line("8/8/8/8 b 1 1").lines.join("").starts_with("ERROR"), "pieces do not vanish");
    assert!(s.line("x").lines.join("").starts_with("ERROR"));
}

/// What the platform wrote to a program is written to ours: the recorded plies are fed, our own choices are discarded, and
/// no command may be answered with an error.
#[test]
fn platform_transcripts() {
    let mut out = std::io::stderr().lock();
    let folder =
        std::env::var_os("ANGLERFISH_DATA").map(|d| std::path::PathBuf::from(d).join("platform/transcripts"));
    let Some(folder) = folder.filter(|f| f.is_dir()) else {
        writeln!(out, "SKIPPED platform-transcripts (set ANGLERFISH_DATA to the data folder)")
            .expect("stderr");
        return;
    };
    let (mut files, mut moves) = (0, 0);
    for entry in std::fs::read_dir(folder).expect("the transcripts") {
        let path = entry.expect("a file").path();
        let text = std::fs::read_to_string(&path).expect("a transcript");
        let mut session = dctp_session();
        for line in text.lines().filter(|line| !line.starts_with(">>")) {
            let answer = session.line(line);
            let code = line.split(' ').next().expect("a code");
            let good = answer.lines.first().is_some_and(|l| l.starts_with(&format!("={code}")));
            assert!(good, "{}: {line} -> {:?}", path.display(), answer.lines);
            moves += u32::from(code == "12");
        }
        files += 1;
    }
    assert!(files == 20 && moves > 500, "{files} transcripts, {moves} genmoves");
    writeln!(out, "PASSED platform-transcripts: {files} transcripts, {moves} genmoves, no error")
        .expect("stderr");
}

/// Two sessions play each other through text alone, and the referee agrees with every ply.
#[test]
fn a_whole_game_through_dctp() {
    use anglerfish_rules::Game;
    let mut rng = Rng::stream(8, "deal");
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let mut sessions = [dctp_session(), dctp_session()];
    while let Some(seat) = game.turn().seat() {
        let color = game.position().side().map_or("unknown", |c| c.name());
        let answer = one(&mut sessions[usize::from(seat.0)], &format!("12 genmove {color}"));
        let (from, to) = answer[4..].split_once(' ').expect("two squares");
        let action = if from == to { from.to_owned() } else { format!("{from}-{to}") };
        let event = game.draw(action.parse().expect("an action"), &mut rng);
        assert!(game.is_possible(event), "{answer} in {game}");
        game.apply(event);
        let told = event.to_string().replace('(', " ").replace(')', "").replace('-', " ");
        let command = if from == to { "11 flip" } else { "10 move" };
        for session in &mut sessions {
            assert!(one(session, &format!("{command} {told}")).starts_with("=1"));
        }
    }
    assert!(game.position().ply() > 30);
}
