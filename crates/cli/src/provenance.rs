//! The identity of this program, and its record beside every run that is kept.

use std::path::Path;

use anglerfish_arena::Contestant;
use anglerfish_arena::provenance::{Build, write_beside};
use anglerfish_arena::stats::sprt::Sprt;
use anyhow::Context;

/// The text of `--version` after the name: the version, and the build on a second line.
pub(crate) const LONG_VERSION: &str = concat!(
    env!("CARGO_PKG_VERSION"),
    "\ncommit ",
    env!("ANGLERFISH_COMMIT"),
    ", ",
    env!("ANGLERFISH_COMPILER"),
    ", ",
    env!("ANGLERFISH_TARGET"),
);

/// Adds this session to the `provenance.json` in the folder of a run. Its journal must be open.
pub(crate) fn record(folder: &Path, engines: &[Contestant], sprt: Option<Sprt>) -> anyhow::Result<()> {
    let build = Build {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        commit: env!("ANGLERFISH_COMMIT").to_owned(),
        compiler: env!("ANGLERFISH_COMPILER").to_owned(),
        target: env!("ANGLERFISH_TARGET").to_owned(),
    };
    let command = std::env::args_os().map(|word| word.to_string_lossy().into_owned());
    write_beside(folder, build, command, engines, sprt).context("cannot write provenance.json")
}
