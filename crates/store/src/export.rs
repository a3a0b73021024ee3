//! Exports the games of a store: verified, and ordered by the names of their units, independent of the layout.

use std::fmt::Write as _;
use std::io::Write;
use std::str::FromStr;

use anglerfish_arena::write_games;
use anglerfish_rules::{Annotation, NotationError, Points, Record};
use arrow_array::RecordBatch;
use arrow_ipc::writer::{FileWriter, StreamWriter};
use arrow_schema::ArrowError;
use serde_json::{Map, Value, json};

use crate::error::StoreError;
use crate::rows::{opening, result, schema};
use crate::small::checked;
use crate::store::Store;
use crate::stored_game::StoredGame;

/// The format of an export.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// Our own records, byte for byte as they were put.
    Records,
    /// One line per game, after a line with the names of the columns.
    Csv,
    /// One JSON object per game.
    Jsonl,
    /// The stored rows, as an Arrow file.
    Arrow,
    /// The stored rows, as an Arrow stream, for readers of a pipe.
    ArrowStream,
}

impl FromStr for Format {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Format, NotationError> {
        match text {
            "records" => Ok(Format::Records),
            "csv" => Ok(Format::Csv),
            "jsonl" => Ok(Format::Jsonl),
            "arrow" => Ok(Format::Arrow),
            "arrow-stream" => Ok(Format::ArrowStream),
            _ => Err(NotationError::new("records, csv, jsonl, arrow or arrow-stream", text, 0)),
        }
    }
}

/// The columns of CSV and JSON lines.
const COLUMNS: [&str; 15] = [
    "unit", "game", "first", "second", "budget", "rules", "start", "opening", "plies", "result", "reason",
    "moves", "value", "nodes", "took",
];

/// Writes all games as of now, and returns their number. `tell` receives the number of units done and of all.
///
/// # Errors
/// When a file or object cannot be read or written, or games do not match their digest.
pub fn export<G: StoredGame>(
    store: &mut Store<G>,
    format: Format,
    out: &mut dyn Write,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<u64, StoreError> {
    let failed = |source| StoreError::File { file: "the export".to_owned(), source };
    let units = store.units()?;
    let mut sink = Sink::new(format, out)?;
    let mut games = 0;
    for (n, unit) in units.iter().enumerate() {
        let Some(rows) = store.rows(unit)? else {
            return Err(StoreError::damaged(format!("unit {unit}"), "it is gone"));
        };
        let records = checked::<G>(unit, &rows)?;
        games += records.len() as u64;
        match &mut sink {
            Sink::Records(out) => out.write_all(write_games(&records).as_bytes()).map_err(failed)?,
            Sink::Lines(out, csv) => {
                let lines = records.iter().enumerate().map(|(game, record)| {
                    let row = row(&unit.to_string(), game as u32, record);
                    if *csv { csv_line(&row) } else { Value::Object(row).to_string() + "\n" }
                });
                out.write_all(lines.collect::<String>().as_bytes()).map_err(failed)?;
            }
            sink => sink.batch(&rows.batch)?,
        }
        tell(n as u64 + 1, units.len() as u64);
    }
    sink.finish().map_err(failed)?;
    Ok(games)
}

/// The destination of games.
enum Sink<'a> {
    Records(&'a mut dyn Write),
    /// Lines of CSV if true, else of JSON.
    Lines(&'a mut dyn Write, bool),
    File(FileWriter<&'a mut dyn Write>),
    Stream(StreamWriter<&'a mut dyn Write>),
}

impl<'a> Sink<'a> {
    fn new(format: Format, out: &'a mut dyn Write) -> Result<Sink<'a>, StoreError> {
        let failed = |source| StoreError::File { file: "the export".to_owned(), source };
        Ok(match format {
            Format::Records => Sink::Records(out),
            Format::Csv => {
                writeln!(out, "{},tags", COLUMNS.join(",")).map_err(failed)?;
                Sink::Lines(out, true)
            }
            Format::Jsonl => Sink::Lines(out, false),
            Format::Arrow => Sink::File(FileWriter::try_new(out, &schema()).map_err(arrow)?),
            Format::ArrowStream => Sink::Stream(StreamWriter::try_new(out, &schema()).map_err(arrow)?),
        })
    }

    /// Writes the rows of one unit as a batch.
    fn batch(&mut self, batch: &RecordBatch) -> Result<(), StoreError> {
        match self {
            Sink::File(writer) => writer.write(batch).map_err(arrow),
            Sink::Stream(writer) => writer.write(batch).map_err(arrow),
            Sink::Records(_) | Sink::Lines(..) => unreachable!("texts are written as texts"),
        }
    }

    fn finish(self) -> std::io::Result<()> {
        match self {
            Sink::Records(out) | Sink::Lines(out, _) => out.flush(),
            Sink::File(mut writer) => writer.finish().map_err(std::io::Error::other),
            Sink::Stream(mut writer) => writer.finish().map_err(std::io::Error::other),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "map_err calls it so")]
fn arrow(error: ArrowError) -> StoreError {
    StoreError::Other(format!("Arrow: {error}"))
}

/// A game by column.
fn row<G: StoredGame>(unit: &str, game: u32, record: &Record<G>) -> Map<String, Value> {
    let usual = crate::rows::usual_start::<G>(&record.start.rules()) == record.start;
    let moves: Vec<String> = record.plies.iter().map(|ply| ply.event.to_string()).collect();
    let thought = |of: &dyn Fn(&Annotation<G::Action>) -> Option<Value>| -> Value {
        let all: Vec<Option<Value>> =
            (0..record.plies.len()).map(|ply| of(record.annotation(ply)?)).collect();
        if all.iter().any(Option::is_some) { json!(all) } else { Value::Null }
    };
    let took: Vec<u64> = record.plies.iter().map(|ply| ply.took.as_millis() as u64).collect();
    let tag = |name: &str| record.tag(name).unwrap_or_default();
    let values: [Value; COLUMNS.len()] = [
        unit.into(),
        game.into(),
        tag("First").into(),
        tag("Second").into(),
        tag("Budget").into(),
        record.start.rules().to_string().into(),
        if usual { Value::Null } else { record.start.to_string().into() },
        opening(record).into(),
        record.plies.len().into(),
        record.ending.map(|ending| result(ending.outcome)).into(),
        record.ending.map(|ending| ending.cause.text()).into(),
        moves.join(" ").into(),
        thought(&|a| a.value.map(|value| Points::ten_thousandths(value).into())),
        thought(&|a| a.nodes.map(Value::from)),
        if took.iter().any(|ms| *ms > 0) { json!(took) } else { Value::Null },
    ];
    let mut row: Map<String, Value> = COLUMNS.iter().map(|name| (*name).to_owned()).zip(values).collect();
    let tags: Map<String, Value> =
        record.tags.iter().map(|(name, value)| (name.clone(), json!(value))).collect();
    row.insert("tags".to_owned(), Value::Object(tags));
    row
}

/// A line of CSV. A list is its numbers with spaces between; a missing one is a hyphen.
fn csv_line(row: &Map<String, Value>) -> String {
    let mut line = String::new();
    for (n, name) in COLUMNS.iter().chain(&["tags"]).enumerate() {
        let text = match &row[*name] {
            Value::Null => String::new(),
            Value::String(text) => text.clone(),
            Value::Array(list) => {
                let words = list.iter().map(|v| if v.is_null() { "-".to_owned() } else { v.to_string() });
                words.collect::<Vec<_>>().join(" ")
            }
            other => other.to_string(),
        };
        line += if n > 0 { "," } else { "" };
        if text.contains([',', '"', '\n', '\r']) {
            let _ = write!(line, "\"{}\"", text.replace('"', "\"\""));
        } else {
            line += &text;
        }
    }
    line + "\n"
}
