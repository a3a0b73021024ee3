//! Ctrl-C and its kin, for the commands that run programs: they are ended before we are.

use anglerfish_arena::adopt_orphans;
#[cfg(unix)]
use anglerfish_arena::end_programs;

/// From now on an interrupted process leaves no program behind. What was played is in the journal already.
pub(crate) fn guard() -> anyhow::Result<()> {
    guard_saying(|| None)
}

/// The same, and it says where things stand before it goes.
#[cfg_attr(not(unix), expect(clippy::unnecessary_wraps, reason = "there are signals elsewhere"))]
#[cfg_attr(not(unix), expect(unused_variables, reason = "nobody interrupts us"))]
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
            if let Some(signal) = signals.forever().next() {
                end_programs();
                if let Some(words) = last_words() {
                    say(words);
                }
                // We die of it, and a script around us hears so.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
    Ok(())
}

/// Says something on standard error. A terminal that is gone, or a pipe that is not read, must not keep us.
#[cfg(unix)]
fn say(words: String) {
    use crate::terminal::{is_terminal, note};

    let (said, heard) = std::sync::mpsc::channel();
    std::thread::spawn(move || {
        // On a terminal, a line of progress may stand there.
        let begin = if is_terminal() { "\n" } else { "" };
        note!("{begin}{words}");
        let _ = said.send(());
    });
    let _ = heard.recv_timeout(std::time::Duration::from_secs(1));
}

/// Whether we were started to stay when the terminal goes (`nohup`). Where the system does not say, we may have been.
#[cfg(unix)]
fn survives_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}
