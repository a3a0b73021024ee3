//! The strength of the players of the field: each against the champion on paired deals, adjusted for luck.
//!
//! Estimates of opponents are compared with these ratings. A player is called weaker or stronger than the
//! champion if its whole interval is outside the range of equals.

use anglerfish_arena::Match;
use anglerfish_arena::stats::elo::elo_of_score;
use anglerfish_report::plot::{Axis, Mark, Plot, Tone};
use anglerfish_report::{Figure, Report, Row, Table};
use anglerfish_rules::banqi::Banqi;

use crate::experiment::{play_pair, written};
use crate::field::contestant;
use crate::paired::{Difference, Played, read};
use crate::stats::{plus_minus, signed};
use crate::{Check, Experiment, Findings, LabError, Manifest, Results, Size};
use anglerfish_opponents::field::{CHAMPION, MEMBERS, Member, VERSION};

/// A player with a score in this range against the champion is its equal, in per cent.
pub const EQUAL: (f64, f64) = (40.0, 60.0);

/// Beyond this many Elo an interval is not drawn.
const REACH: f64 = 800.0;

/// See the module.
pub struct Field;

/// The result of a member.
struct Rated {
    member: Member,
    /// Its score in per cent and half of its 95 % interval.
    score: (f64, f64),
    raw: (f64, f64),
    games: usize,
    forfeits: u64,
}

impl Rated {
    /// The lower end, the estimate and the upper end.
    fn elo(&self) -> [f64; 3] {
        let (score, error) = self.score;
        [score - error, score, score + error].map(|score| elo_of_score(score / 100.0))
    }

    fn class(&self) -> &'static str {
        let ((score, error), (low, high)) = (self.score, EQUAL);
        match () {
            () if score + error < low => "weaker",
            () if score - error > high => "stronger",
            () if score - error > low && score + error < high => "equal",
            () => "undecided",
        }
    }
}

impl Experiment for Field {
    fn name(&self) -> &'static str {
        "field"
    }

    fn about(&self) -> &'static str {
        "Banqi: how strong the players are that estimates of opponents are tested on, with error bars"
    }

    fn takes_luck(&self) -> bool {
        true
    }

    /// Nodes are divided by `fewer`, for a short run that only shows that it works.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [games, fewer] = match size {
            Size::Ci => [40, 50],
            Size::Paper => [400, 1],
            Size::Full => [1_000, 1],
        };
        vec![("games", games), ("fewer", fewer)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        others()
            .flat_map(|(place, member)| game(manifest, place, &member).units().collect::<Vec<_>>())
            .collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        written(&Played::new(&play_pair(unit)?))
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let mut rated = Vec::new();
        for (place, member) in others() {
            let pairs: Vec<Played> = read(&game(manifest, place, &member), results)?;
            let lead = Difference::new(&pairs.iter().collect::<Vec<_>>(), None);
            let score = |(lead, error): (f64, f64)| (50.0 + lead, error);
            let (games, forfeits) = (lead.games, lead.forfeits);
            rated.push(Rated { member, score: score(lead.best()), raw: score(lead.raw), games, forfeits });
        }
        rated.sort_by(|a, b| b.score.0.total_cmp(&a.score.0));
        Ok(findings(self, manifest, &rated))
    }
}

/// All members but the champion, each with its place in the list.
fn others() -> impl Iterator<Item = (u64, Member)> {
    (0..).zip(MEMBERS).filter(|(_, member)| member.name != CHAMPION)
}

/// The match of a member, whose scores these are.
fn game(manifest: &Manifest, place: u64, member: &Member) -> Match {
    let fewer = manifest.number("fewer");
    let champion = Member::by_name(CHAMPION).unwrap_or_else(|| unreachable!("the champion is a member"));
    let players = [contestant(member, fewer), contestant(&champion, fewer)];
    let pairs = manifest.number("games").div_ceil(2);
    let plain = Match::new::<Banqi>(players, "platform", manifest.seed + place, pairs);
    Match { luck: manifest.luck.clone(), ..plain }
}

fn findings(experiment: &Field, manifest: &Manifest, rated: &[Rated]) -> Findings {
    let mut report = Report {
        title: format!("The field, version {VERSION}"),
        subtitle: format!("{}. Paired deals, seed {}.", experiment.about(), manifest.seed),
        rules: "platform".to_owned(),
        players: vec![CHAMPION.to_owned()],
        ..Report::default()
    };
    let whisker = |(place, one): (usize, &Rated)| {
        let [low, elo, high] = one.elo().map(|elo| elo.clamp(-REACH, REACH));
        let note = format!("{}: {} Elo", one.member.name, signed(elo, 0));
        Mark::Whisker { y: place as f64 + 0.5, range: (low, elo, high), tone: Tone::Series(0), note }
    };
    let names: Vec<&str> = rated.iter().map(|one| one.member.name).collect();
    report.figures.push(Figure {
        title: format!("Elo against {CHAMPION}"),
        plot: Plot {
            label: "Elo of each player against the champion".to_owned(),
            x: Axis::numbers(&format!("Elo against {CHAMPION}"), -REACH, REACH),
            y: Axis::names(&names),
            marks: rated.iter().enumerate().map(whisker).collect(),
            legend: Vec::new(),
            height: 24.0 * rated.len() as f64,
        },
        caption: "With 95 % intervals, from pairs of games without luck.".to_owned(),
    });
    let row = |one: &Rated| {
        let [low, elo, high] = one.elo().map(|elo| signed(elo, 0));
        let cells = [
            one.member.player.to_owned(),
            one.member.nodes.to_string(),
            plain(one.raw),
            plain(one.score),
            format!("{elo} ({low} to {high})"),
            one.class().to_owned(),
            one.games.to_string(),
        ];
        Row { head: one.member.name.to_owned(), cells: cells.map(Into::into).to_vec() }
    };
    report.tables.push(Table {
        title: format!("Against {CHAMPION}"),
        caption: format!(
            "Scores in per cent. A player whose whole interval lies between {} and {} is equal.",
            EQUAL.0, EQUAL.1
        ),
        columns: ["name", "player", "nodes", "score", "without luck", "Elo", "class", "games"]
            .map(str::to_owned)
            .to_vec(),
        rows: rated.iter().map(row).collect(),
    });
    let data = |one: &Rated| {
        serde_json::json!({
            "name": one.member.name, "player": one.member.player, "nodes": one.member.nodes, "games": one.games,
            "score": one.raw.0, "error": one.raw.1, "without_luck": one.score, "elo": one.elo(), "class": one.class(),
        })
    };
    let data =
        serde_json::json!({ "version": VERSION, "members": rated.iter().map(data).collect::<Vec<_>>() });
    Findings { checks: checks(rated), report, data }
}

/// A score in per cent with half of its interval.
fn plain((score, error): (f64, f64)) -> String {
    format!("{score:.1}{}", plus_minus(error, 1))
}

fn checks(rated: &[Rated]) -> Vec<Check> {
    let games: usize = rated.iter().map(|one| one.games).sum();
    let others = mean(rated.iter());
    let better = Check::new(
        "the champion is better than the field on average",
        others.0 + others.1 < 50.0,
        format!("the others score {}", plain(others)),
    );
    let of = |names: &[&str]| mean(rated.iter().filter(|one| names.contains(&one.member.name)));
    let (few, many) = (of(&["ab-50", "ab-200", "ab-1000"]), of(&["ab-20000"]));
    let more = Check::new(
        "the same program plays better with more nodes: 20,000 than with 1,000 or fewer",
        many.0 - many.1 > few.0 + few.1,
        format!("{} and {}", plain(many), plain(few)),
    );
    vec![better, more, Check::finished(games as u64, rated.iter().map(|one| one.forfeits).sum())]
}

/// The mean score and half of its interval; every member has deals of its own.
fn mean<'a>(rated: impl Iterator<Item = &'a Rated> + Clone) -> (f64, f64) {
    let n = rated.clone().count() as f64;
    let error = rated.clone().map(|one| one.score.1.powi(2)).sum::<f64>().sqrt();
    (rated.map(|one| one.score.0).sum::<f64>() / n, error / n)
}
