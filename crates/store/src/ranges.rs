//! Sources of bytes for Parquet's reader: an object in place, or parts of it fetched before.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{ChunkReader, Length};

use crate::place::Place;

/// An object that is read in place, range by range.
#[derive(Clone, Debug)]
pub struct Ranges {
    place: Arc<Place>,
    name: String,
    len: u64,
}

impl Ranges {
    /// The object with this name and length.
    pub fn new(place: &Arc<Place>, name: &str, len: u64) -> Ranges {
        Ranges { place: Arc::clone(place), name: name.to_owned(), len }
    }
}

impl Length for Ranges {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Ranges {
    type T = Reading;

    fn get_read(&self, start: u64) -> parquet::errors::Result<Reading> {
        Ok(Reading { ranges: self.clone(), at: start, ahead: Bytes::new() })
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let end = start.checked_add(length as u64).filter(|end| *end <= self.len);
        let end = end.ok_or_else(|| ParquetError::EOF(format!("no {length} bytes at {start}")))?;
        self.place.range(&self.name, start..end).map_err(|e| ParquetError::External(Box::new(e)))
    }
}

/// Reads an object sequentially from some offset.
pub struct Reading {
    ranges: Ranges,
    at: u64,
    ahead: Bytes,
}

impl std::io::Read for Reading {
    fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
        if self.ahead.is_empty() {
            let length = (self.ranges.len.saturating_sub(self.at)).min(1 << 16) as usize;
            if length == 0 {
                return Ok(0);
            }
            self.ahead = self.ranges.get_bytes(self.at, length).map_err(std::io::Error::other)?;
            self.at += length as u64;
        }
        let n = out.len().min(self.ahead.len());
        out[..n].copy_from_slice(&self.ahead.split_to(n));
        Ok(n)
    }
}

/// Parts of an object that were fetched before.
#[derive(Clone, Debug)]
pub(crate) struct Fetched {
    parts: Arc<BTreeMap<u64, Bytes>>,
    len: u64,
}

impl Fetched {
    /// These parts of an object of this length.
    pub(crate) fn new(ranges: &[Range<u64>], bytes: Vec<Bytes>, len: u64) -> Fetched {
        Fetched { parts: Arc::new(ranges.iter().map(|range| range.start).zip(bytes).collect()), len }
    }
}

impl Length for Fetched {
    fn len(&self) -> u64 {
        self.len
    }
}

impl ChunkReader for Fetched {
    type T = std::io::Empty;

    fn get_read(&self, start: u64) -> parquet::errors::Result<std::io::Empty> {
        Err(ParquetError::EOF(format!("nothing was fetched from {start} on")))
    }

    fn get_bytes(&self, start: u64, length: usize) -> parquet::errors::Result<Bytes> {
        let part = self.parts.get(&start).filter(|part| part.len() >= length);
        let part =
            part.ok_or_else(|| ParquetError::EOF(format!("no {length} bytes were fetched at {start}")))?;
        Ok(part.slice(..length))
    }
}
