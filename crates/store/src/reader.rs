//! A shuffled, streaming reader: every position of every finished game once per epoch, in an order
//! independent of the layout.
//!
//! Units are ordered by their names, a seed and the number of the epoch. They are read in that order until a window
//! is full; its positions are shuffled and returned. So the order is the same before and after any compaction, on a
//! disk and in a bucket. Memory holds three windows: one being returned, one waiting, and one being filled.

mod games;
mod source;

use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

use anglerfish_arena::Name;
use anglerfish_rules::{Rng, RngExt, Seat};

use crate::error::StoreError;
use crate::store::Store;
use crate::stored_game::StoredGame;
use games::Games;
use source::{Source, Start};

/// How an epoch is read.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Options {
    /// Positions that are shuffled together, at least; a window may exceed this by one game.
    pub window: usize,
    /// Whether positions before random opening plies count too.
    pub openings: bool,
    /// How many positions to skip at the beginning, to resume an interrupted reader. Their games are counted,
    /// not replayed.
    pub skip: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options { window: 1 << 20, openings: false, skip: 0 }
    }
}

/// A position of a finished game. Result and value are from the mover's view.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub struct Sample<T> {
    /// The caller's form of the position.
    pub position: T,
    /// The seat to move.
    pub seat: Seat,
    /// How the game ended for that seat: 1, 0 or -1.
    pub result: i8,
    /// The evaluation of the position for that seat, in ten-thousandths of a game, if it was stored.
    pub value: Option<i16>,
    /// How many plies were played before.
    pub ply: u32,
}

/// The positions of an epoch, one after another. A thread reads ahead.
pub struct Shuffled<T> {
    windows: Receiver<Window<T>>,
    now: std::vec::IntoIter<Sample<T>>,
    reader: Option<JoinHandle<()>>,
}

/// A message of the thread: some positions, `None` at the end, or an error.
type Window<T> = Result<Option<Vec<Sample<T>>>, StoreError>;

impl<T: Send + 'static> Shuffled<T> {
    /// An epoch of the current contents of the store. `position` turns a game into the caller's form of a position.
    ///
    /// # Errors
    /// When the units cannot be listed.
    pub fn new<G: StoredGame>(
        store: &mut Store<G>,
        seed: u64,
        epoch: u64,
        options: Options,
        position: impl Fn(&G) -> T + Send + 'static,
    ) -> Result<Shuffled<T>, StoreError> {
        let mut order: Vec<(u64, Name)> =
            store.units()?.into_iter().map(|unit| (rank(seed, epoch, &unit), unit)).collect();
        order.sort_unstable();
        let order: Vec<Name> = order.into_iter().map(|(_, unit)| unit).collect();
        let (send, windows) = sync_channel(1);
        let source = Source::new(store.fork(), order);
        let reader = std::thread::spawn(move || {
            let mut filler = Filler { source, seed, epoch, options, position };
            // An error of the send means that the receiver is gone.
            if let Err(error) = filler.fill(&send) {
                let _ = send.send(Err(error));
            }
        });
        Ok(Shuffled { windows, now: Vec::new().into_iter(), reader: Some(reader) })
    }
}

impl<T> Iterator for Shuffled<T> {
    type Item = Result<Sample<T>, StoreError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(sample) = self.now.next() {
                return Some(Ok(sample));
            }
            let reader = self.reader.take()?;
            match self.windows.recv() {
                Ok(Ok(Some(window))) => {
                    self.now = window.into_iter();
                    self.reader = Some(reader);
                }
                Ok(Ok(None)) => return None,
                Ok(Err(error)) => return Some(Err(error)),
                // The thread reports its end, so a closed channel is a panic, and not the end of the epoch.
                Err(_) => {
                    if let Err(panic) = reader.join() {
                        std::panic::resume_unwind(panic);
                    }
                    return None;
                }
            }
        }
    }
}

/// The rank of a unit in an epoch.
fn rank(seed: u64, epoch: u64, unit: &Name) -> u64 {
    Rng::stream(seed, &format!("epoch:{epoch}:unit:{unit}")).next_u64()
}

/// Fills windows.
struct Filler<G, F> {
    source: Source<G>,
    seed: u64,
    epoch: u64,
    options: Options,
    position: F,
}

impl<G: StoredGame, F> Filler<G, F> {
    /// Sends all windows of the epoch, except for skipped ones.
    fn fill<T>(&mut self, send: &SyncSender<Window<T>>) -> Result<(), StoreError>
    where
        F: Fn(&G) -> T,
    {
        let (mut number, mut skip) = self.skip_windows()?;
        let mut games = Games::<G>::default();
        loop {
            let mut window = Vec::with_capacity(self.options.window.min(1 << 22) + 1024);
            while window.len() < self.options.window && games.next(&mut self.source)? {
                games.play(self.options.openings, &self.position, &mut window)?;
            }
            if window.is_empty() {
                let _ = send.send(Ok(None));
                return Ok(());
            }
            Rng::stream(self.seed, &format!("epoch:{}:window:{number}", self.epoch)).shuffle(&mut window);
            drop(window.drain(..skip));
            (number, skip) = (number + 1, 0);
            if send.send(Ok(Some(window))).is_err() {
                return Ok(());
            }
        }
    }

    /// Goes to the window of the first position to return; its number, and how many of its positions to skip.
    fn skip_windows(&mut self) -> Result<(u64, usize), StoreError> {
        let (mut number, mut left) = (0, self.options.skip);
        if left == 0 {
            return Ok((0, 0));
        }
        let mut games = Games::<G>::default();
        self.source.count_only(true);
        let mut begins = Start::default();
        let mut size = 0_u64;
        while games.next(&mut self.source)? {
            size += games.count(self.options.openings)?;
            if size >= self.options.window as u64 {
                if size > left {
                    break;
                }
                (number, left, size) = (number + 1, left - size, 0);
                begins = games.after();
            }
        }
        self.source.count_only(false);
        self.source.go_to(begins);
        // No window is beyond the end; the last one may be smaller than the others.
        Ok((number, usize::try_from(left.min(size)).unwrap_or(usize::MAX)))
    }
}
