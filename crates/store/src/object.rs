//! Objects: rows as the bytes of a Parquet file, both ways.
//!
//! The bytes may have been changed, and Parquet's reader expects intact files. So a panic in it counts as a
//! damaged file, and sizes and counts are checked before they are trusted.

use std::collections::BTreeMap;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};

use arrow_array::RecordBatch;
use arrow_schema::Schema;
use bytes::Bytes;
use parquet::arrow::arrow_reader::{
    ArrowReaderMetadata, ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::arrow::{ArrowWriter, ProjectionMask};
use parquet::basic::{Compression, Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    KeyValue, PageIndexPolicy, ParquetMetaData, ParquetMetaDataReader, RowGroupMetaData,
};
use parquet::file::properties::WriterProperties;
use parquet::file::reader::{ChunkReader, Length};
use parquet::schema::types::ColumnPath;

use crate::declared::{Page, is_sound_footer, walk};
use crate::error::Damage;

/// Rows in a page: the least that is read to find one unit in a large object.
const PAGE_ROWS: usize = 512;

/// Rows in a row group.
const GROUP_ROWS: usize = 1 << 16;

/// Rows that are unpacked at once.
const BATCH_ROWS: usize = 1 << 12;

/// Bytes that are read first, from the end of an object: mostly the whole footer.
const TAIL: u64 = 1 << 16;

/// Greatest size of a dictionary in bytes; beyond it texts are written plainly. Any value of a page may be
/// the longest in its dictionary, so a page may unpack to the product of the two sizes.
const DICTIONARY: usize = 40 << 10;

/// Columns whose texts hardly ever repeat. A dictionary would gain nothing there, and plain pages cannot
/// unpack to much more.
const VARIED: [&[&str]; 3] = [&["start"], &["tags"], &["candidates", "list", "item"]];

/// How objects are written.
pub(crate) fn properties(meta: &[(&str, &str)]) -> WriterProperties {
    let pair = |(key, value): &(&str, &str)| KeyValue::new((*key).to_owned(), (*value).to_owned());
    let path = |names: &[&str]| ColumnPath::from(names.iter().map(ToString::to_string).collect::<Vec<_>>());
    let builder = WriterProperties::builder()
        .set_compression(compression())
        .set_created_by("anglerfish".to_owned())
        .set_data_page_row_count_limit(PAGE_ROWS)
        .set_write_batch_size(PAGE_ROWS)
        .set_max_row_group_row_count(Some(GROUP_ROWS))
        .set_dictionary_page_size_limit(DICTIONARY)
        .set_key_value_metadata(Some(meta.iter().map(pair).collect()));
    VARIED
        .iter()
        .fold(builder, |builder, names| builder.set_column_dictionary_enabled(path(names), false))
        .build()
}

#[cfg(feature = "zstd")]
pub(crate) fn compression() -> Compression {
    // Level 3: higher levels take a hundred times as long and save a fifth.
    Compression::ZSTD(parquet::basic::ZstdLevel::try_new(3).unwrap_or_default())
}

#[cfg(not(feature = "zstd"))]
pub(crate) fn compression() -> Compression {
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
    chunks: Arc<[Chunk]>,
    trusted: bool,
}

/// One column of one row group.
#[derive(Clone, Copy)]
struct Chunk {
    start: u64,
    end: u64,
    /// Variable-length texts, where a dictionary can expand a lot.
    is_text: bool,
    /// Any number of values in a row.
    is_list: bool,
}

impl<R: ChunkReader + Clone + 'static> Object<R> {
    /// Reads the metadata of an object.
    ///
    /// # Errors
    /// When it is no Parquet file, or claims more than it has.
    pub(crate) fn open(reader: R) -> Result<Object<R>, Damage> {
        guarded(|| {
            let metadata = read_metadata(&reader)?;
            let chunks = chunks(&metadata, reader.len())?.into();
            let options = ArrowReaderOptions::new().with_skip_arrow_metadata(true);
            let metadata = ArrowReaderMetadata::try_new(Arc::new(metadata), options)?;
            Ok(Object { reader, metadata, chunks, trusted: false })
        })
    }

    /// The same object, with bytes known to be intact: its sizes are trusted.
    pub(crate) fn trusted(self) -> Object<R> {
        Object { trusted: true, ..self }
    }

    /// The same object, with another reader of its bytes.
    pub(crate) fn by<S>(&self, reader: S) -> Object<S> {
        let (metadata, chunks) = (self.metadata.clone(), Arc::clone(&self.chunks));
        Object { reader, metadata, chunks, trusted: self.trusted }
    }

    /// Its Parquet metadata.
    pub(crate) fn metadata(&self) -> &ParquetMetaData {
        self.metadata.metadata()
    }

    /// A value that its writer stored under this key.
    pub(crate) fn meta(&self, key: &str) -> Option<&str> {
        let pairs = self.metadata().file_metadata().key_value_metadata()?;
        pairs.iter().find(|pair| pair.key == key)?.value.as_deref()
    }

    /// Number of its rows.
    pub(crate) fn rows(&self) -> usize {
        usize::try_from(self.metadata().file_metadata().num_rows()).unwrap_or_default()
    }

    /// The columns of these names, or all of them.
    fn mask(&self, columns: Option<&[&str]>) -> ProjectionMask {
        let schema = self.metadata().file_metadata().schema_descr();
        columns
            .map_or_else(ProjectionMask::all, |names| ProjectionMask::columns(schema, names.iter().copied()))
    }

    /// The byte ranges that [`read`](Object::read) asks for, of some rows and columns.
    pub(crate) fn ranges(&self, first: usize, rows: usize, columns: Option<&[&str]>) -> Vec<Range<u64>> {
        let (mask, mut ranges, mut begin) = (self.mask(columns), Vec::new(), 0);
        let index = self.metadata().offset_index();
        for (n, group) in self.metadata().row_groups().iter().enumerate() {
            let count = usize::try_from(group.num_rows()).unwrap_or_default();
            let (from, to) = (first.max(begin), (first + rows).min(begin + count));
            if from < to {
                let selection = select(from - begin, to - from, count);
                let wanted = (0..group.columns().len()).filter(|column| mask.leaf_included(*column));
                for column in wanted {
                    let Some(pages) = index.map(|index| index[n][column].page_locations()) else { continue };
                    let start = group.column(column).byte_range().0;
                    let data = pages.first().map_or(start, |page| page.offset as u64);
                    ranges.extend((start < data).then_some(start..data));
                    ranges.extend(selection.scan_ranges(pages));
                }
            }
            begin += count;
        }
        ranges
    }

    /// The row groups that contain these rows, the first row of the first group, and their number of rows.
    fn groups(&self, first: usize, rows: usize) -> (Vec<usize>, usize, usize) {
        let (mut groups, mut from, mut count, mut begin) = (Vec::new(), first, 0, 0);
        for (n, group) in self.metadata().row_groups().iter().enumerate() {
            let end = begin + usize::try_from(group.num_rows()).unwrap_or_default();
            if first < end && begin < first.saturating_add(rows) {
                from = if groups.is_empty() { begin } else { from };
                count += end - begin;
                groups.push(n);
            }
            begin = end;
        }
        (groups, from, count)
    }

    /// Some of its rows as one batch, of some columns or all.
    ///
    /// # Errors
    /// When there are no such rows.
    pub(crate) fn read(
        &self,
        first: usize,
        rows: usize,
        columns: Option<&[&str]>,
    ) -> Result<RecordBatch, Damage> {
        let batch = guarded(|| {
            // Only the groups that contain them: even skipping rows of another group would read its dictionaries.
            let (groups, begin, count) = self.groups(first, rows);
            let selection = select(first - begin, rows, count);
            let builder = self.builder(rows, columns).with_row_groups(groups).with_row_selection(selection);
            let reader = builder.with_batch_size(rows.clamp(1, BATCH_ROWS)).build()?;
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
            Err(format!("expected {rows} rows from {first} on, found {}", batch.num_rows()).into())
        }
    }

    /// All its rows in batches of this many, of some columns or all.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn batches(
        &self,
        columns: Option<&[&str]>,
        rows: usize,
    ) -> Result<impl Iterator<Item = Result<RecordBatch, Damage>>, Damage> {
        let mut reader = guarded(|| self.builder(self.rows(), columns).with_batch_size(rows).build())?;
        Ok(std::iter::from_fn(move || {
            guarded(|| reader.next().transpose().map_err(ParquetError::from)).transpose()
        }))
    }

    /// Reads batches of this many rows, of some columns or all, and checks every page first.
    fn builder(&self, rows: usize, columns: Option<&[&str]>) -> ParquetRecordBatchReaderBuilder<Watched<R>> {
        let watched = Watched {
            reader: self.reader.clone(),
            chunks: Arc::clone(&self.chunks),
            budget: Arc::new(Mutex::new(self.budget(rows))),
        };
        let builder = ParquetRecordBatchReaderBuilder::new_with_metadata(watched, self.metadata.clone());
        builder.with_projection(self.mask(columns))
    }

    /// The limit for this many unpacked rows. It is generous, for texts repeat and zeros pack well: our own
    /// files stay far below it.
    fn budget(&self, rows: usize) -> Budget {
        let by_size = (64 << 20) + self.reader.len().saturating_mul(1024);
        let by_rows = (64 << 20) + (rows as u64).saturating_mul(256 << 10);
        let left = if self.trusted { u64::MAX } else { by_size.min(by_rows) };
        Budget { left, rows: rows as u64, dictionaries: BTreeMap::new() }
    }
}

/// Selects `rows` of `all` rows, from `first` on.
fn select(first: usize, rows: usize, all: usize) -> RowSelection {
    let after = all.saturating_sub(first.saturating_add(rows));
    RowSelection::from(vec![RowSelector::skip(first), RowSelector::select(rows), RowSelector::skip(after)])
}

/// Reads the footer and the page index at the end of an object.
fn read_metadata(reader: &impl ChunkReader) -> Result<ParquetMetaData, ParquetError> {
    let wrong = |what: &str| ParquetError::General(what.to_owned());
    let len = reader.len();
    let from = len.saturating_sub(TAIL);
    let mut tail = reader.get_bytes(from, (len - from) as usize)?;
    let size = match tail.last_chunk::<8>() {
        Some([a, b, c, d, b'P', b'A', b'R', b'1']) => u64::from(u32::from_le_bytes([*a, *b, *c, *d])),
        _ => return Err(wrong("expected a Parquet file")),
    };
    let footer = len.checked_sub(8 + size).ok_or_else(|| wrong("its footer is longer than itself"))?;
    let end = (len - 8) as usize;
    let footer_bytes = if footer < from {
        reader.get_bytes(footer, size as usize)?
    } else {
        tail.slice((footer - from) as usize..end - from as usize)
    };
    if !is_sound_footer(&footer_bytes) {
        return Err(wrong("its footer counts what is not there"));
    }
    let metadata = ParquetMetaDataReader::decode_metadata(&footer_bytes)?;

    let mut indexes = Vec::new();
    for column in metadata.row_groups().iter().flat_map(RowGroupMetaData::columns) {
        let range =
            column.offset_index_offset().zip(column.offset_index_length()).and_then(|(at, length)| {
                let at = u64::try_from(at).ok()?;
                let end = at.checked_add(u64::try_from(length).ok()?)?;
                (end <= footer).then_some(at..end)
            });
        indexes.push(range.ok_or_else(|| wrong("expected an index of its pages"))?);
    }
    let first = indexes.iter().map(|range| range.start).min().unwrap_or(footer);
    if first < from {
        tail = reader.get_bytes(first, (len - first) as usize)?;
    }
    let begins = first.min(from);
    for range in indexes {
        let index = &tail[(range.start - begins) as usize..(range.end - begins) as usize];
        walk(index, &mut |_, _| {}).ok_or_else(|| wrong("its index of pages counts what is not there"))?;
    }
    let mut indexed = ParquetMetaDataReader::new_with_metadata(metadata)
        .with_column_index_policy(PageIndexPolicy::Skip)
        .with_offset_index_policy(PageIndexPolicy::Required);
    indexed.read_page_indexes_sized(&tail, len)?;
    indexed.finish()
}

/// The columns of all row groups in the order of their bytes, without overlaps, and with all pages inside them.
fn chunks(metadata: &ParquetMetaData, len: u64) -> Result<Vec<Chunk>, ParquetError> {
    let wrong = |what: &str| ParquetError::General(what.to_owned());
    let mut chunks = Vec::new();
    let indexes = metadata.offset_index().ok_or_else(|| wrong("expected an index of its pages"))?;
    for (group, index) in metadata.row_groups().iter().zip(indexes) {
        if index.len() != group.columns().len() {
            return Err(wrong("expected an index of the pages of every column"));
        }
        for (column, index) in group.columns().iter().zip(index) {
            let (start, length) = column.byte_range();
            let end = start.checked_add(length).filter(|end| *end <= len);
            let end = end.ok_or_else(|| wrong("a column is longer than the file"))?;
            let inside = index.page_locations().iter().all(|page| {
                let (at, length) = (u64::try_from(page.offset), u64::try_from(page.compressed_page_size));
                matches!((at, length), (Ok(at), Ok(length)) if start <= at && at < end && length <= end - at)
            });
            if !inside {
                return Err(wrong("a page is outside of its column"));
            }
            let is_text = column.column_type() == Type::BYTE_ARRAY;
            chunks.push(Chunk { start, end, is_text, is_list: column.column_descr().max_rep_level() > 0 });
        }
    }
    chunks.sort_unstable_by_key(|chunk| chunk.start);
    if chunks.windows(2).any(|two| two[0].end > two[1].start) {
        return Err(wrong("two columns share bytes"));
    }
    Ok(chunks)
}

/// A reader that checks the header of every page before Parquet's reader sees it.
#[derive(Clone)]
struct Watched<R> {
    reader: R,
    chunks: Arc<[Chunk]>,
    budget: Arc<Mutex<Budget>>,
}

/// How many more bytes pages may unpack to.
struct Budget {
    left: u64,
    /// Rows that were asked for.
    rows: u64,
    /// Dictionary sizes in bytes, by column.
    dictionaries: BTreeMap<u64, u64>,
}

impl Budget {
    fn pay(&mut self, chunk: &Chunk, page: Page) -> Result<(), ParquetError> {
        // Sixteen bytes: a number, and its levels while it is unpacked.
        let mut price = page.bytes.saturating_add(page.values.saturating_mul(16));
        if page.dictionary {
            self.dictionaries.insert(chunk.start, page.bytes);
        } else if chunk.is_text && page.by_dictionary {
            // Every value could be the longest of the dictionary, which could be all of it.
            let longest = self.dictionaries.get(&chunk.start).copied().unwrap_or_default();
            let values = if chunk.is_list { page.values } else { page.values.min(self.rows) };
            price = price.saturating_add(longest.saturating_mul(values));
        }
        let too_much = || ParquetError::General(format!("a page claims to become {price} bytes"));
        self.left = self.left.checked_sub(price).ok_or_else(too_much)?;
        Ok(())
    }
}

impl<R: Length> Length for Watched<R> {
    fn len(&self) -> u64 {
        self.reader.len()
    }
}

impl<R: ChunkReader> ChunkReader for Watched<R> {
    type T = R::T;

    fn get_read(&self, _: u64) -> Result<R::T, ParquetError> {
        Err(ParquetError::General("expected an index of its pages".to_owned()))
    }

    /// With a page index, only whole pages are asked for.
    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes, ParquetError> {
        let outside = || ParquetError::General("a page is outside of all columns".to_owned());
        let n = self.chunks.partition_point(|chunk| chunk.start <= start).checked_sub(1);
        let chunk = n.map(|n| self.chunks[n]).filter(|chunk| start + length as u64 <= chunk.end);
        let chunk = chunk.ok_or_else(outside)?;
        let bytes = self.reader.get_bytes(start, length)?;
        let page = Page::read(&bytes).map_err(|Damage(what)| ParquetError::General(what))?;
        self.budget.lock().unwrap_or_else(PoisonError::into_inner).pay(&chunk, page)?;
        Ok(bytes)
    }
}

/// Runs a reader that may panic on changed bytes.
fn guarded<T>(read: impl FnOnce() -> Result<T, ParquetError>) -> Result<T, Damage> {
    match catch_unwind(AssertUnwindSafe(read)) {
        Ok(result) => result.map_err(|e| in_words(&e)),
        Err(_) => Err("damaged: the reader of Parquet files has panicked".into()),
    }
}

fn in_words(error: &ParquetError) -> Damage {
    let text = error.to_string();
    if text.contains("zstd") && cfg!(not(feature = "zstd")) {
        return "compressed, which this build cannot read: it needs the feature zstd (cargo build --features full)"
            .into();
    }
    text.into()
}

#[cfg(test)]
mod tests {
    use arrow_array::types::UInt32Type;
    use arrow_array::{ArrayRef, PrimitiveArray, StringArray};
    use arrow_schema::{DataType, Field};

    use super::*;
    use crate::ranges::Fetched;

    /// Reading some rows asks only for the ranges that were fetched for them, in any groups and pages.
    #[test]
    fn ranges_are_all_that_is_read() {
        let schema = Arc::new(Schema::new(vec![
            Field::new("n", DataType::UInt32, false),
            Field::new("word", DataType::Utf8, false),
        ]));
        let columns: Vec<ArrayRef> = vec![
            Arc::new(PrimitiveArray::<UInt32Type>::from_iter_values(0..1000)),
            Arc::new(StringArray::from_iter_values((0..1000).map(|n| format!("word {}", n / 7)))),
        ];
        let batch = RecordBatch::try_new(Arc::clone(&schema), columns).expect("a batch");
        let small = properties(&[])
            .into_builder()
            .set_max_row_group_row_count(Some(100))
            .set_data_page_row_count_limit(10)
            .set_write_batch_size(10)
            .build();
        let mut writer = ArrowWriter::try_new(Vec::new(), schema, Some(small)).expect("a writer");
        writer.write(&batch).expect("rows");
        let bytes = Bytes::from(writer.into_inner().expect("a file"));
        let object = Object::open(bytes.clone()).expect("an object");
        assert_eq!(object.metadata().num_row_groups(), 10);
        for (first, rows) in [(0, 1), (0, 1000), (95, 10), (100, 100), (250, 300), (733, 3), (999, 1)] {
            let ranges = object.ranges(first, rows, None);
            let parts = ranges.iter().map(|range| bytes.slice(range.start as usize..range.end as usize));
            let fetched = object.by(Fetched::new(&ranges, parts.collect(), bytes.len() as u64));
            let found = fetched.read(first, rows, None).expect("rows");
            assert_eq!(found, batch.slice(first, rows), "{rows} rows from {first} on");
        }
        assert!(object.read(990, 20, None).is_err(), "beyond the end");
        assert!(object.read(2000, 1, None).is_err(), "far beyond the end");
    }
}
