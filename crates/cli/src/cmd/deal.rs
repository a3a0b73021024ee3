//! `anglerfish deal`: hidden boards for paired games.

use std::io::Write;

use anglerfish_rules::Rng;
use anglerfish_rules::banqi::{Deal, Layout, RuleSet, read_deals, write_deals};
use serde_json::json;

use crate::input::{parse_pointing, pointing, read};
use crate::terminal::note;

/// Most deals in memory before they are written.
const MOST: u64 = 10_000_000;

/// Write a deal file, or check one
///
/// A deal fixes the piece under every square. Two games on one deal, with the seats exchanged, share their luck.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish deal --count 500 --seed 42 > test.deals\n  anglerfish deal --rules platform,board=4x4 --seed 1\n  anglerfish deal --check test.deals"
)]
pub(crate) struct Args {
    /// How many deals
    #[arg(long, short = 'n', default_value_t = 1, conflicts_with = "check", value_parser = clap::value_parser!(u64).range(..=MOST))]
    count: u64,
    /// The seed; deal N of a seed does not depend on the count [default: one from the system, which is printed]
    #[arg(long, conflicts_with = "check")]
    seed: Option<u64>,
    /// The rules, for the size of the board
    #[arg(long, default_value = "platform", conflicts_with = "check")]
    rules: String,
    /// Check a deal file instead of writing one [default: deals are written]
    #[arg(long, value_name = "FILE")]
    check: Option<std::path::PathBuf>,
    /// JSON: one object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    let deals = match &args.check {
        Some(path) => {
            let text = read(path)?;
            read_deals(&text).map_err(|e| pointing(&e, &text, Some(path)))?
        }
        None => make(args)?,
    };
    if args.json {
        let deals: Vec<_> =
            deals.iter().map(|d| json!({ "id": d.id, "layout": d.layout.to_string() })).collect();
        writeln!(out, "{}", json!({ "schema": 1, "deals": deals }))?;
    } else if args.check.is_some() {
        writeln!(out, "{} deals", deals.len())?;
    } else {
        write!(out, "{}", write_deals(&deals))?;
    }
    Ok(true)
}

fn make(args: &Args) -> anyhow::Result<Vec<Deal>> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let seed = args.seed.unwrap_or_else(system_seed);
    if args.seed.is_none() {
        note!("seed {seed}");
    }
    Ok((1..=args.count)
        .map(|n| Deal {
            id: format!("{seed}-{n}"),
            layout: Layout::shuffled(rules.board, &mut Rng::stream(seed, &format!("deal:{n}"))),
        })
        .collect())
}

/// A random seed: std's hasher keys come from the operating system.
#[expect(clippy::disallowed_types, reason = "this is the one place that asks the system for a seed")]
pub(crate) fn system_seed() -> u64 {
    use std::hash::{BuildHasher, RandomState};
    // Short enough to type again.
    RandomState::new().hash_one(0u8) >> 32
}
