//! `anglerfish replay`: check and print records.

use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};

use anglerfish_arena::games::{self, Checked, GamesError};
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anglerfish_rules::{Cause, Game, Mismatch, Record};
use anyhow::{Context, anyhow, bail};
use serde_json::json;

use crate::board::Style;
use crate::input::{parse_pointing, pointing, read};
use crate::terminal::{drawing, machines, note, visible};

/// Check records against the rules, and print the games
///
/// Reads our own records, the tournament platform's text files and its compact form (one JSON object per
/// line), plain or gzipped; the format is detected. A record holds if every ply is legal and the rules end
/// the game exactly where and how the record says.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish replay examples/first.games\n  anglerfish replay examples/first.games --game 2 --ply 40 --orientation lying\n  anglerfish replay --check games.jsonl.gz\n  anglerfish replay --convert games.jsonl.gz > platform.games"
)]
pub(crate) struct Args {
    /// Files of records; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Only check and sum up: exit code 1 if a record does not hold
    #[arg(long)]
    check: bool,
    /// Write the games as records of our own format
    #[arg(long, conflicts_with = "check")]
    convert: bool,
    /// Print only this game, counted from 1 [default: all]
    #[arg(long, value_name = "N")]
    game: Option<usize>,
    /// Print the board after this ply [default: the last]
    #[arg(long, value_name = "N")]
    ply: Option<usize>,
    /// The rules of platform files, which do not name them
    #[arg(long, default_value = "platform")]
    rules: String,
    /// JSON: one object per game, or with --check one in all
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    style: Style,
}

/// The counts over all records.
#[derive(Default)]
struct Replayed {
    games: usize,
    plies: usize,
    illegal: usize,
    mispredicted: usize,
    endings: BTreeMap<&'static str, usize>,
    unfinished: usize,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    let mut tally = Replayed::default();
    let mut out = std::io::BufWriter::new(if args.json || args.convert { machines() } else { drawing() });
    for path in &args.files {
        let text = read(path)?;
        each_game(&text, path, rules, &mut |name, checked| {
            tally.add(&checked);
            let wanted = args.game.is_none_or(|n| n == tally.games);
            match checked {
                Err((_, error)) => note!("{}: {name}: {error}", path.display()),
                Ok(record) if wanted && !args.check => print(&record, args, &mut out)?,
                Ok(_) => {}
            }
            Ok(())
        })?;
    }
    if args.game.is_some_and(|n| n == 0 || n > tally.games) {
        bail!("expected --game to be from 1 to {}", tally.games);
    }
    let holds = tally.illegal + tally.mispredicted == 0;
    if args.check {
        writeln!(out, "{}", if args.json { tally.json().to_string() } else { tally.text() })?;
    } else if tally.games > 1 && args.game.is_none() && !args.json && !args.convert {
        writeln!(out, "{}", tally.text())?;
    }
    out.flush()?;
    Ok(holds)
}

/// Calls `visit` with every game of a file: its name and whether it holds.
pub(crate) fn each_game(
    text: &str,
    path: &Path,
    rules: RuleSet,
    visit: &mut dyn FnMut(&str, Checked) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    games::each_game(text, rules, visit).map_err(|error| match error.downcast::<GamesError>() {
        Ok(GamesError::Text(e)) => pointing(&e, text, Some(path)),
        Ok(e @ GamesError::Kind) => anyhow!("{}: {e}", path.display()),
        Ok(GamesError::Line(n, e)) => anyhow::Error::new(e).context(format!("{}, line {n}", path.display())),
        Ok(e @ GamesError::Plies(..)) => anyhow!("{}, {e}", path.display()),
        Err(error) => error,
    })
}

/// Whether an argument that may be a position text or a file is a file; `-` is standard input.
pub(crate) fn is_file(text: &str) -> bool {
    text == "-" || Path::new(text).is_file()
}

/// A game of a file up to a ply, or to the last position with a choice, and the position there.
pub(crate) fn recorded(
    path: &Path,
    game: usize,
    ply: Option<usize>,
    rules: RuleSet,
) -> anyhow::Result<(Record<Banqi>, Banqi)> {
    let (mut n, mut found) = (0, None);
    each_game(&read(path)?, path, rules, &mut |_, checked| {
        n += 1;
        if n == game {
            found = Some(checked.map_err(|(_, error)| anyhow!("game {n} does not hold: {error}"))?);
        }
        Ok(())
    })?;
    let mut record = found.with_context(|| format!("expected --game to be from 1 to {n}"))?;
    let plies = record.plies.len();
    if ply.is_some_and(|ply| ply > plies) {
        bail!("expected --ply to be at most {plies}");
    }
    let mut games = vec![record.start.clone()];
    for ply in &record.plies[..ply.unwrap_or(plies)] {
        let mut game = games[games.len() - 1].clone();
        game.apply(ply.event);
        games.push(game);
    }
    let open = games.iter().rposition(|game| ply.is_some() || !game.turn().is_over()).unwrap_or(0);
    record.truncate(open);
    Ok((record, games.swap_remove(open)))
}

impl Replayed {
    fn add(&mut self, checked: &Checked) {
        self.games += 1;
        match checked {
            Ok(record) => {
                self.plies += record.plies.len();
                match record.ending {
                    Some(ending) => *self.endings.entry(ending.cause.text()).or_default() += 1,
                    None => self.unfinished += 1,
                }
            }
            Err((plies, error)) => {
                self.plies += plies;
                match error.what {
                    Mismatch::Impossible | Mismatch::Seat(_) => self.illegal += 1,
                    Mismatch::Over(_) | Mismatch::Ending { .. } => self.mispredicted += 1,
                }
            }
        }
    }

    /// Games that ended by the rules, not by the clock or a forfeit.
    fn by_rules(&self) -> usize {
        let by_rules = |text: &str| matches!(text.parse(), Ok(Cause::Rules(_)));
        self.endings.iter().filter(|(text, _)| by_rules(text)).map(|(_, n)| n).sum()
    }

    fn text(&self) -> String {
        let endings: Vec<String> = self.endings.iter().map(|(name, n)| format!("{name} {n}")).collect();
        format!(
            "{} games, {} plies: {} illegal, {} endings mispredicted\n\
             {} games ended by the rules, each at its last ply and no earlier\n\
             endings: {}; unfinished {}",
            self.games,
            self.plies,
            self.illegal,
            self.mispredicted,
            self.by_rules(),
            if endings.is_empty() { "none".to_owned() } else { endings.join(", ") },
            self.unfinished,
        )
    }

    fn json(&self) -> serde_json::Value {
        json!({
            "schema": 1,
            "games": self.games,
            "plies": self.plies,
            "illegal": self.illegal,
            "mispredicted": self.mispredicted,
            "ended_by_rules": self.by_rules(),
            "endings": self.endings,
            "unfinished": self.unfinished,
        })
    }
}

/// Prints a checked record in the requested form.
fn print(record: &Record<Banqi>, args: &Args, out: &mut dyn Write) -> anyhow::Result<()> {
    if args.convert {
        writeln!(out, "{record}")?;
        return Ok(());
    }
    let shown = args.ply.unwrap_or(record.plies.len());
    let plies = record.plies.get(..shown);
    let plies = plies.with_context(|| format!("expected --ply to be at most {}", record.plies.len()))?;
    let mut game = record.start.clone();
    for ply in plies {
        game.apply(ply.event);
    }
    if args.json {
        let object = json!({
            "schema": 1,
            "tags": record.tags.iter().cloned().collect::<BTreeMap<_, _>>(),
            "start": record.start.to_string(),
            "plies": record.plies.iter().map(|p| p.event.to_string()).collect::<Vec<_>>(),
            "took_ms": record.plies.iter().map(|p| p.took.as_millis() as u64).collect::<Vec<_>>(),
            "result": record.ending.map(|e| e.outcome.text()),
            "reason": record.ending.map(|e| e.cause.text()),
            "shown_ply": shown,
            "position": game.to_string(),
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    for (name, value) in &record.tags {
        writeln!(out, "{name}: {}", visible(value))?;
    }
    if let Some(last) = plies.last() {
        let of = record.plies.len();
        writeln!(out, "After ply {shown} of {of}, {}:", last.event)?;
    }
    write!(out, "{}", args.style.draw(&game))?;
    if shown == record.plies.len() {
        writeln!(out, "result: {}", record.ending.map_or("unfinished".to_owned(), |e| e.to_string()))?;
    }
    writeln!(out)?;
    Ok(())
}
