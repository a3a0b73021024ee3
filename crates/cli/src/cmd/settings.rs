//! `anglerfish settings`: every setting of the engine with its meaning and its default. docs/settings.md is this list as Markdown.
//!
//! The list is the engine's own, and a test compares its defaults with the engine.

use std::io::Write;

use anglerfish_engine::{BEGINNERS, Config, LEVELS, PRESETS, Setting};
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

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();
    let models = models();
    let mut all = models.models().settings();
    if let Some(name) = &args.name {
        let Some(setting) = all.find(|setting| setting.name == name) else {
            // The engine's own words for what there is.
            let mut config = Config::default();
            let wrong = config.set(name, "").and_then(|()| models.models().check(&config)).err();
            bail!("{}", wrong.map(|e| e.to_string()).unwrap_or_default());
        };
        if args.json {
            writeln!(out, "{}", object(&setting))?;
        } else {
            let Setting { takes, about, .. } = &setting;
            writeln!(out, "{name}: {about}\n  takes    {takes}\n  default  {}", default(&setting))?;
        }
        return Ok(true);
    }
    if args.json {
        let settings: Vec<_> = all.map(|setting| object(&setting)).collect();
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

fn object(setting: &Setting) -> serde_json::Value {
    let Setting { name, takes, default, about } = setting;
    json!({ "name": name, "takes": takes, "default": default, "meaning": about })
}

fn default(setting: &Setting) -> &'static str {
    setting.default.unwrap_or(UNSET)
}

/// The names that a configuration may begin with.
fn players() -> Vec<(String, String)> {
    let presets = PRESETS.iter().map(|(name, what)| ((*name).to_owned(), (*what).to_owned()));
    let levels = LEVELS.iter().enumerate().map(|(n, level)| {
        (format!("level{}", n + 1), format!("alphabeta,hash=16,{level}: what `play --level {}` plays", n + 1))
    });
    let beginners = BEGINNERS.iter().enumerate().map(|(n, overlook)| {
        let name = format!("beginner{}", n + 1);
        (name.clone(), format!("search=glance,overlook={overlook}: what `play --level {name}` plays"))
    });
    presets.chain(beginners).chain(levels).collect()
}

fn plain(width: usize) -> String {
    let mut text = String::new();
    for (title, settings) in models().models().sections() {
        text += &format!("{title}\n");
        for setting in settings {
            let Setting { name, takes, about, .. } = &setting;
            text += &item(name, &format!("{about}; {takes} [default: {}]", default(&setting)), width);
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
    for (title, settings) in models().models().sections() {
        text += &format!("\n## {title}\n\n| setting | takes | default | meaning |\n|---|---|---|---|\n");
        for Setting { name, takes, default, about } in settings {
            let default = default.map_or(UNSET.to_owned(), |default| format!("`{default}`"));
            text += &format!("| `{name}` | {} | {default} | {} |\n", cell(&takes), cell(about));
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

    /// Setting a default changes nothing, and what is not set has no default.
    #[test]
    fn defaults_are_those_of_the_engine() {
        let models = models();
        for Setting { name, default, .. } in models.models().settings() {
            let mut config = Config::default();
            if let Some(default) = default {
                config.set(name, default).unwrap_or_else(|e| panic!("{name}={default}: {e}"));
                assert_eq!(models.models().check(&config), Ok(()));
                // Words for models are kept as they are said.
                config.opponent.words.clear();
                assert_eq!(config, Config::default(), "{name}={default} is not the default");
                continue;
            }
            let value = match name {
                "replica" => "alphabeta/nodes=50",
                "candidates" => "mine",
                "without" => "nullmove",
                _ => "7",
            };
            config.set(name, value).unwrap_or_else(|e| panic!("{name}={value}: {e}"));
            assert_eq!(models.models().check(&config), Ok(()));
            assert_ne!(config, Config::default(), "{name} is set from the start");
        }
    }
}
