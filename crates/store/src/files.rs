//! Objects as files. A file is written aside, synced, given its name by a hard link, which fails if the name is taken, and the folder
//! is synced: `object_store` syncs nothing, and what it acknowledges may be gone after a power failure.

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

/// The calls of a file system that objects as files are made of. Tests put a disk there that loses what was not synced.
pub(crate) trait Disk: Debug + Send + Sync {
    /// Whether there is such a folder.
    fn is_folder(&self, path: &Path) -> bool;
    /// Makes one folder. Its name is safe when the folder above is synced.
    fn make_folder(&self, path: &Path) -> Result<()>;
    /// Makes the names in a folder safe.
    fn sync_folder(&self, path: &Path) -> Result<()>;
    /// Creates a file with these bytes, synced, and locked for as long as it is held. A file that is there may be an object already under
    /// its other name, so that is an error.
    fn stage(&self, path: &Path, bytes: &[u8]) -> Result<Box<dyn Staged>>;
    /// Gives a file a second name, which must be free.
    fn link(&self, from: &Path, to: &Path) -> Result<()>;
    /// Removes one name of a file.
    fn remove(&self, path: &Path) -> Result<()>;
    /// Removes a file unless it is locked; whether it did.
    fn remove_abandoned(&self, path: &Path) -> bool;
    /// Which disk it is.
    fn id(&self) -> usize;
    /// Whether this is something other than a file.
    fn is_special(&self, path: &Path) -> bool;
    /// The names in a folder.
    fn names(&self, path: &Path) -> Result<Vec<String>>;
}

/// A file that is locked.
pub(crate) trait Staged {}

impl Staged for File {}

/// A folder in which files are created.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    disk: Arc<dyn Disk>,
    /// Names of files aside: a number that no other process has, wherever it runs, and how many there were.
    nonce: u64,
    staged: AtomicU64,
    /// Folders whose own names are known to be safe.
    synced: Mutex<BTreeSet<PathBuf>>,
}

impl Files {
    pub(crate) fn new(folder: PathBuf, disk: Arc<dyn Disk>) -> Files {
        Files { folder, disk, nonce: nonce(), staged: AtomicU64::new(0), synced: Mutex::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a file; whether it was we who did.
    pub(crate) fn create(&self, name: &str, bytes: &[u8]) -> Result<bool> {
        let (folder, disk) = (&self.folder, &*self.disk);
        let (staging, path) = (folder.join(STAGING), folder.join(name));
        let parent = path.parent().unwrap_or(folder);
        make_folder(disk, &staging)?;
        make_folder(disk, parent)?;
        let known = self.synced.lock().unwrap_or_else(PoisonError::into_inner).contains(parent);
        if !known {
            // Another process that made it may not have come to this yet.
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
                // Another process cleared up before we had the lock.
                Err(error) if error.kind() == ErrorKind::NotFound && aside_is_gone => {}
                Err(error) => return Err(error),
            }
        };
        // Also where another was first: it may not have come to this yet.
        disk.sync_folder(parent)?;
        Ok(created)
    }

    /// Whether both are one folder.
    pub(crate) fn is_same(&self, other: &Files) -> bool {
        self.folder == other.folder && self.disk.id() == other.disk.id()
    }

    /// Whether something has this name that is no file: a pipe, a device, a folder.
    pub(crate) fn is_special(&self, name: &str) -> bool {
        self.disk.is_special(&self.folder.join(name))
    }

    /// Something in a folder that no store has; none where it is empty.
    pub(crate) fn stranger(&self) -> std::result::Result<Option<String>, StoreError> {
        let names = self.disk.names(&self.folder).map_err(|source| failed(&self.folder, source))?;
        // Another process may be making the store at this moment.
        Ok(names.into_iter().find(|name| name != STAGING && name != "store.json"))
    }

    /// Removes what killed processes have left aside.
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

/// A number that no other process has: process numbers repeat on other machines and in other containers.
#[expect(clippy::disallowed_types, reason = "no game depends on it")]
pub fn nonce() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

/// Makes a folder and those that it is in, and syncs what got a new entry.
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

    /// Elsewhere a folder cannot be opened to be synced, and the system sees to it.
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
        // Open for writing, for NFS gives no other file a lock that keeps others out.
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
