//! Writes positions into the objects of a table, one after another.

use std::sync::Arc;

use anglerfish_arena::Name;
use arrow_array::builder::{Int8Builder, Int16Builder};
use arrow_array::types::{UInt8Type, UInt32Type, UInt64Type};
use arrow_array::{ArrayRef, PrimitiveArray, RecordBatch, StringArray};
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::ArrowWriterOptions;
use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;

use super::{POSITIONS_FORMAT, Spot, positions_schema};
use crate::error::StoreError;
use crate::object::compression;
use crate::place::Place;

/// Rows that are in memory before they are encoded.
const BATCH: usize = 1 << 16;
/// Rows of a row group: the least that is read to find one key.
const GROUP: usize = 1 << 17;
/// Rows of an object: some 50 MB.
const OBJECT: usize = 1 << 22;
/// Greatest size in bytes of a row group's dictionary of unit names: a quarter of a million names.
const NAMES: usize = 16 << 20;

/// A table that is being written.
pub(super) struct Tables<'a> {
    place: &'a Place,
    /// The prefix of the names of its objects.
    stem: String,
    names: &'a [Name],
    rows: Vec<Spot>,
    writer: Option<ArrowWriter<Vec<u8>>>,
    written: usize,
    objects: Vec<String>,
}

impl<'a> Tables<'a> {
    pub(super) fn new(place: &'a Place, stem: String, names: &'a [Name]) -> Tables<'a> {
        Tables { place, stem, names, rows: Vec::new(), writer: None, written: 0, objects: Vec::new() }
    }

    pub(super) fn add(&mut self, spot: &Spot) -> Result<(), StoreError> {
        self.rows.push(*spot);
        if self.rows.len() == BATCH { self.flush() } else { Ok(()) }
    }

    /// Ends the table, and returns the names of all its objects.
    pub(super) fn finish(mut self) -> Result<Vec<String>, StoreError> {
        self.flush()?;
        self.close()?;
        Ok(self.objects)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        if self.rows.is_empty() {
            return Ok(());
        }
        let batch = batch(self.names, &self.rows);
        self.rows.clear();
        let writer = match &mut self.writer {
            Some(writer) => writer,
            none => none.insert(writer().map_err(failed)?),
        };
        writer.write(&batch).map_err(failed)?;
        self.written += batch.num_rows();
        if self.written >= OBJECT { self.close() } else { Ok(()) }
    }

    fn close(&mut self) -> Result<(), StoreError> {
        let Some(writer) = self.writer.take() else { return Ok(()) };
        let name = format!("{}-{:05}.parquet", self.stem, self.objects.len());
        let bytes: Bytes = writer.into_inner().map_err(failed)?.into();
        // An existing object is of a killed attempt: the same rows, but perhaps in other row groups.
        if !self.place.create(&name, &bytes)? {
            self.place.delete(std::slice::from_ref(&name))?;
            self.place.create(&name, &bytes)?;
        }
        self.objects.push(name);
        self.written = 0;
        Ok(())
    }
}

#[expect(clippy::needless_pass_by_value, reason = "map_err calls it so")]
fn failed(error: ParquetError) -> StoreError {
    StoreError::Other(format!("positions: {error}"))
}

fn writer() -> Result<ArrowWriter<Vec<u8>>, ParquetError> {
    let properties = WriterProperties::builder()
        .set_compression(compression())
        .set_created_by("anglerfish".to_owned())
        .set_max_row_group_row_count(Some(GROUP))
        .set_dictionary_page_size_limit(NAMES)
        // Keys are as good as random, but sorted ones differ by small steps.
        .set_column_dictionary_enabled("key".into(), false)
        .set_column_encoding("key".into(), Encoding::DELTA_BINARY_PACKED)
        .set_key_value_metadata(Some(vec![parquet::file::metadata::KeyValue::new(
            "anglerfish.positions".to_owned(),
            POSITIONS_FORMAT.to_owned(),
        )]))
        .build();
    let options = ArrowWriterOptions::new().with_properties(properties);
    ArrowWriter::try_new_with_options(Vec::new(), positions_schema(), options)
}

fn batch(names: &[Name], rows: &[Spot]) -> RecordBatch {
    let numbers = |of: &dyn Fn(&Spot) -> u32| -> ArrayRef {
        Arc::new(PrimitiveArray::<UInt32Type>::from_iter_values(rows.iter().map(of)))
    };
    let (mut values, mut results) =
        (Int16Builder::with_capacity(rows.len()), Int8Builder::with_capacity(rows.len()));
    for row in rows {
        values.append_option((row.value != i16::MIN).then_some(row.value));
        results.append_option((row.result != i8::MIN).then_some(row.result));
    }
    let columns: Vec<ArrayRef> = vec![
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| names[row.unit as usize].to_string()))),
        numbers(&|row| row.game),
        numbers(&|row| row.ply),
        Arc::new(PrimitiveArray::<UInt64Type>::from_iter_values(rows.iter().map(|row| row.key))),
        numbers(&|row| row.event),
        Arc::new(values.finish()),
        Arc::new(results.finish()),
        Arc::new(PrimitiveArray::<UInt8Type>::from_iter_values(rows.iter().map(|row| row.seat))),
    ];
    RecordBatch::try_new(positions_schema(), columns)
        .unwrap_or_else(|e| unreachable!("columns of one length: {e}"))
}
