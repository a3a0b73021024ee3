//! A data file without games: random openings with labels that show in the plies.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use anglerfish_rules::{Rng, RngExt};
use arrow_array::types::{Float32Type, UInt32Type};
use arrow_array::{ArrayRef, FixedSizeListArray, RecordBatch, StringArray, UInt8Array};
use arrow_ipc::writer::FileWriter;

/// Writes this many examples.
pub fn write(path: &Path, n: usize, seed: u64) -> anyhow::Result<()> {
    let mut rng = Rng::stream(seed, "synthetic");
    let labels: Vec<u8> = (0..n).map(|_| rng.below(3) as u8).collect();
    let boards = labels.iter().map(|&label| Some(boards(label, &mut rng)));
    let boards = FixedSizeListArray::from_iter_primitive::<UInt32Type, _, _>(boards, 72);
    let unrevealed = labels.iter().map(|_| Some(unrevealed(&mut rng)));
    let unrevealed = FixedSizeListArray::from_iter_primitive::<Float32Type, _, _>(unrevealed, 14);
    let games: StringArray = (0..n).map(|i| Some(format!("game-{i}"))).collect();
    let folds: UInt8Array = (0..n).map(|i| (i % 10) as u8).collect();
    let columns: [(&str, ArrayRef); 5] = [
        ("game", Arc::new(games)),
        ("fold", Arc::new(folds)),
        ("label", Arc::new(UInt8Array::from(labels))),
        ("boards", Arc::new(boards)),
        ("unrevealed", Arc::new(unrevealed)),
    ];
    let batch = RecordBatch::try_from_iter(columns)?;
    let mut writer = FileWriter::try_new_buffered(File::create(path)?, &batch.schema())?;
    // Two batches, so that readers cannot rely on one.
    let half = n / 2;
    writer.write(&batch.slice(0, half))?;
    writer.write(&batch.slice(half, n - half))?;
    writer.finish()?;
    Ok(())
}

/// Every square in one of the 16 planes of the board, then one bit per ply: the stronger, the more jumps and
/// the fewer flips.
fn boards(label: u8, rng: &mut Rng) -> Vec<Option<u32>> {
    let mut boards = [0u32; 72];
    for square in 0..32 {
        let plane = if rng.below(8) == 0 { rng.below(16) } else { 14 };
        boards[plane as usize] |= 1 << square;
    }
    for ply in 0..7 {
        let kind = match (label, rng.below(4)) {
            (0, 0..3) => 4,
            (2, 0..3) => 5 + rng.below(3),
            _ => rng.below(8),
        };
        boards[16 + 8 * ply + kind as usize] |= 1 << rng.below(32);
    }
    boards.map(Some).to_vec()
}

/// From −1 to 1 in steps of a fifth.
fn unrevealed(rng: &mut Rng) -> Vec<Option<f32>> {
    (0..14).map(|_| Some(rng.below(11) as f32 / 5.0 - 1.0)).collect()
}
