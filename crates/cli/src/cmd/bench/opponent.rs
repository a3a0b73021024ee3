//! `anglerfish bench opponent`: the cost of studying the opponent, relative to a move's search.

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anglerfish_arena::{SystemClock, now};
use anglerfish_engine::opponent::{Debt, OpponentModel};
use anglerfish_engine::{Assets, Config, Engine, Limits, Stop};
use anglerfish_opponents::ornn::{Net, Ranked};
use anglerfish_opponents::{Bayes, Modelled, Source, nets};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Ply, Seat};
use anyhow::Context;
use serde_json::json;

use super::sample_records;

/// Studying the opponent: the cost of observing a ply, compared with a search with a move's nodes
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench opponent")]
pub(super) struct Args {
    /// Nodes per move
    #[arg(long, default_value_t = 5_000)]
    nodes: u64,
    /// Games whose plies are observed
    #[arg(long, default_value_t = 20)]
    games: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// Searching takes a hundred times as long, so one position in this many is searched.
const SEARCHED: usize = 16;

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let config = Config::default();
    let mut engine = Engine::<Banqi>::new(&config, &Assets::default(), Arc::new(SystemClock::default()))?;
    engine.new_game(Seat(0), 1, None);
    let mut styles = Banqi::styles();
    // One for each seat: a model observes the seat it began with.
    let mut models = [0, 1].map(|seat| {
        let mut model = Bayes::<Banqi>::new(Banqi::styles(), Bayes::<Banqi>::SLIP, 1.0);
        model.begin(Seat(seat), 1, None);
        model
    });
    let mut debt = Debt::default();
    let (mut observing, mut searching, mut nodes) = (Duration::ZERO, Duration::ZERO, 0);
    let mut asking = vec![Duration::ZERO; styles.len()];
    let (mut plies, mut searches) = (0_u32, 0_u32);
    // Searches alternate with observations, so that other load on the machine affects both alike.
    for record in sample_records(args.games) {
        let mut game: Banqi = record.start.clone();
        for (n, ply) in record.plies.iter().enumerate() {
            let Some(seat) = game.turn().seat() else { break };
            let begin = now();
            let ply = Ply { seat, event: ply.event, took: Duration::ZERO };
            models[usize::from(seat.0)].observe(&game, &ply, &mut debt);
            observing += begin.elapsed();
            plies += 1;
            let mut actions = Vec::new();
            game.actions(&mut actions);
            let mut shares = vec![0.0; actions.len()];
            for (style, time) in styles.iter_mut().zip(&mut asking) {
                let begin = now();
                style.likelihood(&game, &actions, &mut shares);
                *time += begin.elapsed();
            }
            if n.is_multiple_of(SEARCHED) && n > 0 {
                let begin = now();
                let limits = Limits::nodes(args.nodes);
                nodes += engine.think(&game, limits, &Stop::default(), &mut |_| {}).info.nodes;
                searching += begin.elapsed();
                searches += 1;
            }
            game.apply(ply.event);
        }
    }
    let ranking = ranking(args.games)?;
    let node = searching.as_secs_f64() / nodes.max(1) as f64;
    let observed = observing.as_secs_f64() / f64::from(plies.max(1));
    // A move is a search and one ply of the opponent.
    let share = observed / (node * args.nodes as f64);
    let cost = |time: &Duration| time.as_secs_f64() / f64::from(plies.max(1)) / node;
    let mut out = std::io::stdout().lock();
    if args.json {
        let costs: serde_json::Map<_, _> =
            styles.iter().zip(&asking).map(|(s, t)| (s.name().to_owned(), json!(cost(t)))).collect();
        let object = json!({ "schema": 1, "nodes": args.nodes, "observed": share, "style_nodes": costs,
            "ornn_ms": 1e3 * ranking, "plies": plies, "searches": searches });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "observing a ply: {:.2} % of a search of {} nodes", 100.0 * share, args.nodes)?;
        writeln!(out, "ranking the opponent: {:.2} ms per game, nothing per node", 1e3 * ranking)?;
        writeln!(out, "{plies} plies, {searches} searches, {:.0} ns a node", 1e9 * node)?;
        for (style, time) in styles.iter().zip(&asking) {
            writeln!(out, "  {:<10}{:>6.1} nodes, charged {}", style.name(), cost(time), style.nodes())?;
        }
    }
    Ok(true)
}

/// Seconds per game for the ranking network: it follows the opening, and is asked once.
fn ranking(games: u64) -> anyhow::Result<f64> {
    let trained = nets::canonical().next().context("no network")?;
    let mut network = Ranked::new(Net::read(trained.bytes)?, trained.canonical);
    let records = sample_records(games);
    let (begin, mut of) = (now(), 0);
    for record in records {
        network.begin(Seat(1), 1);
        let mut game: Banqi = record.start.clone();
        let said = record.plies.iter().any(|ply| {
            let said = network.hear(&game, ply).is_some();
            game.apply(ply.event);
            said
        });
        of += u32::from(said);
    }
    Ok(begin.elapsed().as_secs_f64() / f64::from(of.max(1)))
}
