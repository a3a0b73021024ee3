//! Reading what the user gave, with errors that point at the place.

use std::io::Read;
use std::path::Path;
use std::str::FromStr;

use anglerfish_rules::NotationError;
use anyhow::{Context, anyhow};

/// The text of a file; `-` is standard input, and gzip is unpacked.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let mut bytes = Vec::new();
    if path == Path::new("-") {
        std::io::stdin().read_to_end(&mut bytes)
    } else {
        std::fs::File::open(path).and_then(|mut file| file.read_to_end(&mut bytes))
    }
    .with_context(|| format!("cannot read {}", path.display()))?;
    if bytes.starts_with(&[0x1F, 0x8B]) {
        let mut unpacked = Vec::new();
        flate2::read::MultiGzDecoder::new(&bytes[..])
            .read_to_end(&mut unpacked)
            .with_context(|| format!("{} is not a whole gzip file", path.display()))?;
        bytes = unpacked;
    }
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// Reads an argument; the error shows it with a caret under the place.
pub(crate) fn parse_pointing<T: FromStr<Err = NotationError>>(text: &str) -> anyhow::Result<T> {
    text.parse().map_err(|e| pointing(&e, text, None))
}

/// The error with the line it is in and a caret under the place.
pub(crate) fn pointing(error: &NotationError, text: &str, path: Option<&Path>) -> anyhow::Error {
    match path {
        Some(path) => anyhow!("{}, {}", path.display(), error.pointing_at(text)),
        None => anyhow!("{}", error.pointing_at(text)),
    }
}
