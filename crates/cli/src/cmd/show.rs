//! `anglerfish show`: print a position.

use std::io::Write;

use anglerfish_rules::banqi::{Banqi, Color, Piece, RuleSet, Square};
use anglerfish_rules::{Game, Turn};
use anyhow::bail;
use serde_json::json;

use crate::board::Style;
use crate::input::parse_pointing;

/// Print a board, the position as text, and the legal actions
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish show\n  anglerfish show --plies \"b3(c) c3(K) b3-b4\" --orientation lying\n  anglerfish show --ascii \"r--m/----/-P-r/---C/PcnR/-n-N/-g--/--m- r - 2 120 openspiel50\"\n  anglerfish show --json --rules paper40"
)]
pub(crate) struct Args {
    /// A position text [default: the start of a game]
    #[arg(allow_hyphen_values = true)]
    position: Option<String>,
    /// The rules of the start position
    #[arg(long, conflicts_with = "position", default_value = "platform")]
    rules: String,
    /// Play these first, such as "b3(c) c3(K) b3-b4" [default: none]
    #[arg(long, value_name = "PLIES")]
    plies: Option<String>,
    /// One JSON object with the position text, the board, the legal actions and the state of the game
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    style: Style,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut game: Banqi = match &args.position {
        Some(text) => parse_pointing(text)?,
        None => Banqi::start(parse_pointing::<RuleSet>(&args.rules)?),
    };
    for word in args.plies.iter().flat_map(|p| p.split_whitespace()) {
        let event = parse_pointing(word)?;
        if !game.is_possible(event) {
            bail!("{word} is not possible here\n{}", args.style.uncolored().draw(&game));
        }
        game.apply(event);
    }
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", describe(&game))?;
    } else {
        writeln!(out, "{}{game}\nactions:{}", args.style.draw(&game), actions(&game))?;
    }
    Ok(true)
}

/// The legal actions, each after a space; none once the game is over.
fn actions(game: &Banqi) -> String {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.iter().fold(String::new(), |text, action| format!("{text} {action}"))
}

/// A position as JSON.
fn describe(game: &Banqi) -> serde_json::Value {
    let position = game.position();
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let shown =
        |square: Square| position.piece_at(square).map(|p| (square.to_string(), json!(p.to_string())));
    let (over, seat) = match game.turn() {
        Turn::Over(outcome, reason) => {
            (json!({ "result": outcome.text(), "reason": reason.text() }), json!(null))
        }
        Turn::Seat(seat) => (json!(null), json!(seat.0)),
    };
    let bag = |p: Piece| (p.to_string(), json!(position.bag().count(p)));
    json!({
        "schema": 1,
        "position": game.to_string(),
        "rules": game.ruleset().to_string(),
        "seat": seat,
        "color": position.side().map(Color::name),
        "quiet": position.quiet(),
        "ply": position.ply(),
        "pieces": Square::all().filter_map(shown).collect::<serde_json::Map<_, _>>(),
        "hidden": position.hidden().iter().map(|s| s.to_string()).collect::<Vec<_>>(),
        "bag": Piece::ALL.into_iter().map(bag).collect::<serde_json::Map<_, _>>(),
        "actions": actions.iter().map(ToString::to_string).collect::<Vec<_>>(),
        "over": over,
        "key": format!("{:016x}", position.key()),
    })
}
