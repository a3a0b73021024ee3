//! Objects as files. A file is written aside, synced, given its name by a hard link, which fails if the name is taken, and the folder
//! is synced: `object_store` syncs nothing, and what it acknowledges may be gone after a power failure.

use std::collections::BTreeSet;
use std::fs::File;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use crate::error::StoreError;

/// Where files are written before they get their names.
const STAGING: &str = "staging";

/// A folder in which files are created.
#[derive(Debug)]
pub(crate) struct Files {
    folder: PathBuf,
    /// Names of files aside: a number that no other process has, wherever it runs, and how many there were.
    nonce: u64,
    staged: AtomicU64,
    /// Folders whose own names are known to be safe.
    synced: Mutex<BTreeSet<PathBuf>>,
}

impl Files {
    pub(crate) fn new(folder: PathBuf) -> Files {
        Files { folder, nonce: nonce(), staged: AtomicU64::new(0), synced: Mutex::default() }
    }

    pub(crate) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates a file; whether it was we who did.
    pub(crate) fn create(&self, name: &str, bytes: &[u8]) -> std::io::Result<bool> {
        let folder = &self.folder;
        let (staging, path) = (folder.join(STAGING), folder.join(name));
        let parent = path.parent().unwrap_or(folder);
        make_folder(&staging)?;
        make_folder(parent)?;
        let known = self.synced.lock().unwrap_or_else(PoisonError::into_inner).contains(parent);
        if !known {
            // Whoever made it may not have come to this yet.
            sync_folder(folder)?;
            self.synced.lock().unwrap_or_else(PoisonError::into_inner).insert(parent.to_owned());
        }
        let created = loop {
            let (aside, file) = self.stage(&staging, name)?;
            if let Err(error) = fill(&file, bytes) {
                let _ = std::fs::remove_file(&aside);
                return Err(error);
            }
            let linked = std::fs::hard_link(&aside, &path);
            let aside_is_gone = std::fs::remove_file(&aside).is_err_and(|e| e.kind() == ErrorKind::NotFound);
            drop(file);
            match linked {
                Ok(()) => break true,
                Err(error) if error.kind() == ErrorKind::AlreadyExists => break false,
                // Somebody cleared up before we had the lock.
                Err(error) if error.kind() == ErrorKind::NotFound && aside_is_gone => {}
                Err(error) => return Err(error),
            }
        };
        // Also where another was first: it may not have come to this yet.
        sync_folder(parent)?;
        Ok(created)
    }

    /// Makes a file aside, and holds a lock on it: whoever clears up sees by that that somebody is at it.
    fn stage(&self, staging: &Path, name: &str) -> std::io::Result<(PathBuf, File)> {
        let n = self.staged.fetch_add(1, Ordering::Relaxed);
        let aside = staging.join(format!("{:016x}-{n}-{}", self.nonce, name.replace('/', "-")));
        // A file that is there may be an object already under its other name: never write into one that exists.
        let file = File::create_new(&aside)?;
        file.lock()?;
        Ok((aside, file))
    }

    /// Something in a folder that no store has; none where it is empty.
    pub(crate) fn stranger(&self) -> Result<Option<String>, StoreError> {
        let folder = &self.folder;
        let failed = |source| StoreError::File { file: folder.display().to_string(), source };
        for entry in std::fs::read_dir(folder).map_err(failed)? {
            let name = entry.map_err(failed)?.file_name();
            // Another process may be making the store at this moment.
            if name != STAGING && name != "store.json" {
                return Ok(Some(name.to_string_lossy().into_owned()));
            }
        }
        Ok(None)
    }

    /// Removes what killed processes have left aside.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub(crate) fn clear_staging(&self) -> Result<usize, StoreError> {
        let staging = self.folder.join(STAGING);
        let failed = |source| StoreError::File { file: staging.display().to_string(), source };
        let files = match std::fs::read_dir(&staging) {
            Ok(files) => files,
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(failed(error)),
        };
        let mut cleared = 0;
        for file in files {
            let path = file.map_err(failed)?.path();
            // Open for writing, for NFS gives no other file a lock that keeps others out.
            let file = File::options().write(true).open(&path);
            let abandoned = file.is_ok_and(|file| file.try_lock().is_ok());
            if abandoned && std::fs::remove_file(&path).is_ok() {
                cleared += 1;
            }
        }
        Ok(cleared)
    }
}

/// A number that no other process has: process numbers repeat on other machines and in other containers.
#[expect(clippy::disallowed_types, reason = "no game depends on it")]
pub fn nonce() -> u64 {
    use std::hash::{BuildHasher, Hasher, RandomState};
    RandomState::new().build_hasher().finish()
}

fn fill(mut file: &File, bytes: &[u8]) -> std::io::Result<()> {
    file.write_all(bytes)?;
    file.sync_all()
}

/// Makes a folder and whatever it is in, and syncs what got a new entry.
pub(crate) fn make_folder(path: &Path) -> std::io::Result<()> {
    if path.is_dir() {
        return Ok(());
    }
    let above = path.parent().map(|above| if above.as_os_str().is_empty() { Path::new(".") } else { above });
    above.map_or(Ok(()), make_folder)?;
    match std::fs::create_dir(path) {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    above.map_or(Ok(()), sync_folder)
}

#[cfg(unix)]
fn sync_folder(path: &Path) -> std::io::Result<()> {
    File::open(path)?.sync_all()
}

/// Elsewhere a folder cannot be opened to be synced, and the system sees to it.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "it may fail where there is something to do")]
fn sync_folder(_: &Path) -> std::io::Result<()> {
    Ok(())
}
