//! The tables and the figure.

use anglerfish_arena::stats::elo::score_of_elo;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Cell, Figure, Mood, Report, Row, Table};

use super::opponents::Part;
use super::rank::Ranked;
use super::{Adapt, Arm, Gain};
use crate::experiments::field::EQUAL;
use crate::paired::Difference;
use crate::stats::{largest, quotient, signed};
use crate::{Check, Experiment, Findings, Manifest, Size};
use anglerfish_opponents::field::{CHAMPION, MEMBERS, Member};

/// An opponent counts as beaten anyway from this expected score on, in per cent.
const BEATEN: f64 = 90.0;

/// A group of opponents.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Group {
    All,
    /// Weaker, but not beaten anyway: here a gain is possible.
    Weaker,
    Beaten,
    Equal,
    Stronger,
}

impl Group {
    const ALL: [Group; 5] = [Group::All, Group::Weaker, Group::Beaten, Group::Equal, Group::Stronger];

    fn name(self) -> &'static str {
        match self {
            Group::All => "all opponents",
            Group::Weaker => "weaker, not beaten anyway",
            Group::Beaten => "beaten anyway",
            Group::Equal => "equal",
            Group::Stronger => "stronger",
        }
    }

    /// Whether an opponent belongs to the group, by its rating. The games of this run would be biased:
    /// opponents that were lucky without a model would seem to leave more to gain.
    pub(super) fn has(self, member: &Member) -> bool {
        let score = 100.0 * score_of_elo(-member.elo.0);
        let (low, high) = EQUAL;
        match self {
            Group::All => true,
            Group::Weaker => score > high && score < BEATEN,
            Group::Beaten => score >= BEATEN,
            Group::Equal => (low..=high).contains(&score),
            Group::Stronger => score < low,
        }
    }
}

/// The mean gain of a model over the opponents of a group, with half of its 95 % interval, and the number of
/// opponents.
fn pooled(gains: &[Gain], arm: Arm, group: Group) -> Option<(f64, f64, usize)> {
    mean_of(of_field(gains).filter(|gain| gain.arm == arm && group.has(&gain.them.member)))
}

fn of_field(gains: &[Gain]) -> impl Iterator<Item = &Gain> {
    gains.iter().filter(|gain| gain.them.part == Part::Field)
}

/// The mean over opponents, with half of its 95 % interval, and the number of opponents.
fn mean_of<'a>(gains: impl Iterator<Item = &'a Gain>) -> Option<(f64, f64, usize)> {
    let known: Vec<(f64, f64)> = gains.map(|gain| gain.difference.best()).collect();
    let n = known.len() as f64;
    let mean = known.iter().map(|(difference, _)| difference).sum::<f64>() / n;
    let error = known.iter().map(|(_, error)| error.powi(2)).sum::<f64>().sqrt() / n;
    (!known.is_empty()).then_some((mean, error, known.len()))
}

/// The opponents against which adapting must do no harm.
fn harmless(gains: &[Gain]) -> Vec<(&'static str, Vec<&Gain>)> {
    let of = |is: &dyn Fn(&Gain) -> bool| {
        gains.iter().filter(|gain| gain.arm == Arm::Adapt && is(gain)).collect::<Vec<&Gain>>()
    };
    let equal = |gain: &Gain| Group::Equal.has(&gain.them.member);
    let field = |gain: &Gain| gain.them.part == Part::Field;
    let champion = |gain: &Gain| gain.them.member.name == CHAMPION;
    let groups = vec![
        ("equals", of(&|gain| field(gain) && equal(gain) && !champion(gain))),
        ("ourselves, without a model", of(&|gain| field(gain) && champion(gain))),
        ("strangers", of(&|gain| gain.them.part == Part::Stranger)),
    ];
    groups.into_iter().filter(|(_, gains)| !gains.is_empty()).collect()
}

pub(super) fn findings(
    experiment: &Adapt,
    manifest: &Manifest,
    finished: Check,
    [gains, found]: [&[Gain]; 2],
    ranked: Option<&Ranked>,
) -> Findings {
    let mut report = Report {
        title: "What adapting gains".to_owned(),
        subtitle: format!("{}. Paired deals, seed {}.", experiment.about(), manifest.seed),
        rules: "platform".to_owned(),
        players: vec!["alphabeta".to_owned()],
        ..Report::default()
    };
    report.figures.push(figure(gains));
    report.tables.push(groups(gains, found));
    report.tables.extend(shares(gains));
    report.tables.push(members(gains));
    report.tables.extend(ranked.map(Ranked::table));
    report.tables.push(harm(gains));
    let data = |gain: &Gain| {
        let Difference { games, scores, raw, without_luck, .. } = &gain.difference;
        serde_json::json!({
            "opponent": gain.them.member.name, "part": format!("{:?}", gain.them.part), "model": gain.arm.name(), "games": games, "without": scores[0], "with": scores[1],
            "difference": raw.0, "error": raw.1, "without_luck": without_luck,
        })
    };
    Findings {
        checks: checks(manifest, finished, gains, ranked),
        report,
        data: gains.iter().map(data).collect(),
    }
}

fn figure(gains: &[Gain]) -> Figure {
    let own: Vec<&Gain> = of_field(gains).filter(|gain| gain.arm == Arm::Adapt).collect();
    let reach = 1.0
        + largest(own.iter().map(|gain| gain.difference.best().0.abs() + gain.difference.best().1)).min(50.0);
    let whisker = |(place, gain): (usize, &&Gain)| {
        let (difference, error) = gain.difference.best();
        Mark::Whisker {
            y: place as f64 + 0.5,
            range: (difference - error, difference, difference + error),
            tone: Tone::Series(0),
            note: format!("{}: {} points", gain.them.member.name, signed(difference, 2)),
        }
    };
    let names: Vec<&str> = own.iter().map(|gain| gain.them.member.name).collect();
    Figure {
        title: "Points gained by adapting".to_owned(),
        plot: Plot {
            label: "Difference of the score with and without adapting, by opponent".to_owned(),
            x: Axis::numbers("points of a hundred", -reach, reach),
            y: Axis::names(&names),
            marks: own.iter().enumerate().map(whisker).collect(),
            legend: Vec::new(),
            height: 40.0 + 16.0 * names.len() as f64,
        },
        caption: "With 95 % intervals, from pairs of games on the same deals.".to_owned(),
    }
}

fn cell(known: (f64, f64)) -> Cell {
    let (difference, error) = known;
    let mood = match () {
        () if difference - error > 0.0 => Mood::Good,
        () if difference + error < 0.0 => Mood::Bad,
        () => Mood::Plain,
    };
    Cell::new(Difference::text(known), mood)
}

fn arms(gains: &[Gain]) -> Vec<Arm> {
    Arm::MODELS.into_iter().filter(|arm| gains.iter().any(|gain| gain.arm == *arm)).collect()
}

fn columns(head: &[&str], gains: &[Gain]) -> Vec<String> {
    head.iter()
        .map(|&head| head.to_owned())
        .chain(arms(gains).iter().map(|arm| arm.name().to_owned()))
        .collect()
}

fn groups(gains: &[Gain], found: &[Gain]) -> Table {
    let row = |group: Group| {
        let (_, _, opponents) = pooled(gains, Arm::Adapt, group)?;
        let gain = |gains: &[Gain], arm: Arm| {
            pooled(gains, arm, group).map_or("-".into(), |(mean, error, known)| {
                let mut cell = cell((mean, error));
                if known < opponents {
                    cell.text += &format!(" ({known})");
                }
                cell
            })
        };
        let cells = std::iter::once(opponents.to_string().into())
            .chain(arms(gains).into_iter().map(|arm| gain(gains, arm)))
            .chain(std::iter::once(gain(found, Arm::Adapt)));
        Some(Row { head: group.name().to_owned(), cells: cells.collect() })
    };
    Table {
        title: "By kind of opponent".to_owned(),
        caption: format!(
            "Points of a hundred more than without a model, the average over opponents. Groups go by ratings. Beaten anyway: we should score {BEATEN} % without a model. In brackets: of how many opponents, where it is not all. Last: adapting less being told the class, pair by pair."
        ),
        columns: columns(&["opponents", "number"], gains)
            .into_iter()
            .chain(["adapting less told".to_owned()])
            .collect(),
        rows: Group::ALL.into_iter().filter_map(row).collect(),
    }
}

/// The share of the oracle's gain for each model, against the opponents that have an oracle.
fn shares(gains: &[Gain]) -> Option<Table> {
    let known: Vec<&str> =
        of_field(gains).filter(|gain| gain.arm == Arm::Oracle).map(|gain| gain.them.member.name).collect();
    let of = |arm: Arm| {
        let own = of_field(gains).filter(|gain| gain.arm == arm && known.contains(&gain.them.member.name));
        mean_of(own).filter(|(_, _, opponents)| *opponents == known.len())
    };
    let (whole, error, _) = of(Arm::Oracle)?;
    let row = |arm: Arm| {
        let (gain, own, _) = of(arm)?;
        let share = quotient((gain, own), (whole, error)).map_or("-".into(), |(share, [low, high])| {
            format!("{} ({} to {})", percent(share), percent(low), percent(high)).into()
        });
        let share = match () {
            () if arm == Arm::Oracle => "100".into(),
            () if gain <= 0.0 => "-".into(),
            () => share,
        };
        Some(Row { head: arm.name().to_owned(), cells: vec![cell((gain, own)), share] })
    };
    let names = known.join(", ");
    Some(Table {
        title: "Share of what an oracle gains".to_owned(),
        caption: format!(
            "Against opponents with an oracle: {names}. Shares in per cent with their 95 % intervals (Fieller); none where the oracle's gain is not beyond chance, or where nothing was gained."
        ),
        columns: ["model", "gain", "share"].map(str::to_owned).to_vec(),
        rows: Arm::MODELS.into_iter().filter_map(row).collect(),
    })
}

fn percent(share: f64) -> String {
    signed(100.0 * share, 0)
}

fn members(gains: &[Gain]) -> Table {
    let row = |name: &str| {
        let of = |arm: Arm| of_field(gains).find(|gain| gain.arm == arm && gain.them.member.name == name);
        let own = of(Arm::Adapt)?;
        let gain = |arm: &Arm| of(*arm).map_or("-".into(), |gain| cell(gain.difference.best()));
        let head =
            [format!("{:.2}", own.difference.scores[0]).into(), own.difference.games.to_string().into()];
        Some(Row {
            head: name.to_owned(),
            cells: head.into_iter().chain(arms(gains).iter().map(gain)).collect(),
        })
    };
    Table {
        title: "By opponent".to_owned(),
        caption: "Plain: the score without a model, in per cent; then points more than that with each model, without luck where it was judged.".to_owned(),
        columns: columns(&["opponent", "plain", "games"], gains),
        rows: MEMBERS.iter().filter_map(|member| row(member.name)).collect(),
    }
}

fn harm(gains: &[Gain]) -> Table {
    let row = |(head, part): (&str, &[&Gain])| {
        let (mean, error, opponents) = mean_of(part.iter().copied())?;
        let games: usize = part.iter().map(|gain| gain.difference.games).sum();
        Some(Row {
            head: head.to_owned(),
            cells: vec![opponents.to_string().into(), cell((mean, error)), games.to_string().into()],
        })
    };
    let groups = harmless(gains);
    let strangers: Vec<&str> = gains
        .iter()
        .filter(|gain| gain.them.part == Part::Stranger)
        .map(|gain| gain.them.member.name)
        .collect();
    let all: Vec<&Gain> = groups.iter().flat_map(|(_, part)| part.iter().copied()).collect();
    let timed: Vec<&Gain> = gains.iter().filter(|gain| gain.them.part == Part::Timed).collect();
    let mut rows: Vec<Row> = groups.iter().filter_map(|(head, part)| row((head, part))).collect();
    rows.extend(row(("all of these", &all)));
    rows.extend(row(("by the clock, 50 ms per move", &timed)));
    Table {
        title: "Whether adapting does harm".to_owned(),
        caption: format!(
            "Points of a hundred more than without a model, the average over opponents; games with a model, as many are without. Strangers: {}. By the clock no player ponders.",
            strangers.join(", ")
        ),
        columns: ["opponents", "number", "difference", "games"].map(str::to_owned).to_vec(),
        rows,
    }
}

fn checks(manifest: &Manifest, finished: Check, gains: &[Gain], ranked: Option<&Ranked>) -> Vec<Check> {
    let mut checks = vec![finished];
    // With the same deals and seeds, games differ only if the model made a difference.
    for arm in arms(gains) {
        let own = || gains.iter().filter(|gain| gain.arm == arm && gain.arm.differs(&gain.them));
        let changed =
            own().filter(|gain| (gain.difference.plies[0] - gain.difference.plies[1]).abs() > 0.0).count();
        checks.push(Check::new(
            format!("{} changes how it plays", arm.name()),
            changed > 0,
            format!("against {changed} of {} opponents", own().count()),
        ));
    }
    if manifest.size == Size::Ci {
        return checks;
    }
    let aims = [
        (Group::All, 3.0, "adapting gains three points over the field"),
        (Group::Weaker, 8.0, "adapting gains eight points where opponents are weaker and not beaten anyway"),
    ];
    for (group, aim, claim) in aims {
        if let Some((mean, error, _)) = pooled(gains, Arm::Adapt, group) {
            checks.push(Check::new(claim, mean >= aim, Difference::text((mean, error))));
        }
    }
    let groups = harmless(gains);
    let all = groups.iter().flat_map(|(_, part)| part.iter().copied());
    if let Some((mean, error, _)) = mean_of(all) {
        let claim = "where nothing is to be gained, adapting does no harm: the interval begins above −1";
        checks.push(Check::new(claim, mean - error > -1.0, Difference::text((mean, error))));
    }
    for (name, part) in &groups {
        if let Some((mean, error, _)) = mean_of(part.iter().copied()) {
            let claim = format!("nor does it cost a point for certain against {name}");
            checks.push(Check::new(claim, mean + error > -1.0, Difference::text((mean, error))));
        }
    }
    if let Some(ranked) = ranked {
        let (places, error) = ranked.difference(&ranked.ranks);
        checks.push(Check::new(
            "the place in a tournament is not worse beyond chance",
            places - error <= 0.0,
            Difference::text((places, error)),
        ));
    }
    checks
}
