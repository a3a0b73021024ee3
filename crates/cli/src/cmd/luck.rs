//! `anglerfish luck`: how lucky the players of recorded games were, and what they would have scored without it.

use std::collections::BTreeMap;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::PathBuf;

use anglerfish_arena::report::{Row, Table, counted, grouped};
use anglerfish_arena::stats::adjusted::{Adjusted, Known, points};
use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_arena::stats::elo::Estimate;
use anglerfish_arena::{
    Done, Identity, Journal, Judging, LUCK, Ledger, Name, Worked, halves, now, read_games, read_luck,
    run_units, write_games,
};
use anglerfish_engine::Kit;
use anglerfish_engine::account::{GAME, STAGES};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::{Banqi, RuleSet};
use anyhow::{Context, anyhow, bail, ensure};
use serde_json::json;

use super::replay::each_game;
use crate::input::{parse_pointing, read};
use crate::output::write_out;
use crate::progress::{Progress, duration};
use crate::provenance;

/// Say how lucky the players of recorded games were, and what they scored without it
///
/// Takes games of any program: our records, the tournament platform's text files and its compact form, plain or gzipped. At every
/// flip luck is what came up less the mean of what could have come up, by a judge who searches some nodes at each position. What it
/// takes off a score is fitted on other games, so that the score stays without bias (docs/luck.md). Games that share a deal are one witness.
#[derive(clap::Args)]
#[command(after_help = "Examples:
  anglerfish luck match/match.games
  anglerfish luck games.jsonl.gz --judge nodes=1000 --out judged
  anglerfish luck match/match.games --json")]
pub(crate) struct Args {
    /// Files of records; - is standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Who judges: nodes=N at each position, 0 for an evaluation only, with a player before it if you like
    #[arg(long, value_name = "nodes=N", default_value_t = Judging::default())]
    judge: Judging,
    /// Keep what is judged in this folder, and go on from what is there; in the end it has the games with their luck, too
    #[arg(long, value_name = "FOLDER")]
    out: Option<PathBuf>,
    /// How many games are judged at a time; as many as there are cores if that is not said
    #[arg(long)]
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
    let (mut games, mut wrong, mut unfinished) = (Vec::new(), 0, 0);
    for path in &args.files {
        each_game(&read(path)?, path, rules, &mut |name, checked| {
            match checked {
                Ok(record) if record.ending.is_some() => games.push(record),
                Ok(_) => unfinished += 1,
                Err((_, error)) => {
                    wrong += 1;
                    eprintln!("{}: {name}: {error}", path.display());
                }
            }
            Ok(())
        })?;
    }
    ensure!(!games.is_empty(), "expected finished games, found none");
    judge_all(args, &mut games)?;
    let found = Found::of(&games)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{}", found.json(args, games.len(), [wrong, unfinished]))?;
        return Ok(wrong == 0);
    }
    writeln!(out, "{}, judged by {}", counted(games.len() as u64, "game"), args.judge)?;
    if found.players.is_empty() {
        writeln!(out, "\nThe games name no two players, so there are no scores.")?;
    } else {
        writeln!(out, "\n{}", found.table().text().trim_end())?;
    }
    let (mean, (low, high)) = (found.first_movers.mean(), found.first_movers.interval());
    writeln!(
        out,
        "\nLuck of whoever moved first: {:+.2} points of a hundred per game, 95 % from {:+.2} to {:+.2}; nothing is expected",
        100.0 * mean,
        100.0 * low,
        100.0 * high
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

/// Judges the games, but for those that the journal has.
fn judge_all(args: &Args, games: &mut [Record<Banqi>]) -> anyhow::Result<()> {
    let mut journal = match &args.out {
        Some(folder) => {
            std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
            let run = json!({ "luck": args.judge, "engine": Identity::of_this_build() });
            let journal = Journal::open(&folder.join("journal"), &run.to_string())?;
            provenance::record(folder, &[], None)?;
            Some(journal)
        }
        None => None,
    };
    let units: Vec<(usize, String)> = games
        .iter()
        .enumerate()
        .map(|(n, game)| (n, format!("{}\n{}", args.judge, unjudged(game))))
        .collect();
    let mut left = Vec::new();
    for (n, unit) in units {
        match journal.as_mut().map(|journal| journal.get(&Name::of(&unit))).transpose()?.flatten() {
            Some(Done::Result(luck)) => games[n].set_tag(LUCK, luck.trim_end()),
            Some(Done::Failed(_)) | None => left.push((n, unit)),
        }
    }
    let (all, kept, began, mut progress) = (games.len(), games.len() - left.len(), now(), Progress::new());
    if kept > 0 {
        eprintln!(
            "going on: {} {} in the journal",
            counted(kept as u64, "game"),
            if kept == 1 { "is" } else { "are" }
        );
    }
    let mut done = kept;
    let cores = std::thread::available_parallelism().map_or(1, Into::into);
    let ledger = journal.as_mut().map(|journal| journal as &mut dyn Ledger);
    run_units(left, args.threads.unwrap_or(cores), ledger, work, |_, n, luck| {
        let luck = luck.map_err(|why| anyhow!("game {}: {why}", n + 1))?;
        games[n].set_tag(LUCK, &luck);
        done += 1;
        let rest = began.elapsed().as_secs_f64() / (done - kept) as f64 * (all - done) as f64;
        progress.stands(format!(
            "game {} of {}, {} left",
            grouped(done as u64),
            grouped(all as u64),
            duration(rest)
        ));
        Ok::<_, anyhow::Error>(ControlFlow::Continue(()))
    })?;
    progress.end();
    // A game that comes twice is judged once.
    for game in games.iter_mut().filter(|game| !args.judge.has_judged(*game)) {
        let unit = format!("{}\n{}", args.judge, unjudged(game));
        let kept = journal.as_mut().map(|journal| journal.get(&Name::of(&unit))).transpose()?.flatten();
        let Some(Done::Result(luck)) = kept else { bail!("expected the journal to have every game") };
        game.set_tag(LUCK, luck.trim_end());
    }
    if let Some(folder) = &args.out {
        let path = folder.join("judged.games");
        write_out(&path, |out| Ok(out.write_all(write_games(games).as_bytes())?))?;
        eprintln!("wrote {}", path.display());
    }
    Ok(())
}

/// The game as it was before anybody judged it.
fn unjudged(game: &Record<Banqi>) -> Record<Banqi> {
    let mut game = game.clone();
    game.tags.retain(|(name, _)| name != LUCK);
    game
}

/// Judges one game: its luck as a record has it.
fn work(unit: &str) -> Worked<String, anyhow::Error> {
    let (judging, game) = unit.split_once('\n').context("a judge and a game")?;
    let judging: Judging = parse_pointing(judging)?;
    let mut judge = judging.judge::<Banqi>().map_err(|e| anyhow!(e))?;
    let mut games = read_games::<Banqi>(game).map_err(|e| anyhow!(e))?;
    let game = games.first_mut().context("a game")?;
    judging.write(&mut judge, game);
    let luck = game.tag(LUCK).unwrap_or_default().to_owned();
    Ok((luck.clone(), luck + "\n"))
}

/// What the games say.
#[derive(Default)]
struct Found {
    /// By name. Games against itself have no score.
    players: BTreeMap<String, (u64, Adjusted)>,
    first_movers: Clustered,
}

impl Found {
    fn of(games: &[Record<Banqi>]) -> anyhow::Result<Found> {
        // By deal, wherever its games are, in the order in which deals come: a deal is one witness, and whatever shares one is
        // adjusted together.
        let (mut places, mut deals) = (BTreeMap::new(), Vec::<Vec<&Record<Banqi>>>::new());
        for (n, game) in games.iter().enumerate() {
            let deal = game.tag("Deal").map_or_else(|| format!("game {n}"), str::to_owned);
            let place = *places.entry(deal).or_insert(deals.len());
            deals.resize(deals.len().max(place + 1), Vec::new());
            deals[place].push(game);
        }
        let mut found = Found::default();
        for deal in deals {
            found.add(&deal)?;
        }
        Ok(found)
    }

    /// The games of one deal.
    fn add(&mut self, games: &[&Record<Banqi>]) -> anyhow::Result<()> {
        let mut players: BTreeMap<&str, (u64, f64, [f64; STAGES])> = BTreeMap::new();
        let mut sum = 0;
        for game in games {
            let (_, luck) = read_luck(*game).context("expected every game to have its luck")?;
            sum += luck.iter().sum::<i64>();
            let (score, luck) = (f64::from(halves(std::slice::from_ref(*game))) / 2.0, points(&[luck]));
            let [first, second] = ["First", "Second"].map(|seat| game.tag(seat).unwrap_or("unknown"));
            // Games against oneself have no score.
            let sides = [(first, score, 1.0), (second, 1.0 - score, -1.0)];
            for (name, score, sign) in sides.into_iter().filter(|_| first != second) {
                let (n, points, all) = players.entry(name).or_default();
                (*n, *points) = (*n + 1, *points + score);
                all.iter_mut().zip(luck).for_each(|(all, luck)| *all += sign * luck);
            }
        }
        self.first_movers.add(games.len() as u64, sum as f64 / (2 * GAME) as f64);
        for (name, (n, score, luck)) in players {
            let (all, adjusted) = self.players.entry(name.to_owned()).or_default();
            *all += n;
            adjusted.add(score / n as f64, luck.map(|luck| luck / n as f64));
        }
        Ok(())
    }

    fn table(&self) -> Table {
        let percent = |estimate: &Estimate, sign: bool| {
            let (value, error) = (100.0 * estimate.value, 100.0 * estimate.error());
            if sign { format!("{value:+.1} ± {error:.1}") } else { format!("{value:.1} ± {error:.1}") }
        };
        let mut players: Vec<_> = self
            .players
            .iter()
            .filter_map(|(name, (n, adjusted))| Some((name, *n, adjusted.known()?)))
            .collect();
        players.sort_by(|a, b| b.2.score.value.total_cmp(&a.2.score.value));
        let row = |(name, n, known): &(&String, u64, Known)| Row {
            head: (*name).clone(),
            cells: vec![
                grouped(*n).into(),
                percent(&known.raw, false).into(),
                percent(&known.luck, true).into(),
                format!("{:+.1}", 100.0 * (known.raw.value - known.score.value)).into(),
                percent(&known.score, false).into(),
                format!("{:.2}", known.ratio()).into(),
            ],
        };
        Table {
            title: "Players".to_owned(),
            caption: "Points of a hundred per game, ± half of a 95 % interval. Counts: how much of the luck shows in the score, and is taken off. Gain: how many times as many games the score with luck would need.".to_owned(),
            columns: ["player", "games", "score", "luck", "counts", "without luck", "gain"].map(str::to_owned).to_vec(),
            rows: players.iter().map(row).collect(),
        }
    }

    fn json(&self, args: &Args, games: usize, [wrong, unfinished]: [u64; 2]) -> serde_json::Value {
        let estimate = |e: &Estimate| json!({ "value": e.value, "low": e.low, "high": e.high });
        let player = |(name, (n, adjusted)): (&String, &(u64, Adjusted))| {
            let known = adjusted.known()?;
            let object = json!({
                "games": n,
                "score": estimate(&known.raw),
                "luck": estimate(&known.luck),
                "adjusted": estimate(&known.score),
                "weights": known.weights,
                "ratio": known.ratio(),
            });
            Some((name.clone(), object))
        };
        let (low, high) = self.first_movers.interval();
        json!({
            "schema": 1,
            "judge": args.judge.to_string(),
            "games": games,
            "wrong": wrong,
            "unfinished": unfinished,
            "first_movers_luck": { "value": self.first_movers.mean(), "low": low, "high": high },
            "players": self.players.iter().filter_map(player).collect::<serde_json::Map<_, _>>(),
        })
    }
}
