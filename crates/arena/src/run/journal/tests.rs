//! Journals on a disk in memory that fails at a chosen call or loses power.

use std::ops::ControlFlow;
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::Duration;

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Rng, RngExt};

use super::*;
use crate::run::{Contestant, Match, MatchError, Worker, run_units};

/// The state of the disk, which a power failure reduces.
const BLOCK: usize = 64;

type Units = BTreeMap<String, String>;

#[derive(Default)]
struct State {
    /// The bytes that a reader sees, and those that surely survive a power failure.
    seen: Vec<u8>,
    kept: Vec<u8>,
    calls: usize,
    fault: Option<Fault>,
    /// Before every call: the bytes seen and kept, and the number of acknowledged units.
    history: Vec<(Vec<u8>, Vec<u8>, usize)>,
    acknowledged: usize,
}

/// The first call that fails, how many fail, and how many eighths of a failing write are done.
#[derive(Clone, Copy, Debug)]
struct Fault {
    from: usize,
    n: usize,
    eighths: usize,
}

#[derive(Clone, Default)]
struct Memory(Arc<Mutex<State>>);

impl Memory {
    fn holding(bytes: &[u8]) -> Memory {
        let memory = Memory::default();
        memory.state().seen = bytes.to_vec();
        memory.state().kept = bytes.to_vec();
        memory
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.lock().expect("no test panics with it")
    }

    fn open(&self) -> Result<Journal, JournalError> {
        Journal::begin(Path::new("journal"), Box::new(self.clone()), "a run")
    }

    fn call(&self) -> (MutexGuard<'_, State>, io::Result<()>) {
        let mut state = self.state();
        let before = (state.seen.clone(), state.kept.clone(), state.acknowledged);
        state.history.push(before);
        state.calls += 1;
        let call = state.calls - 1;
        let fails = state.fault.is_some_and(|f| (f.from..f.from + f.n).contains(&call));
        let result = if fails { Err(io::Error::from(ErrorKind::StorageFull)) } else { Ok(()) };
        (state, result)
    }
}

impl Disk for Memory {
    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (mut state, result) = self.call();
        let eighths = if result.is_ok() { 8 } else { state.fault.map_or(0, |f| f.eighths) };
        state.seen.extend_from_slice(&bytes[..bytes.len() * eighths / 8]);
        result
    }

    fn sync(&mut self) -> io::Result<()> {
        let (mut state, result) = self.call();
        if result.is_ok() {
            state.kept = state.seen.clone();
        }
        result
    }

    fn cut(&mut self, len: u64) -> io::Result<()> {
        let (mut state, result) = self.call();
        if result.is_ok() {
            state.seen.truncate(len as usize);
        }
        result
    }

    fn read_at(&mut self, at: u64, len: usize) -> io::Result<Vec<u8>> {
        Ok(self.state().seen[at as usize..][..len].to_vec())
    }

    fn lines(&mut self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(io::Cursor::new(self.state().seen.clone())))
    }

    fn is_at(&self, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

/// All units of a journal.
fn all(journal: &mut Journal) -> Units {
    let entry = |entry: Result<(String, UnitResult), JournalError>| match entry.expect("it can be read") {
        (unit, UnitResult::Result(result)) => (unit, result),
        (unit, UnitResult::Failed(why)) => (unit, format!("failed: {why}")),
    };
    journal.entries().map(entry).collect()
}

fn results(group: &[(String, String)]) -> Vec<(String, UnitResult)> {
    group.iter().map(|(unit, result)| (unit.clone(), UnitResult::Result(result.clone()))).collect()
}

fn unit(n: usize) -> (String, String) {
    (format!("unit {n}"), format!("result {n} ").repeat(1 + n * 7 % 20))
}

/// Groups of one to four units.
fn groups() -> Vec<Vec<(String, String)>> {
    let sizes = [1, 3, 1, 2, 4, 1];
    let mut n = 0..;
    sizes.map(|size| n.by_ref().take(size).map(unit).collect()).to_vec()
}

/// Commits the groups and goes on after a failure, as a run does with its units in progress. Returns the acknowledged units.
fn run(disk: &Memory) -> Units {
    let mut done = Units::new();
    let Ok(mut journal) = disk.open() else { return done };
    for group in groups() {
        if journal.commit(results(&group)).is_ok() {
            done.extend(group);
            disk.state().acknowledged = done.len();
        }
    }
    done
}

/// Opens the bytes and checks that the journal has all acknowledged units, and nothing but units.
fn opens_with(bytes: &[u8], acknowledged: &Units, what: &str) {
    let disk = Memory::holding(bytes);
    let found = all(&mut disk.open().unwrap_or_else(|e| panic!("{what}: {e}")));
    let whole: Units = groups().concat().into_iter().collect();
    assert!(acknowledged.iter().all(|(unit, result)| found.get(unit) == Some(result)), "{what}: {found:?}");
    assert!(found.iter().all(|(unit, result)| whole.get(unit) == Some(result)), "{what}: {found:?}");
    // A run that resumes from there ends with all units.
    assert_eq!(run(&disk), whole, "{what}");
    assert_eq!(all(&mut disk.open().expect(what)), whole, "{what}");
}

#[test]
fn whatever_call_fails_nothing_acknowledged_is_lost() {
    let mut failures = 0;
    for (n, eighths) in [1, 2, usize::MAX / 2].into_iter().flat_map(|n| (0..=8).map(move |e| (n, e))) {
        for from in 0.. {
            let disk = Memory::default();
            let fault = Fault { from, n, eighths };
            disk.state().fault = Some(fault);
            let acknowledged = run(&disk);
            if disk.state().calls <= from {
                assert_eq!(acknowledged.len(), groups().concat().len());
                break;
            }
            failures += 1;
            assert!(acknowledged.len() < groups().concat().len(), "{fault:?}: something failed");
            let seen = disk.state().seen.clone();
            let kept = disk.state().kept.clone();
            opens_with(&seen, &acknowledged, &format!("{fault:?}, killed"));
            opens_with(&kept, &acknowledged, &format!("{fault:?}, power failed"));
            // Opening after a kill syncs what the file has, because it now counts as done.
            disk.state().fault = None;
            let counted = all(&mut disk.open().expect("it opened before"));
            let kept = disk.state().kept.clone();
            opens_with(&kept, &counted, &format!("{fault:?}, killed, opened, power failed"));
        }
    }
    assert!(failures > 300, "{failures}");
}

#[test]
fn a_power_failure_loses_nothing_acknowledged() {
    let disk = Memory::default();
    let units: Vec<(String, String)> = groups().concat();
    assert_eq!(run(&disk).len(), units.len());
    let mut rng = Rng::new(1);
    let state = disk.state();
    for (call, (seen, kept, acknowledged)) in state.history.iter().enumerate() {
        let acknowledged: Units = units[..*acknowledged].iter().cloned().collect();
        for _ in 0..300 {
            // Any length between, and of the blocks that were written since the last sync any are missing.
            let mut bytes = seen.clone();
            bytes.truncate(kept.len() + rng.below((seen.len() - kept.len()) as u32 + 1) as usize);
            for start in (kept.len() / BLOCK * BLOCK..bytes.len()).step_by(BLOCK) {
                let end = bytes.len().min(start + BLOCK);
                if rng.below(3) == 0 {
                    bytes[start.max(kept.len())..end].fill(0);
                }
            }
            opens_with(&bytes, &acknowledged, &format!("call {call}"));
        }
    }
}

#[test]
fn damage_is_never_repaired() {
    let disk = Memory::default();
    let whole = run(&disk);
    let bytes = disk.state().seen.clone();
    // With one changed letter a journal opens whole or not at all. (Without its last byte the end is torn.)
    for at in 0..bytes.len() - 1 {
        let mut bytes = bytes.clone();
        bytes[at] ^= 1;
        if let Ok(mut journal) = Memory::holding(&bytes).open() {
            assert_eq!(all(&mut journal), whole, "byte {at}");
        }
    }
    // A hole in what was synced is not a torn end, whether or not it takes ends of lines with it.
    let end = bytes[..bytes.len() - 1].iter().rposition(|b| *b == b'\n').expect("the last line is a group");
    for (start, n) in (60..end).step_by(50).flat_map(|start| [(start, 10), (start, 400)]) {
        let mut bytes = bytes.clone();
        bytes[start..end.min(start + n)].fill(0);
        let found = Memory::holding(&bytes).open().map(|journal| journal.done.len());
        assert!(matches!(found, Err(JournalError::Damaged { .. })), "{start}: {found:?}");
    }
}

/// A line that is removed, doubled or moved is noticed, in a whole journal and in one with a torn end.
#[test]
fn lines_cannot_be_removed_or_swapped() {
    let disk = Memory::default();
    run(&disk);
    let bytes = disk.state().seen.clone();
    let lines: Vec<&[u8]> = bytes.split_inclusive(|b| *b == b'\n').collect();
    let damaged = |lines: &[&[u8]], what: &str| {
        for end in [&b""[..], b"{\"unit\":\"torn"] {
            let found =
                Memory::holding(&[&lines.concat(), end].concat()).open().map(|journal| journal.done.len());
            assert!(matches!(found, Err(JournalError::Unchained { .. })), "{what}: {found:?}");
        }
    };
    for at in 1..lines.len() {
        if at + 1 < lines.len() {
            damaged(&[&lines[..at], &lines[at + 1..]].concat(), &format!("without line {at}"));
        }
        damaged(&[&lines[..=at], &lines[at..]].concat(), &format!("line {at} twice"));
        for other in at + 1..lines.len() {
            let mut lines = lines.clone();
            lines.swap(at, other);
            damaged(&lines, &format!("lines {at} and {other} swapped"));
        }
    }
    // Lines missing at the end look like a kill, and their units are played again.
    let fewer = Memory::holding(&lines[..lines.len() - 1].concat());
    assert_eq!(run(&fewer), groups().concat().into_iter().collect());
}

#[test]
fn units_are_heard_of_when_they_are_synced() {
    let player = |name: &str| Contestant::builtin(name, "random", "nodes=1");
    let game = Match::new::<Banqi>([player("a"), player("b")], "platform,board=4x4", 1, 8);
    let worker = Worker::default();
    let whole = game.run::<Banqi>(&worker, None, 1, &mut |_, _| {}).expect("it runs");
    for (from, threads) in (0..).flat_map(|from| [(from, 1), (from, 3)]) {
        let disk = Memory::default();
        let Ok(mut journal) = disk.open() else { unreachable!("nothing fails yet") };
        let opened = disk.state().calls;
        disk.state().fault = Some(Fault { from: opened + from, n: 1, eighths: 4 });
        let mut heard = 0;
        let result = game.run::<Banqi>(&worker, Some(&mut journal), threads, &mut |tally, _| {
            heard = tally.pairs.pairs();
            let kept = disk.state().kept.clone();
            assert!(Memory::holding(&kept).open().expect("whole").len() as u64 >= heard);
        });
        if disk.state().calls <= opened + from {
            assert_eq!(result.expect("nothing failed"), whole);
            break;
        }
        assert!(matches!(result, Err(MatchError::ResultStore(_))), "{result:?}");
        let mut journal = disk.open().expect("it is not damaged");
        assert!(heard <= journal.len() as u64 && journal.len() < 8);
        disk.state().fault = None;
        let again = game.run::<Banqi>(&worker, Some(&mut journal), threads, &mut |_, _| {});
        assert_eq!(again.expect("it goes on"), whole);
    }
}

/// A disk whose fourth sync, that of the first group, lasts until the threads have done all units.
struct Slow {
    syncs: usize,
    worked: Arc<(Mutex<usize>, Condvar)>,
}

impl Disk for Slow {
    fn append(&mut self, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    fn sync(&mut self) -> io::Result<()> {
        self.syncs += 1;
        if self.syncs == 4 {
            let (worked, more) = &*self.worked;
            let worked = worked.lock().expect("no panic");
            let waited =
                more.wait_timeout_while(worked, Duration::from_mins(5), |n| *n < 20).expect("no panic");
            if waited.1.timed_out() {
                return Err(io::Error::other("the threads wait for the disk"));
            }
        }
        Ok(())
    }

    fn cut(&mut self, _: u64) -> io::Result<()> {
        Ok(())
    }

    fn read_at(&mut self, _: u64, _: usize) -> io::Result<Vec<u8>> {
        Err(io::Error::other("it keeps nothing"))
    }

    fn lines(&mut self) -> io::Result<Box<dyn BufRead + '_>> {
        Ok(Box::new(io::empty()))
    }

    fn is_at(&self, _: &Path) -> io::Result<bool> {
        Ok(true)
    }
}

#[test]
fn threads_do_not_wait_for_the_disk() {
    let all = Arc::new((Mutex::new(0), Condvar::new()));
    let disk = Slow { syncs: 0, worked: all.clone() };
    let (worked, more) = &*all;
    let mut journal = Journal::begin(Path::new("journal"), Box::new(disk), "a run").expect("a journal");
    let units = (0..20).map(|n| (n, n.to_string()));
    let work = |_: &str| {
        *worked.lock().expect("no panic") += 1;
        more.notify_one();
        Ok(((), String::new()))
    };
    let mut heard = 0;
    let finished = |_: Option<&mut dyn ResultStore>, _, _| {
        assert_eq!(*worked.lock().expect("no panic"), 20, "heard of before the sync");
        heard += 1;
        Ok(ControlFlow::Continue(()))
    };
    run_units(units, 2, Some(&mut journal), work, finished).unwrap_or_else(|e: LedgerError| panic!("{e}"));
    assert_eq!((heard, journal.len()), (20, 20));
}
