//! Programs as child processes: lines in, lines out, and no fault of theirs harms the match.
//!
//! A reader thread cuts standard output into lines and hands them over through a short queue, so a program that writes
//! without end is stopped by its own full pipe. A writer thread fills standard input, so a program that does not read holds up
//! that thread alone. Standard error is read too, and its last words are kept for the record. How a program
//! is ended: see `process_group.rs`.

use std::ffi::OsString;
use std::io::BufReader;
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anglerfish_rules::Forfeit;
use serde::{Deserialize, Serialize};

use super::environment::environment;
use super::isolation::bwrap;
use super::process_group::Caged;
use super::wire::{Input, Log, Voice, read_lines};
use crate::error::ArenaError;
use crate::table::now;

/// How to start a program.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub struct Program {
    /// The command.
    pub cmd: String,
    /// Its arguments.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// The folder it is started in.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dir: Option<PathBuf>,
    /// Its variables besides the usual: `NAME` passes one of ours, `NAME=VALUE` sets one.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub env: Vec<String>,
    /// Its limits besides the clock. The name in units stays as it was, so that journals can be resumed.
    #[serde(default, rename = "limits")]
    pub caps: Caps,
    /// The log file, which each start replaces. No game depends on it.
    #[serde(skip)]
    pub log: Option<PathBuf>,
    /// Whether it runs isolated from the rest of the machine; see [`can_isolate`](super::can_isolate). No game depends on it.
    #[serde(skip)]
    pub isolate: bool,
}

/// The limits of a program besides its clock.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Caps {
    /// Address space in MiB; no limit if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// Seconds for every answer but a move: the handshake, or the answer to a ply.
    pub answer_s: u64,
    /// Seconds for a move that has no time limit of its own.
    pub stall_s: u64,
}

impl Default for Caps {
    fn default() -> Caps {
        Caps { memory_mb: None, answer_s: 10, stall_s: 120 }
    }
}

/// A program that writes more bytes than this before it answers breaks the protocol.
const FLOOD: usize = 16 << 20;
/// How much of standard error is kept.
const LAST_WORDS: usize = 2000;

/// How many lines that answer nothing are kept.
const STRAYS: usize = 20;

/// A program as a player: it starts anew with every game, and can say why it left one.
pub(crate) struct Chair {
    program: Program,
    running: Option<Running>,
    complaint: Option<String>,
}

impl Chair {
    pub(crate) fn new(program: Program) -> Chair {
        Chair { program, running: None, complaint: None }
    }

    /// Starts a new process, and ends the one before it, if there is one.
    pub(crate) fn sit_down(&mut self) -> Result<&mut Running, Forfeit> {
        self.running = None;
        self.complaint = None;
        match self.program.start() {
            Ok(running) => Ok(self.running.insert(running)),
            Err(complaint) => {
                self.complaint = Some(complaint.to_string());
                Err(Forfeit::Crashed)
            }
        }
    }

    /// The process, if there is one.
    pub(crate) fn running(&mut self) -> Result<&mut Running, Forfeit> {
        self.running.as_mut().ok_or(Forfeit::Crashed)
    }

    /// Why it left, in words.
    pub(crate) fn complaint(&self) -> Option<String> {
        self.complaint.clone().or_else(|| self.running.as_ref().and_then(Running::complaint))
    }

    /// The first lines that answered nothing.
    pub(crate) fn strays(&self) -> Vec<String> {
        self.running.as_ref().map(|running| running.strays.clone()).unwrap_or_default()
    }

    /// Says goodbye with `line`; returns whether the program exited by itself.
    pub(crate) fn leave(&mut self, line: &str, within: Duration) -> bool {
        self.running.take().is_some_and(|mut running| running.quit(line, within))
    }
}

/// How long a program has to exit when it is asked to.
pub(crate) const GOODBYE: Duration = Duration::from_millis(100);

/// A program that is running.
pub(crate) struct Running {
    caged: Caged,
    stdin: Option<Input>,
    lines: Receiver<String>,
    log: Arc<Log>,
    last_words: Arc<Mutex<String>>,
    listener: JoinHandle<()>,
    caps: Caps,
    complaint: Option<String>,
    strays: Vec<String>,
}

impl Program {
    /// The first line that it writes once it has been told `line` and its input has ended: that of a program that answers,
    /// but keeps its answers in a buffer.
    pub(crate) fn answer_at_end(&self, line: &str, within: Duration) -> Option<String> {
        let mut running = self.start().ok()?;
        running.tell(line).ok()?;
        running.stdin = None;
        running.lines.recv_timeout(within).ok()
    }

    /// Starts it as the leader of a process group, and reads its output.
    pub(crate) fn start(&self) -> Result<Running, ArenaError> {
        let mut words: Vec<OsString> = if self.isolate { bwrap(self) } else { Vec::new() };
        words.extend(std::iter::once(&self.cmd).chain(&self.args).map(OsString::from));
        let mut command = match self.caps.memory_mb {
            None => Command::new(&words[0]),
            Some(_) if !cfg!(unix) => {
                let why = format!("cannot limit the memory of {} on this system", self.cmd);
                return Err(ArenaError::Program(why));
            }
            // The shell sets the limit and becomes the program.
            Some(mb) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("ulimit -v {}; exec \"$0\" \"$@\"", mb << 10)).arg(&words[0]);
                shell
            }
        };
        command.args(&words[1..]);
        command.env_clear().envs(environment(&self.env));
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        let mut pipes = (None, None, None);
        let caged = Caged::start(command, |child| {
            pipes = (child.stdin().take(), child.stdout().take(), child.stderr().take());
        });
        let caged = caged.map_err(|e| ArenaError::Program(format!("cannot start {}: {e}", self.cmd)))?;
        let (stdin, Some(stdout), Some(stderr)) = pipes else { unreachable!("they were asked for") };
        let log = Arc::new(Log::create(self.log.as_deref()));
        let (send, lines) = sync_channel(64);
        let heard = Arc::clone(&log);
        std::thread::spawn(move || {
            read_lines(BufReader::new(stdout), |line| {
                heard.line(Voice::Program, &line);
                send.send(line).is_ok()
            });
        });
        let last_words = Arc::new(Mutex::new(String::new()));
        let (heard, kept) = (Arc::clone(&log), Arc::clone(&last_words));
        let listener = std::thread::spawn(move || {
            read_lines(BufReader::new(stderr), |line| {
                heard.line(Voice::Error, &line);
                kept.lock().is_ok_and(|mut kept| keep_last(&mut kept, &line))
            });
        });
        let stdin = stdin.map(Input::new);
        Ok(Running {
            caged,
            stdin,
            lines,
            log,
            last_words,
            listener,
            caps: self.caps,
            complaint: None,
            strays: Vec::new(),
        })
    }
}

/// Adds a line to a program's last words.
fn keep_last(words: &mut String, line: &str) -> bool {
    words.push_str(line);
    words.push('\n');
    let surplus = words.ceil_char_boundary(words.len().saturating_sub(LAST_WORDS));
    words.drain(..surplus);
    true
}

/// The beginning of a line, for a complaint.
fn brief(line: &str) -> String {
    line.chars().take(80).collect()
}

/// Without a running clock, a late answer is a fault of protocol and not a loss on time.
fn untimed(forfeit: Forfeit) -> Forfeit {
    if forfeit == Forfeit::Timeout { Forfeit::Protocol } else { forfeit }
}

impl Running {
    /// Sends a line that it does not answer.
    pub(crate) fn tell(&mut self, line: &str) -> Result<(), Forfeit> {
        self.send(line, Duration::from_secs(self.caps.answer_s)).map_err(untimed)
    }

    /// Sends some lines, and waits for a line that `wanted` takes; others are noise. A complaint names `what` was awaited.
    ///
    /// A move may take what is `left` on its clock. Anything else has no clock, and being late with it is a fault of protocol.
    pub(crate) fn ask<T>(
        &mut self,
        lines: &[&str],
        left: Option<Duration>,
        what: &str,
        wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        let within = match left {
            None => Duration::from_secs(self.caps.answer_s),
            Some(Duration::MAX) => Duration::from_secs(self.caps.stall_s),
            Some(left) => left + crate::table::MARGIN,
        };
        let begin = now();
        let mut answer = Ok(());
        for line in lines {
            answer = answer.and_then(|()| self.send(line, within.saturating_sub(begin.elapsed())));
        }
        let clock = left.is_some_and(|left| left < Duration::MAX);
        let answer = answer.and_then(|()| self.wait(begin, within, clock, what, wanted));
        if left.is_none() { answer.map_err(untimed) } else { answer }
    }

    /// Writes a line.
    fn send(&mut self, line: &str, within: Duration) -> Result<(), Forfeit> {
        self.log.line(Voice::Us, line);
        let Some(stdin) = &self.stdin else {
            return Err(self.fail(Forfeit::Crashed, format!("is gone and cannot hear {line:?}")));
        };
        match stdin.write(line, within) {
            Some(Ok(())) => Ok(()),
            Some(Err(e)) => Err(self.fail(Forfeit::Crashed, format!("does not listen to {line:?}: {e}"))),
            None => {
                let waited = within.as_secs_f64();
                let complaint = format!(
                    "does not read what it is told: waited {waited:.1} s to tell it {:?}",
                    brief(line)
                );
                Err(self.fail(Forfeit::Timeout, complaint))
            }
        }
    }

    /// Waits for a line that `wanted` takes, `within` a time that has begun: all that is left on its clock, or a limit of ours.
    fn wait<T>(
        &mut self,
        begin: Instant,
        within: Duration,
        clock: bool,
        what: &str,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        let mut heard = 0;
        let mut last = String::new();
        loop {
            match self.lines.recv_timeout(within.saturating_sub(begin.elapsed())) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                    heard += line.len() + 1;
                    if self.strays.len() < STRAYS && !line.trim().is_empty() {
                        self.strays.push(brief(&line));
                    }
                    if heard > FLOOD {
                        let complaint = format!("wrote {heard} bytes instead of {what}");
                        return Err(self.fail(Forfeit::Protocol, complaint));
                    }
                    last = line;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let last = brief(&last);
                    let heard = if last.is_empty() { "nothing".to_owned() } else { format!("{last:?} last") };
                    let all = if clock { ", all that was left of its time," } else { "" };
                    let complaint =
                        format!("waited {:.1} s{all} for {what}; heard {heard}", within.as_secs_f64());
                    return Err(self.fail(Forfeit::Timeout, complaint));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    // Its streams close a little before it exits. A program that goes on running has only closed its output.
                    let gone = self.goes_within(GOODBYE);
                    let status = self.end().map_or("unknown".to_owned(), |s| s.to_string());
                    let complaint = if gone {
                        format!("ended ({status}) instead of {what}")
                    } else {
                        format!("closed its standard output instead of {what}")
                    };
                    return Err(self.fail(Forfeit::Crashed, complaint));
                }
            }
        }
    }

    /// Ends the program and remembers why.
    pub(crate) fn fail(&mut self, forfeit: Forfeit, complaint: String) -> Forfeit {
        self.end();
        self.complaint.get_or_insert(complaint);
        forfeit
    }

    /// The fault, with the program's last words.
    pub(crate) fn complaint(&self) -> Option<String> {
        let complaint = self.complaint.clone()?;
        let words = self.last_words.lock().map_or(String::new(), |words| words.clone());
        let words: Vec<&str> = words.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let last = words.iter().rev().take(3).rev().copied().collect::<Vec<_>>().join(" | ");
        Some(if last.is_empty() { complaint } else { format!("{complaint}; its standard error: {last}") })
    }

    /// Whether it exits by itself.
    fn goes_within(&self, time: Duration) -> bool {
        let begin = now();
        while !self.caged.is_over() {
            if begin.elapsed() >= time {
                return false;
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        true
    }

    /// Ends it with all processes that it has started; a second call does nothing.
    fn end(&mut self) -> Option<ExitStatus> {
        self.stdin = None;
        let status = self.caged.end()?;
        // Its last words may still be in the pipe. A hidden process that holds the pipe open is not waited for.
        let begin = now();
        while !self.listener.is_finished() && begin.elapsed() < GOODBYE {
            std::thread::sleep(Duration::from_millis(2));
        }
        Some(status)
    }

    /// Asks it to exit, waits, and ends it if it does not; returns whether it exited by itself.
    pub(crate) fn quit(&mut self, line: &str, within: Duration) -> bool {
        let asked = self.stdin.is_some() && !self.caged.is_over() && self.send(line, within).is_ok();
        self.stdin = None;
        let gone = asked && self.goes_within(within);
        self.end();
        gone
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    /// A program that does not read a line too long for the pipe: waiting ends, with a move's clock and without one.
    #[test]
    fn a_program_that_does_not_read() {
        let caps = Caps { answer_s: 0, ..Caps::default() };
        let program =
            Program { cmd: "sleep".to_owned(), args: vec!["3600".to_owned()], caps, ..Program::default() };
        let line = "x".repeat(4 << 20);
        let start = || program.start().expect("every system has it");
        let mut told = start();
        assert_eq!(told.tell(&line), Err(Forfeit::Protocol));
        let complaint = told.complaint().expect("a complaint");
        assert!(
            complaint.starts_with("does not read what it is told: waited 0.0 s to tell it \"xxx"),
            "{complaint}"
        );
        assert_eq!(
            start().ask(&[&line], Some(Duration::ZERO), "a move", |_| Some(())),
            Err(Forfeit::Timeout)
        );
        // It is not waited for when it is asked to go.
        assert!(!start().quit(&line, Duration::ZERO));
    }
}
