//! The environment of a program: a list of the variables that it gets, because our others may hold secrets.

use std::ffi::OsString;

/// The variables that every program gets, besides `LC_*`: paths, the language, and on Windows those that any process needs to start.
const PASSED: [&str; 41] = [
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "TMPDIR",
    "TMP",
    "TEMP",
    "LD_LIBRARY_PATH",
    "DYLD_LIBRARY_PATH",
    "DYLD_FALLBACK_LIBRARY_PATH",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "PYTHONHOME",
    "PYTHONPATH",
    "JAVA_HOME",
    "SYSTEMROOT",
    "SYSTEMDRIVE",
    "WINDIR",
    "COMSPEC",
    "PATHEXT",
    "OS",
    "APPDATA",
    "LOCALAPPDATA",
    "PROGRAMDATA",
    "ALLUSERSPROFILE",
    "PROGRAMFILES",
    "PROGRAMFILES(X86)",
    "COMMONPROGRAMFILES",
    "COMMONPROGRAMFILES(X86)",
    "USERNAME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "NUMBER_OF_PROCESSORS",
    "PROCESSOR_ARCHITECTURE",
    "PSMODULEPATH",
];

/// The usual variables of our environment and those of the program's description: `NAME` passes one more, `NAME=VALUE` sets one.
pub(super) fn environment(added: &[String]) -> impl Iterator<Item = (OsString, OsString)> + '_ {
    let passes = |name: &str| {
        name.starts_with("LC_")
            || PASSED.into_iter().chain(added.iter().map(String::as_str)).any(|n| same(n, name))
    };
    let ours = std::env::vars_os().filter(move |(name, _)| name.to_str().is_some_and(passes));
    ours.chain(
        added.iter().filter_map(|word| word.split_once('=')).map(|(n, value)| (n.into(), value.into())),
    )
}

/// Whether two names mean the same variable.
fn same(one: &str, other: &str) -> bool {
    if cfg!(windows) { one.eq_ignore_ascii_case(other) } else { one == other }
}
