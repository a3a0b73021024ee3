//! Writes a synthetic data file for measurements, and prints the manifest's line for it: `synthetic 20000 FILE.arrow`.

use std::path::Path;

use anglerfish_train::data::digest;
use anyhow::Context;

#[path = "../tests/synthetic/mod.rs"]
mod synthetic;

fn main() -> anyhow::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [n, path] = &arguments[..] else {
        anyhow::bail!("expected the number of examples and a file, found {arguments:?}");
    };
    synthetic::write(
        Path::new(path),
        n.parse().with_context(|| format!("a number of examples, found {n:?}"))?,
        1,
    )?;
    println!("data = \"{}\"", digest(&std::fs::read(path)?));
    Ok(())
}
