//! `anglerfish settings`: every setting of the engine with its meaning and its default. docs/settings.md is this list as Markdown.
//!
//! Names and values are the engine's own list. Meanings and defaults are here, and a test compares the defaults with the engine.

use std::io::Write;

use anglerfish_engine::{Config, LEVELS, PRESETS};
use anglerfish_lab::models;
use anglerfish_report::{columns, wrapped};
use anyhow::bail;
use serde_json::json;

use crate::board::terminal;

/// List every setting of the engine with its meaning and its default, and every player by name
///
/// A configuration is the name of a player, then what differs from it: alphabeta,threads=2,draw=-0.2. It is the same everywhere: after player= in
/// `match` and `tournament`, after --player in `play` and `analyse`, as --set NAME=VALUE, as a line of a --config file, and as an option of UCI.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish settings\n  anglerfish settings threads\n  anglerfish settings --json\n  anglerfish match --engine player=alphabeta,threads=2 --engine player=level9 --rounds 10"
)]
pub(crate) struct Args {
    /// Only this one [default: all]
    name: Option<String>,
    /// Write Markdown, as in docs/settings.md
    #[arg(long, conflicts_with_all = ["json", "name"])]
    markdown: bool,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The default of a setting that is not set.
const UNSET: &str = "not set";

/// A part of the engine with its settings: names, defaults of `alphabeta`, meanings.
type Part = (&'static str, &'static [(&'static str, &'static str, &'static str)]);

const PARTS: &[Part] = &[
    (
        "Every search",
        &[
            ("search", "alphabeta", "the search; the name of a player already implies it"),
            ("threads", "1", "threads of the search; with more than one, games are not reproducible"),
            ("hash", "64", "the size of the transposition table, or of the tree"),
            ("depth", UNSET, "the greatest depth of the search"),
            (
                "nodes",
                UNSET,
                "the most positions searched per move; with one thread this makes games reproducible",
            ),
            ("movetime", UNSET, "the longest time for a move, with or without a clock"),
            ("ponder", "off", "think on the opponent's time; the protocols only"),
        ],
    ),
    (
        "Evaluation of positions",
        &[
            (
                "eval",
                "handmade",
                "the evaluation: ours, or that of a course program (郭彥廷, 2019, \"Theory of Computer Games, Final Project\")",
            ),
            (
                "ratio",
                "100",
                "for eval=course: how much more pieces count than attacks, the paper's c_Basic / c_Attack; none leaves attacks out",
            ),
            (
                "weights",
                "none",
                "numbers of your own for the handmade evaluation, from a file that --asset NAME=FILE names",
            ),
        ],
    ),
    (
        "Models of the opponent, and draws",
        &[
            (
                "opponent",
                "none",
                "how the opponent is studied: not at all, as one of several styles, as a player of ours, by a line-up, or by a line-up and played against accordingly",
            ),
            (
                "replica",
                UNSET,
                "for opponent=replica: the built-in player that the engine assumes as its opponent",
            ),
            (
                "oracle",
                "off",
                "for opponent=replica: know the opponent's dice and memory, too; only for measurements",
            ),
            (
                "lineup",
                UNSET,
                "for opponent=fingerprint and opponent=adapt: the table of players that it tells apart; field is ours",
            ),
            (
                "arrangement",
                UNSET,
                "in Siguo: the kinds of armies that others are expected to set up; without it, all are equally likely",
            ),
            (
                "trust",
                "1",
                "the most that a prediction of the opponent counts against its best answer, where replies are expected",
            ),
            (
                "draw",
                "0",
                "the value of a draw for the engine, between a lost game and a won one, unless a model sets it; below 0 avoids draws",
            ),
            ("draw_scope", "all", "the draws to which this value applies"),
        ],
    ),
    (
        "alphabeta: the search",
        &[
            (
                "repetition",
                "first",
                "whether the search counts a repeated position as a draw at once, or only when the rules do",
            ),
            (
                "star",
                "star2",
                "how outcomes of flips are cut off: not at all, Star1 or Star2 (Ballard, 1983)",
            ),
            ("flips", "all", "how many different flips are searched at the root and below it"),
            ("without", UNSET, "parts of the search to leave out, to measure their value"),
            ("error_size", "0", "the largest error of the score of a choice; it makes the lower levels err"),
            ("error_rate", "100", "how many choices of a hundred have this error"),
        ],
    ),
    (
        "mcts: the tree",
        &[
            (
                "tree",
                "chance",
                "a node of the tree: a history with the outcomes of flips, or a sequence of actions (group-nodes)",
            ),
            ("explore", "0.5", "the constant of UCT: higher values explore more"),
            (
                "implicit",
                "0.6",
                "how much the evaluation counts beside the playouts: implicit minimax backups (Lanctot and others, 2014)",
            ),
            (
                "solve",
                "on",
                "whether won positions are marked as such in the tree, fully, or as Jouandeau and Cazenave (2014) do",
            ),
            (
                "final",
                "visits",
                "which choice is played: the one tried most often, or the one with the best mean",
            ),
        ],
    ),
    (
        "mcts: the playouts",
        &[
            (
                "playout",
                "capture",
                "the preference of playouts: the eight policies of Jouandeau and Cazenave (2014), \"Small and Large MCTS Playouts Applied to Chinese Dark Chess Stochastic Game\"",
            ),
            ("playout_size", "4", "the length of a playout"),
            ("playout_counts", "plies", "the plies of a playout that count toward its length"),
            (
                "playout_eval",
                "eval",
                "how an unfinished playout counts: as a draw, as a win of the side that is ahead, by pieces, or by the evaluation",
            ),
        ],
    ),
    (
        "pimc: the worlds",
        &[
            (
                "worlds",
                "16",
                "the number of worlds, drawn to fit the game so far, in which every choice is tried",
            ),
            ("plies", "0", "the number of random plies after a choice, before the evaluation"),
            ("count", "handmade", "the evaluation of a world: by men alone, or by the full evaluation"),
        ],
    ),
    (
        "Simple players, and those of Kajihara and others (1999), \"A Speculative Play against Semi-Random Self-Play\"",
        &[
            ("habit", "capturer", "for search=habit: the habit of the player"),
            ("look", "2", "for semirandom and speculative: the plies that the player looks ahead"),
            ("model", "0", "for speculative: the plies that it assumes its opponent to look ahead"),
            (
                "fallback",
                "delay",
                "for semirandom: its choice when every move loses: delay the loss, or any move",
            ),
            ("speculate", "w", "for speculative: the reading of the paper"),
        ],
    ),
];

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    let all = || PARTS.iter().flat_map(|(_, settings)| settings.iter());
    if let Some(name) = &args.name {
        let Some((name, default, meaning)) = all().find(|(known, ..)| known == name) else {
            // The engine's own words for what there is.
            let mut config = Config::default();
            let wrong = config.set(name, "").and_then(|()| models().models().check(&config)).err();
            bail!("{}", wrong.map(|e| e.to_string()).unwrap_or_default());
        };
        if args.json {
            writeln!(out, "{}", object(name, default, meaning))?;
        } else {
            writeln!(out, "{name}: {meaning}\n  takes    {}\n  default  {}", takes(name), default)?;
        }
        return Ok(true);
    }
    if args.json {
        let settings: Vec<_> = all().map(|(name, default, meaning)| object(name, default, meaning)).collect();
        let players: Vec<_> =
            players().iter().map(|(name, what)| json!({ "name": name, "what": what })).collect();
        writeln!(out, "{}", json!({ "schema": 1, "settings": settings, "players": players }))?;
    } else if args.markdown {
        write!(out, "{}", markdown())?;
    } else {
        write!(out, "{}", plain(terminal().unwrap_or(100).clamp(50, 120)))?;
    }
    Ok(true)
}

fn object(name: &str, default: &str, meaning: &str) -> serde_json::Value {
    let default = (default != UNSET).then_some(default);
    json!({ "name": name, "takes": takes(name), "default": default, "meaning": meaning })
}

/// What a setting takes, in the engine's words.
fn takes(name: &str) -> String {
    let settings = models().models().settings();
    settings.into_iter().find(|(known, _)| *known == name).map_or(String::new(), |(_, takes)| takes)
}

/// The names that a configuration may begin with.
fn players() -> Vec<(String, String)> {
    let presets = PRESETS.iter().map(|(name, what)| ((*name).to_owned(), (*what).to_owned()));
    let levels = LEVELS.iter().enumerate().map(|(n, level)| {
        (format!("level{}", n + 1), format!("alphabeta,hash=16,{level}: what `play --level {}` plays", n + 1))
    });
    presets.chain(levels).collect()
}

fn plain(width: usize) -> String {
    let mut text = String::new();
    for (title, settings) in PARTS {
        text += &format!("{title}\n");
        for (name, default, meaning) in *settings {
            let line = format!("{meaning}; {} [default: {}]", takes(name), default);
            text += &item(name, &line, width);
        }
        text.push('\n');
    }
    text += "Players\n";
    for (name, what) in players() {
        text += &item(&name, &what, width);
    }
    text
}

fn item(name: &str, text: &str, width: usize) -> String {
    let indent = 18;
    let lines = wrapped(text, width - indent).replace('\n', &format!("\n{}", " ".repeat(indent)));
    format!("  {name}{}{lines}\n", " ".repeat((indent - 2).saturating_sub(columns(name))))
}

fn markdown() -> String {
    let mut text = String::from(
        "# Settings\n\nFor authors and researchers who configure a player.\nEvery setting of the engine, and every player by name.\nThis page is the output of `anglerfish settings --markdown`, and a test compares the two.\n\n\
         A configuration is the name of a player, then the settings that differ from it: `alphabeta,threads=2,draw=-0.2`.\n\
         Defaults are those of the player `alphabeta`.\n\n\
         | where | how |\n|---|---|\n\
         | `match`, `tournament` | after `player=` |\n\
         | `play`, `analyse` | after `--player` |\n\
         | `analyse`, `dctp`, `uci`, `wakasagi` | `--set NAME=VALUE` |\n\
         | `dctp`, `uci`, `wakasagi` | a line of a `--config` file |\n\
         | UCI | an option |\n",
    );
    let cell = |text: &str| text.replace('|', "\\|");
    for (title, settings) in PARTS {
        text += &format!("\n## {title}\n\n| setting | takes | default | meaning |\n|---|---|---|---|\n");
        for (name, default, meaning) in *settings {
            let default = if *default == UNSET { UNSET.to_owned() } else { format!("`{default}`") };
            text += &format!("| `{name}` | {} | {default} | {} |\n", cell(&takes(name)), cell(meaning));
        }
    }
    text += "\n## Players\n\n| name | what it is |\n|---|---|\n";
    for (name, what) in players() {
        text += &format!("| `{name}` | {} |\n", cell(&what));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list is the engine's, in its order, and setting a default changes nothing.
    #[test]
    fn settings_are_those_of_the_engine() {
        let listed: Vec<&str> =
            PARTS.iter().flat_map(|(_, all)| all.iter().map(|(name, ..)| *name)).collect();
        let models = models();
        let known: Vec<&str> = models.models().settings().into_iter().map(|(name, _)| name).collect();
        assert_eq!(listed, known);
        for (name, default, _) in PARTS.iter().flat_map(|(_, all)| all.iter()) {
            let mut config = Config::default();
            if *default != UNSET {
                config.set(name, default).unwrap_or_else(|e| panic!("{name}={default}: {e}"));
                assert_eq!(models.models().check(&config), Ok(()));
                // Words for models are kept as they are said.
                config.opponent.words.clear();
                assert_eq!(config, Config::default(), "{name}={default} is not the default");
                continue;
            }
            let value = match *name {
                "replica" => "alphabeta/nodes=50",
                "lineup" => "mine",
                "without" => "nullmove",
                _ => "7",
            };
            config.set(name, value).unwrap_or_else(|e| panic!("{name}={value}: {e}"));
            assert_eq!(models.models().check(&config), Ok(()));
            assert_ne!(config, Config::default(), "{name} is set from the start");
        }
    }
}
