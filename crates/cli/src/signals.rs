//! Ctrl-C and similar signals, for commands that run programs: those are ended before this one.

use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use anglerfish_arena::adopt_orphans;
#[cfg(unix)]
use anglerfish_arena::end_programs;

#[cfg(unix)]
use crate::pager::is_running;

/// From now on an interrupted process leaves no program behind.
pub(crate) fn guard() -> anyhow::Result<()> {
    guard_saying(|| None)
}

/// The same, with a last message about the state of the work.
#[cfg_attr(not(unix), expect(clippy::unnecessary_wraps, reason = "there are signals elsewhere"))]
#[cfg_attr(not(unix), expect(unused_variables, reason = "there are no such signals elsewhere"))]
pub(crate) fn guard_saying(last_words: impl Fn() -> Option<String> + Send + 'static) -> anyhow::Result<()> {
    adopt_orphans();
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM])?;
        if !survives_hangup() {
            signals.add_signal(SIGHUP)?;
        }
        std::thread::spawn(move || {
            // Ctrl-C at a pager is for the pager.
            let meant = |signal: &i32| *signal != SIGINT || !is_running();
            if let Some(signal) = signals.forever().find(meant) {
                end_programs();
                if let Some(words) = last_words() {
                    say(words);
                }
                // The default handler ends us, so a calling script sees the signal.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
    Ok(())
}

/// Prints a message on standard error. A closed terminal or an unread pipe must not block us.
#[cfg(unix)]
fn say(words: String) {
    use crate::terminal::{is_terminal, note};

    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // On a terminal, a progress line may be there.
        let begin = if is_terminal() { "\n" } else { "" };
        note!("{begin}{words}");
        let _ = said.send(());
    });
    let _ = heard.recv_timeout(std::time::Duration::from_secs(1));
}

/// Work that is under way, shared with the thread that waits for signals. It is empty before the work begins and once it has ended.
pub(crate) struct UnderWay<T>(Arc<Mutex<Option<T>>>);

impl<T> Clone for UnderWay<T> {
    fn clone(&self) -> UnderWay<T> {
        UnderWay(Arc::clone(&self.0))
    }
}

impl<T> UnderWay<T> {
    pub(crate) fn new() -> UnderWay<T> {
        UnderWay(Arc::new(Mutex::new(None)))
    }

    /// The work begins.
    pub(crate) fn begins(&self, work: T) {
        *self.lock() = Some(work);
    }

    /// Does something to the work, if it is under way. Nothing may be printed meanwhile: a signal waits for it.
    pub(crate) fn with<R>(&self, change: impl FnOnce(&mut T) -> R) -> Option<R> {
        self.lock().as_mut().map(change)
    }

    /// The work has ended. After a signal, the thread that handles it has the work, and the process is about to exit.
    pub(crate) fn ends(&self) -> Option<T> {
        self.lock().take()
    }

    fn lock(&self) -> MutexGuard<'_, Option<T>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The command line that was given, as a shell takes it.
pub(crate) fn command() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let quoted = |word: String| {
        if !word.is_empty() && word.chars().all(plain) {
            word
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    };
    let words = std::env::args_os().map(|word| quoted(word.to_string_lossy().into_owned()));
    words.collect::<Vec<_>>().join(" ")
}

/// How an interrupted run goes on.
pub(crate) fn how_to_go_on(out: Option<&Path>) -> String {
    match out {
        Some(_) => format!("the same command goes on:\n  {}", command()),
        None => "nothing was kept: with --out FOLDER, the same command goes on".to_owned(),
    }
}

/// Whether we were started to survive the terminal (`nohup`). If the system does not tell, yes.
#[cfg(unix)]
fn survives_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}
