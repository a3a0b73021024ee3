//! 郭彥廷 (2019), Table V: does an attack value help, and how large should it be?
//!
//! "Theory of Computer Games, 2019 Fall Final Project", section 2.1: the author's program without the attack
//! value played against two versions with it. The paper gives no number of games, no depth and no time, and
//! has other dice; here every cell is a match on paired deals at a stated number of nodes per move. Table VI,
//! the program's place among twenty of a class, needs those programs and is not reproducible.

use anglerfish_arena::stats::adjusted::Adjusted;
use anglerfish_arena::stats::elo::{Estimate, elo};
use anglerfish_arena::{Contestant, Match, Tally};
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, GameRow, Report, Row, Table};
use anglerfish_rules::banqi::Banqi;
use anglerfish_rules::{Record, read_records};

use crate::experiment::play_pair;
use crate::stats::{mean_and_error, plus_minus, signed};
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};

/// The paper's rows: the ratio of basic to attack value, and wins, losses and draws in per cent (Table V).
const TABLE_V: [(&str, [u32; 3]); 2] = [("100", [70, 0, 30]), ("10", [60, 0, 40])];

/// See the module.
pub struct Course;

impl Experiment for Course {
    fn name(&self) -> &'static str {
        "course"
    }

    fn about(&self) -> &'static str {
        "Banqi: what an attack value is worth; 郭彥廷 (2019), \"Theory of Computer Games, 2019 Fall Final Project\", Table V (Table VI needs the programs of that class)"
    }

    fn takes_luck(&self) -> bool {
        true
    }

    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        match size {
            Size::Ci => vec![("games", 120), ("nodes", 60)],
            Size::Paper => vec![("games", 400), ("nodes", 2_000)],
            Size::Full => vec![("games", 2_000), ("nodes", 20_000)],
        }
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        matches(manifest).iter().flat_map(Match::units).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let records = play_pair(unit)?;
        Ok(records.iter().map(|record| record.to_string() + "\n").collect())
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let nodes = manifest.number("nodes");
        let mut report = Report {
            title: "What an attack value is worth".to_owned(),
            subtitle: format!(
                "{}. {nodes} nodes per move, paired deals, seed {}.",
                self.about(),
                manifest.seed
            ),
            rules: "platform".to_owned(),
            players: vec!["none".to_owned()],
            games_file: "journal".to_owned(),
            ..Report::default()
        };
        let (mut rows, mut marks, mut data) = (Vec::new(), Vec::new(), Vec::new());
        let (mut forfeits, mut leads) = (0, vec![0.0; manifest.number("games").div_ceil(2) as usize]);
        for (place, (game, (ratio, paper))) in matches(manifest).iter().zip(TABLE_V).enumerate() {
            report.players.push(format!("ratio {ratio}"));
            let mut tally = Tally::default();
            for (unit, lead) in game.units().zip(&mut leads) {
                let text = results.get(&unit).ok_or_else(|| format!("{unit} is missing"))?;
                let records: Vec<Record<Banqi>> =
                    read_records(text).collect::<Result<_, _>>().map_err(|e| e.pointing_at(text))?;
                let before = tally.games;
                tally.add(&records, None, game.luck.is_some());
                let more = |place: usize| (tally.games[place] - before[place]) as f64;
                // The lead in points of this deal, on average over the rows.
                *lead += 25.0 * (more(0) - more(2)) / TABLE_V.len() as f64;
                let seats = [[place + 1, 0], [0, place + 1]];
                let games = records.iter().zip(seats).filter_map(|(r, s)| GameRow::of(r, 0, s));
                games.for_each(|game| report.add_game(game));
            }
            forfeits += tally.forfeits.iter().sum::<u64>();
            let played: u64 = tally.games.iter().sum();
            let percent = tally.games.map(|n| 100.0 * n as f64 / played.max(1) as f64);
            let strength = elo(&tally.pairs);
            let known = tally.adjusted.as_ref().and_then(Adjusted::known);
            let interval = |elo: &Estimate| {
                format!("{} (from {} to {})", signed(elo.value, 0), signed(elo.low, 0), signed(elo.high, 0))
            };
            rows.push(Row {
                head: format!("ratio {ratio}"),
                cells: vec![
                    format!("{:.1} / {:.1} / {:.1}", percent[0], percent[2], percent[1]).into(),
                    format!("{} / {} / {}", paper[0], paper[1], paper[2]).into(),
                    interval(&strength).into(),
                    known.map_or("-".to_owned(), |known| interval(&known.elo())).into(),
                    played.to_string().into(),
                ],
            });
            let note = format!("ratio {ratio}: {:.0} Elo", strength.value);
            let range = (strength.low, strength.value, strength.high);
            marks.push(Mark::Whisker { y: place as f64 + 0.5, range, tone: Tone::Series(0), note });
            data.push(serde_json::json!({
                "ratio": ratio, "won": tally.games[0], "drawn": tally.games[1], "lost": tally.games[2],
                "without_luck": known.map(|known| known.elo()).map(|elo| [elo.low, elo.value, elo.high]),
                "pairs": tally.pairs.0, "elo": [strength.low, strength.value, strength.high],
                "paper": { "won": paper[0], "lost": paper[1], "drawn": paper[2] },
            }));
        }
        let reach = marks.iter().fold(50.0_f64, |reach, mark| match mark {
            Mark::Whisker { range, .. } => reach.max(range.0.abs()).max(range.2.abs()),
            _ => reach,
        });
        // An interval without an end is drawn to the edge.
        let reach = reach.min(800.0);
        let plot = Plot {
            label: "Elo of the two ratios against the program without an attack value".to_owned(),
            x: Axis::numbers("Elo against the program without attack value", -reach, reach),
            y: Axis::names(&TABLE_V.map(|(ratio, _)| format!("ratio {ratio}"))),
            marks,
            legend: Vec::new(),
            height: 80.0,
        };
        report.figures.push(Figure {
            title: "What the attack value is worth".to_owned(),
            plot,
            caption: "Elo from pairs of games, with 95 % intervals.".to_owned(),
        });
        report.tables.push(Table {
            title: "Table V".to_owned(),
            caption: "Won / lost / drawn in per cent, in the paper's order. The paper gives no number of games, depth or time.".to_owned(),
            columns: ["basic : attack", "here", "paper", "Elo here", "without luck", "games"].map(str::to_owned).to_vec(),
            rows,
        });
        report.tables.push(Table {
            title: "Not reproduced".to_owned(),
            caption: String::new(),
            columns: ["table", "why"].map(str::to_owned).to_vec(),
            rows: vec![Row {
                head: "Table VI, second place among twenty programs".to_owned(),
                cells: vec!["it needs the programs of that class".into()],
            }],
        });
        let checks = vec![pays(&leads), Check::finished(report.games.len() as u64, forfeits)];
        Ok(Findings { report, checks, data: serde_json::json!({ "table5": data }) })
    }
}

/// The paper's conclusion, from the leads over one half by deal.
fn pays(leads: &[f64]) -> Check {
    let (lead, error) = mean_and_error(leads);
    let lead_with_error = format!("{}{}", signed(lead, 1), plus_minus(error, 1));
    Check::new(
        "the attack value pays: the interval begins above 0",
        lead - error > 0.0,
        format!("{lead_with_error} per cent of the points above one half, {} deals", leads.len()),
    )
}

/// One match per row of the table, all on the same deals.
fn matches(manifest: &Manifest) -> Vec<Match> {
    let nodes = format!("nodes={}", manifest.number("nodes"));
    let player = |ratio: &str| {
        Contestant::builtin(&format!("ratio {ratio}"), &format!("course2019,ratio={ratio}"), &nodes)
    };
    let pairs = manifest.number("games").div_ceil(2);
    let row = |(ratio, _): (&str, [u32; 3])| {
        let players = [player(ratio), player("none")];
        Match {
            luck: manifest.luck.clone(),
            ..Match::new::<Banqi>(players, "platform", manifest.seed, pairs)
        }
    };
    TABLE_V.map(row).to_vec()
}
