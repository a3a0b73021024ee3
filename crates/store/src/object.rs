//! Objects: rows as the bytes of a Parquet file, both ways.
//!
//! Whoever reads bytes that somebody else may have changed must not fall over them: Parquet's reader was written for files that are
//! whole, so a panic in it is taken for what it is, a damaged file, and what a file claims of its size is believed only up to a bound.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::metadata::{KeyValue, PageIndexPolicy};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::ChunkReader;

/// Rows in a page: what has to be read at least to find one unit in a large object.
const PAGE_ROWS: usize = 512;

/// Rows in a row group.
const GROUP_ROWS: usize = 1 << 16;

/// Bytes that all columns of one object may come to when they are read, at most.
const MOST_BYTES: i64 = 4 << 30;

/// How objects are written.
pub(crate) fn properties(meta: &[(&str, &str)]) -> WriterProperties {
    let pair = |(key, value): &(&str, &str)| KeyValue::new((*key).to_owned(), (*value).to_owned());
    WriterProperties::builder()
        .set_compression(compression())
        .set_created_by("anglerfish".to_owned())
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_write_batch_size(PAGE_ROWS)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_key_value_metadata(Some(meta.iter().map(pair).collect()))
        .build()
}

#[cfg(feature = "zstd")]
fn compression() -> Compression {
    // Level 3: higher ones take a hundred times as long and save a fifth.
    Compression::ZSTD(parquet::basic::ZstdLevel::try_new(3).unwrap_or_default())
}

#[cfg(not(feature = "zstd"))]
fn compression() -> Compression {
    Compression::UNCOMPRESSED
}

/// Rows as the bytes of an object.
pub(crate) fn write(schema: &Arc<Schema>, batches: &[RecordBatch], meta: &[(&str, &str)]) -> Bytes {
    let write = || -> Result<Vec<u8>, ParquetError> {
        let mut writer = ArrowWriter::try_new(Vec::new(), Arc::clone(schema), Some(properties(meta)))?;
        batches.iter().try_for_each(|batch| writer.write(batch))?;
        writer.into_inner()
    };
    write().unwrap_or_else(|e| unreachable!("memory takes everything: {e}")).into()
}

/// An object that is open for reading.
pub(crate) struct Object<R> {
    reader: R,
    metadata: ArrowReaderMetadata,
}

impl<R: ChunkReader + Clone + 'static> Object<R> {
    /// Reads what an object says of itself.
    ///
    /// # Errors
    /// When it is no Parquet file, or claims too much.
    pub(crate) fn open(reader: R) -> Result<Object<R>, String> {
        guarded(|| {
            let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Optional);
            let metadata = ArrowReaderMetadata::load(&reader, options)?;
            let claimed = metadata
                .metadata()
                .row_groups()
                .iter()
                .fold(0_i64, |sum, group| sum.saturating_add(group.total_byte_size().max(0)));
            if claimed > MOST_BYTES {
                return Err(ParquetError::General(format!("claims to hold {claimed} bytes")));
            }
            Ok(Object { reader, metadata })
        })
    }

    /// A word that its writer left.
    pub(crate) fn meta(&self, key: &str) -> Option<&str> {
        let pairs = self.metadata.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    }

    /// How many rows it has.
    pub(crate) fn rows(&self) -> usize {
        usize::try_from(self.metadata.metadata().file_metadata().num_rows()).unwrap_or_default()
    }

    /// Some of its rows, as one batch, of some columns or all.
    ///
    /// # Errors
    /// When there are no such rows.
    pub(crate) fn read(
        &self,
        first: usize,
        rows: usize,
        columns: Option<&[&str]>,
    ) -> Result<RecordBatch, String> {
        let batch = guarded(|| {
            let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(
                self.reader.clone(),
                self.metadata.clone(),
            );
            let mask = match columns {
                None => parquet::arrow::ProjectionMask::all(),
                Some(names) => {
                    parquet::arrow::ProjectionMask::columns(builder.parquet_schema(), names.iter().copied())
                }
            };
            let after = self.rows().saturating_sub(first + rows);
            let selection = RowSelection::from(vec![
                RowSelector::skip(first),
                RowSelector::select(rows),
                RowSelector::skip(after),
            ]);
            let reader = builder
                .with_projection(mask)
                .with_row_selection(selection)
                .with_batch_size(rows.max(1))
                .build()?;
            let batches = reader.collect::<Result<Vec<_>, _>>()?;
            let schema = batches.first().map(RecordBatch::schema);
            match (&batches[..], schema) {
                ([one], _) => Ok(one.clone()),
                (_, Some(schema)) => Ok(arrow_select::concat::concat_batches(&schema, &batches)?),
                (_, None) => Err(ParquetError::General("there are no rows".to_owned())),
            }
        })?;
        if batch.num_rows() == rows {
            Ok(batch)
        } else {
            Err(format!("expected {rows} rows from {first} on, found {}", batch.num_rows()))
        }
    }
}

/// Runs a reader that may panic on bytes that were changed.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, String> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|e| in_words(&e)),
        Err(_) => Err("damaged: the reader of Parquet files has panicked".to_owned()),
    }
}

fn in_words(error: &ParquetError) -> String {
    let text = error.to_string();
    if text.contains("zstd") && cfg!(not(feature = "zstd")) {
        return "compressed, which this build cannot read: it needs the feature zstd (releases have it)"
            .to_owned();
    }
    text
}
