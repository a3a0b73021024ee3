//! The paper's conclusions from Tables 3 and 4 as measurable differences: in its numbers and in ours.

use anglerfish_report::{Cell, Mood, Row, Table};

use super::paper::{Games, PLAYERS, SIZES, TABLE3, TABLE4};
use super::players::Counted;
use crate::Check;
use crate::stats::{mean_and_error, plus_minus, signed};

/// The measure of a match, in per cent: points above one half, or draws.
#[derive(Clone, Copy)]
enum Measure {
    Points,
    Draws,
}

impl Measure {
    /// The weights of won, drawn and lost games.
    const fn of(self) -> [f64; 3] {
        match self {
            Measure::Points => [50.0, 0.0, -50.0],
            Measure::Draws => [0.0, 100.0, 0.0],
        }
    }
}

/// A player of Table 3 by its distinguishing features.
struct Player<'a> {
    chance: bool,
    policy: &'a str,
    evaluated: bool,
    size: u32,
}

/// A claim of the paper: the mean of some matches less the mean of others is positive, or negative.
struct Claim {
    says: &'static str,
    measure: Measure,
    above: bool,
    side: Side,
}

/// The side of the difference that a match is on: 1, -1, or 0 for neither.
enum Side {
    Third(fn(&Player<'_>) -> i8),
    /// By the two players. In a tournament both sides of a difference are in the same game.
    Fourth(fn(&str, &str) -> i8),
}

const fn either(first: bool, second: bool) -> i8 {
    first as i8 - second as i8
}

fn by_size(p: &Player<'_>) -> i8 {
    either(p.size == 640, p.size == 40)
}

fn by_evaluation(p: &Player<'_>) -> i8 {
    either(p.evaluated, !p.evaluated)
}

const CAPTURE: &str = "capture beats random";

const CLAIMS: [Claim; 13] = {
    use Measure::{Draws, Points};
    use Side::{Fourth, Third};
    const fn claim(says: &'static str, measure: Measure, above: bool, side: Side) -> Claim {
        Claim { says, measure, above, side }
    }
    [
        claim("chance-nodes beat group-nodes", Points, true, Third(|p| either(p.chance, !p.chance))),
        claim(
            "the evaluation helps group-nodes",
            Points,
            true,
            Third(|p| if p.chance { 0 } else { by_evaluation(p) }),
        ),
        claim(
            "the evaluation harms chance-nodes",
            Points,
            false,
            Third(|p| if p.chance { by_evaluation(p) } else { 0 }),
        ),
        claim(
            "with it group-nodes draw less",
            Draws,
            false,
            Third(|p| if p.chance { 0 } else { by_evaluation(p) }),
        ),
        claim(
            "with it chance-nodes draw as much or more",
            Draws,
            true,
            Third(|p| if p.chance { by_evaluation(p) } else { 0 }),
        ),
        claim("640 beats 40 for group-nodes", Points, true, Third(|p| if p.chance { 0 } else { by_size(p) })),
        claim(
            "640 beats 40 for chance-nodes",
            Points,
            true,
            Third(|p| if p.chance { by_size(p) } else { 0 }),
        ),
        claim(CAPTURE, Points, true, Third(|p| either(p.policy == "cr", p.policy == "r"))),
        claim(
            "capture beats capture-avoid for chance-nodes",
            Points,
            true,
            Third(|p| if p.chance { either(p.policy == "cr", p.policy == "car") } else { 0 }),
        ),
        claim(
            "tournament: chance-nodes beat group-nodes",
            Points,
            true,
            Fourth(|a, b| either(b.starts_with("c1"), a.starts_with("c1"))),
        ),
        claim(
            "tournament: c1-cr-h-640 beats c1-car-h-640",
            Points,
            true,
            Fourth(|a, b| i8::from(a == "c1-cr-h-640" && b == "c1-car-h-640")),
        ),
        claim(
            "tournament: c2-cr-640 beats the others",
            Points,
            true,
            Fourth(|a, b| either(a == "c2-cr-640", b == "c2-cr-640")),
        ),
        claim(
            "tournament: c2-cr-640 beats c2-cr-40",
            Points,
            true,
            Fourth(|a, b| either(a == "c2-cr-640" && b == "c2-cr-40", b == "c2-cr-640" && a == "c2-cr-40")),
        ),
    ]
};

impl Claim {
    /// The weights of the matches of its table, in order: those of each side sum to one.
    fn weights(&self) -> Vec<f64> {
        let sides: Vec<i8> = match self.side {
            Side::Third(side) => {
                let cells = TABLE3.iter().flat_map(|(name, _)| SIZES.map(|size| (*name, size)));
                let player = |(name, size): (&'static str, u32)| Player {
                    chance: name.starts_with("c2"),
                    policy: name.split('-').nth(1).unwrap_or_default(),
                    evaluated: name.ends_with("-h"),
                    size,
                };
                cells.map(|cell| side(&player(cell))).collect()
            }
            Side::Fourth(side) => TABLE4.iter().map(|&(a, b, _)| side(PLAYERS[a], PLAYERS[b])).collect(),
        };
        let many = |wanted: fn(i8) -> bool| sides.iter().filter(|&&s| wanted(s)).count().max(1) as f64;
        let [plus, minus] = match self.side {
            Side::Third(_) => [many(|s| s > 0), many(|s| s < 0)],
            Side::Fourth(_) => [many(|s| s != 0); 2],
        };
        sides.into_iter().map(|s| f64::from(s) / if s > 0 { plus } else { minus }).collect()
    }

    /// The difference in the paper's numbers, from matches of 500 games; unprinted matches are left out.
    fn theirs(&self) -> (f64, f64) {
        let printed: Vec<Option<Games>> = match self.side {
            Side::Third(_) => TABLE3.iter().flat_map(|(_, cells)| cells.map(Some)).collect(),
            Side::Fourth(_) => TABLE4.iter().map(|&(_, _, games)| games).collect(),
        };
        let (mut sum, mut variance, mut counted) = (0.0, 0.0, 0.0);
        let weights = self.weights();
        for (weight, games) in weights.iter().zip(&printed) {
            let Some((won, lost)) = *games else { continue };
            let shares = [won, 500 - won - lost, lost].map(|n| f64::from(n) / 500.0);
            let each = shares.into_iter().zip(self.measure.of());
            let mean: f64 = each.clone().map(|(share, counts)| share * counts).sum();
            let square: f64 = each.map(|(share, counts)| share * counts * counts).sum();
            sum += weight * mean;
            variance += weight * weight * (square - mean * mean) / 500.0;
            counted += weight.abs();
        }
        let share = counted / weights.iter().map(|w| w.abs()).sum::<f64>();
        (sum / share, 1.96 * variance.sqrt() / share)
    }

    /// The difference in our games. All matches of a table have the same deals, so it is taken deal by deal.
    fn ours(&self, matches: &[Vec<Counted>]) -> (f64, f64) {
        let value = |pair: &Counted| {
            let games = pair.games.map(|n| n as f64);
            let sum: f64 = games.iter().zip(self.measure.of()).map(|(n, counts)| n * counts).sum();
            sum / games.iter().sum::<f64>().max(1.0)
        };
        let weights = self.weights();
        let deals = matches.first().map_or(0, Vec::len);
        let each: Vec<f64> = (0..deals)
            .map(|deal| {
                matches.iter().zip(&weights).map(|(pairs, weight)| weight * value(&pairs[deal])).sum()
            })
            .collect();
        mean_and_error(&each)
    }

    fn row(&self, matches: &[Vec<Counted>]) -> Row {
        let (theirs, (ours, error)) = (self.theirs(), self.ours(matches));
        let verdict = match (ours.abs() > error, (ours > 0.0) == self.above) {
            (false, _) => Cell::new("open", Mood::Plain),
            (true, true) => Cell::new("holds", Mood::Good),
            (true, false) => Cell::new("the other way", Mood::Bad),
        };
        let text = |(value, error)| format!("{}{}", signed(value, 1), plus_minus(error, 1)).into();
        let measure = match self.measure {
            Measure::Points => "points",
            Measure::Draws => "draws",
        };
        Row {
            head: self.says.to_owned(),
            cells: vec![measure.into(), text(theirs), text((ours, error)), verdict],
        }
    }
}

/// The paper's conclusions, for the tables that were played.
pub(super) fn table(third: &[Vec<Counted>], fourth: &[Vec<Counted>]) -> Table {
    let matches = |claim: &Claim| match claim.side {
        Side::Third(_) => third,
        Side::Fourth(_) => fourth,
    };
    let played = CLAIMS.iter().filter(|claim| matches(claim).first().is_some_and(|pairs| !pairs.is_empty()));
    Table {
        title: "The paper's conclusions".to_owned(),
        caption: "Differences in per cent of the points or of the games, on average over the matches concerned, with 95 % intervals, ours by deal; in the tournament, points above one half. An interval around 0 leaves it open."
            .to_owned(),
        columns: ["the paper says", "in", "its numbers", "ours", ""].map(str::to_owned).to_vec(),
        rows: played.map(|claim| claim.row(matches(claim))).collect(),
    }
}

/// The one conclusion that holds at every budget that we tried; `None` for fewer than ten deals.
pub(super) fn capture_pays(third: &[Vec<Counted>]) -> Option<Check> {
    let deals = third.iter().map(Vec::len).min().filter(|&deals| deals >= 10)?;
    let (mean, error) = CLAIMS.iter().find(|claim| claim.says == CAPTURE)?.ours(third);
    Some(Check::new(
        format!("Table 3: {CAPTURE}: the interval begins above 0"),
        mean - error > 0.0,
        format!("{}{} per cent of the points, {deals} deals", signed(mean, 1), plus_minus(error, 1)),
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(says: &str) -> &'static Claim {
        CLAIMS.iter().find(|claim| claim.says == says).expect("it is said")
    }

    /// Computed by hand from the paper's tables.
    #[test]
    fn its_own_numbers_are_counted_right() {
        let (value, _) = claim("tournament: c1-cr-h-640 beats c1-car-h-640").theirs();
        assert!((value - 50.0 * (268.0 - 169.0) / 500.0).abs() < 1e-9, "{value}");
        // One of its four matches is not printed.
        let (value, _) = claim("tournament: c2-cr-640 beats the others").theirs();
        let lead = [252 - 176, 285 - 156, 220 - 149].iter().sum::<i32>();
        assert!((value - 50.0 * f64::from(lead) / 1500.0).abs() < 1e-9, "{value}");
        let (value, error) = claim("640 beats 40 for chance-nodes").theirs();
        let lead = |column: usize| {
            TABLE3[..6].iter().map(|(_, c)| f64::from(c[column].0) - f64::from(c[column].1)).sum::<f64>()
        };
        assert!((value - 50.0 * (lead(2) - lead(0)) / 3000.0).abs() < 1e-9, "{value}");
        assert!(error > 0.5 && error < 3.0, "{error}");
    }

    #[test]
    fn what_is_on_both_sides_counts_the_same() {
        for claim in &CLAIMS {
            let weights = claim.weights();
            let sum = |sign: f64| weights.iter().map(|w| (w * sign).max(0.0)).sum::<f64>();
            let wanted = match claim.side {
                Side::Third(_) => [1.0, 1.0],
                Side::Fourth(_) => [sum(1.0), 1.0 - sum(1.0)],
            };
            let off = [sum(1.0) - wanted[0], sum(-1.0) - wanted[1]];
            assert!(off.iter().all(|off| off.abs() < 1e-9), "{}: {off:?}", claim.says);
        }
    }

    /// A deal that favors all players alike moves no difference.
    #[test]
    fn deals_are_compared_with_themselves() {
        let pair = |won| Counted { games: [won, 0, 2 - won], forfeits: 0 };
        let matches: Vec<Vec<Counted>> = TABLE3
            .iter()
            .flat_map(|(name, _)| SIZES.map(|_| name.starts_with("c2")))
            .map(
                |chance| {
                    if chance { vec![pair(2), pair(1), pair(2)] } else { vec![pair(1), pair(0), pair(1)] }
                },
            )
            .collect();
        let (value, error) = claim("chance-nodes beat group-nodes").ours(&matches);
        assert!((value - 50.0).abs() < 1e-9 && error < 1e-9, "{value} {error}");
    }
}
