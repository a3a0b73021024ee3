//! Linux: the orphans that become our children, found in /proc and told apart by their mark.

use std::fs::read;
use std::sync::PoisonError;
use std::time::Duration;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, waitid, waitpid,
};

use super::{CAGE, MARK, ProcessGroups, REAPING, mark};
use crate::table::now;

/// Ends the orphans of ended programs, or `all` children.
///
/// Ending one makes orphans of its own children, so it is done again until there are none.
pub(super) fn end(all: bool) {
    let begin = now();
    while begin.elapsed() < REAPING {
        let cage = CAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = false;
        let children = if cage.adopts { children() } else { Vec::new() };
        let oldest = children.iter().filter(|child| cage.leads(child)).map(|child| child.started).min();
        for child in children {
            let doomed = all || cage.dooms(&child, oldest);
            if doomed {
                let _ = kill_process(child.pid, Signal::KILL);
                found = true;
            }
            // Dead children are reaped, no matter which program started them. A leader is reaped where it is ended.
            if doomed || (child.is_dead && !cage.leads(&child)) {
                let _ = waitpid(Some(child.pid), WaitOptions::NOHANG);
            }
        }
        drop(cage);
        if !found {
            return;
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

impl ProcessGroups {
    fn leads(&self, child: &Child) -> bool {
        self.running.values().any(|leader| leader.pid.cast_signed() == child.pid.as_raw_pid())
    }

    /// Whether a child of ours belongs to no running program; `oldest` is when the oldest running program was started. A child
    /// without our mark may belong to any program that is at least as old.
    fn dooms(&self, child: &Child, oldest: Option<u64>) -> bool {
        if self.leads(child) {
            return false;
        }
        // The environment is a list of texts that end with a zero byte. It is empty if the child is dead or not readable.
        let environment = read(format!("/proc/{}/environ", child.pid.as_raw_pid())).unwrap_or_default();
        let number = environment.split(|byte| *byte == 0).find_map(number);
        match number {
            Some(number) => !self.running.contains_key(&number),
            None => oldest.is_none_or(|oldest| child.started < oldest),
        }
    }
}

/// The number of a program in a text of its environment, if that is our mark.
fn number(text: &[u8]) -> Option<u64> {
    let number = std::str::from_utf8(text).ok()?.strip_prefix(MARK)?.rsplit('.').next()?.parse().ok()?;
    (text == format!("{MARK}={}", mark(number)).as_bytes()).then_some(number)
}

struct Child {
    pid: Pid,
    is_dead: bool,
    /// When it was started, in ticks since the system booted.
    started: u64,
}

/// Every child of this process.
fn children() -> Vec<Child> {
    // Most often there is none, and this call returns that at once.
    let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    if waitid(WaitId::All, look).is_err() {
        return Vec::new();
    }
    let us = getpid().as_raw_pid();
    let child = |entry: std::fs::DirEntry| {
        let pid = entry.file_name().to_str()?.parse().ok().and_then(Pid::from_raw)?;
        // `PID (NAME) STATE PARENT …`, and a name may have anything in it.
        let stat = String::from_utf8_lossy(&read(entry.path().join("stat")).ok()?).into_owned();
        let mut fields = stat.rsplit(')').next()?.split_whitespace();
        let (state, parent) = (fields.next()?, fields.next()?);
        // The 22nd of all of them.
        let started = fields.nth(17)?.parse().ok()?;
        (parent.parse() == Ok(us)).then_some(Child { pid, is_dead: state == "Z", started })
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(child).collect()
}
