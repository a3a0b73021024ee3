//! `anglerfish bench`: how fast the parts are on this machine, on one core.

use std::io::Write;
use std::time::{Duration, Instant};

use anglerfish_arena::{Draws, Greedy, play};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Game, Record, Rng, perft};
use serde_json::json;

/// Measure speed on one core
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench rules\n  anglerfish bench rules --seconds 10 --json")]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(clap::Subcommand)]
enum What {
    Rules(RulesArgs),
}

/// The rules: random playouts, perft, and replaying records
#[derive(clap::Args)]
struct RulesArgs {
    /// How long each of the measurements takes
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let What::Rules(args) = &args.what;
    let mut out = std::io::stdout().lock();

    // Playouts are counted in plies, and their mean length turns one rate into the other.
    let mut rng = Rng::new(1);
    let start = Banqi::start(RuleSet::PAPER40);
    let (mut n_playouts, mut n_plies) = (0, 0);
    let plies = rate(args.seconds, || {
        let plies = (0..50).map(|_| u64::from(start.clone().random_playout(&mut rng).2)).sum();
        n_playouts += 50;
        n_plies += plies;
        plies
    });
    let length = n_plies as f64 / f64::from(n_playouts);
    let playouts = Rate { median: plies.median / length, best: plies.best / length };

    let middle = middle_game();
    let nodes = rate(args.seconds, || perft(&middle, 3).count);

    let records = sample_records(200);
    let replayed = rate(args.seconds, || {
        assert!(records.iter().all(|r| r.replay().is_ok()), "our own records replay");
        records.len() as u64
    });
    let texts: Vec<String> = records.iter().map(ToString::to_string).collect();
    let read = rate(args.seconds, || {
        let whole = |text: &String| text.parse::<Record<Banqi>>().is_ok_and(|r| r.replay().is_ok());
        assert!(texts.iter().all(whole), "our own records are read and replay");
        texts.len() as u64
    });
    let replayed_length = records.iter().map(|r| r.plies.len()).sum::<usize>() / records.len();

    // The MCTS paper (003) reports 2,000 random playouts from the start in 0.66 s.
    let paper = 2000.0 / 0.66;
    let rows = [
        (
            "random_playouts",
            "random playouts (paper40)",
            playouts,
            format!("{:.0} x the paper's", playouts.median / paper),
        ),
        ("random_plies", "random plies in them", plies, format!("{length:.0} a playout")),
        ("perft_nodes", "perft nodes", nodes, "leaves counted, not played".to_owned()),
        ("replayed_games", "replayed games", replayed, format!("{replayed_length} plies each")),
        ("read_and_replayed_games", "the same, read from text first", read, String::new()),
    ];
    if args.json {
        let object = |rate: Rate| json!({ "median": rate.median.round(), "best": rate.best.round() });
        let rates: serde_json::Map<_, _> = rows.iter().map(|r| (r.0.to_owned(), object(r.2))).collect();
        let object = json!({ "schema": 1, "stretches": STRETCHES, "a_second": rates,
            "plies_a_playout": length, "plies_a_replayed_game": replayed_length });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{:<32}{:>14}{:>14}", "a second, on one core", "median", "best")?;
        for (_, name, rate, note) in rows {
            let row = format!("{name:<32}{:>14}{:>14}  {note}", grouped(rate.median), grouped(rate.best));
            writeln!(out, "{}", row.trim_end())?;
        }
    }
    Ok(true)
}

/// What `work` counts, a second: the median of many stretches, and the best of them.
///
/// On a shared machine somebody else's work only ever slows a stretch down, so the best one is nearest to what the code
/// can do, and the median to what it did.
#[derive(Clone, Copy)]
struct Rate {
    median: f64,
    best: f64,
}

const STRETCHES: u32 = 25;

fn rate(seconds: f64, mut work: impl FnMut() -> u64) -> Rate {
    let stretch = Duration::from_secs_f64((seconds / f64::from(STRETCHES)).max(0.001));
    let mut rates: Vec<f64> = (0..STRETCHES)
        .map(|_| {
            let mut count = 0;
            let begin = now();
            loop {
                count += work();
                let spent = begin.elapsed();
                if spent >= stretch {
                    return count as f64 / spent.as_secs_f64();
                }
            }
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    Rate { median: rates[rates.len() / 2], best: rates[rates.len() - 1] }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark reads the clock")]
fn now() -> Instant {
    Instant::now()
}

/// Games between two simple players, of about the length of tournament games.
fn sample_records(n: u64) -> Vec<Record<Banqi>> {
    (0..n)
        .map(|seed| {
            let start = Banqi::start(RuleSet::PLATFORM);
            let mut dealer = Draws(Rng::stream(seed, "deal"));
            play(start, &mut dealer, &mut [&mut Greedy::default(), &mut Greedy::default()], seed)
        })
        .collect()
}

/// A position with face-down pieces, cannons and captures.
fn middle_game() -> Banqi {
    let mut rng = Rng::new(5);
    let mut game = Banqi::start(RuleSet::PLATFORM);
    for _ in 0..50 {
        if let Some(action) = game.random_action(&mut rng) {
            game.apply(game.resolve(action, &mut rng));
        }
    }
    game
}

/// A number with commas: 12,345,678.
fn grouped(rate: f64) -> String {
    let digits = format!("{rate:.0}");
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
