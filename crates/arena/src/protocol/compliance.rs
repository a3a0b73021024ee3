//! Checks of another author's program against its protocol, in words for that author.
//!
//! The checks do what a tournament does: a handshake, requests for moves, plies, a new game, and whole games in both seats. The
//! strength of the program does not matter.

use std::time::Duration;

use anglerfish_rules::banqi::{Action, Banqi, Event, Layout, RuleSet};
use anglerfish_rules::{Cause, Forfeit, Game, NotationError, Ply, Rng, Seat};

use super::{Protocol, dctp};
use crate::fixed::Fixed;
use crate::program::Program;
use crate::table::{self, Budget, Clocks, GameOptions, MoveRequest, Player, Table, play};

/// The result of a check.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Finding {
    /// What the check tries.
    pub check: String,
    /// Success, or the fault.
    pub fault: Option<String>,
    /// Something that is no fault here and may be one elsewhere.
    pub note: Option<String>,
}

/// A fault of a program, in words for its author.
struct Fault(String);

/// Runs every check of a protocol, and stops at a failed handshake; `heard` is told of each as it ends. `base` is the clock of the games, `pairs` the
/// number of pairs.
pub fn check(
    program: &Program,
    proto: Protocol,
    rules: RuleSet,
    base: Duration,
    pairs: u64,
    heard: &mut dyn FnMut(&Finding),
) -> bool {
    let mut sound = true;
    let mut report = |check: &str, result: Result<(), Fault>| {
        let fault = result.err().map(|Fault(fault)| fault);
        let finding = Finding { check: check.to_owned(), fault, note: None };
        sound &= finding.fault.is_none();
        heard(&finding);
        finding.fault.is_none()
    };
    // Without a handshake every other check fails as it does, each after its own wait.
    let (greeting, first_line) = greeting(proto);
    if let Some(first_line) = first_line
        && !report(greeting, handshake(program, proto).map_err(|why| with_advice(&why, program, first_line)))
    {
        return false;
    }
    if proto == Protocol::Dctp {
        for (name, test) in DCTP {
            report(name, test(program));
        }
    }
    let mut strays = Vec::new();
    for pair in 1..=pairs {
        for seat in [Seat(0), Seat(1)] {
            let name =
                format!("plays a whole game as {} player", if seat.0 == 0 { "first" } else { "second" });
            report(&name, whole_game(program, proto, rules, base, pair, seat, &mut strays));
        }
    }
    let note = stray_note(&strays);
    if note.is_some() {
        let check = "writes nothing but answers to standard output".to_owned();
        heard(&Finding { check, fault: None, note });
    }
    sound
}

/// The check of a handshake, and its first line; Wakasagi has none.
fn greeting(proto: Protocol) -> (&'static str, Option<&'static str>) {
    match proto {
        Protocol::Dctp => (
            "answers the handshake: 1 name, 2 version, 7 reset_board, 15 time_setting, 14 ready",
            Some("1 name"),
        ),
        Protocol::Uci | Protocol::Misty => ("answers the handshake: uci, ucinewgame, isready", Some("uci")),
        Protocol::Wakasagi => ("", None),
    }
}

/// A failed handshake, with its likely cause. A buffered answer comes out when the input ends.
fn with_advice(Fault(why): &Fault, program: &Program, line: &str) -> Fault {
    if !why.ends_with("heard nothing") {
        return Fault(format!(
            "{why}\nIts input begins with {line:?}: read lines until the end of the input, answer each, and flush every answer."
        ));
    }
    Fault(match program.answer_at_end(line, Duration::from_secs(program.caps.answer_s)) {
        Some(answer) => format!(
            "{why}\nWhen its input ended, it wrote {answer:?}: it answers, but does not flush. Flush after every line: \
             print(..., flush=True) in Python, std::endl in C++, fflush(stdout) in C."
        ),
        None => format!(
            "{why}\nWhat authors forget: to flush after every line; to read lines in a loop until the end of the input; and to \
             answer {line:?}, the first line, at once."
        ),
    })
}

/// The lines that answered nothing, in one line.
fn stray_note(strays: &[String]) -> Option<String> {
    let shown: Vec<String> = strays.iter().take(3).map(|line| format!("{line:?}")).collect();
    let more = match strays.len() - shown.len() {
        0 => String::new(),
        n => format!(" and at least {n} more"),
    };
    (!shown.is_empty()).then(|| {
        format!(
            "it also wrote {}{more}. They are skipped here, and another referee may take one for an answer: write such lines to standard error.",
            shown.join(", ")
        )
    })
}

/// A game against a random player. The program need not win.
fn whole_game(
    program: &Program,
    proto: Protocol,
    rules: RuleSet,
    base: Duration,
    pair: u64,
    seat: Seat,
    strays: &mut Vec<String>,
) -> Result<(), Fault> {
    let mut theirs = proto.player(program);
    let mut random = table::random();
    let layout = Layout::shuffled(rules.board, &mut Rng::stream(pair, "deal"));
    let clocks = Clocks::new([Budget::Game { base, increment: Duration::ZERO }; 2]);
    let players: &mut [&mut dyn Player<Banqi>] =
        if seat.0 == 0 { &mut [&mut *theirs, &mut random] } else { &mut [&mut random, &mut *theirs] };
    let record =
        play(Table::new(Banqi::start(rules), Fixed(layout), clocks), players, pair, GameOptions::default());
    for stray in theirs.strays() {
        if !strays.contains(&stray) {
            strays.push(stray);
        }
    }
    match record.ending.map(|e| e.cause) {
        Some(Cause::Forfeit(forfeit)) => {
            let ply = record.plies.len() + 1;
            let complaint = record.tag("Complaint").unwrap_or_default();
            let advice = match forfeit {
                Forfeit::Illegal => " (is the board that it keeps the one it was told?)",
                Forfeit::Timeout => " (it lost on time)",
                _ => "",
            };
            Err(Fault(format!("at ply {ply} it lost by {forfeit}{advice}: {complaint}")))
        }
        _ => Ok(()),
    }
}

type Test = fn(&Program) -> Result<(), Fault>;

const DCTP: [(&str, Test); 5] = [
    ("answers 12 genmove unknown with a flip: the same face-down square twice", first_flip),
    ("does not change its board at genmove: asked twice, it may choose again", asks_twice),
    ("takes 11 flip, 10 move and 16 time_left for both sides", hears_plies),
    ("begins anew at 7 reset_board in the same process", resets),
    ("goes away at 5 quit within two seconds", quits),
];

/// The clocks of the checks that are not games; they are short, so that no program thinks long.
fn short() -> Clocks {
    Clocks::new([Budget::Game { base: Duration::from_secs(20), increment: Duration::ZERO }; 2])
}

/// A client that has shaken hands.
fn seated(program: &Program) -> Result<dctp::Client, Fault> {
    let mut client = dctp::Client::new(program.clone());
    let clocks = short();
    let started = client.start(Seat(0), 1, &clocks);
    started.map_err(|forfeit| explain(&client, forfeit))?;
    Ok(client)
}

fn explain(client: &dctp::Client, forfeit: Forfeit) -> Fault {
    Fault(client.complaint().unwrap_or_else(|| forfeit.to_string()))
}

fn handshake(program: &Program, proto: Protocol) -> Result<(), Fault> {
    if proto != Protocol::Dctp {
        let mut player = proto.player(program);
        let started = player.start(Seat(0), 1, &short());
        return started.map_err(|forfeit| Fault(player.complaint().unwrap_or_else(|| forfeit.to_string())));
    }
    let client = seated(program)?;
    if client.title.is_empty() {
        Err(Fault("its name is empty: answer \"=1 NAME\" to \"1 name\"".to_owned()))
    } else {
        Ok(())
    }
}

/// Asks for a choice and checks that it is legal.
fn choice(client: &mut dctp::Client, game: &Banqi) -> Result<Action, Fault> {
    let clocks = short();
    let action =
        client.choose(game, &MoveRequest::clocks(clocks)).map_err(|forfeit| explain(client, forfeit))?.action;
    match game.why_not(action) {
        None => Ok(action),
        Some(why) => Err(Fault(format!("it chose {action}, which is not legal in {game}: {why}"))),
    }
}

fn first_flip(program: &Program) -> Result<(), Fault> {
    let mut client = seated(program)?;
    choice(&mut client, &Banqi::start(RuleSet::PLATFORM)).map(drop)
}

fn asks_twice(program: &Program) -> Result<(), Fault> {
    let mut client = seated(program)?;
    let start = Banqi::start(RuleSet::PLATFORM);
    choice(&mut client, &start)?;
    choice(&mut client, &start).map(drop)
}

/// Tells a few plies of a game and asks again.
fn tell(client: &mut dctp::Client, plies: &str) -> Result<Banqi, Fault> {
    let mut game = Banqi::start(RuleSet::PLATFORM);
    let clocks = short();
    for word in plies.split(' ') {
        let event: Event = word.parse().map_err(|e: NotationError| Fault(e.to_string()))?;
        let seat = game.turn().seat().unwrap_or(Seat(0));
        let ply = Ply { seat, event, took: Duration::ZERO };
        client.observe(&game, &ply, &clocks).map_err(|forfeit| explain(client, forfeit))?;
        game.apply(event);
    }
    Ok(game)
}

fn hears_plies(program: &Program) -> Result<(), Fault> {
    let mut client = seated(program)?;
    // A flip of each side, a capture of a pawn by a guard, and a step back.
    let game = tell(&mut client, "a1(G) a2(p) a1-a2 b2(k) a2-a1 b1(n)")?;
    choice(&mut client, &game).map(drop)
}

fn resets(program: &Program) -> Result<(), Fault> {
    let mut client = seated(program)?;
    tell(&mut client, "a1(G) a2(p) a1-a2 b2(k)")?;
    client.ask(7, "", None).map_err(|forfeit| explain(&client, forfeit))?;
    client.ask(14, "", None).map_err(|forfeit| explain(&client, forfeit))?;
    choice(&mut client, &Banqi::start(RuleSet::PLATFORM)).map(drop)
}

fn quits(program: &Program) -> Result<(), Fault> {
    let mut client = seated(program)?;
    if client.leaves_within(Duration::from_secs(2)) {
        Ok(())
    } else {
        let fault = "it is still running two seconds after \"5 quit\"; the platform does not wait, but a process stays behind";
        Err(Fault(fault.to_owned()))
    }
}
