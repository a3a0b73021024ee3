//! Files of `--out`: written whole or not at all, and only to the intended file.

use std::fs::File;
use std::io::{BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use anglerfish_report::{Report, beside, html};
use anyhow::{Context, bail};

use crate::terminal::note;

/// Most links that are followed, as on Linux.
const LINKS: usize = 40;

/// Files that the caller has opened for us, even plain ones: the caller goes on writing to them.
const OPEN: [&str; 4] = ["/dev/stdout", "/dev/stderr", "/dev/fd", "/proc/self/fd"];

/// Writes a file. It is staged first, so a file of that name is always whole; a link stays, and its target is
/// replaced. Anything but a plain file (a device, a FIFO) is written to directly.
///
/// # Errors
/// When it cannot be written, or when `write` fails; an existing file is unchanged then.
pub(crate) fn write_out<T>(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let named = || format!("cannot write {}", path.display());
    match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => {
            bail!("cannot write {}: it is a folder; name a file in it", path.display())
        }
        Ok(found) if !found.is_file() || OPEN.iter().any(|open| path.starts_with(open)) => {
            let mut out = BufWriter::new(File::options().append(true).open(path).with_context(named)?);
            let done = write(&mut out)?;
            out.flush().with_context(named)?;
            return Ok(done);
        }
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error).with_context(named),
        _ => {}
    }
    let target = target(path).with_context(named)?;
    let aside = target.with_added_extension("part");
    let done = write_aside(&aside, write).with_context(named);
    let done = done.and_then(|done| {
        std::fs::rename(&aside, &target).with_context(named)?;
        Ok(done)
    });
    if done.is_err() {
        let _ = std::fs::remove_file(&aside);
    }
    done
}

/// Writes the page of a report into a folder, with every table as CSV and every figure as SVG, and prints its path.
pub(crate) fn write_report(folder: &Path, report: &Report) -> anyhow::Result<()> {
    note!("wrote {}", write_report_silently(folder, report)?.display());
    Ok(())
}

/// The same without a word; returns the path of the page.
pub(crate) fn write_report_silently(folder: &Path, report: &Report) -> anyhow::Result<PathBuf> {
    let page = folder.join("report.html");
    std::fs::write(&page, html(report))?;
    write_beside(folder, report)?;
    Ok(page)
}

/// Writes the page of a report into a file, and its tables and figures into the folder `FILE.files` beside
/// it, and prints their paths. Anything but a plain file gets only the page.
#[cfg(feature = "store")]
pub(crate) fn write_page(path: &Path, report: &Report) -> anyhow::Result<()> {
    write_out(path, |out| Ok(out.write_all(html(report).as_bytes())?))?;
    note!("wrote {}", path.display());
    if path.metadata().is_ok_and(|found| found.is_file()) {
        let folder = path.with_extension("files");
        write_beside(&folder, report)?;
        note!("wrote its tables (CSV) and figures (SVG) into {}", folder.display());
    }
    Ok(())
}

/// Writes every table of a report as CSV and every figure as SVG into a folder.
pub(crate) fn write_beside(folder: &Path, report: &Report) -> anyhow::Result<()> {
    for (name, text) in beside(report) {
        let path = folder.join(name);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent)?;
        }
        std::fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(())
}

fn write_aside<T>(
    aside: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let mut out = BufWriter::new(File::create(aside)?);
    let done = write(&mut out)?;
    out.flush()?;
    out.get_ref().sync_all()?;
    Ok(done)
}

/// The target of a path through all links, whether or not it exists.
fn target(path: &Path) -> anyhow::Result<PathBuf> {
    let mut path = path.to_owned();
    for _ in 0..LINKS {
        let Ok(next) = std::fs::read_link(&path) else { return Ok(path) };
        // A relative link starts from its own folder.
        path = path.parent().map_or_else(|| next.clone(), |folder| folder.join(&next));
    }
    bail!("more than {LINKS} links lead on from it")
}

/// Refuses a file that could not be written later, when the results are known.
pub(crate) fn writable(path: &Path) -> anyhow::Result<()> {
    let aside = path.with_added_extension("part");
    let tried = std::fs::File::create(&aside).and_then(|_| std::fs::remove_file(&aside));
    let tried = tried.and_then(|()| {
        if path.exists() { std::fs::File::options().append(true).open(path).map(drop) } else { Ok(()) }
    });
    tried.with_context(|| format!("cannot write {}", path.display()))
}
