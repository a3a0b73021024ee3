//! The release archive: `dist/anglerfish-VERSION-TARGET.tar.gz` with a checksum of the same name, so that the
//! archives of several targets fit in one release. Windows unpacks tar.gz too.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, ensure};
use sha2::{Digest, Sha256};

const SHELLS: [(&str, &str); 4] = [
    ("bash", "anglerfish.bash"),
    ("zsh", "_anglerfish"),
    ("fish", "anglerfish.fish"),
    ("powershell", "anglerfish.ps1"),
];

pub(crate) fn run(root: &Path, features: &str, trial: bool) -> anyhow::Result<()> {
    if !trial {
        crate::passes::released(root)
            .context("no release of this tree (--trial makes an archive for trying out)")?;
    }
    // Step 1. The pages, if the binary contains them, and the binary, from the locked dependencies.
    let pages = features.split(',').any(|feature| ["full", "embed-web"].contains(&feature));
    if pages {
        crate::web::run(root)?;
    }
    let build = ["build", "--profile", "dist", "--locked", "--package", "anglerfish", "--features", features];
    checked(Command::new("cargo").args(build), root)?;
    let target = PathBuf::from(std::env::var_os("CARGO_TARGET_DIR").unwrap_or("target".into()));
    let file = format!("anglerfish{}", std::env::consts::EXE_SUFFIX);
    let binary = root.join(target).join("dist").join(&file);

    // Step 2. The other files of the archive.
    let mark = if trial { "-trial" } else { "" };
    let name = format!("anglerfish-{}{mark}-{}", env!("CARGO_PKG_VERSION"), host()?);
    let dist = root.join("dist");
    let folder = dist.join(&name);
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    fs::create_dir_all(folder.join("completions"))?;
    fs::copy(&binary, folder.join(&file))?;
    for file in ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"] {
        fs::copy(root.join(file), folder.join(file)).with_context(|| file.to_owned())?;
    }
    checked(Command::new(&binary).arg("man").arg("--dir").arg(folder.join("man")), root)?;
    for (shell, file) in SHELLS {
        let script = Command::new(&binary).args(["completions", shell]).output()?;
        ensure!(script.status.success(), "completions for {shell}");
        fs::write(folder.join("completions").join(file), script.stdout)?;
    }
    fs::write(folder.join("THIRD-PARTY.txt"), third_party(root, features)?)?;

    // Step 3. The pages by themselves, for any static host.
    if pages {
        let folder = dist.join("pages");
        if folder.exists() {
            fs::remove_dir_all(&folder)?;
        }
        copied(&root.join("web/dist"), &folder)?;
        println!("dist/pages");
    }

    // Step 4. One archive, reproducible from the same inputs, and its checksum.
    let archive = dist.join(format!("{name}.tar.gz"));
    pack(&folder, &name, &archive)?;
    let hex = sha256(&fs::read(&archive)?);
    fs::write(dist.join(format!("{name}.tar.gz.sha256")), format!("{hex}  {name}.tar.gz\n"))?;
    println!("dist/{name}.tar.gz");
    println!("dist/{name}.tar.gz.sha256  {hex}");
    Ok(())
}

/// A SHA-256 as sha256sum writes it.
pub(crate) fn sha256(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |mut hex, byte| {
        let _ = write!(hex, "{byte:02x}");
        hex
    })
}

/// Copies a folder with its subfolders.
fn copied(from: &Path, to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let (path, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
        if path.is_dir() {
            copied(&path, &to.join(name))?;
        } else {
            fs::copy(&path, to.join(name))?;
        }
    }
    Ok(())
}

pub(crate) fn checked(command: &mut Command, root: &Path) -> anyhow::Result<()> {
    let status = command.current_dir(root).status().with_context(|| format!("{command:?}"))?;
    ensure!(status.success(), "{command:?}: {status}");
    Ok(())
}

/// The compiler's name for this kind of machine.
fn host() -> anyhow::Result<String> {
    let output = Command::new("rustc").arg("-vV").output().context("rustc -vV")?;
    let text = String::from_utf8(output.stdout)?;
    let host = text.lines().find_map(|line| line.strip_prefix("host: ")).context("rustc names its host")?;
    Ok(host.to_owned())
}

/// Every crate in the binary, with its license and the license's text.
fn third_party(root: &Path, features: &str) -> anyhow::Result<String> {
    let output = Command::new("cargo")
        .args(["tree", "--package", "anglerfish", "--edges", "normal", "--prefix", "none", "--format", "{p}"])
        .args(["--features", features])
        .current_dir(root)
        .output()
        .context("cargo tree")?;
    let tree = String::from_utf8(output.stdout)?;
    let used = |name: &str, version: &str| tree.lines().any(|l| l.starts_with(&format!("{name} v{version}")));
    let output = Command::new("cargo")
        .args(["metadata", "--format-version", "1", "--locked"])
        .current_dir(root)
        .output()
        .context("cargo metadata")?;
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let mut text = "Anglerfish contains these crates, under their own licenses.\n".to_owned();
    for package in metadata["packages"].as_array().context("packages")? {
        let field = |name: &str| package[name].as_str().unwrap_or_default();
        let (name, version) = (field("name"), field("version"));
        if package["source"].is_null() || !used(name, version) {
            continue;
        }
        write!(text, "\n{}\n{name} {version}: {}\n", "=".repeat(80), field("license"))?;
        let folder = Path::new(field("manifest_path")).parent().context("a folder")?;
        let mut files: Vec<PathBuf> =
            fs::read_dir(folder)?.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
        files.sort();
        for file in files.iter().filter(|f| {
            let name = f.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            f.is_file() && ["LICENSE", "LICENCE", "COPYING", "NOTICE"].iter().any(|w| name.starts_with(w))
        }) {
            write!(text, "\n{}\n", fs::read_to_string(file)?.trim_end())?;
        }
    }
    Ok(text)
}

/// A tar of the folder, names sorted and times zeroed, gzipped.
fn pack(folder: &Path, name: &str, archive: &Path) -> anyhow::Result<()> {
    let gzip = flate2::write::GzEncoder::new(fs::File::create(archive)?, flate2::Compression::best());
    let mut tar = tar::Builder::new(gzip);
    tar.mode(tar::HeaderMode::Deterministic);
    let mut folders = vec![folder.to_owned()];
    let mut files = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder)? {
            let path = entry?.path();
            if path.is_dir() { folders.push(path) } else { files.push(path) }
        }
    }
    files.sort();
    for file in files {
        let inside = Path::new(name).join(file.strip_prefix(folder)?);
        tar.append_path_with_name(&file, inside)?;
    }
    tar.into_inner()?.finish()?;
    Ok(())
}
