//! The rows that a query found, for people and for programs.

use std::io::Write;

use arrow_array::RecordBatch;
use arrow_schema::{ArrowError, SchemaRef};
use datafusion::arrow::json::writer::{LineDelimited, WriterBuilder};
use datafusion::arrow::util::display::{ArrayFormatter, FormatOptions};
use datafusion::arrow::util::pretty::pretty_format_batches;

/// The format of rows.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Answer {
    /// A table for people.
    Table,
    /// One JSON object per row.
    Json,
    /// Comma-separated values.
    Csv,
}

/// Rows on their way to the output.
pub(super) struct Sheet<'a> {
    answer: Answer,
    out: &'a mut dyn Write,
    /// Tables are written at the end, because the widths of their columns depend on all rows.
    kept: Vec<RecordBatch>,
    begun: bool,
}

impl<'a> Sheet<'a> {
    pub(super) fn new(answer: Answer, out: &'a mut dyn Write) -> Sheet<'a> {
        Sheet { answer, out, kept: Vec::new(), begun: false }
    }

    /// Whether output was written that cannot be taken back.
    pub(super) fn has_begun(&self) -> bool {
        self.begun
    }

    pub(super) fn forget(&mut self) {
        self.kept.clear();
    }

    pub(super) fn add(&mut self, batch: RecordBatch) -> Result<(), ArrowError> {
        match self.answer {
            Answer::Table => {
                self.kept.push(batch);
                return Ok(());
            }
            Answer::Json => {
                let options = WriterBuilder::new().with_explicit_nulls(true);
                let mut writer = options.build::<_, LineDelimited>(&mut *self.out);
                writer.write(&batch)?;
                writer.finish()?;
            }
            Answer::Csv => {
                if !self.begun {
                    head(&batch.schema(), self.out)?;
                }
                lines(&batch, self.out)?;
            }
        }
        self.begun = true;
        Ok(())
    }

    /// Ends the output; without rows it has at least the names of the columns.
    pub(super) fn finish(&mut self, schema: &SchemaRef) -> Result<(), ArrowError> {
        match self.answer {
            Answer::Table => {
                if self.kept.is_empty() {
                    self.kept.push(RecordBatch::new_empty(schema.clone()));
                }
                writeln!(self.out, "{}", pretty_format_batches(&self.kept)?)?;
            }
            Answer::Csv if !self.begun => head(schema, self.out)?,
            Answer::Csv | Answer::Json => {}
        }
        Ok(self.out.flush()?)
    }
}

fn head(schema: &SchemaRef, out: &mut dyn Write) -> std::io::Result<()> {
    let names: Vec<String> = schema.fields().iter().map(|field| quoted(field.name())).collect();
    writeln!(out, "{}", names.join(","))
}

fn lines(batch: &RecordBatch, out: &mut dyn Write) -> Result<(), ArrowError> {
    let options = FormatOptions::default();
    let columns: Result<Vec<_>, _> =
        batch.columns().iter().map(|column| ArrayFormatter::try_new(column.as_ref(), &options)).collect();
    let columns = columns?;
    for row in 0..batch.num_rows() {
        let values: Vec<String> =
            columns.iter().map(|column| quoted(&column.value(row).to_string())).collect();
        writeln!(out, "{}", values.join(","))?;
    }
    Ok(())
}

fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
