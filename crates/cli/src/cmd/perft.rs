//! `anglerfish perft`: count sequences of events.

use std::io::Write;

use anglerfish_rules::{Game, Perft, Rng, perft};
use anyhow::Context;
use serde_json::json;

use crate::games::with_game;
use crate::input::parse_pointing;

/// Count the sequences of events from a position, and the sum of their weights
///
/// The count is perft as in chess programs, with every outcome of every flip as a separate event. The weight
/// is the sum over all sequences of the product of how many pieces in the bag each flip could have been: it
/// detects a wrong bag when the count does not.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish perft --depth 2\n  anglerfish perft --rules paper40,board=2x4 --depth 5 --json\n  anglerfish perft --depth 3 --divide \"--K-/PRNP/M---/--mP/rGM-/-gpG/-R-p/-c-r r - 2 80 paper40\"\n  anglerfish perft --game tictactoe --depth 9"
)]
pub(crate) struct Args {
    /// A position text [default: the start of the game]
    position: Option<String>,
    /// The game
    #[arg(long, default_value = "banqi", value_parser = crate::games::GAMES)]
    game: String,
    /// The rules of the start position [default: platform]
    #[arg(long, conflicts_with = "position")]
    rules: Option<String>,
    /// The longest sequences to count
    #[arg(long, short, default_value_t = 2)]
    depth: u32,
    /// Also count below each action of the first ply
    #[arg(long)]
    divide: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    with_game!(args.game.as_str(), G => count::<G>(args)).context("no such game")?
}

fn count<G: Game>(args: &Args) -> anyhow::Result<bool> {
    let game: G = match &args.position {
        Some(text) => parse_pointing(text)?,
        None => {
            let rules = args.rules.as_ref().map_or(Ok(G::Rules::default()), |text| parse_pointing(text))?;
            G::deal(&rules, &mut Rng::new(0))
        }
    };
    let mut out = std::io::stdout().lock();
    let depths: Vec<Perft> = (1..=args.depth).map(|depth| perft(&game, depth)).collect();
    let divided = if args.divide { divide(&game, args.depth) } else { Vec::new() };
    // Weights exceed the numbers of JSON, so they are strings.
    let object = |p: &Perft| json!({ "count": p.count, "weight": p.weight.to_string() });
    if args.json {
        let divided: serde_json::Map<_, _> = divided.iter().map(|(a, p)| (a.clone(), object(p))).collect();
        let depths: Vec<_> = depths.iter().map(object).collect();
        let position = game.to_string();
        let object = json!({ "schema": 1, "game": G::NAME, "position": position, "depths": depths, "divide": divided });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{game}")?;
        for (action, p) in divided {
            writeln!(out, "{action:>9} {:>20} {:>30}", p.count, p.weight)?;
        }
        writeln!(out, "{:>9} {:>20} {:>30}", "depth", "sequences", "weight")?;
        for (depth, p) in (1..).zip(depths) {
            writeln!(out, "{depth:>9} {:>20} {:>30}", p.count, p.weight)?;
        }
    }
    Ok(true)
}

/// The counts below each action of the first ply.
fn divide<G: Game>(game: &G, depth: u32) -> Vec<(String, Perft)> {
    let (mut actions, mut chances) = (Vec::new(), Vec::new());
    game.actions(&mut actions);
    let mut rows = Vec::new();
    for action in actions {
        let mut total = Perft::default();
        game.outcomes(action, &mut chances);
        for chance in &chances {
            let mut next = game.clone();
            next.apply(chance.event);
            let below = perft(&next, depth.saturating_sub(1));
            total.count += below.count;
            total.weight += u128::from(chance.weight) * below.weight;
        }
        rows.push((action.to_string(), total));
    }
    rows
}
