//! A disk in memory that several actors use at the same time. Their calls interleave in a random order, and a
//! power failure loses everything not synced.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::future::Future;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::pin::Pin;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use anglerfish_rules::{Rng, RngExt};
use bytes::Bytes;
use futures_util::stream::{self, BoxStream, StreamExt, TryStreamExt};
use object_store::memory::InMemory;
use object_store::path::Path as ObjectPath;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta, ObjectStore,
    ObjectStoreExt, PutMultipartOptions, PutOptions, PutPayload, PutResult, Result,
};

use crate::files::{Disk, Staged};
use crate::place::Place;

/// The folder of the store.
const ROOT: &str = "/store";

/// A file, under any number of names.
#[derive(Debug)]
struct Inode {
    bytes: Bytes,
    synced: bool,
}

type File = Arc<Mutex<Inode>>;

/// A change of names that may be lost: the folder, the name, and its new file. A folder has no file.
#[derive(Clone, Debug)]
struct Change {
    folder: String,
    name: String,
    to: Option<Entry>,
}

#[derive(Clone, Debug)]
enum Entry {
    Folder,
    File(File),
}

/// Which unsynced changes survive when the power goes off.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Survives {
    All,
    Nothing,
    /// Added names, but no removals.
    Links,
    /// Removals, but no added names.
    Removals,
    /// Some, chosen by a seed.
    Some(u64),
}

#[derive(Debug, Default)]
struct State {
    /// Names as a program sees them.
    live: BTreeMap<String, Entry>,
    /// Names as they would be after a power failure.
    durable: BTreeMap<String, Entry>,
    changes: Vec<Change>,
    locked: BTreeSet<String>,
    /// Number of calls so far.
    calls: u64,
    /// The number of the call at which the power goes off.
    off_at: Option<u64>,
    is_off: bool,
    /// Whether a taken name may be given again, as careless file systems allow.
    is_careless: bool,
    /// Actors at work, and those of them that wait for their next call.
    working: BTreeSet<usize>,
    waiting: BTreeSet<usize>,
    /// The actor whose call is next.
    turn: Option<usize>,
    lot: Option<Rng>,
}

/// The disk.
#[derive(Clone, Debug, Default)]
pub(super) struct Simulated(Arc<(Mutex<State>, Condvar)>);

/// An actor's handle of the disk; a handle without a number is used alone.
#[derive(Clone)]
pub(super) struct Hold {
    disk: Simulated,
    actor: Option<usize>,
}

impl fmt::Debug for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "actor {:?}", self.actor)
    }
}

impl fmt::Display for Hold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}

fn off() -> io::Error {
    io::Error::new(ErrorKind::PermissionDenied, "the power is off")
}

fn parent(path: &str) -> String {
    path.rsplit_once('/').map(|(folder, _)| folder.to_owned()).unwrap_or_default()
}

fn text(path: &Path) -> String {
    path.to_str().unwrap_or_default().to_owned()
}

impl State {
    fn change(&mut self, name: String, to: Option<Entry>) {
        match &to {
            Some(entry) => self.live.insert(name.clone(), entry.clone()),
            None => self.live.remove(&name),
        };
        self.changes.push(Change { folder: parent(&name), name, to });
    }

    fn sync(&mut self, folder: &str) {
        let (synced, rest) =
            std::mem::take(&mut self.changes).into_iter().partition(|change| change.folder == folder);
        self.changes = rest;
        let synced: Vec<Change> = synced;
        for change in &synced {
            apply(&mut self.durable, change);
        }
    }
}

fn apply(names: &mut BTreeMap<String, Entry>, change: &Change) {
    match &change.to {
        Some(entry) => names.insert(change.name.clone(), entry.clone()),
        None => names.remove(&change.name),
    };
}

impl Simulated {
    /// A disk with these files, all durable.
    pub(super) fn with(files: &BTreeMap<String, Bytes>) -> Simulated {
        let disk = Simulated::default();
        {
            let mut state = disk.state();
            for name in ["", ROOT] {
                state.durable.insert(name.to_owned(), Entry::Folder);
            }
            for (name, bytes) in files {
                let file = Arc::new(Mutex::new(Inode { bytes: bytes.clone(), synced: true }));
                let path = format!("{ROOT}/{name}");
                state.durable.insert(parent(&path), Entry::Folder);
                state.durable.insert(path, Entry::File(file));
            }
            state.live = state.durable.clone();
        }
        disk
    }

    /// The same disk, which from now on lets a file be created twice.
    pub(super) fn careless(self) -> Simulated {
        self.state().is_careless = true;
        self
    }

    /// All files as a program sees them, by name.
    pub(super) fn files(&self) -> BTreeMap<String, Bytes> {
        let state = self.state();
        let file = |(path, entry): (&String, &Entry)| match entry {
            Entry::File(file) => {
                Some((path.strip_prefix(ROOT)?.trim_start_matches('/').to_owned(), lock(file).bytes.clone()))
            }
            Entry::Folder => None,
        };
        state.live.iter().filter_map(file).collect()
    }

    /// A handle for a caller that is alone.
    pub(super) fn hold(&self) -> Hold {
        Hold { disk: self.clone(), actor: None }
    }

    /// The place of the store, for a caller that is alone.
    pub(super) fn place(&self) -> Place {
        self.place_of(None)
    }

    fn place_of(&self, actor: Option<usize>) -> Place {
        let hold = Hold { disk: self.clone(), actor };
        Place::simulated(Arc::new(hold.clone()), Arc::new(hold))
    }

    /// How many calls were made.
    pub(super) fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Runs actors at the same time, each with a place of its own; the seed orders their calls. At call
    /// `off_at` the power goes off for all of them.
    pub(super) fn run<'a>(
        &self,
        seed: u64,
        off_at: Option<u64>,
        actors: Vec<Box<dyn FnOnce(Place) + Send + 'a>>,
    ) {
        {
            let mut state = self.state();
            (state.calls, state.off_at, state.lot) = (0, off_at, Some(Rng::new(seed)));
            state.working = (0..actors.len()).collect();
        }
        std::thread::scope(|scope| {
            for (n, actor) in actors.into_iter().enumerate() {
                let place = self.place_of(Some(n));
                scope.spawn(move || {
                    // Also on a panic, or the others would wait for it.
                    let _leaves = Leaves(self, n);
                    actor(place);
                });
            }
        });
    }

    /// The disk after the power failure.
    pub(super) fn after(&self, survives: Survives) -> Simulated {
        let state = self.state();
        let mut lot = if let Survives::Some(seed) = survives { Some(Rng::new(seed)) } else { None };
        let mut durable = state.durable.clone();
        for change in &state.changes {
            let stays = match survives {
                Survives::All => true,
                Survives::Nothing => false,
                Survives::Links => change.to.is_some(),
                Survives::Removals => change.to.is_none(),
                Survives::Some(_) => lot.as_mut().is_some_and(|lot| lot.below(2) == 0),
            };
            if stays {
                apply(&mut durable, change);
            }
        }
        let mut files = BTreeMap::new();
        for (path, entry) in &durable {
            let Entry::File(file) = entry else { continue };
            // A file in a folder whose own name is lost is lost with it.
            let above = parent(path);
            if !durable.contains_key(&above) {
                continue;
            }
            let file = lock(file);
            let mut bytes = file.bytes.clone();
            if !file.synced && survives != Survives::All {
                bytes.truncate(bytes.len() / 2);
            }
            if let Some(name) = path.strip_prefix(ROOT) {
                files.insert(name.trim_start_matches('/').to_owned(), bytes);
            }
        }
        drop(state);
        Simulated::with(&files)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Draws the next actor once all actors at work are waiting.
    fn next(&self, state: &mut State) {
        if state.turn.is_none() && state.waiting.len() == state.working.len() && !state.working.is_empty() {
            let n = state.waiting.len() as u32;
            let n = state.lot.as_mut().map_or(0, |lot| lot.below(n));
            state.turn = state.waiting.iter().nth(n as usize).copied();
            self.0.1.notify_all();
        }
    }
}

/// Removes an actor from those at work.
struct Leaves<'a>(&'a Simulated, usize);

impl Drop for Leaves<'_> {
    fn drop(&mut self) {
        let Leaves(disk, actor) = self;
        let mut state = disk.state();
        state.working.remove(actor);
        disk.next(&mut state);
    }
}

fn lock(file: &File) -> MutexGuard<'_, Inode> {
    file.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Hold {
    /// One call: waits for its turn, and fails if the power is off.
    fn call<T>(&self, make: impl FnOnce(&mut State) -> io::Result<T>) -> io::Result<T> {
        let mut state = self.disk.state();
        if let Some(actor) = self.actor {
            state.waiting.insert(actor);
            self.disk.next(&mut state);
            while state.turn != Some(actor) {
                state = self.disk.0.1.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            state.waiting.remove(&actor);
            state.turn = None;
        }
        state.is_off |= state.off_at == Some(state.calls);
        if state.is_off {
            return Err(off());
        }
        state.calls += 1;
        make(&mut state)
    }
}

/// A file that is locked.
struct Locked(Simulated, String);

impl Staged for Locked {}

impl Drop for Locked {
    fn drop(&mut self) {
        self.0.state().locked.remove(&self.1);
    }
}

fn not_found() -> io::Error {
    io::Error::from(ErrorKind::NotFound)
}

impl Disk for Hold {
    fn is_folder(&self, path: &Path) -> bool {
        self.call(|state| Ok(matches!(state.live.get(&text(path)), Some(Entry::Folder)))).unwrap_or_default()
    }

    fn make_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|state| match state.live.get(&text(path)) {
            Some(_) => Err(ErrorKind::AlreadyExists.into()),
            None => {
                state.change(text(path), Some(Entry::Folder));
                Ok(())
            }
        })
    }

    fn sync_folder(&self, path: &Path) -> io::Result<()> {
        self.call(|state| {
            state.sync(&text(path));
            Ok(())
        })
    }

    fn stage(&self, path: &Path, bytes: &[u8]) -> io::Result<Box<dyn Staged>> {
        let (name, file) = (text(path), Arc::new(Mutex::new(Inode { bytes: Bytes::new(), synced: false })));
        self.call(|state| {
            if state.live.contains_key(&name) {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.change(name.clone(), Some(Entry::File(Arc::clone(&file))));
            state.locked.insert(name.clone());
            Ok(())
        })?;
        let locked = Locked(self.disk.clone(), name);
        self.call(|_| {
            lock(&file).bytes = Bytes::copy_from_slice(bytes);
            Ok(())
        })?;
        self.call(|_| {
            lock(&file).synced = true;
            Ok(())
        })?;
        Ok(Box::new(locked))
    }

    fn link(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call(|state| {
            let file = state.live.get(&text(from)).cloned().ok_or_else(not_found)?;
            if state.live.contains_key(&text(to)) && !state.is_careless {
                return Err(ErrorKind::AlreadyExists.into());
            }
            state.change(text(to), Some(file));
            Ok(())
        })
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call(|state| {
            state.live.get(&text(path)).ok_or_else(not_found)?;
            state.change(text(path), None);
            Ok(())
        })
    }

    fn remove_abandoned(&self, path: &Path) -> bool {
        let removed = self.call(|state| {
            let goes = state.live.contains_key(&text(path)) && !state.locked.contains(&text(path));
            if goes {
                state.change(text(path), None);
            }
            Ok(goes)
        });
        removed.unwrap_or_default()
    }

    fn id(&self) -> usize {
        Arc::as_ptr(&self.disk.0).addr()
    }

    fn is_special(&self, _: &Path) -> bool {
        false
    }

    fn names(&self, path: &Path) -> io::Result<Vec<String>> {
        let folder = text(path);
        self.call(|state| {
            state.live.get(&folder).ok_or_else(not_found)?;
            let names = state.live.keys().filter(|name| **name != folder && parent(name) == folder);
            Ok(names.filter_map(|name| Some(name.rsplit_once('/')?.1.to_owned())).collect())
        })
    }
}

type Later<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

fn failed(path: &ObjectPath, error: io::Error) -> Error {
    let path = path.to_string();
    if error.kind() == ErrorKind::NotFound {
        Error::NotFound { path, source: error.into() }
    } else {
        Error::PermissionDenied { path, source: error.into() }
    }
}

/// Reading, listing and deleting, which go through `object_store`.
impl ObjectStore for Hold {
    fn get_opts<'a, 'b, 'c>(&'a self, location: &'b ObjectPath, options: GetOptions) -> Later<'c, GetResult>
    where
        'a: 'c,
        'b: 'c,
    {
        Box::pin(async move {
            let name = format!("{ROOT}/{location}");
            let bytes = self.call(|state| match state.live.get(&name) {
                Some(Entry::File(file)) => Ok(lock(file).bytes.clone()),
                _ => Err(not_found()),
            });
            let bytes = bytes.map_err(|error| failed(location, error))?;
            let memory = InMemory::new();
            memory.put(location, PutPayload::from_bytes(bytes)).await?;
            memory.get_opts(location, options).await
        })
    }

    fn list(&self, prefix: Option<&ObjectPath>) -> BoxStream<'static, Result<ObjectMeta>> {
        let folder = prefix.cloned().unwrap_or_default();
        let listed = self.call(|state| {
            let begin = format!("{ROOT}/{folder}/");
            let files = state.live.iter().filter_map(|(name, entry)| match entry {
                Entry::File(file) if name.starts_with(&begin) => Some(ObjectMeta {
                    location: ObjectPath::from(name.strip_prefix(ROOT)?),
                    last_modified: std::time::UNIX_EPOCH.into(),
                    size: lock(file).bytes.len() as u64,
                    e_tag: None,
                    version: None,
                }),
                _ => None,
            });
            Ok(files.collect::<Vec<_>>())
        });
        match listed {
            Ok(listed) => stream::iter(listed.into_iter().map(Ok)).boxed(),
            Err(error) => stream::iter([Err(failed(&folder, error))]).boxed(),
        }
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<ObjectPath>>,
    ) -> BoxStream<'static, Result<ObjectPath>> {
        let hold = self.clone();
        let delete = move |location: ObjectPath| {
            let removed = hold.remove(Path::new(&format!("{ROOT}/{location}")));
            std::future::ready(removed.map(|()| location.clone()).map_err(|error| failed(&location, error)))
        };
        locations.and_then(delete).boxed()
    }

    fn put_opts<'a, 'b, 'c>(&'a self, _: &'b ObjectPath, _: PutPayload, _: PutOptions) -> Later<'c, PutResult>
    where
        'a: 'c,
        'b: 'c,
    {
        unreachable!("files are created by the disk")
    }

    fn put_multipart_opts<'a, 'b, 'c>(
        &'a self,
        _: &'b ObjectPath,
        _: PutMultipartOptions,
    ) -> Later<'c, Box<dyn MultipartUpload>>
    where
        'a: 'c,
        'b: 'c,
    {
        unreachable!("files are created by the disk")
    }

    fn list_with_delimiter<'a, 'b, 'c>(&'a self, _: Option<&'b ObjectPath>) -> Later<'c, ListResult>
    where
        'a: 'c,
        'b: 'c,
    {
        unreachable!("a store lists whole folders")
    }

    fn copy_opts<'a, 'b, 'd, 'c>(
        &'a self,
        _: &'b ObjectPath,
        _: &'d ObjectPath,
        _: CopyOptions,
    ) -> Later<'c, ()>
    where
        'a: 'c,
        'b: 'c,
        'd: 'c,
    {
        unreachable!("a store copies nothing within itself")
    }
}
