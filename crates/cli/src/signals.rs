//! Ctrl-C and its kin, for the commands that run programs: they are ended before we are.

use anglerfish_arena::adopt_orphans;
#[cfg(unix)]
use anglerfish_arena::end_programs;

/// From now on an interrupted process leaves no program behind. What was played is in the journal already.
#[cfg_attr(not(unix), expect(clippy::unnecessary_wraps, reason = "there are signals elsewhere"))]
pub(crate) fn guard() -> anyhow::Result<()> {
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
                // We die of it, and a script around us hears so.
                let _ = signal_hook::low_level::emulate_default_handler(signal);
            }
        });
    }
    Ok(())
}

/// Whether we were started to stay when the terminal goes (`nohup`). Where the system does not say, we may have been.
#[cfg(unix)]
fn survives_hangup() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_none_or(|mask| mask & 1 == 1)
}
