//! Objects as files. A file is staged, synced and hard-linked to its name, which fails if the name is taken; then
//! the folder is synced. `object_store` syncs nothing, so its acknowledged writes may be lost in a power failure.

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::fs::File;
use std::io::{Error, ErrorKind, Result, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::error::StoreError;

/// Where files are written before they get their names.
const STAGING: &str = "staging";

/// The file system calls behind objects. Tests pass a disk that loses everything not synced.
pub(crate) trait Disk: Debug + Send + Sync {
    /// Whether such a folder exists.
    fn is_folder(&self, path: &Path) -> bool;
    /// Makes one folder. Its name is durable once the parent folder is synced.
    fn make_folder(&self, path: &Path) -> Result<()>;
    /// Makes the names in a folder durable.
    fn sync_folder(&self, path: &Path) -> Result<()>;
    /// Creates a file with these bytes, synced, and locked while it is held. Fails if the file exists: it may
    /// already be an object under its other name.
    fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Box<dyn Staged>>;
    /// Gives a file a second name, which must be free.
    fn link(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes one name of a file.
    fn remove(&self, path: &Path) -> Result<()>;
    /// Removes a file unless it is locked; whether it did.
    fn remove_abandoned(&self, path: &Path) -> bool;
    /// The identity of the disk.
    fn id(&self) -> usize;
    /// Whether this exists and is no regular file.
    fn is_special(&self, path: &Path) -> bool;
    /// The names in a folder.
    fn names(&self, path: &Path) -> Result<Vec<String>>;
}

/// A locked file.
pub(crate) trait Staged {}

impl Staged for File {}

/// A folder in which files are created.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// For names of staged files: a number unique across processes and machines, and a counter.
    nonce: u64,
    staged: AtomicU64,
    /// Folders whose names are known to be durable.
    synced: Mutex<BTreeSet<PathBuf>>,
}

impl Files {
    pub(crate) fn new(folder: PathBuf, disk: Arc<dyn Disk>) -> Files {
        Files { folder, disk, nonce: nonce(), staged: AtomicU64::new(0), synced: Mutex::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a file; whether this call created it.
    pub(crate) fn create(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        let (folder, disk) = (&self.folder, &*self.disk);
        let (staging, path) = (folder.join(STAGING), folder.join(name));
        let parent = path.parent().unwrap_or(folder);
        // Only inside the folder: one that was moved or removed is not made anew, without what it had.
        self.make_inner(&staging)?;
        self.make_inner(parent)?;
        let known = self.synced.lock().unwrap_or_else(PoisonError::into_inner).contains(parent);
        if !known {
            // Another process may have made it and not have synced it yet.
            disk.sync_folder(folder)?;
            self.synced.lock().unwrap_or_else(PoisonError::into_inner).insert(parent.to_owned());
        }
        let created = loop {
            let n = self.staged.fetch_add(1, Ordering::Relaxed);
            let aside = staging.join(format!("{:016x}-{n}-{}", self.nonce, name.replace('/', "-")));
            let file = disk.stage(&aside, bytes)?;
            let linked = disk.link(&aside, &path);
            let aside_is_gone = disk.remove(&aside).is_err_and(|e| e.kind() == ErrorKind::NotFound);
            drop(file);
            match linked {
                Ok(()) => break true,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => break false,
                // Another process cleared the staging folder before we had the lock.
                Err(error) if error.kind() == ErrorKind::NotFound && aside_is_gone => {}
                Err(error) => return Err(error),
            }
        };
        // Also where another process was first: it may not have synced yet.
        disk.sync_folder(parent)?;
        Ok(created)
    }

    /// Makes a folder inside of ours, if it is not there, and syncs ours.
    fn make_inner(&self, path: &Path) -> Result<()> {
        if self.disk.is_folder(path) {
            return Ok(());
        }
        match self.disk.make_folder(path) {
            Err(error) if error.kind() != ErrorKind::AlreadyExists => Err(error),
            _ => self.disk.sync_folder(&self.folder),
        }
    }

    /// Whether both are the same folder.
    pub(crate) fn is_same(&self, other: &Files) -> bool {
        self.folder == other.folder && self.disk.id() == other.disk.id()
    }

    /// Whether a pipe, a device, a folder or the like has this name.
    pub(crate) fn is_special(&self, name: &str) -> bool {
        self.disk.is_special(&self.folder.join(name))
    }

    /// An entry that belongs to no store; `None` in an empty folder.
    pub(crate) fn stranger(&self) -> std::result::Result<Option<String>, StoreError> {
        let names = self.disk.names(&self.folder).map_err(|source| failed(&self.folder, source))?;
        // Another process may be making the store at this moment.
        Ok(names.into_iter().find(|name| name != STAGING && name != "store.json"))
    }

    /// Removes the staged files of killed processes.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn clear_staging(&self) -> std::result::Result<usize, StoreError> {
        let staging = self.folder.join(STAGING);
        match self.disk.names(&staging) {
            Ok(names) => {
                Ok(names.iter().filter(|name| self.disk.remove_abandoned(&staging.join(name))).count())
            }
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(0),
            Err(error) => Err(failed(&staging, error)),
        }
    }
}

fn failed(path: &Path, source: Error) -> StoreError {
    StoreError::File { file: path.display().to_string(), source }
}

/// A number that no other process has: process ids repeat across machines and containers.
#[expect(clippy::disallowed_types, reason = "no game depends on it")]
pub fn nonce() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// Makes a folder and its missing parents, and syncs every changed folder.
pub(crate) fn make_folder(disk: &dyn Disk, path: &Path) -> Result<()> {
    if disk.is_folder(path) {
        return Ok(());
    }
    let above = path.parent().map(|above| if above.as_os_str().is_empty() { Path::new(".") } else { above });
    above.map_or(Ok(()), |above| make_folder(disk, above))?;
    match disk.make_folder(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    above.map_or(Ok(()), |above| disk.sync_folder(above))
}

/// The disk of this machine.
#[derive(Debug)]
pub(crate) struct RealDisk;

impl Disk for RealDisk {
    fn is_folder(&self, path: &Path) -> bool {
        path.is_dir()
    }

    fn make_folder(&self, path: &Path) -> Result<()> {
        std::fs::create_dir(path)
    }

    #[cfg(unix)]
    fn sync_folder(&self, path: &Path) -> Result<()> {
        File::open(path)?.sync_all()
    }

    /// Other systems cannot open a folder to sync it, and do so themselves.
    #[cfg(not(unix))]
    fn sync_folder(&self, _: &Path) -> Result<()> {
        Ok(())
    }

    fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Box<dyn Staged>> {
        let mut file = File::create_new(path)?;
        file.lock()?;
        if let Err(error) = file.write_all(bytes).and_then(|()| file.sync_all()) {
            let _ = std::fs::remove_file(path);
            return Err(error);
        }
        Ok(Box::new(file))
    }

    fn link(&self, from: &Path, to: &Path) -> Result<()> {
        std::fs::hard_link(from, to)
    }

    fn remove(&self, path: &Path) -> Result<()> {
        std::fs::remove_file(path)
    }

    fn remove_abandoned(&self, path: &Path) -> bool {
        // Opening a pipe would wait for a reader.
        if !std::fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file()) {
            return false;
        }
        // Open for writing: NFS gives exclusive locks only on such files.
        let file = File::options().write(true).open(path);
        file.is_ok_and(|file| file.try_lock().is_ok()) && std::fs::remove_file(path).is_ok()
    }

    fn id(&self) -> usize {
        0
    }

    fn is_special(&self, path: &Path) -> bool {
        std::fs::metadata(path).is_ok_and(|meta| !meta.is_file())
    }

    fn names(&self, path: &Path) -> Result<Vec<String>> {
        std::fs::read_dir(path)?.map(|entry| Ok(entry?.file_name().to_string_lossy().into_owned())).collect()
    }
}
