//! Identifies opponents. Candidates that search in parallel, habits and the networks of Chang and others (2021)
//! watch the players of the field; a posterior says who the player is, how strong, and whether it is unknown.
//!
//! Every member of the field plays the champion. The evidence is fitted on four fifths of the deals and
//! tested on the rest. Then each member is left out as if it were unknown, each kind of source is left out,
//! and some opponents are replaced in the middle of a game.

mod fit;
mod sources;
mod tables;
mod told;
mod watched;

use anglerfish_arena::{Match, Openings};
use anglerfish_opponents::Question;
use anglerfish_rules::Seat;
use anglerfish_rules::banqi::Banqi;

use self::fit::{Fit, Game};
use self::sources::{Asked, Kind, asked};
use self::told::{AFTER, Change, Told, change, told};
use self::watched::{Move, Played, Watched, go_on};
use crate::experiment::{number, play_pair, read_unit, written};
use crate::field::contestant;
use crate::{Experiment, Findings, LabError, Manifest, Results, Size};
use anglerfish_opponents::field::{CHAMPION, MEMBERS, Member};

/// Number of folds of the games.
const FOLDS: usize = 5;
/// Games of the field stop after this many plies: each side has made over twenty moves.
const STOP: usize = 44;
/// Replaced opponents leave after this ply, and their games stop later.
const CHANGE: usize = 30;
const STOP_CHANGED: usize = 90;
/// Each player, and its replacement.
const CHANGES: [[&str; 2]; 5] = [
    ["ab-200", "mcts-2000"],
    ["course2019-500", "ab-1000"],
    ["mcts-500", "ab-200"],
    ["thinker4", "ab-5000"],
    ["ab-1000", "course2019-5000"],
];
/// The sets of source kinds that are compared.
const ABLATIONS: [&[Kind]; 7] = [
    &Kind::ALL,
    &[Kind::Candidate, Kind::Habit],
    &[Kind::Candidate, Kind::Network],
    &[Kind::Habit, Kind::Network],
    &[Kind::Candidate],
    &[Kind::Habit],
    &[Kind::Network],
];

/// See the module.
pub struct Identify;

/// All results.
struct Found {
    /// Five-fold, by the set of sources.
    ablations: Vec<[Told; AFTER.len()]>,
    /// Five-fold with all sources, by member.
    members: Vec<[Told; AFTER.len()]>,
    /// Each member when left out.
    strangers: Vec<[Told; AFTER.len()]>,
    /// By pair of players, each game in which the first was recognized at first; and the number of games.
    changes: Vec<(Vec<Change>, usize)>,
    strange: f64,
    lineup: String,
}

impl Experiment for Identify {
    fn name(&self) -> &'static str {
        "identify"
    }

    fn about(&self) -> &'static str {
        "Banqi: who the opponent is and how strong, from its first moves, by candidates that search beside it, habits and networks"
    }

    /// `games` of each member; `changed` of each pair of players. Nodes are divided by `fewer`, for a short
    /// run that only shows that it works.
    fn numbers(&self, size: Size) -> Vec<(&'static str, u64)> {
        let [games, changed, fewer] = match size {
            Size::Ci => [10, 2, 50],
            Size::Paper => [100, 40, 1],
            Size::Full => [200, 100, 1],
        };
        vec![("games", games), ("changed", changed), ("fewer", fewer)]
    }

    fn units(&self, manifest: &Manifest) -> Vec<String> {
        let members = (0..MEMBERS.len()).flat_map(|member| units(manifest, member, None));
        let changes = (0..CHANGES.len()).flat_map(|pair| changed_units(manifest, pair));
        members.chain(changes).collect()
    }

    fn work(&self, unit: &str) -> Result<String, LabError> {
        let mut words = unit.splitn(3, ' ');
        let mut word = || words.next().ok_or_else(|| format!("expected a unit of identify, found {unit:?}"));
        let (head, fewer, unit) = (word()?, word()?, word()?);
        let fewer: u64 = number(fewer)?;
        let [candidates, _] = questions(&asked(fewer));
        let mut games = Vec::new();
        for (n, mut record) in play_pair(unit)?.into_iter().enumerate() {
            let them = Seat(u8::from(n % 2 == 0));
            if let Some(other) = head.strip_prefix("change:") {
                let other = Member::by_name(other).ok_or_else(|| format!("no member is called {other:?}"))?;
                let players = [champion(), other].map(|member| member.with_fewer(fewer));
                go_on(&mut record, them, players, STOP_CHANGED)?;
            }
            games.push(Played::new(&candidates, &record, them)?);
        }
        written(&Watched(games))
    }

    fn findings(&self, manifest: &Manifest, results: &Results) -> Result<Findings, LabError> {
        let asked = asked(manifest.number("fewer"));
        let [_, others] = questions(&asked);
        let mut games = Vec::new();
        for member in 0..MEMBERS.len() {
            for (pair, unit) in units(manifest, member, None).into_iter().enumerate() {
                for moves in read(results, &unit, &others)? {
                    games.push(Game { member, pair, moves });
                }
            }
        }
        let strangers = strangers(&asked, &games);
        let all: Vec<&Game> = games.iter().collect();
        let fit = Fit::new(&asked, &Kind::ALL, None, &all).with_strange(strange(&strangers, None));
        let mut changes = Vec::new();
        for (pair, names) in CHANGES.into_iter().enumerate() {
            let (mut seen, mut of) = (Vec::new(), 0);
            for unit in changed_units(manifest, pair) {
                for (n, moves) in read(results, &unit, &others)?.iter().enumerate() {
                    // The second player makes its first move at ply 2, because the first ply is random.
                    let before = if n % 2 == 0 { CHANGE / 2 } else { CHANGE.div_ceil(2) };
                    of += 1;
                    seen.extend(change(&fit, moves, before, names.map(place)));
                }
            }
            changes.push((seen, of));
        }
        let lineup = fit.lineup().to_string();
        let fold = |sources: &[Kind]| folded(&asked, &games, sources, fit.strange);
        let members = fold(&Kind::ALL);
        let ablations = ABLATIONS.iter().map(|sources| merged(&fold(sources))).collect();
        let found = Found { ablations, members, strangers, changes, strange: fit.strange, lineup };
        Ok(tables::findings(self, manifest, &found))
    }
}

fn champion() -> Member {
    Member::by_name(CHAMPION).unwrap_or_else(|| unreachable!("the champion is a member"))
}

fn place(name: &str) -> usize {
    MEMBERS
        .iter()
        .position(|member| member.name == name)
        .unwrap_or_else(|| unreachable!("{name} is a member"))
}

/// The units of a member's games, or of those in which it is replaced.
fn units(manifest: &Manifest, member: usize, other: Option<&str>) -> Vec<String> {
    let fewer = manifest.number("fewer");
    let [us, them] = [champion(), MEMBERS[member]].map(|member| contestant(&member, fewer));
    let us = anglerfish_arena::Contestant { name: "us".to_owned(), ..us };
    let (number, stop, series) = match other {
        None => ("games", STOP, 0),
        Some(_) => ("changed", CHANGE, MEMBERS.len()),
    };
    let seed = 1_000 * manifest.seed + (series + member) as u64;
    let game = Match {
        openings: Openings::Random(1),
        stop: Some(stop as u32),
        ..Match::new::<Banqi>([us, them], "platform", seed, manifest.number(number).div_ceil(2))
    };
    let head = other.map_or("watch".to_owned(), |other| format!("change:{other}"));
    game.units().map(|unit| format!("{head} {fewer} {unit}")).collect()
}

fn changed_units(manifest: &Manifest, pair: usize) -> Vec<String> {
    let [first, second] = CHANGES[pair];
    units(manifest, place(first), Some(second))
}

/// The questions for candidates, which come first, and the others.
fn questions(asked: &[Asked]) -> [Vec<Question>; 2] {
    let (candidates, others) = asked.split_at(asked.partition_point(|asked| asked.kind == Kind::Candidate));
    [candidates, others].map(|asked| asked.iter().map(|asked| asked.question.clone()).collect())
}

/// All answers about the games of a unit.
fn read(results: &Results, unit: &str, others: &[Question]) -> Result<Vec<Vec<Move>>, LabError> {
    let Watched(games) = read_unit(unit, results)?;
    games.iter().map(|kept: &Played| kept.moves(others)).collect()
}

/// Every member, by a fit without it.
fn strangers(asked: &[Asked], games: &[Game]) -> Vec<[Told; AFTER.len()]> {
    let fits: Vec<Fit> = (0..MEMBERS.len())
        .map(|member| {
            let others: Vec<&Game> = games.iter().filter(|game| game.member != member).collect();
            Fit::new(asked, &Kind::ALL, Some(member), &others)
        })
        .collect();
    let own = |member: usize| games.iter().filter(move |game| game.member == member);
    let first: Vec<_> = fits.iter().enumerate().map(|(member, fit)| told(fit, own(member))).collect();
    // The possible strength of strangers is estimated from the other members as strangers.
    let again =
        |(member, fit): (usize, Fit)| told(&fit.with_strange(strange(&first, Some(member))), own(member));
    fits.into_iter().enumerate().map(again).collect()
}

/// The error of strangers' Elo, without one of the members.
fn strange(strangers: &[[Told; AFTER.len()]], without: Option<usize>) -> f64 {
    let others = strangers.iter().enumerate().filter(|(member, _)| Some(*member) != without);
    let squares: Vec<f64> = others.map(|(_, told)| told[AFTER.len() - 1].square()).collect();
    (squares.iter().sum::<f64>() / squares.len().max(1) as f64).sqrt().max(1.0)
}

/// By member: the results in each fold, by a fit of the others.
fn folded(asked: &[Asked], games: &[Game], sources: &[Kind], strange: f64) -> Vec<[Told; AFTER.len()]> {
    let mut all = vec![<[Told; AFTER.len()]>::default(); MEMBERS.len()];
    for fold in 0..FOLDS {
        let training: Vec<&Game> = games.iter().filter(|game| game.pair % FOLDS != fold).collect();
        let fit = Fit::new(asked, sources, None, &training).with_strange(strange);
        for (member, sums) in all.iter_mut().enumerate() {
            let held_out = games.iter().filter(|game| game.member == member && game.pair % FOLDS == fold);
            for (sum, told) in sums.iter_mut().zip(told(&fit, held_out)) {
                sum.merge(&told);
            }
        }
    }
    all
}

fn merged(by_member: &[[Told; AFTER.len()]]) -> [Told; AFTER.len()] {
    let mut sum = <[Told; AFTER.len()]>::default();
    for told in by_member {
        for (sum, told) in sum.iter_mut().zip(told) {
            sum.merge(told);
        }
    }
    sum
}
