//! Process groups: the programs that run, and how each is ended with all processes that it has started.
//!
//! A program leads a process group (a job on Windows), in a session of its own: it has no terminal, so it can neither read
//! from ours nor type commands into it. Ending it kills the group first and reaps the leader after that: while
//! the leader is not reaped, the system cannot give the number of its group to another one. A process that leaves the group
//! escapes this. So on Linux a process may adopt its orphans ([`adopt_orphans`]): a detached process becomes our child when its
//! parent ends, and a mark in its environment tells which game it belongs to. One that has removed the mark is killed with the
//! last of the programs that were running when it started.
//!
//! Three kinds escape: on other systems, a process that leaves its group; everywhere, a process that an outside service starts
//! for the program; and after a kill -9 of our own process, a program that does not exit when its standard input closes.

#[cfg(target_os = "linux")]
mod orphans;

use std::collections::BTreeMap;
use std::io;
use std::process::{Command, ExitStatus};
use std::sync::mpsc::channel;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

#[cfg(windows)]
use process_wrap::std::JobObject;
#[cfg(unix)]
use process_wrap::std::ProcessSession;
use process_wrap::std::{ChildWrapper, CommandWrap};

/// How long to wait for a killed process to exit. If it takes longer, the system is holding it, and waiting does not help.
const REAPING: Duration = Duration::from_secs(5);

/// The mark in the environment of a program and of all that it starts: our process and the program's number.
const MARK: &str = "ANGLERFISH_PROGRAM";

static CAGE: Mutex<ProcessGroups> = Mutex::new(ProcessGroups {
    started: 0,
    running: BTreeMap::new(),
    #[cfg(target_os = "linux")]
    adopts: false,
    closed: false,
});

struct ProcessGroups {
    /// How many programs were started, and the number of the last of them.
    started: u64,
    running: BTreeMap<u64, Leader>,
    /// Whether orphans become our children.
    #[cfg(target_os = "linux")]
    adopts: bool,
    closed: bool,
}

/// A program that is not reaped yet.
struct Leader {
    #[cfg(target_os = "linux")]
    pid: u32,
    /// The process; `None` while it is being ended.
    child: Option<Box<dyn ChildWrapper>>,
}

/// A program that leads a process group.
pub(crate) struct Caged {
    number: u64,
    #[cfg(unix)]
    pid: u32,
}

/// All process groups. After [`end_programs`] a caller waits here until our process exits, because a program that we killed has
/// not lost its game.
fn process_groups() -> MutexGuard<'static, ProcessGroups> {
    let cage = CAGE.lock().unwrap_or_else(PoisonError::into_inner);
    if !cage.closed {
        return cage;
    }
    drop(cage);
    loop {
        std::thread::park();
    }
}

impl Caged {
    /// Starts a program; `child` gets the process, to take its pipes.
    pub(crate) fn start(
        mut command: Command,
        child: impl FnOnce(&mut dyn ChildWrapper),
    ) -> io::Result<Caged> {
        let mut cage = process_groups();
        cage.started += 1;
        let number = cage.started;
        command.env(MARK, mark(number));
        let mut command = CommandWrap::from(command);
        #[cfg(unix)]
        command.wrap(ProcessSession);
        #[cfg(windows)]
        command.wrap(JobObject);
        let mut started = command.spawn()?;
        child(&mut *started);
        let caged = Caged {
            number,
            #[cfg(unix)]
            pid: started.id(),
        };
        let leader = Leader {
            #[cfg(target_os = "linux")]
            pid: caged.pid,
            child: Some(started),
        };
        cage.running.insert(number, leader);
        Ok(caged)
    }

    /// Whether the program has ended by itself. This does not reap it.
    #[cfg(unix)]
    pub(crate) fn is_over(&self) -> bool {
        use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
        let look = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        Pid::from_raw(self.pid.cast_signed())
            .is_none_or(|pid| !matches!(waitid(WaitId::Pid(pid), look), Ok(None)))
    }

    /// Whether the program has ended by itself.
    #[cfg(not(unix))]
    pub(crate) fn is_over(&self) -> bool {
        let mut cage = process_groups();
        let child = cage.running.get_mut(&self.number).and_then(|leader| leader.child.as_mut());
        child.is_none_or(|child| !matches!(child.try_wait(), Ok(None)))
    }

    /// Ends the program with all that it has started, and returns its exit status. A second call does nothing.
    pub(crate) fn end(&mut self) -> Option<ExitStatus> {
        // Step 1. Kill the group, whether or not its leader is still there.
        let mut child = {
            let mut cage = process_groups();
            let mut child = cage.running.get_mut(&self.number)?.child.take()?;
            let _ = child.start_kill();
            child
        };
        // Step 2. Reap it, on a thread that may be left running.
        let (send, reaped) = channel();
        std::thread::spawn(move || send.send(child.wait().ok()));
        let status = reaped.recv_timeout(REAPING).ok().flatten();
        // Step 3. End the processes that had left the group: they are our children by now.
        process_groups().running.remove(&self.number);
        #[cfg(target_os = "linux")]
        orphans::end(false);
        status
    }
}

fn mark(number: u64) -> String {
    format!("{}.{number}", std::process::id())
}

/// On Linux: makes this process the parent of every orphan among its descendants, so that a detached process ends with the
/// program that started it. Only for a process that starts nothing but programs: any other child would be treated as an orphan.
pub fn adopt_orphans() {
    #[cfg(target_os = "linux")]
    {
        let us = rustix::process::getpid();
        process_groups().adopts = rustix::process::set_child_subreaper(Some(us)).is_ok();
    }
}

/// Ends every program with all that it has started, in a process that is about to exit. No program can be started after this,
/// and threads that play against a program wait from now on, so that the killing decides no game.
pub fn end_programs() {
    let mut cage = process_groups();
    cage.closed = true;
    for leader in cage.running.values_mut() {
        if let Some(child) = &mut leader.child {
            let _ = child.start_kill();
        }
    }
    drop(cage);
    #[cfg(target_os = "linux")]
    orphans::end(true);
}
