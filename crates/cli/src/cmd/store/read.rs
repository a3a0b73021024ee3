//! `anglerfish store read`: reads the positions of a store in training order, and measures the speed.

use std::io::Write;

use anglerfish_arena::{Name, now};
use anglerfish_report::{counted, grouped};
use anglerfish_store::{Options, Sample, Shuffled, Store, StoredGame};
use serde_json::json;

use super::place;
use crate::progress::Progress;
use crate::terminal::answer;

/// Read all positions in a shuffled order, and show the speed and a digest of the sequence
///
/// Each position of a finished game comes once per epoch. The order depends only on the seed, the epoch and the units.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish store read games\n  anglerfish store read games --limit 100000 --json"
)]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// The seed of the order
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of epochs
    #[arg(long, value_name = "N", default_value_t = 1)]
    epochs: u64,
    /// Most positions of an epoch [default: all]
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// Skip this many positions at the beginning of each epoch: their games are counted, not replayed
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u64,
    /// Positions that are shuffled together
    #[arg(long, value_name = "N", default_value_t = Options::default().window)]
    window: usize,
    /// Include positions before random opening plies
    #[arg(long)]
    openings: bool,
    /// One JSON object per epoch
    #[arg(long)]
    json: bool,
}

/// Samples that are digested at once.
const BLOCK: usize = 1 << 16;

pub(super) fn run<G: StoredGame>(args: &Args) -> anyhow::Result<bool> {
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut out = answer(args.json);
    for epoch in 0..args.epochs {
        let began = now();
        let options = Options { window: args.window.max(1), openings: args.openings, skip: args.skip };
        let samples = Shuffled::new(&mut store, args.seed, epoch, options, G::key)?;
        let (mut sequence, mut progress) = (Sequence::default(), Progress::new());
        for sample in
            samples.take(args.limit.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX)))
        {
            sequence.add(&sample?);
            if sequence.count.is_multiple_of(BLOCK as u64) {
                progress.stands(format!("epoch {epoch}: {}", counted(sequence.count, "position")));
            }
        }
        progress.end();
        let (count, sum, digest) = (sequence.count, sequence.results, sequence.digest());
        let seconds = began.elapsed().as_secs_f64();
        let rate = count as f64 / seconds.max(1e-9);
        if args.json {
            let value = json!({ "epoch": epoch, "positions": count, "results": sum, "seconds": seconds, "per_second": rate.round(),
                "digest": digest.to_string() });
            writeln!(out, "{value}")?;
        } else {
            writeln!(
                out,
                "epoch {epoch}: {} in {seconds:.2} s, {} per second, digest {digest}",
                counted(count, "position"),
                grouped(rate.round() as u64)
            )?;
        }
        out.flush()?;
    }
    Ok(true)
}

/// A digest of samples in their order.
#[derive(Default)]
struct Sequence {
    count: u64,
    results: i64,
    bytes: Vec<u8>,
}

impl Sequence {
    fn add(&mut self, sample: &Sample<u64>) {
        self.count += 1;
        self.results += i64::from(sample.result);
        self.bytes.extend(sample.position.to_le_bytes());
        self.bytes.extend(sample.ply.to_le_bytes());
        self.bytes.extend(sample.value.unwrap_or(i16::MIN).to_le_bytes());
        self.bytes.extend([sample.seat.0, sample.result as u8]);
        if self.bytes.len() >= 16 * BLOCK {
            // The next block begins with the digest of all earlier ones.
            let digest = self.digest();
            self.bytes.clear();
            self.bytes.extend(digest.to_string().bytes());
        }
    }

    fn digest(&self) -> Name {
        Name::of_bytes(&self.bytes)
    }
}
