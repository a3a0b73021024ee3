//! `anglerfish bench`: the behavior hash of the search, and the speed of the parts on this machine, on one core.

mod luck;
mod opponent;
mod playouts;
#[cfg(feature = "store")]
mod selfplay;

use std::io::Write;
use std::sync::Arc;
use std::time::Duration;

use anglerfish_arena::{
    Budget, Clocks, Contestant, Dealer, Draws, Fixed, GameOptions, Match, MoveRequest, Player, SystemClock,
    Table, Worker, greedy, now, play,
};
use anglerfish_engine::{Bench, behavior_hashes, bench};
use anglerfish_rules::banqi::{Banqi, Layout, RuleSet};
use anglerfish_rules::{Game, Record, Rng, Seat, perft};
use serde_json::json;

/// Measure speed on one core; without a subcommand the search, with its behavior hash
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish bench\n  anglerfish bench search --json\n  anglerfish bench rules\n  anglerfish bench rules --seconds 10 --json\n  anglerfish bench match\n  anglerfish bench luck\n  anglerfish bench opponent\n  anglerfish bench playouts --seconds 2\n  anglerfish bench selfplay"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: Option<What>,
}

#[derive(clap::Subcommand)]
enum What {
    Search(SearchArgs),
    Rules(RulesArgs),
    Match(MatchArgs),
    Luck(luck::Args),
    Opponent(opponent::Args),
    Playouts(playouts::Args),
    #[cfg(feature = "store")]
    Selfplay(selfplay::Args),
}

/// The search: the nodes of fixed positions to fixed depths, which change only with its play, and nodes per
/// second; then a number each for mcts, the models of the opponent and a game of every search, which change
/// only with their play
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench search\n  anglerfish bench search --json")]
struct SearchArgs {
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The match runner: its overhead over the bare loop of two players, and the gain from a second thread
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  anglerfish bench match\n  anglerfish bench match --repeats 5 --pairs 20"
)]
struct MatchArgs {
    /// How often the three runs are repeated in turn; medians are printed, of ratios too
    #[arg(long, default_value_t = 41)]
    repeats: usize,
    /// Pairs of games in each
    #[arg(long, default_value_t = 50)]
    pairs: u64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// The rules: random playouts, perft, and replaying records
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  anglerfish bench rules\n  anglerfish bench rules --seconds 10 --json")]
struct RulesArgs {
    /// How long each of the measurements takes
    #[arg(long, default_value_t = 2.0)]
    seconds: f64,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<bool> {
    match &args.what {
        None => search(&SearchArgs { json: false }),
        Some(What::Search(args)) => search(args),
        Some(What::Rules(args)) => rules(args),
        Some(What::Match(args)) => matches(args),
        Some(What::Luck(args)) => luck::run(args),
        Some(What::Opponent(args)) => opponent::run(args),
        Some(What::Playouts(args)) => playouts::run(args),
        #[cfg(feature = "store")]
        Some(What::Selfplay(args)) => selfplay::run(args),
    }
}

fn search(args: &SearchArgs) -> anyhow::Result<bool> {
    let Bench { nodes, time } = bench(Arc::new(SystemClock::default()));
    let seconds = time.as_secs_f64();
    let rate = nodes as f64 / seconds.max(1e-6);
    let hashes = behavior_hashes().into_iter().chain(anglerfish_opponents::behavior_hashes());
    let mut out = std::io::stdout().lock();
    if args.json {
        let others: serde_json::Map<_, _> = hashes.map(|(name, number)| (name, number.into())).collect();
        let object = json!({ "schema": 1, "nodes": nodes, "seconds": seconds, "nodes_a_second": rate.round(), "signatures": others });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "Bench: {nodes}\n{seconds:.2} s, {} nodes per second", grouped(rate))?;
        for (name, number) in hashes {
            writeln!(out, "{name} {number}")?;
        }
    }
    Ok(true)
}

/// Greedy against greedy three ways, interleaved, so that other load on the machine affects all alike.
fn matches(args: &MatchArgs) -> anyhow::Result<bool> {
    let contestant = |name: &str| Contestant::builtin(name, "greedy", "nodes=1");
    let players = [contestant("a"), contestant("b")];
    let game = Match::new::<Banqi>(players, &RuleSet::PLATFORM.to_string(), 1, args.pairs);
    let run = |threads: usize| {
        let begin = now();
        let tally = game.run::<Banqi>(&Worker::default(), None, threads, &mut |_, _| {})?;
        anyhow::Ok((begin.elapsed().as_secs_f64(), tally.plies))
    };
    // Seconds of the bare loop, of one thread and of two, then the two ratios: a slow second of the machine
    // affects all three runs of a turn, and the median of ratios is immune to it.
    let mut turns: [Vec<f64>; 5] = Default::default();
    for _ in 0..args.repeats.max(1) {
        let begin = now();
        let plies: u64 = (1..=args.pairs).map(|n| bare_pair(&game, n)).sum();
        let bare = begin.elapsed().as_secs_f64();
        let (one, played) = run(1)?;
        let (two, again) = run(2)?;
        anyhow::ensure!(played == plies && again == plies, "the match plays the games of the bare loop");
        for (column, value) in turns.iter_mut().zip([bare, one, two, bare / one, one / two]) {
            column.push(value);
        }
    }
    let [bare, one, two, over_bare, over_one] = turns.map(|mut column| {
        column.sort_by(f64::total_cmp);
        column[column.len() / 2]
    });
    let games = 2.0 * args.pairs as f64;
    let mut out = std::io::stdout().lock();
    if args.json {
        let object = json!({ "schema": 1, "bare_games_a_second": games / bare, "match_games_a_second": games / one,
            "match_over_bare": over_bare, "two_threads_over_one": over_one });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "bare loop of two players    {:>8.0} games per second", games / bare)?;
        writeln!(
            out,
            "match, one thread           {:>8.0} games per second, {:.3} of the bare loop",
            games / one,
            bare / one
        )?;
        writeln!(
            out,
            "match, two threads          {:>8.0} games per second, {:.2} of one",
            games / two,
            one / two
        )?;
    }
    Ok(true)
}

/// The two games of a pair with nothing around the players but the rules: no record, no units, no text. Not
/// inlined, so that a profiler can tell it from the match: `valgrind --tool=callgrind` and
/// `callgrind_annotate --inclusive=yes`.
#[inline(never)]
fn bare_pair(game: &Match, n: u64) -> u64 {
    let unit = game.unit(n);
    let layout = Layout::shuffled(RuleSet::PLATFORM.board, &mut Rng::stream(unit.pair_seed(n), "deal"));
    let clocks = Clocks::new([Budget::Nodes(1); 2]);
    let ask = MoveRequest { lines: 0, ..MoveRequest::clocks(clocks) };
    let mut plies = 0;
    for game in 1..=2 {
        let seed = unit.game_seed(n, game);
        let mut players = [greedy(), greedy()];
        for (seat, player) in (0..).map(Seat).zip(&mut players) {
            // Our own players always start and always choose.
            let _ = player.start(seat, seed, &clocks);
        }
        let mut position = Banqi::start(RuleSet::PLATFORM);
        while let Some(seat) = position.turn().seat() {
            let Ok(choice) = players[usize::from(seat.0)].choose(&position, &ask) else { break };
            position.apply(Fixed(layout).resolve(&position, choice.action));
            plies += 1;
        }
    }
    plies
}

fn rules(args: &RulesArgs) -> anyhow::Result<bool> {
    let mut out = std::io::stdout().lock();

    // Playouts are counted in plies, and their mean length turns one rate into the other.
    let mut rng = Rng::new(1);
    let start = Banqi::start(RuleSet::PAPER40);
    let (mut n_playouts, mut n_plies) = (0, 0);
    let plies = rate(args.seconds, || {
        let plies = (0..50).map(|_| u64::from(start.clone().random_playout(&mut rng).2)).sum();
        n_playouts += 50;
        n_plies += plies;
        plies
    });
    let length = n_plies as f64 / f64::from(n_playouts);
    let playouts = Rate { median: plies.median / length, best: plies.best / length };

    let middle = middle_game();
    let nodes = rate(args.seconds, || perft(&middle, 3).count);

    let records = sample_records(200);
    let replayed = rate(args.seconds, || {
        assert!(records.iter().all(|r| r.replay().is_ok()), "our own records replay");
        records.len() as u64
    });
    let texts: Vec<String> = records.iter().map(ToString::to_string).collect();
    let read = rate(args.seconds, || {
        let whole = |text: &String| text.parse::<Record<Banqi>>().is_ok_and(|r| r.replay().is_ok());
        assert!(texts.iter().all(whole), "our own records are read and replay");
        texts.len() as u64
    });
    let replayed_length = records.iter().map(|r| r.plies.len()).sum::<usize>() / records.len();

    // Jouandeau and Cazenave (2014) report 2,000 random playouts from the start in 0.66 s.
    let paper = 2000.0 / 0.66;
    let rows = [
        (
            "random_playouts",
            "random playouts (paper40)",
            playouts,
            format!("{:.0} x the paper's", playouts.median / paper),
        ),
        ("random_plies", "random plies in them", plies, format!("{length:.0} a playout")),
        ("perft_nodes", "perft nodes", nodes, "leaves counted, not played".to_owned()),
        ("replayed_games", "replayed games", replayed, format!("{replayed_length} plies each")),
        ("read_and_replayed_games", "the same, read from text first", read, String::new()),
    ];
    if args.json {
        let object = |rate: Rate| json!({ "median": rate.median.round(), "best": rate.best.round() });
        let rates: serde_json::Map<_, _> = rows.iter().map(|r| (r.0.to_owned(), object(r.2))).collect();
        let object = json!({ "schema": 1, "stretches": STRETCHES, "a_second": rates,
            "plies_a_playout": length, "plies_a_replayed_game": replayed_length });
        writeln!(out, "{object}")?;
    } else {
        writeln!(out, "{:<32}{:>14}{:>14}", "a second, on one core", "median", "best")?;
        for (_, name, rate, note) in rows {
            let row = format!("{name:<32}{:>14}{:>14}  {note}", grouped(rate.median), grouped(rate.best));
            writeln!(out, "{}", row.trim_end())?;
        }
    }
    Ok(true)
}

/// The rate of `work` per second: the median of many stretches, and the best of them.
///
/// On a shared machine other processes only slow a stretch down. So the best one is closest to the speed of
/// the code, and the median to its actual speed.
#[derive(Clone, Copy)]
struct Rate {
    median: f64,
    best: f64,
}

const STRETCHES: u32 = 25;

fn rate(seconds: f64, mut work: impl FnMut() -> u64) -> Rate {
    let stretch = Duration::from_secs_f64((seconds / f64::from(STRETCHES)).max(0.001));
    let mut rates: Vec<f64> = (0..STRETCHES)
        .map(|_| {
            let mut count = 0;
            let begin = now();
            loop {
                count += work();
                let spent = begin.elapsed();
                if spent >= stretch {
                    return count as f64 / spent.as_secs_f64();
                }
            }
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    Rate { median: rates[rates.len() / 2], best: rates[rates.len() - 1] }
}

/// Games between two simple players, of about the length of tournament games.
fn sample_records(n: u64) -> Vec<Record<Banqi>> {
    (0..n)
        .map(|seed| {
            let start = Banqi::start(RuleSet::PLATFORM);
            let clocks = Clocks::new([Budget::Nodes(1); 2]);
            let table = Table::new(start, Draws(Rng::stream(seed, "deal")), clocks);
            play(table, &mut [&mut greedy(), &mut greedy()], seed, GameOptions::default())
        })
        .collect()
}

/// A position with face-down pieces, cannons and captures.
fn middle_game() -> Banqi {
    let mut rng = Rng::new(5);
    let mut game = Banqi::start(RuleSet::PLATFORM);
    for _ in 0..50 {
        if let Some(action) = game.random_action(&mut rng) {
            game.apply(game.resolve(action, &mut rng));
        }
    }
    game
}

/// A rate with commas: 12,345,678.
fn grouped(rate: f64) -> String {
    anglerfish_report::grouped(rate.round() as u64)
}
