//! Keeps every game on the disk, one file each, from its first ply on, so that it survives any end of the program.
//!
//! A file is written whole under another name, synced and renamed, so it always has the game before or after a ply.
//! A lock beside it, which the system releases when the process ends, marks a game in progress.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Record, read_records};
use anyhow::{Context, bail};

use super::PLAYER;
use crate::folders::data;
use crate::output::write_out;

/// The file of a game.
pub(super) struct Keep {
    path: PathBuf,
    lock: PathBuf,
    _locked: File,
    /// Whether there is a game to resume.
    resumable: Arc<AtomicBool>,
}

impl Keep {
    /// A file for a new game.
    pub(super) fn new() -> anyhow::Result<Keep> {
        let folder = folder()?;
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let mut n = numbers(&folder)?.last().map_or(1, |last| last + 1);
        loop {
            // Another process may have taken the number.
            match Keep::take(&folder, n)? {
                Some(keep) if !keep.path.exists() => return Ok(keep),
                _ => n += 1,
            }
        }
    }

    /// The last unfinished game that is not in progress, and its file.
    ///
    /// # Errors
    /// When there is none, or when a newer file is damaged: silently resuming an older game would look like a loss.
    pub(super) fn last() -> anyhow::Result<(Record<Banqi>, anyhow::Result<Keep>)> {
        let folder = folder()?;
        let found = if folder.is_dir() { numbers(&folder)? } else { Vec::new() };
        let mut others = 0;
        for n in found.into_iter().rev() {
            let Some(keep) = Keep::take(&folder, n)? else {
                others += 1;
                continue;
            };
            let record = kept(&keep.path).with_context(|| {
                let name = keep.path.display();
                format!(
                    "{name} is damaged. Move it elsewhere, and --continue goes on with the game before it"
                )
            })?;
            if record.ending.is_none() {
                keep.resumable.store(true, Ordering::Relaxed);
                return Ok((record, Ok(keep)));
            }
        }
        let played = if others > 0 { " but what is being played in another window" } else { "" };
        bail!("expected a game that was not finished, found none in {}{played}", folder.display())
    }

    /// The file with this number; `None` if another process has it.
    fn take(folder: &Path, n: u32) -> anyhow::Result<Option<Keep>> {
        let path = folder.join(format!("{n:05}.games"));
        let lock = path.with_extension("lock");
        let options = File::options().create(true).append(true).open(&lock);
        let file = options.with_context(|| format!("cannot write {}", lock.display()))?;
        match file.try_lock() {
            Ok(()) => Ok(Some(Keep { path, lock, _locked: file, resumable: Arc::default() })),
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(e).with_context(|| format!("cannot lock {}", lock.display())),
        }
    }

    /// Writes the game as it stands, whole and synced.
    pub(super) fn write(&self, record: &Record<Banqi>) -> anyhow::Result<()> {
        write_out(&self.path, |out| Ok(write!(out, "{record}")?))?;
        self.resumable.store(record.ending.is_none(), Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Whether there is a game to resume, for the message after an interrupt.
    pub(super) fn resumable(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.resumable)
    }
}

impl Drop for Keep {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.lock);
    }
}

/// The game in a file, replayed.
fn kept(path: &Path) -> anyhow::Result<Record<Banqi>> {
    let text = std::fs::read_to_string(path)?;
    let record = read_records::<Banqi>(&text).next().context("expected a game, found nothing")??;
    record.replay()?;
    record.tag(PLAYER).context("expected a game that was played here: it has no tag Player")?;
    Ok(record)
}

/// The numbers of the games in a folder, smallest first.
fn numbers(folder: &Path) -> anyhow::Result<Vec<u32>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let number = |entry: std::fs::DirEntry| entry.file_name().to_str()?.strip_suffix(".games")?.parse().ok();
    let mut numbers: Vec<u32> = entries.flatten().filter_map(number).collect();
    numbers.sort_unstable();
    Ok(numbers)
}

/// The folder of our games: by the XDG Base Directory Specification, or its counterpart on Windows.
fn folder() -> anyhow::Result<PathBuf> {
    Ok(data()?.join("games"))
}
