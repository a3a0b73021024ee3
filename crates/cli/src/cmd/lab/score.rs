//! `anglerfish lab score`: the quality of predictions of opponents from any source.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_lab::ranking::{CLASSES, Ranking};
use anglerfish_report::Report;
use anglerfish_store::read_labels;
use anyhow::{Context, anyhow, bail, ensure};
use serde_json::json;

use crate::input::read;
use crate::terminal::answer;

/// Score predictions of how strong opponents are
///
/// FILE is CSV with a line for each game of the fold: game, weaker, equal, stronger, in any order, and other
/// columns if you like; the three are probabilities. With a column plies, predictions are scored separately
/// for each number of the opponent's plies.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish store export games --features ornn --champion us --weaker beginner --stronger master --out openings.arrow
  anglerfish lab score predictions.csv --truth openings.arrow --fold 0")]
pub(super) struct Args {
    /// The predictions
    file: PathBuf,
    /// The file of `anglerfish store export --features ornn`
    #[arg(long, value_name = "FILE")]
    truth: PathBuf,
    /// The fold that was held out
    #[arg(long, default_value_t = 0)]
    fold: u8,
    /// The scores as one JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let named = |path: &Path| path.display().to_string();
    let file = std::fs::File::open(&args.truth).with_context(|| named(&args.truth))?;
    let labels = read_labels(file).with_context(|| named(&args.truth))?;
    let truth: BTreeMap<&str, usize> = labels
        .iter()
        .filter(|label| label.fold == args.fold)
        .map(|label| (&*label.game, usize::from(label.class)))
        .collect();
    ensure!(!truth.is_empty(), "{}: no game in fold {}", args.truth.display(), args.fold);
    let rankings = rankings(&read(&args.file)?, &truth).with_context(|| named(&args.file))?;

    let mut out = answer(args.json);
    if args.json {
        let one = |(plies, ranking): (&String, &Ranking)| {
            let (accuracy, by_class) = ranking.accuracy();
            json!({
                "plies": plies.parse::<u32>().ok(), "games": ranking.games(), "accuracy": accuracy, "by_class": by_class,
                "interval": ranking.accuracy_interval(), "log_loss": ranking.log_loss(), "brier": ranking.brier(),
                "miscalibration": ranking.miscalibration(), "confusion": ranking.confusion,
            })
        };
        let all: Vec<_> = rankings.iter().map(one).collect();
        writeln!(out, "{}", json!({ "format": "anglerfish-score 1", "fold": args.fold, "scores": all }))?;
        return Ok(true);
    }
    for (plies, ranking) in &rankings {
        let title = if plies.is_empty() { "All".to_owned() } else { format!("After {plies} plies") };
        let (low, high) = ranking.accuracy_interval();
        writeln!(
            out,
            "{title}: {:.2} % right ({:.2} to {:.2}) of {} games, log loss {:.4}, Brier {:.4}, off by {:.2} points on average",
            100.0 * ranking.accuracy().0,
            100.0 * low,
            100.0 * high,
            ranking.games(),
            ranking.log_loss(),
            ranking.brier(),
            100.0 * ranking.miscalibration()
        )?;
        let mut report = Report::default();
        ranking.tables(&title, &mut report);
        for table in &report.tables {
            writeln!(out, "\n{}", table.text())?;
        }
    }
    Ok(true)
}

/// The predictions by number of plies; each has every game of the fold once.
fn rankings(text: &str, truth: &BTreeMap<&str, usize>) -> anyhow::Result<BTreeMap<String, Ranking>> {
    let mut lines = text.lines().enumerate();
    let header: Vec<&str> = lines.next().map(|(_, line)| line.split(',').collect()).unwrap_or_default();
    let column = |name: &str| header.iter().position(|column| column.trim() == name);
    let place =
        |name: &str| column(name).ok_or_else(|| anyhow!("expected a column {name} in the first line"));
    let (game, plies) = (place("game")?, column("plies"));
    let classes = [place(CLASSES[0])?, place(CLASSES[1])?, place(CLASSES[2])?];
    let mut rankings: BTreeMap<String, (Ranking, BTreeMap<&str, usize>)> = BTreeMap::new();
    for (n, line) in lines {
        let said = || format!("line {}", n + 1);
        let cells: Vec<&str> = line.split(',').map(str::trim).collect();
        let cell = |place: usize| cells.get(place).copied().unwrap_or_default();
        let label = truth.get(cell(game)).ok_or_else(|| anyhow!("no game of this fold: {:?}", cell(game)));
        let label = *label.with_context(said)?;
        let mut probabilities = [0.0; 3];
        for (probability, place) in probabilities.iter_mut().zip(classes) {
            let number = cell(place).parse();
            *probability = number
                .map_err(|_| anyhow!("expected a number, found {:?}", cell(place)))
                .with_context(said)?;
        }
        let (ranking, seen) = rankings.entry(plies.map_or("", cell).to_owned()).or_default();
        if let Some(before) = seen.insert(cell(game), n + 1) {
            bail!("line {}: {} was predicted in line {before}", n + 1, cell(game));
        }
        ranking.add(label, probabilities).with_context(said)?;
    }
    ensure!(!rankings.is_empty(), "expected predictions after the first line");
    for (plies, (ranking, _)) in &rankings {
        let of = if plies.is_empty() { String::new() } else { format!(" after {plies} plies") };
        let (found, all) = (ranking.games(), truth.len());
        ensure!(
            found as usize == all,
            "expected predictions for all {all} games of the fold{of}, found {found}"
        );
    }
    Ok(rankings.into_iter().map(|(plies, (ranking, _))| (plies, ranking)).collect())
}
