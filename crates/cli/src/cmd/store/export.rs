//! `anglerfish store export`: games from a store, in formats of other programs.

use std::io::{BufWriter, Error, ErrorKind, IsTerminal, Write};
use std::path::PathBuf;

use anglerfish_opponents::ornn::Opening;
use anglerfish_report::{counted, grouped};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{NotationError, Record, Seat};
use anglerfish_store::{Format, Labels, Store, StoredGame, export, export_features};
use anyhow::{anyhow, bail, ensure};

use super::place;
use crate::output::write_out;
use crate::progress::Progress;
use crate::terminal::{machines, note};

/// Write all games of a store: as records, CSV, JSON lines or Arrow
///
/// Games are checked against their digests as they are read, and are ordered by the names of their units, so
/// two stores with the same units give the same file. Records are byte for byte as they were put.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store export games --out all.games
  anglerfish store export games --format csv | head
  anglerfish store export games --format arrow --out all.arrow
  anglerfish store export games --features ornn --champion us --weaker beginner --stronger master --out openings.arrow")]
pub(super) struct Args {
    /// The store
    pub(super) store: String,
    /// records, csv, jsonl, arrow (a file) or arrow-stream
    #[arg(long, default_value = "records")]
    format: String,
    /// Instead of the games, training data of the opponent-ranking network as an Arrow file: ornn [default: the games]
    #[arg(long, value_name = "NAME", requires = "champion", conflicts_with = "format")]
    pub(super) features: Option<String>,
    /// The player whose opponents are labeled; it is its own equal [default: none]
    #[arg(long, value_name = "PLAYER", requires = "features")]
    champion: Option<String>,
    /// A player that is weaker than the champion; may be given several times [default: none]
    #[arg(long, value_name = "PLAYER", requires = "features")]
    weaker: Vec<String>,
    /// A player that is stronger than the champion; may be given several times [default: none]
    #[arg(long, value_name = "PLAYER", requires = "features")]
    stronger: Vec<String>,
    /// Turn, mirror and recolor every opening into one form
    #[arg(long, requires = "features")]
    canonical: bool,
    /// Write into this file [default: the standard output]
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// `--features`: planes and labels.
pub(super) fn openings(args: &Args, features: &str) -> anyhow::Result<bool> {
    if features != "ornn" {
        bail!("--features: expected ornn, found {features:?}");
    }
    let labels = Labels {
        champion: args.champion.clone().unwrap_or_default(),
        weaker: args.weaker.clone(),
        stronger: args.stronger.clone(),
    };
    let Some(path) = &args.out else { bail!("arrow is not text: use --out FILE") };
    let mut store = Store::<Banqi>::existing(place(&args.store)?, None)?;
    let planes = |record: &Record<Banqi>, them: Seat| {
        let opening = Opening::of(record, them)?;
        let opening = if args.canonical { opening.canonical() } else { opening };
        opening.features().map(|features| (features.boards, features.unrevealed))
    };
    let mut progress = Progress::new();
    let mut tell = |done, all| progress.stands(format!("unit {} of {}", grouped(done), grouped(all)));
    let counts = write_out(path, |out| Ok(export_features(&mut store, &labels, &planes, out, &mut tell)?))?;
    progress.end();
    let [weaker, equal, stronger] = counts.map(grouped);
    note!("{weaker} weaker, {equal} equal, {stronger} stronger");
    ensure!(counts.iter().sum::<u64>() > 0, "no game of {:?} with one of the others", labels.champion);
    Ok(true)
}

pub(super) fn run<G: StoredGame>(args: &Args) -> anyhow::Result<bool> {
    let format: Format = args.format.parse().map_err(|e: NotationError| anyhow!("--format: {e}"))?;
    let binary = matches!(format, Format::Arrow | Format::ArrowStream);
    if binary && args.out.is_none() && std::io::stdout().is_terminal() {
        bail!("arrow is not text: use --out FILE");
    }
    let mut store = Store::<G>::existing(place(&args.store)?, None)?;
    let mut progress = Progress::new();
    let mut tell = |done, all| progress.stands(format!("unit {} of {}", grouped(done), grouped(all)));
    let games = match &args.out {
        None => write(&mut store, format, &mut BufWriter::new(machines()), &mut tell)?,
        Some(path) => write_out(path, |out| write(&mut store, format, out, &mut tell))?,
    };
    progress.end();
    note!("{}", counted(games, "game"));
    Ok(true)
}

/// Writes all games; a reader that is gone is an error.
fn write<G: StoredGame>(
    store: &mut Store<G>,
    format: Format,
    out: &mut dyn Write,
    tell: &mut dyn FnMut(u64, u64),
) -> anyhow::Result<u64> {
    let mut pipe = Pipe { out, closed: false };
    let written = export(store, format, &mut pipe, tell);
    if pipe.closed {
        return Err(Error::from(ErrorKind::BrokenPipe).into());
    }
    let games = written?;
    out.flush()?;
    Ok(games)
}

/// Remembers that the reader is gone, because Arrow's errors do not tell.
struct Pipe<'a> {
    out: &'a mut dyn Write,
    closed: bool,
}

impl Pipe<'_> {
    fn note<T>(&mut self, result: std::io::Result<T>) -> std::io::Result<T> {
        self.closed |= result.as_ref().is_err_and(|error| error.kind() == ErrorKind::BrokenPipe);
        result
    }
}

impl Write for Pipe<'_> {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let written = self.out.write(bytes);
        self.note(written)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        let flushed = self.out.flush();
        self.note(flushed)
    }
}
