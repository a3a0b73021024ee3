//! Can a network tell the opponent's strength from the opening? (Chang and others, 2021, Table 7.)
//!
//! A champion, a weaker and a stronger program: here one program at three budgets. The networks were trained
//! by `train/` on other games of the same programs, and are tested on unseen games. The canonical form of an
//! opening merges all four mirror images and both colors; the paper does not mention one.

mod setting;
mod told;

use anglerfish_arena::Name;
use anglerfish_opponents::ornn::Class;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, Report, Row, Table};

use self::setting::{SETTINGS, Setting};
use self::told::{SHOWN, Told};
use crate::experiment::{play_pair, read_unit, written};
use crate::paired::{Difference, Played, read};
use crate::ranking::{CLASSES, Ranking};
use crate::stats::plus_minus;
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};
use anglerfish_opponents::nets::Trained;

/// The paper's Table 7: by truth, then by answer.
const PAPER: [[f64; 3]; 3] = [[0.877, 0.043, 0.080], [0.046, 0.863, 0.091], [0.071, 0.074, 0.855]];
/// The aims for programs of different kinds: for all, and for each class.
const AIMS: (f64, f64) = (0.90, 0.87);
/// The expected scores of the weaker and the stronger program against the champion, in per cent, as in the
/// paper's Tables 4 and 5.
const SCORES: [(Class, f64, f64); 2] = [(Class::Weaker, 20.0, 28.0), (Class::Stronger, 66.0, 74.0)];

/// See the module.
pub struct Ornn;

/// The results of a setting.
struct Tested {
    setting: &'static Setting,
    /// By network, then by the number of plies shown.
    rankings: Vec<[Ranking; SHOWN.len()]>,
    /// The scores of the weaker and of the stronger program.
    scores: Vec<Difference>,
}

impl Experiment for Ornn {
    fn name(&self) -> &'static str {
        "ornn"
    }

    fn about(&self) -> &'static str {
        "Banqi: how well a network tells from the opening whether the opponent is weaker, equal or stronger; Chang, Yueh, Fan, Lin and Hsu (2021), \"Opponent Model Selection Using Deep Learning\", Table 7"
    }

    fn takes_luck(&self) -> bool {
        true
    }

    /// Tests `games` of each class; `scored` other games measure the strength of each program.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [games, scored] = match size {
            Size::Ci => [200, 0],
            Size::Paper => [1_000, 200],
            Size::Full => [4_000, 600],
        };
        vec![("games", games), ("scored", scored)]
    }

    /// Openings carry the digest of the networks, and come before the games for strength.
    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let openings = each_class().flat_map(|(setting, class)| openings(manifest, setting, class));
        let strength = SETTINGS.iter().flat_map(|setting| SCORES.map(|(class, ..)| (setting, class)));
        let strength = strength
            .flat_map(|(setting, class)| setting.strength(manifest, class).units().collect::<Vec<_>>());
        openings.chain(strength).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        match unit.split_once(' ').filter(|_| !unit.starts_with('{')) {
            Some((head, unit)) => {
                let setting = head.split(':').next().and_then(Setting::by_name);
                let setting = setting.ok_or_else(|| format!("expected a setting, found {head:?}"))?;
                written(&Told::new(setting, &play_pair(unit)?)?)
            }
            None => written(&Played::new(&play_pair(unit)?)),
        }
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let tested: Result<Vec<Tested>, LabError> =
            SETTINGS.iter().map(|setting| tested(manifest, setting, results)).collect();
        Ok(findings(self, manifest, &tested?))
    }
}

fn form(trained: &Trained) -> &'static str {
    if trained.canonical { "canonical" } else { "as in the paper" }
}

fn each_class() -> impl Iterator<Item = (&'static Setting, Class)> {
    SETTINGS.iter().flat_map(|setting| Class::ALL.map(|class| (setting, class)))
}

/// `kinds:DIGEST` and the unit of a match.
fn openings(manifest: &Manifest, setting: &Setting, class: Class) -> Vec<String> {
    let bytes: Vec<u8> = setting.nets().flat_map(|trained| trained.bytes.iter().copied()).collect();
    let head = format!("{}:{}", setting.name, Name::of_bytes(&bytes));
    setting.openings(manifest, class).units().map(|unit| format!("{head} {unit}")).collect()
}

fn tested(manifest: &Manifest, setting: &'static Setting, results: &Results) -> Result<Tested, LabError> {
    let mut rankings = vec![<[Ranking; SHOWN.len()]>::default(); setting.nets().count()];
    for class in Class::ALL {
        for unit in openings(manifest, setting, class) {
            let told: Told = read_unit(&unit, results)?;
            for game in &told.0 {
                for (rankings, answers) in rankings.iter_mut().zip(game) {
                    for (ranking, said) in rankings.iter_mut().zip(answers) {
                        ranking.add(class as usize, said.map(f64::from))?;
                    }
                }
            }
        }
    }
    let score = |class: Class| {
        let pairs: Vec<Played> = read(&setting.strength(manifest, class), results)?;
        Ok(Difference::new(&pairs.iter().collect::<Vec<_>>(), None))
    };
    let scored = manifest.number("scored") > 0;
    let scores = SCORES.iter().filter(|_| scored).map(|(class, ..)| score(*class));
    Ok(Tested { setting, rankings, scores: scores.collect::<Result<_, LabError>>()? })
}

fn findings(experiment: &Ornn, manifest: &Manifest, tested: &[Tested]) -> Findings {
    let mut report = Report {
        title: "The opponent-ranking network".to_owned(),
        subtitle: format!("{}. Seed {}.", experiment.about(), manifest.seed),
        rules: "platform".to_owned(),
        players: Vec::new(),
        ..Report::default()
    };
    report.figures.push(figure(tested));
    report.tables.push(by_ply(tested));
    for Tested { setting, rankings, .. } in tested {
        for (trained, rankings) in setting.nets().zip(rankings) {
            rankings[SHOWN.len() - 1].tables(&format!("{}, {}", setting.name, form(trained)), &mut report);
        }
    }
    report.tables.push(paper());
    report.tables.push(programs(tested));
    let data = |tested: &Tested| {
        let nets = tested.setting.nets().zip(&tested.rankings).map(|(trained, rankings)| {
            serde_json::json!({ "net": form(trained), "digest": Name::of_bytes(trained.bytes).to_string(), "shown": SHOWN, "rankings": rankings })
        });
        let scores: Vec<_> = tested.scores.iter().map(score).collect();
        serde_json::json!({ "setting": tested.setting.name, "nets": nets.collect::<Vec<_>>(), "scores": scores })
    };
    let data = tested.iter().map(data).collect();
    Findings { checks: checks(manifest, tested), report, data }
}

/// The opponent's score in per cent, with half of its interval: the champion is the first of the players.
fn score(difference: &Difference) -> (f64, f64) {
    let (lead, error) = difference.best();
    (50.0 - lead, error)
}

/// The figure of all networks, after each number of plies.
fn figure(tested: &[Tested]) -> Figure {
    let mut marks = vec![Mark::Level { y: 100.0 / 3.0, text: "chance".to_owned(), tone: Tone::Muted }];
    let mut legend = Vec::new();
    let lines =
        tested.iter().flat_map(|one| one.setting.nets().zip(&one.rankings).map(move |net| (one, net)));
    for (n, (one, (trained, rankings))) in lines.enumerate() {
        let tone = Tone::Series(n);
        let at = |i: usize| f64::from(SHOWN[i].1);
        let percent = |(low, high): (f64, f64)| (100.0 * low, 100.0 * high);
        let band = rankings.iter().enumerate().map(|(i, ranking)| {
            let (low, high) = percent(ranking.accuracy_interval());
            (at(i), low, high)
        });
        marks.push(Mark::Band { points: band.collect(), tone });
        let line = rankings.iter().enumerate().map(|(i, ranking)| (at(i), 100.0 * ranking.accuracy().0));
        marks.push(Mark::Line { points: line.collect(), tone });
        legend.push((format!("{}, {}", one.setting.name, form(trained)), tone));
    }
    Figure {
        title: "How many are told right, by ply".to_owned(),
        plot: Plot {
            label: "Share of opponents whose class is told right, by ply".to_owned(),
            x: Axis::numbers("ply", 7.0, 17.0),
            y: Axis::numbers("per cent", 30.0, 100.0),
            marks,
            legend,
            height: 240.0,
        },
        caption: "With 95 % intervals.".to_owned(),
    }
}

fn by_ply(tested: &[Tested]) -> Table {
    let row = |(setting, name, rankings): (&str, &str, &[Ranking; SHOWN.len()])| {
        let right = |ranking: &Ranking| {
            let (low, high) = ranking.accuracy_interval();
            format!("{:.1} ({:.1}–{:.1})", 100.0 * ranking.accuracy().0, 100.0 * low, 100.0 * high)
        };
        let whole = &rankings[SHOWN.len() - 1];
        let mut cells: Vec<_> = rankings.iter().map(|ranking| right(ranking).into()).collect();
        cells.push(format!("{:.3}", whole.log_loss()).into());
        cells.push(format!("{:.1}", 100.0 * whole.miscalibration()).into());
        cells.push(whole.games().to_string().into());
        Row { head: format!("{setting}, {name}"), cells }
    };
    let nets = tested.iter().flat_map(|one| {
        one.setting
            .nets()
            .zip(&one.rankings)
            .map(|(trained, rankings)| (one.setting.name, form(trained), rankings))
    });
    let plies = SHOWN.map(|(_, ply)| format!("ply {ply}"));
    let columns = ["network".to_owned()]
        .into_iter()
        .chain(plies)
        .chain(["log loss", "off by", "games"].map(str::to_owned));
    Table {
        title: "Told right, in per cent, by ply".to_owned(),
        caption: "Log loss and how far probabilities are off, in points on average, when all seven plies were seen; who knows nothing has a log loss of 1.099."
            .to_owned(),
        columns: columns.collect(),
        rows: nets.map(row).collect(),
    }
}

fn paper() -> Table {
    let row = |class: usize| Row {
        head: CLASSES[class].to_owned(),
        cells: PAPER[class].map(|share| format!("{share:.3}").into()).to_vec(),
    };
    Table {
        title: "The paper's Table 7".to_owned(),
        caption: "0.8717 of its validation data, whose split and share of classes it does not give."
            .to_owned(),
        columns: ["is", "weaker", "equal", "stronger"].map(str::to_owned).to_vec(),
        rows: (0..3).map(row).collect(),
    }
}

fn programs(tested: &[Tested]) -> Table {
    let row = |(one, class): (&Tested, Class)| {
        let program = one.setting.programs[class as usize];
        let place = SCORES.iter().position(|(other, ..)| *other == class);
        let known = place.and_then(|place| one.scores.get(place));
        let text = known.map_or("-".to_owned(), |difference| {
            let (score, error) = score(difference);
            format!("{score:.1}{}", plus_minus(error, 1))
        });
        let cells = [
            CLASSES[class as usize].to_owned(),
            program.player.to_owned(),
            program.nodes.to_string(),
            text,
            known.map_or("-".to_owned(), |difference| difference.games.to_string()),
        ];
        Row { head: one.setting.name.to_owned(), cells: cells.map(Into::into).to_vec() }
    };
    Table {
        title: "The programs".to_owned(),
        caption: "Their scores against the champion, who is the equal one, in per cent without luck; the paper's are 24 and 70.".to_owned(),
        columns: ["setting", "class", "player", "nodes", "score", "games"].map(str::to_owned).to_vec(),
        rows: tested.iter().flat_map(|one| Class::ALL.map(|class| (one, class))).map(row).collect(),
    }
}

fn checks(manifest: &Manifest, tested: &[Tested]) -> Vec<Check> {
    let mut checks = Vec::new();
    for Tested { setting, rankings, scores } in tested {
        // Networks of the paper's openings saw too few of them to learn from; the table shows it.
        for (_, rankings) in setting.nets().zip(rankings).filter(|(trained, _)| trained.canonical) {
            let whole = &rankings[SHOWN.len() - 1];
            let (low, high) = whole.accuracy_interval();
            checks.push(Check::new(
                format!("{}: the network of canonical openings tells more than chance", setting.name),
                low > 1.0 / 3.0,
                format!("{:.3} right, {low:.3} to {high:.3}", whole.accuracy().0),
            ));
        }
        for (difference, (class, low, high)) in scores.iter().zip(SCORES) {
            let (score, error) = score(difference);
            checks.push(Check::new(
                format!(
                    "{}: the {} program scores {low} to {high} per cent",
                    setting.name, CLASSES[class as usize]
                ),
                score + error >= low && score - error <= high,
                format!("{score:.1}{}", plus_minus(error, 1)),
            ));
        }
    }
    if manifest.size == Size::Ci {
        return checks;
    }
    let kinds = tested.iter().find(|one| one.setting.name == "kinds");
    let best =
        kinds.into_iter().flat_map(|one| &one.rankings).map(|rankings| rankings[SHOWN.len() - 1].accuracy());
    if let Some((all, by_class)) = best.max_by(|a, b| a.0.total_cmp(&b.0)) {
        let least = by_class.into_iter().fold(1.0, f64::min);
        checks.push(Check::new(
            format!(
                "among programs of different kinds {} are told right, and {} of each class",
                AIMS.0, AIMS.1
            ),
            all >= AIMS.0 && least >= AIMS.1,
            format!("{all:.3}, and {least:.3} of the class that is told worst"),
        ));
    }
    checks
}
