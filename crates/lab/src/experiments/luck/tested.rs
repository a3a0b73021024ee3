//! The sequential test with and without luck, on pairs resampled from real ones.

#![expect(clippy::disallowed_methods, reason = "statistics are reported, not played by")]

use anglerfish_arena::stats::adjusted::Adjusted;
use anglerfish_arena::stats::elo::{Pentanomial, score_of_elo};
use anglerfish_arena::stats::linear::solve;
use anglerfish_arena::stats::sprt::{Model, Sprt, Verdict};
use anglerfish_engine::luck::STAGES;
use anglerfish_report::{Row, Table, grouped};
use anglerfish_rules::Rng;

use super::judged::Pair;
use crate::{Check, Findings, Manifest};

/// The test: 40 Elo better, or not better?
const TEST: Sprt = Sprt { elo0: 0.0, elo1: 40.0, alpha: 0.05, beta: 0.05, model: Model::Logistic };

/// A test that has not ended after this many pairs stops, and counts as wrong.
const LONGEST: u64 = 20_000;

/// Conditions on the mean of pairs: the score, and no luck in any stage.
const CONDITIONS: usize = 1 + STAGES;

/// Pairs to draw from, with cumulative weights.
struct Urn<'a> {
    pairs: &'a [Pair],
    sums: Vec<f64>,
}

impl Urn<'_> {
    /// Pairs weighted so that their mean score is this and their mean luck 0. Of all such weights it uses
    /// those of the largest entropy, found by Newton's method. `None` if no weights do that.
    fn of(pairs: &[Pair], score: f64) -> Option<Urn<'_>> {
        let of = |pair: &Pair| -> [f64; CONDITIONS] {
            std::array::from_fn(|i| if i == 0 { pair.0 - score } else { pair.1[i - 1] })
        };
        let mut tilt = [0.0; CONDITIONS];
        for _ in 0..100 {
            let (mut sum, mut slope, mut bend) = (0.0, [0.0; CONDITIONS], [[0.0; CONDITIONS]; CONDITIONS]);
            for pair in pairs {
                let x = of(pair);
                let weight = weight(&tilt, &x);
                sum += weight;
                for i in 0..CONDITIONS {
                    slope[i] += weight * x[i];
                    for j in 0..CONDITIONS {
                        bend[i][j] += weight * x[i] * x[j];
                    }
                }
            }
            let mean = slope.map(|slope| slope / sum);
            if mean.iter().all(|mean| mean.abs() < 1e-10) {
                let weights = pairs.iter().map(|pair| weight(&tilt, &of(pair)));
                let sums = weights.scan(0.0, |sum, weight| {
                    *sum += weight;
                    Some(*sum)
                });
                return Some(Urn { pairs, sums: sums.collect() });
            }
            let mut spread = bend.map(|row| row.map(|x| x / sum));
            for i in 0..CONDITIONS {
                for j in 0..CONDITIONS {
                    spread[i][j] -= mean[i] * mean[j];
                }
                // A stage without luck in any pair is no condition.
                spread[i][i] += 1e-12;
            }
            let step = solve(spread, mean);
            tilt.iter_mut().zip(step).for_each(|(tilt, step)| *tilt -= step.clamp(-5.0, 5.0));
        }
        None
    }

    fn draw(&self, dice: &mut Rng) -> Pair {
        let total = self.sums.last().copied().unwrap_or_default();
        let at = (dice.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 * total;
        self.pairs[self.sums.partition_point(|&sum| sum <= at).min(self.pairs.len() - 1)]
    }
}

fn weight(tilt: &[f64; CONDITIONS], x: &[f64; CONDITIONS]) -> f64 {
    tilt.iter().zip(x).map(|(tilt, x)| tilt * x).sum::<f64>().exp()
}

/// The verdict of a test, and its number of pairs.
fn tested(urn: &Urn<'_>, with_luck: bool, dice: &mut Rng) -> (Verdict, u64) {
    let (mut results, mut adjusted) = (Pentanomial::default(), Adjusted::default());
    for n in 1..=LONGEST {
        let (score, luck) = urn.draw(dice);
        results.add((4.0 * score).round() as u8);
        let llr = if with_luck {
            adjusted.add(score, luck);
            adjusted.known().map_or(0.0, |known| TEST.adjusted_llr(&known, &results))
        } else {
            TEST.llr(&results)
        };
        match TEST.decide(llr) {
            Verdict::Continue => {}
            verdict => return (verdict, n),
        }
    }
    (Verdict::Continue, LONGEST)
}

pub(super) fn find(manifest: &Manifest, equals: &[Pair], findings: &mut Findings) {
    let runs = manifest.number("tests");
    if runs == 0 || equals.is_empty() {
        return;
    }
    // The highest error rate that a 5 % test may show in this many runs, allowing three standard deviations.
    let most = 0.05 + 3.0 * (0.05 * 0.95 / runs as f64).sqrt();
    let (mut rows, mut data) = (Vec::new(), Vec::new());
    for (elo, right) in [(TEST.elo0, Verdict::AcceptH0), (TEST.elo1, Verdict::AcceptH1)] {
        let what =
            format!("the test without luck errs at most as often as it may where {elo:+.0} Elo is true");
        let Some(urn) = Urn::of(equals, score_of_elo(elo)) else {
            findings.checks.push(Check::new(
                what,
                false,
                "no weights of these pairs have such a score".to_owned(),
            ));
            continue;
        };
        let [with, without] = [false, true].map(|luck| {
            let mut dice = Rng::stream(manifest.seed, &format!("tested:{elo}:{luck}"));
            let (mut wrong, mut pairs) = (0, 0);
            for _ in 0..runs {
                let (verdict, n) = tested(&urn, luck, &mut dice);
                wrong += u64::from(verdict != right);
                pairs += n;
            }
            (wrong as f64 / runs as f64, pairs as f64 / runs as f64)
        });
        let percent = |share: f64| format!("{:.2} %", 100.0 * share);
        rows.push(Row {
            head: format!("{elo:+.0} Elo"),
            cells: vec![
                percent(with.0).into(),
                percent(without.0).into(),
                format!("{:.0}", with.1).into(),
                format!("{:.0}", without.1).into(),
                format!("{:.2}", with.1 / without.1).into(),
            ],
        });
        let found = format!("{} wrong of {}, may be {}", percent(without.0), grouped(runs), percent(most));
        findings.checks.push(Check::new(what, without.0 <= most, found));
        data.push(serde_json::json!({ "elo": elo, "runs": runs, "wrong": [with.0, without.0], "pairs": [with.1, without.1] }));
    }
    findings.report.tables.push(Table {
        title: "The test on pairs with and without luck".to_owned(),
        caption: format!("SPRT of 0 against {:+.0} Elo, 5 % each, {} runs a cell. Pairs are drawn from the {} real ones of the equals, weighed so that the score is what a hypothesis says and luck is nothing.", TEST.elo1, grouped(runs), equals.len()),
        columns: ["true", "wrong, with luck", "wrong, without", "pairs, with", "pairs, without", "saved"].map(str::to_owned).to_vec(),
        rows,
    });
    findings.data["tests"] = data.into();
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::RngExt;

    use super::*;

    /// Resampled pairs have the requested score, and no luck.
    #[test]
    fn an_urn_has_the_mean_it_says() {
        let mut dice = Rng::new(3);
        let mut noise = || f64::from(dice.below(2001)) / 10_000.0 - 0.1;
        let pairs: Vec<Pair> = (0..200)
            .map(|_| {
                let luck: [f64; STAGES] = std::array::from_fn(|_| noise() + 0.01);
                let score = (0.55 + luck.iter().sum::<f64>() + 2.0 * noise()).clamp(0.0, 1.0);
                ((4.0 * score).round() / 4.0, luck)
            })
            .collect();
        for score in [0.5, 0.557] {
            let urn = Urn::of(&pairs, score).expect("weights");
            let (mut sum, many) = ([0.0; CONDITIONS], 200_000);
            for _ in 0..many {
                let (score, luck) = urn.draw(&mut dice);
                sum[0] += score;
                sum[1..].iter_mut().zip(luck).for_each(|(sum, luck)| *sum += luck);
            }
            let mean = sum.map(|sum| sum / f64::from(many));
            assert!((mean[0] - score).abs() < 0.003 && mean[1..].iter().all(|m| m.abs() < 0.001), "{mean:?}");
        }
        assert!(Urn::of(&pairs, 1.2).is_none());
    }
}
