//! `anglerfish tune`: tunes the numbers of the evaluation by self-play.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::{Contestant, Journal, Tune, Worker};
use anglerfish_lab::models;
use anyhow::Context;

use crate::cmd::matches::words::precision;
use crate::contest;
use crate::progress::Progress;
use crate::provenance;
use crate::terminal::people;

/// Tune the evaluation's numbers by self-play (SPSA)
///
/// In each pair of games, the numbers moved a little one way play against the numbers moved the other way. The
/// run is kept in DIR: give the same directory and settings to resume it. The tuned numbers are in
/// DIR/tuned.txt, ready for --set or for the source.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish tune --out t1 --pairs 4000 --nodes 20000
  anglerfish tune --out t2 --names piece,prey --pairs 2000 --concurrency 2")]
pub(crate) struct Args {
    /// The directory of the run
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// The numbers to tune, by name [default: all]
    #[arg(long, value_delimiter = ',', value_name = "NAMES")]
    names: Vec<String>,
    /// The player whose numbers are tuned
    #[arg(long, default_value = "alphabeta,hash=8")]
    player: String,
    /// Pairs of games in all
    #[arg(long, default_value_t = 2000)]
    pairs: u64,
    /// Nodes per move
    #[arg(long, default_value_t = 20_000)]
    nodes: u64,
    /// Pairs that are played before the numbers are changed
    #[arg(long, default_value_t = 8)]
    batch: u64,
    /// How far a number is moved for a trial, as a share of its size
    #[arg(long, default_value_t = 0.15)]
    step: f64,
    /// How far a won pair moves a number, as a share of the step
    #[arg(long, default_value_t = 0.05)]
    rate: f64,
    /// The pairs over which steps and moves shrink to half
    #[arg(long, default_value_t = 2000.0)]
    half_life: f64,
    /// The judge of luck, as in `match --luck`, so that the numbers follow the play and not the deals; `off`
    /// keeps the luck in
    #[arg(long, value_name = "nodes=N", num_args = 0..=1, default_value = "nodes=100", default_missing_value = "")]
    luck: String,
    /// The rules: a preset such as olympiad, perhaps with changes; see `anglerfish rules presets`
    #[arg(long, default_value = "platform")]
    rules: String,
    /// The seed of all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at the same time
    #[arg(long, default_value_t = 2, value_parser = crate::input::threads)]
    concurrency: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let assets = models();
    let identity = crate::folders::identity(assets.models());
    let worker = Worker { identity, assets, ..Worker::default() };
    let tune = Tune {
        player: args.player.clone(),
        names: args.names.clone(),
        rules: args.rules.clone(),
        budget: format!("nodes={}", args.nodes),
        seed: args.seed,
        pairs: args.pairs,
        batch: args.batch.max(1),
        step: args.step,
        rate: args.rate,
        half_life: args.half_life,
        luck: contest::judging(&args.luck)?,
        engine: worker.identity.clone(),
    };
    std::fs::create_dir_all(&args.out).with_context(|| format!("cannot create {}", args.out.display()))?;
    let name = serde_json::to_string(&tune)?;
    let mut journal = Journal::open(&args.out.join("journal"), &name)?;
    let tuned = Contestant::builtin("tuned", &tune.player, &tune.budget);
    provenance::record(&args.out, &[tuned], None)?;
    std::fs::write(args.out.join("manifest.json"), &name)?;
    let path = args.out.join("tuned.txt");
    let mut shown = Progress::new();
    let progress = tune.run(&worker, &mut journal, args.concurrency, &mut |progress| {
        // The file is always whole, so that it can be used during the run.
        let text = progress.tunables().to_string();
        let _ = std::fs::write(path.with_extension("new"), text)
            .and_then(|()| std::fs::rename(path.with_extension("new"), &path));
        let lead = 2.0 * progress.signal / progress.pairs as f64;
        let gain = progress
            .adjusted
            .known()
            .map_or(String::new(), |known| format!("; without luck {}", precision(&known)));
        shown.stands(format!(
            "pair {} of {}: on average one side wins a pair by {lead:.2} of 2 points{gain}",
            progress.pairs, args.pairs
        ));
    })?;
    shown.end();
    let mut out = people();
    write!(out, "{}", progress.tunables())?;
    Ok(true)
}
