//! How everything here resumes: a unit is a pure function of its text, and finished ones are kept in a journal.
//!
//! A process that is killed loses only the units that were not yet in the journal. Because a unit depends on nothing but
//! its text, the whole run is the same however often it was interrupted.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::channel;

use crate::run::{Journal, JournalError};

/// Runs units on `threads` threads. What `work` makes of one goes into the journal as its second half, the text; `finished` hears
/// of it when it is safe there, in whatever order they end, and may stop the run.
///
/// Units under way when it stops are finished, kept and heard of too, so that nothing that was played is thrown away.
///
/// # Errors
/// The first of what went wrong with a unit or with the journal. Units that the journal did not take are not heard of.
pub fn run_units<R: Send, E: From<JournalError> + Send>(
    units: Vec<String>,
    threads: usize,
    mut journal: Option<&mut Journal>,
    work: impl Fn(&str) -> Result<(R, String), E> + Sync,
    mut finished: impl FnMut(String, R) -> ControlFlow<()>,
) -> Result<(), E> {
    let queue = Mutex::new(VecDeque::from(units));
    let stop = AtomicBool::new(false);
    let (send, done) = channel();
    let mut flow = Ok(());
    std::thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let send = send.clone();
            scope.spawn(|| {
                let send = send;
                while !stop.load(Ordering::Relaxed) {
                    let Some(unit) = queue.lock().ok().and_then(|mut q| q.pop_front()) else { return };
                    let result = work(&unit);
                    if send.send((unit, result)).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        let mut fail = |error: E| {
            stop.store(true, Ordering::Relaxed);
            if flow.is_ok() {
                flow = Err(error);
            }
        };
        while let Ok(first) = done.recv() {
            // Whatever else has ended by now shares one sync. The threads do not wait for it: they are at their next units.
            let (mut heard, mut lines) = (Vec::new(), Vec::new());
            for (unit, result) in std::iter::once(first).chain(done.try_iter()) {
                match result {
                    Ok((result, text)) => {
                        if journal.is_some() {
                            lines.push((unit.clone(), text));
                        }
                        heard.push((unit, result));
                    }
                    Err(error) => fail(error),
                }
            }
            if let Some(journal) = &mut journal
                && let Err(error) = journal.commit(lines)
            {
                fail(error.into());
                continue;
            }
            for (unit, result) in heard {
                if finished(unit, result).is_break() {
                    stop.store(true, Ordering::Relaxed);
                }
            }
        }
    });
    flow
}
