//! `anglerfish bench selfplay`: the cost of storing games, compared with the bare loop of the players.

use std::collections::BTreeMap;
use std::io::Write;

use anglerfish_arena::{
    Budget, Clocks, Contestant, Dealer, Field, Fixed, Identity, MoveRequest, Openings, Pairing, Unit, Worker,
    now, write_games,
};
use anglerfish_engine::Assets;
use anglerfish_rules::banqi::{Banqi, Layout, RuleSet};
use anglerfish_rules::{Game, Rng, RngExt, Seat};
use anglerfish_store::{Place, Store};
use anyhow::Context;
use serde_json::json;

/// Self-play into a store: games per second as a part of the bare loop of the same games
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench selfplay")]
pub(super) struct Args {
    /// Nodes per move
    #[arg(long, default_value_t = 100)]
    nodes: u64,
    /// Games in a unit
    #[arg(long, default_value_t = 64)]
    unit: u32,
    /// How often both runs are repeated in turn; the median of the ratios is printed
    #[arg(long, default_value_t = 5)]
    repeats: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<bool> {
    let player = Contestant::builtin("alphabeta", "alphabeta,hash=1", &format!("nodes={}", args.nodes));
    let field = Field {
        game: Banqi::NAME.to_owned(),
        players: vec![player],
        pairing: Pairing::Alone,
        rules: RuleSet::PLATFORM.to_string(),
        seed: 1,
        openings: Openings::Random(1),
        games: u64::from(args.unit) * args.repeats,
        batch: args.unit,
        annotate: Some(1),
        stop: None,
        assets: BTreeMap::new(),
        engine: Identity::default(),
    };
    let folder = std::env::temp_dir().join(format!("anglerfish-bench-{}", std::process::id()));
    let address = folder.to_str().context("expected a folder for temporary files that is text")?;
    let mut store = Store::<Banqi>::open(Place::make(address, &[])?, None)?;
    let (mut bare_seconds, mut kept_seconds, mut ratios) = (0.0, 0.0, Vec::new());
    for unit in field.units(0, field.len()) {
        let begin = now();
        let plies = bare(&unit, args.nodes)?;
        let alone = begin.elapsed().as_secs_f64();
        let begin = now();
        let played = kept(&unit, &mut store)?;
        let with = begin.elapsed().as_secs_f64();
        anyhow::ensure!(played == plies, "selfplay plays the games of the bare loop");
        bare_seconds += alone;
        kept_seconds += with;
        ratios.push(alone / with);
    }
    drop(store);
    std::fs::remove_dir_all(&folder)?;
    ratios.sort_by(f64::total_cmp);
    let ratio = ratios[ratios.len() / 2];
    let games = (u64::from(args.unit) * args.repeats) as f64;
    let mut out = std::io::stdout().lock();
    if args.json {
        let object = json!({ "schema": 1, "nodes": args.nodes, "bare_games_a_second": games / bare_seconds,
            "kept_games_a_second": games / kept_seconds, "kept_over_bare": ratio });
        writeln!(out, "{object}")?;
    } else {
        writeln!(
            out,
            "bare loop of two players    {:>8.1} games per second at {} nodes per move",
            games / bare_seconds,
            args.nodes
        )?;
        writeln!(
            out,
            "into a store, with values   {:>8.1} games per second, {ratio:.3} of the bare loop",
            games / kept_seconds
        )?;
    }
    Ok(true)
}

/// The games of a unit with all steps of selfplay: records, text, rows, a synced object. Not inlined, for profilers.
#[inline(never)]
fn kept(unit: &Unit, store: &mut Store<Banqi>) -> anyhow::Result<usize> {
    let text = unit.text();
    let records = Worker::default().play::<Banqi>(&text)?;
    store.put(&text, &write_games(&records))?;
    Ok(records.iter().map(|record| record.plies.len()).sum())
}

/// The same games with nothing around the players but the rules.
#[inline(never)]
fn bare(unit: &Unit, nodes: u64) -> anyhow::Result<usize> {
    let clocks = Clocks::new([Budget::Nodes(nodes); 2]);
    let ask = MoveRequest { lines: 0, ..MoveRequest::clocks(clocks) };
    let (mut plies, mut actions) = (0, Vec::new());
    for n in unit.first..unit.first + u64::from(unit.pairs) {
        let pair_seed = unit.pair_seed(n);
        let layout = Layout::shuffled(RuleSet::PLATFORM.board, &mut Rng::stream(pair_seed, "deal"));
        let mut players = Vec::new();
        for (seat, contestant) in (0..).map(Seat).zip(&unit.players) {
            let mut player = contestant.player::<Banqi>(&RuleSet::PLATFORM, &Assets::default())?;
            // Our own players always start and always choose.
            let _ = player.start(seat, unit.game_seed(n, 1), &clocks);
            players.push(player);
        }
        let mut game = Banqi::start(RuleSet::PLATFORM);
        game.actions(&mut actions);
        let first = Rng::stream(pair_seed, "opening").pick(&actions);
        game.apply(Fixed(layout).resolve(&game, first));
        plies += 1;
        while let Some(seat) = game.turn().seat() {
            let Ok(choice) = players[usize::from(seat.0)].choose(&game, &ask) else { break };
            game.apply(Fixed(layout).resolve(&game, choice.action));
            plies += 1;
        }
    }
    Ok(plies)
}
