//! Statistics that several experiments share.

use anglerfish_arena::stats::clustered::t95;
use anglerfish_report::plot::{Mark, Tone};
pub(crate) use anglerfish_report::plus_minus;

/// The distance of a sampled percentage from the true one, in standard deviations.
///
/// A true share of 0 or 1 would make any difference infinite; it counts as one in two thousand.
pub(crate) fn z_score(sampled: f64, truth: f64, games: u32) -> f64 {
    let share = (truth / 100.0).clamp(0.0005, 0.9995);
    let deviation = 100.0 * (share * (1.0 - share) / f64::from(games)).sqrt();
    (sampled - truth) / deviation
}

/// The 95 % interval of a share of `n` independent trials, which stays positive if all are alike.
///
/// Agresti and Coull (1998), "Approximate is better than exact for interval estimation of binomial proportions", section 3.
pub(crate) fn interval(share: f64, n: u32) -> (f64, f64) {
    let n = f64::from(n) + 4.0;
    let center = (share * (n - 4.0) + 2.0) / n;
    let half = t95(n - 1.0) * (center * (1.0 - center) / n).sqrt();
    ((center - half).max(0.0), (center + half).min(1.0))
}

/// The 95 % interval of a share among trials in clusters of equal size: runs of one position, games of one
/// deal. `shares` has one share per cluster.
///
/// Trials of a cluster are alike, so the sample size is the number of clusters. As in [`interval`], two
/// clusters are added, one of all and one of none, so that the interval stays positive. That is cautious: in
/// the test below it contains the truth 97 to 99 times in 100.
pub(crate) fn clustered(shares: &[f64]) -> (f64, f64) {
    let supposed: Vec<f64> = shares.iter().copied().chain([0.0, 1.0]).collect();
    let (center, half) = mean_and_error(&supposed);
    ((center - half).max(0.0), (center + half).min(1.0))
}

/// The mean of a sample and half of its 95 % interval, which is infinite for a single value. Trials of one
/// position or deal are one value of the sample.
pub(crate) fn mean_and_error(sample: &[f64]) -> (f64, f64) {
    let sum = |f: &dyn Fn(f64) -> f64| sample.iter().map(|&value| f(value)).sum::<f64>();
    let mean = sum(&|value| value) / sample.len() as f64;
    // The squares are taken about the mean: about 0 they would lose significant digits.
    (mean, error(sum(&|value| (value - mean).powi(2)), sample.len() as f64))
}

/// Half of the 95 % interval of a mean of `n` values, from the sum of their squared distances to it.
pub(crate) fn error(squares: f64, n: f64) -> f64 {
    if n < 2.0 { f64::INFINITY } else { t95(n - 1.0) * (squares.max(0.0) / (n - 1.0) / n).sqrt() }
}

/// The quotient of two numbers, each given with half of a 95 % interval, and its own 95 % interval. `None` if
/// the divisor may be 0.
///
/// Fieller (1954), "Some problems in interval estimation", for independent numbers. Correlation, as of games
/// with the same opponent, only widens it for a positive quotient.
pub(crate) fn quotient(
    (over, over_error): (f64, f64),
    (under, under_error): (f64, f64),
) -> Option<(f64, [f64; 2])> {
    let square = under.powi(2) - under_error.powi(2);
    let root = ((over * under_error).powi(2) + square * over_error.powi(2)).sqrt();
    (square > 0.0).then(|| (over / under, [-root, root].map(|root| (over * under + root) / square)))
}

/// The entry with the largest absolute value; 0 for an empty list.
pub(crate) fn largest(values: impl IntoIterator<Item = f64>) -> f64 {
    values.into_iter().map(f64::abs).fold(0.0, f64::max)
}

/// A number with a sign that is not a hyphen.
pub(crate) fn signed(value: f64, decimals: usize) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "+∞" } else { "−∞" }.to_owned();
    }
    let text = format!("{value:+.decimals$}");
    // A number that rounds to 0 has no sign.
    if text.bytes().all(|b| !b.is_ascii_digit() || b == b'0') {
        format!("{:.decimals$}", 0.0)
    } else {
        text.replace('-', "−")
    }
}

/// Three percentages as `58.49 / 12.70 / 28.81`.
pub(crate) fn triple(percent: [f64; 3], decimals: usize) -> String {
    percent.map(|p| format!("{p:.decimals$}")).join(" / ")
}

/// A bar from 0 to `value` in the row of a list.
pub(crate) fn row_bar(row: usize, value: f64, tone: Tone, note: String) -> Mark {
    let at = row as f64;
    Mark::Bar { from: (0.0, at + 0.15), to: (value, at + 0.85), tone, note }
}

#[cfg(test)]
mod tests {
    use anglerfish_rules::Rng;

    use super::*;

    #[test]
    fn numbers_are_written_as_people_read_them() {
        assert_eq!([signed(-0.001, 2), signed(-1.5, 2), signed(0.25, 1)], ["0.00", "−1.50", "+0.2"]);
        assert_eq!([signed(f64::NEG_INFINITY, 0), signed(f64::INFINITY, 0)], ["−∞", "+∞"]);
        assert_eq!(triple([58.4921, 12.6984, 28.8095], 2), "58.49 / 12.70 / 28.81");
        assert!((z_score(59.06, 58.492, 10_000) - 1.15).abs() < 0.01);
        let (mean, error) = mean_and_error(&[1.0, 2.0, 3.0, 4.0]);
        assert!((mean - 2.5).abs() < 1e-12 && (error - 3.182 * (5.0f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert_eq!(mean_and_error(&[1.5]), (1.5, f64::INFINITY));
        assert!((z_score(2.24, 0.0, 10_000) - 100.2).abs() < 0.1);
        let (low, high) = interval(1.0, 100);
        assert!(low > 0.95 && low < 1.0 && high > 0.999, "{low} {high}");
    }

    #[test]
    fn quotients_know_how_sure_they_are() {
        // An exactly known divisor only scales.
        assert_eq!(quotient((3.0, 1.0), (4.0, 0.0)), Some((0.75, [0.5, 1.0])));
        assert_eq!(
            [quotient((3.0, 1.0), (4.0, 4.0)), quotient((3.0, 1.0), (-4.0, f64::INFINITY))],
            [None, None]
        );
        let mut rng = Rng::stream(2, "quotients");
        let mut even = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        // Twelve uniform numbers have a variance of one, and their sum is nearly normal.
        let mut normal = || (0..12).map(|_| even()).sum::<f64>() - 6.0;
        let mut found = || quotient((1.0 + normal(), 1.96), (6.0 + 1.5 * normal(), 1.5 * 1.96));
        let known: Vec<_> = (0..20_000).filter_map(|_| found()).collect();
        let held = known.iter().filter(|(_, [low, high])| (*low..=*high).contains(&(1.0 / 6.0))).count();
        let share = held as f64 / known.len() as f64;
        assert!((share - 0.95).abs() < 0.01 && known.len() > 19_000, "{share} of {}", known.len());
    }

    /// The published table: Abramowitz and Stegun (1964), Table 26.10; 99 from the NIST handbook of statistical methods, 1.3.6.7.2.
    #[test]
    fn it_is_students_t() {
        let published = [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (5.0, 2.571),
            (6.0, 2.447),
            (9.0, 2.262),
            (19.0, 2.093),
            (29.0, 2.045),
            (99.0, 1.984),
            (1e9, 1.960),
        ];
        for (degrees, t) in published {
            assert!((t95(degrees) - t).abs() < 0.0006, "{degrees}: {}", t95(degrees));
        }
    }

    /// How often intervals contain the truth: of clusters, and of the same trials taken as independent.
    /// `rate` gives the share of a cluster from a uniform number between 0 and 1.
    fn held(clusters: usize, trials: u32, truth: f64, rate: fn(f64) -> f64) -> [f64; 3] {
        let mut rng = Rng::stream(1, "clusters");
        let mut even = || (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        let mut counts = [0.0; 3];
        for _ in 0..4_000 {
            let mut cluster = |_| {
                let rate = rate(even());
                (0..trials).filter(|_| even() < rate).count() as f64 / f64::from(trials)
            };
            let shares: Vec<f64> = (0..clusters).map(&mut cluster).collect();
            let (mean, error) = mean_and_error(&shares);
            let ends =
                [clustered(&shares), (mean - error, mean + error), interval(mean, clusters as u32 * trials)];
            for (count, (low, high)) in counts.iter_mut().zip(ends) {
                *count += f64::from(u8::from(low <= truth && truth <= high)) / 4_000.0;
            }
        }
        counts
    }

    /// Twenty positions of ten runs each, as in `truth`: easy and hard ones in equal shares, or nearly all of them
    /// easy. An interval that takes the 200 runs as independent contains the truth far less often than stated.
    #[test]
    fn intervals_by_cluster_hold_the_truth_and_intervals_by_trial_do_not() {
        for (truth, rate) in
            [(0.5, (|x| x) as fn(f64) -> f64), (0.75, |x| x.cbrt()), (0.9, |x| f64::from(u8::from(x < 0.9)))]
        {
            let [clustered, mean, one_by_one] = held(20, 10, truth, rate);
            assert!((0.94..0.99).contains(&clustered), "{truth}: {clustered}");
            assert!(mean > 0.85, "{truth}: {mean}");
            assert!(one_by_one < 0.8, "{truth}: {one_by_one}");
        }
        // With five clusters 1.96 would not do either: it is 2.776 there.
        let [_, mean, _] = held(5, 10, 0.5, |x| x);
        assert!((0.93..0.97).contains(&mean), "{mean}");
        // Without differences between clusters, clustering costs little.
        let [clustered, mean, one_by_one] = held(20, 10, 0.5, |_| 0.5);
        assert!(clustered > 0.94 && (0.93..0.97).contains(&mean) && (0.93..0.97).contains(&one_by_one));
    }
}
