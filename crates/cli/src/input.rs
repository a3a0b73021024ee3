//! Reads the user's input; errors point at the place.

use std::io::Read;
use std::path::Path;
use std::str::FromStr;

use anglerfish_rules::NotationError;
use anyhow::{Context, anyhow};

/// Most bytes of unpacked text read at once. A store takes files of any size, because it reads them in pieces.
const MOST_BYTES: u64 = 1 << 30;

/// What to do about a longer text.
const LONGER: &str = " of text; `anglerfish store import` takes files of any size";

/// Most bytes of a file that players refer to.
const MOST_ASSET: u64 = 256 << 20;

/// The text of a file; `-` is standard input, and gzip is unpacked.
pub(crate) fn read(path: &Path) -> anyhow::Result<String> {
    let name = path.display();
    let mut bytes = if path == Path::new("-") {
        read_at_most(std::io::stdin(), MOST_BYTES, LONGER)
    } else {
        std::fs::File::open(path).and_then(|file| read_at_most(file, MOST_BYTES, LONGER))
    }
    .with_context(|| format!("cannot read {name}"))?;
    if bytes.starts_with(&[0x1F, 0x8B]) {
        let unpacked = read_at_most(flate2::read::MultiGzDecoder::new(&bytes[..]), MOST_BYTES, LONGER);
        bytes = unpacked.with_context(|| format!("{name} is not a whole gzip file, or too large"))?;
    }
    String::from_utf8(bytes).with_context(|| format!("{} is not UTF-8 text", path.display()))
}

/// The bytes of a file that players refer to.
pub(crate) fn read_asset(path: &Path) -> anyhow::Result<Vec<u8>> {
    let bytes = std::fs::File::open(path).and_then(|file| read_at_most(file, MOST_ASSET, ""));
    bytes.with_context(|| format!("cannot read {}", path.display()))
}

/// All bytes to the end, unless there are more than `most`; the error ends with `hint`.
fn read_at_most(input: impl Read, most: u64, hint: &str) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let most = most >> 20;
        let why = format!("more than {most} MiB{hint}");
        return Err(std::io::Error::new(std::io::ErrorKind::FileTooLarge, why));
    }
    Ok(bytes)
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

/// Most threads of a command. More than there are cores gain little, and systems limit the threads of a process.
const MOST_THREADS: usize = 1024;

/// Reads a number of threads, or of games at a time.
pub(crate) fn threads(text: &str) -> Result<usize, String> {
    let found = text.parse().ok().filter(|n| *n <= MOST_THREADS);
    found.ok_or_else(|| {
        format!("expected at most {MOST_THREADS} at a time; more than there are cores gain little")
    })
}

/// Most pairs in a unit of a store. A unit is in memory as a whole until it is stored, and an interrupted one
/// is played again as a whole.
#[cfg(feature = "store")]
pub(crate) const MOST_PAIRS: u32 = 65_536;

/// Most pairs in a unit of a match: their games are one line of its journal, which has 64 MiB, 8 KiB for each game.
pub(crate) const MOST_IN_JOURNAL: u32 = 4_096;

/// Reads the number of pairs in a unit of a match.
pub(crate) fn batch(text: &str) -> Result<u32, String> {
    text.parse::<u32>().map_err(|e| e.to_string()).and_then(|pairs| at_most(pairs, MOST_IN_JOURNAL))
}

/// Refuses more pairs than a unit can have.
pub(crate) fn at_most(pairs: u32, most: u32) -> Result<u32, String> {
    if pairs <= most {
        Ok(pairs)
    } else {
        Err(format!("expected at most {most} pairs in a unit, whose games are in memory until it is kept"))
    }
}

#[cfg(test)]
mod tests {
    use super::read_at_most;

    /// Also a file that is small while it is packed.
    #[test]
    fn more_than_the_limit_is_an_error() {
        assert_eq!(read_at_most(&b"1234"[..], 4, "").expect("just enough"), b"1234");
        let error = read_at_most(std::io::repeat(b'x'), 4 << 20, "").expect_err("too much");
        assert!(error.to_string().contains("more than 4 MiB"), "{error}");
    }
}
