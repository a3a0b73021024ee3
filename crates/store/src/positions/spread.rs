//! Sorts more rows than memory holds: rows are spread over files by the first bits of the key, and each file
//! is sorted alone.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use super::Spot;
use crate::error::StoreError;
use crate::files::nonce;

/// Bytes of a row in a file.
const ROW: usize = 28;
/// Rows that are sorted in memory: a quarter of a gigabyte.
const MOST: u64 = 8 << 20;
/// Bits of the key that one step distinguishes: 256 files.
const BITS: u32 = 8;

/// Rows in files, by the next bits of their keys.
pub(super) struct Spread {
    folder: PathBuf,
    /// Number of bits that all rows here have in common.
    same: u32,
    /// Most rows to keep in memory.
    most: u64,
    files: Vec<Option<(BufWriter<File>, u64)>>,
}

impl Spread {
    /// Spreads into a new folder within `scratch`, which is removed in the end.
    pub(super) fn new(scratch: &Path) -> Result<Spread, StoreError> {
        Spread::within(scratch.join(format!("positions-{:016x}", nonce())), 0, MOST)
    }

    fn within(folder: PathBuf, same: u32, most: u64) -> Result<Spread, StoreError> {
        std::fs::create_dir_all(&folder).map_err(failed(&folder))?;
        Ok(Spread { folder, same, most, files: (0..1 << BITS).map(|_| None).collect() })
    }

    fn path(&self, n: usize) -> PathBuf {
        self.folder.join(format!("{n:03}"))
    }

    pub(super) fn add(&mut self, spot: &Spot) -> Result<(), StoreError> {
        let n = (spot.key << self.same >> (u64::BITS - BITS)) as usize;
        let path = self.path(n);
        let (file, rows) = match &mut self.files[n] {
            Some(file) => file,
            none => none
                .insert((BufWriter::with_capacity(1 << 15, File::create(&path).map_err(failed(&path))?), 0)),
        };
        *rows += 1;
        file.write_all(&write(spot)).map_err(failed(&path))
    }

    /// Reports all rows in the order of their keys.
    pub(super) fn sorted(
        mut self,
        tell: &mut dyn FnMut(&Spot) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        // All files are closed before the first is read: each step of a finer spread opens as many again.
        let mut written = Vec::new();
        for n in 0..self.files.len() {
            if let Some((mut file, rows)) = self.files[n].take() {
                file.flush().map_err(failed(&self.path(n)))?;
                written.push((n, rows));
            }
        }
        for (n, rows) in written {
            let path = self.path(n);
            let same = self.same + BITS;
            if rows <= self.most {
                let mut all = Vec::with_capacity(rows as usize);
                each(&path, rows, &mut |spot| {
                    all.push(*spot);
                    Ok(())
                })?;
                all.sort_unstable();
                all.iter().try_for_each(&mut *tell)?;
            } else if same < u64::BITS {
                let mut finer = Spread::within(self.folder.join(format!("{n:03}-finer")), same, self.most)?;
                each(&path, rows, &mut |spot| finer.add(spot))?;
                finer.sorted(tell)?;
            } else {
                // All rows have the same key, so they are in order.
                each(&path, rows, tell)?;
            }
            std::fs::remove_file(&path).map_err(failed(&path))?;
        }
        Ok(())
    }
}

impl Drop for Spread {
    fn drop(&mut self) {
        // A leftover is only in a scratch folder.
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

fn failed(path: &Path) -> impl FnOnce(std::io::Error) -> StoreError {
    let file = path.display().to_string();
    |source| StoreError::File { file, source }
}

fn each(
    path: &Path,
    rows: u64,
    tell: &mut dyn FnMut(&Spot) -> Result<(), StoreError>,
) -> Result<(), StoreError> {
    let file = File::open(path).map_err(failed(path))?;
    let mut file = BufReader::with_capacity(1 << 18, file);
    let mut bytes = [0; ROW];
    for _ in 0..rows {
        file.read_exact(&mut bytes).map_err(failed(path))?;
        tell(&read(&bytes))?;
    }
    Ok(())
}

fn write(spot: &Spot) -> [u8; ROW] {
    let mut bytes = [0; ROW];
    bytes[..8].copy_from_slice(&spot.key.to_le_bytes());
    for (i, number) in [spot.unit, spot.game, spot.ply, spot.event].into_iter().enumerate() {
        bytes[8 + 4 * i..12 + 4 * i].copy_from_slice(&number.to_le_bytes());
    }
    bytes[24..26].copy_from_slice(&spot.value.to_le_bytes());
    bytes[26] = spot.result.cast_unsigned();
    bytes[27] = spot.seat;
    bytes
}

fn read(bytes: &[u8; ROW]) -> Spot {
    let number = |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]);
    Spot {
        key: u64::from(number(0)) | u64::from(number(4)) << 32,
        unit: number(8),
        game: number(12),
        ply: number(16),
        event: number(20),
        value: i16::from_le_bytes([bytes[24], bytes[25]]),
        result: bytes[26].cast_signed(),
        seat: bytes[27],
    }
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::Rng;

    use super::*;

    /// With so little memory that rows are spread several times, and too many equal keys to ever fit.
    #[test]
    fn rows_come_out_in_the_order_of_their_keys() {
        let folder = std::env::temp_dir().join(format!("anglerfish-spread-{}", std::process::id()));
        let mut spread = Spread::within(folder.clone(), 0, 10).expect("a folder");
        let mut rng = Rng::new(3);
        let mut rows = Vec::new();
        for n in 0..5000_u32 {
            let key = if n % 5 == 0 { 77 } else { rng.next_u64() >> (8 * (n % 7)) };
            let spot = Spot {
                key,
                unit: n,
                game: n,
                ply: n % 100,
                event: 3 * n,
                value: -(n as i16),
                result: -1,
                seat: 1,
            };
            spread.add(&spot).expect("room");
            rows.push(spot);
        }
        rows.sort_unstable();
        let mut found = Vec::new();
        let keep = &mut |spot: &Spot| {
            found.push(*spot);
            Ok(())
        };
        spread.sorted(keep).expect("sorted");
        assert_eq!(found, rows);
        assert!(!folder.exists());
    }
}
