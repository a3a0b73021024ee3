//! Keeps every game on the disk, one file each, from its first ply on, so that it survives any end of the program.
//!
//! A file is written whole under another name, synced and renamed, so it always has the game before or after a ply.
//! A lock beside it, which the system releases when the process ends, marks a game in progress.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anglerfish_report::{Lang, say};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Record, Seat, read_records};
use anyhow::{Context, anyhow, bail};

use crate::folders::data;
use crate::output::write_out;

/// The tag of a kept game that names the player against the person.
pub(crate) const PLAYER: &str = "Player";

/// The tag that says which seat the person has.
pub(crate) const PERSON: &str = "Person";

/// The file of a game.
pub(crate) struct Keep {
    n: u32,
    path: PathBuf,
    lock: PathBuf,
    _locked: File,
    /// Whether no game was kept before it.
    first: bool,
    /// Whether there is a game to resume.
    resumable: Arc<AtomicBool>,
}

impl Keep {
    /// A file for a new game.
    pub(crate) fn new() -> anyhow::Result<Keep> {
        let folder = folder()?;
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot create {}", folder.display()))?;
        let last = numbers(&folder)?.last().copied();
        let mut n = last.map_or(1, |last| last + 1);
        loop {
            // Another process may have taken the number.
            match Keep::take(&folder, n)? {
                Some(mut keep) if !keep.path.exists() => {
                    keep.first = last.is_none();
                    return Ok(keep);
                }
                _ => n += 1,
            }
        }
    }

    /// A file for the game after this one.
    pub(crate) fn next(&self) -> anyhow::Result<Keep> {
        let mut keep = Keep::new()?;
        keep.resumable = Arc::clone(&self.resumable);
        keep.resumable.store(false, Ordering::Relaxed);
        Ok(keep)
    }

    /// Whether it is the person's first game.
    pub(crate) fn is_first(&self) -> bool {
        self.first
    }

    /// The last unfinished game that is not in progress, and its file.
    ///
    /// # Errors
    /// When there is none, or when a newer file is damaged: silently resuming an older game would look like a loss.
    pub(crate) fn last(lang: Lang) -> anyhow::Result<(Record<Banqi>, anyhow::Result<Keep>)> {
        let folder = folder()?;
        let found = if folder.is_dir() { numbers(&folder)? } else { Vec::new() };
        let mut others = 0;
        for n in found.into_iter().rev() {
            let Some(keep) = Keep::take(&folder, n)? else {
                others += 1;
                continue;
            };
            let record =
                kept(&keep.path).with_context(|| say!(lang, "keep.damaged", file = keep.path.display()))?;
            if record.ending.is_none() {
                keep.resumable.store(true, Ordering::Relaxed);
                return Ok((record, Ok(keep)));
            }
        }
        let key = if others > 0 { "keep.only_running" } else { "keep.none" };
        bail!("{}", say!(lang, key, folder = folder.display()))
    }

    /// The file with this number; `None` if another process has it.
    fn take(folder: &Path, n: u32) -> anyhow::Result<Option<Keep>> {
        let path = named(folder, n);
        let lock = path.with_extension("lock");
        let options = File::options().create(true).append(true).open(&lock);
        let file = options.with_context(|| format!("cannot write {}", lock.display()))?;
        match file.try_lock() {
            Ok(()) => {
                Ok(Some(Keep { n, path, lock, _locked: file, first: false, resumable: Arc::default() }))
            }
            Err(TryLockError::WouldBlock) => Ok(None),
            Err(TryLockError::Error(e)) => Err(e).with_context(|| format!("cannot lock {}", lock.display())),
        }
    }

    /// Writes the game as it stands, whole and synced.
    pub(crate) fn write(&self, record: &Record<Banqi>) -> anyhow::Result<()> {
        write_out(&self.path, |out| Ok(write!(out, "{record}")?))?;
        self.resumable.store(record.ending.is_none(), Ordering::Relaxed);
        Ok(())
    }

    /// The number of the game, as in the name of its file.
    pub(crate) fn number(&self) -> u32 {
        self.n
    }

    /// Whether there is a game to resume, for the message after an interrupt.
    pub(crate) fn resumable(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.resumable)
    }
}

impl Drop for Keep {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.lock);
    }
}

/// A kept game.
pub(crate) struct KeptGame {
    /// Its number, as in the name of its file.
    pub(crate) n: u32,
    pub(crate) path: PathBuf,
    pub(crate) record: Record<Banqi>,
}

/// Every kept game with a move in it, oldest first. Damaged files are told to the caller.
pub(crate) fn games(damaged: &mut dyn FnMut(&Path)) -> anyhow::Result<Vec<KeptGame>> {
    let folder = folder()?;
    let mut games = Vec::new();
    for n in if folder.is_dir() { numbers(&folder)? } else { Vec::new() } {
        let path = named(&folder, n);
        match kept(&path) {
            Ok(record) if record.plies.is_empty() => {}
            Ok(record) => games.push(KeptGame { n, path, record }),
            Err(_) => damaged(&path),
        }
    }
    Ok(games)
}

/// The last finished game, or that with this number.
pub(crate) fn game(n: Option<u32>, lang: Lang) -> anyhow::Result<KeptGame> {
    let folder = folder()?;
    let mut found = games(&mut |_| {})?;
    let wanted = |game: &KeptGame| match n {
        Some(n) => game.n == n,
        None => game.record.ending.is_some(),
    };
    let place = found.iter().rposition(wanted);
    let missing = || match n {
        Some(n) => anyhow!("{}", say!(lang, "keep.no_such", n = n, folder = folder.display())),
        None => anyhow!("{}", say!(lang, "keep.none_finished", folder = folder.display())),
    };
    Ok(found.swap_remove(place.ok_or_else(missing)?))
}

/// Writes a kept game anew, unless another process has it.
pub(crate) fn rewrite(game: &KeptGame) -> anyhow::Result<()> {
    match Keep::take(&folder()?, game.n)? {
        Some(keep) => keep.write(&game.record),
        None => Ok(()),
    }
}

/// The person's seat in a kept game; `None` in a game of others.
pub(crate) fn person(record: &Record<Banqi>) -> Option<Seat> {
    record.tag(PERSON).map(|seat| Seat(u8::from(seat == "second")))
}

fn named(folder: &Path, n: u32) -> PathBuf {
    folder.join(format!("{n:05}.games"))
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
