//! `anglerfish luck`: the luck of the players in recorded games, and their scores without it.

use std::io::Write;
use std::path::PathBuf;

use anglerfish_arena::{Judging, LUCK, Worked, halves, read_luck, write_games};
use anglerfish_engine::SearchGame;
use anglerfish_report::{Judged, Report, Scores, counted};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anyhow::{Context, anyhow, ensure};
use serde_json::json;

use crate::input::parse_pointing;
use crate::judged::{Finished, Judgement, finished, read_unit, unit_of};
use crate::output::{write_beside, write_out};
use crate::terminal::{answer, note};

/// Measure the luck of the players in recorded games, and their scores without it
///
/// Takes games of any program: our records, the tournament platform's text files and its compact form, plain
/// or gzipped. The luck of a flip is the value of its outcome less the mean value of all possible outcomes,
/// by a judge that searches some nodes at each position. The adjustment of a score is fitted on other games,
/// so the score stays unbiased (docs/luck.md). Games that share a deal count as one sample.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish luck match/match.games
  anglerfish luck games.jsonl.gz --judge nodes=1000 --out judged
  anglerfish luck match/match.games --json")]
pub(crate) struct Args {
    /// Files of records; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The judge: nodes=N at each position, 0 for an evaluation only, with a player before it if you like
    #[arg(long, value_name = "nodes=N", default_value_t = Judging::default())]
    judge: Judging,
    /// Keep judged games in this folder, and resume from them; at the end it also gets the games with their
    /// luck and the table as CSV [default: nothing is kept]
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many games are judged at a time [default: as many as there are cores]
    #[arg(long, value_parser = crate::input::threads)]
    threads: Option<usize>,
    /// The rules of platform files, which do not name them
    #[arg(long, default_value = "platform")]
    rules: String,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    let rules: RuleSet = parse_pointing(&args.rules)?;
    args.judge.judge::<Banqi>().map_err(|e| anyhow!("--judge: {e}"))?;
    let Finished { mut games, wrong, unfinished } = finished(&args.files, rules)?;
    ensure!(!games.is_empty(), "expected finished games, found none");
    judge_all(args, &mut games)?;
    let scores = scores(&games)?;
    if let Some(folder) = args.out.as_ref().filter(|_| !scores.players.is_empty()) {
        write_beside(folder, &Report { tables: vec![scores.table()], ..Report::default() })?;
    }
    let mut out = answer(args.json);
    if args.json {
        let object = json!({
            "schema": 1,
            "judge": args.judge.to_string(),
            "games": games.len(),
            "wrong": wrong,
            "unfinished": unfinished,
            "first_movers_luck": scores.first_movers_json(),
            "players": scores.json(),
        });
        writeln!(out, "{object}")?;
        return Ok(wrong == 0);
    }
    writeln!(out, "{}, judged by {}", counted(games.len() as u64, "game"), args.judge)?;
    if scores.players.is_empty() {
        writeln!(out, "\nThe games name no two players, so there are no scores.")?;
    } else {
        writeln!(out, "\n{}", scores.table().text().trim_end())?;
    }
    let (mean, (low, high)) = (scores.first_movers.mean(), scores.first_movers.interval());
    // One deal gives no estimate.
    let interval = if low.is_finite() {
        format!(", 95 % from {:+.2} to {:+.2}", 100.0 * low, 100.0 * high)
    } else {
        String::new()
    };
    writeln!(
        out,
        "\nLuck of the first mover: {:+.2} points of a hundred per game{interval}; 0 is expected",
        100.0 * mean,
    )?;
    if unfinished > 0 {
        let left_out = counted(unfinished, "unfinished game");
        writeln!(
            out,
            "Left out: {left_out}. Where it depends on luck which games are finished, this is not without bias."
        )?;
    }
    if games.iter().any(|game| !game.start.is_calibrated()) {
        writeln!(
            out,
            "Values were fitted to games under the rules `platform`; under others they are uncalibrated."
        )?;
    }
    Ok(wrong == 0)
}

/// Judges the games that are not in the journal.
fn judge_all(args: &Args, games: &mut [Record<Banqi>]) -> anyhow::Result<()> {
    let units: Vec<String> = games.iter().map(|game| unit_of(&args.judge, game)).collect();
    let judgement =
        Judgement { what: "luck", judge: &args.judge, out: args.out.as_deref(), threads: args.threads };
    let luck = judgement.of_all(&units, work)?;
    for (game, luck) in games.iter_mut().zip(luck) {
        game.set_tag(LUCK, &luck);
    }
    if let Some(folder) = &args.out {
        let path = folder.join("judged.games");
        write_out(&path, |out| Ok(out.write_all(write_games(games).as_bytes())?))?;
        note!("wrote {}", path.display());
    }
    Ok(())
}

/// Judges one game: its luck in the form of a record.
fn work(unit: &str) -> Worked<String, anyhow::Error> {
    let (judging, mut judge, mut game) = read_unit(unit)?;
    judging.write(&mut judge, &mut game);
    let luck = game.tag(LUCK).unwrap_or_default().to_owned();
    Ok((luck.clone(), luck + "\n"))
}

/// The scores from the games.
fn scores(games: &[Record<Banqi>]) -> anyhow::Result<Scores> {
    let judged = games.iter().map(|game| {
        let (_, luck) = read_luck(game).context("expected every game to have its luck")?;
        Ok(Judged {
            players: ["First", "Second"].map(|seat| game.tag(seat).unwrap_or("unknown")),
            deal: game.tag("Deal"),
            halves: halves(std::slice::from_ref(game)),
            luck,
        })
    });
    Ok(Scores::of(&judged.collect::<anyhow::Result<Vec<_>>>()?))
}
