//! The tables and figures of the results.

use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, Report, Row, Table};

use super::sources::Kind;
use super::told::{AFTER, Change, Told, class};
use super::{ABLATIONS, CHANGE, CHANGES, Found, Identify, merged};
use crate::ranking::CLASSES;
use crate::stats::signed;
use crate::{Check, Experiment, Findings, Manifest, Size};
use anglerfish_opponents::field::{CHAMPION, MEMBERS, VERSION};

/// The required share of games whose interval contains the truth.
const COVERED: f64 = 0.93;
/// The last of the numbers of moves.
const LAST: usize = AFTER.len() - 1;

fn percent(share: f64) -> String {
    format!("{:.1}", 100.0 * share)
}

/// Right, class, covered, width, error and none after this many moves.
fn cells(told: &Told) -> Vec<String> {
    let (right, (low, high)) = told.right();
    vec![
        format!("{} ({}–{})", percent(right), percent(low), percent(high)),
        percent(told.class()),
        percent(told.covered()),
        format!("{:.0}", told.width()),
        format!("{:.0}", told.error()),
        percent(told.none()),
    ]
}

const COLUMNS: [&str; 6] = ["it, %", "class, %", "covered, %", "width", "error", "none, %"];

fn row(head: String, cells: Vec<String>) -> Row {
    Row { head, cells: cells.into_iter().map(Into::into).collect() }
}

fn columns(first: &[&str], then: &[&str]) -> Vec<String> {
    first.iter().chain(then).map(|column| (*column).to_owned()).collect()
}

pub(super) fn findings(experiment: &Identify, manifest: &Manifest, found: &Found) -> Findings {
    let mut report = Report {
        title: "Who is it?".to_owned(),
        subtitle: format!("{}. The field, version {VERSION}; seed {}.", experiment.about(), manifest.seed),
        rules: "platform".to_owned(),
        players: vec![CHAMPION.to_owned()],
        ..Report::default()
    };
    report.facts.push(("Error of a stranger's Elo".to_owned(), format!("{:.0}", found.strange)));
    report.figures.push(figure(&found.members));
    let all = merged(&found.members);
    report.tables.push(Table {
        title: "Who it is, after some of its moves".to_owned(),
        caption: "Five-fold by deals. It: the likeliest player of the field was it; class: weaker, equal or stronger than the champion; covered: the stated 95 % interval of its Elo, of this mean width, has its Elo of the list; error: of the mean Elo; none: the probability of none of these."
            .to_owned(),
        columns: columns(&["moves"], &COLUMNS),
        rows: AFTER.iter().zip(&all).map(|(after, told)| row(after.to_string(), cells(told))).collect(),
    });
    report.tables.push(by_member(found));
    report.tables.push(ablations(found));
    report.tables.push(strangers(found));
    report.tables.push(changes(found));
    let data = serde_json::json!({
        "version": VERSION, "after": AFTER, "members": MEMBERS.map(|member| member.name), "by_member": found.members,
        "strangers": found.strangers, "ablations": found.ablations, "strange": found.strange, "lineup": found.lineup,
    });
    Findings { checks: checks(manifest, found), report, data }
}

/// How often each member is identified, after each number of moves.
fn figure(members: &[[Told; AFTER.len()]]) -> Figure {
    let names = MEMBERS.map(|member| member.name);
    let marks = members.iter().enumerate().flat_map(|(place, told)| {
        told.iter().enumerate().map(move |(n, told)| {
            let (right, (low, high)) = told.right();
            Mark::Whisker {
                y: place as f64 + 0.25 + 0.25 * n as f64,
                range: (100.0 * low, 100.0 * right, 100.0 * high),
                tone: Tone::Series(n),
                note: format!("{} after {} moves: {} %", MEMBERS[place].name, AFTER[n], percent(right)),
            }
        })
    });
    Figure {
        title: "How often it is told who plays".to_owned(),
        plot: Plot {
            label: "Share of games in which the likeliest player was it, by player and moves seen".to_owned(),
            x: Axis::numbers("per cent of games", 0.0, 100.0),
            y: Axis::names(&names),
            marks: marks.collect(),
            legend: AFTER
                .iter()
                .enumerate()
                .map(|(n, after)| (format!("{after} moves"), Tone::Series(n)))
                .collect(),
            height: 30.0 * names.len() as f64,
        },
        caption: "With 95 % intervals, five-fold.".to_owned(),
    }
}

fn by_member(found: &Found) -> Table {
    let rows = MEMBERS.iter().zip(&found.members).map(|(member, told)| {
        let (elo, error) = member.elo;
        let known = [format!("{} ± {:.0}", signed(elo, 0), 1.96 * error), CLASSES[class(elo)].to_owned()];
        row(member.name.to_owned(), known.into_iter().chain(cells(&told[LAST])).collect())
    });
    Table {
        title: format!("By player, after {} moves", AFTER[LAST]),
        caption: format!("Elo against {CHAMPION}, from `lab run field`."),
        columns: columns(&["player", "Elo", "class"], &COLUMNS),
        rows: rows.collect(),
    }
}

fn ablations(found: &Found) -> Table {
    let name = |sources: &[Kind]| sources.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(", ");
    let rows = ABLATIONS.iter().zip(&found.ablations).flat_map(|(sources, told)| {
        AFTER.iter().zip(told).map(move |(after, told)| {
            row(name(sources), [after.to_string()].into_iter().chain(cells(told)).collect())
        })
    });
    Table {
        title: "By which sources are asked".to_owned(),
        caption: "Five-fold; each with a fit of its own.".to_owned(),
        columns: columns(&["sources", "moves"], &COLUMNS),
        rows: rows.collect(),
    }
}

fn strangers(found: &Found) -> Table {
    let line = |name: &str, told: &Told| {
        let (equal, equal_error) = told.equal();
        let cells = vec![
            percent(told.class()),
            percent(equal),
            format!("{:.0}", told.error()),
            format!("{:.0}", equal_error),
            signed(told.bias(), 0),
            percent(told.covered()),
            format!("{:.0}", told.width()),
            percent(told.none()),
        ];
        row(name.to_owned(), cells)
    };
    let mut rows: Vec<Row> =
        MEMBERS.iter().zip(&found.strangers).map(|(member, told)| line(member.name, &told[LAST])).collect();
    rows.push(line("all", &merged(&found.strangers)[LAST]));
    let known = &merged(&found.members)[LAST];
    rows.push(line("all, when they are known", known));
    Table {
        title: format!("Strangers: each player when it is unknown, after {} moves", AFTER[LAST]),
        caption:
            "Beside always saying \"equal\". How strong strangers may be is taken from the other strangers."
                .to_owned(),
        columns: columns(
            &[
                "player",
                "class, %",
                "equal, %",
                "error",
                "equal's error",
                "bias",
                "covered, %",
                "width",
                "none, %",
            ],
            &[],
        ),
        rows,
    }
}

fn changes(found: &Found) -> Table {
    let median = |mut moves: Vec<usize>| {
        moves.sort_unstable();
        moves.get(moves.len() / 2).map_or("-".to_owned(), usize::to_string)
    };
    let rows = CHANGES.iter().zip(&found.changes).map(|([first, second], (seen, of))| {
        let gone: Vec<usize> = seen.iter().filter_map(|change| change.gone).collect();
        let other: Vec<usize> = seen.iter().filter_map(|change| change.found).collect();
        let share = |n: usize| percent(n as f64 / seen.len().max(1) as f64);
        let cells = vec![
            percent(seen.len() as f64 / (*of).max(1) as f64),
            share(gone.len()),
            median(gone),
            share(other.len()),
            median(other),
            of.to_string(),
        ];
        row(format!("{first}, then {second}"), cells)
    });
    Table {
        title: format!("An opponent that becomes another after ply {CHANGE}"),
        caption: "Known: the likeliest was the first, when it went. Of those games: in how many it was noticed by ply 90 that it had gone, and after how many of the other's moves (median); the same of finding out who the other is.".to_owned(),
        columns: columns(&["players", "known, %", "noticed, %", "after", "found, %", "after ", "games"], &[]),
        rows: rows.collect(),
    }
}

fn checks(manifest: &Manifest, found: &Found) -> Vec<Check> {
    let all = &merged(&found.members)[LAST];
    let (right, (low, high)) = all.right();
    let chance = 1.0 / MEMBERS.len() as f64;
    let mut checks = vec![Check::new(
        format!("after {} moves players are told better than by chance", AFTER[LAST]),
        low > chance,
        format!("{right:.3}, {low:.3} to {high:.3}, of {} games; chance is {chance:.3}", all.games()),
    )];
    if manifest.size == Size::Ci {
        return checks;
    }
    for (after, told) in AFTER.iter().zip(merged(&found.members)) {
        checks.push(Check::new(
            format!("the interval of the Elo after {after} moves holds the truth in {COVERED} of the games"),
            told.covered() >= COVERED,
            format!("{:.3}, width {:.0}", told.covered(), told.width()),
        ));
    }
    let (seen, noticed) = found.changes.iter().fold((0, 0), |(all, noticed), (seen, _)| {
        let gone = |change: &&Change| change.gone.is_some();
        (all + seen.len(), noticed + seen.iter().filter(gone).count())
    });
    checks.push(Check::new(
        "an opponent that becomes another is noticed in nine games of ten",
        noticed * 10 >= seen * 9 && seen > 0,
        format!("{noticed} of {seen}"),
    ));
    checks
}
