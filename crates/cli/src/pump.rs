//! Carries lines between the standard streams and a session. The player thinks on a thread of its own, so a
//! line is heard at once.

use std::collections::VecDeque;
use std::io::{BufRead, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, PoisonError};

use anglerfish_arena::protocol::{Learned, Session, Task, Then, Thought};
use anglerfish_engine::Stop;
use anyhow::Context;

use crate::terminal::note;

/// Longer lines are cut; no command is this long.
const LONGEST_LINE: u64 = 1 << 20;

/// Most bytes of waiting lines; beyond them reading stops, so a flood fills its own pipe and not our memory.
const WAITING: usize = 16 << 20;

/// Deep searches recurse, and threads have smaller stacks than the main one by default.
const STACK: usize = 16 << 20;

/// A line that was read, with its share of the room for waiting lines.
struct Line {
    text: String,
    room: Arc<Room>,
}

impl Line {
    /// The room of a line beside its text.
    const OWN: usize = 64;

    /// Waits until there is room for it.
    fn new(text: String, room: &Arc<Room>) -> Line {
        let used = room.used.lock().unwrap_or_else(PoisonError::into_inner);
        let used = room.freed.wait_while(used, |used| *used >= WAITING);
        *used.unwrap_or_else(PoisonError::into_inner) += text.len() + Line::OWN;
        Line { text, room: Arc::clone(room) }
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        *self.room.used.lock().unwrap_or_else(PoisonError::into_inner) -= self.text.len() + Line::OWN;
        self.room.freed.notify_one();
    }
}

/// The room for waiting lines.
#[derive(Default)]
struct Room {
    /// Used bytes.
    used: Mutex<usize>,
    freed: Condvar,
}

enum Message {
    Line(Line),
    /// There are no more lines.
    End,
    /// A message of the player while it thinks.
    Say(String),
    UnitResult(Thought),
}

/// A search under way.
struct Thinking {
    stop: Arc<Stop>,
    endless: bool,
}

/// Serves until the session ends, or until the last line is answered. `keep` receives the knowledge of the
/// opponent once the other side has its answer.
pub(crate) fn pump(session: &mut dyn Session, keep: &mut dyn FnMut(&Learned)) -> anyhow::Result<bool> {
    let (sender, inbox) = channel();
    let lines = sender.clone();
    std::thread::spawn(move || read_lines(&lines));
    let (notes, noted) = channel();
    std::thread::spawn(move || write_notes(&noted));
    let mut output = std::io::stdout().lock();
    // Lines that have to wait until the search is over, first in, first out.
    let mut held: VecDeque<Line> = VecDeque::new();
    let mut thinking: Option<Thinking> = None;
    let mut ended = false;
    loop {
        let free = if thinking.is_none() { held.pop_front() } else { None };
        let message = match free {
            Some(line) => Message::Line(line),
            None if ended && thinking.is_none() => return Ok(true),
            None => inbox.recv().context("the reader and the thinker are gone")?,
        };
        let mut line = None;
        let answer = match message {
            Message::Line(next) if !held.is_empty() && thinking.is_some() => {
                held.push_back(next);
                continue;
            }
            Message::Line(next) => {
                let answer = session.receive(&next.text);
                line = Some(next);
                answer
            }
            Message::UnitResult(thought) => {
                thinking = None;
                session.thought(thought)
            }
            Message::Say(said) => {
                writeln!(output, "{said}")?;
                output.flush()?;
                continue;
            }
            Message::End => {
                ended = true;
                thinking.iter().filter(|t| t.endless).for_each(|t| t.stop.set());
                continue;
            }
        };
        for line in answer.lines {
            writeln!(output, "{line}")?;
        }
        output.flush()?;
        for note in answer.notes {
            let _ = notes.send(note);
        }
        if let Some(learned) = answer.learned {
            keep(&learned);
        }
        match answer.then {
            Then::Listen => {}
            Then::Think(task) => {
                let now = Thinking { stop: Arc::default(), endless: task.endless };
                if now.endless && ended {
                    now.stop.set();
                }
                think(*task, Arc::clone(&now.stop), sender.clone())?;
                thinking = Some(now);
            }
            Then::Hold => {
                if let Some(line) = line {
                    held.push_front(line);
                }
            }
            Then::Interrupt => {
                if let Some(thinking) = &thinking {
                    thinking.stop.set();
                }
                if let Some(line) = line {
                    held.push_front(line);
                }
            }
            Then::Quit => return Ok(true),
        }
    }
}

fn think(task: Task, stop: Arc<Stop>, sender: Sender<Message>) -> std::io::Result<()> {
    let thread = std::thread::Builder::new().name("thinking".to_owned()).stack_size(STACK);
    let work = move || {
        let _alarm = Alarm;
        // The receiver is only gone when the program is leaving.
        let thought = task.run(&stop, &mut |line| drop(sender.send(Message::Say(line))));
        let _ = sender.send(Message::UnitResult(thought));
    };
    thread.spawn(work).map(drop)
}

/// Ends the program when the search panics: the other side learns it at once, not by the clock.
struct Alarm;

impl Drop for Alarm {
    fn drop(&mut self) {
        if std::thread::panicking() {
            std::process::exit(101);
        }
    }
}

/// On a thread of its own: standard error may not be read, and a full pipe must not stop the game.
fn write_notes(notes: &Receiver<String>) {
    for note in notes {
        note!("{note}");
    }
}

fn read_lines(sender: &Sender<Message>) {
    let mut input = std::io::stdin().lock();
    let room = Arc::default();
    let mut line = Vec::new();
    loop {
        line.clear();
        // An unreadable input has ended.
        if !matches!(input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line), Ok(1..)) {
            break;
        }
        while line.len() as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            // The rest of an overlong line is skipped, not taken for another command.
            let mut rest = Vec::new();
            let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut rest);
            if !matches!(read, Ok(1..)) || rest.last() == Some(&b'\n') {
                break;
            }
        }
        let line = Line::new(String::from_utf8_lossy(&line).into_owned(), &room);
        if sender.send(Message::Line(line)).is_err() {
            return;
        }
    }
    let _ = sender.send(Message::End);
}
