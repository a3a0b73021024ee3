//! Games as rows: one row per game, with the columns of docs/formats.md, both ways without loss.
//!
//! Facts that the unit implies (seeds, deals, rounds) are not stored a second time: `tags` is null where the
//! unit implies them all. Reading replays every game, so no illegal game ever comes out of a store.

mod columns;
mod decode;

use std::sync::Arc;

use anglerfish_rules::{Annotation, Candidate, Game, Outcome, Ply, Points, Record, Rng, Team};
use arrow_array::builder::{
    Int8Builder, Int16Builder, ListBuilder, StringBuilder, UInt32Builder, UInt64Builder,
};
use arrow_array::types::UInt32Type;
use arrow_array::{ArrayRef, PrimitiveArray, RecordBatch};
use arrow_schema::{DataType, Field, Schema};

use crate::stored_game::StoredGame;
use crate::unit::Origin;

pub(crate) use columns::{Columns, Lists};
pub use decode::decode;
pub(crate) use decode::{decode_each, read_start};

/// The version of the columns.
pub const ROWS_FORMAT: &str = "1";

/// The columns.
pub fn schema() -> Arc<Schema> {
    let list = |name: &str, of: DataType, nullable: bool| {
        let item = Field::new("item", of, nullable);
        Field::new(name, DataType::List(Arc::new(item)), nullable)
    };
    Arc::new(Schema::new(vec![
        Field::new("unit", DataType::Utf8, false),
        Field::new("game", DataType::UInt32, false),
        Field::new("first", DataType::Utf8, false),
        Field::new("second", DataType::Utf8, false),
        Field::new("budget", DataType::Utf8, false),
        Field::new("rules", DataType::Utf8, false),
        Field::new("start", DataType::Utf8, true),
        Field::new("opening", DataType::UInt32, false),
        Field::new("plies", DataType::UInt32, false),
        list("events", DataType::UInt32, false),
        Field::new("result", DataType::Int8, true),
        Field::new("reason", DataType::Utf8, true),
        Field::new("tags", DataType::Utf8, true),
        list("took", DataType::UInt32, true),
        list("value", DataType::Int16, true),
        list("nodes", DataType::UInt64, true),
        list("candidates", DataType::Utf8, true),
    ]))
}

/// The result of a game for the team that moved first: 1, 0 or -1.
pub fn result(outcome: Outcome) -> i8 {
    match outcome {
        Outcome::Win(Team::A) => 1,
        Outcome::Draw => 0,
        Outcome::Win(Team::B) => -1,
    }
}

/// Games of a unit as rows.
pub fn encode<G: StoredGame>(unit: &str, origin: &Origin, records: &[Record<G>]) -> RecordBatch {
    let n = records.len();
    let texts = |value: &dyn Fn(&Record<G>) -> Option<String>| -> ArrayRef {
        let mut column = StringBuilder::with_capacity(n, 16 * n);
        for record in records {
            column.append_option(value(record));
        }
        Arc::new(column.finish())
    };
    let tag =
        |name: &'static str| move |record: &Record<G>| Some(record.tag(name).unwrap_or_default().to_owned());
    let opened: Vec<u32> = records.iter().map(opening).collect();
    let (mut starts, mut tags) = (StringBuilder::new(), StringBuilder::new());
    for (i, (record, opened)) in records.iter().zip(&opened).enumerate() {
        let rules = record.start.rules();
        let usual = origin.heading::<G>(&rules, i as u32, *opened);
        let start_is_usual = usual_start::<G>(&rules) == record.start;
        let tags_are_usual = usual.as_ref().is_some_and(|usual| usual.tags == record.tags);
        starts.append_option((!start_is_usual).then(|| record.start.to_string()));
        let all =
            || serde_json::to_string(&record.tags).unwrap_or_else(|e| unreachable!("texts are JSON: {e}"));
        tags.append_option((!tags_are_usual).then(all));
    }
    let columns: Vec<ArrayRef> = vec![
        texts(&|_| Some(unit.to_owned())),
        Arc::new(PrimitiveArray::<UInt32Type>::from_iter_values(0..n as u32)),
        texts(&tag("First")),
        texts(&tag("Second")),
        texts(&tag("Budget")),
        texts(&|record| Some(record.start.rules().to_string())),
        Arc::new(starts.finish()),
        Arc::new(PrimitiveArray::<UInt32Type>::from_iter_values(opened)),
        Arc::new(PrimitiveArray::<UInt32Type>::from_iter_values(
            records.iter().map(|r| r.plies.len() as u32),
        )),
        events(records),
        {
            let mut column = Int8Builder::with_capacity(n);
            for record in records {
                column.append_option(record.ending.map(|e| result(e.outcome)));
            }
            Arc::new(column.finish())
        },
        texts(&|record| record.ending.map(|e| e.cause.text().to_owned())),
        Arc::new(tags.finish()),
        took(records),
        values(records),
        nodes(records),
        candidates(records),
    ];
    RecordBatch::try_new(schema(), columns).unwrap_or_else(|e| unreachable!("columns of one length: {e}"))
}

/// Number of random opening plies.
pub(crate) fn opening<G: Game>(record: &Record<G>) -> u32 {
    record.tag("Opening").and_then(|n| n.parse().ok()).unwrap_or_default()
}

fn events<G: StoredGame>(records: &[Record<G>]) -> ArrayRef {
    let item = Field::new("item", DataType::UInt32, false);
    let mut column = ListBuilder::new(UInt32Builder::new()).with_field(item);
    for record in records {
        record.plies.iter().for_each(|ply| column.values().append_value(G::code(ply.event)));
        column.append(true);
    }
    Arc::new(column.finish())
}

fn took<G: Game>(records: &[Record<G>]) -> ArrayRef {
    let mut column = ListBuilder::new(UInt32Builder::new());
    for record in records {
        let ms = |ply: &Ply<G::Event>| u32::try_from(ply.took.as_millis()).unwrap_or(u32::MAX);
        let measured = record.plies.iter().any(|ply| ms(ply) > 0);
        if measured {
            record.plies.iter().for_each(|ply| column.values().append_value(ms(ply)));
        }
        column.append(measured);
    }
    Arc::new(column.finish())
}

/// One part of the thoughts at each ply of a game; `None` if no ply has it.
fn thoughts<'a, G: Game, T>(
    record: &'a Record<G>,
    part: impl Fn(&'a Annotation<G::Action>) -> Option<T>,
) -> Option<Vec<Option<T>>> {
    let all: Vec<_> = (0..record.plies.len()).map(|ply| part(record.annotation(ply)?)).collect();
    all.iter().any(Option::is_some).then_some(all)
}

fn values<G: Game>(records: &[Record<G>]) -> ArrayRef {
    let mut column = ListBuilder::new(Int16Builder::new());
    for record in records {
        let thought = thoughts(record, |a| a.value.map(Points::ten_thousandths));
        column.append_option(thought);
    }
    Arc::new(column.finish())
}

fn nodes<G: Game>(records: &[Record<G>]) -> ArrayRef {
    let mut column = ListBuilder::new(UInt64Builder::new());
    for record in records {
        column.append_option(thoughts(record, |a| a.nodes));
    }
    Arc::new(column.finish())
}

fn candidates<G: Game>(records: &[Record<G>]) -> ArrayRef {
    let mut column = ListBuilder::new(StringBuilder::new());
    for record in records {
        let words = |a: &Annotation<G::Action>| {
            let all: Vec<String> = a.candidates.iter().map(Candidate::to_string).collect();
            (!all.is_empty()).then(|| all.join(" "))
        };
        column.append_option(thoughts(record, words));
    }
    Arc::new(column.finish())
}

/// The usual start of games under these rules, which rows leave out.
pub(crate) fn usual_start<G: Game>(rules: &G::Rules) -> G {
    G::deal(rules, &mut Rng::new(0))
}
