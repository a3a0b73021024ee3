//! How everything here resumes: a unit is a pure function of its text, and finished ones are kept in a result store.
//!
//! A process that is killed loses only the units that were not yet in the store. Because a unit depends on nothing but
//! its text, the whole run is the same however often it was interrupted.

use std::any::Any;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{TrySendError, channel, sync_channel};

use thiserror::Error;

use super::result_store::{LedgerError, ResultStore, UnitResult};
use super::unit::Name;

/// The most units that wait for a thread, where no other process takes part: enough that no thread waits while a group is synced,
/// and no more, so that the memory of a run does not depend on its length.
const QUEUE: usize = 256;

/// The result of `work` for a unit: the value for `finished`, and the text for the store.
pub type Worked<R, E> = Result<(R, String), E>;

/// A unit has panicked with this message.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
#[error("{0}")]
pub struct Panicked(pub String);

/// Runs units on `threads` threads, in their order, except those that the store already has. The result of `work` goes into
/// the store as text; `finished` hears of it when it is safe there, in the order in which they end, and may stop
/// the run. A unit that panics has failed: the failure is stored and reported too, and the others go on.
///
/// Units in progress when it stops are finished, stored and reported, so that no finished game is lost.
///
/// # Errors
/// The first error of a unit or of the store. `finished` hears of no unit that the store did not take.
pub fn run_units<N: Copy + Send, R: Send, E: From<LedgerError> + Send>(
    units: impl IntoIterator<Item = (N, String)>,
    threads: usize,
    mut ledger: Option<&mut dyn ResultStore>,
    work: impl Fn(&str) -> Worked<R, E> + Sync,
    mut finished: impl FnMut(Option<&mut dyn ResultStore>, N, Result<R, Panicked>) -> Result<ControlFlow<()>, E>,
) -> Result<(), E> {
    let stop = AtomicBool::new(false);
    let (send, done) = channel();
    // Units that another process may play are taken as late as possible: one waits for each thread.
    let shared = ledger.as_ref().is_some_and(|ledger| ledger.is_shared());
    let (hand, queue) = sync_channel::<(N, String)>(if shared { threads.max(1) } else { QUEUE });
    let queue = Mutex::new(queue);
    let mut flow = Ok(());
    std::thread::scope(|scope| {
        let mut refused = None;
        for n in 0..threads.max(1) {
            let (send, stop, queue, work) = (send.clone(), &stop, &queue, &work);
            let spawned = std::thread::Builder::new().spawn_scoped(scope, move || {
                while !stop.load(Ordering::Relaxed) {
                    // The thread that waits for a unit holds the lock, and the other threads wait for the lock: the effect is the same.
                    let Some((n, unit)) = queue.lock().ok().and_then(|queue| queue.recv().ok()) else {
                        return;
                    };
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    let result =
                        catch_unwind(AssertUnwindSafe(|| work(&unit))).map_err(|panic| said(&*panic));
                    if send.send((n, unit, result)).is_err() {
                        return;
                    }
                }
            });
            // If the system refuses more threads, the run goes on with fewer, unless there are none.
            if let Err(error) = spawned {
                refused = (n == 0).then_some(error);
                break;
            }
        }
        drop(send);
        let mut hand = Some(hand);
        let mut units = units.into_iter();
        let mut fail = |error: E| {
            stop.store(true, Ordering::Relaxed);
            if flow.is_ok() {
                flow = Err(error);
            }
        };
        if let Some(error) = refused {
            fail(LedgerError::new(error).into());
        }
        let mut waiting: Option<(N, String)> = None;
        loop {
            // Step 1. Hand out as many units as fit.
            while let Some(queue) = hand.as_ref() {
                let next = match waiting.take() {
                    Some(unit) => Ok(Some(unit)),
                    None => next_undone(&mut units, reborrow(&mut ledger)),
                };
                match next {
                    Ok(Some(unit)) if !stop.load(Ordering::Relaxed) => {
                        if let Err(full) = queue.try_send(unit) {
                            waiting = match full {
                                TrySendError::Full(unit) | TrySendError::Disconnected(unit) => Some(unit),
                            };
                            break;
                        }
                    }
                    // Threads end when the queue is closed.
                    Ok(_) => hand = None,
                    Err(error) => {
                        fail(error.into());
                        hand = None;
                    }
                }
            }
            // Step 2. Store all units that have ended by now, with one sync. Meanwhile the threads play their next units.
            let Ok(first) = done.recv() else { break };
            let (mut heard, mut lines) = (Vec::new(), Vec::new());
            for (n, unit, result) in std::iter::once(first).chain(done.try_iter()) {
                let (result, kept) = match result {
                    Ok(Ok((result, text))) => (Ok(result), UnitResult::Result(text)),
                    Ok(Err(error)) => {
                        fail(error);
                        continue;
                    }
                    Err(panic) => (Err(panic.clone()), UnitResult::Failed(panic.0)),
                };
                if ledger.is_some() {
                    lines.push((unit, kept));
                }
                heard.push((n, result));
            }
            if let Some(ledger) = &mut ledger
                && let Err(error) = ledger.put_if_absent(lines)
            {
                fail(error.into());
                continue;
            }
            // Step 3. Report them.
            for (n, result) in heard {
                match finished(reborrow(&mut ledger), n, result) {
                    Ok(ControlFlow::Continue(())) => {}
                    Ok(ControlFlow::Break(())) => stop.store(true, Ordering::Relaxed),
                    Err(error) => fail(error),
                }
            }
        }
    });
    if let Some(ledger) = &mut ledger {
        flow = flow.and(ledger.check().map_err(E::from));
    }
    flow
}

/// The same store, borrowed for a shorter time.
pub(super) fn reborrow<'a>(ledger: &'a mut Option<&mut dyn ResultStore>) -> Option<&'a mut dyn ResultStore> {
    match ledger {
        Some(ledger) => Some(&mut **ledger),
        None => None,
    }
}

/// The next unit that the store does not have.
fn next_undone<N>(
    units: &mut impl Iterator<Item = (N, String)>,
    mut ledger: Option<&mut dyn ResultStore>,
) -> Result<Option<(N, String)>, LedgerError> {
    for (n, unit) in units {
        let done = match &mut ledger {
            Some(ledger) => ledger.has(&Name::of(&unit))?,
            None => false,
        };
        if !done {
            return Ok(Some((n, unit)));
        }
    }
    Ok(None)
}

/// The message of a panic.
fn said(panic: &(dyn Any + Send)) -> Panicked {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    Panicked(text.unwrap_or("a panic without words").to_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    fn text(n: u32) -> String {
        format!("unit {n}")
    }

    #[test]
    fn a_unit_that_panics_has_failed_and_the_others_go_on() {
        for threads in [1, 3] {
            let mut ledger = BTreeMap::new();
            let work = |unit: &str| -> Worked<String, LedgerError> {
                assert!(unit != "unit 7", "seven is bad luck");
                Ok((unit.to_owned(), unit.to_owned()))
            };
            let mut heard = Vec::new();
            run_units((0..1000).map(|n| (n, text(n))), threads, Some(&mut ledger), work, |_, n, result| {
                assert_eq!(result.is_err(), n == 7);
                heard.push(n);
                Ok(ControlFlow::Continue(()))
            })
            .expect("a run");
            heard.sort_unstable();
            assert_eq!(heard, (0..1000).collect::<Vec<_>>());
            assert_eq!(ledger.len(), 1000);
            assert_eq!(ledger[&Name::of("unit 7")], UnitResult::Failed("seven is bad luck".to_owned()));
            // Only the failed unit is tried again, and its result replaces the failure.
            let work = |unit: &str| -> Worked<(), LedgerError> {
                assert_eq!(unit, "unit 7", "everything else is done");
                Ok(((), "better".to_owned()))
            };
            let units = (0..1000).map(|n| (n, text(n)));
            run_units(units, threads, Some(&mut ledger), work, |_, _, _| Ok(ControlFlow::Continue(())))
                .expect("a run");
            assert_eq!(ledger[&Name::of("unit 7")], UnitResult::Result("better".to_owned()));
        }
    }

    #[test]
    fn a_stop_is_heard_and_an_error_is_the_first() {
        for threads in [1, 3] {
            let mut heard = 0;
            let work = |_: &str| -> Worked<(), LedgerError> { Ok(((), String::new())) };
            run_units((0..).map(|n| (n, text(n))), threads, None, work, |_, _, _| {
                heard += 1;
                Ok(if heard == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            })
            .expect("it stops");
            assert!(heard >= 10);
            let work = |unit: &str| -> Worked<(), LedgerError> {
                if unit == "unit 5" {
                    Err(LedgerError::new(std::io::Error::other("no")))
                } else {
                    Ok(((), String::new()))
                }
            };
            let result = run_units((0..).map(|n| (n, text(n))), threads, None, work, |_, _, _| {
                Ok(ControlFlow::Continue(()))
            });
            assert_eq!(result.expect_err("an error").to_string(), "no");
        }
    }
}
