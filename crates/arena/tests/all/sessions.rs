//! Our own players behind the protocols: whole games, commands out of order, and the platform's transcripts.

use std::io::Write;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use anglerfish_arena::protocol::{Describe, Session, Then, dctp, uci, wakasagi};
use anglerfish_arena::{Choice, Clocks, EnginePlayer, MoveRequest, Player, builtin, random};
use anglerfish_engine::opponent::{Debt, OpponentModel, OpponentSummary, PlayerEstimate, Strength};
use anglerfish_engine::{Assets, Profile, Stop};
use anglerfish_rules::banqi::{Action, Banqi, Event, RuleSet};
use anglerfish_rules::{Forfeit, Ply, Rng, RngExt, Seat};

fn dctp_session() -> dctp::Session {
    dctp::Session::new(builtin("greedy", &Assets::default()).expect("a player"), "fish", RuleSet::PLATFORM, 1)
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
    assert!(matches!(s.line("5 quit").then, Then::Quit));
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
    let mut u = uci::Session::new(
        builtin("random", &Assets::default()).expect("a player"),
        "fish",
        RuleSet::PLATFORM,
        1,
    );
    let mut w = wakasagi::Session::new(
        builtin("random", &Assets::default()).expect("a player"),
        RuleSet::COURSE2025,
        1,
    );
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
    let mut s = uci::Session::new(
        builtin("greedy", &Assets::default()).expect("a player"),
        "fish",
        RuleSet::PLATFORM,
        1,
    );
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
    let mut s = wakasagi::Session::new(
        builtin("random", &Assets::default()).expect("a player"),
        RuleSet::COURSE2025,
        1,
    );
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

/// Our program gets the lines that the platform once wrote to another: the recorded plies are played, our own choices are
/// discarded, and no command may be answered with an error.
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

fn uci_session(player: &str) -> uci::Session {
    uci::Session::new(builtin(player, &Assets::default()).expect("a player"), "fish", RuleSet::PLATFORM, 1)
}

#[test]
fn uci_options_end_in_the_engine() {
    let mut s = uci_session("alphabeta,hash=1");
    let options = s.line("uci").lines.join("\n");
    for name in
        ["Rules", "Hash", "Threads", "MultiPV", "Ponder", "Level", "DrawValue", "DrawScope", "UCI_Variant"]
    {
        assert!(options.contains(&format!("option name {name} type ")), "{name} in {options}");
    }
    for good in [
        "Hash value 2",
        "Threads value 2",
        "MultiPV value 3",
        "Ponder value true",
        "Level value beginner1",
        "Level value 3",
        "DrawValue value -20",
        "DrawScope value repetition",
        "UCI_Variant value banqi",
        "star value star1",
    ] {
        assert!(s.line(&format!("setoption name {good}")).lines.is_empty(), "{good}");
    }
    let options = s.line("uci").lines.join("\n");
    assert!(
        options.contains("Hash type spin default 2 ") && options.contains("DrawValue type spin default -20 ")
    );
    for bad in [
        "Hash value 0",
        "Level value 11",
        "Level value beginner4",
        "DrawValue value 101",
        "MultiPV value 0",
        "UCI_Variant value chess",
        "Depth value 3",
        "Ponder value maybe",
    ] {
        let answer = s.line(&format!("setoption name {bad}")).lines.join("");
        assert!(answer.starts_with("info string error: expected "), "{bad}: {answer}");
    }
}

#[test]
fn uci_says_what_it_sees() {
    let mut s = uci_session("alphabeta,hash=1");
    s.line("position startpos moves b3(c) c3(K)");
    let lines = s.line("go depth 3").lines;
    assert_eq!(lines.len(), 4, "{lines:?}");
    let words: Vec<&str> = lines[2].split(' ').step_by(2).take(3).collect();
    assert_eq!(words, ["info", "3", "cp"], "{lines:?}");
    for word in [" wdl ", " nodes ", " nps ", " time ", " pv "] {
        assert!(lines[2].contains(word), "{lines:?}");
    }
    s.line("setoption name MultiPV value 2");
    assert!(s.line("go nodes 5000").lines[1].contains(" multipv 2 "));
}

/// The steps of a program that reads lines while it thinks.
#[test]
fn uci_listens_while_it_thinks() {
    let mut s = uci_session("alphabeta,hash=1");
    let think = |then: Then| match then {
        Then::Think(task) => task,
        other => panic!("{other:?}"),
    };
    let stop = Stop::default();
    stop.set();
    s.receive("position startpos moves b3(c) c3(K)");
    // A search with limits makes lines wait; one without is broken off for them.
    let task = think(s.receive("go depth 1").then);
    assert!(!task.endless && matches!(s.receive("position startpos").then, Then::Hold));
    assert_eq!(s.receive("isready").lines, ["readyok"]);
    assert!(s.thought(task.run(&stop, &mut |_| {})).lines[0].starts_with("bestmove "));
    let task = think(s.receive("go infinite").then);
    assert!(task.endless && matches!(s.receive("go depth 1").then, Then::Interrupt));
    assert!(matches!(s.receive("stop").then, Then::Interrupt));
    assert!(s.thought(task.run(&stop, &mut |_| {})).lines[0].starts_with("bestmove "));
    assert!(s.receive("stop").lines.is_empty(), "heard again, it has nothing left to do");
    // A hit ends the pondering in silence, and the real search begins.
    let task = think(s.receive("go ponder wtime 1000 btime 1000").then);
    assert!(matches!(s.receive("ponderhit").then, Then::Interrupt));
    assert!(s.thought(task.run(&stop, &mut |_| {})).lines.is_empty());
    let task = think(s.receive("ponderhit").then);
    assert!(!task.endless);
    assert!(s.thought(task.run(&stop, &mut |_| {})).lines[0].starts_with("bestmove "));
    // An endless search that has seen everything keeps its answer until it is asked for.
    s.receive("position text ----/----/----/----/----/----/Rn--/---- r - 0 40 platform");
    let task = think(s.receive("go infinite").then);
    assert!(s.thought(task.run(&Stop::default(), &mut |_| {})).lines.is_empty());
    assert_eq!(s.receive("stop").lines, ["bestmove a2-b2"]);
    assert!(matches!(s.receive("quit").then, Then::Quit));
}

/// Negative clocks, which interfaces send after the time has run out, and huge numbers are limits too: without one a search never ends.
#[test]
fn uci_reads_every_number_of_go() {
    for go in [
        "wtime -500 btime -500",
        "wtime 99999999999999999999 btime -1 winc -1",
        "movetime -5",
        "nodes 99999999999999999999",
        "depth -1",
    ] {
        let mut s = uci_session("random");
        let Then::Think(task) = s.receive(&format!("go {go}")).then else { panic!("{go}: it thinks") };
        assert!(!task.endless, "{go}");
        assert!(s.thought(task.run(&Stop::default(), &mut |_| {})).lines[0].starts_with("bestmove "), "{go}");
    }
    for go in ["nodes", "movetime x", "wtime 1e3 btime 1e3", "ponder wtime - btime 5"] {
        let answer = uci_session("random").line(&format!("go {go}")).lines.join("");
        assert!(answer.starts_with("info string error: expected a number behind "), "{go}: {answer}");
    }
}

#[test]
fn dctp_ponders_on_the_others_time_only() {
    let player = builtin("alphabeta,hash=1,nodes=2000,ponder=on", &Assets::default()).expect("a player");
    let mut s = dctp::Session::new(player, "fish", RuleSet::PLATFORM, 1);
    let Then::Think(task) = s.receive("12 genmove unknown").then else { panic!("it thinks") };
    assert!(matches!(s.receive("16 time_left red 1000").then, Then::Hold), "a request waits for its turn");
    let choice = s.thought(task.run(&Stop::default(), &mut |_| {})).lines.join("");
    let at = &choice[4..6];
    let answer = s.receive(&format!("11 flip {at} P"));
    assert_eq!(answer.lines, ["=11"], "the answer does not wait for the pondering");
    let Then::Think(task) = answer.then else { panic!("it ponders") };
    assert!(task.endless);
    // Requests that need no player are answered meanwhile; the others stop the pondering.
    assert_eq!(s.receive("16 time_left red 900000").lines, ["=16"]);
    let theirs = if at == "a1" { "11 flip a2 k" } else { "11 flip a1 k" };
    assert!(matches!(s.receive(theirs).then, Then::Interrupt));
    let stop = Stop::default();
    stop.set();
    assert!(s.thought(task.run(&stop, &mut |_| {})).lines.is_empty());
    let answer = s.receive(theirs);
    assert!(answer.lines == ["=11"] && matches!(answer.then, Then::Listen), "our turn: nothing to ponder on");
}

#[test]
fn wakasagi_ponders_on_the_others_time() {
    let player = builtin("alphabeta,hash=1,nodes=2000,ponder=on", &Assets::default()).expect("a player");
    let mut s = wakasagi::Session::new(player, RuleSet::COURSE2025, 1);
    let Then::Think(task) = s.receive("????????/????????/????????/???????? r 600000 600000").then else {
        panic!("it thinks")
    };
    assert!(s.thought(task.run(&Stop::default(), &mut |_| {})).lines[0].starts_with("FLIP "));
    let Then::Think(task) = s.receive("K???????/????????/????????/???????? r -9999 -9999").then else {
        panic!("it ponders")
    };
    let next = "Kp??????/????????/????????/???????? b 600000 600000";
    assert!(task.endless && matches!(s.receive(next).then, Then::Interrupt));
    let stop = Stop::default();
    stop.set();
    assert!(s.thought(task.run(&stop, &mut |_| {})).lines.is_empty());
    assert!(matches!(s.receive(next).then, Then::Think(task) if !task.endless), "our turn");
}

/// Counts how many games it starts.
struct Sitter {
    random: EnginePlayer<Banqi>,
    sat_down: Arc<AtomicUsize>,
}

impl Player<Banqi> for Sitter {
    fn start(&mut self, seat: Seat, seed: u64, clocks: &Clocks) -> Result<(), Forfeit> {
        self.sat_down.fetch_add(1, Ordering::SeqCst);
        Player::<Banqi>::start(&mut self.random, seat, seed, clocks)
    }

    fn choose(&mut self, view: &Banqi, ask: &MoveRequest) -> Result<Choice<Action>, Forfeit> {
        Player::<Banqi>::choose(&mut self.random, view, ask)
    }
}

/// A player that is told every position anew stays in its game, and so keeps its memory.
#[test]
fn a_game_told_by_positions_is_one_game() {
    let sat_down = Arc::new(AtomicUsize::new(0));
    let player = Sitter { random: random(), sat_down: Arc::clone(&sat_down) };
    let mut session = uci::Session::new(Box::new(player), "fish", RuleSet::PLATFORM, 1);
    for text in [
        "K---/----/----/----/----/----/Rn--/---k r - 0 40 platform",
        "-K--/----/----/----/----/----/-R--/---k r - 0 42 platform",
    ] {
        assert!(session.line(&format!("position text {text}")).lines.is_empty());
        assert!(session.line("go nodes 1").lines.join("").starts_with("bestmove "));
    }
    assert_eq!(sat_down.load(Ordering::SeqCst), 1);
    session.line("ucinewgame");
    session.line("position startpos");
    session.line("go nodes 1");
    assert_eq!(sat_down.load(Ordering::SeqCst), 2);
}

/// A model that takes every opponent for 50 Elo weaker, once it has moved.
struct Weaker {
    them: Seat,
    moved: bool,
}

impl OpponentModel<Banqi> for Weaker {
    fn begin(&mut self, seat: Seat, _: u64, _: Option<&Profile>) {
        *self = Weaker { them: seat, moved: false };
    }

    fn observe(&mut self, _: &Banqi, ply: &Ply<Event>, _: &mut Debt) {
        self.moved |= ply.seat == self.them;
    }

    fn summary(&self, _: &Debt) -> OpponentSummary {
        let strength = Strength { possible: vec![(1.0, -50.0, 10.0)], from: 0.0 };
        let estimate = PlayerEstimate { like: None, none: 0.5, strength };
        OpponentSummary { estimate: self.moved.then_some(estimate), ..OpponentSummary::default() }
    }
}

fn studying() -> Box<dyn Player<Banqi>> {
    let mut assets = Assets::default();
    assets.models_mut().add::<Banqi>("weaker", |_, _| Ok(Box::new(Weaker { them: Seat(0), moved: false })));
    builtin("alphabeta,hash=1,nodes=200,opponent=weaker", &assets).expect("a player")
}

/// The model of the opponent is reported when it is new: in UCI as an info string, elsewhere as a note and never as an answer.
#[test]
fn what_is_made_of_an_opponent_is_said_where_no_referee_minds() {
    let words: Describe = |summary| {
        let [_, elo, _] = summary.estimate.as_ref()?.strength.interval();
        Some(format!("about {elo:.0} Elo"))
    };
    let mut s = uci::Session::new(studying(), "fish", RuleSet::PLATFORM, 1);
    s.describe_opponent(words);
    let mut go = |position: &str| {
        assert!(s.line(position).lines.is_empty());
        let mut lines = s.line("go nodes 200").lines;
        assert!(lines.pop().is_some_and(|line| line.starts_with("bestmove ")));
        lines.retain(|line| line.starts_with("info string"));
        lines
    };
    assert!(go("position startpos").is_empty(), "nothing is known");
    let said = go("position startpos moves a1(P) a3(p)");
    assert_eq!(said, ["info string opponent: about -50 Elo"]);
    assert!(go("position startpos moves a1(P) a3(p)").is_empty(), "it has been said");

    let mut s = dctp::Session::new(studying(), "fish", RuleSet::PLATFORM, 1);
    s.describe_opponent(words);
    s.line("12 genmove unknown");
    for line in ["11 flip a1 P", "11 flip a3 p"] {
        assert!(s.line(line).notes.is_empty());
    }
    let answer = s.line("12 genmove red");
    assert!(answer.lines.len() == 1 && answer.lines[0].starts_with("=12 "), "{answer:?}");
    assert!(answer.notes == ["opponent: about -50 Elo"], "{answer:?}");

    let mut s = wakasagi::Session::new(studying(), RuleSet::COURSE2025, 1);
    s.describe_opponent(words);
    s.line("????????/????????/????????/???????? r 600000 600000");
    s.line("K???????/????????/????????/???????? r -9999 -9999");
    let answer = s.line("Kp??????/????????/????????/???????? b 600000 600000");
    assert!(answer.lines.len() == 1 && !answer.lines[0].contains("opponent"), "{answer:?}");
    assert!(answer.notes.len() == 1 && answer.notes[0].starts_with("opponent: "), "{answer:?}");
}
