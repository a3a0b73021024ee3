//! Training data of the opponent-ranking network (Chang and others, 2021): the openings of games against a
//! champion as planes, each with a label.
//!
//! Each game gives one example: the opponent of the champion, as the champion saw it. Where the champion
//! played itself, the opponent is the second player of every other game and else the first. Folds are by
//! deal, so the games of one deal are all on the same side of a split.

use std::io::Write;
use std::sync::Arc;

use anglerfish_opponents::ornn::{Class, Features, KINDS, Opening, PLIES, SETS};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Record, Seat};
use arrow_array::builder::{
    FixedSizeListBuilder, Float32Builder, StringBuilder, UInt8Builder, UInt32Builder,
};
use arrow_array::types::UInt8Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use sha2::{Digest, Sha256};

use crate::error::StoreError;
use crate::rows::Columns;
use crate::small::checked;
use crate::store::Store;

/// The class of each player, by name.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    /// The champion, which is its own equal.
    pub champion: String,
    /// Players weaker than it.
    pub weaker: Vec<String>,
    /// Players stronger than it.
    pub stronger: Vec<String>,
}

/// An opening with its label.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The unit, and the number of the game in it.
    pub game: String,
    /// Which of the [`FOLDS`] folds its deal is in.
    pub fold: u8,
    /// How strong the opponent is.
    pub label: Class,
    /// The observed opening of the opponent.
    pub features: Features,
}

/// Number of folds.
pub const FOLDS: u8 = 10;

impl Labels {
    /// The seat and class of the opponent in this game; `None` if an unlisted player takes part.
    fn opponent(&self, record: &Record<Banqi>, place: u32) -> Option<(Seat, Class)> {
        let names = ["First", "Second"].map(|tag| record.tag(tag).unwrap_or_default());
        let class = |name: &str| match name {
            _ if self.weaker.iter().any(|other| other == name) => Some(Class::Weaker),
            _ if self.stronger.iter().any(|other| other == name) => Some(Class::Stronger),
            _ => None,
        };
        match names.map(|name| name == self.champion) {
            [true, true] => Some((Seat((place % 2) as u8), Class::Equal)),
            [true, false] => Some((Seat(1), class(names[1])?)),
            [false, true] => Some((Seat(0), class(names[0])?)),
            [false, false] => None,
        }
    }
}

impl Example {
    /// The example of a game; `None` if it is not one against the champion, or too short.
    pub fn of(
        record: &Record<Banqi>,
        unit: &str,
        place: u32,
        labels: &Labels,
        canonical: bool,
    ) -> Option<Example> {
        let (seat, label) = labels.opponent(record, place)?;
        let mut opening = Opening::default();
        let mut game = record.start.clone();
        for ply in &record.plies {
            opening.observe(&game, ply.event, ply.seat == seat);
            game.apply(ply.event);
        }
        if opening.seen() < PLIES {
            return None;
        }
        let opening = if canonical { opening.canonical() } else { opening };
        let fold = record.tag("Deal").map_or(0, |deal| Sha256::digest(deal)[0] % FOLDS);
        Some(Example { game: format!("{unit}.{place}"), fold, label, features: opening.features()? })
    }
}

/// Writes the examples of all games as an Arrow file, and returns how many there are of each class.
///
/// # Errors
/// When a file or object cannot be read or written, or games do not match their digest.
pub fn export_features(
    store: &mut Store<Banqi>,
    labels: &Labels,
    canonical: bool,
    out: &mut dyn Write,
    tell: &mut dyn FnMut(u64, u64),
) -> Result<[u64; 3], StoreError> {
    let units = store.units()?;
    let mut writer: Option<FileWriter<&mut dyn Write>> = None;
    let (mut out, mut counts) = (Some(out), [0; 3]);
    for (n, unit) in units.iter().enumerate() {
        let Some(rows) = store.rows(unit)? else {
            return Err(StoreError::damaged(format!("unit {unit}"), "it is gone"));
        };
        let records = checked::<Banqi>(unit, &rows)?;
        let name = unit.to_string();
        let of =
            |(place, record): (u32, &Record<Banqi>)| Example::of(record, &name, place, labels, canonical);
        let examples: Vec<Example> = (0..).zip(&records).filter_map(of).collect();
        for example in &examples {
            counts[example.label as usize] += 1;
        }
        let batch = batch(&examples).map_err(arrow)?;
        if let Some(out) = out.take() {
            writer = Some(FileWriter::try_new(out, &batch.schema()).map_err(arrow)?);
        }
        if let Some(writer) = writer.as_mut().filter(|_| !examples.is_empty()) {
            writer.write(&batch).map_err(arrow)?;
        }
        tell(n as u64 + 1, units.len() as u64);
    }
    if let Some(mut writer) = writer {
        writer.finish().map_err(arrow)?;
    }
    Ok(counts)
}

/// The label of an exported opening.
#[derive(Clone, Debug, Eq, PartialEq)]
pub struct Label {
    /// The unit, and the number of the game in it.
    pub game: String,
    /// Which fold its deal is in.
    pub fold: u8,
    /// How strong the opponent is.
    pub label: Class,
}

/// Reads the labels from a file of [`export_features`].
///
/// # Errors
/// When it is not such a file.
pub fn read_labels(file: std::fs::File) -> Result<Vec<Label>, StoreError> {
    let wrong = |why: String| StoreError::damaged("the openings", why);
    let mut labels = Vec::new();
    for batch in FileReader::try_new(file, None).map_err(arrow)? {
        let batch = batch.map_err(arrow)?;
        let columns = Columns::new(&batch);
        let games = columns.text("game").map_err(wrong)?;
        let (folds, classes) = (
            columns.numbers::<UInt8Type>("fold").map_err(wrong)?,
            columns.numbers::<UInt8Type>("label").map_err(wrong)?,
        );
        for row in 0..batch.num_rows() {
            let class = Class::ALL.get(usize::from(classes.value(row)));
            let label = *class
                .ok_or_else(|| wrong(format!("expected label 0 to 2, found {}", classes.value(row))))?;
            labels.push(Label { game: games.value(row).to_owned(), fold: folds.value(row), label });
        }
    }
    Ok(labels)
}

/// Examples as columns.
fn batch(examples: &[Example]) -> Result<RecordBatch, ArrowError> {
    let (mut game, mut fold, mut label) = (StringBuilder::new(), UInt8Builder::new(), UInt8Builder::new());
    let mut boards = FixedSizeListBuilder::new(UInt32Builder::new(), SETS as i32);
    let mut unrevealed = FixedSizeListBuilder::new(Float32Builder::new(), KINDS as i32);
    for example in examples {
        game.append_value(&example.game);
        fold.append_value(example.fold);
        label.append_value(example.label as u8);
        boards.values().append_slice(&example.features.boards);
        boards.append(true);
        unrevealed.values().append_slice(&example.features.unrevealed);
        unrevealed.append(true);
    }
    let columns: [(&str, ArrayRef); 5] = [
        ("game", Arc::new(game.finish())),
        ("fold", Arc::new(fold.finish())),
        ("label", Arc::new(label.finish())),
        ("boards", Arc::new(boards.finish())),
        ("unrevealed", Arc::new(unrevealed.finish())),
    ];
    RecordBatch::try_from_iter(columns)
}

#[expect(clippy::needless_pass_by_value, reason = "map_err calls it so")]
fn arrow(error: ArrowError) -> StoreError {
    StoreError::Other(format!("Arrow: {error}"))
}
