//! Limits on connections, and which one is closed when there are too many.
//!
//! No client can keep another out. A request, and each part of an answer, has to pass within a time limit. A
//! new connection never waits for that: if there are too many, the longest silent one is closed first.

use std::io::{self, ErrorKind, Read, Write};
use std::net::{IpAddr, Shutdown, TcpStream};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use anglerfish_arena::now;

/// The weight of a question of this size. Analyses are many times as long as their games, up to a limit.
fn weight(bytes: usize) -> usize {
    1 + (bytes >> 14).min(7)
}

/// Bytes written at a time, of which a part has to be accepted.
const PART: usize = 64 << 10;

/// The limits of clients.
pub(super) struct Limits {
    /// Connections at a time.
    pub(super) connections: usize,
    /// Connections of one address. A browser opens six, for all of its tabs.
    pub(super) per_peer: usize,
    /// The total weight of the questions under way: see [`weight`].
    pub(super) questions: usize,
    /// Time from the connection to the last byte of its request.
    pub(super) request: Duration,
    /// Time from one accepted byte of an answer to the next.
    pub(super) answer: Duration,
}

impl Default for Limits {
    fn default() -> Limits {
        let seconds = Duration::from_secs(10);
        Limits { connections: 64, per_peer: 48, questions: 16, request: seconds, answer: seconds }
    }
}

/// All connections.
#[derive(Default)]
pub(super) struct Connections {
    pub(super) limits: Limits,
    open: Mutex<Open>,
}

#[derive(Default)]
struct Open {
    next: u64,
    entries: Vec<Entry>,
}

struct Entry {
    id: u64,
    peer: IpAddr,
    stream: Arc<TcpStream>,
    /// The weight of the question being answered; 0 before. With a question it does not give way to silent clients.
    weight: usize,
    /// When it connected, asked, or last accepted a part of an answer.
    since: Instant,
    /// Whether it has been closed, and its thread is about to notice.
    closed: bool,
}

/// A connection, listed until it is dropped. Reading and writing respect the limits.
pub(super) struct Connection {
    all: Arc<Connections>,
    id: u64,
    pub(super) stream: Arc<TcpStream>,
    /// The deadline of its request.
    until: Instant,
}

impl Connections {
    pub(super) fn new(limits: Limits) -> Arc<Connections> {
        Arc::new(Connections { limits, ..Connections::default() })
    }

    fn open(&self) -> MutexGuard<'_, Open> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lists a connection, and closes another if there are too many; `None` if threads of closed connections
    /// fall behind.
    pub(super) fn admit(self: &Arc<Self>, stream: TcpStream) -> Option<Connection> {
        let peer = stream.peer_addr().ok()?.ip();
        stream.set_write_timeout(Some(self.limits.answer)).ok()?;
        stream.set_nodelay(true).ok()?;
        let (stream, since) = (Arc::new(stream), now());
        let mut open = self.open();
        if open.entries.len() >= 2 * self.limits.connections {
            return None;
        }
        open.make_room(self.limits.per_peer - 1, |entry| usize::from(entry.peer == peer));
        open.make_room(self.limits.connections - 1, |_| 1);
        let id = open.next;
        open.next += 1;
        open.entries.push(Entry { id, peer, stream: Arc::clone(&stream), weight: 0, since, closed: false });
        drop(open);
        Some(Connection { all: Arc::clone(self), id, stream, until: since + self.limits.request })
    }

    /// Closes the longest silent connection: the system has no room for another.
    pub(super) fn give_way(&self) {
        let mut open = self.open();
        let live = open.entries.iter().filter(|entry| !entry.closed).count();
        open.make_room(live.saturating_sub(1), |_| 1);
    }

    /// Number of connections whose threads have not ended.
    #[cfg(test)]
    pub(super) fn len(&self) -> usize {
        self.open().entries.len()
    }
}

impl Open {
    /// Closes connections until the total cost fits the room. Those that wait or send a page go first, the
    /// longest silent one before others.
    fn make_room(&mut self, room: usize, cost: impl Fn(&Entry) -> usize) {
        let mut these: Vec<&mut Entry> =
            self.entries.iter_mut().filter(|entry| !entry.closed && cost(entry) > 0).collect();
        these.sort_by_key(|entry| (entry.weight > 0, entry.since));
        let mut taken: usize = these.iter().map(|entry| cost(entry)).sum();
        for entry in these {
            if taken <= room {
                break;
            }
            taken -= cost(entry);
            entry.closed = true;
            let _ = entry.stream.shutdown(Shutdown::Both);
        }
    }

    fn entry(&mut self, id: u64) -> Option<&mut Entry> {
        self.entries.iter_mut().find(|entry| entry.id == id)
    }
}

impl Connection {
    /// Marks the start of an answer to a question of this size. If there are too many, the longest running
    /// ones are aborted.
    pub(super) fn asks(&self, bytes: usize) {
        let (weight, mut open) = (weight(bytes), self.all.open());
        open.make_room(self.all.limits.questions.saturating_sub(weight), |entry| entry.weight);
        if let Some(entry) = open.entry(self.id) {
            (entry.weight, entry.since) = (weight, now());
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.all.open().entries.retain(|entry| entry.id != self.id);
    }
}

impl Read for &Connection {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let left = self.until.saturating_duration_since(now());
        if left.is_zero() {
            return Err(ErrorKind::TimedOut.into());
        }
        self.stream.set_read_timeout(Some(left))?;
        (&*self.stream).read(bytes)
    }
}

impl Write for &Connection {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = (&*self.stream).write(&bytes[..bytes.len().min(PART)])?;
        if let Some(entry) = self.all.open().entry(self.id) {
            entry.since = now();
        }
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
