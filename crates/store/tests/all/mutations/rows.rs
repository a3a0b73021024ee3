//! Rows with changed values, some of them consistent again.

use std::sync::Arc;

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::testkit::heap::Heap;
use anglerfish_rules::tictactoe::TicTacToe;
use anglerfish_rules::{Rng, RngExt};
use anglerfish_store::{StoredGame, decode, encode, schema};
use arrow_array::builder::{ListBuilder, PrimitiveBuilder, StringBuilder};
use arrow_array::cast::AsArray;
use arrow_array::types::{Int8Type, Int16Type, UInt32Type, UInt64Type};
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, PrimitiveArray, RecordBatch, StringArray};
use arrow_schema::{Field, Schema};

use super::{Base, Count, is_legal};
use crate::common::{all_of_banqi, all_of_heap, all_of_tictactoe};

const LISTS: [&str; 5] = ["events", "took", "value", "nodes", "candidates"];

pub(crate) fn change_all(rng: &mut Rng, count: u64) -> Count {
    let mut found = Count::default();
    change::<Banqi>(&Base::of(all_of_banqi()), rng, count - count / 4 * 2, &mut found);
    change::<TicTacToe>(&Base::of(all_of_tictactoe()), rng, count / 4, &mut found);
    change::<Heap>(&Base::of(all_of_heap()), rng, count / 4, &mut found);
    found
}

fn change<G: StoredGame>(bases: &[Base<G>], rng: &mut Rng, count: u64, found: &mut Count) {
    let batches: Vec<RecordBatch> =
        bases.iter().map(|base| encode("unit", &base.origin, &base.records)).collect();
    for _ in 0..count {
        let n = rng.below(bases.len() as u32) as usize;
        let mut batch = batches[n].clone();
        if rng.below(3) == 0 {
            batch = cut_short(&batch, rng);
        } else {
            for _ in 0..=rng.below(2) {
                batch = change_one(&batch, &batches[rng.below(batches.len() as u32) as usize], rng);
            }
        }
        match decode::<G>("unit", &bases[n].origin, &batch) {
            Ok(records) => {
                found.accepted += 1;
                assert!(records.iter().all(is_legal), "accepted, and not legal: {batch:?}");
            }
            Err(_) => found.refused += 1,
        }
    }
}

/// A batch of any columns, with nulls where its fields allow them.
fn batch(columns: Vec<(String, ArrayRef)>) -> RecordBatch {
    let fields: Vec<Field> =
        columns.iter().map(|(name, column)| Field::new(name, column.data_type().clone(), true)).collect();
    let columns = columns.into_iter().map(|(_, column)| column).collect();
    RecordBatch::try_new(Arc::new(Schema::new(fields)), columns).expect("columns of one length")
}

fn columns(batch: &RecordBatch) -> Vec<(String, ArrayRef)> {
    let names = batch.schema().fields().iter().map(|field| field.name().clone()).collect::<Vec<_>>();
    names.into_iter().zip(batch.columns().iter().cloned()).collect()
}

/// Ends a game after some plies, in all columns alike; its end may be missing or a forfeit.
fn cut_short(of: &RecordBatch, rng: &mut Rng) -> RecordBatch {
    let row = rng.below(of.num_rows() as u32) as usize;
    let plies = of["plies"].as_primitive::<UInt32Type>().value(row);
    let left = rng.below(plies + 1) as usize;
    let kind = rng.below(4);
    let changed = columns(of).into_iter().map(|(name, column)| {
        let changed: ArrayRef = match name.as_str() {
            "plies" => numbers::<UInt32Type>(&column, row, Some(left as u32)),
            name if LISTS.contains(&name) => lists(&column, row, &mut |list| {
                if let Some(list) = list {
                    list.truncate(left);
                }
            }),
            "result" if kind == 0 => numbers::<Int8Type>(&column, row, None),
            "reason" if kind == 0 => texts(&column, row, None),
            "reason" if kind == 1 => texts(&column, row, Some("timeout")),
            "result" if kind == 2 => numbers::<Int8Type>(&column, row, Some(rng.below(3) as i8 - 1)),
            _ => column,
        };
        (name, changed)
    });
    batch(changed.collect())
}

/// Changes one value, or a whole column.
fn change_one(of: &RecordBatch, other: &RecordBatch, rng: &mut Rng) -> RecordBatch {
    let mut all = columns(of);
    let at = rng.below(all.len() as u32) as usize;
    let row = rng.below(of.num_rows() as u32) as usize;
    let elsewhere = rng.below(all.len() as u32) as usize;
    match rng.below(40) {
        0 => drop(all.remove(at)),
        1 => all[at].1 = Arc::clone(&all[elsewhere].1),
        2 => all[at].1 = arrow_array::new_null_array(all[at].1.data_type(), of.num_rows()),
        3 => return batch(all).slice(row, of.num_rows() - row),
        4 => all.swap(at, elsewhere),
        _ => {
            let (name, column) = all[at].clone();
            all[at].1 = change_value(&name, &column, row, other, rng);
        }
    }
    batch(all)
}

fn change_value(name: &str, column: &ArrayRef, row: usize, other: &RecordBatch, rng: &mut Rng) -> ArrayRef {
    let any = rng.next_u64() >> rng.below(64);
    match name {
        _ if LISTS.contains(&name) => lists(column, row, &mut |list| change_list(list, rng)),
        "game" | "opening" | "plies" => numbers::<UInt32Type>(column, row, rng_option(rng, any as u32)),
        "result" => numbers::<Int8Type>(column, row, rng_option(rng, any as i8 % 3)),
        _ => {
            let texts_there = column.as_string_opt::<i32>();
            let now =
                texts_there.filter(|texts| texts.is_valid(row)).map(|texts| texts.value(row).to_owned());
            // A text of another game or column, or this one changed.
            let text = match rng.below(5) {
                0 => None,
                1 => text_of(other, name, rng),
                2 => text_of(other, schema().field(rng.below(17) as usize).name(), rng),
                3 => ["no-move", "no-pieces", "quiet", "repetition", "line", "full", "resigned"]
                    .get(rng.below(9) as usize)
                    .map(ToString::to_string),
                _ => now.map(|text| {
                    let mut chars: Vec<char> = text.chars().collect();
                    if !chars.is_empty() {
                        let at = rng.below(chars.len() as u32) as usize;
                        chars[at] = char::from(b' ' + rng.below(95) as u8);
                    }
                    chars.into_iter().collect()
                }),
            };
            texts(column, row, text.as_deref())
        }
    }
}

fn rng_option<T>(rng: &mut Rng, value: T) -> Option<T> {
    (rng.below(8) > 0).then_some(value)
}

fn text_of(batch: &RecordBatch, name: &str, rng: &mut Rng) -> Option<String> {
    let texts = batch.column_by_name(name)?.as_string_opt::<i32>()?;
    let row = rng.below(texts.len() as u32) as usize;
    texts.is_valid(row).then(|| texts.value(row).to_owned())
}

/// Items as text, of any type.
fn change_list(list: &mut Option<Vec<Option<String>>>, rng: &mut Rng) {
    let Some(items) = list else {
        *list = Some(vec![Some("1".to_owned())]);
        return;
    };
    let (n, any) = (items.len() as u32, rng.next_u64() >> rng.below(64));
    if n == 0 {
        items.push(Some(any.to_string()));
        return;
    }
    let (at, to) = (rng.below(n) as usize, rng.below(n) as usize);
    match rng.below(9) {
        0 => *list = None,
        1 => items.clear(),
        2 => items[at] = None,
        3 => drop(items.remove(at)),
        4 => items.insert(at, items[to].clone()),
        5 => items.swap(at, to),
        6 => items[at] = Some((any % 1600).to_string()),
        7 => items[at] = items[to].as_ref().map(|item| format!("{item} ")),
        _ => items[at] = Some(any.to_string()),
    }
}

fn numbers<T: ArrowPrimitiveType>(column: &ArrayRef, row: usize, value: Option<T::Native>) -> ArrayRef {
    let Some(numbers) = column.as_primitive_opt::<T>() else { return Arc::clone(column) };
    let changed = (0..numbers.len()).map(|n| match n {
        n if n == row => value,
        n => numbers.is_valid(n).then(|| numbers.value(n)),
    });
    Arc::new(changed.collect::<PrimitiveArray<T>>())
}

fn texts(column: &ArrayRef, row: usize, value: Option<&str>) -> ArrayRef {
    let Some(texts) = column.as_string_opt::<i32>() else { return Arc::clone(column) };
    let changed = (0..texts.len()).map(|n| match n {
        n if n == row => value,
        n => texts.is_valid(n).then(|| texts.value(n)),
    });
    Arc::new(changed.collect::<StringArray>())
}

/// The list of a row as text.
type List = Option<Vec<Option<String>>>;

/// Changes the list of a row; numbers that do not fit become null.
fn lists(column: &ArrayRef, row: usize, change: &mut dyn FnMut(&mut List)) -> ArrayRef {
    let Some(lists) = column.as_list_opt::<i32>() else { return Arc::clone(column) };
    let mut all: Vec<List> =
        (0..lists.len()).map(|n| lists.is_valid(n).then(|| items(&lists.value(n)))).collect();
    change(&mut all[row]);
    match lists.value_type() {
        arrow_schema::DataType::UInt32 => build::<UInt32Type>(&all, |text| text.parse().ok()),
        arrow_schema::DataType::Int16 => build::<Int16Type>(&all, |text| text.parse().ok()),
        arrow_schema::DataType::UInt64 => build::<UInt64Type>(&all, |text| text.parse().ok()),
        _ => {
            let mut built = ListBuilder::new(StringBuilder::new());
            for list in all {
                built.append_option(list);
            }
            Arc::new(built.finish())
        }
    }
}

fn build<T: ArrowPrimitiveType>(
    all: &[Option<Vec<Option<String>>>],
    read: impl Fn(&str) -> Option<T::Native>,
) -> ArrayRef {
    let mut built = ListBuilder::new(PrimitiveBuilder::<T>::new());
    for list in all {
        let list =
            list.as_ref().map(|list| list.iter().map(|item| read(item.as_deref()?)).collect::<Vec<_>>());
        built.append_option(list);
    }
    Arc::new(built.finish())
}

fn items(values: &ArrayRef) -> Vec<Option<String>> {
    let text = |n: usize| {
        let number = match values.data_type() {
            arrow_schema::DataType::UInt32 => values.as_primitive::<UInt32Type>().value(n).to_string(),
            arrow_schema::DataType::Int16 => values.as_primitive::<Int16Type>().value(n).to_string(),
            arrow_schema::DataType::UInt64 => values.as_primitive::<UInt64Type>().value(n).to_string(),
            _ => values.as_string::<i32>().value(n).to_owned(),
        };
        values.is_valid(n).then_some(number)
    };
    (0..values.len()).map(text).collect()
}
