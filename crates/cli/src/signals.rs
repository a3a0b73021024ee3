//! Ctrl-C and its kin, for the commands that run programs: they are ended before we are.

use anglerfish_arena::adopt_orphans;
#[cfg(unix)]
use anglerfish_arena::end_programs;

/// From now on an interrupted process leaves no program behind. What was played is in the journal already.
pub(crate) fn guard() -> anyhow::Result<()> {
    adopt_orphans();
    #[cfg(unix)]
    {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let heeded =
            [SIGHUP, SIGINT, SIGTERM].into_iter().filter(|signal| ignored() >> (signal - 1) & 1 == 0);
        let mut signals = signal_hook::iterator::Signals::new(heeded)?;
        std::thread::spawn(move || {
            if let Some(signal) = signals.forever().next() {
                end_programs();
                std::process::exit(128 + signal);
            }
        });
    }
    Ok(())
}

/// The signals that whoever started us wants ignored (`nohup`), a bit each. Where the system does not say, it may be a hangup.
#[cfg(unix)]
fn ignored() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(1)
}
