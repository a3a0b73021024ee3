//! Isolation on Linux: a program in namespaces of its own, by bubblewrap.
//!
//! The program sees only its own processes, has no network, and writes only to its folder and to a private `/tmp`. It can still
//! read all that its user can read.

use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

use super::Program;
use crate::error::ArenaError;

/// `bwrap` with all that comes before the program and its arguments.
pub(super) fn bwrap(program: &Program) -> Vec<OsString> {
    let mut words: Vec<OsString> = [
        // Its own processes, network, users, host name and queues. A terminal cannot be typed into from another session.
        "bwrap --unshare-all --die-with-parent --new-session --cap-drop ALL",
        // A socket works even in a read-only folder, so /run is empty.
        "--ro-bind / / --dev /dev --proc /proc --tmpfs /run --ro-bind-try /run/current-system /run/current-system",
        "--tmpfs /tmp --setenv TMPDIR /tmp",
    ]
    .iter()
    .flat_map(|words| words.split(' '))
    .map(OsString::from)
    .collect();
    let mut bind = |how: &str, path: &Path| {
        if let Ok(path) = std::path::absolute(path) {
            words.extend([how.into(), path.clone().into(), path.into()]);
        }
    };
    // Our /tmp may hold files of the program: its folder, and the files of its command line.
    let here = std::env::current_dir().unwrap_or_default();
    if here.starts_with("/tmp") && here != Path::new("/tmp") {
        bind("--ro-bind", &here);
    }
    for word in std::iter::once(&program.cmd).chain(&program.args) {
        if Path::new(word).is_file() {
            bind("--ro-bind", Path::new(word));
        }
    }
    if let Some(dir) = &program.dir {
        bind("--bind", dir);
    }
    words
}

/// Whether programs can be isolated here.
///
/// # Errors
/// When they cannot; the error says what is missing.
pub fn can_isolate() -> Result<(), ArenaError> {
    if !cfg!(target_os = "linux") {
        return Err(ArenaError::Program("programs can be isolated on Linux only".to_owned()));
    }
    let words = bwrap(&Program::default());
    let output = Command::new(&words[0]).args(&words[1..]).arg("true").output().map_err(|e| {
        ArenaError::Program(format!(
            "programs are isolated by bubblewrap, and its program bwrap does not start: {e}; install bubblewrap"
        ))
    })?;
    if output.status.success() {
        return inherited().map_or(Ok(()), |open| {
            Err(ArenaError::Program(format!(
                "programs would inherit what the caller of this one left open, {open}: close it first"
            )))
        });
    }
    let why = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ArenaError::Program(format!("bwrap cannot isolate programs here ({}): {why}", output.status)))
}

/// A file that every program would inherit, besides the three streams. Our own files are not inherited, so the caller opened it.
fn inherited() -> Option<String> {
    /// The flag of a descriptor that a program does not inherit.
    const CLOSED_BY_EXEC: u32 = 0o2_000_000;
    for entry in std::fs::read_dir("/proc/self/fdinfo").ok()?.flatten() {
        let name = entry.file_name();
        let Some(number) = name.to_str().and_then(|name| name.parse::<u32>().ok()).filter(|n| *n > 2) else {
            continue;
        };
        let info = std::fs::read_to_string(entry.path()).unwrap_or_default();
        let flags = info.lines().find_map(|line| line.strip_prefix("flags:"));
        let flags = flags.and_then(|flags| u32::from_str_radix(flags.trim(), 8).ok());
        if flags.is_some_and(|flags| flags & CLOSED_BY_EXEC == 0) {
            let file = std::fs::read_link(format!("/proc/self/fd/{number}")).unwrap_or_default();
            return Some(format!("descriptor {number} ({})", file.display()));
        }
    }
    None
}
