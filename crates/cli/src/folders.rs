//! Where the program keeps files for the user: by the XDG Base Directory Specification, or its counterpart on Windows.

use std::path::PathBuf;

use anglerfish_arena::Identity;
use anglerfish_engine::opponent::Models;
use anyhow::Context;

/// The folder of the user's data.
pub(crate) fn data() -> anyhow::Result<PathBuf> {
    let local = if cfg!(windows) { named("LOCALAPPDATA") } else { None };
    let folder = named("XDG_DATA_HOME").or(local).or_else(|| Some(named("HOME")?.join(".local/share")));
    Ok(folder.context("expected HOME or XDG_DATA_HOME to name a folder")?.join("anglerfish"))
}

/// The identity of this build with these models, kept in the user's cache if there is one.
pub(crate) fn identity(models: &Models) -> Identity {
    let cache = named("XDG_CACHE_HOME").or_else(|| Some(named("HOME")?.join(".cache")));
    Identity::of_this_build(models, cache.map(|cache| cache.join("anglerfish")).as_deref())
}

/// The folder that a variable names, if its path is absolute.
fn named(variable: &str) -> Option<PathBuf> {
    std::env::var_os(variable).map(PathBuf::from).filter(|path| path.is_absolute())
}
