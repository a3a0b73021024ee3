//! Programs as child processes: lines in, lines out, and nothing that they do can hurt the match.
//!
//! A reader thread cuts standard output into lines and hands them over through a short queue, so a program that writes
//! without end is stopped by its own full pipe. Standard error is read too, and its last words are kept for the record.

use std::io::{BufRead, BufReader, Read, Write};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use anglerfish_rules::Forfeit;
use serde::{Deserialize, Serialize};

use crate::clocks::now;

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
    /// What it may use beyond its clock.
    #[serde(default)]
    pub limits: Limits,
}

/// What a program may use beyond its clock.
#[derive(Clone, Copy, Debug, Deserialize, Eq, PartialEq, Serialize)]
pub struct Limits {
    /// Address space in MiB; no limit if left out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub memory_mb: Option<u64>,
    /// Seconds to answer anything that is not a move: the handshake, or hearing of a ply.
    pub answer_s: u64,
    /// Seconds for a move that has no time limit of its own.
    pub stall_s: u64,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits { memory_mb: None, answer_s: 10, stall_s: 120 }
    }
}

/// Longer lines are cut: no protocol here has lines of this size.
const LONGEST_LINE: u64 = 64 << 10;
/// A program that writes more than this before it answers is not answering.
const FLOOD: usize = 16 << 20;
/// How much of standard error is kept.
const LAST_WORDS: usize = 2000;

/// A program with a place at the table: started anew when it sits down, and able to say why it left.
pub(crate) struct Chair {
    program: Program,
    running: Option<Running>,
    complaint: Option<String>,
}

impl Chair {
    pub(crate) fn new(program: Program) -> Chair {
        Chair { program, running: None, complaint: None }
    }

    /// Starts a new process; the one before it, if there was one, is ended.
    pub(crate) fn sit_down(&mut self) -> Result<&mut Running, Forfeit> {
        self.running = None;
        self.complaint = None;
        match self.program.start() {
            Ok(running) => Ok(self.running.insert(running)),
            Err(complaint) => {
                self.complaint = Some(complaint);
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

    /// Says goodbye with `line`; whether the program went by itself.
    pub(crate) fn leave(&mut self, line: &str, within: Duration) -> bool {
        self.running.take().is_some_and(|mut running| running.quit(line, within))
    }
}

/// How long a program is waited for when it is asked to go.
pub(crate) const GOODBYE: Duration = Duration::from_millis(100);

/// A program that is running.
pub(crate) struct Running {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    last_words: Arc<Mutex<Vec<u8>>>,
    listener: JoinHandle<()>,
    limits: Limits,
    complaint: Option<String>,
}

impl Program {
    /// Starts it in a process group of its own, so that its children can be ended with it.
    pub(crate) fn start(&self) -> Result<Running, String> {
        let mut command = match self.limits.memory_mb {
            None => Command::new(&self.cmd),
            // The shell sets the limit and becomes the program.
            Some(mb) => {
                let mut shell = Command::new("sh");
                shell.arg("-c").arg(format!("ulimit -v {}; exec \"$0\" \"$@\"", mb << 10)).arg(&self.cmd);
                shell
            }
        };
        command.args(&self.args).process_group(0);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = &self.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn().map_err(|e| format!("cannot start {}: {e}", self.cmd))?;
        let (send, lines) = sync_channel(64);
        let stdout = child.stdout.take().ok_or("no standard output")?;
        let stderr = child.stderr.take().ok_or("no standard error")?;
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let kept = Arc::clone(&last_words);
        std::thread::spawn(move || read_lines(BufReader::new(stdout), &send));
        let listener = std::thread::spawn(move || keep_last(stderr, &kept));
        let stdin = child.stdin.take();
        Ok(Running { child, stdin, lines, last_words, listener, limits: self.limits, complaint: None })
    }
}

fn read_lines(mut stdout: impl BufRead, send: &SyncSender<String>) {
    let mut line = Vec::new();
    let mut cut = false;
    loop {
        line.clear();
        match stdout.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let whole = line.last() == Some(&b'\n');
        // Of a line that is too long only the beginning is passed on.
        if !std::mem::replace(&mut cut, !whole) {
            let text = String::from_utf8_lossy(&line).trim_end_matches(['\r', '\n']).to_owned();
            if send.send(text).is_err() {
                return;
            }
        }
    }
}

fn keep_last(mut stderr: impl Read, kept: &Mutex<Vec<u8>>) {
    let mut chunk = [0; 4096];
    while let Ok(n @ 1..) = stderr.read(&mut chunk) {
        let Ok(mut kept) = kept.lock() else { return };
        kept.extend_from_slice(&chunk[..n]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}

impl Running {
    /// Writes a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), Forfeit> {
        let written = match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()),
            None => return Err(self.fail(Forfeit::Crashed, format!("is gone and cannot hear {line:?}"))),
        };
        written.map_err(|e| self.fail(Forfeit::Crashed, format!("does not listen to {line:?}: {e}")))
    }

    /// Waits for a line that `wanted` takes; others are noise. `what` says in a complaint what was awaited.
    pub(crate) fn wait<T>(
        &mut self,
        within: Duration,
        what: &str,
        mut wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        let deadline: Option<Instant> = now().checked_add(within);
        let mut heard = 0;
        let mut last = String::new();
        loop {
            let left = deadline.map_or(Duration::from_hours(1), |d| d.saturating_duration_since(now()));
            match self.lines.recv_timeout(left) {
                Ok(line) => {
                    if let Some(found) = wanted(&line) {
                        return Ok(found);
                    }
                    heard += line.len() + 1;
                    if heard > FLOOD {
                        let complaint = format!("wrote {heard} bytes instead of {what}");
                        return Err(self.fail(Forfeit::Protocol, complaint));
                    }
                    last = line;
                }
                Err(RecvTimeoutError::Timeout) => {
                    let last: String = last.chars().take(80).collect();
                    let heard = if last.is_empty() { "nothing".to_owned() } else { format!("{last:?} last") };
                    let complaint = format!("waited {:.1} s for {what}; heard {heard}", within.as_secs_f64());
                    return Err(self.fail(Forfeit::Timeout, complaint));
                }
                Err(RecvTimeoutError::Disconnected) => {
                    let status = self.child.wait().map_or("unknown".to_owned(), |s| s.to_string());
                    return Err(self.fail(Forfeit::Crashed, format!("ended ({status}) instead of {what}")));
                }
            }
        }
    }

    /// Waits as long as anything but a move may take.
    pub(crate) fn answer<T>(
        &mut self,
        what: &str,
        wanted: impl FnMut(&str) -> Option<T>,
    ) -> Result<T, Forfeit> {
        // No clock runs here: being late is not losing on time, it is not speaking the protocol.
        self.wait(Duration::from_secs(self.limits.answer_s), what, wanted).map_err(|forfeit| match forfeit {
            Forfeit::Timeout => Forfeit::Protocol,
            other => other,
        })
    }

    /// How long a move may take that has `left` on its clock.
    pub(crate) fn patience(&self, left: Duration) -> Duration {
        if left == Duration::MAX {
            Duration::from_secs(self.limits.stall_s)
        } else {
            left + crate::clocks::MARGIN
        }
    }

    /// Ends the program and remembers why.
    pub(crate) fn fail(&mut self, forfeit: Forfeit, complaint: String) -> Forfeit {
        self.kill();
        self.complaint.get_or_insert(complaint);
        forfeit
    }

    /// What went wrong, with the program's last words.
    pub(crate) fn complaint(&self) -> Option<String> {
        let complaint = self.complaint.clone()?;
        let words =
            self.last_words.lock().map_or(String::new(), |w| String::from_utf8_lossy(&w).into_owned());
        let words: Vec<&str> = words.lines().map(str::trim).filter(|l| !l.is_empty()).collect();
        let last = words.iter().rev().take(3).rev().copied().collect::<Vec<_>>().join(" | ");
        Some(if last.is_empty() { complaint } else { format!("{complaint}; its standard error: {last}") })
    }

    /// Whether it has not been ended.
    pub(crate) fn is_alive(&mut self) -> bool {
        self.stdin.is_some() && matches!(self.child.try_wait(), Ok(None))
    }

    fn kill(&mut self) {
        self.stdin = None;
        // The whole group: a wrapper script's engine must not go on thinking.
        let group = format!("-{}", self.child.id());
        if matches!(self.child.try_wait(), Ok(None)) {
            let _ = Command::new("kill").args(["-KILL", "--", &group]).stderr(Stdio::null()).status();
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
        // Its last words may still be in the pipe; a child of its own that holds the pipe open is not waited for.
        for _ in 0..20 {
            if self.listener.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// Asks it to go, waits, and makes sure; says whether it went by itself.
    pub(crate) fn quit(&mut self, line: &str, within: Duration) -> bool {
        let mut gone = false;
        if self.is_alive() && self.send(line).is_ok() {
            self.stdin = None;
            let begin = now();
            while !gone && begin.elapsed() < within {
                gone = !matches!(self.child.try_wait(), Ok(None));
                if !gone {
                    std::thread::sleep(Duration::from_millis(2));
                }
            }
        }
        self.kill();
        gone
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}
