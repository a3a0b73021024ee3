//! Ctrl-C and similar signals, for commands that run programs: those are ended before this one.

use anglerfish_arena::adopt_orphans;
#[cfg(unix)]
use anglerfish_arena::end_programs;

#[cfg(unix)]
use crate::pager::is_running;

/// From now on an interrupted process leaves no program behind. Finished games are in the journal already.
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

/// Whether we were started to survive the terminal (`nohup`). If the system does not tell, yes.
#[cfg(unix)]
fn survives_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}
