//! The upper bound of every model: the engine plays the same deals against each opponent without a model and with an
//! oracle, a replica with the opponent's dice and memory that so knows every reply. Its searches are not counted.
//!
//! No model can gain more by foreseeing the next reply. It also tests a law of foresight: knowing every reply must not
//! lower the score.

use anglerfish_arena::{Bounds, Contestant, ContestantKind, Match, Unit};
use anglerfish_engine::opponent::{Debt, OpponentModel};
use anglerfish_engine::{Assets, Config};
use anglerfish_opponents::Replica;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Report, Row, Table, grouped};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Game, Record, Seat};
use serde::{Deserialize, Serialize};

use crate::experiment::{play_pair, written};
use crate::paired::{Difference, Played, read};
use crate::stats::{largest, signed};
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};

/// An opponent of ours.
struct Opponent {
    player: &'static str,
    /// Its nodes and ours: a stronger opponent is one against which we have few.
    nodes: [u64; 2],
    /// Whether a gain against it is required, and not only the absence of a loss.
    asked: bool,
}

const fn opponent(player: &'static str, nodes: [u64; 2], asked: bool) -> Opponent {
    Opponent { player, nodes, asked }
}

const OPPONENTS: [Opponent; 8] = [
    opponent("alphabeta,hash=64k", [200, 5_000], true),
    opponent("alphabeta,hash=64k", [1_000, 5_000], true),
    opponent("alphabeta,hash=64k", [1_000, 1_000], false),
    opponent("alphabeta,hash=64k", [2_000, 500], false),
    opponent("alphabeta,eval=course,hash=64k", [500, 5_000], false),
    opponent("course2019,hash=64k", [500, 5_000], false),
    opponent("level5,hash=64k", [60, 5_000], false),
    opponent("thinker3,hash=64k", [1, 5_000], false),
];

impl Opponent {
    fn name(&self) -> String {
        let [theirs, ours] = self.nodes;
        let player = self.player.trim_end_matches(",hash=64k");
        format!("{player} {theirs}, ours {ours}")
    }
}

/// The required gain of an oracle where one is required, in points of a hundred, for the lower end of the interval.
const ASKED: f64 = 3.0;

/// The required lower end of the mean gain.
const POOLED: f64 = -1.0;

/// Standard errors per interval so that all eight hold together 95 times in 100: Bonferroni's correction.
const TOGETHER: f64 = 2.734;

/// The stored result of a pair of games.
#[derive(Serialize, Deserialize)]
struct PairResult {
    #[serde(flatten)]
    played: Played,
    /// The opponent's moves that the oracle foresaw, and all its moves; 0 without an oracle.
    foreseen: [u64; 2],
}

/// The gain of an oracle against one opponent.
struct Gain {
    difference: Difference,
    foreseen: [u64; 2],
}

/// See the module.
pub struct Oracle;

impl Experiment for Oracle {
    fn name(&self) -> &'static str {
        "oracle"
    }

    fn about(&self) -> &'static str {
        "Banqi: what it is worth to know the next answer of the opponent, whatever we play: no model can gain more by it"
    }

    fn takes_luck(&self) -> bool {
        true
    }

    /// Nodes are divided by `fewer`, for a short run that only shows that it works.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [asked, games, fewer] = match size {
            Size::Ci => [4, 4, 50],
            Size::Paper => [600, 200, 1],
            Size::Full => [1_000, 600, 1],
        };
        vec![("asked", asked), ("games", games), ("fewer", fewer)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let cells = (0..OPPONENTS.len()).flat_map(|place| [(place, false), (place, true)]);
        cells.flat_map(|(place, oracle)| game(manifest, place, oracle).units().collect::<Vec<_>>()).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let records = play_pair(unit)?;
        let foreseen = foreseen(unit, &records)?;
        let result = PairResult { played: Played::new(&records), foreseen };
        written(&result)
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let mut gains = Vec::new();
        for place in 0..OPPONENTS.len() {
            let without: Vec<PairResult> = read(&game(manifest, place, false), results)?;
            let with: Vec<PairResult> = read(&game(manifest, place, true), results)?;
            let foreseen = with
                .iter()
                .map(|pair| pair.foreseen)
                .fold([0, 0], |sum, pair| [sum[0] + pair[0], sum[1] + pair[1]]);
            let [without, with] =
                [&without, &with].map(|pairs| pairs.iter().map(|pair| &pair.played).collect::<Vec<_>>());
            gains.push(Gain { difference: Difference::new(&with, Some(&without)), foreseen });
        }
        Ok(findings(self, manifest, &gains))
    }
}

/// The match of a cell. Its deals and seeds depend on the opponent and not on the oracle.
fn game(manifest: &Manifest, place: usize, oracle: bool) -> Match {
    let Opponent { player, nodes, asked } = &OPPONENTS[place];
    let [theirs, ours] = nodes.map(|nodes| (nodes / manifest.number("fewer")).max(1));
    let them = format!("{player},nodes={theirs}");
    let model = format!(",opponent=replica,oracle=on,replica={}", them.replace(',', "/"));
    let us = format!("alphabeta,hash=1{}", if oracle { &model } else { "" });
    let players = [
        Contestant::builtin("us", &us, &format!("nodes={ours}")),
        Contestant::builtin("them", &them, &format!("nodes={theirs}")),
    ];
    let pairs = manifest.number(if *asked { "asked" } else { "games" }).div_ceil(2);
    Match {
        luck: manifest.luck.clone(),
        ..Match::new::<Banqi>(players, "platform", manifest.seed + place as u64, pairs)
    }
}

/// Replays a pair of games with the same oracle that played in them.
fn foreseen(unit: &str, records: &[Record<Banqi>]) -> Result<[u64; 2], LabError> {
    let unit = Unit::read(unit, &Bounds::OURS)?;
    let ContestantKind::Builtin(text) = &unit.players[0].kind else { return Ok([0, 0]) };
    let config: Config = text.parse()?;
    if config.opponent.word("replica").is_none() {
        return Ok([0, 0]);
    }
    let mut oracle = Replica::<Banqi>::of(&config, &Assets::default())?;
    let mut debt = Debt::default();
    let mut sum = [0, 0];
    for (record, them) in records.iter().zip([Seat(1), Seat(0)]) {
        let seed = record.tag("Seed").and_then(|seed| seed.parse().ok()).ok_or("expected a seed")?;
        oracle.begin(them, seed, None);
        let mut game = record.start.clone();
        for ply in &record.plies {
            oracle.observe(&game, ply, &mut debt);
            game.apply(ply.event);
        }
        let (hits, of) = oracle.hits();
        sum = [sum[0] + u64::from(hits), sum[1] + u64::from(of)];
    }
    Ok(sum)
}

fn findings(experiment: &Oracle, manifest: &Manifest, gains: &[Gain]) -> Findings {
    let differences = gains.iter().map(|gain| &gain.difference);
    let named: Vec<(String, &Difference)> = OPPONENTS.iter().map(Opponent::name).zip(differences).collect();
    let mut report = Report {
        title: "What an oracle is worth".to_owned(),
        subtitle: format!("{}. Paired deals, seed {}.", experiment.about(), manifest.seed),
        rules: "platform".to_owned(),
        players: vec!["alphabeta".to_owned()],
        ..Report::default()
    };
    let reach = 1.0 + largest(named.iter().map(|(_, gain)| gain.best().0.abs() + gain.best().1)).min(50.0);
    let whisker = |(place, (name, gain)): (usize, &(String, &Difference))| {
        let (difference, error) = gain.best();
        Mark::Whisker {
            y: place as f64 + 0.5,
            range: (difference - error, difference, difference + error),
            tone: Tone::Series(usize::from(!OPPONENTS[place].asked)),
            note: format!("{name}: {} points", signed(difference, 2)),
        }
    };
    let names: Vec<&str> = named.iter().map(|(name, _)| &**name).collect();
    report.figures.push(Figure {
        title: "Points gained by knowing every answer".to_owned(),
        plot: Plot {
            label: "Difference of the score with and without an oracle, by opponent".to_owned(),
            x: Axis::numbers("points of a hundred", -reach, reach),
            y: Axis::names(&names),
            marks: named.iter().enumerate().map(whisker).collect(),
            legend: Vec::new(),
            height: 200.0,
        },
        caption: "With 95 % intervals, from pairs of games on the same deals.".to_owned(),
    });
    let row = |(name, gain): &(String, &Difference)| {
        let mood = if gain.low() > 0.0 { Mood::Good } else { Mood::Plain };
        Row {
            head: name.clone(),
            cells: vec![
                format!("{:.2}", gain.scores[0]).into(),
                format!("{:.2}", gain.scores[1]).into(),
                Difference::text(gain.raw).into(),
                gain.without_luck.map_or("-".into(), |known| Cell::new(Difference::text(known), mood)),
                gain.games.to_string().into(),
            ],
        }
    };
    report.tables.push(Table {
        title: "Score with and without an oracle".to_owned(),
        caption: "Per cent of the points; opponents with their nodes per move and ours. What the oracle searches is not counted."
            .to_owned(),
        columns: ["opponent", "without", "with", "difference", "without luck", "games"].map(str::to_owned).to_vec(),
        rows: named.iter().map(row).collect(),
    });
    let data = |(name, gain): &(String, &Difference)| {
        serde_json::json!({
            "opponent": name, "games": gain.games, "without": gain.scores[0], "with": gain.scores[1],
            "difference": gain.raw.0, "error": gain.raw.1, "without_luck": gain.without_luck,
        })
    };
    let data = named.iter().map(data).collect();
    let [hits, of] =
        gains.iter().fold([0, 0], |sum, gain| [sum[0] + gain.foreseen[0], sum[1] + gain.foreseen[1]]);
    let found = format!("{} of {}", grouped(hits), grouped(of));
    let oracle = Check::new("an oracle foresees every move".to_owned(), of > 0 && hits == of, found);
    Findings { checks: [vec![oracle], checks(manifest, &named)].concat(), report, data }
}

fn checks(manifest: &Manifest, named: &[(String, &Difference)]) -> Vec<Check> {
    let forfeits = named.iter().map(|(_, gain)| gain.forfeits).sum();
    let games: usize = named.iter().map(|(_, gain)| gain.games).sum();
    let mut checks = vec![Check::finished(games as u64, forfeits)];
    if manifest.size == Size::Ci {
        return checks;
    }
    for ((name, gain), _) in named.iter().zip(&OPPONENTS).filter(|(_, opponent)| opponent.asked) {
        let found = Difference::text(gain.best());
        checks.push(Check::new(
            format!("an oracle gains over {ASKED} points against {name}"),
            gain.low() > ASKED,
            found,
        ));
    }
    // Half of an interval of 95 % is 1.96 errors.
    let wide = |(_, gain): &(String, &Difference)| gain.best().0 + gain.best().1 * TOGETHER / 1.96;
    let worst = named.iter().min_by(|a, b| wide(a).total_cmp(&wide(b)));
    let (name, high) = worst.map_or(("none", f64::NAN), |cell| (&*cell.0, wide(cell)));
    checks.push(Check::new(
        "an oracle costs nothing: no interval of the eight, 95 % for all of them together, lies below nothing".to_owned(),
        high >= 0.0,
        format!("the lowest reaches {} against {name}", signed(high, 2)),
    ));
    let pooled = |asked_too: bool| {
        let cells = named.iter().zip(&OPPONENTS).filter(|(_, opponent)| asked_too || !opponent.asked);
        let known: Vec<(f64, f64)> = cells.map(|((_, gain), _)| gain.best()).collect();
        let n = known.len() as f64;
        let mean = known.iter().map(|(difference, _)| difference).sum::<f64>() / n;
        (mean, known.iter().map(|(_, error)| error.powi(2)).sum::<f64>().sqrt() / n)
    };
    let (all, others) = (pooled(true), pooled(false));
    checks.push(Check::new(
        format!("on average over the opponents the interval begins above {POOLED}"),
        all.0 - all.1 > POOLED,
        format!("{}; over those without an aim {}", Difference::text(all), Difference::text(others)),
    ));
    checks
}
