//! The findings as tables and checks.

use anglerfish_arena::stats::clustered::Clustered;
use anglerfish_report::{Report, Row, Table};
use anglerfish_siguo::Role;

use super::agents::Agents;
use super::alone;
use super::archive::{Archive, Part};
use super::measure::{GameScore, STAGES, Score, Which};
use super::models::{ANYBODY, BEST, CLASSIFIED, GENERAL, Models, NAMES};
use super::paper::{self, Influence, positions};
use super::synthetic::Found;
use super::tables::Classified;
use crate::experiment::read_unit;
use crate::stats::{plus_minus, signed};
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};

/// The results on recorded games.
pub(super) struct Recorded<'a> {
    pub(super) archive: &'a Archive,
    pub(super) models: &'a Models,
    pub(super) games: &'a [GameScore],
}

/// A measure of predictions: a name, and the sum over men.
type Measure = (&'static str, fn(&Score) -> f64);

const MEASURES: [Measure; 3] = [
    ("Men whose likeliest role is the true one", |score| score.likeliest as f64),
    ("Men who are right in the likeliest assignment of all roles", |score| score.assigned as f64),
    ("Mean probability of the true role", |score| score.truth),
];

/// All armies.
const ANY: Which = |_| true;

pub(super) fn find(
    experiment: &dyn Experiment,
    manifest: &Manifest,
    results: &Results,
    classes: &str,
    recorded: Option<(&Recorded<'_>, &Agents)>,
) -> Result<Findings, LabError> {
    let found: Found = read_unit(classes, results)?;
    let mut tables = Vec::new();
    let mut checks = alone::checks(&found);
    let mut data = serde_json::json!({ "classes": found });
    let (mut facts, mut plots) = (Vec::new(), Vec::new());
    match recorded {
        Some((recorded, agents)) => {
            facts.push(("Recorded games".to_owned(), recorded.facts()));
            tables.extend(MEASURES.iter().map(|measure| recorded.measured(measure)));
            tables.extend([recorded.differences(), recorded.by_owner(), recorded.by_class()]);
            tables.push(recorded.classes());
            tables.extend(agents.tables());
            plots.extend(agents.figure());
            checks.extend(recorded.checks(manifest.size));
            checks.extend(agents.checks(manifest.size));
            data["models"] = recorded.data();
            data["agents"] = agents.data();
        }
        None => {
            let file = experiment.data().unwrap_or_default();
            facts.push((
                "Recorded games".to_owned(),
                format!("SKIPPED siguo (no {file}: set ANGLERFISH_DATA to the data folder)"),
            ));
        }
    }
    tables.extend([alone::synthetic(&found), alone::slips()]);
    Ok(Findings {
        report: Report {
            title: "Guessing hidden men of Siguo".to_owned(),
            subtitle: experiment.about().to_owned(),
            facts,
            figures: plots,
            tables,
            ..Report::default()
        },
        checks,
        data,
    })
}

impl Recorded<'_> {
    fn facts(&self) -> String {
        let players = self.archive.players();
        let count = |part: Part| players.values().filter(|of| **of == part).count();
        format!(
            "{} games of four; {} layouts of {} players for training, {} of {} held out",
            self.archive.games.len(),
            self.archive.layouts(Part::Training).len(),
            count(Part::Training),
            self.archive.layouts(Part::HeldOut).len(),
            count(Part::HeldOut)
        )
    }

    /// The mean of a model in a stage, by game.
    fn mean(&self, model: usize, stage: usize, which: Which, of: fn(&Score) -> f64) -> Clustered {
        let mut mean = Clustered::default();
        for score in
            self.games.iter().map(|game| game.score(model, stage, which)).filter(|score| score.men > 0)
        {
            mean.add(score.men, of(&score));
        }
        mean
    }

    /// The lead of a model over the general table, by game.
    fn ahead(&self, model: usize, stage: usize, which: Which, of: fn(&Score) -> f64) -> Clustered {
        let mut mean = Clustered::default();
        for game in self.games {
            let [own, general] = [model, GENERAL].map(|model| game.score(model, stage, which));
            if own.men > 0 {
                mean.add(own.men, of(&own) - of(&general));
            }
        }
        mean
    }

    fn measured(&self, (title, of): &Measure) -> Table {
        let row = |(model, name): (usize, &&str)| Row {
            head: (*name).to_owned(),
            cells: (0..3).map(|stage| percent(&self.mean(model, stage, ANY, *of)).into()).collect(),
        };
        let men = (0..3).map(|stage| self.mean(GENERAL, stage, ANY, *of).values().to_string());
        let mut rows: Vec<Row> = NAMES.iter().enumerate().map(row).collect();
        rows.push(Row { head: "men, at all plies".to_owned(), cells: men.map(Into::into).collect() });
        Table {
            title: (*title).to_owned(),
            caption: "Per cent, with 95 % intervals by game. Men of enemies who are held out, on the board and not settled by what is certain.".to_owned(),
            columns: columns("model"),
            rows,
        }
    }

    fn differences(&self) -> Table {
        let claims =
            [0, 1, 2].map(|stage| paper::claimed(stage).map(|points| signed(points, 1)).join(" to "));
        let mut rows = Vec::new();
        for (title, of) in MEASURES {
            for (model, name) in NAMES.iter().enumerate().filter(|(model, _)| *model > GENERAL) {
                let cells = (0..3).map(|stage| points(&self.ahead(model, stage, ANY, of)).into());
                rows.push(Row { head: format!("{name}: {}", title.to_lowercase()), cells: cells.collect() });
            }
        }
        Table {
            title: "Ahead of the general table".to_owned(),
            caption: format!(
                "Points, with 95 % intervals by game. The paper's Table 6 has classified models ahead by {}.",
                claims.join(", ")
            ),
            columns: columns("model"),
            rows,
        }
    }

    fn by_owner(&self) -> Table {
        let owners: [(&str, Which); 4] = [
            ("met before", |owner| owner.met),
            ("never met", |owner| !owner.met),
            ("no twin", |owner| !owner.twin),
            ("never met, no twin", |owner| !owner.met && !owner.twin),
        ];
        let mut rows = Vec::new();
        for (who, which) in owners {
            for model in [GENERAL, ANYBODY, BEST] {
                let cell = |stage| {
                    let mean = self.mean(model, stage, which, MEASURES[0].1);
                    let ahead = self.ahead(model, stage, which, MEASURES[0].1);
                    format!("{:.2}, ahead {}, {} men", 100.0 * mean.mean(), points(&ahead), mean.values())
                        .into()
                };
                rows.push(Row {
                    head: format!("{who}: {}", NAMES[model]),
                    cells: (0..3).map(cell).collect(),
                });
            }
        }
        Table {
            title: "By what could be known of the army before".to_owned(),
            caption: "Men whose likeliest role is the true one, in per cent, and points ahead of the general table. Met before: an earlier game of the same name is in the records. Twin: exactly this layout was for training too, by another name.".to_owned(),
            columns: columns("army"),
            rows,
        }
    }

    /// The rows of Table 6 that human games can fill: the enemy's class is that of its army.
    fn by_class(&self) -> Table {
        let classes: [(&str, Which); 3] = [
            ("aggressive", |owner| owner.class == 0),
            ("balanced", |owner| owner.class == 1),
            ("defensive", |owner| owner.class == 2),
        ];
        let mut rows = Vec::new();
        for (i, (class, which)) in classes.into_iter().enumerate() {
            for (model, printed) in [(CLASSIFIED, 0), (GENERAL, 1), (BEST, 2)] {
                let cell = |stage: usize| {
                    let mean = self.mean(model, stage, which, MEASURES[0].1);
                    let paper = paper::TABLE6.get(printed).map(|rows| rows[i][stage]);
                    let paper = paper.map_or(String::new(), |value| format!(" (paper {value:.2})"));
                    format!("{:.2}{paper}", 100.0 * mean.mean()).into()
                };
                rows.push(Row {
                    head: format!("{class}: {}", NAMES[model]),
                    cells: (0..3).map(cell).collect(),
                });
            }
            let cell = |stage: usize| points(&self.ahead(CLASSIFIED, stage, which, MEASURES[0].1)).into();
            rows.push(Row {
                head: format!("{class}: classified ahead of general"),
                cells: (0..3).map(cell).collect(),
            });
        }
        Table {
            title: "Table 6 on people, by class of army".to_owned(),
            caption: "Men whose likeliest role is the true one, in per cent; classes by the printed tables, 0.7 and 1.5.".to_owned(),
            columns: columns("enemy"),
            rows,
        }
    }

    fn classes(&self) -> Table {
        let shares = |classified: &Classified| classified.priors.map(|share| format!("{:.1}", 100.0 * share));
        let row = |head: &str, classified: &Classified| Row {
            head: head.to_owned(),
            cells: shares(classified).map(Into::into).to_vec(),
        };
        let paper = Row { head: "the paper".to_owned(), cells: ["22", "51", "27"].map(Into::into).to_vec() };
        let trained = &self.models.influence;
        let alike = [
            correlation(&trained.aggressive, &Influence::PRINTED.aggressive),
            correlation(&trained.defensive, &Influence::PRINTED.defensive),
        ];
        // The influence of f, which the paper does not give.
        let layouts = self.archive.layouts(Part::Training);
        let by_values = |head: &str, of: fn(f64) -> f64| {
            let values = Role::ALL.map(|role| of(paper::value(role)));
            row(head, &Classified::of(&layouts, &Influence::PRINTED, &values))
        };
        Table {
            title: "Classes of layouts, and how much hangs on f".to_owned(),
            caption: format!(
                "Per cent of the layouts for training. Influence trained anew by the three rules correlates with Table 3 by {:.2} and with Table 4 by {:.2}; its bounds, {:.2} and {:.2}, are those that give the paper's shares.",
                alike[0], alike[1], trained.bounds[0], trained.bounds[1]
            ),
            columns: ["how", "aggressive", "balanced", "defensive"].map(str::to_owned).to_vec(),
            rows: vec![
                paper,
                row("payoffs, printed tables, 0.7 and 1.5", &self.models.printed),
                row("men worth their values, printed tables", &self.models.plain),
                row("payoffs, tables trained anew", &self.models.trained),
                by_values("all men worth the same, printed tables", |_| 1.0),
                by_values("roots of their values, printed tables", f64::sqrt),
                by_values("squares of their values, printed tables", |value| value * value),
            ],
        }
    }

    fn checks(&self, size: Size) -> Vec<Check> {
        let ahead = |model: usize, stage: usize| self.ahead(model, stage, ANY, MEASURES[0].1);
        let mut checks = vec![Check::new(
            "the general table guesses more than none, at plies 41 to 120",
            ahead(0, 1).interval().1 < 0.0,
            format!("none is ahead by {}", points(&ahead(0, 1))),
        )];
        for (stage, (plies, _)) in STAGES.iter().enumerate().filter(|_| size != Size::Ci) {
            checks.push(Check::new(
                format!("our best model is ahead of the general table, at plies {plies}"),
                ahead(BEST, stage).interval().0 > 0.0,
                points(&ahead(BEST, stage)),
            ));
        }
        if size != Size::Ci {
            checks.push(Check::new(
                "our best model is at least 6 points ahead at plies 41 to 120",
                ahead(BEST, 1).mean() >= 0.06,
                points(&ahead(BEST, 1)),
            ));
            let claimed = paper::claimed(1)[0];
            checks.push(Check::new(
                format!("the paper's gain by classes, {claimed:.1} points or more at plies 41 to 120, is not there"),
                100.0 * ahead(CLASSIFIED, 1).interval().1 < claimed,
                points(&ahead(CLASSIFIED, 1)),
            ));
        }
        checks
    }

    fn data(&self) -> serde_json::Value {
        let of = |model: usize| {
            let stages = (0..3).map(|stage| {
                let measures = MEASURES.map(|(_, of)| {
                    let (mean, ahead) = (self.mean(model, stage, ANY, of), self.ahead(model, stage, ANY, of));
                    serde_json::json!({
                        "mean": mean.mean(), "interval": mean.share_interval(),
                        "ahead": ahead.mean(), "ahead_interval": ahead.interval(),
                    })
                });
                let men = self.mean(model, stage, ANY, MEASURES[0].1);
                serde_json::json!({ "men": men.values(), "games": men.clusters(), "measures": measures })
            });
            serde_json::json!({ "model": NAMES[model], "stages": stages.collect::<Vec<_>>() })
        };
        serde_json::json!({
            "stages": (0..NAMES.len()).map(of).collect::<Vec<_>>(),
            "strengths": self.models.strengths,
            "influence": self.models.influence,
        })
    }
}

fn columns(head: &str) -> Vec<String> {
    std::iter::once(head.to_owned()).chain(STAGES.map(|(plies, _)| format!("plies {plies}"))).collect()
}

fn percent(mean: &Clustered) -> String {
    let (low, high) = mean.share_interval();
    format!("{:.2} ({:.2}–{:.2})", 100.0 * mean.mean(), 100.0 * low, 100.0 * high)
}

/// Points of a hundred, with a 95 % interval.
pub(super) fn points(mean: &Clustered) -> String {
    let (low, high) = mean.interval();
    format!("{}{}", signed(100.0 * mean.mean(), 2), plus_minus(50.0 * (high - low), 2))
}

fn correlation(a: &[f64], b: &[f64]) -> f64 {
    let of = |values: &[f64]| positions().map(|slot| values[slot]).collect::<Vec<f64>>();
    let (a, b) = (of(a), of(b));
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let product =
        |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(u, v)| (u - mean(x)) * (v - mean(y))).sum::<f64>();
    product(&a, &b) / (product(&a, &a) * product(&b, &b)).sqrt()
}
