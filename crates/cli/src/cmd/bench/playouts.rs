//! `anglerfish bench playouts`: the speed of each policy of Jouandeau and Cazenave (2014), compared with its Table 1.

use std::io::Write;

use anglerfish_engine::playout::banqi::play;
use anglerfish_engine::playout::{Counts, DrawEval, Policy, Settings};
use anglerfish_rules::Rng;
use anglerfish_rules::banqi::{Banqi, Position, RuleSet};
use serde_json::json;

use super::{Rate, grouped, rate};

/// Playouts: each policy of Jouandeau and Cazenave (2014) from their three positions, with the seconds of
/// their Table 1
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench playouts --seconds 2")]
pub(super) struct Args {
    /// How long each of the 24 measurements takes
    #[arg(long, default_value_t = 0.5)]
    seconds: f64,
    /// Plies without capture or flip after which a playout is a draw
    #[arg(long, default_value_t = 40)]
    size: u16,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The paper's seconds for 2,000 playouts, in the order of [`Policy::ALL`]: beginning, middle game, ending.
const PAPER: [[f64; 8]; 3] = [
    [0.660, 0.375, 5.973, 0.598, 1.049, 140.457, 99.753, 39.799],
    [0.606, 0.348, 5.072, 0.585, 0.885, 157.911, 123.055, 34.201],
    [0.504, 0.469, 0.781, 0.733, 0.817, 11.138, 7.389, 6.030],
];

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let places = [
        ("beginning", Banqi::start(RuleSet::PAPER40)),
        ("middle", anglerfish_lab::experiments::mcts::figure2()),
        ("ending", anglerfish_lab::experiments::mcts::ending()),
    ];
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    if !args.json {
        writeln!(
            out,
            "{:<32}{:>14}{:>14}{:>8}{:>9}{:>8}",
            "a second, on one core (median)", "playouts", "plies", "plies", "pieces", "paper"
        )?;
    }
    for ((place, game), paper) in places.iter().zip(PAPER) {
        for ((name, policy), seconds) in Policy::ALL.into_iter().zip(paper) {
            let settings =
                Settings { policy, size: Some(args.size), counts: Counts::Quiet, draws: DrawEval::Off };
            let measured = measure(settings, game.position(), game.ruleset(), args.seconds);
            let factor = measured.playouts.median * seconds / 2000.0;
            if args.json {
                rows.push(json!({ "position": place, "policy": name, "playouts_a_second": measured.playouts.median.round(),
                    "best": measured.playouts.best.round(), "plies": measured.plies, "pieces": measured.pieces,
                    "over_paper": factor }));
            } else {
                let plies = measured.playouts.median * measured.plies;
                let (rate, plies_rate) = (grouped(measured.playouts.median), grouped(plies));
                writeln!(
                    out,
                    "{:<32}{rate:>14}{plies_rate:>14}{:>8.1}{:>9.2}{:>7.0}x",
                    format!("{place}, {name}"),
                    measured.plies,
                    measured.pieces,
                    factor
                )?;
            }
        }
    }
    if args.json {
        writeln!(out, "{}", json!({ "schema": 1, "size": args.size, "rows": rows }))?;
    }
    Ok(true)
}

struct Measured {
    playouts: Rate,
    /// The mean length, and the mean number of pieces left.
    plies: f64,
    pieces: f64,
}

fn measure(settings: Settings, position: &Position, rules: &RuleSet, seconds: f64) -> Measured {
    let mut rng = Rng::new(1);
    let (mut n, mut plies, mut pieces) = (0_u32, 0_u64, 0_u64);
    let rate = rate(seconds, || {
        for _ in 0..5 {
            let (end, _, length) = play(settings, position, rules, &mut rng);
            n += 1;
            plies += u64::from(length);
            pieces += u64::from(end.occupied().len());
        }
        5
    });
    Measured { playouts: rate, plies: plies as f64 / f64::from(n), pieces: pieces as f64 / f64::from(n) }
}
