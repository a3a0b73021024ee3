//! The pages of the board in the browser: the engine for wasm32, and all files for a static host, in `web/dist`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};

use crate::dist::checked;

const TARGET: &str = "wasm32-unknown-unknown";

/// Vite 8 does not run on older versions.
const NODE: (u32, u32) = (20, 19);

pub(crate) fn run(root: &Path) -> anyhow::Result<()> {
    let found = node()?;
    ensure!(found >= NODE, "expected Node {}.{} or later, found {}.{}", NODE.0, NODE.1, found.0, found.1);
    // Step 1. The engine. Every browser since 2021 has 128-bit vectors.
    let build =
        ["build", "--profile", "wasm", "--locked", "--package", "anglerfish-wasm", "--target", TARGET];
    checked(Command::new("cargo").args(build).env("RUSTFLAGS", "-C target-feature=+simd128"), root)?;
    let target = PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()));
    let engine = root.join(target).join(TARGET).join("wasm/anglerfish_wasm.wasm");
    let web = root.join("web");
    fs::copy(&engine, web.join("public/engine.wasm")).with_context(|| engine.display().to_string())?;

    // Step 2. The pages around it.
    if !web.join("node_modules/vite").exists() {
        // The versions of the lock file. `npm ci` would refuse it if it lacks packages that other systems need.
        checked(Command::new(npm()).args(["install", "--no-save", "--no-audit", "--no-fund"]), &web)?;
    }
    checked(Command::new(npm()).args(["run", "build"]), &web)?;
    println!("web/dist");
    Ok(())
}

fn npm() -> &'static str {
    if cfg!(windows) { "npm.cmd" } else { "npm" }
}

/// Node's major and minor version.
fn node() -> anyhow::Result<(u32, u32)> {
    let output = Command::new("node")
        .arg("--version")
        .output()
        .context("node --version: the pages need Node to be built")?;
    let text = String::from_utf8(output.stdout)?;
    let mut parts = text.trim().trim_start_matches('v').split('.').map(|part| part.parse().unwrap_or(0));
    Ok((parts.next().unwrap_or(0), parts.next().unwrap_or(0)))
}
