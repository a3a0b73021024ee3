//! Examples: an Arrow file with a known digest, checked once and split by its folds.

use std::fs;
use std::io::Cursor;
use std::path::Path;

use anyhow::{Context, bail, ensure};
use arrow_array::cast::AsArray;
use arrow_array::types::{ArrowPrimitiveType, Float32Type, UInt8Type, UInt32Type};
use arrow_array::{Array, ArrayRef, PrimitiveArray, RecordBatch};
use arrow_ipc::reader::FileReader;
use sha2::{Digest, Sha256};

use crate::manifest::{FOLDS, Manifest};
use crate::planes::{BITS, VALUES};

/// Number of labels: the opponent is weaker, equal or stronger.
pub const LABELS: usize = 3;

/// An opening, and the class of the opponent.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Its game.
    pub game: String,
    /// The fold of the game's deal.
    pub fold: u8,
    /// 0 weaker, 1 equal, 2 stronger.
    pub label: u8,
    /// The planes that are sets of squares.
    pub boards: [u32; BITS],
    /// The constant planes.
    pub unrevealed: [f32; VALUES],
}

/// All examples by their use.
#[derive(Debug, Default)]
pub struct Data {
    /// Those to train on.
    pub training: Vec<Example>,
    /// Those that choose the epoch.
    pub validation: Vec<Example>,
    /// Those that are held out.
    pub test: Vec<Example>,
}

impl Data {
    /// Reads the data file of a manifest.
    ///
    /// # Errors
    /// When the file cannot be read, does not match the manifest's digest, or leaves one of the three parts empty.
    pub fn read(path: &Path, manifest: &Manifest) -> anyhow::Result<Data> {
        let bytes = fs::read(path).with_context(|| format!("reading {}", path.display()))?;
        let found = digest(&bytes);
        ensure!(
            found.eq_ignore_ascii_case(&manifest.data),
            "{}: expected SHA-256 {}, found {found}",
            path.display(),
            manifest.data
        );
        let examples = examples(bytes).with_context(|| format!("in the data file {}", path.display()))?;
        Data::split(examples, manifest)
    }

    fn split(examples: Vec<Example>, manifest: &Manifest) -> anyhow::Result<Data> {
        let mut data = Data::default();
        for example in examples {
            let part = match example.fold {
                fold if fold == manifest.test_fold => &mut data.test,
                fold if fold == manifest.validation_fold => &mut data.validation,
                _ => &mut data.training,
            };
            part.push(example);
        }
        ensure!(!data.test.is_empty(), "no example has the test fold {}", manifest.test_fold);
        ensure!(
            !data.validation.is_empty(),
            "no example has the validation fold {}",
            manifest.validation_fold
        );
        ensure!(!data.training.is_empty(), "every example is held out, none is left to train on");
        Ok(data)
    }
}

/// SHA-256 as hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().fold(String::new(), |digits, byte| digits + &format!("{byte:02x}"))
}

/// All rows of an Arrow file.
fn examples(bytes: Vec<u8>) -> anyhow::Result<Vec<Example>> {
    let reader = FileReader::try_new(Cursor::new(bytes), None).context("expected an Arrow IPC file")?;
    let mut examples = Vec::new();
    for batch in reader {
        rows(&batch?, &mut examples)?;
    }
    Ok(examples)
}

fn rows(batch: &RecordBatch, examples: &mut Vec<Example>) -> anyhow::Result<()> {
    let game = column(batch, "game")?;
    let game = game.as_string_opt::<i32>().with_context(|| wrong("game", "Utf8", game))?;
    let fold = numbers::<UInt8Type>("fold", column(batch, "fold")?)?;
    let label = numbers::<UInt8Type>("label", column(batch, "label")?)?;
    let boards = lists::<UInt32Type, BITS>("boards", column(batch, "boards")?)?;
    let unrevealed = lists::<Float32Type, VALUES>("unrevealed", column(batch, "unrevealed")?)?;
    for row in 0..batch.num_rows() {
        let example = Example {
            game: game.value(row).to_owned(),
            fold: fold.value(row),
            label: label.value(row),
            boards: boards[row],
            unrevealed: unrevealed[row],
        };
        check(&example).with_context(|| format!("row {}", examples.len()))?;
        examples.push(example);
    }
    Ok(())
}

fn check(example: &Example) -> anyhow::Result<()> {
    let Example { fold, label, unrevealed, .. } = example;
    ensure!(*fold < FOLDS, "expected a fold from 0 to 9, found {fold}");
    ensure!(usize::from(*label) < LABELS, "expected a label from 0 to 2, found {label}");
    if let Some(value) = unrevealed.iter().find(|value| !value.is_finite()) {
        bail!("expected finite unrevealed values, found {value}");
    }
    Ok(())
}

/// A column without nulls.
fn column<'a>(batch: &'a RecordBatch, name: &str) -> anyhow::Result<&'a ArrayRef> {
    let found =
        batch.column_by_name(name).with_context(|| format!("expected a column {name:?}, found none"))?;
    ensure!(found.null_count() == 0, "expected a value in every row of {name:?}, found nulls");
    Ok(found)
}

fn numbers<'a, T: ArrowPrimitiveType>(
    name: &str,
    found: &'a ArrayRef,
) -> anyhow::Result<&'a PrimitiveArray<T>> {
    found.as_primitive_opt::<T>().with_context(|| wrong(name, &T::DATA_TYPE.to_string(), found))
}

/// A column of lists of length `N`.
fn lists<'a, T: ArrowPrimitiveType, const N: usize>(
    name: &str,
    found: &'a ArrayRef,
) -> anyhow::Result<&'a [[T::Native; N]]> {
    let expected = || wrong(name, &format!("FixedSizeList<{}, {N}>", T::DATA_TYPE), found);
    let lists = found.as_fixed_size_list_opt().with_context(expected)?;
    ensure!(usize::try_from(lists.value_length()) == Ok(N), expected());
    let values = lists.values().as_primitive_opt::<T>().with_context(expected)?;
    ensure!(values.null_count() == 0, "expected {N} values in every list of {name:?}, found nulls");
    let (lists, rest) = values.values().as_chunks::<N>();
    ensure!(rest.is_empty() && lists.len() == found.len(), "expected {N} values a row in {name:?}");
    Ok(lists)
}

fn wrong(name: &str, expected: &str, found: &ArrayRef) -> String {
    format!("expected column {name:?} to be {expected}, found {}", found.data_type())
}
