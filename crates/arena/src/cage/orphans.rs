//! Linux: the orphans that fall to us, found in /proc and told apart by their mark.

use std::fs::read;
use std::sync::PoisonError;
use std::time::Duration;

use rustix::process::{
    Pid, Signal, WaitId, WaitIdOptions, WaitOptions, getpid, kill_process, waitid, waitpid,
};

use super::{CAGE, Cage, MARK, REAPING, mark};
use crate::clocks::now;

/// Ends the orphans of a program that was reaped, and those of nobody if no program is running; or all children that we have.
///
/// Ending one makes orphans of its own children, so it is done again until there are none.
pub(super) fn end(of: Option<u64>) {
    let begin = now();
    while begin.elapsed() < REAPING {
        let cage = CAGE.lock().unwrap_or_else(PoisonError::into_inner);
        let mut found = false;
        for child in if cage.adopts { children() } else { Vec::new() } {
            let doomed = of.is_none_or(|number| cage.dooms(&child, number));
            if doomed {
                let _ = kill_process(child.pid, Signal::KILL);
                found = true;
            }
            // Whoever is dead already is reaped whose ever it was; leaders are reaped by those who end them.
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

impl Cage {
    fn leads(&self, child: &Child) -> bool {
        self.running.values().any(|leader| leader.pid.cast_signed() == child.pid.as_raw_pid())
    }

    /// Whether a child of ours is to go now that a program is gone.
    fn dooms(&self, child: &Child, number: u64) -> bool {
        if self.leads(child) {
            return false;
        }
        // The environment is a list of texts that end with a zero byte. Nobody has one that is dead or not to be looked at.
        let environment = read(format!("/proc/{}/environ", child.pid.as_raw_pid())).unwrap_or_default();
        let is_of = |number: u64| {
            let marked = format!("{MARK}={}", mark(number));
            environment.split(|byte| *byte == 0).any(|text| text == marked.as_bytes())
        };
        is_of(number) || self.running.is_empty()
    }
}

struct Child {
    pid: Pid,
    is_dead: bool,
}

/// Every child of this process.
fn children() -> Vec<Child> {
    // Most often there is none, and that is said at once.
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
        (parent.parse() == Ok(us)).then_some(Child { pid, is_dead: state == "Z" })
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(child).collect()
}
