//! `anglerfish bench luck`: the cost of judging luck, relative to the games.

use std::io::Write;
use std::time::Duration;

use anglerfish_arena::{Contestant, Judging, Match, Worker, now};
use anglerfish_rules::Record;
use anglerfish_rules::banqi::Banqi;
use serde_json::json;

/// Judging luck: its time, compared with playing the games
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench luck")]
pub(super) struct Args {
    /// Nodes per move of the players
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Pairs of games
    #[arg(long, default_value_t = 5)]
    pairs: u64,
    /// The nodes of each judge
    #[arg(long, value_delimiter = ',', default_values_t = [0, 100, 1_000, 4_000])]
    judges: Vec<u64>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let player = |name: &str| Contestant::builtin(name, "alphabeta,hash=1", &format!("nodes={}", args.nodes));
    let game = Match::new::<Banqi>([player("one"), player("other")], "platform", 1, args.pairs);
    let mut judges = Vec::new();
    for &nodes in &args.judges {
        let judging = Judging { nodes, ..Judging::default() };
        judges.push((judging.judge::<Banqi>()?, judging, Duration::ZERO));
    }
    // Judging alternates with games, so that other load on the machine affects both alike.
    let mut playing = Duration::ZERO;
    for unit in game.units() {
        let begin = now();
        let mut records: Vec<Record<Banqi>> = Worker::default().play(&unit)?;
        playing += begin.elapsed();
        for (judge, judging, time) in &mut judges {
            let begin = now();
            for record in &mut records {
                judging.write(judge, record);
            }
            *time += begin.elapsed();
        }
    }
    let games = 2.0 * args.pairs.max(1) as f64;
    let of_game = |time: &Duration| 1e3 * time.as_secs_f64() / games;
    let part = |time: &Duration| time.as_secs_f64() / playing.as_secs_f64().max(1e-9);
    let mut out = std::io::stdout().lock();
    if args.json {
        let judge = |(_, judging, time): &(_, Judging, Duration)| json!({ "judge": judging.to_string(), "ms_a_game": of_game(time), "over_playing": part(time) });
        let judges: Vec<_> = judges.iter().map(judge).collect();
        let object = json!({ "schema": 1, "nodes": args.nodes, "pairs": args.pairs, "playing_ms_a_game": of_game(&playing), "judges": judges });
        writeln!(out, "{object}")?;
        return Ok(true);
    }
    writeln!(out, "playing, {} nodes per move    {:>8.1} ms per game", args.nodes, of_game(&playing))?;
    for (_, judging, time) in &judges {
        writeln!(out, "{judging:<44} {:>8.1} ms per game, {:.3} of playing", of_game(time), part(time))?;
    }
    Ok(true)
}
