//! The columns of a batch, by name and with checked types.

use std::ops::Range;

use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, ArrowPrimitiveType, ListArray, PrimitiveArray, RecordBatch, StringArray};

use crate::error::Damage;

/// The columns of a batch, by name and with checked types.
pub(crate) struct Columns<'a> {
    batch: &'a RecordBatch,
}

impl<'a> Columns<'a> {
    pub(crate) fn new(batch: &'a RecordBatch) -> Columns<'a> {
        Columns { batch }
    }

    pub(super) fn column(&self, name: &str) -> Result<&'a ArrayRef, Damage> {
        self.batch.column_by_name(name).ok_or_else(|| format!("expected a column {name}").into())
    }

    pub(crate) fn text(&self, name: &str) -> Result<&'a StringArray, Damage> {
        self.column(name)?.as_string_opt().ok_or_else(|| format!("{name}: expected text").into())
    }

    pub(crate) fn numbers<T: ArrowPrimitiveType>(&self, name: &str) -> Result<&'a PrimitiveArray<T>, Damage> {
        let numbers = self.column(name)?.as_primitive_opt();
        numbers.ok_or_else(|| format!("{name}: expected {}", T::DATA_TYPE).into())
    }

    /// A column of lists, and its items.
    pub(crate) fn lists<T: ArrowPrimitiveType>(&self, name: &str) -> Result<Lists<'a, T>, Damage> {
        let lists: &ListArray =
            self.column(name)?.as_list_opt().ok_or_else(|| format!("{name}: expected lists"))?;
        let items = lists.values().as_primitive_opt();
        Ok(Lists {
            lists,
            items: items.ok_or_else(|| format!("{name}: expected lists of {}", T::DATA_TYPE))?,
        })
    }
}

/// Lists of numbers.
pub(crate) struct Lists<'a, T: ArrowPrimitiveType> {
    lists: &'a ListArray,
    items: &'a PrimitiveArray<T>,
}

impl<'a, T: ArrowPrimitiveType> Lists<'a, T> {
    fn range(&self, row: usize) -> Range<usize> {
        let offsets = self.lists.value_offsets();
        offsets[row] as usize..offsets[row + 1] as usize
    }

    /// The list of a row; empty where it is null. Null numbers have arbitrary values.
    pub(crate) fn row(&self, row: usize) -> &'a [T::Native] {
        if self.lists.is_null(row) { &[] } else { &self.items.values()[self.range(row)] }
    }

    /// The list of a row; `None` where it is null, or where any number of the column is null.
    pub(crate) fn whole(&self, row: usize) -> Option<&'a [T::Native]> {
        (!self.lists.is_null(row) && self.items.null_count() == 0).then(|| self.row(row))
    }

    /// Number `i` of a row's list, if it is present.
    pub(crate) fn get(&self, row: usize, i: usize) -> Option<T::Native> {
        let range = self.range(row);
        let at = range.start + i;
        (!self.lists.is_null(row) && at < range.end && self.items.is_valid(at)).then(|| self.items.value(at))
    }

    /// The length of a row's list; `None` where it is null.
    pub(crate) fn len(&self, row: usize) -> Option<usize> {
        (!self.lists.is_null(row)).then(|| self.range(row).len())
    }
}
