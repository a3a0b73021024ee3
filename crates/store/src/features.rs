//! Training data of the opponent-ranking network (Chang and others, 2021): the openings of games against a
//! champion as planes, each with a label. The caller brings the planes: the store knows no network.
//!
//! Each game gives one example: the opponent of the champion, as the champion saw it. Where the champion
//! played itself, the opponent is the second player of every other game and else the first. Folds are by
//! deal, so the games of one deal are all on the same side of a split.

use std::io::Write;
use std::sync::Arc;

use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Record, Seat};
use arrow_array::builder::{
    FixedSizeListBuilder, Float32Builder, StringBuilder, UInt8Builder, UInt32Builder,
};
use arrow_array::types::UInt8Type;
use arrow_array::{ArrayRef, RecordBatch};
use arrow_ipc::reader::FileReader;
use arrow_ipc::writer::FileWriter;
use arrow_schema::ArrowError;
use sha2::{Digest, Sha256};

use crate::error::{Damage, StoreError};
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

/// An opening as planes: those that are sets of squares, and those of one value.
pub type Planes<const SETS: usize, const VALUES: usize> = ([u32; SETS], [f32; VALUES]);

/// How strong the opponent is, as numbers of the labels: weaker than the champion, its equal, stronger.
const CLASSES: [u8; 3] = [0, 1, 2];

/// An opening with its label.
struct Example<const SETS: usize, const VALUES: usize> {
    label: Label,
    planes: Planes<SETS, VALUES>,
}

/// Number of folds.
const FOLDS: u8 = 10;

impl Labels {
    /// The seat and class of the opponent in this game; `None` if an unlisted player takes part.
    fn opponent(&self, record: &Record<Banqi>, place: u32) -> Option<(Seat, u8)> {
        let [weaker, equal, stronger] = CLASSES;
        let names = ["First", "Second"].map(|tag| record.tag(tag).unwrap_or_default());
        let class = |name: &str| match name {
            _ if self.weaker.iter().any(|other| other == name) => Some(weaker),
            _ if self.stronger.iter().any(|other| other == name) => Some(stronger),
            _ => None,
        };
        match names.map(|name| name == self.champion) {
            [true, true] => Some((Seat((place % 2) as u8), equal)),
            [true, false] => Some((Seat(1), class(names[1])?)),
            [false, true] => Some((Seat(0), class(names[0])?)),
            [false, false] => None,
        }
    }
}

/// Writes the examples of all games as an Arrow file, and returns how many there are of each class. `planes` makes the planes of the
/// opening that the player in a seat has played; none of a game that is too short.
///
/// # Errors
/// When a file or object cannot be read or written, or games do not match their digest.
pub fn export_features<const SETS: usize, const VALUES: usize>(
    store: &mut Store<Banqi>,
    labels: &Labels,
    planes: &dyn Fn(&Record<Banqi>, Seat) -> Option<Planes<SETS, VALUES>>,
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
        let of = |(place, record): (u32, &Record<Banqi>)| {
            let (seat, class) = labels.opponent(record, place)?;
            let planes = planes(record, seat)?;
            let fold = record.tag("Deal").map_or(0, |deal| Sha256::digest(deal)[0] % FOLDS);
            Some(Example { label: Label { game: format!("{name}.{place}"), fold, class }, planes })
        };
        let examples: Vec<Example<SETS, VALUES>> = (0..).zip(&records).filter_map(of).collect();
        for example in &examples {
            counts[usize::from(example.label.class)] += 1;
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
    /// Which of ten folds its deal is in.
    pub fold: u8,
    /// How strong the opponent is: 0 weaker than the champion, 1 its equal, 2 stronger.
    pub class: u8,
}

/// Reads the labels from a file of [`export_features`].
///
/// # Errors
/// When it is not such a file.
pub fn read_labels(file: std::fs::File) -> Result<Vec<Label>, StoreError> {
    let wrong = |why: Damage| StoreError::damaged("the openings", why);
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
            let class = classes.value(row);
            if !CLASSES.contains(&class) {
                return Err(wrong(format!("expected label 0 to 2, found {class}").into()));
            }
            labels.push(Label { game: games.value(row).to_owned(), fold: folds.value(row), class });
        }
    }
    Ok(labels)
}

/// Examples as columns.
fn batch<const SETS: usize, const VALUES: usize>(
    examples: &[Example<SETS, VALUES>],
) -> Result<RecordBatch, ArrowError> {
    let (mut game, mut fold, mut label) = (StringBuilder::new(), UInt8Builder::new(), UInt8Builder::new());
    let mut boards = FixedSizeListBuilder::new(UInt32Builder::new(), SETS as i32);
    let mut unrevealed = FixedSizeListBuilder::new(Float32Builder::new(), VALUES as i32);
    for Example { label: of, planes: (sets, values) } in examples {
        game.append_value(&of.game);
        fold.append_value(of.fold);
        label.append_value(of.class);
        boards.values().append_slice(sets);
        boards.append(true);
        unrevealed.values().append_slice(values);
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
